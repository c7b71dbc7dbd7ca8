"""Trick Walls, TW-13 to TW-16: dummy cities. With two players the ring is ``0 D 1 D``; city 0 starts.

A dummy's cards are written in the order of dealing: three open ones, then its pile from top to bottom.
"""

import pytest

from parlour.engine.errors import IllegalError, TurnError
from parlour.engine.rules import SPECTATOR
from tests.games.trick_walls.tables import begin, deal, table, walls
from tests.helpers import play, play_at_random, zone_text

BLACK_HAND = "2C 3C 4C 5C 6C 7C 8C 9C TC"
DUMMY = "2D 3D 4D KD 9H TD 5H AD QD"


def two_players(trick="", hands=(BLACK_HAND, DUMMY, "2S 3S 4S 5S 6S 7S 8S 9S TS", "2H 3H 4H 6H 7H 8H TH JH QH")):
    return table(list(hands), trick, players=2)


def refusal(match, action):
    with pytest.raises(IllegalError) as caught:
        match.act(action)
    assert caught.value.clause == "TW-14"
    return str(caught.value)


class TestTW13OpenCardsAndPile:
    @pytest.mark.parametrize("seat", [SPECTATOR, 0, 1])
    def test_the_first_three_cards_lie_face_up_and_the_rest_is_unseen(self, seat):
        match = two_players()
        assert zone_text(match, "hand", 1, seat) == "2D 3D 4D"
        assert zone_text(match, "pile", 1, seat) == "?? ?? ?? ?? ?? ??"
        assert match.observation(seat).zone("hand", 1).face_up
        assert not match.observation(seat).zone("pile", 1).face_up

    def test_the_fourth_card_dealt_is_the_top_and_the_last_the_bottom(self):
        match, tops = two_players(), []
        for _ in play_tops(match):
            if match.events[-1].do == "top":
                trick = match.observation(SPECTATOR).facts["trick"] or match.observation(SPECTATOR).facts["last_trick"]
                tops += [played["card"] for played in trick if played["city"] == 1]
        assert list(dict.fromkeys(tops)) == ["KD", "9H", "TD", "5H", "AD", "QD"]

    @pytest.mark.parametrize(("players", "pile"), [(3, 6), (5, 5)])
    def test_the_pile_has_all_cards_dealt_except_three(self, players, pile):
        city = 3 if players == 3 else 4
        match = table([], players=players)
        assert len(zone_text(match, "hand", city).split()) == 3
        assert zone_text(match, "pile", city) == " ".join(["??"] * pile)

    def test_in_a_long_run_the_pile_has_ten_cards(self):
        match = table([], players=2, options={"long_run": True, "exchange": False})
        assert zone_text(match, "pile", 1) == zone_text(match, "pile", 3) == " ".join(["??"] * 10)


def play_tops(match):
    """Play to the end of the round, with the top card wherever it is legal; yield the match after every action."""
    while not match.over and match.actor >= 0:
        legal = match.legal()
        match.act("top" if "top" in legal else legal[0])
        yield match


class TestTW14WhatADummyPlays:
    def test_an_open_card_of_the_trick_suit_must_be_played(self):
        match = two_players(hands=["KH", "2H 7H 3C 4H 5H"], trick="KH")
        assert match.legal() == ["2H", "7H"]
        assert refusal(match, "3C").startswith("'3C' is not legal: The dummy has an open card of the trick suit")
        assert refusal(match, "top").startswith("'top' is not legal: The dummy has an open card of the trick suit")

    def test_without_a_card_of_the_trick_suit_any_open_card_or_the_top_may_be_played(self):
        assert two_players(trick="2C").legal() == ["2D", "3D", "4D", "top"]

    def test_when_it_starts_any_open_card_or_the_top_may_be_played(self):
        match = play(two_players(), "2C 2D 2S 2H")
        assert match.legal() == ["3D", "4D", "KD", "top"]

    def test_the_top_card_need_not_follow(self):
        match = two_players(trick="2C top")
        assert walls(match) == "2C | / | KD / | / |"

    def test_a_top_card_that_happens_to_be_higher_lies_face_up(self):
        match = two_players(hands=["2C", "2D 3D 4D KC"], trick="2C top")
        assert walls(match) == "2C | / KC | / | / |"

    def test_a_top_card_that_starts_makes_the_trick_suit(self):
        match = play(two_players(), "2C 2D 2S 2H top 3S")
        assert walls(match).split(" / ")[1] == "9H | 2D", "the king of diamonds was turned up before"
        assert match.legal() == ["3H", "4H", "6H"], "the other dummy must follow hearts"

    def test_a_dummy_plays_only_open_cards_and_the_top(self):
        match = two_players(trick="2C")
        assert refusal(match, "KD").startswith("'KD' is not legal: The dummy does not show the king of diamonds.")
        assert refusal(match, "3C").startswith("'3C' is not legal: The dummy does not show the three of clubs.")

    def test_a_refusal_does_not_tell_what_the_pile_holds(self):
        match = two_players(trick="2C")
        reasons = {refusal(match, card).split(":")[1].split(" the ")[0] for card in ("KD", "9H", "AS", "2C")}
        assert reasons == {" The dummy does not show"}

    def test_when_the_pile_is_used_up_there_is_no_top(self):
        match = two_players()
        for _ in play_tops(match):
            if zone_text(match, "pile", 1) == "" and match.events[-1].by == 0 and match.actor == 0:
                break
        assert "top" not in match.legal()
        assert "pile is used up" in refusal(match, "top")

    def test_a_players_city_has_no_top(self):
        assert "Only a dummy city has a pile" in refusal(two_players(), "top")


class TestTW15WhoDecidesForADummy:
    @pytest.mark.parametrize(
        ("players", "controllers"), [(2, [0, 0, 1, 1]), (3, [0, 1, 2, 2]), (4, [0, 1, 2, 3]), (5, [0, 1, 2, 3, 3, 4])]
    )
    def test_the_player_on_its_right_decides(self, players, controllers):
        cities = table([], players=players).observation(SPECTATOR).facts["cities"]
        assert [city["controller"] for city in cities] == controllers

    def test_the_event_is_by_the_player_who_decides(self):
        match = play(two_players(), "2C top 2S top")
        assert [(event.by, event.do) for event in match.events[3:]] == [(0, "2C"), (0, "top"), (1, "2S"), (1, "top")]

    def test_no_other_seat_may_decide(self):
        match = two_players(trick="2C")
        with pytest.raises(TurnError):
            match.act("top", 1)

    def test_after_half_time_the_new_neighbour_decides(self):
        match = begin(5)
        for _ in play_at_random(match, 1):
            facts = match.observation(SPECTATOR).facts
            if facts["round"]:
                assert facts["cities"][4]["holder"] == -1
                assert facts["cities"][4]["controller"] == (3, 3, 4, 4, 3, 3)[facts["round"] - 1]
        assert match.over


class TestTW16TurningUp:
    def test_the_top_is_turned_up_after_an_open_card_was_played(self):
        match = two_players(trick="2C 3D")
        assert zone_text(match, "hand", 1) == "2D 4D"
        play(match, "2S 2H")
        assert zone_text(match, "hand", 1) == "2D 4D KD"
        assert zone_text(match, "pile", 1) == "?? ?? ?? ?? ??"

    def test_nothing_is_turned_up_if_the_top_was_played(self):
        match = play(two_players(trick="2C top"), "2S 2H")
        assert zone_text(match, "hand", 1) == "2D 3D 4D"
        assert zone_text(match, "pile", 1) == "?? ?? ?? ?? ??"

    def test_both_dummies_turn_up_their_own(self):
        match = play(two_players(), "2C 2D 2S 3H")
        assert zone_text(match, "hand", 1) == "3D 4D KD"
        assert zone_text(match, "hand", 3) == "2H 4H 6H"

    def test_cards_are_turned_up_until_the_pile_is_used_up(self):
        match, sizes = begin(3, {"rounds": 1}), []
        deal(match, [])
        while not match.over:
            play(match, match.legal()[0])
            if not match.observation(SPECTATOR).facts["trick"]:
                sizes.append((len(zone_text(match, "hand", 3).split()), len(zone_text(match, "pile", 3).split())))
        assert sizes == [(3, 5), (3, 4), (3, 3), (3, 2), (3, 1), (3, 0), (2, 0), (1, 0), (0, 0)]
