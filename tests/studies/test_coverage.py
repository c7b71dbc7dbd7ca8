"""The coverage run, on a study with a known result."""

from pathlib import Path

import numpy as np
import pytest

from parlour.contests.contest import Job
from parlour.contests.game_results import GameResult
from parlour.studies.coverage import BEGIN, END, Size, false_verdicts, miss_shares, write_into
from tests.studies.known_games import findings_of, game, noisy


def rare(job: Job, random: np.random.Generator) -> GameResult:
    """Draw and lengthen the games of one deal of fifteen in the second variation."""
    differs = job.variation == 1 and job.deal % 15 == 0
    return game(job, None if differs else int(random.integers(2)), decisions=60 if differs else 20)


class TestCoverage:
    def test_few_intervals_miss_a_difference_of_few_deals(self) -> None:
        shares = miss_shares(
            findings_of(rare, 300, bots=("thumb",)), Size(studies=100, deals=40), np.random.default_rng(1)
        )
        assert max(shares[f"`{name}`, difference (0,)"] for name in ("draws", "decisions", "minutes")) <= 0.15

    @pytest.mark.slow
    def test_studies_without_a_difference_report_none(self) -> None:
        last, anywhere = false_verdicts(findings_of(noisy(0.0, 1), 80), Size(studies=60), np.random.default_rng(1))
        assert last <= anywhere <= 0.05


class TestThePage:
    def test_the_text_between_the_comments_is_replaced(self, tmp_path: Path) -> None:
        page = tmp_path / "metrics.md"
        page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
        write_into(page, "new")
        assert page.read_text() == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"
