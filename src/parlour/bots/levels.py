"""Playing strength of bots, from beginner to full strength, as settings of one design."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.bots.compiled_observation import CompiledObservation
from parlour.bots.policies import choose_at_random, choose_forgetfully, drawn_move
from parlour.bots.search import Search
from parlour.engine.arrays import Bools, Floats, Int64s
from parlour.engine.chance import random_below, random_bits
from parlour.engine.errors import GameError, ParlourError
from parlour.engine.moves import Move


@dataclass(frozen=True)
class Level:
    """Settings of a bot's decisions.

    Attributes:
        effort: the simulation budget of a decision, in players' actions; 0 for no search.
        habit: the percentage of decisions in which the bot follows the heuristic instead.
        slips: the percentage of decisions in which the bot plays a uniformly random legal action.
        memory: the percentage of publicly seen cards that the bot remembers when it follows the heuristic.
        temperature: the temperature of the softmax over values, as a probability of winning: an action that is worse
            than the best one by this much is chosen about a third as often. Actions that seem worse than the
            heuristic's are never chosen.
        tree: 1 to search turns of several actions by a tree of information sets, 0 to search all turns by one ply.
    """

    effort: int = 0
    habit: int = 0
    slips: int = 0
    memory: int = 100
    temperature: float = 0.0
    tree: int = 0

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
        if self.effort == 0 or random_below(observation.random, 100) < self.habit:
            return choose_forgetfully(observation, self.memory)
        return None

    def look_ahead(self, observation: CompiledObservation) -> Move:
        """Return the move drawn from the mixed strategy of a search."""
        return drawn_move(*self.weigh(observation), observation.random)

    def weigh(self, observation: CompiledObservation) -> tuple[Int64s, Floats]:
        """Search; return the moves and the probability of each in the mixed strategy."""
        search = search_for(observation)
        search.think(self.effort, bool(self.tree))
        return search.moves, mixed_strategy(search.values, search.eligible(), self.temperature)

    def chances(self, observation: CompiledObservation) -> Floats:
        """Return the probability of each of ``observation.moves``.

        They are estimated by one search; another random stream may give others.
        """
        number = len(observation.moves)
        by_habit: Floats = np.equal(observation.moves, choose_forgetfully(observation, self.memory)).astype(float)
        by_search = None
        if self.effort and number > 1:
            moves, chances = self.weigh(observation)
            by_search = np.zeros(number)
            by_search[[int(np.flatnonzero(observation.moves == move)[0]) for move in moves]] = chances
        return self.mixture(by_habit, by_search)

    def mixture(self, by_habit: Floats, by_search: Floats | None) -> Floats:
        """Return the probability of each action from those of the heuristic's choice and of the search, if any."""
        habit = self.habit / 100 if self.effort and by_search is not None else 1.0
        careful = by_habit if by_search is None else habit * by_habit + (1 - habit) * by_search
        number = len(by_habit)
        mean: Floats = self.slips / 100 / number + (1 - self.slips / 100) * careful
        return mean


def search_for(observation: CompiledObservation) -> Search:
    """Return a new search for an observation; its seed comes from the observation's stream.

    Raises :class:`GameError` if the game's heuristic is faulty.
    """
    try:
        return Search(observation.state, observation.seat, observation.moves, random_bits(observation.random))
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


_SETTINGS: dict[str, tuple[type, int]] = {
    "effort": (int, 10**12),
    "habit": (int, 100),
    "slips": (int, 100),
    "memory": (int, 100),
    "temperature": (float, 100),
    "tree": (int, 1),
}
"""Type and maximum of each setting of a search; the minimum is 0."""


def parse_level(text: str) -> Level:
    """Return the level for a text such as ``"effort=20000,temperature=0.02"``. Raises :class:`ParlourError`."""
    settings: dict[str, Any] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            kind, most = _SETTINGS[name]
            settings[name] = kind(value)
        except (KeyError, ValueError):
            known = ", ".join(_SETTINGS)
            raise ParlourError(f"{part!r} is no setting of a search; it has {known}, as in effort=20000") from None
        if not 0 <= settings[name] <= most:
            raise ParlourError(f"{part!r} is no setting of a search: {name} is from 0 to {most:,}")
    return Level(**settings)
