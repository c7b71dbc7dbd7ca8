"""Matches: turns, legal actions, texts of events, and refusals."""

import pytest

import parlour
from parlour.engine import rules
from parlour.engine.errors import IllegalError, ParlourError, TurnError
from parlour.engine.game import Game, Refusal
from parlour.engine.match import Match
from parlour.engine.matches.randomness import SystemRandomness
from parlour.engine.observation import EVERYTHING
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import drive

SETUP = parlour.make("trick-walls", players=4, rounds=1)


def play_out(match):
    while not match.over:
        match.act(match.legal()[0])
    return match


class TestActing:
    def test_a_text_and_a_number_are_the_same_action(self):
        one, other = SETUP.start(seed=1), SETUP.start(seed=1)
        text = one.legal()[-1]
        one.act(text)
        other.act(SETUP.action_numbers[text])
        assert one.record() == other.record()

    def test_an_illegal_action_is_refused_with_reason_and_clause_and_changes_nothing(self):
        match = SETUP.start(seed=1)
        before = match.record()
        with pytest.raises(IllegalError, match=r"'XB' is not legal: You do not hold the black joker\. \(TW-7\)"):
            match.act("XB")
        with pytest.raises(IllegalError, match="'top' is not legal: "):
            match.act(SETUP.action_numbers["top"])
        with pytest.raises(IllegalError, match="there is no action 500: they are 0 to 104"):
            match.act(500)
        assert match.record() == before

    def test_the_reason_depends_only_on_the_observation_of_the_seat(self, monkeypatch):
        match, asked = SETUP.start(seed=1), []
        monkeypatch.setitem(
            vars(SETUP.game), "refusal", lambda state, text: asked.append(state.tobytes()) or Refusal("", "No.")
        )
        match.refusal("7H")
        assert asked == [match.observed(match.actor).tobytes()] != [match.state.tobytes()]

    def test_the_refusal_of_another_seat_names_the_seat_to_act(self):
        match = SETUP.start(seed=1)
        other = (match.actor + 1) % 4
        with pytest.raises(TurnError, match=f"not the turn of seat {other}: it is the turn of seat {match.actor}"):
            match.act(match.legal()[0], seat=other)
        match.act(match.legal()[0], seat=match.actor)

    def test_no_seat_can_act_in_a_finished_game(self):
        match = play_out(SETUP.start(seed=1))
        with pytest.raises(TurnError, match="no seat can act now: the game is over"):
            match.act("7H")
        with pytest.raises(TurnError, match="not the turn of seat 2: the game is over"):
            match.act("7H", seat=2)


def bidding_game(keep, **about):
    """Return a game in which both players bid 1 or 2; ``keep`` changes the state by the bid."""

    def play(state, action):
        keep(state, action)
        state.actor = 1 if state.actor == 0 else rules.OVER

    def legal(state, actions):
        actions[:2] = 1, 2
        return 2

    about |= {"name": lambda state, action: f"bid {action}", "score": lambda state, scores: 3, "play": play}
    about |= {"deal": lambda state, deck: setattr(state, "actor", 0), "legal": legal}
    return Game(players=range(2, 3), **about)


@pytest.fixture(scope="module")
def bidding():
    """Return a game in which both players bid in secret."""
    state = rules.state_type([("secret_bid", "i8", (2,))])
    keep = lambda state, action: state.secret_bid.__setitem__(state.actor, action)  # noqa: E731
    hidden = {
        "hidden_slots": lambda state, seat, sizes, allowed: 0,
        "assign": lambda state, seat, index, cards, number: None,
        "hide_rest": lambda state, seat: state.secret_bid.__setitem__(1 - seat, 0),
        "hides": lambda state, action, viewer: rules.WHOLE,
    }
    return bidding_game(keep, id="bidding", dtype=state, **hidden)


@pytest.fixture(scope="module")
def talking():
    """Return a game in which bids do not change the state."""
    return bidding_game(lambda state, action: None, id="talking", dtype=rules.state_type([("nothing_said", "i8")]))


class TestTexts:
    def test_other_seats_see_a_secret_bid_without_its_content(self, bidding):
        match = Setup(bidding, 2).start(seed=1)
        match.act("bid 2")
        assert [match.seen_by(viewer)[-1].do for viewer in (0, 1, SPECTATOR)] == ["bid 2", "??", "??"]

    def test_a_bid_that_changes_no_state_is_an_event_and_changes_the_information_state(self, talking):
        setup, heard = Setup(talking, 2), []
        for word in ("bid 1", "bid 2", "bid 1"):
            match = setup.start(seed=1)
            match.act(word)
            heard.append((match.observed(1).tobytes(), match.information_state(1)))
        assert len({state for state, _ in heard}) == 1
        assert heard[0] == heard[2] != heard[1]

    def test_only_the_player_of_a_face_down_card_sees_it(self):
        match = parlour.make("castle-walls").start(seed=1)
        seat, down = match.actor, next(text for text in match.legal() if text.startswith("down"))
        match.act(down)
        texts = {viewer: match.seen_by(viewer)[-1].do for viewer in (seat, 1 - seat, SPECTATOR)}
        _, _, slot = down.split()
        assert texts == {seat: down, 1 - seat: f"down ?? {slot}", SPECTATOR: f"down ?? {slot}"}


@pytest.fixture(scope="module")
def prepared():
    """Return a game that begins without a deal, with a number that both players see until the first bid."""
    return bidding_game(
        lambda state, action: setattr(state, "open_number", 0),
        id="prepared",
        dtype=rules.state_type([("open_number", "i8")]),
        setup=lambda state, players, options: setattr(state, "actor", 0),
    )


class TestOtherStarts:
    def test_a_match_with_randomness_draws_the_events_that_are_due(self, prepared):
        setup = Setup(prepared, 2)
        match, waiting = setup.start(seed=1), Match(setup)
        state = setup.new_state()
        state.actor = rules.CHANCE
        for each in (match, waiting):
            each.begin_from(state)
        assert [event.by for event in match.events] == [rules.CHANCE]
        assert (match.actor, waiting.actor) == (0, rules.CHANCE)

    def test_the_information_state_distinguishes_them_by_what_a_seat_sees_of_them(self, prepared):
        setup, heard = Setup(prepared, 2), []
        for number in (3, 4, 3):
            match = setup.start(seed=1)
            before = match.information_state(1)
            state = setup.new_state()
            state.open_number = number
            match.begin_from(state)
            begun = match.information_state(1)
            match.act("bid 1")
            heard.append((begun, match.information_state(1)))
            assert before != begun
        assert heard[0] == heard[2]
        assert heard[0][0] != heard[1][0]
        assert heard[0][1] != heard[1][1]

    def test_a_match_with_events_begins_from_no_other_state(self):
        match = SETUP.start(seed=1)
        with pytest.raises(ParlourError, match=r"only a match without events .*; this one has \d+ events"):
            match.begin_from(SETUP.new_state())


class TestChance:
    def test_a_match_with_randomness_waits_only_for_players(self):
        match = SETUP.start(seed=1)
        while not match.over:
            assert match.actor >= 0
            match.act(match.legal()[0])
        assert any(event.by == rules.CHANCE for event in match.events)

    def test_a_match_without_randomness_waits_for_its_caller(self):
        match = Match(SETUP)
        assert match.actor == rules.CHANCE
        with pytest.raises(TurnError, match="no seat can act now: it is the turn of chance"):
            match.act("7H")

    def test_a_copy_draws_the_same_chance_and_does_not_change_the_match(self):
        setup = parlour.make("trick-walls", players=4, rounds=3)
        match, alone = setup.start(seed=5), setup.start(seed=5)
        assert play_out(match.copy()).record() == play_out(match).record() == play_out(alone).record()


class TestDriving:
    def test_every_event_is_yielded_after_it_was_applied(self):
        two_rounds = parlour.make("trick-walls", players=2, rounds=2)
        for match, chance in ((two_rounds.start(seed=2), None), (Match(SETUP), SystemRandomness())):
            given = list(match.events)
            for event in drive(match, lambda match: match.legal()[0], chance):
                given.append(event)
            assert match.over
            assert given == match.events

    def test_a_match_without_randomness_needs_chance_events_from_outside(self):
        with pytest.raises(ValueError, match="no randomness was given"):
            next(drive(Match(SETUP), lambda match: match.legal()[0]))


class TestViewers:
    def test_the_default_is_the_seat_to_act(self):
        match = SETUP.start(seed=1)
        assert match.observation() == match.observation(match.actor)
        assert match.observation(SPECTATOR).seat == SPECTATOR

    def test_without_a_seat_to_act_there_is_no_default_viewer(self):
        with pytest.raises(TurnError, match="say whose observation is wanted: it is the turn of chance"):
            Match(SETUP).observation()
        with pytest.raises(TurnError, match="say whose observation is wanted: the game is over"):
            play_out(SETUP.start(seed=1)).observation()

    def test_chance_and_the_end_of_a_game_are_no_viewers(self):
        for match in (Match(SETUP), play_out(SETUP.start(seed=1))):
            with pytest.raises(ParlourError, match=r"no seat is to act; the seats are 0 to 3"):
                match.observation(match.actor)

    def test_an_observation_of_all_cards_has_no_information_state(self):
        seen = play_out(SETUP.start(seed=1)).observation(EVERYTHING)
        assert all(zone.hidden == 0 for zone in seen.zones)
        assert seen.information_state is None
        assert seen.text.startswith("Trick Walls, 4 players, rounds=1. All cards are open:\n")

    def test_an_unknown_viewer_is_refused(self):
        with pytest.raises(ParlourError, match="there is no seat 4; the seats are 0 to 3"):
            SETUP.start(seed=1).observation(4)
        with pytest.raises(ParlourError, match="this match does not store events for the viewer 4"):
            SETUP.start(seed=1).seen_by(4)

    def test_special_viewers_and_actors_have_different_numbers(self):
        markers = [rules.CHANCE, rules.OVER, rules.UNSEEN, SPECTATOR, EVERYTHING]
        assert len(set(markers)) == len(markers)
        assert max(markers) < 0
        assert SPECTATOR == rules.NOBODY

    def test_a_match_that_stores_no_events_has_no_observations(self):
        with pytest.raises(ParlourError, match="does not store the events as its seats saw them"):
            Match(SETUP, observed=False).observation(0)
