"""The other game after one that is over: who sits where in it, and what each seat is told of it."""

from collections.abc import Mapping

from parlour.engine.observation import SPECTATOR
from parlour.server.store.store import Following, StoredSeat
from parlour.server.table.messages import RematchMessage


def turned(seat: int, players: int) -> int:
    """The seat that somebody has in the other game."""
    return (seat + 1) % players


def rematch_message(following: Following, seats: Mapping[int, StoredSeat], players: int, seat: int) -> RematchMessage:
    """The message that tells a seat of the other game, and its own seat there, if that was kept for it."""
    there = SPECTATOR
    if seat != SPECTATOR and following.key_hashes.get(turned(seat, players)) == seats[seat].key_hash:
        there = turned(seat, players)
    return RematchMessage(following.table, there)
