"""Copies of environments in mid-game: independent of the original, and continued like a replay from the same seed."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest

import parlour
from parlour.envs.gymnasium import CardGame, environment_id
from parlour.envs.pettingzoo import env
from parlour.envs.vector import CardGames

pytestmark = pytest.mark.slow  # compiles the games

GAMES = parlour.games()
every_game = pytest.mark.parametrize("game", GAMES)
every_way = pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"]
)
BEFORE, AFTER = 3, 12
"""Numbers of steps before and after the copy."""


class Counter:
    """Opponent with a memory: its choice depends on the number of its decisions in this game."""

    def begin(self, setup, seat):
        self.asked = 0

    def choose(self, observation):
        self.asked += 1
        return observation.legal[self.asked % len(observation.legal)]


def legal(mask, number):
    """Return a legal action that depends on the number of the step."""
    actions = np.flatnonzero(mask)
    return int(actions[number % len(actions)])


def solo_steps(environment, info, first, number):
    """Play at most ``number`` steps of a Gymnasium environment, up to the end of its game.

    Returns the results of the steps, and the last ``info``.
    """
    results = []
    for step in range(first, first + number):
        observation, reward, over, _, info = environment.step(legal(info["action_mask"], step))
        results.append((observation.tobytes(), reward, over, info["action_mask"].tobytes()))
        if over:
            break
    return results, info


@every_way
@every_game
class TestGymnasium:
    @pytest.mark.parametrize("opponents", ["thumb", "beginner", Counter()], ids=["thumb", "beginner", "outside"])
    def test_a_copy_has_the_course_of_a_replay_from_the_seed(self, game, copied, opponents):
        environment = gymnasium.make(environment_id(game), opponents=opponents)
        for seed in range(2):
            _, info = environment.reset(seed=seed)
            steps, info = solo_steps(environment, info, 0, BEFORE)
            if steps[-1][2]:
                continue
            branch = copied(environment)
            other_branch = copied(environment)
            solo_steps(other_branch, info, 7, AFTER)
            continuation, _ = solo_steps(branch, info, BEFORE, AFTER)
            replay = gymnasium.make(environment_id(game), opponents=opponents)
            _, info = replay.reset(seed=seed)
            replayed_steps, info = solo_steps(replay, info, 0, BEFORE)
            assert replayed_steps == steps
            assert continuation == solo_steps(replay, info, BEFORE, AFTER)[0]

    def test_a_copy_continues_with_the_next_games_of_the_run(self, game, copied):
        environment = CardGame(game, opponents="random")
        _, info = environment.reset(seed=5)
        environment.step(legal(info["action_mask"], 0))
        branch = copied(environment)
        (observation, info), (expected, expected_info) = branch.reset(), environment.reset()
        assert observation.tobytes() == expected.tobytes()
        assert info["seat"] == expected_info["seat"]
        assert branch.unwrapped._game.match.record() == environment.unwrapped._game.match.record()


@every_way
@every_game
def test_a_vector_environment_can_be_copied(game, copied):
    def steps(games, infos, number):
        results = []
        for step in range(number):
            actions = np.array([legal(row, step) if row.any() else 0 for row in infos["action_mask"]])
            observations, rewards, over, _, infos = games.step(actions)
            results.append((observations.tobytes(), rewards.tolist(), over.tolist(), infos["seat"].tolist()))
        return results, infos

    games, replay = CardGames(game, 5, threads=2), CardGames(game, 5)
    _, infos = games.reset(seed=2)
    _, infos = steps(games, infos, BEFORE)
    branch = copied(games)
    steps(games, infos, 40)
    _, replay_infos = replay.reset(seed=2)
    _, replay_infos = steps(replay, replay_infos, BEFORE)
    assert steps(branch, infos, 40)[0] == steps(replay, replay_infos, 40)[0]


def agents_steps(table, first, number):
    """Play at most ``number`` steps of a PettingZoo environment, up to the end of its game; return their results."""
    steps = []
    for step in range(first, first + number):
        observation, reward, over, _, _ = table.last()
        cells, mask = observation["observation"], observation["action_mask"]
        steps.append((table.agent_selection, cells.tobytes(), mask.tobytes(), reward, over))
        if over:
            break
        table.step(legal(mask, step))
    return steps


@every_way
@every_game
def test_a_pettingzoo_environment_can_be_copied(game, copied):
    table, replay = env(game, render_mode="ansi"), env(game, render_mode="ansi")
    table.reset(seed=4)
    steps = agents_steps(table, 0, BEFORE)
    branch = copied(table)
    agents_steps(table, 9, AFTER)
    continuation = agents_steps(branch, BEFORE, 400)
    replay.reset(seed=4)
    assert agents_steps(replay, 0, BEFORE) == steps
    assert continuation == agents_steps(replay, BEFORE, 400)
    assert branch.render() == replay.render()


def test_an_environment_with_a_program_as_opponent_refuses_a_copy():
    environment = CardGame("trime-kicker", opponents="exec:python3 examples/program_bot.py")
    try:
        environment.reset(seed=1)
        for copied in (copy.deepcopy, pickle.dumps):
            with pytest.raises(parlour.ParlourError, match=r"a game against the program exec:.* cannot be copied or"):
                copied(environment)
    finally:
        environment.close()
