"""Observation of a seat in compiled form, for the built-in bots."""

from dataclasses import dataclass

import numpy as np

from parlour.engine.arrays import Int64s, Stream
from parlour.engine.match import Match
from parlour.engine.typed_state import OwnState


@dataclass(frozen=True)
class CompiledObservation:
    """Input of a built-in bot's decision.

    Attributes:
        game: the game's id.
        state: the observed state of the seat: unknown cards are masked.
        seat: the seat to act.
        moves: the legal moves, at least one.
        random: the bot's own random stream.
    """

    game: str
    state: OwnState
    seat: int
    moves: Int64s
    random: Stream


def compiled_observation_of(match: Match, random: Stream) -> CompiledObservation:
    """Return the compiled observation of the seat to act. Raises ``ValueError`` if no seat is to act."""
    if match.actor < 0:
        raise ValueError("no seat is to act")
    moves = np.array(match.moves(), np.int64)
    return CompiledObservation(match.game.id, match.observed(match.actor), match.actor, moves, random)
