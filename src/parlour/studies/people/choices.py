"""Recorded choices of people, with the probabilities that bots would give to the actions.

The built-in levels mix four ways to choose: at random (slips), carelessly (lapses), by the heuristic with more or less
memory or by the learned policy (habit), and by a search of some effort. A recorded choice has the probabilities of
lapses, habit and search; those of slips follow from the number of actions. Together they give the likelihood of any
level without another search.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from parlour.bots import LEVELS, CompiledObservation, compiled_observation_of, level_of
from parlour.bots.game_levels import bots_hash
from parlour.bots.heuristic_chances import heuristic_chances
from parlour.bots.learned import preferred_chances
from parlour.bots.levels import Level, mixed_strategy
from parlour.bots.policies import forget_cards, lapse_chances
from parlour.bots.protocol import CancelCheck, Stopped
from parlour.engine.arrays import Bools, Floats
from parlour.engine.chance import new_stream
from parlour.engine.game import Game
from parlour.engine.moves import Move
from parlour.jobs.setup_work import compile_search
from parlour.studies.people.recorded_games import RecordedGame

MOST_EFFORT = 50_000
"""Greatest effort of a search that is fitted or compared; searches of stronger levels would take most of the time."""
SEARCHED_ACTIONS = 24_000
"""Total effort of the searches of one level for a decision; at least two are made. A bot's probabilities are their
mean, because searches differ by chance; compared with a single search, the choices of other searches would look like
habit.
"""
MEMORIES = (100, 50, 0)
"""Percentages of seen cards that a fitted bot may remember when it follows the heuristic."""
_FORGOTTEN_SAMPLES = 32
"""Number of samples of the forgotten cards for the probabilities of a player who forgets a part of them."""
_MISSED = 0.5
"""Weight, in samples, of an even choice: an action that the samples missed is not impossible."""


def levels_of(game_id: str) -> dict[str, Level]:
    """Return the levels of a game whose choices are predicted: those of :data:`MOST_EFFORT` at most."""
    found = {name: level_of(name, game_id) for name in LEVELS}
    return {name: level for name, level in found.items() if level.effort <= MOST_EFFORT}


def search_settings(level: Level) -> Level:
    """Return a level with only those settings of a level that its searches depend on."""
    return Level(effort=level.effort, tree=level.tree, learned=level.learned, points=level.points, belief=level.belief)


def searches_of(game_id: str) -> list[Level]:
    """Return the different :func:`search_settings` of these levels."""
    return list(dict.fromkeys(search_settings(level) for level in levels_of(game_id).values() if level.effort))


@dataclass(frozen=True)
class SearchedActions:
    """Values of the *n* legal actions by a search, and a mask of the actions that the search may choose."""

    values: Floats
    eligible: Bools


@dataclass(frozen=True)
class RecordedChoice:
    """A choice among *n* legal actions.

    Attributes:
        game: the number of the record.
        chosen: the index of the action done.
        by_habit: for each memory the probability that the heuristic chooses each action.
        by_policy: the probability that the learned policy chooses each action; without a clearly better policy, that
            of the heuristic.
        by_search: the results of the searches with each of :func:`searches_of`.
        by_lapse: the probability that a careless player chooses each action.
    """

    game: int
    chosen: int
    by_habit: dict[int, Floats]
    by_policy: Floats
    by_search: dict[Level, tuple[SearchedActions, ...]]
    by_lapse: Floats

    @property
    def actions(self) -> int:
        """The number of legal actions."""
        return len(self.by_policy)

    def search_chances(self, search: Level, temperature: float) -> Floats:
        """Return the probability that a search, one of :func:`searches_of`, chooses each action."""
        every = [mixed_strategy(each.values, each.eligible, temperature) for each in self.by_search[search]]
        chances: Floats = np.mean(every, axis=0)
        return chances

    def chances(self, level: Level) -> Floats:
        """Return the probability that a level chooses each action; its memory and search are among the stored ones."""
        by_search = self.search_chances(search_settings(level), level.temperature) if level.effort else None
        by_habit = level.habit_mixture(self.by_habit[level.memory], self.by_policy)
        return level.mixture(by_habit, by_search, self.by_lapse)


@dataclass(frozen=True)
class ChoiceJob:
    """A recorded game, with its number and the probability with which each choice is sampled."""

    number: int
    share: float
    game: RecordedGame


@dataclass(frozen=True)
class ChoiceWork:
    """Work that evaluates sampled choices of recorded games.

    Attributes:
        game: the game.
        seed: seed of the samples and the searches.
    """

    game: Game
    seed: int
    suspect = ""

    @property
    def code(self) -> str:
        """Hash of the rules, the bots and the compilers."""
        return bots_hash(self.game)

    def open(self) -> Callable[[ChoiceJob, CancelCheck], list[RecordedChoice]]:
        """Prepare the search; return a function that evaluates a game's choices."""
        compile_search(self.game)
        return self._choices

    def _choices(self, job: ChoiceJob, stopped: CancelCheck) -> list[RecordedChoice]:
        found, random = [], np.random.default_rng([self.seed, job.number])
        stream = new_stream(self.seed, job.number)
        for number, match in job.game.sample(job.share, random):
            if stopped():
                raise Stopped
            done = match.parse_move(job.game.record["events"][number]["do"])
            found.append(choice_of(job.number, compiled_observation_of(match, stream), done))
        return found


def choice_of(game: int, observation: CompiledObservation, done: Move) -> RecordedChoice:
    """Return the evaluated choice of an action in a position."""
    index_of = {int(move): index for index, move in enumerate(observation.moves)}
    memories = {*MEMORIES, *(level.memory for level in levels_of(observation.game).values())}
    by_habit = {memory: _habit_chances(observation, memory) for memory in sorted(memories, reverse=True)}
    by_policy = preferred_chances(observation)
    return RecordedChoice(
        game,
        index_of[int(done)],
        by_habit,
        by_habit[100] if by_policy is None else by_policy,
        {
            search: tuple(
                _search_actions(observation, index_of, search) for _ in range(max(2, SEARCHED_ACTIONS // search.effort))
            )
            for search in searches_of(observation.game)
        },
        lapse_chances(observation),
    )


def _habit_chances(observation: CompiledObservation, memory: int) -> Floats:
    """Return the probability that the heuristic of a player with this memory chooses each action."""
    if memory in (0, 100):
        return heuristic_chances(forget_cards(observation, memory))
    sampled = [heuristic_chances(forget_cards(observation, memory)) for _ in range(_FORGOTTEN_SAMPLES)]
    chances: Floats = (np.sum(sampled, axis=0) + _MISSED / len(observation.moves)) / (_FORGOTTEN_SAMPLES + _MISSED)
    return chances


def _search_actions(observation: CompiledObservation, index_of: dict[int, int], level: Level) -> SearchedActions:
    search = level.search(observation)
    places = [index_of[int(move)] for move in search.moves]
    values, eligible = np.zeros(len(places)), np.zeros(len(places), bool)
    values[places], eligible[places] = search.values, search.eligible()
    return SearchedActions(values, eligible)
