"""Observations: independent of hidden cards, and complete about all that was seen."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.authors.histories import record_of
from parlour.authors.laws import viewers, walk
from parlour.cards import CARD_TEXT, FULL_DECK, JOKERS, parse_card
from parlour.engine.chance import new_stream
from parlour.engine.events import HIDDEN_CARD, Event
from parlour.engine.information.determinization import determinize
from parlour.engine.match import Match
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import CHANCE, SPECTATOR, known_to
from parlour.engine.setup import Setup
from tests.helpers import play_at_random
from tests.laws.walks import GAMES, SEEDS, seats, setups, some_moments
from tests.sample_size import sample_size

pytestmark = pytest.mark.slow

FEW = settings(max_examples=sample_size(3))
every_game = pytest.mark.parametrize("game_id", GAMES)


def replay_with_recall(record, viewer):
    """Return the match of a record with recall, and its viewer's observations after each event."""
    match, seen = Match(Setup.from_json(record), COMPILED, recall=True), []
    for event in record["events"]:
        match.apply_event(Event.from_json(event))
        seen.append(json.dumps(match.observation(viewer).to_json()))
    return match, seen


def texts_of(text, known):
    """Return an action's text without the unknown cards."""
    return CARD_TEXT.sub(lambda card: card[0] if known >> parse_card(card[0]) & 1 else HIDDEN_CARD, text)


def seen_so_far(match, viewer, moments):
    """Return all that a viewer has seen from the beginning, as text."""
    moments.append(json.dumps(match.observation(viewer).to_json()))
    return tuple(moments)


@every_game
class TestTwins:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_games_with_equal_observations_so_far_have_equal_information_states(self, game_id, data, seed):
        """A determinization has the current cards; earlier observations may differ, and then the states differ."""
        moments = some_moments(data.draw(setups(GAMES[game_id])), seed, 1)
        *_, match, _ = (moment.copy() for moment in moments)
        for viewer in seats(match):
            sampled = determinize(match.observed(viewer), viewer, new_stream(seed))
            (ours, seen), (other, imagined) = (
                replay_with_recall(record, viewer) for record in (match.record(), record_of(match, sampled))
            )
            one, twin = ours.observation(viewer), other.observation(viewer)
            assert (one.text, one.to_json()) == (twin.text, twin.to_json())
            assert one.tensor.tobytes() == twin.tensor.tobytes()
            assert (one.information_state == twin.information_state) == (seen == imagined)


@every_game
class TestRecall:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_information_states_are_equal_exactly_if_all_observations_are(self, game_id, data, seed):
        """Among moments of two games with a common beginning, and of a game with other cards."""
        setup, states = data.draw(setups(GAMES[game_id])), {}
        for number in (seed, seed, seed + 1):
            match = Match(setup, COMPILED, recall=True)
            seen = {viewer: [] for viewer in viewers(match)}
            for at, _ in enumerate(play_at_random(match, number)):
                if at == 12:
                    break
                for viewer, moments in seen.items():
                    key = (viewer, seen_so_far(match, viewer, moments))
                    state = match.information_state(viewer)
                    assert states.setdefault(key, state) == state
        assert len(set(states.values())) == len(states)

    def test_a_copy_with_recall_is_independent(self, game_id):
        match = Setup(GAMES[game_id], GAMES[game_id].players[0]).start(seed=1)
        match.act(match.legal()[0])
        before = match.information_state(0)
        other = match.copy()
        other.act(other.legal()[0])
        after = other.information_state(0)
        assert match.information_state(0) == before != after
        match.act(match.legal()[0])
        assert match.information_state(0) == other.information_state(0) == after

    def test_without_recall_there_is_no_information_state(self, game_id):
        assert Match(Setup(GAMES[game_id], GAMES[game_id].players[0])).observation(0).information_state is None


@every_game
class TestTexts:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_the_text_of_an_action_names_only_cards_that_the_viewer_may_know(self, game_id, data, seed):
        """The cards hidden in the text, decided before the action, are those unknown after it."""
        for match in walk(data.draw(setups(GAMES[game_id])), seed):
            event = match.events[-1] if match.events else None
            for viewer in viewers(match) if event and event.by >= 0 else []:
                known = FULL_DECK | JOKERS if viewer == event.by else int(known_to(match.state, viewer))
                assert match.seen_by(viewer)[-1].do == texts_of(event.do, known)

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_the_text_of_a_shuffle_names_no_cards(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 2):
            for event, *texts in zip(match.events, *map(match.seen_by, viewers(match)), strict=True):
                if event.by == CHANCE:
                    expected = event.do.split()[0] if CARD_TEXT.search(event.do) else event.do
                    assert {each.do for each in texts} == {expected}


@every_game
class TestActionSpace:
    @pytest.fixture(autouse=True)
    def _skip_games_without_listed_actions(self, game_id):
        players = GAMES[game_id].usual_players
        if not GAMES[game_id].actions(players, Setup(GAMES[game_id], players).options):
            pytest.skip("this game does not list its actions")

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_every_legal_action_has_its_index_in_the_mask(self, game_id, data, seed):
        setup = data.draw(setups(GAMES[game_id]))
        match = Match(setup, COMPILED)
        for _ in play_at_random(match, seed):
            if match.actor >= 0:
                assert set(match.legal()) <= setup.action_numbers.keys()
        for match in some_moments(setup, seed, 4):
            if match.actor >= 0:
                seen = match.observation()
                assert sorted(setup.actions[number] for number in np.flatnonzero(seen.legal_mask)) == list(seen.legal)
            assert not match.observation(SPECTATOR).legal_mask.any()

    def test_actions_have_unique_names(self, game_id):
        for players in GAMES[game_id].players:
            setup = Setup(GAMES[game_id], players)
            assert len(set(setup.actions)) == setup.num_actions
            assert all(setup.action_numbers[text] == number for number, text in enumerate(setup.actions))

    def test_an_index_has_the_effect_of_its_text(self, game_id):
        setup = Setup(GAMES[game_id], GAMES[game_id].players[0])
        one, other = setup.start(seed=3), setup.start(seed=3)
        while not one.over and len(one.events) < 40:
            text = one.legal()[-1]
            one.act(text)
            other.act(int(setup.action_numbers[text]))
        assert one.events == other.events


@pytest.mark.parametrize(
    ("game_id", "options"),
    [("castle-walls", {}), ("three-tricks", {}), ("trick-walls", {"long_run": True}), ("tricky-tribes", {})],
)
def test_some_actions_have_hidden_cards_in_the_spectators_texts(game_id, options):
    game = GAMES[game_id]
    *_, last = play_at_random(Match(Setup(game, game.usual_players, options)), 1)
    assert any(HIDDEN_CARD in event.do for event in last.seen_by(SPECTATOR))


def test_texts_for_people_name_chance():
    match = Setup(GAMES["trick-walls"], 4).start(seed=7)
    text = match.observation().text
    assert text.splitlines()[:2] == [
        "Trick Walls, 4 players. Seat 0 sees:",
        "hand 0: 3C 3S 4D 8C AC AH JC KH QD",
    ]
    assert "events: chance: dealer B; chance: colour black; chance: deal" in text
    assert match.events[0].by == CHANCE
