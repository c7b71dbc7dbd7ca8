"""Packages that can be called, because the front door has a function of their name: ``parlour.games()``."""

import sys
from collections.abc import Callable
from types import ModuleType


def make_callable(package: str, function: Callable[[], object]) -> None:
    """Let calling an imported package call this function."""
    sys.modules[package].__class__ = type("CallablePackage", (ModuleType,), {"__call__": lambda called: function()})
