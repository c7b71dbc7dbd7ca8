"""Contests between bots: arena, matches, ladders, results."""
