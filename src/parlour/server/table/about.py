"""What anyone may know of a table."""

from collections.abc import Mapping

from parlour.engine.deals import commitment_of
from parlour.engine.match import Match
from parlour.engine.views import actor_json
from parlour.server.store.store import StoredSeat, StoredTable
from parlour.server.table.company import Company, manners_of
from parlour.server.table.hints import hints_given
from parlour.server.table.messages import SeatTold, TableTold


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
        take_over=begun and not match.over and Company(manners, seats).gives_bots_seats,
        seen=seen,
        commitment=commitment_of(table.secret),
        given=table.given,
    )


def _seat_told(seat: StoredSeat | None) -> SeatTold:
    if seat is None:
        return SeatTold("", "open", False)
    return SeatTold(seat.name, "bot" if seat.bot else "person", True)
