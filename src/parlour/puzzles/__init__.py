"""Puzzles: decisions in games of strong bots with one best action that is better beyond doubt, and their trainer."""
