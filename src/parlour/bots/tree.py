"""Information-set Monte Carlo tree search over determinizations, several actions deep. Game-independent.

Source: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 2012 (SO-ISMCTS): one tree
for all determinizations, in each of which only some actions are available; UCB counts how often an action was
available. All hidden actions of another seat share one edge, so that the tree never acts on information its seat cannot
have. A vector of values, one per seat, is backed up: each seat is assumed to play for its own side.
"""

import math

import numpy as np

from parlour.bots.lookahead import CARELESS, final_worth, play_on
from parlour.engine.arrays import Floats, Int32s, Int64s, Records, States, Stream
from parlour.engine.chance import random_below, start_stream
from parlour.engine.compiled import compiled, named_type, rule
from parlour.engine.information.belief import believed_determinization
from parlour.engine.information.determinization import prepare_determinization
from parlour.engine.information.sampling_table import SamplingTable
from parlour.engine.rules import (
    ACTION_ROOM,
    CERTAIN,
    CHANCE,
    MAX_CARDS,
    MAX_SEATS,
    NO_ACTION,
    OVER,
    heuristic_choice,
    hides,
    legal,
    play,
)
from parlour.engine.simulation.playouts import fresh_deal_next, take_chance
from parlour.engine.typed_state import AnyState, IntVector

UNSEEN_ACTION = -(1 << 61)
"""Edge for any hidden action of another seat."""
EXPLORING = 0.35
"""Exploration constant of UCB."""
WIDENING = 1.0
"""Coefficient c of progressive widening: a node with n visits has at most 1 + c·√n edges."""
KNOWN_WELL = 32
"""Minimum visits of a node before other seats choose by the tree instead of the heuristic: with fewer, their choices
would be nearly random.
"""
MOST_NODES = 1 << 16
"""Default maximum number of nodes."""
LONGEST_PATH = 256
"""Maximum number of nodes on a path, including the root."""

NODE = named_type(
    np.dtype(
        [
            ("action", np.int64),
            ("by", np.int64),
            ("parent", np.int64),
            ("first", np.int64),
            ("next", np.int64),
            ("visits", np.int64),
            ("available", np.int64),
            ("total", np.float64),
        ],
        align=True,
    )
)
"""Node with the edge that leads to it, ``action``, which the seat ``by`` chose; ``total`` is the sum of its values for
that seat. ``available`` is the number of choices at its parent in which the edge was possible. ``first`` is the newest
child, and ``next`` the next older child of the same parent; −1 if there is none.
"""


def new_slots(nodes: int) -> Int32s:
    """Return an empty hash table for this number of nodes; its length is a power of two (see :func:`slot_of`)."""
    return np.zeros(1 << (2 * nodes - 1).bit_length(), np.int32)


@rule
def slot_of(nodes: Records, slots: Int32s, node: int, action: int) -> int:
    """Return the slot of the child that an action leads to, or the empty slot where that child belongs.

    ``slots`` is a hash table of node numbers with linear probing: its length is a power of two, 0 marks an empty slot.
    Where other seats act, a node may have hundreds of children, too many to scan for each action.
    """
    mask: int = slots.shape[0] - 1
    folded = (action ^ action >> 17 ^ action >> 34 ^ action >> 51) & 0x1FFFF  # small factors: nothing overflows
    mixed = folded * 40503 + node * 30011
    slot = (mixed ^ mixed >> 15) & mask
    while slots[slot] != 0 and (nodes[slots[slot]].parent != node or nodes[slots[slot]].action != action):
        slot = (slot + 1) & mask
    return slot


@rule
def child_of(nodes: Records, slots: Int32s, node: int, action: int) -> int:
    """Return the child that an action leads to, or −1."""
    child = slots[slot_of(nodes, slots, node, action)]
    return child if child > 0 else -1


@rule
def add_child(nodes: Records, slots: Int32s, node: int, number: int, action: int, by: int) -> int:
    """Initialize node ``number`` as a child of ``node``; return it."""
    slots[slot_of(nodes, slots, node, action)] = number
    nodes[number].action = action
    nodes[number].by = by
    nodes[number].parent = node
    nodes[number].first = -1
    nodes[number].next = nodes[node].first
    nodes[number].visits = 0
    nodes[number].available = 0
    nodes[number].total = 0.0
    nodes[node].first = number
    return number


@rule
def edge_of(state: AnyState, action: int, seat: int) -> int:
    """Return the edge by which ``seat`` observes an action."""
    return UNSEEN_ACTION if state.actor != seat and hides(state, action, seat) != 0 else action


@rule
def choose_action(
    nodes: Records,
    slots: Int32s,
    node: int,
    state: AnyState,
    actions: IntVector,
    number: int,
    seat: int,
    random: Stream,
) -> int:
    """Return the action to follow: a new one while the node has few edges for its visits, else the highest UCB.

    New actions come in the heuristic's order, so that the tree spends its effort on sensible play (progressive
    widening; Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007).
    """
    chosen = actions[0]
    best = -1e9
    fresh = 0
    unseen_counted = False
    for index in range(number):
        action = actions[index]
        child = child_of(nodes, slots, node, edge_of(state, action, seat))
        if child < 0:
            actions[index] = actions[fresh]
            actions[fresh] = action
            fresh += 1
            continue
        if nodes[child].action == UNSEEN_ACTION and unseen_counted:
            continue
        unseen_counted = unseen_counted or nodes[child].action == UNSEEN_ACTION
        nodes[child].available += 1
        visits = nodes[child].visits
        bound = nodes[child].total / visits + EXPLORING * math.sqrt(math.log(nodes[child].available) / visits)
        if bound > best:
            best = bound
            chosen = action
    if fresh > 0 and number - fresh < 1 + WIDENING * math.sqrt(nodes[node].visits):
        return actions[heuristic_choice(state, actions, fresh, random)]
    return chosen


@rule
def unseen_action(state: AnyState, actions: IntVector, number: int, seat: int, random: Stream) -> int:
    """Return one of the actions hidden from ``seat``: the heuristic's choice, or rarely a random one."""
    hidden = 0
    for index in range(number):
        action = actions[index]
        if hides(state, action, seat) != 0:
            actions[index] = actions[hidden]
            actions[hidden] = action
            hidden += 1
    if random_below(random, CERTAIN) < CARELESS:
        return actions[random_below(random, hidden)]
    return actions[heuristic_choice(state, actions, hidden, random)]


@rule
def descend(
    nodes: Records,
    slots: Int32s,
    used: int,
    path: Int64s,
    state: AnyState,
    seat: int,
    opening: int,
    actions: IntVector,
    deck: Int64s,
    random: Stream,
) -> tuple[int, int]:
    """Descend the tree, playing each action; return the number of nodes on the path and in the tree.

    The path ends with a new node, with a node of fewer than ``KNOWN_WELL`` visits where another seat is to act, or with
    the round. The first action is ``opening`` unless that is ``NO_ACTION``.
    """
    length = 1
    path[0] = 0
    while length < LONGEST_PATH and state.actor != OVER and not fresh_deal_next(state):
        if state.actor == CHANCE:
            take_chance(state, deck, random)
            continue
        if state.actor != seat and nodes[path[length - 1]].visits < KNOWN_WELL:
            break
        number = legal(state, actions)
        action = opening
        if length > 1 or opening == NO_ACTION:
            action = choose_action(nodes, slots, path[length - 1], state, actions, number, seat, random)
        edge = edge_of(state, action, seat)
        child = child_of(nodes, slots, path[length - 1], edge)
        is_new = child < 0
        if is_new:
            child = add_child(nodes, slots, path[length - 1], used, edge, state.actor)
            used += 1
        if edge == UNSEEN_ACTION:
            action = unseen_action(state, actions, number, seat, random)
        play(state, action)
        path[length] = child
        length += 1
        if is_new:
            break
    return length, used


@compiled
def grow(
    observed: States,
    work: States,
    seat: int,
    effort: int,
    openings: Int64s,
    nodes: Records,
    slots: Int32s,
    lead_model: Floats,
    pool: Int64s,
    table: SamplingTable,
    seed: int,
    first: int,
    random: Stream,
) -> tuple[int, int]:
    """Grow a tree until ``effort`` players' actions have been played or ``nodes`` are full.

    Returns the numbers of actions and of iterations.

    ``slots`` is a hash table of zeros for :func:`slot_of`, at least twice as long as the maximum number of nodes. With
    ``openings``, each iteration begins with one of these actions, in turn, so that all are tried in the same
    determinizations, at least once with any effort.
    """
    actions = np.zeros(ACTION_ROOM, np.int64)
    deck = np.zeros(MAX_CARDS, np.int64)
    scores = np.zeros(MAX_SEATS, np.int64)
    worths = np.zeros(MAX_SEATS)
    path = np.zeros(LONGEST_PATH + 1, np.int64)
    prepare_determinization(observed[0], seat, table)
    nodes[0].first = -1
    nodes[0].visits = 0
    used = 1
    steps = 0
    iterations = 0
    while (steps < effort or iterations < openings.shape[0]) and used < nodes.shape[0]:
        start_stream(random, seed, first + iterations // max(1, openings.shape[0]))
        opening = openings[iterations % openings.shape[0]] if openings.shape[0] > 0 else NO_ACTION
        iterations += 1
        believed_determinization(work[0:1], observed, seat, pool, seed, table, random)
        length, used = descend(nodes, slots, used, path, work[0], seat, opening, actions, deck, random)
        steps += length + play_on(work[0], NO_ACTION, False, actions, deck, random)
        for other in range(work[0].seats):
            worths[other] = final_worth(work[0], other, scores, lead_model)
        nodes[0].visits += 1
        for at in range(1, length):
            nodes[path[at]].visits += 1
            nodes[path[at]].total += worths[nodes[path[at]].by]
    return steps, iterations
