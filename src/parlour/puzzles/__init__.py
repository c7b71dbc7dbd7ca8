"""Puzzles: decisions of strong bots with one action that is better than all others beyond doubt, and their trainer."""
