"""A server ends at once on request, and leaves no process behind."""

import os
import signal
import time

import pytest

from tests.helpers import running_processes
from tests.server.card_room import PATIENCE, Player, wait_until
from tests.server.server_process import Process, events_in

AT_ONCE = PATIENCE
"""Time limit in seconds: two are expected, the rest is for a busy machine. Finishing all work would take minutes."""
PONDERING = """
import time
from dataclasses import replace
from parlour.bots import BOTS
from parlour.cli import main
from parlour.server.table.bots import bot_turns
bot_turns.find_bot = lambda name: replace(BOTS[name], choose=lambda observation: time.sleep(300))
main()
"""


class Pondering(Process):
    """A server whose bots never decide."""

    program = ("-c", PONDERING)


@pytest.fixture
def open_server(tmp_path):
    """Yield a function that starts a server, which is killed after the test at the latest."""
    opened = []

    def open_one(kind, *arguments):
        opened.append(kind(tmp_path / "tables.sqlite", *arguments))
        return opened[-1]

    yield open_one
    for server in opened:
        if server.process.poll() is None:
            server.kill()


def descendants_of(number):
    """Return the descendants of a process."""
    parents = {}
    for each in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{each}/stat") as file:
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            parents[int(each)] = int(parent)
    found = [number]
    for each in found:
        found.extend(child for child, parent in parents.items() if parent == each)
    return found[1:]


def helpers_of(number, least):
    """Return the descendants of a process once there are ``least``: a room announces a wait before they start."""
    return wait_until(lambda: len(found := descendants_of(number)) >= least and found)


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "number"), [("1", signal.SIGTERM), ("2", signal.SIGINT), ("2", signal.SIGKILL)])
def test_it_ends_while_searches_are_compiled(open_server, tmp_path, monkeypatch, workers, number):
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "cache"))
    server = open_server(Process, "--warm-up", "--workers", workers)
    table = server.open("master", "master")
    with Player(server.port, table["table"]) as spectator:
        spectator.until_company(lambda company: company["readying"])
        helpers = helpers_of(server.process.pid, 2)  # one works in advance, one on requests
        began = time.monotonic()
        server.process.send_signal(number)
        server.process.communicate(timeout=PATIENCE)
        wait_until(lambda: not running_processes(helpers), AT_ONCE)
    assert time.monotonic() - began < AT_ONCE
    assert server.process.returncode == (-number if number == signal.SIGKILL else 0)


@pytest.mark.slow
def test_it_ends_while_bots_think_and_keeps_acknowledged_actions(open_server):
    server = open_server(Pondering)
    table = server.open("you", "thumb", game="trime-kicker", options={})
    with Player(server.port, table["table"], table["key"]) as ann:
        ann.until(lambda scene: scene["actor"] in (0, 1))
        if ann.scene["legal"]:
            seen = ann.scene["seen"]
            ann.do(ann.scene["legal"][0])
            ann.until_seen(seen + 1)
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        assert ann.close_code() == 1012
        out, _ = server.process.communicate(timeout=PATIENCE)
    assert time.monotonic() - began < AT_ONCE
    assert server.process.returncode == 0
    assert "closed" in out
    assert len(events_in(server.database, table)) == ann.scene["seen"]
