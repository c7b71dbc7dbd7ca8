"""Bots at a table: their turns, hints, answer times, and stand-ins for players."""
