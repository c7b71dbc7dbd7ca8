"""The displays of a table, one for each seat and language, and the connections that receive them."""

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import orjson

from parlour.engine.events import Event
from parlour.engine.game import Game, Options
from parlour.engine.match import Match
from parlour.engine.matches.steps import PLAIN
from parlour.engine.observation import Observation
from parlour.engine.setup import Setup
from parlour.languages import current_language, gettext, in_language
from parlour.render.layouts import find_layout
from parlour.render.scene import Scene
from parlour.render.words import sentence_about
from parlour.server.store.stored_table import RESIGN, UNDO
from parlour.server.table.messages import HistoryMessage, Message, ScenesMessage, SceneText, to_text
from parlour.server.table.people.resignation import (
    NO_RESIGNATIONS,
    Resignations,
    resignation_line,
    scene_after,
    stand_in_lines,
)

WAITING_MESSAGES = 1000
WAITING_CHARACTERS = 8 << 20
"""Limits of the queue of a slow connection, in messages and characters; beyond one the server closes it."""
_MERGED_CHARACTERS = 256 << 10


class Display:
    """The display of a seat, or of the spectators, in one language.

    Attributes:
        seat: the seat.
        language: the code of the language.
        observation: the last observation.
        scene: the last scene, as JSON text.
        log: all log lines, with an empty line after each completed trick or round.
        meanwhile: the log lines on what a bot did for this seat since the seat last acted itself.
    """

    observation: Observation
    _quiet_scene: str

    def __init__(
        self,
        match: Match,
        seat: int,
        names: Sequence[str],
        unplayed: int = 0,
        resignations: Resignations = NO_RESIGNATIONS,
    ) -> None:
        self.seat, self.language = seat, current_language()
        self._unplayed = unplayed  # stored events outside the match: undone actions, undo markers, resignations
        self._resignations = resignations
        self._rest = False
        self.log: list[str] = []
        self.meanwhile: list[str] = []
        self._before: Observation | None = None
        self.refresh(match, names)

    def refresh(self, match: Match, names: Sequence[str], lines: Sequence[str] = ()) -> None:
        """Lay the table out without a new event, since seats have changed; add ``lines`` to the log."""
        self._before = None
        with in_language(self.language):
            self._lay_out(match, names, lines or None)
        self.log.extend(lines)

    def undo(self, match: Match, names: Sequence[str], by: int) -> None:
        """Lay the table out after the undo of a seat's last action. The log keeps the action, and names the undo."""
        self._unplayed += 2
        self._before = None
        with in_language(self.language):
            you, other = gettext("You take that back."), gettext("{name} takes that back.")
            line = sentence_about(self.observation, names, by, you, other)
            self._lay_out(match, names, [line])
        self.log.append(line)

    def resign(self, match: Match, names: Sequence[str], by: int, resignations: Resignations) -> None:
        """Lay the table out after the resignation of a seat, which may end the game."""
        self._unplayed += 1
        self._before, self._resignations = None, resignations
        with in_language(self.language):
            line = resignation_line(self.observation, names, by, resignations.ending)
            self._lay_out(match, names, [line])
        self.log.append(line)

    def advance(
        self,
        match: Match,
        names: Sequence[str],
        stood_in: bool = False,
        resignations: Resignations = NO_RESIGNATIONS,
    ) -> None:
        """Lay the table out after an event, which a bot may have decided for a person (``stood_in``)."""
        self._resignations = resignations
        with in_language(self.language):
            self._advance(match, names, stood_in)

    def _advance(self, match: Match, names: Sequence[str], stood_in: bool) -> None:
        self._before = self.observation
        rested = self._rest
        self.observation = match.observation(self.seat)
        scene = self._scene(names)
        lines = list(scene.log)
        by = match.events[-1].by
        if stood_in:
            lines = stand_in_lines(self.observation, names, by, lines)
        if by == self.seat:
            self.meanwhile = [*self.meanwhile, *lines] if stood_in else []
        if self.log and lines and rested:
            lines.insert(0, "")
        self.log.extend(lines)
        self._store(scene, None if lines == list(scene.log) else lines)

    def current_scene(self, names: Sequence[str]) -> Scene:
        """Return the last scene. It is laid out again: a thousand stored scenes would slow the garbage collector."""
        with in_language(self.language):
            return self._complete(self._scene(names))

    @property
    def quiet_scene(self) -> str:
        """The last scene without its log lines, as JSON text; many viewers of a display may share it."""
        if not self._quiet_scene:
            self._quiet_scene = to_text({**orjson.loads(self.scene), "log": []})
        return self._quiet_scene

    def _lay_out(self, match: Match, names: Sequence[str], lines: Sequence[str] | None = None) -> None:
        self.observation = match.observation(self.seat)
        self._store(self._scene(names), lines)

    def _store(self, scene: Scene, lines: Sequence[str] | None) -> None:
        self._lines, self._rest = lines, scene.rest
        self.scene, self._quiet_scene = to_text(self._complete(scene)), ""

    def _scene(self, names: Sequence[str]) -> Scene:
        names = with_open_seats(names)
        scene = find_layout(self.observation.game).lay_out(self.observation, names, self._before)
        return scene_after(scene, self.observation, names, self._resignations)

    def _complete(self, scene: Scene) -> Scene:
        """Return a scene with the table's number of events, and the display's own log lines if there are any."""
        return replace(scene, seen=scene.seen + self._unplayed, log=scene.log if self._lines is None else self._lines)


def with_open_seats(names: Sequence[str]) -> list[str]:
    """Return the names of the seats, an open seat as "Seat 2" in the reader's language."""
    return [name or gettext("Seat {number}", number=number) for number, name in enumerate(names, 1)]


class Announcement(NamedTuple):
    """Log lines without an event, as about a changed seat.

    Attributes:
        seen: the number of events before them.
        lines_for: returns the lines for a seat's log, in the current language.
    """

    seen: int
    lines_for: Callable[[int], Sequence[str]]


class DisplayReplay:
    """A replay of the match for a late viewer, which restores the log of a seat; most of it runs in another thread.

    The display is in the language of the context in which the replay is created.
    """

    def __init__(self, game: Game, players: int, options: Options, seat: int, names: Sequence[str]) -> None:
        self._match = Match(Setup(game, players, options), PLAIN)
        self._earlier: Match | None = None  # before the last action
        self._names = names
        self._seen = 0
        self._announced = 0
        self._resigned: list[int] = []
        self.display = Display(self._match, seat, names)

    def advance(
        self,
        stored: Sequence[Event],
        stood_in: Collection[int] = (),
        resignations: Resignations = NO_RESIGNATIONS,
        announcements: Sequence[Announcement] = (),
    ) -> None:
        """Catch up with the stored events of a table, undone ones included.

        Args:
            stored: the events.
            stood_in: the numbers of the events that a bot decided for a person.
            resignations: the resignations after these events.
            announcements: the announcements so far, in order.

        Raises:
            ValueError: the events undo more than the last action, which no table allows.
        """
        undone = {number - 1 for number, event in enumerate(stored) if event.do == UNDO}
        for number, event in enumerate(stored[self._seen :], self._seen):
            self._announce(announcements, number)
            if event.do == RESIGN:
                self._resigned.append(event.by)
            found = resignations if number == len(stored) - 1 else Resignations(tuple(self._resigned))
            if event.do == UNDO:
                if self._earlier is None:
                    raise ValueError("more than the last action was undone")
                self._match, self._earlier = self._earlier, None
                self.display.undo(self._match, self._names, event.by)
            elif event.do == RESIGN:
                self.display.resign(self._match, self._names, event.by, found)
            else:
                if number in undone or number == len(stored) - 1:  # the last event may be undone later
                    self._earlier = self._match.copy()
                self._match.apply_event(event)
                self.display.advance(self._match, self._names, number in stood_in, found)
        self._seen = len(stored)
        self._announce(announcements, self._seen)

    def _announce(self, announcements: Sequence[Announcement], seen: int) -> None:
        """Add the lines of the announcements after ``seen`` events to the log."""
        due = [each for each in announcements[self._announced :] if each.seen <= seen]
        for announcement in due:
            with in_language(self.display.language):
                lines = announcement.lines_for(self.display.seat)
            self.display.refresh(self._match, self._names, lines)
        self._announced += len(due)


class Viewer:
    """A connection to a table, with the queue of its messages.

    The table never waits for a viewer: the server closes a connection whose queue is too long.

    Attributes:
        seat: the seat; ``SPECTATOR`` without one.
        language: the code of the language of the connection.
        seen: the number of events that the client has shown before, on another connection; ``None`` if none.
        name: the name that an onlooker gave; empty without one.
        key_hash: the hash of the key that opened the seat; empty without one.
        host: the address of the client, as limits count it.
        overloaded: set when the queue is too long.
        last_message_at: the time of the last message of the client, in seconds from any origin.
        leave: the code and the reason with which to close the connection after the queue.
    """

    def __init__(self, seat: int, seen: int | None = None, name: str = "", key_hash: str = "", host: str = "") -> None:
        self.seat, self.seen, self.name, self.key_hash, self.host = seat, seen, name, key_hash, host
        self.language = current_language()
        self.overloaded = asyncio.Event()
        self.last_message_at = 0.0
        self.leave: tuple[int, str] | None = None
        self._queue: deque[tuple[bool, str]] = deque()
        self._characters = 0
        self._news = asyncio.Event()

    def send(self, message: Message) -> None:
        """Queue a message."""
        self._put(False, to_text(message))

    def send_scene(self, display: Display) -> None:
        """Queue the current scene; scenes that wait together are sent in one message."""
        self._put(True, display.scene)

    def send_again(self, display: Display) -> None:
        """Queue the current scene without its log lines."""
        self._put(True, display.quiet_scene)

    def send_history(self, display: Display, log: Sequence[str] | None, meanwhile: Sequence[str]) -> None:
        """Queue the current scene with the log of a display; ``None`` if the viewer has it."""
        self.send(HistoryMessage([SceneText(display.scene)], log, meanwhile))

    def end(self, code: int, reason: str) -> None:
        """Close the connection after the queue."""
        self.leave = (code, reason)
        self._news.set()

    def _put(self, is_scene: bool, text: str) -> None:
        if self.overloaded.is_set():
            return
        self._queue.append((is_scene, text))
        self._characters += len(text)
        if len(self._queue) > WAITING_MESSAGES or self._characters > WAITING_CHARACTERS:
            self._queue.clear()
            self.overloaded.set()
        self._news.set()

    async def next_text(self) -> str | None:
        """Return the next message to send; ``None`` when the connection is to be closed."""
        while not self._queue:
            if self.leave is not None:
                return None
            self._news.clear()
            await self._news.wait()
        is_scene, text = self._fetch()
        if not is_scene:
            return text
        scenes, size = [text], len(text)
        while self._queue and self._queue[0][0] and size < _MERGED_CHARACTERS:
            scenes.append(self._fetch()[1])
            size += len(scenes[-1])
        return to_text(ScenesMessage([SceneText(scene) for scene in scenes]))

    def _fetch(self) -> tuple[bool, str]:
        is_scene, text = self._queue.popleft()
        self._characters -= len(text)
        return is_scene, text
