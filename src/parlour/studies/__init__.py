"""Studies: bots play several variations of a game on the same deals; the results are measured and reported."""
