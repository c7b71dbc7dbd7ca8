"""Clients of :mod:`trials.cluster`: they reconnect after every cut, and record the events that they received."""

import asyncio
import json
import random
import secrets
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from typing import Any

import sqlalchemy as sql
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from parlour.engine.errors import ParlourError
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.deals import commitment_of, draw_committed
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.games import find_game
from trials.command import check_refusal

DISTURBANCES = ("kills", "restarts", "databases", "stopped", "cut_off", "failovers")
_BOT = "thumb"
_AGAIN_SECONDS = 0.1, 0.6
_WITHIN_SECONDS = 10.0
_REFUSED_SECONDS = 1.0
_EVENTS = sql.text('SELECT number, "by", "do" FROM events WHERE table_id = :id ORDER BY number')
_TABLE = sql.text("SELECT game, players, options, secret FROM tables WHERE id = :id")


@dataclass
class TrialGame:
    """A game that was started.

    Attributes:
        table: id of the table.
        commitment: commitment to the game's chance.
        people: seats of the people.
        acknowledged: seat and action of each acknowledged action, by number of the event.
        sent: seat and action of each sent action, by number of the event.
    """

    table: str
    commitment: str
    people: list[int]
    acknowledged: dict[int, tuple[int, str]] = field(default_factory=dict)
    sent: dict[int, tuple[int, str]] = field(default_factory=dict)


@dataclass
class Findings:
    """Events of a trial, with waits in seconds and the times when they ended."""

    games: list[TrialGame] = field(default_factory=list)
    waits: list[tuple[float, float]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    closed: Counter[int] = field(default_factory=Counter)
    _disturbed: list[tuple[float, str]] = field(default_factory=list)
    _began: float = float("inf")

    @property
    def acknowledged(self) -> int:
        """Number of actions acknowledged so far."""
        return sum(len(game.acknowledged) for game in self.games)

    def begin(self) -> None:
        """Start to count waits."""
        self._began = time.monotonic()

    def disturb(self, what: str, again: bool = False) -> None:
        """Record a disturbance of a server or the database, or the end of one (``again``)."""
        self._disturbed.append((time.monotonic(), what))
        self.counts[what] += not again

    def record_wait(self, seconds: float) -> None:
        """Record the seconds that a client waited for an expected event."""
        if time.monotonic() - seconds > self._began:
            self.waits.append((time.monotonic(), seconds))

    def quiet(self, at: float, seconds: float) -> bool:
        """Return whether no disturbance began or ended in the ``seconds`` before a time."""
        return not any(at - seconds < each <= at for each, _ in self._disturbed)

    def longest(self) -> dict[str, float]:
        """Return the longest wait after each kind of disturbance, in seconds."""
        found: dict[str, float] = {}
        for at, wait in self.waits:
            last = next((what for each, what in reversed(self._disturbed) if each <= at), "nothing")
            found[last] = max(found.get(last, 0.0), round(wait, 2))
        return found

    def compare(self, database: sql.Engine) -> dict[str, int]:
        """Return counts of differences between the events that people received and the stored ones."""
        found = Counter[str]()
        with database.connect() as connection:
            for game in self.games:
                found += _compare(game, connection)
        names = ("acknowledged", "lost", "doubled", "deals_changed", "events")
        return {"games": len(self.games), **{name: found[name] for name in names}}


def _compare(game: TrialGame, connection: sql.Connection) -> Counter[str]:
    rows = connection.execute(_EVENTS, {"id": game.table}).all()
    events = {number: (by, do) for number, by, do in rows}
    own = {number: event for number, event in events.items() if event[0] in game.people}
    return Counter(
        events=len(events),
        acknowledged=len(game.acknowledged),
        lost=sum(events.get(number) != done for number, done in game.acknowledged.items()),
        doubled=sum(game.sent.get(number) != done for number, done in own.items()),
        deals_changed=int(not _as_committed(game, connection, list(events.values()))),
    )


def _as_committed(game: TrialGame, connection: sql.Connection, events: list[tuple[int, str]]) -> bool:
    """Return whether the stored events are legal, and their chance events follow from the commitment."""
    table = connection.execute(_TABLE, {"id": game.table}).one_or_none()
    if table is None:
        return False
    try:
        match = Match(Setup(find_game(table.game), table.players, json.loads(table.options)))
        for by, do in events:
            if by == CHANCE and draw_committed(match, table.secret) != do:
                return False
            match.apply_event(Event(by, do))
    except ParlourError:
        return False
    return commitment_of(table.secret) == game.commitment


def ask(port: int, path: str, body: Any = None) -> tuple[int, Any]:
    """Send a request to a server of this machine; return the status, 0 without a response, and the response."""
    connection = HTTPConnection("127.0.0.1", port, timeout=_WITHIN_SECONDS)
    with closing(connection), suppress(OSError, HTTPException, ValueError):
        headers = {"Content-Type": "application/json"}
        connection.request("GET" if body is None else "POST", path, body and json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.load(answer)
    return 0, None


class Person:
    """Client with a seat, which reconnects whenever the connection ends."""

    def __init__(self, table: "Table", game: TrialGame, seat: int, key: str) -> None:
        self._table, self._game, self._seat, self._key = table, game, seat, key
        self._socket: ClientConnection | None = None
        self._pending: tuple[int, str] | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._seen: int | None = None

    async def play(self) -> None:
        """Play to the end of the game."""
        attempt = 0
        while not self._table.over:
            code = await self._connect_and_play(self._table.port(attempt))
            if not self._table.over:
                self._table.findings.closed[code] += 1
                attempt += 1
                await asyncio.sleep(random.uniform(*_AGAIN_SECONDS))

    async def _connect_and_play(self, port: int) -> int:
        """Connect and receive messages until the connection ends; return its close code, or 0."""
        address = f"ws://127.0.0.1:{port}/api/tables/{self._game.table}/play"
        code = 0
        with suppress(OSError, TimeoutError, WebSocketException):
            async with connect(address, compression=None, open_timeout=_WITHIN_SECONDS, ping_interval=None) as socket:
                self._socket = socket
                again = {} if self._seen is None or not self._table.tells_seen else {"seen": self._seen}
                await self._send(type="hello", key=self._key, **again)
                with suppress(WebSocketException):
                    async for text in socket:
                        self._receive(json.loads(text))
                        if self._table.over:
                            break
                code = socket.close_code or 0
        self._socket = None
        return code

    async def _send(self, **message: Any) -> None:
        if self._socket is not None:
            with suppress(OSError, WebSocketException):
                await self._socket.send(json.dumps(message))

    def _receive(self, message: dict[str, Any]) -> None:
        if message["type"] == "table" and message["commitment"] != self._game.commitment:
            self._table.findings.counts["commitments"] += 1
        if message["type"] == "refused":
            self._table.findings.counts["refused"] += 1
            asyncio.get_running_loop().call_later(_REFUSED_SECONDS, self._send_again)
        if message["type"] == "scenes":
            scene = message["scenes"][-1]
            self._seen = scene["seen"]
            if self._pending and scene["seen"] > self._pending[0]:
                number, action = self._pending
                self._game.acknowledged[number] = (self._seat, action)
                self._pending = None
            self._table.record_view(scene["seen"], scene["actor"], scene["over"])
            if self._pending:
                self._send_again()
            elif scene["legal"] and (self._thinking is None or self._thinking.done()):
                self._thinking = asyncio.create_task(self._act(scene["seen"], random.choice(scene["legal"])))

    async def _act(self, seen: int, action: str) -> None:
        await asyncio.sleep(random.uniform(0, 2 * self._table.pace))
        self._pending = seen, action
        self._game.sent[seen] = self._seat, action
        self._table.record_action()
        await self._send(type="act", do=action, seen=seen)

    def _send_again(self) -> None:
        if self._pending:
            self._table.keep(self._send(type="act", do=self._pending[1], seen=self._pending[0]))


class Table:
    """Table of people and bots who play one game after another.

    Attributes:
        tells_seen: whether clients send the number of received events when they reconnect; older servers refuse that.
    """

    def __init__(
        self,
        ports: list[int],
        game: dict[str, Any],
        number: int,
        pace: float,
        findings: Findings,
        tells_seen: bool = True,
    ) -> None:
        self._ports, self._game, self._number = ports, game, number
        self.pace, self.findings = pace, findings
        self.tells_seen = tells_seen
        self.sitting = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self.over = False
        self._people: list[int] = []
        self._seen, self._due = -1, 0.0

    def port(self, attempt: int) -> int:
        """Return the port for an attempt; each further attempt uses another one."""
        return self._ports[(self._number + attempt) % len(self._ports)]

    def keep(self, coroutine: Any) -> None:
        """Run a coroutine in the background."""
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def play(self) -> None:
        """Play game after game."""
        while True:
            game, keys = await self._open()
            self.over, self._people, self._seen, self._due = False, game.people, -1, 0.0
            self.findings.games.append(game)
            async with asyncio.TaskGroup() as people:
                for seat, key in keys.items():
                    people.create_task(Person(self, game, seat, key).play())

    async def _open(self) -> tuple[TrialGame, dict[int, str]]:
        """Open a table with two people and otherwise bots; every second table for two players has one person."""
        players = self._game["players"][0]
        people = 2 if players > 2 or self._number % 2 else 1
        seats: list[dict[str, Any]] = [{"kind": "you", "name": "Ann"}, *[{"kind": "open"}] * (people - 1)]
        seats += [{"kind": "bot", "bot": _BOT, "name": f"Bot {seat}"} for seat in range(people, players)]
        request = {
            "game": self._game["id"],
            "players": players,
            "options": {},
            "seats": seats,
            "manners": {"patience": None},
        }
        key = secrets.token_urlsafe(24)
        opened = await self._ask("/api/tables", {**request, "key": key})
        keys = {0: key}
        for seat in range(1, people):
            keys[seat] = secrets.token_urlsafe(24)
            path = f"/api/tables/{opened['table']}/seats"
            await self._ask(path, {"seat": seat, "name": "Bo", "key": keys[seat]})
        return TrialGame(opened["table"], opened["commitment"], list(keys)), keys

    async def _ask(self, path: str, body: dict[str, Any]) -> Any:
        """Repeat a request until it succeeds; each request carries a key and takes effect once.

        Raises :class:`RefusedError` if a server refuses it for good.
        """
        attempt = 0
        while True:
            status, answer = await asyncio.to_thread(ask, self.port(attempt), path, body)
            if status == HTTPStatus.CREATED:
                return answer
            check_refusal(path, status, answer)
            self.findings.counts[f"answer {status}"] += 1
            attempt += 1
            await asyncio.sleep(random.uniform(*_AGAIN_SECONDS))

    def record_view(self, seen: int, actor: Any, over: bool) -> None:
        """Record that a client received the scene after ``seen`` events."""
        if seen > self._seen:
            if self._due:
                self.findings.record_wait(time.monotonic() - self._due)
            self._seen, self._due = seen, 0.0
            if not over and actor not in self._people:
                self._due = time.monotonic()
        self.over = self.over or over
        self.sitting.set()

    def record_action(self) -> None:
        """Record that a client has acted and expects an event."""
        self._due = self._due or time.monotonic()

    def record_open_wait(self) -> None:
        """Record the wait that has not ended."""
        if self._due:
            self.findings.record_wait(time.monotonic() - self._due)
