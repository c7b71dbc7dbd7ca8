"""Bots from outside: classes of anybody's, named by where they are or under the name that their package gave them."""

import hashlib
import inspect
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from parlour.bots import BOTS, HouseBot, find_bot
from parlour.bots.protocol import Bot
from parlour.engine.errors import ParlourError

GROUP = "parlour.bots"
"""The group of entry points under which a package names its bots."""


@dataclass(frozen=True)
class OutsideBot:
    """Where bots of one kind come from.

    Attributes:
        id: what it was found by.
        make: makes one, for one seat of one game.
        version: what it says of itself, or a hash of its source.
    """

    id: str
    make: Callable[[], Bot]
    version: str
    searches = False


AnyBot = HouseBot | OutsideBot


def find_any_bot(bot_id: str) -> AnyBot:
    """A bot of the house, one that an installed package names, or the class or object ``package.module:Name``.

    Modules are also looked for in the current folder. Raises :class:`ParlourError`.
    """
    if bot_id in BOTS or bot_id.startswith("search:"):
        return find_bot(bot_id)
    named = {entry.name: entry.value for entry in entry_points(group=GROUP)}
    if bot_id in named or ":" in bot_id:
        return _load(bot_id, named.get(bot_id, bot_id))
    raise ParlourError(
        f"there is no bot {bot_id!r}; there are {', '.join([*BOTS, *named])}, search:effort=N, and package.module:Class"
    )


def _load(bot_id: str, place: str) -> OutsideBot:
    module, _, name = place.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ParlourError(f"the bot {bot_id!r} cannot be loaded: {error}") from None
    if not hasattr(found, "choose"):
        raise ParlourError(f"{bot_id!r} is no bot: it has no method choose(observation)")
    return OutsideBot(bot_id, found if isinstance(found, type) else lambda: found, _version_of(found))


def _version_of(found: Any) -> str:
    """The ``version`` that it has, or the beginning of a hash of the file that it stands in."""
    own = getattr(found, "version", None)
    if own is not None:
        return str(own)
    source = inspect.getsourcefile(found if isinstance(found, type) else type(found))
    with open(source or os.devnull, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]
