"""Packages that only some commands need, and that not everybody has."""

from importlib import import_module
from typing import Any

from parlour.engine.errors import ParlourError


def extra(module: str, who: str = "studies need", bundle: str = "lab") -> Any:
    """A module of an optional package. Raises :class:`ParlourError`, which says how to install it, if it is missing.

    Args:
        module: its name.
        who: needs it: the beginning of the sentence that tells that it is missing.
        bundle: the extra of Parlour's that brings it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ParlourError(f"{who} {error.name}, which is not installed: pip install 'parlour[{bundle}]'") from None
