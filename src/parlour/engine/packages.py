"""Callable packages, for functions of the public API that share a package's name: ``parlour.games()``."""

import sys
from collections.abc import Callable
from types import ModuleType


def make_callable(package: str, function: Callable[[], object]) -> None:
    """Make an imported package callable: calling it calls ``function``."""
    sys.modules[package].__class__ = type("CallablePackage", (ModuleType,), {"__call__": lambda called: function()})
