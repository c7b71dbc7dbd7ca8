"""Many games at once: random play over arrays of states, on one core or all of them.

Game number *n* of a run takes its chance from stream *n* of the seed, so a run gives the same games whatever the
number of threads, interpreted or compiled.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.engine.chance import as_seed, random_below, shuffle, spread, start_stream
from parlour.engine.compiled import compiled, interpreted, rule
from parlour.engine.given import whole
from parlour.engine.rules import (
    CHANCE,
    MAX_ACTIONS,
    MAX_CARDS,
    OVER,
    choices,
    deal,
    new_states,
    play,
    random_action,
    score,
    wanted,
)
from parlour.engine.setup import Setup

Int64s = np.ndarray[Any, np.dtype[np.int64]]

_GAMES_A_TASK = 8192


@rule
def take_chance(state: Any, deck: Any, random: Any) -> None:
    """Carry out the chance event that comes next with an outcome from the stream."""
    outcomes = choices(state)
    if outcomes > 0:
        play(state, random_below(random, outcomes))
    else:
        number = spread(deck, wanted(state))
        shuffle(random, deck, 0, number)
        deal(state, deck)


@rule
def play_out(state: Any, actions: Any, deck: Any, random: Any) -> int:
    """Play at random to the end, each legal action equally likely; return the number of players' actions.

    An unwatched state tells nobody anything afterwards but the result.
    """
    steps = 0
    while state.actor != OVER:
        if state.actor == CHANCE:
            take_chance(state, deck, random)
        else:
            play(state, random_action(state, actions, random))
            steps += 1
    return steps


@compiled
def play_games(
    starts: Any,
    work: Any,
    seed: int,
    first: int,
    scores: Any,
    winners: Any,
    lengths: Any,
    actions: Any,
    deck: Any,
    random: Any,
) -> None:
    """Play a game from ``starts[0]`` for every row of ``scores``; game ``first + index`` uses its own stream."""
    for index in range(scores.shape[0]):
        work[0] = starts[0]
        work[0].unwatched = 1
        start_stream(random, seed, first + index)
        lengths[index] = play_out(work[0], actions, deck, random)
        winners[index] = score(work[0], scores[index])


@dataclass(frozen=True)
class Playouts:
    """What came of a run of *n* games of *p* players.

    ``scores`` is n × p, ``winners`` n sets of seats (a bit for each who shares first place), ``lengths`` n numbers of
    players' actions.
    """

    scores: Int64s
    winners: Int64s
    lengths: Int64s

    @property
    def actions(self) -> int:
        """Players' actions in all games together."""
        return int(self.lengths.sum())


def cores_for(threads: int | None) -> int:
    """How many cores are to be used, all of them if nothing is said. Raises :class:`ParlourError`."""
    return os.cpu_count() or 1 if threads is None else whole("threads", threads, 1)


def run_playouts(
    setup: Setup,
    games: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    interpret: bool = False,
) -> Playouts:
    """Play games at random from the start to the end.

    Args:
        setup: what is played.
        games: how many games.
        seed: the run's seed; game *n* is the same in every run with it.
        threads: how many cores to use; all of them by default.
        progress: called with the number of games newly finished.
        interpret: run the same source in the interpreter, a thousand times slower.

    Raises:
        ParlourError: one of these numbers is none.
    """
    games, seed, cores = whole("the number of games", games, 0), as_seed(seed), cores_for(threads)
    starts = new_states(setup.game.dtype, 1)
    starts[0] = setup.new_state()
    result = Playouts(np.zeros((games, setup.players), np.int64), np.zeros(games, np.int64), np.zeros(games, np.int64))
    loop = interpreted(play_games) if interpret else play_games

    size = max(1, min(_GAMES_A_TASK, games // (4 * cores)))  # several tasks a core, so that none waits long for another

    def work_on(first: int) -> int:
        part = slice(first, min(first + size, games))
        # room on both sides, so that threads never write to the same cache line
        work, random = new_states(setup.game.dtype, 3)[1:2], np.zeros(33, np.uint64)[16:17]
        actions, deck = np.zeros(MAX_ACTIONS, np.int64), np.zeros(MAX_CARDS, np.int64)
        rows = (result.scores[part], result.winners[part], result.lengths[part])
        loop(starts, work, seed, first, *rows, actions, deck, random)
        return part.stop - part.start

    with ThreadPoolExecutor(cores) as pool:  # starts no thread before it has work for one
        for done in (map if cores == 1 else pool.map)(work_on, range(0, games, size)):
            progress(done)
    return result
