"""A network that drops, doubles, delays or reorders data neither loses an action nor carries it out twice."""

import asyncio
import json
import random
import threading

import pytest
from websockets.asyncio.client import connect as connect_on
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from tests.server.card_room import PATIENCE, connect_to
from tests.server.two_players import join

FAULTS = ("drop", "double", "delay", "reorder")


class Network:
    """A relay between a client and the server that treats messages as bad networks do."""

    def __init__(self, port, faults, seed, often=0.25):
        self.target = port
        self.faults = faults
        self.often = often
        self.chance = random.Random(seed)
        self.done = dict.fromkeys(FAULTS, 0)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    async def _run(self):
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        async with serve(self._between, "127.0.0.1", 0) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            self._ready.set()
            await self._end.wait()

    def stop(self):
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(PATIENCE)

    async def _between(self, client):
        async with connect_on(f"ws://127.0.0.1:{self.target}{client.request.path}", open_timeout=PATIENCE) as server:
            pumps = [asyncio.create_task(self._out(client, server)), asyncio.create_task(self._back(server, client))]
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
            for side in (client, server):
                side.transport.abort()  # a lost connection sends no close frame

    def _fault(self, kinds):
        possible = [kind for kind in kinds if kind in self.faults]
        if not possible or self.chance.random() > self.often:
            return None
        kind = self.chance.choice(possible)
        self.done[kind] += 1
        return kind

    async def _out(self, client, server):
        held = []
        async for text in client:
            fault = None if '"hello"' in text else self._fault(FAULTS)
            if fault == "reorder":
                held.append(text)
                continue
            if fault == "delay":
                await asyncio.sleep(self.chance.random() / 20)
            if fault == "drop" and self.chance.randrange(2):
                return  # before the server hears it
            await server.send(text)
            if fault == "double":
                await server.send(text)
            for late in held:
                await server.send(late)
            held = []
            if fault == "drop":
                return  # before the client receives the outcome

    async def _back(self, server, client):
        async for text in server:
            fault = self._fault(("delay", "drop"))
            if fault == "drop":
                return
            if fault == "delay":
                await asyncio.sleep(self.chance.random() / 20)
            await client.send(text)


class Stubborn:
    """A client as the protocol advises: after a reconnection it repeats hello and any unanswered action."""

    def __init__(self, port, table, key, seed):
        self.address = f"ws://127.0.0.1:{port}/api/tables/{table}/play"
        self.key = key
        self.chance = random.Random(seed)
        self.decided = {}
        self.scene = None
        self.connections = 0

    def play_out(self):
        while not (self.scene and self.scene["over"]):
            try:
                with connect_to(self.address) as self.socket:
                    self.connections += 1
                    self.say(type="hello", key=self.key)
                    self.sent, self.scene = -1, None
                    while not (self.scene and self.scene["over"]):
                        self.go_on()
            except (ConnectionClosed, OSError, EOFError):
                continue

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def go_on(self):
        try:
            message = json.loads(self.socket.recv(0.2))
        except TimeoutError:
            self.say(type="ping")
            self.sent = -1
        else:
            if message["type"] == "scenes":
                scenes = [scene["seen"] for scene in message["scenes"]]
                assert scenes == sorted(scenes)
                self.scene = message["scenes"][-1]
            assert message["type"] != "refused" or "sent after" in message["reason"], message
        if self.scene and self.scene["legal"] and self.sent < self.scene["seen"]:
            seen = self.sent = self.scene["seen"]
            action = self.decided.setdefault(seen, self.chance.choice(self.scene["legal"]))
            self.say(type="act", do=action, seen=seen)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "faults"),
    [*(("trick-walls", (fault,)) for fault in FAULTS), ("trick-walls", FAULTS), ("three-tricks", FAULTS)],
    ids=lambda value: value if isinstance(value, str) else "+".join(value),
)
def test_every_action_happens_once_with_every_network_fault(card_room, game, faults):
    options = {"rounds": 1} if game == "trick-walls" else {}
    table = card_room.open("you", "open", game=game, options=options)
    other_key = join(card_room, table)
    networks = [Network(card_room.port, faults, seed) for seed in (1, 2)]
    players = [
        Stubborn(network.port, table["table"], key, seed)
        for seed, (network, key) in enumerate(zip(networks, (table["key"], other_key), strict=True))
    ]
    threads = [threading.Thread(target=player.play_out, daemon=True) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(4 * PATIENCE)
        assert not thread.is_alive()
    for network in networks:
        network.stop()
    events = card_room.store.load(table["table"]).events
    for seat, player in enumerate(players):
        assert player.scene["over"]
        assert player.scene["seen"] == len(events)
        assert player.decided == {number: event.do for number, event in enumerate(events) if event.by == seat}
    assert sum(sum(network.done.values()) for network in networks) >= 5
    assert ("drop" in faults) == any(player.connections > 1 for player in players)
