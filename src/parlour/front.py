"""Top-level functions of the public API, documented in ``docs/python.md``."""

import os

from parlour.engine.errors import ParlourError
from parlour.engine.game import Value
from parlour.engine.match import Match
from parlour.engine.matches.records import FEW_RECORDS, read_records, replay
from parlour.engine.matches.steps import COMPILED, INTERPRETED
from parlour.engine.setup import Setup
from parlour.engine.simulation.playouts import Playouts, run_playouts
from parlour.engine.validation import shown
from parlour.games import find_game
from parlour.player_keys import player_keys


def make(game: str, players: int | None = None, **options: Value) -> Setup:
    """Return a setup: a game with a number of players, by default its usual one, and options.

    Raises:
        ParlourError: the game, the number of players or an option is invalid; the message lists the valid ones.
    """
    if not isinstance(game, str):
        raise ParlourError(f"a game's id is required, as parlour.games() lists them, not {shown(game)}")
    found = find_game(game)
    return Setup(found, found.usual_players if players is None else players, options)


def simulate(setup: Setup, games: int, seed: int = 0, threads: int | None = None) -> Playouts:
    """Play many random games in compiled code: millions of actions per second, after some seconds of compilation.

    Args:
        setup: the game, number of players and options.
        games: the number of games.
        seed: the run's seed; game *n* is the same in every run with it.
        threads: the number of cores to use; all of them by default.
    """
    return run_playouts(setup, games, seed, threads)


def load(file: str | os.PathLike[str], recall: bool = False) -> list[Match]:
    """Replay and check the records of a file, plain or gzipped, with one record a line or a single one.

    Args:
        file: the file's name.
        recall: whether the matches have information states and histories, as matches of ``setup.start()`` have; each
            then keeps its state after every event.

    Raises:
        RecordError: the file cannot be read or a record is not legal; the message says where and why.
    """
    if not isinstance(file, str | os.PathLike):  # ``open`` takes an integer for a file that the process has open
        raise ParlourError(f"a file's name is required, not {shown(file)}")
    found = []
    for number, (place, record) in enumerate(read_records(os.fspath(file))):
        found.append(replay(record, place, INTERPRETED if number < FEW_RECORDS else COMPILED, recall=recall))
        player_keys(record, found[-1].players, place)
    return found
