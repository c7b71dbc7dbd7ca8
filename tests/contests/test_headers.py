"""Headers of files that are continued: each setting on which their games depend distinguishes them."""

from dataclasses import fields, replace
from typing import Any

import pytest

from parlour.contests.contest import LADDER, MATCH, Contest
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.puzzles.finder import PuzzleSearch
from parlour.studies.dataset.plan import DatasetPlan
from parlour.studies.plan import Study

GAME = find_game("three-tricks")
SETUP, OTHER = Setup(GAME, 2), Setup(GAME, 2, {"rank_block": "any"})


class First:
    """An external bot, which chooses the first action."""

    def choose(self, observation: Any) -> str:
        """Return the first legal action."""
        legal: list[str] = observation.legal
        return legal[0]


OUTSIDE = f"{__name__}:First"
PLANS: dict[str, tuple[Any, dict[str, Any]]] = {
    "a contest": (
        Contest(MATCH, SETUP, ("thumb", OUTSIDE), 1, 5.0),
        {"kind": LADDER, "setup": OTHER, "bots": (OUTSIDE, "thumb"), "seed": 2, "move_time": 6.0},
    ),
    "a study": (
        Study((SETUP, OTHER), ("random", OUTSIDE), 1, 5.0, False, 3, 32, 4, 5, 6),
        {
            **{"setups": (OTHER, SETUP), "bots": (OUTSIDE, "random"), "seed": 2, "move_time": 6.0, "records": True},
            **{"evaluated_deals": 4, "determinizations": 33, "traced_deals": 5, "replicated_deals": 6, "replicates": 7},
        },
    ),
    "a data set": (
        DatasetPlan(SETUP, ("thumb", OUTSIDE), 1, 5.0),
        {"setup": OTHER, "bots": (OUTSIDE, "thumb"), "seed": 2, "move_time": 6.0, "first": 1000},
    ),
    "a file of puzzles": (
        PuzzleSearch(SETUP, 1, "lay", 3000),
        {"setup": OTHER, "seed": 2, "theme": "swap", "effort": 4000},
    ),
}
"""Plans, and another value of each of their settings."""


def header_of(plan: Any) -> dict[str, Any]:
    found: dict[str, Any] = plan.facts if isinstance(plan, PuzzleSearch) else plan.header()
    return found


class TestHeader:
    @pytest.mark.parametrize(
        ("name", "setting"), [(name, key) for name, (_, others) in PLANS.items() for key in others]
    )
    def test_differs_with_each_setting(self, name: str, setting: str) -> None:
        plan, others = PLANS[name]
        assert header_of(replace(plan, **{setting: others[setting]})) != header_of(plan)
        assert header_of(replace(plan)) == header_of(plan)

    @pytest.mark.parametrize("name", PLANS)
    def test_is_tested_with_each_setting(self, name: str) -> None:
        plan, others = PLANS[name]
        assert {field.name for field in fields(plan)} == set(others)

    @pytest.mark.parametrize("name", ["a contest", "a study", "a data set"])
    def test_differs_with_the_version_and_the_code_that_play_the_games(
        self, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plan, _ = PLANS[name]
        headers = [header_of(plan)]
        monkeypatch.setattr(f"{type(plan).__module__}.__version__", "0.0.1")
        headers.append(header_of(plan))
        monkeypatch.setattr(type(plan), "code", "other code")
        headers.append(header_of(replace(plan)))
        assert all(headers.count(each) == 1 for each in headers)

    @pytest.mark.parametrize("setting", ["determinizations", "replicates", "move_time"])
    def test_of_a_study_has_no_setting_without_effect(self, setting: str) -> None:
        plan = Study((SETUP,), ("random", "thumb"))
        assert header_of(replace(plan, **{setting: 99})) == header_of(plan)
