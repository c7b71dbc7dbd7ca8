"""Players in the database: their names, the hashes of their keys, and their games."""

import json
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sql

from parlour.languages import gettext
from parlour.server.store.daily import Score
from parlour.server.store.daily_tables import DAILY_PLAYS, date_of
from parlour.server.store.database import EVENTS, SEATS, TABLES
from parlour.server.store.locks import TransactionLock, hold
from parlour.server.store.orders import give_order
from parlour.server.store.people.guest_names import chosen_name
from parlour.server.store.people.player_tables import (
    CLUB_COLUMNS,
    CLUB_GAMES,
    CLUB_PLAYERS,
    CLUBS,
    PLAYER_GAMES,
    PLAYERS,
)
from parlour.server.store.people.ratings import SecondSeatError, claim_seat, copy_seats, forget_ratings
from parlour.server.store.people.subscriptions import remove_subscriptions_of_player
from parlour.server.store.stored_table import StoredClub
from parlour.server.store.table_rows import club_of

LINKS = "links"
"""The order by which running tables read the players of their seats again."""
MOST_LINKS = 6
"""Maximum number of players linked with one seat: a person may have several devices with different keys."""
_GAMES = PLAYER_GAMES.c


@dataclass(frozen=True)
class Other:
    """The occupant of another seat: the name, and the id of the bot, if it is one."""

    name: str
    bot: str | None


@dataclass(frozen=True)
class PlayedDaily:
    """The daily deal of a game.

    Attributes:
        day: the day.
        own: whether it is the player's try at the deal. A game that is carried over from another device is not.
        scored: whether its result is stored. A game that was finished too late has none.
    """

    day: date
    own: bool
    scored: bool


@dataclass(frozen=True)
class PlayedGame:
    """A game of a player.

    Attributes:
        table: the table's id.
        seat: the player's seat.
        game: the game's id.
        players: the number of players.
        options: the options that differ from their defaults.
        at: the time at which the table was opened, or of the last event of a finished game, in seconds since 1970.
        others: the occupants of the other seats.
        score: the result; ``None`` before the end of the game.
        review: the findings of the review, as JSON values; ``None`` while unknown.
        kept: whether the table exists, so that the game can be shown.
        daily: the daily deal that this game plays, unless it was begun for practice; else ``None``.
        club: the club night of the game; ``None``: none.
    """

    table: str
    seat: int
    game: str
    players: int
    options: Mapping[str, Any]
    at: int
    others: Sequence[Other]
    score: Score | None = None
    review: Mapping[str, Any] | None = None
    kept: bool = True
    daily: PlayedDaily | None = None
    club: StoredClub | None = None


@dataclass(frozen=True)
class ListPlace:
    """The place of a game in its player's list: whether it is over, its time and its table."""

    over: bool
    at: int
    table: str


@dataclass(frozen=True)
class Selection:
    """A part of a player's games: the unfinished ones, then the finished ones, each the newest first.

    Attributes:
        most: the maximum number of games.
        before: the place of the last game of the part before this one; ``None``: the first part.
        game: the id of the only game; empty: all games.
        over: whether only finished games are meant.
    """

    most: int
    before: ListPlace | None = None
    game: str = ""
    over: bool = False


class LinkError(Exception):
    """The seat cannot be linked with the player; the text gives the reason."""


def _second_seat() -> LinkError:
    return LinkError(gettext("this table is in the list already, with another seat"))


def link(
    connection: sql.Connection, player: str, name: str, game: PlayedGame, rated: bool = False, late: bool = False
) -> bool:
    """Link a seat with a player, by the hash of the player's key. Return whether the link is new.

    A link gives the player this name, unless it is that of a guest. Links that are repeated or ``late``, and links of a
    seat with another player, rename no known player: they carry games over from another device or time.

    At a ``rated`` table the first player of a seat is the one whose rating the result changes, unless the link is
    ``late``.

    Raises:
        LinkError: the player has another seat at this table, or the seat has too many players.
    """
    created = sql.select(TABLES.c.created).where(TABLES.c.id == game.table)
    opened = connection.execute(created.with_for_update(key_share=True)).scalar_one_or_none()  # one link at a time
    linked = connection.execute(sql.select(_GAMES.player, _GAMES.seat).where(_GAMES.table_id == game.table)).all()
    if own := [row.seat for row in linked if row.player == player]:
        if own[0] != game.seat:
            raise _second_seat()
        return False
    if sum(row.seat == game.seat for row in linked) >= MOST_LINKS:
        raise LinkError(gettext("this seat is in the lists of too many players"))
    if rated:
        try:
            claim_seat(connection, game.table, game.seat, player, game.game, late)
        except SecondSeatError:
            raise _second_seat() from None
    _keep_name(connection, player, chosen_name(name), late or any(row.seat == game.seat for row in linked))
    row = {"player": player, "table_id": game.table, "seat": game.seat, "game": game.game, "players": game.players}
    more = {"options": json.dumps(dict(game.options)), "at": opened or int(time.time())}
    connection.execute(sql.insert(PLAYER_GAMES).values({**row, **more}))
    return True


def _keep_name(connection: sql.Connection, player: str, name: str, carried: bool) -> None:
    """Store the name of a new player, or a chosen name that does not come with a seat that is ``carried`` over."""
    own = PLAYERS.c.player == player
    if connection.execute(sql.select(PLAYERS.c.name).where(own)).first() is None:
        connection.execute(sql.insert(PLAYERS).values(player=player, name=name))
    elif name and not carried:
        connection.execute(sql.update(PLAYERS).where(own).values(name=name))


def links_of(connection: sql.Connection, table_id: str) -> list[tuple[int, str]]:
    """Return the seats of a table with their players, by the hashes of the players' keys."""
    rows = connection.execute(sql.select(_GAMES.seat, _GAMES.player).where(_GAMES.table_id == table_id))
    return [(row.seat, row.player) for row in rows]


def copy_links(
    connection: sql.Connection, table_id: str, rematch: str, seats: Mapping[int, int], rated: bool = False
) -> None:
    """Link the seats of a rematch with the players of a table; ``seats`` has the new seats by the old ones.

    In a ``rated`` rematch a rated seat that has lost its player, or was linked too late, has one of its other players.
    """
    rated = rated and copy_seats(connection, table_id, rematch, seats)
    for row in connection.execute(sql.select(PLAYER_GAMES).where(_GAMES.table_id == table_id)).all():
        if row.seat in seats:
            same = {"player": row.player, "game": row.game, "players": row.players, "options": row.options}
            new = {**same, "table_id": rematch, "seat": seats[row.seat], "at": int(time.time())}
            connection.execute(sql.insert(PLAYER_GAMES).values(new))
            if rated:
                claim_seat(connection, rematch, seats[row.seat], row.player, row.game)


def keep_results(
    connection: sql.Connection, table_id: str, scores: Mapping[int, Score], occupants: Mapping[int, Other]
) -> None:
    """Store the results of linked seats, once for each link."""
    ended = connection.execute(sql.select(sql.func.max(EVENTS.c.at)).where(EVENTS.c.table_id == table_id)).scalar_one()
    for seat, score in scores.items():
        others = [[each.name, each.bot] for number, each in sorted(occupants.items()) if number != seat]
        this = (_GAMES.table_id == table_id) & (_GAMES.seat == seat) & _GAMES.won.is_(None)
        values = {"others": json.dumps(others), "at": ended, "won": int(score.won)}
        values |= {"points": score.points, "against": score.against}
        connection.execute(sql.update(PLAYER_GAMES).where(this).values(values))


def keep_finding(connection: sql.Connection, table_id: str, seat: int, review: Mapping[str, Any]) -> None:
    """Store the findings of a game's review about a seat."""
    this = (_GAMES.table_id == table_id) & (_GAMES.seat == seat)
    connection.execute(sql.update(PLAYER_GAMES).where(this).values(review=json.dumps(dict(review))))


def name_of(connection: sql.Connection, player: str) -> str | None:
    """Return the name of a player, empty for a guest, ``None`` if there is no such player."""
    named = sql.select(PLAYERS.c.name).where(PLAYERS.c.player == player)
    daily = sql.select(DAILY_PLAYS.c.name).where(DAILY_PLAYS.c.player == player).order_by(DAILY_PLAYS.c.day.desc())
    name: str | None = connection.execute(named).scalar_one_or_none()
    if not name:
        name = connection.execute(daily).scalars().first() or name
    return None if name is None else chosen_name(name)


def games_of(connection: sql.Connection, player: str, part: Selection) -> list[PlayedGame]:
    """Return a part of a player's games."""
    daily = (DAILY_PLAYS.c.table_id == _GAMES.table_id) & (DAILY_PLAYS.c.counts == 1)
    try_of = (DAILY_PLAYS.c.day, DAILY_PLAYS.c.player.label("daily_player"), DAILY_PLAYS.c.won.label("daily_won"))
    query = sql.select(PLAYER_GAMES, TABLES.c.id, *try_of, *CLUB_COLUMNS).where(_GAMES.player == player)
    query = query.outerjoin(TABLES, TABLES.c.id == _GAMES.table_id).outerjoin(DAILY_PLAYS, daily)
    query = query.outerjoin(CLUB_GAMES, CLUB_GAMES.c.table_id == _GAMES.table_id)
    query = query.outerjoin(CLUBS, CLUBS.c.id == CLUB_GAMES.c.club)
    over = sql.case((_GAMES.won.is_(None), 0), else_=1)
    if (last := part.before) is not None:
        older = (_GAMES.at < last.at) | ((_GAMES.at == last.at) & (_GAMES.table_id < last.table))
        query = query.where((over > int(last.over)) | ((over == int(last.over)) & older))
    if part.game:
        query = query.where(_GAMES.game == part.game)
    if part.over:
        query = query.where(_GAMES.won.is_not(None))
    rows = connection.execute(query.order_by(over, _GAMES.at.desc(), _GAMES.table_id.desc()).limit(part.most)).all()
    running = [row.table_id for row in rows if row.won is None]
    seats = connection.execute(sql.select(SEATS).where(SEATS.c.table_id.in_(running)).order_by(SEATS.c.seat)).all()
    return [_game_of(row, seats) for row in rows]


def _game_of(row: Any, seats: Iterable[Any]) -> PlayedGame:
    """Return a game from its row, and from the seats of running games."""
    if row.won is None:
        at_table = [each for each in seats if each.table_id == row.table_id and each.seat != row.seat]
        others = [Other(each.name, each.bot) for each in at_table]
        score = None
    else:
        others = [Other(name, bot) for name, bot in json.loads(row.others)]
        score = Score(bool(row.won), row.points, row.against)
    return PlayedGame(
        row.table_id,
        row.seat,
        row.game,
        row.players,
        json.loads(row.options),
        row.at,
        others,
        score,
        json.loads(row.review) if row.review else None,
        kept=row.id is not None,
        daily=_daily_of(row),
        club=club_of(row),
    )


def _daily_of(row: Any) -> PlayedDaily | None:
    if row.day is None:
        return None
    return PlayedDaily(date_of(row.day), row.daily_player == row.player, row.daily_won is not None)


def forget_player(connection: sql.Connection, player: str) -> list[str]:
    """Remove a player with all links, subscriptions, results and ratings; results of daily deals stay without the name.

    Returns:
        The ids of the tables that were linked; none if there is no such player.
    """
    for lock in (TransactionLock.CLUBS, TransactionLock.RATINGS):  # whose holders may be about to write the player anew
        hold(connection, lock)
    remove_subscriptions_of_player(connection, player)
    table_ids = list(connection.execute(sql.select(_GAMES.table_id).where(_GAMES.player == player)).scalars())
    connection.execute(sql.delete(PLAYERS).where(PLAYERS.c.player == player))
    connection.execute(sql.delete(PLAYER_GAMES).where(_GAMES.player == player))
    forget_ratings(connection, player)
    _leave_clubs(connection, player)
    played = DAILY_PLAYS.c.player == player
    connection.execute(sql.update(DAILY_PLAYS).where(played).values(name="", player=DAILY_PLAYS.c.table_id))
    if table_ids:
        give_order(connection, LINKS, table_ids)
    return table_ids


def _leave_clubs(connection: sql.Connection, player: str) -> None:
    """Remove a player from the club nights that have not begun, and the name from the others."""
    own = CLUB_PLAYERS.c.player == player
    unbegun = sql.select(CLUBS.c.id).where(CLUBS.c.begun == 0)
    connection.execute(sql.delete(CLUB_PLAYERS).where(own, CLUB_PLAYERS.c.club.in_(unbegun)))
    connection.execute(sql.update(CLUB_PLAYERS).where(own).values(player="", name=""))


def forget_game(connection: sql.Connection, player: str, table_id: str) -> bool:
    """Remove a game from a player's list. Return whether it was there.

    Raises:
        LinkError: it is an unfinished game of a club night, in which the player's key is the only one to the seat.
    """
    this = (_GAMES.player == player) & (_GAMES.table_id == table_id)
    club = sql.exists().where(CLUB_GAMES.c.table_id == table_id, CLUB_GAMES.c.result == "")
    if connection.execute(sql.select(_GAMES.table_id).where(this, club)).first():
        raise LinkError(gettext("this game of a club night is not over: it stays in the list until then"))
    removed = connection.execute(sql.delete(PLAYER_GAMES).where(this)).rowcount
    if removed:
        give_order(connection, LINKS, [table_id])
    return bool(removed)


def remove_running(connection: sql.Connection, table_ids: Collection[str]) -> None:
    """Remove the links of tables that are being removed; results outlive their tables."""
    connection.execute(sql.delete(PLAYER_GAMES).where(_GAMES.table_id.in_(table_ids), _GAMES.won.is_(None)))


def remove_games(connection: sql.Connection, table_ids: Collection[str]) -> None:
    """Remove tables from the lists of all players, with the results."""
    connection.execute(sql.delete(PLAYER_GAMES).where(_GAMES.table_id.in_(table_ids)))


def remove_from_lists(connection: sql.Connection, name: str, table_id: str | None = None) -> None:
    """Remove a name from the lists of all players, at one table or all; for all, also from players and club nights."""
    named = _GAMES.others.contains(json.dumps(name), autoescape=True)
    if table_id is None:
        for each in (PLAYERS, CLUB_PLAYERS):
            connection.execute(sql.update(each).where(each.c.name == name).values(name=""))
    else:
        named &= _GAMES.table_id == table_id
    for row in connection.execute(sql.select(PLAYER_GAMES).where(named)).all():
        others = json.dumps([["" if other == name else other, bot] for other, bot in json.loads(row.others)])
        this = (_GAMES.player == row.player) & (_GAMES.table_id == row.table_id)
        connection.execute(sql.update(PLAYER_GAMES).where(this).values(others=others))
