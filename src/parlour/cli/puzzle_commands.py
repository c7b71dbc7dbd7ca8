"""Commands for puzzles: ``puzzles`` finds them, ``grade`` grades them again, and ``puzzle`` presents them."""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing
from itertools import count
from typing import TYPE_CHECKING

import click

from parlour.cli.arguments import (
    MOST_EFFORT,
    game_argument,
    game_options,
    language_option,
    seed_option,
    setup_of,
    where_options,
)
from parlour.cli.progress import progress_bar
from parlour.cli.report_output import check_writable, report_stored
from parlour.interrupts import STOPPED
from parlour.languages import gettext

if TYPE_CHECKING:
    from parlour.jobs.tasks import Placement
    from parlour.puzzles.finder import PuzzleSearch
    from parlour.puzzles.puzzle_file import PuzzleFile

MOST_BARREN_GAMES = 60
"""Number of games without a puzzle in a row after which the search ends."""


@click.command()
@game_options
@click.option("--number", "-n", type=click.IntRange(1), default=200, show_default=True, help="Number of puzzles.")
@click.option("--out", required=True, metavar="FILE", help="File of puzzles; an existing one is continued.")
@click.option("--theme", default="", metavar="WORD", help="Only puzzles with this theme, such as lead, swap or trap.")
@click.option(
    "--effort",
    type=click.IntRange(1000, MOST_EFFORT // 20),  # the check takes 20 times as much
    default=None,
    help="Actions to simulate in the first search (default: 300,000).",
)
@seed_option
@where_options
def puzzles(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    number: int,
    out: str,
    theme: str,
    effort: int | None,
    seed: int,
    where: Placement,
) -> None:
    """Find puzzles: decisions with one best action, in games of strong bots.

    The best action is checked with 20 times the effort of the first search. The same command continues a file.
    """
    from parlour.insight.course import EFFORT
    from parlour.puzzles.finder import PuzzleSearch
    from parlour.puzzles.puzzle_file import PuzzleFile
    from parlour.puzzles.themes import check_theme, possible_themes

    work = PuzzleSearch(setup_of(game_id, players, option_texts), seed, theme.lower(), effort or EFFORT)
    if work.theme:
        check_theme(work.theme, possible_themes(work.setup))
    with PuzzleFile(out, work.facts) as file:
        kept = len(file.puzzles)
        if kept:
            click.echo(f"{min(kept, number)} of {number} puzzles were in {out} already.", err=True)
        if kept < number:
            click.echo("Compiling the rules and bots if they are new (some seconds) …", err=True)
            try:
                _add_puzzles(file, work, number, where)
            except KeyboardInterrupt:
                click.echo(
                    f"Stopped: {len(file.puzzles)} of {number} puzzles are in {out}; the same command continues.",
                    err=True,
                )
                sys.exit(STOPPED)
    report_stored(len(file.puzzles), "puzzle", work.setup.game.title, out)


def _add_puzzles(file: PuzzleFile, work: PuzzleSearch, number: int, where: Placement) -> None:
    """Search games until the file has ``number`` puzzles.

    Raises:
        ParlourError: no puzzle was found in the last :data:`MOST_BARREN_GAMES` games.
    """
    from parlour.engine.errors import ParlourError
    from parlour.engine.validation import counted
    from parlour.jobs.pool import do_jobs

    first, known = file.first_game, {each.id for each in file.puzzles}
    fruitful = first if known else first - 1  # the last game with a puzzle
    with (
        progress_bar("Puzzles", number, len(file.puzzles)) as advance,
        closing(do_jobs(work, count(first), where)) as found,
    ):
        while len(file.puzzles) < number:
            game_number, of_game = next(found)
            of_game = [each for each in of_game if each.id not in known][: number - len(file.puzzles)]
            file.add(of_game)
            fruitful = game_number if of_game else fruitful
            advance(
                len(of_game), lambda game_number=game_number: f"{counted(game_number + 1 - first, 'game')} searched"
            )
            if game_number - fruitful >= MOST_BARREN_GAMES:
                raise ParlourError(
                    f"only {len(file.puzzles)} of {number} puzzles: {MOST_BARREN_GAMES} games in a row have "
                    "none; try other options or another --theme"
                )


@click.command()
@click.argument("name", metavar="FILE")
@seed_option
@where_options
def grade(name: str, seed: int, where: Placement) -> None:
    """Grade the puzzles of a file again, after the levels have changed.

    The puzzles stay; their percentages for each level and their ratings are replaced. Ctrl-C leaves the file as it is.
    """
    from parlour.bots import LEVELS
    from parlour.jobs.pool import do_jobs
    from parlour.puzzles.grade import GradeWork
    from parlour.puzzles.puzzle_file import locked_puzzles

    graded = []
    with ExitStack() as open_things:
        found, replace = open_things.enter_context(locked_puzzles(name))  # `puzzles` would add some that are lost
        check_writable(name, "the grades")
        advance = open_things.enter_context(progress_bar("Puzzles", len(found.puzzles)))
        work = GradeWork(found.setup, seed)
        for _, puzzle in open_things.enter_context(closing(do_jobs(work, iter(found.puzzles), where))):
            graded.append(puzzle)
            advance(1)
        replace(graded)
    click.echo(f"{'mean percentage of':20} before  now")
    for level in LEVELS:
        before, now = (
            sum(each.levels.get(level, 0) for each in of) / max(1, len(of)) for of in (found.puzzles, graded)
        )
        click.echo(f"{level:20} {before:6.0f} {now:4.0f}")


@click.command()
@game_argument
@click.option("--file", metavar="FILE", help="Puzzles of this file (default: those of the game's package).")
@click.option("--theme", default="", metavar="WORD", help="Only puzzles with this theme, such as lead, swap or trap.")
@click.option("--plain", is_flag=True, help="Words and notation only, for screen readers.")
@language_option
def puzzle(game_id: str, file: str | None, theme: str, plain: bool) -> None:
    """Solve puzzles in the terminal: find the one best action.

    The rating and the streak are kept in your data folder.
    """
    from parlour.cli.puzzle_trainer import train_in_terminal
    from parlour.games import find_game
    from parlour.puzzles.puzzle import PuzzleError
    from parlour.puzzles.puzzle_file import read_puzzles, shipped_puzzles
    from parlour.puzzles.themes import check_theme

    game = find_game(game_id)
    of_game = read_puzzles(file) if file else shipped_puzzles(game_id)
    if of_game is None or not of_game.puzzles:
        command = f"parlour puzzles {game_id} --out FILE"
        raise PuzzleError(
            gettext("{game} has no puzzles yet; make some with: {command}", game=game.title, command=command)
        )
    if of_game.setup.game is not game:
        found = of_game.setup.game.title
        raise PuzzleError(gettext("{file}: puzzles of {found}, not of {game}", file=file, found=found, game=game.title))
    check_theme(theme.lower(), {each for puzzle in of_game.puzzles for each in puzzle.themes})
    train_in_terminal(of_game, theme.lower(), plain)
