"""Endgame tree: every continuation of a nearly finished game of two seats, in sequence form.

At the root, chance selects one of the worlds possible by common knowledge (:mod:`parlour.endgames.common_knowledge`),
all equally likely. Then the game continues by its rules. Two nodes belong to the same information set of a seat if the
seat has observed and done the same since the root: it had the same observation after every event. All seats have
perfect recall.

A seat's strategies are represented by sequences of its own actions (Koller, Megiddo, von Stengel, "Fast algorithms for
finding randomized strategies in game trees", STOC 1994): sequence 0 is empty, and each action of each information set
adds one.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from parlour.bots.lookahead import share_and_lead
from parlour.endgames.common_knowledge import (
    SEATS,
    CardSlot,
    CommonKnowledge,
    TooLargeError,
    common_knowledge_of,
    hide_unknown_in_all,
    reveal_origins,
)
from parlour.engine.arrays import Floats, Int64s, States
from parlour.engine.chance import new_stream
from parlour.engine.compiled import compiled
from parlour.engine.information.determinization import new_table
from parlour.engine.rules import ACTION_ROOM, CHANCE, MAX_SEATS, OVER, choices, legal, new_states, play
from parlour.engine.typed_state import AnyState, OwnState

SHUFFLES = -1
"""Marker instead of a number of successors: a shuffle, with more outcomes than can be listed."""

NOTHING = -(1 << 62)
"""Marker for the action of a seat that did not act."""


@dataclass(frozen=True)
class TreeLimits:
    """Size limits of an endgame tree: worlds at the root, nodes, sequences of each seat."""

    worlds: int = 20_000
    nodes: int = 200_000
    sequences: int = 10_000


@dataclass(frozen=True)
class InformationSet:
    """Information set of a seat that chooses between several actions.

    Attributes:
        observation: the observed state.
        moves: the legal moves.
        before: the sequence that leads here.
        first: the sequence of the first action; the others follow.
    """

    observation: OwnState
    moves: Int64s
    before: int
    first: int

    @property
    def after(self) -> slice:
        """Sequences of its actions."""
        return slice(self.first, self.first + len(self.moves))


@dataclass
class EndgameTree:
    """Endgame tree in sequence form.

    Attributes:
        sets: each seat's information sets, each after its predecessors.
        sequences: the number of sequences of each seat.
        payoffs: a sparse matrix, sequences of seat 0 × sequences of seat 1: the probability, by chance alone, of the
            ends that they lead to, times seat 0's share of first place; the remaining share is seat 1's.
        worlds, nodes, ends: their numbers.
        roots: the worlds, an array of states; ``None`` before :func:`endgame_tree_of` sets it.
        hidden: whether the worlds differ in a card that is hidden from a seat.
        least, most: seat 0's minimum and maximum share of first place over the ends.
    """

    worlds: int
    sets: tuple[list[InformationSet], ...] = field(default_factory=lambda: ([], []))
    sequences: list[int] = field(default_factory=lambda: [1, 1])
    payoffs: Any = None
    nodes: int = 0
    ends: int = 0
    roots: Any = None
    hidden: bool = True
    least: float = 1.0
    most: float = 0.0

    @property
    def depends_on_play(self) -> bool:
        """Return whether a card is hidden at the root and the ends differ in value."""
        return self.worlds > 1 and self.hidden and self.least < self.most

    def value_of(self, seat: int, own: Floats, other: Floats) -> float:
        """Return a seat's mean share of first place for two plans (:mod:`parlour.endgames.equilibrium`)."""
        first, second = (own, other) if seat == 0 else (other, own)
        value = float(first @ (self.payoffs @ second))
        return value if seat == 0 else 1 - value


@compiled
def _count_successors(states: States, counts: Int64s, seen: Int64s, worlds: Int64s, actions: Int64s) -> None:
    """Write each state's number of successors, or SHUFFLES, and add the cards that any seat knows in each world."""
    for index in range(states.shape[0]):
        state = states[index]
        seen[worlds[index]] |= state.public | state.private[0] | state.private[1]
        if state.actor == OVER:
            counts[index] = 0
        elif state.actor == CHANCE:
            counts[index] = choices(state) if choices(state) > 0 else SHUFFLES
        else:
            counts[index] = legal(state, actions)


@compiled
def _expand(states: States, counts: Int64s, after: States, done: Int64s, actions: Int64s) -> None:
    """Play every action and outcome of every state; ``done`` receives the actions and outcomes."""
    at = 0
    for index in range(states.shape[0]):
        decides = states[index].actor >= 0
        if decides:
            legal(states[index], actions)
        for which in range(counts[index]):
            after[at] = states[index]
            done[at] = actions[which] if decides else which
            play(after[at], done[at])
            at += 1


@compiled
def _shares(states: States, shares: Floats, scores: Int64s) -> None:
    for index in range(states.shape[0]):
        shares[index] = share_and_lead(states[index], 0, scores)[0]


class _TreeBuilder:
    """Builder of an endgame tree, level by level; only the current level's states are stored."""

    def __init__(self, worlds: CommonKnowledge, limits: TreeLimits) -> None:
        self.limits = limits
        self.number = len(worlds.states)
        self.game = EndgameTree(self.number)
        self.seen = np.zeros(self.number, np.int64)
        self.actions = np.zeros(ACTION_ROOM, np.int64)
        self.ends: list[tuple[Any, Any]] = []

    def build_tree(self, states: States) -> EndgameTree:
        """Return the tree below these states. Raises :class:`TooLargeError` or ``ValueError``."""
        worlds, chance = np.arange(self.number), np.full(self.number, 1 / self.number)
        sequences, seen = np.zeros((2, self.number, SEATS), np.int64)
        did = np.full((self.number, SEATS), NOTHING)
        while len(states):
            counts = self._count(states, worlds)
            actors = states["actor"]
            self._note_ends(states[actors == OVER], chance[actors == OVER], sequences[actors == OVER])
            after, done = new_states(states.dtype, int(counts.sum())), np.zeros(int(counts.sum()), np.int64)
            _expand(states, counts, after, done, self.actions)
            parents = np.repeat(np.arange(len(states)), counts)
            which = np.arange(len(parents)) - np.repeat(np.cumsum(counts) - counts, counts)
            reached, histories = sequences[parents], np.zeros_like(seen)
            for seat in range(SEATS):
                histories[:, seat], observations = self._histories(seat, states, seen[:, seat], did[:, seat])
                deciding = np.flatnonzero((actors == seat) & (counts > 1))
                firsts = self._firsts(seat, deciding, histories[:, seat], observations, sequences[:, seat], counts)[
                    parents
                ]
                reached[firsts >= 0, seat] = (firsts + which)[firsts >= 0]
            did = np.where(actors[parents, None] == np.arange(SEATS), done[:, None], NOTHING)
            chance = chance[parents] / np.where(actors == CHANCE, counts, 1)[parents]
            states, sequences, seen, worlds = after, reached, histories[parents], worlds[parents]
        self._finish()
        return self.game

    def _count(self, states: States, worlds: Int64s) -> Int64s:
        """Return each state's number of successors. Raises :class:`TooLargeError`."""
        counts = np.zeros(len(states), np.int64)
        _count_successors(states, counts, self.seen, worlds, self.actions)
        self.game.nodes += len(states)
        if np.any(counts == SHUFFLES) or self.game.nodes + counts.sum() > self.limits.nodes:
            raise TooLargeError
        return counts

    def _histories(self, seat: int, states: States, before: Int64s, did: Int64s) -> tuple[Int64s, States]:
        """Return numbers that identify a seat's history of observations and actions, and its current observations.

        ``before`` holds the numbers before the last event, ``did`` the seat's action at it, or ``NOTHING``.
        """
        observations = states.copy()
        hide_unknown_in_all(observations, seat, new_table())
        known: dict[tuple[int, int, bytes], int] = {}
        numbers = [
            known.setdefault((earlier, action, observation.tobytes()), len(known))
            for earlier, action, observation in zip(before.tolist(), did.tolist(), observations, strict=True)
        ]
        return np.array(numbers, np.int64), observations

    def _firsts(
        self, seat: int, deciding: Int64s, seen: Int64s, observations: States, before: Int64s, counts: Int64s
    ) -> Int64s:
        """Return for each state the first sequence of its information set; −1 where the seat does not decide."""
        firsts = np.full(len(observations), -1)
        known: dict[int, InformationSet] = {}
        for index in deciding:
            each = known.get(int(seen[index]))
            if each is None:
                moves = np.zeros(ACTION_ROOM, np.int64)
                moves = moves[: legal(observations[index], moves)].copy()
                each = InformationSet(observations[index], moves, int(before[index]), self.game.sequences[seat])
                known[int(seen[index])] = each
                self.game.sets[seat].append(each)
                self.game.sequences[seat] += len(moves)
                if self.game.sequences[seat] > self.limits.sequences:
                    raise TooLargeError
            if len(each.moves) != counts[index] or each.before != before[index]:
                raise ValueError("the legal actions depend on information hidden from the seat")
            firsts[index] = each.first
        return firsts

    def _note_ends(self, states: States, chance: Floats, sequences: Int64s) -> None:
        if not len(states):
            return
        shares = np.zeros(len(states))
        _shares(states, shares, np.zeros(MAX_SEATS, np.int64))
        self.game.ends += len(states)
        self.game.least, self.game.most = min(self.game.least, shares.min()), max(self.game.most, shares.max())
        self.ends.append((sequences, chance * shares))

    def _finish(self) -> None:
        places = np.concatenate([sequences for sequences, _ in self.ends])
        values = np.concatenate([values for _, values in self.ends])
        shape = tuple(self.game.sequences)
        self.game.payoffs = sparse.csr_matrix((values, (places[:, 0], places[:, 1])), shape=shape)


def build_tree(worlds: CommonKnowledge, limits: TreeLimits) -> tuple[EndgameTree, Any]:
    """Return the endgame tree of these worlds, and the cards that any seat comes to know in each world (*n* sets).

    Raises:
        TooLargeError: it exceeds the limits, or cards are shuffled in it.
        ValueError: the legal actions depend on information that is hidden from the seat to act.
    """
    builder = _TreeBuilder(worlds, limits)
    return builder.build_tree(worlds.states), builder.seen


def endgame_tree_of(state: AnyState, limits: TreeLimits) -> EndgameTree:
    """Return the endgame tree whose root is the common-knowledge set of a state of a game of two seats.

    The tree shows which card slots are relevant: if a seat comes to know the card of a slot assumed irrelevant, the
    worlds are listed again and the tree is built again.

    Raises:
        TooLargeError: it exceeds the limits, or cards are shuffled in it.
        ValueError: its worlds cannot be listed (:func:`parlour.endgames.common_knowledge.common_knowledge_of`), or the
            legal actions depend on information that is hidden from the seat to act.
    """
    relevant: set[CardSlot] = set()
    seat = max(0, int(state.actor))
    state, revealed = reveal_origins(state, seat, new_stream(0))
    while True:
        worlds = common_knowledge_of(state, seat, relevant, revealed, limits.worlds)
        game, seen = build_tree(worlds, limits)
        more = worlds.find_relevant_slots(seen)
        if not more:
            game.roots, game.hidden = worlds.states, worlds.hidden
            return game
        relevant |= more
