"""Stable-Baselines3's vector environment over a batch; ``make examples`` installs what these tests need."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed; make examples installs it")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

import parlour
from parlour.envs.gymnasium import CardGame
from parlour.envs.sb3 import VecCardGames

pytestmark = pytest.mark.slow  # compiles


def play_steps(games, steps):
    """Play the first legal actions; return the tensor, rewards, ends and infos of each step."""
    tensor, taken = games.reset(), []
    for _ in range(steps):
        tensor, rewards, over, infos = games.step(games.action_masks().argmax(axis=1))
        taken.append((tensor, rewards, over, infos))
    return taken


class TestGames:
    @pytest.mark.parametrize("game", parlour.games())
    def test_each_has_the_deal_and_seat_of_the_single_environment_with_its_seed(self, game):
        """The tables are the same until an opponent has acted, since opponents draw from other random streams."""
        games, singles = VecCardGames(game, 2, threads=1), [CardGame(game) for _ in range(2)]
        games.seed(5)
        seen, alone = games.reset(), [single.reset(seed=5 + index) for index, single in enumerate(singles)]
        assert games.reset_infos == [{"seat": info["seat"]} for _, info in alone]
        for index, (tensor, info) in enumerate(alone):
            if len(singles[index]._game._game.log) == 0:
                assert np.array_equal(seen[index], tensor)
                assert np.array_equal(games.action_masks()[index], info["action_mask"])

    def test_without_a_seed_the_next_games_begin(self):
        games = VecCardGames("trime-kicker", 3, opponents="random", threads=1)
        games.seed(1)
        first, second = games.reset(), games.reset()
        assert not np.array_equal(first, second)
        games.seed(1)
        assert np.array_equal(games.reset(), first)

    def test_the_seat_can_be_chosen_for_all_of_them(self):
        games = VecCardGames("trime-kicker", 3, threads=1)
        games.set_options({"seat": 1})
        games.reset()
        assert games.get_attr("seat") == [1, 1, 1]
        games.set_options([{"seat": 1}, {}, {}])
        with pytest.raises(parlour.ParlourError, match="same options"):
            games.reset()


class TestEnds:
    def test_infos_have_the_last_observation_and_the_episode(self):
        games = VecCardGames("trime-kicker", 8, opponents="random", threads=1)
        games.seed(2)
        lengths, ended = np.zeros(8, int), 0
        for tensor, rewards, over, infos in play_steps(games, 200):
            lengths += 1
            for game in range(8):
                assert ("terminal_observation" in infos[game]) == over[game]
                if over[game]:
                    assert infos[game]["episode"]["r"] == rewards[game]
                    assert infos[game]["episode"]["l"] == lengths[game]
                    assert not np.array_equal(infos[game]["terminal_observation"], tensor[game])
                    lengths[game] = 0
                    ended += 1
        assert ended > 0

    def test_a_reset_in_the_middle_of_games_begins_new_episodes(self):
        games = VecCardGames("trime-kicker", 4, opponents="random", threads=1)
        games.seed(2)
        assert not any(over.any() for _, _, over, _ in play_steps(games, 3))
        first = {}
        for step, (_, rewards, over, infos) in enumerate(play_steps(games, 200), 1):
            for game in np.flatnonzero(over).tolist():
                episode = infos[game]["episode"]
                first.setdefault(game, (episode["l"], episode["r"]) == (step, rewards[game]))
        assert first == dict.fromkeys(range(4), True)

    def test_an_illegal_action_costs_its_reward(self):
        games = VecCardGames("trime-kicker", 2, threads=1, illegal_reward=-3.0)
        games.reset()
        masks = games.action_masks()
        _, rewards, over, _ = games.step(np.array([masks[0].argmin(), masks[1].argmax()]))
        assert (rewards[0], over[0]) == (-3, True)


class TestMaskablePPO:
    def test_it_learns_and_is_measured_unmodified(self):
        games = VecMonitor(VecCardGames("trime-kicker", 8, opponents="random", threads=1))
        assert is_masking_supported(games)
        assert get_action_masks(games).shape == (8, games.get_attr("setup")[0].num_actions)
        model = MaskablePPO("MlpPolicy", games, n_steps=16, batch_size=64, n_epochs=1, seed=1, device="cpu")
        model.learn(128)
        mean, _ = evaluate_policy(model, games, n_eval_episodes=4)
        assert -1 <= mean <= 1


class TestRendering:
    def test_one_picture_has_all_tables(self):
        games = VecCardGames("trime-kicker", 4, threads=1, render_mode="rgb_array")
        games.reset()
        assert games.render().shape == (1440, 1920, 3)


class TestAttributes:
    def test_an_attribute_or_method_that_a_batch_lacks_is_an_error(self):
        games = VecCardGames("trime-kicker", 2, threads=1)
        with pytest.raises(parlour.ParlourError, match="cannot be set"):
            games.set_attr("seat", 1)
        with pytest.raises(AttributeError, match="no method"):
            games.env_method("unknown")
        assert not games.has_attr("unknown")
