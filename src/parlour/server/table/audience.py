"""Those who look at a table: each connection is sent what its seat may know of what has happened."""

from collections.abc import Callable, Sequence

from parlour.engine.observation import SPECTATOR
from parlour.render.layouts import find_layout
from parlour.server.logs import note_failure
from parlour.server.metrics import metrics
from parlour.server.table.chat import said_message
from parlour.server.table.close_codes import Closing
from parlour.server.table.commands import AskText, AskWhy
from parlour.server.table.decide import refusal
from parlour.server.table.messages import (
    CompanyMessage,
    HintedMessage,
    Message,
    ReasonTold,
    RefusedMessage,
    TableMessage,
    TableTold,
    TextMessage,
    WhyMessage,
)
from parlour.server.table.rematch import rematch_message
from parlour.server.table.services import Services
from parlour.server.table.state import TableState
from parlour.server.table.table_info import about, company_of
from parlour.server.table.viewers import Rewatch, Viewer, Watch

NO_ACTION = "These do not go together: nothing can be done with them."
_REASONS = 3
"""Maximum number of reasons in one refusal."""


class Audience:
    """The connections at a table, and what each seat has been shown. It only ever reads the table's state.

    Attributes:
        viewers: the connections.
    """

    def __init__(self, state: TableState, threads: Services) -> None:
        self._state = state
        self._threads = threads
        self._watches: dict[int, Watch] = {}
        self._brief: set[int] = set()  # the seats whose watches know nothing of what was told before
        self._company: CompanyMessage | None = None
        self.viewers: set[Viewer] = set()

    # Coming and going

    async def prepare(self, viewer: Viewer) -> None:
        """Find out what a seat has been told so far: by replay, beside the loop, when it is asked for first.

        A viewer that has been shown all of it needs none of that, which takes most of the time when a server has died
        and everyone comes to another one.
        """
        state, seat, match = self._state, viewer.seat, self._state.match
        if viewer.seen == state.seen:
            if seat not in self._watches:
                self._watches[seat] = Watch(match, seat, state.names, state.seen - len(match.events))
                self._brief.add(seat)
        elif seat not in self._watches or seat in self._brief:
            rewatch = Rewatch(match.game, match.players, match.options, seat, state.names)
            if state.history:
                await self._threads.helped(rewatch.advance, list(state.history), state.stood_in)
                rewatch.advance(state.history, state.stood_in)
            if seat not in self._watches or seat in self._brief:
                self._watches[seat] = rewatch.watch
                self._brief.discard(seat)

    def welcome(self, viewer: Viewer) -> None:
        """Show a viewer the table as it is, and from now on whatever happens. Its seat is prepared."""
        state = self._state
        viewer.send(self._table(viewer.seat))
        viewer.send_all(self._watches[viewer.seat], viewer.seen == state.seen)
        self.viewers.add(viewer)
        metrics().connections.inc()
        if state.following and viewer.seat != SPECTATOR:
            viewer.send(rematch_message(state.following, state.seats, state.match.players, viewer.seat))

    def greet(self, viewer: Viewer, now: float) -> None:
        """Tell a viewer what was said, and who is there."""
        if self._state.talk.said:
            viewer.send(said_message(self._state.talk.said))
        self.send_company(viewer, now)

    def leave(self, viewer: Viewer) -> bool:
        """A connection is gone. Whether it was here."""
        if viewer not in self.viewers:
            return False
        self.viewers.remove(viewer)
        metrics().connections.dec()
        return True

    def end(self, code: int, reason: str) -> None:
        """End every connection."""
        for viewer in self.viewers:
            viewer.end(code, reason)

    # What has happened

    def show_event(self) -> None:
        """Show everyone the event that has just happened."""
        state = self._state
        stood_in = state.seen - 1 in state.stood_in
        self._show(lambda watch: watch.advance(state.match, state.names, stood_in))

    def show_taken_back(self, seat: int) -> None:
        """Show everyone the table as it was before a seat's action, which it has taken back."""
        state = self._state
        self._show(lambda watch: watch.take_back(state.match, state.names, seat))

    def _show(self, happened: Callable[[Watch], None]) -> None:
        """Bring every watch up to what has happened (a scene is laid out once for each seat), and show everyone."""
        try:
            for watch in self._watches.values():
                happened(watch)
            for viewer in self.viewers:
                viewer.send_scene(self._watches[viewer.seat])
        except Exception as error:
            note_failure("a scene could not be laid out", error)
            self._watches.clear()
            self.end(Closing.FAILED, "the table could not be shown")

    def show_seats(self, told: Callable[[int], Sequence[str]]) -> None:
        """Show everyone who has which seat now, and tell each viewer, by its seat, something of it in words."""
        state = self._state
        for seat, watch in self._watches.items():
            watch.look(state.match, state.names, told(seat))
        for viewer in self.viewers:
            viewer.send(self._table(viewer.seat))
            send = viewer.send_scene if told(viewer.seat) else viewer.send_again
            send(self._watches[viewer.seat])

    def show_company(self, now: float) -> None:
        """Tell everyone who is there and what goes on among them, if any of it has changed."""
        company = company_of(self._state, now)
        if company != self._company:
            self._company = company
            self.tell(company)

    def show_following(self) -> None:
        """Tell everyone of the other game, and of their seats there."""
        state = self._state
        for viewer in self.viewers:
            if state.following:
                viewer.send(rematch_message(state.following, state.seats, state.match.players, viewer.seat))

    def show_hinted(self, seat: int) -> None:
        """Tell the others that a seat takes a hint."""
        for viewer in self.viewers:
            if viewer.seat != seat:
                viewer.send(HintedMessage(seat))

    def tell(self, message: Message) -> None:
        """Send everyone a message."""
        for viewer in self.viewers:
            viewer.send(message)

    def refuse_all(self, reason: str) -> None:
        """Tell everyone that something is not done."""
        for viewer in self.viewers:
            self.refuse(viewer, reason)

    # Answers to one

    def refuse(self, viewer: Viewer, reason: str, action: str = "", clause: str = "") -> None:
        """Tell a viewer that something is not done."""
        metrics().refusals.inc()
        viewer.send(RefusedMessage(action, reason, clause, self._state.seen))

    def send_scene_again(self, viewer: Viewer) -> None:
        """Show a viewer the current scene once more."""
        viewer.send_again(self._watches[viewer.seat])

    def send_company(self, viewer: Viewer, now: float) -> None:
        """Tell a viewer who is there and what goes on among them."""
        viewer.send(company_of(self._state, now))

    def send_text(self, viewer: Viewer, asked: AskText) -> None:
        """Send a viewer the table as the terminal prints it."""
        from parlour.render.text import scene_text  # with Rich, which nobody needs before

        text = scene_text(self._watches[asked.seat].laid(self._state.names), plain=True)
        viewer.send(TextMessage(text.plain, self._state.seen))

    def send_why(self, viewer: Viewer, asked: AskWhy) -> None:
        """Tell a viewer why something may not be done now: an action, or what was chosen on the table for one."""
        refusals = dict.fromkeys(refusal(self._state, asked.seat, action) for action in self._meant(asked))
        reasons = [ReasonTold(each.reason, each.clause) for each in refusals if each][:_REASONS]
        if not reasons:
            reasons = [ReasonTold(NO_ACTION if asked.tokens else "This is legal.", "")]
        viewer.send(WhyMessage(asked.action, asked.tokens, reasons))

    def _meant(self, asked: AskWhy) -> Sequence[str]:
        """The actions that may be meant by what was chosen on the table."""
        state = self._state
        if not asked.tokens or state.match.actor != asked.seat:
            return [asked.action]
        watch = self._watches[asked.seat]
        there = watch.laid(state.names).tokens
        shown = [token for token in asked.tokens if token in there]
        return find_layout(state.match.game.id).meant(watch.observation, shown) if shown else ()

    def about(self) -> TableTold:
        """What anyone may know of the table."""
        state = self._state
        return about(state.opened, state.match, state.seats, state.seen)

    def _table(self, seat: int) -> TableMessage:
        return TableMessage(**vars(self.about()), seat=seat)
