"""Measures of win probability curves, computed by hand."""

import numpy as np
import pytest

from parlour.bots.lookahead import TOO_LONG
from parlour.contests import win_probability
from parlour.contests.win_probability import choice_measures, curve_measures
from parlour.engine.errors import GameError
from parlour.engine.setup import Setup
from parlour.games import find_game


def chances(*rows: tuple[float, ...]) -> np.ndarray:
    """Return probabilities, decisions × sides, with equal halves of the determinizations."""
    return np.repeat(np.array(rows)[:, :, None], 2, axis=2)


def tension_of(*rows: tuple[float, ...]) -> dict:
    """Return the measures of a game that the first side won."""
    return curve_measures(chances(*rows), 0)


class TestEvaluator:
    def test_an_endless_playout_is_an_error_of_the_game(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(win_probability, "look_ahead", lambda *arguments: TOO_LONG)
        match = Setup(find_game("trime-kicker"), 2).start(1)
        evaluator = win_probability.WinProbabilityEvaluator(match, ((0,), (1,)), 4, 1, 0, 0)
        with pytest.raises(GameError, match="trime-kicker: a game played by the heuristic has not ended after"):
            evaluator.evaluate()


class TestCurve:
    def test_drama_is_the_winners_mean_distance_behind_the_leader(self) -> None:
        assert tension_of((0.5, 0.5), (0.2, 0.8), (0.4, 0.6), (0.9, 0.1))["drama"] == pytest.approx(
            (0 + 0.6 + 0.2 + 0) / 4
        )

    def test_a_one_sided_game_has_no_drama_and_is_decided_at_once(self) -> None:
        game = tension_of((0.7, 0.3), (0.8, 0.2))
        assert (game["drama"], game["decisive"], game["comeback"]) == (0.0, 0.0, 0.0)

    def test_a_game_is_decided_once_the_winner_exceeds_every_later_rival(self) -> None:
        assert tension_of((0.6, 0.4), (0.2, 0.8), (0.7, 0.3), (0.85, 0.15), (0.9, 0.1))["decisive"] == 3 / 5
        assert tension_of((0.5, 0.5), (0.4, 0.9))["decisive"] == 1.0

    def test_a_comeback_starts_at_half_an_even_share_half_way(self) -> None:
        assert tension_of((0.5, 0.5), (0.25, 0.75), (1.0, 0.0))["comeback"] == 1.0
        assert tension_of((0.1, 0.9), (0.26, 0.74), (1.0, 0.0))["comeback"] == 0.0
        assert tension_of((0.4, 0.3, 0.3), (0.2, 0.4, 0.4))["comeback"] == 0.0

    def test_sampling_error_makes_no_drama(self) -> None:
        """Both sides are even, and the halves of the determinizations have independent errors."""
        noise = np.random.default_rng(1).normal(0.5, 0.1, (4000, 2, 2))
        assert curve_measures(noise, 0)["drama"] == pytest.approx(0, abs=0.006)

    def test_the_curve_goes_from_the_first_decision_to_the_last(self) -> None:
        game = tension_of(*((each / 20, 1 - each / 20) for each in range(21)))
        assert game["curve"] == pytest.approx(np.linspace(0, 1, 11))


class TestStakes:
    def test_stakes_are_the_best_value_minus_the_worst(self) -> None:
        values = np.tile([0.9, 0.2, 0.4], (4, 1))
        assert choice_measures(values)[0] == pytest.approx(0.7)

    def test_good_actions_lie_three_quarters_of_the_way_from_the_mean_to_the_best(self) -> None:
        values = np.tile([1.0, 0.9, 0.5, 0.0], (4, 1))  # the mean is 0.6, so the bar is 0.9
        assert choice_measures(values)[1] == 0.5

    def test_equal_actions_are_all_good_and_have_no_stakes(self) -> None:
        assert choice_measures(np.full((4, 5), 0.5)) == (0.0, 1.0)

    def test_sampling_error_makes_no_stakes(self) -> None:
        random = np.random.default_rng(2)
        spreads = [choice_measures(random.normal(0.5, 0.3, (8, 20)))[0] for _ in range(1500)]
        assert np.mean(spreads) == pytest.approx(0, abs=0.02)
