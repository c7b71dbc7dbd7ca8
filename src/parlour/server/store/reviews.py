"""Reviews in the database: one for each table, compressed, removed with the table or a player's name."""

import zlib
from collections.abc import Collection, Sequence

import sqlalchemy as sql

from parlour.server.store.database import REVIEWS, SEATS, DamagedError


def load_review(connection: sql.Connection, table_id: str, source: str) -> str:
    """Return the review of a table by a program of this source hash, as JSON; empty if there is none.

    Raises:
        DamagedError: the stored review cannot be read.
    """
    query = sql.select(REVIEWS.c.review).where(REVIEWS.c.table_id == table_id, REVIEWS.c.source == source)
    data = connection.execute(query).scalar_one_or_none()
    try:
        return zlib.decompress(data).decode() if data else ""
    except (zlib.error, UnicodeDecodeError):
        raise DamagedError("the review of this table is damaged") from None


def store_review(connection: sql.Connection, table_id: str, source: str, names: Sequence[str], review: str) -> bool:
    """Store a review instead of an earlier one, unless its table was removed or one of its names has changed.

    Args:
        connection: to the database.
        table_id: the table.
        source: the hash of the program that computed the review.
        names: the players' names in the review, by seat.
        review: the review as JSON.

    Returns:
        Whether it was stored.
    """
    seats = sql.select(SEATS.c.name).where(SEATS.c.table_id == table_id).order_by(SEATS.c.seat)
    now = connection.execute(seats.with_for_update(read=True)).scalars().all()  # locks the names
    if list(now) != list(names):
        return False
    remove_reviews(connection, [table_id])
    row = {"table_id": table_id, "source": source, "review": zlib.compress(review.encode(), 9)}
    connection.execute(sql.insert(REVIEWS).values(row))
    return True


def remove_reviews(connection: sql.Connection, table_ids: Collection[str]) -> None:
    """Remove the reviews of tables."""
    connection.execute(sql.delete(REVIEWS).where(REVIEWS.c.table_id.in_(table_ids)))
