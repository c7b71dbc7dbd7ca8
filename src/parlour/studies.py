"""The commands that study bots: contests, exact ends, and whether what they foresee and may know is true."""

import json
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from typing import Any, Protocol

import click

from parlour.arguments import Command, game_options, json_option, move_time_option, seed_option, setup_of, setups_of
from parlour.engine.errors import ParlourError
from parlour.progress import progress_bar


def contest_options(command: Command) -> Command:
    """What ``match`` and ``ladder`` have in common."""
    for option in (
        json_option,
        click.option("--out", metavar="FILE", help="Keep the results there; named again, go on with what is in it."),
        click.option("--cores", type=click.IntRange(1), default=None, help="How many cores play (default: all)."),
        move_time_option,
        seed_option,
        click.option("--deals", "-n", type=click.IntRange(2), default=100, show_default=True, help="How many deals."),
    ):
        command = option(command)
    return command


@click.command("match")
@click.argument("challenger")
@click.argument("field")
@game_options
@contest_options
@click.option(
    "--sprt", type=(float, float), metavar="LOW HIGH", help="Stop as soon as it is clear which of the two holds."
)
@click.option(
    "--sprt-by",
    type=click.Choice(["wins", "points"]),
    default="wins",
    show_default=True,
    help="What LOW and HIGH are: percentage points of wins above the even share, or points a game above the others.",
)
def match(
    challenger: str,
    field: str,
    game_id: str,
    players: int | None,
    given: tuple[str, ...],
    seed: int,
    move_time: float,
    sprt: tuple[float, float] | None,
    sprt_by: str,
    **settings: Any,
) -> None:
    """Let a bot play against a FIELD of another: the same deals with the seats turned.

    Where partners play, the challenger takes a whole side, each in turn. With `--sprt 0 2` it stops as soon as the
    deals tell whether the challenger wins no more than its even share, or 2 of 100 games more.
    """
    from parlour.lab.contest import MATCH, Contest
    from parlour.lab.measure import SequentialTest
    from parlour.lab.standing import MatchStanding

    setup = setup_of(game_id, players, given)
    if sprt and not sprt[0] < sprt[1]:
        raise click.BadParameter(f"LOW is {sprt[0]:g} and HIGH {sprt[1]:g}, but LOW must be less", param_hint="--sprt")
    contest = Contest(MATCH, setup, (challenger, field), seed, move_time)
    test = SequentialTest(*sprt) if sprt else None
    _run_contest(contest, MatchStanding(contest, test, sprt_by == "points"), **settings)


@click.command()
@game_options
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT …")
@contest_options
def ladder(
    game_id: str,
    players: int | None,
    given: tuple[str, ...],
    bots: tuple[str, ...],
    seed: int,
    move_time: float,
    **settings: Any,
) -> None:
    """Let several bots meet each other, and rate them: the same deals with the seats turned."""
    from parlour.lab.contest import LADDER, Contest
    from parlour.lab.ladder import LadderStanding

    contest = Contest(LADDER, setup_of(game_id, players, given), bots, seed, move_time)
    _run_contest(contest, LadderStanding(contest), **settings)


def _run_contest(contest: Any, standing: Any, deals: int, cores: int | None, out: str | None, as_json: bool) -> None:
    """Play a contest to its end, or until Ctrl-C, and tell how it stands."""
    from parlour.lab.results import ResultsFile, play_and_keep

    stopped = False
    with ExitStack() as open_things:
        file = open_things.enter_context(ResultsFile(out, contest)) if out else None
        kept = min(deals, len(file.deals)) if file else 0
        if kept:
            click.echo(f"{kept} of {deals} deals were in {out} already.", err=True)
        if kept < deals:
            click.echo("Compiling the rules and bots if they are new (some seconds) …", err=True)
        advance = open_things.enter_context(progress_bar("Deals", deals, kept))
        played = open_things.enter_context(closing(play_and_keep(contest, deals, file, cores, advance, standing.add)))
        try:
            for _ in played:
                advance(0, standing.running)
                if standing.decided:
                    break
        except KeyboardInterrupt:
            stopped = True
    way_on = "The same command goes on from there." if out else "With --out FILE it could be gone on with."
    _tell(standing, as_json, f"Stopped after {standing.tally.deals} of {deals} deals. {way_on}" if stopped else "")


@click.command()
@game_options
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT …")
@click.option("--positions", "-n", "wanted", type=click.IntRange(2), default=20, show_default=True, help="How many.")
@click.option(
    "--looks", type=click.IntRange(1), default=4, show_default=True, help="How often a bot is asked what it does."
)
@click.option("--nodes", type=click.IntRange(100), default=200_000, show_default=True, help="How large a tree may be.")
@seed_option
@json_option
def exact(
    game_id: str,
    players: int | None,
    given: tuple[str, ...],
    bots: tuple[str, ...],
    wanted: int,
    looks: int,
    nodes: int,
    seed: int,
    as_json: bool,
) -> None:
    """Solve the ends of games exactly, and tell how far bots are from the best that one can do there."""
    from parlour.lab.exact import Standing, TooFewError, measure
    from parlour.lab.shrunken import Limits

    standing = Standing(setup_of(game_id, players, given), bots, looks)
    work = partial(measure, standing, wanted, seed, Limits(nodes=nodes))
    settings = {"seed": seed, "wanted": wanted, "nodes": nodes}
    _study("Positions", wanted, work, standing, as_json, settings, short=TooFewError)


@click.command()
@game_options
@click.option("--games", "-n", "wanted", type=click.IntRange(2), default=400, show_default=True, help="How many.")
@click.option("--every", type=click.IntRange(1), default=8, show_default=True, help="Foresee one of so many decisions.")
@click.option("--guesses", type=click.IntRange(1), default=200, show_default=True, help="Guesses at each decision.")
@seed_option
@json_option
def foresight(
    game_id: str,
    players: int | None,
    given: tuple[str, ...],
    wanted: int,
    every: int,
    guesses: int,
    seed: int,
    as_json: bool,
) -> None:
    """Hold the chances to win that a search foresees against what comes of the games."""
    from parlour.lab.foresight import Standing, measure

    standing = Standing(setup_of(game_id, players, given))
    work = partial(measure, standing, wanted, seed, every, guesses)
    _study("Games", wanted, work, standing, as_json, {"seed": seed, "every": every, "guesses": guesses})


@click.command()
@click.argument("challenger")
@click.argument("field")
@game_options
@click.option("--deals", "-n", type=click.IntRange(1), default=2, show_default=True, help="In each combination.")
@seed_option
@json_option
def smoke(
    challenger: str,
    field: str,
    game_id: str,
    players: int | None,
    given: tuple[str, ...],
    deals: int,
    seed: int,
    as_json: bool,
) -> None:
    """Let a bot play against a FIELD of another with every number of players and every combination of options."""
    from parlour.lab.smoke import Standing, measure

    setups, asked = setups_of(game_id, players, given)
    standing = Standing(setups, challenger, field)
    work = partial(measure, standing, deals, seed)
    _study("Combinations", len(setups), work, standing, as_json, {**asked, "seed": seed, "deals": deals})


@click.command()
@game_options
@click.option("--positions", "-n", "wanted", type=click.IntRange(1), default=1000, show_default=True, help="How many.")
@seed_option
@json_option
def peeking(game_id: str, players: int | None, given: tuple[str, ...], wanted: int, seed: int, as_json: bool) -> None:
    """Let bots decide in positions that differ only in what they may not know: they are to do and find the same."""
    from parlour.lab.peeking import Standing, measure

    setups, asked = setups_of(game_id, players, given)
    standing = Standing(setups)
    work = partial(measure, standing, wanted, seed)
    _study("Positions", wanted, work, standing, as_json, {**asked, "seed": seed, "wanted": wanted})


class Standing(Protocol):
    """What every study keeps of what it has found so far."""

    @property
    def begun(self) -> bool:
        """Whether there is anything to tell yet."""

    def text(self) -> str:
        """For people."""

    def to_json(self) -> dict[str, Any]:
        """For programs."""


def _study(
    what: str,
    total: int,
    work: Callable[[Callable[[int], None]], None],
    standing: Standing,
    as_json: bool,
    settings: dict[str, Any],
    short: type[ParlourError] | tuple[()] = (),
) -> None:
    """Do the work, to its end or until Ctrl-C, and tell how it stands, as JSON with the settings that it was done with.

    What there is is told as well where there is less to measure than was asked for, which the error ``short`` says.
    """
    click.echo("Compiling the rules and bots if they are new (some seconds) …", err=True)
    stopped = ""
    with progress_bar(what, total) as advance:
        try:
            work(advance)
        except KeyboardInterrupt:
            stopped = "Stopped before the end."
        except short:
            _tell_standing(standing, as_json, settings)
            raise
    _tell(standing, as_json, stopped, settings)


def _tell(standing: Standing, as_json: bool, stopped: str, settings: dict[str, Any] | None = None) -> None:
    """Tell how it stands, and if it was stopped, that it was; the status is that of Ctrl-C then."""
    _tell_standing(standing, as_json, settings or {})
    if stopped:
        click.echo(stopped, err=True)
        sys.exit(130)
    if not standing.begun:
        raise ParlourError("there was nothing to measure in so few games: ask for more")


def _tell_standing(standing: Standing, as_json: bool, settings: dict[str, Any]) -> None:
    """Tell how it stands if there is anything to tell yet."""
    if standing.begun:
        click.echo(json.dumps({**settings, **standing.to_json()}) if as_json else standing.text())
