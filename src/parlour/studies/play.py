"""Studies from Python (:func:`study`)."""

from collections.abc import Sequence
from contextlib import ExitStack, closing

from parlour.bots.protocol import MOVE_TIME
from parlour.contests.play import FEWEST_DEALS, Progress, bot_id
from parlour.contests.results_file import play_and_keep
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.engine.validation import shown, whole
from parlour.jobs.tasks import Where
from parlour.studies.findings import Findings
from parlour.studies.folder import StudyFolder
from parlour.studies.plan import Study


def study(
    setups: Sequence[Setup],
    bots: "Sequence[str | type]" = ("random", "thumb", "regular"),
    deals: int = 100,
    *,
    seed: int = 0,
    evaluated_deals: int = 10,
    determinizations: int = 32,
    traced_deals: int = 10,
    records: bool = False,
    move_time: float = MOVE_TIME,
    out: str | None = None,
    cores: int | None = 1,
    on: str = "",
    progress: Progress = lambda deals: None,
) -> Findings:
    """Play variations of a game on the same deals and compare them, as ``parlour study`` does.

    Args:
        setups: the variations of one game; the others are compared with the first.
        bots: from weak to strong, as in :func:`parlour.match`.
        deals: the number of deals, at least 2.
        seed: the same seed gives the same games.
        evaluated_deals: the number of deals with win probabilities at every decision of the strongest bot.
        determinizations: the number of determinizations per win probability.
        traced_deals: the number of deals with counts of clauses and of the sources of points.
        records: whether the folder also keeps the events of every game.
        move_time: seconds that an external bot may take for a decision.
        out: a folder that keeps the deals, a table and a report; a run that was interrupted continues from it.
        cores: the number of games at a time, ``None`` for all cores.
        on: another place than this machine, as in :func:`parlour.match`.
        progress: called with the number of deals newly played, a fraction.

    Returns:
        the findings: estimates with intervals for each variation, and the differences between variations.

    Raises:
        ParlourError: an argument is invalid, or the folder cannot be written or is another study's.
    """
    given = [setups] if isinstance(setups, Setup) else list(setups)
    if not all(isinstance(each, Setup) for each in given) or len({each.game.id for each in given}) > 1:
        raise ParlourError(f"setups of one game are wanted, as parlour.make returns them, not {shown(setups)}")
    named = tuple(map(bot_id, [bots] if isinstance(bots, str) else bots))
    plan = Study(tuple(given), named, seed, move_time, records, evaluated_deals, determinizations, traced_deals)
    deals = whole("the number of deals", deals, FEWEST_DEALS)
    with ExitStack() as stack:
        folder = stack.enter_context(StudyFolder(out, plan)) if out else None
        file = folder.file if folder else None
        played = stack.enter_context(closing(play_and_keep(plan, deals, file, Where(cores, on), progress)))
        found = list(played)
        findings = Findings(plan, found)
        if folder:
            folder.write(found, findings)
    return findings
