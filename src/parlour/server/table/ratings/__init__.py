"""Ratings of players and bots, and the change of them by the result of a game."""
