"""Other people's interfaces: these games behind what researchers already use.

Each module is one interface, and needs a package that ``pip install 'parlour[rl]'`` and the like bring; nothing else in
the house does. ``docs/environments.md`` shows them all.
"""

from parlour.engine.errors import ParlourError


class MissingPackageError(ParlourError, ImportError):
    """An interface needs a package that is not installed."""


def missing(package: str, extra: str) -> MissingPackageError:
    """The error for a package that is not installed, with the command that installs it."""
    return MissingPackageError(f"{package} is not installed; install it with: pip install 'parlour[{extra}]'")
