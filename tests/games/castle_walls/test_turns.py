"""Castle Walls, CW-1 to CW-13: setting up and the phases of a turn."""

from itertools import pairwise

import pytest

from parlour.engine.errors import IllegalError, PlayersError, TurnError
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from tests.games.castle_walls.tables import (
    CASTLE_WALLS,
    deck_of,
    facts,
    field,
    graveyard,
    hand,
    legal,
    pass_turns,
    seen,
    table,
)
from tests.helpers import play, refused


class TestCW1Power:
    RANKS = "23456789TJQKA"

    @pytest.mark.parametrize(("low", "high"), list(pairwise(RANKS)))
    def test_each_rank_beats_the_one_before_it(self, low, high):
        match = table([f"{high}C", f"{low}H"], actions=f"up {high}C 1, end, up {low}H 1, end")
        assert legal(match, "attack") == ["attack 1 1"]
        match = table([f"{low}C", f"{high}H"], actions=f"up {low}C 1, end, up {high}H 1, end")
        assert legal(match, "attack") == []

    def test_a_two_does_not_beat_an_ace(self):
        match = table(["2C", "AH"], actions="up 2C 1, end, up AH 1, end")
        assert refused(match, "attack 1 1") == "CW-16"


class TestCW2Dealing:
    def test_six_life_cards_and_three_hand_cards_are_dealt_one_at_a_time_player_0_first(self):
        deck = deck_of()
        match = Match(Setup(CASTLE_WALLS, 2))
        match.apply_chance("deal " + " ".join(deck))
        for player in range(2):
            assert seen(match, "life", player) == " ".join(["??"] * 6)
            assert sorted(hand(match, player).split()) == sorted(deck[12 + player : 18 : 2])
        assert seen(match, "deck") == " ".join(["??"] * 36)

    def test_the_life_card_dealt_last_is_on_top(self):
        deck = deck_of()
        match = Match(Setup(CASTLE_WALLS, 2))
        match.apply_chance("deal " + " ".join(deck))
        match.apply_chance("first 0")
        card = hand(match, 0).split()[0]
        play(match, f"up {card} 1, end, end, attack 1 life,")
        assert seen(match, "lost", 1) == deck[11]

    def test_a_deal_has_all_54_cards(self):
        match = Match(Setup(CASTLE_WALLS, 2))
        for wrong in (deck_of()[:52], deck_of()[:-1], [*deck_of()[:-1], "2C"]):
            with pytest.raises(IllegalError):
                match.apply_chance("deal " + " ".join(wrong))

    @pytest.mark.parametrize("players", [1, 3, 4])
    def test_it_is_for_two(self, players):
        with pytest.raises(PlayersError):
            Match(Setup(CASTLE_WALLS, players))


class TestCW3TheFirstTurn:
    @pytest.mark.parametrize("first", [0, 1])
    def test_a_coin_decides_who_begins(self, first):
        assert table(first=first).actor == first

    def test_there_is_no_third_outcome(self):
        match = Match(Setup(CASTLE_WALLS, 2))
        match.apply_chance("deal " + " ".join(deck_of()))
        with pytest.raises(IllegalError, match="first 0, first 1"):
            match.apply_chance("first 2")


class TestCW4Slots:
    def test_a_field_has_three(self):
        match = table(["7H"])
        assert [action for action in legal(match, "up") if "7H" in action] == ["up 7H 1", "up 7H 2", "up 7H 3"]
        with pytest.raises(IllegalError, match="is not an action"):
            match.act("up 7H 4", 0)

    def test_a_slot_may_hold_a_face_down_card_with_a_face_up_card_upon_it(self):
        match = table(["7H 8C"], actions="down 7H 2, end, end, up 8C 2")
        assert field(match, 0) == "- | [7H] 8C | -"

    def test_a_slot_holds_no_third_card(self):
        match = table(["7H 8C 9C"], actions="down 7H 2, end, end, up 8C 2, end, end")
        assert {action[-1] for action in legal(match, "up") + legal(match, "down")} == {"1", "3"}


class TestCW5Drawing:
    def test_a_turn_begins_by_drawing_the_top_card(self):
        match = table(["2C 2D 2H", "3C 3D 3H"], draws="KS QS")
        assert hand(match, 0).split() == ["2C", "2D", "2H", "KS"]
        assert hand(match, 1).split() == ["3C", "3D", "3H"]
        play(match, "end,")
        assert "QS" in hand(match, 1)

    def test_the_first_turn_begins_by_drawing_too(self):
        assert len(hand(table(first=1), 1).split()) == 4

    def last_of_the_deck(self):
        """Return a match in which all 36 cards have been drawn, the last one for the present turn."""
        return pass_turns(table(), 35)

    def test_the_graveyard_is_turned_over_when_a_card_is_to_be_drawn_from_an_empty_deck(self):
        match = self.last_of_the_deck()
        assert seen(match, "deck") == ""
        buried = graveyard(match).split()
        assert len(buried) > 20, "not turned over when the last card was drawn, but when one is wanted"
        pass_turns(match, 1)
        assert seen(match, "deck").split()[:5] == buried[1:6]
        assert buried[0] in hand(match, match.actor)

    def test_the_card_that_went_there_first_is_on_top(self):
        match = table(["2C 2D 2H"])
        for _ in range(35):
            pass_turns(match, 1)
        first = graveyard(match).split()[0]
        pass_turns(match, 1)
        assert match.state.turned
        assert first in hand(match, match.actor)

    def test_a_new_graveyard_begins_below_it(self):
        match = pass_turns(self.last_of_the_deck(), 1)
        left = len(seen(match, "deck").split())
        pass_turns(match, 2)
        assert len(seen(match, "deck").split()) == left - 2
        assert len(graveyard(match).split()) <= 3


class TestCW6AKnownDeck:
    def test_anyone_may_look_through_the_graveyard(self):
        match = table(["5C 6D 7H"], draws="8S", actions="up 5C 1, end")
        match = pass_turns(match, 12)
        assert graveyard(match)
        for seat in (-1, 0, 1):
            assert "??" not in seen(match, "graveyard", seat=seat)

    def test_a_deck_that_was_the_graveyard_is_known_to_all_in_its_order(self):
        match = pass_turns(table(), 36)
        assert seen(match, "deck", seat=0) == seen(match, "deck", seat=1) == seen(match, "deck", seat=-1)
        assert "??" not in seen(match, "deck", seat=-1)

    def test_cards_drawn_from_it_are_known_to_all(self):
        match = pass_turns(table(), 36)
        top, drawer = seen(match, "deck").split()[0], 1 - match.actor
        pass_turns(match, 1)
        for seat in (-1, 0, 1):
            assert top in hand(match, drawer, seat)

    def test_the_first_deck_is_hidden_from_both_seats(self):
        for seat in (-1, 0, 1):
            assert set(seen(table(), "deck", seat=seat).split()) == {"??"}


class TestCW7TheMainPhase:
    def test_at_most_one_card_goes_onto_the_field(self):
        match = table(["7H 8H 9H"], actions="up 7H 1")
        assert not legal(match, "up") + legal(match, "down")
        assert refused(match, "down 8H 2") == "CW-7"

    def test_any_number_of_cards_may_be_flipped(self):
        match = table(["7H 8H 9H"], actions="down 7H 1, end, end, down 8H 2, end, end, flip 1, flip 2, up 9H 3")
        assert field(match, 0) == "7H | 8H | 9H"

    def test_a_flip_may_follow_the_card_put_down(self):
        match = table(["7H 8H 9H"], actions="down 7H 1, end, end, up 9H 3, flip 1")
        assert field(match, 0) == "7H | - | 9H"

    def test_a_player_puts_down_only_what_they_hold(self):
        assert refused(table(["7H", "8H"]), "up 8H 1") == "CW-7"

    def test_two_jokers_may_be_used_in_a_turn_with_a_card_put_down_between_them(self):
        """A turn with two straights is impossible: it begins with at most seven cards, and a joker leaves no target."""
        match = table(["9H"], "", "up 9H 1, end, end, attack 1 life, end")
        assert refused(match, "joker") == "CW-23"
        match = table(["9H", "XB XR 7S"], "", "up 9H 1, end, end, attack 1 life, end, joker, up 7S 1, joker")
        assert graveyard(match) == "XB XR"
        assert field(match, 1) == "7S | - | -"

    def test_a_straight_may_be_announced_between_a_card_put_down_and_an_attack(self):
        match = table(["5C 6C 7C", "AH"], "8C KH 9D", "end, up AH 1, end, up 9D 2, straight 5")
        play(match, "discard 8C, discard 7C, discard 6C, discard 5C, destroy 1u,")
        assert "attack 2 life" in match.legal()


class TestCW8PuttingCards:
    def test_a_card_goes_face_up_or_down_into_an_empty_slot(self):
        match = table(["7H 8H 9H"])
        for action in ("up 7H 1", "down 7H 1"):
            assert action in match.legal()

    def test_a_card_goes_face_up_but_not_face_down_upon_an_own_face_down_card(self):
        match = table(["7H 8H 9H"], actions="down 7H 1, end, end")
        assert "up 8H 1" in match.legal()
        assert refused(match, "down 8H 1") == "CW-8"

    def test_no_card_is_put_upon_a_face_up_card(self):
        match = table(["7H 8H 9H"], actions="up 7H 1, end, end")
        assert refused(match, "up 8H 1") == "CW-8"

    def test_jokers_never_go_onto_the_field(self):
        match = table(["XB XR 7H"])
        assert not [action for action in match.legal() if "X" in action]
        assert refused(match, "up XB 1") == refused(match, "down XR 1") == "CW-8"

    def test_others_do_not_see_what_is_put_face_down(self):
        match = table(["7H"], actions="down 7H 1")
        assert field(match, 0, seat=1) == field(match, 0, seat=-1) == "[??] | - | -"
        assert match.seen_by(1)[-1].do == "down ?? 1"
        assert match.seen_by(0)[-1].do == "down 7H 1"


class TestCW9Flips:
    def test_a_face_down_card_is_turned_face_up(self):
        match = table(["7H"], actions="down 7H 1, end, end, flip 1")
        assert field(match, 0, seat=1) == "7H | - | -"

    def test_a_card_is_not_flipped_in_the_turn_in_which_it_was_put_down(self):
        assert refused(table(["7H"], actions="down 7H 1"), "flip 1") == "CW-9"

    def test_a_covered_card_is_not_flipped(self):
        match = table(["7H 8H 9H"], actions="down 7H 1, end, end, up 8H 1")
        assert refused(match, "flip 1") == "CW-9"

    def test_a_card_of_the_other_player_is_not_flipped(self):
        assert refused(table(["7H"], actions="down 7H 1, end"), "flip 1") == "CW-9"

    def test_a_face_up_card_is_not_flipped(self):
        assert refused(table(["7H"], actions="up 7H 1, end, end"), "flip 1") == "CW-9"


class TestCW10TheBattlePhase:
    def test_every_face_up_card_attacks_once(self):
        match = table(["7H 8H 9H"], actions="up 7H 1, end, end, up 8H 2, attack 1 life")
        assert legal(match, "attack") == ["attack 2 life"]
        assert refused(match, "attack 1 life") == "CW-10"
        assert match.legal() == ["attack 2 life", "end"]

    def test_cards_put_down_or_flipped_in_this_turn_may_attack(self):
        match = table(["7H 8H 9H"], actions="down 7H 1, end, end, up 8H 2, flip 1")
        assert legal(match, "attack") == ["attack 1 life", "attack 2 life"]

    def test_face_down_cards_do_not_attack(self):
        assert refused(table(["7H"], actions="down 7H 1, end, end"), "attack 1 life") == "CW-10"

    def test_after_the_first_attack_the_main_phase_is_over(self):
        match = table(["7H 8H 9H"], actions="up 7H 1, end, end, attack 1 life")
        assert match.legal() == ["end"]
        assert refused(match, "up 8H 2") == "CW-10"

    def test_in_the_next_turn_it_attacks_again(self):
        match = table(["7H"], actions="up 7H 1, end, end, attack 1 life, end, end")
        assert "attack 1 life" in match.legal()


class TestCW11TheFirstTurn:
    def test_the_first_turn_of_the_game_has_no_attack(self):
        match = table(["7H"], actions="up 7H 1")
        assert match.legal() == ["end"]
        assert refused(match, "attack 1 life") == "CW-11"

    def test_the_second_player_does_in_the_second(self):
        assert legal(table(["", "7H"], actions="end, up 7H 1"), "attack") == ["attack 1 life"]


class TestCW12DoingNothing:
    def test_a_turn_may_be_ended_at_once(self):
        match = table(actions="end")
        assert (match.actor, field(match, 0)) == (1, "- | - | -")

    def test_a_turn_may_be_ended_between_attacks(self):
        match = table(["7H 8H 9H"], actions="up 7H 1, end, end, up 8H 2, attack 1 life, end")
        assert match.actor == 1

    def test_a_turn_is_not_ended_in_the_middle_of_a_straight(self):
        match = table(["5C 6C 7C", "AH"], draws="8C", actions="end, up AH 1, end, straight 5")
        assert refused(match, "end") == "CW-22"
        play(match, "discard 8C, discard 7C, discard 6C, discard 5C,")
        assert refused(match, "end") == "CW-22"

    def test_no_seat_acts_out_of_turn(self):
        with pytest.raises(TurnError):
            table().act("end", 1)


class TestCW13TheEndPhase:
    def match_with_seven(self):
        """Return a match in which player 0 holds seven cards and has ended the turn."""
        return table(["2C 4C 6C"], draws="8C 9H TC 9D QC 9S XB", actions="end, " * 7)

    def test_more_than_six_cards_are_discarded_down_to_six(self):
        match = self.match_with_seven()
        assert match.legal() == [f"discard {card}" for card in ["2C", "4C", "6C", "8C", "QC", "TC", "XB"]]
        play(match, "discard 4C,")
        assert match.actor == 1
        assert hand(match, 0) == "2C 6C 8C TC QC XB"
        assert graveyard(match) == "4C"

    def test_a_joker_may_be_discarded(self):
        match = play(self.match_with_seven(), "discard XB,")
        assert graveyard(match) == "XB"

    def test_only_discards_are_legal_then(self):
        assert refused(self.match_with_seven(), "end") == "CW-13"

    def test_nothing_is_discarded_at_other_times(self):
        assert refused(table(["7H"]), "discard 7H") == "CW-13"

    def test_six_cards_may_be_kept(self):
        match = table(draws="", actions="end, " * 5)
        assert facts(match)["held"] == [6, 6]
        assert match.actor == 1

    def test_several_are_discarded_one_event_each_in_any_order(self):
        """Player 1 has used a joker with seven cards in hand and taken two."""
        match = table(
            ["9H TH", "XB 2C 3C"],
            actions="up 9H 1, end, end, up TH 2, attack 1 life, end, end, end, end, end, joker, end",
        )
        assert facts(match)["held"][1] == 8
        play(match, "discard TH,")
        assert match.actor == 1
        play(match, "discard 2C,")
        assert (match.actor, facts(match)["held"][1]) == (0, 6)
        assert graveyard(match) == "XB TH 2C"
