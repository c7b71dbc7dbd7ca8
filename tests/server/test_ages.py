"""The ages at which data are removed or no longer count: each is kept to the last second, and gone a second later."""

import time
from types import SimpleNamespace

import pytest
import sqlalchemy as sql

from parlour.server.store.database import DAYS, FINISHED, LISTED, SAID, TABLES
from parlour.server.store.lobby_list import (
    OPEN_SECONDS,
    WAITING_SECONDS,
    ListingOrigin,
    TooManyListedError,
    note_waiting,
)
from parlour.server.store.maintenance import ABANDONED_DAYS, DAY_SECONDS
from parlour.server.store.moderation import ban, bans_of
from parlour.server.store.orders import give_order, orders_after
from parlour.server.store.stored_table import ChatMessage, StoredSeat
from parlour.server.table.lobby import Lobby
from parlour.server.table.retention import archive, tidy
from parlour.server.table.services import Services
from tests.helpers import run_apart
from tests.server.stored_tables import course, table

TODAY = 20_000
NOON = TODAY * DAY_SECONDS + DAY_SECONDS // 2
TRUSTED = TODAY - 2
"""The third last day of operation: the clock of the last two may be wrong."""
KEEP_DAYS = 90
BAN_SECONDS = 60
ADDRESS = "203.0.113.7"


@pytest.fixture
def clock(monkeypatch):
    """Return the clock of the server, in seconds since 1970; it stands still."""
    clock = SimpleNamespace(now=NOON)
    monkeypatch.setattr(time, "time", lambda: clock.now)
    return clock


def since(day):
    """Return the seconds from the beginning of a day until now."""
    return NOON - day * DAY_SECONDS


def number_of(store, rows):
    return store.read(
        lambda connection: connection.execute(sql.select(sql.func.count()).select_from(rows)).scalar_one()
    )


def maintain(store, keep_days=None):
    """Do the daily maintenance of today, on a server that has worked on each day of the month before."""
    days = [{"day": day} for day in range(TODAY - ABANDONED_DAYS, TODAY)]
    store.write(lambda connection: connection.execute(sql.insert(DAYS), days))
    run_apart(tidy(store, keep_days))


class FinishedGame:
    """A finished game in a room whose operator keeps them for some days."""

    age = since(TRUSTED - KEEP_DAYS)

    def put(self, store):
        store.add_table(table("abc"))

    def is_kept(self, store):
        maintain(store, KEEP_DAYS)
        return number_of(store, TABLES) == 1


class EventsOfAFinishedGame(FinishedGame):
    """The single events of a finished game, which become a record."""

    age = DAY_SECONDS

    def is_kept(self, store):
        maintain(store)
        return number_of(store, FINISHED) == 0


class GameToArchive(FinishedGame):
    """A finished game that an operator's command does not count yet."""

    age = DAY_SECONDS

    def is_kept(self, store):
        return not list(archive(store, time.time() - DAY_SECONDS, write=False))


class TableWithoutAGame:
    """A table at which no game has begun."""

    age = since(TODAY - ABANDONED_DAYS)

    def put(self, store):
        store.add_table(table("abc", []))

    def is_kept(self, store):
        maintain(store)
        return number_of(store, TABLES) == 1


class TableWithAGame(TableWithoutAGame):
    """A table with an unfinished game, which has no maximum age."""

    age = None

    def put(self, store):
        store.add_table(table("abc", course()[:-1]))


class Talk:
    """A chat message."""

    age = since(TODAY - ABANDONED_DAYS)

    def put(self, store):
        store.add_table(table("abc"))
        store.add_chat_message("abc", ChatMessage(0, "id", "hello"))

    def is_kept(self, store):
        maintain(store)
        return number_of(store, SAID) == 1


class Listing:
    """A row in the list of the lobby."""

    age = since(TRUSTED) + OPEN_SECONDS

    def put(self, store):
        opened = table("abc", [], seats={0: StoredSeat("Ann", None, "hash")})
        store.add_table(opened, ListingOrigin(ADDRESS, 1))

    def is_kept(self, store):
        maintain(store)
        return number_of(store, LISTED) == 1


class HashOfAnAddress(Listing):
    """The hash of the address that listed a table."""

    age = OPEN_SECONDS

    def is_kept(self, store):
        maintain(store)
        return store.read(lambda connection: connection.execute(sql.select(LISTED.c.opener)).scalar_one()) != ""


class TableInTheLobby(Listing):
    """A listed table as visitors see it."""

    age = OPEN_SECONDS

    def is_kept(self, store):
        return len(run_apart(Lobby(store, Services()).tables())) == 1


class PlaceOfAnAddress(Listing):
    """A listed table as one of those that its address may have in the lobby."""

    age = OPEN_SECONDS

    def is_kept(self, store):
        try:
            store.add_table(table("def", []), ListingOrigin(ADDRESS, 1))
        except TooManyListedError:
            return True
        return False


class WaitingPerson(Listing):
    """A person who was seen to wait at a listed table."""

    age = WAITING_SECONDS

    def put(self, store):
        super().put(store)
        store.write(note_waiting, "abc", True)

    def is_kept(self, store):
        return run_apart(Lobby(store, Services()).tables())[0].waits


class Order:
    """An order to the servers."""

    age = DAY_SECONDS

    def put(self, store):
        store.write(give_order, "forget", ["abc"])

    def is_kept(self, store):
        store.write(give_order, "unban")
        return len(store.read(orders_after, 0)) == 2


class Ban:
    """The ban of an address for some time."""

    age = BAN_SECONDS - 1

    def put(self, store):
        store.write(ban, ADDRESS, int(time.time()) + BAN_SECONDS)

    def is_kept(self, store):
        return ADDRESS in store.read(bans_of)


KINDS = [
    FinishedGame,
    EventsOfAFinishedGame,
    GameToArchive,
    TableWithoutAGame,
    TableWithAGame,
    Talk,
    Listing,
    HashOfAnAddress,
    TableInTheLobby,
    PlaceOfAnAddress,
    WaitingPerson,
    Order,
    Ban,
]


def is_kept_after(seconds, kind, store, clock):
    """Return whether data of a kind are kept or count when they are this old."""
    clock.now = NOON - seconds
    kind().put(store)
    clock.now = NOON
    return kind().is_kept(store)


class TestAnAge:
    @pytest.mark.parametrize("kind", KINDS)
    def test_is_allowed_to_the_last_second(self, store, clock, kind):
        seconds = 10_000 * DAY_SECONDS if kind.age is None else kind.age
        assert is_kept_after(seconds, kind, store, clock)

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.age is not None])
    def test_ends_in_the_next_second(self, store, clock, kind):
        assert not is_kept_after(kind.age + 1, kind, store, clock)
