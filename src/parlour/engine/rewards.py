"""Rewards of finished games for each seat, for reinforcement learning."""

from functools import lru_cache

import numpy as np

from parlour.engine.arrays import Float32s, Int64s
from parlour.engine.errors import ParlourError
from parlour.engine.rules import partners
from parlour.engine.setup import Setup

WIN, POINTS = "win", "points"
"""Kinds of rewards: for first place, or the game's scores."""


@lru_cache(maxsize=32)
def sides_of(setup: Setup) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side, sorted by lowest seat: partners together, other seats alone."""
    start, seats = setup.new_state(), range(setup.players)
    sets = sorted({int(partners(start, seat)) for seat in seats}, key=lambda side: side & -side)
    return tuple(tuple(seat for seat in seats if side >> seat & 1) for side in sets)


def check_rewards(kind: str) -> None:
    """Raise :class:`ParlourError` if there are no rewards of this kind."""
    if kind not in (WIN, POINTS):
        raise ParlourError(f"rewards are {kind!r}, but may be {WIN!r} or {POINTS!r}")


def rewards_of(setup: Setup, scores: Int64s, winners: Int64s, kind: str = WIN) -> Float32s:
    """Return the rewards of *n* games for each seat, n × players.

    ``"win"``: (*ks* − 1) / (*k* − 1) for each of *k* sides, where *s* is the side's share of first place. A side that
    is first alone gets 1, the others −1 with two sides and −1/3 with four; the rewards of the sides add up to 0, and
    partners get the same. ``"points"``: the scores.

    Args:
        setup: the game, number of players and options.
        scores: n × players.
        winners: n sets of seats, a bit for each seat that shares first place.
        kind: ``"win"`` or ``"points"``.

    Raises:
        ParlourError: there are no rewards of this kind.
    """
    check_rewards(kind)
    if kind == POINTS:
        return np.asarray(scores, np.float32)
    sides = sides_of(setup)
    first = np.stack([winners >> side[0] & 1 for side in sides], axis=1)
    shares = first / np.maximum(first.sum(axis=1, keepdims=True), 1)
    by_side = (shares * len(sides) - 1) / max(len(sides) - 1, 1)
    side_of = [next(number for number, side in enumerate(sides) if seat in side) for seat in range(setup.players)]
    return np.asarray(by_side[:, side_of], np.float32)
