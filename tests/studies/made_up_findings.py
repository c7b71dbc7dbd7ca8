"""Findings and differences of a study that are made up."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from parlour.engine.setup import Setup
from parlour.statistics import Estimate
from parlour.studies.comparisons import Difference
from parlour.studies.contrasts import MAIN, Change, Contrast, Grid, pair
from parlour.studies.measures import MEASURES
from parlour.studies.plan import Study
from tests.studies.known_games import BY_NAME, TRICKS, TWO

THREE = (*TWO, Setup(TRICKS, 2, {"stall_turns": 8}))


def made_up(setups: tuple[Setup, ...] = TWO, bots: tuple[str, ...] = ("random", "thumb"), **known: Any) -> Any:
    """Return findings of which only ``known`` and the names of variations and bots are known."""
    study = Study(setups, bots)
    usual = {
        "differences": [],
        "rule_differences": [],
        "result_differences": [],
        "evaluated_deals": 0,
        "has_leads": False,
        "measures_of": lambda line_up: iter(MEASURES),
        "line_up_text": lambda line_up: " against ".join(bots[bot] for bot in line_up),
    }
    return SimpleNamespace(study=study, grid=Grid(setups), **{**usual, **known})


def estimated(by_name: Mapping[str, Estimate]) -> Any:
    """Return an ``estimate`` that knows these measures of every variation and line-up."""
    return lambda variation, line_up, measure: by_name[measure.name]


def difference(
    variation: int = 1, measure: str = "decisions", by: float = 4.0, significant: bool = True, **other: Any
) -> Difference:
    """Return a difference from the first variation, by default of the stronger of two bots and beyond doubt."""
    known = {"contrast": pair(variation), "line_up": (1,), "deals": 20, **other}
    estimate = Estimate(by, by - 1, by + 1)
    return Difference(
        measure=BY_NAME[measure], by=estimate, p_value=0.001, adjusted_p_value=0.01 if significant else 0.9, **known
    )


def main_effect(after: int, **other: Any) -> Difference:
    """Return the main effect of another number of turns without a trick."""
    change = Change("stall_turns", 60, after, 60)
    return difference(contrast=Contrast(MAIN, ((1, 1.0), (0, -1.0)), (change,)), **other)
