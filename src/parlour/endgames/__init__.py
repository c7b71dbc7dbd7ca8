"""Endgames small enough to be solved exactly."""
