"""What a table shows of its game besides the scenes at the table: the record, and the scenes of a replay."""

from typing import Any

from parlour.engine.matches.records import Record
from parlour.engine.observation import SPECTATOR
from parlour.server.table.replays import ClosedError, ReplaySlice, scenes_of
from parlour.server.table.services import Services
from parlour.server.table.state import TableState

SEALED = "this is a deal of the day, which others still have to play: it is shown to all when the day is over"


def disclosed_record(state: TableState) -> Record:
    """Return the record of a finished game.

    Raises:
        ClosedError: the game is not over, or sealed.
    """
    record = state.record()
    if record is None:
        raise ClosedError("the game is not over: its record would show hidden cards")
    if state.sealed:
        raise ClosedError(SEALED)
    return record


def reviewed_record(state: TableState) -> Record:
    """Return the record of a finished game for a review.

    Raises:
        ClosedError: the game is not over, or sealed, or ended by resignation.
    """
    if state.ending is not None:
        raise ClosedError("a game that ended by resignation has no review: its numbers lead up to a result")
    return disclosed_record(state)


async def replayed_scenes(
    state: TableState, services: Services, part: ReplaySlice, key: str | None
) -> list[dict[str, Any]]:
    """Return the scenes of a part of a game.

    Before the game's end only the spectators' and the key's own view; in a sealed game only the key's own.

    Raises:
        ClosedError: the game is not over or sealed, and the viewer is another one.
    """
    own = key is not None and part.viewer == state.seat_of(key)
    if not own and state.sealed:
        raise ClosedError(SEALED)
    if not (state.over or own or part.viewer == SPECTATOR):
        raise ClosedError("the game is not over: that view would show hidden cards")
    match = state.match
    played = (match.game, match.players, match.options, list(match.events))
    return await services.compute(scenes_of, *played, state.names, part, state.over, state.ending)
