"""Tricky Tribes with other numbers than the published ones: each option does what its clause says."""

import re

import pytest

from parlour.render.layouts import find_layout
from tests.games.tricky_tribes.tables import begin, cards_in_use, deal, facts, table, taken_in
from tests.helpers import play_at_random, refused

LOOT = "dark KC, 8H, 9D, 3C"
"""A trick of four that the king wins; two red cards are among the others."""


class TestWithoutAnExchange:
    @pytest.mark.parametrize("players", [4, 6])
    def test_the_first_trick_follows_the_deal(self, players):
        match = begin(players, {"exchange": False})
        match.apply_chance("deal " + " ".join(cards_in_use(match)))
        assert facts(match)["stage"] == "tricks"
        assert refused(match, "keep") == "TT-3"


class TestLimitedLoot:
    @pytest.mark.parametrize(("limit", "loot"), [(0, "0: nothing"), (1, "0: 9D"), (2, "0: 9D 8H"), (5, "0: 9D 8H")])
    def test_a_limited_winner_takes_this_number_of_cards(self, limit, loot):
        assert taken_in(LOOT, options={"loot_limit": limit}) == loot

    @pytest.mark.parametrize(("least", "loot"), [(13, "0: 9D"), (14, "0: 9D 8H"), (15, "0: 9D 8H")])
    def test_the_loot_of_winners_from_this_number_on_is_limited(self, least, loot):
        assert taken_in(LOOT, options={"limited_from": least}) == loot

    def test_the_limit_may_be_a_low_card(self):
        assert taken_in("dark TC, 8H, 9D, 3C", options={"limited_from": 10}) == "0: 9D"
        assert taken_in("dark TC, 8H, 9D, 3C") == "0: 9D 8H"

    @pytest.mark.parametrize(
        ("trick", "options", "reason"),
        [
            ("dark KC, 8H, 9D, 3C", {}, "A court card or ace takes only one."),
            ("open 7C, 8H, 9D, KC", {}, "A court card or ace takes only one."),
            ("open 7C, 8H, 9D, KD", {}, "A court card or ace takes only one."),
            ("dark KC, 7H, 8H, 9D", {"loot_limit": 2}, "A card this high takes only 2 cards."),
            ("dark KC, 7H, 8H, 9D", {"loot_limit": 3}, ""),
            ("dark KC, 7H, 8H, 3C", {"loot_limit": 0}, "A card this high takes nothing."),
            ("dark TC, 8H, 9D, 3C", {"limited_from": 10}, "A card this high takes only 1 card."),
            ("dark JC, 8H, 9D, 3C", {"limited_from": 12}, ""),
            ("open 7H, 8H, 9D, KD", {}, ""),
            ("open 7C, 8C, 9S, KC", {"loot_limit": 0, "limited_from": 2}, ""),
        ],
    )
    def test_the_log_gives_the_reason_why_red_cards_are_left_behind(self, trick, options, reason):
        *earlier, last = trick.split(", ")
        match = table(["", "", "", last], ", ".join(earlier), options=options)
        before = match.observation(0)
        match.act(last)
        scene = find_layout("tricky-tribes").lay_out(match.observation(0), ["Ann", "Bo", "Cy", "Di"], before)
        reasons = re.findall(r"A (?:court card or ace|card this high) takes.*", "\n".join(scene.log))
        assert reasons == ([reason] if reason else [])

    def test_a_joker_of_a_court_cards_number_is_limited_without_being_called_one(self):
        match = table(["XB", "8H", "9D", "3C"], "dark XB, 8H, 9D", options={"jokers": 1, "joker_number": 14})
        before = match.observation(0)
        match.act("3C")
        scene = find_layout("tricky-tribes").lay_out(match.observation(0), ["Ann", "Bo", "Cy", "Di"], before)
        assert scene.log[-1].endswith("collect the nine of diamonds. A card this high takes only 1 card.")


POINTS = {"red_points": 3, "red_court_points": 5, "black_points": 2, "black_court_points": 7}


class TestPoints:
    @pytest.mark.parametrize(
        ("trick", "scores"),
        [
            ("open 7H, 8H, 9D, 3C", [0, 0, 3, 0]),
            ("open QH, 8H, 9D, 3C", [0, 0, 5, 0]),
            ("open 7C, 8C, 9S, 3C", [0, 0, 0, -2]),
            ("open QC, 8C, 9S, 3C", [0, 0, 0, -7]),
        ],
    )
    def test_each_kind_of_card_has_its_points(self, trick, scores):
        match = table([], trick, options={**POINTS, "hand_cards": 1, "rounds": 1})
        assert list(match.result.scores) == scores


class TestTheMostRounds:
    def test_a_game_to_the_target_ends_after_this_number_of_rounds(self):
        match = begin(options={"target": 1000, "round_limit": 2, "hand_cards": 1})
        *_, match = play_at_random(match, 3)
        assert facts(match)["round"] == 2
        assert match.game.ending(match.state) == "2 rounds were played (TT-18)"


class TestJokers:
    def test_they_rank_by_their_number(self):
        trick = "dark XB, JH, 9D, 3C"
        assert taken_in(trick, options={"jokers": 1}).startswith("1: ")
        assert taken_in(trick, options={"jokers": 1, "joker_number": 12}).startswith("0: ")

    def test_they_have_their_points(self):
        options = {"jokers": 1, "joker_points": 6, "hand_cards": 1, "rounds": 1}
        assert list(table([], "open XB, JH, 9D, 3C", options=options).result.scores) == [0, 6, 0, 0]


@pytest.mark.parametrize("ranks", [1, 6])
def test_tt_22_the_lowest_ranks_are_left_out_of_a_cut_deck(ranks):
    match = begin(2, {"cut_ranks": ranks, "hand_cards": 4})
    assert int(match.state.in_use).bit_count() == 52 - 4 * ranks


@pytest.mark.parametrize("weight", [1, 4])
def test_tt_27_a_single_player_among_teams_counts_with_its_weight(weight):
    options = {"teams": "pairs", "single_weight": weight, "rounds": 1, "hand_cards": 1}
    match = table([], "open 7H, 8H, 9H, 3C, KH", 5, options)
    assert list(match.result.scores) == [0, 0, 0, 0, weight]


def test_the_cards_of_a_hand_are_the_tricks_of_a_round():
    match = deal(begin(3, {"hand_cards": 4}), [])
    assert facts(match)["tricks"] == 4
