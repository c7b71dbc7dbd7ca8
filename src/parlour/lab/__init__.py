"""Who studies the games: simulations, contests of bots, ratings, benchmarks, later reports."""
