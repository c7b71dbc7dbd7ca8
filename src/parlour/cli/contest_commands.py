"""Commands that study games and bots: ``simulate``, ``match``, ``ladder``, ``exact``, ``ends`` and ``foresight``."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import Any

import click

from parlour.cli.arguments import (
    Command,
    game_options,
    json_option,
    move_time_option,
    refuse_option_alone,
    refuse_options_beside,
    seed_option,
    setup_of,
    where_options,
)
from parlour.cli.progress import progress_bar
from parlour.cli.remaining_time import TimeLeft
from parlour.cli.report_output import report, report_before_error, report_stored, run_study, stopped_text
from parlour.interrupts import STOPPED


@click.command()
@game_options
@click.option(
    "--games", "-n", "number", type=click.IntRange(1), default=1000, show_default=True, help="Number of games."
)
@seed_option
@click.option(
    "--records",
    "file",
    metavar="FILE",
    help="Write one record per line to this file; the first game replaces an earlier content. - is standard output.",
)
@click.option("--threads", type=click.IntRange(1), default=None, help="Cores to use, without --records (default: all).")
@click.option(
    "--max-events",
    type=click.IntRange(1),
    default=None,
    help="Number of events after which a game counts as endless (default: the game's own limit, 100,000).",
)
def simulate(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    number: int,
    seed: int,
    file: str | None,
    threads: int | None,
    max_events: int | None,
) -> None:
    """Play random games, with every legal action equally likely."""
    refuse_options_beside("file", "threads")
    setup = setup_of(game_id, players, option_texts)
    if file is None:
        _simulate_summary(setup, number, seed, threads, max_events)
        return
    from parlour.contests.simulation import random_records, record_writer
    from parlour.engine.matches.records import STANDARD

    with record_writer(file) as writer, progress_bar("Games", number) as advance:
        try:
            for record in random_records(setup, number, seed, max_events):
                writer.write(record)
                advance(1)
        except KeyboardInterrupt:
            click.echo(_stopped_records(writer.written, number, file), err=True)
            sys.exit(STOPPED)
    if file != STANDARD:
        report_stored(writer.written, "game", setup.game.title, file)


def _stopped_records(written: int, number: int, file: str) -> str:
    """Return the message that Ctrl-C ended a run; before its first game a file keeps its earlier content."""
    if not written and os.path.isfile(file) and os.path.getsize(file):
        return f"Stopped before the first game: {file} is as it was."
    return f"Stopped: {written:,} of {number:,} games are in {file}."


def _simulate_summary(setup: Any, number: int, seed: int, threads: int | None, max_events: int | None) -> None:
    from parlour.contests.simulation import playouts_summary
    from parlour.engine.simulation.playouts import Playouts, play_in_parts

    click.echo("Compiling the rules if they are new (some seconds) …", err=True)
    parts, stopped, start = list[Playouts](), False, time.perf_counter()
    with progress_bar("Games", number) as advance:
        try:
            for part in play_in_parts(setup, number, seed, threads, max_events=max_events):
                parts.append(part)
                advance(len(part.lengths))
        except KeyboardInterrupt:
            stopped = True
    if parts:
        summary = playouts_summary(setup, Playouts.joined(parts), time.perf_counter() - start)
        click.echo(json.dumps({**setup.to_json(), "seed": seed, **summary}))
    if stopped:
        click.echo(f"Stopped after {sum(len(part.lengths) for part in parts):,} of {number:,} games.", err=True)
        sys.exit(STOPPED)


def contest_options(command: Command) -> Command:
    """Add the options that ``match`` and ``ladder`` share."""
    for option in (
        json_option,
        click.option("--out", metavar="FILE", help="Keep the results in a file; an existing file is continued."),
        where_options,
        move_time_option,
        seed_option,
        click.option(
            "--until",
            metavar="MEASURE within N",
            help="Play until 'wins within 2' (of 100) or 'points within 0.5' (a game) is known.",
        ),
        click.option(
            "--deals",
            "-n",
            type=click.IntRange(2),
            help="Number of deals [default: 100; with --until at most 1,000,000].",
        ),
    ):
        command = option(command)
    return command


@click.command("match")
@click.argument("challenger")
@click.argument("field")
@game_options
@contest_options
@click.option(
    "--sprt", type=(float, float), metavar="LOW HIGH", help="Stop once the deals decide between LOW and HIGH."
)
@click.option(
    "--sprt-by",
    type=click.Choice(["wins", "points"]),
    default="wins",
    show_default=True,
    help="Unit of LOW and HIGH: wins above the even share (percentage points), or points per game above the others.",
)
def match(
    challenger: str,
    field: str,
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    seed: int,
    move_time: float,
    sprt: tuple[float, float] | None,
    sprt_by: str,
    until: str | None,
    **settings: Any,
) -> None:
    """Play one bot against a FIELD of another, and compare their wins.

    Every deal is played from every seat. With partners, the challenger plays whole sides, each in turn.
    `--sprt 0 2` stops as soon as the test decides between an even share of wins and 2 more wins in 100 games.
    """
    from parlour.contests.play import plan_match

    refuse_option_alone("sprt_by", "sprt")
    setup = setup_of(game_id, players, option_texts)
    if sprt and not sprt[0] < sprt[1]:
        raise click.BadParameter(f"LOW is {sprt[0]:g} and HIGH {sprt[1]:g}, but LOW must be less", param_hint="--sprt")
    if sprt and until is not None:
        raise click.UsageError("A match ends by --sprt or by --until; name one of them.")
    _run_contest(plan_match(setup, (challenger, field), seed, move_time, sprt, sprt_by, until), **settings)


@click.command()
@game_options
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT …")
@contest_options
def ladder(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    bots: tuple[str, ...],
    seed: int,
    move_time: float,
    until: str | None,
    **settings: Any,
) -> None:
    """Play several bots against each other, and rate them.

    Every deal is played with the seats turned. `--until` plays until it is known of every bot.
    """
    from parlour.contests.play import plan_ladder

    _run_contest(plan_ladder(setup_of(game_id, players, option_texts), bots, seed, move_time, until), **settings)


@contextmanager
def play_with_progress(
    plan: Any,
    deals: int,
    where: Any,
    file: Any,
    out: str | None,
    add: Callable[[Any], None],
    open_ended: bool = False,
) -> Iterator[tuple[Any, Any, TimeLeft]]:
    """Show a progress bar; yield the iterator that plays and stores the deals, ``advance``, and the time left.

    Args:
        plan: a contest or a study.
        deals: the number of deals, including those in the file.
        where: where the deals are played.
        file: the results file, or ``None``.
        out: the file's name, for messages.
        add: called with each deal, those in the file first.
        open_ended: whether ``deals`` is only a maximum, because the number of deals needed is not yet known.
    """
    from parlour.contests.results_file import play_and_store

    kept = min(deals, len(file.deals)) if file else 0
    if kept:
        click.echo(f"{kept:,} of {deals:,} deals were in {out} already.", err=True)
    special = max(getattr(plan, kind, 0) for kind in ("evaluated_deals", "traced_deals", "replicated_deals"))
    time_left = TimeLeft(0 if open_ended else deals, kept, special, where.cores, partial(click.echo, err=True))

    def count(deal: Any) -> None:
        add(deal)
        if deal.number >= kept:
            time_left.add(deal)

    with (
        progress_bar("Deals", None if open_ended else deals, kept) as advance,
        closing(play_and_store(plan, deals, file, where, time_left.report_after(advance), count)) as played,
    ):
        yield played, advance, time_left


def show_precision(widest: Any, needed: int, deals: int, advance: Any, time_left: Any) -> None:
    """Show the widest interval beside the progress bar, and the time left for the deals that it needs.

    Args:
        widest: the widest interval, with its target.
        needed: the estimated number of deals in all.
        deals: the maximum number of deals.
        advance: shows a text beside the progress bar.
        time_left: estimates the time.
    """
    time_left.total = min(deals, needed)
    half_width = float(f"{widest.half_width:.2g}")  # two digits; 100 rather than 1e+02
    advance(0, lambda: f"±{half_width:g} of {widest.target.text}, {time_left.text()}")


def _run_contest(result: Any, deals: int | None, where: Any, out: str | None, as_json: bool) -> None:
    """Run a contest to its end or until Ctrl-C, then print the result."""
    from parlour.contests.play import most_deals
    from parlour.contests.results_file import ResultsError, ResultsFile

    contest, precision, stopped = result.tally.contest, result.precision, False
    deals = most_deals(deals, precision is not None)
    with ExitStack() as open_things:
        file = open_things.enter_context(ResultsFile(out, contest)) if out else None
        played, advance, time_left = open_things.enter_context(
            play_with_progress(contest, deals, where, file, out, result.add, precision is not None)
        )
        try:
            for _ in played:
                if precision and precision.widest:
                    show_precision(precision.widest, precision.needed, deals, advance, time_left)
                else:
                    advance(0, result.progress_text)
                if result.is_decided:
                    break
        except KeyboardInterrupt:
            stopped = True
        except ResultsError as error:
            report_before_error(result, as_json, error)
    end = stopped_text(f"after {result.tally.deals:,} of {deals:,} deals", "FILE", out) if stopped else ""
    report(result, as_json, end)


@click.command()
@game_options
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT …")
@click.option(
    "--positions", "-n", "number", type=click.IntRange(2), default=20, show_default=True, help="Number of positions."
)
@click.option(
    "--samples",
    type=click.IntRange(1),
    default=4,
    show_default=True,
    help="Number of samples of each bot's probabilities per decision.",
)
@click.option(
    "--nodes",
    type=click.IntRange(100),
    default=200_000,
    show_default=True,
    help="Largest game tree to solve, in nodes.",
)
@click.option("--hard", is_flag=True, help="Only positions in which the heuristic loses at least 1 % of first place.")
@seed_option
@where_options
@json_option
def exact(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    bots: tuple[str, ...],
    number: int,
    samples: int,
    nodes: int,
    hard: bool,
    seed: int,
    where: Any,
    as_json: bool,
) -> None:
    """Measure how far bots are from optimal play in solved endgames."""
    from parlour.endgames.endgame_tree import TreeLimits
    from parlour.endgames.exact import ExactResult, ExactWork, TooFewError, measure

    setup = setup_of(game_id, players, option_texts)
    exact_work = ExactWork(setup, seed, bots, samples, TreeLimits(nodes=nodes), hard)
    result = ExactResult(exact_work)
    work = partial(measure, result, number, where)
    settings = {"seed": seed, "wanted": number, "nodes": nodes}
    run_study("Positions", number, work, result, as_json, settings, short=TooFewError)


@click.command()
@partial(game_options, usual_players="2, the number of players that can be solved")
@click.option(
    "--games", "-n", "number", type=click.IntRange(1), default=100, show_default=True, help="Number of games to search."
)
@click.option(
    "--nodes",
    type=click.IntRange(100),
    default=20_000,
    show_default=True,
    help="Largest game tree to solve, in nodes.",
)
@seed_option
@where_options
@json_option
def ends(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    number: int,
    nodes: int,
    seed: int,
    where: Any,
    as_json: bool,
) -> None:
    """List the games with an exactly solvable end and its value.

    `parlour.endgame` loads such an end by its number, and OpenSpiel's adapter has it as a game. Both need the --seed
    and --nodes of the list: their own default of 200,000 nodes makes an end begin earlier.
    """
    from parlour.endgames.ends_list import EndsList
    from parlour.games import find_game

    if players is None and 2 in find_game(game_id).players:
        players = 2
    found = EndsList(setup_of(game_id, players, option_texts), seed, nodes)
    run_study("Games", number, partial(found.search, number, where), found, as_json, {})


@click.command()
@game_options
@click.option(
    "--games", "-n", "number", type=click.IntRange(2), default=400, show_default=True, help="Number of games."
)
@click.option(
    "--every",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="Predict at one in N decisions.",
)
@click.option(
    "--determinizations", type=click.IntRange(1), default=200, show_default=True, help="Determinizations per decision."
)
@seed_option
@where_options
@json_option
def foresight(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    number: int,
    every: int,
    determinizations: int,
    seed: int,
    where: Any,
    as_json: bool,
) -> None:
    """Compare the win probabilities that bots predict with the results."""
    from parlour.contests.foresight import ForesightResult, ForesightWork, measure

    setup = setup_of(game_id, players, option_texts)
    result = ForesightResult(setup)
    work = partial(measure, result, number, ForesightWork(setup, seed, every, determinizations), where)
    run_study(
        "Games", number, work, result, as_json, {"seed": seed, "every": every, "determinizations": determinizations}
    )
