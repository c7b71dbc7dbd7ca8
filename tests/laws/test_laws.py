"""Conservation, secrecy, memory and sampling, at random moments of random games of every kind.

What the laws say is said once, where authors of games ask for it (``parlour check``); here they are asked for.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.authors.laws import (
    acting,
    conservation,
    counting,
    knowledge,
    known_by,
    memory,
    sampling,
    secrecy,
    showing,
    veiling,
    viewers,
    walk,
)
from parlour.engine.matches.steps import COMPILED, INTERPRETED
from parlour.engine.observation import EVERYTHING
from parlour.engine.setup import Setup
from tests.laws.walks import GAMES, SEEDS, setups, some_moments
from tests.sample_size import sample_size

pytestmark = pytest.mark.slow

FEW = settings(max_examples=sample_size(8))
MORE = settings(max_examples=sample_size(12))
SLOWLY = settings(max_examples=sample_size(3))
"""Where rules are interpreted, twenty times slower.

An example is a game looked at from every seat at half a dozen moments and more: what breaks a law at one look in a
hundred is found with a chance of 97 % and more by eight games of two (1 - 0.99 ** (8 * 7 * 3 * 2)), nearly surely by
those of four.
"""
every_game = pytest.mark.parametrize("game_id", GAMES)


@every_game
class TestConservation:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_every_card_is_in_exactly_one_place(self, game_id, data, seed):
        for match in walk(data.draw(setups(GAMES[game_id])), seed):
            assert conservation(match) == ""

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_a_view_shows_or_counts_every_card_once(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 10):
            assert counting(match) == ""


@every_game
class TestActing:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_the_seat_to_act_has_a_legal_action_and_each_can_be_composed(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 4):
            assert acting(match) == ""
            assert showing(match) == ""


@every_game
class TestSecrecy:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_what_a_seat_does_not_know_changes_nothing_that_it_is_sent(self, game_id, data, seed):
        """Laid otherwise and put into the match, it looks the same to the byte."""
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 6):
            assert secrecy(match) == ""

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_a_veiled_state_is_all_that_a_view_is_made_of(self, game_id, data, seed):
        """Veiling twice changes nothing, and a spectator's veil can be drawn over any seat's."""
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 6):
            assert veiling(match) == ""

    def test_cards_are_laid_open_only_when_the_game_is_over(self, game_id):
        *_, last = walk(Setup(GAMES[game_id], GAMES[game_id].players[0]), 1)
        assert all(zone.hidden == 0 for zone in last.observation(EVERYTHING).zones)
        for match in walk(Setup(GAMES[game_id], GAMES[game_id].players[0]), 1):
            if not match.over:
                with pytest.raises(ValueError, match="only when the game is over"):
                    match.observation(EVERYTHING)


@every_game
class TestMemory:
    @MORE
    @given(data=st.data(), seed=SEEDS)
    def test_what_a_seat_knows_it_never_forgets_until_cards_are_shuffled(self, game_id, data, seed):
        before = None
        for match in walk(data.draw(setups(GAMES[game_id])), seed):
            known = known_by(match)
            assert memory(match, before, known) == ""
            before = known

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_a_view_shows_every_card_that_its_viewer_knows(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 10):
            assert knowledge(match) == ""

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_an_event_stays_as_it_was_seen(self, game_id, data, seed):
        seen = {}
        for match in walk(data.draw(setups(GAMES[game_id])), seed):
            for viewer in viewers(match):
                now = match.seen_by(viewer)
                assert now[: len(seen.get(viewer, []))] == seen.get(viewer, [])
                assert len(now) == len(match.events)
                seen[viewer] = now


@every_game
class TestSampling:
    @MORE
    @given(data=st.data(), seed=SEEDS)
    def test_what_is_sampled_could_have_happened_and_was_seen_as_the_same_event_by_event(self, game_id, data, seed):
        self.check(data.draw(setups(GAMES[game_id])), seed, COMPILED)

    @SLOWLY
    @given(data=st.data(), seed=SEEDS)
    def test_so_it_could_for_the_interpreter(self, game_id, data, seed):
        """Which plays the same games, says the law of replay."""
        self.check(data.draw(setups(GAMES[game_id])), seed, INTERPRETED)

    def check(self, setup, seed, steps):
        """Replayed from the determinization's own cards every event is legal, and leads to the determinization."""
        for match in some_moments(setup, seed, 4):
            assert sampling(match, steps) == ""
