"""Setups: a game, the number of players, and a value for every option."""

import json
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from parlour.contests.setups import every_setup
from parlour.engine.errors import OptionError, ParlourError, PlayersError
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game

GAME = find_game("trick-walls")


class TestSetup:
    def test_every_option_has_its_value(self):
        setup = Setup(GAME, 4, {"kill_balance": True})
        assert set(setup.options) == {option.name for option in GAME.options}
        assert setup.chosen == {"kill_balance": True}

    def test_a_setup_and_its_options_are_immutable(self):
        setup = Setup(GAME, 4)
        with pytest.raises(FrozenInstanceError):
            setup.players = 5
        with pytest.raises(TypeError):
            setup.options["rounds"] = 99

    def test_later_changes_of_the_arguments_have_no_effect(self):
        given = {"rounds": 2}
        setup = Setup(GAME, 4, given)
        given["rounds"] = 3
        assert setup.options["rounds"] == 2

    def test_equal_choices_in_different_forms_are_equal_setups(self):
        assert Setup(GAME, 4, {"rounds": 4}) == Setup(GAME, 4)
        assert len({Setup(GAME, 4, {"rounds": 4}), Setup(GAME, 4), Setup(GAME, 4, {"rounds": 5})}) == 2

    def test_setups_differ_by_players_and_game(self):
        assert len({Setup(game, players) for game in all_games() for players in game.players}) == sum(
            len(game.players) for game in all_games()
        )

    def test_impossible_choices_are_refused(self):
        with pytest.raises(PlayersError, match="Trick Walls is for 2 to 6 players, not 7"):
            Setup(GAME, 7)
        with pytest.raises(OptionError, match="has no option 'jokers'; it has"):
            Setup(GAME, 4, {"jokers": 2})
        with pytest.raises(OptionError, match="rounds is 0, but may be 1 to 99"):
            Setup(GAME, 4, {"rounds": 0})

    def test_numbers_and_truth_values_of_numpy_are_those_of_python(self):
        """A grid of variations often comes from an array or a table of another package."""
        setup = Setup(GAME, np.int64(3), {"rounds": np.int32(5), "kill_balance": np.True_})
        assert setup == Setup(GAME, 3, {"rounds": 5, "kill_balance": True})
        assert [type(setup.players), *map(type, setup.chosen.values())] == [int, bool, int]

    def test_it_has_a_label_and_a_repr(self):
        setup = Setup(GAME, 4, {"kill_balance": True})
        assert setup.label == "Trick Walls, 4 players, kill_balance=true"
        assert repr(setup) == "parlour.make('trick-walls', players=4, kill_balance=True)"


class TestSerialization:
    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_a_setup_is_read_from_its_json(self, game):
        setups = every_setup(game, None, {})
        for setup in setups[:: len(setups) // 12 + 1]:
            assert Setup.from_json(json.loads(json.dumps(setup.to_json()))) == setup

    def test_another_process_reads_a_pickled_setup(self):
        setup = Setup(GAME, 4, {"kill_balance": True})
        code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).label)"
        done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(setup), capture_output=True, check=True)
        assert done.stdout.decode().strip() == setup.label


class TestMalformedJson:
    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ({"players": 4}, "the key 'game' is missing"),
            ({"game": "trick-walls"}, "the key 'players' is missing"),
            ({"game": "trick-walls", "players": True}, "'players' must be a whole number, not true"),
            ({"game": "trick-walls", "players": 4, "options": []}, r"'options' must be an object, not \[\]"),
            ({"game": "chess", "players": 2}, "there is no game 'chess'; there are castle-walls"),
        ],
    )
    def test_is_refused_with_the_reason(self, values, message):
        with pytest.raises(ParlourError, match=message):
            Setup.from_json(values)
