"""Messages with the public facts of a table, and with the state of its people."""

import time
from collections.abc import Mapping

from parlour.engine.match import Match
from parlour.engine.matches.deals import commitment_of
from parlour.engine.observation import actor_json
from parlour.glicko import Rating
from parlour.server.store.stored_table import StoredClub, StoredSeat, StoredTable
from parlour.server.table.bots.hints import hints_given
from parlour.server.table.bots.stand_in import deadline_of
from parlour.server.table.messages import (
    ClubInfo,
    CompanyMessage,
    DailyInfo,
    DeadlineInfo,
    RatingInfo,
    SeatInfo,
    SeatRequestInfo,
    TableInfo,
    UndoRequestInfo,
)
from parlour.server.table.people.resignation import Ending
from parlour.server.table.people.seat_requests import gives_bots_seats
from parlour.server.table.ratings.levels import bot_rating
from parlour.server.table.state import TableState, manners_in
from parlour.server.table.table_setup import Manners


def table_info(
    table: StoredTable,
    match: Match,
    seats: Mapping[int, StoredSeat],
    ratings: Mapping[int, Rating | None],
    seen: int,
    sealed: bool = False,
    ending: Ending | None = None,
    deadline: DeadlineInfo | None = None,
) -> TableInfo:
    """Return the public facts of a table with ``seen`` stored events; ``sealed`` by a daily deal or a club night."""
    over = match.over or ending is not None
    begun = len(seats) == match.players
    manners = manners_in(table, match.setup)
    shown = shown_ratings(match.game.id, seats, ratings) if manners.rated else {}
    return TableInfo(
        table=table.id,
        game=match.game.id,
        title=match.game.title,
        players=match.players,
        options=match.options,
        seats=[_seat_info(seats.get(number), shown.get(number)) for number in range(match.players)],
        begun=begun,
        over=over,
        conceded=ending.seat if ending else None,
        actor=actor_json(match.actor) if begun and not ending else None,
        manners=manners,
        hints=begun and not over and not (sealed or table.club or manners.rated) and hints_given(seats, manners.hints),
        take_over=begun and not over and gives_bots_seats(manners, seats),
        seen=seen,
        commitment=commitment_of(table.secret),
        given=table.prefix_length,
        fills_in=None if begun else fills_in(manners, table.created),
        deadline=deadline,
        daily=DailyInfo(str(table.daily.day), table.daily.counts, sealed) if table.daily else None,
        club=club_info(table.club, sealed) if table.club else None,
    )


def club_info(club: StoredClub, sealed: bool) -> ClubInfo:
    """Return the club night of a table as players see it."""
    return ClubInfo(club.id, club.round, club.deal, club.counts, sealed)


def fills_in(manners: Manners, created: int) -> int | None:
    """Return the seconds until bots take the open seats of a table; ``None`` if they do not."""
    return None if manners.fill is None else max(0, created + manners.fill.seconds - int(time.time()))


def _seat_info(seat: StoredSeat | None, rating: RatingInfo | None) -> SeatInfo:
    if seat is None:
        return SeatInfo("", "open", False, None)
    return SeatInfo(seat.name, "bot" if seat.bot else "person", True, rating)


def shown_ratings(
    game: str, seats: Mapping[int, StoredSeat], people: Mapping[int, Rating | None]
) -> dict[int, RatingInfo]:
    """Return the known ratings of the seats of a rated table."""
    bots = {number: bot_rating(game, seat.bot) for number, seat in seats.items() if seat.bot}
    return {number: rating_info(each) for number, each in {**people, **bots}.items() if each is not None}


def rating_info(rating: Rating) -> RatingInfo:
    """Return a rating as players see it."""
    return RatingInfo(round(rating.value), rating.provisional)


def company_message(state: TableState, now: float) -> CompanyMessage:
    """Return the message on the people of a table and their requests."""
    presence, undo, seat = state.presence, state.undo.request, state.requests.current(now)
    return CompanyMessage(
        there=sorted(presence.people),
        away=sorted(presence.away),
        out=sorted(presence.out),
        resigned=sorted(state.resigned),
        undoable=state.undo.undoable,
        undo_request=UndoRequestInfo(undo.seat, sorted(undo.waiting)) if undo else None,
        undo_declined=state.undo.declined,
        seat_request=SeatRequestInfo(seat.id, seat.seat, seat.name, sorted(state.undecided)) if seat else None,
        clocks=state.clocks.info(now) if state.clocks else None,
        deadline=deadline_of(state),
        talk=state.manners.talk,
        opener=state.opener,
        readying=state.readying and not state.over,
    )
