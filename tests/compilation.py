"""Compile the games before the tests begin: ``python -m tests.compilation``.

Two processes that need the same function of a game at the same time would both compile it, and functions common to all
games are compiled once in each process. So one process compiles all of a game, and one more game than there are cores
is compiled at once, so that the last one does not occupy a core alone. A test compiles functions that are missing here.

This module needs only the product: ``make test`` begins with it while pip installs the packages of the tests.
"""

import gc
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor

from parlour.bots.compilation import is_ready, make_ready
from parlour.contests.contest import MATCH, Contest, play_deals
from parlour.endgames.common_knowledge import TooLargeError
from parlour.endgames.endgame_tree import TreeLimits, endgame_tree_of
from parlour.endgames.exact import decisions_of
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import determinize_many, new_table
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import new_states
from parlour.engine.setup import Setup
from parlour.engine.simulation.batch import Batch
from parlour.engine.simulation.game_loop import at_random, drive
from parlour.engine.simulation.perft import perft
from parlour.engine.simulation.playouts import run_playouts
from parlour.engine.simulation.policy import BY_HEURISTIC
from parlour.envs.single import SingleGame
from parlour.games import find_game, game_ids
from parlour.jobs.tasks import Placement

SHRUNKEN = ("trime-kicker", "trick-walls", "castle-walls")
"""Games whose ends the tests solve."""


def compile_game(name: str) -> float:
    """Run every compiled function once with this game's states; return the seconds taken."""
    began = time.perf_counter()
    gc.disable()  # as the product's processes for compilation do
    game = find_game(name)
    setup = Setup(game, game.players[-1])
    if not is_ready(game):
        make_ready(game)
    match, chance = Match(setup, COMPILED), StreamRandomness(new_stream(1))
    for _ in drive(match, at_random(chance), chance):
        pass
    determinize_many(match.observed(0), 0, new_states(game.dtype, 1), new_table(), new_stream(1))
    setup.start(1).observation().determinize(1, 1)
    run_playouts(setup, 1, threads=1)
    perft(setup, 1, 1)
    batch = Batch(setup, 1, threads=1)
    batch.step(batch.random_actions())
    batch.observe()
    batch.play_others(0)
    batch.play_out()
    batch.scores()
    batch.state_tensor()
    alone = SingleGame(setup, "win")
    alone.begin(1)
    alone.play_against(dict.fromkeys(range(1, setup.players), BY_HEURISTIC), 0)
    rounds = {"rounds": 1} if any(option.name == "rounds" for option in game.options) else {}
    short = Setup(game, game.players[-1], rounds)
    list(play_deals(Contest(MATCH, short, ("thumb", "search:effort=10"), 1), 0, 1, where=Placement(1)))
    if name in SHRUNKEN:
        shrink_some_end(Setup(game, 2))
    return time.perf_counter() - began


def shrink_some_end(setup: Setup) -> None:
    """Build the endgame tree of the first end that is small enough, if any."""
    for number in range(4):
        for _, state in reversed(decisions_of(setup, 0, number)):
            try:
                endgame_tree_of(state, TreeLimits(worlds=2000, nodes=6000, sequences=2000))
            except (TooLargeError, ValueError):
                break
            return


def main() -> None:
    """Compile all games."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor((os.cpu_count() or 1) + 1, context, max_tasks_per_child=1) as processes:
        for name, seconds in zip(game_ids(), processes.map(compile_game, game_ids()), strict=True):
            print(f"compiled {name} in {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
