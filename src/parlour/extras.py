"""Imports of optional packages, needed by some commands only."""

from importlib import import_module
from typing import Any

from parlour.engine.errors import ParlourError


def extra(module: str, who: str = "studies need", bundle: str = "lab") -> Any:
    """Return a module of an optional package, or a module of Parlour that imports one.

    Args:
        module: the module's name.
        who: the subject and verb of the error message, such as ``"studies need"``.
        bundle: the extra of Parlour that installs the package.

    Raises:
        ParlourError: the package is not installed; the message says how to install it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise ParlourError(f"{who} {error.name}, which is not installed: pip install 'parlour[{bundle}]'") from None
