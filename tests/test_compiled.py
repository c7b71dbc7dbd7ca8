"""Machine code that is kept on disk: each game gets its own back, whoever compiled it and when."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.engine.playouts import run_playouts
from parlour.games import find_game, game_ids

GAMES = game_ids()[1:3]

PLAY = """
import sys
from parlour.engine.playouts import run_playouts
from parlour.games import find_game
for name in sys.argv[1:]:
    game = find_game(name)
    players = game.players[-1]
    playouts = run_playouts(game, players, game.resolve(players, {}), 20, seed=1, threads=1)
    print(name, playouts.scores.tolist(), playouts.lengths.tolist())
"""


def play(cache: Path, *games: str) -> list[str]:
    """What a process of its own says of some playouts."""
    environment = {**os.environ, "PARLOUR_CACHE": str(cache)}
    command = [sys.executable, "-c", PLAY, *games]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=250)
    return run.stdout.splitlines()


@pytest.mark.slow
class TestKeptCode:
    def test_games_compiled_each_in_a_process_of_its_own_are_not_mixed_up_in_another(self, tmp_path: Path) -> None:
        apart = [line for game in GAMES for line in play(tmp_path, game)]
        assert play(tmp_path, *GAMES) == apart
        assert play(tmp_path, *reversed(GAMES)) == apart[::-1]
        for line, name in zip(apart, GAMES, strict=True):
            game = find_game(name)
            players = game.players[-1]
            two = run_playouts(game, players, game.resolve(players, {}), 2, seed=1, threads=1, interpret=True)
            assert line.startswith(f"{name} {str(two.scores.tolist())[:-1]}")
