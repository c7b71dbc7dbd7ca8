"""Recorded games of people: measured beside the bots of a study, and a bot fitted to their choices."""
