"""Recorded games of people: their measures beside those of a study's bots, and a bot fitted to their choices."""
