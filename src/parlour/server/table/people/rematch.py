"""The rematch after a finished game: its seats, and the message that announces it."""

from collections.abc import Mapping

from parlour.engine.observation import SPECTATOR
from parlour.server.store.stored_table import StoredRematch, StoredSeat
from parlour.server.table.messages import RematchMessage


def next_seat(seat: int, players: int) -> int:
    """Return the seat in the rematch of the player who has this seat."""
    return (seat + 1) % players


def rematch_message(rematch: StoredRematch, seats: Mapping[int, StoredSeat], players: int, seat: int) -> RematchMessage:
    """Return the message to a seat: the table of the rematch, and the seat there, if it was reserved."""
    reserved = SPECTATOR
    if seat != SPECTATOR and rematch.key_hashes.get(next_seat(seat, players)) == seats[seat].key_hash:
        reserved = next_seat(seat, players)
    return RematchMessage(rematch.table, reserved)
