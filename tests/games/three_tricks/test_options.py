"""3 Tricks with other numbers than the published ones: each option does what its clause says."""

import pytest

from parlour.engine.errors import OptionError
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from tests.games.three_tricks.tables import THREE_TRICKS, do, lays, size, swaps, table
from tests.helpers import ALL_CARDS, refused


def deal_hand(mine, **options):
    """Return a match that seat 0 begins with these cards; seat 1 has the lowest of the others."""
    match = Match(Setup(THREE_TRICKS, 2, options))
    hand, number = mine.split(), match.options["hand_cards"]
    assert len(hand) == number
    rest = [card for card in ALL_CARDS if card not in hand]
    match.apply_chance("dealer 1")
    match.apply_chance(
        " ".join(["deal", *(card for pair in zip(hand, rest, strict=False) for card in pair), *rest[number:]])
    )
    return match


class TestTricksThatWin:
    def test_3t_18_two_tricks_in_a_row_may_win(self):
        match = deal_hand("4H 5H 6S 7S 8S 2D KD", tricks=2)
        match = do(match, "lay 4H 5H, pass")
        assert lays(match) == ["6S 7S 8S"]
        assert do(match, "lay 6S 7S 8S").result.to_json() == {"scores": [1, 0], "winners": [0]}

    def test_3t_2_the_last_trick_may_have_two_cards(self):
        match = do(deal_hand("4H 5H 6S 7S 9D TD KD", last_cards=2), "lay 4H 5H, pass, lay 6S 7S, pass")
        assert lays(match) == ["9D TD"]
        assert do(match, "lay 9D TD").result.winners == (0,)


class TestHands:
    def test_3t_5_hands_may_have_more_cards_than_the_tricks_need(self):
        match = do(deal_hand("4H 5H 6S 7S 8D 9D TD JD 2C", hand_cards=9), "lay 4H 5H, pass, lay 6S 7S, pass")
        assert lays(match) == ["8D 9D TD", "9D TD JD"]
        assert refused(match, "lay 8D 9D") == "3T-2"

    def test_3t_13_a_blocked_player_draws_up_to_them(self):
        match = do(deal_hand("4C 5C 6S 7S 8D 9D TD JD 2H", hand_cards=9), "lay 4C 5C")
        assert size(match, "hand", 0) == 7
        assert size(do(match, "lay 2C 3C"), "hand", 0) == 9

    def test_3t_8_too_few_cards_for_the_tricks_that_win_are_refused(self):
        with pytest.raises(OptionError, match=r"hand_cards=6 is too small: the tricks that win have 7 cards \(3T-8\)"):
            Setup(THREE_TRICKS, 2, {"hand_cards": 6})
        assert Setup(THREE_TRICKS, 2, {"hand_cards": 5, "tricks": 2}).players == 2


class TestTheStock:
    @pytest.mark.parametrize(("most", "number"), [(1, 7), (2, 28), (3, 63)])
    def test_3t_7_a_swap_has_at_most_this_number_of_cards(self, most, number):
        match = table(options={"swap_limit": most})
        assert len(swaps(match)) == number
        if most < 3:
            assert refused(match, "swap " + " ".join(card.split()[1] for card in swaps(match)[:1]) + " 3C 4C") == "3T-7"

    @pytest.mark.parametrize(("end", "left"), [(20, 20), (0, 0)])
    def test_3t_19_the_game_ends_with_this_number_of_cards_in_the_stock(self, end, left):
        match = table(options={"stock_end": end, "stall_turns": 1000})
        match.state.left = end + 3  # what the tricks and swaps of a long game would leave
        match.state.stock[: end + 3] = [ALL_CARDS.index(card) for card in ALL_CARDS[-end - 3 :]]
        match.state.second[:] = match.state.second_size[:] = 0
        match.state.to_draw = 3
        match.act("pass")
        assert match.over
        assert size(match, "stock") == left
