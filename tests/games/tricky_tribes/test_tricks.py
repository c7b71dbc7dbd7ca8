"""Tricky Tribes, TT-6 to TT-16, TT-20, TT-21 and TT-25: plays, winners and losers of tricks, and collected cards.

``taken_in("open 7H, 2C, 3C, 4C")`` plays a first trick of players 0, 1, 2, 3 and returns its taker and the cards taken.
"""

import pytest

from parlour.engine.errors import IllegalError
from parlour.engine.rules import CHANCE, SPECTATOR
from parlour.render.layouts import find_layout
from tests.games.tricky_tribes.tables import cards_at, deal, facts, keep, table, taken, taken_in, trick_text
from tests.helpers import play, play_at_random, refused

HELD = "2C 5D 7H 9S TC JD QH KS AC"


def discarded_cards(match):
    return cards_at(match, "discarded")


class TestTT6PlayingATrick:
    def test_the_first_player_plays_any_card_open_or_dark(self):
        match = table([HELD])
        assert match.legal() == sorted(f"{how} {card}" for how in ("open", "dark") for card in HELD.split())

    @pytest.mark.parametrize("first", ["open 7H", "dark 7H", "open 7S"])
    def test_the_others_play_any_card_face_down_clockwise(self, first):
        match, order = table(["", "2C 5D 7C 9S TC JD QH KS AC"], first), []
        assert match.legal() == sorted(["2C", "5D", "7C", "9S", "TC", "JD", "QH", "KS", "AC"])
        for _ in range(3):
            order.append(match.actor)
            play(match, match.legal()[0])
        assert order == [1, 2, 3]

    def test_an_open_card_lies_face_up_and_all_others_face_down(self):
        assert trick_text(table([], "open 7H, 2C, 3C")) == "7H ?? ??"
        assert trick_text(table([], "dark 7H, 2C, 3C")) == "?? ?? ??"

    def test_when_all_have_played_the_cards_are_turned_up(self):
        assert facts(table([], "dark 7H, 2C, 3C"))["last_trick"] is None
        assert facts(table([], "dark 7H, 2C, 3C, 4C"))["last_trick"]["cards"] == ["7H", "2C", "3C", "4C"]

    def test_a_card_must_be_held_and_named_as_its_turn_asks(self):
        match = table(["7H", "8H"])
        for action in ("7H", "open 8H", "dark 8H", "open XB"):
            assert refused(match, action) == "TT-6"
        play(match, "open 7H,")
        for action in ("open 8H", "dark 8H", "7H", "9S"):
            assert refused(match, action) == "TT-6"

    def test_on_the_table_a_card_alone_is_an_action_except_for_the_leader(self):
        match = table([HELD])
        for seat, alone in ((0, {None}), (1, set(cards_at(match, "hand", 1, 1).split()))):
            scene = find_layout("tricky-tribes").lay_out(match.observation(seat), ["Ann", "Bo", "Cy", "Di"], None)
            held = next(row for area in scene.areas if area.seat == seat for row in area.rows if row.style == "hand")
            assert {seen.do for seen in held.cards} == alone

    def test_a_malformed_action_is_refused(self):
        for text in ("seven", "lay 7H", "open", "", "open 7H 8H", "swap"):
            with pytest.raises(IllegalError, match="That is not an action of Tricky Tribes"):
                table([]).act(text, 0)


class TestTT7TheOffering:
    def test_the_offered_card_does_not_win_however_high(self):
        assert taken_in("open AH, 2C, 3C, 4C") == "3: AH"

    def test_the_offered_card_does_not_lose_however_low(self):
        assert taken_in("open 2S, KC, QC, AC") == "2: 2S"

    def test_it_is_no_red_card_among_the_others(self):
        assert taken_in("open 9C, 8C, 7C, 6S") == "3: 9C"


class TestTT8TheFirstPlayerOfADarkTrick:
    def test_takes_part(self):
        assert taken_in("dark TS, 9H, 8D, 7C") == "0: 8D 9H"

    def test_the_first_player_may_lose_a_red_card(self):
        assert taken_in("dark 9H, TS, 8C, 7C") == "1: 9H"


class TestTT9Ranking:
    @pytest.mark.parametrize("order", ["2 3 4 5", "5 6 7 8", "8 9 T J", "T J Q K", "J Q K A"])
    def test_numbers_rise_from_two_to_ace(self, order):
        first, *others = order.split()
        assert taken_in("open 2H, " + ", ".join(f"{rank}C" for rank in (first, others[0], others[2]))) == "3: 2H"
        assert taken_in("open 3H, " + ", ".join(f"{rank}S" for rank in (others[2], others[1], others[0]))) == "1: 3H"

    def test_in_an_open_trick_the_offered_cards_colour_ranks_above_the_other(self):
        assert taken_in("open 5D, AC, 2H, AS") == "2: 5D"
        assert taken_in("open 5S, AD, 2C, AH") == "2: AD AH"

    def test_the_other_suit_of_the_colour_ranks_as_well(self):
        assert taken_in("open 5D, 9D, TH, AS") == "2: 5D"
        assert taken_in("open 5S, 9S, TC, AD") == "2: AD"

    def test_in_a_dark_trick_colour_does_not_matter(self):
        assert taken_in("dark 2D, 3D, TC, 9H") == "2: 2D 3D 9H"
        assert taken_in("dark 2S, 3S, 9C, TH") == "3: nothing"

    @pytest.mark.parametrize(
        ("trick", "outcome"),
        [
            ("open 5D, 9C, 9S, 3C", "2: 5D"),
            ("open 5D, 9H, 9D, 3C", "2: 5D"),
            ("dark 9H, 2C, 9C, 3C", "2: 9H"),
            ("open 5S, KC, 2D, KS", "3: 2D"),
        ],
    )
    def test_the_later_of_equal_cards_ranks_higher(self, trick, outcome):
        assert taken_in(trick) == outcome

    def test_the_earlier_of_two_equal_lowest_cards_is_the_lowest(self):
        assert taken_in("open KS, 3C, 3S, 4C") == "1: KS"
        assert taken_in("open KS, 4C, 3S, 3C") == "2: KS"


class TestTT10RedOffered:
    @pytest.mark.parametrize("card", ["2H", "TD", "AH", "KD"])
    def test_the_highest_card_collects_it_and_nothing_else(self, card):
        assert taken_in(f"open {card}, 3H, 5H, 4D") == f"2: {card}"

    def test_the_highest_may_be_black_where_no_red_is_played(self):
        assert taken_in("open 2H, 3C, 5S, 4C") == "2: 2H"

    def test_the_highest_may_be_a_black_court_card(self):
        assert taken_in("open 2H, 3H, AH, 4D") == "2: 2H"


class TestTT11BlackOfferedWithoutRed:
    @pytest.mark.parametrize("card", ["2C", "TS", "AC", "KS"])
    def test_the_lowest_card_collects_it(self, card):
        assert taken_in(f"open {card}, 5C, 3S, 4C") == f"2: {card}"

    def test_the_others_are_discarded(self):
        assert discarded_cards(table([], "open 2C, 5C, 3S, 4C")) == "4C 5C 3S"


class TestTT12BlackOfferedWithRed:
    def test_the_highest_collects_all_red_cards_among_the_others(self):
        assert taken_in("open 2C, 5C, 3D, AH") == "1: 3D AH"

    def test_the_offered_card_is_discarded(self):
        assert discarded_cards(table([], "open 2C, 5C, 3D, AH")) == "2C 5C"

    def test_except_its_own_card(self):
        match = table([], "open 2C, 5D, 3D, TH")
        assert taken(match) == "3: 3D 5D"
        assert discarded_cards(match) == "2C TH"

    def test_if_all_are_red_the_highest_collects_the_others(self):
        assert taken_in("open 2C, 5H, 3D, 4D") == "1: 3D 4D"

    def test_a_single_red_card_goes_to_the_highest_black_one(self):
        assert taken_in("open AS, 2C, 2H, 3C") == "3: 2H"


class TestTT13Dark:
    def test_the_highest_collects_all_red_cards_of_the_trick_except_its_own(self):
        match = table([], "dark 2D, 3D, TH, 9C")
        assert taken(match) == "2: 2D 3D"
        assert discarded_cards(match) == "9C TH"

    def test_no_player_collects_black_cards(self):
        assert taken_in("dark 2C, 3C, TS, 9C") == "2: nothing"

    def test_a_ten_collects_several_red_cards(self):
        assert taken_in("dark TS, 9H, 8H, 7D") == "0: 7D 8H 9H"


class TestTT14CourtsAreLimited:
    @pytest.mark.parametrize("court", ["JC", "QS", "KC", "AS"])
    def test_winning_with_a_court_card_brings_the_highest_red_card_alone(self, court):
        assert taken_in(f"open 2C, {court}, 3D, TH") == "1: TH"
        assert taken_in(f"dark 2D, {court}, 9D, TH") == "1: TH"

    def test_a_ten_is_not_limited(self):
        assert taken_in("open 2C, TC, 3D, TH") == "1: 3D TH"

    def test_a_red_court_card_takes_another_than_itself(self):
        assert taken_in("dark 2D, AD, KH, 9H") == "1: KH"

    def test_number_comes_first(self):
        assert taken_in("open 2C, AC, TH, QD") == "1: QD"
        assert taken_in("open 2C, AC, QD, TH") == "1: QD"

    def test_the_later_of_equal_numbers(self):
        assert taken_in("open 2C, AC, 9H, 9D") == "1: 9D"
        assert taken_in("open 2C, AC, 9D, 9H") == "1: 9H"
        assert taken_in("dark 9D, AC, 9H, 2C") == "1: 9H"

    def test_the_rest_is_discarded(self):
        assert discarded_cards(table([], "open 2C, AC, 9H, 9D")) == "2C AC 9H"

    def test_it_may_be_nothing(self):
        assert taken_in("dark 2C, AC, 9S, 8S") == "1: nothing"


class TestTT15WhoStartsNext:
    @pytest.mark.parametrize(
        ("trick", "starter"),
        [
            ("open 7H, 2C, 9H, 3C", 2),
            ("open 7C, 2C, 9C, 3C", 1),
            ("open 7C, 2C, 9C, 3H", 2),
            ("dark 7C, 2C, 9C, 3H", 2),
        ],
    )
    def test_the_winner_or_the_loser_of_a_trick_starts_the_next(self, trick, starter):
        match = table([], trick)
        assert match.actor == starter
        assert {action.split()[0] for action in match.legal()} == {"open", "dark"}

    def test_the_winner_starts_the_next_trick_also_if_there_was_nothing_to_collect(self):
        match = table([], "dark 7C, 2C, 9C, 3S")
        assert (taken(match), match.actor) == ("2: nothing", 2)

    def test_the_winner_of_a_dark_trick_it_started_must_start_the_next_one_open(self):
        match = table(["9C AH"], "dark 9C, 2C, 7C, 3S")
        assert match.actor == 0
        assert facts(match)["must_open"]
        assert {action.split()[0] for action in match.legal()} == {"open"}
        assert refused(match, "dark AH") == refused(match, "AH") == "TT-15"
        play(match, "open AH,")
        assert not facts(match)["must_open"]

    def test_another_winner_of_a_dark_trick_need_not_start_open(self):
        match = table([], "dark 7C, 2C, 9C, 3H")
        assert not facts(match)["must_open"]
        assert any(action.startswith("dark") for action in match.legal())

    def test_the_demand_ends_with_the_round(self):
        """Player 1, who holds all aces, starts the last trick dark and wins it; it also starts the next round."""
        match = table(["", ACES + OFFERINGS], options={"rounds": 2}, deck="KC KD")
        while match.actor >= 0:
            play(match, next_for_player_1(match) + ",")
        last = facts(match)["last_trick"]
        assert (last["open"], last["tribes"][0], last["taker"]) == (False, 1, 1)
        keep(deal(match, ["", ACES + OFFERINGS]))
        assert match.actor == 1
        assert not facts(match)["must_open"]
        assert "dark AC" in match.legal()

    def test_cards_not_collected_are_discarded_and_were_seen(self):
        match = table([], "dark 7C, 2C, 9C, 3S")
        assert cards_at(match, "discarded", -1, SPECTATOR) == "2C 7C 9C 3S"


ACES, OFFERINGS = "AC AD AH AS KH KS ", "QC QD QH"


def next_for_player_1(match):
    """Return the next action.

    Player 1 wins the tricks of others, starts tricks 2 and 9 dark and wins them, and offers queens in between.
    """
    if match.actor != 1:
        return min(match.legal(), key=lambda action: action.startswith("open"))
    held = [card for card in (ACES + OFFERINGS).split() if card in cards_at(match, "hand", 1, 1)]
    if facts(match)["trick"]:
        return held[0]
    return f"dark {held[0]}" if facts(match)["trick_number"] in (2, 9) else f"open {held[-1]}"


class TestTT16CollectedCards:
    @pytest.mark.parametrize("seat", [SPECTATOR, 0, 1, 2, 3])
    def test_they_lie_open_for_all(self, seat):
        match = table([], "open 2C, 5C, 3D, AH")
        assert cards_at(match, "collected", 1, seat) == "3D AH"

    def test_they_stay_there_for_the_round(self):
        match, moments = table([], "open 2C, 5C, 3D, AH"), 0
        for _ in play_at_random(match, 9, until_chance=True):
            assert {"3D", "AH"} <= set(cards_at(match, "collected", 1).split())
            moments += 1
        assert moments == 32


ONE = {"jokers": 1}
TWO = {"jokers": 2}


class TestTT20Jokers:
    @pytest.mark.parametrize(("jokers", "names"), [(0, []), (1, ["XB"]), (2, ["XB", "XR"])])
    def test_the_chosen_number_of_jokers_is_shuffled_in_and_the_first_is_xb(self, jokers, names):
        match = table([], options={"jokers": jokers, "rounds": 1})
        deck = next(event.do.split()[1:] for event in match.events if event.do.startswith("deal "))
        assert [card for card in deck if card[0] == "X"] == names
        assert len(deck) == 52 + jokers

    def test_its_number_is_ten(self):
        assert taken_in("dark 9D, XB, 9H, 8C", options=ONE) == "1: 9D 9H"
        assert taken_in("dark JS, XB, 9H, 8C", options=ONE) == "0: XB"
        assert taken_in("dark TS, XB, 9H, 8C", options=ONE) == "1: 9H"
        assert taken_in("dark 9D, XB, TC, 8C", options=ONE) == "2: 9D XB"

    def test_in_an_open_trick_it_has_the_tricks_colour(self):
        assert taken_in("open 5D, AC, XB, AS", options=ONE) == "2: 5D"
        assert taken_in("open 5D, AC, XB, JH", options=ONE) == "3: 5D"
        assert taken_in("open 5S, 9C, XR, 2H", options=TWO) == "2: 2H"
        assert taken_in("open 5S, JC, XR, 2H", options=TWO) == "1: XR"

    def test_it_is_collected_as_a_red_card(self):
        assert taken_in("dark JH, QS, 9C, XB", options=ONE) == "1: JH"
        assert taken_in("dark TC, 9S, 8D, XB", options=ONE) == "3: 8D"
        assert taken_in("open 2C, XB, XR, TS", options=TWO) == "3: XB XR"

    def test_against_a_black_offering_it_is_a_red_card_among_the_others(self):
        assert taken_in("open 2C, 3C, XB, JS", options=ONE) == "3: XB"
        assert taken_in("open 2C, 3C, XB, 4S", options=ONE) == "2: nothing"

    def test_for_a_court_card_it_is_a_red_ten(self):
        assert taken_in("open 2C, AC, XB, 9H", options=ONE) == "1: XB"
        assert taken_in("open 2C, AC, XB, TH", options=ONE) == "1: TH"
        assert taken_in("open 2C, AC, TH, XB", options=ONE) == "1: XB"
        assert taken_in("open 2C, AC, XR, JD", options=TWO) == "1: JD"

    def test_it_counts_one_point(self):
        match = table([], "open 2C, TC, XB, XR", options=TWO)
        assert taken(match) == "3: XB"
        assert [line.points for line in match.game.lines(match.state)] == [[0, 0, 0, 1]]


class TestTT21AJokerOffered:
    def test_cards_rank_by_number_alone_and_the_highest_collects_the_joker(self):
        assert taken_in("open XB, 9H, KS, QD", options=ONE) == "2: XB"
        assert taken_in("open XB, KH, QS, QD", options=ONE) == "1: XB"
        assert taken_in("open XB, KH, KS, QD", options=ONE) == "2: XB"
        assert taken_in("open XB, 9H, XR, 8C", options=TWO) == "2: XB"

    def test_the_highest_collects_only_the_joker(self):
        assert discarded_cards(table([], "open XB, 9H, KS, QD", options=ONE)) == "QD 9H KS"


class TestTT25TheDummyPlays:
    """Player 1 deals: the dummy (2) starts, then player 0, then player 1."""

    def test_it_plays_the_top_card_of_the_deck(self):
        match = table(["4C", "5C"], players=2, deck="9S 8H")
        assert facts(match)["trick"] == [2]
        play(match, "4C 5C")
        assert facts(match)["last_trick"]["cards"] == ["9S", "4C", "5C"]
        assert facts(match)["trick"] == [2]
        assert len(cards_at(match, "deck").split()) == 44 - 18 - 2

    @pytest.mark.parametrize("seat", [SPECTATOR, 0, 1])
    def test_it_is_hidden_until_the_trick_is_turned_up(self, seat):
        match = table(["4C", "5C"], players=2, deck="9S 8H")
        assert trick_text(match, seat) == "??"
        assert trick_text(play(match, "4C,"), seat) == ("?? 4C" if seat == 0 else "?? ??")

    def test_a_trick_that_it_starts_is_dark(self):
        match = table(["TC", "9H"], players=2, deck="8H")
        assert facts(match)["open"] is False
        assert taken(play(match, "TC 9H")) == "0: 8H 9H"

    def test_its_trick_is_dark_also_where_a_player_would_have_to_start_open(self):
        match = play(table(["4C", "5C"], players=2, deck="9S 8H"), "4C 5C")
        assert taken(match) == "2: nothing"
        assert facts(match)["open"] is False
        assert match.actor == 0

    def test_it_plays_in_its_turn_and_ranks_like_a_player(self):
        """Player 1 starts the second trick open; then it is the dummy's turn, then player 0's."""
        match = play(table(["4C 6H", "TC 7D"], players=2, deck="9S 8H"), "4C, TC, open 7D")
        assert facts(match)["trick"] == [1, 2]
        assert taken(play(match, "6H,")) == "2: 7D"

    def test_it_comes_last_where_the_next_player_starts(self):
        match = play(table(["TC 6H", "4C 7D"], players=2, deck="9S 8H"), "TC, 4C, open 6H, 7D")
        assert facts(match)["last_trick"]["tribes"] == [0, 1, 2]
        assert taken(match) == "2: 6H"

    def test_its_cards_are_no_events(self):
        match = play(table(["4C", "5C"], players=2, deck="9S 8H"), "4C 5C")
        assert [(event.by, event.do) for event in match.events[-2:]] == [(0, "4C"), (1, "5C")]
        assert all(event.by in (CHANCE, 0, 1) for event in match.events)
