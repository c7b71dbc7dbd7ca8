"""Batches of determinizations of an observation: :meth:`parlour.engine.observation.Observation.determinize`.

They are made from the observation alone, so that they cannot reveal more than it does.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import Floats
from parlour.engine.chance import as_seed
from parlour.engine.errors import ParlourError
from parlour.engine.information.belief import MOST_EFFORT, NO_POOL, determinize_games, draw_pool
from parlour.engine.information.determinization import scratch_table
from parlour.engine.information.resampling import by_weight
from parlour.engine.observation import BELIEF, UNIFORM, Observation, register_determinizer
from parlour.engine.rules import array_of, new_states
from parlour.engine.simulation.batch import Batch
from parlour.engine.validation import MOST_GAMES, shown, whole

CANDIDATES = 8
"""Default number of uniform determinizations that are drawn for each one to be chosen by weight."""

Weigh = Callable[[Batch], Any]
"""Returns a weight for each game of a batch of determinizations, in proportion to its likelihood."""


def determinize(
    observation: Observation, n: int, seed: int, by: str | Weigh, candidates: int | None, threads: int | None
) -> Batch:
    """Implement :meth:`Observation.determinize`."""
    number, seed = whole("the number of determinizations", n, 1, MOST_GAMES), as_seed(seed)
    _check(observation, by)
    if isinstance(by, str):
        if candidates is not None:
            raise ParlourError("candidates are only for weights by a function")
        return _drawn(observation, number, seed, by == BELIEF, threads)
    drawn = (
        CANDIDATES * number if candidates is None else whole("the number of candidates", candidates, number, MOST_GAMES)
    )
    games = _drawn(observation, drawn, seed, False, threads)
    return games.copy(by_weight(_weights(by, games), number, seed))


def _check(observation: Observation, by: Any) -> None:
    """Raise :class:`ParlourError` if there are no determinizations of this kind."""
    if observation.seat < 0:
        raise ParlourError("determinizations are for seats; a spectator decides nothing")
    if observation.over:
        raise ParlourError("the game is over: nothing is left to be determinized")
    if (isinstance(by, str) and by not in (UNIFORM, BELIEF)) or not (isinstance(by, str) or callable(by)):
        raise ParlourError(f"by is {UNIFORM!r}, {BELIEF!r} or a function that weighs a batch, not {shown(by)}")


def _drawn(observation: Observation, games: int, seed: int, likely: bool, threads: int | None) -> Batch:
    observed = array_of(observation.observed)
    states, streams = new_states(observed.dtype, games), np.zeros(games, np.uint64)
    pool, _ = draw_pool(observed, observation.seat, seed, MOST_EFFORT) if likely else (NO_POOL, 0)
    determinize_games(observed, observation.seat, likely, pool, states, streams, seed, scratch_table())
    return Batch.of_states(observation.setup, states, streams, seed, threads)


def _weights(weigh: Weigh, games: Batch) -> Floats:
    """Return the weights of a batch. Raises :class:`ParlourError` if ``weigh`` returns no valid weights."""
    try:
        weights = np.asarray(weigh(games), np.float64)
    except (TypeError, ValueError):
        weights = np.zeros(0)
    if weights.shape != (len(games),) or not np.isfinite(weights).all() or (weights < 0).any():
        raise ParlourError(f"the function 'by' must return {len(games)} weights, one for each game, none below 0")
    if not weights.any():
        raise ParlourError(f"none of {len(games)} determinizations has a weight above 0: draw more candidates")
    return weights


register_determinizer(determinize)
