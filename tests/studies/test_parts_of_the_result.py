"""Parts of the result that the deal and the players decide, with their intervals."""

import numpy as np
import pytest

from parlour.contests.contest import Job
from parlour.contests.game_results import GameResult
from parlour.statistics import Estimate
from parlour.studies.words import answer
from tests.studies.known_games import BY_NAME, TWO, Play, better_wins, findings_of, game


def won_by_chance(seed: int, stronger: float) -> Play:
    """Return a play in which the stronger bot wins this share of its games, whatever the cards."""

    def play(job: Job, random: np.random.Generator) -> GameResult:
        drawn = np.random.default_rng([seed, job.deal, *job.seating]).random()
        return game(job, int(np.argmax(job.seating)) if drawn < stronger else int(np.argmin(job.seating)))

    return play


def skill_part(seed: int, stronger: float, deals: int) -> Estimate:
    """Return the players' part in games of two bots."""
    return findings_of(won_by_chance(seed, stronger), deals, setups=TWO[:1]).parts(0, (1, 0))[1]


class TestThePlayersPart:
    @pytest.mark.parametrize("deals", [12, 60])
    def test_is_nothing_of_the_result_of_equal_bots(self, deals: int) -> None:
        """Their means differ by chance, so that without the correction each interval would lie above 0."""
        found = [skill_part(seed, 0.5, deals) for seed in range(12)]
        assert sum(each.low <= 0 for each in found) >= 11
        assert np.mean([each.value for each in found]) == pytest.approx(0.0, abs=0.6 / deals)

    def test_is_the_variance_of_the_bots_means(self) -> None:
        """A bot that wins 80 of 100 games: (0.8 − 0.5)² of a variance of ½²."""
        found = [skill_part(seed, 0.8, 60) for seed in range(12)]
        assert np.mean([each.value for each in found]) == pytest.approx(0.36, abs=0.05)
        assert sum(each.low <= 0.36 <= each.high for each in found) >= 11

    def test_is_the_whole_result_if_one_bot_always_wins(self) -> None:
        found = skill_part(0, 1.0, 60)
        assert found.value == found.high == pytest.approx(1.0)
        assert 0.8 < found.low < 1


class TestAResultThatIsAlwaysTheSame:
    """All games are drawn, or the same seat wins all of them."""

    @pytest.mark.parametrize("winner", [None, 0])
    def test_has_no_parts(self, winner: int | None) -> None:
        findings = findings_of(lambda job, random: game(job, winner), 60, setups=TWO[:1])
        assert not findings.results_vary(0, (1, 0))
        assert [part.value for part in findings.parts(0, (1, 0))] == [0.0, 0.0]
        assert not any("who plays" in paragraph for paragraph in answer(findings))

    def test_differs_from_one_with_a_single_win(self) -> None:
        findings = findings_of(lambda job, random: game(job, 0 if job.deal == 7 else None), 60, setups=TWO[:1])
        assert findings.results_vary(0, (1, 0))
        assert any("who plays" in paragraph for paragraph in answer(findings))


class TestABetterPlayer:
    def test_wins_everything_and_skill_explains_everything(self) -> None:
        findings = findings_of(better_wins, 60)
        assert findings.estimate(0, (1, 0), BY_NAME["skill"]).value == 0.5
        deal, skill = findings.parts(0, (1, 0))
        assert (deal.value, skill.value) == pytest.approx((0.0, 1.0))


class TestOneSidedContests:
    def test_parts_of_a_constant_result_have_intervals(self) -> None:
        deal, skill = findings_of(better_wins, 40).parts(0, (1, 0))
        assert skill.value == pytest.approx(1)
        assert skill.low < 0.95
        assert deal.low < -0.01
        assert deal.high > 0

    def test_the_measure_duplicate_has_an_interval_too(self) -> None:
        saved = findings_of(better_wins, 40).duplicate(0, (1, 0))
        assert saved.high - saved.low > 0.1
