"""Commands for learning: ``dataset``, ``baselines``, ``levels``, ``train`` and ``exploit``."""

import math
import sys
from pathlib import Path
from typing import Any

import click

from parlour.cli.arguments import (
    FiniteRange,
    command_of_result,
    game_options,
    json_option,
    move_time_option,
    seed_option,
    setup_of,
    where_options,
)
from parlour.cli.progress import print_above, progress_bar
from parlour.cli.report_output import report, report_stored, stopped_text
from parlour.interrupts import STOPPED

_most_games_option = click.option(
    "--games",
    "-n",
    "most",
    type=click.IntRange(1),
    help="End at this number of games, after a whole batch; then the result does not depend on the machine's speed.",
)
_resume_option = click.option("--resume", is_flag=True, help="Go on where the last run with this file ended.")


@click.command("dataset")
@game_options
@click.option(
    "--bots",
    default="thumb",
    show_default=True,
    metavar="BOT,…",
    help="Bots, which take turns in the seats from game to game.",
)
@click.option(
    "--games", "-n", "games", type=click.IntRange(1), default=1000, show_default=True, help="Number of games."
)
@click.option("--out", required=True, metavar="FOLDER", help="Folder; an existing data set is continued.")
@click.option(
    "--shard", type=click.IntRange(1), default=1000, show_default=True, metavar="GAMES", help="Games in a file."
)
@click.option("--no-observations", is_flag=True, help="Leave out the tensors; actions and legal actions remain.")
@seed_option
@move_time_option
@where_options
def dataset(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    bots: str,
    games: int,
    out: str,
    shard: int,
    no_observations: bool,
    seed: int,
    move_time: float,
    where: Any,
) -> None:
    """Write decisions and results of games to Parquet files.

    Each decision has the observation, the legal actions, the action and the seat's result. The same command continues
    a data set; with more --games it extends it.
    """
    from parlour.contests.contest_results import forfeit_lines
    from parlour.studies.arguments import bots_of
    from parlour.studies.dataset.folder import DatasetFolder
    from parlour.studies.dataset.plan import DatasetPlan

    plan = DatasetPlan(setup_of(game_id, players, option_texts), bots_of(bots), seed, move_time)
    folder = DatasetFolder(out, plan, shard, not no_observations)
    stored = folder.stored_games()
    kept = min(games, stored)
    if kept:
        click.echo(f"{kept:,} of {games:,} games were in {out} already.", err=True)
    with progress_bar("Games", games, kept) as advance:
        try:
            folder.fill(games, where, advance)
        except KeyboardInterrupt:
            reached = f"after {folder.stored_games():,} of {games:,} games"
            click.echo(stopped_text(reached, "FOLDER", out), err=True)
            sys.exit(STOPPED)
    report_stored(max(games, stored), "game", plan.setup.game.title, out)
    forfeits = folder.forfeits()
    for line in forfeit_lines(list(forfeits), list(forfeits.values())):
        click.echo(line, err=True)


@click.command("baselines")
@game_options
@click.option("--bots", default="", metavar="BOT,…", help="Bots (default: random, thumb and all built-in levels).")
@click.option("--deals", "-n", type=click.IntRange(2), default=100, show_default=True, help="Deals of each match.")
@click.option("--out", default="", metavar="FOLDER", help="Keep the deals in a folder; the same command continues.")
@seed_option
@move_time_option
@where_options
@json_option
def baselines(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    bots: str,
    deals: int,
    out: str,
    seed: int,
    move_time: float,
    where: Any,
    as_json: bool,
) -> None:
    """Rate bots against random and thumb, with intervals.

    The results of the built-in bots are in docs/bots.md. With --bots, compare a bot of your own with them.
    """
    from parlour.contests.baselines import BASELINE_BOTS, Baselines
    from parlour.studies.arguments import bots_of

    named = bots_of(bots) if bots else BASELINE_BOTS
    result = Baselines(setup_of(game_id, players, option_texts), named, seed, move_time, out)
    stopped = ""
    with progress_bar("Deals", deals * len(result.matches)) as advance:
        try:
            result.play(deals, where, advance)
        except KeyboardInterrupt:
            stopped = stopped_text("before the end", "FOLDER", out)
    report(result, as_json, stopped)


@click.command("levels")
@game_options
@click.option("--deals", "-n", type=click.IntRange(2), default=100, show_default=True, help="Deals of each match.")
@click.option(
    "--points",
    type=click.IntRange(0, 100),
    default=0,
    show_default=True,
    help="Percentage of points in the objective of the searches; the rest is winning.",
)
@click.option("--out", default="levels.json", show_default=True, metavar="FILE", help="The file of the levels.")
@seed_option
@where_options
@json_option
def levels(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    deals: int,
    points: int,
    out: str,
    seed: int,
    where: Any,
    as_json: bool,
) -> None:
    """Find settings of the levels with even steps, and write their file.

    Bots on a scale from the beginner to the master play against their neighbours, and players without search against
    the middle of the scale. All levels but the master move to the places that divide it evenly, with a regular no
    weaker than a player without search. A game has these levels when the file lies in its folder.
    """
    from parlour.contests.level_calibration import LevelCalibration
    from parlour.engine.errors import ParlourError

    file = Path(out)
    _check_new(file)
    calibration = LevelCalibration(setup_of(game_id, players, option_texts), deals, seed, points)
    stopped = ""
    with progress_bar("Deals", calibration.matches * deals) as advance:
        try:
            calibration.play(where, advance)
        except KeyboardInterrupt:
            stopped = "Stopped before the end; no file was written."
    if not stopped:
        try:
            calibration.write(file, command_of_result())
        except ParlourError:
            report(calibration, as_json, stopped)  # has the settings, which took hours
            raise
        click.echo(f"The levels of {calibration.setup.game.title} are in {file}.", err=True)
    report(calibration, as_json, stopped)


@click.command("train")
@game_options
@click.option(
    "--minutes",
    type=FiniteRange(0, min_open=True),
    help="Minutes of a core, those before --resume included (default: 5; with --games no limit).",
)
@_most_games_option
@click.option("--out", metavar="FILE", help="The policy's file (default: learned_PLAYERS.json).")
@_resume_option
@seed_option
@json_option
def train(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    minutes: float | None,
    most: int | None,
    out: str | None,
    resume: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Learn a policy from self-play and games against the heuristic.

    The file is a bot: `parlour match learned:FILE thumb GAME`. FILE.checkpoint beside it has what --resume needs.
    Ctrl-C keeps the policy learned so far. At the end the best policy plays 4,000 fresh deals against the heuristic.
    """
    from parlour.learning.policy_file import shipped_name
    from parlour.learning.training_run import USUAL_MINUTES, TrainingLimits, TrainingRun

    setup = setup_of(game_id, players, option_texts)
    file = Path(out or shipped_name(setup.players))
    run = TrainingRun(setup, seed, file, command_of_result())
    _start_or_resume(run, file, resume)
    _work(run, TrainingLimits.chosen(minutes, most, USUAL_MINUTES), as_json)


@click.command("exploit")
@game_options
@click.argument("bot")
@click.option(
    "--minutes",
    type=FiniteRange(0, min_open=True),
    help="Minutes of a core to learn, the bot's own time and those before --resume included (default: 10; with --games "
    "no limit).",
)
@_most_games_option
@click.option(
    "--deals",
    type=click.IntRange(2, 1_000_000),
    help="Deals of the check (default: 4,000 against thumb, 200 against others).",
)
@click.option("--out", metavar="FILE", help="The policy's file (default: exploit_GAME_PLAYERS.json).")
@_resume_option
@seed_option
@move_time_option
@json_option
def exploit(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    bot: str,
    minutes: float | None,
    most: int | None,
    deals: int | None,
    out: str | None,
    resume: bool,
    seed: int,
    move_time: float,
    as_json: bool,
) -> None:
    """Learn to beat a frozen bot, and measure by how much.

    A policy that sees only observations plays all its games against BOT. It starts as the policy that the game ships,
    or else close to the heuristic. At the end it plays fresh deals from every side. The file is a bot: `parlour match
    learned:FILE BOT GAME`. Ctrl-C keeps the policy learned so far.
    """
    from parlour.contests.exploitation import USUAL_MINUTES, ExploitRun
    from parlour.learning.training_run import TrainingLimits

    setup = setup_of(game_id, players, option_texts)
    file = Path(out or f"exploit_{setup.game.id}_{setup.players}.json")
    run = ExploitRun(setup, bot, seed, file, command_of_result(), deals, move_time)
    _start_or_resume(run, file, resume)
    _work(run, TrainingLimits.chosen(minutes, most, USUAL_MINUTES), as_json)


def _check_new(file: Path) -> None:
    """Raise an error if a file exists or cannot be created."""
    try:
        file.open("x").close()
        file.unlink()
    except FileExistsError:
        raise click.ClickException(f"{file} exists already; --out names another file.") from None
    except OSError as error:
        raise click.ClickException(f"{file}: cannot be written: {error.strerror}") from None


def _start_or_resume(run: Any, file: Path, resume: bool) -> None:
    if resume:
        run.continue_from_checkpoint()
    elif file.exists():
        raise click.ClickException(f"{file} exists already; --resume continues it, --out names another file.")


def _work(run: Any, limits: Any, as_json: bool) -> None:
    """Train to the limits and check the policy, unless Ctrl-C ends this early; then print the report."""
    from parlour.engine.validation import counted

    stopped = ""
    click.echo("Compiling the rules and the policy if they are new (about half a minute) …", err=True)
    seconds = round(60 * limits.minutes) if math.isfinite(limits.minutes) else None
    with progress_bar("Seconds", seconds, round(60 * run.training.minutes)) as advance:
        try:
            run.work(limits, advance, print_above)
            run.check()
        except KeyboardInterrupt:
            games = counted(run.training.iteration * run.training.size, "game")
            stopped = f"Stopped before the end, after {games}. The same command with --resume continues."
    report(run, as_json, stopped)
