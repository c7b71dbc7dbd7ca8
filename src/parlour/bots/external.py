"""External bots: classes, objects and programs by others, named by import path, command or entry point."""

import hashlib
import inspect
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from operator import attrgetter
from typing import Any

from parlour.bots import BOTS, BuiltinBot, find_bot, is_builtin_bot
from parlour.bots.kinds import KINDS, kind_description, split_kinds
from parlour.bots.learned import LEARNED
from parlour.bots.levels import SEARCH
from parlour.bots.programs import PROGRAM_PREFIX, version_of, words_of
from parlour.bots.protocol import Bot, Failure, foreign_text, printable
from parlour.engine.errors import ParlourError
from parlour.engine.validation import shown
from parlour.version import __version__

GROUP = "parlour.bots"
"""Entry-point group under which a package names its bots."""

OPEN = "open:"
"""Prefix of a bot's id for the same bot with all cards visible. Only contests have such bots
(:mod:`parlour.contests.omniscient`).
"""
NO_BOT = "{} is no bot: it has no method choose(observation)"


@dataclass(frozen=True)
class OutsideBot:
    """External bot by its id, with the factory of its instances.

    Attributes:
        id: the id by which it was found.
        make: creates a Python bot for one seat of one game; ``None`` for a program or a kind of player.
    """

    id: str
    make: Callable[[], Bot] | None
    searches = False

    @property
    def command(self) -> str:
        """Return the command that starts the program."""
        return self.id.removeprefix(PROGRAM_PREFIX)

    @property
    def version(self) -> str:
        """Return the version that the bot reports, or a hash of its source.

        For a program this starts the program. Raises :class:`ParlourError` if it does not start, or if a Python bot
        has neither a version nor a file with its source.
        """
        return version_of(self.command) if self.make is None else _version_of(self.id, self.make)


@dataclass(frozen=True)
class KindOfPlayer(OutsideBot):
    """Bot whose choices are modified (:mod:`parlour.bots.kinds`).

    Attributes:
        bot: the bot that is modified.
        kinds: names among ``KINDS``, at least one.
    """

    bot: "BuiltinBot | OutsideBot"
    kinds: tuple[str, ...]

    @property
    def version(self) -> str:
        """Return the version of the modified bot; if a built-in bot has none, the version of Parlour."""
        return self.bot.version or __version__

    @property
    def description(self) -> str:
        """Return what the kind does, as the end of a sentence."""
        return kind_description(self.bot.id, self.kinds)


AnyBot = BuiltinBot | OutsideBot


def find_any_bot(bot_id: str) -> AnyBot:
    """Return the bot for an id: a built-in bot, a program ``exec:COMMAND``, an entry point, or ``package.module:Name``;
    or a kind of player, which is one of these with ``+KIND``.

    Modules are also searched in the current folder. Raises :class:`ParlourError`.
    """
    base, kinds = split_kinds(bot_id)
    if kinds:
        return KindOfPlayer(bot_id, None, find_any_bot(base), kinds)
    if is_builtin_bot(bot_id):
        return find_bot(bot_id)
    name, *words = bot_id.split("+")
    if words and is_builtin_bot(name):
        unknown = next(word for word in words if word not in KINDS)
        raise ParlourError(f"there is no kind of player {unknown!r}; there are {', '.join(KINDS)}")
    if bot_id.startswith(OPEN):
        raise ParlourError(f"the bot {bot_id} sees all cards: it plays only in matches, ladders and studies")
    if bot_id.startswith(PROGRAM_PREFIX):
        return _program(bot_id)
    named = {entry.name: entry.value for entry in entry_points(group=GROUP)}
    if bot_id in named or ":" in bot_id:
        return _load(bot_id, named.get(bot_id, bot_id))
    ways = "search:effort=N, package.module:Class, and exec:COMMAND"
    raise ParlourError(f"there is no bot {bot_id!r}; there are {', '.join([*BOTS, LEARNED, SEARCH, *named])}, {ways}")


def bot_of(named: str | Bot) -> AnyBot | Bot:
    """Return the bot that a caller names or passes as an object. Raises :class:`ParlourError`."""
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
        found = attrgetter(name)(import_module(module))  # a nested class has a dotted name
    except (Exception, SystemExit) as error:  # a foreign module may raise anything
        raise ParlourError(f"the bot {bot_id!r} cannot be loaded: {error or type(error).__name__}") from None
    if not hasattr(found, "choose"):
        raise ParlourError(NO_BOT.format(repr(bot_id)))
    return OutsideBot(bot_id, found if isinstance(found, type) else ExistingBot(found))


@dataclass(frozen=True)
class ExistingBot:
    """Factory of a bot that exists already: always returns the same object."""

    bot: Any

    def __call__(self) -> Bot:
        """Return the bot."""
        found: Bot = self.bot
        return found


def _version_of(bot_id: str, make: Any) -> str:
    """Return the bot's own version, or the first 16 hex digits of its source file's SHA-256.

    Raises :class:`ParlourError` if it has neither.
    """
    found = make.bot if isinstance(make, ExistingBot) else make
    own = _own_version(found)
    if own is not None:
        return own
    of = found if isinstance(found, type) else type(found)
    try:
        with open(inspect.getsourcefile(of) or inspect.getfile(of), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()[:16]
    except (OSError, TypeError):  # made on standard input, in a notebook, or in C
        raise ParlourError(
            f"the bot {bot_id!r} has no file with its source: put its class in a module, or give it a `version`"
        ) from None


def _own_version(found: Any) -> str | None:
    """Return the ``version`` attribute, a text or a number, as a text.

    The text of another object may have an address, which differs in every process: a property, read from its class.
    """
    try:
        own = found.version
    except (Exception, SystemExit):  # foreign code may raise anything
        return None
    return printable(foreign_text(own, str), 100) if issubclass(type(own), str | int | float) else None
