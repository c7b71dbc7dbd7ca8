"""Who plays when nobody does. A bot is given what its seat may know, like a person, and nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.engine import rules
from parlour.engine.chance import random_below
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.tables import find_table


@dataclass(frozen=True)
class Sight:
    """What a bot decides by.

    Attributes:
        game: the game's id.
        state: the veiled state of its seat.
        seat: its seat, which is to act.
        actions: the numbers of the legal actions, of which there is at least one.
        random: the bot's own stream of chance.
    """

    game: str
    state: Any
    seat: int
    actions: "np.ndarray[Any, np.dtype[np.int64]]"
    random: Any


Choose = Callable[[Sight], int]


@dataclass(frozen=True)
class Bot:
    """A way to play any game: ``choose`` gives one of the legal actions of a sight."""

    id: str
    title: str
    description: str
    choose: Choose


def choose_at_random(sight: Sight) -> int:
    """Each legal action equally likely."""
    return int(sight.actions[random_below(sight.random, len(sight.actions))])


def choose_by_thumb(sight: Sight) -> int:
    """What the game's rule of thumb says (its table file)."""
    find_table(sight.game)
    return int(sight.actions[rules.thumb(sight.state, sight.actions, len(sight.actions), sight.random)])


BOTS: Mapping[str, Bot] = {
    bot.id: bot
    for bot in (
        Bot("thumb", "Rule of thumb", "plays as the game's advice goes: sensible, quick, no memory", choose_by_thumb),
        Bot("random", "Random", "plays any legal card: to learn the rules against", choose_at_random),
    )
}


def find_bot(bot_id: str) -> Bot:
    """The bot with this id. Raises :class:`ParlourError`, which lists those there are."""
    if bot_id not in BOTS:
        raise ParlourError(f"there is no bot {bot_id!r}; there are {', '.join(BOTS)}")
    return BOTS[bot_id]


def sight_of(match: Match, random: Any) -> Sight:
    """What the seat to act may decide by. Raises ``ValueError`` if no seat is to act."""
    if match.actor < 0:
        raise ValueError("no seat is to act")
    actions = np.array(match.actions(), np.int64)
    return Sight(match.game.id, match.veiled(match.actor), match.actor, actions, random)


def choose_for(match: Match, bot: Bot, random: Any) -> str:
    """The action, as text, that a bot does for the seat to act."""
    return match.action_name(bot.choose(sight_of(match, random)))
