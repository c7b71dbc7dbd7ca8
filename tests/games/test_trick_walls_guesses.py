"""Trick Walls: guesses where nearly everything is known from who did not follow suit (TW-7)."""

from collections import Counter

import pytest

from parlour.cards import cards_name
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.sight import guess, guess_many, new_table
from parlour.engine.views import SPECTATOR
from tests.games.walls import table
from tests.helpers import play

SUITS = ["2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "2D 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"]
SUITS += ["2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", "2C 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD"]


def a_suit_each():
    """After two tricks in which nobody could follow: nobody but city 0 holds hearts, nobody but city 1 clubs."""
    match = table(SUITS, options={"long_run": True, "exchange": False, "rounds": 1})
    return play(match, "2H 3C 2S 2C 4C 3S 3D 3H")


@pytest.mark.timeout(120)
class TestGuessesOfHandsThatAreAllButKnown:
    def test_a_suit_that_only_one_hand_can_hold_lies_there(self):
        """A layout chosen at random would be right once in two hundred million times."""
        match = a_suit_each()
        states = rules.new_states(match.game.dtype, 200)
        guess_many(match.veiled(SPECTATOR), SPECTATOR, states, new_table(), new_stream(1))
        for state in states:
            assert cards_name(state.hand[0] & 0x1FFF << 26) == "4H 5H 6H 7H 8H 9H TH JH QH KH AH"
            assert cards_name(state.hand[1] & 0x1FFF) == "5C 6C 7C 8C 9C TC JC QC KC AC"
        assert guess(match.veiled(SPECTATOR), SPECTATOR, new_stream(1)).tobytes() == states[0].tobytes()

    def test_what_is_left_open_is_still_guessed_evenly(self):
        """City 1 has one more card than clubs, any of the 23 spades and diamonds; the others share the rest."""
        match = a_suit_each()
        states = rules.new_states(match.game.dtype, 2300)
        guess_many(match.veiled(SPECTATOR), SPECTATOR, states, new_table(), new_stream(2))
        others = Counter(cards_name(state.hand[1] & ~0x1FFF) for state in states)
        assert len(others) == 23
        assert all(50 < number < 160 for number in others.values())
        shared = [int(state.hand[2] & 0x1FFF << 39).bit_count() for state in states]
        assert abs(sum(shared) / len(shared) - 11 * 11 / 23) < 0.15, "eleven of the 23 are spades"
