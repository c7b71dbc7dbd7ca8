"""Batches of random games, as records or as a summary."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from parlour.contests.contest_results import win_shares
from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.records import Record
from parlour.engine.matches.steps import COMPILED, INTERPRETED
from parlour.engine.rewards import sides_of
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import at_random, drive
from parlour.engine.simulation.playouts import Playouts

_FEWEST_COMPILED = 200
"""Minimum number of games for which compilation of the rules saves time."""


def random_records(setup: Setup, games: int, seed: int, max_events: int | None = None) -> Iterator[Record]:
    """Yield records of random games.

    Game *n* equals game *n* of :func:`parlour.engine.simulation.playouts.run_playouts`. Raises :class:`GameError` if a
    game has not ended after ``max_events`` events (by default the game's own limit).
    """
    steps = COMPILED if games >= _FEWEST_COMPILED else INTERPRETED
    for number in range(games):
        match = Match(setup, steps, observed=False)
        play_at_random(match, StreamRandomness(new_stream(seed, number)), max_events)
        yield match.record()


def play_at_random(match: Match, randomness: StreamRandomness, max_events: int | None = None) -> None:
    """Play a match to its end with uniformly random legal actions."""
    for _ in drive(match, at_random(randomness), randomness, max_events):
        pass


def playouts_summary(setup: Setup, playouts: Playouts, seconds: float) -> dict[str, Any]:
    """Return a summary of random games: each seat's mean score, the win share of its side, and lengths."""
    games, sides, shares = len(playouts.winners), sides_of(setup), np.zeros(setup.players)
    for seats, number in zip(*np.unique(playouts.winners, return_counts=True), strict=True):
        winners = [seat for seat in range(setup.players) if seats >> seat & 1]
        for side, share in zip(sides, win_shares(winners, sides), strict=True):
            shares[list(side)] += share * number / games
    return {
        "games": games,
        "mean_scores": [round(float(mean), 3) for mean in playouts.scores.mean(axis=0)],
        "win_shares": [round(float(share), 4) for share in shares],
        "actions_a_game": round(float(playouts.lengths.mean()), 3),
        "seconds": round(seconds, 3),
    }
