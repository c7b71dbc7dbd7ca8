"""Arena: games between bots at the full speed of the bots.

Bots with a compiled policy play without returning to Python; other bots are called for each decision. Either way a bot
receives only the observed state of its seat, unless it is omniscient.

The seed of the arena and the number of a deal seed all randomness of the deal. Each seat and each chance event has its
own stream. If the bots of a deal change seats, the cards therefore remain the same as long as the same number of chance
events has passed. Two bots with the same decisions play identical games.
"""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from parlour.bots import NO_POLICY, BuiltinBot, CompiledObservation, follow
from parlour.bots.compilation import make_ready_once
from parlour.bots.external import AnyBot, OutsideBot
from parlour.bots.match_play import Seats, forfeit_result
from parlour.bots.protocol import MOVE_TIME, CancelCheck, Forfeit, Stopped, never
from parlour.cards import set_of
from parlour.contests.clause_counts import ClauseTracer
from parlour.contests.game_results import ForfeitInfo, GameResult, GameStatistics
from parlour.contests.game_statistics import new_notes, note, statistics_of
from parlour.contests.omniscient import OmniscientBot, compile_open_search
from parlour.contests.win_probability import WinProbabilityEvaluator
from parlour.engine.arrays import Int64s, States, Streams
from parlour.engine.chance import new_stream, start_stream
from parlour.engine.compiled import compiled
from parlour.engine.errors import GameError
from parlour.engine.events import Result
from parlour.engine.information.determinization import hide_unknown, new_table
from parlour.engine.information.sampling_table import SamplingTable
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import COMPILED
from parlour.engine.moves import Move
from parlour.engine.rewards import sides_of
from parlour.engine.rules import (
    ACTION_ROOM,
    CHANCE,
    MAX_CARDS,
    MAX_SEATS,
    OVER,
    choices,
    copy_state,
    new_states,
    number_listed,
    play,
    score,
    wanted,
)
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import Choose, drive
from parlour.engine.simulation.playouts import endless, not_an_index, take_chance
from parlour.engine.typed_state import AnyState

STREAMS_A_DEAL = 1 << 24
"""Number of random streams per deal: for the seats, the chance events and the evaluator; no game needs more."""
EVALUATOR_STREAMS = 1 << 22
"""Number of the evaluator's first stream within a deal."""
REPLICATE_STREAMS = 1 << 23
"""Number of the seats' first stream within a deal that is played again, with the same chance events."""


NOT_AN_INDEX, TOO_LONG = -1, -2
"""Return values of :func:`advance_compiled` that report a fault of the game."""
EVENTS, DEALS, DEALT_CARDS = range(3)
"""Indices of a game's counters: chance events; deals of the same cards as the first deal; the set of these cards.

A card that is on the table before the first deal is not in the set.
"""


@compiled
def advance_compiled(
    states: States,
    policies: Int64s,
    streams: Streams,
    seed: int,
    first: int,
    events: Int64s,
    table: SamplingTable,
    actions: Int64s,
    deck: Int64s,
    decisions: Int64s,
    notes: Any,
    max_events: int,
) -> int:
    """Advance ``states[0]`` until a seat without a compiled policy is to act or the game is over.

    Args:
        states: the true state, and room for the observed state, which afterwards is that of the seat to act.
        policies: each seat's policy.
        streams: each seat's random stream, and last the stream of chance events.
        seed: the run's seed.
        first: the number of the deal's first stream.
        events: the counters ``EVENTS``, ``DEALS`` and ``DEALT_CARDS`` of chance events.
        table: scratch space for masking unknown cards.
        actions: receives the actions of the seat to act.
        deck: scratch space for shuffling.
        decisions: each seat's number of decisions, which this function counts.
        notes: counters of the game's statistics, empty if there are none to count.
        max_events: the number of decisions and chance events after which the game counts as endless.

    Returns:
        the number of actions of the seat to act; 0 when the game is over; ``NOT_AN_INDEX`` if the game's heuristic
        returned no index of the legal actions; ``TOO_LONG`` if the game counts as endless.

    Raises:
        GameError: a seat to act has no legal action, or too many.
    """
    state = states[0]
    while state.actor != OVER:
        if events[EVENTS] + decisions.sum() >= max_events:
            return TOO_LONG
        if state.actor == CHANCE:
            start_stream(streams[MAX_SEATS:], seed, first + MAX_SEATS + events[EVENTS])
            events[EVENTS] += 1
            if choices(state) == 0:
                if events[DEALT_CARDS] == 0:
                    events[DEALT_CARDS] = wanted(state)
                events[DEALS] += events[DEALT_CARDS] == wanted(state)
            take_chance(state, deck, streams[MAX_SEATS:])
        else:
            seat = state.actor
            number = number_listed(state, actions)
            decisions[seat] += 1
            note(state, number, notes)
            states[1] = state
            hide_unknown(states[1], seat, table)
            if policies[seat] == NO_POLICY:
                return number
            chosen = follow(policies[seat], states[1], actions, number, streams[seat : seat + 1])
            if not 0 <= chosen < number:
                return NOT_AN_INDEX
            play(state, actions[chosen])
    note(state, 0, notes)
    return 0


@compiled
def settle(states: States, scores: Int64s) -> int:
    """Write the scores of the finished game; return the set of seats that share first place."""
    return score(states[0], scores)


class _DealChance:
    """Randomness of a deal, with a stream for each chance event, drawn as in :func:`advance_compiled`."""

    def __init__(self, seed: int, first: int) -> None:
        self._seed, self._first = seed, first + MAX_SEATS
        self._next, self._deals = self._first, list[frozenset[int]]()

    def _stream(self) -> StreamRandomness:
        self._next += 1
        return StreamRandomness(new_stream(self._seed, self._next - 1))

    def below(self, limit: int) -> int:
        """Return an integer from 0 to ``limit - 1``."""
        return self._stream().below(limit)

    def shuffled(self, cards: list[int]) -> list[int]:
        """Return the cards in random order."""
        self._deals.append(frozenset(cards))
        return self._stream().shuffled(cards)

    def chance_counts(self) -> tuple[int, int]:
        """Return the number of chance events, and the number of deals of the same cards as the first deal."""
        return self._next - self._first, self._deals.count(self._deals[0]) if self._deals else 0


def seat_stream(deal: int, seat: int, replicate: int) -> int:
    """Return the number of a seat's random stream."""
    again = REPLICATE_STREAMS + replicate * MAX_SEATS if replicate else 0
    return deal * STREAMS_A_DEAL + again + seat


def sole_winner(winners: Sequence[int], sides: tuple[tuple[int, ...], ...]) -> int | None:
    """Return the number of the side that won alone, or ``None``."""
    first = [number for number, side in enumerate(sides) if side[0] in winners]
    return first[0] if len(first) == 1 else None


def _result_of(match: Match, seats: Seats, choose: Choose, chance: _DealChance) -> tuple[Result, ForfeitInfo | None]:
    """Play a match to its end or to a forfeit."""
    try:
        seats.begin()
        for _ in drive(match, choose, chance):
            pass
    except Forfeit as forfeit:
        return forfeit_result(match, forfeit.seat), ForfeitInfo(forfeit.seat, forfeit.reason)
    assert match.result is not None
    return match.result, None


class Arena:
    """Arena in which bots play games of one setup.

    Attributes:
        setup: the setup.
        bots: the bots, by number.
    """

    def __init__(
        self,
        setup: Setup,
        bots: Sequence[AnyBot],
        seed: int,
        move_time: float = MOVE_TIME,
        statistics: bool = False,
        record: bool = False,
    ) -> None:
        """Create the arena; ``move_time`` is the number of seconds that an external bot may take for a decision.

        Results include :class:`GameStatistics` with ``statistics``, and records with ``record``.
        """
        self.setup = setup
        self._has_statistics, self._record = statistics, record
        self._notes = new_notes(setup, statistics)
        self.bots = bots
        self._players, self._seed, self._move_time = setup.players, seed, move_time
        self._start = new_states(setup.game.dtype, 1)
        self._start[0] = setup.new_state()
        self._states = new_states(setup.game.dtype, 2)
        self._streams = np.zeros(MAX_SEATS + 1, np.uint64)
        self._policies = np.zeros(MAX_SEATS, np.int64)
        self._scores = np.zeros(MAX_SEATS, np.int64)
        self._asked_seconds = np.zeros(MAX_SEATS)
        self._decisions = np.zeros(MAX_SEATS, np.int64)
        self._moves = np.zeros(ACTION_ROOM, np.int64)
        self._events, self._deck, self._table = np.zeros(3, np.int64), np.zeros(MAX_CARDS, np.int64), new_table()

    def play(
        self,
        deal: int,
        seating: Sequence[int],
        stopped: CancelCheck = never,
        determinizations: int = 0,
        trace_clauses: bool = False,
        replicate: int = 0,
    ) -> GameResult:
        """Play one deal to its end.

        Args:
            deal: the deal's number.
            seating: the number of the bot in each seat.
            stopped: a function that is called before each decision of a bot that is not compiled, and while an external
                bot thinks.
            determinizations: the number per estimated probability of winning; 0 for no win-probability curve.
            trace_clauses: whether to count the clauses that fire.
            replicate: the number of the repetition: the cards are the same, the seats' random streams are different.

        Raises:
            Stopped: ``stopped`` returned true.
        """
        if (
            self._record
            or determinizations
            or trace_clauses
            or any(isinstance(self.bots[bot], OutsideBot) for bot in seating)
        ):
            return self._play_by_events(deal, seating, stopped, determinizations, trace_clauses, replicate)
        self._begin(deal, seating, replicate)
        while number := self._advance(deal):
            if stopped():
                raise Stopped
            self._ask_bot(seating, number)
        winners = settle(self._states, self._scores)
        return GameResult(
            tuple(seating),
            tuple(self._scores[: self._players].tolist()),
            tuple(seat for seat in range(self._players) if winners >> seat & 1),
            tuple(self._decisions[: self._players].tolist()),
            self._seconds_by_seat(),
            statistics=self._statistics_of(int(winners), *self._events[: DEALS + 1].tolist()),
            ending=self._ending(self._states[0]),
        )

    def _statistics_of(self, winners: int, chance_events: int, deals: int) -> GameStatistics | None:
        return statistics_of(self._notes, chance_events, deals, winners) if self._has_statistics else None

    def _ending(self, state: AnyState) -> str:
        return self.setup.game.ending(state) if self._has_statistics else ""

    def _play_by_events(
        self,
        deal: int,
        seating: Sequence[int],
        stopped: CancelCheck,
        determinizations: int,
        trace_clauses: bool,
        replicate: int = 0,
    ) -> GameResult:
        """Play the same game event by event, with the same randomness, for external bots and further results."""
        first, bots = deal * STREAMS_A_DEAL, {seat: self.bots[bot] for seat, bot in enumerate(seating)}
        sides, tracer = sides_of(self.setup), ClauseTracer(self.setup.game)
        if trace_clauses:
            tracer.begin(self.setup)
        match = Match(self.setup, tracer.steps if trace_clauses else COMPILED, recall=True)
        made, seconds, chance = [0] * len(bots), [0.0] * len(bots), _DealChance(self._seed, first)
        evaluator = WinProbabilityEvaluator(match, sides, determinizations, self._seed, first + EVALUATOR_STREAMS, deal)
        self._clear_notes()

        def choose(match: Match) -> str | Move:
            if stopped():
                raise Stopped
            self._note(match)
            if determinizations:
                evaluator.evaluate()
            seat, start = match.actor, time.perf_counter()
            made[seat] += 1
            try:
                return seats.choose(match)
            finally:
                seconds[seat] += time.perf_counter() - start

        streams = (lambda seat: new_stream(self._seed, seat_stream(deal, seat, replicate))), self._move_time, stopped
        with Seats(self.setup, bots, *streams) as seats:
            result, forfeit = _result_of(match, seats, choose, chance)
            seats.end(result)
        if not forfeit:  # otherwise `choose` has noted this state, or no seat was to act yet
            self._note(match)
        return GameResult(
            tuple(seating),
            result.scores,
            result.winners,
            tuple(made),
            tuple(seconds),
            forfeit,
            self._statistics_of(set_of(result.winners), *chance.chance_counts()),
            "" if forfeit else self._ending(match.state),
            evaluator.curve(sole_winner(result.winners, sides)) if determinizations else None,
            tracer.counts_of(match.state, result.scores) if trace_clauses and not forfeit else None,
            match.record() if self._record else None,
        )

    def _note(self, match: Match) -> None:
        if self._has_statistics:
            note(match.state, len(match.moves()), self._notes)

    def _seconds_by_seat(self) -> tuple[float, ...]:
        """Return the values of :attr:`GameResult.seconds`."""
        made = np.where(self._policies == NO_POLICY, 0, self._decisions)[: self._players]
        shares = self._compiled_seconds * made / max(1, made.sum()) + self._asked_seconds[: self._players]
        return tuple(shares.tolist())

    def warm_up(self) -> None:
        """Compile and load the code of the built-in bots, before any bot is timed. External bots are not called.

        Every bot plays deal 0 in all seats: up to its first decision among several actions, or to the end if it is
        compiled. Searches are compiled apart, since a bot may do without one for a long time.
        """
        search = False
        for bot, kind in enumerate(self.bots):
            if isinstance(kind, OutsideBot):
                continue
            seating = [bot] * self._players
            self._begin(0, seating)
            number = self._advance(0)
            while number == 1:
                self._ask_bot(seating, number)
                number = self._advance(0)
            if number:
                if isinstance(kind, OmniscientBot):
                    compile_open_search(self._observation(kind, number))
                search |= kind.searches
                self._ask_bot(seating, number)
        settle(self._states, self._scores)
        if search:
            make_ready_once(self.setup.game)

    def _begin(self, deal: int, seating: Sequence[int], replicate: int = 0) -> None:
        self._states[0] = self._start[0]
        self._events[:] = 0
        self._clear_notes()
        self._decisions[:] = 0
        self._asked_seconds[:] = 0
        self._compiled_seconds = 0.0
        for seat, bot in enumerate(seating):
            found = self.bots[bot]
            self._policies[seat] = NO_POLICY if isinstance(found, OutsideBot) else found.policy
            start_stream(self._streams[seat : seat + 1], self._seed, seat_stream(deal, seat, replicate))

    def _clear_notes(self) -> None:
        self._notes.choices[:] = 0
        self._notes.lead[:] = 0

    def _advance(self, deal: int) -> int:
        start = time.perf_counter()
        try:
            number = advance_compiled(
                self._states, self._policies, self._streams, self._seed, deal * STREAMS_A_DEAL, self._events,
                self._table, self._moves, self._deck, self._decisions, self._notes, self.setup.game.max_events,
            )  # fmt: skip
        except GameError as error:
            raise GameError(f"{self.setup.label}: {error}") from None
        self._compiled_seconds += time.perf_counter() - start
        if number == NOT_AN_INDEX:
            raise GameError(not_an_index(self.setup.label, int(self._states[0].actor)))
        if number == TOO_LONG:
            raise GameError(endless(self.setup, self.setup.game.max_events))
        return int(number)

    def _ask_bot(self, seating: Sequence[int], number: int) -> None:
        """Ask the bot of the seat to act, and play its action. Raises :class:`GameError` if it is not legal."""
        seat = int(self._states[0].actor)
        bot, moves = self.bots[seating[seat]], self._moves[:number]
        assert not isinstance(bot, OutsideBot)
        observation = self._observation(bot, number)
        start = time.perf_counter()
        move = bot.choose(observation)
        self._asked_seconds[seat] += time.perf_counter() - start
        if move not in moves:
            raise GameError(
                f"{self.setup.label}: the bot {bot.id!r} chose {int(move)} in seat {seat}, which is not legal"
            )
        COMPILED.play(self._states, int(move))

    def _observation(self, bot: BuiltinBot, number: int) -> CompiledObservation:
        """Return the observation of the seat to act, which has this number of actions."""
        seat = int(self._states[0].actor)
        shown = copy_state(self._states[0 if isinstance(bot, OmniscientBot) else 1])
        random = self._streams[seat : seat + 1]
        return CompiledObservation(self.setup.game.id, shown, seat, self._moves[:number].copy(), random)
