"""New tables of one person against bots after a finished game: with the same deal, or with stronger bots."""

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


def table_again(state: TableState, choice: PlayAgain, seat_key: str, secret: str) -> StoredTable:
    """Return a new table like one whose game is over.

    Args:
        state: the table whose game is over.
        choice: the key of its only person, and the choice between the same deal and stronger bots.
        seat_key: the key of the person's seat at the new table.
        secret: the secret of a new deal; a repeated deal keeps the old one.

    Raises:
        SeatError: the key is not that of the only person at the table.
        ClosedError: the game is in progress, or the deal to be repeated is sealed.
        ParlourError: stronger bots are requested, but no bot has a higher level.
    """
    seat = state.seat_of(choice.seat_key)
    if seat is None or any(each.bot is None for other, each in state.seats.items() if other != seat):
        raise SeatError(gettext("only a player who was alone with bots can play the same again"))
    if not state.over:
        raise ClosedError(gettext("the game is not over"))
    if state.sealed and choice.what == "deal":
        raise ClosedError(sealed_reason(state))
    bots = {other: each for other, each in state.seats.items() if each.bot}
    if choice.what == "level":
        bots = {other: _stronger(each) for other, each in bots.items()}
        if all(state.seats[other] == each for other, each in bots.items()):
            levelled = any(each.bot in LEVELS for each in bots.values())
            raise ParlourError(
                gettext("there are no stronger bots")
                if levelled
                else gettext("these bots have no level, so none is one level up: choose the bots of a new table")
            )
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


def _stronger(seat: StoredSeat) -> StoredSeat:
    """Return the seat with a bot one level up; the strongest bot and bots without a level stay."""
    levels = list(LEVELS)
    return replace(seat, bot=levels[levels.index(seat.bot) + 1]) if seat.bot in levels[:-1] else seat
