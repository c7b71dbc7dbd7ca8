"""What is told of a finished game: who sat where, what came of it, and how it went; as JSON values and back."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Forfeited:
    """A game that did not end by the rules: the seat whose bot lost it so, and why."""

    seat: int
    reason: str


@dataclass(frozen=True)
class GameStatistics:
    """How a game went.

    Attributes:
        first: the seat that decided first.
        events: players' actions and chance events.
        rounds: how often the whole deck was dealt.
        forced: decisions with only one legal action.
        choices: the numbers of legal actions, over all decisions together.
        log_choices: their decimal logarithms together: about how many digits the number of ways to play has.
        lead_changes: how often a side came to lead alone after another one had. Who leads is who would share first
            place if the game ended now.
        settled: after which part of the decisions, from 0 to 1, the winning side led alone for good; 1 if it did not
            even before the end.
        trailed: the part of the decisions that found a side in the lead, alone, that did not win.
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


POINTS = 11
"""How many points the curve of the winner's chance has."""


@dataclass(frozen=True)
class WinProbabilityCurve:
    """What the chances to win, at every decision, make of a game. Where nobody wins alone, there is none.

    Attributes:
        determinizations: the evaluator's budget for one chance.
        weighed: of how many decisions all actions were tried.
        spread: how far the best of these was above the worst, added up over these decisions.
        good: which part of these were good, likewise.
        drama: how far the winner was behind the side with the greatest chance, on the mean over the decisions.
        decisive: after which part of the decisions the winner's chance came above the greatest that anybody else ever
            had; 1 if it never did.
        comeback: 1 if half-way through the decisions the winner's chance was at most half of an even share, else 0.
        curve: the winner's chance at the first decision, after a tenth of them, and so on to the last.
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
    """What the rules did in a game, by clause.

    Attributes:
        clauses: at how many events each clause fired, if it did.
        points: what each source of points brought each seat. Empty if the lines of the score do not add up to it.
    """

    clauses: Mapping[str, int]
    points: Mapping[str, Sequence[int]]


@dataclass(frozen=True)
class GameResult:
    """A finished game.

    Attributes:
        bots: by seat, the number of the bot that sat there.
        scores: by seat.
        winners: the seats that share first place.
        decisions: by seat, how many there were.
        seconds: by seat, how long they took together. Compiled policies are not timed one by one: each seat has its
            share, by decisions, of the time spent in compiled code, rules and veils included.
        forfeit: whose bot lost it otherwise than by the rules, if one did.
        course: how it went, if that was asked for.
        ending: why it was over, in the game's own words, if its course was asked for and it ended by the rules.
        tension: what the chances to win make of it, likewise.
        fired: which clauses it came to, likewise.
        record: all events, as a record holds them, if that was asked for.
    """

    bots: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    forfeit: Forfeited | None = None
    course: GameStatistics | None = None
    ending: str = ""
    tension: WinProbabilityCurve | None = None
    fired: ClauseCounts | None = None
    record: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """As JSON values; lists are by seat, winners are seats, and what there is none of is left out."""
        told: dict[str, Any] = {name: list(getattr(self, name)) for name in _LISTS}
        told["seconds"] = [round(each, 7) for each in self.seconds]
        if self.forfeit:
            told["forfeit"] = asdict(self.forfeit)
        if self.course:
            told["course"] = asdict(self.course)
        if self.ending:
            told["ending"] = self.ending
        if self.tension:
            told["tension"] = asdict(self.tension)
        if self.fired:
            told["fired"] = asdict(self.fired)
        if self.record:
            told["record"] = dict(self.record)
        return told

    @classmethod
    def from_json(cls, told: Any, players: int) -> "GameResult":
        """What :meth:`to_json` told of a game of so many players. Raises what :data:`NOT_PLAYED` names otherwise."""
        if not isinstance(told, dict):
            raise TypeError("a game is not an object")
        lists = {name: tuple(values) for name, values in told.items() if name not in _OTHERS}
        forfeit = _forfeit_of(told["forfeit"], players) if "forfeit" in told else None
        course = _course_of(told["course"]) if "course" in told else None
        tension = _tension_of(told["tension"]) if "tension" in told else None
        fired = _fired_of(told["fired"], players) if "fired" in told else None
        ending, record = str(told.get("ending", "")), told.get("record")
        played = cls(
            **lists, forfeit=forfeit, course=course, ending=ending, tension=tension, fired=fired, record=record
        )
        if not all(isinstance(each, int | float) for values in lists.values() for each in values):
            raise ValueError("a list holds something else than numbers")
        by_seat = [values for name, values in lists.items() if name != "winners"]
        if any(len(values) != players for values in by_seat):
            raise ValueError(f"a list is not of {players} seats")
        if not played.winners or not set(played.winners) <= set(range(players)):
            raise ValueError("its winners are not seats")
        return played


_LISTS = ("bots", "scores", "winners", "decisions", "seconds")
_OTHERS = ("forfeit", "course", "ending", "tension", "fired", "record")

NOT_PLAYED = (KeyError, TypeError, ValueError, OverflowError)
"""What is raised by values that tell of something else than a game."""


def _forfeit_of(told: Any, players: int) -> Forfeited:
    found = Forfeited(**told)
    if found.seat not in range(players) or not isinstance(found.reason, str):
        raise ValueError("its forfeit is not a seat's, with a reason")
    return found


def _course_of(told: Any) -> GameStatistics:
    found = GameStatistics(**told)
    if not all(isinstance(getattr(found, each.name), int | float) for each in fields(GameStatistics)):
        raise ValueError("its course holds something else than numbers")
    return found


def _tension_of(told: Any) -> WinProbabilityCurve:
    found = WinProbabilityCurve(**{**told, "curve": tuple(map(float, told["curve"]))})
    if not all(
        isinstance(getattr(found, each.name), int | float)
        for each in fields(WinProbabilityCurve)
        if each.name != "curve"
    ):
        raise ValueError("its tension holds something else than numbers")
    return found


def _fired_of(told: Any, players: int) -> ClauseCounts:
    found = ClauseCounts(**told)
    if any(len(points) != players for points in found.points.values()):
        raise ValueError(f"a source of points is not of {players} seats")
    numbers = [*found.clauses.values(), *(each for points in found.points.values() for each in points)]
    if not all(isinstance(number, int) for number in numbers):
        raise ValueError("what fired holds something else than numbers")
    return found
