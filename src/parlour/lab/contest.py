"""One bot against another: the same deals with the seats turned, and how sure one can be of the result."""

import math
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from parlour.bots import choose_for, find_bot
from parlour.engine.chance import new_stream
from parlour.engine.match import Match, StreamRandomness
from parlour.engine.rules import CHANCE
from parlour.games import find_game

_SURE = 1.96
"""Standard errors on each side of a mean that make a 95 % interval."""


@dataclass(frozen=True)
class Contest:
    """What came of a contest of a challenger against a field.

    Attributes:
        challenger: the bot that sits in one seat.
        field: the bot in all others.
        deals: how many deals; each is played once with the challenger in every seat.
        games: deals × players.
        win_share: the challenger's mean share of first places, a shared one divided; ``even_share`` if both were equal.
        win_interval: 95 % interval of ``win_share``, over deals.
        points: the challenger's mean lead over the mean of the field, in a game's points.
        points_interval: its 95 % interval.
    """

    game: str
    players: int
    options: dict[str, Any]
    challenger: str
    field: str
    deals: int
    games: int
    even_share: float
    win_share: float
    win_interval: tuple[float, float]
    points: float
    points_interval: tuple[float, float]

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


def play_contest(
    game_id: str,
    players: int,
    options: dict[str, Any],
    challenger: str,
    field: str,
    deals: int,
    seed: int = 0,
    progress: Callable[[int], None] = lambda done: None,
) -> Contest:
    """Play each deal with the challenger in every seat in turn, on all cores. Raises :class:`ParlourError`."""
    find_game(game_id).resolve(players, options)
    find_bot(challenger), find_bot(field)
    results = []
    play = partial(play_deal, game_id, players, options, challenger, field, seed)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(play, range(deals), chunksize=max(1, min(8, deals // 4))):
            results.append(result)
            progress(1)
    shares, points = zip(*results, strict=True)
    (share, share_interval), (lead, lead_interval) = mean_and_interval(shares), mean_and_interval(points)
    return Contest(
        game_id, players, options, challenger, field, deals, deals * players, 1 / players, share, share_interval, lead,
        lead_interval,
    )  # fmt: skip


def play_deal(
    game_id: str, players: int, options: dict[str, Any], challenger: str, field: str, seed: int, deal: int
) -> tuple[float, float]:
    """One deal with the challenger in every seat in turn: its mean share of first places and its mean lead."""
    share = lead = 0.0
    for seat in range(players):
        bots = [find_bot(challenger if other == seat else field) for other in range(players)]
        match = Match(find_game(game_id), players, options, watched=False)
        dealer, thinker = StreamRandomness(new_stream(seed, 2 * deal)), new_stream(seed, 2 * deal + 1)
        while not match.over:
            if match.actor == CHANCE:
                match.take_chance(dealer)
            else:
                match.play(choose_for(match, bots[match.actor], thinker), match.actor)
        assert match.result is not None
        scores, winners = match.result.scores, match.result.winners
        share += (1 / len(winners) if seat in winners else 0) / players
        others = [score for other, score in enumerate(scores) if other != seat]
        lead += (scores[seat] - sum(others) / len(others)) / players
    return share, lead


def mean_and_interval(values: tuple[float, ...]) -> tuple[float, tuple[float, float]]:
    """The mean of independent values and its 95 % interval by the normal approximation."""
    number = len(values)
    mean = sum(values) / number
    if number < 2:
        return mean, (-math.inf, math.inf)
    error = math.sqrt(sum((value - mean) ** 2 for value in values) / (number - 1) / number)
    return mean, (mean - _SURE * error, mean + _SURE * error)
