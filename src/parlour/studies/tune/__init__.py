"""Tuning: search for option values of a game that fit a goal."""
