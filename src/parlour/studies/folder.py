"""The folder of a study: its deals, each appended when played, so that the study can resume; a table and a report."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from parlour.bots.protocol import MOVE_TIME
from parlour.contests.contest import Deal
from parlour.contests.play import FEWEST_DEALS, Progress, bot_id
from parlour.contests.results_file import ResultsFile, play_and_store
from parlour.engine.errors import ParlourError
from parlour.engine.matches.records import RecordWriter
from parlour.engine.setup import Setup
from parlour.engine.validation import positive, shown, whole
from parlour.extras import extra
from parlour.jobs.tasks import Placement
from parlour.studies.findings import Findings
from parlour.studies.plan import Study
from parlour.studies.report.page import report_page, write_printed_report, write_report
from parlour.studies.report.typical import typical_table
from parlour.studies.table import check_table, write_table
from parlour.studies.typical_games import typical_games

DEALS, TABLE, RECORDS, REPORT = "deals.jsonl", "games.parquet", "records.jsonl", "report.html"
TYPICAL, PRINTED = "typical.jsonl", "report.pdf"
_NEEDED = ("polars", "altair", "vl_convert")


class StudyFolder:
    """Folder of one study, created or continued.

    Attributes:
        path: the folder.
        file: the results file; each deal is written as soon as it has been played.
    """

    def __init__(self, name: str, study: Study) -> None:
        """Open or create a folder. Raises :class:`ParlourError` if it is not writable or holds another study."""
        for module in _NEEDED:
            extra(module)  # report missing packages before any game is played
        self.path, self._study = Path(name), study
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ParlourError(f"{name}: cannot be created: {error.strerror}") from None
        check_table(self.path / TABLE, study)
        made = [file for file in (TABLE, REPORT, RECORDS, TYPICAL, PRINTED) if (self.path / file).exists()]
        if made and not (self.path / DEALS).exists():
            raise ParlourError(f"{name} has {made[0]}, but no {DEALS}, from which it is computed; name another folder")
        self.file = ResultsFile(str(self.path / DEALS), study)

    def __enter__(self) -> "StudyFolder":
        return self

    def __exit__(self, *error: object) -> None:
        self.file.__exit__(*error)

    def write(self, deals: Sequence[Deal], findings: Findings, pdf: bool = False) -> list[str]:
        """Write the table, the report and the records, replacing earlier ones; return the names of the files.

        ``pdf`` also writes a printed report. A folder whose deals cannot be written keeps its files.
        """
        if self.file.is_read_only:
            return []
        write_table(self.path / TABLE, self._study, deals)
        typical = typical_games(findings, deals)
        _write_records(self.path / TYPICAL, [game.record for each in typical for game in each.games])
        page = report_page(findings, typical_table(findings, typical, str(self.path / TYPICAL)))
        write_report(self.path / REPORT, page)
        if pdf:
            write_printed_report(self.path / PRINTED, page)
        written = [TABLE, REPORT, *([PRINTED] if pdf else []), *([TYPICAL] if typical else [])]
        if not self._study.records:
            return written
        _write_records(self.path / RECORDS, [game.record or {} for deal in deals for game in deal.games])
        return [*written, RECORDS]


def _write_records(file: Path, records: Sequence[Mapping[str, Any]]) -> None:
    """Write records into a file, replacing an earlier one; no file for no records."""
    file.unlink(missing_ok=True)
    if records:
        with RecordWriter(str(file)) as writer:
            for record in records:
                writer.write(dict(record))


def study(
    setups: Sequence[Setup],
    bots: "Sequence[str | type]" = ("random", "thumb", "search"),
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
        cores: the number of games played at the same time, ``None`` for all cores.
        on: another place than this machine, as in :func:`parlour.match`.
        progress: called with the number of deals newly played, a fraction.

    Returns:
        the findings: estimates with intervals for each variation, and the differences between variations.

    Raises:
        ParlourError: an argument is invalid, or the folder cannot be written or belongs to another study.
    """
    variations = [setups] if isinstance(setups, Setup) else list(setups)
    if not all(isinstance(each, Setup) for each in variations) or len({each.game.id for each in variations}) > 1:
        raise ParlourError(f"setups of one game are required, from parlour.make, not {shown(setups)}")
    named = tuple(map(bot_id, [bots] if isinstance(bots, str) else bots))
    seconds = positive("move_time", move_time)
    plan = Study(tuple(variations), named, seed, seconds, records, evaluated_deals, determinizations, traced_deals)
    deals = whole("the number of deals", deals, FEWEST_DEALS)
    with ExitStack() as stack:
        folder = stack.enter_context(StudyFolder(out, plan)) if out else None
        file = folder.file if folder else None
        played = stack.enter_context(closing(play_and_store(plan, deals, file, Placement(cores, on), progress)))
        found = list(played)
        findings = Findings(plan, found)
        if folder:
            folder.write(found, findings)
    return findings
