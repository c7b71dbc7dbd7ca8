"""Data of the charts of a report: each variation has its own figures, and a share of a whole is none outside of it."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from parlour.contests.game_results import CURVE_POINTS
from parlour.statistics import Estimate
from parlour.studies.report import charts


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the list that receives the description of each chart that is drawn."""
    found: list[Any] = []
    monkeypatch.setattr(charts, "_svg", lambda chart: found.append(chart.to_dict()))
    monkeypatch.setattr(charts, "names", lambda findings: findings.shown)
    return found


class TestHistories:
    @pytest.mark.parametrize("variation", [0, 1, 2])
    def test_the_bold_line_is_the_mean_of_the_same_variation(self, drawn: list[Any], variation: int) -> None:
        curves = [np.full((2, CURVE_POINTS), share) for share in (0.25, 0.5, 0.75)]
        findings: Any = SimpleNamespace(
            curves=lambda number: curves[number],
            curve=lambda number: curves[number].mean(axis=0),
        )
        charts.histories(findings, variation)
        thin, bold = ([row["chance"] for row in layer["data"]["values"]] for layer in drawn[0]["layer"])
        assert set(thin) == set(bold) == {25.0 * (variation + 1)}
        assert (len(thin), len(bold)) == (2 * CURVE_POINTS, CURVE_POINTS)


class TestLeads:
    def test_a_winner_that_did_not_lead_and_a_game_without_a_winner_lead_nowhere(self, drawn: list[Any]) -> None:
        settled = np.array([[0.0, 0.5], [1.0, 1.0]])
        findings: Any = SimpleNamespace(
            study=SimpleNamespace(strongest=0, setups=("one",)),
            cell=lambda number, line_up: SimpleNamespace(statistics={"settled": settled}),
            has_leads=True,
            shown=["defaults"],
        )
        charts.leads(findings)
        shares = {row["at"]: row["share"] for row in drawn[0]["data"]["values"]}
        assert [shares[place] for place in (0, 47.5, 50, 97.5, 100)] == [25, 25, 50, 50, 50]


class TestPartsOfTheResult:
    @pytest.mark.parametrize(
        ("deal", "skill", "shown"),
        [
            (0.25, 0.5, [25, 50, 25]),
            (-0.25, 0.5, [0, 50, 50]),
            (0.25, -0.5, [25, 0, 75]),
            (1.25, 0.0, [100, 0, 0]),
            (0.0, 1.5, [0, 100, 0]),
        ],
    )
    def test_a_bar_is_a_hundred_wide(self, drawn: list[Any], deal: float, skill: float, shown: list[float]) -> None:
        parts = [Estimate(each, each, each) for each in (deal, skill)]
        findings: Any = SimpleNamespace(
            study=SimpleNamespace(strongest=1, head_to_head=lambda bot: (1, 0)),
            parts=lambda variation, line_up: parts,
            shown=["defaults"],
        )
        charts.parts(findings)
        assert [row["share"] for row in drawn[0]["data"]["values"]] == shown


class TestLabels:
    @pytest.mark.parametrize(
        ("label", "lines"),
        [
            ("defaults", ["defaults"]),
            ("jokers=1, teams=pairs", ["jokers=1", "teams=pairs"]),
            ("search:effort=600", ["search:effort=600"]),
            ("search:effort=600 against search:effort=300", ["search:effort=600", "against search:effort=300"]),
            (
                "search:effort=8000,tree=1,temperature=0.004 against thumb",
                ["search:effort=8000,tree=1,", "temperature=0.004 against thumb"],
            ),
            ("a" * 70, ["a" * 32, "a" * 32, "a" * 6]),
        ],
    )
    def test_a_long_label_has_several_lines(self, label: str, lines: list[str]) -> None:
        assert charts.label_lines(label) == lines

    def test_a_label_with_quotation_marks_is_valid_in_an_expression(self) -> None:
        assert charts._lines_of(['the "best"']) == '{"the \\"best\\"": ["the \\"best\\""]}[datum.label]'


class TestLadder:
    def test_each_bot_has_a_row_the_strongest_at_the_top(self, drawn: list[Any]) -> None:
        bots = ("random", "thumb", "search:effort=300", "search:effort=600")
        findings: Any = SimpleNamespace(
            study=SimpleNamespace(bots=bots, head_to_head=lambda bot: (bot, bot - 1)),
            measures_of=lambda line_up: [SimpleNamespace(unit="points", scale=1)],
            estimate=lambda variation, line_up, measure: Estimate(line_up[0], 0, 9),
            shown=["defaults"],
        )
        charts.ladder(findings)
        [line] = [layer for layer in drawn[0]["layer"] if layer["mark"]["type"] == "line"]
        assert line["encoding"]["y"]["sort"] == ["search:effort=600", "search:effort=300", "thumb"]
        assert all(f'"{bot}": ["{bot}"]' in line["encoding"]["y"]["axis"]["labelExpr"] for bot in bots[1:])
        assert line["encoding"]["order"]["field"] == "place"
