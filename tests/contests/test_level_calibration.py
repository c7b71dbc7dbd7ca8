"""Calibration of levels: even steps between the weakest and the strongest, and the command ``parlour levels``."""

import json
import math
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from parlour.bots.game_levels import read_levels
from parlour.bots.levels import LEVELS, Level
from parlour.cli import main
from parlour.contests import level_calibration
from parlour.contests.level_calibration import LevelCalibration, advantage
from parlour.engine.setup import Setup
from parlour.games import find_game


def result(share: float, games: int = 100, even: float = 0.5) -> SimpleNamespace:
    return SimpleNamespace(wins=SimpleNamespace(value=share), tally=SimpleNamespace(games=games, even_share=even))


@pytest.fixture
def calibration() -> LevelCalibration:
    return LevelCalibration(Setup(find_game("trime-kicker"), 2), 3, 1)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the scale by levels that slip less and less, without search."""
    monkeypatch.setattr(level_calibration, "level_at", lambda place: Level(slips=100 - round(25 * place)))


class TestAdvantage:
    def test_it_is_the_log_odds_of_the_wins_beyond_even(self) -> None:
        assert advantage(result(0.75)) == pytest.approx(math.log(3))
        assert advantage(result(0.5, even=0.25)) == pytest.approx(math.log(3))
        assert advantage(result(0.5)) == 0

    @pytest.mark.parametrize("share", [0.0, 1.0])
    def test_a_match_without_a_loss_has_a_finite_advantage(self, share: float) -> None:
        assert abs(advantage(result(share))) == pytest.approx(math.log(199))


class TestEvenSteps:
    """The scale has nine places, 0 to 4."""

    def places(self, calibration: LevelCalibration, shares: list[float], monkeypatch: pytest.MonkeyPatch) -> list:
        monkeypatch.setattr(level_calibration, "level_at", lambda place: place)
        calibration.steps = [result(share) for share in shares]
        found = calibration._even_levels()
        assert list(found) == list(LEVELS)
        return list(found.values())

    def test_equal_steps_of_the_scale_leave_the_usual_levels(self, calibration, monkeypatch) -> None:
        assert self.places(calibration, [0.6] * 8, monkeypatch) == [0, 1, 2, 3, 4]

    def test_levels_move_to_the_steep_part_of_the_scale(self, calibration, monkeypatch) -> None:
        # advantages 2, 2 and then six times 0: the quarters are at a quarter, a half and three quarters of place 1
        steep = 1 / (1 + math.exp(-2))
        monkeypatch.setattr(level_calibration, "LEAST_ADVANTAGE", 0)
        assert self.places(calibration, [steep, steep, *[0.5] * 6], monkeypatch)[:4] == [0, 0.25, 0.5, 0.75]

    def test_a_place_that_seems_weaker_than_a_lower_one_counts_as_hardly_stronger(
        self, calibration, monkeypatch
    ) -> None:
        found = self.places(calibration, [0.7, 0.3, *[0.6] * 6], monkeypatch)
        assert found == sorted(found)


@pytest.mark.usefixtures("quick")
class TestPlaying:
    def test_levels_play_against_the_next_lower_one_on_fresh_deals(self, calibration: LevelCalibration) -> None:
        deals = []
        calibration.play(progress=deals.append)
        steps, checks = calibration.steps, calibration.checks
        assert (len(steps), len(checks)) == (8, 4)
        assert sum(deals) == calibration.matches * 3
        assert steps[0].tally.contest.bots == ("search:slips=88", "search:slips=100")
        assert {each.tally.contest.seed for each in steps} != {each.tally.contest.seed for each in checks}
        assert [each.tally.contest.bots[0] for each in checks] == [
            f"search:{level}" for level in list(calibration.levels.values())[1:]
        ]


def levels(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["levels", "trime-kicker", *arguments])


@pytest.mark.usefixtures("quick")
class TestCommand:
    def test_it_prints_the_steps_and_writes_the_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("parlour.bots.game_levels.LEVELS", {name: Level() for name in LEVELS})
        file = tmp_path / "levels.json"
        done = levels("-n", "2", "--out", str(file))
        assert done.exit_code == 0, done.output
        assert "| place on the scale | against | wins | points |" in done.stdout
        assert "| casual | beginner | `slips=" in done.stdout
        assert set(read_levels(file, "levels.json", "trime-kicker")) == {"casual", "regular", "expert"}
        about = json.loads(file.read_text())["about"]
        assert (about["deals"], len(about["scale"]), len(about["steps"])) == (2, 8, 4)

    def test_an_existing_file_is_kept(self, tmp_path: Path) -> None:
        file = tmp_path / "levels.json"
        file.touch()
        refused = levels("-n", "2", "--out", str(file))
        assert refused.exit_code == 1
        assert refused.output.endswith("levels.json exists already; --out names another file.\n")
        assert file.read_text() == ""

    def test_a_file_that_cannot_be_written_is_named_before_a_game_is_played(self, tmp_path: Path) -> None:
        refused = levels("-n", "2", "--out", str(tmp_path / "none" / "levels.json"))
        assert refused.exit_code == 1
        assert "none/levels.json: cannot be written: No such file or directory" in refused.output

    def test_ctrl_c_reports_the_steps_so_far_and_writes_no_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted(self: LevelCalibration, *arguments: object) -> None:
            self.steps = [self._plan(Level(slips=9), Level(), 1)]
            for deal in level_calibration.play_and_store(self.steps[0].tally.contest, 2):
                self.steps[0].add(deal)
            raise KeyboardInterrupt

        monkeypatch.setattr(LevelCalibration, "play", interrupted)
        stopped = levels("--out", str(tmp_path / "levels.json"))
        assert stopped.exit_code == 130
        assert "| 0.5 | 0 |" in stopped.output
        assert "no file was written" in stopped.output
        assert not (tmp_path / "levels.json").exists()
