"""What anyone may know of a table, and what those who are there are told of each other."""

from collections.abc import Mapping

from parlour.engine.deals import commitment_of
from parlour.engine.match import Match
from parlour.engine.observation import actor_json
from parlour.server.store.store import StoredSeat, StoredTable
from parlour.server.table.hints import hints_given
from parlour.server.table.messages import AskingTold, CompanyMessage, SeatTold, TableTold, WishTold
from parlour.server.table.seat_requests import gives_bots_seats
from parlour.server.table.state import TableState, manners_of


def about(table: StoredTable, match: Match, seats: Mapping[int, StoredSeat], seen: int) -> TableTold:
    """What anyone may know of a table where ``seen`` events have been stored."""
    begun = len(seats) == match.players
    manners = manners_of(table)
    return TableTold(
        table=table.id,
        game=match.game.id,
        title=match.game.title,
        players=match.players,
        options=match.options,
        seats=[_seat_told(seats.get(number)) for number in range(match.players)],
        begun=begun,
        over=match.over,
        actor=actor_json(match.actor) if begun else None,
        manners=manners.model_dump(),
        hints=hints_given(seats, manners.hints),
        take_over=begun and not match.over and gives_bots_seats(manners, seats),
        seen=seen,
        commitment=commitment_of(table.secret),
        given=table.given,
    )


def _seat_told(seat: StoredSeat | None) -> SeatTold:
    if seat is None:
        return SeatTold("", "open", False)
    return SeatTold(seat.name, "bot" if seat.bot else "person", True)


def company_of(state: TableState, now: float) -> CompanyMessage:
    """Who is there and what is going on among them."""
    presence, wish, request = state.presence, state.taking_back.wish, state.requests.current(now)
    asking = AskingTold(request.id, request.seat, request.name, sorted(state.unasked)) if request else None
    return CompanyMessage(
        there=sorted(presence.people),
        away=sorted(presence.away),
        out=sorted(presence.out),
        undoable=state.taking_back.undoable,
        wish=WishTold(wish.by, sorted(wish.waiting)) if wish else None,
        asking=asking,
        clocks=state.clocks.told(now) if state.clocks else None,
        talk=state.manners.talk,
        opener=state.opener,
        readying=state.readying,
    )
