"""Playing strength of bots, from beginner to full strength, as settings of one design."""

from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from parlour.bots.compiled_observation import CompiledObservation
from parlour.bots.heuristic_chances import heuristic_chances
from parlour.bots.learned import preferred_chances
from parlour.bots.policies import choose_at_random, choose_forgetfully, drawn_move, forget_cards, lapse_chances
from parlour.bots.search import BELIEF_SHARE, Search
from parlour.engine.arrays import Bools, Floats, Int64s
from parlour.engine.chance import random_below, random_bits
from parlour.engine.errors import GameError, ParlourError
from parlour.engine.moves import Move


@dataclass(frozen=True)
class Level:
    """Settings of a bot's decisions.

    Attributes:
        effort: the simulation budget of a decision, in players' actions; 0 for no search.
        habit: the percentage of decisions without slip or lapse in which the bot does not search, but follows the
            heuristic or the learned policy.
        slips: the percentage of decisions in which the bot plays a uniformly random legal action.
        lapses: the percentage of the other decisions in which it chooses carelessly: most often the action that the
            heuristic values most, seldom one of the worst (:func:`parlour.bots.policies.lapse_chances`).
        memory: the percentage of publicly seen cards that the bot remembers when it follows the heuristic.
        temperature: the temperature of the softmax over values, as a probability of winning: an action that is worse
            than the best one by this much is chosen about a third as often. Actions that seem worse than the
            heuristic's are not chosen (:meth:`parlour.bots.search.Search.eligible`).
        tree: 1 to search turns of several actions by a tree of information sets, 0 to search all turns by one ply.
        learned: the percentage of habitual decisions by the game's learned policy instead of the heuristic, where it is
            clearly better (:func:`parlour.bots.learned.preferred_chances`); if not 0, searches use its order, too.
        points: the percentage of the lead at the end of the round in the objective of searches; the rest is winning.
        belief: the percentage of the effort that weighs determinizations by the others' past actions, in games that
            allow it (:mod:`parlour.engine.information.belief`).
    """

    effort: int = 0
    habit: int = 0
    slips: int = 0
    lapses: int = 0
    memory: int = 100
    temperature: float = 0.0
    tree: int = 0
    learned: int = 0
    points: int = 0
    belief: int = round(100 * BELIEF_SHARE)

    def __str__(self) -> str:
        """Return the settings other than the defaults, as :func:`parse_level` reads them."""
        default = asdict(Level())
        named = {name: value for name, value in asdict(self).items() if value != default[name]} or {"effort": 0}
        return ",".join(f"{name}={value}" for name, value in named.items())

    def choose(self, observation: CompiledObservation) -> Move:
        """Return one of the legal moves."""
        chosen = self.at_once(observation)
        return self.look_ahead(observation) if chosen is None else chosen

    def at_once(self, observation: CompiledObservation) -> Move | None:
        """Return a move chosen without search, or ``None`` if this decision needs a search."""
        if len(observation.moves) == 1:
            return Move(observation.moves[0])
        if random_below(observation.random, 100) < self.slips:
            return choose_at_random(observation)
        if self.lapses and random_below(observation.random, 100) < self.lapses:
            return drawn_move(observation.moves, lapse_chances(observation), observation.random)
        if self.effort == 0 or random_below(observation.random, 100) < self.habit:
            return self.follow_habit(observation)
        return None

    def follow_habit(self, observation: CompiledObservation) -> Move:
        """Return a move by the learned policy or the heuristic."""
        preference = self.preference(observation)
        if preference is None or random_below(observation.random, 100) >= self.learned:
            return choose_forgetfully(observation, self.memory)
        return drawn_move(observation.moves, preference, observation.random)

    def preference(self, observation: CompiledObservation) -> Floats | None:
        """Return the probability of each move by the learned policy, if this level uses one here."""
        return preferred_chances(observation) if self.learned else None

    def look_ahead(self, observation: CompiledObservation) -> Move:
        """Return the move drawn from the mixed strategy of a search."""
        return drawn_move(*self.weigh(observation), observation.random)

    def weigh(self, observation: CompiledObservation) -> tuple[Int64s, Floats]:
        """Search; return the moves and the probability of each in the mixed strategy."""
        search = self.search(observation)
        return search.moves, mixed_strategy(search.values, search.eligible(), self.temperature)

    def search(self, observation: CompiledObservation) -> Search:
        """Return a finished search; the actions played for its lead model count as effort, too."""
        preference = self.preference(observation)
        search = search_for(observation, self.effort, preference, self.points / 100, self.belief / 100)
        search.think(max(0, self.effort - search.steps), bool(self.tree))
        return search

    def chances(self, observation: CompiledObservation) -> Floats:
        """Return the probability of each of ``observation.moves``.

        They are estimated by one search and one sample of forgotten cards; another random stream may give others.
        """
        number = len(observation.moves)
        by_habit = self.habit_chances(observation)
        by_search = None
        if self.effort and number > 1:
            moves, chances = self.weigh(observation)
            by_search = np.zeros(number)
            by_search[[int(np.flatnonzero(observation.moves == move)[0]) for move in moves]] = chances
        return self.mixture(by_habit, by_search, lapse_chances(observation) if self.lapses else by_habit)

    def habit_chances(self, observation: CompiledObservation) -> Floats:
        """Return the probability of each move by habit."""
        preference = self.preference(observation)
        by_heuristic = heuristic_chances(forget_cards(observation, self.memory))
        return by_heuristic if preference is None else self.habit_mixture(by_heuristic, preference)

    def habit_mixture(self, by_heuristic: Floats, by_policy: Floats) -> Floats:
        """Return the probability of each action by habit from those of the heuristic and of the policy."""
        mean: Floats = by_heuristic + self.learned / 100 * (by_policy - by_heuristic)
        return mean

    def mixture(self, by_habit: Floats, by_search: Floats | None, by_lapse: Floats) -> Floats:
        """Return the probability of each action from those by habit, by the search, if any, and by lapses."""
        habit = self.habit / 100 if self.effort and by_search is not None else 1.0
        careful = by_habit if by_search is None else habit * by_habit + (1 - habit) * by_search
        number = len(by_habit)
        awake = careful + self.lapses / 100 * (by_lapse - careful)
        mean: Floats = self.slips / 100 / number + (1 - self.slips / 100) * awake
        return mean


def search_for(
    observation: CompiledObservation,
    effort: int | None = None,
    preference: Floats | None = None,
    points: float = 0.0,
    belief: float = BELIEF_SHARE,
) -> Search:
    """Return a new search for an observation (:class:`Search`); its seed comes from the observation's stream.

    Raises :class:`GameError` if the game's heuristic is faulty.
    """
    try:
        return Search(
            observation.state, observation.seat, observation.moves, random_bits(observation.random),
            effort=effort, preference=preference, points=points, belief=belief,
        )  # fmt: skip
    except GameError as error:
        raise GameError(f"{observation.game}: {error}") from error


def mixed_strategy(values: Floats, allowed: Bools, temperature: float) -> Floats:
    """Return the mixed strategy that maximizes value plus ``temperature`` times entropy: the softmax of the values.

    Where cards are hidden, a predictable player can be exploited. Mixing costs on average less than the temperature
    times the logarithm of the number of actions. ``allowed`` is False for actions that are never chosen.
    """
    best = float(np.max(values[allowed > 0]))
    weights = np.where(allowed > 0, np.exp(np.minimum(values - best, 0) / max(temperature, 1e-9)), 0.0)
    chances: Floats = weights / weights.sum()
    return chances


LEVELS = {
    "beginner": Level(lapses=85, memory=0),
    "casual": Level(effort=8000, habit=80, lapses=25, temperature=0.03, tree=1),
    "regular": Level(effort=15_000, habit=50, temperature=0.02, tree=1, learned=50),
    "expert": Level(effort=50_000, habit=30, temperature=0.01, tree=1, learned=100),
    "master": Level(effort=500_000, temperature=0.004, tree=1, learned=100),
}
"""The usual settings of each level, from weak to strong; a game may have its own (:mod:`parlour.bots.game_levels`)."""

SEARCH = "search"
"""Id of a bot for studies that searches every decision; its settings are the same in every game."""
SEARCH_LEVEL = Level(effort=15_000, temperature=0.01, tree=1, learned=100)
"""The settings of that bot."""
SEARCH_PREFIX = "search:"
"""Beginning of the id of a search with other settings."""


def level_from(bot_id: str) -> Level | None:
    """Return the settings of a search by its id; ``None`` for the id of another bot. Raises :class:`ParlourError`."""
    if bot_id == SEARCH:
        return SEARCH_LEVEL
    if not bot_id.startswith(SEARCH_PREFIX):
        return None
    try:
        return parse_level(bot_id.removeprefix(SEARCH_PREFIX))
    except ParlourError as error:
        raise ParlourError(f"the bot {bot_id!r}: {error}") from None


_SETTINGS: dict[str, tuple[type[int] | type[float], int]] = {
    "effort": (int, 10**9),
    "habit": (int, 100),
    "slips": (int, 100),
    "lapses": (int, 100),
    "memory": (int, 100),
    "temperature": (float, 100),
    "tree": (int, 1),
    "learned": (int, 100),
    "points": (int, 100),
    "belief": (int, 100),
}
"""Type and maximum of each setting of a level; the minimum is 0."""


def parse_level(text: str) -> Level:
    """Return the level for a text such as ``"effort=20000,temperature=0.02"``. Raises :class:`ParlourError`."""
    settings: dict[str, Any] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name not in _SETTINGS:
            known = ", ".join(_SETTINGS)
            raise ParlourError(f"{part!r} is no setting of a search; it has {known}, as in effort=20000")
        if name in settings:
            raise ParlourError(f"{text!r} has the setting {name} twice")
        settings[name] = _setting(name, value)
    return Level(**settings)


def _setting(name: str, value: str) -> int | float:
    """Return the value of a setting. Raises :class:`ParlourError`."""
    kind, most = _SETTINGS[name]
    with suppress(ValueError):
        if 0 <= (number := kind(value)) <= most:
            return number
    part, number_words = f"{name}={value}", "a whole number" if kind is int else "a number"
    raise ParlourError(f"{part!r} is no setting of a search: {name} is {number_words} from 0 to {most:,}")
