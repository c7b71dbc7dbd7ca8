"""Parlour: a card room for five unusual card games."""

__version__ = "0.1.0"
