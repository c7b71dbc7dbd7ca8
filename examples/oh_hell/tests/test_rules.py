"""Oh Hell, clause by clause."""

import pytest
from oh_hell import GAME
from table import table
from tests.helpers import play, refused, zone_text

from parlour.engine.errors import OptionError
from parlour.engine.match import Match
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup

HANDS = "7H 2C", "9H 4C", "JH 3C"


class TestOH1Players:
    def test_three_to_six_play_each_alone(self):
        assert list(GAME.players) == [3, 4, 5, 6]
        assert [int(GAME.partners(Match(Setup(GAME, 3)).state, seat)) for seat in range(3)] == [1, 2, 4]


class TestOH2Tricks:
    def test_their_number_is_drawn_by_chance_unless_it_is_agreed(self):
        match = Match(Setup(GAME, 5))
        match.apply_chance("tricks 10")
        assert match.actor == CHANCE
        match.apply_chance("dealer 4")
        assert match.state.oh_tricks == 10

    def test_a_card_is_left_for_trumps(self):
        assert Setup(GAME, 3, {"tricks": 17}).options["tricks"] == 17
        with pytest.raises(OptionError, match="there are cards for 12 tricks"):
            Setup(GAME, 4, {"tricks": 13})


class TestOH3Deal:
    def test_one_at_a_time_from_seat_0_whoever_deals_and_the_next_card_is_turned_up(self):
        match = table(*HANDS, trump="5S", dealer=0)
        assert [zone_text(match, "hand", seat, seat) for seat in range(3)] == ["2C 7H", "4C 9H", "3C JH"]
        assert zone_text(match, "trump") == "5S"
        assert match.actor == 1


class TestOH4Bids:
    def test_from_none_to_all_tricks_in_turn(self):
        match = table(*HANDS, trump="5S")
        assert match.legal() == ["bid 0", "bid 1", "bid 2"]
        assert play(match, "bid 2, bid 2").actor == 2
        assert refused(match, "bid 3") == "OH-4"
        assert refused(match, "JH") == "OH-4"

    @pytest.mark.parametrize(
        ("bids", "legal"), [("0 0", "0 1"), ("0 1", "0 2"), ("1 1", "1 2"), ("2 2", "0 1 2")], ids=str
    )
    def test_the_dealer_may_not_make_them_the_number_of_tricks(self, bids, legal):
        assert table(*HANDS, trump="5S", bids=bids).legal() == [f"bid {bid}" for bid in legal.split()]

    def test_nobody_bids_twice(self):
        assert refused(table(*HANDS, trump="5S", bids="0 0 0"), "bid 1") == "OH-4"


class TestOH5Follow:
    def test_the_dealers_left_leads_and_who_can_follow_must(self):
        match = play(table(*HANDS, trump="5S", bids="0 0 0"), "7H")
        assert match.legal() == ["9H"]
        assert refused(match, "4C") == refused(match, "AS") == "OH-5"

    def test_a_player_who_cannot_follow_may_play_anything(self):
        match = play(table("7H 2C", "9D 4S", "JH 3C", trump="5S", bids="0 0 0"), "7H")
        assert match.legal() == ["4S", "9D"]


class TestOH6Take:
    def test_the_highest_of_the_suit_takes_the_trick_and_leads(self):
        assert play(table("7H 2C", "9H 4C", "AD 3C", trump="5S", bids="0 0 0"), "7H 9H AD").actor == 1

    def test_the_highest_trump_takes_the_trick_before_that(self):
        hands = "7H 2C", "2S 4C", "AH 3C", "3S 5C"
        assert play(table(*hands, trump="5S", bids="0 0 0 0"), "7H 2S AH 3S").actor == 3

    def test_a_trump_that_is_led_is_the_suit(self):
        assert play(table("7S 2C", "2H 4C", "8S 3C", trump="5S", bids="0 0 0"), "7S 2H 8S").actor == 2


class TestOH7Hidden:
    def test_hands_and_the_cards_nobody_was_dealt(self):
        match = table(*HANDS, trump="5S")
        assert zone_text(match, "hand", 1, seat=0) == "?? ??"
        assert set(zone_text(match, "out of play", seat=0).split()) == {"??"}

    def test_what_a_hand_lacks_is_known_to_all(self):
        match = play(table("7H 2C", "9D 4S", "JH 3C", trump="5S", bids="0 0 0"), "7H 4S")
        assert [int(lacks).bit_count() for lacks in match.observed(2).oh_lacks[:3]] == [0, 13, 0]


class TestOH8Score:
    def test_each_trick_counts_and_a_bid_that_is_made_ten_more(self):
        match = play(table(*HANDS, trump="5S", bids="0 0 1"), "7H 9H JH 3C 2C 4C")
        assert match.result.scores == (10, 1, 11)
        assert match.result.winners == (2,)

    def test_as_much_as_was_agreed(self):
        match = play(table(*HANDS, trump="5S", bids="0 0 1", points_per_trick=7), "7H 9H JH 3C 2C 4C")
        assert match.result.scores == (10, 7, 17)


class TestOH9Penalty:
    def test_a_missed_bid_brings_nothing_and_the_distance_is_taken_off(self):
        match = table(*HANDS, trump="5S", bids="2 0 1", off_bid_penalty=True, points_per_trick=2)
        assert play(match, "7H 9H JH 3C 2C 4C").result.scores == (-4, -2, 12)
