"""Environments: the games behind the interfaces of Gymnasium, PettingZoo, OpenSpiel and Stable-Baselines3.

Each interface needs an optional package, installed by an extra such as ``parlour[rl]``. ``docs/environments.md``
documents them.
"""

from parlour.engine.errors import ParlourError


class MissingPackageError(ParlourError, ImportError):
    """An interface needs a package that is not installed."""


def missing_package(package: str, extra: str) -> MissingPackageError:
    """Return the error for a missing package, with the command that installs it."""
    return MissingPackageError(f"{package} is not installed; install it with: pip install 'parlour[{extra}]'")
