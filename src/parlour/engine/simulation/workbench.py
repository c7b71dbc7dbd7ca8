"""Compiled legal actions and observations of single states, for interfaces that keep states of their own."""

from collections.abc import Callable
from functools import lru_cache
from threading import local
from typing import Any

import numpy as np

from parlour.engine.arrays import Bools, Float32s, Int64s
from parlour.engine.numba.dispatcher import machine_code
from parlour.engine.rules import new_states
from parlour.engine.setup import Setup
from parlour.engine.simulation.actions import numbers_of
from parlour.engine.simulation.shard import Shard, observe_games
from parlour.engine.typed_state import AnyState

_of_thread = local()


class Workbench(Shard):
    """Scratch space for one state of a setup, which is copied in at each call. For one thread."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup, numbers_of(setup), new_states(setup.game.dtype, 1), np.zeros(1, np.uint64), slice(0, 1))
        self._seats = np.zeros(1, np.int64)
        self._no_mask: Bools = np.zeros((1, 0), np.bool_)
        self._observing: Callable[..., bool] | None = None

    def list_legal(self, state: AnyState) -> tuple[Int64s, Int64s]:
        """Return the legal moves of the seat to act, in the order of the rules, and their indices in the action space.

        Raises:
            ParlourError: the game does not list its actions.
        """
        self.states[0] = state
        self.forget_actions()
        while self.list_actions():
            self.ask()
        number = self.listing.counts[0]
        return self.listing.codes[0, :number].copy(), self.listing.listed[0, :number].astype(np.int64)

    def observe_state(self, state: AnyState, seat: int, tensor: Float32s) -> None:
        """Write a seat's tensor of a full state.

        Args:
            state: a record.
            seat: a seat, not a spectator.
            tensor: the output, 1 × cells.
        """
        self.states[0], self._seats[0] = state, seat
        self.listing.stale[0], self.listing.counts[0] = False, 0  # no action is listed, so none is marked
        listing = self.listing.table, self.listing.lists, self.listing.marks
        arguments = self.states, self.words, self._seats, tensor, self._no_mask, True, listing, self._workspace
        if self._observing is None:
            self._observing = machine_code(observe_games, *arguments)
        self._observing(*arguments)

    def __getstate__(self) -> dict[str, Any]:
        """Raise ``TypeError``: scratch space is not pickled."""
        raise TypeError("a workbench is scratch space of one thread")


def workbench_of(setup: Setup) -> Workbench:
    """Return this thread's workbench for a setup."""
    if not hasattr(_of_thread, "benches"):
        _of_thread.benches = lru_cache(maxsize=8)(Workbench)
    bench: Workbench = _of_thread.benches(setup)
    return bench
