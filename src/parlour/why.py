"""The commands that say why: ``hint``, ``explain`` and ``review``."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import click


def record_argument(command: Any) -> Any:
    """``FILE --game K --seed N``"""
    command = click.option("--seed", type=click.IntRange(0, 2**62), default=0, help="The same seed, the same answer.")(
        command
    )
    command = click.option(
        "--game", "number", type=click.IntRange(1), default=1, show_default=True, help="Which game of the file."
    )(command)
    return click.argument("file", metavar="RECORD")(command)


def _record(file: str, number: int) -> tuple[str, dict[str, Any]]:
    """A game of a file, with its place."""
    from parlour.engine.errors import RecordError
    from parlour.engine.records import read_records

    found = 0
    for found, (place, record) in enumerate(read_records(file), 1):
        if found == number:
            return place, record
    raise RecordError(f"{file}: there is no game {number}; it has {found}")


def _position(file: str, number: int, at: int | None, seat: int | None) -> Any:
    """A decision of a record: that after ``at`` events, or the one that the record ends with."""
    from parlour.engine.errors import RecordError
    from parlour.engine.match import actor_name
    from parlour.engine.records import replay
    from parlour.games import find_game
    from parlour.insight.position import position_of
    from parlour.insight.review import names_in

    place, record = _record(file, number)
    whole = replay(record, find_game, place)
    last = len(whole.events)
    if at is None and whole.over:
        raise RecordError(f"{place}: the game is over after {last} events; choose a decision with --at N")
    if at is not None and at > last:
        raise RecordError(f"{place}: there is nothing after {at} events; --at may be 0 to {last}")
    events = record["events"][: last if at is None else at]
    match = replay({**record, "events": events, "result": None}, find_game, place)
    if match.actor < 0 or (seat is not None and seat != match.actor):
        whose = "nobody decides" if match.actor < 0 else f"seat {seat} does not decide"
        turn = f"it is the turn of {actor_name(match.actor)}" if not match.over else "the game is over"
        raise RecordError(f"{place}: after {len(events)} events {whose}: {turn}{_near(whole, len(events), seat)}")
    return position_of(match, match.actor, names_in(record, match.players))


def _get_ready(game: Any) -> None:
    """Have the search at a game made ready; if that takes long, say so where it disturbs no output."""
    from parlour.bots.ready import wait_until_ready

    wait_until_ready(game, partial(click.echo, err=True))


def _near(whole: Any, seen: int, seat: int | None) -> str:
    """Where the next decision is, or the last one."""
    decisions = [
        number for number, event in enumerate(whole.events) if event.by >= 0 and (seat is None or event.by == seat)
    ]
    nearest = min(decisions, key=lambda number: (number < seen, abs(number - seen)), default=None)
    return "" if nearest is None else f"; try --at {nearest}"


@click.command()
@record_argument
@click.option("--at", type=click.IntRange(0), default=None, help="After so many events (default: where it ends).")
def hint(file: str, number: int, seed: int, at: int | None) -> None:
    """Say what the seat to act should do, by what it may know: the best action, and why."""
    from parlour.insight.explanation import explain as explain_position
    from parlour.insight.words import sentences

    position = _position(file, number, at, None)
    _get_ready(position.game)
    for sentence in sentences(explain_position(position, seed=seed)):
        click.echo(sentence)


@click.command()
@record_argument
@click.option("--at", type=click.IntRange(0), required=True, help="The decision after so many events.")
@click.option("--seat", type=click.IntRange(0), default=None, help="Whose decision it must be.")
@click.option("--effort", type=click.IntRange(1000), default=None, help="Players' actions in guesses (3 million).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def explain(file: str, number: int, seed: int, at: int, seat: int | None, effort: int | None, as_json: bool) -> None:
    """Tell of a decision what each action would have brought, and in which layouts, by what its seat could know."""
    from parlour.insight.explanation import EFFORT
    from parlour.insight.explanation import explain as explain_position
    from parlour.insight.words import lines, sentences

    position = _position(file, number, at, seat)
    _get_ready(position.game)
    found = explain_position(position, effort or EFFORT, seed)
    if as_json:
        click.echo(json.dumps({**found.to_json(), "words": sentences(found)}, ensure_ascii=False))
        return
    click.echo(f"{position.game.title}, after {at} events: {position.names[position.seat]} decides")
    for line in lines(found):
        click.echo(line)


@click.command()
@record_argument
@click.option("--effort", type=click.IntRange(1000), default=None, help="Players' actions in guesses a decision.")
@click.option("--seat", type=click.IntRange(0), default=None, help="One seat only.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--html", metavar="FILE", default=None, help="Write a page with the graph.")
@click.option("--threads", type=click.IntRange(1), default=None, help="Cores to use (default: all).")
@click.option("--time", "timed", is_flag=True, help="Say how long each part took.")
def review(
    file: str,
    number: int,
    seed: int,
    effort: int | None,
    seat: int | None,
    as_json: bool,
    html: str | None,
    threads: int | None,
    timed: bool,
) -> None:
    """Look back on a finished game: chances, luck and skill, what was lost by which decision."""
    from parlour.engine.errors import RecordError
    from parlour.engine.records import replay
    from parlour.games import find_game
    from parlour.insight.course import EFFORT
    from parlour.insight.review import Work, reruns_of, review_game
    from parlour.insight.told import review_text
    from parlour.progress import progress_bar

    place, record = _record(file, number)
    players = record.get("players")
    if seat is not None and isinstance(players, int) and seat >= players:
        raise RecordError(f"{place}: there is no seat {seat}; the seats are 0 to {players - 1}")
    match, seats = replay(record, find_game, place), None if seat is None else [seat]
    if match.over:
        _get_ready(match.game)
    with progress_bar("Review", None) as advance, _stopwatch(timed) as lap:
        try:
            found = review_game(
                record, place, seats, effort or EFFORT, seed, Work(threads),
                lambda share: advance(0, lambda: f"{100 * share:.0f} %"),
            )  # fmt: skip
            lap(f"{len(found.events)} events")
            found = replace(found, reruns=reruns_of(record, place, seats, seed, Work(threads)))
            lap("the same deal by the strongest bot")
        except KeyboardInterrupt:
            click.echo("Stopped; nothing was written.", err=True)
            sys.exit(130)
    if html:
        _write_page(html, found)
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False))
    elif not html:
        click.echo(review_text(found))


@contextmanager
def _stopwatch(wanted: bool) -> Iterator[Callable[[str], None]]:
    """``lap(what)`` says how long it has been since the last one, by the clock and on all cores together."""
    last = time.perf_counter(), time.process_time()

    def lap(what: str) -> None:
        nonlocal last
        now = time.perf_counter(), time.process_time()
        if wanted:
            click.echo(f"{what}: {now[0] - last[0]:.1f} s, {now[1] - last[1]:.1f} s of processor time", err=True)
        last = now

    yield lap


def _write_page(file: str, found: Any) -> None:
    from pathlib import Path

    from parlour.engine.errors import ParlourError
    from parlour.engine.files import write_whole
    from parlour.server.http.review_file import review_page

    page = review_page(found)
    try:
        write_whole(Path(file), page, mode=0o644)
    except OSError as error:
        raise ParlourError(f"{file}: the page cannot be written: {error.strerror}") from None
    click.echo(f"The review is in {file}.", err=True)
