"""New tables of one person against bots after a finished game: with the same deal, or with bots of another level."""

from collections.abc import Mapping
from dataclasses import replace

from parlour.bots import LEVELS
from parlour.engine.errors import ParlourError
from parlour.languages import gettext
from parlour.server.store.stored_table import StoredSeat, StoredTable
from parlour.server.table.people.keys import key_hash
from parlour.server.table.people.seat_requests import SeatError
from parlour.server.table.replays import ClosedError, sealed_reason
from parlour.server.table.state import TableState
from parlour.server.table.table_ids import new_table_id
from parlour.server.table.table_setup import PlayAgain

_STEPS = {"level": 1, "lower": -1}
"""The levels up or down of each choice with another deal."""


def levels_beside(state: TableState, seat_key: str) -> dict[str, str | None]:
    """Return the levels of the strongest bots at the tables one level up and down; ``None`` where no bot changes.

    Raises:
        SeatError, ClosedError: as :func:`table_again`.
    """
    _check(state, seat_key)
    return {what: _strongest(bots) if (bots := _shifted(state, step)) else None for what, step in _STEPS.items()}


def table_again(state: TableState, choice: PlayAgain, seat_key: str, secret: str) -> StoredTable:
    """Return a new table like one whose game is over.

    Args:
        state: the table whose game is over.
        choice: the key of its only person, and the choice between the same deal and bots one level up or down.
        seat_key: the key of the person's seat at the new table.
        secret: the secret of a new deal; a repeated deal keeps the old one.

    Raises:
        SeatError: the key is not that of the only person at the table.
        ClosedError: the game is in progress, or the deal to be repeated is sealed.
        ParlourError: another level is requested, and no bot has one.
    """
    seat = _check(state, choice.seat_key)
    if state.sealed and choice.what == "deal":
        raise ClosedError(sealed_reason(state))
    bots = _bots_of(state)
    if choice.what != "deal" and not (bots := _shifted(state, _STEPS[choice.what])):
        raise ParlourError(_no_level(state, choice.what))
    person = replace(state.seats[seat], key_hash=key_hash(seat_key))
    manners = {**state.manners.to_store(), "opener": seat}
    if choice.what == "deal":
        manners.pop("rated", None)  # the player knows the cards
    opened = state.opened
    prefix_length = opened.prefix_length if choice.what == "deal" else 0
    return replace(
        opened,
        id=new_table_id(),
        seats={**bots, seat: person},
        secret=opened.secret if choice.what == "deal" else secret,
        events=tuple(state.match.events[:prefix_length]),
        prefix_length=prefix_length,
        manners=manners,
        closed=False,
        daily=None,
        club=None,
    )


def _check(state: TableState, seat_key: str) -> int:
    """Return the seat of the only person at a table whose game is over, which the key opens.

    Raises:
        SeatError: the key is not that of the only person at the table.
        ClosedError: the game is in progress.
    """
    seat = state.seat_of(seat_key)
    if seat is None or any(each.bot is None for other, each in state.seats.items() if other != seat):
        raise SeatError(gettext("only a player who was alone with bots can play the same again"))
    if not state.over:
        raise ClosedError(gettext("the game is not over"))
    return seat


def _bots_of(state: TableState) -> dict[int, StoredSeat]:
    return {number: seat for number, seat in state.seats.items() if seat.bot}


def _shifted(state: TableState, step: int) -> dict[int, StoredSeat]:
    """Return the seats of the bots with levels one step higher or lower; empty if no bot has such a level.

    A bot without a level, or with the last one, stays.
    """
    bots, levels = _bots_of(state), list(LEVELS)
    shifted = {}
    for number, seat in bots.items():
        at = levels.index(seat.bot) + step if seat.bot in levels else -1
        shifted[number] = replace(seat, bot=levels[at]) if at in range(len(levels)) else seat
    return {} if shifted == bots else shifted


def _strongest(bots: Mapping[int, StoredSeat]) -> str:
    """Return the highest level among bots."""
    return max((seat.bot for seat in bots.values() if seat.bot in LEVELS), key=list(LEVELS).index)


def _no_level(state: TableState, what: str) -> str:
    """Return the reason why no bot has the level of a choice."""
    if not any(seat.bot in LEVELS for seat in _bots_of(state).values()):
        return gettext("these bots have no level: choose the bots of a new table")
    return gettext("there are no stronger bots") if what == "level" else gettext("there are no weaker bots")
