"""The coverage run, on a study with a known result."""

from pathlib import Path

import numpy as np
import pytest

from parlour.contests.contest import Job
from parlour.contests.game_results import GameResult
from parlour.engine.errors import ParlourError
from parlour.studies import coverage
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
        last, anywhere, *even = false_verdicts(
            findings_of(noisy(0.0, 1), 80), Size(studies=60), np.random.default_rng(1)
        )
        assert last <= anywhere <= 0.05
        assert even[0] <= even[1] <= 0.05

    def test_few_studies_with_rare_large_differences_report_one(self) -> None:
        """One deal of twenty is much shorter, all others are longer by one decision."""

        def skewed(job: Job, random: np.random.Generator) -> GameResult:
            change = 0 if job.variation == 0 else -38 if job.deal % 20 == 0 else 2
            return game(job, None, decisions=60 + 2 * int(random.integers(6)) + change)

        long = findings_of(skewed, 400, bots=("thumb",))
        *_, anywhere = false_verdicts(long, Size(studies=60), np.random.default_rng(1))
        assert anywhere <= 0.1

    @pytest.mark.parametrize(
        ("differences", "even"),
        [([1.0, 0.0, -4.0], [1.0, 0.0, -1.0]), ([4.0, 4.0, -2.0], [1.0, 1.0, -2.0]), ([1.0, 0.0], [0.0, 0.0])],
    )
    def test_differences_of_one_sign_are_reduced_until_the_mean_is_0(
        self, differences: list[float], even: list[float]
    ) -> None:
        assert coverage.with_mean_zero(np.array(differences)).tolist() == even


class TestTheTables:
    MISSES = (
        {"`draws` (0,)": 0.02, "`draws` (1,)": 0.071, "`draws` (1, 0)": 0.05, "`duplicate` (1, 0)": 0.1},
        {"`draws` (0,)": 0.125, "`draws`, difference (0,)": 0.0},
    )
    """Shares of missed truths, by interval: the second game has other measures than the first."""

    def test_each_game_has_a_column_with_the_most_misses_of_any_line_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        misses, verdicts = iter(self.MISSES), iter([(0.012, 0.04, 0.01, 0.06), (0.0, 0.052, 0.0, 0.02)])
        monkeypatch.setattr(coverage, "long_study", lambda study, deals: None)
        monkeypatch.setattr(coverage, "miss_shares", lambda *_: next(misses))
        monkeypatch.setattr(coverage, "false_verdicts", lambda *_: next(verdicts))
        studies = [coverage.study_of(f"three-tricks:rank_block=any:stall_turns={turns}") for turns in (4, 8)]
        lines = coverage.table(studies, Size(truth=4000, studies=120, deals=40), np.random.default_rng(0)).splitlines()
        assert " ".join(lines[:3]) == (
            "The number of 100 intervals that miss the truth (5 are meant to) in studies of 40 deals, for the bots "
            "with the most misses. The truth is a study of 4,000 deals, of which 120 short ones were drawn for each "
            "game."
        )
        assert [line for line in lines if line.startswith("|")] == [
            "| measure | 3 Tricks | 3 Tricks |",
            "| --- | --- | --- |",
            "| `draws` | 7.1 | 12.5 |",
            "| `draws`, difference |  | 0.0 |",
            "| `duplicate` | 10.0 |  |",
            "| games | looked at | 3 Tricks | 3 Tricks |",
            "| --- | --- | --- | --- |",
            "| exchanged at random | after 320 deals | 1.2 | 0.0 |",
            "| exchanged at random | after 5, 10, 20, 40, 80, 160, 320 deals, until something shows | 4.0 | 5.2 |",
            "| one sign reduced | after 320 deals | 1.0 | 0.0 |",
            "| one sign reduced | after 5, 10, 20, 40, 80, 160, 320 deals, until something shows | 6.0 | 2.0 |",
        ]

    @pytest.mark.parametrize("case", ["three-tricks", "three-tricks:stall_turns=4", "three-tricks:::"])
    def test_a_case_has_a_game_and_two_variations(self, case: str) -> None:
        with pytest.raises(ParlourError, match=f"a case is written GAME:NAME=VALUE:NAME=VALUE, not '{case}'"):
            coverage.study_of(case)


class TestTheCommand:
    @pytest.mark.parametrize(
        ("words", "error"),
        [
            (["chess:a=1:b=2"], "there is no game 'chess'"),
            (["three-tricks:rank_block=any:stall_turns=x"], "stall_turns"),
            (["--deals", "1", "three-tricks:rank_block=any:stall_turns=4"], "--deals"),
            (["--studies", "0", "three-tricks:rank_block=any:stall_turns=4"], "--studies"),
            (["--page", "none.md", "three-tricks:rank_block=any:stall_turns=4"], f"none.md has no line {BEGIN}"),
        ],
    )
    def test_a_mistake_is_named_in_one_sentence_before_the_first_game(
        self, words: list[str], error: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr("sys.argv", ["coverage", *words])
        monkeypatch.setattr(coverage, "table", lambda *_: pytest.fail("games are played"))
        with pytest.raises(SystemExit) as ended:
            coverage.main()
        assert ended.value.code == 2
        assert error in capsys.readouterr().err.splitlines()[-1]


class TestThePage:
    def test_the_text_between_the_comments_is_replaced(self, tmp_path: Path) -> None:
        page = tmp_path / "measures.md"
        page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
        write_into(page, "new")
        assert page.read_text() == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"
