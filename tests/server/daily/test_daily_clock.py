"""Daily deals around midnight, and with a clock that jumps."""

import asyncio
import datetime
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sql

from parlour.server.store.archive import remove
from parlour.server.store.database import EVENTS
from parlour.server.table.daily import days as module
from tests.server.card_room import play_out
from tests.server.daily_clock import MONDAY, TUESDAY, seconds, set_clock
from tests.server.daily_visitors import GAME, Visitor


class TestAtMidnight:
    @pytest.mark.parametrize("reads", range(4))
    def test_the_deals_of_today_are_shown_while_the_day_ends(self, room, reads):
        """Midnight passes after ``reads`` reads of the clock."""
        before = iter([seconds(MONDAY, 24 * 3600 - 1)] * reads)
        room.config.app.state.rooms.days.clock = lambda: next(before, seconds(TUESDAY, 0))
        today = Visitor(room).get().json()
        assert today["day"] in (str(MONDAY), str(TUESDAY))
        assert len(today["coming"]) == 7

    def test_a_game_begun_before_is_finished_and_counts(self, room):
        ann = Visitor(room)
        table = ann.begin().json()
        set_clock(room, TUESDAY, module.GRACE_SECONDS - 1)
        assert ann.begin().json() == table
        ann.finish()
        assert ann.asked(table).json()["rank"] == 1
        answer = Visitor(room).begin()
        assert (answer.status_code, "play today's" in answer.json()["error"]) == (409, True)

    def test_a_game_finished_too_late_does_not_count_and_is_not_lost(self, room):
        ann = Visitor(room)
        table = ann.begin().json()
        set_clock(room, TUESDAY, module.GRACE_SECONDS)
        assert ann.get(f"/{MONDAY}").json()["closed"] is True
        assert ann.begin().json() == {**table, "counts": False}
        ann.play()
        result = ann.asked(table).json()
        assert (result["table"], result["score"], result["over"]) == (table["table"], None, True)

    def test_a_game_finished_too_late_is_over_on_the_page_of_its_day_and_can_be_played_again(self, room):
        ann, bo = Visitor(room), Visitor(room, "Bo")
        table, unfinished = ann.begin().json(), bo.begin().json()
        set_clock(room, TUESDAY)
        ann.play()
        for visitor, over in ((ann, True), (bo, False)):
            mine = visitor.get(f"/{MONDAY}").json()["deals"][-1]["mine"]
            assert (mine["over"], mine["score"]) == (over, None)
        assert ann.begin().json()["table"] != table["table"]
        assert bo.begin().json()["table"] == unfinished["table"]

    def test_a_day_that_is_over_is_among_those_of_today_until_it_is_closed(self, room):
        ann = Visitor(room)
        begun, half = ann.begin().json(), module.GRACE_SECONDS // 2
        assert ann.get().json()["closing"] is None
        set_clock(room, TUESDAY, half)
        own = {"game": GAME, "table": begun["table"], "counts": True, "score": None}
        assert ann.get().json()["closing"] == {"day": str(MONDAY), "left": half, "mine": [own]}
        assert Visitor(room).get().json()["closing"]["mine"] == []
        assert ann.get("/days").json()["days"] == []
        set_clock(room, TUESDAY, module.GRACE_SECONDS)
        assert ann.get().json()["closing"] is None
        assert [each["day"] for each in ann.get("/days").json()["days"]] == [str(MONDAY)]

    def test_a_day_has_seconds_left_only_between_its_end_and_its_closing(self, room):
        ann = Visitor(room)
        ann.begin()
        left = []
        for day, second in ((MONDAY, 0), (TUESDAY, 600), (TUESDAY, module.GRACE_SECONDS)):
            set_clock(room, day, second)
            left.append(ann.get(f"/{MONDAY}").json()["left"])
        assert left == [None, module.GRACE_SECONDS - 600, None]

    def test_a_result_that_was_not_stored_in_time_is_stored_when_the_day_is_closed(self, room, monkeypatch):
        monkeypatch.setattr(module.Days, "note_over", lambda days, state: None)
        room.config.app.state.rooms.services.game_over = lambda state: None
        in_time, late = Visitor(room), Visitor(room, "Bo")
        for visitor, after in ((in_time, -1), (late, 1)):
            table, _ = visitor.play()
            over = sql.update(EVENTS).where(EVENTS.c.table_id == table["table"])
            at = int(seconds(TUESDAY, module.GRACE_SECONDS)) + after
            room.store.write(lambda connection, change: connection.execute(change) and None, over.values(at=at))
        set_clock(room, TUESDAY)
        assert in_time.get(f"/{MONDAY}").json()["deals"][-1]["played"] == 1

    def test_a_removed_unfinished_table_gives_way_to_another_on_the_same_day(self, room):
        ann = Visitor(room)
        table = ann.begin().json()["table"]
        assert room.store.write(remove, [table]) == 1
        again = ann.begin().json()
        assert again["table"] != table
        with room.sit(again["table"], again["key"]) as player:
            assert player.hear()["type"] == "table"

    def test_a_game_that_ends_after_the_grace_does_not_count_even_before_the_day_is_closed(self, room):
        ann = Visitor(room)
        table = ann.begin().json()
        set_clock(room, TUESDAY, module.GRACE_SECONDS + 1)
        with room.sit(table["table"], table["key"]) as player:
            play_out(player)
        set_clock(room, TUESDAY)
        assert ann.get(f"/{MONDAY}").json()["deals"][-1]["played"] == 0

    def test_the_games_of_the_day_are_read_once_for_all_who_ask(self, room, monkeypatch):
        """Hundreds of unfinished games take a minute to read, and every request after the end of a day waits."""

        async def settle(days, table_id):
            await asyncio.sleep(0.2)
            read.append(table_id)

        read, ann = [], Visitor(room)
        table = ann.begin().json()["table"]
        monkeypatch.setattr(module.Days, "_settle", settle)
        set_clock(room, TUESDAY)
        with ThreadPoolExecutor(4) as threads:
            assert all(threads.map(lambda _: ann.get(f"/{MONDAY}").json()["closed"], range(4)))
        assert read == [table]


class TestAClockThatJumps:
    def test_forward_and_back_ends_one_day_early_and_no_other(self, room):
        ann = Visitor(room)
        table = ann.begin().json()
        set_clock(room, MONDAY + datetime.timedelta(400))
        assert ann.get(f"/{MONDAY}").json()["closed"] is True
        set_clock(room, MONDAY)
        assert ann.get().json()["open"] is False
        assert ann.begin().json() == {**table, "counts": False}
        assert Visitor(room).begin().json()["counts"] is False
        set_clock(room, TUESDAY)
        assert ann.get().json()["open"] is True
        assert ann.begin(TUESDAY).json()["counts"] is True

    def test_back_by_a_day_opens_no_closed_day(self, room):
        ann = Visitor(room)
        ann.finish()
        set_clock(room, TUESDAY)
        ann.begin(TUESDAY)
        assert ann.get("/days").json()["days"][0]["day"] == str(MONDAY)
        set_clock(room, MONDAY)
        assert Visitor(room).begin().json()["counts"] is False
