"""Review of a finished game: each seat's course, each seat's decisions, and the same deal played by the strongest bot.

A review uses no hidden information: the numbers of a seat are computed from the observations of that seat.
"""

import os
import threading
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from parlour.bots import LEVELS, choose_for, find_bot
from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, RecordError
from parlour.engine.events import Event
from parlour.engine.match import FORMAT as MATCH_FORMAT
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.records import Record, begin_replay, has_resignation, replay
from parlour.engine.rules import CHANCE, SPECTATOR, known_to, partners
from parlour.engine.simulation.game_loop import drive
from parlour.engine.simulation.playouts import fresh_deal_next
from parlour.insight.course import EFFORT, Course, Decision, RoundLeadModel, course_of, judge, result_of, value_of
from parlour.insight.explanation import to_plain
from parlour.insight.position import Position, position_of
from parlour.languages import SOURCE_LANGUAGE, current_language, gettext, pgettext
from parlour.player_keys import player_keys
from parlour.render.layouts import find_layout
from parlour.render.words import labelled, points_text

FORMAT = "parlour-review/1"
STRONGEST = list(LEVELS)[-1]
"""The level of the strongest bot."""

Task = Callable[[], Any]
Key = tuple[str, int, int]
"""Key of a task's result: the kind, the seat or side, and the number of events before the position."""
_NOT_IN_NAMES = ("Cc", "Cs", "Zl", "Zp")
"""Unicode's categories of control characters, halves of surrogate pairs, and ends of lines and paragraphs."""
COSTS = {"rerun": 100, "decision": 6, "value": 1}
"""Relative cost of each kind of task, as measured (``parlour review --time``)."""


@dataclass
class ReviewSettings:
    """Settings for the computation of a review.

    Attributes:
        cores: the number of threads; all cores by default.
        known: results of an earlier computation, for instance during the game.
        keep: a function that receives each new result, so that a later computation knows it; its exceptions end the
            work.
        begin_thread: a function that each thread calls first.
        stopped: a function that a long task calls before each decision; if it returns true, the task raises
            ``CancelledError``.
    """

    cores: int | None = None
    known: Mapping[Key, Any] = field(default_factory=dict)
    keep: Callable[[Key, Any], None] = lambda key, result: None
    begin_thread: Callable[[], None] = lambda: None
    stopped: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Rerun:
    """Replay of a deal in which the strongest bot plays one side.

    The other seats repeat their actions until the bot's first different action. From then on the bot plays all seats,
    since the reactions of the other players are unknown. Chance events repeat their outcomes where these are still
    possible.

    Attributes:
        seats: the side.
        bot: the bot's id.
        parted: the number of events before the first different action; ``None`` if the bot repeated all actions.
        chance, same: the number of chance events, and the number of chance events with the same outcome.
        scores, winners: the result.
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
    """Review of a finished game.

    Attributes:
        format: ``parlour-review/1``.
        game, players, options: the setup.
        names: the names of the seats.
        events: the events as in the record.
        effort, seed, brief: the values that reproduce the review; ``brief`` has the seats with half the effort.
        courses: the course of each seat.
        reruns: the same deal with the strongest bot, side by side; ``None`` until it has been played.
        scores, winners: the result.
        outcomes: the result in the table's words and scores, for each seat and last for a spectator.
        resigned: the resignations as in the record; bots played these seats to the end.
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
    resigned: Sequence[Mapping[str, int]] = ()

    def to_json(self) -> dict[str, Any]:
        """Return JSON values; probabilities and their differences are thousandths."""
        return {**to_plain(self), "options": dict(self.options), "events": [dict(event) for event in self.events]}


Progress = Callable[[float, Callable[[], Review]], None]
"""Callback with the finished share of the work, from 0 to 1, and a function that returns the partial review.

In a partial review the curves are rough, decisions are missing, and the sums are not yet valid.
"""


def remaining_seconds(share: float, elapsed: float) -> float | None:
    """Return the seconds left if ``share`` of the work took ``elapsed`` seconds; ``None`` early in the work."""
    return elapsed * (1 - share) / share if share >= 0.02 else None


def review_game(
    record: Record,
    place: str = "record",
    seats: Sequence[int] | None = None,
    effort: int = EFFORT,
    seed: int = 0,
    work: ReviewSettings | None = None,
    progress: Progress = lambda share, so_far: None,
    brief: Sequence[int] = (),
) -> Review:
    """Review a finished game, without :func:`reruns_of`, which takes longer than the whole review.

    The values of positions come first, for early curves, then the decisions, with the ``brief`` seats last.

    Args:
        record: the game.
        place: the record's location, for messages.
        seats: the seats to review; all by default.
        effort: simulated players' actions for each decision.
        seed: the same seed gives the same review.
        work: the settings; by default all cores and no earlier results.
        progress: a function that is called after each part of the work.
        brief: seats whose decisions get half of the effort.

    Raises:
        RecordError: the record is not legal, or its game is not over.
    """
    match = replay(record, place)
    if has_resignation(record):
        raise RecordError(f"{place}: there is no review of a game that ended by resignation")
    if match.result is None:
        raise RecordError(f"{place}: the game is not over; only finished games can be reviewed")
    names, players = names_in(record, match.players), player_keys(record, match.players, place)
    reviewed = list(range(match.players)) if seats is None else list(seats)
    work = work or ReviewSettings()
    tasks: dict[Key, Task] = {}
    for seat in reviewed:
        tasks |= tasks_of(record, place, [seat], names, effort // 2 if seat in brief else effort, seed)
    review = Review(
        FORMAT, match.game.id, match.players, match.setup.chosen, names,
        [event.to_json() for event in match.events], effort, seed, brief, [],
        None, match.result.scores, match.result.winners, outcomes_of(match, names),
        [{"seat": seat, "after": after} for seat, after in players.resigned],
    )  # fmt: skip

    def with_courses(done: Mapping[Key, Any]) -> Review:
        return replace(review, courses=[_course(match, names[seat], seat, done, players.stood_in) for seat in reviewed])

    order = sorted(tasks, key=lambda key: (key[0] != "value", key[1] in brief, key[2]))
    done = run_tasks(
        {key: tasks[key] for key in order}, work,
        lambda share, found: progress(share, lambda: with_courses(dict(found))),
    )  # fmt: skip
    return with_courses(done)


def _course(match: Match, name: str, seat: int, done: Mapping[Key, Any], stood_in: Set[int]) -> Course:
    """Return the course of a seat in a finished match from the results of the seat's tasks."""
    known = {key[2]: found for key, found in done.items() if key[:2] == ("value", seat)}
    decisions = [done[key] for key in sorted(done) if key[:2] == ("decision", seat)]
    by = [event.by for event in match.events]
    of_bot = [number for number, actor in enumerate(by) if actor == seat and number in stood_in]
    return course_of(seat, name, by, known, decisions, result_of(match.state, seat), of_bot)


def outcomes_of(match: Match, names: Sequence[str]) -> list[str]:
    """Return the result of a finished match in the table's words: a text for each seat, the last for a spectator."""
    layout = find_layout(match.game.id)
    outcomes = []
    for viewer in (*range(match.players), SPECTATOR):
        scene = layout.lay_out(match.observation(viewer), names, None)
        scores = ", ".join(labelled(standing.label, points_text(standing.now)) for standing in scene.standings)
        heading = pgettext("heading of scores", "Points") if scene.counted == "points" else scene.counted
        outcomes.append(f"{scene.outcome} {labelled(heading, scores)}." if scores else scene.outcome)
    return outcomes


def reworded(review: Review) -> Review:
    """Return a review with its headings, phrases and outcomes in the language of the current context.

    Before, they are in English: reviews are computed in threads and processes without that context.
    """
    if current_language() == SOURCE_LANGUAGE:
        return review
    record = {"format": MATCH_FORMAT, "game": review.game, "players": review.players, "options": dict(review.options)}
    match = begin_replay({**record, "events": list(review.events)})
    decided = {decision.seen: decision for course in review.courses for decision in course.decisions}
    for seen, event in enumerate(review.events):
        if seen in decided:
            position = position_of(match, match.actor, review.names)
            decided[seen] = _reworded(decided[seen], position, match)
        match.apply_event(Event.from_json(dict(event)))
    courses = [
        replace(course, decisions=[decided[each.seen] for each in course.decisions]) for course in review.courses
    ]
    return replace(review, courses=courses, outcomes=outcomes_of(match, review.names))


def _reworded(decision: Decision, position: Position, match: Match) -> Decision:
    done, best = (position.phrase(match.parse_move(do)) for do in (decision.do, decision.best))
    return replace(decision, heading=position.heading, phrase=done, best_phrase=best)


def reruns_of(
    record: Record,
    place: str = "record",
    seats: Sequence[int] | None = None,
    seed: int = 0,
    work: ReviewSettings | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> list[Rerun]:
    """Replay the deal with the strongest bot on the side of each of these seats.

    ``progress`` receives the share done, which is approximate: a replay may have more events than the game.

    Raises:
        CancelledError: the caller cancelled the work (:class:`ReviewSettings`).
    """
    match, work, cancelled = replay(record, place), work or ReviewSettings(), threading.Event()
    reviewed = range(match.players) if seats is None else seats
    sides = sorted({int(partners(match.state, seat)) for seat in reviewed})

    far = dict.fromkeys(sides, 0)

    def stopped(side: int, seen: int) -> bool:
        far[side] = max(far[side], min(seen, len(match.events)))
        progress(sum(far.values()) / len(match.events) / len(sides))
        return cancelled.is_set() or work.stopped()

    tasks: dict[Key, Task] = {
        ("rerun", side, 0): partial(rerun, record, place, side, seed, partial(stopped, side)) for side in sides
    }
    done = run_tasks(tasks, work, cancelled=cancelled)
    return [done["rerun", side, 0] for side in sides]


def names_in(record: Record, players: int) -> list[str]:
    """Return the names of a record's seats; ``Seat 0`` and so on unless the record has a name for every seat."""
    return recorded_names(record, players) or [gettext("Seat {number}", number=seat) for seat in range(players)]


def recorded_names(record: Record, players: int) -> list[str] | None:
    """Return the names of a record's seats; ``None`` unless the record has a name for every seat."""
    names = record.get("names")
    if isinstance(names, list) and len(names) == players and all(map(_is_name, names)):
        return names
    return None


def _is_name(name: Any) -> bool:
    """Return whether a value is a text of one line without commands to a terminal, which UTF-8 can encode."""
    return (
        isinstance(name, str) and name != "" and not any(unicodedata.category(each) in _NOT_IN_NAMES for each in name)
    )


def tasks_of(
    record: Record, place: str, seats: Sequence[int], names: Sequence[str], effort: int, seed: int, since: int = 0
) -> Iterator[tuple[Key, Task]]:
    """Yield the tasks of a review with their keys: ``("decision" or "value", seat, number of events)``.

    The position after a seat's own action needs no task if the action revealed no card: its value is that of the
    decision, or of the position before a forced action. Positions after fewer than ``since`` events are left out.
    What a bot decides for the seat's player is no decision of the seat, and changes the value as another seat's action.
    """
    match = begin_replay(record, place)
    stood_in = player_keys(record, match.players, place).stood_in
    acted, learned = None, False
    lead_model: dict[int, RoundLeadModel] = {}
    for seen, event in enumerate(record["events"]):
        fresh = bool(fresh_deal_next(match.state))
        if fresh:  # between two rounds no value of scores can be learned: that requires a round in progress
            lead_model = {}
        for seat in seats if seen >= since else ():
            if match.actor == seat and seen not in stood_in and len(match.moves()) > 1:
                position, done = position_of(match, seat, names), match.parse_move(event["do"])
                yield (
                    ("decision", seat, seen),
                    partial(judge, position, done, effort, seed + seen, lead_model.get(seat)),
                )
            elif acted != seat or learned:
                position = position_of(match, seat, names)
                yield (
                    ("value", seat, seen),
                    partial(value_of, position, seed=seed + seen, lead_model=lead_model.get(seat)),
                )
        acted = None if match.actor == CHANCE or seen in stood_in else match.actor
        before = 0 if acted is None else int(known_to(match.state, acted))
        match.apply_event(Event.from_json(event))
        if fresh:
            lead_model = {seat: RoundLeadModel(position_of(match, seat, names), seed + seen) for seat in seats}
        if acted is not None:
            learned = int(known_to(match.state, acted)) & ~before != 0  # cards revealed by its own action


def run_tasks(
    tasks: Mapping[Key, Task],
    work: ReviewSettings,
    progress: Callable[[float, Mapping[Key, Any]], None] = lambda share, done: None,
    cancelled: threading.Event | None = None,
) -> dict[Key, Any]:
    """Return the results of all tasks by their keys; tasks start in their order.

    Args:
        tasks: the tasks.
        work: the settings; its ``known`` results are not computed again.
        progress: a function that is called with the share done, from 0 to 1, and the results so far.
        cancelled: an event that is set when Ctrl-C or an error ends the work: long tasks end, and no new task starts.
    """
    done = {key: work.known[key] for key in tasks if key in work.known}
    total, finished = sum(COSTS[key[0]] for key in tasks), sum(COSTS[key[0]] for key in done)
    pool = ThreadPoolExecutor(work.cores or os.cpu_count() or 1, "reviewer", work.begin_thread)
    running: dict[Future[Any], Key] = {
        pool.submit(task): key for key, task in tasks.items() if key not in done
    }  # searches release the interpreter lock
    try:
        for future in as_completed(running):
            key = running[future]
            done[key] = future.result()
            finished += COSTS[key[0]]
            work.keep(key, done[key])
            progress(finished / total, done)
    except BaseException:
        if cancelled:
            cancelled.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return done


def rerun(record: Record, place: str, side: int, seed: int, stopped: Callable[[int], bool]) -> Rerun:
    """Replay a deal with the strongest bot on a side (a set of seats).

    Raises:
        CancelledError: ``stopped`` returned true. It is called before each decision, with the number of events so far.
    """
    match, events, random = begin_replay(record, place), record["events"], new_stream(seed)
    dealt = iter([event["do"] for event in events if event["by"] == "chance"])
    bot, fresh = find_bot(STRONGEST), StreamRandomness(new_stream(seed, 1))
    as_before: list[bool] = []
    parted: int | None = None

    def draw(match: Match) -> str:
        do = next(dealt, "")
        as_before.append(_is_possible_outcome(match, do))
        return do if as_before[-1] else match.sample_chance(fresh)

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


def _is_possible_outcome(match: Match, do: str) -> bool:
    """Return whether the next chance event may have this outcome."""
    try:
        match.copy().apply_chance(do)
    except IllegalError:
        return False
    return True
