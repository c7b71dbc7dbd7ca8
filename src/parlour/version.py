"""The version of Parlour, as packages and records show it."""

__version__ = "0.1.0"
