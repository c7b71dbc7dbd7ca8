"""Commands for players: ``games``, ``rules``, ``learn`` and ``play``."""

from pathlib import Path
from typing import Any

import click

from parlour.cli.arguments import (
    SEED,
    FiniteRange,
    game_argument,
    game_options,
    language_option,
    move_time_option,
    option_name,
    refuse_options_beside,
    setup_of,
    typed_options,
)


@click.command()
def games() -> None:
    """List the games of the room."""
    from parlour.engine.game import players_text
    from parlour.games import all_games

    for game in all_games():
        click.echo(f"{game.id}  ({players_text(game.players)} players)")
        click.echo(f"    {game.summary}")
        click.echo(f"    {game.credit}")


@click.command()
@game_options
@click.option("--markdown", is_flag=True, help="Print Markdown instead of formatted text.")
@click.option("--html", metavar="FILE", help="Write printable rules of the variation, with its changes marked.")
@click.option("--pdf", metavar="FILE", help="Write the same as a PDF file.")
@language_option
def rules(
    game_id: str, players: int | None, option_texts: tuple[str, ...], markdown: bool, html: str | None, pdf: str | None
) -> None:
    """Show a game's rules, options and credits, or those of a variation.

    With --html or --pdf, write the rules of one variation for play on a real table.
    """
    from parlour.authors.printed_rules import changes_text, write_printed_rules
    from parlour.authors.rules_pages import rules_page

    refuse_options_beside("html", "markdown")
    refuse_options_beside("pdf", "markdown")
    setup = setup_of(game_id, players, option_texts)
    for file, as_pdf in ((html, False), (pdf, True)):
        if file:
            write_printed_rules(Path(file), setup, as_pdf)
            click.echo(f"Written: {file}", err=True)
    if html or pdf:
        return
    text = rules_page(game_id, changes_text(setup))
    if markdown:
        click.echo(text, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))


@click.command()
@game_argument
@click.option("--plain", is_flag=True, help="Words and notation only, for screen readers.")
@language_option
def learn(game_id: str, plain: bool) -> None:
    """Learn a game by playing its guided first hands, in the terminal."""
    from parlour.cli.lesson import learn_in_terminal

    learn_in_terminal(game_id, plain, typed_options("plain", "language"))


@click.command()
@game_options
@click.option("--seat", type=int, help="Your seat (default: that of the resumed game, or 0).")
@click.option("--bots", default="thumb", show_default=True, help="Bots for the other seats: one for all, or a list.")
@click.option("--resume", metavar="FILE", help="File of an unfinished game to continue.")
@click.option(
    "--record",
    "record_file",
    metavar="FILE",
    help="File for the game (default: the resumed file, or a new one in your data folder).",
)
@click.option("--plain", is_flag=True, help="Words and notation only: no colours, lines or blocks, for screen readers.")
@click.option("--pace", type=FiniteRange(0), default=0.4, show_default=True, help="Seconds between the bots' actions.")
@move_time_option
@click.option(
    "--seed",
    type=SEED,
    help="Seed of the cards and of the built-in bots: the same actions then give the same game (default: random).",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    help="Threads for a bot's search, which chooses the same with any number (default: one for each core).",
)
@language_option
def play(game_id: str, players: int | None, option_texts: tuple[str, ...], **settings: Any) -> None:
    """Play in the terminal against bots."""
    if "://" in game_id:
        raise click.UsageError("A link opens in a browser: in the terminal you play against bots")
    from parlour.cli.game_file import PLAYERS
    from parlour.cli.terminal import play_in_terminal

    named = [*map(option_name, option_texts), *([] if players is None else [PLAYERS])]
    repeated = typed_options("seat", "bots", "plain", "pace", "move_time", "seed", "threads", "language")
    play_in_terminal(setup_of(game_id, players, option_texts), named, repeated, **settings)
