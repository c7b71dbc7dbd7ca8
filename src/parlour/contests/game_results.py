"""Result of a finished game, with statistics on request; conversion to JSON and back."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from parlour.engine.validation import as_whole


@dataclass(frozen=True)
class ForfeitInfo:
    """Forfeit of a game: the seat of the bot that lost the game, and the reason."""

    seat: int
    reason: str


@dataclass(frozen=True)
class GameStatistics:
    """Statistics of a game.

    Attributes:
        first: the seat that decided first.
        events: the number of players' actions and chance events.
        rounds: the number of deals of the same cards as the first deal.
        forced: the number of decisions with only one legal action.
        choices: the sum over decisions of the number of legal actions.
        log_choices: the sum over decisions of the decimal logarithm of the number of legal actions. It estimates the
            number of digits of the number of possible games.
        lead_changes: the number of times that the sole lead passed to another side. A side leads if it would have first
            place if the game ended now.
        settled: the fraction of the decisions, from 0 to 1, that preceded the winning side's final lead; 1 if this side
            led alone only at the end or never, or if several sides share first place.
        trailed: the fraction of the decisions at which a side led alone that did not win in the end.
    """

    first: int
    events: int
    rounds: int
    forced: int
    choices: int
    log_choices: float
    lead_changes: int
    settled: float
    trailed: float


CURVE_POINTS = 11
"""Number of points of :attr:`WinProbabilityCurve.curve`."""


@dataclass(frozen=True)
class WinProbabilityCurve:
    """Curve of the winning side's probability of winning, with derived measures.

    Without a sole winner the curve is constant at an even share.

    Attributes:
        determinizations: the evaluator's number of determinizations per probability.
        weighed: the number of decisions at which all actions were tried.
        spread: the difference between the values of the best and the worst action, summed over the ``weighed``
            decisions.
        good: the fraction of the legal actions that are good, summed over the ``weighed`` decisions.
        drama: the probability of the leading side minus that of the winner, as a mean over the decisions.
        decisive: the fraction of the decisions that preceded the first one at which the winner's probability exceeded
            every probability that another side ever had in the game; 1 if there is no such decision.
        comeback: 1 if the winner's probability halfway through the decisions was at most half of an even share, else 0.
        curve: the winner's probability at the first decision, after a tenth of the decisions, and so on to the last
            decision.
    """

    determinizations: int
    weighed: int
    spread: float
    good: float
    drama: float
    decisive: float
    comeback: float
    curve: tuple[float, ...]


@dataclass(frozen=True)
class ClauseCounts:
    """Counts of clauses and points in a game.

    Attributes:
        clauses: the number of events at which each clause fired, in the rulebook's order; clauses that did not fire
            are left out.
        points: for each source of points, the points of each seat; empty if the score lines do not add up to the score.
    """

    clauses: Mapping[str, int]
    points: Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class GameResult:
    """Result of a finished game.

    Attributes:
        bots: for each seat, the index of its bot in the contest's list of bots.
        scores: the score of each seat.
        winners: the seats that share first place.
        decisions: the number of decisions of each seat.
        seconds: the total thinking time of each seat. Compiled policies are not timed individually: their seats share
            the time spent in compiled code in proportion to their decisions. This time includes the rules and the
            masking of unknown cards.
        forfeit: the forfeit, if a bot lost the game by a fault.
        statistics: statistics of the game, on request.
        ending: the reason for the end of the game in the game's own words, on request; empty after a forfeit.
        win_probability: the curve of the probability of winning, on request.
        clause_counts: the counts of clauses and points, on request.
        record: the game's record, on request.
    """

    bots: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    forfeit: ForfeitInfo | None = None
    statistics: GameStatistics | None = None
    ending: str = ""
    win_probability: WinProbabilityCurve | None = None
    clause_counts: ClauseCounts | None = None
    record: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return JSON values: lists by seat, and the list of the winners' seats; absent values are left out."""
        data: dict[str, Any] = {name: list(getattr(self, name)) for name in _LISTS}
        data["seconds"] = [round(each, 7) for each in self.seconds]
        if self.forfeit:
            data["forfeit"] = asdict(self.forfeit)
        if self.statistics:
            data["statistics"] = asdict(self.statistics)
        if self.ending:
            data["ending"] = self.ending
        if self.win_probability:
            data["win_probability"] = asdict(self.win_probability)
        if self.clause_counts:
            data["clause_counts"] = asdict(self.clause_counts)
        if self.record:
            data["record"] = dict(self.record)
        return data

    @classmethod
    def from_json(cls, data: Any, players: int) -> "GameResult":
        """Return the result that :meth:`to_json` converted. Raises :data:`DATA_ERRORS` for invalid ``data``."""
        if not isinstance(data, dict):
            raise TypeError("a game is not an object")
        lists = {name: tuple(values) for name, values in data.items() if name not in _OTHERS}
        forfeit = _forfeit_of(data["forfeit"], players) if "forfeit" in data else None
        statistics = _statistics_of(data["statistics"], players) if "statistics" in data else None
        win_probability = _win_probability_of(data["win_probability"]) if "win_probability" in data else None
        counts = _clause_counts_of(data["clause_counts"], players) if "clause_counts" in data else None
        ending, record = data.get("ending", ""), data.get("record")
        if not isinstance(ending, str) or not isinstance(record, dict | None):
            raise TypeError("its ending is not a text, or its record not an object")
        played = cls(
            **lists,
            forfeit=forfeit,
            statistics=statistics,
            ending=ending,
            win_probability=win_probability,
            clause_counts=counts,
            record=record,
        )
        if not all(_is_whole(each) or name == "seconds" for name, values in lists.items() for each in values):
            raise ValueError("a list holds something else than whole numbers up to 2⁵³")
        if not all(_is_number(each) and each >= 0 for each in (*played.decisions, *played.seconds)):
            raise ValueError("its decisions or seconds are not numbers from 0 to 2⁵³")
        by_seat = [values for name, values in lists.items() if name != "winners"]
        if any(len(values) != players for values in by_seat):
            raise ValueError(f"a list is not of {players} seats")
        if not played.winners or not set(played.winners) <= set(range(players)):
            raise ValueError("its winners are not seats")
        return replace(played, seconds=tuple(map(float, played.seconds)))  # another program may write 0 for 0.0


_LISTS = ("bots", "scores", "winners", "decisions", "seconds")
_OTHERS = ("forfeit", "statistics", "ending", "win_probability", "clause_counts", "record")

_GREATEST = 2**53
"""Greatest magnitude of a number: floating-point numbers of this size are still exact to a whole."""

DATA_ERRORS = (KeyError, TypeError, ValueError, OverflowError, RecursionError)
"""Errors that :meth:`GameResult.from_json` raises for invalid values, and :func:`json.loads` for invalid texts."""


def _forfeit_of(data: Any, players: int) -> ForfeitInfo:
    forfeit = ForfeitInfo(**data)
    if as_whole(forfeit.seat) not in range(players) or not isinstance(forfeit.reason, str):
        raise ValueError("its forfeit is not a seat's, with a reason")
    return forfeit


def _is_whole(value: Any) -> bool:
    """Return whether a value of JSON is a whole number of a possible size."""
    return type(value) is int and abs(value) <= _GREATEST


def _is_number(value: Any) -> bool:
    """Return whether a value of JSON is a number of a possible size; infinity and NaN are not."""
    return type(value) in (int, float) and abs(value) <= _GREATEST


def _has_numbers(values: GameStatistics | WinProbabilityCurve) -> bool:
    """Return whether all attributes but a curve are numbers, and whole numbers where the class requires it."""
    kinds = {each.name: _is_whole if each.type is int else _is_number for each in fields(values)}
    return all(is_kind(getattr(values, name)) for name, is_kind in kinds.items() if name != "curve")


def _statistics_of(data: Any, players: int) -> GameStatistics:
    statistics = GameStatistics(**data)
    if not _has_numbers(statistics) or min(asdict(statistics).values()) < 0:
        raise ValueError("its statistics hold something else than numbers from 0 to 2⁵³")
    if statistics.first >= players:
        raise ValueError("its statistics name a first seat that the game does not have")
    return statistics


def _win_probability_of(data: Any) -> WinProbabilityCurve:
    found = WinProbabilityCurve(**{**data, "curve": tuple(data["curve"])})
    if not _has_numbers(found) or not all(map(_is_number, found.curve)):
        raise ValueError("its win probability holds something else than numbers up to 2⁵³")
    if len(found.curve) != CURVE_POINTS:
        raise ValueError(f"the curve of its win probability has {len(found.curve)} points, not {CURVE_POINTS}")
    return found


def _clause_counts_of(data: Any, players: int) -> ClauseCounts:
    counts = ClauseCounts(**data)
    if not isinstance(counts.clauses, dict) or not isinstance(counts.points, dict):
        raise TypeError("its clause counts are not objects")
    if not all(clause.rpartition("-")[2].isdecimal() for clause in counts.clauses):
        raise ValueError("its clause counts name something else than clauses")
    if any(len(points) != players for points in counts.points.values()):
        raise ValueError(f"a source of points is not of {players} seats")
    numbers = [*counts.clauses.values(), *(each for points in counts.points.values() for each in points)]
    if not all(map(_is_whole, numbers)):
        raise ValueError("its clause counts hold something else than whole numbers up to 2⁵³")
    return counts
