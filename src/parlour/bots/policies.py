"""Policies without search: random choice, the heuristic, and the heuristic of a player with a bad memory."""

from dataclasses import replace

import numpy as np

from parlour.bots.compiled_observation import CompiledObservation
from parlour.cards import bit, cards_of
from parlour.engine.arrays import Floats, Int64s, Stream
from parlour.engine.chance import random_below, random_bits
from parlour.engine.errors import GameError
from parlour.engine.moves import Move
from parlour.engine.rules import action_value, copy_state
from parlour.engine.simulation.playouts import no_action, not_an_index
from parlour.engine.simulation.policy import AT_RANDOM, BY_HEURISTIC, NO_POLICY, follow

__all__ = [
    "AT_RANDOM",
    "BY_HEURISTIC",
    "NO_POLICY",
    "choose_at_random",
    "choose_by_heuristic",
    "follow",
    "lapse_chances",
    "uniform_chances",
]


def choose_at_random(observation: CompiledObservation) -> Move:
    """Return a uniformly random legal move."""
    return _choose_by(AT_RANDOM, observation)


def uniform_chances(observation: CompiledObservation) -> Floats:
    """Return the probabilities of a uniformly random choice."""
    return np.full(len(observation.moves), 1 / len(observation.moves))


def choose_by_heuristic(observation: CompiledObservation) -> Move:
    """Return the move of the game's heuristic."""
    return _choose_by(BY_HEURISTIC, observation)


def choose_forgetfully(observation: CompiledObservation, memory: int) -> Move:
    """Return the heuristic's move for a player who remembers ``memory`` % of the cards seen."""
    return choose_by_heuristic(forget_cards(observation, memory))


def forget_cards(observation: CompiledObservation, memory: int) -> CompiledObservation:
    """Return the observation of a player who remembers ``memory`` % of the cards seen."""
    if memory >= 100:
        return observation
    state = copy_state(observation.state)
    for card in cards_of(state.public):
        if random_below(observation.random, 100) >= memory:
            state.public &= ~bit(card)
    return replace(observation, state=state)


def lapse_chances(observation: CompiledObservation) -> Floats:
    """Return the probability of each move of a player who chooses carelessly, but knows a good move from a bad one.

    The moves are ranked by the heuristic, and the probabilities are in the ratios 1 : 1/2 : 1/3 : …; moves of equal
    value share theirs.
    """
    values = np.array([int(action_value(observation.state, int(move))) for move in observation.moves])
    better = (values[None, :] > values[:, None]).sum(axis=1)
    equal = (values[None, :] == values[:, None]).sum(axis=1)
    upto = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, len(values) + 1))])
    weights = (upto[better + equal] - upto[better]) / equal
    chances: Floats = weights / weights.sum()
    return chances


def drawn_move(moves: Int64s, chances: Floats, random: Stream) -> Move:
    """Return a move drawn from a mixed strategy, the probabilities of the moves."""
    drawn = random_bits(random) / 2**32
    return Move(moves[min(int(np.searchsorted(np.cumsum(chances), drawn)), len(chances) - 1)])


def _choose_by(policy: int, observation: CompiledObservation) -> Move:
    if not len(observation.moves):
        raise GameError(no_action(observation.game, observation.seat))
    index = int(follow(policy, observation.state, observation.moves, len(observation.moves), observation.random))
    if not 0 <= index < len(observation.moves):
        raise GameError(not_an_index(observation.game, observation.seat, index))
    return Move(observation.moves[index])
