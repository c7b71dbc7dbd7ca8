"""Conservation, secrecy, memory and sampling, at random moments of random games of every kind.

The laws are those of ``parlour check``.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.authors.laws import (
    check_actions,
    check_card_counts,
    check_conservation,
    check_determinizations,
    check_knowledge,
    check_layout,
    check_masks,
    check_memory,
    check_secrecy,
    known_cards,
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
"""Settings for most laws: eight games.

An example checks a game for every viewer at seven moments or so. With two players and a spectator a fault that shows in
one check of a hundred is found with a probability of about 80 % (1 - 0.99 ** (8 * 7 * 3)).
"""
MORE = settings(max_examples=sample_size(12))
SLOWLY = settings(max_examples=sample_size(3))
"""Settings for interpreted rules, which are twenty times slower."""
every_game = pytest.mark.parametrize("game_id", GAMES)


@every_game
class TestConservation:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_every_card_is_in_exactly_one_zone(self, game_id, data, seed):
        for match in walk(data.draw(setups(GAMES[game_id])), seed):
            assert check_conservation(match) == ""

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_an_observation_shows_or_counts_every_card_once(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 10):
            assert check_card_counts(match) == ""


@every_game
class TestActing:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_the_seat_to_act_has_a_legal_action_and_each_can_be_composed(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 4):
            assert check_actions(match) == ""
            assert check_layout(match) == ""


@every_game
class TestSecrecy:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_hidden_cards_do_not_change_messages_to_a_seat(self, game_id, data, seed):
        """A match with a determinization of its state looks the same to the byte."""
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 6):
            assert check_secrecy(match) == ""

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_an_observation_follows_from_the_masked_state(self, game_id, data, seed):
        """Masking twice changes nothing, and the spectator's mask can be applied after any seat's."""
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 6):
            assert check_masks(match) == ""

    def test_hidden_cards_are_revealed_only_at_the_end(self, game_id):
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
    def test_a_seat_forgets_no_card_before_a_shuffle(self, game_id, data, seed):
        before = None
        for match in walk(data.draw(setups(GAMES[game_id])), seed):
            known = known_cards(match)
            assert check_memory(match, before, known) == ""
            before = known

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_an_observation_shows_every_card_that_its_viewer_knows(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 10):
            assert check_knowledge(match) == ""

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_the_text_of_a_seen_event_never_changes(self, game_id, data, seed):
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
    def test_a_determinization_is_possible_and_looks_the_same_event_by_event(self, game_id, data, seed):
        self.check(data.draw(setups(GAMES[game_id])), seed, COMPILED)

    @SLOWLY
    @given(data=st.data(), seed=SEEDS)
    def test_an_interpreted_determinization_is_possible(self, game_id, data, seed):
        """The replay law says that it plays the same games."""
        self.check(data.draw(setups(GAMES[game_id])), seed, INTERPRETED)

    def check(self, setup, seed, steps):
        """Replay the events with the determinization's cards: all are legal and lead to the determinization."""
        for match in some_moments(setup, seed, 4):
            assert check_determinizations(match, steps) == ""
