"""The report on distances of bots from exact play, from positions that are made up."""

import re

import pytest

from parlour.endgames.endgame_tree import TreeLimits
from parlour.endgames.exact import Distance, ExactResult, ExactWork, MeasuredPosition
from parlour.engine.setup import Setup
from parlour.games import find_game


class TestReport:
    """Three positions and two bots, whose figures are made up."""

    def result(self) -> ExactResult:
        result = ExactResult(ExactWork(Setup(find_game("trime-kicker"), 2), 4, ("thumb", "random"), 5, TreeLimits()))
        sizes = [(3, 12, (400, 600), 1e-12), (8, 1500, (1, 2), 3e-11), (9, 100, (30, 40), 0.0)]
        for number, worlds, sets, gap in sizes:
            distances = Distance(0.01 * number, 0.02 * number), Distance(0.2, 0.35)
            result.add(MeasuredPosition(number, 20 + number, worlds, 900, 70, sets, 0.5, gap, distances))
            result.add(None)
        return result

    def test_its_lines_have_the_sizes_and_the_distances_of_each_bot(self) -> None:
        lines = [re.sub(" {2,}", "  ", line.strip()) for line in self.result().text().splitlines()]
        assert lines[0].endswith(": the ends of 3 of 6 games")
        assert lines[1:5] == [
            "worlds  12 to 1,500, half of them at most 100",
            "information sets  3 to 1,000, half of them at most 70",
            "gap  at most 3.0e-11",
            "bot  loss to an equilibrium  exploitability",
        ]
        assert [line.split("%")[0] for line in lines[5:]] == ["thumb  6.67", "random  20.00"]
        assert lines[6] == "random  20.00% (0.00% to 90.76%)  35.00% (0.00% to 100.00%)"
        assert re.search(r"\)  13\.33% \(", lines[5])

    def test_its_json_has_the_same_figures(self) -> None:
        report = self.result().to_json()
        assert (report["games"], report["samples"], report["hard"]) == (6, 5, False)
        assert [each["number"] for each in report["positions"]] == [3, 8, 9]
        assert report["positions"][1] == {
            "number": 8, "events": 28, "worlds": 1500, "nodes": 900, "ends": 70, "sets": (1, 2), "value": 0.5,
            "gap": 3e-11,
        }  # fmt: skip
        assert report["bots"]["thumb"]["each"] == [[0.03, 0.06], [0.08, 0.16], [0.09, 0.18]]
        assert report["bots"]["thumb"]["loss"]["value"] == pytest.approx(0.2 / 3, abs=1e-6)
        assert report["bots"]["random"]["exploitability"]["value"] == pytest.approx(0.35)

    def test_a_single_position_has_no_interval(self) -> None:
        result = self.result()
        del result.positions[1:]
        assert "3.00% (one position)" in result.text()
        assert "half of them at most 12\n" in result.text()
