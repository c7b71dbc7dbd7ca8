"""Trime Kicker with other numbers than the published ones: each option does what its clause says."""

import pytest

from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.render.layouts import find_layout
from tests.games.trime_kicker.tables import TRIME_KICKER, actions, facts, position, table
from tests.helpers import ALL_CARDS, refused


@pytest.mark.parametrize("number", [10, 23])
def test_tk_2_the_rest_of_24_cards_is_the_backup(number):
    match = Match(Setup(TRIME_KICKER, 2, {"main_cards": number}))
    match.apply_chance("deal " + " ".join(card for card in ALL_CARDS if card[0] != "3"))
    assert [(player["held"], player["backup"]) for player in facts(match)["players"]] == [(number, 24 - number)] * 2


class TestWhatGoesOnAPile:
    def test_multiples_of_another_number(self):
        match = table(["TC 8D 5C"], options={"multiple": 5})
        assert {"TC on 1", "5C on 4"} <= set(match.legal())
        assert refused(match, "8D on 2") == "TK-5"

    def test_an_ace_counts_fourteen(self):
        assert "AC on 1" in actions(table(["AC"], options={"multiple": 7}))
        assert "AC on 1" not in actions(table(["AC"], options={"multiple": 7, "ace": "low"}))

    def test_a_card_is_at_most_the_reach_higher_than_the_one_below_it(self):
        reached = actions(table(["6C 9C TC"], options={"reach": 6}))
        assert "6C on 1" in reached
        assert "9C on 1" in reached
        assert "TC on 1" not in reached

    def test_with_reach_0_only_equal_ranks_and_multiples_can_be_laid(self):
        assert "4C on 1" in actions(table(["4C"], options={"reach": 0}))
        assert "5C on 1" not in actions(table(["5C"], options={"reach": 0, "multiple": 14}))
        assert "AC on 1" in actions(table(["AC"], options={"reach": 0, "multiple": 14}))

    def test_reach_goes_around_the_ace(self):
        tops, owners = "KC AD 3H 3S", "0 0 - -"
        match = position(tops, owners, ["2C 5D", "6D"], options={"reach": 2, "multiple": 13})
        assert match.legal() == ["2C on 1", "2C on 2", "5D on 3", "5D on 4", "decline"]


class TestPoints:
    def test_the_points_of_piles_and_bonuses(self):
        match = position("KC QD 5H 9D", "0 1 - 1", ["5D", "6D"], options={"pile_points": 3, "bonus_points": 7})
        assert list(match.observation(-1).standing.scores) == [10, 13]

    def test_a_bonus_without_points_is_a_score_line_of_the_piles_owner(self):
        match = position("KC QD 3H 3S", "0 0 - -", ["5D", "6D"], options={"bonus_points": 0})
        scene = find_layout("trime-kicker").lay_out(match.observation(0), ["Ann", "Bo"], None)
        assert {line.area for line in scene.score} == {"player-0"}

    def test_the_outcome_with_equal_points_names_the_reason(self):
        """TK-17: without points for a bonus, the only player with one wins."""
        match = position(
            "KC QH 5D 9D", "0 1 - -", ["6S", "6D"], options={"bonus_points": 0, "multiple": 13, "reach": 0}
        )
        while not match.over:
            match.act("decline")
        assert match.result.winners == (0,)
        scene = find_layout("trime-kicker").lay_out(match.observation(0), ["Ann", "Bo"], None)
        assert scene.outcome == "You win at 5 points each, since only you have a bonus."
