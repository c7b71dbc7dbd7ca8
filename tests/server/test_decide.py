"""What comes of a command at a table, without a server: decided on the table as it is, and then applied to it."""

from copy import deepcopy

import pytest

from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.observation import SPECTATOR
from parlour.engine.randomness import StreamRandomness
from parlour.engine.rules import CHANCE, OVER
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.server.store.store import TAKEN_BACK, Saying, StoredSeat, StoredTable
from parlour.server.table.commands import Act, Agree, Allow, AskHint, Bring, Say, TakeSeat, Undo
from parlour.server.table.decide import TOO_LATE, decide, granted
from parlour.server.table.hints import BEING_MADE, NOT_HERE, NOT_NOW
from parlour.server.table.keys import key_hash
from parlour.server.table.outcomes import (
    Agreed,
    Allowed,
    Answered,
    Declined,
    Denied,
    Happened,
    HeardBefore,
    HintTaken,
    Refused,
    Said,
    SeatAsked,
    SeatTaken,
    StoodIn,
    Wished,
)
from parlour.server.table.seat_requests import ALONE, BOTS_STAY, DENIED, NO_KEY, NOBODY_TO_ASK, SeatError
from parlour.server.table.state import STAND_IN, apply, state_of

NAMES = ("Ann", "Bo", "Cy", "Di")
BOT = StoredSeat("Bot", "thumb")


def person(seat):
    return StoredSeat(NAMES[seat], None, key_hash(f"key of {NAMES[seat]}"))


def table_of(*seats, there=(), options=None, **manners):
    """A table of Trick Walls whose cards are dealt; a seat is ``"person"``, ``"bot"`` or ``"open"``."""
    setup = Setup(find_game("trick-walls"), len(seats), options or {"rounds": 1})
    match, chance = Match(setup), StreamRandomness(new_stream(1))
    while "open" not in seats and match.actor == CHANCE:
        match.apply_chance(match.sample_chance(chance))
    taken = {n: BOT if kind == "bot" else person(n) for n, kind in enumerate(seats) if kind != "open"}
    table = StoredTable("t", match.game.id, len(seats), dict(match.options), taken, "5e" * 32, match.events,
                        manners=manners)  # fmt: skip
    state = state_of(table, match)
    for seat in there:
        state.presence.came(seat, 0.0)
    return state


def happen(state, command, now=0.0):
    """Decide and apply. Returns what came of it."""
    outcome = decide(state, command, now)
    apply(state, outcome, now)
    return outcome


def act(state, action=None):
    """The seat to act does the first thing that is legal, or this."""
    return Act(state.match.actor, action or state.match.legal()[0], state.seen)


def acted(state):
    """A person has acted, and nobody learned anything by it."""
    happen(state, done := act(state))
    state.taking_back.undoable = done.seat
    return done.seat


class TestActing:
    def test_a_legal_action_happens_however_it_was_typed(self):
        state = table_of("person", "person")
        seat, action = state.match.actor, state.match.legal()[0]
        assert decide(state, act(state, f" {action.lower()} "), 0.0) == Happened(Event(seat, action))

    def test_to_decide_changes_nothing_and_to_apply_does(self):
        state = table_of("person", "person", there=(0, 1))
        before = deepcopy((state.history, state.match.events, state.presence, state.taking_back))
        outcome = decide(state, command := act(state), 0.0)
        assert (state.history, state.match.events, state.presence, state.taking_back) == before
        apply(state, outcome, 0.0)
        assert state.history == [*before[0], outcome.event]
        assert state.match.events[-1] == Event(command.seat, command.action)

    def test_said_again_it_is_done_once(self):
        state = table_of("person", "person")
        happen(state, command := act(state))
        assert decide(state, command, 0.0) == Answered("scene")

    def test_what_was_decided_in_another_position_is_refused_and_the_scene_shown_again(self):
        state = table_of("person", "person")
        late = Act(state.match.actor, state.match.legal()[0], state.seen - 1)
        outcome = decide(state, late, 0.0)
        assert outcome == Refused("That was decided after 2 events, but now there are 3.", "", late.action, True)

    def test_what_is_not_legal_is_refused_by_its_clause(self):
        state = table_of("person", "person")
        mine = set(state.match.legal())
        other = next(card for card in ("2C", "3C", "4C", "5C", "6C", "7C") if card not in mine)
        outcome = decide(state, act(state, other), 0.0)
        assert isinstance(outcome, Refused)
        assert outcome.clause == "TW-7"

    def test_whoever_is_not_to_act_learns_whose_turn_it_is_and_nothing_else(self):
        state = table_of("person", "person")
        actor = state.match.actor
        outcomes = {decide(state, Act(1 - actor, action, state.seen), 0.0).reason for action in ("2C", "AS", "x")}
        assert outcomes == {f"It is the turn of {NAMES[actor]}."}

    def test_nobody_acts_who_only_looks_on_or_before_the_game_begins(self):
        state = table_of("person", "open")
        assert "looking on" in decide(state, Act(SPECTATOR, "7H", 0), 0.0).reason
        assert "has not begun" in decide(state, Act(0, "7H", 0), 0.0).reason

    def test_nor_who_is_out_of_time(self):
        state = table_of("person", "person")
        apply(state, StoodIn(state.match.actor, True), 0.0)
        assert "Your time is up" in decide(state, act(state), 0.0).reason


class TestBots:
    def test_what_a_bot_decides_happens(self):
        state = table_of("bot", "bot")
        seat, action = state.match.actor, state.match.legal()[0]
        outcome = decide(state, Bring(seat, action, state.seen), 0.0)
        assert outcome == Happened(Event(seat, action), "bot")

    def test_not_what_it_decided_for_a_position_that_is_no_more(self):
        state = table_of("bot", "bot")
        seat, action = state.match.actor, state.match.legal()[0]
        for seen in (state.seen - 1, state.seen + 1):
            assert decide(state, Bring(seat, action, seen), 0.0) == Answered()

    def test_nor_when_somebody_has_its_seat_now_or_the_table_is_closed(self):
        state = table_of("bot", "bot")
        decided = Bring(state.match.actor, state.match.legal()[0], state.seen)
        taken = deepcopy(state)
        apply(taken, SeatTaken(decided.seat, person(decided.seat), BOT), 0.0)
        state.outdated = True
        assert decide(taken, decided, 0.0) == decide(state, decided, 0.0) == Answered()

    def test_what_it_does_for_a_person_is_kept_as_that(self):
        state = table_of("person", "person")
        seat = state.match.actor
        apply(state, StoodIn(seat, False), 0.0)
        assert state.bot_for(seat) == STAND_IN
        outcome = happen(state, Bring(seat, state.match.legal()[0], state.seen))
        assert outcome.stood_in
        assert state.stood_in == {state.seen - 1}

    def test_a_bots_own_action_is_nobodys_to_take_back(self):
        state = table_of("bot", "bot")
        happen(state, Bring(state.match.actor, state.match.legal()[0], state.seen))
        assert state.taking_back.earlier is None


class TestTakingBack:
    def test_alone_with_bots_it_is_done_at_once(self):
        state = table_of("person", "person", there=(0, 1))
        seat = acted(state)
        state.presence.went(1 - seat, 1.0, 1.0)
        outcome = happen(state, Undo(seat, state.seen))
        assert outcome == Happened(Event(seat, TAKEN_BACK))
        assert state.match.actor == seat
        assert len(state.match.events) == state.seen - 2
        assert [event.do for event in state.history][-1] == TAKEN_BACK

    def test_others_who_are_there_have_to_agree(self):
        state = table_of("person", "person", "person", there=(0, 1, 2))
        seat = acted(state)
        one, other = {0, 1, 2} - {seat}
        assert happen(state, Undo(seat, state.seen)) == Wished(seat, frozenset({one, other}))
        assert happen(state, Agree(one, True, state.seen)) == Agreed(one)
        assert happen(state, Agree(other, True, state.seen)) == Happened(Event(seat, TAKEN_BACK))
        assert state.match.actor == seat

    def test_one_no_is_enough(self):
        state = table_of("person", "person", there=(0, 1))
        seat = acted(state)
        happen(state, Undo(seat, state.seen))
        assert happen(state, Agree(1 - seat, False, state.seen)) == Declined()
        assert decide(state, Agree(1 - seat, True, state.seen), 0.0) == Answered("company")

    def test_nobody_agrees_twice_or_for_another_moment_or_to_their_own_wish(self):
        state = table_of("person", "person", "person", there=(0, 1, 2))
        seat = acted(state)
        one = (seat + 1) % 3
        happen(state, Undo(seat, state.seen))
        happen(state, Agree(one, True, state.seen))
        for answer in (Agree(one, True, state.seen), Agree(seat, True, state.seen)):
            assert decide(state, answer, 0.0) == Answered("company")
        assert decide(state, Agree((seat + 2) % 3, True, state.seen - 1), 0.0) == Answered("company")

    def test_whoever_goes_is_not_waited_for(self):
        state = table_of("person", "person", there=(0, 1))
        seat = acted(state)
        happen(state, Undo(seat, state.seen))
        assert granted(state) == Answered()
        state.taking_back.spare(1 - seat)
        assert granted(state) == Happened(Event(seat, TAKEN_BACK))

    def test_asked_again_nobody_is_asked_twice_and_it_is_done_once(self):
        state = table_of("person", "person", there=(0, 1))
        seat = acted(state)
        seen = state.seen
        happen(state, Undo(seat, seen))
        assert decide(state, Undo(seat, seen), 0.0) == Answered("company")
        happen(state, Agree(1 - seat, True, seen))
        assert decide(state, Undo(seat, seen), 0.0) == Answered("scene")

    def test_not_what_is_anothers_or_was_followed_by_something(self):
        state = table_of("person", "person", there=(0, 1))
        seat = acted(state)
        assert decide(state, Undo(1 - seat, state.seen), 0.0) == Refused(TOO_LATE)
        assert decide(state, Undo(SPECTATOR, state.seen), 0.0) == Refused(TOO_LATE)
        seen = state.seen
        happen(state, act(state))
        for when in (seen, state.seen):
            assert decide(state, Undo(seat, when), 0.0) == Refused(TOO_LATE)

    def test_not_a_later_action_than_the_one_that_was_meant(self):
        state = table_of("person", "person", there=(0, 1))
        seat = acted(state)
        assert decide(state, Undo(seat, state.seen - 1), 0.0) == Refused(TOO_LATE)


class TestTalking:
    def test_what_is_said_is_heard_once(self):
        state = table_of("person", "person")
        say = Say(0, "1", words="hello there")
        assert happen(state, say) == Said(Saying(0, "1", "hello there"))
        assert decide(state, say, 1.0) == HeardBefore(Saying(0, "1", "hello there"))
        assert decide(state, Say(1, "1", words="hello there"), 1.0) == Said(Saying(1, "1", "hello there"))

    def test_nobody_talks_who_looks_on_or_where_it_was_not_agreed_on(self):
        assert "Only those who play" in decide(table_of("person", "person"), Say(SPECTATOR, "1", "a"), 0.0).reason
        assert "Nobody talks" in decide(table_of("person", "person", talk="none"), Say(0, "1", sign="luck"), 0.0).reason
        signs = table_of("person", "person", talk="signs")
        assert "Only signs" in decide(signs, Say(0, "1", words="a"), 0.0).reason
        assert decide(signs, Say(0, "1", sign="luck"), 0.0) == Said(Saying(0, "1", sign="luck"))

    def test_nor_too_fast(self):
        state = table_of("person", "person")
        for number in range(5):
            happen(state, Say(0, f"{number}", sign="luck"), float(number))
        assert "Not so fast" in decide(state, Say(0, "5", sign="luck"), 9.0).reason
        assert decide(state, Say(1, "5", sign="luck"), 9.0) == Said(Saying(1, "5", sign="luck"))
        assert decide(state, Say(0, "5", sign="luck"), 10.0) == Said(Saying(0, "5", sign="luck"))


class TestHints:
    def test_the_seat_to_act_gets_one_at_a_time(self):
        state = table_of("person", "bot")
        while state.match.actor:
            happen(state, Bring(1, state.match.legal()[0], state.seen))
        assert happen(state, AskHint(0)) == HintTaken(0)
        assert decide(state, AskHint(0), 0.0) == Refused(BEING_MADE)
        state.hinting.discard(0)
        assert decide(state, AskHint(0), 0.0) == HintTaken(0)
        for seat in (1, SPECTATOR):
            assert decide(state, AskHint(seat), 0.0) == Refused(NOT_NOW)

    def test_nobody_before_the_game_begins(self):
        assert decide(table_of("person", "open"), AskHint(0), 0.0) == Refused(NOT_NOW)

    def test_among_people_only_where_it_was_agreed_on(self):
        state = table_of("person", "person")
        assert decide(state, AskHint(state.match.actor), 0.0) == Refused(NOT_HERE)
        agreed = table_of("person", "person", hints=True)
        assert decide(agreed, AskHint(agreed.match.actor), 0.0) == HintTaken(agreed.match.actor)


def asks(seat, name="Eve", own_key=True):
    """Somebody would like to have a seat, with a key of their own."""
    return TakeSeat(seat, name, f"key of {name}", own_key, f"request of {name}")


class TestSittingDown:
    def test_an_open_seat_is_had_by_whoever_comes(self):
        state = table_of("person", "open")
        eve = StoredSeat("Eve", None, key_hash("key of Eve"))
        assert happen(state, asks(1)) == SeatTaken(1, eve, None)
        assert state.begun
        assert decide(state, asks(1), 0.0) == Answered("key")

    def test_so_is_a_bots_before_the_game_begins(self):
        assert decide(table_of("person", "open", "bot"), asks(2), 0.0).before == BOT

    @pytest.mark.parametrize(
        ("seat", "name", "why"),
        [(0, "Eve", "seat 0 is taken"), (7, "Eve", "there is no seat 7"), (1, "Ann", "opens another seat")],
    )
    def test_not_what_is_not_to_be_had(self, seat, name, why):
        with pytest.raises(ParlourError, match=why):
            decide(table_of("person", "open"), asks(seat, name), 0.0)


class TestABotsSeat:
    @pytest.fixture
    def trio(self):
        """Ann and Bo, who are there, and a bot whose seat may be asked for."""
        return table_of("person", "person", "bot", there=(0, 1), take_over=True)

    def test_everyone_is_asked_and_when_all_have_agreed_it_is_had(self, trio):
        assert happen(trio, asks(2), 100.0) == SeatAsked(trio.requests.open)
        assert trio.unasked == {0, 1}
        assert decide(trio, asks(2), 101.0) == Answered()
        for seat in (0, 1):
            assert happen(trio, Allow(seat, "request of Eve", True), 101.0) == Allowed(seat)
        assert decide(trio, asks(2), 102.0) == SeatTaken(2, StoredSeat("Eve", None, key_hash("key of Eve")), BOT)

    def test_one_no_is_enough_and_holds_for_that_key(self, trio):
        happen(trio, asks(2), 100.0)
        assert happen(trio, Allow(1, "request of Eve", False), 101.0) == Denied()
        for now in (102.0, 1000.0):
            with pytest.raises(SeatError, match=DENIED):
                decide(trio, asks(2), now)

    def test_one_request_at_a_time_and_one_a_minute(self, trio):
        happen(trio, asks(2), 100.0)
        with pytest.raises(SeatError, match="just asked"):
            decide(trio, asks(2, "Flo"), 159.0)
        happen(trio, Allow(0, "request of Eve", True), 159.0)
        assert decide(trio, Allow(1, "request of Eve", True), 160.0) == Answered("company")
        happen(trio, asks(2, "Flo"), 160.0)
        assert trio.unasked == {0, 1}

    def test_nobody_is_asked_when_the_game_is_over(self, trio):
        trio.match.state.actor = OVER
        with pytest.raises(SeatError, match="seat 2 is taken"):
            decide(trio, asks(2), 100.0)

    def test_nobody_agrees_who_looks_on_or_to_another_request(self, trio):
        happen(trio, asks(2), 100.0)
        for answer in (Allow(SPECTATOR, "request of Eve", True), Allow(0, "another", True), Allow(2, "another", True)):
            assert decide(trio, answer, 101.0) == Answered("company")

    def test_who_is_gone_for_so_long_that_a_bot_plays_is_not_waited_for(self):
        state = table_of("person", "person", "person", "bot", there=(0, 1, 2), take_over=True, patience=30)
        happen(state, asks(3), 100.0)
        state.presence.went(2, 101.0, 101.0)
        for seat in (0, 1):
            happen(state, Allow(seat, "request of Eve", True), 101.0)
        assert decide(state, asks(3), 102.0) == Answered()
        assert state.unasked == {2}
        apply(state, StoodIn(2, False), 131.0)
        assert isinstance(decide(state, asks(3), 132.0), SeatTaken)
        state.came(2, 133.0)
        assert decide(state, asks(3), 134.0) == Answered()
        assert state.unasked == {2}

    @pytest.mark.parametrize(
        ("seats", "there", "manners", "own_key", "why"),
        [
            (("person", "person", "bot"), (0, 1), {}, True, BOTS_STAY),
            (("person", "bot", "bot"), (0,), {"take_over": True}, True, ALONE),
            (("person", "person", "bot"), (0, 1), {"take_over": True}, False, NO_KEY),
            (("person", "person", "bot"), (0,), {"take_over": True}, True, NOBODY_TO_ASK),
        ],
    )
    def test_nobody_is_asked_where(self, seats, there, manners, own_key, why):
        state = table_of(*seats, there=there, **manners)
        with pytest.raises(SeatError) as refused:
            decide(state, asks(2, own_key=own_key), 100.0)
        assert str(refused.value) == why
