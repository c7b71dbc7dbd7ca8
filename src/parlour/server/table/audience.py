"""The viewers of a table: each receives what its seat may observe of every event, in the language of its connection."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import assert_never

from parlour.engine.game import Refusal
from parlour.engine.rules import SPECTATOR
from parlour.languages import deferred, gettext, in_language
from parlour.render.layouts import find_layout
from parlour.render.selection import reasons_against
from parlour.server.logs import note_failure, note_outcome
from parlour.server.metrics import metrics
from parlour.server.store.database import StoreError
from parlour.server.table.bots.stand_in import deadline_of
from parlour.server.table.close_codes import Closing
from parlour.server.table.commands import Question, Text, Why
from parlour.server.table.decide import refusal
from parlour.server.table.messages import (
    PROTOCOL,
    CompanyMessage,
    HintedMessage,
    Message,
    Reason,
    RefusedMessage,
    TableInfo,
    TableMessage,
    TextMessage,
    WhyMessage,
)
from parlour.server.table.people.chat import said_message
from parlour.server.table.people.onlookers import onlookers_message
from parlour.server.table.people.rematch import rematch_message
from parlour.server.table.services import Services
from parlour.server.table.state import TableState
from parlour.server.table.table_info import company_message, table_info
from parlour.server.table.viewers import Announcement, Display, DisplayReplay, Viewer

CUT_OFF = deferred("The host has closed this round: this game no longer counts.")


class Audience:
    """The viewers of a table, and the displays of their seats. It reads the table's state and never changes it.

    Attributes:
        viewers: the connections.
    """

    def __init__(self, state: TableState, services: Services) -> None:
        self._state = state
        self._services = services
        self._displays: dict[tuple[int, str], Display] = {}  # by seat and language
        self._without_log: set[tuple[int, str]] = set()  # the displays that lack the earlier log
        self._announcements: list[Announcement] = []  # since the table was loaded
        self._replaying: dict[tuple[int, str], asyncio.Task[None]] = {}  # the displays in work
        self._awaited: Counter[tuple[int, str]] = Counter()  # the displays for which viewers wait
        self._spectators: Counter[str] = Counter()  # connections by host
        self._company: CompanyMessage | None = None
        self.viewers: set[Viewer] = set()

    # Coming and going

    @contextmanager
    def connect(self, viewer: Viewer, most: int | None) -> Iterator[bool]:
        """Count a spectator within the context; yield whether it is among the first ``most`` of its address.

        The connections of seats are not counted: spectators take no place from the players of their address.
        """
        if viewer.seat != SPECTATOR:
            yield True
            return
        self._spectators[viewer.host] += 1
        try:
            yield most is None or self._spectators[viewer.host] <= most
        finally:
            self._spectators[viewer.host] -= 1
            if not self._spectators[viewer.host]:
                del self._spectators[viewer.host]

    async def prepare(self, viewer: Viewer) -> None:
        """Make the display of a viewer's seat, with its log, by a replay in another thread.

        Viewers who come together to one seat in one language wait for the same replay. A client that has the log
        needs no replay. This matters after the death of a server, when all its clients connect to another server at
        once.
        """
        state, match, key = self._state, self._state.match, _key(viewer)
        while not self._has_log(viewer) and (key not in self._displays or key in self._without_log):
            if key not in self._replaying:
                self._replaying[key] = asyncio.create_task(self._replay(key, viewer.host))
                self._replaying[key].add_done_callback(note_outcome)
            self._awaited[key] += 1
            try:
                await asyncio.shield(self._replaying[key])
            finally:
                self._awaited[key] -= 1
        if key not in self._displays:
            unplayed = state.seen - len(match.events)
            self._displays[key] = Display(match, viewer.seat, state.names, unplayed, state.resignations)
            self._without_log.add(key)

    def _has_log(self, viewer: Viewer) -> bool:
        """Return whether a client has shown the whole log before: all events, and no announcement since the last."""
        announced = self._announcements[-1].seen if self._announcements else -1
        return viewer.seen == self._state.seen > announced

    async def _replay(self, key: tuple[int, str], host: str) -> None:
        """Make a display, in the language of the current context, with its log."""
        state, match = self._state, self._state.match
        try:
            replay = DisplayReplay(match.game, match.players, match.options, key[0], state.names)
            if state.history or self._announcements:
                earlier = list(state.history)
                announced = list(self._announcements)
                await self._services.compute(
                    host, replay.advance, earlier, state.stood_in, state.resignations, announced
                )
            replay.advance(state.history, state.stood_in, state.resignations, self._announcements)
            self._displays[key] = replay.display
            self._without_log.discard(key)
        finally:
            del self._replaying[key]

    def _display_of(self, viewer: Viewer) -> Display:
        return self._displays[_key(viewer)]

    def _drop_unwatched(self, last: Viewer) -> None:
        """Drop the displays of a seat without viewers: each costs as much per event as one with viewers.

        The display of the ``last`` viewer stays until the seat has another one, so that a return needs no replay.
        """
        watched = {_key(viewer) for viewer in self.viewers if viewer.seat == last.seat} or {_key(last)}
        watched.update(+self._awaited)
        for key in [key for key in self._displays if key[0] == last.seat and key not in watched]:
            del self._displays[key]
            self._without_log.discard(key)

    def add(self, viewer: Viewer) -> None:
        """Add a viewer whose display is prepared, and send it the table."""
        state = self._state
        viewer.send(self._table_message(viewer.seat))
        display = self._display_of(viewer)
        log = None if self._has_log(viewer) else display.log
        viewer.send_history(display, log, [] if viewer.seen == state.seen else display.meanwhile)
        self.viewers.add(viewer)
        self._drop_unwatched(viewer)
        metrics().connections.inc()
        if state.rematch and viewer.seat != SPECTATOR:
            viewer.send(rematch_message(state.rematch, state, viewer.seat))

    def greet(self, viewer: Viewer, now: float) -> None:
        """Send a viewer the recent chat messages, the company, and as a player the onlookers."""
        if self._state.talk.messages:
            viewer.send(said_message(self._state.talk.messages))
        self.send_company(viewer, now)
        if viewer.seat != SPECTATOR:
            viewer.send(onlookers_message(self.viewers))

    def remove(self, viewer: Viewer) -> bool:
        """Remove a viewer. Return whether it was there."""
        if viewer not in self.viewers:
            return False
        self.viewers.remove(viewer)
        self._drop_unwatched(viewer)
        metrics().connections.dec()
        return True

    def end(self, code: int, reason: str) -> None:
        """Close all connections."""
        for viewer in self.viewers:
            viewer.end(code, reason)

    def end_forgotten(self) -> None:
        """Close the connections whose keys do not open their seats any more: their players have been forgotten."""
        for viewer in self.viewers:
            if viewer.seat != SPECTATOR and self._state.seat_of_hash(viewer.key_hash) != viewer.seat:
                viewer.end(Closing.WRONG_KEY, "this key does not fit any seat any more")

    # To all viewers

    def show_event(self) -> None:
        """Show the last event to all viewers."""
        state = self._state
        stood_in, resignations = state.seen - 1 in state.stood_in, state.resignations
        self._show(lambda display: display.advance(state.match, state.names, stood_in, resignations))

    def show_undo(self, seat: int) -> None:
        """Show the undo of a seat's last action to all viewers."""
        state = self._state
        self._show(lambda display: display.undo(state.match, state.names, seat))

    def show_resignation(self, seat: int) -> None:
        """Show the resignation of a seat to all viewers."""
        state = self._state
        for viewer in self.viewers:
            viewer.send(self._table_message(viewer.seat))
        resignations = state.resignations
        self._show(lambda display: display.resign(state.match, state.names, seat, resignations))

    def _show(self, update: Callable[[Display], None]) -> None:
        """Update every display once, and send it to its viewers."""
        try:
            for display in self._displays.values():
                update(display)
            for viewer in self.viewers:
                viewer.send_scene(self._display_of(viewer))
        except Exception as error:
            note_failure("a scene could not be laid out", error)
            self._displays.clear()
            self.end(Closing.FAILED, "the table could not be shown")

    def show_seats(self, lines_for: Callable[[int], Sequence[str]]) -> None:
        """Show changed seats to all viewers; ``lines_for`` gives the log lines of a viewer's seat, in its language,
        or for all seats none.
        """
        state, speaks = self._state, bool(lines_for(SPECTATOR))
        if speaks:
            self._announcements.append(Announcement(state.seen, lines_for))
        for (seat, language), display in self._displays.items():
            with in_language(language):
                lines = lines_for(seat)
            display.refresh(state.match, state.names, lines)
        for viewer in self.viewers:
            viewer.send(self._table_message(viewer.seat))
            send = viewer.send_scene if speaks else viewer.send_again
            send(self._display_of(viewer))

    def show_end_of_round(self, counts: bool) -> None:
        """Show the end of a round of a club night to all viewers; the log of a game that does not count has it, too."""
        self.show_seats(lambda viewer: () if counts else [gettext(CUT_OFF)])

    def show_company(self, now: float) -> None:
        """Send the company to all viewers if it has changed."""
        company = company_message(self._state, now)
        if company != self._company:
            self._company = company
            self.send_all(company)

    def show_rematch(self) -> None:
        """Announce the rematch to all viewers, each with its own seat there."""
        state = self._state
        for viewer in self.viewers:
            if state.rematch:
                viewer.send(rematch_message(state.rematch, state, viewer.seat))

    def show_onlookers(self) -> None:
        """Send the number and the names of the onlookers to the players."""
        message = onlookers_message(self.viewers)
        for viewer in self.viewers:
            if viewer.seat != SPECTATOR:
                viewer.send(message)

    def show_hinted(self, seat: int) -> None:
        """Announce to the other viewers that a seat requests a hint."""
        for viewer in self.viewers:
            if viewer.seat != seat:
                viewer.send(HintedMessage(seat))

    def send_all(self, message: Message) -> None:
        """Send a message to all viewers."""
        for viewer in self.viewers:
            viewer.send(message)

    def refuse_all(self, reason: Callable[[], str]) -> None:
        """Send all viewers a refusal; ``reason`` returns its text in the current language, that of each viewer."""
        for viewer in self.viewers:
            with in_language(viewer.language):
                self.refuse(viewer, reason())

    # To one viewer

    def refuse(self, viewer: Viewer, reason: str, action: str = "", clause: str = "", chat_id: str = "") -> None:
        """Send a refusal, of an action or a chat message if one is named."""
        metrics().refusals.inc()
        viewer.send(RefusedMessage(action, reason, clause, self._state.seen, chat_id))

    def refuse_if_outdated(self, viewer: Viewer, action: str = "", chat_id: str = "") -> bool:
        """Refuse a command if the table has been closed while the command waited; return whether it has."""
        if self._state.outdated:
            self.refuse(viewer, gettext("The table has moved on; try again."), action, chat_id=chat_id)
        return self._state.outdated

    def send_scene_again(self, viewer: Viewer) -> None:
        """Send the current scene once more."""
        viewer.send_again(self._display_of(viewer))

    def send_company(self, viewer: Viewer, now: float) -> None:
        """Send the company."""
        viewer.send(company_message(self._state, now))

    def answer(self, viewer: Viewer, question: Question) -> None:
        """Answer a question of a viewer, which changes nothing."""
        match question:
            case Why():
                self._send_why(viewer, question)
            case Text():
                self._send_text(viewer)
            case _:
                assert_never(question)

    def _send_text(self, viewer: Viewer) -> None:
        """Send the table as the terminal prints it."""
        from parlour.render.text import scene_text  # it imports Rich, which no other message needs

        text = scene_text(self._display_of(viewer).current_scene(self._state.names), plain=True)
        viewer.send(TextMessage(text.plain, self._state.seen))

    def _send_why(self, viewer: Viewer, question: Why) -> None:
        """Send the reasons why an action, or a selection on the table, is not legal now."""
        refusals = self._refusals(viewer, question)
        viewer.send(WhyMessage(question.do, question.tokens, [Reason(each.reason, each.clause) for each in refusals]))

    def _refusals(self, viewer: Viewer, question: Why) -> Sequence[Refusal]:
        state = self._state
        if not question.tokens or state.match.actor != viewer.seat:
            return [refusal(state, viewer.seat, question.do) or Refusal("", gettext("This is legal."))]
        display, layout = self._display_of(viewer), find_layout(state.match.game.id)
        scene = display.current_scene(state.names)
        return reasons_against(
            question.tokens, scene, display.observation, layout, partial(refusal, state, viewer.seat)
        )

    def table_info(self) -> TableInfo:
        """Return the public facts of the table."""
        state = self._state
        of_game = state.opened, state.match, state.seats, state.ratings, state.seen
        return table_info(*of_game, state.sealed, state.ending, deadline_of(state))

    def _table_message(self, seat: int) -> TableMessage:
        return TableMessage(**vars(self.table_info()), seat=seat, protocol=PROTOCOL)


def _key(viewer: Viewer) -> tuple[int, str]:
    return viewer.seat, viewer.language


def unsaved_text(error: StoreError) -> str:
    """Return the reason of a refusal: a change could not be stored."""
    return gettext("the table could not be saved: {error}", error=gettext(str(error)))
