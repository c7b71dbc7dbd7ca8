"""Benchmarks of a game: random playouts beside a hand-written loop, observations, determinizations, searches, start."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np

from parlour.bots.search import Search
from parlour.engine.chance import new_stream, random_below, shuffle, spread, start_stream
from parlour.engine.information.determinization import determinize_many, new_table, observed_state
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.numba.library import RuleCompiler
from parlour.engine.rules import ACTION_ROOM, CHANCE, MAX_CARDS, OVER, legal, new_states
from parlour.engine.setup import Setup
from parlour.engine.simulation.batch import Batch
from parlour.engine.simulation.game_loop import at_random, drive
from parlour.engine.simulation.playouts import run_playouts
from parlour.engine.typed_state import OwnState

OBSERVED_AT_ONCE = 1024
"""Size of the measured batch, in games: large enough to amortize a call, small enough for a core's own cache."""
TRIES = 5
"""Number of measurements of a rate, of which the best counts."""
_FIRST_PLAYOUT = """
import sys, time
start = time.perf_counter()
from parlour.engine.simulation.playouts import run_playouts
from parlour.engine.setup import Setup
from parlour.games import find_game
setup = Setup(find_game(sys.argv[1]), int(sys.argv[2]))
loaded = time.perf_counter()
run_playouts(setup, 1, threads=1)
print(loaded - start, time.perf_counter() - loaded)
"""


def bench(setup: Setup, seconds: float = 1.0) -> dict[str, Any]:
    """Measure one game with one number of players.

    Args:
        setup: the game and the number of players.
        seconds: approximate length of each measurement. Of random games and of observed steps the best of five
            measurements counts.

    Returns:
        JSON values: those of the setup; ``actions_per_second`` and ``games_per_second`` on one core; ``cores``, and
        ``all_cores``, the ratio of the speed on all of them to that on one;
        ``observed_steps_per_second`` (random actions on one core, each after writing the ``int16`` observation of the
        seat to act); ``hand_written`` (the ratio of the batch interface to a loop over the game's own functions);
        ``determinizations_per_second`` in the middle of a game on one core; ``searches_per_second`` and
        ``tree_searches_per_second`` (playouts of a bot's search in the same positions; each has a determinization, an
        action or a path through the tree, and then the heuristic); ``compile_seconds`` (the first playout of a new
        process with an empty cache), ``warm_seconds`` (the same with a full cache) and ``import_seconds``.
    """
    cold, warm, imports = first_playout_seconds(setup)
    (actions, games), (by_hand, _), (everywhere, _) = best_of(
        (
            lambda number: batch_run(setup, number, 1),
            hand_written_run(setup),
            lambda number: batch_run(setup, number, None),
        ),
        seconds,
    )
    return {
        **setup.to_json(),
        "actions_per_second": round(actions),
        "games_per_second": round(games),
        "observed_steps_per_second": round(observed_steps_a_second(setup, seconds)),
        "hand_written": round(actions / by_hand, 3),
        "cores": os.cpu_count(),
        "all_cores": round(everywhere / actions, 2),
        "determinizations_per_second": round(determinizations_a_second(setup, seconds)),
        "searches_per_second": round(iterations_a_second(setup, seconds, tree=False)),
        "tree_searches_per_second": round(iterations_a_second(setup, seconds, tree=True)),
        "compile_seconds": round(cold, 2),
        "warm_seconds": round(warm, 2),
        "import_seconds": round(imports, 2),
    }


def first_playout_seconds(setup: Setup) -> tuple[float, float, float]:
    """Return the seconds of the first playout of a new process, with an empty and a full cache, and of its imports."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PARLOUR_CACHE": cache}
        command = [sys.executable, "-c", _FIRST_PLAYOUT, setup.game.id, str(setup.players)]
        runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2)]
    (_, cold), (imports, warm) = [[float(word) for word in run.stdout.split()] for run in runs]
    return cold, warm, imports


Run = Callable[[int], tuple[int, float]]
"""Plays a number of games; returns the number of actions and the seconds."""


def best_of(runs: Sequence[Run], seconds: float) -> list[tuple[float, float]]:
    """Return actions and games per second of each run's best try; the runs take turns, for a fair comparison."""
    number, taken = 64, 0.0
    for run in runs:
        run(1)
    while taken < seconds / 10:
        number *= 2
        _, taken = runs[0](number)
    number = max(1, int(number * seconds / taken))
    rates: list[list[tuple[float, float]]] = [[] for _ in runs]
    for _ in range(TRIES):
        for run, found in zip(runs, rates, strict=True):
            actions, taken = run(number)
            found.append((actions / taken, number / taken))
    return [max(found) for found in rates]


def batch_run(setup: Setup, number: int, threads: int | None) -> tuple[int, float]:
    """Play games through the public batch interface; return the number of actions and the seconds."""
    start = time.perf_counter()
    playouts = run_playouts(setup, number, threads=threads)
    return playouts.actions, time.perf_counter() - start


def observed_steps_a_second(setup: Setup, seconds: float) -> float:
    """Return actions per second of a batch on one core, writing tensor and legal mask before each random action."""
    batch = Batch(setup, OBSERVED_AT_ONCE, threads=1)
    tensor, legal_mask = batch.observe(tensor=batch.new_tensor(np.int16))
    rates = []
    for _ in range(TRIES + 1):  # the first try also compiles and names the actions
        steps, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            batch.observe(None, tensor, legal_mask)
            batch.step(batch.random_actions())
            batch.renew()
            steps += OBSERVED_AT_ONCE
        rates.append(steps / (time.perf_counter() - start))
    return max(rates[1:])


def hand_written_run(setup: Setup) -> Run:
    """Return a run of the same games by a loop that is compiled for this game and calls its functions directly."""
    game = setup.game
    rules = [
        numba.njit(pipeline_class=RuleCompiler, no_cpython_wrapper=True)(function)
        for function in (game.choices, game.wanted, game.deal, game.legal, game.play, game.score)
    ]
    choices, wanted, deal, legal_of, play_in, score = rules

    @numba.njit  # type: ignore[untyped-decorator]
    def loop(starts: Any, work: Any, number: int, scores: Any, actions: Any, deck: Any, random: Any) -> int:
        steps = 0
        for index in range(number):
            work[0] = starts[0]
            state = work[0]
            start_stream(random, 0, index)
            while state.actor != OVER:
                if state.actor != CHANCE:
                    count = legal_of(state, actions)
                    play_in(state, actions[random_below(random, count)])
                    steps += 1
                elif choices(state) > 0:
                    play_in(state, random_below(random, choices(state)))
                else:
                    shuffle(random, deck, 0, spread(deck, wanted(state)))
                    deal(state, deck)
            score(state, scores)
        return steps

    starts, work = new_states(game.dtype, 1), new_states(game.dtype, 1)
    starts[0] = setup.new_state()
    scratch = (
        np.zeros(setup.players, np.int64),
        np.zeros(ACTION_ROOM, np.int64),
        np.zeros(MAX_CARDS, np.int64),
        new_stream(0),
    )

    def run(number: int) -> tuple[int, float]:
        start = time.perf_counter()
        steps = loop(starts, work, number, *scratch)
        return steps, time.perf_counter() - start

    return run


def determinizations_a_second(setup: Setup, seconds: float) -> float:
    """Return determinizations per second on one core, for a seat in mid-game; the mean over eight random positions."""
    table, random = new_table(), new_stream(1)
    determinizations = new_states(setup.game.dtype, 1000)
    rates = []
    for number in range(8):
        state = middle_of_a_game(setup, number)
        seat = int(state.actor)
        observed = observed_state(state, seat)
        determinize_many(observed, seat, determinizations, table, random)
        rounds, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds / 8:
            determinize_many(observed, seat, determinizations, table, random)
            rounds += 1
        rates.append(rounds * len(determinizations) / (time.perf_counter() - start))
    return float(np.mean(rates))


def iterations_a_second(setup: Setup, seconds: float, tree: bool) -> float:
    """Return playouts per second of a search on one core: the mean over eight random positions in mid-game.

    Positions with a single legal action are left out; without any others the result is 0.
    """
    rates: list[float] = []
    effort = min(100_000, round(100_000 * seconds))
    for number in range(8):
        state, actions = middle_of_a_game(setup, number), np.zeros(ACTION_ROOM, np.int64)
        seat, count = int(state.actor), legal(state, actions)
        if count < 2:
            continue
        search = Search(observed_state(state, seat), seat, actions[:count], number)
        grow = search.grow_tree if tree else search.halve
        if not rates:
            grow(2000)  # compiles
        before, start = search.iterations, time.perf_counter()
        while search.iterations == before or time.perf_counter() - start < seconds / 8:
            grow(effort)
        rates.append((search.iterations - before) / (time.perf_counter() - start))
    return float(np.mean(rates)) if rates else 0.0


def middle_of_a_game(setup: Setup, seed: int) -> OwnState:
    """Return a state of a random game after four actions of each player on average, with a player to act.

    A game that ends before is replaced by one with another seed, in which one action less is enough.
    """
    needed = 4 * setup.players
    while True:
        match, chance, decisions = Match(setup, observed=False), StreamRandomness(new_stream(seed)), 0
        for event in drive(match, at_random(chance), chance):
            decisions += event.by >= 0
            if decisions >= needed and match.actor >= 0:
                return match.state
        seed, needed = seed + 1000, needed - 1
