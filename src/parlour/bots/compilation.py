"""Compilation of searches and learned policies: once per game, 14 to 25 seconds each, cached on disk.

Compilation runs in processes of its own, so that a waiting caller can stop at any moment. ``python -m
parlour.bots.compilation GAME`` compiles one game's search and exits as soon as it is ready, even if another process
compiled it. Without a game it compiles all games at low priority and prints the id of each on its own line. Both exit
as soon as their parent process ends, for any reason (:func:`command`).
"""

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from parlour.bots.compiled_observation import compiled_observation_of
from parlour.bots.learned import shipped_chances
from parlour.bots.levels import search_for
from parlour.engine.chance import new_stream
from parlour.engine.compiled import cache_folder
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import drive
from parlour.folders import file_lock
from parlour.games import all_games, find_game
from parlour.languages import gettext

_LOWEST_PRIORITY = 19
_POLL_SECONDS = 0.2
"""Interval between checks for another process's result, in seconds."""


def unready_games() -> list[Game]:
    """Return the games whose searches are not compiled for the current sources."""
    return [game for game in all_games() if not is_ready(game)]


def is_ready(game: Game) -> bool:
    """Return whether the game's search is compiled."""
    return _mark(game).exists()


def make_ready(game: Game) -> None:
    """Compile every function that searches and learned policies need, and mark the game as ready in the cache."""
    match, chance = Match(Setup(game, game.usual_players)), StreamRandomness(new_stream(1))
    for _ in drive(match, lambda match: match.legal()[0], chance):
        if len(match.moves()) > 1:
            break
    observation = compiled_observation_of(match, chance.stream)
    shipped_chances(observation)
    search = search_for(observation)
    search.try_out(np.arange(len(search.moves)), 1)
    search.solve(1, 1)
    search.grow_tree(1)
    _mark(game).touch()


def make_ready_once(game: Game) -> None:
    """Load a game's search, or compile it; of several processes only one compiles, and the others wait.

    It does not wait for the low-priority process, which may take long on a busy machine: both compile.
    """
    if is_ready(game):
        make_ready(game)
        return
    with file_lock(cache_folder() / f"{game.id}.lock"):
        make_ready(game)


def _mark(game: Game) -> Path:
    return cache_folder(game.dtype) / f"{game.id}.ready"


def command(*game: str) -> list[str]:
    """Return the command that compiles one game or, without an argument, all.

    It exits when its standard input, a pipe, closes.
    """
    return [sys.executable, "-m", "parlour.bots.compilation", *game]


def wait_until_ready(game: Game, tell: Callable[[str], object]) -> None:
    """Compile a game's search in a child process unless it is ready; ``tell`` receives a message to show.

    An exception in the caller, such as Ctrl-C, ends the child process.
    """
    if is_ready(game):
        return
    tell(gettext("Getting ready to think ahead at this game: just this once, for about half a minute …"))
    with compile_in_background(game) as process:
        process.wait()


def compile_in_background(game: Game) -> subprocess.Popen[bytes]:
    """Return a child process that compiles a game's search; as a context manager it ends with its block."""
    return subprocess.Popen(command(game.id), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)


def _exit_with_parent() -> None:
    """Exit this process, from a background thread, when the other end of its standard input closes."""

    def watch() -> None:
        while os.read(sys.stdin.fileno(), 1):
            pass
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _exit_when_ready(game: Game) -> None:
    """Exit this process, from a background thread, when any process has compiled the game."""

    def watch() -> None:
        while not is_ready(game):
            time.sleep(_POLL_SECONDS)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _compile_now(game: Game) -> None:
    """Compile a game for a waiting caller, and exit as soon as any process has compiled it."""
    _exit_with_parent()
    _exit_when_ready(game)
    make_ready_once(game)


def _compile_all() -> None:
    """Compile one game after another at the lowest priority; of several such processes only one works."""
    if hasattr(os, "nice"):  # os.nice does not exist on Windows
        os.nice(_LOWEST_PRIORITY)
    _exit_with_parent()
    with file_lock(cache_folder() / "leisure.lock"):
        for game in all_games():
            if not is_ready(game):
                make_ready(game)
                print(game.id, flush=True)


if __name__ == "__main__":
    gc.disable()  # Numba makes millions of objects and hardly any garbage: collecting takes a seventh of the time
    if asked := sys.argv[1:]:
        _compile_now(find_game(asked[0]))
    else:
        _compile_all()
