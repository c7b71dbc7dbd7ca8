"""Limits to open connections, and the order in which idle ones are closed."""

import json
import logging
import multiprocessing
import os
import signal
import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress

import httpx
import pytest

from parlour.server.http import protocols
from parlour.server.http.access import limits
from parlour.server.http.access.connection_slots import ConnectionSlots, FullError
from parlour.server.http.access.limits import LimitError, Limits
from parlour.server.http.access.rate import Rate
from parlour.server.http.access.shared_counters import SharedCounters
from parlour.server.process import web_server, workers
from parlour.server.process.settings import Settings
from tests.helpers import run_apart
from tests.server.bare_connections import connect_bare, is_open, read_all
from tests.server.card_room import PATIENCE, CardRoom, connect_to, order, play_out, wait_until
from tests.server.server_process import Process

ASK = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


class TestConnectionSlots:
    def test_the_oldest_idle_connection_of_the_address_goes_first(self):
        slots, gone = ConnectionSlots(each=2), []
        first, second = (slots.enter("10.0.0.1", lambda name=name: gone.append(name)) for name in "ab")
        slots.enter("10.0.0.2", lambda: gone.append("other"))
        first.set_active()
        first.set_idle()  # now it is the second that has been idle longest
        third = slots.enter("10.0.0.1", lambda: gone.append("c"))
        assert gone == ["b"]
        assert len(slots) == 3
        for slot in (first, third):
            slot.set_active()
        with pytest.raises(LimitError, match="too many connections: try again in 10 seconds"):
            slots.enter("10.0.0.1", gone.clear)
        second.release()  # it has lost its slot already
        assert len(slots) == 3
        first.release()
        slots.enter("10.0.0.1", gone.clear)
        assert gone == ["b"]

    def test_an_address_above_its_limit_elsewhere_loses_one_idle_connection_for_a_new_one(self):
        slots, gone = ConnectionSlots(each=3), []
        slots.enter("10.0.0.1", lambda: gone.append("a"))
        slots.enter("10.0.0.1", lambda: gone.append("b"))
        slots.count_elsewhere = lambda name: 3
        slots.enter("10.0.0.1", gone.clear).set_active()
        assert gone == ["a"]
        slots.enter("10.0.0.1", gone.clear).set_active()
        with pytest.raises(LimitError):
            slots.enter("10.0.0.1", gone.clear)
        assert gone == ["a", "b"]
        assert len(slots) == 2

    def test_a_full_server_closes_the_oldest_idle_connection_of_all_and_never_an_active_one(self):
        slots, gone = ConnectionSlots(in_all=2), []
        slots.enter("10.0.0.1", lambda: gone.append("a")).set_active()
        idle = slots.enter("10.0.0.2", lambda: gone.append("b"))
        slots.enter(None, lambda: gone.append("c")).set_active()
        assert gone == ["b"]
        idle.set_idle()
        with pytest.raises(FullError):
            slots.enter("10.0.0.3", gone.clear)
        assert gone == ["b"]

    def test_a_connection_through_a_proxy_claims_its_address_later(self):
        slots = ConnectionSlots(each=1)
        one, other = (slots.enter(None, list) for _ in range(2))
        one.set_active()
        one.claim("2001:db8::1")
        one.set_active()
        with pytest.raises(LimitError):
            other.claim("2001:db8::2")
        other.claim("2001:db8:0:1::1")
        other.claim("2001:db8::1")  # the same network counts once

    def test_processes_count_together_and_a_restarted_one_from_zero(self):
        counters = SharedCounters(2)
        here, there = (ConnectionSlots(1, 10, counters, number) for number in range(2))
        here.enter("10.0.0.1", list).set_active()
        with pytest.raises(LimitError):
            there.enter("10.0.0.1", list)
        ConnectionSlots(1, 10, counters, 0)
        there.enter("10.0.0.1", list)


def use_up(counters, name, rate, held):
    """Use a bucket in a separate process, which dies while it holds the lock."""
    counters.take(name, rate)
    with counters._lock_buckets():
        held.set()
        os.kill(os.getpid(), signal.SIGKILL)


def hold_lock(counters, held, go_on):
    """Hold the lock of the buckets until an event is set."""
    with counters._lock_buckets():
        held.set()
        go_on.wait(60)


class TestSharedCounters:
    def test_workers_count_once_together(self, monkeypatch):
        now = [100.0]
        monkeypatch.setattr("parlour.server.http.access.shared_counters.time.monotonic", lambda: now[0])
        counters = SharedCounters(2)
        workers = [Limits({"tables": Rate(2, 1)}, counters) for _ in range(2)]

        def opened():
            count = 0
            for _ in range(3):
                for worker in workers:
                    with suppress(LimitError):
                        worker.take("tables", "10.0.0.1")
                        count += 1
            return count

        assert opened() == 1
        now[0] += 1
        assert opened() == 1  # the burst is one, however long they wait
        now[0] += 0.5
        assert opened() == 1

    @pytest.mark.slow
    def test_use_by_another_process_counts_and_its_death_leaves_no_lock(self):
        counters, rate = SharedCounters(2), Rate(0.01, 2)
        spawn = multiprocessing.get_context("spawn")
        held = spawn.Event()
        other = spawn.Process(target=use_up, args=(counters, "tables 10.0.0.1", rate, held))
        other.start()
        other.join(60)
        assert other.exitcode == -signal.SIGKILL
        assert held.is_set()
        assert counters.take("tables 10.0.0.1", rate) == 0
        assert 50 < counters.take("tables 10.0.0.1", rate) <= 100

    @pytest.mark.slow
    def test_only_one_process_counts_at_a_time(self):
        counters, rate, spawn = SharedCounters(2), Rate(0.01, 2), multiprocessing.get_context("spawn")
        held, go_on = spawn.Event(), spawn.Event()
        other = spawn.Process(target=hold_lock, args=(counters, held, go_on))
        other.start()
        assert held.wait(60)
        with ThreadPoolExecutor(1) as thread:
            taken = thread.submit(counters.take, "tables 10.0.0.1", rate)
            time.sleep(0.2)
            waited = not taken.done()
            go_on.set()
            assert taken.result(60) == 0
        assert waited
        other.join(60)

    def test_its_size_is_fixed_and_recent_entries_stay(self, monkeypatch):
        monkeypatch.setattr("parlour.server.http.access.shared_counters._SETS", 2)
        counters, rate = SharedCounters(), Rate(0.01, 1)
        for number in range(100):
            assert (counters.take("the one", rate) > 0) == (number > 0)
            assert counters.take(f"another {number}", rate) == 0
        assert counters.take("the one", rate)
        assert counters._buckets.size == 16

    def test_limits_can_be_multiplied(self):
        school = Limits({"tables": Rate(0.01, 2)}, factor=2.5)
        for _ in range(5):
            school.take("tables", "10.0.0.1")
        with pytest.raises(LimitError):
            school.take("tables", "10.0.0.1")

    def test_an_address_is_the_same_whichever_way_the_system_writes_it(self):
        assert limits.network_of("::ffff:10.0.0.1") == limits.network_of("10.0.0.1") == "10.0.0.1"
        assert limits.network_of("::ffff:10.0.0.2") != limits.network_of("10.0.0.1")


class TestOneProcess:
    @pytest.fixture
    def rooms(self, tmp_path):
        """Yield a function that opens a room with the limits set before."""
        with ExitStack() as stack:

            def open_room(**settings):
                room = CardRoom(tmp_path / "tables.sqlite", Settings(paced=False, **settings))
                stack.callback(room.stop)
                return room

            yield open_room

    def test_idle_connections_replace_only_those_of_the_same_address(self, rooms, monkeypatch):
        monkeypatch.setattr(web_server, "ADDRESS_CONNECTIONS", 3)
        room = rooms()
        with ExitStack() as stack:
            idle = [stack.enter_context(connect_bare(room.port, source="127.0.0.2")) for _ in range(3)]
            other = stack.enter_context(connect_bare(room.port, source="127.0.0.3"))
            answered = stack.enter_context(connect_bare(room.port, ASK, "127.0.0.2"))
            assert b" 200 " in answered.recv(65536)
            assert [is_open(each) for each in (*idle, other)] == [False, True, True, True]
            last = [stack.enter_context(connect_bare(room.port, source="127.0.0.2")) for _ in range(3)]
            wait_until(lambda: not is_open(answered))  # it has its answer, so it is idle like the others
            assert all(is_open(each) for each in (other, *last))
        assert room.works()

    def test_a_players_connection_is_never_closed_for_another(self, rooms, monkeypatch):
        monkeypatch.setattr(web_server, "ADDRESS_CONNECTIONS", 3)
        room = rooms()
        table = room.open("you", "thumb")
        room.http.close()
        with ExitStack() as stack:
            ann, *others = (stack.enter_context(room.sit(table["table"], table["key"])) for _ in range(3))
            for each in (ann, *others):
                each.until(lambda scene: scene["legal"])
                each.say(type="ping")
                each.hear_type("pong")
            with connect_bare(room.port, ASK) as late:
                answer = read_all(late)
            assert answer.startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
            assert b"\r\nRetry-After: 10\r\n" in answer
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"].startswith("too many connections")
            play_out(ann)
            for each in (ann, *others):  # the game is over: now they are idle
                each.until(lambda scene: scene["over"])
                each.say(type="ping")
                each.hear_type("pong")
            with connect_bare(room.port, ASK) as late:
                assert b" 200 " in late.recv(65536)
            assert ann.close_code() == 1013

    def test_a_full_room_closes_idle_connections_of_any_address(self, rooms, monkeypatch):
        monkeypatch.setattr(web_server, "most_connections", lambda: 2)
        room = rooms(limited=False)
        table = room.open("you", "thumb")
        room.http.close()
        with ExitStack() as stack:
            idle = [stack.enter_context(connect_bare(room.port, source=f"127.0.0.{number}")) for number in (2, 3)]
            ann = stack.enter_context(room.sit(table["table"], table["key"]))
            ann.until(lambda scene: scene["legal"])
            assert [is_open(each) for each in idle] == [False, True]
            bo = stack.enter_context(room.sit(table["table"]))
            bo.until(lambda scene: True)
            assert not is_open(idle[1])
            with connect_bare(room.port, ASK) as late:
                assert read_all(late).startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
            play_out(ann)

    def test_too_many_connections_are_refused_before_reading(self, rooms, monkeypatch):
        monkeypatch.setattr("parlour.server.process.settings.ADDRESS_RATES", {"arrivals": Rate(0.01, 3)})
        room = rooms()
        for _ in range(3):
            connect_bare(room.port, source="127.0.0.2").close()
        with connect_bare(room.port, ASK, "127.0.0.2") as late:
            answer = read_all(late)
        assert answer.startswith(b"HTTP/1.1 429 ")
        assert b"too many arrivals: try again in" in answer
        with connect_bare(room.port, ASK, "127.0.0.3") as other:
            assert b" 200 " in other.recv(65536)

    def test_a_refused_client_that_disconnects_is_no_error(self, rooms, monkeypatch, caplog):
        monkeypatch.setattr("parlour.server.process.settings.ADDRESS_RATES", {"arrivals": Rate(0.01, 5)})
        room = rooms()
        for _ in range(50):
            gone = socket.create_connection(("127.0.0.1", room.port), source_address=("127.0.0.2", 0))
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            gone.close()  # with a reset
        assert room.works()
        assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []

    def test_behind_a_proxy_the_clients_addresses_count(self, rooms, monkeypatch):
        monkeypatch.setattr(web_server, "ADDRESS_CONNECTIONS", 2)
        monkeypatch.setattr("parlour.server.process.settings.ADDRESS_RATES", {"arrivals": Rate(0.01, 2)})
        room = rooms(behind_proxy=("localhost",))
        url = f"ws://127.0.0.1:{room.port}/api/tables/{room.open('you', 'open')['table']}/play"
        with ExitStack() as stack:
            idle = [stack.enter_context(connect_bare(room.port)) for _ in range(5)]

            def sit(client):
                headers = {"X-Forwarded-For": f"1.2.3.4, {client}"}
                return stack.enter_context(connect_to(url, additional_headers=headers))

            one, two = sit("10.0.0.1"), sit("10.0.0.1")
            other = sit("10.0.0.2")
            sit("10.0.0.1")
            with pytest.raises(Exception, match="1013"):
                one.recv(PATIENCE)
            for each in (two, other):
                each.send('{"type": "hello"}')
                assert json.loads(each.recv(PATIENCE))["type"] == "table"
            assert all(is_open(each) for each in idle)

    @pytest.mark.parametrize(("data", "limit"), [(b"", "LINE"), (b"GET / HT", "LINE"), (ASK[:-2], "HEAD")])
    def test_an_incomplete_request_is_closed_after_its_time_limit(self, rooms, monkeypatch, data, limit):
        for name in ("LINE", "HEAD"):
            monkeypatch.setattr(protocols, f"{name}_SECONDS", 0.2 if name == limit else PATIENCE)
        with connect_bare(rooms().port, data) as slow:
            assert read_all(slow) == b""

    def test_closed_connections_free_their_slots(self, rooms, monkeypatch):
        monkeypatch.setattr(web_server, "ADDRESS_CONNECTIONS", 3)
        room = rooms()
        for _ in range(3):
            assert room.works()
        assert room.http.get("/healthz").status_code == 200


class NarrowServer(Process):
    """A server with few slots at its dispatcher, which tolerates silent connections for long."""

    program = (
        "-c",
        "from parlour.cli import main; from parlour.server.process import workers\n"
        "workers._PENDING, workers._PENDING_EACH, workers.LINE_SECONDS = 6, 4, 120; main()",
    )


@pytest.mark.slow
class Flood(socket.socket):
    """A connection whose client sends faster than it is read."""

    reads = 1_000_000
    """The number of reads after which the test fails instead of hanging."""

    def recv(self, *_):
        self.reads -= 1
        assert self.reads, "the reader does not suspend"
        return b"x"


class TestTheDispatcher:
    def test_a_flood_from_a_refused_client_does_not_hold_it(self, monkeypatch):
        monkeypatch.setattr(workers, "_REFUSED_SECONDS", 0.01)
        near, far = socket.socketpair()
        with far:
            refused = Flood(fileno=near.detach())
            refused.setblocking(False)
            run_apart(workers._refuse(refused, b"answer"))
            assert far.recv(100) == b"answer"

    @pytest.fixture
    def opened(self, tmp_path):
        """Yield a function that starts a server with two workers."""
        with ExitStack() as stack:

            def open_server(kind, *arguments):
                server = kind(tmp_path / "tables.sqlite", "--workers", "2", *arguments)
                stack.callback(server.process.communicate, timeout=PATIENCE)
                stack.callback(server.process.terminate)
                return server

            yield open_server

    def test_silent_connections_make_room_for_active_ones(self, opened):
        server = opened(NarrowServer)
        with ExitStack() as stack:
            idle = [stack.enter_context(connect_bare(server.port, source="127.0.0.2")) for _ in range(6)]
            wait_until(lambda: not is_open(idle[1]))
            assert [is_open(each) for each in idle] == [False, False, True, True, True, True]
            more = [stack.enter_context(connect_bare(server.port, source=f"127.0.0.{number}")) for number in (3, 4, 5)]
            wait_until(lambda: not is_open(idle[2]))
            assert [is_open(each) for each in (*idle[3:], *more)] == [True] * 6
            for _ in range(10):
                assert server.get("/healthz").status_code == 200

    def test_a_dispatched_connection_occupies_no_slot_of_the_dispatcher(self, opened):
        server = opened(NarrowServer)
        with ExitStack() as stack:
            idle = [stack.enter_context(connect_bare(server.port, source=f"127.0.0.{number}")) for number in (2, 3, 4)]
            for _ in range(10):
                assert server.get("/healthz").status_code == 200
            assert [is_open(each) for each in idle] == [True] * 3

    def test_limits_of_an_address_are_counted_over_all_workers(self, opened):
        server = opened(Process, "--limits-factor", "0.1")
        wanted = order("you", "open")
        with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=PATIENCE) as client:
            codes = [client.post("/api/tables", json=wanted).status_code for _ in range(8)]
        assert codes == [201] * 3 + [429] * 5
        with ExitStack() as stack:
            halves = [stack.enter_context(connect_bare(server.port, ASK[:-2], "127.0.0.9")) for _ in range(70)]
            wait_until(lambda: sum(is_open(each) for each in halves) <= 50)
            with connect_bare(server.port, ASK, "127.0.0.8") as other:
                assert b" 200 " in read_all(other)
