"""Calibration of estimated win probabilities: counting, and a test with every game."""

import json

import pytest
from click.testing import CliRunner

from parlour.cli import main
from parlour.contests.foresight import ForesightResult, ForesightWork, Prediction, group_of, measure, sample_predictions
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.jobs.tasks import Placement
from tests.laws.walks import GAMES
from tests.sample_size import sample_size


def current_result(*found: tuple[int, float, float]) -> ForesightResult:
    standing = ForesightResult(Setup(find_game("castle-walls"), 2))
    standing.found = [Prediction(*each) for each in found]
    return standing


class TestCounting:
    def test_a_row_is_the_mean_of_its_decisions_with_an_interval_over_games(self) -> None:
        row = group_of([Prediction(game, 0.2 + 0.4 * (game % 2), game % 2) for game in range(20)])
        assert (row.decisions, row.games, row.predicted, row.observed.value) == (20, 20, pytest.approx(0.4), 0.5)
        thrice = group_of([Prediction(game, 0.2, game % 2) for game in range(20) for _ in range(3)])
        assert (thrice.decisions, thrice.games) == (60, 20)
        assert thrice.observed.low == pytest.approx(row.observed.low)

    def test_decisions_are_grouped_by_tenths_and_certainty_is_in_the_last(self) -> None:
        rows = current_result((0, 0.05, 0), (1, 0.1, 0), (2, 0.99, 1), (3, 1.0, 1)).rows()
        assert {tenth: row.decisions for tenth, row in rows.items()} == {0: 1, 1: 1, 9: 2}

    def test_winning_more_than_predicted_is_underestimation(self) -> None:
        assert current_result((0, 0.4, 1), (1, 0.4, 0)).bias().value == pytest.approx(0.1)


class TestCalibration:
    def test_the_same_seed_gives_the_same_decisions_of_the_same_game(self) -> None:
        game = find_game("three-tricks")
        assert sample_predictions(Setup(game, 2), 7, 3, 2, 20) == sample_predictions(Setup(game, 2), 7, 3, 2, 20) != []

    def test_the_outcome_is_the_seats_share_of_first_place(self) -> None:
        found = sample_predictions(Setup(find_game("three-tricks"), 2), 1, 0, 1, 1)
        assert {each.observed for each in found} == {0.0, 1.0}

    @pytest.mark.slow
    @pytest.mark.parametrize("game_id", GAMES)
    def test_predictions_are_calibrated(self, game_id: str) -> None:
        game = GAMES[game_id]
        rounds = {"rounds": 2} if any(option.name == "rounds" for option in game.options) else {}
        setup = Setup(game, game.usual_players, rounds)
        standing = ForesightResult(setup)
        measure(standing, sample_size(20), ForesightWork(setup, 0, 8, 40), Placement(1))
        bias = standing.bias()
        assert bias.low < 0.03, bias
        assert bias.high > -0.03, bias


def test_the_command_prints_a_table_or_json() -> None:
    arguments = [
        "foresight",
        "three-tricks",
        "--games",
        "3",
        "--determinizations",
        "10",
        "-o",
        "rank_block=any",
        "--cores",
        "1",
    ]
    shown = CliRunner().invoke(main, arguments).stdout.splitlines()
    assert shown[0].startswith("3 Tricks, 2 players, rank_block=any: ")
    assert shown[0].endswith(" decisions of 3 games")
    report = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)
    assert f" {sum(row['decisions'] for row in report['tenths'].values())} decisions" in shown[0]
    settings = {"seed": 0, "every": 8, "determinizations": 10, "players": 2, "options": {"rank_block": "any"}}
    assert settings.items() <= report.items()
