"""A finished game looked back on: every seat's course, its decisions, and the same deal played by the strongest bot.

Nobody is judged by open cards: every number is found from the veiled state of the seat it speaks of.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event
from typing import Any

from parlour.bots import LEVELS, choose_for, find_bot
from parlour.bots.lookahead import fresh_deal_next
from parlour.engine.chance import new_stream
from parlour.engine.driving import drive
from parlour.engine.errors import IllegalError, RecordError
from parlour.engine.match import Match, StreamRandomness
from parlour.engine.records import Record, begin_replay, replay
from parlour.engine.rules import CHANCE, known_to, partners
from parlour.engine.views import SPECTATOR, view_of
from parlour.insight.course import EFFORT, Course, Lessons, course_of, judge, result_of, value_of
from parlour.insight.explanation import to_plain
from parlour.insight.numbers import number
from parlour.insight.position import position_of
from parlour.render.layouts import find_layout

FORMAT = "parlour-review/1"
STRONGEST = list(LEVELS)[-1]

Task = Callable[[], Any]
Key = tuple[str, int, int]
"""What a task finds out: of what kind, for which seat or side, after how many events."""
COSTS = {"rerun": 100, "decision": 6, "value": 1}
"""How long a task takes, beside the others, as measured (``parlour review --time``)."""


@dataclass
class Work:
    """How a review is worked out.

    Attributes:
        cores: how many threads; all cores by default.
        known: what has been found out before, perhaps while the game was still played.
        begin_thread: called first in each thread.
        stopped: asked before each decision of what takes long; where it is so, the work ends with ``CancelledError``.
    """

    cores: int | None = None
    known: Mapping[Key, Any] = field(default_factory=dict)
    begin_thread: Callable[[], None] = lambda: None
    stopped: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Rerun:
    """The same deal, a side played by the strongest bot.

    The other seats do what they did until something else happens for the first time; from then on all seats are the
    bot's, since nobody knows what they would have done. Chance brings what it brought, where that is still possible.

    Attributes:
        seats: the side.
        bot: which bot.
        parted: after how many events the first other action was done; ``None`` if the bot did all as it was done.
        chance, same: how many chance events there were, and how many of them as in the game.
        scores, winners: how it ended.
    """

    seats: Sequence[int]
    bot: str
    parted: int | None
    chance: int
    same: int
    scores: Sequence[int]
    winners: Sequence[int]


@dataclass(frozen=True)
class Review:
    """A finished game looked back on.

    Attributes:
        format: ``parlour-review/1``.
        game, players, options: what was played.
        names: what the seats are called.
        events: what happened, as the record has it.
        effort, seed, brief: with these the same comes out again; ``brief`` are the seats with half the effort.
        courses: how it went, seat by seat.
        reruns: the same deal played by the strongest bot, side by side; ``None`` as long as it has not been played.
        scores, winners: how it ended.
        outcomes: the same in the table's sentence and scores, for each seat and last for an onlooker.
    """

    format: str
    game: str
    players: int
    options: Mapping[str, Any]
    names: Sequence[str]
    events: Sequence[Mapping[str, Any]]
    effort: int
    seed: int
    brief: Sequence[int]
    courses: Sequence[Course]
    reruns: Sequence[Rerun] | None
    scores: Sequence[int]
    winners: Sequence[int]
    outcomes: Sequence[str]

    def to_json(self) -> dict[str, Any]:
        """As JSON values; chances and their differences are thousandths."""
        return {**to_plain(self), "options": dict(self.options), "events": [dict(event) for event in self.events]}


Progress = Callable[[float, Callable[[], Review]], None]
"""Called with the share of the work that is done, from 0 to 1, and a function that returns the review so far.

Of a review so far the curves are rough, decisions are missing, and the sums mean nothing yet.
"""


def remaining_seconds(share: float, elapsed: float) -> float | None:
    """How long the rest of some work will take, if ``share`` of it took ``elapsed`` seconds; ``None`` if too early."""
    return elapsed * (1 - share) / share if share >= 0.02 else None


def review_game(
    record: Record,
    place: str = "record",
    seats: Sequence[int] | None = None,
    effort: int = EFFORT,
    seed: int = 0,
    work: Work | None = None,
    progress: Progress = lambda share, so_far: None,
    brief: Sequence[int] = (),
) -> Review:
    """Review a finished game, but for :func:`reruns_of`, which take longer than all the rest.

    The values of positions come first, so that the curves are soon there; then the decisions, those of the ``brief``
    seats last.

    Args:
        record: the game.
        place: where it stands, for messages.
        seats: whose courses are wanted; all by default.
        effort: players' actions in determinizations for each decision.
        seed: the same seed, the same review.
        work: how it is done, and what has been found out before; on all cores by default.
        progress: called when a part of the work is done.
        brief: seats for whose decisions half of the effort will do.

    Raises:
        RecordError: the record is not legal, or its game is not over.
    """
    match = replay(record, place)
    if match.result is None:
        raise RecordError(f"{place}: the game is not over: a review would speak of what is still to be decided")
    names = names_in(record, match.players)
    wanted = list(range(match.players)) if seats is None else list(seats)
    work = work or Work()
    tasks: dict[Key, Task] = {}
    for seat in wanted:
        tasks |= tasks_of(record, place, [seat], names, effort // 2 if seat in brief else effort, seed)
    review = Review(
        FORMAT, match.game.id, match.players, match.setup.chosen, names,
        [event.to_json() for event in match.events], effort, seed, brief, [],
        None, match.result.scores, match.result.winners, outcomes_of(match, names),
    )  # fmt: skip

    def with_courses(done: Mapping[Key, Any]) -> Review:
        return replace(review, courses=[_course(match, names[seat], seat, done) for seat in wanted])

    order = sorted(tasks, key=lambda key: (key[0] != "value", key[1] in brief, key[2]))
    done = do_all(
        {key: tasks[key] for key in order}, work,
        lambda share, found: progress(share, lambda: with_courses(dict(found))),
    )  # fmt: skip
    return with_courses(done)


def _course(match: Match, name: str, seat: int, done: Mapping[Key, Any]) -> Course:
    """The course of a seat in a finished match, from what has been found out of it."""
    known = {key[2]: found for key, found in done.items() if key[:2] == ("value", seat)}
    decisions = [done[key] for key in sorted(done) if key[:2] == ("decision", seat)]
    by = [event.by for event in match.events]
    return course_of(seat, name, by, known, decisions, result_of(match.state, seat))


def outcomes_of(match: Match, names: Sequence[str]) -> list[str]:
    """How a finished match ended, as its table tells each seat and, last, an onlooker."""
    layout = find_layout(match.game.id)
    told = []
    for viewer in (*range(match.players), SPECTATOR):
        scene = layout.lay_out(view_of(match, viewer), names, None)
        scores = ", ".join(f"{standing.label}: {number(standing.now)}" for standing in scene.standings)
        counted = f"{scene.counted[:1].upper()}{scene.counted[1:]}"
        told.append(f"{scene.outcome} {counted}: {scores}." if scores else scene.outcome)
    return told


def reruns_of(
    record: Record,
    place: str = "record",
    seats: Sequence[int] | None = None,
    seed: int = 0,
    work: Work | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> list[Rerun]:
    """What the strongest bot makes of the deal in the place of each of these seats' sides.

    ``progress`` is called with about the share that is done: another play may take more events than the game had.

    Raises:
        CancelledError: it was stopped (:class:`Work`).
    """
    match, work, given_up = replay(record, place), work or Work(), Event()
    wanted = range(match.players) if seats is None else seats
    sides = sorted({int(partners(match.state, seat)) for seat in wanted})

    far = dict.fromkeys(sides, 0)

    def stopped(side: int, seen: int) -> bool:
        far[side] = max(far[side], min(seen, len(match.events)))
        progress(sum(far.values()) / len(match.events) / len(sides))
        return given_up.is_set() or work.stopped()

    tasks: dict[Key, Task] = {
        ("rerun", side, 0): partial(rerun, record, place, side, seed, partial(stopped, side)) for side in sides
    }
    done = do_all(tasks, work, given_up=given_up)
    return [done["rerun", side, 0] for side in sides]


def names_in(record: Record, players: int) -> list[str]:
    """What the seats of a record are called, ``Seat 0`` and so on where it does not say."""
    names = record.get("names")
    if isinstance(names, list) and len(names) == players and all(isinstance(name, str) and name for name in names):
        return names
    return [f"Seat {seat}" for seat in range(players)]


def tasks_of(
    record: Record, place: str, seats: Sequence[int], names: Sequence[str], effort: int, seed: int, since: int = 0
) -> Iterator[tuple[Key, Task]]:
    """What is to be found out: ``("decision" or "value", seat, number of events)`` and how.

    A seat's own action by which it came to know no card needs no value: what it was worth is known by the decision.
    Positions after fewer than ``since`` events are left out.
    """
    match = begin_replay(record, place)
    acted, learned = None, False
    lessons: dict[int, Lessons] = {}
    for seen, event in enumerate(record["events"]):
        fresh = bool(fresh_deal_next(match.state))
        if fresh:  # between two rounds there is nothing to learn from: a lesson is a round played on
            lessons = {}
        for seat in seats if seen >= since else ():
            if match.actor == seat and len(match.actions()) > 1:
                position, done = position_of(match, seat, names), match.parse_action(event["do"])
                yield ("decision", seat, seen), partial(judge, position, done, effort, seed + seen, lessons.get(seat))
            elif acted != seat or learned:
                position = position_of(match, seat, names)
                yield ("value", seat, seen), partial(value_of, position, seed=seed + seen, lessons=lessons.get(seat))
        acted = None if match.actor == CHANCE else match.actor
        if acted is None:
            match.play_chance(event["do"])
            if fresh:
                lessons = {seat: Lessons(position_of(match, seat, names), seed + seen) for seat in seats}
        else:
            before = int(known_to(match.state, acted))
            match.play(event["do"], acted)
            learned = int(known_to(match.state, acted)) & ~before != 0  # what its own action turned up


def do_all(
    tasks: Mapping[Key, Task],
    work: Work,
    progress: Callable[[float, Mapping[Key, Any]], None] = lambda share, done: None,
    given_up: Event | None = None,
) -> dict[Key, Any]:
    """The answers to all tasks, by their keys; the tasks are begun in their order.

    Args:
        tasks: what is to be found out.
        work: how; what is known already is not found out again.
        progress: called with the share that is done, from 0 to 1, and the answers so far.
        given_up: set if Ctrl-C or an error ends the work, so that what takes long ends, too. Nothing new is begun then.
    """
    done = {key: work.known[key] for key in tasks if key in work.known}
    whole, part = sum(COSTS[key[0]] for key in tasks), sum(COSTS[key[0]] for key in done)
    pool = ThreadPoolExecutor(work.cores or os.cpu_count() or 1, "reviewer", work.begin_thread)
    running: dict[Future[Any], Key] = {
        pool.submit(task): key for key, task in tasks.items() if key not in done
    }  # searches release the interpreter
    try:
        for future in as_completed(running):
            done[running[future]] = future.result()
            part += COSTS[running[future][0]]
            progress(part / whole, done)
    except BaseException:
        if given_up:
            given_up.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return done


def rerun(record: Record, place: str, side: int, seed: int, stopped: Callable[[int], bool]) -> Rerun:
    """Play the same deal with the strongest bot on a side (a set of seats).

    Raises:
        CancelledError: ``stopped``, which is called with the number of events so far, was true before a decision.
    """
    match, events, random = begin_replay(record, place), record["events"], new_stream(seed)
    dealt = iter([event["do"] for event in events if event["by"] == "chance"])
    bot, fresh = find_bot(STRONGEST), StreamRandomness(new_stream(seed, 1))
    as_before: list[bool] = []
    parted: int | None = None

    def draw(match: Match) -> str:
        do = next(dealt, "")
        as_before.append(_can_come(match, do))
        return do if as_before[-1] else match.draw_chance(fresh)

    def choose(match: Match) -> str:
        nonlocal parted
        if stopped(len(match.events)):
            raise CancelledError
        before = str(events[len(match.events)]["do"]) if parted is None else None
        if before is not None and not side >> match.actor & 1:
            return before
        do = choose_for(match, bot, random)
        if parted is None and do != before:
            parted = len(match.events)
        return do

    for _ in drive(match, choose, draw):
        pass
    assert match.result is not None
    seats = [seat for seat in range(match.players) if side >> seat & 1]
    return Rerun(seats, STRONGEST, parted, len(as_before), sum(as_before), match.result.scores, match.result.winners)


def _can_come(match: Match, do: str) -> bool:
    """Whether the chance event that comes next may have this outcome."""
    try:
        match.copy().play_chance(do)
    except IllegalError:
        return False
    return True
