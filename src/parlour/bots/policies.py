"""Ways to play that need no thinking, and so run compiled as well."""

from dataclasses import replace
from typing import Any

import numpy as np

from parlour.bots.sight import Sight
from parlour.cards import bit, cards_of
from parlour.engine.chance import random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import copy_state, thumb
from parlour.tables import find_table

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


def choose_at_random(sight: Sight) -> int:
    """Each legal action equally likely."""
    return _choose_by(AT_RANDOM, sight)


def equally(sight: Sight) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """The chances of one who chooses at random."""
    return np.full(len(sight.actions), 1 / len(sight.actions))


def choose_by_thumb(sight: Sight) -> int:
    """What the game's rule of thumb says (its table file)."""
    find_table(sight.game)
    return _choose_by(BY_THUMB, sight)


def choose_forgetfully(sight: Sight, memory: int) -> int:
    """What the rule of thumb says to who remembers so many of 100 cards that everyone has seen."""
    if memory >= 100:
        return choose_by_thumb(sight)
    state = copy_state(sight.state)
    for card in cards_of(state.public):
        if random_below(sight.random, 100) >= memory:
            state.public &= ~bit(card)
    return choose_by_thumb(replace(sight, state=state))


def _choose_by(policy: int, sight: Sight) -> int:
    return int(sight.actions[follow(policy, sight.state, sight.actions, len(sight.actions), sight.random)])
