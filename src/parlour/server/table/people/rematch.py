"""The rematch after a finished game: its seats, the message that proposes it, and the players who come."""

from collections.abc import Mapping
from typing import Any, Protocol

from parlour.engine.observation import SPECTATOR
from parlour.server.store.store import Store
from parlour.server.store.stored_table import StoredRematch, StoredSeat
from parlour.server.store.table_rows import seat_before
from parlour.server.table.messages import RematchMessage
from parlour.server.table.people.keys import key_hash
from parlour.server.table.people.seat_requests import SeatApplication, SeatError
from parlour.server.table.state import TableState


class RematchTable(Protocol):
    """The table of a rematch."""

    state: TableState

    async def take_seat(self, application: SeatApplication) -> dict[str, Any]:
        """Give a person an open seat. Raises :class:`SeatError` if it is not available."""


def next_seat(seat: int, players: int) -> int:
    """Return the seat in the rematch of the player who has this seat."""
    return (seat + 1) % players


async def take_seat_in_rematch(table: RematchTable, store: Store, key: str) -> int | None:
    """Take the seat in a rematch that is meant for the player with this key at the former table, if it is open.

    Return ``None`` if the table is no rematch or has begun, and for other keys.
    """
    state = table.state
    before = None if state.begun else await store.run(store.read, seat_before, state.id, key_hash(key))
    if before is None:
        return None
    seat, name = next_seat(before[0], state.match.players), before[1]
    try:
        await table.take_seat(SeatApplication(seat, name, key, own_key=True, request=""))
    except SeatError:  # another person has taken it
        return None
    return seat


def rematch_message(rematch: StoredRematch, seats: Mapping[int, StoredSeat], players: int, seat: int) -> RematchMessage:
    """Return the message to a seat about a rematch that a player has proposed."""
    by = [
        at
        for at, own in seats.items()
        if own.key_hash and rematch.key_hashes.get(next_seat(at, players)) == own.key_hash
    ]
    return RematchMessage(rematch.table, seat if seat == SPECTATOR else next_seat(seat, players), sorted(by))
