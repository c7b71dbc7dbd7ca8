"""Batches of random games, as records with the file that they are written to, or as a summary."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from parlour.contests.contest_results import win_shares
from parlour.engine.appended_file import AppendedFile
from parlour.engine.chance import new_stream
from parlour.engine.errors import RecordError
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.records import STANDARD, Record, RecordWriter, record_text
from parlour.engine.matches.steps import COMPILED, INTERPRETED
from parlour.engine.rewards import sides_of
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import at_random, drive
from parlour.engine.simulation.playouts import Playouts
from parlour.engine.validation import counted
from parlour.interrupts import defer_interrupts

_FEWEST_COMPILED = 200
"""Minimum number of games for which compilation of the rules saves time."""


def random_records(setup: Setup, games: int, seed: int, max_events: int | None = None) -> Iterator[Record]:
    """Yield records of random games.

    Game *n* equals game *n* of :func:`parlour.engine.simulation.playouts.run_playouts`. Raises :class:`GameError` if a
    game has not ended after ``max_events`` events (by default the game's own limit).
    """
    steps = COMPILED if games >= _FEWEST_COMPILED else INTERPRETED
    for number in range(games):
        match = Match(setup, steps, observed=False)
        play_at_random(match, StreamRandomness(new_stream(seed, number)), max_events)
        yield match.record()


def play_at_random(match: Match, randomness: StreamRandomness, max_events: int | None = None) -> None:
    """Play a match to its end with uniformly random legal actions."""
    for _ in drive(match, at_random(randomness), randomness, max_events):
        pass


class RecordsFile:
    """File with one record a line, gzipped if its name ends in ``.gz``, open and locked for this process.

    The first record replaces the earlier content, so a run that ends before its first game loses nothing. If the disk
    fills up, the incomplete line is removed.

    Attributes:
        written: the number of records written.
    """

    def __init__(self, name: str) -> None:
        """Open or create a file. Raises :class:`RecordError` if it cannot be written or is in use."""
        self._name, self.written = name, 0
        self._file = AppendedFile(name, "records", RecordError)

    def __enter__(self) -> "RecordsFile":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def write(self, record: Record) -> None:
        """Append one record. Raises :class:`RecordError` if the file cannot be written."""
        line = (record_text(record) + "\n").encode()
        line = gzip.compress(line) if self._name.endswith(".gz") else line
        try:
            with defer_interrupts():
                if not self.written:
                    self._file.drop_incomplete_line(0)
                self._file.append(line)
                self.written += 1
        except RecordError as error:
            raise RecordError(f"{error}; it holds {counted(self.written, 'record')}") from None


def record_writer(name: str) -> RecordsFile | RecordWriter:
    """Return the writer of a new or existing file, or that of standard output, a device or a pipe.

    Raises:
        RecordError: the file cannot be written or is in use.
    """
    path = Path(name)
    is_stream = name == STANDARD or (path.exists() and not path.is_file())
    return RecordWriter(name) if is_stream else RecordsFile(name)


def playouts_summary(setup: Setup, playouts: Playouts, seconds: float) -> dict[str, Any]:
    """Return a summary of random games: each seat's mean score, the win share of its side, and lengths."""
    games, sides, shares = len(playouts.winners), sides_of(setup), np.zeros(setup.players)
    for seats, number in zip(*np.unique(playouts.winners, return_counts=True), strict=True):
        winners = [seat for seat in range(setup.players) if seats >> seat & 1]
        for side, share in zip(sides, win_shares(winners, sides), strict=True):
            shares[list(side)] += share * number / games
    return {
        "games": games,
        "mean_scores": [round(float(mean), 3) for mean in playouts.scores.mean(axis=0)],
        "win_shares": [round(float(share), 4) for share in shares],
        "actions_a_game": round(float(playouts.lengths.mean()), 3),
        "seconds": round(seconds, 3),
    }
