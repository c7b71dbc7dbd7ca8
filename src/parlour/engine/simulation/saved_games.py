"""Snapshots of games of a batch, and selections of its games."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.engine.arrays import Bools, Int64s
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.engine.validation import as_array, wholes


@dataclass(frozen=True)
class SavedGames:
    """A snapshot of games of a batch, independent of the batch; the argument of :meth:`Batch.restore`.

    Attributes:
        setup: the setup of the games.
        states: the true states, a writable structured array.
        numbers: the number of each game in its run.
        streams: the random stream of each game, which determines its next chance events.
        seeds: the seed of the run of each game.
        run: the seed of the batch and the number of games it had begun; ``None`` if only some games were saved.
    """

    setup: Setup
    states: Any
    numbers: Int64s
    streams: Any
    seeds: Int64s
    run: tuple[Any, int | None] | None

    def __len__(self) -> int:
        return len(self.states)


Which = Sequence[int] | Int64s | Bools
"""A selection of games of a batch: their indices, or a bool for each game of the batch."""


def places_of(which: Which, games: int) -> Int64s:
    """Return the indices of a selection among ``games`` games. Raises :class:`ParlourError`."""
    named = as_array("indices of games", which)
    if named.dtype == np.bool_:
        if named.shape != (games,):
            raise ParlourError(f"one bool per game is required, {games} in all, not an array of {named.shape}")
        return np.flatnonzero(named)
    if named.size == 0:  # NumPy takes the numbers of an empty list for floating point
        return np.zeros(0, np.int64)
    at = wholes("indices of games", which).reshape(-1)
    for index in at[(at < 0) | (at >= games)][:1]:
        raise ParlourError(f"there is no game {index}; the games are 0 to {games - 1}")
    return at
