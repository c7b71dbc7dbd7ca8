"""Calibration of levels: even steps between the weakest and the strongest, and the command ``parlour levels``."""

import json
import math
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from parlour.bots.game_levels import level_at, read_levels
from parlour.bots.levels import LEVELS, Level
from parlour.cli import main
from parlour.contests import level_calibration
from parlour.contests.level_calibration import LevelCalibration, advantage, level_strengths
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.statistics import Estimate


def result(share: float, games: int = 100, even: float = 0.5) -> SimpleNamespace:
    return SimpleNamespace(wins=SimpleNamespace(value=share), tally=SimpleNamespace(games=games, even_share=even))


@pytest.fixture
def calibration() -> LevelCalibration:
    return LevelCalibration(Setup(find_game("trime-kicker"), 2), 3, 1)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the scale by levels that slip less and less, without search."""
    monkeypatch.setattr(level_calibration, "level_at", lambda place, points: Level(slips=100 - round(25 * place)))


class TestAdvantage:
    def test_it_is_the_log_odds_of_the_wins_beyond_even(self) -> None:
        assert advantage(result(0.75)) == pytest.approx(math.log(3))
        assert advantage(result(0.5, even=0.25)) == pytest.approx(math.log(3))
        assert advantage(result(0.5)) == 0

    @pytest.mark.parametrize("share", [0.0, 1.0])
    def test_a_match_without_a_loss_has_a_finite_advantage(self, share: float) -> None:
        assert abs(advantage(result(share))) == pytest.approx(math.log(199))


def share_of(log_odds: float) -> float:
    """Return the share of wins whose log-odds these are."""
    return 1 / (1 + math.exp(-log_odds))


def steps_of(strengths: list[float]) -> list[float]:
    """Return the share of wins of each level against the next lower one."""
    return [share_of(higher - lower) for lower, higher in pairwise(strengths)]


class TestStrengthsOfTheLevels:
    def test_steps_are_even_if_no_baseline_is_too_strong(self) -> None:
        assert level_strengths(2, -1) == pytest.approx([0, 0.5, 1, 1.5, 2])

    def test_a_strong_baseline_lifts_the_regular_and_its_neighbours(self) -> None:
        assert level_strengths(2, 1.5) == pytest.approx([0, 0.75, 1.5, 1.75, 2])

    def test_the_beginner_gets_stronger_where_steps_would_exceed_seventy_in_a_hundred(self) -> None:
        assert steps_of(level_strengths(4, 0)) == pytest.approx([0.7] * 4)
        assert level_strengths(4, 0)[-1] == 4

    def test_with_a_strong_baseline_only_the_steps_below_the_regular_are_limited(self) -> None:
        assert steps_of(level_strengths(4, 3)) == pytest.approx([0.7, 0.7, share_of(0.5), share_of(0.5)])

    def test_steps_above_the_regular_are_never_shortened(self) -> None:
        """The master stays where it is, even if a step to it is large."""
        assert level_strengths(9, 3)[2:] == pytest.approx([9 - 2 * math.log(7 / 3), 9 - math.log(7 / 3), 9])

    def test_a_baseline_stronger_than_the_master_leaves_one_strength_above_the_casual_player(self) -> None:
        assert level_strengths(1, 5) == pytest.approx([0, 0.5, 1, 1, 1])


class TestPlaces:
    """The scale has nine places, 0 to 4; the baseline has played places 1.5 and 2."""

    WEAK = (0.1, 0.1)

    @pytest.fixture
    def place(self, calibration: LevelCalibration, monkeypatch: pytest.MonkeyPatch):
        """Place the levels by the shares of wins of the scale and of the baseline; return lapses, that is places."""
        at = lambda place, points: Level(effort=9, lapses=round(20 * place))  # noqa: E731
        monkeypatch.setattr(level_calibration, "level_at", at)

        def place(scale: list[float], *baselines: tuple[float, float]) -> list[float]:
            """The shares are those of neighbours; those of places farther apart follow from them."""
            log_odds = [math.log(share / (1 - share)) for share in scale]
            far = [share_of(sum(log_odds[start : start + 4])) for start in range(5)]
            calibration.scale = [result(share) for share in (*scale, *far)]
            calibration.baselines = [result(share) for baseline in baselines for share in baseline]
            found = calibration._even_levels()
            assert list(found) == list(LEVELS)
            return [level.lapses / 20 for level in found.values()]

        return place

    def test_equal_steps_of_the_scale_leave_the_usual_levels(self, place) -> None:
        assert place([0.55] * 8, self.WEAK) == [0, 1, 2, 3, 4]

    def test_levels_move_to_the_steep_part_of_the_scale(self, place, monkeypatch) -> None:
        # advantages 0.8, 0.8 and then six times 0: the quarters are at a quarter, a half and three quarters of place 1
        monkeypatch.setattr(level_calibration, "LEAST_ADVANTAGE", 0)
        assert place([share_of(0.8), share_of(0.8), *[0.5] * 6], self.WEAK)[:4] == [0, 0.25, 0.5, 0.75]

    def test_a_place_that_seems_weaker_than_a_lower_one_counts_as_hardly_stronger(self, place) -> None:
        found = place([0.7, 0.3, *[0.6] * 6], self.WEAK)
        assert found == sorted(found)

    def test_a_place_far_above_counts_as_much_as_the_steps_between(self, place, calibration) -> None:
        """The steps say that the upper half is as long as the lower one, direct matches that it is twice as long."""
        place([share_of(0.1)] * 8, self.WEAK)
        calibration.scale[-1] = result(share_of(0.8))
        strengths = calibration._strengths()
        assert strengths[4] == pytest.approx(0.4, abs=0.1)
        assert 0.5 < strengths[8] - strengths[4] < 0.8

    def test_the_regular_stands_where_the_baseline_wins_a_little_less_than_half(self, place) -> None:
        # each half place is 0.2; the baseline is at 0.7 by its first match and at 0.9 by its second, 0.8 on average
        found = place([share_of(0.2)] * 8, (share_of(0.1), share_of(0.1)))
        assert found[2] == pytest.approx(2.2)
        assert found == pytest.approx([0, 1.1, 2.2, 3.1, 4])

    @pytest.mark.parametrize("weaker", [-1.0, 0.05])
    @pytest.mark.parametrize("first", ["weaker", "stronger"])
    def test_the_stronger_of_two_baselines_holds_up_the_regular(self, place, weaker: float, first: str) -> None:
        shares = [(share_of(advantage), share_of(advantage)) for advantage in (weaker, 0.1)]
        baselines = shares if first == "weaker" else shares[::-1]
        assert place([share_of(0.2)] * 8, *baselines)[2] == pytest.approx(2.2)

    def test_a_beginner_who_moves_up_still_does_not_search(self, place, calibration) -> None:
        assert place([0.7] * 8, self.WEAK)[0] == 2
        beginner = calibration._even_levels()["beginner"]
        assert (beginner.effort, beginner.habit, beginner.learned) == (0, 0, 0)


class TestBaselines:
    def test_the_rule_of_thumb_plays_in_every_game(self) -> None:
        assert LevelCalibration(Setup(find_game("trick-walls"), 4), 3, 1)._baseline_bots == ["thumb"]

    def test_a_policy_plays_where_levels_use_it(self) -> None:
        assert LevelCalibration(Setup(find_game("castle-walls"), 2), 3, 1)._baseline_bots == ["thumb", "learned"]

    def test_each_result_is_that_of_the_bot_and_the_place_of_its_match(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def play(self: LevelCalibration, pairs: Any, *more: Any) -> list[Any]:
            return [SimpleNamespace(pair=pair, tally=SimpleNamespace(games=1)) for pair in pairs]

        monkeypatch.setattr(LevelCalibration, "_play", play)
        monkeypatch.setattr(LevelCalibration, "_even_levels", lambda self: {})
        calibration = LevelCalibration(Setup(find_game("castle-walls"), 2), 3, 1)
        calibration.play()
        named = [(calibration._bot_at(place), bot) for bot, place, _ in calibration._baseline_results()]
        assert [each.pair for _, _, each in calibration._baseline_results()] == named  # type: ignore[attr-defined]
        assert [bot for _, bot in named] == ["thumb", "thumb", "learned", "learned"]


class TestTables:
    def test_text_and_json_name_the_higher_and_the_lower_one_of_each_match(self, calibration: LevelCalibration) -> None:
        def won(percent: int) -> Any:
            wins = Estimate(percent / 100, 0.0, 1.0)
            return SimpleNamespace(wins=wins, points=wins, tally=SimpleNamespace(games=10 * percent))

        calibration.scale = [won(place) for place in range(1, 14)]
        calibration.baselines = [won(place) for place in range(21, 23)]
        calibration.checks = [won(place) for place in range(31, 35)]
        calibration.levels = dict(LEVELS)
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in calibration.text().splitlines()]
        wins = {row[-2].partition(".")[0]: row for row in rows if row and "%" in row[-2]}
        assert (wins["1"][:2], wins["8"][:2]) == (["0.5", "0"], ["4", "3.5"])
        assert (wins["9"][:2], wins["13"][:2]) == (["2", "0"], ["4", "2"])
        assert (wins["21"][:2], wins["22"][:2]) == (["thumb", "1.5"], ["thumb", "2"])
        names = list(LEVELS)
        assert [wins[str(31 + place)][:3] for place in range(4)] == [
            [names[place + 1], names[place], f"`{LEVELS[names[place + 1]]}`"] for place in range(4)
        ]
        about = calibration.to_json()
        keys = {"scale": "place", "baselines": "bot", "steps": "level"}
        found = {
            str(round(100 * each["wins"][0])): [
                str(each[key]).removesuffix(".0"),
                str(each["against"]).removesuffix(".0"),
            ]
            for part, key in keys.items()
            for each in about[part]
        }
        assert found == {number: row[:2] for number, row in wins.items()}


@pytest.mark.usefixtures("quick")
class TestPlaying:
    def test_levels_play_against_the_next_lower_one_on_fresh_deals(self, calibration: LevelCalibration) -> None:
        deals = []
        calibration.play(progress=deals.append)
        scale, checks = calibration.scale, calibration.checks
        assert (len(scale), len(calibration.baselines), len(checks)) == (13, 2, 4)
        assert sum(deals) == calibration.matches * 3
        assert scale[0].tally.contest.bots == ("search:slips=88", "search:slips=100")
        assert scale[-1].tally.contest.bots == ("search:effort=0", "search:slips=50")
        assert [each.tally.contest.bots for each in calibration.baselines] == [
            ("thumb", "search:slips=62"),
            ("thumb", "search:slips=50"),
        ]
        assert {each.tally.contest.seed for each in scale} != {each.tally.contest.seed for each in checks}
        assert [each.tally.contest.bots[0] for each in checks] == [
            f"search:{level}" for level in list(calibration.levels.values())[1:]
        ]


class TestPoints:
    def test_all_searches_of_the_scale_play_for_points(self, monkeypatch: pytest.MonkeyPatch) -> None:
        played = []
        monkeypatch.setattr(LevelCalibration, "_play", lambda self, pairs, *more: played.extend(pairs) or [])
        calibration = LevelCalibration(Setup(find_game("trime-kicker"), 2), 3, 1, points=100)
        monkeypatch.setattr(LevelCalibration, "_even_levels", lambda self: {})
        calibration.play()
        searches = [bot for pair in played for bot in pair if "effort" in bot]
        assert len(searches) > 20
        assert all("points=100" in bot for bot in searches)
        assert level_at(0.5, 100).points == 100
        assert level_at(0, 100) == LEVELS["beginner"]

    @pytest.mark.parametrize("share", [0.55, 0.8])
    @pytest.mark.parametrize("points", [0, 1, 100])
    def test_the_levels_of_the_file_are_those_that_were_measured(
        self, points: int, share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The file leaves out the levels that keep their usual settings."""
        won = SimpleNamespace(wins=Estimate(share, 0.0, 1.0), tally=SimpleNamespace(games=100, even_share=0.5))
        played: list[tuple[str, str]] = []

        def play(self: LevelCalibration, pairs: Any, *more: Any) -> list[Any]:
            played[:] = pairs
            return [won for _ in played]

        monkeypatch.setattr(LevelCalibration, "_play", play)
        calibration = LevelCalibration(Setup(find_game("trime-kicker"), 2), 3, 1, points)
        calibration.play()
        calibration.write(tmp_path / "levels.json", "parlour levels")
        levels = {**LEVELS, **read_levels(tmp_path / "levels.json", "levels.json", "trime-kicker")}
        assert levels == calibration.levels
        assert [*pairwise(f"search:{level}" for level in levels.values())] == played
        assert {level.points for level in levels.values() if level.effort} == {points}


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
        assert "| thumb | 1.5 | " in done.stdout
        assert "| casual | beginner | `slips=" in done.stdout
        assert set(read_levels(file, "levels.json", "trime-kicker")) == {"casual", "regular", "expert"}
        about = json.loads(file.read_text())["about"]
        assert (about["deals"], len(about["scale"]), len(about["steps"])) == (2, 13, 4)
        assert [(each["bot"], each["against"], each["games"]) for each in about["baselines"]] == [
            ("thumb", 1.5, 4),
            ("thumb", 2.0, 4),
        ]

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
            self.scale = [self._plan("thumb", "random", 1)]
            for deal in level_calibration.play_and_store(self.scale[0].tally.contest, 2):
                self.scale[0].add(deal)
            raise KeyboardInterrupt

        monkeypatch.setattr(LevelCalibration, "play", interrupted)
        stopped = levels("--out", str(tmp_path / "levels.json"))
        assert stopped.exit_code == 130
        assert "| 0.5 | 0 |" in stopped.output
        assert "no file was written" in stopped.output
        assert not (tmp_path / "levels.json").exists()

    def test_the_report_is_printed_even_if_the_disk_is_full_at_the_end(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(*arguments: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(level_calibration, "write_whole", full)
        monkeypatch.setattr("parlour.bots.game_levels.LEVELS", {name: Level() for name in LEVELS})
        failed = levels("-n", "2", "--out", str(tmp_path / "levels.json"))
        assert failed.exit_code == 1
        assert "| casual | beginner | `slips=" in failed.stdout
        assert "levels.json: cannot be written: No space left on device" in failed.stderr

    def test_a_file_that_another_run_wrote_meanwhile_is_kept(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file, play = tmp_path / "levels.json", LevelCalibration.play

        def play_beside_another(self: LevelCalibration, *arguments: Any) -> None:
            play(self, *arguments)
            file.write_text("theirs")

        monkeypatch.setattr(LevelCalibration, "play", play_beside_another)
        monkeypatch.setattr("parlour.bots.game_levels.LEVELS", {name: Level() for name in LEVELS})
        refused = levels("-n", "2", "--out", str(file))
        assert refused.exit_code == 1
        assert "levels.json was written meanwhile, by another run, and is kept" in refused.output
        assert file.read_text() == "theirs"
