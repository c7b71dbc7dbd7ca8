"""Matches and ladders, from Python and from the command line (:func:`match`, :func:`ladder`)."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from typing import Any, TypeVar

from parlour.bots.protocol import MOVE_TIME
from parlour.contests.contest import LADDER, MATCH, Contest
from parlour.contests.contest_results import MatchResult
from parlour.contests.ladder import LadderResult
from parlour.contests.precision import POINTS, WINS, ContestPrecision
from parlour.contests.results_file import ResultsFile, play_and_store
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup, as_setup
from parlour.engine.validation import positive, shown, whole
from parlour.jobs.tasks import Placement
from parlour.statistics import SequentialTest

ONE_CORE = Placement(1)
FEWEST_DEALS = 2
"""Minimum number of deals of a contest or study: an interval needs two."""
USUAL_DEALS = 100
"""Default number of deals of a contest."""
MOST_DEALS = 1_000_000
"""Maximum number of deals of a contest or study that ends by a precision."""
FARTHEST_BOUND = 1_000_000
"""Greatest distance of a test's bounds from 0; the formulas of the test overflow with much greater ones."""
FARTHEST_SHARE = 100
"""The same for shares of wins, in percentage points."""

AnyResult = TypeVar("AnyResult", MatchResult, LadderResult)
Progress = Callable[[float], None]


def match(
    setup: Setup,
    challenger: "str | type[Any]",
    field: "str | type[Any]",
    deals: int | None = None,
    *,
    until: str | None = None,
    seed: int = 0,
    sprt: tuple[float, float] | None = None,
    sprt_by: str = WINS,
    move_time: float = MOVE_TIME,
    out: str | None = None,
    cores: int | None = 1,
    on: str = "",
    progress: Progress = lambda deals: None,
) -> MatchResult:
    """Play one bot against a field of another, as ``parlour match`` does: every deal from every seat.

    Args:
        setup: the game, number of players and options.
        challenger: a bot's id, or a class that can be imported by its name.
        field: the bot in all other seats.
        deals: the number of deals, at least 2; by default 100, with ``until`` at most 1,000,000.
        until: the precision of the challenger's result at which to stop: ``"wins within 2"``, ``"points within 0.5"``.
        seed: the same seed gives the same games.
        sprt: two bounds; the match stops once the deals decide between the bounds.
        sprt_by: the unit of the bounds: ``"wins"`` above the even share, in percentage points, or ``"points"``.
        move_time: seconds that an external bot may take for a decision.
        out: a file that keeps the deals; an interrupted run continues from the file.
        cores: the number of games at the same time, ``None`` for all cores; several games run in separate processes.
        on: a place of execution other than this machine: ``"ray"`` or ``"ray://HOST:PORT"``.
        progress: a function that is called after each new game with its share of a deal, a fraction.

    Returns:
        the result, whose ``wins`` and ``points`` are estimates with intervals.

    Raises:
        ParlourError: an argument is invalid, or the file cannot be written or belongs to another contest.
    """
    result = plan_match(setup, (challenger, field), seed, move_time, sprt, sprt_by, until)
    return _play(result, deals, out, Placement(cores, on), progress)


def ladder(
    setup: Setup,
    bots: "Sequence[str | type[Any]]",
    deals: int | None = None,
    *,
    until: str | None = None,
    seed: int = 0,
    move_time: float = MOVE_TIME,
    out: str | None = None,
    cores: int | None = 1,
    on: str = "",
    progress: Progress = lambda deals: None,
) -> LadderResult:
    """Play several bots against each other and rate them, as ``parlour ladder`` does.

    Args:
        setup: the game, number of players and options.
        bots: at least two bots, as in :func:`match`.
        deals: the number of deals, as in :func:`match`; each deal is played with the seats turned.
        until: the precision of every bot's result at which to stop, as in :func:`match`.
        seed: the same seed gives the same games.
        move_time: seconds that an external bot may take for a decision.
        out: a file that keeps the deals, as in :func:`match`.
        cores: the number of games at the same time, as in :func:`match`.
        on: a place of execution other than this machine, as in :func:`match`.
        progress: a function, as in :func:`match`.

    Returns:
        the result; ``rungs()`` lists the bots, the best first, with ratings, wins and points as estimates.

    Raises:
        ParlourError: as :func:`match`.
    """
    return _play(plan_ladder(setup, bots, seed, move_time, until), deals, out, Placement(cores, on), progress)


def plan_match(
    setup: Setup,
    bots: "tuple[str | type[Any], str | type[Any]]",
    seed: int,
    move_time: float,
    sprt: tuple[float, float] | None,
    sprt_by: str,
    until: str | None = None,
) -> MatchResult:
    """Return the empty result of a match with these arguments. Raises :class:`ParlourError`."""
    if sprt_by not in (WINS, POINTS):
        raise ParlourError(f"sprt_by is {WINS!r} or {POINTS!r}, not {shown(sprt_by)}")
    test = None if sprt is None else _test_between(sprt, sprt_by)
    if sprt is not None and until is not None:
        raise ParlourError("give either a test or a precision: a match ends by one of them")
    contest = _contest(MATCH, setup, bots, seed, move_time)
    return MatchResult(contest, test, sprt_by == POINTS, _precision_of(until, [0]))


def _test_between(bounds: Any, measure: str) -> SequentialTest:
    """Return the test between two bounds of wins or points. Raises :class:`ParlourError`."""
    try:
        low, high = map(float, bounds)
    except (TypeError, ValueError):
        raise ParlourError(f"sprt is a lower and an upper bound, not {shown(bounds)}") from None
    if not low < high:
        raise ParlourError(f"the lower bound of the test, {low:g}, must be less than the upper, {high:g}")
    farthest = FARTHEST_BOUND if measure == POINTS else FARTHEST_SHARE
    if max(-low, high) > farthest:
        raise ParlourError(f"the bounds of the test of {measure} are from −{farthest:,} to {farthest:,}")
    return SequentialTest(low, high)


def _precision_of(until: Any, bots: Sequence[int]) -> ContestPrecision | None:
    """Return the precision at which a contest ends, if any. Raises :class:`ParlourError`."""
    if until is not None and not isinstance(until, str):
        raise ParlourError(f"until is a text such as 'wins within 2', not {shown(until)}")
    return None if until is None else ContestPrecision(until, bots)


def plan_ladder(
    setup: Setup, bots: "Sequence[str | type[Any]]", seed: int, move_time: float, until: str | None = None
) -> LadderResult:
    """Return the empty result of a ladder with these arguments. Raises :class:`ParlourError`."""
    contest = _contest(LADDER, setup, [bots] if isinstance(bots, str) else bots, seed, move_time)
    return LadderResult(contest, _precision_of(until, range(len(contest.bots))))


def most_deals(deals: int | None, open_ended: bool) -> int:
    """Return the maximum number of deals: by default 100, or :data:`MOST_DEALS` for an ``open_ended`` contest."""
    if deals is None:
        return MOST_DEALS if open_ended else USUAL_DEALS
    return whole("the number of deals", deals, FEWEST_DEALS)


def _contest(kind: str, setup: Setup, bots: Sequence[Any], seed: int, move_time: float) -> Contest:
    return Contest(kind, as_setup(setup), tuple(map(bot_id, bots)), seed, positive("move_time", move_time))


def bot_id(bot: Any) -> str:
    """Return the id of a bot: a text, or an importable class as ``module:Name``. Raises :class:`ParlourError`."""
    if isinstance(bot, str):
        return bot
    if isinstance(bot, type) and "<locals>" not in bot.__qualname__:
        return f"{bot.__module__}:{bot.__qualname__}"
    raise ParlourError(f"a contest makes a new bot for each game: give its name or its class, not {shown(bot)}")


def _check_reach(bots: Sequence[str]) -> None:
    """Raise :class:`ParlourError` if other processes cannot find a bot: a class of a notebook or of standard input."""
    has_file = os.path.isfile(getattr(sys.modules["__main__"], "__file__", None) or "")
    for bot in bots:
        if bot.startswith("__main__:") and not has_file:
            raise ParlourError(
                f"other processes cannot find the bot {bot!r}: put its class in a module, or play with one core"
            )


def _play(result: AnyResult, deals: int | None, out: str | None, where: Placement, progress: Progress) -> AnyResult:
    """Play deals and add them to the result until the result is decided or all deals are played."""
    deals = most_deals(deals, result.precision is not None)
    contest = result.tally.contest
    if where != ONE_CORE:
        _check_reach(contest.bots)
    with ExitStack() as stack:
        file = stack.enter_context(ResultsFile(out, contest)) if out else None
        played = stack.enter_context(closing(play_and_store(contest, deals, file, where, progress, result.add)))
        for _ in played:
            if result.is_decided:
                break
    return result
