"""The command that fits a bot to recorded choices: ``fit``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from parlour.cli.arguments import game_argument, json_option, seed_option, where_options
from parlour.cli.report_output import run_study

if TYPE_CHECKING:
    from parlour.jobs.tasks import Placement


@click.command("fit")
@game_argument
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--decisions",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="Number of choices to evaluate, drawn from all.",
)
@seed_option
@where_options
@json_option
def fit(game_id: str, files: tuple[str, ...], decisions: int, seed: int, where: Placement, as_json: bool) -> None:
    """Fit a bot to the choices of people in records.

    Prints the bot's name for other commands, and how often it makes choices that it was not fitted to.
    """
    from parlour.games import find_game
    from parlour.studies.people.fit_result import BotFit

    found = BotFit(find_game(game_id), files, decisions, seed)
    run_study("Games", found.number, lambda advance: found.evaluate(where, advance), found, as_json, {"seed": seed})
