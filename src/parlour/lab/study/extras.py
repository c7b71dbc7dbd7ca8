"""Packages that only studies need, and that not everybody has."""

from importlib import import_module
from typing import Any

from parlour.engine.errors import ParlourError

COMMAND = "pip install 'parlour[lab]'"


def extra(module: str) -> Any:
    """A module of an optional package. Raises :class:`ParlourError`, which says how to install it, if it is missing."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ParlourError(f"studies need {error.name}, which is not installed: {COMMAND}") from None
