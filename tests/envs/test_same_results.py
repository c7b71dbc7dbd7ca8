"""A seed gives the same games with every version of NumPy and Numba, while a game keeps its version.

With other versions: ``pytest tests/envs/test_same_results.py`` in an environment that has them.
"""

import hashlib

import numpy as np
import pytest

import parlour
from parlour.envs.gymnasium import environment_id
from parlour.envs.pettingzoo import env
from parlour.games import find_game

pytestmark = pytest.mark.slow  # compiles

GAMES, STEPS = 16, 60
TRAJECTORIES = {
    ("castle-walls", 0): "74448c09e0745b7f",
    ("three-tricks", 0): "c2987235a5c4551d",
    ("trick-walls", 0): "c65cef3e57ab14dd",
    ("tricky-tribes", 0): "bf5496eca9afc6b5",
    ("trime-kicker", 0): "f138a8025db37acc",
}
"""Hashes of the actions and scores of random games, by game and version of its rules.

They change if the rules or the streams of chance do. After a release such a change gets a new line, with the next
``Game.version``; the layouts of tensors are compared with their versions in ``docs/tensors.md``.
"""


def trajectory_hash(game):
    """Hash the first actions of some games, and the scores, as little-endian 64-bit integers."""
    batch = parlour.Batch(parlour.make(game), GAMES, seed=7, threads=1)
    digest = hashlib.sha256()
    for _ in range(STEPS):
        actions = batch.random_actions()
        batch.step(actions)
        digest.update(np.ascontiguousarray(actions, "<i8").tobytes())
    digest.update(np.ascontiguousarray(batch.scores()[0], "<i8").tobytes())
    return digest.hexdigest()[:16]


@pytest.mark.parametrize("game", parlour.games())
def test_random_games_are_the_same_with_other_versions(game):
    assert trajectory_hash(game) == TRAJECTORIES[game, find_game(game).version]


@pytest.mark.parametrize("game", parlour.games())
def test_environments_and_tensors_have_the_version_of_the_rules(game):
    version = find_game(game).version
    assert environment_id(game).endswith(f"-v{version}")
    assert env(game).metadata["name"].endswith(f"_v{version}")
    assert parlour.make(game).tensor_version.startswith(f"{version}-")
