"""Notices to closed pages: their words, their topics, the time for which they are kept, and their seats."""

import json
import re
from dataclasses import replace

import pytest

from parlour.server.table.push.notices import Notice, Subject
from tests.server.decided_tables import play_automatic, table_of

DAY = 86400


def notice(state, *seats, subject=Subject.TURN):
    return Notice(state, frozenset(seats), subject, state.seen)


def table_named(table_id, **manners):
    state = table_of("person", "person", "bot", **manners)
    return replace(state, opened=replace(state.opened, id=table_id))


class TestANotice:
    @pytest.mark.parametrize(("seat", "names"), [(0, "Bo and Bot"), (1, "Ann and Bot")])
    @pytest.mark.parametrize(("subject", "title"), [(Subject.TURN, "Your turn"), (Subject.OVER, "The game is over")])
    def test_names_the_game_and_the_others(self, seat, names, subject, title):
        text = json.loads(notice(table_named("t7"), seat, subject=subject).text(seat))
        assert text == {"title": title, "body": f"Trick Walls with {names}", "table": "t7"}

    @pytest.mark.parametrize(
        ("subject", "days", "seconds"),
        [
            (Subject.TURN, None, 3600),
            (Subject.TURN, 1, DAY),
            (Subject.TURN, 5, 5 * DAY),
            (Subject.OVER, None, DAY),
            (Subject.OVER, 5, DAY),
        ],
    )
    def test_is_kept_for_as_long_as_it_is_news(self, subject, days, seconds):
        pace = {"days": days, "patience": None} if days else {}
        assert notice(table_of("person", "bot", **pace), 0, subject=subject).seconds == seconds

    def test_replaces_only_those_about_the_same_seat_of_the_same_table(self):
        topics = [
            {notice(table_named(table), seat, subject=subject).topic(seat) for subject in Subject}
            for table in ("t", "u", "t 1")
            for seat in (0, 1)
        ]
        assert all(len(of_seat) == 1 for of_seat in topics)
        assert len(set().union(*topics)) == len(topics)
        assert all(re.fullmatch("[A-Za-z0-9_-]{1,32}", topic) for of_seat in topics for topic in of_seat)

    @pytest.mark.parametrize(("there", "absent"), [((), {0, 1}), ((0,), {1}), ((1, 2), {0}), ((0, 1), set())])
    @pytest.mark.parametrize("subject", Subject)
    def test_is_for_the_disconnected_seats_and_lapses_with_the_next_event_if_it_is_of_a_turn(
        self, there, absent, subject
    ):
        state = table_of("person", "person", "bot", there=there)
        sent = notice(state, 0, 1, subject=subject)
        assert sent.absent() == absent
        play_automatic(state)
        assert sent.absent() == (absent if subject is Subject.OVER else set())
