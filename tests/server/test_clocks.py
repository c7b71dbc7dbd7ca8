"""Clocks and stand-ins as plain values, without a server."""

import pytest

from parlour.server.table.bots.stand_in import LATE_SECONDS, deadline_of, due, run_clock, stand_in_change
from parlour.server.table.commands import Undo
from parlour.server.table.decide import decide, decide_automatic
from parlour.server.table.messages import DeadlineInfo
from parlour.server.table.outcomes import StoodIn
from parlour.server.table.people.clocks import Clocks
from parlour.server.table.state import STAND_IN, apply
from tests.server.decided_tables import first_action, first_event, happen, play_automatic, table_of

CLOCK = {"clock": {"seconds": 60, "increment": 5}}


class TestClocks:
    def test_an_action_costs_the_time_since_the_turn_began(self):
        state = table_of("person", "person", there=(0, 1), **CLOCK)
        run_clock(state, 100.0)
        seat = state.match.actor
        assert happen(state, *first_action(state), 102.5).spent == 2500
        assert state.clocks.left[seat] == 62_500

    def test_taking_back_gives_both_increments_back(self):
        state = table_of("person", "person", there=(0, 1), **CLOCK)
        run_clock(state, 100.0)
        seat = state.match.actor
        happen(state, *first_action(state), 101.0)
        state.undo.undoable = seat
        state.presence.disconnect(1 - seat, 101.0, 101.0)
        assert happen(state, seat, Undo(seen=state.seen), 102.0).spent == 10_000
        assert state.clocks.left[seat] == 59_000

    def test_a_bot_plays_to_the_end_for_a_player_whose_time_is_up(self):
        state = table_of("person", "person", there=(0, 1), **CLOCK)
        seat = state.match.actor
        run_clock(state, 0.0)
        assert due(state, 10.0) == 50.0
        assert stand_in_change(state, 59.0) is None
        apply(state, stand_in_change(state, 60.0), 60.0)
        state.connect(seat, 61.0)
        assert state.presence.out == {seat}
        assert decide_automatic(state, first_event(state), state.seen, 61.0).spent == 65_000

    def test_a_player_whose_time_was_up_before_a_restart_stays_out_after_it(self):
        state = table_of("person", "person", there=(0, 1), patience=None, **CLOCK)
        seat = state.match.actor
        state.clocks.left[seat] = 0
        state.presence.disconnect(seat, 0.0, 0.0)
        run_clock(state, 1.0)
        assert stand_in_change(state, 1.0) == StoodIn(seat, True)

    def test_no_clock_runs_while_no_player_is_connected(self):
        state = table_of("person", "person", there=(0, 1), **CLOCK)
        run_clock(state, 100.0)
        state.presence.disconnect(0, 104.0, 104.0)
        state.presence.disconnect(1, 104.0, 104.0)
        run_clock(state, 104.0)
        assert state.clocks.running is None
        assert due(state, 1000.0) is None
        state.connect(0, 1000.0)
        run_clock(state, 1000.0)
        assert state.clocks.seconds_left(state.match.actor, 1001.0) == 55.0

    def test_one_clock_runs_at_a_time(self):
        clocks = Clocks(2, 60, 5, {})
        clocks.start(0, 100.0)
        clocks.start(1, 110.0)
        clocks.start(1, 115.0)
        assert clocks.running == 1
        assert [clocks.seconds_left(seat, 120.0) for seat in (0, 1)] == [60.0, 50.0]

    def test_a_bot_has_no_clock(self):
        state = table_of("bot", "bot", **CLOCK)
        run_clock(state, 0.0)
        assert state.clocks.running is None
        assert decide_automatic(state, first_event(state), state.seen, 9.0).spent is None


class TestStandIns:
    def test_a_bot_stands_in_for_a_disconnected_player_while_another_waits(self):
        state = table_of("person", "person", there=(0, 1), patience=30)
        seat = state.match.actor
        assert due(state, 5.0) is None
        state.presence.disconnect(seat, 10.0, 10.0)
        assert due(state, 15.0) == 25.0
        assert stand_in_change(state, 39.0) is None
        assert stand_in_change(state, 40.0) == StoodIn(seat, False)

    def test_the_patience_begins_when_another_player_connects(self):
        state = table_of("person", "person", patience=30)
        state.presence.connect(1 - state.match.actor, 100.0)
        assert due(state, 110.0) == 20.0
        state.presence.disconnect(1 - state.match.actor, 115.0, 115.0)
        assert due(state, 200.0) is None

    def test_time_without_connected_players_does_not_count(self):
        state = table_of("person", "person", there=(0, 1), patience=30)
        seat = state.match.actor
        state.presence.disconnect(seat, 10.0, 10.0)
        state.presence.disconnect(1 - seat, 12.0, 12.0)
        state.presence.connect(1 - seat, 100.0)
        assert due(state, 110.0) == 20.0

    def test_a_player_with_a_second_window_stays_connected(self):
        state = table_of("person", "person", there=(0, 0, 1), patience=30)
        assert not state.presence.disconnect(0, 10.0, 10.0)
        assert state.presence.people == {0, 1}
        assert state.presence.disconnect(0, 11.0, 11.0)
        assert state.presence.people == {1}

    def test_a_player_who_returns_plays_again(self):
        state = table_of("person", "person", there=(0, 1), patience=30)
        seat = state.match.actor
        state.presence.disconnect(seat, 0.0, 0.0)
        apply(state, stand_in_change(state, 30.0), 30.0)
        assert state.bot_for(seat) == STAND_IN
        state.connect(seat, 31.0)
        assert state.bot_for(seat) is None


class TestTablesOverDays:
    DAY = 24 * 3600.0

    def state(self, there=()):
        state = table_of("person", "person", there=there, days=3, patience=None)
        state.last_event_at = 100.0
        return state

    @pytest.mark.parametrize("there", [(), (0,), (1,), (0, 1)])
    def test_a_turn_has_its_days_with_and_without_connections(self, there):
        state = self.state(there)
        assert due(state, 100.0) == 3 * self.DAY
        assert stand_in_change(state, 99.0 + 3 * self.DAY) is None
        assert stand_in_change(state, 100.0 + 3 * self.DAY) == StoodIn(state.match.actor, False)

    def test_each_event_begins_the_time_anew(self):
        state = self.state()
        happen(state, *first_action(state), 500.0)
        assert due(state, 600.0) == 3 * self.DAY - 100.0

    def test_the_deadline_is_that_of_the_person_to_act_by_the_calendar(self):
        state = self.state()
        state.epoch = 1_800_000_000.0
        assert deadline_of(state) == DeadlineInfo(state.match.actor, 1_800_000_100 + 3 * 24 * 3600)
        apply(state, stand_in_change(state, 100.0 + 3 * self.DAY), 100.0 + 3 * self.DAY)
        assert deadline_of(state) is None

    @pytest.mark.parametrize("seats", [("bot", "bot"), ("person", "open")])
    def test_bots_and_tables_that_wait_for_players_have_no_deadline(self, seats):
        assert deadline_of(table_of(*seats, days=1, patience=None)) is None

    def test_other_tables_have_no_deadline(self):
        assert deadline_of(table_of("person", "person", patience=None)) is None

    def test_a_person_who_connects_too_late_has_ten_minutes_once(self):
        state, end = self.state(), 100.0 + 3 * self.DAY
        seat = state.match.actor
        state.connect(seat, end + 50.0)
        assert due(state, end + 60.0) == LATE_SECONDS - 10.0
        assert deadline_of(state).at == end + 50.0 + LATE_SECONDS
        state.presence.disconnect(seat, end + 70.0, end + 70.0)
        assert due(state, end + 70.0) == 0.0
        state.connect(seat, end + 80.0)
        assert due(state, end + 80.0) == LATE_SECONDS - 30.0

    def test_a_bot_plays_on_until_the_person_returns(self):
        state = self.state()
        seat = state.match.actor
        apply(state, stand_in_change(state, 100.0 + 3 * self.DAY), 100.0 + 3 * self.DAY)
        assert state.bot_for(seat) == STAND_IN
        state.connect(seat, 101.0 + 3 * self.DAY)
        assert state.bot_for(seat) is None


class TestDisconnectedPlayers:
    """A clock of 60 seconds and 5 for each action; the seat to act has gone after 5 seconds."""

    def disconnected_state(self, patience, **manners):
        state = table_of("person", "person", there=(0, 1), patience=patience, **{**CLOCK, **manners})
        run_clock(state, 0.0)
        state.presence.disconnect(state.match.actor, 5.0, 5.0)
        return state, state.match.actor

    def stand_in(self, state, now):
        apply(state, stand_in_change(state, now), now)
        run_clock(state, now)

    def bot_acts(self, state, now):
        play_automatic(state, now=now)

    def test_the_clock_stops_when_a_bot_stands_in(self):
        state, seat = self.disconnected_state(patience=10)
        assert due(state, 5.0) == 10.0
        self.stand_in(state, 15.0)
        info = state.clocks.info(500.0)
        assert info.running is None
        assert info.left[seat] == 45_000

    def test_the_bots_action_costs_the_time_until_then_and_brings_no_increment(self):
        state, seat = self.disconnected_state(patience=10)
        self.stand_in(state, 15.0)
        self.bot_acts(state, 16.0)
        assert state.clocks.left[seat] == 45_000

    def test_further_actions_of_the_bot_cost_and_bring_nothing(self):
        state, seat = self.disconnected_state(patience=10)
        self.stand_in(state, 15.0)
        self.bot_acts(state, 16.0)
        while state.match.actor != seat:
            run_clock(state, 20.0)
            happen(state, *first_action(state), 20.0)
        run_clock(state, 30.0)
        assert decide_automatic(state, first_event(state), state.seen, 40.0).spent is None

    def test_a_player_who_returns_before_the_bot_has_acted_goes_on_with_the_time_that_was_left(self):
        state, seat = self.disconnected_state(patience=10)
        self.stand_in(state, 15.0)
        state.connect(seat, 15.2)
        run_clock(state, 15.2)
        assert state.bot_for(seat) is None
        assert decide(state, *first_action(state), 18.2).spent == 18_000

    def test_a_timeout_of_a_disconnected_player_does_not_cost_the_seat(self):
        state, seat = self.disconnected_state(patience=None)
        assert stand_in_change(state, 60.0) == StoodIn(seat, False)
        self.stand_in(state, 60.0)
        self.bot_acts(state, 61.0)
        state.connect(seat, 70.0)
        assert state.bot_for(seat) is None
        assert state.clocks.left[seat] == 30_000

    def test_a_player_who_returns_without_time_has_it_after_the_bots_action(self):
        state, seat = self.disconnected_state(patience=None)
        self.stand_in(state, 60.0)
        state.connect(seat, 60.2)
        assert state.bot_for(seat) == STAND_IN
        assert "a bot takes this turn" in decide(state, *first_action(state), 60.3).reason
        self.bot_acts(state, 60.5)
        assert state.bot_for(seat) is None
        assert state.clocks.left[seat] == 30_000

    def test_the_time_after_the_bots_action_does_not_exceed_the_initial_time(self):
        state, seat = self.disconnected_state(patience=None, clock={"seconds": 12, "increment": 5})
        self.stand_in(state, 12.0)
        self.bot_acts(state, 13.0)
        assert state.clocks.left[seat] == 12_000

    def test_stored_charges_restore_the_clocks(self):
        state, seat = self.disconnected_state(patience=None)
        self.stand_in(state, 60.0)
        outcome = play_automatic(state, now=61.0)
        assert Clocks(2, 60, 5, {seat: [outcome.spent]}).left == state.clocks.left


class TestUnnoticedDisconnections:
    """The time of the seat to act is up after 60 seconds."""

    def out(self, *there):
        state = table_of("person", "person", there=(0, 1, *there), patience=None, **CLOCK)
        run_clock(state, 0.0)
        apply(state, stand_in_change(state, 60.0), 60.0)
        assert state.presence.out == {state.match.actor}
        return state, state.match.actor

    def test_a_connection_silent_from_before_the_timeout_does_not_cost_the_seat(self):
        state, seat = self.out()
        state.presence.disconnect(seat, 75.0, 59.0)
        assert (state.presence.out, state.presence.away) == (set(), {seat})
        play_automatic(state, now=76.0)
        state.connect(seat, 80.0)
        assert state.bot_for(seat) is None
        assert state.clocks.left[seat] == 30_000

    def test_a_connection_with_a_message_after_the_timeout_costs_the_seat(self):
        state, seat = self.out()
        state.presence.disconnect(seat, 75.0, 61.0)
        state.connect(seat, 80.0)
        assert state.presence.out == {seat}

    def test_a_later_connection_changes_nothing(self):
        state, seat = self.out()
        state.connect(seat, 70.0)
        state.presence.disconnect(seat, 75.0, 59.0)
        assert state.presence.out == set()

    def test_all_connections_of_the_seat_must_have_been_silent(self):
        state, seat = self.out(0, 1)
        state.presence.disconnect(seat, 75.0, 59.0)
        assert state.presence.out == {seat}
        state.presence.disconnect(seat, 76.0, 58.0)
        assert state.presence.out == set()
