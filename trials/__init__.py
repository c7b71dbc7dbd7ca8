"""Trials of the server: load, crowds, kills, clusters."""
