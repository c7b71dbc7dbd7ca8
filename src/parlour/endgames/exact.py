"""How far bots are from the exact value, on shrunken games: what they lose to an equilibrium, and to a best answer.

The positions are ends of games that beginners played (thumb, with slips): of each game the earliest decision whose
shrunken game is within the limits, if something is hidden there and it matters how one plays.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any

import numpy as np

from parlour.bots import CompiledObservation, HouseBot, choose_for, find_bot
from parlour.bots.external import find_any_bot
from parlour.bots.protocol import Asking, Stopped, never
from parlour.endgames.common_knowledge import SEATS, TooLargeError
from parlour.endgames.endgame_tree import EndgameTree, Floats, Limits, endgame_tree_of
from parlour.endgames.equilibrium import Equilibrium, best_response, solve
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError, PlayersError
from parlour.engine.game_loop import drive
from parlour.engine.match import Match
from parlour.engine.randomness import StreamRandomness
from parlour.engine.rules import copy_state
from parlour.engine.setup import Setup
from parlour.engine.steps import COMPILED
from parlour.jobs.pool import Where, do_jobs
from parlour.jobs.setup_work import SetupWork, be_ready
from parlour.statistics import Estimate, estimate_mean

PLAYED_BY = "beginner"
MATTERS = 0.01
"""Where a best answer to random play gains less, it does not matter how one plays."""
LONGEST = 2000
"""Decisions after which an unfinished game is abandoned."""


GAMES_A_POSITION = 100


class TooFewError(ParlourError):
    """There are hardly any positions of the kind that is looked for."""


@dataclass(frozen=True)
class Position:
    """A shrunken game with its exact value.

    Attributes:
        number: of the game that it is the end of.
        events: how many there had been.
        game: the shrunken game.
        solved: its equilibrium.
    """

    number: int
    events: int
    game: EndgameTree
    solved: Equilibrium


@dataclass(frozen=True)
class Distance:
    """How far a bot is from the exact value of a position, the mean of its two seats, as a chance to win.

    Attributes:
        loses: the value less what it wins against the equilibrium.
        gives: what a best answer to it gains: the value less what the bot wins against that.
    """

    loses: float
    gives: float


@dataclass(frozen=True)
class Measured:
    """A position that bots were measured in: what is told of it, and the distance of each bot."""

    number: int
    events: int
    worlds: int
    nodes: int
    ends: int
    sets: tuple[int, ...]
    value: float
    gap: float
    distances: tuple[Distance, ...]


def decisions_of(setup: Setup, seed: int, number: int) -> list[tuple[int, Any]]:
    """The decisions among several actions in a game between beginners: after how many events, and the state."""
    match = Match(setup, COMPILED, watched=False)
    cards, thinking = StreamRandomness(new_stream(seed, 2 * number)), new_stream(seed, 2 * number + 1)
    bot = find_bot(PLAYED_BY)
    found: list[tuple[int, Any]] = []

    def choose(match: Match) -> str:
        if len(match.actions()) > 1:
            found.append((len(match.events), copy_state(match.state)))
        return choose_for(match, bot, thinking)

    for _ in drive(match, choose, cards):
        if len(found) >= LONGEST:
            break
    return found if match.over else []


def position_of(setup: Setup, seed: int, number: int, limits: Limits) -> Position | None:
    """The position of one game, or ``None`` if it has none."""
    best = None
    for events, state in reversed(decisions_of(setup, seed, number)):
        try:
            shrunken = endgame_tree_of(state, limits)
        except TooLargeError:
            break
        if shrunken.hangs_on_play:
            best = events, shrunken
    if best is None:
        return None
    position = Position(number, *best, solve(best[1]))
    at_random = distance_of(find_bot("random"), setup.game.id, position, 1)
    return position if at_random.gives >= MATTERS else None


def strategy_of(
    bot: HouseBot, game_id: str, game: EndgameTree, seat: int, looks: int, seed: int, stopped: Asking = never
) -> Floats:
    """The plan of a bot in one seat: the mean of its chances in ``looks`` looks at each decision it can reach.

    Raises :class:`Stopped` if it is no longer wanted.
    """
    plan = np.zeros(game.sequences[seat])
    plan[0] = 1
    for index, each in enumerate(game.sets[seat]):
        if stopped():
            raise Stopped
        if plan[each.before] == 0:
            continue
        streams = [new_stream(seed, (index * SEATS + seat) * looks + look) for look in range(looks)]
        seen = [
            bot.chances(CompiledObservation(game_id, each.observation, seat, each.actions.copy(), stream))
            for stream in streams
        ]
        plan[each.after] = plan[each.before] * np.mean(seen, axis=0)
    return plan


def distance_of(bot: HouseBot, game_id: str, position: Position, looks: int, stopped: Asking = never) -> Distance:
    """How far a bot is from the value of a position. Raises :class:`Stopped` if it is no longer wanted."""
    loses, gives = 0.0, 0.0
    for seat in range(SEATS):
        value = position.solved.value_for(seat)
        plan = strategy_of(bot, game_id, position.game, seat, looks, position.number, stopped)
        loses += value - position.game.worth(seat, plan, position.solved.plans[1 - seat])
        gives += best_response(position.game, 1 - seat, plan) - (1 - value)
    return Distance(loses / SEATS, gives / SEATS)


@dataclass(frozen=True)
class Measuring(SetupWork):
    """Looking for the positions of games, and measuring bots in them.

    Attributes:
        bots: ids.
        looks: how often each is asked at a decision.
        limits: of shrunken games.
    """

    bots: tuple[str, ...]
    looks: int
    limits: Limits

    def open(self) -> Callable[[int, Asking], Measured | None]:
        """Get ready to measure."""
        be_ready(self.setup.game)
        found = [find_bot(bot) for bot in self.bots]
        return lambda number, stopped: self._measured(number, found, stopped)

    def _measured(self, number: int, bots: Sequence[HouseBot], stopped: Asking) -> Measured | None:
        position = position_of(self.setup, self.seed, number, self.limits)
        if position is None:
            return None
        told = [distance_of(bot, self.setup.game.id, position, self.looks, stopped) for bot in bots]
        game, solved = position.game, position.solved
        sets = tuple(len(sets) for sets in game.sets)
        return Measured(
            number, position.events, game.worlds, game.nodes, game.ends, sets, solved.value, solved.gap, tuple(told)
        )


class ExactResult:
    """What was found so far: the positions, and of how many games they are.

    Raises:
        PlayersError: there are not two players.
    """

    def __init__(self, work: Measuring) -> None:
        players = work.setup.players
        if players != SEATS:
            raise PlayersError(f"exact values are for two players, not {players}: with more there are none")
        outside = [bot for bot in work.bots if not isinstance(find_any_bot(bot), HouseBot)]
        if outside:
            why = "is to be given all that its seat has seen, and the worlds of a shrunken game have no past"
            raise ParlourError(f"the bot {outside[0]!r} is from outside: it {why}")
        self.work, self.games = work, 0
        self.positions: list[Measured] = []

    def add(self, position: Measured | None) -> None:
        """Take in the position of one more game."""
        self.games += 1
        if position is not None:
            self.positions.append(position)

    def distances(self, bot: str) -> list[Distance]:
        """Those of a bot, by position."""
        number = self.work.bots.index(bot)
        return [position.distances[number] for position in self.positions]

    def estimates(self, bot: str) -> tuple[Estimate, Estimate]:
        """What a bot loses to the equilibrium and gives a best answer, the means over positions."""
        distances = self.distances(bot)
        return estimate_mean([each.loses for each in distances]), estimate_mean([each.gives for each in distances])

    @property
    def begun(self) -> bool:
        """Whether there is anything to tell yet."""
        return len(self.positions) > 0

    def running(self) -> str:
        """The state of the search, in a few words."""
        nodes = sum(each.nodes for each in self.positions)
        return f"{self.games} games searched, {nodes:,} nodes solved"

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        bots = {}
        for name in self.work.bots:
            loses, gives = self.estimates(name)
            bots[name] = {
                "loses": loses.to_json(),
                "gives": gives.to_json(),
                "each": [[round(each.loses, 6), round(each.gives, 6)] for each in self.distances(name)],
            }
        return {
            "game": self.work.setup.game.id,
            "options": self.work.setup.chosen,
            "games": self.games,
            "looks": self.work.looks,
            "positions": [_position_json(position) for position in self.positions],
            "bots": bots,
        }

    def text(self) -> str:
        """As a table."""
        lines = [
            f"{self.work.setup.label}: the ends of {len(self.positions)} of {self.games} games",
            f"  worlds            {_span([each.worlds for each in self.positions])}",
            f"  information sets  {_span([sum(each.sets) for each in self.positions])}",
            f"  gap               at most {max(each.gap for each in self.positions):.1e}",
        ]
        width = max(len("bot"), *map(len, self.work.bots))
        lines.append(f"  {'bot':{width}}  {'loses to an equilibrium':28}  a best answer gains")
        for name in self.work.bots:
            loses, gives = map(_percent, self.estimates(name))
            lines.append(f"  {name:{width}}  {loses:28}  {gives}")
        return "\n".join(lines)


def _position_json(position: Measured) -> dict[str, Any]:
    told = asdict(position)
    del told["distances"]
    return {**told, "value": round(position.value, 9)}


def _span(numbers: Sequence[int]) -> str:
    low, middle, high = min(numbers), int(np.median(numbers)), max(numbers)
    return f"{low:,} to {high:,}, half of them at most {middle:,}"


def _percent(estimate: Estimate) -> str:
    if not math.isfinite(estimate.low):
        return f"{100 * estimate.value + 0.0:.2f}% (one position)"
    value, low, high = (round(100 * each, 2) + 0.0 for each in (estimate.value, estimate.low, estimate.high))  # no −0
    return f"{value:.2f}% ({low:.2f}% to {high:.2f}%)"


def measure(
    standing: ExactResult,
    wanted: int,
    where: Where,
    progress: Callable[[int, Callable[[], str]], None] = lambda done, words: None,
) -> None:
    """Look through games until ``wanted`` positions are found.

    Raises:
        TooFewError: there are hardly any; what was found is in the standing all the same.
    """
    with closing(do_jobs(standing.work, count(standing.games), where)) as looked:
        for _, position in looked:
            standing.add(position)
            progress(1 if position else 0, standing.running)
            if len(standing.positions) == wanted:
                return
            if standing.games == GAMES_A_POSITION * wanted:
                found = f"{len(standing.positions)} of {standing.games} games have an end that is small enough"
                raise TooFewError(f"only {found} and is decided by play: try other options or a larger --nodes")
