"""Whether an action has told anybody anything: only one that has not may be taken back."""

from typing import Any

import numpy as np

from parlour.engine.rules import CHANCE, MAX_ACTIONS, NOBODY, OVER, known_to, legal, play
from parlour.engine.sight import guess, veil

GUESSES = 6


def discloses(before: Any, after: Any, action: int, witnesses: set[int], random: Any) -> bool:
    """Whether somebody may know more after an action than before it.

    Nobody may know of a card that they did not know of; and to whoever saw what was done, it must be possible, and come
    to the same, in every layout of the cards they thought possible. The latter is tried in a few guesses for each.

    Args:
        before: the state in which the action was done.
        after: the state it led to.
        action: its number.
        witnesses: the seats (``NOBODY`` for spectators) that saw which action it was; others saw only its back.
        random: a stream of chance (:mod:`parlour.engine.chance`).
    """
    if after.actor in (CHANCE, OVER):
        return True
    viewers = (NOBODY, *range(int(before.seats)))
    if any(int(known_to(after, viewer)) & ~int(known_to(before, viewer)) for viewer in viewers):
        return True
    return any(_could_differ(before, after, action, seat, witnesses, random) for seat in viewers if seat != NOBODY)


def _could_differ(before: Any, after: Any, action: int, seat: int, witnesses: set[int], random: Any) -> bool:
    """Whether in some guess of a seat the action is not possible, or looks otherwise afterwards to it or to spectators.

    Spectators have no guesses of their own (:mod:`parlour.engine.sight`), so they are asked about those of the seats.
    """
    asked = witnesses & {seat, NOBODY}
    if not asked:
        return False
    veiled, seen = veil(before, seat), {viewer: veil(after, viewer).tobytes() for viewer in asked}
    actions = np.zeros(MAX_ACTIONS, np.int64)
    for _ in range(GUESSES):
        guessed = guess(veiled, seat, random)
        if action not in actions[: legal(guessed, actions)]:
            return True
        play(guessed, action)
        if any(veil(guessed, viewer).tobytes() != seen[viewer] for viewer in asked):
            return True
    return False
