"""Compiled games and decisions of linear policies.

A linear policy draws an action by the softmax of logits, the dot products of its weights and the actions' features. The
features of an action summarize the seat's observation after it (:mod:`parlour.learning.feature_summary`); further
features describe the action itself (:data:`EXTRAS`). Since an action may reveal hidden cards, it is carried out in one
determinization of the observation. The second half of the features is 0 except for the candidates that the heuristic
values most, for which it is the mean of all candidates' features; from these a policy can learn in which situations to
follow the heuristic. If there are many legal actions, only those with the highest heuristic values are candidates.

This file is part of the hash that names the folder of compiled code.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from parlour.engine.arrays import Float32s, Floats, Int64s, States, Stream, Streams, Uint8s
from parlour.engine.chance import random_bits, start_stream
from parlour.engine.compiled import compiled, rule, rule_with_arrays
from parlour.engine.information.determinization import TABLE, determinize_state, hide_unknown
from parlour.engine.information.plane_cells import new_wheels, turn_wheels
from parlour.engine.information.planes import planes_of
from parlour.engine.rules import (
    ACTION_ROOM,
    CHANCE,
    MAX_CARDS,
    MAX_SEATS,
    OVER,
    action_value,
    heuristic_choice,
    legal,
    new_states,
    partners,
    play,
    score,
)
from parlour.engine.setup import Setup
from parlour.engine.simulation.playouts import take_chance
from parlour.engine.simulation.shard import words_of
from parlour.engine.typed_state import AnyState
from parlour.learning.feature_summary import Layout, summarize, summary_of

CANDIDATES = 24
"""Maximum number of candidates of a decision."""
BEST, GAP, SMALL_GAP, LEAD, RESULT, SAME_SEAT, CHANCE_NEXT, GAME_OVER = range(8)
EXTRAS = 8
"""Number of features that describe the action itself; they come before the summary:

- BEST: 1 if no action has a higher heuristic value.
- GAP, SMALL_GAP: the heuristic value less the highest one, in units of the setup, clipped at −4 and at −1/4.
- LEAD: the seat's lead after the action, in units of the setup, clipped at ±4.
- RESULT: the share of first place if the game is over, from −1 to 1.
- SAME_SEAT, CHANCE_NEXT, GAME_OVER: 1 if the seat acts next; if a chance event is next; if the game is over.
"""
HEURISTIC, POLICY = range(2)
"""Players of a compiled game."""
LANES = 8
"""The number of features is a multiple of this."""


class Scratch(NamedTuple):
    """Scratch space for the decisions of one setup.

    Attributes:
        states: the observed state of the seat to act, and a determinization of it.
        after: the state after each candidate, and ``words``, a view of them as integers.
        table: the one record of :data:`parlour.engine.information.determinization.TABLE`.
        sides: the sides of the setup, an argument of :func:`turn_wheels`.
        wheels: the wheel of the seat, an argument of :func:`parlour.learning.feature_summary.summarize`.
        layout: the layout of the setup's summaries, an argument of the same function.
        features: the features of each candidate.
        values, chosen: the heuristic value of each candidate, and its index among the legal actions.
        seats: the seat to act, an array of one element.
        scores: the scores of a state.
    """

    states: States
    after: States
    words: Int64s
    table: States
    sides: Int64s
    wheels: Uint8s
    layout: Layout
    features: Float32s
    values: Int64s
    chosen: Int64s
    seats: Int64s
    scores: Int64s


Buffers: TypeAlias = tuple[Int64s, Int64s, Floats, Streams]
"""Scratch space for games: actions, a deck, logits, and streams, one for each seat and one for chance events."""
Results: TypeAlias = tuple[Floats, Floats, Floats]
"""Rewards and leads, games × seats; and sums over a seat's decisions, games × seats × 3: their number, the leads, and
the squared leads.
"""


@rule
def lead_of(state: AnyState, seat: int, scores: Int64s) -> float:
    """Return the seat's score less the mean score of the seats of other sides."""
    score(state, scores)
    own = partners(state, seat)
    total, others = 0, 0
    for other in range(state.seats):
        if not own >> other & 1:
            total += scores[other]
            others += 1
    lead: float = scores[seat] - total / max(others, 1)
    return lead


@rule
def reward_of(state: AnyState, seat: int, scores: Int64s) -> float:
    """Return the share of first place of the seat's side, scaled from −1 for none to 1 for all of it."""
    winners = score(state, scores)
    sides = 0
    for other in range(state.seats):
        if winners >> other & 1 and not partners(state, other) & winners & ((1 << other) - 1):
            sides += 1
    return 2.0 / sides - 1.0 if winners >> seat & 1 else -1.0


@rule
def choose_candidates(state: AnyState, actions: Int64s, number: int, values: Int64s, chosen: Int64s) -> int:
    """Write the indices of the actions with the highest heuristic values, and these values; return their number."""
    found = 0
    for index in range(number):
        value = action_value(state, actions[index])
        at = found
        if found == CANDIDATES:
            if value <= values[found - 1]:
                continue
            at = found - 1
        else:
            found += 1
        while at > 0 and values[at - 1] < value:
            values[at], chosen[at] = values[at - 1], chosen[at - 1]
            at -= 1
        values[at], chosen[at] = value, index
    return found


@rule_with_arrays
def describe_candidates(
    seat: int, actions: Int64s, number: int, random: Stream, scales: Floats, scratch: Scratch
) -> int:
    """Write the candidates of a decision and their features; return their number.

    ``scratch.states[0]`` is the observed state. ``scales`` are the units of heuristic values and of leads.
    """
    states, after, features = scratch.states, scratch.after, scratch.features
    values, scores = scratch.values, scratch.scores
    found = choose_candidates(states[0], actions, number, values, scratch.chosen)
    states[1] = states[0]
    determinize_state(states[1], seat, scratch.table[0], random)
    features[:found] = 0.0
    for at in range(found):
        after[at] = states[1]
        play(after[at], actions[scratch.chosen[at]])
        gap = (values[at] - values[0]) / scales[0]
        over = after[at].actor == OVER
        features[at, BEST] = 1.0 if values[at] == values[0] else 0.0
        features[at, GAP] = max(gap, -4.0)
        features[at, SMALL_GAP] = max(gap, -0.25)
        features[at, LEAD] = min(max(lead_of(after[at], seat, scores) / scales[1], -4.0), 4.0)
        features[at, RESULT] = reward_of(after[at], seat, scores) if over else 0.0
        features[at, SAME_SEAT] = 1.0 if after[at].actor == seat else 0.0
        features[at, CHANCE_NEXT] = 1.0 if after[at].actor == CHANCE else 0.0
        features[at, GAME_OVER] = 1.0 if over else 0.0
        hide_unknown(after[at], seat, scratch.table[0])
    scratch.seats[0] = seat
    turn_wheels(after, scratch.sides, scratch.seats, scratch.wheels)
    for at in range(found):
        summarize(scratch.words, at, scratch.layout, scratch.wheels[0], features, EXTRAS)
    add_situation(found, features)
    return found


@rule
def add_situation(found: int, features: Float32s) -> None:
    """Write the mean of the candidates' features into the second half of the features of those valued most."""
    half = features.shape[1] // 2
    for feature in range(half):
        total = features[0, feature]
        for at in range(1, found):
            total += features[at, feature]
        total /= found
        for at in range(found):
            if features[at, BEST] != 0.0:
                features[at, half + feature] = total


@rule
def dot(features: Float32s, at: int, weights: Float32s) -> float:
    """Return the dot product of a row of features with the weights, summed in eight parts that run in parallel."""
    a = b = c = d = e = f = g = h = np.float32(0.0)
    for first in range(0, features.shape[1], LANES):
        a += features[at, first] * weights[first]
        b += features[at, first + 1] * weights[first + 1]
        c += features[at, first + 2] * weights[first + 2]
        d += features[at, first + 3] * weights[first + 3]
        e += features[at, first + 4] * weights[first + 4]
        f += features[at, first + 5] * weights[first + 5]
        g += features[at, first + 6] * weights[first + 6]
        h += features[at, first + 7] * weights[first + 7]
    return float(a + b + (c + d) + (e + f + (g + h)))


@rule
def fill_logits(found: int, weights: Float32s, features: Float32s, logits: Floats) -> int:
    """Write the logits of the candidates; return the index of the highest."""
    best = 0
    for at in range(found):
        logits[at] = dot(features, at, weights)
        if logits[at] > logits[best]:
            best = at
    return best


@rule
def draw_softmax(found: int, logits: Floats, best: int, random: Stream) -> int:
    """Turn logits into probabilities, and return an index drawn from them."""
    highest, total = logits[best], 0.0
    for at in range(found):
        logits[at] = np.exp(logits[at] - highest)
        total += logits[at]
    drawn, taken = random_bits(random) / 4294967296.0 * total, found - 1
    for at in range(found):
        drawn -= logits[at]
        if drawn < 0.0:
            taken = at
            break
    for at in range(found):
        logits[at] /= total
    return taken


@rule
def add_score_function(
    found: int, taken: int, chances: Floats, features: Float32s, lead: float, sums: Float32s
) -> None:
    """Add the gradient of the log probability of the action taken to ``sums[0]``, ``lead`` times it to ``sums[1]``."""
    for at in range(found):
        share = np.float32((1.0 if at == taken else 0.0) - chances[at])
        weighted = np.float32(share * lead)
        for feature in range(features.shape[1]):
            sums[0, feature] += share * features[at, feature]
            sums[1, feature] += weighted * features[at, feature]


@compiled
def play_policy_games(
    start: States, work: States, seed: int, deals: Int64s, players: Int64s, weights: Float32s, scales: Floats,
    scratch: Scratch, buffers: Buffers, results: Results, gradients: Float32s, max_events: int,
) -> bool:  # fmt: skip
    """Play a game for each row of ``players``, from its deal; write rewards, leads and gradients.

    Args:
        start: the state before the deal, an array of one element.
        work: scratch space for a state.
        seed: the run's seed.
        deals: the number of each game's deal; games with the same number have the same chance events.
        players: games × seats: ``HEURISTIC`` or ``POLICY``.
        weights: the weights of the policy.
        scales: units of heuristic values and leads.
        scratch: scratch space of decisions.
        buffers: scratch space of games.
        results: the outputs for rewards, leads and sums.
        gradients: the output for gradients, games × seats × 2 × features; without rows none are computed.
        max_events: the number of events after which a game counts as endless.

    Returns:
        whether all games ended.
    """
    observed, table, features, scores = scratch.states, scratch.table, scratch.features, scratch.scores
    actions, deck, logits, streams = buffers
    rewards, leads, sums = results
    state = work[0]
    for game in range(deals.shape[0]):
        work[0] = start[0]
        events, shuffles = 0, 0
        first = deals[game] << 24
        for seat in range(MAX_SEATS):
            start_stream(streams[seat : seat + 1], seed, first + seat)
        while state.actor != OVER:
            events += 1
            if events > max_events:
                return False
            if state.actor == CHANCE:
                start_stream(streams[MAX_SEATS:], seed, first + MAX_SEATS + shuffles)
                shuffles += 1
                take_chance(state, deck, streams[MAX_SEATS:])
                continue
            seat = state.actor
            number = legal(state, actions)
            if number == 1:
                play(state, actions[0])
                continue
            random = streams[seat : seat + 1]
            observed[0] = state
            hide_unknown(observed[0], seat, table[0])
            if players[game, seat] == HEURISTIC:
                play(state, actions[heuristic_choice(observed[0], actions, number, random)])
                continue
            found = describe_candidates(seat, actions, number, random, scales, scratch)
            taken = draw_softmax(found, logits, fill_logits(found, weights, features, logits), random)
            if gradients.shape[0] > 0:
                lead = lead_of(state, seat, scores) / scales[1]
                add_score_function(found, taken, logits, features, lead, gradients[game, seat])
                sums[game, seat, 0] += 1.0
                sums[game, seat, 1] += lead
                sums[game, seat, 2] += lead * lead
            play(state, actions[scratch.chosen[taken]])
        for seat in range(start[0].seats):
            rewards[game, seat] = reward_of(state, seat, scores)
            leads[game, seat] = lead_of(state, seat, scores)
    return True


@compiled
def weigh_actions(
    observed: States, seat: int, actions: Int64s, number: int, random: Stream, weights: Float32s, scales: Floats,
    scratch: Scratch, chances: Floats,
) -> None:  # fmt: skip
    """Write the policy's probability of each action; ``observed[0]`` is the observed state of the seat to act."""
    scratch.states[0] = observed[0]
    found = describe_candidates(seat, actions, number, random, scales, scratch)
    logits = np.empty(CANDIDATES)
    draw_softmax(found, logits, fill_logits(found, weights, scratch.features, logits), random)
    chances[:number] = 0.0
    for at in range(found):
        chances[scratch.chosen[at]] = logits[at]


def new_scratch(setup: Setup) -> Scratch:
    """Return scratch space for the decisions of one setup."""
    planes, dtype, summary = planes_of(setup), setup.game.dtype, summary_of(setup)
    after = new_states(dtype, CANDIDATES)
    return Scratch(
        new_states(dtype, 2), after, words_of(after), new_states(TABLE, 1), planes.sides, new_wheels(1), summary.layout,
        np.zeros((CANDIDATES, number_of_features(setup)), np.float32), np.zeros(CANDIDATES + 1, np.int64),
        np.zeros(CANDIDATES + 1, np.int64), np.zeros(1, np.int64), np.zeros(MAX_SEATS, np.int64),
    )  # fmt: skip


def number_of_features(setup: Setup) -> int:
    """Return the number of features of an action, which is also the number of weights of a policy."""
    half = EXTRAS + summary_of(setup).size
    return 2 * (half + -half % (LANES // 2))


def new_buffers() -> Buffers:
    """Return scratch space for games."""
    streams = np.zeros(MAX_SEATS + 1, np.uint64)
    return np.zeros(ACTION_ROOM, np.int64), np.zeros(MAX_CARDS, np.int64), np.zeros(CANDIDATES), streams
