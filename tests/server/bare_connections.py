"""Connections to a server without HTTP or WebSocket, for tests of what it closes."""

import socket
from contextlib import suppress

from tests.server.card_room import PATIENCE


def connect_bare(port, data=b"", source="127.0.0.1"):
    """Return a bare connection from an address of this machine."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(source, 0))
    connection.sendall(data)
    return connection


def read_all(connection):
    """Return all data sent on a connection until its end."""
    read = b""
    with suppress(ConnectionResetError):
        while data := connection.recv(65536):
            read += data
    return read


def is_open(connection):
    """Return whether the server keeps a connection open, after a moment."""
    connection.settimeout(0.05)
    try:
        return bool(connection.recv(65536))
    except TimeoutError:
        return True
    except OSError:
        return False


def upgrade(table):
    return (
        f"GET /api/tables/{table}/play HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()
