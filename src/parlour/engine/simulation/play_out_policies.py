"""The players of play-outs: random play, the heuristic, a function of a batch, or a bot."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from parlour.engine.arrays import Int64s
from parlour.engine.errors import ParlourError
from parlour.engine.observation import Observation
from parlour.engine.rules import CERTAIN
from parlour.engine.setup import Setup
from parlour.engine.validation import as_whole, shown

RANDOM, HEURISTIC = "random", "heuristic"
GAME, ROUND = "game", "round"


class Chooser(Protocol):
    """A bot, as far as a play-out needs it."""

    def choose(self, observation: Observation) -> str | int:
        """Return one of the legal actions."""


class PlayableGames(Protocol):
    """A batch, as far as its players need it."""

    setup: Setup

    @property
    def actors(self) -> Int64s:
        """The seat to act in each game."""

    def observation(self, game: int) -> Observation:
        """Return the observation of the seat to act in a game."""


Player = str | Callable[[Any], Any] | Chooser
"""The player of a play-out: ``RANDOM``, ``HEURISTIC``, a function from a batch to its actions, or a bot."""


def is_by_round(until: str) -> bool:
    """Return whether a play-out ends with the round. Raises :class:`ParlourError`."""
    if until not in (GAME, ROUND):
        raise ParlourError(f"until is {GAME!r} or {ROUND!r}, not {shown(until)}")
    return until == ROUND


def by_heuristic(by: str) -> bool:
    """Return whether a compiled play-out is by the heuristic. Raises :class:`ParlourError`."""
    if by not in (RANDOM, HEURISTIC):
        raise ParlourError(f"by is {RANDOM!r} or {HEURISTIC!r}, not {shown(by)}")
    return by == HEURISTIC


def rate_of(share: float) -> int:
    """Return a share from 0 to 1 in 1/:data:`CERTAIN`. Raises :class:`ParlourError`."""
    if not isinstance(share, int | float) or not 0 <= share <= 1:
        raise ParlourError(f"careless is a share from 0 to 1, not {shown(share)}")
    return round(share * CERTAIN)


def chooser(by: Any) -> Callable[[Any], Int64s]:
    """Return the function that chooses an action in each game of a batch. Raises :class:`ParlourError`."""
    if isinstance(by, type) or not (callable(by) or hasattr(by, "choose")):
        raise ParlourError(f"by is {RANDOM!r}, {HEURISTIC!r}, a function of a batch or a bot, not {shown(by)}")
    if not hasattr(by, "choose"):
        function: Callable[[Any], Int64s] = by
        return function

    def choose(batch: PlayableGames) -> Int64s:
        chosen = np.zeros_like(batch.actors)
        for game in np.flatnonzero(batch.actors >= 0).tolist():
            action = by.choose(batch.observation(game))
            number = as_whole(action) if not isinstance(action, str) else batch.setup.action_numbers.get(action)
            if number is None:
                raise ParlourError(f"a bot in a play-out chose {shown(action)}, which is no action")
            chosen[game] = number
        return chosen

    return choose
