"""A shrunken game: the end of a game of two, so near that every way it can go on is listed, in sequence form.

At the root chance chooses one of the worlds that are possible by common knowledge
(:mod:`parlour.endgames.common_knowledge`), all equally likely. Then the game goes on by its rules. Two moments are one
to a seat, an information set, if it has seen and done the same since the root: after every event its sight was the
same. So nobody forgets anything.

What each seat can do is told in sequences of its own actions (Koller, Megiddo, von Stengel, "Fast algorithms for
finding randomized strategies in game trees", STOC 1994): sequence 0 is to have done nothing yet, and each action of
each information set makes one more.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from parlour.bots.lookahead import standing
from parlour.endgames.common_knowledge import (
    SEATS,
    CardSlot,
    CommonKnowledge,
    TooLargeError,
    common_knowledge_of,
    hide_unknown_in_all,
    tell_origins,
)
from parlour.engine.chance import new_stream
from parlour.engine.compiled import compiled
from parlour.engine.determinization import new_table
from parlour.engine.rules import CHANCE, MAX_ACTIONS, MAX_SEATS, OVER, choices, legal, new_states, play

Floats = np.ndarray[Any, np.dtype[np.float64]]

SHUFFLES = -1
"""Instead of a number: cards are shuffled, in more ways than can be listed."""

NOTHING = -(1 << 62)
"""Stands for the action of a seat that did none."""


@dataclass(frozen=True)
class Limits:
    """How large a shrunken game may be: worlds at the root, nodes of its tree, sequences of each seat."""

    worlds: int = 20_000
    nodes: int = 200_000
    sequences: int = 10_000


@dataclass(frozen=True)
class InformationSet:
    """A decision among several actions, as one seat knows it.

    Attributes:
        sight: the veiled state.
        actions: the numbers of the legal actions.
        before: the sequence that leads here.
        first: the sequence of the first action; the others follow.
    """

    observation: Any
    actions: Any
    before: int
    first: int

    @property
    def after(self) -> slice:
        """The sequences of its actions."""
        return slice(self.first, self.first + len(self.actions))


@dataclass
class EndgameTree:
    """A shrunken game.

    Attributes:
        sets: each seat's information sets, every one after those it comes after.
        sequences: how many each seat has.
        payoffs: a sparse matrix, sequences of seat 0 × sequences of seat 1: the chance of the ends that they lead to,
            times seat 0's share of the first place; seat 1 has the rest of it.
        worlds, nodes, ends: how many there are.
        roots: the worlds, an array of states; ``None`` if the game has no root of its own.
        hidden: whether the worlds differ in a card that is hidden from a seat.
        least, most: seat 0's share of the first place in the worst and best of its ends.
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
    def hangs_on_play(self) -> bool:
        """Whether something is hidden at the root, and not all ends are alike."""
        return self.worlds > 1 and self.hidden and self.least < self.most

    def worth(self, seat: int, own: Floats, other: Floats) -> float:
        """A seat's mean share of the first place if both play by these plans (:mod:`parlour.endgames.equilibrium`)."""
        first, second = (own, other) if seat == 0 else (other, own)
        value = float(first @ (self.payoffs @ second))
        return value if seat == 0 else 1 - value


@compiled
def _count_ways(states: Any, counts: Any, seen: Any, worlds: Any, actions: Any) -> None:
    """In how many ways each state goes on, or SHUFFLES; and which cards somebody knows in each world."""
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
def _go_on(states: Any, counts: Any, after: Any, done: Any, actions: Any) -> None:
    """Carry out every action and outcome of every state; ``done`` are their numbers."""
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
def _shares(states: Any, shares: Any, scores: Any) -> None:
    for index in range(states.shape[0]):
        shares[index] = standing(states[index], 0, scores)[0]


class _Growth:
    """Grows the tree of a shrunken game, a level at a time, and forgets it again."""

    def __init__(self, worlds: CommonKnowledge, limits: Limits) -> None:
        self.limits = limits
        self.number = len(worlds.states)
        self.game = EndgameTree(self.number)
        self.seen = np.zeros(self.number, np.int64)
        self.actions = np.zeros(MAX_ACTIONS, np.int64)
        self.ends: list[tuple[Any, Any]] = []

    def grow(self, states: Any) -> EndgameTree:
        """The whole game from these states. Raises :class:`TooLargeError`."""
        worlds, chance = np.arange(self.number), np.full(self.number, 1 / self.number)
        sequences, seen = np.zeros((2, self.number, SEATS), np.int64)
        did = np.full((self.number, SEATS), NOTHING)
        while len(states):
            counts = self._count(states, worlds)
            actors = states["actor"]
            self._note_ends(states[actors == OVER], chance[actors == OVER], sequences[actors == OVER])
            after, done = new_states(states.dtype, int(counts.sum())), np.zeros(int(counts.sum()), np.int64)
            _go_on(states, counts, after, done, self.actions)
            parents = np.repeat(np.arange(len(states)), counts)
            which = np.arange(len(parents)) - np.repeat(np.cumsum(counts) - counts, counts)
            reached, watched = sequences[parents], np.zeros_like(seen)
            for seat in range(SEATS):
                watched[:, seat], observations = self._watch(seat, states, seen[:, seat], did[:, seat])
                deciding = np.flatnonzero((actors == seat) & (counts > 1))
                firsts = self._firsts(seat, deciding, watched[:, seat], observations, sequences[:, seat], counts)[
                    parents
                ]
                reached[firsts >= 0, seat] = (firsts + which)[firsts >= 0]
            did = np.where(actors[parents, None] == np.arange(SEATS), done[:, None], NOTHING)
            chance = chance[parents] / np.where(actors == CHANCE, counts, 1)[parents]
            states, sequences, seen, worlds = after, reached, watched[parents], worlds[parents]
        self._finish()
        return self.game

    def _count(self, states: Any, worlds: Any) -> Any:
        """In how many ways each state goes on. Raises :class:`TooLargeError`."""
        counts = np.zeros(len(states), np.int64)
        _count_ways(states, counts, self.seen, worlds, self.actions)
        self.game.nodes += len(states)
        if np.any(counts == SHUFFLES) or self.game.nodes + counts.sum() > self.limits.nodes:
            raise TooLargeError
        return counts

    def _watch(self, seat: int, states: Any, before: Any, did: Any) -> tuple[Any, Any]:
        """The numbers of what a seat has seen and done by now, and its sights.

        ``before`` are the numbers of what it had until the last event, ``did`` what it did then itself, if it did.
        """
        observations = states.copy()
        hide_unknown_in_all(observations, seat, new_table())
        known: dict[tuple[int, int, bytes], int] = {}
        numbers = [
            known.setdefault((earlier, action, observation.tobytes()), len(known))
            for earlier, action, observation in zip(before.tolist(), did.tolist(), observations, strict=True)
        ]
        return np.array(numbers, np.int64), observations

    def _firsts(self, seat: int, deciding: Any, seen: Any, observations: Any, before: Any, counts: Any) -> Any:
        """For each state the first sequence of its information set; −1 for those where the seat does not decide."""
        firsts = np.full(len(observations), -1)
        known: dict[int, InformationSet] = {}
        for index in deciding:
            each = known.get(int(seen[index]))
            if each is None:
                actions = np.zeros(MAX_ACTIONS, np.int64)
                actions = actions[: legal(observations[index], actions)].copy()
                each = InformationSet(observations[index], actions, int(before[index]), self.game.sequences[seat])
                known[int(seen[index])] = each
                self.game.sets[seat].append(each)
                self.game.sequences[seat] += len(actions)
                if self.game.sequences[seat] > self.limits.sequences:
                    raise TooLargeError
            if len(each.actions) != counts[index] or each.before != before[index]:
                raise ValueError("what is legal depends on more than the seat may know")
            firsts[index] = each.first
        return firsts

    def _note_ends(self, states: Any, chance: Any, sequences: Any) -> None:
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


def grow(worlds: CommonKnowledge, limits: Limits) -> tuple[EndgameTree, Any]:
    """The game that begins in these worlds, and the cards that somebody comes to know in each of them (*n* sets).

    Raises:
        TooLargeError: it is larger than the limits, or cards are shuffled in it.
    """
    growth = _Growth(worlds, limits)
    return growth.grow(worlds.states), growth.seen


def endgame_tree_of(state: Any, limits: Limits) -> EndgameTree:
    """The shrunken game that begins with what is common knowledge in a state of a game of two seats.

    Which cards nobody will ever see is found by growing the tree: where somebody comes to know a card of a spot that
    was taken not to count, the worlds are listed anew.

    Raises:
        TooLargeError: it is larger than the limits, or cards are shuffled in it.
        ValueError: it cannot be listed (:func:`parlour.endgames.common_knowledge.common_knowledge_of`).
    """
    counting: set[CardSlot] = set()
    seat = max(0, int(state.actor))
    state, told = tell_origins(state, seat, new_stream(0))
    while True:
        worlds = common_knowledge_of(state, seat, counting, told, limits.worlds)
        game, seen = grow(worlds, limits)
        more = worlds.seen_spots(seen)
        if not more:
            game.roots, game.hidden = worlds.states, worlds.hidden
            return game
        counting |= more
