"""Decisions on commands, and the effects of their outcomes on the state of a table, without a server."""

from copy import deepcopy

import pytest

from parlour.engine.errors import ParlourError
from parlour.engine.events import Event
from parlour.engine.rules import OVER, SPECTATOR
from parlour.server.store.stored_table import UNDO, ChatMessage, StoredSeat
from parlour.server.table.bots.hints import BEING_MADE, NOT_HERE, NOT_NOW
from parlour.server.table.commands import Act, Agree, Allow, Hint, Say, Undo
from parlour.server.table.decide import TOO_LATE, decide, decide_automatic, decide_granted, decide_seat
from parlour.server.table.outcomes import (
    Acted,
    Agreed,
    Allowed,
    Declined,
    Denied,
    Hinted,
    Refused,
    Said,
    SaidBefore,
    SeatRequested,
    SeatTaken,
    StoodIn,
    Unchanged,
    UndoRequested,
)
from parlour.server.table.people.keys import key_hash
from parlour.server.table.people.seat_requests import (
    ALONE,
    ASKED_ALREADY,
    BOTS_STAY,
    DENIED,
    NO_KEY,
    NOBODY_TO_ASK,
    SeatApplication,
    SeatError,
)
from parlour.server.table.state import STAND_IN, apply
from parlour.server.table.table_info import company_message
from tests.server.decided_tables import BOT, NAMES, first_action, first_event, happen, person, play_automatic, table_of


def request_seat(state, seat_application, now):
    """Decide on an application for a seat, apply the outcome and return it."""
    outcome = decide_seat(state, seat_application, now)
    apply(state, outcome, now)
    return outcome


def seat_that_acted(state):
    """Let the seat to act take its first legal action, and return the seat; this action may be undone."""
    seat, command = first_action(state)
    happen(state, seat, command)
    state.undo.undoable = seat
    return seat


class TestActions:
    def test_a_legal_action_is_carried_out_in_every_spelling(self):
        state = table_of("person", "person")
        seat, action = state.match.actor, state.match.legal()[0]
        assert decide(state, *first_action(state, f" {action.lower()} "), 0.0) == Acted(Event(seat, action))

    def test_decide_changes_nothing_and_apply_does(self):
        state = table_of("person", "person", there=(0, 1))
        before = deepcopy((state.history, state.match.events, state.presence, state.undo))
        seat, command = first_action(state)
        outcome = decide(state, seat, command, 0.0)
        assert (state.history, state.match.events, state.presence, state.undo) == before
        apply(state, outcome, 0.0)
        assert state.history == [*before[0], outcome.event]
        assert state.match.events[-1] == Event(seat, command.do)

    def test_a_repeated_command_has_no_effect(self):
        state = table_of("person", "person")
        seat, command = first_action(state)
        happen(state, seat, command)
        assert decide(state, seat, command, 0.0) == Unchanged("scene")

    def test_a_command_for_another_position_is_refused_with_the_scene(self):
        state = table_of("person", "person")
        late = Act(do=state.match.legal()[0], seen=state.seen - 1)
        outcome = decide(state, state.match.actor, late, 0.0)
        assert outcome == Refused("That action was sent after 2 events, but there are 3 now.", "", late.do, True)

    def test_an_illegal_action_is_refused_with_its_clause(self):
        state = table_of("person", "person")
        mine = set(state.match.legal())
        other = next(card for card in ("2C", "3C", "4C", "5C", "6C", "7C") if card not in mine)
        outcome = decide(state, *first_action(state, other), 0.0)
        assert isinstance(outcome, Refused)
        assert outcome.clause == "TW-7"

    def test_a_seat_out_of_turn_learns_only_whose_turn_it_is(self):
        state = table_of("person", "person")
        actor = state.match.actor
        commands = [Act(do=action, seen=state.seen) for action in ("2C", "AS", "x")]
        reasons = {decide(state, 1 - actor, command, 0.0).reason for command in commands}
        assert reasons == {f"It is the turn of {NAMES[actor]}."}

    def test_spectators_and_seats_of_a_game_that_has_not_begun_cannot_act(self):
        state = table_of("person", "open")
        assert "looking on" in decide(state, SPECTATOR, Act(do="7H", seen=0), 0.0).reason
        assert "has not begun" in decide(state, 0, Act(do="7H", seen=0), 0.0).reason

    def test_a_seat_without_time_cannot_act(self):
        state = table_of("person", "person")
        apply(state, StoodIn(state.match.actor, True), 0.0)
        assert "Your time is up" in decide(state, *first_action(state), 0.0).reason


class TestBots:
    def test_a_bots_decision_is_carried_out(self):
        state = table_of("bot", "bot")
        event = first_event(state)
        assert decide_automatic(state, event, state.seen, 0.0) == Acted(event, "bot")

    def test_a_decision_for_another_position_is_dropped(self):
        state = table_of("bot", "bot")
        for seen in (state.seen - 1, state.seen + 1):
            assert decide_automatic(state, first_event(state), seen, 0.0) == Unchanged()

    def test_a_decision_is_dropped_when_a_person_has_taken_the_seat_or_the_table_is_closed(self):
        state = table_of("bot", "bot")
        event = first_event(state)
        taken = deepcopy(state)
        apply(taken, SeatTaken(event.by, person(event.by), BOT), 0.0)
        state.outdated = True
        for each in (taken, state):
            assert decide_automatic(each, event, each.seen, 0.0) == Unchanged()

    def test_a_decision_for_a_person_is_marked(self):
        state = table_of("person", "person")
        seat = state.match.actor
        apply(state, StoodIn(seat, False), 0.0)
        assert state.bot_for(seat) == STAND_IN
        assert play_automatic(state).stood_in
        assert state.stood_in == {state.seen - 1}

    def test_a_bots_own_action_cannot_be_undone(self):
        state = table_of("bot", "bot")
        play_automatic(state)
        assert state.undo.earlier is None


class TestUndo:
    def test_without_other_people_an_undo_is_immediate(self):
        state = table_of("person", "person", there=(0, 1))
        seat = seat_that_acted(state)
        state.presence.disconnect(1 - seat, 1.0, 1.0)
        outcome = happen(state, seat, Undo(seen=state.seen))
        assert outcome == Acted(Event(seat, UNDO))
        assert state.match.actor == seat
        assert len(state.match.events) == state.seen - 2
        assert [event.do for event in state.history][-1] == UNDO

    def test_other_people_who_are_connected_have_to_agree(self):
        state = table_of("person", "person", "person", there=(0, 1, 2))
        seat = seat_that_acted(state)
        one, other = {0, 1, 2} - {seat}
        assert happen(state, seat, Undo(seen=state.seen)) == UndoRequested(seat, frozenset({one, other}))
        assert happen(state, one, Agree(yes=True, seen=state.seen)) == Agreed(one)
        assert happen(state, other, Agree(yes=True, seen=state.seen)) == Acted(Event(seat, UNDO))
        assert state.match.actor == seat

    def test_one_refusal_declines_it(self):
        state = table_of("person", "person", there=(0, 1))
        seat = seat_that_acted(state)
        happen(state, seat, Undo(seen=state.seen))
        assert happen(state, 1 - seat, Agree(yes=False, seen=state.seen)) == Declined(1 - seat)
        assert decide(state, 1 - seat, Agree(yes=True, seen=state.seen), 0.0) == Unchanged("company")

    def test_a_refusal_holds_until_the_next_event(self):
        state = table_of("person", "person", there=(0, 1))
        seat = seat_that_acted(state)
        happen(state, seat, Undo(seen=state.seen))
        happen(state, 1 - seat, Agree(yes=False, seen=state.seen))
        company = company_message(state, 0.0)
        assert (company.undoable, company.undo_request, company.undo_declined) == (None, None, 1 - seat)
        refused = decide(state, seat, Undo(seen=state.seen), 0.0)
        assert refused == Refused(f"{state.names[1 - seat]} would rather play on.")
        happen(state, *first_action(state))
        assert company_message(state, 0.0).undo_declined is None

    def test_an_undo_that_could_not_be_stored_can_be_requested_again(self):
        state = table_of("person", "person", there=(0, 1))
        seat = seat_that_acted(state)
        request = happen(state, seat, Undo(seen=state.seen))
        apply(state, Declined(), 0.0)
        assert decide(state, seat, Undo(seen=state.seen), 0.0) == request

    def test_a_seat_agrees_once_at_the_right_moment_and_not_to_its_own_request(self):
        state = table_of("person", "person", "person", there=(0, 1, 2))
        seat = seat_that_acted(state)
        one = (seat + 1) % 3
        happen(state, seat, Undo(seen=state.seen))
        happen(state, one, Agree(yes=True, seen=state.seen))
        for other in (one, seat):
            assert decide(state, other, Agree(yes=True, seen=state.seen), 0.0) == Unchanged("company")
        assert decide(state, (seat + 2) % 3, Agree(yes=True, seen=state.seen - 1), 0.0) == Unchanged("company")

    def test_a_seat_that_leaves_need_not_agree(self):
        state = table_of("person", "person", there=(0, 1))
        seat = seat_that_acted(state)
        happen(state, seat, Undo(seen=state.seen))
        assert decide_granted(state) == Unchanged()
        state.undo.stop_waiting_for(1 - seat)
        assert decide_granted(state) == Acted(Event(seat, UNDO))

    def test_a_repeated_request_has_no_effect(self):
        state = table_of("person", "person", there=(0, 1))
        seat = seat_that_acted(state)
        seen = state.seen
        happen(state, seat, Undo(seen=seen))
        assert decide(state, seat, Undo(seen=seen), 0.0) == Unchanged("company")
        happen(state, 1 - seat, Agree(yes=True, seen=seen))
        assert decide(state, seat, Undo(seen=seen), 0.0) == Unchanged("scene")

    def test_only_ones_own_action_can_be_undone_and_only_as_the_last_event(self):
        state = table_of("person", "person", there=(0, 1))
        seat = seat_that_acted(state)
        assert decide(state, 1 - seat, Undo(seen=state.seen), 0.0) == Refused(TOO_LATE)
        assert decide(state, SPECTATOR, Undo(seen=state.seen), 0.0) == Refused(TOO_LATE)
        seen = state.seen
        happen(state, *first_action(state))
        for when in (seen, state.seen):
            assert decide(state, seat, Undo(seen=when), 0.0) == Refused(TOO_LATE)

    def test_a_request_for_an_earlier_moment_is_refused(self):
        state = table_of("person", "person", there=(0, 1))
        seat = seat_that_acted(state)
        assert decide(state, seat, Undo(seen=state.seen - 1), 0.0) == Refused(TOO_LATE)


class TestTalk:
    def test_a_chat_message_with_the_same_id_has_no_effect(self):
        state = table_of("person", "person")
        say = Say(id="1", words="hello there")
        assert happen(state, 0, say) == Said(ChatMessage(0, "1", "hello there"))
        assert decide(state, 0, say, 1.0) == SaidBefore(ChatMessage(0, "1", "hello there"))
        assert decide(state, 1, Say(id="1", words="hello there"), 1.0) == Said(ChatMessage(1, "1", "hello there"))

    def test_spectators_do_not_talk_and_a_table_may_restrict_talk(self):
        free, silent = table_of("person", "person"), table_of("person", "person", talk="none")
        assert "Only those who play" in decide(free, SPECTATOR, Say(id="1", words="a"), 0.0).reason
        assert "Chat is off" in decide(silent, 0, Say(id="1", sign="luck"), 0.0).reason
        signs = table_of("person", "person", talk="signs")
        assert "Only signs" in decide(signs, 0, Say(id="1", words="a"), 0.0).reason
        assert decide(signs, 0, Say(id="1", sign="luck"), 0.0) == Said(ChatMessage(0, "1", sign="luck"))

    def test_talk_has_a_rate_limit(self):
        state = table_of("person", "person")
        for number in range(5):
            happen(state, 0, Say(id=f"{number}", sign="luck"), float(number))
        assert "Not so fast" in decide(state, 0, Say(id="5", sign="luck"), 9.0).reason
        assert decide(state, 1, Say(id="5", sign="luck"), 9.0) == Said(ChatMessage(1, "5", sign="luck"))
        assert decide(state, 0, Say(id="5", sign="luck"), 10.0) == Said(ChatMessage(0, "5", sign="luck"))


class TestHints:
    def test_the_seat_to_act_has_one_hint_at_a_time(self):
        state = table_of("person", "bot")
        while state.match.actor:
            play_automatic(state)
        assert happen(state, 0, Hint()) == Hinted(0)
        assert decide(state, 0, Hint(), 0.0) == Refused(BEING_MADE)
        state.hinting.discard(0)
        assert decide(state, 0, Hint(), 0.0) == Hinted(0)
        for seat in (1, SPECTATOR):
            assert decide(state, seat, Hint(), 0.0) == Refused(NOT_NOW)

    def test_there_is_no_hint_before_the_game_begins(self):
        assert decide(table_of("person", "open"), 0, Hint(), 0.0) == Refused(NOT_NOW)

    def test_among_people_there_is_one_only_if_the_table_has_hints(self):
        state = table_of("person", "person")
        assert decide(state, state.match.actor, Hint(), 0.0) == Refused(NOT_HERE)
        with_hints = table_of("person", "person", hints=True)
        assert decide(with_hints, with_hints.match.actor, Hint(), 0.0) == Hinted(with_hints.match.actor)


def application(seat, name="Eve", own_key=True):
    """Return a person's application for a seat."""
    return SeatApplication(seat, name, f"key of {name}", own_key, f"request of {name}")


class TestOpenSeats:
    def test_an_open_seat_is_given_to_the_first_applicant(self):
        state = table_of("person", "open")
        eve = StoredSeat("Eve", None, key_hash("key of Eve"))
        assert request_seat(state, application(1), 0.0) == SeatTaken(1, eve, None)
        assert state.begun
        assert decide_seat(state, application(1), 0.0) == Unchanged("key")

    def test_a_bots_seat_is_given_before_the_game_begins(self):
        assert decide_seat(table_of("person", "open", "bot"), application(2), 0.0).before == BOT

    @pytest.mark.parametrize(
        ("seat", "name", "why"),
        [(0, "Eve", "seat 0 is taken"), (7, "Eve", "there is no seat 7"), (1, "Ann", "opens another seat")],
    )
    def test_other_applications_are_refused(self, seat, name, why):
        with pytest.raises(ParlourError, match=why):
            decide_seat(table_of("person", "open"), application(seat, name), 0.0)


def ask_and_answer(state, answers):
    """Let Eve ask for seat 2 and the players answer; return the time afterwards, in seconds."""
    if answers != "not asked":
        request_seat(state, application(2), 100.0)
    for seat, word in enumerate(answers.replace(",", "").split()):
        if word in ("yes", "no"):
            happen(state, seat, Allow(id="request of Eve", yes=word == "yes"), 101.0)
    if answers.endswith("taken"):
        request_seat(state, application(2), 102.0)
    return 160.0 if answers.endswith("later") else 103.0


def answer_to(state, seat_application, now):
    """Return the kind of the outcome of an application, or the reason why it is refused."""
    try:
        return type(decide_seat(state, seat_application, now))
    except SeatError as error:
        return str(error)


def after(same, other_seat, other_key):
    """Return the answers to Eve for seat 2 and for seat 3, and to Flo for either."""
    return {("Eve", 2): same, ("Eve", 3): other_seat, ("Flo", 2): other_key, ("Flo", 3): other_key}


ANSWERS_AFTER_EVES_REQUEST = {
    "not asked": after(SeatRequested, SeatRequested, SeatRequested),
    "asked": after(Unchanged, ASKED_ALREADY, ASKED_ALREADY),
    "yes": after(Unchanged, ASKED_ALREADY, ASKED_ALREADY),
    "yes yes": after(SeatTaken, ASKED_ALREADY, ASKED_ALREADY),
    "yes no": after(DENIED, DENIED, ASKED_ALREADY),
    "no, a minute later": after(DENIED, DENIED, SeatRequested),
    "asked, a minute later": after(SeatRequested, SeatRequested, SeatRequested),
    "yes yes, a minute later": after(SeatRequested, SeatRequested, SeatRequested),
    "yes yes taken": after(Unchanged, "this key opens another seat at this table already", ASKED_ALREADY)
    | {("Flo", 2): "seat 2 is taken"},
}
"""The answers to applications, by the seats' answers to Eve's request for the bot's seat 2."""


class TestBotsSeats:
    @pytest.fixture
    def trio(self):
        """Return the state of a table with Ann and Bo, both connected, and a bot whose seat can be requested."""
        return table_of("person", "person", "bot", there=(0, 1), take_over=True)

    def test_it_is_given_when_all_players_have_agreed(self, trio):
        assert request_seat(trio, application(2), 100.0) == SeatRequested(trio.requests.open)
        assert trio.undecided == {0, 1}
        assert decide_seat(trio, application(2), 101.0) == Unchanged()
        for seat in (0, 1):
            assert happen(trio, seat, Allow(id="request of Eve", yes=True), 101.0) == Allowed(seat)
        assert decide_seat(trio, application(2), 102.0) == SeatTaken(
            2, StoredSeat("Eve", None, key_hash("key of Eve")), BOT
        )

    def test_one_refusal_denies_it_to_that_key(self, trio):
        request_seat(trio, application(2), 100.0)
        assert happen(trio, 1, Allow(id="request of Eve", yes=False), 101.0) == Denied()
        for now in (102.0, 1000.0):
            with pytest.raises(SeatError, match=DENIED):
                decide_seat(trio, application(2), now)

    def test_there_is_one_request_at_a_time_and_one_a_minute(self, trio):
        request_seat(trio, application(2), 100.0)
        with pytest.raises(SeatError, match="just asked"):
            decide_seat(trio, application(2, "Flo"), 159.0)
        happen(trio, 0, Allow(id="request of Eve", yes=True), 159.0)
        assert decide(trio, 1, Allow(id="request of Eve", yes=True), 160.0) == Unchanged("company")
        request_seat(trio, application(2, "Flo"), 160.0)
        assert trio.undecided == {0, 1}

    @pytest.mark.parametrize("applicant", ["Eve", "Flo"])
    @pytest.mark.parametrize("seat", [2, 3])
    @pytest.mark.parametrize("state", ANSWERS_AFTER_EVES_REQUEST)
    def test_only_the_request_itself_can_be_repeated(self, state, seat, applicant):
        """Eve has asked for seat 2."""
        table = table_of("person", "person", "bot", "bot", there=(0, 1), take_over=True)
        now = ask_and_answer(table, state)
        expected = ANSWERS_AFTER_EVES_REQUEST[state][applicant, seat]
        assert answer_to(table, application(seat, applicant), now) == expected

    def test_there_is_no_request_after_the_game(self, trio):
        trio.match.state.actor = OVER
        with pytest.raises(SeatError, match="seat 2 is taken"):
            decide_seat(trio, application(2), 100.0)

    def test_spectators_bots_and_answers_to_another_request_do_not_count(self, trio):
        request_seat(trio, application(2), 100.0)
        for seat, request in ((SPECTATOR, "request of Eve"), (2, "request of Eve"), (0, "another")):
            assert decide(trio, seat, Allow(id=request, yes=True), 101.0) == Unchanged("company")

    def test_a_person_for_whom_a_bot_stands_in_need_not_agree(self):
        state = table_of("person", "person", "person", "bot", there=(0, 1, 2), take_over=True, patience=30)
        request_seat(state, application(3), 100.0)
        state.presence.disconnect(2, 101.0, 101.0)
        for seat in (0, 1):
            happen(state, seat, Allow(id="request of Eve", yes=True), 101.0)
        assert decide_seat(state, application(3), 102.0) == Unchanged()
        assert state.undecided == {2}
        apply(state, StoodIn(2, False), 131.0)
        assert isinstance(decide_seat(state, application(3), 132.0), SeatTaken)
        state.connect(2, 133.0)
        assert decide_seat(state, application(3), 134.0) == Unchanged()
        assert state.undecided == {2}

    @pytest.mark.parametrize(
        ("seats", "there", "manners", "own_key", "why"),
        [
            (("person", "person", "bot"), (0, 1), {}, True, BOTS_STAY),
            (("person", "bot", "bot"), (0,), {"take_over": True}, True, ALONE),
            (("person", "person", "bot"), (0, 1), {"take_over": True}, False, NO_KEY),
            (("person", "person", "bot"), (0,), {"take_over": True}, True, NOBODY_TO_ASK),
        ],
    )
    def test_a_request_is_refused(self, seats, there, manners, own_key, why):
        state = table_of(*seats, there=there, **manners)
        with pytest.raises(SeatError) as refused:
            decide_seat(state, application(2, own_key=own_key), 100.0)
        assert str(refused.value) == why
