"""Studies with the smallest counts that their options accept: each has a text, JSON and a report."""

import json
import re
from dataclasses import replace

import click
import numpy as np
import pytest

from parlour.cli.study_commands import study
from parlour.contests.contest import Job
from parlour.contests.game_results import ClauseCounts, GameResult
from parlour.engine.setup import Setup
from parlour.studies.findings import Findings
from parlour.studies.report.page import report_page
from tests.studies.known_games import TWO, dramatic, findings_of, game

SMALLEST = {each.name: each.type.min or 0 for each in study.params if isinstance(each.type, click.IntRange)}
"""The smallest accepted value of each count of the command."""
USUAL = {"deals": 4, "evaluated_deals": 3, "traced_deals": 3, "replicated_deals": 3, "replicates": 3}
FIGURES = {
    "evaluated_deals": {"curve", "drama", "Drama (Ludii)"},
    "traced_deals": {"clauses"},
    "replicated_deals": {"luck"},
}
"""The figures in JSON for which each count needs two deals."""


def played(setups: tuple[Setup, ...] = TWO[:1], **counts: int) -> Findings:
    """Return the findings of a study with these counts; its games have all results that the counts ask for."""
    counts = {**USUAL, **counts}

    def play(job: Job, random: np.random.Generator) -> GameResult:
        winner = int(np.random.default_rng([5, job.deal, job.variation, job.replicate, *job.seating]).integers(2))
        tension = dramatic(replace(job, deal=0), random).win_probability
        alone = not job.replicate and job.seating[0] == job.seating[1]
        fired = ClauseCounts({"3T-7": 1 + job.deal}, {"blocked tricks (3T-20)": [1, 0]})
        return replace(
            game(job, winner),
            win_probability=tension if alone and job.deal < counts["evaluated_deals"] else None,
            clause_counts=fired if alone and job.deal < counts["traced_deals"] else None,
        )

    return findings_of(play, counts.pop("deals"), setups, **counts)


def figures_of(findings: Findings) -> set[str]:
    """Return the figures of :data:`FIGURES` in the JSON of a study of one variation."""
    [variation] = json.loads(json.dumps(findings.to_json(), allow_nan=False))["variations"]
    parts = variation, variation["published"], *variation["played"]
    return set[str]().union(*parts) & set[str]().union(*FIGURES.values())


class TestText:
    @pytest.mark.parametrize("more", [0, 1, 2])
    @pytest.mark.parametrize("count", USUAL)
    def test_it_has_the_figures_that_the_deals_can_give(self, count: str, more: int) -> None:
        counts = {**USUAL, count: SMALLEST[count] + more}
        findings = played(**counts)
        figures = set[str]().union(*(names for each, names in FIGURES.items() if counts[each] > 1))
        assert figures_of(findings) == figures
        text = findings.text()
        assert not re.search(r"\b(nan|inf)\b", text)
        assert ("Cloud and Laber" in text) == ("luck" in figures)
        assert ("By win probabilities" in text) == ("curve" in figures)


class TestReport:
    @pytest.mark.parametrize("most", [0, 1, 2])
    def test_it_is_written_with_the_smallest_counts(self, most: int) -> None:
        page = report_page(played(TWO, **{count: max(SMALLEST[count], most) for count in USUAL}))
        assert ("Chances to win are estimated in" in page) == (most > 1)
        assert ("at which a clause fired" in page) == (most > 1)
