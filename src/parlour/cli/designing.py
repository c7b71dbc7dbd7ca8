"""The command for those who make a game's rules: ``study``."""

from collections.abc import Iterable
from contextlib import ExitStack, closing
from typing import Any

import click

from parlour.cli.arguments import json_option, move_time_option, seed_option
from parlour.cli.progress import progress_bar
from parlour.cli.reporting import report


@click.command("study")
@click.argument("game_id", metavar="GAME")
@click.option("--players", "-p", default=None, metavar="NUMBERS", help="Numbers of players, as 2-4 or 2,4.")
@click.option(
    "--option",
    "-o",
    "given",
    multiple=True,
    metavar="NAME=VALUE,…",
    help="Values of an option, as rounds=2,4; of several options every combination.",
)
@click.option(
    "--variation",
    "listed",
    multiple=True,
    metavar="NAME=VALUE,…",
    help="One variation, as players=3,rounds=2, instead of every combination; may be given several times.",
)
@click.option(
    "--bots", default="random,thumb,regular", show_default=True, metavar="BOT,…", help="Who plays, from weak to strong."
)
@click.option("--deals", "-n", type=click.IntRange(2), default=100, show_default=True, help="Number of deals.")
@click.option(
    "--look",
    "looked",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="DEALS",
    help="Tell chances to win at every decision of the strongest bot in so many deals: for drama and comebacks.",
)
@click.option(
    "--guesses", type=click.IntRange(16), default=32, show_default=True, help="Determinizations for each such chance."
)
@click.option(
    "--clauses",
    "watched",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    metavar="DEALS",
    help="Count in so many deals how often each clause of the rules fires, and which points come from what.",
)
@seed_option
@move_time_option
@click.option("--cores", type=click.IntRange(1), default=None, help="Cores to use (default: all).")
@click.option("--out", metavar="DIR", help="Keep the games in a folder; an existing study is continued.")
@json_option
@click.option("--records", is_flag=True, help="Keep every game event by event, too; slower.")
def study(
    game_id: str,
    players: str | None,
    given: tuple[str, ...],
    listed: tuple[str, ...],
    bots: str,
    seed: int,
    move_time: float,
    records: bool,
    looked: int,
    guesses: int,
    watched: int,
    **settings: Any,
) -> None:
    """Play variations of a game on the same deals, and compare them.

    The first of the values of each option makes the variation that all others are compared with.
    """
    from parlour.lab.study.choices import bots_of
    from parlour.lab.study.plan import Study

    if records and not settings["out"]:
        raise click.BadParameter("records are kept in a folder: name one with --out DIR", param_hint="--records")
    setups = _variations(game_id, players, given, listed)
    _run_study(Study(tuple(setups), bots_of(bots), seed, move_time, records, looked, guesses, watched), **settings)


def _variations(game_id: str, players: str | None, given: tuple[str, ...], listed: tuple[str, ...]) -> list[Any]:
    """The variations asked for; those that are impossible are told of and left out. Raises :class:`ParlourError`."""
    from parlour.games import find_game
    from parlour.lab.study.choices import choices_of, numbers_of, options_of
    from parlour.lab.study.plan import every_variation, listed_variations

    game = find_game(game_id)
    numbers = [game.usual_players] if players is None else numbers_of(players)
    if listed:
        if given or len(numbers) > 1:
            raise click.BadParameter("it goes with neither --option nor several numbers", param_hint="--variation")
        return listed_variations(game, numbers[0], [options_of(text) for text in listed])
    found, left_out = every_variation(game, numbers, choices_of(given))
    for reason in left_out:
        click.echo(f"Left out: {reason}", err=True)
    return found


def _run_study(plan: Any, deals: int, cores: int | None, out: str | None, as_json: bool) -> None:
    """Play a study to the end or until Ctrl-C, then tell what it found."""
    from parlour.lab.results import play_and_keep
    from parlour.lab.study.findings import Findings
    from parlour.lab.study.folder import StudyFolder

    found: list[Any] = []
    with ExitStack() as open_things:
        folder = open_things.enter_context(StudyFolder(out, plan)) if out else None
        file = folder.file if folder else None
        kept = min(deals, len(file.deals)) if file else 0
        if kept:
            click.echo(f"{kept} of {deals} deals were in {out} already.", err=True)
        if kept < deals:
            click.echo("Compiling the rules and bots if they are new (some seconds) …", err=True)
        advance = open_things.enter_context(progress_bar("Deals", deals, kept))
        played = play_and_keep(plan, deals, file, cores, advance, found.append)
        open_things.enter_context(closing(played))
        stopped = _play_out(played)
        findings = Findings(plan, found)
        written = folder.write(found, findings) if folder and findings.begun else []
    if written:
        click.echo(f"In {out}: {', '.join(written)}", err=True)
    way_on = "The same command continues from there." if out else "With --out DIR it could have been continued."
    end = f"Stopped after {len(found)} of {deals} deals. {way_on}" if stopped else ""
    report(findings, as_json, end)


def _play_out(played: Iterable[Any]) -> bool:
    """Play all that is to be played; whether Ctrl-C ended it."""
    try:
        for _ in played:
            pass
    except KeyboardInterrupt:
        return True
    return False
