"""3 Tricks, 3T-5 to 3T-8 and 3T-15 to 3T-21: turns, the stock, and how a game ends."""

from math import comb

import pytest

from parlour.engine.errors import IllegalError, OptionError, TurnError
from parlour.engine.match import Match
from parlour.engine.rules import CHANCE, SPECTATOR
from parlour.engine.setup import Setup
from tests.games.three_tricks.tables import (
    THREE_TRICKS,
    do,
    fact,
    hand,
    lays,
    shuffle,
    size,
    swap_away,
    swaps,
    table,
    to_shuffle,
    walk_of,
)
from tests.helpers import ALL_CARDS, refused

SHORT_DECK = (
    "JD TH 2C 5C 6H TD 6C 5S 7C 2H 9C JH 9S QD JS 2D 5D QS 6D TC KS KD KH KC 3H AD 8H 4H 8S 3D 8D 9D 7H QC 3S 9H 7S "
    "4S 4C 4D 3C JC AC QH 2S 8C 6S AH TS 7D 5H AS"
)
SHORT_LINE = (
    "lay 6C 6H, lay TD TH, lay JD JS, lay 5C 5S, lay 9C 9S, lay KD KS, lay KC KH, lay 2H 3H, lay 2C 2D, lay 5D AD, "
    "lay 8D 9D, lay QC QD, pass, swap 3D, lay 8H 9H, lay 7H 7S, lay 4C 4H, lay 3S 4S, lay 3C AC, lay JC JH, lay 7C 8C, "
    "lay 6D 6S, lay 4D AH"
)
"""A series of blocks. At the end four cards are to be drawn; the stock and the second stock have one each."""


def short_game(line=SHORT_LINE):
    match = Match(Setup(THREE_TRICKS, 2))
    match.apply_chance("dealer 1")
    match.apply_chance(f"deal {SHORT_DECK}")
    return do(match, line)


def moments_of_games(seeds):
    """Yield seeds and the moments of their games, whose players nearly always lay or block if they can."""
    for seed in seeds:
        moments = [
            (match.actor, size(match, "stock"), size(match, "second stock"), fact(match, "winner"), len(match.events))
            for match in walk_of(seed)
            if match.state.stage > 1
        ]
        yield seed, moments


class Test3T5SettingUp:
    @pytest.mark.parametrize("dealer", [0, 1])
    def test_seven_cards_each_are_dealt_one_at_a_time_the_other_player_first(self, dealer):
        match = Match(Setup(THREE_TRICKS, 2))
        match.apply_chance(f"dealer {dealer}")
        match.apply_chance("deal " + " ".join(ALL_CARDS))
        assert hand(match, 1 - dealer) == set(ALL_CARDS[0:14:2])
        assert hand(match, dealer) == set(ALL_CARDS[1:14:2])
        assert size(match, "stock") == 38
        assert size(match, "second stock") == 0

    @pytest.mark.parametrize("dealer", [0, 1])
    def test_the_player_who_did_not_deal_begins(self, dealer):
        assert table(first=1 - dealer).actor == 1 - dealer

    def test_the_dealer_is_chosen_at_random(self):
        match = Match(Setup(THREE_TRICKS, 2))
        with pytest.raises(IllegalError, match="dealer 0, dealer 1"):
            match.apply_chance("dealer 2")

    def test_all_52_cards_are_dealt_and_no_joker(self):
        match = Match(Setup(THREE_TRICKS, 2))
        match.apply_chance("dealer 0")
        with pytest.raises(IllegalError, match="not in the deck"):
            match.apply_chance("deal " + " ".join([*ALL_CARDS, "XB"]))
        with pytest.raises(IllegalError, match="AS missing"):
            match.apply_chance("deal " + " ".join(ALL_CARDS[:-1]))

    def test_turns_alternate(self):
        match, actors = table(), []
        for _ in range(6):
            actors.append(match.actor)
            swap_away(match, 1)
        assert actors == [0, 1, 0, 1, 0, 1]

    def test_it_is_for_two_players(self):
        assert list(THREE_TRICKS.players) == [2]


class Test3T6WhatOneDoes:
    def test_a_turn_is_to_lay_to_swap_or_to_pass(self):
        match = table("4C 5C 7D 9H JS KD 2H")
        assert {action.split()[0] for action in match.legal()} == {"lay", "swap", "pass"}
        assert lays(match) == ["4C 5C"]

    def test_one_may_pass_although_one_could_lay(self):
        match = table("4C 5C", line="pass")
        assert match.actor == 1
        assert len(hand(match, 0)) == 7

    @pytest.mark.parametrize("wrong", ["", "4C 5C", "play 4C 5C", "swap", "pass 4C"])
    def test_other_actions_are_refused(self, wrong):
        assert refused(table("4C 5C"), wrong) == "3T-6"

    def test_laying_nothing_is_refused_with_the_definition_of_a_trick(self):
        assert refused(table("4C 5C"), "lay") == "3T-1"

    def test_only_cards_of_the_players_hand_are_used(self):
        match = table("4C 5C", "6C 7C")
        assert refused(match, "lay 6C 7C") == "3T-6"
        assert refused(match, "swap 6C") == "3T-6"

    def test_a_player_acts_only_in_their_own_turn(self):
        with pytest.raises(TurnError, match="not the turn of seat 1: it is the turn of seat 0"):
            table().act("pass", 1)

    def test_cards_are_named_in_the_order_of_the_notation(self):
        match = table("4C 5C 9H")
        refused(match, "lay 5C 4C")
        refused(match, "swap 9H 4C")
        refused(match, "swap 4C 4C")
        assert match.complete_action("LAY 5c 4c") == "lay 4C 5C"


class Test3T7Swapping:
    def test_every_set_of_one_to_three_cards_may_be_swapped(self):
        match = table("4C 5C 7D 9H JS KD 2H")
        assert len(swaps(match)) == comb(7, 1) + comb(7, 2) + comb(7, 3)
        assert len(set(swaps(match))) == 63
        assert refused(match, "swap 4C 5C 7D 9H") == "3T-7"

    def test_as_many_are_drawn_from_the_top_of_the_stock(self):
        match = table("4C 5C 7D 9H JS KD 2H", line="swap 4C 7D", stock="AS AH AD")
        assert hand(match, 0) == {"5C", "9H", "JS", "KD", "2H", "AS", "AH"}
        assert size(match, "stock") == 36
        assert size(match, "second stock") == 2

    def test_a_trick_that_was_laid_cannot_be_swapped(self):
        match = table("4C 5C", line="lay 4C 5C, pass")
        assert refused(match, "swap 4C") == "3T-6"


class Test3T8HandSizes:
    def test_the_hand_is_not_filled_up_after_a_trick(self):
        match = table("2C 2D 4C 4D", "9S 9H JS JH KS KH TS", "lay 2C 2D")
        assert len(hand(match, 0)) == 5
        do(match, "pass, lay 4C 4D")
        assert len(hand(match, 0)) == 3
        assert size(match, "stock") == 38

    @pytest.mark.parametrize(("line", "held", "ways"), [("", 7, 63), ("lay 2C 2D, pass", 5, 25)])
    def test_a_swap_leaves_it_as_large_as_it_was(self, line, held, ways):
        match = table("2C 2D 4C 4D", "9S 9H JS JH KS KH TS", line)
        assert len(swaps(match)) == ways
        swap_away(match)
        assert len(hand(match, 0)) == held

    def test_all_three_last_cards_may_be_swapped(self):
        match = table("2C 2D 4C 4D", "9S 9H JS JH KS KH TS", "lay 2C 2D, pass, lay 4C 4D, pass")
        assert len(swaps(match)) == 7
        swap_away(match)
        assert len(hand(match, 0)) == 3


class Test3T15ShufflingTheSecondStock:
    def test_an_empty_stock_is_replaced_by_the_second_stock_shuffled(self):
        match = to_shuffle(table())
        assert size(match, "stock") == 0
        assert match.state.stage == 3
        shuffle(match)
        assert size(match, "second stock") == 0
        assert size(match, "stock") == 38  # 39 put away, one of them drawn again

    def test_a_draw_that_it_interrupted_goes_on_from_there(self):
        match = to_shuffle(table())
        swapper = 1 - int(match.state.turn)
        assert size(match, "hand", swapper) == 6
        before = hand(match, swapper)
        put = ALL_CARDS[int(match.state.second[0]).bit_length() - 1]
        shuffle(match, put)
        assert hand(match, swapper) == before | {put}
        assert match.actor == 1 - swapper

    def test_it_is_shuffled_at_once_although_nothing_is_left_to_draw(self):
        match = table()
        while size(match, "stock") > 3:
            swap_away(match, 1)
        swapper = match.actor
        swap_away(match)
        assert match.actor == CHANCE
        assert len(hand(match, swapper)) == 7
        shuffle(match)
        assert size(match, "stock") == 38
        assert match.actor == 1 - swapper

    def test_exactly_the_cards_of_the_second_stock_are_shuffled(self):
        match = to_shuffle(table())
        with pytest.raises(IllegalError, match="not in the deck"):
            match.apply_chance("shuffle " + " ".join(ALL_CARDS))
        with pytest.raises(IllegalError, match="it must be 'shuffle' and 39 cards"):
            match.apply_chance("deal " + " ".join(ALL_CARDS))

    def test_tricks_are_not_shuffled_in(self):
        match = to_shuffle(table("2C 2D", "9S 9H JS JH KS KH TS", "lay 2C 2D"))
        shuffle(match)
        assert fact(match, "tricks")[0] == [["2C", "2D"]]
        assert "2C" not in " ".join(event.do for event in match.events[-1:])

    def test_the_second_stock_is_shuffled_if_the_game_then_ends(self):
        match = short_game()
        assert match.actor == CHANCE
        assert not match.over
        shuffle(match)
        assert match.over

    def test_the_second_stock_is_shuffled_if_the_turns_without_a_trick_are_over(self):
        match = to_shuffle(table(options={"stall_turns": 13}))
        assert fact(match, "idle") == 13
        assert not match.over
        shuffle(match)
        assert match.over


class Test3T16CardsPutAwayMayComeBack:
    def test_cards_just_put_away_are_shuffled_too(self):
        match = table()
        while size(match, "stock") > 2:
            swap_away(match, 2)
        swapper, before = match.actor, hand(match, match.actor)
        put = swap_away(match).split()[1:]
        shuffle(match, put[0])
        assert put[0] in hand(match, swapper)
        assert len(hand(match, swapper) & before) == 5


class Test3T17NothingToDraw:
    def test_the_hand_stays_smaller(self):
        match = short_game()
        blocked = 0
        assert size(match, "hand", blocked) == 4
        shuffle(match)
        assert size(match, "hand", blocked) == 5
        assert fact(match, "tricks")[blocked] == []

    def test_then_the_game_ends(self):
        match = shuffle(short_game())
        assert match.over
        assert size(match, "stock") == 0


class Test3T18TheThirdTrick:
    LINE = "lay 2C 2D, pass, lay 4C 4D, pass, lay 5H 6H 7H"
    HANDS = "2C 2D 4C 4D 5H 6H 7H", "9S TS KC KD QS 8H JH"

    def test_it_wins_at_once(self):
        match = table(*self.HANDS, self.LINE)
        assert match.over
        assert match.result.scores == (1, 0)
        assert match.result.winners == (0,)
        assert match.game.ending(match.state) == "a third trick was laid (3T-18)"

    def test_it_ends_the_game_for_either_player(self):
        match = table(*reversed(self.HANDS), self.LINE, first=1)
        assert match.result.scores == (0, 1)
        assert match.result.winners == (1,)

    def test_blocked_tricks_count_for_nothing_then(self):
        hands = "2C 2D 4C 4D 9H TH JD", "9S TS KC KD QS 8H JH"
        match = table(*hands, "lay 2C 2D, lay KC KD", stock="5H 6H 7H 3S")
        assert fact(match, "blocked") == [1, 0]
        do(match, "swap JD, pass, lay 9H TH, pass, lay 4C 4D, pass")
        assert fact(match, "tricks")[0] == [["9H", "TH"], ["4C", "4D"]]
        do(match, "lay 5H 6H 7H")
        assert match.result.scores == (1, 0)


class Test3T19TheStockIsUsedUp:
    def test_with_five_cards_or_fewer_and_no_second_stock_the_game_ends_after_a_turn(self):
        ended = 0
        for seed, moments in moments_of_games([20, 32, 88, 212]):
            *going_on, (_, stock, second, winner, _) = moments
            assert (winner, second) == (-1, 0), seed
            assert stock <= 5, seed
            ended += 1
            for actor, left, others, _, _ in going_on:
                assert actor == CHANCE or left > 5 or others > 0, "it would have ended before"
        assert ended == 4

    @pytest.mark.parametrize("stall_turns", [1, 60])
    def test_the_ending_names_it_also_if_no_trick_was_laid_for_too_long(self, stall_turns):
        match = table(options={"stall_turns": stall_turns})
        match.state.left = 5
        assert do(match, "pass").over
        assert match.game.ending(match.state) == "the stock was used up (3T-19)"

    def test_it_goes_on_while_there_is_a_second_stock(self):
        match = table()
        while size(match, "stock") > 5:
            swap_away(match, 3)
        assert size(match, "stock") <= 5
        assert not match.over

    def test_a_second_stock_that_has_just_been_shuffled_does_not_count(self):
        moments = dict(moments_of_games([20]))[20]
        assert moments[-2][0] == CHANCE
        assert moments[-1][1] <= 5


class Test3T20WithoutAThirdTrick:
    def test_the_player_with_more_own_blocked_tricks_wins(self):
        match = shuffle(short_game())
        assert fact(match, "blocked") == [11, 9]
        assert match.result.scores == (11, 9)
        assert match.result.winners == (0,)

    def test_with_equally_many_it_is_a_draw(self):
        match = do(table("4C 5C", "7C 8C", options={"stall_turns": 2}), "pass, pass")
        assert match.result.scores == (0, 0)
        assert match.result.winners == (0, 1)

    def test_two_cards_are_one_trick(self):
        match = table("4C 5C", "7C 8C", "lay 4C 5C, lay 7C 8C, pass, pass", options={"stall_turns": 2})
        assert match.result.scores == (1, 0)
        assert match.result.winners == (0,)
        assert size(match, "blocked", 0) == 2

    def test_tricks_that_stand_count_for_nothing(self):
        match = table("4C 5C", "7D 8D", "lay 4C 5C, pass, pass", options={"stall_turns": 2})
        assert match.result.scores == (0, 0)

    def test_the_running_score_names_the_clause(self):
        match = table("4C 5C", "7C 8C", "lay 4C 5C, lay 7C 8C")
        lines = match.observation(SPECTATOR).lines
        assert [(line.what, line.points, line.clause, line.at) for line in lines] == [
            ("blocked tricks: they decide if no player lays a third one", [1, 0], "3T-20", 0)
        ]


class Test3T21TurnsWithoutATrick:
    def test_after_sixty_turns_in_a_row_without_a_trick_the_game_ends(self):
        match = table()
        do(match, ", ".join(["pass"] * 59))
        assert not match.over
        do(match, "pass")
        assert match.over
        assert match.result.winners == (0, 1)
        assert match.game.ending(match.state) == "no trick was laid for too long (3T-21)"

    def test_turns_with_a_swap_are_turns_without_a_trick(self):
        match = table(options={"stall_turns": 3})
        for _ in range(3):
            swap_away(match, 1)
        assert match.over

    def test_a_trick_begins_the_count_anew(self):
        match = table("4C 5C", line="pass, pass, lay 4C 5C, pass, pass", options={"stall_turns": 3})
        assert not match.over
        assert do(match, "pass").over

    def test_the_turn_used_up_by_replacing_cards_does_not_count(self):
        line = "lay 4C 5C, pass, lay 9D TD, lay 7D 8D"
        match = table("4C 5C 9D TD", "7D 8D", line, options={"stall_turns": 2})
        assert fact(match, "idle") == 0
        do(match, "pass")
        assert not match.over
        assert do(match, "pass").over

    @pytest.mark.parametrize("turns", [1, 7, 100])
    def test_the_number_is_an_option(self, turns):
        match = table(options={"stall_turns": turns})
        for _ in range(turns - 1):
            do(match, "pass")
        assert not match.over
        assert do(match, "pass").over

    @pytest.mark.parametrize("wrong", [0, -1, "60", True, 2.0])
    def test_it_is_one_or_more(self, wrong):
        with pytest.raises(OptionError, match="3T-21"):
            Match(Setup(THREE_TRICKS, 2, {"stall_turns": wrong}))
