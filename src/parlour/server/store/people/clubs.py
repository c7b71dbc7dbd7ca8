"""Club nights in the database: the nights, their players, and the games of their rounds."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sqlalchemy as sql

from parlour.engine.errors import ParlourError
from parlour.languages import gettext
from parlour.server.store.database import ConflictError
from parlour.server.store.locks import TransactionLock, hold
from parlour.server.store.orders import give_order
from parlour.server.store.people.player_tables import CLUB_COLUMNS, CLUB_GAMES, CLUB_PLAYERS, CLUBS
from parlour.server.store.people.players import PlayedGame, link
from parlour.server.store.people.ratings import leave_unrated
from parlour.server.store.stored_table import StoredClub, StoredTable
from parlour.server.store.table_rows import add_table_rows, club_of
from parlour.server.store.text_comparison import comparable

BOT = -1
"""The number of a bot among the players of a club night."""
MOST_PLAYERS = 64
MOST_FOR_ALL = 16
"""Maximum number of players of a club night of everyone with everyone."""
KEPT_SECONDS = 30 * 86400
"""Seconds after which a club night that was never begun is removed."""
ROUND_CLOSED = "round-closed"
"""The order for each table of a round that is over: its cards may be shown."""


class ClubError(ParlourError):
    """A club night does not allow this now; the text gives the reason."""


class NoClubError(ParlourError):
    """There is no such club night."""


@dataclass(frozen=True)
class Club:
    """A club night.

    Attributes:
        host: the hash of the host's key.
        system: ``all``: everyone with everyone, or ``swiss``.
        rounds: the number of rounds; for everyone with everyone it is set when the first round begins.
        bot: the level of the bots.
        begun: the number of rounds begun.
        closed: the number of rounds that are over.
    """

    id: str
    host: str = field(repr=False)
    game: str
    options: Mapping[str, Any]
    system: str
    rounds: int
    bot: str
    begun: int = 0
    closed: int = 0


@dataclass(frozen=True)
class ClubPlayer:
    """A player of a club night, by the hash of the key, which is empty after the player has been forgotten."""

    number: int
    player: str = field(repr=False)
    name: str


@dataclass(frozen=True)
class ClubResult:
    """The result of a game, by seat: 1 for a win, 0.5 for a draw, 0 for a loss, −1 for a seat that resigned.

    Attributes:
        won: these numbers; empty if the host has closed the round before the end of the game.
        ahead: the points ahead of the other seat; for a winner by resignation more than in any other game.
        points: the points; empty for an unfinished game, and for results that were stored without them.
    """

    won: Sequence[float]
    ahead: Sequence[int]
    points: Sequence[int] = ()


@dataclass(frozen=True)
class ClubGame:
    """A game of a round: a deal at a board, and the numbers of the players in the seats 0 and 1."""

    round: int
    board: int
    deal: int
    table: str
    seats: tuple[int, int]
    result: ClubResult | None = None


@dataclass(frozen=True)
class ClubNight:
    """A club night with its players in the order of their numbers, and its games in order."""

    club: Club
    players: Sequence[ClubPlayer]
    games: Sequence[ClubGame]


Opened = Sequence[tuple[ClubGame, StoredTable]]
"""The games of a new round with their tables."""


def add_club(connection: sql.Connection, club: Club) -> None:
    """Store a club night, unless the same request has stored it before. Raises :class:`ConflictError`."""
    hold(connection, TransactionLock.CLUBS)
    values = {key: value for key, value in vars(club).items() if key != "options"}
    row = {**values, "options": json.dumps(dict(club.options), sort_keys=True), "at": int(time.time())}
    before = connection.execute(sql.select(CLUBS).where(CLUBS.c.id == club.id)).one_or_none()
    if before is None:
        connection.execute(sql.insert(CLUBS).values(row))
        return
    # Once a night has begun, its number of rounds is the one it needs, so it is not compared.
    compared = ("host", "game", "options", "system", "bot", *([] if before.begun else ["rounds"]))
    if any(getattr(before, key) != row[key] for key in compared):
        raise ConflictError(gettext("another club night was opened with this key"))


def read_club_night(connection: sql.Connection, club_id: str) -> ClubNight:
    """Return a club night. Raises :class:`NoClubError`."""
    row = connection.execute(sql.select(CLUBS).where(CLUBS.c.id == club_id)).one_or_none()
    if row is None:
        raise NoClubError(gettext("there is no such club night"))
    club = Club(
        row.id, row.host, row.game, json.loads(row.options), row.system, row.rounds, row.bot, row.begun, row.closed
    )
    players = connection.execute(
        sql.select(CLUB_PLAYERS).where(CLUB_PLAYERS.c.club == club_id).order_by(CLUB_PLAYERS.c.number)
    )
    order = (CLUB_GAMES.c.round, CLUB_GAMES.c.board, CLUB_GAMES.c.deal)
    games = connection.execute(sql.select(CLUB_GAMES).where(CLUB_GAMES.c.club == club_id).order_by(*order))
    return ClubNight(
        club,
        [ClubPlayer(each.number, each.player, each.name) for each in players],
        [_game_of(each) for each in games],
    )


def _game_of(row: Any) -> ClubGame:
    result = _result_of(json.loads(row.result)) if row.result else None
    return ClubGame(row.round, row.board, row.deal, row.table_id, (row.first, row.second), result)


def _result_of(stored: Mapping[str, Any]) -> ClubResult:
    """Return a stored result; it may have further keys of a later program."""
    return ClubResult(stored["won"], stored["ahead"], stored.get("points", ()))


def join(connection: sql.Connection, club_id: str, player: str, name: str) -> int:
    """Add a player to a club night, or rename the player with this key. Return the player's number.

    Raises:
        NoClubError: there is no such club night.
        ClubError: it has begun, it is full, or another player has this name.
    """
    hold(connection, TransactionLock.CLUBS)
    night = read_club_night(connection, club_id)
    club, players = night.club, night.players
    own = next((each.number for each in players if each.player == player), None)
    if own is None:
        _check_place(club, players)
    if any(each.number != own and comparable(each.name) == comparable(name) for each in players):
        raise ClubError(gettext("another player here is called {name}: choose another name", name=name))
    if own is not None:
        this = (CLUB_PLAYERS.c.club == club_id) & (CLUB_PLAYERS.c.number == own)
        connection.execute(sql.update(CLUB_PLAYERS).where(this).values(name=name))
        return own
    number = max((each.number for each in players), default=-1) + 1
    connection.execute(sql.insert(CLUB_PLAYERS).values(club=club_id, number=number, player=player, name=name))
    return number


def _check_place(club: Club, players: Sequence[ClubPlayer]) -> None:
    """Raise :class:`ClubError` if a club night takes no further player."""
    if club.begun:
        raise ClubError(gettext("this club night has begun: only its players go on"))
    most = MOST_FOR_ALL if club.system == "all" else MOST_PLAYERS
    if len(players) >= most:
        raise ClubError(gettext("this club night is full: it has {most} players", most=most))


def remove_player(connection: sql.Connection, club_id: str, number: int, name: str) -> None:
    """Remove a player, if there is one with this number and name. Raises :class:`ClubError` after the beginning.

    The number alone would remove another player who has joined since a first request.
    """
    hold(connection, TransactionLock.CLUBS)
    if read_club_night(connection, club_id).club.begun:
        raise ClubError(gettext("this club night has begun: its players stay"))
    player = CLUB_PLAYERS.c
    this = (player.club == club_id) & (player.number == number) & (player.name == name)
    connection.execute(sql.delete(CLUB_PLAYERS).where(this))


def begin(connection: sql.Connection, club_id: str, open_round: Callable[[ClubNight], Opened]) -> None:
    """Begin the first round, unless it has begun. Raises :class:`ClubError` with fewer than two players."""
    hold(connection, TransactionLock.CLUBS)
    night = read_club_night(connection, club_id)
    if night.club.begun:
        return
    if len(night.players) < 2:  # a player who is forgotten before the first round leaves
        raise ClubError(gettext("a club night needs two players at least"))
    if night.club.system == "all":
        rounds = len(night.players) - 1 + len(night.players) % 2
        connection.execute(sql.update(CLUBS).where(CLUBS.c.id == club_id).values(rounds=rounds))
        night = replace(night, club=replace(night.club, rounds=rounds))
    _open(connection, night, open_round)


def keep_result(
    connection: sql.Connection, table_id: str, result: ClubResult, open_round: Callable[[ClubNight], Opened]
) -> None:
    """Store the result of a game once. Close the round after its last game, and begin the next one."""
    hold(connection, TransactionLock.CLUBS)
    row = connection.execute(
        sql.select(CLUB_GAMES.c.club, CLUB_GAMES.c.result).where(_is_of_table(table_id))
    ).one_or_none()
    if row is None or row.result:
        return
    connection.execute(sql.update(CLUB_GAMES).where(_is_of_table(table_id)).values(result=json.dumps(vars(result))))
    _go_on(connection, row.club, open_round)


def close_round(
    connection: sql.Connection, club_id: str, number: int, open_round: Callable[[ClubNight], Opened]
) -> None:
    """Close a round, and begin the next one. Unfinished games count for neither player, and are not rated."""
    hold(connection, TransactionLock.CLUBS)
    night = read_club_night(connection, club_id)
    if night.club.begun != number or night.club.closed == number:
        return
    unfinished = [game.table for game in night.games if game.round == number and game.result is None]
    leave_unrated(connection, unfinished)
    nothing = json.dumps(vars(ClubResult((), ())))
    connection.execute(sql.update(CLUB_GAMES).where(CLUB_GAMES.c.table_id.in_(unfinished)).values(result=nothing))
    _go_on(connection, club_id, open_round)


def _is_of_table(table_id: str) -> Any:
    return CLUB_GAMES.c.table_id == table_id


def _go_on(connection: sql.Connection, club_id: str, open_round: Callable[[ClubNight], Opened]) -> None:
    """Close the round if all its games have results, and begin the next one, if there is one."""
    night = read_club_night(connection, club_id)
    club = night.club
    if club.closed == club.begun or any(game.result is None for game in night.games if game.round == club.begun):
        return
    connection.execute(sql.update(CLUBS).where(CLUBS.c.id == club_id).values(closed=club.begun))
    if club.begun < club.rounds:
        _open(connection, replace(night, club=replace(club, closed=club.begun)), open_round)
    give_order(connection, ROUND_CLOSED, [game.table for game in night.games if game.round == club.begun])


def _open(connection: sql.Connection, night: ClubNight, open_round: Callable[[ClubNight], Opened]) -> None:
    """Begin the next round: store its tables, with each person's seat linked with its player.

    If all players have been forgotten, there is no next round: the club night is over.
    """
    club, players = night.club, {each.number: each for each in night.players}
    opened = open_round(night)
    for game, table in opened:
        add_table_rows(connection, table)
        first, second = game.seats
        row = {"round": game.round, "board": game.board, "deal": game.deal, "first": first, "second": second}
        connection.execute(sql.insert(CLUB_GAMES).values(club=club.id, table_id=game.table, **row))
        for seat, number in enumerate(game.seats):
            if number != BOT:
                played = PlayedGame(table.id, seat, table.game, table.players, club.options, 0, ())
                link(connection, players[number].player, players[number].name, played, table.rated)
    now = {"begun": club.begun + 1} if opened else {"rounds": club.begun}
    connection.execute(sql.update(CLUBS).where(CLUBS.c.id == club.id).values(now))


def club_of_table(connection: sql.Connection, table_id: str) -> StoredClub | None:
    """Return the club night of a table, if any; the cards of a round may be shown when it is over."""
    query = sql.select(*CLUB_COLUMNS).join(CLUBS, CLUBS.c.id == CLUB_GAMES.c.club).where(_is_of_table(table_id))
    row = connection.execute(query).one_or_none()
    return None if row is None else club_of(row)


def remove_unbegun(connection: sql.Connection, now: float) -> None:
    """Remove old club nights that were never begun."""
    hold(connection, TransactionLock.CLUBS)
    old = sql.select(CLUBS.c.id).where(CLUBS.c.begun == 0, CLUBS.c.at < now - KEPT_SECONDS)
    connection.execute(sql.delete(CLUB_PLAYERS).where(CLUB_PLAYERS.c.club.in_(old)))
    connection.execute(sql.delete(CLUBS).where(CLUBS.c.begun == 0, CLUBS.c.at < now - KEPT_SECONDS))
