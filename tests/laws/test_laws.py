"""Conservation, secrecy, memory and guessing, at random moments of random games of every kind."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.cards import cards_of
from parlour.engine.chance import new_stream
from parlour.engine.match import COMPILED, INTERPRETED
from parlour.engine.records import replay
from parlour.engine.rules import CHANCE, known_to, whole_deck
from parlour.engine.setup import Setup
from parlour.engine.sight import guess, veil
from parlour.engine.views import EVERYTHING, SPECTATOR, view_of
from parlour.games import find_game
from parlour.lab.laws import differences, may_forget, rearranged, record_of, sent, viewers, with_content
from tests.laws.walks import GAMES, SEEDS, seats, setups, some_moments, walk
from tests.thorough import usual

pytestmark = pytest.mark.slow

FEW = settings(max_examples=usual(8))
MORE = settings(max_examples=usual(12))
SLOWLY = settings(max_examples=usual(3))
"""Where rules are interpreted, twenty times slower.

An example is a game looked at from every seat at half a dozen moments and more: what breaks a law at one look in a
hundred is found with a chance of 97 % and more by eight games of two (1 - 0.99 ** (8 * 7 * 3 * 2)), nearly surely by
those of four.
"""
every_game = pytest.mark.parametrize("game_id", GAMES)


def known_sets(match):
    return [int(known_to(match.state, seat)) for seat in viewers(match)]


@every_game
class TestConservation:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_every_card_is_in_exactly_one_place(self, game_id, data, seed):
        for match in walk(data.draw(setups(GAMES[game_id])), seed):
            zones = GAMES[game_id].zones(match.state, EVERYTHING)
            if zones:
                lying = sorted(card for zone in zones for card in zone.cards)
                assert lying == list(cards_of(whole_deck(match.state)))
                assert not any(zone.hidden for zone in zones)

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_a_view_shows_or_counts_every_card_once(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 10):
            for viewer in viewers(match):
                zones = view_of(match, viewer).zones
                cards = [card for zone in zones for card in zone.cards if card is not None]
                backs = sum(zone.hidden + list(zone.cards).count(None) for zone in zones)
                assert len(set(cards)) == len(cards)
                assert not zones or len(cards) + backs == int(whole_deck(match.state)).bit_count()


@every_game
class TestSecrecy:
    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_what_a_seat_does_not_know_changes_nothing_that_it_is_sent(self, game_id, data, seed):
        """Laid otherwise and put into the match, it looks the same to the byte."""
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 6):
            for viewer in viewers(match):
                veiled, before = match.veiled(viewer), sent(match, viewer)
                other = rearranged(match.state, viewer, new_stream(seed))
                assert veil(other, viewer).tobytes() == veiled.tobytes()
                truth = with_content(match, other)
                assert sent(match, viewer) == before
                with_content(match, truth)

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_a_game_that_went_otherwise_unseen_was_sent_as_the_same_event_by_event(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 4):
            for viewer in seats(match):
                guessed = guess(match.veiled(viewer), viewer, new_stream(seed))
                other = replay(record_of(match, guessed), find_game, steps=COMPILED)
                for same in (viewer, SPECTATOR):
                    assert other.seen_by(same) == match.seen_by(same)
                    assert sent(other, same) == sent(match, same)

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_a_veiled_state_is_all_that_a_view_is_made_of(self, game_id, data, seed):
        """Veiling twice changes nothing, and a spectator's veil can be drawn over any seat's."""
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 6):
            public = match.veiled(SPECTATOR).tobytes()
            for viewer in viewers(match):
                veiled = match.veiled(viewer)
                assert veil(veiled, viewer).tobytes() == veiled.tobytes()
                assert veil(veiled, SPECTATOR).tobytes() == public

    def test_cards_are_laid_open_only_when_the_game_is_over(self, game_id):
        *_, last = walk(Setup(GAMES[game_id], GAMES[game_id].players[0]), 1)
        assert all(zone.hidden == 0 for zone in view_of(last, EVERYTHING).zones)
        for match in walk(Setup(GAMES[game_id], GAMES[game_id].players[0]), 1):
            if not match.over:
                with pytest.raises(ValueError, match="only when the game is over"):
                    view_of(match, EVERYTHING)


@every_game
class TestMemory:
    @MORE
    @given(data=st.data(), seed=SEEDS)
    def test_what_a_seat_knows_it_never_forgets_until_cards_are_shuffled(self, game_id, data, seed):
        before = None
        for match in walk(data.draw(setups(GAMES[game_id])), seed):
            shuffled = not match.events or match.events[-1].by == CHANCE
            now = known_sets(match)
            if before is not None and not shuffled:
                forgotten = [
                    old & ~new & ~may_forget(match, viewer)
                    for viewer, old, new in zip(viewers(match), before, now, strict=True)
                ]
                assert not any(forgotten), f"after {match.events[-1]}"
            before = now

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_a_view_shows_every_card_that_its_viewer_knows(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 10):
            for viewer in viewers(match):
                zones = view_of(match, viewer).zones
                shown = {card for zone in zones for card in zone.cards if card is not None}
                if zones:
                    assert shown == set(cards_of(known_to(match.state, viewer) & whole_deck(match.state)))

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
class TestGuessing:
    @MORE
    @given(data=st.data(), seed=SEEDS)
    def test_what_is_guessed_could_have_happened(self, game_id, data, seed):
        self.check(data.draw(setups(GAMES[game_id])), seed, COMPILED)

    @SLOWLY
    @given(data=st.data(), seed=SEEDS)
    def test_so_it_could_for_the_interpreter(self, game_id, data, seed):
        """Which plays the same games, says the law of replay."""
        self.check(data.draw(setups(GAMES[game_id])), seed, INTERPRETED)

    def check(self, setup, seed, steps):
        """Replayed from the guess's own cards every event is legal, and leads to the guess."""
        for match in some_moments(setup, seed, 4):
            for viewer in seats(match):
                guessed = guess(match.veiled(viewer), viewer, new_stream(seed))
                other = replay(record_of(match, guessed), find_game, steps=steps)
                assert differences(other.state, guessed) == []

    @FEW
    @given(data=st.data(), seed=SEEDS)
    def test_a_guess_leaves_no_card_and_no_choice_out(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 6):
            for viewer in seats(match):
                guessed = guess(match.veiled(viewer), viewer, new_stream(seed))
                zones = GAMES[game_id].zones(guessed, EVERYTHING)
                lying = sorted(card for zone in zones for card in zone.cards)
                assert lying == (list(cards_of(whole_deck(guessed))) if zones else [])
