"""The games in OpenSpiel: its own unmodified tests, its bots and algorithms on them, and the errors.

OpenSpiel and half of SciPy are imported by the tests that need them, so that collection stays fast.
"""

import copy
import importlib.util
import pickle
import random
import sys
import unittest
from importlib import import_module
from itertools import islice

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

import parlour
from parlour.endgames.endgame_tree import TreeLimits
from parlour.endgames.equilibrium import best_response, plan_of
from parlour.endgames.exact import position_of
from parlour.engine.errors import IllegalError
from parlour.envs import openspiel

pytestmark = pytest.mark.slow

NAMES = [f"python_{game.replace('-', '_')}" for game in parlour.games()]
SHORT = {"python_trick_walls": "rounds=1", "python_tricky_tribes": "rounds=1", "python_castle_walls": "turn_limit=24"}
"""Options that shorten the games that have them."""
KINDS = [
    *(f"{name}({SHORT.get(name, 'rewards=points')})" for name in NAMES),
    "python_trick_walls(players=6,rounds=1,kill_balance=true)",
    "python_trick_walls(players=2,rounds=1,long_run=true)",
    "python_tricky_tribes(players=5,rounds=1,teams=pairs,jokers=2)",
    "python_tricky_tribes(players=2,rounds=1,rewards=points)",
]
BEFORE_THE_DEAL = "test_private_information_contents"


def is_chance(state: pyspiel.State) -> bool:
    return state.is_chance_node()


def walk(game: pyspiel.Game, seed: int):
    """Yield every state of a random game at which a player is to act, and the last one: one object, which changes."""
    rng, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal():
        if not is_chance(state):
            yield state
        state.apply_action(rng.choice(state.legal_actions()))
    yield state


@pytest.fixture(scope="module", params=KINDS)
def game(request) -> pyspiel.Game:
    return pyspiel.load_game(request.param)


class TestOpenSpielsOwnTests:
    def test_random_simulations_in_cpp_pass(self, game):
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)

    def test_random_simulations_in_python_pass(self, game):
        games_sim_test = import_module("open_spiel.python.tests.games_sim_test")
        games_sim_test.GamesSimTest().sim_game(game)

    @pytest.mark.parametrize("name", NAMES)
    def test_the_check_of_the_interface_passes_on_part_of_the_tree(self, name):
        """Except one check that needs private cards among 400 states: near the root none is dealt yet."""
        api_test = import_module("open_spiel.integration_tests.api_test")
        case = type(
            "Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game_name": name, "game": pyspiel.load_game(name)}
        )
        tests = [
            test for test in unittest.defaultTestLoader.loadTestsFromTestCase(case) if BEFORE_THE_DEAL not in str(test)
        ]
        result = unittest.TestResult()
        unittest.TestSuite(tests).run(result)
        assert result.testsRun == 4
        assert [message for _, message in [*result.failures, *result.errors]] == []


class TestTheLengthOfAGame:
    def test_is_bounded_by_the_rules_where_they_imply_a_bound(self):
        game = pyspiel.load_game("python_trick_walls(players=4,rounds=1)")
        lengths = parlour.simulate(parlour.make("trick-walls", players=4, rounds=1), 100).lengths
        assert lengths.max() <= game.max_game_length() < 40
        assert pyspiel.load_game("python_three_tricks").max_game_length() == 20_000


class TestResampling:
    def test_a_resampled_state_has_the_same_information_state_and_can_be_replayed(self, game):
        """OpenSpiel's ``ResampleInfostateTest``, and a replay of each state."""
        sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
        for number, state in enumerate(walk(game, 3)):
            if number % 9 > 1:
                continue
            player = number // 9 % game.num_players()
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.current_player() == state.current_player()
            again = game.new_initial_state()
            for action in other.history():
                again.apply_action_with_legality_check(action)
            assert str(again) == str(other)

    def test_resampled_hidden_cards_mostly_differ(self):
        state = next(walk(pyspiel.load_game("python_trick_walls"), 3))
        sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
        worlds = {str(state.resample_from_infostate(state.current_player(), sampler)) for _ in range(5)}
        assert len(worlds) == 5


class TestChance:
    def test_a_deck_is_drawn_card_by_card_with_equal_probabilities(self):
        state = pyspiel.load_game("python_trime_kicker").new_initial_state()
        drawn = []
        while is_chance(state):
            outcomes = state.chance_outcomes()
            assert {round(chance * len(outcomes), 9) for _, chance in outcomes} == {1.0}
            drawn.append(state.action_to_string(outcomes[-1][0]))
            state.apply_action(outcomes[-1][0])
        deal, first = state.match.events
        assert deal.do.split()[1:-1] == drawn[:-1]
        assert len(drawn) == 48  # the threes lie on the piles, and the last card follows by itself
        assert first.do == drawn[-1] == "first 1"

    def test_an_impossible_outcome_is_refused_and_changes_nothing(self):
        state = pyspiel.load_game("python_tricky_tribes").new_initial_state()
        while is_chance(state):
            outcomes = state.legal_actions()
            before = str(state)
            for impossible in {-7, 10**6, *range(60)}.difference(outcomes):
                with pytest.raises(IllegalError, match=f"no outcome {impossible} now"):
                    state.apply_action(impossible)
            assert str(state) == before
            state.apply_action(outcomes[0])
        assert len(state.match.events) > 1

    def test_a_copy_during_the_deal_and_after_it_has_cards_of_its_own(self):
        state = pyspiel.load_game("python_trime_kicker").new_initial_state()
        for _ in range(52):
            before = str(state), state.legal_actions(), state.history()
            for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
                assert (str(other), other.legal_actions(), other.history()) == before
                for _ in range(2):
                    other.apply_action(other.legal_actions()[-1])
                assert (str(state), state.legal_actions(), state.history()) == before
            other = state.clone()
            state.apply_action(state.legal_actions()[0])
            assert (str(other), other.legal_actions(), other.history()) == before
        dealt = state.match.events[0].do.split()
        assert len(set(dealt)) == len(dealt)

    def test_during_the_deal_no_seat_has_seen_anything(self):
        game = pyspiel.load_game("python_trick_walls")
        state = game.new_initial_state()
        for _ in range(10):
            state.apply_action(state.legal_actions()[0])
        before = state.information_state_string(0)
        other = state.resample_from_infostate(0, random.Random(1).random)
        assert len(other.history()) == len(state.history())
        state.apply_action(state.legal_actions()[0])
        assert state.information_state_string(0) == before == other.information_state_string(0)


class TestParameters:
    def test_are_the_options(self):
        game = pyspiel.load_game("python_trick_walls(players=6,kill_balance=true)")
        assert (game.setup.players, game.setup.options["kill_balance"]) == (6, True)

    def test_a_default_that_depends_on_the_players_is_that_of_the_usual_number(self):
        assert pyspiel.load_game("python_trick_walls(players=6)").setup.options["rounds"] == 6
        assert pyspiel.load_game("python_trick_walls(players=4)").setup.options["rounds"] == 4
        assert pyspiel.load_game("python_tricky_tribes(players=3)").setup.options["cut_deck"] is True
        assert pyspiel.load_game("python_tricky_tribes(players=3,cut_deck=0)").setup.options["cut_deck"] is False

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("python_castle_walls(players=3)", "for 2 players, not 3"),
            ("python_trick_walls(rounds=0)", "rounds is 0, but may be 1 to 99"),
            ("python_tricky_tribes(cut_deck=2)", "cut_deck is 2, but may be true, false"),
            ("python_trick_walls(rewards=money)", "rewards are 'money'"),
        ],
    )
    def test_an_unknown_game_or_option_is_refused_in_a_sentence(self, name, message):
        with pytest.raises(parlour.ParlourError, match=message):
            pyspiel.load_game(name)

    def test_without_openspiel_the_error_says_how_to_install_it(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "pyspiel", None)
        spec = importlib.util.spec_from_file_location("without", openspiel.__file__)
        with pytest.raises(ImportError, match=r"pip install 'parlour\[openspiel\]'"):
            spec.loader.exec_module(importlib.util.module_from_spec(spec))


class TestObservers:
    def test_the_tensor_is_that_of_the_observation_plane_by_plane(self):
        game = pyspiel.load_game("python_trick_walls")
        observation = make_observation(game)
        for state in islice(walk(game, 5), 9):
            for player in range(4):
                observation.set_from(state, player)
                seen = state.match.observation(player)
                assert observation.tensor.tolist() == seen.tensor.tolist() == state.observation_tensor(player)
                assert observation.string_from(state, player) == seen.text
                plane = next(plane for plane in game.setup.observation_planes if plane.name == "hand 0")
                assert observation.dict["hand 0"].tolist() == seen.tensor[plane.slice].tolist()

    def test_public_is_the_spectators_observation_and_private_the_hand(self):
        game = pyspiel.load_game("python_trick_walls")
        state, kind = next(walk(game, 5)), pyspiel.IIGObservationType
        public = make_observation(game, kind(True, False, pyspiel.PrivateInfoType.NONE))
        private = make_observation(game, kind(False, False, pyspiel.PrivateInfoType.SINGLE_PLAYER))
        assert public.string_from(state, 2) == state.match.observation(parlour.SPECTATOR).text
        hand = state.match.observation(2).zone("hand", at=2).texts
        assert private.string_from(state, 2) == f"hand 2: {' '.join(hand)}"

    @pytest.mark.parametrize("public", [False, True])
    @pytest.mark.parametrize("recall", [False, True])
    def test_without_private_information_all_players_have_the_same(self, public, recall):
        game = pyspiel.load_game("python_trick_walls")
        observer = make_observation(game, pyspiel.IIGObservationType(public, recall, pyspiel.PrivateInfoType.NONE))
        for state in islice(walk(game, 5), 6):
            texts = {observer.string_from(state, player) for player in range(4)}
            assert len(texts) == 1
            assert (texts == {""}) == (not public)

    def test_with_perfect_recall_the_tensor_is_that_of_the_information_state(self):
        game = pyspiel.load_game("python_trick_walls(players=2,rounds=1)")
        observation, rows = make_observation(game, INFO_STATE_OBS_TYPE), game.rows
        assert game.get_type().provides_information_state_tensor
        assert game.information_state_tensor_shape() == list(observation.tensor.shape)
        for state in islice(walk(game, 5), 6):
            for player in range(2):
                observation.set_from(state, player)
                tensor = state.match.information_state_tensor(player)
                assert observation.tensor.tolist() == tensor.tolist() == state.information_state_tensor(player)
                assert np.array_equal(observation.dict["history"], state.match.history(player).tensor(rows))

    def test_a_history_has_the_chosen_number_of_rows_and_counts_the_lost_ones(self):
        game = pyspiel.load_game("python_castle_walls(history=3)")
        observation = make_observation(game, INFO_STATE_OBS_TYPE)
        state = next(islice(walk(game, 5), 4, None))
        observation.set_from(state, 0)
        assert observation.dict["history"].shape == (3, game.setup.history_width)
        assert observation.dict["left_out"].tolist() == [len(state.match.history(0)) - 3]

    def test_a_negative_number_of_rows_is_refused(self):
        with pytest.raises(parlour.ParlourError, match="history must be 0 at least, not -3"):
            pyspiel.load_game("python_trime_kicker(history=-3)")

    def test_without_a_bound_there_is_no_history_tensor_and_its_shape_is_refused(self):
        game = pyspiel.load_game("python_castle_walls")
        assert not game.get_type().provides_information_state_tensor
        with pytest.raises(parlour.ParlourError, match="load the game with history=N"):
            game.information_state_tensor_shape()

    def test_the_text_with_perfect_recall_is_the_information_state(self):
        game = pyspiel.load_game("python_castle_walls(turn_limit=24)")
        observation = make_observation(game, INFO_STATE_OBS_TYPE)
        state = next(walk(game, 5))
        assert observation.string_from(state, 1) == state.information_state_string(1)
        assert observation.tensor is None

    def test_unsupported_observations_are_refused(self):
        game, kind = pyspiel.load_game("python_trick_walls"), pyspiel.IIGObservationType
        with pytest.raises(parlour.ParlourError, match="not of all players' together"):
            make_observation(game, kind(True, False, pyspiel.PrivateInfoType.ALL_PLAYERS))
        with pytest.raises(parlour.ParlourError, match="takes no parameters"):
            make_observation(game, None, {"wide": True})


class TestBots:
    def game(self) -> pyspiel.Game:
        return pyspiel.load_game("python_trime_kicker")

    def test_openspiels_random_bots_play(self):
        game = self.game()
        bots = [pyspiel.make_uniform_random_bot(player, 7) for player in range(2)]
        assert sorted(pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)) in ([-1, 1], [0, 0])

    def test_openspiels_mcts_plays(self):
        game, rng = self.game(), np.random.RandomState(7)
        mcts = import_module("open_spiel.python.algorithms.mcts")
        bot = mcts.MCTSBot(game, 2.0, 3, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
        state = next(walk(game, 7))
        assert bot.step(state) in state.legal_actions()

    def test_openspiels_information_set_mcts_plays(self):
        game, rng = self.game(), np.random.RandomState(7)
        ismcts, mcts = (import_module(f"open_spiel.python.algorithms.{name}") for name in ("ismcts", "mcts"))
        bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 5, random_state=rng)
        state = next(walk(game, 7))
        assert bot.step(state) in state.legal_actions()


END = "python_trime_kicker_end(number=7,nodes=2000)"
RECALLED = "python_trime_kicker_end(number=19,nodes=2000,history=7)"
"""An end in which events and the present observation do not determine the observation at its beginning."""


@pytest.fixture(scope="module")
def position():
    return position_of(parlour.make("trime-kicker", 2), 0, 7, TreeLimits(nodes=2000))


@pytest.fixture(scope="module")
def end() -> pyspiel.Game:
    """Return an endgame with its tree stored, so that OpenSpiel's algorithms run at the speed of C++."""
    return pyspiel.load_game(f"cached_tree(game={END})")


def states_below(state: pyspiel.State):
    """Yield each state at or below this one at which a player is to act."""
    if not state.is_terminal() and not is_chance(state):
        yield state
    for action in state.legal_actions():
        yield from states_below(state.child(action))


class TestEnds:
    def test_cfr_converges_to_the_value_of_parlour_exact(self, end, position):
        solver = pyspiel.CFRPlusSolver(end)
        for _ in range(200):
            solver.evaluate_and_update_policy()
        policy = solver.average_policy()
        assert pyspiel.exploitability(end, policy) < 1e-3
        value = pyspiel.expected_returns(end.new_initial_state(), policy, -1, True)[0]
        assert (value + 1) / 2 == pytest.approx(position.solved.value, abs=1e-3)

    def test_a_best_response_has_the_same_value(self, end, position):
        policy = pyspiel.UniformRandomPolicy(end)
        for seat in range(2):
            sets = position.game.sets[1 - seat]
            at_random = plan_of(position.game, 1 - seat, [np.full(len(s.moves), 1 / len(s.moves)) for s in sets])
            answer = pyspiel.TabularBestResponse(end, seat, policy)
            value = answer.value_from_state(end.new_initial_state())
            assert (value + 1) / 2 == pytest.approx(best_response(position.game, seat, at_random), abs=1e-6)

    def test_initial_states_are_equally_likely_and_states_can_be_cloned(self, position):
        game = pyspiel.load_game(END)
        state = game.new_initial_state()
        assert len(state.chance_outcomes()) == position.game.worlds
        state.apply_action(1)
        state.apply_action(state.legal_actions()[0])
        again = pickle.loads(pickle.dumps(state))
        assert str(again) == str(state)
        assert again.information_state_string(0) == state.information_state_string(0)

    def test_openspiels_own_simulations_pass(self):
        pyspiel.random_sim_test(pyspiel.load_game(END), num_sims=1, serialize=True, verbose=False)

    @pytest.mark.parametrize("number", [-7, 10**6])
    def test_an_unknown_initial_state_is_refused(self, number):
        with pytest.raises(IllegalError, match=f"no outcome {number} now"):
            pyspiel.load_game(END).new_initial_state().apply_action(number)

    def test_a_game_without_such_an_endgame_is_refused(self):
        with pytest.raises(parlour.ParlourError, match="no end of game 0 is within 100 nodes"):
            pyspiel.load_game("python_trime_kicker_end(number=0,nodes=100)")

    def test_without_rows_there_is_no_history_tensor(self):
        with pytest.raises(parlour.ParlourError, match=r"have no tensor, .*: load the game with history=N"):
            pyspiel.load_game(END).information_state_tensor_shape()

    def test_a_history_tensor_is_the_same_exactly_if_the_information_state_is(self):
        game = pyspiel.load_game(RECALLED)
        texts: list[dict[bytes, set[str]]] = [{}, {}]
        for state in states_below(game.new_initial_state()):
            for seat, seen in enumerate(texts):
                tensor = np.array(state.information_state_tensor(seat)).tobytes()
                seen.setdefault(tensor, set()).add(state.information_state_string(seat))
        for seen in texts:
            assert all(len(same) == 1 for same in seen.values()), "a tensor of two information states"
            assert len(seen) == len(set().union(*seen.values())), "an information state with two tensors"

    def test_learners_receive_the_history_tensor(self):
        from open_spiel.python import rl_environment

        environment = rl_environment.Environment(pyspiel.load_game(RECALLED))
        seen, state = environment.reset().observations, environment.get_state
        assert seen["info_state"][seen["current_player"]] == state.information_state_tensor(seen["current_player"])


@pytest.mark.parametrize("name", [*NAMES, END])
class TestCopies:
    @pytest.mark.parametrize(
        "copied",
        [copy.deepcopy, copy.copy, lambda game: pickle.loads(pickle.dumps(game))],
        ids=["deep", "copy", "pickle"],
    )
    def test_a_copied_game_starts_the_same_games(self, name, copied):
        game = pyspiel.load_game(name)
        again = copied(game)
        assert str(again) == str(game)
        one, other = game.new_initial_state(), again.new_initial_state()
        for step in range(60):
            if one.is_terminal():
                break
            assert one.legal_actions() == other.legal_actions()
            action = one.legal_actions()[step % len(one.legal_actions())]
            one.apply_action(action)
            other.apply_action(action)
            assert str(one) == str(other)
            if step % 20 == 19:
                other = copied(other)
