"""Trick Walls, TW-7 to TW-12: tricks, and the places of their cards. City 0 starts by default."""

import pytest

from parlour.engine.errors import IllegalError, TurnError
from parlour.engine.events import Event
from parlour.engine.rules import SPECTATOR
from tests.games.trick_walls.tables import begin, table, walls
from tests.helpers import play, play_at_random, refused, zone_text


class TestTW7FollowingSuit:
    def test_a_city_with_the_trick_suit_must_follow(self):
        match = table(hands=["", "TC AC KH"], trick="KC")
        assert match.legal() == ["AC", "TC"]
        assert refused(match, "KH") == "TW-7"

    def test_a_city_without_the_trick_suit_may_play_anything(self):
        match = table(hands=["", "2H 3H 4D 5D 6S 7S 8S 9S TS"], trick="KC")
        assert match.legal() == ["2H", "3H", "4D", "5D", "6S", "7S", "8S", "9S", "TS"]

    def test_the_starter_may_play_anything(self):
        match = table(hands=["2C 3C 4D 5D 6H 7H 8S 9S TS"])
        assert match.legal() == ["2C", "3C", "4D", "5D", "6H", "7H", "8S", "9S", "TS"]

    def test_the_suit_to_follow_is_that_of_the_first_card_not_of_the_last(self):
        match = table(hands=["", "4D", "TC 9D"], trick="KC 4D")
        assert match.legal() == ["TC"]

    def test_a_city_plays_only_what_it_holds(self):
        match = table(hands=["2C", "3C"])
        assert refused(match, "3C") == "TW-7"

    def test_every_city_plays_one_card_clockwise(self):
        match = table(hands=["7H", "8H", "9H", "TH"])
        play(match, "7H 8H 9H TH")
        assert [(event.by, event.do) for event in match.events[3:]] == [(0, "7H"), (1, "8H"), (2, "9H"), (3, "TH")]

    def test_no_city_plays_out_of_turn(self):
        match = table(hands=["7H", "8H"])
        with pytest.raises(TurnError, match="it is not the turn of seat 1: it is the turn of seat 0"):
            match.act("8H", 1)
        with pytest.raises(TurnError, match="it is not the turn of chance: it is the turn of seat 0"):
            match.apply_chance("dealer A")

    @pytest.mark.parametrize(
        ("players", "options", "decisions"),
        [(4, {}, 36), (2, {}, 36), (6, {}, 48), (5, {}, 48), (3, {"long_run": True}, 54)],
    )
    def test_a_round_has_as_many_tricks_as_a_city_was_dealt_cards(self, players, options, decisions):
        """In a long run two of three players also exchange a card (TW-24)."""
        match = begin(players, {"rounds": 1, **options})
        for _ in play_at_random(match, 5):
            pass
        assert sum(event.by >= 0 for event in match.events) == decisions


class TestTW8WhoStartsATrick:
    def test_the_next_city_starts_each_trick_whichever_city_won_the_last(self):
        match = table(hands=["7H 2C", "8H", "AH", "9H"], trick="7H 8H AH 9H")
        assert match.actor == 1

    @pytest.mark.parametrize(
        ("players", "dealer", "starts"), [(4, "B", "0 1 2 3 0 1 2 3 0"), (6, "A", "3 4 5 0 1 2 3 4")]
    )
    def test_the_start_goes_around(self, players, dealer, starts):
        match, found = begin(players, {"rounds": 1}, dealer), []
        for _ in play_at_random(match, 6):
            facts = match.observation(SPECTATOR).facts
            if facts["stage"] == "tricks" and not facts["trick"]:
                found.append(str(match.actor))
        assert " ".join(found) == starts


class TestTW9Rank:
    def test_two_is_low_and_ace_is_high(self):
        match = table(hands=["2H", "TH", "KH", "AH"], trick="2H TH KH AH")
        assert walls(match) == "2H | / TH | / KH | / AH |"

    def test_ten_jack_queen_king_go_upward(self):
        assert walls(table([], trick="TS JS QS KS")) == "TS | / JS | / QS | / KS |"

    @pytest.mark.parametrize("suit", "CDHS")
    def test_an_ace_that_starts_a_trick_counts_one_below_the_two(self, suit):
        trick = " ".join(rank + suit for rank in "A234")
        assert walls(table([], trick=trick)) == f"A{suit} | / 2{suit} | / 3{suit} | / 4{suit} |"

    def test_an_ace_that_does_not_start_is_above_the_king(self):
        assert walls(table([], trick="QD AD KD 2D")) == "QD | / AD | / | KD / | 2D"

    def test_an_ace_that_starts_does_not_lift_a_card_of_the_suit_below(self):
        """An ace of diamonds at 1 is not the ace of clubs."""
        assert walls(table([], trick="AD AC KC 2D")) == "AD | / | AC / | KC / 2D |"


class TestTW10FaceUpOrKilled:
    def test_the_first_card_lies_face_up(self):
        assert walls(table([], trick="7H")) == "7H | / | / | / |"

    def test_a_higher_card_of_the_suit_lies_face_up_and_another_suit_is_killed(self):
        assert walls(table([], trick="7H 8H AH 2C")) == "7H | / 8H | / AH | / | 2C"

    def test_a_lower_card_of_the_suit_is_killed(self):
        assert walls(table([], trick="7H 6H 8H 2H")) == "7H | / | 6H / 8H | / | 2H"

    def test_higher_is_measured_against_the_highest_so_far_not_the_first_card(self):
        assert walls(table([], trick="7H KH TH JH")) == "7H | / KH | / | TH / | JH"

    def test_cards_of_other_suits_never_count(self):
        assert walls(table([], trick="7H AC 8H AS")) == "7H | / | AC / 8H | / | AS"

    def test_a_killed_card_does_not_raise_the_bar(self):
        assert walls(table([], trick="9H 4H 5H TH")) == "9H | / | 4H / | 5H / TH |"

    def test_a_killed_card_is_shown_to_all(self):
        match = table([], trick="7H AC")
        assert [event.do for event in match.seen_by(3)[-2:]] == ["7H", "AC"]
        assert match.observation(3).facts["trick"][1] == {"city": 1, "card": "AC", "killed": True}

    def test_six_cities_play_to_a_trick(self):
        match = table([], trick="4S 3S 6S 5S AC 7S", players=6)
        assert walls(match) == "4S | / | 3S / 6S | / | 5S / | AC / 7S |"


class TestTW11EmptyTrick:
    def test_the_first_card_is_turned_down_if_no_other_lies_face_up(self):
        assert walls(table([], trick="7H 6H AC 2S")) == "| 7H / | 6H / | AC / | 2S"

    def test_it_lies_face_up_until_the_trick_is_over(self):
        assert walls(table([], trick="7H 6H AC")) == "7H | / | 6H / | AC / |"

    def test_a_leading_ace_without_a_follower_is_turned_down(self):
        assert walls(table([], trick="AH 6C AC 2S")) == "| AH / | 6C / | AC / | 2S"

    def test_a_card_above_the_first_card_saves_it(self):
        assert walls(table([], trick="7H 6H AC 8H")) == "7H | / | 6H / | AC / 8H |"

    def test_the_cards_of_earlier_tricks_stay_as_they_lie(self):
        match = table(hands=["7H 2S", "8H KS", "9H 3S", "TH 4S"], trick="7H 8H 9H TH")
        play(match, "KS 3S 4S 2S")
        assert walls(match) == "7H | 2S / 8H | KS / 9H | 3S / TH | 4S"


class TestTW12FaceDownCardsAreRemembered:
    @pytest.mark.parametrize("seat", [SPECTATOR, 0, 1, 2, 3])
    def test_everyone_knows_what_lies_face_down(self, seat):
        match = table([], trick="7H AC 2S 3D")
        assert [zone_text(match, "face down", city, seat) for city in range(4)] == ["7H", "AC", "2S", "3D"]

    def test_they_lie_face_down(self):
        observation = table([], trick="7H 8H 2S 3D").observation(SPECTATOR)
        assert observation.zone("face up", 0).face_up
        assert not observation.zone("face down", 2).face_up


class TestNotationOfCards:
    def test_a_card_is_typed_in_any_case_with_spaces_around(self):
        match = table(hands=["TH 7H"])
        assert [match.complete_action(typed) for typed in ("7h", " th ", "10H")] == ["7H", "TH", "TH"]

    def test_an_unknown_text_is_not_changed(self):
        assert table(hands=["TH 7H"]).complete_action("  nonsense ") == "nonsense"

    @pytest.mark.parametrize(
        ("wrong", "why"),
        [
            *((wrong, "That is not an action of Trick Walls.") for wrong in ("", "7", "pass", "7H" * 50)),
            ("7h", "Write it as '7H'."),
            *((wrong, "No cards are exchanged now; play a card. (TW-24)") for wrong in ("7H 8H", "give 7H")),
            ("XB", "You do not hold the black joker. (TW-7)"),
            ("top", "Only a dummy city has a pile to play from; this is not one. (TW-14)"),
        ],
    )
    def test_a_malformed_action_is_refused_with_its_reason(self, wrong, why):
        match = table(hands=["7H"])
        with pytest.raises(IllegalError) as caught:
            match.apply_event(Event(0, wrong))
        assert f" is not legal: {why} Legal: " in str(caught.value)
        assert match.actor == 0

    def test_only_the_exact_notation_is_an_action(self):
        match = table(hands=["7H"])
        refused(match, " 7H")
        play(match, "7H")
        assert match.events[-1].do == "7H"

    def test_the_refusal_of_an_illegal_action_lists_the_legal_ones(self):
        match = table(hands=["", "TC AC KH"], trick="KC")
        with pytest.raises(IllegalError) as caught:
            match.act("KH", 1)
        assert str(caught.value) == (
            "'KH' is not legal: You hold a card of the trick suit and must follow it: clubs. (TW-7) Legal: AC, TC."
        )
