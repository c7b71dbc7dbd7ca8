"""Whether an action has told anybody anything: only one that has not may be taken back."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from parlour.engine.rules import CHANCE, MAX_ACTIONS, NOBODY, OVER, PlainState, known_to, legal, play
from parlour.engine.sight import guess_state, new_plain_table, veil_state

GUESSES, ONLOOKERS_GUESSES = 6, 40
"""So many layouts are tried for each seat, and for those who look on."""


def discloses(before: Any, after: Any, action: int, witnesses: set[int], random: Any) -> bool:
    """Whether somebody may know more after an action than before it.

    Nobody may know of a card that they did not know of; and to whoever saw what was done, it must be possible, and come
    to the same, in every layout of the cards they thought possible. The latter is tried in a few guesses for each; for
    onlookers in more of them, since what they think possible is the same wherever the cards lie, while all are told the
    answer, which ought to say nothing of that.

    Args:
        before: the state in which the action was done.
        after: the state it led to.
        action: its number.
        witnesses: the seats (``NOBODY`` for spectators) that saw which action it was; others saw only its back.
        random: a stream of chance (:mod:`parlour.engine.chance`).
    """
    if after.actor in (CHANCE, OVER):
        return True
    seats = range(int(before.seats))
    if any(int(known_to(after, viewer)) & ~int(known_to(before, viewer)) for viewer in (NOBODY, *seats)):
        return True
    trial = _Trial(before, after, action, random)
    return any(trial.could_differ(viewer) for viewer in sorted(witnesses, reverse=True))


class _Trial:
    """An action tried in layouts that somebody thinks possible."""

    def __init__(self, before: Any, after: Any, action: int, random: Any) -> None:
        self._before, self._after, self._seats = PlainState(before), PlainState(after), int(before.seats)
        self._action, self._random = action, random
        self._table, self._actions = new_plain_table(), np.zeros(MAX_ACTIONS, np.int64)

    def could_differ(self, viewer: int) -> bool:
        """Whether in some layout the action is not possible, or looks otherwise afterwards to the viewer."""
        looks = self._after.copy()
        veil_state(looks, viewer, self._table)
        layouts = self._layouts_for_onlookers() if viewer == NOBODY else self._layouts_for(viewer)
        return any(not self._possible(layout) or self._outcome(layout, viewer) != looks for layout in layouts)

    def _possible(self, layout: PlainState) -> bool:
        return self._action in self._actions[: legal(layout, self._actions)]

    def _outcome(self, layout: PlainState, viewer: int) -> PlainState:
        """What the viewer sees when the action has been done, in place."""
        play(layout, self._action)
        veil_state(layout, viewer, self._table)
        return layout

    def _layouts_for(self, seat: int) -> Iterator[PlainState]:
        """A few layouts that a seat thinks possible."""
        veiled = self._before.copy()
        veil_state(veiled, seat, self._table)
        for _ in range(GUESSES):
            layout = veiled.copy()
            guess_state(layout, seat, self._table, self._random)
            yield layout

    def _layouts_for_onlookers(self) -> Iterator[PlainState]:
        """A few layouts that are possible by what is public: one seat after another guesses anew (Gibbs sampling)."""
        layout = self._before.copy()
        for number in range(ONLOOKERS_GUESSES):
            seat = number % self._seats
            veil_state(layout, seat, self._table)
            guess_state(layout, seat, self._table, self._random)
            yield layout.copy()
