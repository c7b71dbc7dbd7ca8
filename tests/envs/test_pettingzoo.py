"""PettingZoo: its own tests, observations, rewards and illegal actions."""

import contextlib
import io
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, performance_benchmark, render_test, seed_test
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

import parlour
from parlour.engine.observation import EVERYTHING
from parlour.envs.pettingzoo import env, parallel_env, raw_env
from tests.envs.setups import every_option_alone, label

pytestmark = pytest.mark.slow  # compiles

GAMES = parlour.games()
PARTNERS = [("trick-walls", 4, {}), ("tricky-tribes", 6, {"teams": "trios"})]


def env_of(setup, **more):
    return env(setup.game.id, setup.players, **more, **setup.chosen)


def play_out(environment, seed=1):
    """Play at random; return each agent's total reward."""
    environment.reset(seed=seed)
    paid = dict.fromkeys(environment.agents, 0.0)
    rng = np.random.default_rng(seed)
    for agent in environment.agent_iter():
        seen, reward, terminated, truncated, _ = environment.last()
        paid[agent] += reward
        over = terminated or truncated
        environment.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return paid


class TestPettingZoosTests:
    @pytest.mark.parametrize("setup", every_option_alone(), ids=label)
    def test_the_tests_of_the_interface_and_of_seeds_pass(self, setup):
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("error")
            for expected in ("Observation is not a NumPy array", "Observation space for each agent probably should"):
                warnings.filterwarnings("ignore", expected)  # of PettingZoo's own games it does not ask this
            warnings.filterwarnings("ignore", "reset has no options; ignored: 'options'")  # which the test makes up
            warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")  # of a game that is over
            usual = setup == parlour.make(setup.game.id)
            api_test(env_of(setup), num_cycles=1000 if usual else 20)
            seed_test(lambda: env_of(setup), num_cycles=500 if usual else 10)

    @pytest.mark.parametrize("game", GAMES)
    def test_the_tests_of_pictures_pass(self, game):
        with contextlib.redirect_stdout(io.StringIO()):
            render_test(lambda render_mode: env(game, render_mode=render_mode))

    @pytest.mark.parametrize("game", GAMES)
    def test_the_benchmark_passes(self, game, monkeypatch):
        times = iter(range(100))
        benchmark = performance_benchmark.__globals__
        monkeypatch.setitem(benchmark, "time", SimpleNamespace(time=lambda: next(times)))
        with contextlib.redirect_stdout(io.StringIO()) as stdout:
            performance_benchmark(env(game))
        assert "Finished performance benchmark" in stdout.getvalue()


class TestParallel:
    @pytest.mark.parametrize("game", GAMES)
    def test_the_parallel_test_of_pettingzoo_passes(self, game, capsys):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an observation is a dict, as in PettingZoo's classics
            parallel_api_test(parallel_env(game), num_cycles=100)

    def test_a_step_without_the_agent_to_act_is_refused_without_effect(self):
        table = parallel_env("trime-kicker")
        seen, _ = table.reset(seed=7)
        (acting,) = [agent for agent in table.agents if seen[agent]["action_mask"].any()]
        (waiting,) = set(table.agents) - {acting}
        with pytest.raises(parlour.ParlourError, match=f"there is no action of {acting}, who is to act"):
            table.step({waiting: 0})
        _, rewards, over, *_ = table.step({acting: int(seen[acting]["action_mask"].argmax())})
        assert (set(rewards.values()), any(over.values())) == ({0.0}, False)

    def test_only_the_agent_to_act_acts(self):
        together, alone = parallel_env("trime-kicker"), env("trime-kicker")
        seen, _ = together.reset(seed=7)
        alone.reset(seed=7)
        for _ in range(5):
            together_acts = [agent for agent in together.agents if seen[agent]["action_mask"].any()]
            assert together_acts == [alone.agent_selection]
            chosen = {agent: int(each["action_mask"].argmax()) for agent, each in seen.items()}
            seen, *_ = together.step(chosen)
            alone.step(chosen[alone.agent_selection])


class TestObservations:
    @pytest.mark.parametrize("game", GAMES)
    def test_they_equal_those_of_the_match_with_this_seed(self, game):
        environment = env(game)
        environment.reset(seed=5)
        match = environment.setup.start(5)
        for _ in range(30):
            if match.over:
                break
            for seat, agent in enumerate(environment.agents):
                seen, expected = environment.observe(agent), match.observation(seat)
                assert seen["observation"].tobytes() == expected.tensor.tobytes()
                assert seen["action_mask"].tolist() == expected.legal_mask.tolist()
            action = match.observation().legal_mask.nonzero()[0][-1]
            match.act(action)
            environment.step(action)

    def test_an_observation_is_not_overwritten_by_later_steps(self):
        environment = env("trick-walls", players=2)
        environment.reset(seed=1)
        first = environment.last()[0]
        before = first["observation"].copy(), first["action_mask"].copy()
        environment.step(int(first["action_mask"].argmax()))
        environment.last()
        assert np.array_equal(first["observation"], before[0])
        assert np.array_equal(first["action_mask"], before[1])


class TestGames:
    @pytest.mark.parametrize(
        "ask",
        [
            lambda table: table.observe("player_0"),
            lambda table: table.state(),
            lambda table: table.last(),
            lambda table: table.step(0),
            lambda table: table.agent_selection,
        ],
    )
    def test_there_is_none_before_reset(self, ask):
        with pytest.raises(parlour.ParlourError, match=r"no game has begun: call reset\(\)"):
            ask(env("trime-kicker"))

    def test_without_a_seed_the_next_game_of_the_run_begins(self):
        environment = env("trick-walls", players=2)
        environment.reset(seed=3)
        first = environment.last()[0]["observation"]
        environment.reset()
        assert not np.array_equal(environment.last()[0]["observation"], first)
        environment.reset(seed=3)
        assert np.array_equal(environment.last()[0]["observation"], first)

    def test_two_environments_without_a_seed_play_different_games(self):
        environments = env("trick-walls", players=2), env("trick-walls", players=2)
        for environment in environments:
            environment.reset()
        one, other = (environment.observe("player_0")["observation"] for environment in environments)
        assert not np.array_equal(one, other)


class TestRewards:
    @pytest.mark.parametrize("game", GAMES)
    def test_they_add_up_to_zero_and_winners_have_the_most(self, game):
        environment = env(game)
        paid = play_out(environment)
        assert sum(paid.values()) == pytest.approx(0, abs=1e-6)
        winners = environment._game.match.result.winners
        assert {seat for seat, reward in enumerate(paid.values()) if reward == max(paid.values())} == set(winners)

    def test_points_are_the_scores(self):
        environment = env("trick-walls", players=4, rewards="points")
        assert tuple(play_out(environment).values()) == environment._game.match.result.scores

    @pytest.mark.parametrize(("game", "players", "options"), PARTNERS)
    def test_partners_share_rewards(self, game, players, options):
        environment = env(game, players, **options)
        results = [tuple(play_out(environment, seed).values()) for seed in range(6)]
        assert {len(set(paid)) for paid in results} <= {1, 2}
        assert any(len(set(paid)) == 2 for paid in results)

    def test_there_are_no_other_rewards(self):
        with pytest.raises(parlour.ParlourError, match="rewards are 'tricks', but may be 'win' or 'points'"):
            env("trick-walls", rewards="tricks")


class TestIllegalActions:
    def test_they_end_the_game_at_the_cost_of_the_agent(self):
        environment = env("trick-walls", players=3, illegal_reward=-7)
        environment.reset(seed=1)
        agent, number = environment.agent_selection, environment.last()[0]["action_mask"].argmin()
        environment.step(int(number))
        assert all(environment.terminations.values())
        paid = dict.fromkeys(environment.possible_agents, 0.0)
        for each in environment.agent_iter():
            paid[each] = environment.last()[1]
            environment.step(None)
        assert paid == {each: -7 if each == agent else 0 for each in environment.possible_agents}
        environment.reset(seed=1)
        assert not any(environment.terminations.values())

    @pytest.mark.parametrize("factored", [False, True])
    def test_they_leave_no_agent_a_legal_action(self, factored):
        environment = env("trick-walls", players=3, factored=factored)
        environment.reset(seed=1)
        environment.step(int(environment.last()[0]["action_mask"].argmin()))
        for agent in environment.agent_iter():
            assert not environment.last()[0]["action_mask"].any()
            environment.step(None)
            assert not environment.observe(agent)["action_mask"].any()
        environment.reset(seed=1)
        assert environment.last()[0]["action_mask"].any()

    def test_without_a_penalty_they_are_errors_without_effect(self):
        environment = raw_env("trick-walls", players=3)
        environment.reset(seed=1)
        before = environment.observe(environment.agent_selection)
        for action in (int(before["action_mask"].argmin()), -1, 10**6):
            with pytest.raises(parlour.ParlourError, match=r"is not legal|there is no action"):
                environment.step(action)
        assert np.array_equal(environment.observe(environment.agent_selection)["action_mask"], before["action_mask"])

    @pytest.mark.parametrize("action", [None, 1.7, "1", True])
    def test_an_action_that_is_no_number_is_always_an_error(self, action):
        table = env("trime-kicker", illegal_reward=-1.0)
        table.reset(seed=1)
        with pytest.raises(parlour.ParlourError, match=f"an action must be a whole number, not {action!r}"):
            table.step(action)
        assert not any(table.terminations.values())

    def test_an_option_of_reset_is_ignored_with_a_warning(self):
        with pytest.warns(UserWarning, match="reset has no options; ignored: 'rounds'; pass the game's options to env"):
            env("trime-kicker").reset(seed=1, options={"rounds": 1})

    def test_a_malformed_seed_is_refused(self):
        with pytest.raises(parlour.ParlourError, match="a seed must be a whole number, not 'x'"):
            env("trime-kicker").reset(seed="x")

    def test_pettingzoos_wrappers_treat_them_alike(self):
        wrapped = TerminateIllegalWrapper(raw_env("trick-walls", players=3), illegal_reward=-7)
        environment = OrderEnforcingWrapper(AssertOutOfBoundsWrapper(wrapped))
        environment.reset(seed=1)
        agent, number = environment.agent_selection, environment.last()[0]["action_mask"].argmin()
        EnvLogger.suppress_output()
        environment.step(int(number))
        assert all(environment.terminations.values())
        assert environment.rewards == {each: -7 if each == agent else 0 for each in environment.possible_agents}


class TestRendering:
    def test_the_text_is_the_observation_of_the_seat_to_act(self):
        environment = env("trick-walls", players=4, render_mode="ansi")
        environment.reset(seed=3)
        match, text = environment.setup.start(3), environment.render()
        for seat in range(4):
            hand = match.observation(seat).zone("hand", at=seat).texts
            assert len(hand) == 9
            assert {card in text for card in hand} == {seat == match.actor}

    def test_the_text_follows_the_seat_to_act(self):
        """Whichever seat it is, the text has all cards of its hand and no others that only their holder knows."""
        environment = env("trick-walls", players=4, render_mode="ansi")
        environment.reset(seed=3)
        match, actors = environment.setup.start(3), set()
        for _ in range(8):
            actors.add(match.actor)
            text = environment.render()
            for seat in range(4):
                assert {card in text for card in match.observation(seat).zone("hand", at=seat).texts} == {
                    seat == match.actor
                }
            action = int(environment.last()[0]["action_mask"].argmax())
            environment.step(action)
            match.act(action)
        assert actors == {0, 1, 2, 3}

    def test_the_final_text_names_the_winner(self):
        environment = env("trick-walls", players=2, render_mode="ansi")
        play_out(environment)
        assert "win" in environment.render()

    def test_all_cards_are_open_after_an_illegal_action(self):
        environment = env("trime-kicker", render_mode="ansi")
        environment.reset(seed=1)
        environment.step(int(environment.last()[0]["action_mask"].argmin()))
        cards = environment.unwrapped.setup.start(1).observation(EVERYTHING, ended=True).zones
        assert all(card in environment.render() for zone in cards if zone.name == "hand" for card in zone.texts)

    def test_an_unknown_mode_is_refused(self):
        with pytest.raises(parlour.ParlourError, match="render_mode is 'film', but may be 'human', 'ansi'"):
            env("trick-walls", render_mode="film")


class TestTheState:
    """The full state, for a centralized critic."""

    @pytest.mark.parametrize("game", GAMES)
    def test_is_within_its_space_and_that_of_the_match(self, game):
        environment = env(game)
        environment.reset(seed=4)
        for _ in range(3):
            seen = environment.observe(environment.agent_selection)
            environment.step(int(seen["action_mask"].argmax()))
        state = environment.state()
        assert state in environment.state_space
        assert np.array_equal(state, environment._game.match.state_tensor())

    def test_has_the_version_of_its_specification(self):
        environment = env("trime-kicker")
        assert environment.metadata["tensor_version"] == environment.setup.tensor_version
