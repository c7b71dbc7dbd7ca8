"""Records of finished games for studies, without names and ids, from tables whose players agreed."""

from collections.abc import Iterator

from parlour.engine.matches.records import Record
from parlour.server.store.archive import studied_tables
from parlour.server.store.database import DamagedError
from parlour.server.store.store import Store
from parlour.server.store.stored_table import StoredTable
from parlour.server.table.people.resignation import bot_decisions_of, has_ended, record_keys, resignations_of
from parlour.server.table.replays import BrokenTableError, replay_match
from parlour.server.table.state import manners_of


def study_records(store: Store) -> Iterator[Record]:
    """Yield the records for studies, the oldest first.

    Of several games with the same deal only the first counts: in the others players may have known the cards.

    Raises:
        StoreError: the database cannot be read.
    """
    dealt = set[str]()
    for table_id in store.read(studied_tables):
        try:
            table = store.load(table_id)
            if table is None or not _may_be_studied(table):
                continue
            is_first = table.secret not in dealt
            dealt.add(table.secret)
            record = _record_of(table)
        except (DamagedError, BrokenTableError):
            continue
        if is_first and record is not None:
            yield record


def _may_be_studied(table: StoredTable) -> bool:
    """Return whether the players agreed to studies, and the table knows which decisions of the game were people's."""
    manners = manners_of(table)
    people = any(seat.bot is None for seat in table.seats.values())
    return (
        manners.studied
        and people
        and not manners.take_over  # earlier decisions in a seat that a person took over are a bot's
        and not table.prefix_length  # the game continues another one: its players may have seen the cards
        and not table.closed
        and table.daily is None
    )


def _record_of(table: StoredTable) -> Record | None:
    """Return the record without names; ``None`` if the game is not over. Raises :class:`BrokenTableError`."""
    match = replay_match(table)
    if not has_ended(table, match):
        return None
    people = sorted(number for number, seat in table.seats.items() if seat.bot is None)
    resignations = resignations_of(match, table.seats, table.resigned)
    absent = record_keys(bot_decisions_of(table.events, table.stood_in), resignations)
    return {**match.record(), "people": people, "stood_in": [], **absent}
