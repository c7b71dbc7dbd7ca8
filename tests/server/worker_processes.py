"""The processes of a server with several workers."""

import os
import time
from pathlib import Path

from websockets.exceptions import InvalidMessage

from parlour.server.table.shares import owner_of
from tests.server.card_room import PATIENCE, Player


def children_of(number):
    """Return the processes that a process has started, with their command lines."""
    found = {}
    for each in os.listdir("/proc"):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() if each.isdigit() else []
            if fields and int(fields[1]) == number:
                found[int(each)] = Path(f"/proc/{each}/cmdline").read_text()
        except OSError:
            continue
    return found


def forkserver_of(dispatcher):
    """Return the process from which a dispatcher's workers are forked."""
    (forkserver,) = [number for number, line in children_of(dispatcher).items() if "forkserver" in line]
    return forkserver


def workers_of(dispatcher):
    return sorted(children_of(forkserver_of(dispatcher)))


def connected_again(server, table):
    """Return a player who tries again, as the page does, if the dispatcher gave the connection to a dying worker."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return Player(server.port, table["table"], table["key"])
        except (InvalidMessage, OSError, EOFError):
            assert time.monotonic() < until


def tables_of_both(server, *seats):
    """Open tables until each of a server's two workers has one; return these two."""
    owned = {}
    while len(owned) < 2:  # the ids are drawn: it may take a few
        table = server.open(*seats)
        owned[owner_of(table["table"].encode(), 2)] = table
    return list(owned.values())
