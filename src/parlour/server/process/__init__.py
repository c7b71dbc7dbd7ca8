"""The serving processes: one or several workers, their start and their end."""
