"""The tables of docs/measures.md, generated from the definitions of the measures.

``python -m parlour.studies.measures_page docs/measures.md`` writes them into the page, between their marks.
"""

import re
import sys
from pathlib import Path

from parlour.studies.measures import MEAN, MEASURES, PART, Measure

_BEGIN, _END = "<!-- measures: {} -->\n", "<!-- end of measures -->"
_PLACE = re.compile(rf"{_BEGIN.format('([^>]+)')}.*?{_END}", re.DOTALL)


def update_tables(page: str) -> str:
    """Return the page with current tables. Raises ``ValueError`` if the page lacks the marks of a group."""
    if lacking := {measure.group for measure in MEASURES} - set(_PLACE.findall(page)):
        raise ValueError(f"the page has no place for the measures of: {', '.join(sorted(lacking))}")
    return _PLACE.sub(lambda place: f"{_BEGIN.format(place[1])}\n{_table(place[1])}\n{_END}", page)


def _table(group: str) -> str:
    """Return the table of the measures of a group in Markdown."""
    rows = "".join(_row(measure) for measure in MEASURES if measure.group == group)
    return f"| name | definition | unit, interval | source |\n|---|---|---|---|\n{rows}"


def _row(measure: Measure) -> str:
    interval = "Student" if measure.kind in (MEAN, PART) else "Wilson"
    return f"| `{measure.name}` | {measure.definition} | {measure.unit}; {interval} | {measure.source} |\n"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(update_tables(path.read_text(encoding="utf-8")), encoding="utf-8")
