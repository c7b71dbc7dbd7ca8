"""Trick Walls: determinizations after most cities have failed to follow suit (TW-7)."""

from collections import Counter

from parlour.cards import cards_name
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import determinize, determinize_many, new_table
from tests.games.trick_walls.tables import table
from tests.helpers import play

SUITS = ["2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "2D 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"]
SUITS += ["2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", "2C 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD"]


def a_suit_each():
    """Return a match after two tricks in which no city could follow: only city 0 holds hearts, only city 1 clubs."""
    match = table(SUITS, options={"long_run": True, "exchange": False, "rounds": 1})
    return play(match, "2H 3C 2S 2C 4C 3S 3D 3H")


class TestDeterminizationsOfHandsThatAreAllButKnown:
    def test_a_suit_that_only_one_hand_can_hold_lies_there(self):
        match = a_suit_each()
        states = rules.new_states(match.game.dtype, 200)
        determinize_many(match.observed(3), 3, states, new_table(), new_stream(1))
        for state in states:
            assert cards_name(state.hand[0]) == "4H 5H 6H 7H 8H 9H TH JH QH KH AH"
            assert cards_name(state.hand[1] & 0x1FFF) == "5C 6C 7C 8C 9C TC JC QC KC AC"
        assert determinize(match.observed(3), 3, new_stream(1)).tobytes() == states[0].tobytes()

    def test_the_remaining_layouts_are_sampled_evenly(self):
        """City 1 has one more card than clubs, any of the eleven spades or 2D; city 2 has the others."""
        match = a_suit_each()
        states = rules.new_states(match.game.dtype, 1200)
        determinize_many(match.observed(3), 3, states, new_table(), new_stream(2))
        others = Counter(cards_name(state.hand[1] & ~0x1FFF) for state in states)
        assert len(others) == 12
        assert all(60 < number < 140 for number in others.values())
