"""Games between bots, those of the house and those from outside, one in each seat."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from parlour.bots import HouseBot, choose_for, find_bot
from parlour.bots.protocol import Bot
from parlour.engine.chance import new_stream
from parlour.engine.driving import Choose, drive
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match, SystemRandomness
from parlour.engine.setup import Setup

_SEEDS = 2**63


def play(setup: Setup, bots: Sequence[str | Bot], seed: int | None = None) -> Match:
    """Let bots play a game.

    Args:
        setup: what is played.
        bots: one for each seat: an id of :func:`find_bot`, or an object that chooses.
        seed: of all chance, that of the house's own bots included; drawn by the operating system if none is given.

    Returns:
        the finished match.

    Raises:
        ParlourError: there are not as many bots as seats, or there is no bot of this name.
        IllegalError: a bot chose what is not legal.
    """
    if isinstance(bots, str) or len(bots) != setup.players:
        named = repr(bots) if isinstance(bots, str) else f"{len(bots)} bots"
        raise ParlourError(f"{named} for {setup.players} seats: name one bot for each")
    drawn = SystemRandomness().below(_SEEDS) if seed is None else seed
    seated = [find_bot(bot) if isinstance(bot, str) else bot for bot in bots]
    choices = [_choice(bot, new_stream(drawn, seat + 1)) for seat, bot in enumerate(seated)]
    _call(seated, "begin", lambda seat: (setup, seat))
    match = setup.start(drawn)
    for _ in drive(match, lambda match: choices[match.actor](match)):
        pass
    _call(seated, "end", lambda seat: (match.result,))
    return match


def _choice(bot: HouseBot | Bot, stream: Any) -> Choose:
    """How a bot chooses; ``stream`` is the chance of one of the house."""
    if isinstance(bot, HouseBot):
        return partial(choose_for, bot=bot, random=stream)
    return lambda match: bot.choose(match.observation())


def _call(bots: Sequence[HouseBot | Bot], name: str, arguments: Any) -> None:
    """Call what a bot from outside may have."""
    for seat, bot in enumerate(bots):
        method = None if isinstance(bot, HouseBot) else getattr(bot, name, None)
        if method:
            method(*arguments(seat))
