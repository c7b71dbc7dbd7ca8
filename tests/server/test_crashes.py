"""A server that is killed at any moment loses no acknowledged action and deals the same cards afterwards."""

import json
import random
import signal
import subprocess
import threading
import time
from contextlib import suppress

import httpx
import pytest
from websockets.exceptions import WebSocketException

from parlour.engine.matches.deals import check_deal
from parlour.server.store.store import Store
from parlour.server.table.people.keys import new_key
from tests.sample_size import FACTOR
from tests.server.card_room import PATIENCE, Player, order, play_out
from tests.server.server_process import Process, events_in

pytestmark = pytest.mark.slow

ANSWERS = ("scenes", "refused")
KILLS = FACTOR
"""Number of kills of the server in a game, and number of tries to kill it during each kind of request."""


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    return request.param


@pytest.fixture
def servers(database):
    started = []

    def start(*arguments):
        started.append(Process(database, *arguments))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.kill()


class TestKilled:
    @pytest.mark.parametrize(("game", "options"), [("trick-walls", {"rounds": 3}), ("three-tricks", {})])
    def test_a_server_killed_at_random_events_has_lost_no_acknowledged_action(self, servers, database, game, options):
        chance, server = random.Random(7), servers()
        table = server.open("you", "thumb", game=game, options=options)
        acknowledged, log, before, over = 0, [], [], False
        for _ in range(KILLS):
            stop = acknowledged + chance.randrange(1, 12)
            with Player(server.port, table["table"], table["key"]) as ann:
                ann.hear_type("scenes")
                assert ann.scene["seen"] >= acknowledged
                assert [line for line in ann.log if line][: len(log)] == log
                play_out(ann, until=lambda now, stop=stop: now["over"] or (now["seen"] >= stop and now["legal"]))
                if over := ann.scene["over"]:
                    break
                ann.do(ann.scene["legal"][0])
                if chance.randrange(2):
                    ann.hear()
                server.kill()
                ann.close_code()
                acknowledged, log = ann.scene["seen"], [line for line in ann.log if line]
            before = events_in(database, table)
            assert len(before) >= acknowledged
            server.start()
        with Player(server.port, table["table"], table["key"]) as ann:
            play_out(ann)
        assert events_in(database, table)[: len(before)] == before
        record = server.get(f"/api/tables/{table['table']}/record").json()
        assert check_deal(record, commitment=table["commitment"]).over
        assert over or acknowledged

    def test_a_new_name_and_a_resignation_are_not_lost(self, servers):
        server = servers()
        table = server.open("you", "thumb")
        with Player(server.port, table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            ann.say(type="rename", name="Zoe")
            ann.until(lambda scene: scene["log"] == ["You are Zoe now."])
            ann.say(type="resign")
            ann.until(lambda scene: scene["over"])
        server.kill()
        server.start()
        with Player(server.port, table["table"]) as onlooker:
            assert onlooker.until(lambda scene: scene["over"])["outcome"] == "Zoe resigns. Bot 1 wins."
        assert server.get(f"/api/tables/{table['table']}/record").json()["ending"]["seat"] == 0

    def test_a_server_killed_before_the_first_event_makes_no_other_deal(self, servers):
        server = servers()
        table = server.open("you", "open")
        server.kill()
        server.start()
        assert server.get(f"/api/tables/{table['table']}").json()["commitment"] == table["commitment"]


class Insistent:
    """A client that repeats one request until it is answered."""

    def __init__(self, ask):
        self.answer = None
        self._ask = ask
        self.asking = threading.Event()
        self._thread = threading.Thread(target=self._insist, daemon=True)
        self._thread.start()

    def _insist(self):
        until = time.monotonic() + 2 * PATIENCE
        while self.answer is None and time.monotonic() < until:
            try:
                self.asking.set()
                self.answer = self._ask()
            except (httpx.TransportError, WebSocketException, OSError, EOFError):
                time.sleep(0.02)

    def answered(self):
        self._thread.join(3 * PATIENCE)
        assert self.answer is not None
        return self.answer


@pytest.fixture(scope="module", params=["sqlite", "postgresql"] if KILLS > 1 else ["sqlite"])
def server(request, tmp_path_factory):
    database = tmp_path_factory.mktemp("killed") / "tables.sqlite"
    if request.param == "postgresql":
        database = request.getfixturevalue("cluster").new_database()
    running = Process(database, "--no-limits")
    yield running
    running.kill()


class TestRepeatedCommands:
    """The server is killed at a random moment of a request, and the client repeats the request."""

    @pytest.fixture(params=range(KILLS))
    def chance(self, request):
        return random.Random(request.param)

    def killed(self, server, chance, ask):
        """Return the answer to a client that repeats its request while the server is killed."""
        asked = Insistent(ask)
        asked.asking.wait()
        time.sleep(chance.random() * 0.03)
        server.kill()
        server.start()
        return asked.answered()

    def post(self, server, path, **wanted):
        answer = httpx.post(f"http://127.0.0.1:{server.port}{path}", json=wanted, timeout=PATIENCE)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def over(self, server):
        table = server.open("you", "thumb", options={"rounds": 1})
        with Player(server.port, table["table"], table["key"]) as ann:
            play_out(ann)
        return table

    def tables(self, server):
        store = Store(server.database)
        try:
            with store.engine.connect() as connection:
                return connection.exec_driver_sql("SELECT count(*) FROM tables").scalar()
        finally:
            store.close()

    def test_open_one_table(self, server, chance):
        before = self.tables(server)
        wanted = {**order("you", "thumb"), "key": new_key()}
        opened = self.killed(server, chance, lambda: self.post(server, "/api/tables", **wanted))
        assert self.post(server, "/api/tables", **wanted) == opened
        assert self.tables(server) == before + 1
        with Player(server.port, opened["table"], wanted["key"]) as ann:
            play_out(ann)

    def test_take_one_seat(self, server, chance):
        table, wanted = server.open("you", "open"), {"seat": 1, "name": "Bo", "key": new_key()}
        path = f"/api/tables/{table['table']}/seats"
        taken = self.killed(server, chance, lambda: self.post(server, path, **wanted))
        assert self.post(server, path, **wanted) == taken
        with Player(server.port, table["table"], wanted["key"]) as bo:
            assert bo.until(lambda scene: True)["seat"] == 1

    def test_open_one_rematch(self, server, chance):
        table, before = self.over(server), self.tables(server)
        path = f"/api/tables/{table['table']}/rematch"
        again = self.killed(server, chance, lambda: self.post(server, path, key=table["key"]))
        assert self.post(server, path, key=table["key"]) == again
        assert self.tables(server) == before + 1
        with Player(server.port, table["table"], table["key"]) as ann:
            expected = {"type": "rematch", "table": again["table"], "seat": 1, "by": [0], "begun": True}
            assert ann.hear_type("rematch") == expected

    def test_send_one_chat_message(self, server, chance):
        table = server.open("you", "thumb")

        def say():
            with Player(server.port, table["table"], table["key"]) as ann:
                ann.say(type="say", words="hello", id="one")
                return ann.hear_type("said")["said"]

        expected = [{"by": 0, "id": "one", "words": "hello", "sign": ""}]
        assert self.killed(server, chance, say) == expected
        assert say() == expected
        with Player(server.port, table["table"]) as late:
            assert late.hear_type("said")["said"] == expected

    def test_take_back_one_action(self, server, chance):
        table = server.open("you", "thumb", game="castle-walls", options={})
        with Player(server.port, table["table"], table["key"]) as ann:
            scene = ann.until(lambda scene: scene["legal"])
            ann.do(next(action for action in scene["legal"] if action.startswith("down")))
            ann.until_company(lambda company: company["undoable"] == 0)
            seen = ann.until_seen(scene["seen"] + 1)["seen"]

        def undo():
            with Player(server.port, table["table"], table["key"]) as ann:
                ann.hear_type("scenes")
                ann.say(type="undo", seen=seen)
                return next(message for message in iter(ann.hear, None) if message["type"] in ANSWERS)

        answer = self.killed(server, chance, undo)
        taken_back = [event.do for event in events_in(server.database, table)].count("undo")
        assert taken_back == (answer["type"] == "scenes")
        assert undo()["type"] == answer["type"]


class TestSignals:
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_end_the_server_in_an_orderly_way(self, servers, number):
        server = servers()
        table = server.open("you", "thumb")
        with Player(server.port, table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            server.process.send_signal(number)
            assert ann.close_code() == 1012
        out, err = server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 0
        assert "closed" in out
        assert [json.loads(line)["what"] for line in err.splitlines()] == ["open", "closed"]

    def test_end_the_server_in_the_same_way_when_repeated(self, servers):
        """An impatient user repeats Ctrl-C until the process is gone."""
        server = servers()
        table = server.open("you", "thumb")
        with Player(server.port, table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            while server.process.poll() is None:
                server.process.send_signal(signal.SIGINT)
                with suppress(subprocess.TimeoutExpired):
                    server.process.wait(0.02)
            assert ann.close_code() == 1012
        _, err = server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 0
        assert [json.loads(line)["what"] for line in err.splitlines()] == ["open", "closed"]
