"""Ratings in the database: the players of rated seats, and the ratings that their results change."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql

from parlour.glicko import Rating
from parlour.server.store.locks import TransactionLock, hold
from parlour.server.store.people.player_tables import RATED_SEATS, RATINGS

MOST_STEPS = 200
"""Maximum number of results in the history of a rating."""
_SEATS = RATED_SEATS.c


class SecondSeatError(Exception):
    """The player has another rated seat at the table."""


@dataclass(frozen=True)
class PlayedRating:
    """The rating of a player in a game.

    Attributes:
        game: the id of the game.
        rating: the rating after the last rated game.
        games: the number of rated games.
        history: the rating after each of the last games, with its time in seconds since 1970, the oldest first.
    """

    game: str
    rating: Rating
    games: int
    history: Sequence[tuple[int, float]]


def claim_seat(
    connection: sql.Connection, table_id: str, seat: int, player: str, game: str, late: bool = False
) -> None:
    """Store the player of a rated seat, unless it has one: later links do not change which rating a result changes.

    A ``late`` player may know how the game ends, so the seat has no player then, and the game is not rated.

    Raises:
        SecondSeatError: the player has another rated seat at this table.
    """
    rows = connection.execute(sql.select(_SEATS.seat, _SEATS.player).where(_SEATS.table_id == table_id)).all()
    if any(row.player == player and row.seat != seat for row in rows):
        raise SecondSeatError
    if all(row.seat != seat for row in rows):
        row = {"table_id": table_id, "seat": seat, "player": "" if late else player, "game": game}
        connection.execute(sql.insert(RATED_SEATS).values(row))


def copy_seats(connection: sql.Connection, table_id: str, rematch: str, seats: Mapping[int, int]) -> bool:
    """Store the players of the rated seats of a rematch; ``seats`` has the new seats by the old ones.

    Return whether the table has rated seats, also such without a player.
    """
    rows = connection.execute(sql.select(RATED_SEATS).where(_SEATS.table_id == table_id)).all()
    for row in rows:
        if row.player and row.seat in seats:
            new = {"table_id": rematch, "seat": seats[row.seat], "player": row.player, "game": row.game}
            connection.execute(sql.insert(RATED_SEATS).values(new))
    return bool(rows)


def table_ratings(connection: sql.Connection, table_ids: Collection[str]) -> dict[str, dict[int, Rating | None]]:
    """Return the ratings of the people at rated tables, by table and seat; ``None`` for a forgotten player."""
    found: dict[str, dict[int, Rating | None]] = {table_id: {} for table_id in table_ids}
    own = (RATINGS.c.player == _SEATS.player) & (RATINGS.c.game == _SEATS.game)
    query = sql.select(
        _SEATS.table_id, _SEATS.seat, _SEATS.player, RATINGS.c.value, RATINGS.c.deviation, RATINGS.c.volatility
    ).outerjoin(RATINGS, own)
    for row in connection.execute(query.where(_SEATS.table_id.in_(table_ids))):
        rated = Rating() if row.value is None else Rating(row.value, row.deviation, row.volatility)
        found[row.table_id][row.seat] = rated if row.player else None
    return found


def rate_game(
    connection: sql.Connection,
    table_id: str,
    people: Collection[int],
    rate: Callable[[Mapping[int, Rating]], Mapping[int, Rating]],
) -> list[str]:
    """Change the ratings by the result of a finished game, once, if each of its people is linked with a player.

    Args:
        connection: to the database.
        table_id: the table.
        people: the seats of its people.
        rate: returns the ratings of these seats after the game from those before.

    Returns:
        The other tables that show a rating that has changed: those of these players' unfinished games.
    """
    hold(connection, TransactionLock.RATINGS)
    rows = connection.execute(sql.select(RATED_SEATS).where(_SEATS.table_id == table_id)).all()
    players = {row.seat: row for row in rows if row.player}
    if not people or any(row.at is not None for row in rows) or set(players) != set(people):
        return []
    before = table_ratings(connection, [table_id])[table_id]
    after = rate({seat: each for seat, each in before.items() if each is not None})
    for seat, row in players.items():
        _keep(connection, row.player, row.game, after[seat])
        this = (_SEATS.table_id == table_id) & (_SEATS.seat == seat)
        values = {"at": int(time.time()), "value": after[seat].value}
        connection.execute(sql.update(RATED_SEATS).where(this).values(values))
    return _unfinished_tables(connection, players.values())


def _unfinished_tables(connection: sql.Connection, rated: Iterable[Any]) -> list[str]:
    """Return the tables with an unrated seat of the player and in the game of one of these rows."""
    own = sql.or_(*((_SEATS.player == row.player) & (_SEATS.game == row.game) for row in rated))
    return list(connection.execute(sql.select(_SEATS.table_id).where(own, _SEATS.at.is_(None)).distinct()).scalars())


def _keep(connection: sql.Connection, player: str, game: str, rating: Rating) -> None:
    values = {"value": rating.value, "deviation": rating.deviation, "volatility": rating.volatility}
    own = (RATINGS.c.player == player) & (RATINGS.c.game == game)
    changed = sql.update(RATINGS).where(own).values({**values, "games": RATINGS.c.games + 1})
    if not connection.execute(changed).rowcount:
        connection.execute(sql.insert(RATINGS).values({"player": player, "game": game, **values, "games": 1}))


def leave_unrated(connection: sql.Connection, table_ids: Collection[str]) -> None:
    """Leave these games unrated, unless they have been rated: others may know their cards from now on."""
    these = _SEATS.table_id.in_(table_ids) & _SEATS.at.is_(None)
    connection.execute(sql.update(RATED_SEATS).where(these).values(player=""))


def ratings_of(connection: sql.Connection, player: str) -> list[PlayedRating]:
    """Return the ratings of a player, that with the most games first."""
    ratings = connection.execute(sql.select(RATINGS).where(RATINGS.c.player == player)).all()
    return [
        PlayedRating(
            row.game,
            Rating(row.value, row.deviation, row.volatility),
            row.games,
            _history(connection, player, row.game),
        )
        for row in sorted(ratings, key=lambda row: (-row.games, row.game))
    ]


def _history(connection: sql.Connection, player: str, game: str) -> list[tuple[int, float]]:
    query = sql.select(_SEATS.at, _SEATS.value).where(_SEATS.player == player, _SEATS.at.is_not(None))
    query = query.where(_SEATS.game == game).order_by(_SEATS.at.desc(), _SEATS.table_id.desc()).limit(MOST_STEPS)
    return [(row.at, row.value) for row in connection.execute(query)][::-1]


def forget_ratings(connection: sql.Connection, player: str) -> None:
    """Remove the ratings of a player with their history. The games that go on are not rated any more."""
    connection.execute(sql.delete(RATINGS).where(RATINGS.c.player == player))
    connection.execute(sql.update(RATED_SEATS).where(_SEATS.player == player).values(player="", value=None))


def remove_seats(connection: sql.Connection, table_ids: Collection[str]) -> None:
    """Remove the rated seats of tables that are being removed, except from the histories of ratings."""
    kept = _SEATS.at.is_not(None) & (_SEATS.player != "")
    connection.execute(sql.delete(RATED_SEATS).where(_SEATS.table_id.in_(table_ids), ~kept))
