"""Time of the master's decisions with one thread and with one for each core, in the same positions.

    PYTHONPATH=. python benchmarks/search_threads.py [GAME …]

A game is played by the rule of thumb. At every fourth decision among several actions the master thinks twice, with one
thread and with all, in turns, and must choose the same. The ratio is that of the sums.
"""

import os
import time
from collections.abc import Iterator
from dataclasses import replace

from command_line import games_of, run

import parlour
from parlour.bots import BOTS, compiled_observation_of
from parlour.bots.compilation import make_ready
from parlour.bots.compiled_observation import CompiledObservation
from parlour.engine.chance import new_stream
from parlour.engine.moves import Move

EVERY = 4
"""Interval between the measured decisions."""


def decisions(game: str) -> Iterator[CompiledObservation]:
    """Yield the observations before the measured decisions of a game."""
    match, thumb, stream, number = parlour.make(game).start(seed=3), BOTS["thumb"], new_stream(1), 0
    while not match.over:
        seen = compiled_observation_of(match, stream)
        number += len(seen.moves) > 1
        if len(seen.moves) > 1 and number % EVERY == 0:
            yield seen
        match.apply_move(thumb.choose(seen))


def think(seen: CompiledObservation, threads: int | None) -> tuple[Move, float]:
    """Return the master's choice, and the seconds that it took."""
    start = time.perf_counter()
    with parlour.search_threads(threads):
        chosen = BOTS["master"].choose(replace(seen, random=new_stream(2)))
    return chosen, time.perf_counter() - start


def main(games: list[str]) -> None:
    """Print a row of a Markdown table for each game."""
    print(f"| game | decisions | seconds, one thread | seconds, {os.cpu_count()} threads | ratio |")
    print("|---|---|---|---|---|")
    for game in games:
        alone = shared = 0.0
        number = 0
        make_ready(parlour.make(game).game)
        for seen in decisions(game):
            (one, first), (other, second) = think(seen, 1), think(seen, None)
            assert one == other, f"{game}: other threads, another choice"
            alone, shared, number = alone + first, shared + second, number + 1
        print(f"| {game} | {number} | {alone:.2f} | {shared:.2f} | {alone / shared:.2f} |", flush=True)


if __name__ == "__main__":
    run(lambda: main(games_of(__doc__)))
