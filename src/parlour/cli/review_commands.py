"""Commands that examine finished or unfinished games: ``replay``, ``verify``, ``hint``, ``explain`` and ``review``."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from parlour.cli.arguments import MOST_EFFORT, SEED, Command, refuse_options_beside
from parlour.cli.progress import progress_bar
from parlour.cli.report_output import check_writable
from parlour.interrupts import STOPPED

if TYPE_CHECKING:
    from parlour.engine.game import Game
    from parlour.engine.match import Match
    from parlour.engine.matches.records import Record
    from parlour.insight.explanation import Explanation
    from parlour.insight.position import Position
    from parlour.insight.review import Review


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--trace", "as_trace", is_flag=True, help="Print a JSON line per record with all legal actions at every decision."
)
@click.option("--interpreted", is_flag=True, help="Interpret the rules instead of compiling them.")
@click.option(
    "--game", "game_number", type=click.IntRange(1), default=None, help="With --at: number of the game [default: 1]."
)
@click.option("--at", type=click.IntRange(0), default=None, help="Show the table of a finished game after N events.")
def replay(file: str, as_trace: bool, interpreted: bool, game_number: int | None, at: int | None) -> None:
    """Replay records and check every action.

    FILE may be - for standard input. With --at the table is shown, all cards open, and the next event.
    """
    from parlour.engine.matches.records import FEW_RECORDS, trace
    from parlour.engine.matches.records import replay as replay_record
    from parlour.engine.matches.steps import COMPILED, INTERPRETED
    from parlour.engine.validation import counted
    from parlour.player_keys import player_keys

    if at is not None and as_trace:
        raise click.UsageError("--trace and --at show different things: name one of them")
    refuse_options_beside("at", "interpreted")
    if at is not None:
        _show_moment(file, game_number or 1, at)
        return
    if game_number is not None:
        raise click.UsageError("--game needs --at, the number of events before the moment to show")
    number = 0
    with progress_bar("Records", None) as advance:
        for number, (place, record) in enumerate(_records(file), 1):
            steps = INTERPRETED if interpreted or number <= FEW_RECORDS else COMPILED
            if as_trace:
                traced = json.dumps(trace(record, place, steps), ensure_ascii=False)
                player_keys(record, record["players"], place)
                click.echo(traced)
            else:
                match = replay_record(record, place, steps)
                player_keys(record, match.players, place)
                click.echo(f"{place}: {match.game.title}, {match.players} players, {_ending(match, record, place)}")
            advance(1)
    if not as_trace:
        click.echo(f"{counted(number, 'record')}, all legal.", err=True)


def _show_moment(file: str, number: int, at: int) -> None:
    """Print the open table of a finished game after ``at`` events, and what comes next."""
    from rich.console import Console

    from parlour.engine.errors import RecordError
    from parlour.engine.matches.records import has_resignation
    from parlour.engine.matches.records import replay as replay_record
    from parlour.engine.observation import EVERYTHING
    from parlour.insight.review import names_in
    from parlour.render.layouts import find_layout
    from parlour.render.text import scene_text

    place, record = _record(file, number)
    whole = replay_record(record, place)
    if not (whole.over or has_resignation(record)):
        raise RecordError(f"{place}: the game is not over, so its cards stay hidden")
    if at > len(whole.events):
        raise RecordError(f"{place}: there is nothing after {_events(at)}; --at may be 0 to {len(whole.events)}")
    match = replay_record({**record, "events": record["events"][:at], "result": None}, place)
    observation, names = match.observation(EVERYTHING, ended=True), names_in(record, match.players)
    Console().print(scene_text(find_layout(match.game.id).lay_out(observation, names, None)))
    following = f"the game is over: {_ending(whole, record, place, names)}"
    if at < len(whole.events):
        event = whole.events[at]
        following = f"{'chance' if event.by < 0 else names[event.by]}, {event.do}"
    click.echo(f"After {at} of {_events(len(whole.events))}: {following}")


@click.command()
@click.argument("file", metavar="RECORD")
@click.option("--commitment", metavar="HASH", help="The commitment shown before the game.")
@click.option("--daily", "day_commitment", metavar="HASH", help="The commitment to a day, published before it.")
def verify(file: str, commitment: str | None, day_commitment: str | None) -> None:
    """Check a game's deal against its commitment.

    A daily deal is also checked against the commitment to its day. RECORD may be - for standard input.
    """
    from parlour.daily import check_daily, rules_version
    from parlour.engine.matches.deals import check_deal, given_events

    for place, record in _records(file):
        match = check_deal(record, place, commitment)
        prefix_length = given_events(record, place)
        drawn = sum(event["by"] == "chance" for event in record["events"][prefix_length:])
        click.echo(f"{place}: {match.game.title}, {match.players} players, {_ending(match, record, place)}")
        if prefix_length:
            inherited = "event is" if prefix_length == 1 else f"{prefix_length} events are"
            click.echo(f"  It continues another game: its first {inherited} not checked.")
        click.echo(f"  The secret fits the commitment {record['deal']['commitment']},")
        click.echo(f"  and all its chance events {'after them ' if prefix_length else ''}({drawn}) follow from it.")
        if day := check_daily(record, place, day_commitment):
            click.echo(f"  It is the deal of {day}: the secret follows from the key of the day, and this key")
            click.echo(f"  fits the commitment {record['deal']['daily']['commitment']}.")
            rules, own = record["deal"]["daily"]["rules"], rules_version(match.game)
            if rules != own:  # a room could choose among deals by naming other rules
                click.echo(f"  Its version of the rules is {rules}, but {own} here, and other rules give another deal:")
                click.echo("  compare the version with that in the records of other players.")


def _records(file: str) -> Iterator[tuple[str, Record]]:
    """Return the records of a file with their places for messages, once their games can be found."""
    import parlour.games  # noqa: F401 (registers the lookup of games)
    from parlour.engine.matches.records import read_records

    return read_records(file)


def _ending(match: Match, record: Record, place: str, names: Sequence[str] | None = None) -> str:
    """Return the end of a record's game with its winners and resignations, by the seats' names or else numbers."""
    from parlour.engine.matches.records import has_resignation
    from parlour.player_keys import player_keys

    def winners(seats: Iterable[int]) -> str:
        return _listed(seats) if names is None else ", ".join(names[seat] for seat in seats)

    def named(seat: int) -> str:
        return f"seat {seat}" if names is None else names[seat]

    resigned, ended_by = player_keys(record, match.players, place).resigned, None
    if match.result is not None:
        won = record.get("winners", match.result.winners) if resigned else match.result.winners
        end = f"scores {_listed(match.result.scores)}, won by {winners(won)}"
    elif has_resignation(record):
        ended_by = record["ending"]["seat"]
        end = f"ended after {_events(len(match.events))} by the resignation of {named(ended_by)}"
        end += f", won by {winners(record['ending']['winners'])}"
    else:
        end = f"unfinished after {_events(len(match.events))}"
    others = [f"{named(seat)} resigned after {_events(after)}" for seat, after in resigned if seat != ended_by]
    return ", ".join([end, *others])


def _events(number: int) -> str:
    """Return ``"1 event"``, ``"2000 events"``: the number as ``--at`` takes it, without a comma."""
    return f"{number} event{'' if number == 1 else 's'}"


def _listed(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def record_argument(command: Command) -> Command:
    """Add the argument and options ``RECORD --game K --seed N``."""
    command = click.option("--seed", type=SEED, default=0, help="The same seed gives the same answer.")(command)
    command = click.option(
        "--game", "number", type=click.IntRange(1), default=1, show_default=True, help="Number of the game in the file."
    )(command)
    return click.argument("file", metavar="RECORD")(command)


def _record(file: str, number: int) -> tuple[str, Record]:
    """Return game ``number`` of a file, with its place for messages."""
    from parlour.engine.errors import RecordError

    found = 0
    for found, (place, record) in enumerate(_records(file), 1):
        if found == number:
            return place, record
    raise RecordError(f"{file}: there is no game {number}; it has {found}")


def _position(file: str, number: int, at: int | None, seat: int | None) -> Position:
    """Return the decision after ``at`` events of a record, or the last one of an unfinished record."""
    from parlour.engine.errors import RecordError
    from parlour.engine.events import actor_name
    from parlour.engine.matches.records import replay
    from parlour.insight.position import position_of
    from parlour.insight.review import names_in

    place, record = _record(file, number)
    full_match = replay(record, place)
    last = len(full_match.events)
    if at is None and full_match.over:
        raise RecordError(f"{place}: the game is over after {_events(last)}; choose a decision with --at N")
    if at is not None and at > last:
        raise RecordError(f"{place}: there is nothing after {_events(at)}; --at may be 0 to {last}")
    events = record["events"][: last if at is None else at]
    match = replay({**record, "events": events, "result": None}, place)
    if match.actor < 0 or (seat is not None and seat != match.actor):
        whose = "no seat decides" if match.actor < 0 else f"seat {seat} does not decide"
        turn = f"it is the turn of {actor_name(match.actor)}" if not match.over else "the game is over"
        raise RecordError(
            f"{place}: after {_events(len(events))} {whose}: {turn}{_suggestion(full_match, len(events), seat)}"
        )
    return position_of(match, match.actor, names_in(record, match.players))


def _wait_until_ready(game: Game) -> None:
    """Wait until the game's search is compiled; a long wait is announced on standard error."""
    from parlour.bots.compilation import wait_until_ready

    wait_until_ready(game, partial(click.echo, err=True))


def _explained(position: Position, seed: int, effort: int | None = None) -> Explanation:
    """Return the explanation of a decision, by a search on all cores, once the game's search is compiled."""
    from parlour.bots.search_threads import search_threads
    from parlour.insight.explanation import EFFORT, explain

    _wait_until_ready(position.game)
    with search_threads():
        return explain(position, effort or EFFORT, seed)


def _suggestion(match: Match, seen: int, seat: int | None) -> str:
    """Return a suggestion of the next decision after ``seen`` events, else of the last one before, as a text."""
    decisions = [
        number for number, event in enumerate(match.events) if event.by >= 0 and (seat is None or event.by == seat)
    ]
    nearest = min(decisions, key=lambda number: (number < seen, abs(number - seen)), default=None)
    return "" if nearest is None else f"; try --at {nearest}"


@click.command()
@record_argument
@click.option(
    "--at",
    type=click.IntRange(0),
    default=None,
    help="Number of events before the decision (default: all of an unfinished game).",
)
def hint(file: str, number: int, seed: int, at: int | None) -> None:
    """Suggest the best action to the seat that is to act, with the reasons.

    Uses only information that the seat has.
    """
    from parlour.insight.explanation_text import sentences

    for sentence in sentences(_explained(_position(file, number, at, None), seed)):
        click.echo(sentence)


@click.command()
@record_argument
@click.option("--at", type=click.IntRange(0), required=True, help="Number of events before the decision.")
@click.option("--seat", type=click.IntRange(0), default=None, help="Require the decision to be this seat's.")
@click.option(
    "--effort", type=click.IntRange(1000, MOST_EFFORT), default=None, help="Actions to simulate (default: 3 million)."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def explain(file: str, number: int, seed: int, at: int, seat: int | None, effort: int | None, as_json: bool) -> None:
    """Compare the expected results of a decision's actions.

    Uses only information that the seat had. Also shows in which layouts of the hidden cards an action gains or loses.
    """
    from parlour.insight.explanation_text import lines, sentences

    position = _position(file, number, at, seat)
    found = _explained(position, seed, effort)
    if as_json:
        click.echo(json.dumps({**found.to_json(), "words": sentences(found)}, ensure_ascii=False))
        return
    click.echo(f"{position.game.title}, after {_events(at)}: {position.names[position.seat]} decides")
    for line in lines(found):
        click.echo(line)


@click.command()
@record_argument
@click.option(
    "--effort", type=click.IntRange(1000, MOST_EFFORT), default=None, help="Actions to simulate for each decision."
)
@click.option("--seat", type=click.IntRange(0), default=None, help="Review one seat only.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--html", metavar="FILE", default=None, help="Write the review as a web page.")
@click.option("--threads", type=click.IntRange(1), default=None, help="Cores to use (default: all).")
@click.option("--time", "show_times", is_flag=True, help="Print the time that each part took.")
def review(
    file: str,
    number: int,
    seed: int,
    effort: int | None,
    seat: int | None,
    as_json: bool,
    html: str | None,
    threads: int | None,
    show_times: bool,
) -> None:
    """Review a finished game: luck, skill, and what each decision cost."""
    from parlour.engine.errors import RecordError
    from parlour.engine.matches.records import replay
    from parlour.insight.course import EFFORT
    from parlour.insight.review import ReviewSettings, reruns_of, review_game
    from parlour.insight.review_text import reruns_text, review_text

    if html:
        check_writable(html, "the page")
        _check_is_other_file(html, file)
    place, record = _record(file, number)
    players = record.get("players")
    if seat is not None and isinstance(players, int) and seat >= players:
        raise RecordError(f"{place}: there is no seat {seat}; the seats are 0 to {players - 1}")
    match, seats = replay(record, place), None if seat is None else [seat]
    if match.over:
        _wait_until_ready(match.game)
    work, printed = ReviewSettings(threads), not html and not as_json
    try:
        with _stopwatch(show_times, "decisions and chances"), _percent_bar("Review") as advance:
            found = review_game(
                record, place, seats, effort or EFFORT, seed, work, lambda share, so_far: advance(share)
            )
        if printed:
            click.echo(review_text(found))
        with _stopwatch(show_times, "the same deal by the strongest bot"), _percent_bar("Strongest bot") as advance:
            found = replace(found, reruns=reruns_of(record, place, seats, seed, work, advance))
    except KeyboardInterrupt:
        click.echo("Stopped; nothing was written." if html else "Stopped.", err=True)
        sys.exit(STOPPED)
    if html:
        _write_page(html, found)
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False))
    elif printed:
        click.echo(f"\n{reruns_text(found)}")


@contextmanager
def _percent_bar(what: str) -> Iterator[Callable[[float], None]]:
    """Show a progress bar in percent; yield a function that sets the fraction done."""
    shown = 0.0
    with progress_bar(f"{what} (%)", 100) as advance:

        def set_fraction(share: float) -> None:
            nonlocal shown
            now = round(100 * share)
            advance(now - shown)
            shown = now

        yield set_fraction


@contextmanager
def _stopwatch(enabled: bool, what: str) -> Iterator[None]:
    """Print wall-clock and processor time of the enclosed work, if ``enabled``."""
    begun = time.perf_counter(), time.process_time()
    yield
    if enabled:
        clock, processor = time.perf_counter() - begun[0], time.process_time() - begun[1]
        click.echo(f"{what}: {clock:.1f} s, {processor:.1f} s of processor time", err=True)


def _check_is_other_file(page: str, record: str) -> None:
    """Check that a page does not replace the record that it is made of. Raises :class:`ParlourError`."""
    from parlour.engine.errors import ParlourError

    if os.path.exists(page) and os.path.exists(record) and os.path.samefile(page, record):
        raise ParlourError(f"{page}: this is the record; name another file with --html")


def _write_page(file: str, found: Review) -> None:
    from pathlib import Path

    from parlour.engine.errors import ParlourError
    from parlour.engine.files import write_whole
    from parlour.insight.review_file import review_page

    page = review_page(found)
    try:
        write_whole(Path(file), page, mode=0o644)
    except OSError as error:
        raise ParlourError(f"{file}: the page cannot be written: {error.strerror}") from None
    click.echo(f"The review is in {file}.", err=True)
