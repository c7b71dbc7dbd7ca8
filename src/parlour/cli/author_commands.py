"""Commands for authors of games and bots."""

from __future__ import annotations

import json
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from parlour.cli.arguments import (
    FiniteRange,
    game_argument,
    game_options,
    json_option,
    move_time_option,
    refuse_options_beside,
    seed_option,
    setup_of,
    setups_of,
    where_options,
)
from parlour.cli.progress import progress_bar
from parlour.cli.report_output import run_study

if TYPE_CHECKING:
    from parlour.authors.check import CheckResults
    from parlour.jobs.tasks import Placement

_options_of_all_setups = partial(game_options, usual_players="all numbers")
"""Arguments of a command that plays every setup that matches them."""


@click.command()
@game_options
@click.option("--depth", type=click.IntRange(1, 12), default=5, show_default=True, help="Depth in actions.")
@seed_option
def perft(game_id: str, players: int | None, option_texts: tuple[str, ...], depth: int, seed: int) -> None:
    """Count the sequences of actions from a fixed deal.

    The counts verify the rules; the time taken measures their speed.
    """
    from parlour.engine.simulation.perft import perft as count_sequences

    setup = setup_of(game_id, players, option_texts)
    count_sequences(setup, seed, 1)  # compile outside the measurement
    start = time.perf_counter()
    counts = count_sequences(setup, seed, depth)
    seconds = time.perf_counter() - start
    for steps, total in enumerate(counts, 1):
        click.echo(f"{steps:3} {total:20,}")
    click.echo(f"{sum(counts) / seconds / 1e6:.1f} million actions a second", err=True)


@click.command()
@click.argument("challenger")
@click.argument("field")
@_options_of_all_setups
@click.option("--deals", "-n", type=click.IntRange(1), default=2, show_default=True, help="Deals per combination.")
@seed_option
@move_time_option
@where_options
@json_option
def smoke(
    challenger: str,
    field: str,
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    deals: int,
    seed: int,
    move_time: float,
    where: Placement,
    as_json: bool,
) -> None:
    """Play one bot against another in every combination of options.

    The means by number of players and by option show where a bot is weak.
    """
    from parlour.contests.smoke import SmokeMatch, SmokeResult, measure

    setups, arguments = setups_of(game_id, players, option_texts)
    result = SmokeResult(SmokeMatch(tuple(setups), challenger, field, deals, seed, move_time))
    work = partial(measure, result, where)
    run_study("Combinations", len(setups), work, result, as_json, {**arguments, "seed": seed, "deals": deals})


@click.command()
@_options_of_all_setups
@click.option("--positions", "-n", type=click.IntRange(1), default=1000, show_default=True, help="Number of positions.")
@seed_option
@where_options
@json_option
def peeking(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    positions: int,
    seed: int,
    where: Placement,
    as_json: bool,
) -> None:
    """Check that bots do not use hidden information.

    Every bot must make the same decision in positions that differ only in information hidden from it.
    """
    from parlour.authors.secrecy_check import PeekingResult, measure

    setups, arguments = setups_of(game_id, players, option_texts)
    result = PeekingResult(setups)
    work = partial(measure, result, positions, seed, where)
    run_study("Positions", positions, work, result, as_json, {**arguments, "seed": seed, "wanted": positions})


@click.command()
@click.argument("game_id", metavar="[GAME]", required=False)
@click.option("--players", "-p", type=int, default=None, help="Number of players.")
@click.option("--option", "-o", "option_texts", multiple=True, metavar="NAME=VALUE", help="Option of the game.")
@click.option(
    "--seconds",
    type=FiniteRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="Seconds per measurement.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game.")
def bench(
    game_id: str | None, players: int | None, option_texts: tuple[str, ...], seconds: float, as_json: bool
) -> None:
    """Measure the speed of random games and of searches."""
    from parlour.authors.bench import bench as measure
    from parlour.games import game_ids

    for which in [game_id] if game_id else game_ids():
        setup = setup_of(which, players, option_texts)
        click.echo(f"Measuring {setup.game.title} with {setup.players} players …", err=True)
        result = measure(setup, seconds)
        click.echo(json.dumps(result) if as_json else _bench_text(result))


def _bench_text(result: dict[str, Any]) -> str:
    return "\n".join(
        (
            f"{result['game']}, {result['players']} players",
            f"  {result['actions_per_second'] / 1e6:8.1f} million actions a second on one core by the batch interface",
            f"  {result['games_per_second']:8,} games a second",
            f"  {result['hand_written']:8.2f} of the speed of a hand-written loop",
            f"  {result['all_cores']:8.2f} times that on {result['cores']} cores",
            f"  {result['observed_steps_per_second'] / 1e6:8.2f} million steps a second with observations",
            f"  {result['determinizations_per_second'] / 1e6:8.2f} million determinizations a second in mid-game",
            f"  {result['searches_per_second'] / 1e3:8.0f} thousand playouts a second in a search there, "
            f"{result['tree_searches_per_second'] / 1e3:.0f} in a tree",
            f"  {result['compile_seconds']:8.2f} seconds to the first playout with nothing compiled yet (cold)",
            f"  {result['warm_seconds']:8.2f} seconds in a later process (warm); {result['import_seconds']} to import",
        )
    )


@click.command(short_help="Check a game for leaks, miscounts and failing replays.")
@game_argument
@click.option("--games", "-n", default=100, show_default=True, type=click.IntRange(1), help="Number of random games.")
@seed_option
def check(game_id: str, games: int, seed: int) -> None:
    """Play random games with every kind of setup, and report leaks, miscounts and failing replays.

    After Ctrl-C it prints the results of the games so far.
    """
    from parlour.authors.check import CheckResults
    from parlour.authors.check import check as run_check
    from parlour.games import find_game

    game, found = find_game(game_id), CheckResults()
    click.echo("Compiling the rules if they are new (some seconds) …", err=True)
    try:
        with progress_bar("Games", games) as advance:
            found = run_check(game, games, seed, lambda done: advance(1), found)
    except KeyboardInterrupt:
        if found.games or found.violations:
            _print_check(game.title, found)
        raise
    _print_check(game.title, found)
    if found.violations:
        raise click.exceptions.Exit(1)


def _print_check(title: str, found: CheckResults) -> None:
    """Print the state of each law, with the first violation of those that are broken."""
    from parlour.authors.check import LAWS
    from parlour.engine.validation import counted

    games_text, moments = counted(found.games, "random game"), counted(found.moments, "moment")
    click.echo(f"{title}: {games_text}, {moments} checked against all laws.")
    for law, means in LAWS.items():
        violation = found.violations.get(law)
        mark = "BROKEN" if violation else "skipped" if law in found.skipped else "holds"
        click.echo(f"  {mark:<8}{law}: {means}")
        if violation:
            click.echo(f"          {violation.sentence}\n          ({violation.where})")
    if found.failure:
        click.echo(f"  The check ended with an error: {found.failure}")


@click.command("new-game", short_help="Write a small game NAME as a package of its own.")
@click.argument("name")
def new_game(name: str) -> None:
    """Write a small game NAME as a package of its own: playable at once, and a starting point for yours."""
    from parlour.authors.skeleton import write_game

    folder = write_game(name)
    click.echo(f"{folder}/ is a package with a small game. Install it, and it is among the games:")
    click.echo(f"  pip install --editable {folder}\n  parlour play {folder.name}\n  parlour check {folder.name}")


@click.command("new-variation", short_help="Write a package NAME that changes clauses of a game.")
@game_argument
@click.argument("name", required=False)
@click.option("--change", "changed", multiple=True, metavar="FUNCTION", help="Function to be changed; repeatable.")
@click.option(
    "--list", "list_functions", is_flag=True, help="List the functions that can be changed, with their clauses."
)
def new_variation(game_id: str, name: str | None, changed: tuple[str, ...], list_functions: bool) -> None:
    """Write a package NAME that changes clauses of a game: the functions to be changed are copied into it."""
    from parlour.authors.skeleton import write_variation
    from parlour.authors.variation import replaceable
    from parlour.games import find_game

    refuse_options_beside("list_functions", "name", "changed")
    if list_functions:
        for function in replaceable(find_game(game_id)).values():
            about = (function.__doc__ or "").partition("\n")[0]
            click.echo(f"{function.__name__} ({function.__module__.rpartition('.')[2]}.py): {about}")
        return
    if name is None:
        raise click.BadParameter("name the variation, such as my-castle", param_hint="NAME")
    folder = write_variation(game_id, name, changed)
    module = folder.name.replace("-", "_")
    click.echo(f"{folder}/ is a package; change {module}/clauses.py in it. Install it, and it is among the games:")
    click.echo(f"  pip install --editable {folder}\n  parlour check {folder.name}\n  parlour play {folder.name}")
    click.echo(f"  parlour study {folder.name} -o rules={game_id},{folder.name}")
