"""A card room in a thread, and players who connect to it by sockets."""

import asyncio
import itertools
import json
import os
import random
import socket
import threading
import time
from contextlib import suppress

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from parlour.server.process.run import listen
from parlour.server.process.settings import Settings
from parlour.server.process.web_server import Server, make_config
from parlour.server.store.store import Store

PATIENCE = 60
"""Time limit of every wait, in seconds; enough for a busy machine."""

PORTS = itertools.cycle(random.SystemRandom().sample(range(20_000, 32_000), 12_000))
"""Ports below the range for outgoing connections, in random order."""


def wait_until(holds, seconds=PATIENCE):
    """Wait until a condition holds, and return its value."""
    ends = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < ends, f"not within {seconds} seconds"
        time.sleep(0.02)
    return found


def connect_to(url, **more):
    """Return a connection to a WebSocket, as a context manager that waits patiently for the handshake."""
    return connect(url, open_timeout=PATIENCE, **more)


def free_port():
    """Return a port below the range for outgoing connections, so that it stays free until a server listens there.

    Each of up to 16 processes of tests has its own ports, and returns a port again only after all others.
    """
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    while True:
        port = next(PORTS)
        if port % 16 != number % 16:
            continue
        with socket.socket() as asking:
            try:
                asking.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


class CardRoom:
    """A card room in a thread; it has its own port unless the caller passes one."""

    def __init__(self, database, settings=None, port=None):
        self.database = database
        self.store = Store(database)
        listening = listen("127.0.0.1", port or free_port())
        self.port = listening.getsockname()[1]
        self.config = make_config(self.store, settings or Settings(limited=False, paced=False))
        self.server = Server(self.config)
        self.thread = threading.Thread(target=lambda: asyncio.run(self._serve(listening)), daemon=True)
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the server did not start"
            time.sleep(0.005)
        address = f"http://127.0.0.1:{self.port}"
        # loading certificates, which no test needs, would take a third of the start
        self.http = httpx.Client(base_url=address, timeout=PATIENCE, verify=False)

    async def _serve(self, listening):
        self.loop = asyncio.get_running_loop()
        await self.server.serve([listening])

    def soon(self, function):
        """Call a function in the server's thread, and wait until it has returned."""

        async def call():
            return function()

        return self.call(call)

    def call(self, function, *arguments):
        """Call a coroutine function in the server's thread, and wait until it has returned."""
        return asyncio.run_coroutine_threadsafe(function(*arguments), self.loop).result(PATIENCE)

    @property
    def rooms(self):
        return self.config.app.state.rooms.in_memory

    def stop(self):
        self.http.close()
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        self.store.close()

    def open(self, *seats, game="trick-walls", options=None, **manners):
        """Open a table; a seat is ``"you"``, ``"open"`` or the id of a bot."""
        wanted = {**order(*seats, game=game, options=options), "manners": manners}
        answer = self.http.post("/api/tables", json=wanted)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def sit(self, table, key=None, **more):
        return Player(self.port, table, key, **more)

    def until_gone(self, table):
        """Wait until the server has noticed that no player is connected to a table any more.

        A client knows that its connection is closed a moment before the server does.
        """
        with self.sit(table) as onlooker:
            onlooker.until_company(lambda company: not company["there"])

    def works(self):
        """Return whether a new game can be opened and started."""
        table = self.open("you", "thumb")
        with self.sit(table["table"], table["key"]) as player:
            player.until(lambda scene: scene["legal"])
        return True

    def raw(self, data=b""):
        """Return a bare connection after sending some bytes."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        connection.sendall(data)
        return connection


def order(*seats, game="trick-walls", options=None):
    kinds = [
        {"kind": "open"}
        if seat == "open"
        else {"kind": "you", "name": "Ann"}
        if seat == "you"
        else {"kind": "bot", "bot": seat, "name": f"Bot {number}"}
        for number, seat in enumerate(seats)
    ]
    return {
        "game": game,
        "players": len(seats),
        "options": {"rounds": 1} if options is None else options,
        "seats": kinds,
    }


class Player:
    """A client at a table that records the messages it receives."""

    def __init__(self, port, table, key=None, hello=True, seen=None, headers=None):
        url = f"ws://127.0.0.1:{port}/api/tables/{table}/play"
        # an unlimited queue: a client with unread messages could not close for ten seconds
        self.connecting = connect_to(url, max_queue=None, additional_headers=headers)
        self.socket = self.connecting.__enter__()
        self.texts = []
        self.scenes = []
        self.log = []
        self.about = None
        self.company = None
        if hello:
            with suppress(ConnectionClosed):  # a server that does not have the table closes before it hears anything
                self.say(type="hello", key=key, seen=seen)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.connecting.__exit__(*error)

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def do(self, action, seen=None):
        self.say(type="act", do=action, seen=self.scene["seen"] if seen is None else seen)

    @property
    def scene(self):
        return self.scenes[-1]

    def hear(self, timeout=PATIENCE):
        """Return the next message that is not about the people; the last ``company`` is in ``self.company``."""
        while (message := self.hear_any(timeout))["type"] in ("company", "onlookers"):
            pass
        return message

    def hear_any(self, timeout=PATIENCE):
        """Return the next message of any type."""
        text = self.socket.recv(timeout)
        self.texts.append(text)
        message = json.loads(text)
        if message["type"] == "company":
            self.company = message
        if message["type"] == "table":
            self.about = message
        if message["type"] == "scenes":
            self.scenes.extend(message["scenes"])
            if message.get("log") is not None:
                self.log = list(message["log"])
            else:
                self.log.extend(line for scene in message["scenes"] for line in scene["log"])
        return message

    def hear_type(self, kind):
        """Return the next message of a type, and record those before it."""
        while (message := self.hear())["type"] != kind:
            pass
        return message

    def until_company(self, wanted):
        """Read messages until the company satisfies a condition."""
        while self.company is None or not wanted(self.company):
            self.hear_any()
        return self.company

    def until(self, wanted):
        """Read messages until the last scene satisfies a condition."""
        while not self.scenes or not wanted(self.scene):
            self.hear()
        return self.scene

    def until_seen(self, seen):
        """Read messages until the last scene shows at least ``seen`` events."""
        return self.until(lambda scene: scene["seen"] >= seen)

    def close_code(self):
        """Read messages until the server closes the connection; return the code."""
        try:
            while True:
                self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006


def play_out(*players, until=lambda scene: scene["over"]):
    """Play the first legal action in every turn of these players, until the first one's scene satisfies a condition."""
    while True:
        for player in players:
            player.until(lambda scene: scene["legal"] or scene["over"] or scene["actor"] not in (None, "chance"))
        seen = max(player.scene["seen"] for player in players)
        for player in players:
            player.until_seen(seen)
        if until(players[0].scene):
            return
        actor = next((player for player in players if player.scene["legal"]), None)
        if actor is None:
            players[0].hear()
            continue
        actor.do(actor.scene["legal"][0])
        before = actor.scene["seen"]
        for player in players:
            player.until_seen(before + 1)
