"""The folder of a study: its deals, appended one by one so that the study can resume, a table and a report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parlour.contests.contest import Deal
from parlour.contests.results_file import ResultsFile
from parlour.engine.errors import ParlourError
from parlour.engine.matches.records import RecordWriter
from parlour.extras import extra
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
    """Folder of one study, opened to continue it.

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
            raise ParlourError(f"{name}: cannot be made: {error.strerror}") from None
        check_table(self.path / TABLE, study)
        made = [file for file in (TABLE, REPORT, RECORDS) if (self.path / file).exists()]
        if made and not (self.path / DEALS).exists():
            raise ParlourError(f"{name} has {made[0]}, but not the {DEALS} that it was made of; name another folder")
        self.file = ResultsFile(str(self.path / DEALS), study)

    def __enter__(self) -> "StudyFolder":
        return self

    def __exit__(self, *error: object) -> None:
        self.file.__exit__(*error)

    def write(self, deals: Sequence[Deal], findings: Findings, pdf: bool = False) -> list[str]:
        """Write the table, the report and the records, replacing earlier ones; return the names of the files.

        ``pdf`` also writes a printed report.
        """
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
