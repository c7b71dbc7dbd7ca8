"""Makes the searches of games ready: they are compiled once, which takes a quarter of a minute each, and kept.

It is done in processes of its own, so that whoever waits for it may stop waiting at any moment: ``python -m
parlour.bots.compilation GAME`` makes one game ready for somebody who waits, and ends as soon as it is, whoever made it
so. Without a game it makes one after another ready at leisure, and says the id of each on a line of its own. Either
ends at once when whoever started it does, however that ends (:func:`command`).
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from parlour.bots.compiled_observation import compiled_observation_of
from parlour.bots.levels import search_for
from parlour.engine.chance import new_stream
from parlour.engine.compiled import cache_folder
from parlour.engine.game import Game
from parlour.engine.game_loop import drive
from parlour.engine.match import Match
from parlour.engine.randomness import StreamRandomness
from parlour.engine.setup import Setup
from parlour.folders import locked
from parlour.games import all_games, find_game

GETTING_READY = "Getting ready to think ahead at this game: just this once, for about half a minute …"
_LOWEST_PRIORITY = 19
_LOOK_SECONDS = 0.2


def unready_games() -> list[Game]:
    """The games whose searches have not been made ready for these sources."""
    return [game for game in all_games() if not is_ready(game)]


def is_ready(game: Game) -> bool:
    """Whether a search at this game begins at once."""
    return _mark(game).exists()


def make_ready(game: Game) -> None:
    """Compile all that a search needs, and keep it."""
    match, chance = Match(Setup(game, game.usual_players)), StreamRandomness(new_stream(1))
    for _ in drive(match, lambda match: match.legal()[0], chance):
        if len(match.actions()) > 1:
            break
    search = search_for(compiled_observation_of(match, chance.stream))
    search.try_out(np.arange(len(search.actions)), 1)
    search.solve(1, 1)
    search.grow_tree(1)
    _mark(game).touch()


def _mark(game: Game) -> Path:
    return cache_folder(game.dtype) / f"{game.id}.ready"


def command(*game: str) -> list[str]:
    """What is to be run to make a game, or all of them, ready. It ends when its standard input, a pipe, is closed."""
    return [sys.executable, "-m", "parlour.bots.compilation", *game]


def wait_until_ready(game: Game, tell: Callable[[str], object]) -> None:
    """Have a game made ready if it is not, ``tell`` that it is waited for, and wait.

    Exceptions (Ctrl-C) stop the child process.
    """
    if is_ready(game):
        return
    tell(GETTING_READY)
    with subprocess.Popen(command(game.id), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        process.wait()


def _end_when_alone() -> None:
    """End this process, wherever it is, when nobody holds the other end of its standard input any more."""

    def watch() -> None:
        while os.read(sys.stdin.fileno(), 1):
            pass
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _end_when_ready(game: Game) -> None:
    """End this process, wherever it is, when somebody has made a game ready."""

    def watch() -> None:
        while not is_ready(game):
            time.sleep(_LOOK_SECONDS)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def _hurry(game: Game) -> None:
    """Make a game ready for somebody who waits; of several processes that want to do this one does.

    It does not wait for who does it at leisure, which may take long on a busy machine: the first of the two is it.
    """
    _end_when_alone()
    _end_when_ready(game)
    with locked(cache_folder() / f"{game.id}.lock"):
        make_ready(game)


def _work_at_leisure() -> None:
    """Make one game after another ready, at the lowest priority; of several processes one does."""
    if hasattr(os, "nice"):  # Windows has no such thing
        os.nice(_LOWEST_PRIORITY)
    _end_when_alone()
    with locked(cache_folder() / "leisure.lock"):
        for game in all_games():
            if not is_ready(game):
                make_ready(game)
                print(game.id, flush=True)


if __name__ == "__main__":
    if asked := sys.argv[1:]:
        _hurry(find_game(asked[0]))
    else:
        _work_at_leisure()
