"""What ``import parlour`` offers; ``docs/python.md`` shows all of it."""

from parlour.engine.game import Value
from parlour.engine.match import Match
from parlour.engine.playouts import Playouts, run_playouts
from parlour.engine.records import FEW_RECORDS, read_records, replay
from parlour.engine.setup import Setup
from parlour.engine.steps import COMPILED, INTERPRETED
from parlour.games import find_game


def make(game: str, players: int | None = None, **options: Value) -> Setup:
    """A game set up: for this number of players, or its usual one, with these options and the defaults of the others.

    Raises:
        ParlourError: there is no such game, or the players or an option are not possible; says what is.
    """
    found = find_game(game)
    return Setup(found, found.usual_players if players is None else players, options)


def simulate(setup: Setup, games: int, seed: int = 0, threads: int | None = None) -> Playouts:
    """Play many games at random, compiled: some seconds the first time, then millions of actions a second.

    Args:
        setup: what is played.
        games: how many games.
        seed: game *n* is the same in every run with it.
        threads: how many cores to use; all of them by default.
    """
    return run_playouts(setup, games, seed, threads)


def load(file: str) -> list[Match]:
    """The games of a file of records, played again and so checked; plain or gzipped, one a line or a single one.

    Raises:
        RecordError: the file cannot be read or a game in it is not legal; says where and why.
    """
    return [
        replay(record, place, INTERPRETED if number < FEW_RECORDS else COMPILED)
        for number, (place, record) in enumerate(read_records(file))
    ]
