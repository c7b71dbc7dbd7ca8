"""Commands for designers of games: ``study``, ``tune`` and ``remedies``."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from typing import Any

import click

from parlour.cli.arguments import (
    game_argument,
    game_options,
    json_option,
    move_time_option,
    refuse_option_alone,
    seed_option,
    setup_of,
    where_options,
)
from parlour.cli.contest_commands import play_with_progress, show_precision
from parlour.cli.progress import progress_bar
from parlour.cli.report_output import report, report_before_error, stopped_text
from parlour.engine.errors import ParlourError


@click.command("study")
@game_argument
@click.option("--players", "-p", default=None, metavar="NUMBERS", help="Numbers of players, e.g. 2-4 or 2,4.")
@click.option(
    "--option",
    "-o",
    "option_texts",
    multiple=True,
    metavar="NAME=VALUE,…",
    help="Values of an option, e.g. rounds=2,4 or hand=4-8/2; several options are combined.",
)
@click.option(
    "--variation",
    "listed",
    multiple=True,
    metavar="NAME=VALUE,…",
    help="A single variation, e.g. players=3,rounds=2, instead of every combination; repeatable.",
)
@click.option(
    "--bots", default="random,thumb,search", show_default=True, metavar="BOT,…", help="Bots, from weak to strong."
)
@click.option(
    "--deals",
    "-n",
    type=click.IntRange(2),
    default=None,
    help="Number of deals [default: 100; with --until at most 1,000,000].",
)
@click.option(
    "--until",
    metavar="MEASURE within N",
    help="Play until measures are known, e.g. 'win share within 1 point' or 'decisions within 0.5'.",
)
@click.option(
    "--evaluated-deals",
    "evaluated_deals",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    metavar="DEALS",
    help="Number of deals with win probabilities at every decision of the strongest bot, for lead histories and drama.",
)
@click.option(
    "--determinizations",
    type=click.IntRange(16),
    default=32,
    show_default=True,
    help="Determinizations per win probability.",
)
@click.option(
    "--traced-deals",
    "traced_deals",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    metavar="DEALS",
    help="Number of deals with counts of fired clauses and of the sources of points.",
)
@click.option(
    "--replicated-deals",
    type=click.IntRange(0),
    default=0,
    metavar="DEALS",
    help="Number of deals that the strongest bot plays several times, for the share of luck.",
)
@click.option(
    "--replicates", type=click.IntRange(2), default=4, show_default=True, help="Games of each replicated deal."
)
@seed_option
@move_time_option
@where_options
@click.option("--out", metavar="FOLDER", help="Store the games in a folder; an existing study is continued.")
@json_option
@click.option("--records", is_flag=True, help="Also store the events of every game; slower.")
@click.option(
    "--people",
    multiple=True,
    metavar="FILE",
    help="Records of people's finished games, shown beside the bots; repeatable.",
)
@click.option(
    "--judged",
    type=click.IntRange(0),
    default=200,
    show_default=True,
    metavar="DECISIONS",
    help="With --people: number of decisions of each player whose cost is estimated.",
)
@click.option("--pictures", is_flag=True, help="Also write the report's pictures as SVG and PNG.")
@click.option("--pdf", is_flag=True, help="Also write the report as a PDF file of a few pages.")
def study(
    game_id: str,
    players: str | None,
    option_texts: tuple[str, ...],
    listed: tuple[str, ...],
    bots: str,
    seed: int,
    move_time: float,
    records: bool,
    evaluated_deals: int,
    determinizations: int,
    traced_deals: int,
    replicated_deals: int,
    replicates: int,
    people: tuple[str, ...],
    judged: int,
    **settings: Any,
) -> None:
    """Play variations of a game on the same deals, and compare them.

    The first value of each option defines the variation that all others are compared with.
    """
    from parlour.render.pdf import check_pdf
    from parlour.studies.arguments import bots_of
    from parlour.studies.people.people import People
    from parlour.studies.plan import Study

    refuse_option_alone("judged", "people")
    refuse_option_alone("determinizations", "evaluated_deals")
    refuse_option_alone("replicates", "replicated_deals")
    for enabled, what in ((records, "--records"), (settings["pictures"], "--pictures"), (settings["pdf"], "--pdf")):
        if enabled and not settings["out"]:
            raise click.BadParameter("it is kept in a folder: name one with --out FOLDER", param_hint=what)
    if settings["pdf"]:
        check_pdf()
    setups = _variations(game_id, players, option_texts, listed)
    counted = evaluated_deals, determinizations, traced_deals, replicated_deals, replicates
    plan = Study(tuple(setups), bots_of(bots), seed, move_time, records, *counted)
    _run_study(plan, people=People(plan, people, judged) if people else None, **settings)


@click.command("tune")
@game_argument
@click.option("--goal", required=True, metavar="CRITERION,…", help="Goal, e.g. 'fair within 1 point, 20-30 minutes'.")
@click.option("--players", "-p", default=None, metavar="NUMBERS", help="Numbers of players, e.g. 2-4 or 2,4.")
@click.option(
    "--option",
    "-o",
    "option_texts",
    multiple=True,
    metavar="NAME=VALUES",
    help="Values of an option, e.g. ace=high,low, limit=5-40 or limit=20-200/20 (default: all, except of numbers).",
)
@click.option("--bots", default="thumb", show_default=True, metavar="BOT,…", help="Bots, from weak to strong.")
@click.option("--trials", type=click.IntRange(1), default=40, show_default=True, help="Maximum number of variations.")
@click.option(
    "--deals", "-n", type=click.IntRange(2), default=256, show_default=True, help="Deals of a variation that fits well."
)
@seed_option
@move_time_option
@where_options
@click.option("--out", metavar="FOLDER", help="Store the deals in a folder; the same command continues from them.")
@json_option
def tune(
    game_id: str,
    goal: str,
    players: str | None,
    option_texts: tuple[str, ...],
    bots: str,
    trials: int,
    deals: int,
    seed: int,
    move_time: float,
    where: Any,
    out: str | None,
    as_json: bool,
) -> None:
    """Search a game's options for values that fit a goal.

    Variations that fit badly are given up after a few deals. The result lists every other variation, unless one
    is significantly better in some criterion and on average worse in none.
    """
    from pathlib import Path

    from parlour.games import find_game
    from parlour.studies.arguments import bots_of, numbers_of
    from parlour.studies.tune.pareto import Front
    from parlour.studies.tune.plan import TuningPlan
    from parlour.studies.tune.search import OptionSearch
    from parlour.studies.tune.space import space_of

    game = find_game(game_id)
    space = space_of(game, [game.usual_players] if players is None else numbers_of(players), option_texts)
    search = OptionSearch(
        TuningPlan(space, goal, bots_of(bots), deals, trials, seed, move_time), Path(out) if out else None
    )
    stopped = ""
    with progress_bar("Variations", min(trials, space.size)) as advance:
        try:
            search.run(where, advance)
            search.check(Front(search).to_check, where)
        except KeyboardInterrupt:
            reached = f"at variation {len(search.tried)} of {min(trials, space.size)}"
            stopped = stopped_text(reached, "FOLDER", out)
    report(Front(search), as_json, stopped)


@click.command("remedies")
@game_options
@click.option("--bot", default="thumb", show_default=True, help="The bot that plays all seats.")
@click.option("--side", type=click.IntRange(1), help="The number of a side, instead of the first player.")
@click.option("--deals", "-n", type=click.IntRange(4), default=400, show_default=True, help="Deals of each remedy.")
@seed_option
@where_options
@json_option
def remedies(
    game_id: str,
    players: int | None,
    option_texts: tuple[str, ...],
    bot: str,
    side: int | None,
    deals: int,
    seed: int,
    where: Any,
    as_json: bool,
) -> None:
    """Try remedies for an edge of the first player or of a side.

    A remedy changes one option, takes the rules of an installed variation, or gives points to the other sides. The
    changed games nearest to even are played again on fresh deals.
    """
    from parlour.studies.arguments import bots_of
    from parlour.studies.remedies import Remedies

    player, *others = bots_of(bot)
    if others:
        raise click.BadParameter("one bot plays all seats", param_hint="--bot")
    found = Remedies(setup_of(game_id, players, option_texts), player, seed, None if side is None else side - 1)
    stopped = ""
    try:
        _play_all(found.study, deals, where, found.deals)
        if again := found.plan_check():
            click.echo("The remedies nearest to even are played again on fresh deals.", err=True)
            _play_all(again, deals, where, found.fresh)
    except KeyboardInterrupt:
        stopped = f"Stopped after {len(found.deals):,} of {deals:,} deals, and {len(found.fresh):,} fresh ones."
    report(found, as_json, stopped)


def _play_all(plan: Any, deals: int, where: Any, found: list[Any]) -> None:
    with play_with_progress(plan, deals, where, None, None, found.append) as (played, _, _):
        for _ in played:
            pass


def _variations(game_id: str, players: str | None, option_texts: tuple[str, ...], listed: tuple[str, ...]) -> list[Any]:
    """Return the requested variations; report and skip impossible combinations. Raises :class:`ParlourError`."""
    from parlour.engine.validation import counted
    from parlour.games import find_game
    from parlour.studies.arguments import choices_of, numbers_of, options_of
    from parlour.studies.plan import every_variation, listed_variations

    game = find_game(game_id)
    numbers = [game.usual_players] if players is None else numbers_of(players)
    if listed:
        if option_texts or len(numbers) > 1:
            raise click.BadParameter("it goes with neither --option nor several numbers", param_hint="--variation")
        setups = listed_variations(game, numbers[0], [options_of(text) for text in listed])
        if repeated := len(listed) - len(setups):
            click.echo(f"Left out: {counted(repeated, 'variation')} listed again in other words", err=True)
        return setups
    found, left_out = every_variation(game, numbers, choices_of(option_texts))
    for reason in left_out:
        click.echo(f"Left out: {reason}", err=True)
    return found


def _announce_evaluation(deals: int, played: int) -> None:
    """Print that win probabilities of deals are evaluated, unless these deals were played before."""
    from parlour.engine.validation import counted

    if deals > played:
        shown = counted(deals, "deal")
        click.echo(
            f"Win probabilities are evaluated in {shown}, which takes longer (--evaluated-deals 0 leaves them out).",
            err=True,
        )


def _run_study(
    plan: Any,
    people: Any,
    deals: int | None,
    where: Any,
    out: str | None,
    as_json: bool,
    pictures: bool,
    pdf: bool,
    until: str | None = None,
) -> None:
    """Play a study to its end, until its measures are known, or until Ctrl-C; store and print its findings."""
    from parlour.contests.play import most_deals
    from parlour.contests.results_file import ResultsError
    from parlour.studies.findings import Findings
    from parlour.studies.folder import StudyFolder
    from parlour.studies.precision import Precision

    found: list[Any] = []
    failure: ParlourError | None = None
    stopped, precision = False, Precision(until, plan) if until else None
    deals = most_deals(deals, precision is not None)
    with ExitStack() as open_things:
        folder = open_things.enter_context(StudyFolder(out, plan)) if out else None
        file = folder.file if folder else None
        _announce_evaluation(min(plan.evaluated_deals, deals), len(file.deals) if file else 0)
        played, advance, time_left = open_things.enter_context(
            play_with_progress(plan, deals, where, file, out, found.append, precision is not None)
        )
        try:
            stopped = _play_out(played, partial(_is_known, precision, found, deals, advance, time_left))
            stopped = stopped or _evaluate_people(people, found, where)
        except ResultsError as error:
            failure = error
        findings = Findings(plan, found, precision, people)
        end = stopped_text(f"after {len(found):,} of {deals:,} deals", "FOLDER", out) if stopped else ""
        if folder and findings.has_results and not failure:
            unfinished, failure = _try_to_write(partial(_write_report, folder, plan, found, findings, pictures, pdf))
            end = unfinished or end
    if failure:
        report_before_error(findings, as_json, failure)
    report(findings, as_json, end)


def _evaluate_people(people: Any, deals: list[Any], where: Any) -> bool:
    """Evaluate recorded games of people, and games of the bots; return whether Ctrl-C stopped the evaluation."""
    if not people:
        return False
    with progress_bar("Games of people and bots", sum(1 for _ in people.jobs(deals))) as advance:
        try:
            people.evaluate(deals, where, advance)
        except KeyboardInterrupt:
            return True
    return False


def _try_to_write(write: Callable[[], None]) -> tuple[str, ParlourError | None]:
    """Write a report; return the sentence on Ctrl-C, or empty, and the error that ended the writing, if any."""
    try:
        write()
    except KeyboardInterrupt:
        return "Stopped before the report was written. The same command writes it.", None
    except ParlourError as error:
        return "", ParlourError(f"{error}. The deals are stored; the same command writes the report.")
    return "", None


def _write_report(folder: Any, plan: Any, deals: list[Any], findings: Any, pictures: bool, pdf: bool) -> None:
    """Write the report and its pictures, then name the files and the URL of the report in the card room."""
    from parlour.studies.folder import REPORT
    from parlour.studies.report.pictures import write_pictures
    from parlour.studies.report.report_store import store_report

    if folder.file.is_read_only:
        click.echo(f"{folder.path} cannot be written, so the report is not written again.", err=True)
        return
    click.echo("Writing the report: typical games are played again, and pictures drawn …", err=True)
    written = folder.write(deals, findings, pdf)
    more = [f"pictures ({len(write_pictures(folder.path / REPORT))} files)"] if pictures else []
    click.echo(f"In {folder.path}: {', '.join([*written, *more])}", err=True)
    if name := store_report(folder.path / REPORT, plan):
        click.echo(f"While the card room is open (parlour), also at http://localhost:8080/studies/{name}", err=True)


def _play_out(played: Iterable[Any], enough: Callable[[], bool]) -> bool:
    """Play deals until they are ``enough`` or all played; return whether Ctrl-C stopped the play."""
    try:
        for _ in played:
            if enough():
                break
    except KeyboardInterrupt:
        return True
    return False


def _is_known(precision: Any, found: list[Any], deals: int, advance: Any, time_left: Any) -> bool:
    """Return whether a study's targets are known; adapt the estimate of the time to the deals that they need."""
    if precision is None:
        return False
    known, widest = precision.check(found), precision.widest
    if widest:
        show_precision(widest, precision.needed, deals, advance, time_left)
    return bool(known)
