"""Bots of a contest that are not built in: their versions, and those that can end the process in which they play."""

from collections.abc import Sequence
from functools import cache

from parlour.bots.external import AnyBot, KindOfPlayer, OutsideBot
from parlour.bots.match_play import PythonBot
from parlour.bots.programs import START_SECONDS
from parlour.bots.protocol import Failure, never
from parlour.contests.omniscient import find_player
from parlour.engine.errors import ParlourError


def check_creation(bots: Sequence[str]) -> None:
    """Create each Python bot once, so that a bot that cannot be created is an error before the first game.

    Raises:
        ParlourError: there is no such bot, or its class raises an exception or takes too long.
    """
    for named in bots:
        _check_creation(named)


@cache
def _check_creation(named: str) -> None:
    bot = without_kinds(find_player(named))
    if not isinstance(bot, OutsideBot) or bot.make is None:
        return
    created = PythonBot(bot.make, START_SECONDS, never)
    try:
        created.create()
    except Failure as failure:
        raise ParlourError(f"the bot {bot.id} cannot be created: it {failure}") from failure.__cause__
    finally:
        created.close(at_once=True)


def versions_of(bots: Sequence[str]) -> dict[str, str]:
    """Return the versions of the external bots, and of those that play from files, by id.

    Raises:
        ParlourError: there is no such bot.
    """
    found = [find_player(bot) for bot in bots]
    return {bot.id: bot.version for bot in found if isinstance(bot, OutsideBot) or bot.version}


def suspect_of(bots: Sequence[str]) -> str:
    """Return the end of a sentence on the Python bots that may have ended a worker process; empty without any."""
    in_python = [bot for bot in dict.fromkeys(bots) if _plays_in_python(find_player(bot))]
    if not in_python:
        return ""
    return f", or by {' or '.join(in_python)}; as a program, exec:COMMAND, a bot would forfeit its game only"


def _plays_in_python(bot: AnyBot) -> bool:
    """Return whether a bot from outside runs in the process that plays, as programs and built-in bots do not."""
    plain = without_kinds(bot)
    return isinstance(plain, OutsideBot) and plain.make is not None


def without_kinds(bot: AnyBot) -> AnyBot:
    """Return the bot whose choices a kind of player modifies; any other bot itself."""
    while isinstance(bot, KindOfPlayer):
        bot = bot.bot
    return bot
