"""Those who look at a table: what each seat has been shown, and what still has to be sent to each connection."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson

from parlour.engine.game import Game, Options
from parlour.engine.match import Event, Match
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.engine.views import View, view_of
from parlour.render.scene import Scene
from parlour.render.words import said
from parlour.server.store import TAKEN_BACK
from parlour.tables import find_table

WAITING_MESSAGES = 1000
WAITING_BYTES = 8 << 20
"""What may wait for one slow connection before it is given up."""
_MERGED_BYTES = 256 << 10


def to_text(message: Any) -> str:
    """A message as it is sent; a scene may be in it as it is."""
    return orjson.dumps(message, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS).decode()


class Watch:
    """What one seat (or the spectators) has been shown so far: the last view, the last scene, all that was told."""

    def __init__(self, match: Match, seat: int, names: Sequence[str]) -> None:
        self.seat = seat
        self._unplayed = 0  # stored events that are none of the game: those taken back, and their taking back
        self.told: list[str] = []
        self.look(match, names)

    def look(self, match: Match, names: Sequence[str], told: Sequence[str] = ()) -> None:
        """Lay the table out as it is now, when nothing has happened in the game (the names may have changed).

        What is ``told`` of it stays told.
        """
        self._before: View | None = None
        self._lay_out(match, names, told or None)
        self.told.extend(told)

    def take_back(self, match: Match, names: Sequence[str], by: int) -> None:
        """Lay the table out as it was before a seat's last action. What was told stays told, and this after it."""
        self._unplayed += 2
        self._before = None
        line = f"{said(names[by], 'take', by == self.seat)} that back."
        self._lay_out(match, names, [line])
        self.told.append(line)

    def advance(self, match: Match, names: Sequence[str]) -> None:
        """Take in the event that has just happened; an empty line follows what was complete."""
        self._before = self.view
        rested = self._rest
        told = self._lay_out(match, names)
        if self.told and told and rested:
            self.told.append("")
        self.told.extend(told)

    def laid(self, names: Sequence[str]) -> Scene:
        """The last scene. It is laid out anew: so many small things, kept for a thousand tables, are what Python's
        collector of cycles would look through again and again while everybody waits.
        """
        laid = find_table(self.view.game).lay_out(self.view, names, self._before)
        told = laid.told if self._told is None else self._told
        return replace(laid, seen=laid.seen + self._unplayed, told=told)

    def _lay_out(self, match: Match, names: Sequence[str], told: Sequence[str] | None = None) -> Sequence[str]:
        self.view, self._told = view_of(match, self.seat), told
        laid = self.laid(names)
        self._rest = laid.rest
        self.scene = to_text(laid)
        return laid.told


class Rewatch:
    """A match played again for one who comes late, to tell what happened before. Runs in a thread of its own."""

    def __init__(self, game: Game, players: int, options: Options, seat: int, names: Sequence[str]) -> None:
        self._match = Match(Setup(game, players, options))
        self._earlier: Match | None = None  # as it was before the last action
        self._names = names
        self._seen = 0
        self.watch = Watch(self._match, seat, names)

    def advance(self, stored: Sequence[Event]) -> None:
        """Catch up with a table's events as they are stored, those among them that were taken back.

        Raises:
            ValueError: more than the last action was taken back, which no table allows.
        """
        for event in stored[self._seen :]:
            if event.do == TAKEN_BACK:
                if self._earlier is None:
                    raise ValueError("more than the last action was taken back")
                self._match, self._earlier = self._earlier, None
                self.watch.take_back(self._match, self._names, event.by)
            else:
                self._earlier = self._match.copy()
                play_event(self._match, event)
                self.watch.advance(self._match, self._names)
        self._seen = len(stored)


def play_events(match: Match, events: Sequence[Event]) -> None:
    """Carry out one event after another."""
    for event in events:
        play_event(match, event)


def play_event(match: Match, event: Event) -> None:
    """Carry out an event of a player or of chance. Raises :class:`parlour.engine.errors.IllegalError`."""
    if event.by == CHANCE:
        match.play_chance(event.do)
    else:
        match.play(event.do, event.by)


class Viewer:
    """One connection to a table, and what waits to be sent to it.

    Nobody ever waits for a viewer: what is to be sent is put here, and one who does not fetch it is given up.

    Attributes:
        seat: whose view it is sent; ``SPECTATOR`` for one who only looks on.
        given_up: set when too much is waiting.
        leave: the code and the reason with which the server wants to end the connection, once all is sent.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.given_up = asyncio.Event()
        self.leave: tuple[int, str] | None = None
        self._waiting: deque[tuple[bool, str]] = deque()
        self._bytes = 0
        self._news = asyncio.Event()

    def send(self, message: dict[str, Any]) -> None:
        """Have a message sent."""
        self._put(False, to_text(message))

    def send_scene(self, watch: Watch) -> None:
        """Have the current scene sent, together with those that wait beside it."""
        self._put(True, watch.scene)

    def send_all(self, watch: Watch) -> None:
        """Have the current scene sent with everything told so far."""
        self._put(False, f'{{"type":"scenes","scenes":[{watch.scene}],"told":{to_text(watch.told)}}}')

    def end(self, code: int, reason: str) -> None:
        """Have the connection closed after what is waiting."""
        self.leave = (code, reason)
        self._news.set()

    def _put(self, is_scene: bool, text: str) -> None:
        if self.given_up.is_set():
            return
        self._waiting.append((is_scene, text))
        self._bytes += len(text)
        if len(self._waiting) > WAITING_MESSAGES or self._bytes > WAITING_BYTES:
            self._waiting.clear()
            self.given_up.set()
        self._news.set()

    async def next_text(self) -> str | None:
        """What is to be sent next; ``None`` when the connection is to be closed."""
        while not self._waiting:
            if self.leave is not None:
                return None
            self._news.clear()
            await self._news.wait()
        is_scene, text = self._fetch()
        if not is_scene:
            return text
        scenes, size = [text], len(text)
        while self._waiting and self._waiting[0][0] and size < _MERGED_BYTES:
            scenes.append(self._fetch()[1])
            size += len(scenes[-1])
        return f'{{"type":"scenes","scenes":[{",".join(scenes)}]}}'

    def _fetch(self) -> tuple[bool, str]:
        is_scene, text = self._waiting.popleft()
        self._bytes -= len(text)
        return is_scene, text
