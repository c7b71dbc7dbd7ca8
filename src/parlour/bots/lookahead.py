"""One-ply Monte Carlo search over determinizations; compiled and game-independent.

Each action is tried in the same determinizations, and the heuristic plays the rest with the same random numbers for
every action. The differences between actions are therefore estimated far more precisely than their values. Sequential
halving (Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013) spends the effort on the
actions that may be best.

The objective is the probability of winning the match. A round that is not the last ends with a score; the probability
of winning from a score is learned from matches played to their end (:data:`MATCHES`), so that the luck of later deals
does not drown the effect of an action. The lead in points at the end of the round may be a part of the objective.

A *lead model* gives the value of the end of a round: constant and slope of the logistic regression of wins on leads
between two rounds, the weight of winning, and the value of a point.
"""

import math

import numpy as np

from parlour.engine.arrays import Floats, Int64s, States, Stream
from parlour.engine.chance import start_stream
from parlour.engine.compiled import compiled, rule
from parlour.engine.game import MAX_EVENTS
from parlour.engine.information.belief import believed_determinization
from parlour.engine.information.determinization import prepare_determinization
from parlour.engine.information.sampling_table import SamplingTable
from parlour.engine.rules import (
    ACTION_ROOM,
    CHANCE,
    MAX_CARDS,
    MAX_SEATS,
    NO_ACTION,
    OVER,
    RESULT_BY_HEURISTIC,
    heuristic_action,
    heuristic_choice,
    partners,
    play,
    score,
)
from parlour.engine.simulation.playouts import fresh_deal_next, take_chance
from parlour.engine.typed_state import AnyState

CARELESS = 60
"""Rate of random actions in playouts, in 1 / ``CERTAIN``, so that no prediction of a choice counts as certain."""
PILOT = 8
"""Number of pilot determinizations: they measure the cost of one, and whether another round follows."""
NO_SHARE = -1.0
"""Value that says that no round follows, instead of a share of first place."""
LEAD_COUNTS = 0.002
"""Value of one point of lead, as a probability of winning: it decides between actions that win equally often."""


def new_lead_model() -> Floats:
    """Return the lead model before any is learned: winning counts, and leads between two rounds do not differ."""
    return np.array([0.0, 0.0, 1.0, 0.0])


@rule
def play_on(state: AnyState, action: int, to_the_end: bool, actions: Int64s, deck: Int64s, random: Stream) -> int:
    """Play by the heuristic to the end of the round or of the match; return the number of players' actions.

    The first action is ``action``, or with ``NO_ACTION`` the heuristic's choice. The state is marked ``result_only``:
    only its result is valid afterwards. A playout stops after ``MAX_EVENTS`` actions; a seat may then still be to act.
    """
    state.result_only = RESULT_BY_HEURISTIC
    steps = 0
    while state.actor != OVER and steps < MAX_EVENTS:
        if state.actor == CHANCE:
            if not to_the_end and fresh_deal_next(state):
                break
            take_chance(state, deck, random)
        else:
            play(state, action if action != NO_ACTION else heuristic_action(state, actions, CARELESS, random))
            action = NO_ACTION
            steps += 1
    return steps


@rule
def share_and_lead(state: AnyState, seat: int, scores: Int64s) -> tuple[float, float]:
    """Return the share of first place of the seat's side, and the seat's lead in points over the best other side."""
    winners = score(state, scores)
    own = partners(state, seat)
    sides = 0
    ahead = 0
    rival = -(1 << 40)
    for other in range(state.seats):
        if own >> other & 1 == 0:
            rival = max(rival, scores[other])
        if winners >> other & 1 != 0 and partners(state, other) & winners & ((1 << other) - 1) == 0:
            sides += 1
            ahead += 1 if own >> other & 1 != 0 else 0
    return ahead / sides, float(scores[seat] - rival)


@rule
def win_probability(lead: float, lead_model: Floats) -> float:
    """Return the probability of winning the match from a lead between two rounds."""
    return 1 / (1 + math.exp(-(lead_model[0] + lead_model[1] * lead)))


@rule
def value_and_lead(state: AnyState, seat: int, scores: Int64s, lead_model: Floats) -> tuple[float, float]:
    """Return the value of the end of a round, usually the probability of winning the match, and the lead."""
    share, lead = share_and_lead(state, seat, scores)
    chance = share if state.actor == OVER else win_probability(lead, lead_model)
    return 0.5 + lead_model[2] * (chance - 0.5) + lead_model[3] * lead, lead


@rule
def final_worth(state: AnyState, seat: int, scores: Int64s, lead_model: Floats) -> float:
    """Return the value of a finished round, plus a little for the lead."""
    value, lead = value_and_lead(state, seat, scores, lead_model)
    return value + LEAD_COUNTS * lead


NOT_AN_INDEX, NOT_LEGAL, TOO_LONG = -1, -2, -3
"""Return values of :func:`look_ahead` that report a fault of the game."""
ORDER, MATCHES, TRY, TURN = range(4)
"""Tasks of :func:`look_ahead`. One function serves all, since each compiled function holds a copy of the rules."""


@compiled
def look_ahead(
    task: int,
    observed: States,
    work: States,
    seat: int,
    candidates: Int64s,
    values: Floats,
    leads: Floats,
    lead_model: Floats,
    pool: Int64s,
    table: SamplingTable,
    seed: int,
    first: int,
    random: Stream,
) -> int:
    """Do one of the tasks of a search from an observed state.

    ORDER sorts the candidates into the order in which the heuristic would choose them; it returns 0, or
    ``NOT_AN_INDEX`` or ``NOT_LEGAL`` if the heuristic is faulty. TRY and MATCHES return the number of players' actions
    played, or ``TOO_LONG`` if a playout does not end.

    TRY tries each candidate in the same determinizations and writes its value and its lead at the end of the round
    (``values``, ``leads``: determinizations × candidates). MATCHES plays each determinization by the
    heuristic to the end of the match and writes the lead after this round and the final share of first place
    (determinizations × 1); if this round is the last in each of the first ``PILOT`` determinizations, it stops there
    and writes ``NO_SHARE`` as the first share. TURN returns 1 if any candidate, in these determinizations, leaves the
    turn with the seat, else 0.

    Determinization *n* and the chance events after it use stream ``first + n`` of the seed.
    """
    actions = np.zeros(ACTION_ROOM, np.int64)
    if task == ORDER:
        return order_by_heuristic(observed[0], candidates, actions, random)
    deck = np.zeros(MAX_CARDS, np.int64)
    scores = np.zeros(MAX_SEATS, np.int64)
    prepare_determinization(observed[0], seat, table)
    steps = 0
    last_round = True
    for index in range(values.shape[0]):
        start_stream(random, seed, first + index)
        believed_determinization(work[0:1], observed, seat, pool, seed, table, random)
        after = random[0]
        for which in range(values.shape[1]):
            work[1] = work[0]
            random[0] = after
            if task == TURN:
                play(work[1], candidates[which])
                if work[1].actor == seat:
                    return 1
                continue
            action = candidates[which] if task == TRY else NO_ACTION
            to_the_end = False
            while True:
                steps += play_on(work[1], action, to_the_end, actions, deck, random)
                action = NO_ACTION
                if work[1].actor >= 0:
                    return TOO_LONG
                value, lead = value_and_lead(work[1], seat, scores, lead_model)
                if not to_the_end:
                    leads[index, which] = lead
                if task == TRY or work[1].actor == OVER:
                    break
                to_the_end = True
            values[index, which] = value
            last_round = last_round and not to_the_end
        if task == MATCHES and last_round and first + index + 1 == PILOT:
            values[0, 0] = NO_SHARE
            break
    return steps


@rule
def order_by_heuristic(state: AnyState, actions: Int64s, scratch: Int64s, random: Stream) -> int:
    """Sort the legal actions into the order in which the heuristic would choose them.

    Returns 0, or ``NOT_AN_INDEX`` or ``NOT_LEGAL`` for an invalid result of the heuristic. A search validates the
    heuristic once here, since its playouts do not.
    """
    before = random[0]
    action = heuristic_action(state, scratch, 0, random)
    random[0] = before
    if not is_among(action, actions):
        return NOT_LEGAL
    for index in range(len(actions) - 1):
        chosen = index + heuristic_choice(state, actions[index:], len(actions) - index, random)
        if not index <= chosen < len(actions):
            return NOT_AN_INDEX
        action = actions[chosen]
        for later in range(chosen, index, -1):
            actions[later] = actions[later - 1]
        actions[index] = action
    return 0


@rule
def is_among(action: int, actions: Int64s) -> bool:
    """Return whether an array contains an action."""
    found = False
    for each in actions:
        found = found or each == action
    return found
