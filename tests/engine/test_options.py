"""Options and numbers of players: accepted values, refused values, and the refusals."""

import pytest

from parlour.engine.errors import GameError, OptionError, PlayersError
from parlour.engine.game import NO_LIMIT, Option, option_value_name, parse_option_value
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.server.http.catalogue import catalogue, option_json

TRICK_WALLS = find_game("trick-walls")
GAMES = {game.id: game for game in all_games()}
every_game = pytest.mark.parametrize("game_id", GAMES)


def refusal_of(players, given, error=OptionError):
    with pytest.raises(error) as caught:
        Setup(TRICK_WALLS, players, given)
    return str(caught.value)


class TestRefusedValues:
    def test_an_unknown_option_is_refused_with_the_known_ones(self):
        assert refusal_of(4, {"rouns": 3}) == (
            "Trick Walls has no option 'rouns'; it has pure_bonuses, pure_bonus_points, kill_balance, city_keepers, "
            "long_run, exchange, rounds, hand_cards, massacre_points, court_points, plain_points, killed_court_points, "
            "killed_plain_points, led_ace, half_time, dummy_open"
        )

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"rounds": 0}, "rounds is 0, but may be 1 to 99 (TW-5)"),
            ({"rounds": 100}, "rounds is 100, but may be 1 to 99 (TW-5)"),
            ({"rounds": "four"}, "rounds is 'four', but must be a whole number, 1 to 99 (TW-5)"),
            ({"rounds": None}, "rounds is None, but must be a whole number, 1 to 99 (TW-5)"),
            ({"pure_bonus_points": 0}, "pure_bonus_points is 0, but may be 1 to 20 (TW-20)"),
            ({"led_ace": 2}, "led_ace is 2, but may be 1, 14 (TW-9)"),
            ({"kill_balance": "true"}, "kill_balance is 'true', but may be true, false (TW-21)"),
            ({"city_keepers": None}, "city_keepers is None, but may be true, false (TW-22)"),
            ({"city_keepers": []}, "city_keepers is [], but may be true, false (TW-22)"),
            ({"exchange": {}}, "exchange is {}, but may be true, false (TW-24)"),
        ],
    )
    def test_a_value_outside_the_range_is_refused_with_the_range(self, given, message):
        assert refusal_of(4, given) == message

    @pytest.mark.parametrize("value", [True, False])
    def test_true_and_false_are_refused_for_a_number(self, value):
        """Python takes True for 1."""
        assert refusal_of(4, {"rounds": value}) == f"rounds is {value}, but must be a whole number, 1 to 99 (TW-5)"

    @pytest.mark.parametrize("value", [0, 1, 0.0, 1.0])
    def test_numbers_are_refused_for_true_or_false(self, value):
        assert refusal_of(4, {"long_run": value}) == f"long_run is {value}, but may be true, false (TW-23)"

    @pytest.mark.parametrize("value", [4.0, 3.5, float("nan"), float("inf")])
    def test_floats_are_refused_for_a_whole_number(self, value):
        assert refusal_of(4, {"rounds": value}).startswith("rounds is ")
        assert refusal_of(4, {"pure_bonus_points": value}).startswith("pure_bonus_points is ")

    def test_a_number_above_the_greatest_one_is_refused_with_the_greatest(self):
        """An open range ends where the numbers of a state end."""
        with pytest.raises(OptionError) as refused:
            Setup(find_game("three-tricks"), 2, {"stall_turns": 2**62})
        assert str(refused.value) == f"stall_turns is {2**62}, but may be 1 to {2**62 - 1} (3T-21)"

    def test_an_option_for_other_numbers_of_players_is_refused(self):
        message = "long_run=true is not for 5 players: a long run is for two to four players (TW-23)"
        assert refusal_of(5, {"long_run": True}) == message
        assert Setup(TRICK_WALLS, 4, {"long_run": True}).options["long_run"] is True

    @pytest.mark.parametrize("players", [0, 1, 7, -2, True, "4", None, 4.0, 10**30])
    def test_an_unsupported_number_of_players_is_refused(self, players):
        assert refusal_of(players, {}, PlayersError) == f"Trick Walls is for 2 to 6 players, not {players!r}"


class TestAcceptedValues:
    def test_an_explicit_default_fits_every_number_of_players(self):
        assert Setup(TRICK_WALLS, 6, {"long_run": False}).options == Setup(TRICK_WALLS, 6).options

    def test_a_default_may_depend_on_the_number_of_players(self):
        assert [Setup(TRICK_WALLS, players).options["rounds"] for players in (2, 3, 4, 5, 6)] == [4, 4, 4, 6, 6]

    def test_a_default_may_follow_from_another_option(self):
        options = Setup(TRICK_WALLS, 4, {"long_run": True, "pure_bonus_points": 5, "court_points": 4}).options
        assert (options["hand_cards"], options["massacre_points"], options["killed_court_points"]) == (13, 5, 4)

    def test_options_combine(self):
        given = {
            "pure_bonuses": False,
            "pure_bonus_points": 5,
            "kill_balance": True,
            "city_keepers": True,
            "long_run": True,
            "exchange": False,
            "rounds": 99,
        }
        assert Setup(TRICK_WALLS, 4, given).options.items() >= given.items()

    def test_only_other_values_than_the_defaults_are_recorded(self):
        for players, rounds in ((4, 4), (6, 6)):
            setup = Setup(TRICK_WALLS, players, {"rounds": rounds, "kill_balance": True, "exchange": True})
            assert setup.chosen == {"kill_balance": True}
        assert Setup(TRICK_WALLS, 4, {"rounds": 6}).chosen == {"rounds": 6}


@every_game
class TestOptionsOfEveryGame:
    def test_the_defaults_fit_every_number_of_players(self, game_id):
        for players in GAMES[game_id].players:
            setup = Setup(GAMES[game_id], players)
            assert setup.chosen == {}
            assert Setup(GAMES[game_id], players, setup.options) == setup

    def test_chosen_options_suffice_in_a_record(self, game_id):
        game = GAMES[game_id]
        for players in game.players:
            for option in game.options:
                for value in option.values[:12]:
                    try:
                        setup = Setup(game, players, {option.name: value})
                    except OptionError:
                        continue
                    assert Setup(game, players, setup.chosen) == setup

    def test_every_value_is_typed_and_read_back(self, game_id):
        for option in GAMES[game_id].options:
            for value in option.values[:200]:
                read = parse_option_value(option_value_name(value))
                assert (read, type(read)) == (value, type(value))

    def test_every_option_has_a_clause_and_consequences(self, game_id):
        for option in GAMES[game_id].options:
            assert option.clause.startswith(f"{GAMES[game_id].prefix}-")
            assert option.help
            assert isinstance(option.values, range) or set(option.consequences) == set(option.values)


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("false", False), ("5", 5), ("-1", -1), ("pair", "pair"), ("True", "True"), (" 7", 7)]
    + [(text, text) for text in ("000", "1_000", "+5", "1e3", "9" * 5000)],
)
def test_a_typed_value_is_a_number_true_false_or_a_text(text, value):
    read = parse_option_value(text)
    assert (read, type(read)) == (value, type(value))


class TestTextOptions:
    """Options may accept a pattern of texts beyond those listed, and ranges may be open."""

    OPTION = Option(
        "seats", ("none", "pairs"), "none", "X-1", "who sits where", pattern="[A-Z]+", pattern_words="letters"
    )

    @pytest.mark.parametrize("value", ["none", "pairs", "ABAB", "X"])
    def test_a_listed_text_or_one_of_the_pattern_is_accepted(self, value):
        assert self.OPTION.check(4, value, {}) == value

    @pytest.mark.parametrize("value", ["abab", "AB AB", "", "AB\n", 5, True, None])
    def test_every_other_text_is_refused(self, value):
        with pytest.raises(OptionError, match=r"may be none, pairs, or letters \(X-1\)"):
            self.OPTION.check(4, value, {})

    def test_the_text_of_an_open_range_says_so(self):
        option = Option("target", range(1, NO_LIMIT), 15, "X-1", "when it ends")
        assert option.values_text() == "1 and up"
        assert option.check(4, 10**18, {}) == 10**18
        with pytest.raises(OptionError, match="may be 1 and up"):
            option.check(4, 0, {})


class TestTriedValues:
    """Checks and smoke matches try all values of a short range; of a long one those that the option names.

    If it names none they try the first three values, or the extremes of an advanced option.
    """

    @pytest.mark.parametrize(
        ("values", "more", "tried"),
        [
            (range(1, 4), {}, [1, 2, 3]),
            (range(1, 100), {}, [1, 2, 3]),
            (range(0, 21), {"advanced": True}, [0, 20]),
            (range(0, 21), {"tried": (1, 30, 20)}, [1, 20]),
            ((True, False), {"advanced": True}, [True, False]),
            (("none", "pairs"), {"pattern": "[A-Z]+", "tried": ("pairs", "ABAB", "ab")}, ["pairs", "ABAB"]),
            (range(0, 21), {"tried": (1, 6), "limits": lambda players: range(players)}, [1]),
        ],
    )
    def test_follow_from_the_range(self, values, more, tried):
        assert list(Option("cards", values, values[0], "X-1", "cards", **more).trials(4)) == tried

    def test_the_page_receives_the_mark_of_advanced_options(self):
        assert option_json(Option("cards", range(9), 1, "X-1", "cards", advanced=True), {4: 1})["advanced"] is True

    def test_the_page_receives_defaults_that_follow_from_another_option(self):
        (game,) = (each for each in catalogue()["games"] if each["id"] == "trick-walls")
        depends = {option["name"]: option["depends"] for option in game["options"]}
        assert depends["hand_cards"]["4"] == {"long_run": {"true": 13}}
        assert depends["massacre_points"]["4"]["pure_bonus_points"]["5"] == 5
        assert depends["rounds"] == {}


class TestRangesThatDependOnThePlayers:
    TRICKS = Option(
        "tricks", range(1, 18), 5, "FT-1", "tricks a round", limits=lambda players: range(1, 51 // players + 1)
    )

    def test_their_limits_are_in_the_json_for_the_page(self):
        option = option_json(self.TRICKS, {3: 5, 4: 5})
        assert (option["min"], option["max"]) == (1, 17)
        assert option["limits"] == {"4": [1, 12]}
        assert option["refused"] == {}
        assert option["title"] == "Tricks"

    def test_a_number_beyond_them_is_refused_with_the_range(self):
        assert self.TRICKS.check(3, 17, {}) == 17
        with pytest.raises(OptionError, match=r"tricks is 13, but may be 1 to 12 for 4 players \(FT-1\)"):
            self.TRICKS.check(4, 13, {})
        with pytest.raises(OptionError, match=r"tricks is 18, but may be 1 to 17 \(FT-1\)"):
            self.TRICKS.check(4, 18, {})


class TestADefaultThatTheOptionDoesNotHave:
    @pytest.mark.parametrize("default", [12, True, "5"])
    def test_is_refused_when_the_option_is_made(self, default):
        with pytest.raises(GameError, match=r"the default of the option 'cards' is .*, but may be 5 to 10"):
            Option("cards", range(5, 11), default, "X-1", "The cards of a hand.")


def test_an_option_without_values_is_refused_when_it_is_made():
    with pytest.raises(GameError, match="the option 'cards' has no values"):
        Option("cards", range(5, 5), 5, "X-1", "The cards of a hand.")
