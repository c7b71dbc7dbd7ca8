"""Bots from outside: anybody's classes and programs, named by where they are or as their package names them."""

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
from parlour.bots.programs import PREFIX, version_of, words_of
from parlour.bots.protocol import Bot, Failure
from parlour.engine.errors import ParlourError
from parlour.engine.validation import shown

GROUP = "parlour.bots"
"""The group of entry points under which a package names its bots."""

NO_BOT = "{} is no bot: it has no method choose(observation)"


@dataclass(frozen=True)
class OutsideBot:
    """Where bots of one kind come from.

    Attributes:
        id: what it was found by.
        make: makes one in Python, for one seat of one game; ``None`` for a program.
    """

    id: str
    make: Callable[[], Bot] | None
    searches = False

    @property
    def command(self) -> str:
        """What starts it, if it is a program."""
        return self.id.removeprefix(PREFIX)

    @property
    def version(self) -> str:
        """What it says of itself, or a hash of its source.

        A program is started for that, and so known to start. Raises :class:`ParlourError` if it does not.
        """
        return version_of(self.command) if self.make is None else _version_of(self.make)


AnyBot = HouseBot | OutsideBot


def find_any_bot(bot_id: str) -> AnyBot:
    """A bot of the house, a program ``exec:COMMAND``, one that a package names, or what ``package.module:Name`` is.

    Modules are also looked for in the current folder. Raises :class:`ParlourError`.
    """
    if bot_id in BOTS or bot_id.startswith("search:"):
        return find_bot(bot_id)
    if bot_id.startswith(PREFIX):
        return _program(bot_id)
    named = {entry.name: entry.value for entry in entry_points(group=GROUP)}
    if bot_id in named or ":" in bot_id:
        return _load(bot_id, named.get(bot_id, bot_id))
    ways = "search:effort=N, package.module:Class, and exec:COMMAND"
    raise ParlourError(f"there is no bot {bot_id!r}; there are {', '.join([*BOTS, *named])}, {ways}")


def bot_of(named: str | Bot) -> AnyBot | Bot:
    """The bot that somebody names, or hands in. Raises :class:`ParlourError`."""
    if isinstance(named, str):
        return find_any_bot(named)
    if isinstance(named, type):
        raise ParlourError(f"{named.__name__} is a class: make a bot of it, {named.__name__}(), and hand that in")
    if not isinstance(named, AnyBot | Bot):
        raise ParlourError(NO_BOT.format(shown(named)))
    return named


def _program(bot_id: str) -> OutsideBot:
    bot = OutsideBot(bot_id, None)
    try:
        words_of(bot.command)
    except Failure as error:
        raise ParlourError(f"the bot {bot_id} cannot play: it {error}") from None
    return bot


def _load(bot_id: str, place: str) -> OutsideBot:
    module, _, name = place.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(import_module(module), name)
    except (Exception, SystemExit) as error:  # a foreign module may raise anything
        raise ParlourError(f"the bot {bot_id!r} cannot be loaded: {error or type(error).__name__}") from None
    if not hasattr(found, "choose"):
        raise ParlourError(NO_BOT.format(repr(bot_id)))
    return OutsideBot(bot_id, found if isinstance(found, type) else ExistingBot(found))


@dataclass(frozen=True)
class ExistingBot:
    """The class of a bot that exists already: what it makes is always the same object."""

    bot: Any

    def __call__(self) -> Bot:
        """The bot."""
        found: Bot = self.bot
        return found


def _version_of(make: Any) -> str:
    """The ``version`` that it has, or the beginning of a hash of the file that it stands in."""
    found = make.bot if isinstance(make, ExistingBot) else make
    own = getattr(found, "version", None)
    if own is not None:
        return str(own)
    source = inspect.getsourcefile(found if isinstance(found, type) else type(found))
    with open(source or os.devnull, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]
