"""Trick Walls, TW-17 to TW-22: scoring.

Team A (cities 0 and 1) is red by default. The numbers of a line are the points of each player.
"""

import pytest

from parlour.engine.errors import OptionError
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.render.layouts import find_layout
from tests.games.trick_walls.tables import TRICK_WALLS, begin, deal, lines, table, walls
from tests.helpers import play, play_at_random

CLUBS, DIAMONDS, HEARTS, SPADES = (" ".join(f"{rank}{suit}" for rank in "23456789T") for suit in "CDHS")
A_SUIT_EACH = [CLUBS, DIAMONDS, HEARTS, SPADES]
"""Hands in which no city can follow suit: every trick is empty, and all cards end face down."""
ONE_KING = [HEARTS, "KH " + DIAMONDS[:-3], CLUBS, SPADES]
"""Hands in which KH must follow the led 2H, so these two cards lie face up; every other trick is empty."""
THE_KING_FOLLOWS = "2H KH"


def finish(match, line="", seed=0):
    """Play the line, then at random to the end of the round, which does not affect the score in these deals."""
    play(match, line)
    for _ in play_at_random(match, seed, until_chance=True):
        pass
    return match


def result(hands, line="", players=4, colour="red", **options):
    """Return scores and winners of a game of one round."""
    match = finish(table(hands, "", players, {"rounds": 1, **options}, colour=colour), line)
    return list(match.result.scores), list(match.result.winners)


class TestTW17CardPoints:
    @pytest.mark.parametrize(("card", "points"), [("2", 1), ("9", 1), ("T", 1), ("J", 2), ("Q", 2), ("K", 2)])
    def test_courts_count_two_and_the_others_one(self, card, points):
        match = table([f"{card}H"], trick=f"{card}H")
        assert (
            lines(match, "TW-18")[0] == f"city 0: face up: red {points}, black 0, {points} {points} -{points} -{points}"
        )

    def test_an_ace_counts_two_also_where_it_ranks_below_the_two(self):
        match = table([], trick="AS 2S")
        assert lines(match, "TW-18")[:2] == [
            "city 0: face up: red 0, black 2, -2 -2 2 2",
            "city 1: face up: red 0, black 1, -1 -1 1 1",
        ]

    @pytest.mark.parametrize(("suit", "red"), [("C", 0), ("D", 1), ("H", 1), ("S", 0)])
    def test_diamonds_and_hearts_are_red_clubs_and_spades_black(self, suit, red):
        match = table([], trick=f"7{suit}")
        assert lines(match, "TW-18")[0].startswith(f"city 0: face up: red {red}, black {1 - red},")


class TestTW18BaseScore:
    def test_cards_count_for_their_colours_side_in_whichever_city(self):
        match = table([], trick="7C 8C 9C KC")
        assert lines(match, "TW-18") == [
            "city 0: face up: red 0, black 1, -1 -1 1 1",
            "city 1: face up: red 0, black 1, -1 -1 1 1",
            "city 2: face up: red 0, black 1, -1 -1 1 1",
            "city 3: face up: red 0, black 2, -2 -2 2 2",
        ]

    def test_face_down_cards_do_not_count(self):
        match = table([], trick="7H KH 9H AC")
        assert [line for line in lines(match, "TW-18") if not line.endswith(" 0 0 0 0")] == [
            "city 0: face up: red 1, black 0, 1 1 -1 -1",
            "city 1: face up: red 2, black 0, 2 2 -2 -2",
        ]

    def test_the_base_score_of_a_round_is_the_difference_between_the_sides(self):
        """2H and KH, one and two points."""
        assert result(ONE_KING, THE_KING_FOLLOWS, pure_bonuses=False) == ([3, 3, -3, -3], [0, 1])

    def test_dummy_cities_count_as_the_others(self):
        assert result(ONE_KING, THE_KING_FOLLOWS, players=2, pure_bonuses=False) == ([3, -3], [0])


class TestTW19TheEnd:
    def test_the_side_with_more_points_wins(self):
        assert result(ONE_KING, THE_KING_FOLLOWS, pure_bonuses=False, colour="black") == ([-3, -3, 3, 3], [2, 3])

    def test_an_equal_score_is_a_draw(self):
        assert result(A_SUIT_EACH) == ([0, 0, 0, 0], [0, 1, 2, 3])

    def test_every_player_has_the_points_of_the_side(self):
        match = begin(5, {"rounds": 1})
        for _ in play_at_random(match, 11):
            pass
        scores = match.result.scores
        assert len(set(scores[:3])) == len(set(scores[3:])) == 1
        assert scores[0] == -scores[4] != 0
        assert match.result.winners == ((0, 1, 2) if scores[0] > 0 else (3, 4))

    def test_points_are_summed_over_all_rounds(self):
        match = begin(options={"rounds": 3, "pure_bonuses": False})
        finish(deal(match, ONE_KING), THE_KING_FOLLOWS)
        finish(deal(match, [CLUBS, SPADES, HEARTS, "KH " + DIAMONDS[:-3]], starter=2), THE_KING_FOLLOWS)
        assert not match.over
        finish(deal(match, [CLUBS, "KC " + SPADES[:-3], HEARTS, DIAMONDS]), "2C KC")
        assert match.result.to_json() == {"scores": [3, 3, -3, -3], "winners": [0, 1]}


def test_the_points_before_a_round_are_shown_until_the_next_deal():
    match = finish(table([], options={"rounds": 2}), seed=1)
    observation = match.observation(SPECTATOR)
    assert any(observation.standing.scores)
    assert observation.facts["before"] == [0, 0, 0, 0]


class TestTW20PureBonuses:
    def test_a_city_whose_face_up_cards_are_all_of_one_colour_brings_that_side_three(self):
        match = table([], trick="7H 8H AC 2C")
        assert lines(match, "TW-20")[:2] == ["city 0: pure red city, 3 3 -3 -3", "city 1: pure red city, 3 3 -3 -3"]
        match = table([], trick="7S 8S AC 2C")
        assert lines(match, "TW-20")[0] == "city 0: pure black city, -3 -3 3 3"

    def test_a_city_whose_face_down_cards_are_all_of_one_colour_costs_that_side_three(self):
        match = table([], trick="7H 8H AC 2D")
        assert lines(match, "TW-20")[2:] == [
            "city 2: massacre of black, 3 3 -3 -3",
            "city 3: massacre of red, -3 -3 3 3",
        ]

    @pytest.mark.parametrize(("first", "second", "colour"), [("C", "S", "black"), ("D", "H", "red")])
    def test_the_two_suits_of_a_colour_are_pure_together(self, first, second, colour):
        hands = [f"{low}{first} {high}{second}" for low, high in ("27", "38", "49", "5T")]
        match = table(hands, trick=f"2{first} 3{first} 4{first} 5{first}")
        play(match, f"8{second} 9{second} T{second} 7{second}")
        assert [line.split(", ")[0] for line in lines(match, "TW-20")] == [
            f"city 0: pure {colour} city",
            f"city 0: massacre of {colour}",
            f"city 1: pure {colour} city",
            f"city 2: pure {colour} city",
            f"city 3: pure {colour} city",
        ]

    def test_a_city_of_both_colours_brings_nothing_and_killed_cards_of_both_cost_nothing(self):
        match = table(["7S 4H", "8S 3H", "2C 2H", "9S 5H"], trick="7S 8S 2C 9S")
        play(match, "3H 2H 5H 4H")
        assert walls(match) == "7S | 4H / 3H 8S | / | 2C 2H / 5H 9S |"
        assert lines(match, "TW-20") == ["city 0: pure black city, -3 -3 3 3", "city 0: massacre of red, -3 -3 3 3"]

    def test_neither_bonus_goes_to_a_city_without_such_cards(self):
        match = table([], trick="7H")
        assert lines(match, "TW-20") == ["city 0: pure red city, 3 3 -3 -3"]
        assert lines(table([]), "TW-20") == []

    def test_a_whole_round_has_the_sum(self):
        """Base 3; two pure red cities +6; two massacres of red −6, two of black +6."""
        assert result(ONE_KING, THE_KING_FOLLOWS) == ([9, 9, -9, -9], [0, 1])

    def test_the_bonus_may_be_five_points(self):
        """Base 3; +10 −10 +10."""
        assert result(ONE_KING, THE_KING_FOLLOWS, pure_bonus_points=5) == ([13, 13, -13, -13], [0, 1])

    def test_without_pure_bonuses_their_points_have_no_effect(self):
        for points in (3, 5):
            chosen = {"pure_bonuses": False, "pure_bonus_points": points}
            assert result(ONE_KING, THE_KING_FOLLOWS, **chosen) == ([3, 3, -3, -3], [0, 1])

    def test_they_are_on_by_default(self):
        resolved = Setup(TRICK_WALLS, 4).options
        assert (resolved["pure_bonuses"], resolved["pure_bonus_points"]) == (True, 3)

    @pytest.mark.parametrize("points", [21, 0, True, "3", 3.5])
    def test_any_other_number_is_refused(self, points):
        with pytest.raises(OptionError, match=r"pure_bonus_points is .*, but .* 1 to 20 \(TW-20\)"):
            Setup(TRICK_WALLS, 4, {"pure_bonus_points": points})


class TestTW21KillBalance:
    def test_face_down_cards_count_against_their_own_side(self):
        match = table([], trick="7H 8H AC 2D", options={"kill_balance": True})
        assert lines(match, "TW-21") == [
            "city 2: face down: red 0, black 2, 2 2 -2 -2",
            "city 3: face down: red 1, black 0, -1 -1 1 1",
        ]

    def test_a_whole_round_has_the_sum(self):
        """Two more points for the red side: 18 black cards lie face down, and 16 red ones."""
        assert result(ONE_KING, THE_KING_FOLLOWS, kill_balance=True) == ([11, 11, -11, -11], [0, 1])
        assert result(ONE_KING, THE_KING_FOLLOWS, kill_balance=True, pure_bonuses=False) == ([5, 5, -5, -5], [0, 1])

    def test_it_is_off_by_default(self):
        assert lines(table([], trick="7H 8H AC 2D"), "TW-21") == []

    def test_kill_balance_in_a_long_run_is_legal_but_advised_against(self):
        both = Setup(TRICK_WALLS, 4, {"kill_balance": True, "long_run": True}).options
        assert TRICK_WALLS.advice(4, both) == ["The published rules advise against a long run with kill balance."]
        for one in ({"kill_balance": True}, {"long_run": True}, {}):
            assert TRICK_WALLS.advice(4, Setup(TRICK_WALLS, 4, one).options) == []


class TestTW22CityKeepers:
    def test_players_score_only_their_own_city(self):
        """City 0: 2H one point. City 1: KH two. The totals need not add up to zero."""
        chosen = {"city_keepers": True, "pure_bonuses": False}
        assert result(ONE_KING, THE_KING_FOLLOWS, **chosen) == ([1, 2, 0, 0], [1])

    def test_a_keeper_scores_pure_bonuses(self):
        """Each red keeper has +3 for purity and −3 for a massacre of red, each black one −3 for a massacre of black."""
        assert result(ONE_KING, THE_KING_FOLLOWS, city_keepers=True) == ([1, 2, -3, -3], [1])

    def test_a_keeper_pays_for_killed_cards_with_kill_balance(self):
        chosen = {"city_keepers": True, "pure_bonuses": False, "kill_balance": True}
        assert result(ONE_KING, THE_KING_FOLLOWS, **chosen) == ([1 - 8, 2 - 8, -9, -9], [1])

    def test_the_count_is_symmetric(self):
        """A red keeper gains by a massacre of black, and a black keeper by one of red."""
        assert result(A_SUIT_EACH, city_keepers=True) == ([3, -3, 3, -3], [0, 2])

    def test_a_city_pure_in_the_other_colour_costs_its_keeper_the_bonus(self):
        """2H and KH lie in the cities of black keepers; cards of all suits lie face down."""
        hands = [CLUBS, SPADES, HEARTS, "KH " + DIAMONDS[:-3]]
        match = table(hands, "", 4, {"rounds": 1, "city_keepers": True}, dealer="A", colour="black")
        finish(match, THE_KING_FOLLOWS)
        assert walls(match).split(" / ")[2].startswith("2H |")
        assert match.result.to_json() == {"scores": [3, 3, -1, -2], "winners": [0, 1]}

    def test_dummies_score_for_no_side(self):
        """With two players the king lies in a dummy."""
        assert result(ONE_KING, THE_KING_FOLLOWS, players=2, city_keepers=True) == ([1, -3], [0])

    def test_it_is_the_city_held_in_the_round(self):
        """Four rounds of the same cards: after half-time teammates sit in each other's city."""
        match = begin(options={"rounds": 4, "city_keepers": True})
        totals = []
        for starter in (0, 2, 0, 2):
            finish(deal(match, A_SUIT_EACH, starter=starter))
            totals.append(list(match.observation(SPECTATOR).standing.scores))
        assert totals == [[3, -3, 3, -3], [6, -6, 6, -6], [3, -3, 3, -3], [0, 0, 0, 0]]
        assert match.result.winners == (0, 1, 2, 3)

    @pytest.mark.parametrize(
        ("seat", "gains"), [(0, "you +3; Ben −3; Cleo +3; Dag −3"), (1, "Ann +3; you −3; Cleo +3; Dag −3")]
    )
    def test_the_end_of_a_round_names_the_gain_of_each_keeper(self, seat, gains):
        match = begin(options={"rounds": 4, "city_keepers": True})
        finish(deal(match, A_SUIT_EACH))
        scene = find_layout("trick-walls").lay_out(match.observation(seat), ["Ann", "Ben", "Cleo", "Dag"], None)
        assert scene.pause == f"Round 1 of 4 is over: {gains}."

    def test_a_line_has_points_for_its_keeper_only(self):
        match = table([], trick="7H 8H AC 2D", options={"city_keepers": True})
        assert lines(match, "TW-18")[:2] == [
            "city 0: face up: red 1, black 0, 1 0 0 0",
            "city 1: face up: red 1, black 0, 0 1 0 0",
        ]
        assert lines(match, "TW-20")[2:] == ["city 2: massacre of black, 0 0 -3 0", "city 3: massacre of red, 0 0 0 3"]
