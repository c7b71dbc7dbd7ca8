"""``fast.py`` of a game is optional as a whole: without it the same games are played."""

import json
import os
import subprocess
import sys

import pytest

from parlour.games import file_of
from tests.laws.walks import GAMES

WITHOUT_FAST = """
from parlour.engine.game import Game

made_of = Game.made_of.__func__
Game.made_of = classmethod(lambda cls, *modules, fast=None, **about: made_of(cls, *modules, **about))
"""
"""Source that makes every game without its module ``fast``."""
GAMES_PLAYED = """
import json
import sys

import parlour
from parlour.engine.game import FAST_RULES
from parlour.engine.simulation.playouts import run_playouts
from parlour.engine.setup import Setup
from parlour.games import find_game

game = find_game(sys.argv[1])
setup = Setup(game, game.players[0])
playouts = run_playouts(setup, 3, seed=7, threads=1, interpret=True)
records = [parlour.play(setup, ["thumb"] * setup.players, seed=seed).record() for seed in range(2)]
fast = [name for name in FAST_RULES if getattr(game, name).__module__.endswith(".fast")]
print(json.dumps([fast, playouts.scores.tolist(), playouts.lengths.tolist(), records]))
"""


def results_of(game_id, source):
    """Return the fast functions in use, results of random games, and records of games by the heuristic."""
    command = [sys.executable, "-c", source, game_id]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    return json.loads(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_a_game_without_its_fast_module_plays_the_same_games(game_id):
    (some, *with_fast), (none, *without_fast) = (
        results_of(game_id, GAMES_PLAYED),
        results_of(game_id, WITHOUT_FAST + GAMES_PLAYED),
    )
    assert bool(some) == bool(file_of(game_id, "fast.py"))
    assert none == []
    assert with_fast == without_fast
