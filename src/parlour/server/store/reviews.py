"""Reviews in the database: one for each table, compressed, removed with the table or with a name of a player."""

import zlib
from collections.abc import Collection, Sequence

import sqlalchemy as sql

from parlour.server.store.database import REVIEWS, SEATS, DamagedError


def kept_review(connection: sql.Connection, table_id: str, source: str) -> str:
    """The review of a table that a program of this source hash has kept, as JSON; empty if there is none.

    Raises:
        DamagedError: it cannot be read.
    """
    kept = sql.select(REVIEWS.c.review).where(REVIEWS.c.table_id == table_id, REVIEWS.c.source == source)
    data = connection.execute(kept).scalar_one_or_none()
    try:
        return zlib.decompress(data).decode() if data else ""
    except (zlib.error, UnicodeDecodeError):
        raise DamagedError("the review of this table is damaged") from None


def keep_review(connection: sql.Connection, table_id: str, source: str, names: Sequence[str], review: str) -> bool:
    """Keep a review in the place of an earlier one, unless its table or one of its names is gone.

    Args:
        connection: to the database.
        table_id: the table.
        source: the hash of the program that worked the review out.
        names: the players' names in the review, by seat.
        review: as JSON.

    Returns:
        Whether it was kept.
    """
    seats = sql.select(SEATS.c.name).where(SEATS.c.table_id == table_id).order_by(SEATS.c.seat)
    now = connection.execute(seats.with_for_update(read=True)).scalars().all()  # no name is removed meanwhile
    if list(now) != list(names):
        return False
    remove_reviews(connection, [table_id])
    row = {"table_id": table_id, "source": source, "review": zlib.compress(review.encode(), 9)}
    connection.execute(sql.insert(REVIEWS).values(row))
    return True


def remove_reviews(connection: sql.Connection, table_ids: Collection[str]) -> None:
    """Remove the reviews of tables."""
    connection.execute(sql.delete(REVIEWS).where(REVIEWS.c.table_id.in_(table_ids)))
