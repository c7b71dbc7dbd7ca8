"""Clients that break the protocol are answered or cut off, and cause no errors in the log."""

import asyncio
import json
import logging
import os
import random
import struct
from contextlib import suppress

import httpx
import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from parlour.server.http.access.connection_slots import ConnectionSlots
from parlour.server.http.protocols import WebSocket
from parlour.server.metrics import metrics, serve_metrics
from parlour.server.table.close_codes import Closing
from tests.helpers import run_apart
from tests.server.bare_connections import connect_bare, read_all, upgrade
from tests.server.card_room import PATIENCE

BROKEN_UTF8 = b"\xf0\x9f"


@pytest.fixture
def errors():
    """Yield the list of the logged lines of level error or higher."""
    lines = []

    class Keep(logging.Handler):
        def emit(self, record):
            lines.append(f"{record.name}: {record.getMessage()}")

    keep, root = Keep(logging.ERROR), logging.getLogger()
    root.addHandler(keep)
    yield lines
    root.removeHandler(keep)


def frame(opcode, data, masked=True, final=True):
    mask = os.urandom(4) if masked else b""
    length = bytes([len(data)]) if len(data) < 126 else b"\x7e" + struct.pack("!H", len(data))
    head = bytes([opcode | (0x80 if final else 0), length[0] | (0x80 if masked else 0)]) + length[1:]
    return head + mask + (bytes(byte ^ mask[at % 4] for at, byte in enumerate(data)) if masked else data)


@pytest.fixture
def open_socket(card_room):
    """Yield a function that opens a bare WebSocket at a table."""
    table = card_room.open("you", "thumb")["table"]
    opened = []

    def open_one(data=b""):
        opened.append(connect_bare(card_room.port, upgrade(table)))
        read = b""
        while b"\r\n\r\n" not in read:
            read += opened[-1].recv(4096)
        assert b" 101 " in read
        opened[-1].sendall(data)
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


def closing_code(raw):
    """Return the code with which the server closes the connection, if any."""
    read = read_all(raw)
    at = read.find(b"\x88")
    return struct.unpack("!H", read[at + 2 : at + 4])[0] if at >= 0 else None


class TestTheLog:
    @pytest.mark.parametrize(
        ("sent", "code"),
        [
            (frame(1, b"{}") + frame(1, BROKEN_UTF8), 1007),
            (frame(1, b'{"type": "hello"}') + frame(1, BROKEN_UTF8), 1007),
            (frame(1, BROKEN_UTF8, final=False) + frame(0, b"x"), 1007),
            (frame(1, b"{}") + frame(1, b"{}", masked=False), 1002),
            (frame(1, b"{}") + frame(3, b"x"), 1002),
            (frame(1, b"{}") + frame(0, b"x"), 1002),
            (frame(9, b"x" * 126), 1002),
            (frame(8, b"\x00"), 1002),
            (frame(8, struct.pack("!H", 1005)), 1002),
            (frame(9, b"") * 200, 4429),
            (frame(10, b"") * 200, 4429),
            (frame(1, b"{}") * 20_000, 4429),
        ],
        ids=["bad then no text", "no text", "fragments", "unmasked", "reserved", "continued", "ping", "close", "code",
             "pings", "pongs", "messages"],
    )  # fmt: skip
    def test_a_broken_frame_is_no_error_of_ours_and_is_counted(self, card_room, open_socket, errors, sent, code):
        before = metrics().client_errors._value.get()
        assert closing_code(open_socket(sent)) == Closing(code)
        assert card_room.works()
        assert errors == []
        assert metrics().client_errors._value.get() == before + 1

    def test_other_malformed_data_is_no_error(self, card_room, open_socket, errors):
        chance = random.Random(3)
        bits = [b"{}", b"", b'{"type": "hello"}', b'{"type": "act", "do": "7H", "seen": 1}', BROKEN_UTF8, b"x" * 300]
        for _ in range(150):
            said = b"".join(
                frame(
                    chance.choice([0, 1, 1, 1, 2, 3, 8, 9, 10, 15]),
                    chance.choice(bits),
                    masked=chance.random() > 0.05,
                    final=chance.random() > 0.1,
                )
                for _ in range(chance.randrange(1, 6))
            )
            raw = open_socket(said + chance.randbytes(chance.choice([0, 0, 5])))
            with suppress(OSError):
                raw.shutdown(chance.choice([0, 1, 2]))
            raw.close()
        assert card_room.works()
        assert errors == []

    @pytest.mark.parametrize(
        "change",
        [
            (b"Version: 13", b"Version: 7"), (b"AAAAAAAAAAAAAAAAAAAAAA==", b"AA"), (b"Key: A", b"Key: \xffA"),
            (b"Connection: Upgrade", b"Connection: Upgrade\r\nTransfer-Encoding: chunked"),
            (b"Connection: Upgrade", b"Connection: Upgrade\r\nContent-Length: 5"), (b"GET", b"POST"),
            (b"Upgrade: websocket\r\n", b"Upgrade: websocket, x\r\n"), (b"/play", b"/play%ff"),
            (b"/play", b"/nothing"), (b"HTTP/1.1", b"HTTP/1.0"), (b"Host", b"Host: localhost\r\nHost"),
        ],
    )  # fmt: skip
    def test_a_malformed_handshake_is_no_error(self, card_room, errors, change):
        with connect_bare(card_room.port, upgrade("abc").replace(*change, 1)) as raw:
            answer = raw.recv(4096)
        assert answer.split()[1][:1] == b"4" or b"HTTP/1.0" in change
        assert card_room.works()
        assert errors == []

    def test_a_client_that_leaves_during_the_handshake_is_no_error(self, errors):
        async def accept(_scope, _receive, send):
            await send({"type": "websocket.accept"})

        class Gone(asyncio.Transport):
            def is_closing(self):
                return True

            def close(self):
                pass

        async def come_and_go():
            state = ServerState()
            slot = ConnectionSlots().enter("192.0.2.1", print)
            socket = WebSocket(slot, config=Config(accept), server_state=state, app_state={})
            socket.connection_made(Gone())
            socket.data_received(upgrade("abc"))
            await asyncio.gather(*state.tasks)

        run_apart(come_and_go())
        assert errors == []


class TestRequestLength:
    def test_a_request_with_two_lengths_is_refused_and_nothing_after_it_is_read(self, card_room):
        for headers in (
            "Content-Length: 2\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 2",
        ):
            said = f"POST /api/check HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"
            with connect_bare(
                card_room.port, said.encode() + b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
            ) as raw:
                answer = read_all(raw)
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert answer.count(b"HTTP/1.1 ") == 1
            assert "not both" in json.loads(answer.rpartition(b"\r\n\r\n")[2])["error"]


class TestMetrics:
    def test_a_foreign_host_name_gets_no_metrics(self):
        metrics()
        server = serve_metrics("127.0.0.1", 0, {"localhost", "127.0.0.1:9100"})
        address = f"http://127.0.0.1:{server.server_port}/metrics"
        try:
            for host, status in (("localhost", 200), ("127.0.0.1:9100", 200), ("evil.example", 421), ("", 421)):
                answer = httpx.get(address, headers={"Host": host}, timeout=PATIENCE)
                assert answer.status_code == status
                assert ("parlour_" in answer.text) == (status == 200)
        finally:
            server.shutdown()
            server.server_close()
