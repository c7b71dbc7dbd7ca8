"""Playouts per second of the two example searches and of the built-in search, by processor time on one core.

    PYTHONPATH=. python benchmarks/playouts.py [GAME …]

The position is the first one with three or more legal actions in a game with seed 3. Each figure is the best of three
tries.
"""

import time
from collections.abc import Callable

import numpy as np
from command_line import games_of, run
from examples.flat_monte_carlo import FlatMonteCarlo
from examples.information_set_search import InformationSetSearch

import parlour
from parlour.bots.compiled_observation import compiled_observation_of
from parlour.bots.lookahead import new_lead_model
from parlour.bots.search import Search
from parlour.engine.chance import new_stream
from parlour.engine.match import Match

FEWEST = 3
"""Minimum number of legal actions in the measured position."""
COLUMNS = ("game", "flat example", "built-in, flat", "ratio", "tree example", "built-in, tree", "ratio")


def rate(work: Callable[[], float]) -> float:
    """Return the playouts per second of a function that returns their number."""
    work()  # compiles
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        done = work()
        best = max(best, done / (time.process_time() - start))
    return best


def measure(match: Match) -> tuple[float, float, float, float]:
    """Return the rates of the flat example, the built-in flat search, the tree example and the built-in tree search."""
    seen, tree, actions = match.observation(), InformationSetSearch(), len(match.moves())
    compiled = compiled_observation_of(match, new_stream(1))
    search = Search(compiled.state, compiled.seat, compiled.moves, 5, lead_model=(new_lead_model(), 0.0))
    each = -(-FlatMonteCarlo.playouts // actions)

    def built_in_tree() -> float:
        before = search.iterations
        search.grow_tree(100_000)
        return search.iterations - before

    return (
        rate(lambda: [each * actions, FlatMonteCarlo().choose(seen)][0]),
        rate(lambda: [each * actions, search.try_out(np.arange(actions), each)][0]),
        rate(lambda: [tree.worlds * tree.batches, tree.choose(seen)][0]),
        rate(built_in_tree),
    )


def main(games: list[str]) -> None:
    """Print a row of a Markdown table for each game."""
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for game in games:
        match = parlour.make(game).start(seed=3)
        while len(match.moves()) < FEWEST:
            match.act(match.legal()[0])
        one, two, three, four = measure(match)
        cells = f"{one:,.0f} | {two:,.0f} | {one / two:.2f} | {three:,.0f} | {four:,.0f} | {three / four:.2f}"
        print(f"| {game} | {cells} |", flush=True)


if __name__ == "__main__":
    run(lambda: main(games_of(__doc__)))
