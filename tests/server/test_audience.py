"""The displays of a table's seats: made once for viewers who come together, and dropped without viewers."""

import asyncio
import json
import threading
from contextlib import ExitStack

import pytest

from parlour.engine.rules import SPECTATOR
from parlour.languages import in_language
from parlour.server.http.access.limits import SPECTATORS_AT_ONCE
from parlour.server.process.settings import Settings
from parlour.server.table import audience as audience_module
from parlour.server.table.audience import Audience
from parlour.server.table.close_codes import Closing
from parlour.server.table.people.seat_lines import rename_line
from parlour.server.table.services import Services
from parlour.server.table.viewers import Display, DisplayReplay, Viewer
from tests.helpers import run_apart
from tests.server.card_room import PATIENCE
from tests.server.decided_tables import first_action, happen, table_of


@pytest.fixture
def replays(monkeypatch):
    """Return the displays that were replayed so far, as pairs of seat and language; ``held`` stops them."""

    class Replay(DisplayReplay):
        made, may_go_on = [], threading.Event()

        def advance(self, *arguments):
            assert self.may_go_on.wait(PATIENCE)
            if not self._seen:
                self.made.append((self.display.seat, self.display.language))
            super().advance(*arguments)

    Replay.may_go_on.set()
    monkeypatch.setattr(audience_module, "DisplayReplay", Replay)
    return Replay


class Gathering:
    """A table in whose audience viewers come and go."""

    def __init__(self, *seats):
        self.state, self.services = table_of(*seats), Services()
        self.audience = Audience(self.state, self.services)

    async def come(self, seat=SPECTATOR, language="en", seen=None):
        with in_language(language):
            viewer = Viewer(seat, seen, host="a")
            await self.audience.prepare(viewer)
        self.audience.add(viewer)
        return viewer

    async def visit(self, *keys):
        """Let viewers with these seats and languages come and leave one after another."""
        for seat, language in keys:
            self.audience.remove(await self.come(seat, language))

    def laid_out(self, monkeypatch):
        """Show an event, and return the seats and languages for which it is laid out."""
        found, advance = [], Display.advance

        def note_and_advance(display, *arguments):
            found.append((display.seat, display.language))
            advance(display, *arguments)

        happen(self.state, *first_action(self.state))
        with monkeypatch.context() as patched:
            patched.setattr(Display, "advance", note_and_advance)
            self.audience.show_event()
        return sorted(found)


def gather(meeting, *seats):
    """Run a meeting, a coroutine function with a :class:`Gathering`, and return what it returns."""

    async def main():
        gathering = Gathering(*(seats or ("person", "person")))
        try:
            return await meeting(gathering)
        finally:
            await gathering.services.stop()

    return run_apart(main())


async def texts_of(viewer):
    """Yield the queued messages of a viewer who is to leave."""
    while (text := await viewer.next_text()) is not None:
        yield text


class TestViewersWhoComeTogether:
    def test_to_one_seat_in_one_language_share_a_replay(self, replays):
        async def meeting(gathering):
            replays.may_go_on.clear()
            coming = [asyncio.create_task(gathering.come(0, language)) for language in ("en", "fr", "en", "fr", "en")]
            await asyncio.sleep(0)
            replays.may_go_on.set()
            return await asyncio.gather(*coming)

        assert len(gather(meeting)) == 5
        assert sorted(replays.made) == [(0, "en"), (0, "fr")]

    def test_keep_their_display_while_viewers_in_another_language_are_added(self, replays):
        async def meeting(gathering):
            await asyncio.gather(*(gathering.come(0, language) for language in ("en", "fr", "en", "fr")))

        gather(meeting, "person", "open")  # without events both replays end in the same step of the loop
        assert sorted(replays.made) == [(0, "en"), (0, "fr")]

    def test_all_have_the_log_of_a_viewer_who_comes_alone(self, replays):
        async def meeting(gathering):
            happen(gathering.state, *first_action(gathering.state))
            alone = await (await gathering.come(0)).next_text(), await (await gathering.come(0)).next_text()
            again = Audience(gathering.state, gathering.services)
            gathering.audience = again
            together = await asyncio.gather(*(gathering.come(0) for _ in range(2)))
            return alone, [(await viewer.next_text(), await viewer.next_text()) for viewer in together]

        (table, _), together = gather(meeting)
        assert [first for first, _ in together] == [table, table]
        assert together[0] == together[1]
        assert '"log":["' in together[0][1]

    def test_all_fail_with_a_replay_that_fails_and_the_next_begins_again(self, replays, monkeypatch):
        async def meeting(gathering):
            with monkeypatch.context() as broken:
                broken.setattr(replays, "advance", lambda *arguments: 1 / 0)
                failed = await asyncio.gather(gathering.come(), gathering.come(), return_exceptions=True)
            return failed, await gathering.come()

        failed, viewer = gather(meeting)
        assert [type(each) for each in failed] == [ZeroDivisionError] * 2
        assert viewer.seat == SPECTATOR


class TestAGreeting:
    def greeting(self, seat):
        async def meeting(gathering):
            viewer = await gathering.come(seat)
            gathering.audience.greet(viewer, 0.0)
            viewer.end(1000, "")
            return [json.loads(text) async for text in texts_of(viewer)]

        return gather(meeting)

    def test_of_a_player_has_the_number_of_onlookers_also_if_it_is_0(self):
        messages = self.greeting(0)
        assert [message["type"] for message in messages] == ["table", "scenes", "company", "onlookers"]
        assert messages[-1] == {"type": "onlookers", "number": 0, "names": []}

    def test_of_an_onlooker_does_not_have_it(self):
        assert [message["type"] for message in self.greeting(SPECTATOR)] == ["table", "scenes", "company"]


class TestADisplay:
    def test_is_dropped_when_its_seat_has_another_language(self, monkeypatch):
        async def meeting(gathering):
            await gathering.visit(*((seat, language) for seat in (0, SPECTATOR) for language in ("de", "fr", "en")))
            return gathering.laid_out(monkeypatch)

        assert gather(meeting) == [(SPECTATOR, "en"), (0, "en")]

    def test_of_each_viewer_stays(self, monkeypatch):
        async def meeting(gathering):
            for language in ("de", "fr"):
                await gathering.come(0, language)
            await gathering.visit((0, "en"), (0, "es"))
            return gathering.laid_out(monkeypatch)

        assert gather(meeting) == [(0, "de"), (0, "fr")]

    def test_stays_for_the_return_of_its_last_viewer(self, replays, monkeypatch):
        async def meeting(gathering):
            await gathering.visit((0, "en"))
            gathering.laid_out(monkeypatch)
            await gathering.come(0, "en")

        gather(meeting)
        assert replays.made == [(0, "en")]

    def test_that_was_dropped_is_made_again_with_its_log(self, replays, monkeypatch):
        async def meeting(gathering):
            await gathering.visit((0, "en"), (0, "fr"))
            gathering.laid_out(monkeypatch)
            viewer = await gathering.come(0, "en")
            return [await viewer.next_text(), await viewer.next_text()]

        assert '"log":["' in gather(meeting)[1]
        assert replays.made == [(0, "en"), (0, "fr"), (0, "en")]


class TestALineWithoutAnEvent:
    def announce(self, gathering):
        gathering.audience.show_seats(lambda seat: [rename_line("Bo", "Zoe", seat == 1)])

    async def log_of(self, viewer):
        await viewer.next_text()
        return json.loads(await viewer.next_text())["log"]

    def test_is_in_the_log_of_a_viewer_who_returns_after_it(self):
        async def meeting(gathering):
            await gathering.visit((0, "en"))
            self.announce(gathering)
            return await self.log_of(await gathering.come(0, seen=gathering.state.seen))

        assert gather(meeting)[-1] == "Bo is Zoe now."

    def test_reaches_a_viewer_of_another_server_with_all_lines_before_it(self):
        async def meeting(gathering):
            seen = gathering.state.seen
            first = await self.log_of(viewer := await gathering.come(0, seen=seen))
            gathering.audience.remove(viewer)
            self.announce(gathering)
            return first, await self.log_of(await gathering.come(0, seen=seen))

        first, log = gather(meeting)
        assert first is None
        assert (log[0], log[-1]) == ("You deal first.", "Bo is Zoe now.")

    def test_has_the_same_place_in_the_log_of_a_viewer_who_comes_later(self):
        async def meeting(gathering):
            await gathering.come(0)
            self.announce(gathering)
            happen(gathering.state, *first_action(gathering.state))
            gathering.audience.show_event()
            return [await self.log_of(await gathering.come(0, language)) for language in ("en", "de")]

        english, german = gather(meeting)
        assert english.index("Bo is Zoe now.") == len(english) - 2
        assert german.index("Bo heißt jetzt Zoe.") == len(german) - 2

    def test_is_not_sent_again_after_a_later_event(self):
        async def meeting(gathering):
            self.announce(gathering)
            happen(gathering.state, *first_action(gathering.state))
            return await self.log_of(await gathering.come(0, seen=gathering.state.seen))

        assert gather(meeting) is None


class TestOneAddress:
    @pytest.fixture
    def full(self, card_rooms):
        """Return a card room, and a table in it that has the maximum number of spectators of one address."""
        card_room = card_rooms(Settings(paced=False))
        table = card_room.open("you", "thumb")
        with ExitStack() as there:
            for _ in range(SPECTATORS_AT_ONCE):
                there.enter_context(card_room.sit(table["table"])).hear_type("scenes")
            yield card_room, table

    def test_has_a_limited_number_of_spectators_at_a_table(self, full):
        card_room, table = full
        with card_room.sit(table["table"]) as beyond:
            assert beyond.close_code() == Closing.TOO_MANY
        with card_room.sit(card_room.open("you", "thumb")["table"]) as elsewhere:
            assert elsewhere.hear_type("scenes")

    def test_keeps_its_seats_when_it_has_too_many_spectators(self, full):
        card_room, table = full
        with card_room.sit(table["table"], table["key"]) as own, card_room.sit(table["table"]) as beyond:
            assert own.hear_type("scenes")
            assert beyond.close_code() == Closing.TOO_MANY

    def test_may_have_new_spectators_when_others_have_left(self, card_rooms):
        card_room = card_rooms(Settings(paced=False))
        table = card_room.open("you", "thumb")["table"]
        for _ in range(2):
            with ExitStack() as there:
                for _ in range(SPECTATORS_AT_ONCE):
                    there.enter_context(card_room.sit(table)).hear_type("scenes")
            card_room.until_gone(table)

    def test_may_have_more_connections_of_its_seats_than_spectators(self, card_rooms):
        card_room = card_rooms(Settings(paced=False))
        table = card_room.open("you", "thumb")
        with ExitStack() as there:
            for _ in range(SPECTATORS_AT_ONCE + 1):
                there.enter_context(card_room.sit(table["table"], table["key"])).hear_type("scenes")
