"""Random playouts of many games, on one core or several.

Game number *n* of a run uses stream *n* of the seed, so a run gives the same games for any number of threads,
interpreted or compiled.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from parlour.engine.arrays import Int64s, States, Stream
from parlour.engine.chance import as_seed, new_stream, random_below, shuffle, spread, start_stream
from parlour.engine.compiled import compiled, interpreted, rule
from parlour.engine.errors import GameError
from parlour.engine.game import Game
from parlour.engine.rules import (
    ACTION_ROOM,
    CHANCE,
    MAX_CARDS,
    OVER,
    RESULT_AT_RANDOM,
    any_of_legal,
    choices,
    deal,
    heuristic_action,
    legal,
    new_states,
    play,
    random_action,
    score,
    wanted,
    whole_deck,
)
from parlour.engine.setup import Setup, as_setup
from parlour.engine.typed_state import AnyState, IntVector
from parlour.engine.validation import MOST_CORES, MOST_GAMES, MOST_WHOLE, whole

_GAMES_A_TASK = 8192
ENDLESS = -1
"""Value in place of a game's length if the game has not ended within its limit of events."""


@rule
def take_chance(state: AnyState, deck: IntVector, random: Stream) -> None:
    """Carry out the next chance event with an outcome from the stream."""
    outcomes = choices(state)
    if outcomes > 0:
        play(state, random_below(random, outcomes))
    else:
        number = spread(deck, wanted(state))
        shuffle(random, deck, 0, number)
        deal(state, deck)


@rule
def fresh_deal_next(state: AnyState) -> bool:
    """Return whether a round is over and all cards are dealt anew."""
    return state.actor == CHANCE and choices(state) == 0 and wanted(state) == whole_deck(state)


@rule
def play_out(state: AnyState, actions: IntVector, deck: IntVector, random: Stream, max_events: int) -> int:
    """Play to the end, each legal action equally likely.

    Return the number of players' actions, or ``ENDLESS`` if the game has not ended after ``max_events`` actions and
    chance events. If ``result_only`` is set, only the result is valid afterwards.
    """
    steps = 0
    for _ in range(max_events):
        if state.actor == CHANCE:
            take_chance(state, deck, random)
        elif state.actor != OVER:
            play(state, random_action(state, actions, random))
            steps += 1
        else:
            return steps
    return steps if state.actor == OVER else ENDLESS


@rule
def play_on_by(
    state: AnyState,
    by_heuristic: bool,
    careless: int,
    until_round: bool,
    actions: IntVector,
    deck: IntVector,
    random: Stream,
    max_events: int,
) -> int:
    """Play by the heuristic, or at random, to the end of the game or the round.

    Return ``ENDLESS`` if neither has come after ``max_events`` actions and chance events, else another number.
    ``careless`` is the rate of random actions among those of the heuristic, in 1/:data:`CERTAIN`. The end of a round
    comes before the deal of all cards for the next one.
    """
    for step in range(max_events):
        if state.actor == OVER or (until_round and fresh_deal_next(state)):
            return step
        if state.actor == CHANCE:
            take_chance(state, deck, random)
        elif by_heuristic:
            play(state, heuristic_action(state, actions, careless, random))
        else:
            play(state, random_action(state, actions, random))
    return 0 if state.actor == OVER else ENDLESS


@compiled
def play_games(
    starts: States,
    work: States,
    seed: int,
    first: int,
    scores: Int64s,
    winners: Int64s,
    lengths: Int64s,
    actions: IntVector,
    deck: IntVector,
    random: Stream,
    max_events: int,
) -> None:
    """Play a game from ``starts[0]`` for every row of ``scores``; game ``first + index`` uses its own stream."""
    for index in range(scores.shape[0]):
        work[0] = starts[0]
        work[0].result_only = RESULT_AT_RANDOM
        start_stream(random, seed, first + index)
        lengths[index] = play_out(work[0], actions, deck, random, max_events)
        winners[index] = score(work[0], scores[index])


@dataclass(frozen=True)
class Playouts:
    """Results of a run of *n* games with *p* players.

    Attributes:
        scores: n × p.
        winners: n sets of seats, a bit for each seat that shares first place.
        lengths: n numbers of players' actions.
    """

    scores: Int64s
    winners: Int64s
    lengths: Int64s

    @property
    def actions(self) -> int:
        """The total number of players' actions in all games."""
        return int(self.lengths.sum())

    @classmethod
    def joined(cls, parts: Sequence["Playouts"]) -> "Playouts":
        """Return the games of one part or several, in their order."""
        columns = zip(*((part.scores, part.winners, part.lengths) for part in parts), strict=True)
        return cls(*(np.concatenate(column) for column in columns))


def cores_for(threads: int | None) -> int:
    """Return the number of cores to use, by default all of them. Raises :class:`ParlourError`."""
    return os.cpu_count() or 1 if threads is None else whole("threads", threads, 1, MOST_CORES)


def run_playouts(
    setup: Setup,
    games: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda done: None,
    interpret: bool = False,
    max_events: int | None = None,
) -> Playouts:
    """Play complete games at random; ``progress`` is called with the number of games newly finished.

    The other arguments and the errors are those of :func:`play_in_parts`.
    """
    parts = []
    for part in play_in_parts(setup, games, seed, threads, interpret, max_events):
        parts.append(part)
        progress(len(part.lengths))
    return Playouts.joined(parts)


def play_in_parts(
    setup: Setup,
    games: int,
    seed: int = 0,
    threads: int | None = None,
    interpret: bool = False,
    max_events: int | None = None,
) -> Iterator[Playouts]:
    """Play complete games at random, and yield them in parts of many games, in the order of their numbers.

    No games are one part without games.

    Args:
        setup: the game, number of players and options.
        games: the number of games.
        seed: the run's seed; game *n* is the same in every run with it.
        threads: the number of cores to use; all of them by default.
        interpret: run the same source in the interpreter, a thousand times slower.
        max_events: the number of actions and chance events after which a game counts as endless; by default the
            game's own limit, :attr:`Game.max_events`.

    Raises:
        GameError: a game has not ended within its limit, or the game's ``random_action`` returned an illegal action.
        ParlourError: an argument is not an integer, or too small.
    """
    limit = as_setup(setup).game.max_events if max_events is None else whole("max_events", max_events, 1, MOST_WHOLE)
    check_random_action(setup)
    games, seed, cores = whole("the number of games", games, 0, MOST_GAMES), as_seed(seed), cores_for(threads)
    starts = new_states(setup.game.dtype, 1)
    starts[0] = setup.new_state()
    loop = interpreted(play_games) if interpret else play_games

    size = max(1, min(_GAMES_A_TASK, games // (4 * cores)))  # several tasks a core, to balance the load

    def work_on(first: int) -> Playouts:
        number = min(first + size, games) - first
        # padding on both sides, so that threads never write to the same cache line
        work, random = new_states(setup.game.dtype, 3)[1:2], np.zeros(33, np.uint64)[16:17]
        actions, deck = np.zeros(ACTION_ROOM, np.int64), np.zeros(MAX_CARDS, np.int64)
        scores, winners, lengths = (np.zeros(shape, np.int64) for shape in ((number, setup.players), number, number))
        try:
            loop(starts, work, seed, first, scores, winners, lengths, actions, deck, random, limit)
        except GameError as error:
            raise GameError(f"{setup.label}: {error}") from None
        if (lengths == ENDLESS).any():
            raise GameError(endless(setup, limit))
        return Playouts(scores, winners, lengths)

    with ThreadPoolExecutor(cores) as pool:  # it starts threads on demand only
        yield from (map if cores == 1 else pool.map)(work_on, range(0, max(1, games), size))


def endless(setup: Setup, limit: int) -> str:
    """Return the error message for a game that has not ended within its limit of events."""
    return (
        f"{setup.label}: a game has not ended after {limit:,} actions and chance events; correct its rules, or raise "
        "the limit (max_events of the game)"
    )


def no_action(label: str, seat: int) -> str:
    """Return the error message for a seat that is to act and has no legal action."""
    return f"{label}: legal lists no action for seat {seat}, which is to act (actor): correct the game"


def not_an_index(label: str, seat: int, index: int | None = None) -> str:
    """Return the error message for a ``heuristic_choice`` that returned no valid index of the legal actions."""
    returned = "no index" if index is None else f"{index}, which is no index"
    return f"{label}: heuristic_choice returned {returned} of the legal actions of seat {seat}: correct the game"


_TRIED_EVENTS = 1000
"""Maximum number of events of the game in which a ``random_action`` is checked."""


_checked: set[Game] = set()
"""The games whose ``random_action`` has been checked."""


def check_random_action(setup: Setup) -> None:
    """Check a game's own ``random_action`` against its legal actions in one interpreted game, once per process.

    Compiled playouts do not check its result. Raises :class:`GameError` if it returns an illegal action.
    """
    game = setup.game
    if game.random_action is any_of_legal or game in _checked:
        return
    states, random = new_states(game.dtype, 1), new_stream(0)
    states[0] = setup.new_state()
    state, actions, deck = states[0], np.zeros(ACTION_ROOM, np.int64), np.zeros(MAX_CARDS, np.int64)
    for _ in range(_TRIED_EVENTS):
        if state.actor == OVER:
            break
        if state.actor == CHANCE:
            take_chance(state, deck, random)
            continue
        action = int(game.random_action(state, actions, random))
        if action not in actions[: legal(state, actions)]:
            raise GameError(illegal_choice(setup, "random_action", int(state.actor), _action_text(game, state, action)))
        play(state, action)
    _checked.add(game)


def _action_text(game: Game, state: AnyState, action: int) -> str:
    """Return the text of an action that may be illegal, or its number if the game cannot name it."""
    try:
        return repr(game.name(state, action))
    except Exception:  # games need not name illegal actions
        return f"action {action}"


def illegal_choice(setup: Setup, function: str, seat: int, action: str) -> str:
    """Return the error message for a function of a game that returned an illegal action."""
    return f"{setup.label}: {function} returned {action} for seat {seat}, which is not legal: correct the game"
