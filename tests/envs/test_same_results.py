"""A seed gives the same games with every version of NumPy and Numba.

With other versions: ``pytest tests/envs/test_same_results.py`` in an environment that has them.
"""

import hashlib

import numpy as np
import pytest

import parlour

pytestmark = pytest.mark.slow  # compiles

GAMES, STEPS = 16, 60
TRAJECTORIES = {
    "castle-walls": "74448c09e0745b7f",
    "three-tricks": "c2987235a5c4551d",
    "trick-walls": "c65cef3e57ab14dd",
    "tricky-tribes": "bf5496eca9afc6b5",
    "trime-kicker": "f138a8025db37acc",
}
"""Hashes of the actions and scores of random games, by game: they change if the rules or the streams of chance do."""


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
    assert trajectory_hash(game) == TRAJECTORIES[game]
