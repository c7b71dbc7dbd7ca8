"""Distance of bots from the exact value on endgame trees: loss against an equilibrium, and exploitability.

The positions are ends of games played by the heuristic, without memory of the cards seen and with random slips. From
each game the earliest decision counts whose endgame tree is within the limits, in which a card is hidden and the
result depends on play. Positions in which random play is hardly exploitable are left out.
"""

import math
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import count
from typing import Any

import numpy as np

from parlour.bots import KINDS_ELSEWHERE, BuiltinBot, CompiledObservation, choose_for, find_bot
from parlour.bots.external import KindOfPlayer, find_any_bot
from parlour.bots.protocol import CancelCheck, Stopped, never
from parlour.endgames.common_knowledge import SEATS, TooLargeError
from parlour.endgames.endgame_tree import EndgameTree, TreeLimits, endgame_tree_of
from parlour.endgames.equilibrium import Equilibrium, best_response, solve
from parlour.engine.arrays import Floats
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError, PlayersError
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import copy_state
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import drive
from parlour.engine.validation import counted
from parlour.inference import mean_interval
from parlour.jobs.pool import do_jobs
from parlour.jobs.setup_work import SetupWork, compile_search
from parlour.jobs.tasks import Placement
from parlour.statistics import Estimate

PLAYED_BY = "search:slips=35,memory=0"
"""Id of the bot that plays the games."""
MIN_EXPLOITABILITY = 0.01
"""Minimum exploitability of random play, as a share of first place; positions below it are left out."""
SAMPLE_STREAMS = 1 << 40
"""First stream of a bot's samples; those of games come before."""
HARD = 0.01
"""Minimum loss of the heuristic in a hard position, as a share of first place."""
LONGEST = 2000
"""Maximum number of decisions among several actions; longer games are left out."""


GAMES_A_POSITION = 100
"""Maximum number of games searched per position to be found."""


class TooFewError(ParlourError):
    """Too few positions were found."""


@dataclass(frozen=True)
class SolvedEndgame:
    """Endgame tree with its exact value.

    Attributes:
        number: the number of the game that it is the end of.
        events: the number of events before it.
        game: the endgame tree.
        solved: its equilibrium.
    """

    number: int
    events: int
    game: EndgameTree
    solved: Equilibrium


@dataclass(frozen=True)
class Distance:
    """Distance of a bot from the exact value of a position: the mean over both seats, as a share of first place.

    Attributes:
        loss: the value minus the bot's result against it.
        exploitability: the value minus the bot's result against a best response.
    """

    loss: float
    exploitability: float


@dataclass(frozen=True)
class MeasuredPosition:
    """Measured position: its size and value, and the distance of each bot."""

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
    """Return the decisions among several actions in a game of :data:`PLAYED_BY`: the number of events before, and the
    state.
    """
    match = Match(setup, COMPILED, observed=False)
    cards, thinking = StreamRandomness(new_stream(seed, 2 * number)), new_stream(seed, 2 * number + 1)
    bot = find_bot(PLAYED_BY)
    found: list[tuple[int, Any]] = []

    def choose(match: Match) -> str:
        if len(match.moves()) > 1:
            found.append((len(match.events), copy_state(match.state)))
        return choose_for(match, bot, thinking)

    for _ in drive(match, choose, cards):
        if len(found) >= LONGEST:
            break
    return found if match.over else []


def position_of(setup: Setup, seed: int, number: int, limits: TreeLimits) -> SolvedEndgame | None:
    """Return the position of one game, or ``None`` if it has none."""
    best = None
    for events, state in reversed(decisions_of(setup, seed, number)):
        try:
            tree = endgame_tree_of(state, limits)
        except (TooLargeError, ValueError):  # ValueError: its worlds or information sets cannot be listed
            break
        if tree.depends_on_play:
            best = events, tree
    if best is None:
        return None
    position = SolvedEndgame(number, *best, solve(best[1]))
    at_random = distance_of(find_bot("random"), setup.game.id, position, 1)
    return position if at_random.exploitability >= MIN_EXPLOITABILITY else None


def strategy_of(
    bot: BuiltinBot, game_id: str, game: EndgameTree, seat: int, samples: int, seed: int, stopped: CancelCheck = never
) -> Floats:
    """Return a bot's plan for one seat: its probabilities at each decision that it can reach.

    They are means over this number of ``samples``. Raises :class:`Stopped` when it is cancelled.
    """
    plan = np.zeros(game.sequences[seat])
    plan[0] = 1
    for index, each in enumerate(game.sets[seat]):
        if stopped():
            raise Stopped
        if plan[each.before] == 0:
            continue
        first = SAMPLE_STREAMS + (index * SEATS + seat) * samples
        streams = [new_stream(seed, first + sample) for sample in range(samples)]
        seen = [
            bot.chances(CompiledObservation(game_id, each.observation, seat, each.moves.copy(), stream))
            for stream in streams
        ]
        plan[each.after] = plan[each.before] * np.mean(seen, axis=0)
    return plan


def distance_of(
    bot: BuiltinBot, game_id: str, position: SolvedEndgame, samples: int, stopped: CancelCheck = never
) -> Distance:
    """Return the distance of a bot from the value of a position. Raises :class:`Stopped` when it is cancelled."""
    game = position.game
    plans = [strategy_of(bot, game_id, game, seat, samples, position.number, stopped) for seat in range(SEATS)]
    return distance_of_plans(position, plans, responses_to(position, plans))


def responses_to(position: SolvedEndgame, plans: Sequence[Floats]) -> list[float]:
    """Return the value of each seat's best response to the other seat's plan."""
    return [best_response(position.game, seat, plans[1 - seat]) for seat in range(SEATS)]


def distance_of_plans(position: SolvedEndgame, plans: Sequence[Floats], responses: Sequence[float]) -> Distance:
    """Return the distance of a plan for each seat from the value; ``responses`` are those of :func:`responses_to`."""
    game, solved = position.game, position.solved
    values = [solved.value_for(seat) for seat in range(SEATS)]
    results = [game.value_of(seat, plans[seat], solved.plans[1 - seat]) for seat in range(SEATS)]
    loss = sum(value - result for value, result in zip(values, results, strict=True))
    exploitability = sum(response - value for response, value in zip(responses, values, strict=True))
    return Distance(max(0.0, loss / SEATS), max(0.0, exploitability / SEATS))  # rounding may leave them below 0


@dataclass(frozen=True)
class ExactWork(SetupWork):
    """Work that finds positions in games and measures bots in them.

    Attributes:
        bots: ids.
        samples: the number of samples of each bot's probabilities per decision.
        limits: the size limits of endgame trees.
        hard: whether positions count only if the heuristic loses at least :data:`HARD` in them.
    """

    bots: tuple[str, ...]
    samples: int
    limits: TreeLimits
    hard: bool = False

    def open(self) -> Callable[[int, CancelCheck], MeasuredPosition | None]:
        """Prepare the bots; return a function that measures the position of a game."""
        compile_search(self.setup.game)
        found = [find_bot(bot) for bot in self.bots]
        return lambda number, stopped: self._measure_position(number, found, stopped)

    def _measure_position(
        self, number: int, bots: Sequence[BuiltinBot], stopped: CancelCheck
    ) -> MeasuredPosition | None:
        position = position_of(self.setup, self.seed, number, self.limits)
        if position is None or (self.hard and not _is_hard(position, self.setup.game.id)):
            return None
        distances = [distance_of(bot, self.setup.game.id, position, self.samples, stopped) for bot in bots]
        game, solved = position.game, position.solved
        sets = tuple(len(sets) for sets in game.sets)
        return MeasuredPosition(
            number,
            position.events,
            game.worlds,
            game.nodes,
            game.ends,
            sets,
            solved.value,
            solved.gap,
            tuple(distances),
        )


def _is_hard(position: SolvedEndgame, game_id: str) -> bool:
    return distance_of(find_bot("thumb"), game_id, position, 1).loss >= HARD


class ExactResult:
    """Results so far: the positions, and the number of games searched.

    Raises:
        PlayersError: the number of players is not two.
        ParlourError: a bot is not built-in, or is named twice.
    """

    def __init__(self, work: ExactWork) -> None:
        players = work.setup.players
        if players != SEATS:
            raise PlayersError(f"exact values exist for two players, not for {players}")
        if twice := [bot for bot in work.bots if work.bots.count(bot) > 1]:
            raise ParlourError(f"{twice[0]} is named twice; the report has one row for each bot")
        for bot in map(find_any_bot, work.bots):
            if isinstance(bot, KindOfPlayer):
                raise ParlourError(KINDS_ELSEWHERE.format(bot.id))
            if not isinstance(bot, BuiltinBot):
                why = "needs the past events of its game, and the possible states of an endgame have none"
                raise ParlourError(f"the bot {bot.id!r} is from outside: it {why}")
        self.work, self.games = work, 0
        self.positions: list[MeasuredPosition] = []

    def add(self, position: MeasuredPosition | None) -> None:
        """Add the position of one more game, if it has one."""
        self.games += 1
        if position is not None:
            self.positions.append(position)

    def distances(self, bot: str) -> list[Distance]:
        """Return the distances of a bot, by position."""
        number = self.work.bots.index(bot)
        return [position.distances[number] for position in self.positions]

    def estimates(self, bot: str) -> tuple[Estimate, Estimate]:
        """Return a bot's mean loss against the equilibrium and its mean exploitability, over positions."""
        values = np.array([(each.loss, each.exploitability) for each in self.distances(bot)])
        loss, exploitability = (mean_interval(each, 1.0) for each in values.T)
        return (loss.clipped(0, 1), exploitability.clipped(0, 1)) if len(values) > 1 else (loss, exploitability)

    @property
    def has_results(self) -> bool:
        """Return whether any position has been found."""
        return len(self.positions) > 0

    def progress_text(self) -> str:
        """Return the progress of the search in a few words."""
        nodes = sum(each.nodes for each in self.positions)
        return f"{counted(self.games, 'game')} searched, {counted(nodes, 'node')} solved"

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        bots = {}
        for name in self.work.bots:
            loss, exploitability = self.estimates(name)
            bots[name] = {
                "loss": loss.to_json(),
                "exploitability": exploitability.to_json(),
                "each": [[round(each.loss, 6), round(each.exploitability, 6)] for each in self.distances(name)],
            }
        return {
            "game": self.work.setup.game.id,
            "options": self.work.setup.chosen,
            "games": self.games,
            "samples": self.work.samples,
            "hard": self.work.hard,
            "positions": [_position_json(position) for position in self.positions],
            "bots": bots,
        }

    def text(self) -> str:
        """Return the results as a text table."""
        hard = "hard " if self.work.hard else ""
        lines = [
            f"{self.work.setup.label}: the {hard}ends of {len(self.positions)} of {counted(self.games, 'game')}",
            f"  worlds            {_span([each.worlds for each in self.positions])}",
            f"  information sets  {_span([sum(each.sets) for each in self.positions])}",
            f"  gap               at most {max(each.gap for each in self.positions):.1e}",
        ]
        width = max(len("bot"), *map(len, self.work.bots))
        lines.append(f"  {'bot':{width}}  {'loss to an equilibrium':28}  exploitability")
        for name in self.work.bots:
            loss, exploitability = map(_percent, self.estimates(name))
            lines.append(f"  {name:{width}}  {loss:28}  {exploitability}")
        return "\n".join(lines)


def _position_json(position: MeasuredPosition) -> dict[str, Any]:
    values = asdict(position)
    del values["distances"]
    return {**values, "value": round(position.value, 9)}


def _span(numbers: Sequence[int]) -> str:
    low, middle, high = min(numbers), int(np.median(numbers)), max(numbers)
    return f"{low:,} to {high:,}, half of them at most {middle:,}"


def _percent(estimate: Estimate) -> str:
    if not math.isfinite(estimate.low):
        return f"{100 * estimate.value + 0.0:.2f}% (one position)"
    value, low, high = (round(100 * each, 2) + 0.0 for each in (estimate.value, estimate.low, estimate.high))  # no −0
    return f"{value:.2f}% ({low:.2f}% to {high:.2f}%)"


def measure(
    result: ExactResult,
    number: int,
    where: Placement,
    progress: Callable[[int, Callable[[], str]], None] = lambda done, words: None,
) -> None:
    """Search games until ``number`` positions are found.

    Raises:
        TooFewError: positions are too rare; those found are in the result nevertheless.
    """
    with closing(do_jobs(result.work, count(result.games), where)) as results:
        for _, position in results:
            result.add(position)
            progress(1 if position else 0, result.progress_text)
            if len(result.positions) == number:
                return
            if result.games == GAMES_A_POSITION * number:
                found = f"{len(result.positions)} of {result.games} games have an end that is small enough"
                and_hard = ", and in which the heuristic errs" if result.work.hard else ""
                raise TooFewError(
                    f"only {found} and is decided by play{and_hard}: try other options or a larger --nodes"
                )
