"""What a bot decides by."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.engine.match import Match


@dataclass(frozen=True)
class CompiledObservation:
    """What a bot decides by.

    Attributes:
        game: the game's id.
        state: the veiled state of its seat.
        seat: its seat, which is to act.
        actions: the numbers of the legal actions, of which there is at least one.
        random: the bot's own stream of chance.
    """

    game: str
    state: Any
    seat: int
    actions: "np.ndarray[Any, np.dtype[np.int64]]"
    random: Any


def compiled_observation_of(match: Match, random: Any) -> CompiledObservation:
    """What the seat to act may decide by. Raises ``ValueError`` if no seat is to act."""
    if match.actor < 0:
        raise ValueError("no seat is to act")
    actions = np.array(match.actions(), np.int64)
    return CompiledObservation(match.game.id, match.observed(match.actor), match.actor, actions, random)
