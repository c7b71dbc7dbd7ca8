"""A server that is killed at any moment loses no action that was acknowledged, and deals no other cards afterwards."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time

import httpx
import pytest

from parlour.engine.deals import check_deal
from parlour.games import find_game
from parlour.server.store import Store
from tests.server.house import Player, order, play_out

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    return request.param


class Process:
    """A server in a process of its own, at a port that stays the same."""

    program = ("-m", "parlour.cli")

    def __init__(self, place, *arguments):
        self.place = place
        self.arguments = arguments
        self.port = 0
        self.start()

    def start(self):
        command = [sys.executable, *self.program, "serve", "--no-warm-up", "--no-pace", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--database", str(self.place), *self.arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline())[1])

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def open(self, *seats, **more):
        answer = httpx.post(f"http://127.0.0.1:{self.port}/api/tables", json=order(*seats, **more))
        assert answer.status_code == 201, answer.text
        return answer.json()

    def get(self, path):
        return httpx.get(f"http://127.0.0.1:{self.port}{path}")


@pytest.fixture
def servers(place):
    started = []

    def start(*arguments):
        started.append(Process(place, *arguments))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.kill()


def events_in(place, table):
    store = Store(place)
    try:
        return store.load(table["table"]).events
    finally:
        store.close()


@pytest.mark.slow
class TestKilled:
    @pytest.mark.parametrize(("game", "options"), [("trick-walls", {"rounds": 3}), ("three-tricks", {})])
    def test_at_random_events(self, servers, place, game, options):
        chance, server = random.Random(7), servers()
        table = server.open("you", "thumb", game=game, options=options)
        acknowledged, told, before, over = 0, [], [], False
        for _ in range(4):
            stop = acknowledged + chance.randrange(1, 12)
            with Player(server.port, table["table"], table["key"]) as ann:
                ann.hear_type("scenes")
                assert ann.scene["seen"] >= acknowledged
                assert [line for line in ann.told if line][: len(told)] == told
                play_out(ann, until=lambda now, stop=stop: now["over"] or (now["seen"] >= stop and now["legal"]))
                if over := ann.scene["over"]:
                    break
                ann.do(ann.scene["legal"][0])
                if chance.randrange(2):
                    ann.hear()
                server.kill()
                ann.close_code()
                acknowledged, told = ann.scene["seen"], [line for line in ann.told if line]
            before = events_in(place, table)
            assert len(before) >= acknowledged
            server.start()
        with Player(server.port, table["table"], table["key"]) as ann:
            play_out(ann)
        assert events_in(place, table)[: len(before)] == before
        record = server.get(f"/api/tables/{table['table']}/record").json()
        assert check_deal(record, find_game, commitment=table["commitment"]).over
        assert over or acknowledged

    def test_before_the_first_event_no_other_deal_is_made(self, servers):
        server = servers()
        table = server.open("you", "open")
        server.kill()
        server.start()
        assert server.get(f"/api/tables/{table['table']}").json()["commitment"] == table["commitment"]


class TestAsked:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_it_stops_in_an_orderly_way(self, servers, number):
        server = servers()
        table = server.open("you", "thumb")
        with Player(server.port, table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            began = time.monotonic()
            server.process.send_signal(number)
            assert ann.close_code() == 1012
        out, err = server.process.communicate(timeout=10)
        assert server.process.returncode == 0
        assert "closed" in out
        assert [json.loads(line)["what"] for line in err.splitlines()] == ["open", "closed"]
        assert time.monotonic() - began < 8
