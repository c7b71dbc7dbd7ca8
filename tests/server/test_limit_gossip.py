"""The use of limits at several servers on one database counts at each of them."""

import threading
import time
from types import SimpleNamespace

import pytest

from parlour.server.http.access import limit_gossip
from parlour.server.http.access.connection_slots import ConnectionSlots
from parlour.server.http.access.limit_gossip import LimitGossip, UseTally
from parlour.server.http.access.limits import ADDRESS_RATES, LimitError, Limits
from parlour.server.http.access.rate import Rate
from parlour.server.process import web_server
from parlour.server.process.settings import Settings
from parlour.server.table.shares import Share
from tests.server.bare_connections import is_open
from tests.server.card_room import PATIENCE, CardRoom, order, wait_until

TABLES = {"tables": Rate(0.001, 30)}


@pytest.fixture
def clock(monkeypatch):
    now = SimpleNamespace(seconds=100.0)
    monkeypatch.setattr(time, "monotonic", lambda: now.seconds)
    return now


def used_up(limits, address):
    """Open tables from an address up to its limit; return their number."""
    number = 0
    while True:
        try:
            limits.take("tables", address)
        except LimitError:
            return number
        number += 1


class TestTally:
    def test_yields_a_tenth_of_a_burst_and_then_counts_anew(self):
        tally = UseTally(TABLES)
        for number in range(7):
            tally.count("tables", "10.0.0.1", 1)
            heard = list(tally.pop_large())
            assert heard == ([("tables", "10.0.0.1", 3)] if number in (2, 5) else [])

    def test_discards_small_counts_after_a_minute(self, clock):
        tally = UseTally(TABLES)
        tally.count("tables", "10.0.0.1", 1)
        tally.count("tables", "10.0.0.1", 1)
        clock.seconds += 61
        assert list(tally.pop_large()) == []
        tally.count("tables", "10.0.0.1", 1)
        assert list(tally.pop_large()) == []

    def test_does_not_grow_with_the_number_of_addresses(self, monkeypatch):
        monkeypatch.setattr(limit_gossip, "_MAXIMUM_COUNTS", 10)
        tally = UseTally(TABLES)
        for number in range(1000):
            tally.count("tables", f"10.0.0.{number}", 1)
        assert len(tally._used) == len(tally._since) <= 10


class TestLimitGossip:
    def of(self, limits=None, slots=None, number=0):
        slots = ConnectionSlots() if slots is None else slots
        return LimitGossip(limits or Limits(TABLES), slots, "here", Share(number, 2))

    def test_uses_at_another_server_count_here(self):
        limits = Limits(TABLES)
        self.of(limits).receive(["used", "there", "tables,10.0.0.1,20", "tables,10.0.0.2,99", "unheard-of,10.0.0.1,5"])
        assert [used_up(limits, f"10.0.0.{number}") for number in (1, 2, 3)] == [10, 0, 30]

    def test_each_use_counts_once_for_all_processes(self):
        limits = Limits(TABLES)
        self.of(limits, number=1).receive(["used", "there", "tables,10.0.0.1,20"])  # the first worker subtracts for all
        self.of(limits, number=0).receive(["used", "here", "tables,10.0.0.1,20"])  # another worker of this server
        assert used_up(limits, "10.0.0.1") == 30

    def test_connections_elsewhere_count_while_notices_are_valid(self, clock):
        slots = ConnectionSlots(5, 10)
        gossip = self.of(slots=slots)
        gossip.receive(["held", "7", "there", "10.0.0.1,3"])
        gossip.receive(["held", "8", "there", "10.0.0.1,1"])
        gossip.receive(["held", "9", "here", "10.0.0.1,9"])
        assert gossip.count_elsewhere("10.0.0.1") == 4
        slots.enter("10.0.0.1", list).set_active()
        with pytest.raises(LimitError):
            slots.enter("10.0.0.1", list)
        slots.enter("10.0.0.2", list)
        clock.seconds += 5
        assert gossip.count_elsewhere("10.0.0.1") == 0
        slots.enter("10.0.0.1", list)

    def test_notices_of_other_versions_are_ignored(self):
        limits = Limits(TABLES)
        gossip = self.of(limits)
        for words in (["used"], ["used", "there", "tables"], ["held", "7", "there", "10.0.0.1,many"], ["said", "x"]):
            gossip.receive(words)
        assert used_up(limits, "10.0.0.1") == 30
        assert gossip.count_elsewhere("10.0.0.1") == 0

    def test_only_addresses_with_many_connections_are_sent(self):
        slots = ConnectionSlots(10, 40)
        entered = [slots.enter(f"10.0.0.{number}", list) for number in (1, 1, 1, 2)]
        assert slots.largest_holders(5, 100) == [("10.0.0.1", 3)]
        for slot in entered:
            slot.release()
        assert slots.largest_holders(1000, 100) == []
        assert ConnectionSlots(None).largest_holders(5, 100) == []


@pytest.mark.slow
class TestTwoServers:
    @pytest.fixture
    def kind(self):
        return "postgresql"

    @pytest.fixture
    def wait_received(self, monkeypatch):
        """Return a function that waits until a server has received a number of uses or connections from another."""
        heard, news, receive = {limit_gossip.USED: 0, limit_gossip.HELD: 0}, threading.Condition(), LimitGossip.receive

        def listen(listener, words):
            receive(listener, words)
            kind, server, *rows = words if words[0] == limit_gossip.USED else [words[0], *words[2:]]
            if server != listener._server:
                numbers = sum(int(row.split(",")[-1]) for row in rows)
                with news:
                    heard[kind] = heard[kind] + numbers if kind == limit_gossip.USED else numbers
                    news.notify()

        def wait(kind, number):
            with news:
                assert news.wait_for(lambda: heard[kind] >= number, PATIENCE), heard

        monkeypatch.setattr(LimitGossip, "receive", listen)
        return wait

    @pytest.fixture
    def two_servers(self, database, monkeypatch, wait_received):
        """Yield two servers, at which an address may open 30 tables during the test."""
        monkeypatch.setattr(web_server, "ADDRESS_CONNECTIONS", 40)
        monkeypatch.setitem(ADDRESS_RATES, "tables", Rate(0.0001, 30))
        card_rooms = [CardRoom(database, Settings(paced=False)) for _ in range(2)]
        yield card_rooms
        for card_room in card_rooms:
            card_room.stop()

    def test_tables_opened_at_one_cannot_be_opened_again_at_the_other(self, two_servers, wait_received):
        first, second = two_servers
        wanted = order("you", "open")
        assert [first.http.post("/api/tables", json=wanted).status_code for _ in range(20)] == [201] * 20
        wait_received(limit_gossip.USED, 18)  # the last two may be too few for a notice
        codes = [second.http.post("/api/tables", json=wanted).status_code for _ in range(20)]
        assert codes[:10] == [201] * 10
        assert codes[12:] == [429] * 8

    def test_connections_at_one_push_out_idle_ones_at_the_other(self, two_servers, wait_received):
        first, second = two_servers
        there = [first.raw(b"G") for _ in range(30)]
        wait_received(limit_gossip.HELD, 30)
        here = [second.raw(b"G") for _ in range(20)]
        wait_until(lambda: sum(map(is_open, here)) <= 10)
        assert sum(map(is_open, here)) >= 5
        assert second.http.get("/healthz").status_code == 200
        for each in (*there, *here):
            each.close()
