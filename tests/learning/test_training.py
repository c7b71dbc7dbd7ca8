"""Training of a policy, interpreted, in a game so small that it takes less than a second."""

import json
from collections import defaultdict
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.contests.exploitation import Exploitation
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.learning import training_run
from parlour.learning.policy_loop import BEST, HEURISTIC, POLICY
from parlour.learning.training import PlayedGames, PolicyGames, PolicyScore, Training
from parlour.learning.training_run import TrainingLimits, TrainingRun
from tests.learning.bid import GAME

BID = Setup(GAME, 2)


def short_training(iterations: int, seed: int = 5) -> Training:
    """Return a training after some small iterations."""
    training = Training(PolicyGames(BID, interpret=True), seed, size=24, curve_deals=8)
    training.prepare()
    for _ in range(iterations):
        training.improve(training.play())
        training.measure()
    return training


def checkpoint_about(about: object) -> bytes:
    """Return the content of a checkpoint file with this description and no arrays."""
    written = BytesIO()
    np.savez(written, about=json.dumps(about))
    return written.getvalue()


class TestGames:
    def test_a_policy_that_follows_the_heuristic_wins_half(self) -> None:
        games = PolicyGames(BID, interpret=True)
        weights = np.zeros(games.features, np.float32)
        weights[BEST] = 99
        assert games.score(weights, 1, 20).wins[0] == 0.5

    def test_a_deal_has_the_same_cards_for_all_bots(self) -> None:
        games = PolicyGames(BID, interpret=True)
        weights = np.zeros(games.features, np.float32)
        weights[BEST] = 99
        players = np.array([[HEURISTIC, HEURISTIC], [POLICY, HEURISTIC], [HEURISTIC, POLICY]])
        _, leads, _, _ = games.play(1, np.array([7, 7, 7]), players, weights)
        assert (leads == leads[0]).all()

    def test_a_lead_is_counted_against_the_others(self) -> None:
        games = PolicyGames(BID, interpret=True)
        players = np.full((10, 2), HEURISTIC)
        rewards, leads, _, _ = games.play(1, np.arange(10), players, np.zeros(games.features, np.float32))
        assert (leads[:, 0] == -leads[:, 1]).all()
        assert (np.sign(rewards) == np.sign(leads)).all()
        assert leads.any()


class TestScore:
    @pytest.mark.parametrize(
        ("wins", "even", "stronger"),
        [
            ((0.56, 0.51, 0.61), 0.5, True),
            ((0.56, 0.49, 0.63), 0.5, False),
            ((0.55, 0.5, 0.6), 0.5, False),
            ((0.4, 0.3, 0.5), 0.5, False),
            ((0.4, 0.3, 0.5), 0.25, True),
        ],
    )
    def test_a_policy_is_stronger_if_its_whole_interval_lies_above_an_even_share(
        self, wins: tuple[float, float, float], even: float, stronger: bool
    ) -> None:
        assert PolicyScore(200, wins, even, (0.0, -1.0, 1.0)).is_stronger is stronger

    def test_its_text_has_wins_and_points_with_their_intervals(self) -> None:
        assert PolicyScore(2000, (0.56, 0.512, 0.61), 0.25, (-0.5, -1.0, 0.25)).text() == (
            "56.0% (51.2% to 61.0%) of 2,000 games won, an even share is 25.0%; −0.50 points (−1.00 to +0.25)"
        )


class TestTraining:
    def test_a_continued_training_compiles_before_its_time_counts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        training = short_training(1)
        minutes, before = list[float](), training.minutes
        monkeypatch.setattr(training.games, "warm_up", lambda: minutes.append(training.minutes))
        training.prepare()
        assert minutes == [before]

    @pytest.mark.parametrize("seconds", [6.0, 60.0, 90.0])
    def test_minutes_are_those_of_its_iterations_and_of_the_points_of_its_curve(self, seconds: float) -> None:
        training = short_training(0)
        training.clock = count(0.0, seconds).__next__  # any work takes as long
        for number in (1, 2):
            training.improve(training.play())
            assert training.minutes == pytest.approx((2 * number - 1) * seconds / 60)
            point = training.measure()
            assert training.minutes == point.minutes == pytest.approx(2 * number * seconds / 60)

    def test_a_game_is_played_to_compile_the_loop(self, monkeypatch: pytest.MonkeyPatch) -> None:
        games = PolicyGames(BID, interpret=True)
        played = list[int]()
        monkeypatch.setattr(games, "play", lambda seed, deals, *rest: played.extend(deals))
        games.warm_up()
        assert played == [0]

    def test_it_learns_what_the_heuristic_does_not_know(self) -> None:
        score = short_training(2).check(100)
        assert score.is_stronger
        assert score.points[1] > 0

    def test_the_same_seed_learns_the_same_policy(self) -> None:
        one, two, other = short_training(2), short_training(2), short_training(2, seed=6)
        assert one.best.tolist() == two.best.tolist() != other.best.tolist()

    @pytest.mark.parametrize("self_play", [0.0, 0.5, 1.0])
    def test_every_deal_is_new_and_played_once_by_the_policy_alone_or_once_from_each_side(
        self, self_play: float, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        training = Training(PolicyGames(BID, interpret=True), 5, size=8, curve_deals=2, self_play=self_play)
        training.prepare()
        play, line_ups = training.games.play, defaultdict[int, list[list[int]]](list)

        def note(seed: int, deals: Any, players: Any, *rest: Any, **named: Any) -> Any:
            for deal, row in zip(deals.tolist(), players.tolist(), strict=True):
                line_ups[deal].append(row)
            return play(seed, deals, players, *rest, **named)

        monkeypatch.setattr(training.games, "play", note)
        for _ in range(2):
            training.improve(training.play())
        alone = [[POLICY, POLICY]]
        against = [[POLICY, HEURISTIC], [HEURISTIC, POLICY]]
        assert list(line_ups.values()).count(alone) == 16 * self_play
        assert list(line_ups.values()).count(against) == 8 * (1 - self_play)

    def test_the_best_policy_of_the_curve_is_kept(self) -> None:
        training = short_training(1)
        kept, won = training.best, training.curve[0].score.wins[0]
        training._recent = -training._recent
        assert training.measure().score.wins[0] < won
        assert training.best is kept


def interrupt(*_: object) -> None:
    """Do what Ctrl-C does."""
    raise KeyboardInterrupt


class TestRun:
    def begin(self, folder: Path, seed: int = 5) -> TrainingRun:
        """Return a run with small iterations."""
        run = TrainingRun(BID, seed, folder / "bid.json", "parlour train bid", interpret=True)
        run.training.size, run.training.curve_deals = 24, 8
        return run

    def run(self, folder: Path, games: int, resume: bool = False, **named: Any) -> TrainingRun:
        """Return a run with small iterations, at its end."""
        run = self.begin(folder, **named)
        if resume:
            run.continue_from_checkpoint()
        run.work(TrainingLimits(10, games), lambda *_: None, lambda line: None)
        return run

    def test_a_run_in_two_parts_learns_the_same(self, tmp_path: Path) -> None:
        at_once = self.run(tmp_path, 72)
        (tmp_path / "parts").mkdir()
        self.run(tmp_path / "parts", 48)
        parts = self.run(tmp_path / "parts", 72, resume=True)
        assert parts.training.iteration == 3
        arrays = parts.training.arrays()
        for name, array in at_once.training.arrays().items():
            assert name == "best" or array.tolist() == arrays[name].tolist(), name

    @pytest.mark.parametrize("kind", [Training, Exploitation])
    def test_continues_with_each_array_under_its_own_name(
        self, monkeypatch: pytest.MonkeyPatch, kind: type[Training]
    ) -> None:
        monkeypatch.setattr("parlour.contests.exploitation.shipped_policy", lambda *_: None)
        training = kind(PolicyGames(BID, interpret=True), 5, 24)
        filled = {name: np.full_like(array, place) for place, (name, array) in enumerate(training.arrays().items(), 1)}
        training.restore(filled, [], 0.0)
        found = training.arrays()
        assert {name: array.tolist() for name, array in filled.items()} == {
            name: np.asarray(array).tolist() for name, array in found.items()
        }

    def test_the_file_says_how_it_was_made(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(training_run, "CHECK_DEALS", 30)
        run = self.run(tmp_path, 24)
        run.check()
        about = json.loads((tmp_path / "bid.json").read_text())["about"]
        assert about == {key: run.to_json()[key] for key in about}
        assert (about["command"], about["seed"], about["games"]) == ("parlour train bid", 5, 24)
        assert [point["games"] for point in about["curve"]] == [24]
        assert about["check"]["games"] == 60
        assert "of 60 games won" in run.text()

    def test_a_run_continues_after_ctrl_c_with_the_next_iteration(self, tmp_path: Path) -> None:
        with pytest.raises(KeyboardInterrupt):
            self.begin(tmp_path).work(TrainingLimits(10, 48), interrupt, lambda line: None)
        again = self.begin(tmp_path)
        again.continue_from_checkpoint()
        assert again.training.iteration == 1

    def test_a_continued_run_has_the_games_the_minutes_and_the_curve_of_its_first_part(self, tmp_path: Path) -> None:
        first = self.run(tmp_path, 24)
        first.training.minutes = 3.5
        first.save()
        again = self.begin(tmp_path)
        again.continue_from_checkpoint()
        assert again.training.curve == first.training.curve
        for limits in (TrainingLimits(3.5), TrainingLimits(10, 24)):
            assert limits.reached_by(again.training)
        assert not TrainingLimits(3.6, 25).reached_by(again.training)

    def test_progress_is_the_seconds_of_training_and_the_games_so_far(self, tmp_path: Path) -> None:
        run, steps = self.begin(tmp_path), list[tuple[float, str]]()
        training = run.training
        training.minutes, training.clock = 0.5, lambda: 0.0

        def improve(played: PlayedGames) -> None:
            training.minutes += 0.25
            training.iteration += 1

        training.improve = improve  # type: ignore[method-assign]
        run.work(TrainingLimits(1.0), lambda seconds, words: steps.append((seconds, words())), lambda line: None)
        assert steps == [(15.0, "24 games"), (15.0, "48 games")]
        training.size = 1024
        run.work(TrainingLimits(1.25), lambda seconds, words: steps.append((seconds, words())), lambda line: None)
        assert steps[2:] == [(15.0, "3,072 games")]

    def test_a_folder_that_does_not_exist_is_refused_before_training(self, tmp_path: Path) -> None:
        with pytest.raises(ParlourError, match=r"none/bid.json cannot be written: No such file or directory"):
            self.begin(tmp_path / "none").work(TrainingLimits(10, 24), interrupt, lambda line: None)

    def test_a_run_whose_limit_is_reached_says_so(self, tmp_path: Path) -> None:
        self.run(tmp_path, 24)
        notes = list[str]()
        again = self.begin(tmp_path)
        again.continue_from_checkpoint()
        again.work(TrainingLimits(10, 24), interrupt, notes.append)
        assert "has 24 games in 0.0 minutes of a core already" in notes[0]

    @pytest.mark.parametrize(
        ("content", "seed", "reason"),
        [
            (b"PK\3\4 nonsense", 5, "is damaged, or no checkpoint"),
            (checkpoint_about([]), 5, "is damaged, or no checkpoint"),
            (checkpoint_about({"curve": [], "minutes": None}), 5, "is damaged, or no checkpoint"),
            (None, 6, r"another training \(seed: 5 there, 6 here\)"),
        ],
    )
    def test_a_checkpoint_that_does_not_fit_is_refused(
        self, tmp_path: Path, content: bytes | None, seed: int, reason: str
    ) -> None:
        run = self.run(tmp_path, 24)
        if content:
            run.checkpoint.write_bytes(content)
        with pytest.raises(ParlourError, match=reason):
            self.run(tmp_path, 48, resume=True, seed=seed)

    def test_a_checkpoint_of_other_rules_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.run(tmp_path, 24)
        monkeypatch.setattr(training_run, "source_hash", lambda dtype: "another")
        with pytest.raises(ParlourError, match=r"is of another training \(code: '.+' there, 'another' here\)"):
            self.begin(tmp_path).continue_from_checkpoint()

    def test_a_checkpoint_without_one_of_its_arrays_is_damaged(self, tmp_path: Path) -> None:
        begun = self.begin(tmp_path)
        begun.save()
        with np.load(begun.checkpoint) as kept:
            fewer = {key: kept[key] for key in kept.files if key != "fisher"}
        with begun.checkpoint.open("wb") as file:
            np.savez(file, **fewer)
        with pytest.raises(ParlourError, match="is damaged, or no checkpoint"):
            self.begin(tmp_path).continue_from_checkpoint()

    def test_a_run_stops_when_another_run_has_written_its_files(self, tmp_path: Path) -> None:
        one, other = self.begin(tmp_path), self.begin(tmp_path)
        one.save()
        other.save()
        with pytest.raises(ParlourError, match=r"bid.json.checkpoint was changed by another run, so this one stops"):
            one.save()
        one.checkpoint.unlink()
        one.save()

    def test_a_policy_is_written_only_beside_its_checkpoint(self, tmp_path: Path, monkeypatch) -> None:
        def full(path: Path, *content: object) -> None:
            assert path.suffix == ".checkpoint"
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(training_run, "write_whole", full)
        with pytest.raises(ParlourError, match=r"bid.json cannot be written: No space left on device"):
            self.begin(tmp_path).save()
        assert list(tmp_path.iterdir()) == []

    def test_without_a_checkpoint_there_is_nothing_to_resume(self, tmp_path: Path) -> None:
        with pytest.raises(ParlourError, match=r"bid.json.checkpoint cannot be read: No such file"):
            self.run(tmp_path, 24, resume=True)
