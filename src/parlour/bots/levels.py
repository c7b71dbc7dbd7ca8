"""How well a bot plays: from a beginner to the full strength, as steps of one design."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.bots.policies import choose_at_random, choose_forgetfully
from parlour.bots.search import Floats, Search
from parlour.bots.sight import Sight
from parlour.engine.chance import random_below, random_bits
from parlour.engine.errors import ParlourError


@dataclass(frozen=True)
class Level:
    """How a bot comes to its decisions.

    Attributes:
        effort: how many players' actions it plays in its head for a decision; 0 if it never looks ahead.
        habit: in how many of 100 decisions it follows the heuristic instead.
        slips: in how many of 100 decisions it does anything that is legal.
        memory: of 100 cards that everyone has seen, how many it remembers when it follows the heuristic.
        temperature: how freely it chooses among actions of nearly the same worth, as a chance to win: an action worse
            by that much than the best is chosen about a third as often, but none that seems worse than the heuristic's.
        tree: 1 if it grows a tree of information sets, instead of looking one ahead, for turns of several actions.
    """

    effort: int = 0
    habit: int = 0
    slips: int = 0
    memory: int = 100
    temperature: float = 0.0
    tree: int = 0

    def choose(self, sight: Sight) -> int:
        """One of the legal actions."""
        chosen = self.at_once(sight)
        return self.look_ahead(sight) if chosen is None else chosen

    def at_once(self, sight: Sight) -> int | None:
        """What is chosen without looking ahead; ``None`` if this time it is looked ahead."""
        if len(sight.actions) == 1:
            return int(sight.actions[0])
        if random_below(sight.random, 100) < self.slips:
            return choose_at_random(sight)
        if self.effort == 0 or random_below(sight.random, 100) < self.habit:
            return choose_forgetfully(sight, self.memory)
        return None

    def look_ahead(self, sight: Sight) -> int:
        """The action to be played by search, drawn from the mixed strategy."""
        actions, chances = self.weigh(sight)
        drawn = random_bits(sight.random) / 2**32
        return int(actions[min(int(np.searchsorted(np.cumsum(chances), drawn)), len(chances) - 1)])

    def weigh(self, sight: Sight) -> tuple[Any, Floats]:
        """The actions, and with which chances one of them is drawn by who looks ahead."""
        search = search_for(sight)
        search.think(self.effort, bool(self.tree))
        return search.actions, mixed(search.values, search.eligible(), self.temperature)

    def chances(self, sight: Sight) -> Floats:
        """The probability of each of ``sight.actions``, as estimated by one search; another stream may give others."""
        number = len(sight.actions)
        careful: Floats = np.equal(sight.actions, choose_forgetfully(sight, self.memory)).astype(float)
        if self.effort and number > 1:
            actions, chances = self.weigh(sight)
            looked = np.zeros(number)
            looked[[int(np.flatnonzero(sight.actions == action)[0]) for action in actions]] = chances
            careful = self.habit / 100 * careful + (1 - self.habit / 100) * looked
        mean: Floats = self.slips / 100 / number + (1 - self.slips / 100) * careful
        return mean


def search_for(sight: Sight) -> Search:
    """A search that has not begun, for what a sight shows; its chance comes from the sight's stream."""
    return Search(sight.state, sight.seat, sight.actions, random_bits(sight.random))


def mixed(values: Floats, allowed: Any, temperature: float) -> Floats:
    """The strategy that is best when its randomness (entropy, times ``temperature``) counts too: the softmax.

    A player whose choice can be foreseen can be exploited where cards are hidden; the mean loss by mixing is less than
    the temperature times the logarithm of the number of actions. ``allowed`` is 0 for what is never chosen.
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
"""What can be set, and how high."""


def parse_level(text: str) -> Level:
    """``"effort=20000,temperature=0.02"``: a level for study. Raises :class:`ParlourError`."""
    given: dict[str, Any] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            kind, most = _SETTINGS[name]
            given[name] = kind(value)
        except (KeyError, ValueError):
            known = ", ".join(_SETTINGS)
            raise ParlourError(f"{part!r} is no setting of a search; it has {known}, as in effort=20000") from None
        if not 0 <= given[name] <= most:
            raise ParlourError(f"{part!r} is no setting of a search: {name} is from 0 to {most:,}")
    return Level(**given)
