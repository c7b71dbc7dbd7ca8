"""Validation of numeric arguments: whole numbers of any type are accepted, all else is refused in a sentence."""

import numpy as np
import pytest

import parlour
from parlour.bots.match_play import play
from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.match import Match
from parlour.engine.validation import as_whole, shown, wholes

SETUP = parlour.make("trime-kicker")
NOT_WHOLE = [1.5, 1.0, True, "1", None, b"1", [1], np.float64(1), np.True_]


class TestNumbers:
    @pytest.mark.parametrize("given", [3, np.int64(3), np.uint8(3), np.array(3)])
    def test_numpy_integers_are_accepted(self, given):
        assert type(as_whole(given)) is int
        assert as_whole(given) == 3

    @pytest.mark.parametrize("given", NOT_WHOLE)
    def test_values_of_other_types_are_refused(self, given):
        assert as_whole(given) is None

    def test_every_element_of_a_list_is_checked(self):
        assert wholes("seats", [1, 2]).tolist() == [1, 2]
        for given in ([1, 1.5], [True, False], ["1"], []):
            with pytest.raises(ParlourError, match="seats must be whole numbers, not "):
                wholes("seats", given)
        with pytest.raises(ParlourError, match="seats must be an array, not "):
            wholes("seats", [[1], [2, 3]])

    def test_unsigned_numbers_beyond_64_bits_with_sign_are_refused_instead_of_becoming_negative(self):
        assert wholes("seats", np.array([2**63 - 1], np.uint64)).tolist() == [2**63 - 1]
        with pytest.raises(ParlourError, match="seats must be 9223372036854775807 at most, not 9223372036854775808"):
            wholes("seats", np.array([1, 2**63], np.uint64))

    def test_the_message_shows_the_value(self):
        class Silent:
            def __repr__(self):
                raise ValueError

        assert shown("x" * 99) == "'" + "x" * 56 + "…"
        assert shown(10**6000) == "a value of type int"
        assert shown(Silent()) == "a value of type Silent"


class TestSeeds:
    @pytest.mark.parametrize("seed", [each for each in NOT_WHOLE if each is not None])
    @pytest.mark.parametrize(
        "begin",
        [
            SETUP.start,
            lambda seed: play(SETUP, ["random", "random"], seed),
            lambda seed: parlour.simulate(SETUP, 1, seed),
            lambda seed: parlour.Batch(SETUP, 1, [seed]),  # a list of them is one for each game
        ],
        ids=["start", "play", "simulate", "Batch"],
    )
    def test_other_seeds_are_refused_everywhere(self, begin, seed):
        with pytest.raises(ParlourError, match="a seed must be a whole number, not "):
            begin(seed)

    def test_bytes_are_refused_as_a_list_of_seeds(self):
        with pytest.raises(ParlourError, match="a seed must be a whole number, not b'1'"):
            parlour.Batch(SETUP, 1, b"1")

    def test_a_numpy_seed_equals_the_python_seed(self):
        assert SETUP.start(np.int64(7)).events == SETUP.start(7).events

    def test_seeds_may_exceed_64_bits(self):
        assert new_stream(2**70 + 5) == new_stream(5)
        assert new_stream(2**64 - 1) == new_stream(-1)


class TestCounts:
    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: parlour.Batch(SETUP, 0), "the number of games must be 1 at least, not 0"),
            (lambda: parlour.Batch(SETUP, 1.5), r"the number of games must be a whole number, not 1\.5"),
            (lambda: parlour.Batch(SETUP, 1, threads=0), "threads must be 1 at least, not 0"),
            (lambda: parlour.simulate(SETUP, -1), "the number of games must be 0 at least, not -1"),
            (lambda: parlour.simulate(SETUP, 1, threads=0), "threads must be 1 at least, not 0"),
            (lambda: parlour.Batch(SETUP, 10**30), "the number of games must be 1000000000000 at most, not 10+$"),
            (lambda: parlour.simulate(SETUP, 10**30), "the number of games must be 1000000000000 at most, not 10+$"),
            (lambda: parlour.simulate(SETUP, 1, threads=10**9), "threads must be 10000 at most, not 10+$"),
            (lambda: parlour.match(SETUP, "thumb", "random", cores=10**9), "cores must be 10000 at most, not 10+$"),
        ],
    )
    def test_too_few_and_too_many_are_refused_in_a_sentence(self, make, message):
        with pytest.raises(ParlourError, match=message):
            make()

    def test_zero_games_return_at_once(self):
        assert parlour.simulate(SETUP, 0).scores.shape == (0, 2)


class TestSeconds:
    @pytest.mark.parametrize("given", [0, -1, float("nan"), float("inf"), 10**400, "5", None, [1]])
    def test_a_time_is_a_finite_number_above_0(self, given):
        with pytest.raises(ParlourError, match="move_time must be a number above 0, not "):
            parlour.match(SETUP, "thumb", "random", deals=2, move_time=given)


class TestViewers:
    @pytest.mark.parametrize("seat", [True, False, 1.0, "1", [1], 2])
    def test_a_viewer_is_the_number_of_a_seat(self, seat):
        for look in (SETUP.start(seed=1).observation, lambda seat: parlour.Batch(SETUP, 1).observation(0, seat)):
            with pytest.raises(ParlourError, match=r"there is no seat .*; the seats are 0 to 1"):
                look(seat)


class TestFrontDoor:
    @pytest.mark.parametrize("given", [None, 1, [], SETUP.start(seed=1)])
    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (parlour.make, "a game's id is required"),
            (parlour.load, "a file's name is required"),
            (parlour.bot, "a bot has a name"),
            (lambda given: parlour.Batch(given, 1), "a setup is required"),
            (lambda given: parlour.simulate(given, 1), "a setup is required"),
            (lambda given: parlour.play(given, ["thumb"]), "a setup is required"),
        ],
        ids=["make", "load", "bot", "Batch", "simulate", "play"],
    )
    def test_an_argument_of_another_type_is_refused_in_a_sentence(self, call, message, given):
        with pytest.raises(ParlourError, match=message):
            call(given)


class TestActions:
    @pytest.mark.parametrize("action", [each for each in NOT_WHOLE if not isinstance(each, str)])
    def test_an_action_is_a_text_or_a_number(self, action):
        match = SETUP.start(seed=1)
        with pytest.raises(IllegalError, match="an action is its text or its number, not "):
            match.act(action)
        assert match.events == SETUP.start(seed=1).events

    def test_a_numpy_index_is_accepted(self):
        match = SETUP.start(seed=1)
        text = match.legal()[0]
        match.act(np.int64(SETUP.action_numbers[text]))
        assert match.events[2].do == text

    def test_the_error_names_an_unknown_action_once(self):
        with pytest.raises(IllegalError, match=r"^'zz' is not legal: That is not an action of Trime Kicker\. Legal: "):
            SETUP.start(seed=1).act("zz")


class TestSetups:
    @pytest.mark.parametrize("given", [None, [], "x", {1}, b"x", {"game": {1}}])
    def test_a_value_other_than_an_object_is_refused_in_a_sentence(self, given):
        with pytest.raises(ParlourError, match=r"an object|a text"):
            parlour.Setup.from_json(given)

    @pytest.mark.parametrize("options", [None, [], "x", {1}, {1: 2}, {"ace": [1]}, {"ace": {1}}])
    def test_malformed_options_are_refused(self, options):
        with pytest.raises(
            ParlourError, match=r"'options' must be an object|has no option 1|ace is .* but may be around"
        ):
            parlour.Setup.from_json({"game": "trime-kicker", "players": 2, "options": options})


class TestRepr:
    def test_a_match_shows_game_and_turn_but_no_card(self):
        match = SETUP.start(seed=1)
        assert repr(match) == f"<Match: Trime Kicker, 2 players; 2 events; it is the turn of seat {match.actor}>"
        assert repr(Match(SETUP)) == "<Match: Trime Kicker, 2 players; 0 events; it is the turn of chance>"

    def test_a_batch_shows_its_numbers_of_games(self):
        assert (
            repr(parlour.Batch(SETUP, 2, seed=7)) == "<Batch: Trime Kicker, 2 players; 2 games, 0 of them over; seed 7>"
        )
