"""The processes that serve: one or several workers, their start and their end."""
