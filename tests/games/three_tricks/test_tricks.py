"""3 Tricks, 3T-1 to 3T-4 and 3T-9 to 3T-14: the definitions of a trick and of a block."""

import pytest

from tests.games.three_tricks.tables import do, fact, hand, lays, size, table
from tests.helpers import refused

SCATTERED = "2C 4D 6H 8S TC QD"
"""Six cards of which no two are a trick."""


def tricks_with(card, others):
    """Return the other cards that make a trick of two with a card."""
    match = table(" ".join([card, *others]), "")
    found = [set(trick.split()) - {card} for trick in lays(match) if card in trick.split()]
    return sorted(one.pop() for one in found)


def third_is_legal(cards):
    """Return whether these three cards may be laid as a third trick."""
    match = table(f"9C 9D TC TD {cards}", "4C 4S 6C 6D 8C 8S TS", "lay 9C 9D, pass, lay TC TD, pass")
    assert match.legal().count("pass") == 1
    return bool(lays(match))


class Test3T1TricksOfTwo:
    def test_consecutive_cards_of_one_suit_are_a_trick(self):
        assert tricks_with("7H", ["5H", "6H", "8H", "9H", "6S", "8D"]) == ["6H", "8H"]

    def test_equal_ranks_are_a_trick(self):
        assert tricks_with("7H", ["7C", "7D", "7S", "2C", "4D", "TC"]) == ["7C", "7D", "7S"]

    def test_two_is_low_and_king_is_high(self):
        assert lays(table("2S KS 2H KD QS 3S 5C")) == ["2H 2S", "2S 3S", "KD KS", "QS KS"]

    def test_the_king_of_a_suit_and_the_two_of_the_next_are_no_trick(self):
        assert lays(table("KC 2D 4H 6S 8C TD QH")) == []

    def test_other_pairs_of_cards_are_no_trick(self):
        match = table("2C 4D 6H 8S TC QD 5H")
        assert lays(match) == ["5H 6H"]
        assert refused(match, "lay 2C 4D") == "3T-1"

    def test_the_first_and_the_second_trick_are_two_cards(self):
        match = table("4C 5C 6C 7D 8D 9D 2H")
        assert lays(match) == ["4C 5C", "5C 6C", "7D 8D", "8D 9D"]
        assert refused(match, "lay 4C 5C 6C") == "3T-1"
        do(match, "lay 4C 5C, pass")
        assert lays(match) == ["7D 8D", "8D 9D"]


class Test3T2TheThirdTrick:
    @pytest.mark.parametrize("cards", ["5H 6H 7H", "JS QS KS", "7C 7D 7H"])
    def test_it_is_three_consecutive_cards_of_a_suit_or_three_of_a_kind(self, cards):
        assert third_is_legal(cards)

    @pytest.mark.parametrize("cards", ["5H 6H 8H", "5H 6H 7S", "7C 7D 8D", "5H 7H 9H", "QD KD 2H", "KC 3D KH"])
    def test_other_cards_are_no_third_trick(self, cards):
        assert not third_is_legal(cards)

    def test_two_cards_are_not_enough(self):
        match = table("2C 2D 4C 4D 5H 6H 9S", "9C 9D JC JD 6D 8H TS", "lay 2C 2D, pass, lay 4C 4D, pass")
        assert refused(match, "lay 5H 6H") == "3T-2"
        assert refused(match, "lay 5H 6H 9S") == "3T-2"


class Test3T3WildAces:
    def test_an_ace_with_any_card_is_a_trick_of_two(self):
        assert len(tricks_with("AS", SCATTERED.split())) == 6
        assert len(lays(table(f"{SCATTERED} AS"))) == 6

    def test_aces_alone_are_no_trick(self):
        match = table("AC AD AH AS 4D 6H 8S")
        assert len(lays(match)) == 4 * 3
        assert refused(match, "lay AC AD") == "3T-3"

    @pytest.mark.parametrize(
        "cards", ["5H 6H AC", "5H 7H AC", "QS KS AS", "JS KS AC", "7C 7S AH", "8D AC AS", "KD AC AS", "2H AH AS"]
    )
    def test_aces_fill_up_a_trick_of_three(self, cards):
        assert third_is_legal(cards)

    @pytest.mark.parametrize("cards", ["5H 8H AC", "5H 6S AC", "KC 3D AC", "AC AH AS", "KD 2D AD", "QC 3D AD"])
    def test_aces_do_not_make_any_three_cards_a_trick(self, cards):
        assert not third_is_legal(cards)

    def test_an_ace_is_no_rank_above_the_king_nor_below_the_two(self):
        """King and two of one suit are not neighbours, with or without an ace."""
        assert not third_is_legal("KH 2H AH")


class Test3T4WhatATrickShows:
    """A trick shows its suits and ranks, which decide the tricks that block it."""

    def test_an_ace_shows_neither_its_suit_nor_a_rank(self):
        match = table("AS 4D 6H 8H TC QC 2C", "5S 6S 7C 7S 9H 9S KC", "lay 4D AS")
        assert lays(match) == []

    def test_the_other_card_shows_its_suit_and_rank(self):
        match = table("AS 4D 6H 8H TC QC 2C", "8D 9D 4C 4S JS KC KS", "lay 4D AS")
        assert lays(match) == ["4C 4S", "8D 9D"]

    def test_a_blocking_ace_counts_for_nothing_itself(self):
        match = table("2S 3S 6H 8H TC QC 2C", "AS 5H 7H 9D JD KC 9C", "lay 2S 3S")
        assert lays(match) == []


class Test3T9OnlyBlocksMayBeLaid:
    def test_after_a_trick_only_what_blocks_it_may_be_laid(self):
        match = table("4C 5C 2D", "7C 8C 9D TD QS KS 3H", "lay 4C 5C")
        assert lays(match) == ["7C 8C"]
        assert refused(match, "lay 9D TD") == "3T-9"

    def test_after_a_trick_the_player_may_pass_or_swap(self):
        match = table("4C 5C 2D", "7C 8C 9D TD QS KS 3H", "lay 4C 5C")
        assert "pass" in match.legal()
        assert "swap 7C 8C 3H" in match.legal()

    @pytest.mark.parametrize("does", ["pass", "swap 3H", "swap 7C 8C"])
    def test_after_any_other_turn_every_trick_may_be_laid(self, does):
        match = table("4C 5C 2D 2H 9S TS QC", "7C 8C 9D TD QS KS 3H", f"lay 4C 5C, {does}")
        assert lays(match) == ["2D 2H", "9S TS"]

    def test_after_a_block_only_blocks_may_be_laid_too(self):
        match = table("4C 5C 2D 2H 9S TS QC", "7C 8C", "lay 4C 5C, lay 7C 8C", stock="JC 3D")
        assert lays(match) == ["JC QC"]

    def test_the_third_trick_must_block_too(self):
        line = "lay 2C 2D, pass, lay 4C 4D, pass, pass, lay 9S TS"
        match = table("2C 2D 4C 4D 5H 6H 7H", "9S TS KC KD QS 8H JH", line)
        assert lays(match) == []
        assert refused(match, "lay 5H 6H 7H") == "3T-9"
        match = table("2C 2D 4C 4D 5H 6H 7H", "8H 9H KC KD QS JS 3S", line.replace("9S TS", "8H 9H"))
        assert lays(match) == ["5H 6H 7H"]

    def test_a_trick_of_the_turn_before_the_last_has_no_effect(self):
        match = table("4C 5C 2D 2H", "7D 8D", "lay 4C 5C, pass, pass")
        assert "7D 8D" in lays(match)


class Test3T10WhatStands:
    def test_a_trick_that_was_not_blocked_at_once_stands(self):
        match = table("4C 5C", "7C 8C", "lay 4C 5C, pass, pass, lay 7C 8C")
        assert fact(match, "tricks") == [[["4C", "5C"]], [["7C", "8C"]]]

    def test_only_a_block_of_a_later_trick_takes_it_away(self):
        match = table("4C 5C 9D TD", "7D 8D", "lay 4C 5C, pass, lay 9D TD, lay 7D 8D")
        assert fact(match, "tricks") == [[], [["7D", "8D"]]]

    def test_a_trick_that_blocked_a_second_one_stands_at_once(self):
        """The blocker plays again, and then the other player's turn is free."""
        match = table("4C 5C 9D TD 2H 2S QC", "7D 8D", "lay 4C 5C, pass, lay 9D TD, lay 7D 8D, pass")
        assert match.actor == 0
        assert "2H 2S" in lays(match)
        do(match, "lay 2H 2S")
        assert fact(match, "tricks")[1] == [["7D", "8D"]]


class Test3T11WhatBlocks:
    @pytest.mark.parametrize(
        ("laid", "block"),
        [
            ("4C 5C", "9C TC"),  # a run of the suit
            ("4C 5C", "9C 9D"),  # a pair with a card of the suit
            ("4C 4D", "9D TD"),  # one suit of a pair is enough
            ("4C 5C", "4D 4H"),  # a pair of one of the ranks
            ("4C 5C", "5D 5H"),
            ("4C 4D", "4H 4S"),
            ("4C 5C", "9C AS"),  # aces
            ("4C 5C", "5H AS"),
            ("4C AC", "4H AS"),
        ],
    )
    def test_a_shared_suit_or_a_pair_of_a_rank_blocks(self, laid, block):
        assert lays(table(laid, block, f"lay {laid}")).count(block) == 1

    @pytest.mark.parametrize(
        ("laid", "trick"), [("4C 5C", "4D 5D"), ("4C 5C", "5D 6D"), ("4C 5C", "6D 6H"), ("4C 4D", "4H 5H")]
    )
    def test_neither_a_run_with_the_rank_nor_another_pair_blocks(self, laid, trick):
        match = table(laid, trick, f"lay {laid}")
        assert trick not in lays(match)
        assert refused(match, f"lay {trick}") == "3T-9"

    @pytest.mark.parametrize(
        ("trick", "blocks"), [("4D 5D", True), ("5D 6D", True), ("3D 4D", True), ("6D 7D", False), ("6D 6H", False)]
    )
    def test_with_rank_block_any_sharing_a_rank_is_enough(self, trick, blocks):
        match = table("4C 5C", trick, "lay 4C 5C", options={"rank_block": "any"})
        assert (trick in lays(match)) is blocks

    def test_two_aces_and_a_card_block_by_its_rank(self):
        line = "lay 2C 3C, pass, lay 2D 3D, pass, pass, lay 6C 6D"
        match = table("2C 3C 2D 3D AC AD 6H", "6C 6D KH KS TH TS 8S", line)
        assert lays(match) == ["AC AD 6H"]

    def test_three_of_a_kind_blocks_too(self):
        line = "lay 2C 3C, pass, lay 2D 3D, pass, pass, lay 6C 7C"
        match = table("2C 3C 2D 3D 6D 6H 6S", "6C 7C KH KS TH TS 8S", line)
        assert lays(match) == ["6D 6H 6S"]

    def test_a_run_of_three_does_not_block_by_its_rank(self):
        line = "lay 2C 3C, pass, lay 2D 3D, pass, pass, lay 6C 7C"
        hands = "2C 3C 2D 3D 6H 7H 8H", "6C 7C KH KS TH TS 8S", line
        assert lays(table(*hands)) == []
        assert lays(table(*hands, options={"rank_block": "any"})) == ["6H 7H 8H"]


class Test3T12TheBlockIsATrickOfItsOwn:
    def test_it_is_the_next_of_its_players_row(self):
        match = table("4C 5C", "9D TD 7C 8C", "pass, lay 9D TD, pass, pass, lay 4C 5C, lay 7C 8C")
        assert fact(match, "tricks") == [[], [["9D", "TD"], ["7C", "8C"]]]

    def test_it_may_be_blocked_in_turn(self):
        match = table("4C 5C JC QC", "7C 8C", "lay 4C 5C, lay 7C 8C, lay JC QC")
        assert fact(match, "tricks") == [[["JC", "QC"]], []]
        assert fact(match, "blocked") == [1, 1]

    def test_a_block_can_be_the_third_trick_and_win(self):
        line = "lay 2C 2D, pass, lay 4C 4D, pass, pass, lay 8H 9H, lay 5H 6H 7H"
        match = table("2C 2D 4C 4D 5H 6H 7H", "8H 9H KC KD QS JS 3S", line)
        assert match.result.winners == (0,)
        assert fact(match, "blocked") == [0, 0]


class Test3T13TheBlockedPlayer:
    def test_one_trick_is_taken_up_and_two_cards_are_drawn(self):
        match = table("4C 5C", "7C 8C", "lay 4C 5C", stock="KH KS 2H")
        before = hand(match, 0)
        do(match, "lay 7C 8C")
        assert hand(match, 0) == before | {"KH", "KS"}
        assert fact(match, "blocked") == [1, 0]
        assert fact(match, "tricks")[0] == []

    def test_two_tricks_are_taken_up_and_four_cards_are_drawn(self):
        match = table("4C 5C 9D TD", "7D 8D", "lay 4C 5C, pass, lay 9D TD", stock="KH KS QH QS 2H")
        before = hand(match, 0)
        do(match, "lay 7D 8D")
        assert hand(match, 0) == before | {"KH", "KS", "QH", "QS"}
        assert size(match, "blocked", 0) == 4
        assert fact(match, "blocked") == [2, 0]

    def test_the_blocker_draws_nothing(self):
        match = table("4C 5C", "7C 8C", "lay 4C 5C, lay 7C 8C")
        assert len(hand(match, 1)) == 5
        assert size(match, "stock") == 36

    def test_blocked_tricks_stay_where_they_are(self):
        match = table("4C 5C JC QC", "7C 8C 9C TC", "lay 4C 5C, lay 7C 8C, lay JC QC, lay 9C TC")
        assert fact(match, "blocked") == [2, 1]
        assert size(match, "blocked", 0) == 4


class Test3T14WhoIsNext:
    SECOND = "4C 5C 9D TD", "7D 8D 2H 2S", "lay 4C 5C, pass, lay 9D TD, lay 7D 8D"

    def test_after_a_first_trick_was_blocked_the_blocked_player_is_next(self):
        assert table("4C 5C", "7C 8C", "lay 4C 5C, lay 7C 8C").actor == 0

    def test_after_a_second_trick_was_blocked_the_blocker_plays_again_without_a_trick_to_block(self):
        match = table(*self.SECOND)
        assert match.actor == 1
        assert fact(match, "to_block") == []
        assert "2H 2S" in lays(match)

    def test_the_blocking_trick_can_be_blocked(self):
        match = table(*self.SECOND, stock="3H 4H 6C 8C")
        do(match, "lay 2H 2S")
        assert match.actor == 0
        assert lays(match) == ["3C 3H", "3H 4H"]

    def test_without_replacing_ends_turn_the_blocked_player_is_next_and_bound(self):
        match = table(*self.SECOND, stock="JD QD 3H 4H", options={"replacing_ends_turn": False})
        assert match.actor == 0
        assert lays(match) == ["JD QD"]

    def test_blocking_a_first_trick_is_no_turn_without_that_option(self):
        match = table("4C 5C", "7C 8C", "lay 4C 5C, lay 7C 8C", options={"replacing_ends_turn": False})
        assert match.actor == 0
