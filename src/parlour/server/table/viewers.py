"""Those who look at a table: what each seat has been shown, and what still has to be sent to each connection."""

import asyncio
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import replace

import orjson

from parlour.engine.events import Event
from parlour.engine.game import Game, Options
from parlour.engine.match import Match
from parlour.engine.observation import Observation
from parlour.engine.setup import Setup
from parlour.engine.steps import PLAIN
from parlour.render.layouts import find_layout
from parlour.render.scene import Scene
from parlour.render.words import said
from parlour.server.store.store import TAKEN_BACK
from parlour.server.table.messages import Message, ScenesMessage, SceneText, WholeStoryMessage, to_text

WAITING_MESSAGES = 1000
WAITING_BYTES = 8 << 20
"""What may wait for one slow connection before it is given up."""
_MERGED_BYTES = 256 << 10


class Watch:
    """What one seat (or the spectators) has been shown so far.

    Attributes:
        seat: whose view it is.
        view: the last view.
        scene: the last scene, as it is sent.
        told: all that was told, with an empty line after whatever was complete.
        meanwhile: what was told of what a bot did for this seat since it last acted itself.
    """

    observation: Observation

    def __init__(self, match: Match, seat: int, names: Sequence[str], unplayed: int = 0) -> None:
        self.seat = seat
        self._unplayed = unplayed  # stored events outside the game: actions taken back, and the marks of that
        self._rest = False
        self.told: list[str] = []
        self.meanwhile: list[str] = []
        self._before: Observation | None = None
        self.look(match, names)

    def look(self, match: Match, names: Sequence[str], told: Sequence[str] = ()) -> None:
        """Lay the table out as it is now, when nothing has happened in the game (the names may have changed).

        What is ``told`` of it stays told.
        """
        self._before = None
        self._lay_out(match, names, told or None)
        self.told.extend(told)

    def take_back(self, match: Match, names: Sequence[str], by: int) -> None:
        """Lay the table out as it was before a seat's last action. What was told stays told, and this after it."""
        self._unplayed += 2
        self._before = None
        line = f"{said(names[by], 'take', by == self.seat)} that back."
        self._lay_out(match, names, [line])
        self.told.append(line)

    def advance(self, match: Match, names: Sequence[str], stood_in: bool = False) -> None:
        """Take in the event that has just happened, which a bot may have decided for a person."""
        self._before = self.observation
        rested = self._rest
        self.observation = match.observation(self.seat)
        laid = self._laid(names)
        told = list(laid.told)
        by = match.events[-1].by
        if stood_in and told:
            told[0] = f"A bot plays for {'you' if by == self.seat else names[by]}: {told[0]}"
        if by == self.seat:
            self.meanwhile = [*self.meanwhile, *told] if stood_in else []
        if self.told and told and rested:
            told.insert(0, "")
        self.told.extend(told)
        self._keep(laid, None if told == list(laid.told) else told)

    def laid(self, names: Sequence[str]) -> Scene:
        """The last scene. It is laid out anew: so many small things, kept for a thousand tables, are what Python's
        collector of cycles would look through again and again while everybody waits.
        """
        return self._finished(self._laid(names))

    def _lay_out(self, match: Match, names: Sequence[str], told: Sequence[str] | None = None) -> None:
        self.observation = match.observation(self.seat)
        self._keep(self._laid(names), told)

    def _keep(self, laid: Scene, told: Sequence[str] | None) -> None:
        self._told, self._rest = told, laid.rest
        self.scene = to_text(self._finished(laid))

    def _laid(self, names: Sequence[str]) -> Scene:
        return find_layout(self.observation.game).lay_out(self.observation, names, self._before)

    def _finished(self, laid: Scene) -> Scene:
        return replace(laid, seen=laid.seen + self._unplayed, told=laid.told if self._told is None else self._told)


class Rewatch:
    """A match played again for one who comes late, to tell what happened before. Runs in a thread of its own."""

    def __init__(self, game: Game, players: int, options: Options, seat: int, names: Sequence[str]) -> None:
        self._match = Match(Setup(game, players, options), PLAIN)
        self._earlier: Match | None = None  # as it was before the last action
        self._names = names
        self._seen = 0
        self.watch = Watch(self._match, seat, names)

    def advance(self, stored: Sequence[Event], stood_in: Collection[int] = ()) -> None:
        """Catch up with a table's events as they are stored, those among them that were taken back.

        ``stood_in`` are the numbers of those that a bot decided for a person.

        Raises:
            ValueError: more than the last action was taken back, which no table allows.
        """
        taken_back = {number - 1 for number, event in enumerate(stored) if event.do == TAKEN_BACK}
        for number, event in enumerate(stored[self._seen :], self._seen):
            if event.do == TAKEN_BACK:
                if self._earlier is None:
                    raise ValueError("more than the last action was taken back")
                self._match, self._earlier = self._earlier, None
                self.watch.take_back(self._match, self._names, event.by)
            else:
                if number in taken_back or number == len(stored) - 1:  # the last may be taken back yet
                    self._earlier = self._match.copy()
                self._match.apply_event(event)
                self.watch.advance(self._match, self._names, number in stood_in)
        self._seen = len(stored)


class Viewer:
    """One connection to a table, and what waits to be sent to it.

    Nobody ever waits for a viewer: what is to be sent is put here, and one who does not fetch it is given up.

    Attributes:
        seat: whose view it is sent; ``SPECTATOR`` for one who only looks on.
        seen: how many events it has been shown before, at another connection; ``None`` if none.
        given_up: set when too much is waiting.
        heard: when it last said something, in seconds from any beginning.
        leave: the code and the reason with which the server wants to end the connection, once all is sent.
    """

    def __init__(self, seat: int, seen: int | None = None) -> None:
        self.seat, self.seen = seat, seen
        self.given_up = asyncio.Event()
        self.heard = 0.0
        self.leave: tuple[int, str] | None = None
        self._waiting: deque[tuple[bool, str]] = deque()
        self._bytes = 0
        self._news = asyncio.Event()

    def send(self, message: Message) -> None:
        """Have a message sent."""
        self._put(False, to_text(message))

    def send_scene(self, watch: Watch) -> None:
        """Have the current scene sent, together with those that wait beside it."""
        self._put(True, watch.scene)

    def send_again(self, watch: Watch) -> None:
        """Have the current scene sent once more, to one who has been told already what happened."""
        self._put(True, to_text({**orjson.loads(watch.scene), "told": []}))

    def send_all(self, watch: Watch, retold: bool) -> None:
        """Have the current scene sent with everything told so far, unless the viewer knows that."""
        told = None if retold else watch.told
        self.send(WholeStoryMessage([SceneText(watch.scene)], told, [] if retold else watch.meanwhile))

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
        return to_text(ScenesMessage([SceneText(scene) for scene in scenes]))

    def _fetch(self) -> tuple[bool, str]:
        is_scene, text = self._waiting.popleft()
        self._bytes -= len(text)
        return is_scene, text
