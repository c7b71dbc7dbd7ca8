"""One game stepped by compiled code, with compiled opponents: for environments of a single game.

One call plays an action, lets the opponents play and writes the next observation, since a call takes longer than the
work itself. It passes most of the game's arrays as a :mod:`parlour.engine.simulation.directory`.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from parlour.engine.arrays import Cells, Float32s, Int8s, Int64s, States, Streams
from parlour.engine.compiled import compiled, rule
from parlour.engine.errors import GameError
from parlour.engine.information.determinization import hide_unknown
from parlour.engine.moves import Action
from parlour.engine.numba.dispatcher import machine_code
from parlour.engine.rules import MAX_SEATS, legal, new_states, play
from parlour.engine.setup import Setup
from parlour.engine.simulation.actions import (
    ActionLists,
    ActionNumbers,
    ActionTable,
    Marks,
    list_stale,
    mark_legal,
    numbers_of,
)
from parlour.engine.simulation.directory import directory_of, matrix, vector
from parlour.engine.simulation.one_thread import OneThread, thread_error
from parlour.engine.simulation.playouts import endless, not_an_index
from parlour.engine.simulation.policy import BY_HEURISTIC, NO_POLICY, follow
from parlour.engine.simulation.shard import Chance, Shard, Workspace, fill_tensors, take_all_chance
from parlour.engine.typed_state import OwnState

NO_INDEX = -1
"""Argument in place of an action, to play none."""
ACTING_SEAT = -1
"""Argument in place of a viewer, to observe as the seat to act."""
ILLEGAL, WAITING, NOT_YET, GO_ON, TOO_LONG, NOT_AN_INDEX = range(-10, -16, -1)
"""Results of a turn, less than any actor.

- ILLEGAL: the action is not legal; nothing was played.
- WAITING: a seat without a policy is to act; there is no observation.
- NOT_YET, GO_ON: the log is full, or names of actions are missing; the caller provides space or names and calls again:
  after NOT_YET with the same action, after GO_ON with ``NO_INDEX``, since the action has been played.
- TOO_LONG, NOT_AN_INDEX: the game exceeds its limit of actions, or the heuristic returned an invalid index."""
Others: TypeAlias = tuple[Int64s, Streams, Int64s, Int64s, int]
"""Policies and random streams of the seats, the log, its length, and the limit of events."""
_INITIAL_LOG = 128
"""Initial capacity of the log, in moves."""
_ALL = np.ones(1, np.bool_)


@rule
def _play_logged(states: States, move: int, lists: ActionLists, chance: Chance, others: Others) -> None:
    """Play a move of the seat to act and the chance events that follow, and write the move into the log."""
    log, length = others[2], others[3]
    log[length[0]] = move
    length[0] += 1
    lists[3][0] = True
    play(states[0], move)
    take_all_chance(states[0], chance[1], chance[0], False)


@rule
def _place_of(number: int, lists: ActionLists) -> int:
    """Return the position of an action in the list of legal actions, or −1."""
    listed, counts = lists[1], lists[2]
    for place in range(counts[0]):
        if listed[0, place] == number:
            return place
    return -1


@rule
def _play_others(
    states: States, viewer: int, lists: ActionLists, workspace: Workspace, chance: Chance, others: Others
) -> int:
    """Play by the policies of the other seats until the viewer is to act or the game is over; return the actor."""
    policies, streams, log, length, limit = others
    observed, table, scratch = workspace[1][0], workspace[1][2], lists[4]
    steps = 0
    while states[0].actor >= 0 and states[0].actor != viewer:
        seat = states[0].actor
        if policies[seat] == NO_POLICY:
            return WAITING
        if length[0] == log.shape[0]:
            return GO_ON
        if steps == limit:
            return TOO_LONG
        number = legal(states[0], scratch)
        if policies[seat] == BY_HEURISTIC:  # a random choice needs no observation
            observed[0] = states[0]
            hide_unknown(observed[0], seat, table[0])
        chosen = follow(policies[seat], observed[0], scratch, number, streams[seat : seat + 1])
        if not 0 <= chosen < number:
            return NOT_AN_INDEX
        _play_logged(states, scratch[chosen], lists, chance, others)
        steps += 1
    actor: int = states[0].actor
    return actor


@rule
def _turn(
    states: States,
    words: Int64s,
    action: int,
    viewer: int,
    playing: bool,
    tensor: Float32s,
    mask: Int8s,
    listing: tuple[ActionTable, ActionLists, Marks, Int64s],
    workspace: Workspace,
    chance: Chance,
    others: Others,
) -> int:
    """Play an action, let the other seats play if ``playing`` is set, and write the viewer's tensor and legal mask.

    Return the seat to act, ``OVER`` or one of the results above.
    """
    table, lists, marks, seats = listing
    stale = lists[3]
    if action != NO_INDEX:
        full = others[3][0] == others[2].shape[0]
        if full or (stale[0] and list_stale(states, words, table, lists, 0, 1)):
            return NOT_YET
        place = _place_of(action, lists)
        if place < 0:
            return ILLEGAL
        _play_logged(states, lists[0][0, place], lists, chance, others)
    if playing:
        result = _play_others(states, viewer, lists, workspace, chance, others)
        if result <= ILLEGAL:
            return result
    if stale[0] and list_stale(states, words, table, lists, 0, 1):
        return GO_ON
    seats[0] = states[0].actor if viewer == ACTING_SEAT else viewer
    mark_legal(states, seats, mask, True, lists, marks, 0, 1)
    fill_tensors(states, seats, tensor, workspace, 0, 1)
    actor: int = states[0].actor
    return actor


@compiled
def _take_turn(
    states: States,
    observed: States,
    table: States,
    directory: Int64s,
    limit: int,
    action: int,
    viewer: int,
    playing: bool,
    tensor: Float32s,
    mask: Int8s,
) -> int:
    """Call :func:`_turn` with the arrays of ``directory``, which are those of :meth:`Stepper._arrays` in their order.

    Records are not in the directory: their type, which :func:`numba.carray` needs, is known by the arguments alone.
    """
    words = matrix(directory, 0, np.int64)
    names = vector(directory, 1, np.int64), matrix(directory, 2, np.int64), matrix(directory, 3, np.int64)
    codes, listed = matrix(directory, 4, np.int64), matrix(directory, 5, np.int32)
    counts, stale, scratch = (
        vector(directory, 6, np.int64),
        vector(directory, 7, np.bool_),
        vector(directory, 8, np.int64),
    )
    marks = vector(directory, 9, np.int64), matrix(directory, 10, np.int32)
    listing = names, (codes, listed, counts, stale, scratch), marks, vector(directory, 11, np.int64)
    recipe = matrix(directory, 12, np.int64), vector(directory, 13, np.int64), matrix(directory, 14, np.int64)
    observed_words, wheels = matrix(directory, 15, np.int64), matrix(directory, 16, np.uint8)
    workspace = recipe, (observed, observed_words, table, wheels, matrix(directory, 17, np.int64))
    chance = vector(directory, 18, np.uint64), vector(directory, 19, np.int64)
    policies, streams = vector(directory, 20, np.int64), vector(directory, 21, np.uint64)
    others = policies, streams, vector(directory, 22, np.int64), vector(directory, 23, np.int64), limit
    return _turn(states, words, action, viewer, playing, tensor, mask, listing, workspace, chance, others)


@compiled
def _hide(states: States, seat: int, observed: States, table: States) -> None:
    observed[0] = states[0]
    hide_unknown(observed[0], seat, table[0])


class Stepper(Shard, OneThread):
    """A game in progress, with compiled policies in some of its seats.

    Attributes:
        policies: the number of each seat's policy (:mod:`parlour.engine.simulation.policy`), ``NO_POLICY`` for none.
        own_streams: the random stream of each seat's policy.
    """

    def __init__(self, setup: Setup, numbers: ActionNumbers) -> None:
        Shard.__init__(self, setup, numbers, new_states(setup.game.dtype, 1), np.zeros(1, np.uint64), slice(0, 1))
        OneThread.__init__(self)
        self.policies = np.full(MAX_SEATS, NO_POLICY, np.int64)
        self.own_streams = np.zeros(MAX_SEATS, np.uint64)
        self._log, self._length = np.zeros(_INITIAL_LOG, np.int64), np.zeros(1, np.int64)
        self._seats = np.zeros(1, np.int64)
        self._taking: Callable[..., int] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes of a shard, without machine code and addresses."""
        kept = {name: value for name, value in super().__getstate__().items() if name != "_arguments"}
        return {**kept, "_taking": None, "_idle": [True]}

    def begin_game(self, seed: int, number: int) -> None:
        """Begin game ``number`` of the run with this seed, up to the first decision."""
        self._alone(self._begin_game, np.array([seed]), np.array([number]))

    def _begin_game(self, seeds: Int64s, numbers: Int64s) -> None:
        self._length[0] = 0
        self.begin(_ALL, seeds, numbers)

    def copy(self) -> "Stepper":
        """Return an independent game with the same course, policies and future chance."""
        return self._alone(self._copied)

    def _copied(self) -> "Stepper":
        made = Stepper(self._setup, numbers_of(self._setup))
        made.states[0] = self.states[0]
        made.streams[:], made.policies[:], made.own_streams[:] = self.streams, self.policies, self.own_streams
        made._log, made._length[0], made._taking = self._log.copy(), self._length[0], self._taking
        return made

    @property
    def actor(self) -> int:
        """The seat to act, or ``OVER``."""
        seat: int = self.words.item(0)
        return seat

    @property
    def log(self) -> Int64s:
        """The moves of this game so far, of all seats."""
        return self._log[: self._length[0]]

    def take_turn(self, action: int, viewer: int, playing: bool, tensor: Float32s, mask: Int8s) -> int:
        """Play an action, let the others play, and write an observation.

        Args:
            action: the index in the action space, or ``NO_INDEX``.
            viewer: the observing seat, or ``ACTING_SEAT``.
            playing: whether seats with a policy play until the viewer is to act.
            tensor: the output, 1 × cells.
            mask: the output, 1 × actions, all 0.

        Returns:
            the seat to act or ``OVER``, if the observation is written; otherwise ``ILLEGAL`` or ``WAITING``.

        Raises:
            GameError: the game is endless, or its heuristic returned an invalid index.
            ParlourError: another thread is using this game.
        """
        idle = self._idle  # as _alone, whose call would take longer than the rest
        try:
            idle.pop()
        except IndexError:
            raise thread_error() from None
        try:
            while True:
                arguments, _arrays = self._arguments  # kept alive during the call
                if self._taking is None:
                    self._taking = machine_code(_take_turn, *arguments, action, viewer, playing, tensor, mask)
                result = self._taking(*arguments, action, viewer, playing, tensor, mask)
                if result > NOT_YET:
                    return result
                if result in (TOO_LONG, NOT_AN_INDEX):
                    raise self._failure(result)
                if result == GO_ON:
                    action = NO_INDEX
                self._provide()
        finally:
            idle.append(True)

    @cached_property
    def _arguments(self) -> tuple[tuple[States, States, States, Int64s, int], tuple[Any, ...]]:
        """The arguments of :func:`_take_turn` that stay the same from turn to turn, and the arrays of the directory.

        The caller of compiled code keeps the arrays alive during the call.
        """
        arrays = self._arrays()
        limit = self._setup.game.max_events
        return (self.states, self._observed, self._table, directory_of(arrays), limit), arrays

    def _arrays(self) -> tuple[Any, ...]:
        """Return the arrays of the directory."""
        listing, (recipe, (_, observed_words, _, wheels, flags)) = self.listing, self._workspace
        lists = *listing.table, *listing.lists, *listing.marks, self._seats
        others = self.policies, self.own_streams, self._log, self._length
        return self.words, *lists, *recipe, observed_words, wheels, flags, *self._chance, *others

    def _provide(self) -> None:
        """Lengthen the log if it is full, and otherwise request the names of actions."""
        if self._length[0] == len(self._log):
            self._log = np.concatenate([self._log, np.zeros_like(self._log)])
            self._forget_arrays()
        else:
            self.ask()

    def ask(self) -> None:
        """Request the names of actions whose numbers are unknown."""
        super().ask()
        self._forget_arrays()  # a table or a list may have been replaced by a longer one

    def _forget_arrays(self) -> None:
        """Take the arrays anew for the next turn, since one of them has been replaced."""
        vars(self).pop("_arguments", None)

    def _failure(self, result: int) -> GameError:
        if result == TOO_LONG:
            return GameError(endless(self._setup, self._setup.game.max_events))
        return GameError(not_an_index(self._setup.label, self.actor))

    def listed_actions(self) -> list[Action]:
        """Return the indices of the legal actions that the last turn has listed, in the order of the rules."""
        actions: list[Action] = self.listing.listed[0, : self.listing.counts.item(0)].tolist()
        return actions

    def moves(self) -> Int64s:
        """Return the legal moves of the seat to act, in the order of the rules."""
        return self._alone(self._moves)

    def _moves(self) -> Int64s:
        while self.list_actions():
            self.ask()
        return self.listing.codes[0, : self.listing.counts[0]].copy()

    def number_of(self, move: int) -> int:
        """Return the index in the action space of one of the :meth:`moves`."""
        place = int((self.listing.codes[0] == move).argmax())
        return int(self.listing.listed[0, place])

    def score(self, scores: Int64s, winners: Int64s) -> None:
        """Write the game's current scores and winners."""
        self._alone(super().score, scores, winners)

    def lay_open(self, seats: Int64s, tensor: Cells) -> None:
        """Write the tensor of the full state, seen from a seat."""
        self._alone(super().lay_open, seats, tensor)

    def observed(self, seat: int) -> OwnState:
        """Return a copy of the state without what the seat may not know."""
        observed = new_states(self.states.dtype, 1)
        self._alone(_hide, self.states, seat, observed, self._table)
        state: OwnState = observed[0]
        return state
