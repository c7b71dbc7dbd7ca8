"""The standings of a daily deal, and the streaks of players."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any

from parlour.server.store.daily import Play, Score

MOST_PLACES = 20
"""Maximum number of players in a list of standings."""


def result_order(play: Play) -> tuple[bool, int]:
    """Return the sort key of a result: whether the player won, then the points ahead of the best other side."""
    score = play.score or Score(False, 0, 0)
    return score.won, score.points - score.against


def rank_of(play: Play, plays: Sequence[Play]) -> int:
    """Return the rank of a result among those of its deal; equal results share a rank."""
    return 1 + sum(result_order(other) > result_order(play) for other in plays)


def standings_of(plays: Sequence[Play], own: Play | None) -> list[dict[str, Any]]:
    """Return the first results of a deal as JSON values, the best first, equal ones by name."""
    best = sorted(sorted(plays, key=lambda play: play.name), key=result_order, reverse=True)[:MOST_PLACES]
    return [
        {
            "rank": rank_of(play, plays),
            "name": play.name,
            "score": asdict(play.score) if play.score else None,
            "own": own is not None and play.player == own.player,
        }
        for play in best
    ]


def streak_of(days: Sequence[date], today: date) -> int:
    """Return the number of consecutive days up to today or yesterday that are among the days of a player."""
    played, day = set(days), today
    if day not in played:
        day -= timedelta(1)
    streak = 0
    while day in played:
        streak, day = streak + 1, day - timedelta(1)
    return streak
