"""Subscriptions of browsers to notices about seats, and the key of the room for push services, in the database."""

import time
from collections.abc import Collection
from dataclasses import dataclass, field

import sqlalchemy as sql

from parlour.server.store.people.player_tables import PLAYER_GAMES, PUSH_KEY, SUBSCRIPTIONS

MOST_BROWSERS = 4
"""Maximum number of subscribed browsers of a seat; another one replaces the oldest."""

_ROWS, _GAMES = SUBSCRIPTIONS.c, PLAYER_GAMES.c


@dataclass(frozen=True)
class Subscription:
    """The subscription of a browser.

    Attributes:
        endpoint: the URL at the push service; whoever knows it and the keys can send notices to the browser.
        p256dh: the public key of the browser in base64url, an uncompressed point on P-256.
        auth: the authentication secret of the browser in base64url, 16 bytes.
        language: the code of the language of the notices.
    """

    endpoint: str = field(repr=False)
    p256dh: str = field(repr=False)
    auth: str = field(repr=False)
    language: str


def room_push_key(connection: sql.Connection, new: str) -> str:
    """Return the private key of the room in PEM; ``new`` becomes the key if there is none."""
    query = sql.select(PUSH_KEY.c.key).where(PUSH_KEY.c.number == 0)
    if (key := connection.execute(query).scalar_one_or_none()) is None:
        connection.execute(sql.insert(PUSH_KEY).values(number=0, key=new))
        key = new
    return str(key)


def subscribe(connection: sql.Connection, table_id: str, seat: int, wanted: Subscription) -> None:
    """Store the subscription of a browser to notices about a seat, in place of an earlier one of this browser."""
    of_table = _ROWS.table_id == table_id
    connection.execute(sql.delete(SUBSCRIPTIONS).where(of_table, _ROWS.endpoint == wanted.endpoint))
    of_seat = sql.select(_ROWS.endpoint).where(of_table, _ROWS.seat == seat)
    newest_first = connection.execute(of_seat.order_by(_ROWS.at.desc(), _ROWS.endpoint)).scalars().all()
    surplus = newest_first[MOST_BROWSERS - 1 :]
    connection.execute(sql.delete(SUBSCRIPTIONS).where(of_table, _ROWS.seat == seat, _ROWS.endpoint.in_(surplus)))
    row = {
        "table_id": table_id,
        "seat": seat,
        "endpoint": wanted.endpoint,
        "p256dh": wanted.p256dh,
        "auth": wanted.auth,
        "language": wanted.language,
        "at": int(time.time()),
    }
    connection.execute(sql.insert(SUBSCRIPTIONS).values(row))


def subscriptions_of(
    connection: sql.Connection, table_id: str, seats: Collection[int]
) -> dict[int, list[Subscription]]:
    """Return the subscriptions to notices about some seats of a table; no entry for a seat without any."""
    found: dict[int, list[Subscription]] = {}
    query = sql.select(SUBSCRIPTIONS).where(_ROWS.table_id == table_id, _ROWS.seat.in_(seats))
    for row in connection.execute(query.order_by(_ROWS.seat, _ROWS.endpoint)):
        found.setdefault(row.seat, []).append(Subscription(row.endpoint, row.p256dh, row.auth, row.language))
    return found


def unsubscribe(connection: sql.Connection, endpoint: str, table_id: str | None = None) -> int:
    """Remove the subscriptions of a browser: all, or those to notices about one table. Return their number."""
    found = sql.delete(SUBSCRIPTIONS).where(_ROWS.endpoint == endpoint)
    return connection.execute(found if table_id is None else found.where(_ROWS.table_id == table_id)).rowcount


def remove_subscriptions_of_player(connection: sql.Connection, player: str) -> None:
    """Remove the subscriptions to notices about the seats of a player, who may have thousands of games."""
    own = (_GAMES.player == player) & (_GAMES.table_id == _ROWS.table_id) & (_GAMES.seat == _ROWS.seat)
    connection.execute(sql.delete(SUBSCRIPTIONS).where(sql.exists().where(own)))


def remove_subscriptions(connection: sql.Connection, table_id: str, seat: int) -> None:
    """Remove the subscriptions to notices about a seat."""
    connection.execute(sql.delete(SUBSCRIPTIONS).where(_ROWS.table_id == table_id, _ROWS.seat == seat))
