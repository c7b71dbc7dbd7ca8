"""The examples run; those with PyTorch, TorchRL or Ray only where these are installed (``make examples``)."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from examples.high_cards import HighCards
from examples.random_play import play

import parlour

pytestmark = pytest.mark.slow  # compiles

ROOT = Path(__file__).parents[2]


def needs(package):
    installed = importlib.util.find_spec(package) is not None
    return pytest.mark.skipif(not installed, reason=f"{package} is not installed; make examples installs it")


class TestRandomPlay:
    @pytest.mark.parametrize("game", parlour.games())
    def test_it_plays_a_game_to_the_end_and_prints_it(self, game, capsys):
        assert sum(play(game).values()) == pytest.approx(0, abs=1e-6)
        assert parlour.make(game).game.title in capsys.readouterr().out


class TestBot:
    def test_it_plays_by_its_id(self):
        setup = parlour.make("trick-walls", players=4)
        assert parlour.play(setup, ["examples.high_cards:HighCards", "random", HighCards(), "thumb"], seed=1).over

    def test_it_plays_the_action_with_the_highest_card(self):
        match = parlour.make("trick-walls", players=4).start(seed=7)
        assert HighCards().choose(match.observation()) == "AC"


class TestTens:
    @pytest.mark.parametrize(("players", "deals"), [(4, 30), (6, 60)])
    def test_it_wins_less_than_its_share_from_the_rule_of_thumb(self, players, deals):
        setup = parlour.make("tricky-tribes", players, rounds=1)
        wins = parlour.match(setup, "examples.tens:Tens", "thumb", deals, seed=1).wins
        assert wins.high < 1 / players

    def test_it_plays_whole_games_with_jokers_and_a_dummy_that_are_the_same_again(self):
        setup = parlour.make("tricky-tribes", 3, jokers=2, dummy=True)
        games = [parlour.play(setup, ["examples.tens:Tens", "random", "thumb"], seed=3) for _ in range(2)]
        assert games[0].over
        assert games[0].events == games[1].events


@needs("torch")
@needs("tensorboard")
class TestPPO:
    ARGUMENTS = (
        "trime-kicker",
        "--games",
        "32",
        "--length",
        "16",
        "--every",
        "2",
        "--test-games",
        "16",
        "--threads",
        "1",
    )

    @pytest.fixture
    def folder(self, tmp_path):
        from examples import train_ppo

        train_ppo.main([*self.ARGUMENTS, "--steps", "2048", "--folder", str(tmp_path)])
        return tmp_path

    def test_it_learns_draws_curves_and_continues(self, folder):
        from examples import train_ppo

        assert any("tfevents" in file.name for file in folder.iterdir())
        before, saved = train_ppo.load(folder / "net.pt")
        assert saved["done"] == 2048
        train_ppo.main([*self.ARGUMENTS, "--steps", "4096", "--folder", str(folder), "--resume"])
        after, saved = train_ppo.load(folder / "net.pt")
        assert saved["done"] == 4096
        assert not np.array_equal(before.policy.weight.detach().numpy(), after.policy.weight.detach().numpy())
        head, *rows = (folder / "curve.csv").read_text().splitlines()
        assert head.startswith("decisions,policy,")
        assert head.endswith(",against thumb,interval,minutes of a core")
        assert [row.partition(",")[0] for row in rows] == ["1024", "2048", "3072", "4096"]

    @staticmethod
    def stop(*_):
        raise KeyboardInterrupt

    def test_a_run_that_is_stopped_early_can_continue(self, tmp_path, monkeypatch, capsys):
        from examples import train_ppo

        with monkeypatch.context() as patch:
            patch.setattr(train_ppo, "learn", self.stop)
            with pytest.raises(KeyboardInterrupt):
                train_ppo.main([*self.ARGUMENTS, "--folder", str(tmp_path)])
        assert capsys.readouterr().err == "Stopped; --resume goes on from the last checkpoint.\n"
        assert train_ppo.load(tmp_path / "net.pt")[1]["done"] == 0
        train_ppo.main([*self.ARGUMENTS, "--steps", "1024", "--folder", str(tmp_path), "--resume"])
        assert train_ppo.load(tmp_path / "net.pt")[1]["done"] == 1024

    def test_a_run_that_is_stopped_before_its_first_checkpoint_mentions_none(self, tmp_path, monkeypatch, capsys):
        from examples import train_ppo

        monkeypatch.setattr(train_ppo.parlour, "Batch", self.stop)
        with pytest.raises(KeyboardInterrupt):
            train_ppo.main([*self.ARGUMENTS, "--folder", str(tmp_path)])
        assert capsys.readouterr().err == ""
        assert not (tmp_path / "net.pt").exists()

    def test_a_new_run_leaves_the_net_and_the_curve_of_another(self, folder, capsys):
        from examples import train_ppo

        before = {file.name: file.read_bytes() for file in folder.iterdir()}
        with pytest.raises(SystemExit, match="2"):
            train_ppo.main([*self.ARGUMENTS, "--folder", str(folder)])
        assert "net.pt exists already; --resume continues it" in capsys.readouterr().err
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == before

    def test_there_is_nothing_to_resume_in_an_empty_folder(self, tmp_path, capsys):
        from examples import train_ppo

        with pytest.raises(SystemExit, match="2"):
            train_ppo.main([*self.ARGUMENTS, "--folder", str(tmp_path), "--resume"])
        assert "has no net.pt to continue" in capsys.readouterr().err

    def test_a_net_of_another_tensor_version_is_refused(self, folder):
        import torch

        from examples import train_ppo

        saved = torch.load(folder / "net.pt", weights_only=True)
        saved["config"]["tensors"] = "0-old"
        torch.save(saved, folder / "net.pt")
        with pytest.raises(ValueError, match="this net reads tensors of version 0-old, not 0-"):
            train_ppo.load(folder / "net.pt")

    def test_it_ends_after_some_minutes_of_a_core(self, tmp_path):
        from examples import train_ppo

        train_ppo.main([*self.ARGUMENTS, "--minutes", "0.0001", "--folder", str(tmp_path)])
        assert train_ppo.load(tmp_path / "net.pt")[1]["done"] == 512

    def test_the_net_plays_as_a_bot(self, folder):
        command = [sys.executable, "-m", "parlour", "match", "examples.train_ppo:Trained", "random", "trime-kicker"]
        environment = {**os.environ, "PARLOUR_NET": str(folder / "net.pt")}
        done = subprocess.run(
            [*command, "--deals", "2", "--cores", "1"], env=environment, cwd=ROOT, capture_output=True, text=True
        )
        assert "forfeit" not in done.stdout
        assert "Trained" in done.stdout

    def test_each_seat_learns_from_its_own_decisions_and_its_own_reward(self):
        import torch
        from examples.train_ppo import Net, Rollout

        setup = parlour.make("trime-kicker")
        net, batch = Net(setup, ["may"], 8), parlour.Batch(setup, 2)
        rollout = Rollout(4, 2, net.body[0].in_features, setup.num_actions, 2)
        rollout.actors[:] = np.array([[0, 1, 0, 1], [1, 1, 0, 0]]).T
        rollout.over[2] = True
        rollout.rewards[2] = [[1, -1], [-1, 1]]
        rollout.values = torch.tensor([[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8]]).T.contiguous()
        rollout.compute_advantages(batch, net, lam=0.0)
        first, second = rollout.advantages.numpy().T
        assert first[:3] == pytest.approx([0.3 - 0.1, -1 - 0.2, 1 - 0.3])
        assert second[:3] == pytest.approx([0.6 - 0.5, 1 - 0.6, -1 - 0.7])
        rollout.compute_advantages(batch, net, lam=1.0)
        first, second = rollout.advantages.numpy().T
        assert first[:3] == pytest.approx([1 - 0.1, -1 - 0.2, 1 - 0.3])
        assert second[:3] == pytest.approx([1 - 0.5, 1 - 0.6, -1 - 0.7])


@needs("torch")
class TestArrays:
    def test_torch_shares_the_memory_of_a_batchs_observations(self):
        import torch

        batch = parlour.Batch(parlour.make("trick-walls"), 3)
        tensor, mask = batch.observe()
        shared, marks = torch.from_dlpack(tensor), torch.from_dlpack(mask)
        batch.step(batch.random_actions())
        batch.observe(tensor=tensor, legal_mask=mask)
        assert np.array_equal(shared.numpy(), tensor)
        assert np.array_equal(marks.numpy(), mask)
        assert shared.data_ptr() == tensor.ctypes.data
        assert marks.data_ptr() == mask.ctypes.data


@needs("jax")
class TestJax:
    def test_it_reads_a_batchs_observations_without_a_copy(self):
        import jax

        for array in parlour.Batch(parlour.make("trick-walls"), 3).observe():
            shared = jax.dlpack.from_dlpack(array)
            assert np.array_equal(np.asarray(shared), array)
            assert shared.unsafe_buffer_pointer() == array.ctypes.data


@needs("torchrl")
class TestTorchRL:
    SMALL = ("trime-kicker", "--games", "8", "--length", "32", "--minibatch", "64")

    def test_it_learns_from_legal_actions_and_its_policy_plays(self, tmp_path, monkeypatch, capsys):
        from examples import train_torchrl

        illegal, play = [], train_torchrl.CardGames._play
        monkeypatch.setattr(train_torchrl.CardGames, "_play", lambda *args: illegal.append(play(*args)) or illegal[-1])
        file = tmp_path / "policy.pt"
        train_torchrl.main([*self.SMALL, "--steps", "512", "--file", str(file)])
        assert "512 decisions: mean reward" in capsys.readouterr().out
        assert len(illegal) >= 64
        assert not np.any(illegal)
        monkeypatch.setattr(train_torchrl, "MODEL", file)
        seen = parlour.make("trime-kicker").start(seed=1).observation()
        assert train_torchrl.Trained().choose(seen) in seen.legal_actions


@needs("sb3_contrib")
class TestStableBaselines:
    SMALL = ("--games", "8", "--length", "16", "--minibatch", "64", "--steps", "128")

    @pytest.mark.parametrize(("game", "how"), [("trime-kicker", ()), ("three-tricks", ("--factored",))])
    def test_it_learns_and_its_policy_plays_a_game(self, game, how, tmp_path, monkeypatch, capsys):
        from examples import train_sb3

        file = tmp_path / "model.zip"
        train_sb3.main([game, *self.SMALL, *how, "--file", str(file)])
        assert "against thumb: mean reward" in capsys.readouterr().out
        monkeypatch.setattr(train_sb3, "MODEL", file)
        match = parlour.play(parlour.make(game), [train_sb3.Trained(), "random"], seed=1)
        assert match.over

    def test_a_model_is_continued_only_on_request(self, tmp_path, capsys):
        from examples import train_sb3

        file = tmp_path / "model.zip"
        with pytest.raises(SystemExit, match="2"):
            train_sb3.main(["trime-kicker", *self.SMALL, "--file", str(file), "--resume"])
        file.write_text("a model")
        with pytest.raises(SystemExit, match="2"):
            train_sb3.main(["trime-kicker", *self.SMALL, "--file", str(file)])
        assert "model.zip is not there" in (refused := capsys.readouterr().err)
        assert "model.zip exists already; --resume continues it" in refused
        assert file.read_text() == "a model"

    def test_choosing_words_leads_to_the_action_of_the_environment(self, tmp_path):
        from examples import train_sb3
        from parlour.envs.factored_game import FactoredGame

        file = tmp_path / "model.zip"
        train_sb3.main(["three-tricks", *self.SMALL, "--factored", "--file", str(file)])
        model, game = train_sb3.load_cached(file), FactoredGame(parlour.make("three-tricks"), "win")
        game.begin(3)
        observation, before = game.match.observation(), len(game.match.events)
        while len(game.match.events) == before:
            tensor, masks = game.observe(game.actor)
            game.act(int(model.predict(tensor, action_masks=masks, deterministic=True)[0]))
        chosen = train_sb3.choose_words(model, observation)
        assert game.setup.action_name(chosen) == game.match.events[before].do


@needs("ray")
class TestRLlib:
    def test_it_learns_for_two_iterations(self):
        from examples.train_rllib import learner

        algorithm = learner("trick-walls", players=2, decisions=200)
        try:
            for _ in range(2):
                results = algorithm.train()
            assert np.isfinite(results["learners"]["every_seat"]["total_loss"])
            assert results["num_env_steps_sampled_lifetime"] >= 400
        finally:
            algorithm.stop()


@needs("torch")
@needs("tree")
class TestOpenSpiel:
    END = "python_trime_kicker_end(number=7,nodes=2000,history=9)"

    @staticmethod
    def curve(folder):
        return [row.split(",") for row in (folder / "curve.csv").read_text().splitlines()]

    @pytest.mark.parametrize("algorithm", ["nfsp", "dqn", "deep-cfr"])
    def test_it_writes_the_exploitability_in_an_endgame(self, algorithm, tmp_path):
        from examples import train_openspiel

        train_openspiel.main([algorithm, self.END, "--minutes", "0.02", "--folder", str(tmp_path)])
        head, first, *others = self.curve(tmp_path)
        unit = "traversals" if algorithm == "deep-cfr" else "games"
        assert head == [unit, "minutes of a core", "exploitability"]
        assert first[:2] == ["0", "0.00"]
        assert others
        assert all(0 <= float(row[2]) <= 1 for row in [first, *others])

    @pytest.mark.parametrize(
        ("algorithm", "game", "why"),
        [
            ("deep-cfr", "python_trick_walls", "deep-cfr tries every own action of a traversal: choose an endgame"),
            ("nfsp", "python_whist", "Unknown game 'python_whist'"),
            ("nfsp", "python_trick_walls(players=7)", "players"),
        ],
    )
    def test_what_it_cannot_learn_is_refused_in_a_sentence(self, algorithm, game, why, capsys):
        from examples import train_openspiel

        with pytest.raises(SystemExit, match="2"):
            train_openspiel.main([algorithm, game])
        assert why in capsys.readouterr().err

    def test_it_writes_mean_rewards_in_a_game(self, tmp_path):
        from examples import train_openspiel

        game = "python_trick_walls(players=2,rounds=1)"
        train_openspiel.main(["nfsp", game, "--minutes", "0.001", "--test-games", "2", "--folder", str(tmp_path)])
        head, *rows = self.curve(tmp_path)
        assert head == ["games", "minutes of a core", "against random", "against thumb"]
        assert len(rows) >= 2

    def test_the_exploitability_is_half_of_what_best_responses_gain(self):
        import pyspiel
        from open_spiel.python.algorithms.exploitability import nash_conv
        from open_spiel.python.policy import UniformRandomPolicy

        from examples import train_openspiel

        game = pyspiel.load_game(self.END)
        random = UniformRandomPolicy(game)
        (text,) = train_openspiel.exploitability(game, random)
        assert float(text) == pytest.approx(nash_conv(game, random) / 2, abs=5e-5)

    def test_probabilities_that_do_not_add_up_to_1_are_scaled(self):
        import pyspiel
        from open_spiel.python.policy import Policy, UniformRandomPolicy

        from examples import train_openspiel

        class HalfAsProbable(Policy):
            def action_probabilities(self, state, player_id=None):
                return {action: 0.5 / len(state.legal_actions()) for action in state.legal_actions()}

        game = pyspiel.load_game(self.END)
        scaled = train_openspiel.exploitability(game, HalfAsProbable(game, [0, 1]))
        assert scaled == train_openspiel.exploitability(game, UniformRandomPolicy(game))
