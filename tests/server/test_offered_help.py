"""The public facts of each kind of table: they offer hints where a request is granted, and have the game's stage."""

from dataclasses import replace
from datetime import date

import pytest

from parlour.engine.chance import new_stream
from parlour.engine.events import Event
from parlour.engine.matches.randomness import StreamRandomness
from parlour.server.store.stored_table import RESIGN, StoredClub, StoredDaily
from parlour.server.table.bots.hints import NOT_NOW, refusal
from parlour.server.table.outcomes import Acted
from parlour.server.table.state import apply, state_of
from parlour.server.table.table_info import table_info
from tests.server.decided_tables import first_event, play_automatic, table_of

ALONE, TOGETHER = ("person", "bot"), ("person", "person")
AGREED = {"hints": True}
DAILY = StoredDaily(date(2026, 11, 28), "1", counts=True, key="key")
CLUB = StoredClub("club", 1, 0, open=True)

KINDS = {
    "alone with a bot": (ALONE, {}, {}, True),
    "alone with a bot, agreed": (ALONE, AGREED, {}, True),
    "among people": (TOGETHER, {}, {}, False),
    "among people, agreed": (TOGETHER, AGREED, {}, True),
    "rated with a bot": (ALONE, {"rated": True}, {}, False),
    "rated among people": (TOGETHER, {"rated": True}, {}, False),
    "deal of the day": (ALONE, {}, {"daily": DAILY}, False),
    "deal of the day, for practice": (ALONE, {}, {"daily": replace(DAILY, counts=False)}, True),
    "club night": (TOGETHER, AGREED, {"club": CLUB}, False),
    "club night with a bot": (ALONE, {}, {"club": CLUB}, False),
    "club night, round over": (ALONE, AGREED, {"club": replace(CLUB, open=False)}, False),
    "club night, round closed by the host": (ALONE, {}, {"club": replace(CLUB, open=False, counts=False)}, False),
}
"""Seats, manners and further values of a table, and whether it gives hints."""


def table_of_kind(kind, seats=None):
    """Return the state of a table of a kind, with its own seats or others."""
    own, manners, more, _ = KINDS[kind]
    state = table_of(*(seats or own), **manners)
    bots_with_rating = {n: replace(seat, bot="casual") if seat.bot else seat for n, seat in state.seats.items()}
    return state_of(replace(state.opened, seats=bots_with_rating, events=state.history, **more), state.match)


def facts(state):
    given = state.opened, state.match, state.seats, state.ratings, state.seen
    return table_info(*given, state.sealed, state.ending)


def persons_turn(state):
    """Let bots act until it is the turn of a person, and return that seat."""
    while not state.is_person(state.match.actor):
        play_automatic(state)
    return state.match.actor


def finish(state):
    """Play a game to its end."""
    chance = StreamRandomness(new_stream(2))
    while not state.match.over:
        if state.match.actor < 0:
            state.match.apply_chance(state.match.sample_chance(chance))
        else:
            state.match.apply_event(first_event(state))


def concede(state):
    """End a game by the resignation of a seat, as it is stored."""
    apply(state, Acted(Event(0, RESIGN)), 0.0)


@pytest.mark.parametrize("kind", KINDS)
class TestAHint:
    def test_is_offered_where_it_is_given(self, kind):
        state, given = table_of_kind(kind), KINDS[kind][-1]
        assert facts(state).hints == given
        assert (refusal(state, persons_turn(state)) == "") == given
        assert (refusal(state, 1 - state.match.actor) == str(NOT_NOW)) == given

    def test_is_neither_offered_nor_given_before_the_game(self, kind):
        state = table_of_kind(kind, ("person", "open"))
        assert not facts(state).hints
        assert refusal(state, 0)

    @pytest.mark.parametrize("end", [finish, concede])
    def test_is_neither_offered_nor_given_after_the_end(self, kind, end):
        state = table_of_kind(kind)
        end(state)
        info = facts(state)
        assert (info.over, info.hints, info.take_over) == (True, False, False)
        assert all(refusal(state, seat) for seat in range(2))


@pytest.mark.parametrize("kind", KINDS)
class TestThePublicFacts:
    def test_of_a_daily_deal_and_a_club_night_are_there_in_their_tables_only(self, kind):
        more, info = KINDS[kind][2], facts(table_of_kind(kind))
        day, club = more.get("daily"), more.get("club")
        assert (info.daily and vars(info.daily)) == (
            day and {"day": "2026-11-28", "counts": day.counts, "sealed": day.counts}
        )
        assert (info.club and vars(info.club)) == (
            club and {"id": "club", "round": 1, "deal": 0, "counts": club.counts, "sealed": club.open}
        )

    @pytest.mark.parametrize("stage", ["waits", "plays", "is over", "is conceded"])
    def test_say_how_far_the_game_is(self, kind, stage):
        state = table_of_kind(kind, ("person", "open") if stage == "waits" else None)
        if stage == "is over":
            finish(state)
        elif stage == "is conceded":
            concede(state)
        info = facts(state)
        assert (info.begun, info.over, info.conceded) == {
            "waits": (False, False, None),
            "plays": (True, False, None),
            "is over": (True, True, None),
            "is conceded": (True, True, 0),
        }[stage]
        assert isinstance(info.actor, int) == (stage == "plays")
