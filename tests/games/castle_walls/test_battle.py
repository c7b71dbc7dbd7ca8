"""Castle Walls, CW-14 to CW-23, CW-25 and CW-27: attacks, straights, jokers, the end. Player 0 is first."""

import pytest

from parlour.engine.errors import OptionError
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from tests.games.castle_walls.tables import CASTLE_WALLS, facts, field, graveyard, hand, legal, pass_turns, seen, table
from tests.helpers import play, refused


class TestCW14TheLifePile:
    def test_the_attack_takes_the_top_life_card_which_is_laid_open(self):
        match = table(["7H"], lives=("", "AS KS"), actions="up 7H 1, end, end, attack 1 life")
        assert seen(match, "lost", 1, seat=-1) == "AS"
        assert facts(match)["left"] == [6, 5]
        assert seen(match, "life", 1) == "?? ?? ?? ?? ??"

    def test_a_card_on_the_other_field_protects_the_life_pile(self):
        for action in ("up 2C 1", "down 2C 1"):
            match = table(["7H", "2C"], actions=f"up 7H 1, end, {action}, end")
            assert refused(match, "attack 1 life") == "CW-14"

    def test_several_cards_may_attack_it_in_one_turn(self):
        match = table(
            ["7H 8H"], lives=("", "AS KS"), actions="up 7H 1, end, end, up 8H 2, attack 2 life, attack 1 life"
        )
        assert seen(match, "lost", 1) == "KS AS"

    def test_the_life_pile_may_be_attacked_in_the_turn_in_which_the_other_field_became_empty(self):
        match = table(["7H 8H", "2C"], actions="up 7H 1, end, up 2C 3, end, up 8H 2, attack 1 3")
        assert match.legal() == ["attack 2 life", "end"]

    def test_with_no_life_card_left_a_player_has_lost_at_once(self):
        match = table(["AH KH QH"], actions="up AH 1, end, end, up KH 2, attack 1 life, attack 2 life, end, end")
        play(match, "up QH 3, attack 1 life, attack 2 life, attack 3 life, end, end, attack 2 life,")
        assert match.over
        assert match.result.scores == (6, 0)


class TestCW15OneSlotsTopCard:
    def test_a_covered_card_cannot_be_attacked(self):
        """Only the face-up card upon it may be attacked, but it has a higher power."""
        match = table(["7H", "2C KD"], actions="up 7H 1, end, down 2C 1, end, end, up KD 1, end")
        assert field(match, 1) == "[2C] KD | - | -"
        assert refused(match, "attack 1 1") == "CW-16"

    def test_an_empty_slot_cannot_be_attacked(self):
        match = table(["7H", "2C"], actions="up 7H 1, end, up 2C 1, end")
        assert legal(match, "attack") == ["attack 1 1"]
        assert refused(match, "attack 1 2") == "CW-15"

    def test_any_slot_may_be_chosen_not_only_the_one_across(self):
        match = table(["7H", "2C 3C"], actions="up 7H 1, end, up 2C 2, end, end, down 3C 3, end")
        assert legal(match, "attack") == ["attack 1 2", "attack 1 3"]


class TestCW16FaceUpCards:
    @pytest.mark.parametrize("card", ["7C", "6C", "2C"])
    def test_a_card_of_equal_or_lower_power_is_destroyed(self, card):
        match = table(["7H", card], actions=f"up 7H 1, end, up {card} 1, end, attack 1 1")
        assert field(match, 1) == "- | - | -"
        assert graveyard(match) == card
        assert field(match, 0) == "7H | - | -"

    def test_a_card_of_higher_power_cannot_be_attacked(self):
        assert refused(table(["7H", "8C"], actions="up 7H 1, end, up 8C 1, end"), "attack 1 1") == "CW-16"


class TestCW17Walls:
    @pytest.mark.parametrize("wall", ["8C", "8D", "AS"])
    def test_equal_or_higher_power_stays_face_up_and_ends_the_turn(self, wall):
        match = table(["8H 9H", wall], actions=f"up 8H 1, end, down {wall} 2, end, up 9H 3, attack 1 2")
        assert field(match, 1, seat=-1) == f"- | {wall} | -"
        assert field(match, 0) == "8H | - | 9H", "neither card is destroyed, and the other one may not attack"
        assert match.actor == 1
        assert graveyard(match) == ""

    def test_the_turn_ends_without_an_end_event(self):
        match = table(["8H", "AS"], actions="up 8H 1, end, down AS 2, end, attack 1 2")
        assert [event.do for event in match.events[-2:]] == ["end", "attack 1 2"]

    def test_too_many_cards_are_still_discarded(self):
        match = table(["8H 2C 2D", "AS"], actions="up 8H 1, end, down AS 1, end, " + "end, " * 6 + "attack 1 1")
        assert facts(match)["held"][0] == 7
        assert refused(match, "end") == "CW-13"
        play(match, "discard 2C,")
        assert match.actor == 1

    def test_every_face_down_card_is_a_wall_to_a_two(self):
        match = table(["2H", "2C"], actions="up 2H 1, end, down 2C 1, end, attack 1 1")
        assert field(match, 1) == "2C | - | -"

    @pytest.mark.parametrize(("card", "stays"), [("AS", "AS"), ("KD", "-")])
    def test_only_an_ace_is_a_wall_to_an_ace(self, card, stays):
        match = table(["AH", card], actions=f"up AH 1, end, down {card} 1, end, attack 1 1")
        assert field(match, 1) == f"{stays} | - | -"

    def test_all_see_the_wall(self):
        match = table(["8H", "AS"], actions="up 8H 1, end, down AS 2, end, attack 1 2")
        assert field(match, 1, seat=0) == "- | AS | -"


class TestCW18RedTraps:
    @pytest.mark.parametrize("trap", ["2H", "2D", "7D"])
    def test_it_goes_to_the_graveyard_and_the_attacking_card_after_it(self, trap):
        match = table(["8H", trap], actions=f"up 8H 1, end, down {trap} 2, end, attack 1 2")
        assert graveyard(match) == f"{trap} 8H"
        assert field(match, 0) == field(match, 1) == "- | - | -"


class TestCW19BlackTraps:
    def sprung(self, trap="2S"):
        """Return a match in which player 0's ten, upon a face-down seven in slot 2, has attacked a black trap.

        Slot 1 has a face-down card, slot 3 a face-up one.
        """
        return table(
            ["7C TH 9H", f"{trap}"],
            draws="3H 4H JD",
            actions=f"down 7C 2, end, end, up TH 2, end, down {trap} 1, end, up 9H 3, end, end, down JD 1, attack 2 1",
        )

    @pytest.mark.parametrize("trap", ["2S", "3C"])
    def test_it_goes_to_the_graveyard_and_its_owner_chooses(self, trap):
        match = self.sprung(trap)
        assert graveyard(match) == trap
        assert match.actor == 1
        assert match.legal() == ["destroy 1d", "destroy 2d", "destroy 3u"]

    def test_any_card_of_the_attacker_may_be_chosen_also_face_down_and_covered_ones(self):
        for choice, left in [
            ("destroy 1d", "- | [7C] TH | 9H"),
            ("destroy 2d", "[JD] | TH | 9H"),
            ("destroy 3u", "[JD] | [7C] TH | -"),
        ]:
            match = play(self.sprung(), choice + ",")
            assert field(match, 0) == left

    def test_all_see_destroyed_cards(self):
        assert graveyard(play(self.sprung(), "destroy 2d,")) == "2S 7C"

    def test_the_attacking_card_may_not_be_chosen(self):
        assert refused(self.sprung(), "destroy 2u") == "CW-19"

    def test_the_owner_must_choose(self):
        assert refused(self.sprung(), "end") == "CW-19"

    def test_if_there_is_no_other_card_nothing_more_happens(self):
        match = table(["8H", "2S"], actions="up 8H 1, end, down 2S 2, end, attack 1 2")
        assert match.actor == 0
        assert field(match, 0) == "8H | - | -"


class TestCW20TheBattleGoesOn:
    def test_after_a_black_trap_the_remaining_cards_attack(self):
        match = TestCW19BlackTraps().sprung()
        play(match, "destroy 1d,")
        assert match.actor == 0
        assert match.legal() == ["attack 3 life", "end"], "the ten has attacked"

    def test_after_a_red_trap_the_remaining_cards_attack(self):
        match = table(["8H 9H", "2D"], actions="up 8H 1, end, down 2D 1, end, up 9H 3, attack 1 1")
        assert match.legal() == ["attack 3 life", "end"]

    def test_a_destroyed_attacker_cannot_go_on(self):
        match = TestCW19BlackTraps().sprung()
        play(match, "destroy 3u,")
        assert match.legal() == ["end"]


class TestCW21WhatWasCovered:
    def test_a_face_down_card_stays_uncovered_when_the_card_upon_it_falls(self):
        match = table(["KH", "2C 9C"], actions="up KH 1, end, down 2C 2, end, end, up 9C 2, end, attack 1 2")
        assert field(match, 1) == "- | [2C] | -"
        assert field(match, 1, seat=0) == "- | [??] | -"

    def test_another_card_may_attack_it_then(self):
        actions = "up KH 1, end, down 2C 2, end, up QH 2, end, up 9C 2, end, attack 1 2"
        match = table(["KH QH", "2C 9C"], actions=actions)
        assert legal(match, "attack") == ["attack 2 2"]

    def test_it_may_be_flipped_in_the_owners_next_turn(self):
        actions = "up KH 1, end, down 2C 2, end, end, up 9C 2, end, attack 1 2, end"
        assert "flip 2" in table(["KH", "2C 9C"], actions=actions).legal()

    def test_it_stays_when_a_red_trap_takes_the_attacker_upon_it(self):
        actions = "down 7C 1, end, down 2D 3, end, up KH 1, attack 1 3"
        assert field(table(["7C KH", "2D"], actions=actions), 0) == "[7C] | - | -"


class TestCW22Straights:
    def ready(self, cards="5C 6D 7H 8S", field_of_1="up AH 1"):
        """Return a match in which player 0 holds these cards and player 1 has put one card onto the field."""
        words = cards.split()
        return table([" ".join(words[:3]), "AH TD"], f"{words[3]} 9S", f"end, {field_of_1}, end")

    def test_four_cards_of_consecutive_ranks_destroy_a_card_of_the_other_field(self):
        match = self.ready()
        assert legal(match, "straight") == ["straight 5"]
        play(match, "straight 5, discard 8S, discard 7H, discard 6D, discard 5C,")
        assert match.legal() == ["destroy 1u"]
        play(match, "destroy 1u,")
        assert graveyard(match) == "8S 7H 6D 5C AH"
        assert field(match, 1) == "- | - | -"

    def test_a_face_down_card_can_be_chosen(self):
        match = self.ready(field_of_1="down AH 2")
        play(match, "straight 5, discard 8S, discard 7H, discard 6D, discard 5C, destroy 2d,")
        assert graveyard(match) == "8S 7H 6D 5C AH"

    def test_the_cards_are_discarded_from_the_highest_to_the_lowest(self):
        match = play(self.ready(), "straight 5,")
        for rank in ("8S", "7H", "6D", "5C"):
            assert match.legal() == [f"discard {rank}"]
            play(match, f"discard {rank},")

    def test_each_step_is_open_to_every_card_of_the_rank(self):
        match = table(["5C 6D 7H", "AH KD"], "8S 9S 8D 2C 6S", "end, up AH 1, end, end, end")
        play(match, "straight 5,")
        assert match.legal() == ["discard 8D", "discard 8S"]
        play(match, "discard 8D, discard 7H,")
        assert match.legal() == ["discard 6D", "discard 6S"]

    def test_a_covered_card_cannot_be_chosen(self):
        match = table(
            ["5C 6D 7H", "2S KD"],
            "8S",
            "end, down 2S 1, end, end, up KD 1, end, straight 5, discard 8S, discard 7H, discard 6D, discard 5C",
        )
        assert match.legal() == ["destroy 1u"]
        assert refused(match, "destroy 1d") == "CW-22"

    def test_an_announced_straight_is_carried_through(self):
        match = play(self.ready(), "straight 5,")
        for action in ("end", "discard 7H", "discard 5C", "up 5C 1", "joker", "attack 1 1", "destroy 1u", "straight 5"):
            assert refused(match, action) == "CW-22"

    def test_three_cards_are_no_straight(self):
        assert refused(self.ready("5C 6D 7H TS"), "straight 5") == "CW-22"

    def test_suits_do_not_matter_and_one_suit_will_do(self):
        assert legal(self.ready("5C 6C 7C 8C"), "straight") == ["straight 5"]

    @pytest.mark.parametrize("low", "23456789TJ")
    def test_straights_begin_with_any_rank_from_the_two_to_the_jack(self, low):
        ranks = "23456789TJQKA"
        cards = [rank + "S" for rank in ranks[ranks.index(low) : ranks.index(low) + 4]]
        match = table([" ".join(cards[:3]), "AH"], f"{cards[3]} 9H {low}D", "end, up AH 1, end")
        assert legal(match, "straight") == [f"straight {low}"]

    @pytest.mark.parametrize("cards", ["AC 2D 3H 4S", "QC KD AS 2S", "KC AD 2H 3S"])
    def test_the_ace_is_high_only(self, cards):
        match = self.ready(cards)
        assert legal(match, "straight") == []
        assert refused(match, "straight Q") == "CW-22"

    def test_five_in_a_row_are_two_straights_to_choose_from(self):
        match = table(["5C 6D 7H", "AH KD"], "8S TS 9S 2C", "end, up AH 1, end")
        assert legal(match, "straight") == ["straight 5", "straight 6"]

    def test_it_needs_a_target(self):
        match = table(["5C 6D 7H"], "8S")
        assert refused(match, "straight 5") == "CW-22"

    def test_the_main_phase_goes_on_after_it(self):
        match = table(["5C 6D 7H", "AH KD"], "8S 9S TC", "end, up AH 1, end")
        play(match, "straight 5, discard 8S, discard 7H, discard 6D, discard 5C, destroy 1u,")
        assert match.legal() == ["down TC 1", "down TC 2", "down TC 3", "end", "up TC 1", "up TC 2", "up TC 3"]

    def test_a_straight_is_not_announced_in_the_battle_phase(self):
        match = table(["5C 6D 7H", "AH KD"], "8S 9S AD", "end, up AH 1, end, end, end")
        play(match, "up AD 1, attack 1 1,")
        assert refused(match, "straight 5") == "CW-10"

    def test_the_announced_ranks_are_public(self):
        match = play(self.ready(), "straight 5, discard 8S,")
        assert (facts(match)["straight"], facts(match)["to_come"]) == ("5", ["7", "6", "5"])


class TestCW23Jokers:
    def losing_match(self, held="XB 2C 3C", field_of_0="up TH 2"):
        """Return a match in which player 1 has lost a life card and player 0 has two cards on the field."""
        return table(["9H TH", held], actions=f"up 9H 1, end, end, {field_of_0}, attack 1 life, end")

    def test_every_card_of_the_other_field_comes_into_the_hand(self):
        match = play(self.losing_match(), "joker,")
        assert field(match, 0) == "- | - | -"
        assert {"9H", "TH"} <= set(hand(match, 1).split())
        assert graveyard(match) == "XB"

    def test_face_down_and_covered_cards_are_taken_too(self):
        match = table(
            ["9H TH KH", "XB"], actions="up 9H 1, end, end, down TH 2, attack 1 life, end, end, up KH 2, end, joker"
        )
        assert {"9H", "TH", "KH"} <= set(hand(match, 1).split())
        assert field(match, 0) == "- | - | -"

    def test_a_player_who_has_lost_fewer_life_cards_may_not_use_a_joker(self):
        match = table(["9H TH", "XB"], actions="up 9H 1, end")
        assert refused(match, "joker") == "CW-23"
        match = table(["9H XR", "XB"], actions="up 9H 1, end, end, attack 1 life, end, end")
        assert refused(match, "joker") == "CW-23", "player 0 has lost none"

    def test_a_player_who_has_lost_equally_many_life_cards_may_not_use_a_joker(self):
        match = table(["9H", "8C XB"], actions="up 9H 1, end, end, attack 1 life, end, up 8C 1")
        assert "joker" in match.legal()
        match = table(["9H", "TC XB"], actions="up 9H 1, end, end, attack 1 life, end, up TC 1, attack 1 1, end, end,")
        play(match, "attack 1 life, end, end,")
        assert facts(match)["left"] == [5, 5]
        assert refused(match, "joker") == "CW-23"

    def test_a_player_without_a_joker_may_not_take_the_field(self):
        assert refused(self.losing_match("2C 3C 4C"), "joker") == "CW-23"

    def test_the_black_one_is_played_if_both_are_held(self):
        match = play(self.losing_match("XR XB 2C"), "joker,")
        assert graveyard(match) == "XB"
        assert "XR" in hand(match, 1)

    def test_the_red_one_is_played_if_it_is_held_alone(self):
        assert graveyard(play(self.losing_match("XR 2C 3C"), "joker,")) == "XR"

    def test_it_may_be_used_when_the_other_field_is_empty(self):
        match = play(self.losing_match("XR XB 2C"), "joker, joker,")
        assert graveyard(match) == "XB XR"

    def test_it_is_not_used_in_the_battle_phase(self):
        match = play(self.losing_match("XB KC 3C"), "up KC 1, attack 1 1,")
        assert refused(match, "joker") == "CW-10"

    def test_an_attack_on_the_life_pile_is_then_possible(self):
        match = play(self.losing_match("XB KC 3C"), "joker, up KC 1,")
        assert legal(match, "attack") == ["attack 1 life"]


class TestCW25TheEnd:
    def almost(self):
        """Return a match in which player 1 has one life card left and player 0 a card that may take it."""
        match = table(["AH KH QH"], actions="up AH 1, end, end, up KH 2, attack 1 life, attack 2 life, end, end")
        return play(match, "up QH 3, attack 1 life, attack 2 life, attack 3 life, end, end,")

    def test_taking_the_last_life_card_wins(self):
        match = self.almost()
        assert not match.over
        play(match, "attack 3 life,")
        assert match.over
        assert match.result.winners == (0,)
        assert CASTLE_WALLS.ending(match.state) == "the last life card was taken (CW-14)"

    def test_scores_are_the_life_cards_left(self):
        assert play(self.almost(), "attack 3 life,").result.scores == (6, 0)

    def test_nothing_can_be_done_after_it(self):
        assert play(self.almost(), "attack 3 life,").legal() == []


class TestCW27TheTurnLimit:
    @pytest.mark.parametrize("limit", [1, 2, 7])
    def test_the_limit_counts_the_turns_of_both_players(self, limit):
        match = pass_turns(table(turn_limit=limit), limit - 1)
        assert not match.over
        pass_turns(match, 1)
        assert match.over
        assert CASTLE_WALLS.ending(match.state) == "the turns were used up (CW-27)"

    def test_no_card_is_drawn_for_a_further_turn(self):
        match = pass_turns(table(turn_limit=2), 2)
        assert facts(match)["held"] == [4, 4]

    def test_with_equally_many_life_cards_it_is_a_draw(self):
        assert pass_turns(table(turn_limit=2), 2).result.winners == (0, 1)

    @pytest.mark.parametrize("first", [0, 1])
    def test_the_player_with_more_life_cards_wins(self, first):
        hands = ["7H", "8H"]
        match = table(hands, first=first, turn_limit=3, actions=f"up {hands[first]} 1, end, end, attack 1 life, end")
        assert match.result.winners == (first,)
        assert match.result.scores[1 - first] == 5

    def test_the_last_turns_end_phase_is_included(self):
        match = table(["2C 4C 6C"], "8C 9H TC 9D QC 9S KH", "end, " * 7, turn_limit=7)
        assert not match.over
        play(match, "discard 2C,")
        assert match.over

    def test_a_wall_in_the_last_turn_ends_the_game(self):
        match = table(["8H", "AS"], actions="up 8H 1, end, down AS 2, end, attack 1 2", turn_limit=3)
        assert match.over

    def test_it_is_200_by_default(self):
        assert Match(Setup(CASTLE_WALLS, 2)).options["turn_limit"] == 200

    def test_with_0_there_is_no_limit(self):
        assert not pass_turns(table(turn_limit=0), 250).over

    @pytest.mark.parametrize("value", [-1, True, "many", 2.0])
    def test_other_values_are_refused(self, value):
        with pytest.raises(OptionError):
            Setup(CASTLE_WALLS, 2, {"turn_limit": value})
