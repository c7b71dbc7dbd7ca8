"""Who studies the games: simulations, benchmarks, later tournaments and reports."""
