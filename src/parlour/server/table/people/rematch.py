"""The rematch after a finished game: its seats, the message that proposes it, and the players who come."""

from contextlib import suppress
from typing import Any, Protocol

from parlour.engine.rules import SPECTATOR
from parlour.server.store.database import StoreError
from parlour.server.store.store import Store
from parlour.server.store.stored_table import StoredRematch
from parlour.server.store.table_rows import rematch_after, seat_before
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


async def seat_at_hello(table: RematchTable, store: Store, key: str) -> int | None:
    """Return the seat that a key opens, if any. A player who comes to a rematch with the former key takes one.

    For a player who comes back to a table, its rematch is read again: others may have taken seats there meanwhile.
    """
    state = table.state
    seat = state.seat_of(key)
    if seat is None:
        return await _take_seat(table, store, key)
    if state.rematch is not None:
        with suppress(StoreError):  # the table is shown all the same, with the rematch as it was
            state.rematch = await store.run(store.read, rematch_after, state.id)
    return seat


async def _take_seat(table: RematchTable, store: Store, key: str) -> int | None:
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


def rematch_message(rematch: StoredRematch, state: TableState, seat: int) -> RematchMessage:
    """Return the message to a seat of a table about the rematch that a player has proposed.

    The seat's player has no seat there if another person has taken it: the player's keys do not open it any more.
    """
    players = state.match.players
    by = sorted(at for at in state.seats if rematch.key_hashes.get(next_seat(at, players)) in _hashes_of(state, at))
    own = SPECTATOR if seat == SPECTATOR else next_seat(seat, players)
    taken = own in rematch.key_hashes and seat not in by
    return RematchMessage(rematch.table, SPECTATOR if taken else own, by, rematch.taken == players)


def _hashes_of(state: TableState, seat: int) -> set[str]:
    """Return the hashes of the keys that open a seat: its own, and those of the players linked with it."""
    return {state.seats[seat].key_hash or "", *(player for at, player in state.links if at == seat)} - {""}
