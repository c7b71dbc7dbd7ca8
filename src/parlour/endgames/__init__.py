"""Exact solution of small endgames of two seats."""
