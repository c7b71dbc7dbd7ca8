"""Perft: the number of action sequences from a fixed deal, a regression test for the rules.

Chance is fixed: the chance events after the *n*-th action take their outcomes from stream *n* of the seed, those before
the first action from stream 0. A count therefore depends only on the game, its players and options, the seed and the
depth, and is the same interpreted and compiled. All actions that lead to the same chance event get the same outcome.
"""

import numpy as np

from parlour.engine.arrays import Int64s, States, Stream
from parlour.engine.chance import start_stream
from parlour.engine.compiled import compiled, interpreted, rule
from parlour.engine.rules import ACTION_ROOM, CHANCE, MAX_CARDS, OVER, legal, new_states, play
from parlour.engine.setup import Setup
from parlour.engine.simulation.playouts import take_chance
from parlour.engine.typed_state import AnyState, IntVector


@rule
def settle(state: AnyState, seed: int, depth: int, deck: IntVector, random: Stream) -> None:
    """Carry out the chance events due after ``depth`` actions."""
    start_stream(random, seed, depth)
    while state.actor == CHANCE:
        take_chance(state, deck, random)


@compiled
def count_sequences(
    states: States,
    actions: Int64s,
    numbers: Int64s,
    nexts: Int64s,
    counts: Int64s,
    seed: int,
    deck: IntVector,
    random: Stream,
) -> None:
    """Add to ``counts[n]`` the number of sequences of n + 1 actions from ``states[0]``.

    A depth-first search with one row of ``states`` and ``actions`` for each depth, so that it allocates nothing. A
    finished game has no actions: its sequence is not counted at greater depths.
    """
    last = counts.shape[0] - 1
    depth = 0
    settle(states[0], seed, 0, deck, random)
    numbers[0] = legal(states[0], actions[0]) if states[0].actor != OVER else 0
    counts[0] += numbers[0]
    nexts[0] = 0
    while depth >= 0:
        if depth == last or nexts[depth] == numbers[depth]:
            depth -= 1
            continue
        states[depth + 1] = states[depth]
        play(states[depth + 1], actions[depth, nexts[depth]])
        nexts[depth] += 1
        depth += 1
        settle(states[depth], seed, depth, deck, random)
        numbers[depth] = legal(states[depth], actions[depth]) if states[depth].actor != OVER else 0
        counts[depth] += numbers[depth]
        nexts[depth] = 0


def perft(setup: Setup, seed: int, depth: int, interpret: bool = False) -> tuple[int, ...]:
    """Return the numbers of sequences of 1, 2, … ``depth`` actions.

    Args:
        setup: the game, number of players and options.
        seed: the seed for all chance events.
        depth: the maximum number of actions.
        interpret: run the same source in the interpreter instead of compiled.
    """
    if depth < 1:
        return ()
    states = new_states(setup.game.dtype, depth + 1)
    states[0] = setup.new_state()
    actions, counts = np.zeros((depth, ACTION_ROOM), np.int64), np.zeros(depth, np.int64)
    numbers, nexts = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    loop = interpreted(count_sequences) if interpret else count_sequences
    loop(states, actions, numbers, nexts, counts, seed, np.zeros(MAX_CARDS, np.int64), np.zeros(1, np.uint64))
    return tuple(int(count) for count in counts)
