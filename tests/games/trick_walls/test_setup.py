"""Trick Walls, TW-1 to TW-6: cities, teams, colours, the deal."""

import pytest

from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, OptionError, PlayersError
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from tests.games.trick_walls.tables import TRICK_WALLS, begin, deal, ring, table
from tests.helpers import ALL_CARDS, play_at_random, zone_text


def facts(match):
    return match.observation(SPECTATOR).facts


def rings(players, rounds=6, options=None):
    """Return the seating in every round of a game."""
    match = begin(players, {"rounds": rounds, **(options or {})})
    found = []
    for _ in range(rounds):
        match.apply_chance(match.sample_chance(StreamRandomness(new_stream(len(found)))))
        found.append(ring(match))
        for _ in play_at_random(match, 1, until_chance=True):
            pass
    assert match.over
    return found


class TestTW1CitiesAndTeams:
    @pytest.mark.parametrize(("players", "cities"), [(2, 4), (3, 4), (4, 4), (5, 6), (6, 6)])
    def test_there_are_four_cities_or_six_with_five_or_six_players(self, players, cities):
        assert len(facts(table([], players=players))["cities"]) == cities

    @pytest.mark.parametrize(
        ("players", "sides"),
        [(2, [1, -1]), (3, [1, 1, -1]), (4, [1, 1, -1, -1]), (5, [1, 1, 1, -1, -1]), (6, [1, 1, 1, -1, -1, -1])],
    )
    def test_team_a_holds_the_first_half_of_the_ring(self, players, sides):
        assert facts(begin(players, dealer="B", colour="red"))["sides"] == sides

    @pytest.mark.parametrize("players", [1, 7, 0, True])
    def test_it_is_for_two_to_six_players(self, players):
        with pytest.raises(PlayersError, match="2 to 6 players"):
            begin(players)


class TestTW2PlacesOfTheFirstRound:
    @pytest.mark.parametrize(
        ("players", "places"),
        [(2, "0 D 1 D"), (3, "0 1 2 D"), (4, "0 1 2 3"), (5, "0 1 2 3 D 4"), (6, "0 1 2 3 4 5")],
    )
    def test_dummies_have_their_places(self, players, places):
        assert ring(table([], players=players)) == places


class TestTW3HalfTime:
    def test_with_four_cities_teammates_swap_after_every_second_round(self):
        assert rings(4) == ["0 1 2 3", "0 1 2 3", "1 0 3 2", "1 0 3 2", "0 1 2 3", "0 1 2 3"]

    def test_with_six_each_moves_one_place_ahead_and_the_first_becomes_the_third(self):
        first, second, third = "0 1 2 3 4 5", "1 2 0 4 5 3", "2 0 1 5 3 4"
        assert rings(6) == [first, first, second, second, third, third]

    def test_a_team_of_one_player_and_a_dummy_never_changes(self):
        assert rings(2) == ["0 D 1 D"] * 6

    def test_only_the_team_without_a_dummy_changes_with_three_players(self):
        assert rings(3) == ["0 1 2 D", "0 1 2 D", "1 0 2 D", "1 0 2 D", "0 1 2 D", "0 1 2 D"]

    def test_the_two_players_beside_a_dummy_swap(self):
        first, second, third = "0 1 2 3 D 4", "1 2 0 4 D 3", "2 0 1 3 D 4"
        assert rings(5) == [first, first, second, second, third, third]


class TestTW4Colours:
    @pytest.mark.parametrize(
        ("dealer", "colour", "sides"),
        [
            ("A", "red", [-1, -1, 1, 1]),
            ("A", "black", [1, 1, -1, -1]),
            ("B", "red", [1, 1, -1, -1]),
            ("B", "black", [-1, -1, 1, 1]),
        ],
    )
    def test_the_team_that_does_not_deal_draws_its_colour(self, dealer, colour, sides):
        assert facts(begin(4, dealer=dealer, colour=colour))["sides"] == sides

    def test_the_colour_is_for_the_whole_game(self):
        match = begin(6, dealer="A", colour="black")
        assert {tuple(facts(match)["sides"]) for _ in play_at_random(match, 3)} == {(1, 1, 1, -1, -1, -1)}

    def test_red_and_black_are_drawn_equally_often(self):
        drawn = []
        for number in range(400):
            match, chance = begin_with_dealer(), StreamRandomness(new_stream(5, number))
            match.apply_chance(match.sample_chance(chance))
            drawn.append(match.events[-1].do)
        assert set(drawn) == {"colour red", "colour black"}
        assert 150 < drawn.count("colour red") < 250


def begin_with_dealer():
    match = Match(Setup(TRICK_WALLS, 4))
    match.apply_chance("dealer A")
    return match


class TestTW5RoundsAndDealers:
    @pytest.mark.parametrize(("players", "rounds"), [(2, 4), (3, 4), (4, 4), (5, 6), (6, 6)])
    def test_a_game_is_four_rounds_or_six_with_six_cities(self, players, rounds):
        match = begin(players)
        for _ in play_at_random(match, 2):
            pass
        assert sum(event.do.startswith("deal ") for event in match.events) == rounds

    def test_either_team_deals_first_equally_often(self):
        dealers = []
        for number in range(400):
            match = Match(Setup(TRICK_WALLS, 2))
            match.apply_chance(match.sample_chance(StreamRandomness(new_stream(6, number))))
            dealers.append(match.events[-1].do)
        assert set(dealers) == {"dealer A", "dealer B"}
        assert 150 < dealers.count("dealer A") < 250

    @pytest.mark.parametrize(
        ("players", "dealer", "starter"), [(4, "A", 2), (4, "B", 0), (2, "A", 2), (6, "A", 3), (6, "B", 0), (5, "A", 3)]
    )
    def test_the_first_place_of_the_team_that_does_not_deal_starts(self, players, dealer, starter):
        match = table([], players=players, dealer=dealer)
        assert facts(match)["starter"] == starter
        assert match.actor == facts(match)["cities"][starter]["holder"]

    def test_the_deal_passes_from_team_to_team(self):
        match, starters = begin(4, dealer="A"), []
        for _ in play_at_random(match, 4):
            if match.events[-1].do.startswith("deal "):
                starters.append(match.actor)
        assert starters == [2, 0, 3, 1], "the swap at half-time puts 3 and 1 into the first places"

    @pytest.mark.parametrize("rounds", [1, 3, 99])
    def test_any_number_of_rounds_up_to_99_is_accepted(self, rounds):
        assert Setup(TRICK_WALLS, 6, {"rounds": rounds}).options["rounds"] == rounds

    @pytest.mark.parametrize("rounds", [0, 100, -1, True, "4", 4.5])
    def test_any_other_number_of_rounds_is_refused(self, rounds):
        with pytest.raises(OptionError, match=r"rounds is .*, but (may be|must be a whole number,) 1 to 99 \(TW-5\)"):
            Setup(TRICK_WALLS, 4, {"rounds": rounds})


class TestTW6TheDeal:
    @pytest.mark.parametrize(
        ("players", "options", "each", "rest"),
        [(4, {}, 9, 16), (3, {}, 9, 16), (4, {"long_run": True}, 13, 0), (5, {}, 8, 4), (6, {}, 8, 4)],
    )
    def test_cities_have_nine_cards_thirteen_in_a_long_run_or_eight_of_six(self, players, options, each, rest):
        match = table([], players=players, options=options)
        assert zone_text(match, "hand", 0, seat=0).split().count("??") == 0
        assert len(zone_text(match, "hand", 0, seat=0).split()) == each
        assert zone_text(match, "hand", 0) == " ".join(["??"] * each)
        assert facts(match)["tricks"] == each
        assert zone_text(match, "out of play") == " ".join(["??"] * rest)

    def test_cards_are_dealt_one_at_a_time_clockwise_the_first_to_the_city_that_starts(self):
        match = begin(4, dealer="A")
        match.apply_chance("deal " + " ".join(ALL_CARDS))
        assert zone_text(match, "hand", 2, seat=2) == "2C 6C TC AC 5D 9D KD 4H 8H"
        assert zone_text(match, "hand", 3, seat=3) == "3C 7C JC 2D 6D TD AD 5H 9H"
        assert zone_text(match, "hand", 0, seat=0) == "4C 8C QC 3D 7D JD 2H 6H TH"
        assert zone_text(match, "hand", 1, seat=1) == "5C 9C KC 4D 8D QD 3H 7H JH"

    @pytest.mark.parametrize("seat", [-1, 0, 1, 2, 3])
    def test_cards_out_of_play_are_never_seen(self, seat):
        match = begin(4, {"rounds": 1})
        for _ in play_at_random(match, 8):
            if match.observation(seat).zones:
                assert zone_text(match, "out of play", seat=seat) == " ".join(["??"] * 16)

    def test_a_new_round_is_dealt_from_the_whole_deck(self):
        match = table([], options={"rounds": 2})
        for _ in play_at_random(match, 1, until_chance=True):
            pass
        deal(match, ["2H 3H"], starter=2)
        assert {"2H", "3H"} <= set(zone_text(match, "hand", 0, seat=0).split())
        assert zone_text(match, "face up", 0) == zone_text(match, "face down", 0) == ""


class TestNotationOfChance:
    def test_the_events_at_the_start_are_dealer_colour_deal(self):
        match = begin(4, dealer="A", colour="black")
        match.apply_chance(match.sample_chance(StreamRandomness(new_stream(1))))
        assert [event.do.split()[0] for event in match.events] == ["dealer", "colour", "deal"]
        assert [event.do for event in match.events[:2]] == ["dealer A", "colour black"]
        assert sorted(match.events[2].do.split()[1:]) == sorted(ALL_CARDS)

    @pytest.mark.parametrize("wrong", ["dealer C", "dealer", "dealer a", "colour red", "deal", ""])
    def test_the_first_event_is_a_dealing_team(self, wrong):
        match = Match(Setup(TRICK_WALLS, 4))
        with pytest.raises(IllegalError, match="it must be one of dealer A, dealer B"):
            match.apply_chance(wrong)
        assert match.events == []

    def test_the_second_event_is_a_colour(self):
        with pytest.raises(IllegalError, match="it must be one of colour red, colour black"):
            begin_with_dealer().apply_chance("colour green")

    def test_a_deal_has_each_card_once(self):
        short = "deal " + " ".join(ALL_CARDS[:-2])
        with pytest.raises(IllegalError, match="KS, AS missing"):
            begin().apply_chance(short)
        with pytest.raises(IllegalError, match="2C is named twice"):
            begin().apply_chance(f"{short} 2C KS")
        with pytest.raises(IllegalError, match="XB not in the deck"):
            begin().apply_chance("deal " + " ".join(ALL_CARDS) + " XB")
        with pytest.raises(IllegalError, match="'1C' is not a card"):
            begin().apply_chance(f"{short} 1C KS")
        with pytest.raises(IllegalError, match="it must be 'deal' and 52 cards"):
            begin().apply_chance("shuffle " + " ".join(ALL_CARDS))
