"""Machine code that is kept on disk: each game gets its own back, whoever compiled it and when."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from numba.core.caching import IndexDataCacheFile

from parlour.engine.playouts import run_playouts
from parlour.engine.setup import Setup
from parlour.folders import locked
from parlour.games import find_game, game_ids

GAMES = game_ids()[1:3]

PLAY = """
import sys
from parlour.engine.playouts import run_playouts
from parlour.engine.setup import Setup
from parlour.games import find_game
for name in sys.argv[1:]:
    game = find_game(name)
    playouts = run_playouts(Setup(game, game.players[-1]), 20, seed=1, threads=1)
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
            two = run_playouts(Setup(game, players), 2, seed=1, threads=1, interpret=True)
            assert line.startswith(f"{name} {str(two.scores.tolist())[:-1]}")


class TestTogether:
    def test_what_two_keep_at_the_same_moment_is_found_under_its_own_name(self, tmp_path, monkeypatch) -> None:
        save_index = IndexDataCacheFile._save_index

        def slowly(index, entries):
            time.sleep(0.05)
            save_index(index, entries)

        monkeypatch.setattr(IndexDataCacheFile, "_save_index", slowly)
        games = ("castle", "tribes", "walls")
        with ThreadPoolExecutor(len(games)) as threads:
            list(threads.map(lambda game: IndexDataCacheFile(tmp_path, "look", 1).save(game, f"code of {game}"), games))
        kept = IndexDataCacheFile(tmp_path, "look", 1)
        assert [kept.load(game) for game in games] == [f"code of {game}" for game in games]

    def test_whoever_is_killed_lets_go_of_what_was_locked(self, tmp_path) -> None:
        file = tmp_path / "lock"
        hold = "import sys, time, pathlib; from parlour.folders import locked\n"
        hold += "with locked(pathlib.Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
        with subprocess.Popen([sys.executable, "-c", hold, str(file)], stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdout.readline() == "held\n"
            with ThreadPoolExecutor(1) as thread:
                waiting = thread.submit(lambda: locked(file).__enter__())
                time.sleep(0.2)
                assert not waiting.done()
                holder.kill()
                waiting.result(timeout=10)
