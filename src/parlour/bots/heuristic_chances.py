"""Exact probabilities of the heuristic's choices, which draws among the moves of the highest value."""

import numpy as np

from parlour.bots.compiled_observation import CompiledObservation
from parlour.engine.arrays import Floats
from parlour.engine.rules import action_value
from parlour.engine.tie_breaking import LUCK


def heuristic_chances(observation: CompiledObservation) -> Floats:
    """Return the probability that the heuristic chooses each move. The observation's random stream does not advance."""
    values = np.array([int(action_value(observation.state, int(move))) for move in observation.moves])
    best = np.flatnonzero(values == values.max())
    chances = np.zeros(len(values))
    chances[best] = _tie_chances(len(best))
    return chances


def _tie_chances(number: int) -> Floats:
    """Return the probability of each of a number of moves of equal value, in their order.

    Each move draws one of :data:`LUCK` numbers, and the highest wins (:mod:`parlour.engine.tie_breaking`). Of moves
    with the same number the first wins; therefore it is likelier than the last.
    """
    drawn, before = np.arange(LUCK)[:, None], np.arange(number)[None, :]
    lower, not_higher = drawn / LUCK, (drawn + 1) / LUCK
    chances: Floats = (lower**before * not_higher ** (number - 1 - before)).mean(axis=0)
    return chances
