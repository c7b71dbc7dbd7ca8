"""Determinizations drawn in proportion to the likelihood of the others' past actions: policy-based inference.

Source: Rebstock, Solinas, Buro, Sturtevant, "Policy based inference in trick-taking card games", IEEE CoG 2019
(arXiv:1905.10911). Candidates are drawn by the game's ``likelihood``, uniformly if it has none, and weighed by the
probability that a policy plays the others' actions in them; these are taken back one by one
(:func:`parlour.engine.rules.undo`). The policy is the heuristic, softened, since people and bots often differ from it.
Games without ``undo`` have no such weights.
"""

import math
from collections.abc import Callable

import numpy as np

from parlour.engine.arrays import Floats, Int64s, States, Stream, Streams
from parlour.engine.chance import new_stream, random_below, start_stream
from parlour.engine.compiled import compiled, implementation, rule, rule_with_arrays
from parlour.engine.information.determinization import (
    draw_determinization,
    hidden_from,
    likely_determinization,
    prepare_determinization,
    scratch_table,
)
from parlour.engine.information.resampling import by_weight
from parlour.engine.information.sampling_table import SamplingTable
from parlour.engine.rules import (
    ACTION_ROOM,
    NO_ACTION,
    action_value,
    legal,
    new_states,
    nothing_to_undo,
    undo,
)
from parlour.engine.typed_state import AnyState

RANDOM_SHARE = 0.2
"""Share of random actions in the policy. Of the others, each is half as likely as one that the heuristic values next
higher.
"""
FURTHEST = 30
"""Number of halvings after which more make no difference."""
MOST_UNDONE = 1000
"""Maximum number of actions taken back, so that a faulty ``undo`` cannot go on for ever."""
MOST_EFFORT = 40_000
"""Maximum number of past decisions worth their evaluation: about 2,000 candidates in the middle of a round."""
MOST_CANDIDATES = 4096
"""Maximum number of candidates, and so of the pool."""
FEWEST_CANDIDATES = 16
"""Minimum number of candidates: fewer would repeat few layouts."""
PILOT = 8
"""Number of candidates that measure the cost of one."""
FIRST_CANDIDATE = 1 << 41
"""Number of the first stream for candidates, above all others of a seed. Candidate *n* is always drawn from stream
``FIRST_CANDIDATE + n``.
"""
NO_POOL = np.zeros(0, np.int64)
"""Pool for determinizations without weights."""

InPieces = Callable[[int, Callable[[slice], int]], list[int]]
"""Calls a function for slices that cover a number of rows, perhaps in several threads; returns its results."""


def in_one_piece(rows: int, work: Callable[[slice], int]) -> list[int]:
    """Call ``work`` for all rows at once."""
    return [work(slice(0, rows))]


def draw_pool(
    observed: States, seat: int, seed: int, effort: int, in_pieces: InPieces = in_one_piece
) -> tuple[Int64s, int]:
    """Return a pool for :func:`believed_determinization`, and the number of past decisions evaluated for it.

    The pool has the stream numbers of candidates, in proportion to their weights. It is empty if the others have not
    acted yet, the game has no ``undo``, or nothing is hidden from the seat, and if ``effort``, the number of decisions
    that may be evaluated, is too small.
    """
    can_undo = implementation("undo", observed.dtype) is not nothing_to_undo
    if not effort or not can_undo or not hidden_from(observed[0], seat):
        return NO_POOL, 0

    def weigh(logarithms: Floats, first: int) -> int:
        work = new_states(observed.dtype, 1)
        return weigh_candidates(observed, work, seat, logarithms, scratch_table(), seed, first, new_stream(0))

    pilot = np.zeros(PILOT)
    evaluated = weigh(pilot, 0)
    number = min(MOST_CANDIDATES, effort * PILOT // evaluated) if evaluated else 0
    if number < FEWEST_CANDIDATES:
        return NO_POOL, evaluated
    logarithms = np.concatenate([pilot, np.zeros(number - PILOT)])
    rest = logarithms[PILOT:]
    evaluated += sum(in_pieces(len(rest), lambda rows: weigh(rest[rows], PILOT + rows.start)))
    chosen = by_weight(np.exp(logarithms - logarithms.max()), number, seed)
    return FIRST_CANDIDATE + chosen, evaluated


@rule
def chance_of_action(state: AnyState, action: int, actions: Int64s, number: int) -> float:
    """Return the probability that the softened heuristic chooses ``action`` among ``actions[:number]``.

    Actions of equal value have the same rank; the probabilities then add up to more than 1.
    """
    value = action_value(state, action)
    better = 0
    for index in range(number):
        if action_value(state, actions[index]) > value:
            better += 1
    halved = 1.0 / (1 << min(better, FURTHEST))
    whole = 2.0 - 1.0 / (1 << min(number - 1, FURTHEST))
    return RANDOM_SHARE / number + (1.0 - RANDOM_SHARE) * halved / whole


@rule
def log_likelihood(state: AnyState, seat: int, actions: Int64s) -> tuple[float, int]:
    """Return the logarithm of the probability of the others' past actions in a determinization of ``seat``.

    The second result is the number of decisions that it takes into account. The state is turned back.
    """
    logarithm = 0.0
    decisions = 0
    for _ in range(MOST_UNDONE):
        action = undo(state)
        if action == NO_ACTION:
            break
        number = legal(state, actions)
        if state.actor != seat and number > 1:
            logarithm += math.log(chance_of_action(state, action, actions, number))
            decisions += 1
    return logarithm, decisions


@compiled
def weigh_candidates(
    observed: States, work: States, seat: int, logarithms: Floats, table: SamplingTable, seed: int, first: int,
    random: Stream,
) -> int:  # fmt: skip
    """Draw candidates and write the logarithms of their weights; return the number of decisions evaluated.

    ``first`` is the number of the first candidate.
    """
    actions = np.zeros(ACTION_ROOM, np.int64)
    prepare_determinization(observed[0], seat, table)
    evaluated = 0
    for index in range(len(logarithms)):
        draw_candidate(work, observed, seat, FIRST_CANDIDATE + first + index, seed, table, random)
        logarithms[index], decisions = log_likelihood(work[0], seat, actions)
        evaluated += decisions
    return evaluated


@rule_with_arrays
def draw_candidate(
    state: States, observed: States, seat: int, number: int, seed: int, table: SamplingTable, random: Stream
) -> None:
    """Fill ``state[0]`` with the determinization drawn from stream ``number``."""
    start_stream(random, seed, number)
    likely_determinization(state, observed, seat, table, random)


@rule_with_arrays
def believed_determinization(
    state: States, observed: States, seat: int, pool: Int64s, seed: int, table: SamplingTable, random: Stream
) -> None:
    """Fill ``state[0]`` with a determinization of the pool; without a pool, with one by the game's ``likelihood``."""
    if pool.shape[0] == 0:
        likely_determinization(state, observed, seat, table, random)
        return
    number = pool[random_below(random, pool.shape[0])]
    after = random[0]
    draw_candidate(state, observed, seat, number, seed, table, random)
    random[0] = after


@compiled
def determinize_games(
    observed: States, seat: int, likely: bool, pool: Int64s, games: States, streams: Streams, seed: int,
    table: SamplingTable,
) -> None:  # fmt: skip
    """Fill ``games`` with determinizations of the state ``observed[0]``: uniform ones, or ``likely`` ones of the pool.

    Game *n* is drawn from stream *n* of the seed; ``streams`` receives the streams, for the chance events to come.
    """
    prepare_determinization(observed[0], seat, table)
    for index in range(games.shape[0]):
        random = streams[index : index + 1]
        start_stream(random, seed, index)
        if likely:
            believed_determinization(games[index : index + 1], observed, seat, pool, seed, table, random)
        else:
            games[index] = observed[0]
            draw_determinization(games[index], seat, table, random)
