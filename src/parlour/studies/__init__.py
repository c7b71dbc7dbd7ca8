"""Studies: several variations of a game, played by bots on the same deals, measured and told."""
