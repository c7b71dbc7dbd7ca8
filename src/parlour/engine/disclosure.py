"""Whether an action has told anybody anything: only one that has not may be taken back."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from parlour.engine.rules import CHANCE, MAX_ACTIONS, NOBODY, OVER, PlainState, known_to, legal, play
from parlour.engine.sight import guess_plain, veil_plain

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
    layouts = [(seat, _layouts_for(seat, before, random)) for seat in seats if seat in witnesses]
    if NOBODY in witnesses:
        layouts.append((NOBODY, _layouts_for_onlookers(before, random)))
    return any(_could_differ(layout, after, action, viewer) for viewer, possible in layouts for layout in possible)


def _layouts_for(seat: int, state: Any, random: Any) -> Iterator[PlainState]:
    """A few layouts that a seat thinks possible."""
    veiled = veil_plain(state, seat)
    for _ in range(GUESSES):
        yield guess_plain(veiled, seat, random)


def _layouts_for_onlookers(state: Any, random: Any) -> Iterator[PlainState]:
    """A few layouts that are possible by what is public: one seat after another guesses anew (Gibbs sampling)."""
    layout, seats = PlainState(state), int(state.seats)
    for number in range(ONLOOKERS_GUESSES):
        seat = number % seats
        layout = guess_plain(veil_plain(layout, seat), seat, random)
        yield layout.copy()


def _could_differ(layout: PlainState, after: Any, action: int, viewer: int) -> bool:
    """Whether in a layout the action is not possible, or looks otherwise afterwards to the viewer."""
    actions = np.zeros(MAX_ACTIONS, np.int64)
    if action not in actions[: legal(layout, actions)]:
        return True
    play(layout, action)
    return veil_plain(layout, viewer) != veil_plain(after, viewer)
