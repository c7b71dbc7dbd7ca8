"""Who plays when nobody does. A bot is given what its seat may know, like a person, and nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.engine.chance import random_below
from parlour.engine.compiled import rule
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.rules import thumb
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

NO_POLICY, AT_RANDOM, BY_THUMB = -1, 0, 1
"""The policies that run compiled, by their numbers; and what a bot has that is none of them."""


@rule
def follow(policy: int, state: Any, actions: Any, number: int, random: Any) -> int:
    """The index of the action of ``actions[:number]`` that a policy does; ``state`` is veiled for its actor.

    Compiled, whole games of such bots run without coming back to Python; the game's table must have been found before.
    """
    if policy == BY_THUMB:
        return thumb(state, actions, number, random)
    return random_below(random, number)


@dataclass(frozen=True)
class Bot:
    """A way to play any game: ``choose`` gives one of the legal actions of a sight.

    ``policy`` is the number of the policy that does the same compiled, if there is one (:func:`follow`).
    """

    id: str
    title: str
    description: str
    choose: Choose
    policy: int = NO_POLICY


def choose_at_random(sight: Sight) -> int:
    """Each legal action equally likely."""
    return _choose_by(AT_RANDOM, sight)


def choose_by_thumb(sight: Sight) -> int:
    """What the game's rule of thumb says (its table file)."""
    find_table(sight.game)
    return _choose_by(BY_THUMB, sight)


def _choose_by(policy: int, sight: Sight) -> int:
    return int(sight.actions[follow(policy, sight.state, sight.actions, len(sight.actions), sight.random)])


BOTS: Mapping[str, Bot] = {
    bot.id: bot
    for bot in (
        Bot(
            "thumb",
            "Rule of thumb",
            "plays as the game's advice goes: sensible, quick, no memory",
            choose_by_thumb,
            BY_THUMB,
        ),
        Bot("random", "Random", "plays any legal card: to learn the rules against", choose_at_random, AT_RANDOM),
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
