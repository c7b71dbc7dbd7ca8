"""The tables of docs/measures.md."""

from pathlib import Path

import pytest

from parlour.studies.measures import MEASURES
from parlour.studies.measures_page import update_tables

PAGE = Path(__file__).parents[2] / "docs" / "measures.md"


def test_the_page_has_the_current_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == update_tables(page), "make docs writes them"


def test_every_measure_has_a_row_with_its_definition() -> None:
    rows = PAGE.read_text(encoding="utf-8").splitlines()
    for measure in MEASURES:
        assert len(measure.definition) > 10
        assert sum(row.startswith(f"| `{measure.name}` | {measure.definition} | ") for row in rows) == 1


def test_a_group_without_a_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="no place for the measures of: Chances to win, Choice, Course of the game"):
        update_tables("<!-- measures: Seats -->\n<!-- end of measures -->")
