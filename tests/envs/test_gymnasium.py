"""Gymnasium: its own check, opponents, seats, rewards and illegal actions."""

import re
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import parlour
from parlour.bots import choose_for, find_bot
from parlour.bots.match_play import Seats, forfeit_result
from parlour.engine.chance import new_stream
from parlour.envs import gymnasium as environments
from parlour.envs.gymnasium import CardGame, environment_id

pytestmark = pytest.mark.slow  # compiles

GAMES = parlour.games()


class Illegal:
    """A bot that plays an illegal action, after some times the first legal one."""

    def __init__(self, legal=0):
        self.legal = legal

    def choose(self, observation):
        self.legal -= 1
        return "nothing" if self.legal < 0 else observation.legal[0]


class RecordingBot:
    """A bot that takes the first legal action and records its calls."""

    def begin(self, setup, seat):
        self.setup, self.began, self.ended = setup, seat, None

    def choose(self, observation):
        assert observation.seat == observation.actor
        return observation.legal[0]

    def end(self, result):
        self.ended = result


def play_out(environment, seed=None):
    """Play the first legal action to the end; return the last step's reward and info."""
    _, info = environment.reset(seed=seed)
    while True:
        _, reward, terminated, truncated, info = environment.step(info["action_mask"].argmax())
        assert not truncated
        if terminated:
            return reward, info
        assert reward == 0


class TestGymnasiumsCheck:
    @pytest.mark.parametrize("game", GAMES)
    @pytest.mark.parametrize("opponents", ["thumb", "random"])
    def test_passes(self, game, opponents):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(gymnasium.make(environment_id(game), opponents=opponents).unwrapped)

    def test_every_game_is_registered(self):
        assert environment_id("trick-walls") == "parlour/TrickWalls-v0"
        for game in GAMES:
            assert environment_id(game) in gymnasium.registry


class TestPlaying:
    def test_a_game_ends_with_a_reward(self):
        environment = CardGame("trick-walls", players=4)
        assert {play_out(environment, seed)[0] for seed in range(12)} == {-1.0, 1.0}

    def test_the_same_seed_brings_the_same_game(self):
        environment, played = CardGame("trime-kicker", opponents="beginner"), []
        for seed in (4, 4, 5):
            play_out(environment, seed)
            played.append(environment._game.match.record()["events"])
        assert played[0] == played[1] != played[2]

    @pytest.mark.parametrize("factored", [False, True])
    def test_observations_and_masks_of_earlier_steps_stay_as_they_were(self, factored):
        environment, kept = CardGame("trime-kicker", seat=0, factored=factored), []
        for _ in range(3):
            tensor, info = environment.reset(seed=4)
            over = False
            while not over:
                kept.append((tensor, info["action_mask"], tensor.copy(), info["action_mask"].copy()))
                tensor, _, over, _, info = environment.step(info["action_mask"].argmax())
            kept.append((tensor, info["action_mask"], tensor.copy(), info["action_mask"].copy()))
        assert len({mask.tobytes() for _, mask, _, _ in kept}) > 5
        for tensor, mask, before, legal in kept:
            assert np.array_equal(tensor, before)
            assert np.array_equal(mask, legal)

    def test_the_learners_seat_rotates(self):
        environment = CardGame("trick-walls", players=3)
        environment.reset(seed=1)
        seats = [environment.seat, *(environment.reset()[1]["seat"] for _ in range(3))]
        assert seats == [1, 2, 0, 1]

    def test_the_seat_follows_from_the_seed(self):
        environment = CardGame("trick-walls", players=4)
        assert [environment.reset(seed=seed)[1]["seat"] for seed in range(8)] == [0, 1, 2, 3, 0, 1, 2, 3]

    def test_the_seat_can_be_chosen_for_one_game(self):
        environment = CardGame("trick-walls", players=4)
        assert environment.reset(seed=1, options={"seat": 3})[1]["seat"] == 3
        assert environment.reset()[1]["seat"] == 2
        assert CardGame("trick-walls", seat=0).reset(options={"seat": np.int64(2)})[1]["seat"] == 2

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"seat": 4}, "there is no seat 4; the seats are 0 to 3"),
            ({"seat": True}, "a seat must be a whole number, not True"),
            ({"seat": 1, "nonsense": 1}, "reset has no option 'nonsense'; it has 'seat'"),
        ],
    )
    def test_unknown_options_are_refused(self, options, message):
        with pytest.raises(parlour.ParlourError, match=message):
            CardGame("trick-walls").reset(seed=1, options=options)

    @pytest.mark.parametrize("seed", [True, 1.0, "1", [1], -1])
    def test_malformed_seeds_are_refused(self, seed):
        with pytest.raises(parlour.ParlourError, match=r"a seed must be (a whole number, not|0 at least, not -1)"):
            CardGame("trick-walls").reset(seed=seed)

    def test_numpy_integers_are_seeds(self):
        environment = CardGame("trick-walls")
        (seen, info), (again, other) = environment.reset(seed=np.int64(6)), environment.reset(seed=6)
        assert seen.tobytes() == again.tobytes()
        assert info["seat"] == other["seat"] == 2

    def test_a_fixed_seat_stays(self):
        environment = CardGame("trick-walls", players=3, seat=2)
        environment.reset(seed=1)
        assert [environment.reset()[1]["seat"] for _ in range(3)] == [2, 2, 2]

    def test_the_masks_are_those_of_the_observation(self):
        environment = CardGame("trick-walls", players=3)
        _, info = environment.reset(seed=1)
        masks = environment.action_masks()
        assert masks.dtype == np.bool_
        assert masks.tolist() == info["action_mask"].astype(bool).tolist()
        assert masks.any()

    def test_points_are_the_learners_score(self):
        environment = CardGame("trick-walls", players=4, rewards="points", seat=1)
        reward, _ = play_out(environment, 3)
        assert reward == environment._game.match.result.scores[1]

    def test_an_illegal_action_ends_the_game_with_a_reason(self):
        environment = CardGame("trick-walls", players=3, illegal_reward=-2)
        _, info = environment.reset(seed=1)
        _, reward, terminated, _, info = environment.step(info["action_mask"].argmin())
        assert (reward, terminated) == (-2, True)
        assert not info["action_mask"].any()
        assert not environment.action_masks().any()
        assert "is not legal" in info["illegal"]
        with pytest.raises(parlour.ParlourError, match=r"no game is in progress: call reset\(\)"):
            environment.step(0)

    @pytest.mark.parametrize("action", [-1, 10**6])
    def test_the_number_of_no_action_ends_the_game_too(self, action):
        environment = CardGame("trick-walls", players=3, illegal_reward=-2)
        environment.reset(seed=1)
        _, reward, terminated, _, info = environment.step(action)
        assert (reward, terminated) == (-2, True)
        assert info["illegal"] == f"there is no action {action}"

    @pytest.mark.parametrize("action", [1.7, True, None, "KH", np.float64(1), np.array([1])], ids=repr)
    @pytest.mark.parametrize("factored", [False, True])
    def test_an_action_that_is_no_number_is_an_error_without_effect(self, action, factored):
        """A policy for batches that plays one game returns arrays of one number."""
        environment = CardGame("trick-walls", players=3, factored=factored)
        _, info = environment.reset(seed=1)
        with pytest.raises(parlour.ParlourError, match=re.escape(f"an action must be a whole number, not {action!r}")):
            environment.step(action)
        assert environment.step(np.array(info["action_mask"].argmax()))[1:3] == (0.0, False)


class TestOpponents:
    def test_they_are_called_at_the_beginning_and_the_end(self):
        bots = [RecordingBot(), RecordingBot()]
        environment = CardGame("trick-walls", players=3, opponents=bots, seat=1)
        play_out(environment, 1)
        assert [bot.began for bot in bots] == [2, 0]
        assert all(bot.ended == environment._game.match.result for bot in bots)

    def test_an_outside_bot_that_forfeits_loses(self):
        environment = CardGame("trick-walls", players=2, opponents=Illegal(), seat=0)
        seed = next(seed for seed in range(9) if environment.setup.start(seed).actor == 0)
        reward, info = play_out(environment, seed)
        assert reward == 1.0
        assert 'forfeits the game: it said "nothing"' in info["forfeit"]

    @pytest.mark.parametrize("legal", [0, 12, 20])
    def test_a_forfeit_pays_the_scores_where_rewards_are_points(self, legal):
        environment = CardGame("tricky-tribes", players=2, opponents=Illegal(legal), seat=0, rewards="points")
        reward, info = play_out(environment, 3)
        assert "forfeit" in info
        assert reward == forfeit_result(environment._game.match, 1).scores[0]
        assert (reward > 0) == (legal > 0)

    def test_each_seat_has_its_opponent(self):
        with pytest.raises(parlour.ParlourError, match="1 opponent for 2 seats: name one bot for all, or one for"):
            CardGame("trick-walls", players=3, opponents=["thumb"])

    def test_impossible_arguments_are_refused_before_the_first_game(self):
        with pytest.raises(parlour.ParlourError, match="there is no bot 'genius'"):
            CardGame("trick-walls", opponents="genius")
        with pytest.raises(parlour.ParlourError, match="3 is no bot"):
            CardGame("trick-walls", opponents=3)
        with pytest.raises(parlour.ParlourError, match="there is no seat 3; the seats are 0 to 2"):
            CardGame("trick-walls", players=3, seat=3)


class TestAGameThatIsLeft:
    """A game that the learner does not play to its end."""

    @pytest.mark.parametrize("factored", [False, True])
    @pytest.mark.parametrize("opponent", ["thumb", RecordingBot()], ids=["compiled", "outside"])
    def test_takes_no_action_and_has_no_legal_one_until_the_next_begins(self, factored, opponent):
        environment = CardGame("trick-walls", opponents=opponent, factored=factored)
        _, info = environment.reset(seed=1)
        for _ in range(2):
            environment.close()
            assert not environment.action_masks().any()
            with pytest.raises(parlour.ParlourError, match="no game is in progress"):
                environment.step(info["action_mask"].argmax())
        _, info = environment.reset()
        assert environment._game.number == 1
        assert np.array_equal(environment.action_masks(), info["action_mask"].astype(bool))
        _, _, over, _, info = environment.step(info["action_mask"].argmax())
        assert (over, "illegal" in info) == (False, False)

    @pytest.mark.parametrize("end", ["close", "reset", "reset with a seed", "illegal", "forfeit", "result"])
    def test_closes_its_outside_bots_as_every_end_does(self, monkeypatch, end):
        opened = []

        class CountedSeats(Seats):
            def __enter__(self):
                opened.append(self)
                return super().__enter__()

            def __exit__(self, *error):
                opened.remove(self)
                super().__exit__(*error)

        monkeypatch.setattr(environments, "Seats", CountedSeats)
        bot = Illegal(2 if end == "forfeit" else 1000)
        environment = CardGame("trick-walls", players=2, opponents=bot, seat=0, rounds=1)
        _, info = environment.reset(seed=1)
        before = list(opened)
        assert len(before) == 1
        if end == "illegal":
            environment.step(info["action_mask"].argmin())
        elif end in ("forfeit", "result"):
            over = False
            while not over:
                _, _, over, _, info = environment.step(info["action_mask"].argmax())
            assert ("forfeit" in info) == (end == "forfeit")
        else:
            {"close": environment.close, "reset": environment.reset}.get(end, lambda: environment.reset(seed=5))()
        assert len(opened) == end.startswith("reset")
        assert before[0] not in opened


class TestCompiledOpponents:
    @pytest.mark.parametrize("game", GAMES)
    @pytest.mark.parametrize("opponent", ["thumb", "random"])
    def test_they_play_as_in_a_match_and_make_none(self, game, opponent):
        environment = CardGame(game, opponents=opponent)
        for seed in range(2):
            _, info = environment.reset(seed=seed)
            match, streams = environment.setup.start(seed), {}
            for step in range(6):
                while not match.over and match.actor != environment.seat:
                    stream = streams.setdefault(match.actor, new_stream(seed, (match.actor + 1 << 32) + 0))
                    match.act(choose_for(match, find_bot(opponent), stream))
                observation = match.observation(environment.seat)
                assert info["action_mask"].tolist() == observation.legal_mask.astype(int).tolist()
                if match.over:
                    break
                action = observation.legal_actions[step % len(observation.legal_actions)]
                match.act(action)
                _, _, _, _, info = environment.step(action)
            assert environment._game._match is None
            assert environment._game.match.record() == match.record() or not match.over

    def test_a_log_longer_than_its_first_capacity_is_kept_whole(self):
        environment = CardGame("tricky-tribes", players=6, opponents="random", seat=0)
        play_out(environment, 1)
        assert len(environment._game.match.moves()) == 0
        assert environment._game.match.over


class TestRendering:
    def test_all_cards_are_open_after_an_illegal_action(self):
        environment = gymnasium.make("parlour/TrickWalls-v0", players=4, render_mode="ansi")
        _, info = environment.reset(seed=3, options={"seat": 0})
        hand = environment.unwrapped._game.match.observation(1).zone("hand", at=1).texts
        environment.step(int(info["action_mask"].argmin()))
        assert all(card in environment.render() for card in hand)

    @pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
    def test_the_table_is_shown_from_the_learners_seat(self, mode):
        environment = gymnasium.make("parlour/TrickWalls-v0", players=4, render_mode=mode)
        environment.reset(seed=3, options={"seat": 0})
        shown = environment.render()
        if mode == "ansi":
            match = environment.unwrapped._game.match
            assert all(card in shown for card in match.observation(0).zone("hand", at=0).texts)
            assert not any(card in shown for card in match.observation(1).zone("hand", at=1).texts)
        else:
            assert shown.shape == (720, 960, 3)
            assert shown.std() > 20
