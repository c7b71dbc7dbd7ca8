"""The files and functions that docs/where-things-are.md and the recipe of measures name exist."""

import re
from pathlib import Path

import pytest

from parlour.contests.game_results import GameStatistics, WinProbabilityCurve
from parlour.studies import measures
from parlour.studies.games import Games

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "where-things-are.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(\w+(?:/\w+)+(?:\.\w+)?/?)`", PAGE)))
STEPS = [
    [re.findall(r"`([^`]+)`", cell) for cell in row.split("|")[2:4]]
    for row in PAGE.partition("\n## An option")[0].splitlines()
    if row.startswith("|") and "`" in row
]


def place_of(path):
    return ROOT / path if path.startswith(("src/", "tests/")) else ROOT / "src" / "parlour" / path


def test_every_path_exists():
    assert len(NAMED) > 30
    assert [path for path in NAMED if not place_of(path).exists()] == []


@pytest.mark.parametrize(("files", "functions"), STEPS, ids=[functions[0] for _, functions in STEPS])
def test_a_step_of_the_move_names_functions_of_its_files(files, functions):
    text = "\n".join(place_of(file).read_text(encoding="utf-8") for file in files)
    assert [name for name in functions if not re.search(rf"\b{name}\b", text)] == []


def test_the_values_of_measures_are_attributes_of_games():
    listed = (measures.__doc__ or "").partition("``Games`` has arrays")[2].partition("Report, answer")[0]
    names = set(re.findall(r"``(\w+)(?:\[…\])?``", listed)) - {"GameStatistics", "WinProbabilityCurve"}
    assert names == {*Games.__annotations__, "chance_events"} - {"endings", "clause_counts"}
    assert {GameStatistics.__name__, WinProbabilityCurve.__name__} <= set(re.findall(r"``(\w+)``", listed))
