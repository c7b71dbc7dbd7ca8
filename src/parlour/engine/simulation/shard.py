"""Shards: the games of one thread of a batch, with scratch space and the compiled loops over them."""

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from parlour.engine.arrays import Bools, Cells, Int64s, States, Stream, Streams, Uint8s
from parlour.engine.chance import random_below, start_stream
from parlour.engine.compiled import compiled, rule
from parlour.engine.errors import GameError
from parlour.engine.information.determinization import TABLE, hide_unknown
from parlour.engine.information.plane_cells import fill_planes, new_flags, new_wheels, turn_wheels
from parlour.engine.information.planes import fill_cells, planes_of
from parlour.engine.rules import (
    ACTION_ROOM,
    CHANCE,
    MAX_CARDS,
    MAX_SEATS,
    OVER,
    RESULT_AT_RANDOM,
    RESULT_BY_HEURISTIC,
    SPECTATOR,
    heuristic_choice,
    legal,
    new_states,
    play,
    score,
)
from parlour.engine.setup import Setup
from parlour.engine.simulation.actions import (
    WAITING,
    ActionLists,
    ActionNumbers,
    ActionTable,
    Listing,
    Marks,
    list_stale,
    mark_legal,
)
from parlour.engine.simulation.playouts import (
    ENDLESS,
    check_random_action,
    endless,
    fresh_deal_next,
    not_an_index,
    play_on_by,
    take_chance,
)
from parlour.engine.typed_state import AnyState

Way: TypeAlias = tuple[bool, int, bool]
"""A way to play out: whether by the heuristic, the rate of careless actions, and whether to the round's end only."""
Chance: TypeAlias = tuple[Streams, Int64s]
"""The random streams, and scratch space for a deck."""
Masking: TypeAlias = tuple[States, States]
"""Scratch space for observed states, and the one record of :data:`parlour.engine.information.determinization.TABLE`."""
Results: TypeAlias = tuple[Int64s, Int64s, Bools]
"""Scores (games × tried moves × seats), winners and whether the game is over (games × tried moves)."""
TablesOfLists: TypeAlias = tuple[ActionTable, ActionLists, Marks]
"""The arguments of :func:`list_stale` and :func:`mark_legal`."""
Workspace: TypeAlias = tuple[tuple[Int64s, Int64s, Int64s], tuple[States, Int64s, States, Uint8s, Int64s]]
"""The recipe of the planes, its ends and the table of sides; and observed states, their words, the table of
determinizations, wheels and flags."""
_AT_A_TIME = 16
"""Games observed per block: enough to amortize calls, few enough for the first-level cache."""


@rule
def take_all_chance(state: AnyState, deck: Int64s, stream: Stream, until_round: bool) -> None:
    """Carry out chance events until a seat is to act or the game is over, or before the deal of another round."""
    while state.actor == CHANCE and not (until_round and fresh_deal_next(state)):
        take_chance(state, deck, stream)


@compiled
def _start(
    states: States,
    which: Bools,
    start: States,
    streams: Streams,
    seeds: Int64s,
    numbers: Int64s,
    deck: Int64s,
    stale: Bools,
) -> None:
    for index in range(states.shape[0]):
        if which[index]:
            states[index] = start[0]
            start_stream(streams[index : index + 1], seeds[index], numbers[index])
            take_all_chance(states[index], deck, streams[index : index + 1], False)
            stale[index] = True


@compiled
def _play(states: States, lists: ActionLists, found: Int64s, chance: Chance, until_round: bool) -> None:
    codes, stale = lists[0], lists[3]
    streams, deck = chance
    for index in range(states.shape[0]):
        if found[index] == WAITING:
            continue
        if states[index].actor >= 0 and found[index] >= 0:
            play(states[index], codes[index, found[index]])
            stale[index] = True
        take_all_chance(states[index], deck, streams[index : index + 1], until_round)


@rule
def _best_index(state: AnyState, actions: Int64s, number: int, stream: Stream, masking: Masking) -> int:
    """Return the index of the heuristic's choice, given what the seat to act may know."""
    observed, tables = masking
    observed[0] = state
    hide_unknown(observed[0], state.actor, tables[0])
    return heuristic_choice(observed[0], actions, number, stream)


ADVANCED, NOT_AN_INDEX, TOO_LONG = range(3)
"""Results of loops that play: success, the heuristic returned an invalid index, a game exceeds its limit of actions."""


@compiled
def _play_others(
    states: States,
    seats: Int64s,
    by_heuristic: bool,
    until_round: bool,
    streams: Streams,
    scratch: tuple[Int64s, Int64s, Masking],
    limit: int,
    failed: Int64s,
) -> int:
    """Play on in each game until its seat is to act; on failure write the game's index into ``failed[0]``."""
    actions, deck, masking = scratch
    for index in range(states.shape[0]):
        failed[0] = index
        stream = streams[index : index + 1]
        steps = 0
        take_all_chance(states[index], deck, stream, until_round)
        while states[index].actor >= 0 and states[index].actor != seats[index]:
            if steps == limit:
                return TOO_LONG
            number = legal(states[index], actions)
            if by_heuristic:
                chosen = _best_index(states[index], actions, number, stream, masking)
            else:
                chosen = random_below(stream, number)
            if not 0 <= chosen < number:
                return NOT_AN_INDEX
            play(states[index], actions[chosen])
            take_all_chance(states[index], deck, stream, until_round)
            steps += 1
    return ADVANCED


@compiled
def _advise(
    states: States, lists: ActionLists, chosen: Int64s, streams: Streams, masking: Masking, failed: Int64s
) -> int:
    """Choose by the heuristic in each game; on failure write the game's index into ``failed[0]``."""
    codes, numbers, counts = lists[:3]
    for index in range(states.shape[0]):
        if states[index].actor >= 0:
            best = _best_index(states[index], codes[index], counts[index], streams[index : index + 1], masking)
            if not 0 <= best < counts[index]:
                failed[0] = index
                return NOT_AN_INDEX
            chosen[index] = numbers[index, best]
    return ADVANCED


@rule
def fill_tensors(states: States, seats: Int64s, tensor: Cells, workspace: Workspace, first: int, last: int) -> None:
    """Write the tensors of some games from observed states, copies without hidden information."""
    (recipe, ends, sides), (observed, words, table, wheels, flags) = workspace
    for index in range(first, last):
        observed[index - first] = states[index]
        hide_unknown(observed[index - first], max(seats[index], SPECTATOR), table[0])
    turn_wheels(observed, sides, seats[first:last], wheels)
    fill_planes(words[: last - first], recipe, ends, wheels, flags, tensor[first:last])
    for index in range(first, last):
        if seats[index] < 0:
            tensor[index] = 0.0


@compiled
def _turn(states: States, sides: Int64s, seats: Int64s, wheels: Uint8s) -> None:
    turn_wheels(states, sides, seats, wheels)


@compiled
def observe_games(
    states: States,
    words: Int64s,
    seats: Int64s,
    tensor: Cells,
    mask: Bools,
    unmarked: bool,
    listing: TablesOfLists,
    workspace: Workspace,
) -> bool:
    """Write the seats' tensors and legal action masks; return True if names of actions must be requested first."""
    table, lists, marks = listing
    stale = False
    for first in range(0, states.shape[0], _AT_A_TIME):  # all steps for a block while it is in the cache
        last = min(first + _AT_A_TIME, states.shape[0])
        if list_stale(states, words, table, lists, first, last):
            stale = True
        else:
            mark_legal(states, seats, mask, unmarked, lists, marks, first, last)
            fill_tensors(states, seats, tensor, workspace, first, last)
    return stale


@compiled
def _finish(
    states: States,
    streams: Streams,
    codes: Int64s,
    results: Results,
    way: Way,
    result_only: bool,
    scratch: tuple[States, Streams, Int64s, Int64s],
    max_events: int,
) -> int:
    """Play out every game. If ``codes`` has moves (games × moves), play out a copy of the game after each move instead.

    One function serves both, since each compiled function holds a copy of the rules. The moves of a game are tried with
    the same random numbers.
    """
    by_heuristic, careless, until_round = way
    scores, winners, over = results
    work, random, actions, deck = scratch
    for index in range(states.shape[0]):
        for which in range(max(1, codes.shape[1])):
            here, stream = states[index : index + 1], streams[index : index + 1]
            if codes.shape[1] > 0:
                work[0] = states[index]
                random[0] = streams[index]
                here, stream = work, random
                play(here[0], codes[index, which])
            if result_only:
                here[0].result_only = RESULT_BY_HEURISTIC if by_heuristic else RESULT_AT_RANDOM
            steps = play_on_by(here[0], by_heuristic, careless, until_round, actions, deck, stream, max_events)
            if steps == ENDLESS:
                return TOO_LONG
            if codes.shape[1] > 0:
                winners[index, which] = score(here[0], scores[index, which])
                over[index, which] = here[0].actor == OVER
    return ADVANCED


@compiled
def _score(states: States, scores: Int64s, winners: Int64s) -> None:
    for index in range(states.shape[0]):
        winners[index] = score(states[index], scores[index])


class Shard:
    """Some games of a batch; its methods implement those of ``Batch`` for these games.

    Attributes:
        at: the slice of the batch's games.
        states: the games' states.
        words: the states' integers, a row for each, in the same memory.
        streams: the random stream of each game.
        listing: the legal actions of each game.
    """

    def __init__(self, setup: Setup, numbers: ActionNumbers, states: States, streams: Streams, at: slice) -> None:
        self.at = at
        self._deck = np.zeros(MAX_CARDS, np.int64)
        self.attach(states[at], streams[at])
        self.listing = Listing(numbers, len(self.states))
        self._setup = setup
        self._start = new_states(setup.game.dtype, 1)
        self._start[0] = setup.new_state()
        self._actions = np.zeros(ACTION_ROOM, np.int64)
        self._observed, self._table = new_states(setup.game.dtype, _AT_A_TIME), new_states(TABLE, 1)

    def attach(self, states: States, streams: Streams) -> None:
        """Use these arrays for the games' states and random streams."""
        self.states, self.words, self.streams = states, words_of(states), streams
        self._chance = streams, self._deck

    def __getstate__(self) -> dict[str, Any]:
        """Return all attributes but those that share memory with others, or are recomputed."""
        return {name: value for name, value in vars(self).items() if name not in ("words", "_chance", "_workspace")}

    def __setstate__(self, values: dict[str, Any]) -> None:
        vars(self).update(values)
        self.attach(self.states, self.streams)

    @cached_property
    def _workspace(self) -> Workspace:
        """The recipe of the planes and scratch space, for :func:`observe_games`."""
        planes = planes_of(self._setup)
        flags = new_flags(_AT_A_TIME, planes.size)
        scratch = self._observed, words_of(self._observed), self._table, new_wheels(_AT_A_TIME), flags
        return planes.layout, scratch

    @property
    def nbytes(self) -> int:
        """Memory in bytes, without the states."""
        return int(self.streams.nbytes) + self.listing.nbytes

    def begin(self, which: Bools, seeds: Int64s, numbers: Int64s) -> None:
        """Begin the games of ``which``, up to the first decision: game ``numbers[i]`` of the run with ``seeds[i]``."""
        _start(self.states, which, self._start, self.streams, seeds, numbers, self._deck, self.listing.stale)

    def forget_actions(self) -> None:
        """Mark all legal actions as outdated, after the states were replaced."""
        self.listing.stale[:] = True

    def list_actions(self) -> bool:
        """Update the legal actions; return True if lists of games stay stale: one thread then has to :meth:`ask`."""
        return self.listing.update(self.states, self.words)

    def ask(self) -> None:
        """Widen the lists that are too short, or else request the names of unknown actions of some stale games."""
        self.listing.ask(self.states, self.words)

    def find(self, chosen: Int64s) -> int:
        """Look up an action in each game; return the index of a game in which it is illegal, or −1."""
        return self.listing.find(chosen)

    def play(self, until_round: bool) -> None:
        """Play the actions of :meth:`find`, and the chance events that follow, except in games that wait."""
        _play(self.states, self.listing.lists, self.listing.found, self._chance, until_round)

    def observe(self, unmarked: bool, seats: Int64s, tensor: Cells, mask: Bools) -> bool:
        """Write the seats' tensors and legal action masks; return True if :meth:`ask` must be called first.

        Args:
            unmarked: True if the mask is all zeros; otherwise it must hold the marks of the previous call.
            seats: the observer in each game; −1 writes zeros.
            tensor: the output for the tensors.
            mask: the output for the legal actions.
        """
        listing = self.listing.table, self.listing.lists, self.listing.marks
        stale: bool = observe_games(self.states, self.words, seats, tensor, mask, unmarked, listing, self._workspace)
        return stale

    def lay_open(self, seats: Int64s, tensor: Cells) -> None:
        """Write the tensors of the full states, seen from the seats."""
        planes, games = planes_of(self._setup, everything=True), len(self.states)
        recipe, ends, sides = planes.layout
        wheels = new_wheels(games)
        _turn(self.states, sides, seats, wheels)
        fill_cells(self.words, recipe, ends, wheels, new_flags(games, planes.size), tensor)

    def choose(self, chosen: Int64s) -> None:
        """Choose a random legal action in each game."""
        self.listing.choose(self.streams, chosen)

    def advise(self, chosen: Int64s) -> None:
        """Choose the legal action with the highest heuristic value in each game. Raises :class:`GameError`."""
        failed = np.zeros(1, np.int64)
        lists, masking = self.listing.lists, (self._observed, self._table)
        self._check(_advise(self.states, lists, chosen, self.streams, masking, failed), failed)

    def play_others(self, by_heuristic: bool, until_round: bool, seats: Int64s) -> None:
        """Play on in each game until its seat is to act, or the game is over. Raises :class:`GameError`."""
        scratch = self._actions, self._deck, (self._observed, self._table)
        failed, most = np.zeros(1, np.int64), self._setup.game.max_events
        self.forget_actions()
        way = by_heuristic, until_round
        self._check(_play_others(self.states, seats, *way, self.streams, scratch, most, failed), failed)

    def play_out(self, way: Way, result_only: bool) -> None:
        """Play every game, or every round, to its end (:func:`play_on_by`). Raises :class:`GameError`."""
        self.forget_actions()
        nothing = np.zeros((len(self.states), 0), np.int64)
        results = np.zeros((0, 0, MAX_SEATS), np.int64), nothing, np.zeros((0, 0), np.bool_)
        self._finish(nothing, results, way, result_only)

    def try_actions(self, way: Way, tried: Int64s, scores: Int64s, winners: Int64s, over: Bools) -> int:
        """Play out a copy of each game after each of its tried actions (games × actions), and write the results.

        Returns a game in which one of them is illegal, or −1. Raises :class:`GameError`.
        """
        codes = np.zeros_like(tried)
        for which in range(tried.shape[1]):
            wrong = self.find(np.ascontiguousarray(tried[:, which]))
            if wrong >= 0:
                return wrong
            codes[:, which] = np.take_along_axis(self.listing.codes, self.listing.found[:, None], axis=1)[:, 0]
        self._finish(codes, (scores, winners, over), way, True)
        return -1

    def _finish(self, codes: Int64s, results: Results, way: Way, result_only: bool) -> None:
        check_random_action(self._setup)
        # padding on both sides, so that threads never write to the same cache line
        work, random = new_states(self._setup.game.dtype, 3)[1:2], np.zeros(33, np.uint64)[16:17]
        scratch, most = (work, random, self._actions, self._deck), self._setup.game.max_events
        arguments = codes, results, way, result_only, scratch, most
        self._check(_finish(self.states, self.streams, *arguments), np.zeros(1, np.int64))

    def _check(self, result: int, failed: Int64s) -> None:
        """Raise the error for the result of a loop that plays; ``failed[0]`` is the index of the game."""
        if result == TOO_LONG:
            raise GameError(endless(self._setup, self._setup.game.max_events))
        if result == NOT_AN_INDEX:
            raise GameError(not_an_index(self._setup.label, int(self.states[failed[0]].actor)))

    def score(self, scores: Int64s, winners: Int64s) -> None:
        """Write each game's current scores and winners."""
        _score(self.states, scores, winners)


def words_of(states: States) -> Int64s:
    """Return a view of an array of states as integers, a row for each state."""
    numbers: Int64s = states.view(np.int64)
    return numbers.reshape(len(states), states.dtype.itemsize // numbers.itemsize)  # -1 would fail for no states
