"""Trick Walls with other numbers than the published ones: each option does what its clause says."""

import pytest

from parlour.engine.errors import OptionError
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from tests.games.trick_walls.tables import TRICK_WALLS, begin, lines, ring, table, wall
from tests.helpers import play_at_random, zone_text


@pytest.mark.parametrize(("players", "cards"), [(4, 1), (4, 13), (6, 5)])
def test_tw_6_a_round_has_as_many_tricks_as_a_city_has_cards(players, cards):
    match = table([], players=players, options={"hand_cards": cards, "rounds": 1})
    assert len(zone_text(match, "hand", 0).split()) == match.observation(-1).facts["tricks"] == cards
    plays = sum(event.by >= 0 for event in [*play_at_random(match, 1)][-1].events)
    assert plays == cards * (6 if players > 4 else 4)


def test_tw_6_no_more_cards_are_dealt_than_the_deck_has():
    with pytest.raises(OptionError, match=r"hand_cards is 9, but may be 1 to 8 for 6 players \(TW-6\)"):
        Setup(TRICK_WALLS, 6, {"hand_cards": 9})


@pytest.mark.parametrize(("rounds", "places"), [(0, ["0 1 2 3"] * 3), (1, ["0 1 2 3", "1 0 3 2", "0 1 2 3"])])
def test_tw_3_teammates_change_places_after_this_number_of_rounds(rounds, places):
    match, found = begin(options={"half_time": rounds, "hand_cards": 1, "rounds": 3}), []
    for _ in play_at_random(match, 2):
        if match.events[-1].do.startswith("deal"):
            found.append(ring(match))
    assert found == places


def test_tw_9_an_ace_that_starts_a_trick_may_be_the_highest():
    match = table([], trick="AH 2H KH 3H", options={"led_ace": 14})
    assert wall(match, 0) == "| AH"  # no other card stood, TW-11
    assert wall(table([], trick="AH 2H KH 3H"), 0) == "AH |"


@pytest.mark.parametrize("number", [0, 5, 13])
def test_tw_13_a_dummy_shows_this_number_of_cards(number):
    match = table([], players=2, options={"dummy_open": number})
    shown = min(number, 9)
    assert len(zone_text(match, "hand", 1).split()) == shown
    assert len(zone_text(match, "pile", 1).split()) == 9 - shown


class TestPoints:
    def test_tw_17_court_cards_and_others_have_their_points(self):
        match = table([], trick="7H KH 9H AC", options={"court_points": 7, "plain_points": 0})
        assert [line for line in lines(match, "TW-18") if not line.endswith(" 0 0 0 0")] == [
            "city 1: face up: red 7, black 0, 7 7 -7 -7",
        ]

    def test_tw_21_killed_cards_have_their_points(self):
        chosen = {"kill_balance": True, "killed_court_points": 9, "killed_plain_points": 4}
        assert lines(table([], trick="7H 8H AC 2D", options=chosen), "TW-21") == [
            "city 2: face down: red 0, black 9, 9 9 -9 -9",
            "city 3: face down: red 4, black 0, -4 -4 4 4",
        ]

    def test_tw_20_a_massacre_has_points_of_its_own(self):
        match = table([], trick="7H 8H AC 2D", options={"massacre_points": 1})
        assert lines(match, "TW-20") == [
            "city 0: pure red city, 3 3 -3 -3",
            "city 1: pure red city, 3 3 -3 -3",
            "city 2: massacre of black, 1 1 -1 -1",
            "city 3: massacre of red, -1 -1 1 1",
        ]
        assert len(lines(table([], trick="7H 8H AC 2D", options={"massacre_points": 0}), "TW-20")) == 2

    def test_the_bounds_of_scores_follow(self):
        setup = Setup(TRICK_WALLS, 4, {"court_points": 10, "rounds": 1, "pure_bonuses": False})
        limits = {plane.name: plane.limits for plane in setup.observation_planes}
        assert limits["lead"] == (-98, 98)
        assert Match(setup).state.court_points == 10
