"""The rematch after a finished game: its seats, and the message that announces it."""

from collections.abc import Mapping

from parlour.engine.observation import SPECTATOR
from parlour.server.store.stored_table import StoredRematch, StoredSeat
from parlour.server.table.messages import RematchMessage


def next_seat(seat: int, players: int) -> int:
    """Return the seat in the rematch of the player who has this seat."""
    return (seat + 1) % players


def rematch_message(rematch: StoredRematch, seats: Mapping[int, StoredSeat], players: int, seat: int) -> RematchMessage:
    """Return the message to a seat about a rematch that a player has proposed."""
    by = [
        at
        for at, own in seats.items()
        if own.key_hash and rematch.key_hashes.get(next_seat(at, players)) == own.key_hash
    ]
    return RematchMessage(rematch.table, seat if seat == SPECTATOR else next_seat(seat, players), sorted(by))
