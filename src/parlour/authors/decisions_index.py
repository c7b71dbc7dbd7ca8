"""The index of the decision records, ``docs/decisions/README.md``, generated from their front matter."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

AREAS = ("engine", "games", "bots", "contests", "studies", "envs", "server", "page", "cli", "tests", "build")
"""The areas of the code, in the order of the index."""
INDEX = "README.md"
_REQUIRED = {"date", "area", "status"}
_OPTIONAL = {"essential"}
_RECORD = re.compile(r"---\n(?P<front>.*?)---\n\n# (?P<number>\d+)\. (?P<title>[^\n]+)\n", re.DOTALL)
_STATUS = re.compile(r"accepted|(?:partly )?superseded by \d{4}(?:, \d{4})*")
_INTRODUCTION = """\
# Decisions

Each record states one decision with its reasons and the alternatives that were rejected. A later
decision gets a record of its own; the earlier record then gets a new status and a line on what has
changed. Figures in a record are those of its date; [performance](../performance.md) has the present
ones. Numbers have gaps.

A record begins with front matter: `date` (when it was added), `area`, `status` (`accepted`,
`superseded by NNNN` or `partly superseded by NNNN`) and `essential: true` in the records that a
newcomer should know. `make docs` generates this index."""


@dataclass(frozen=True)
class DecisionRecord:
    """The front matter and the title of one record."""

    file: str
    number: int
    title: str
    date: date
    area: str
    status: str
    essential: bool


def read_record(file: Path) -> DecisionRecord:
    """Return the record in a file.

    Raises:
        ValueError: if the front matter or the title is not valid.
    """
    match = _RECORD.match(file.read_text(encoding="utf-8"))
    if match is None:
        raise ValueError(f"{file.name}: front matter and a title '# NUMBER. TITLE' are expected")
    front = dict(line.split(": ", 1) for line in match["front"].splitlines())
    if not _REQUIRED <= front.keys() <= _REQUIRED | _OPTIONAL:
        raise ValueError(f"{file.name}: front matter has the keys {', '.join(front)}")
    if not file.name.startswith(f"{int(match['number']):04}-"):
        raise ValueError(f"{file.name}: the title has the number {match['number']}")
    if front["area"] not in AREAS:
        raise ValueError(f"{file.name}: '{front['area']}' is not an area: {', '.join(AREAS)}")
    if not _STATUS.fullmatch(front["status"]):
        raise ValueError(f"{file.name}: '{front['status']}' is not a status")
    if front.get("essential", "true") != "true":
        raise ValueError(f"{file.name}: 'essential' is 'true' or left out")
    return DecisionRecord(
        file=file.name,
        number=int(match["number"]),
        title=match["title"],
        date=date.fromisoformat(front["date"]),
        area=front["area"],
        status=front["status"],
        essential="essential" in front,
    )


def read_records(folder: Path) -> list[DecisionRecord]:
    """Return all records of a folder, in the order of their numbers."""
    return [read_record(file) for file in sorted(folder.glob("[0-9]*.md"))]


def index_page(records: Sequence[DecisionRecord]) -> str:
    """Return the index as Markdown: the essential records, then all records by area."""
    parts = [_INTRODUCTION, "## Essential", _table([record for record in records if record.essential])]
    for area in AREAS:
        if of_area := [record for record in records if record.area == area]:
            parts += [f"## {area.capitalize()}", _table(of_area)]
    return "\n\n".join(parts) + "\n"


def write_index(folder: Path) -> None:
    """Write the index into the folder of the records."""
    (folder / INDEX).write_text(index_page(read_records(folder)), encoding="utf-8")


def _table(records: Sequence[DecisionRecord]) -> str:
    return "\n".join(["| record | date | status |", "|---|---|---|", *_rows(records)])


def _rows(records: Sequence[DecisionRecord]) -> Iterator[str]:
    for record in records:
        yield f"| [{record.number:04}. {record.title}]({record.file}) | {record.date} | {record.status} |"


if __name__ == "__main__":
    import sys

    write_index(Path(sys.argv[1]))
