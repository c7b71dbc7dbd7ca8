"""Environments whose actions are chosen word by word, ``factored=True``: the same games in more steps."""

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import parlour
from parlour.engine.errors import IllegalError
from parlour.engine.simulation.factored import DONE, action_words
from parlour.envs.gymnasium import CardGame, environment_id
from parlour.envs.pettingzoo import raw_env
from parlour.envs.vector import CardGames

pytestmark = pytest.mark.slow  # compiles

GAMES = parlour.games()


def draw_word(mask, rng):
    """Return a random word of the mask."""
    return int(rng.choice(np.flatnonzero(mask)))


class TestOneGame:
    @pytest.mark.parametrize("game", GAMES)
    def test_is_that_of_the_actions_that_the_words_make(self, game):
        """The whole actions of a factored game, played in the ordinary one: the same observations and reward."""
        factored, whole = (CardGame(game, opponents="random", factored=words) for words in (True, False))
        rng, cells = np.random.default_rng(3), whole.setup.observation_shape[0]
        tensor, info = factored.reset(seed=5)
        expected, _ = whole.reset(seed=5)
        played, over = len(factored._game._game.log), False
        while not over:
            assert np.array_equal(tensor[:cells], expected)
            tensor, reward, over, _, info = factored.step(draw_word(info["action_mask"], rng))
            log = factored._game._game.log
            if len(log) > played:
                played = len(log)
                own = whole._game._game.number_of(log[len(whole._game._game.log)])
                expected, paid, ended, _, _ = whole.step(own)
                assert (reward, over) == (paid, ended)

    def test_the_check_of_gymnasium_passes(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(gymnasium.make(environment_id("three-tricks"), factored=True).unwrapped)

    def test_its_spaces_are_those_of_the_words(self):
        environment = CardGame("three-tricks", factored=True)
        words = action_words(environment.setup)
        assert environment.action_space.n == len(words.words) == 56
        assert environment.observation_space.shape == (environment.setup.observation_shape[0] + words.cells,)

    def test_a_copy_within_a_choice_has_the_same_course(self):
        environment, rng = CardGame("three-tricks", opponents="thumb", factored=True), np.random.default_rng(1)
        tensor, info = environment.reset(seed=2)
        cells = environment.setup.observation_shape[0]
        while not tensor[cells:].any():
            tensor, _, _, _, info = environment.step(draw_word(info["action_mask"], rng))
        word = draw_word(info["action_mask"], rng)
        copies = [copy.deepcopy(environment), pickle.loads(pickle.dumps(environment))]
        after = environment.step(word)[0]
        assert all(np.array_equal(each.step(word)[0], after) for each in copies)

    def test_a_reset_within_a_choice_forgets_its_words(self):
        environment, rng = CardGame("three-tricks", factored=True), np.random.default_rng(1)
        first, begun = environment.reset(seed=2)
        cells, tensor, info = environment.setup.observation_shape[0], first, begun
        while not tensor[cells:].any():
            tensor, _, _, _, info = environment.step(draw_word(info["action_mask"], rng))
        again, info = environment.reset(seed=2)
        assert np.array_equal(again, first)
        assert np.array_equal(info["action_mask"], begun["action_mask"])

    def test_a_word_that_cannot_be_chosen_ends_the_game_and_is_named(self):
        environment = CardGame("three-tricks", factored=True)
        environment.reset(seed=1)
        _, reward, over, _, info = environment.step(action_words(environment.setup).words.index(DONE))
        assert (reward, over, info["illegal"]) == (-1.0, True, "'.' cannot be chosen now")
        assert not info["action_mask"].any()

    def test_searching_opponents_play_whole_actions(self):
        environment, rng = CardGame("trime-kicker", opponents="beginner", factored=True), np.random.default_rng(1)
        _, info = environment.reset(seed=2)
        for _ in range(8):
            _, _, over, _, info = environment.step(draw_word(info["action_mask"], rng))
            if over:
                break
        assert len(environment._game.match.events) > 2


class TestEveryAgent:
    def test_the_test_of_the_interface_passes(self, capsys):
        api_test(raw_env("three-tricks", illegal_reward=-1.0, factored=True), num_cycles=200)

    def test_an_agent_acts_until_its_action_is_complete_and_others_do_not_see_its_words(self):
        table, rng = raw_env("castle-walls", factored=True), np.random.default_rng(2)
        table.reset(seed=3)
        cells, begun = table.setup.observation_shape[0], 0
        for agent in table.agent_iter(120):
            seen = table.observe(agent)
            other = next(each for each in table.agents if each != agent)
            assert not table.observe(other)["observation"][cells:].any()
            assert not table.observe(other)["action_mask"].any()
            begun += seen["observation"][cells:].any()
            played = len(table._game._game.log)
            table.step(None if table.terminations[agent] else draw_word(seen["action_mask"], rng))
            if len(table._game._game.log) == played and table._game.actor >= 0:
                assert table.agent_selection == agent
        assert begun > 10

    def test_a_word_that_cannot_be_chosen_is_an_error_and_changes_nothing(self):
        table = raw_env("castle-walls", factored=True)
        table.reset(seed=3)
        before = table.observe(table.agent_selection)
        for word in (int(before["action_mask"].argmin()), 99):
            with pytest.raises(IllegalError, match="cannot be chosen now"):
                table.step(word)
        after = table.observe(table.agent_selection)
        assert all(np.array_equal(before[name], after[name]) for name in before)


class TestManyGames:
    def test_each_begins_as_the_single_environment_with_its_seed(self):
        """Until the first action is complete, since opponents draw from other random streams."""
        seeds = range(8)
        games = CardGames("castle-walls", len(seeds), factored=True)
        single = [CardGame("castle-walls", factored=True) for _ in seeds]
        tensors, infos = games.reset(seed=list(seeds))
        seen = [each.reset(seed=seed) for each, seed in zip(single, seeds, strict=True)]
        own = np.array([len(each._game._game.log) == 0 for each in single])
        rng, compared = np.random.default_rng(7), 0
        while own.any():
            for game in np.flatnonzero(own):
                assert np.array_equal(tensors[game], seen[game][0])
                assert np.array_equal(infos["action_mask"][game], seen[game][-1]["action_mask"])
                compared += 1
            words = [draw_word(mask, rng) for mask in infos["action_mask"]]
            tensors, _, over, _, infos = games.step(np.array(words))
            assert not over.any()
            for game in np.flatnonzero(own):
                seen[game] = single[game].step(words[game])
                own[game] = len(single[game]._game._game.log) == 0
        assert compared > 3

    def test_the_learner_keeps_the_turn_until_its_action_is_complete(self):
        games, rng = CardGames("castle-walls", 8, factored=True), np.random.default_rng(7)
        _, infos = games.reset(seed=1)
        for _ in range(60):
            words = [draw_word(mask, rng) if mask.any() else 0 for mask in infos["action_mask"]]
            _, _, over, _, infos = games.step(np.array(words))
            assert (infos["action_mask"].any(axis=1) | over).all()

    def test_a_word_that_cannot_be_chosen_ends_its_game(self):
        games = CardGames("castle-walls", 4, factored=True)
        _, infos = games.reset(seed=1)
        words = infos["action_mask"].argmax(axis=1)
        words[2] = infos["action_mask"][2].argmin()
        _, rewards, over, _, infos = games.step(words)
        assert (rewards[2], over[2]) == (-1.0, True)
        assert not infos["action_mask"][2].any()
