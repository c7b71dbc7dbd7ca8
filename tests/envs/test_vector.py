"""Vector environments: the rules of single environments, and Gymnasium's autoreset modes."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import parlour
from parlour.engine.errors import OptionError
from parlour.engine.match import Match
from parlour.engine.observation import EVERYTHING
from parlour.envs.gymnasium import environment_id
from parlour.envs.pettingzoo import env
from parlour.envs.vector import CardGames

pytestmark = pytest.mark.slow  # compiles

GAMES = parlour.games()
MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


def first_legal(infos):
    return infos["action_mask"].argmax(axis=1)


def ends(games, seed, steps):
    """Play the first legal actions; return game and reward of each end, in the order of the ends."""
    _, infos = games.reset(seed=seed)
    found = []
    for _ in range(steps):
        _, rewards, over, _, infos = games.step(first_legal(infos))
        found += [(game, float(rewards[game])) for game in np.flatnonzero(over)]
    return found


class TestPlaying:
    @pytest.mark.parametrize("game", GAMES)
    @pytest.mark.parametrize("mode", MODES)
    def test_it_is_the_learners_turn_in_every_unfinished_game(self, game, mode):
        games = gymnasium.make_vec(environment_id(game), num_envs=5, autoreset_mode=mode)
        assert games.unwrapped.autoreset_mode == mode
        seen, infos = games.reset(seed=1)
        over = np.zeros(5, bool)
        for _ in range(60):
            assert seen in games.observation_space
            assert np.array_equal(games.unwrapped._batch.actors == infos["seat"], infos["action_mask"].any(axis=1))
            assert np.array_equal(infos["action_mask"].any(axis=1), ~over | (mode == AutoresetMode.SAME_STEP))
            seen, _, over, _, infos = games.step(first_legal(infos))

    def test_a_game_depends_on_neither_threads_nor_neighbours(self):
        results = {}
        for count, threads in ((3, 1), (8, 3)):
            games = CardGames("trick-walls", count, players=3, threads=threads, rewards="points")
            results[count] = ends(games, 5, 60)
        assert [end for end in results[8] if end[0] < 3][:3] == results[3][:3]
        assert results[3]

    def test_rewards_are_those_of_the_learners_seat(self):
        games = CardGames("trick-walls", 6, players=4, seat=2)
        _, infos = games.reset(seed=2)
        over = np.zeros(6, bool)
        while not over.all():
            _, rewards, over, _, infos = games.step(first_legal(infos))
        assert rewards.tolist() == games._batch.rewards()[:, 2].tolist()
        assert set(rewards) == {-1.0, 0.0, 1.0}

    def test_the_rule_of_thumb_is_a_stronger_opponent_than_random(self):
        means = [
            np.mean([reward for _, reward in ends(CardGames("trime-kicker", 64, opponents=bot), 1, 80)])
            for bot in ("thumb", "random")
        ]
        assert means[0] < means[1]

    def test_an_illegal_action_ends_its_game(self):
        games = CardGames("trick-walls", 3, illegal_reward=-2)
        _, infos = games.reset(seed=1)
        actions = first_legal(infos)
        actions[1] = infos["action_mask"][1].argmin()
        actions[2] = -1
        _, rewards, over, _, infos = games.step(actions)
        assert rewards.tolist() == [0, -2, -2]
        assert over.tolist() == [False, True, True]
        assert infos["action_mask"].any(axis=1).tolist() == [True, False, False]
        assert games.action_masks().any(axis=1).tolist() == [True, False, False]
        numbers = games._batch.numbers.copy()
        games.step(first_legal(infos))
        assert (games._batch.numbers != numbers).tolist() == [False, True, True]

    @pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
    @pytest.mark.parametrize("copy", [True, False])
    def test_the_last_observation_is_that_before_the_illegal_action(self, mode, copy):
        games = CardGames("trick-walls", 3, autoreset_mode=mode, copy=copy)
        seen, infos = games.reset(seed=1)
        before, actions = seen.copy(), first_legal(infos)
        actions[1] = infos["action_mask"][1].argmin()
        seen, _, _, _, infos = games.step(actions)
        last = seen if mode == "NextStep" else infos["final_obs"]
        masks = infos if mode == "NextStep" else infos["final_info"]
        assert last[1].tobytes() == before[1].tobytes()
        assert not masks["action_mask"][1].any()
        for _ in range(12):
            _, _, _, _, infos = games.step(first_legal(infos))


class TestSeeds:
    def test_learners_seats_follow_from_seeds_as_in_single_environments(self):
        games = CardGames("trick-walls", 5, players=4)
        for seed in (0, 3):
            _, infos = games.reset(seed=seed)
            assert infos["seat"].tolist() == [(seed + number) % 4 for number in range(5)]

    @pytest.mark.parametrize("seeds", [[3, 8, 2], (3, 8, 2), np.array([3, 8, 2])], ids=["list", "tuple", "array"])
    def test_one_seed_a_game_starts_the_games_of_gymnasiums_vector_environment(self, seeds):
        games = CardGames("trick-walls", 3, opponents="thumb")
        one = [gymnasium.make("parlour/TrickWalls-v0", opponents="thumb") for _ in range(3)]
        for _ in range(2):
            _, infos = games.reset(seed=seeds)
            for game, environment in enumerate(one):
                _, info = environment.reset(seed=int(seeds[game]), options={"seat": int(infos["seat"][game])})
                assert info["seat"] == (seeds[game]) % 4
                deal = environment.unwrapped._game.match.state.hand[info["seat"]]
                assert games._batch.states[game].hand[info["seat"]] == deal

    def test_each_game_then_continues_its_own_run(self):
        games, alone = CardGames("trime-kicker", 3), CardGames("trime-kicker", 1)
        games.reset(seed=[5, 6, 7])
        games.reset()
        alone.reset(seed=[6])
        alone.reset()
        assert games._batch.states[1].tobytes() == alone._batch.states[0].tobytes()
        assert games._batch.numbers.tolist() == [1, 1, 1]

    def test_numpy_integers_are_seeds_and_none_is_random(self):
        games = CardGames("trime-kicker", 2)
        first, again = games.reset(seed=np.int64(4))[0].copy(), games.reset(seed=4)[0]
        assert np.array_equal(first, again)
        assert np.array_equal(games.reset(seed=[None, 4])[0], games.reset(seed=[None, 4])[0]) is False

    @pytest.mark.parametrize("seed", [True, 1.0, "7", [1, True], [1, 2.0], -1])
    def test_malformed_seeds_are_refused(self, seed):
        with pytest.raises(parlour.ParlourError, match=r"a seed must be (a whole number, not|0 at least, not -1)"):
            CardGames("trime-kicker", 2).reset(seed=seed)

    def test_a_wrong_number_of_seeds_is_refused(self):
        with pytest.raises(parlour.ParlourError, match="3 seeds for 2 games: one for each"):
            CardGames("trime-kicker", 2).reset(seed=[1, 2, 3])


class TestResetOptions:
    def test_the_learners_seat_can_be_chosen_for_starting_games(self):
        games = CardGames("trick-walls", 4, players=4)
        _, infos = games.reset(seed=0, options={"seat": 2})
        assert infos["seat"].tolist() == [2, 2, 2, 2]
        which = np.array([True, False, True, False])
        _, infos = games.reset(options={"seat": 1, "reset_mask": which})
        assert infos["seat"].tolist() == [1, 2, 1, 2]
        assert infos["action_mask"].any(axis=1).all()

    @pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
    def test_the_chosen_seat_stays_when_games_restart_and_until_they_are_reset(self, mode):
        games = CardGames("trick-walls", 4, players=4, autoreset_mode=mode, rounds=1)
        _, infos = games.reset(seed=0, options={"seat": 2})
        numbers = games._batch.numbers.copy()
        while (games._batch.numbers == numbers).any():
            assert infos["seat"].tolist() == [2, 2, 2, 2]
            _, _, _, _, infos = games.step(first_legal(infos))
        assert infos["seat"].tolist() == [2, 2, 2, 2]
        _, infos = games.reset(seed=0)
        assert infos["seat"].tolist() == [0, 1, 2, 3]

    def test_a_refused_reset_changes_no_seat(self):
        games = CardGames("trick-walls", 4, players=4, autoreset_mode="SameStep", rounds=1)
        _, infos = games.reset(seed=0)
        with pytest.raises(parlour.ParlourError, match="2 seeds for 4 games"):
            games.reset(seed=[1, 2], options={"seat": 3})
        numbers = games._batch.numbers.copy()
        while (games._batch.numbers == numbers).any():
            _, _, _, _, infos = games.step(first_legal(infos))
        assert sorted(set(infos["seat"].tolist())) != [3]

    @pytest.mark.parametrize("seat", [None, 2])
    def test_the_first_reset_begins_all_games_even_with_a_mask(self, seat):
        games = CardGames("trick-walls", 4, players=4, seat=seat)
        _, infos = games.reset(options={"seat": 3, "reset_mask": np.array([True, False, False, False])})
        others = (games._batch.seeds + games._batch.numbers)[1:] % 4 if seat is None else np.full(3, seat)
        assert infos["seat"].tolist() == [3, *others]
        assert (games._batch.actors == infos["seat"]).all()

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"nonsense": 1}, "reset has no option 'nonsense'; it has 'reset_mask', 'seat'"),
            ({"seat": 2}, "there is no seat 2; the seats are 0 to 1"),
            ({"reset_mask": [True]}, "reset_mask must be 2 bools"),
            ({"reset_mask": [0, 1]}, "reset_mask must be 2 bools"),
        ],
    )
    def test_impossible_options_are_refused(self, options, message):
        with pytest.raises(parlour.ParlourError, match=message):
            CardGames("trime-kicker", 2).reset(options=options)


class TestRendering:
    @pytest.mark.parametrize("game", GAMES)
    def test_each_table_is_shown_from_its_learners_seat(self, game):
        games = gymnasium.make_vec(environment_id(game), num_envs=2, render_mode="ansi")
        _, infos = games.reset(seed=1)
        match = Match(games._batch.setup)
        for state, seat, text in zip(games._batch.states, infos["seat"], games.render(), strict=True):
            own, public = (
                {card for zone in match.imagined(state).observation(viewer).zones for card in zone.texts}
                for viewer in (int(seat), parlour.SPECTATOR)
            )
            assert len(own - public) > 2
            assert all(card in text for card in own - public)

    @pytest.mark.parametrize("factored", [False, True])
    def test_an_illegal_action_is_not_shown_as_a_move_but_ends_the_game(self, factored):
        games = CardGames("trime-kicker", 2, render_mode="ansi", autoreset_mode="Disabled", factored=factored)
        _, infos = games.reset(seed=1)
        before, actions = games._batch.states.copy(), first_legal(infos)
        actions[0] = infos["action_mask"][0].argmin()
        games.step(actions)
        assert games._batch.states[0].tobytes() == before[0].tobytes() != games._batch.states[1].tobytes()
        hands = Match(games.setup).imagined(before[0]).observation(EVERYTHING, ended=True).zones
        assert all(card in games.render()[0] for zone in hands if zone.name == "hand" for card in zone.texts)

    def test_pictures_need_a_mode(self):
        games = gymnasium.make_vec("parlour/TrimeKicker-v0", num_envs=2, render_mode="rgb_array")
        games.reset(seed=1)
        assert [picture.shape for picture in games.render()] == [(720, 960, 3)] * 2
        assert CardGames("trime-kicker", 1).render() is None

    def test_the_human_mode_shows_every_step(self, capsys):
        games = CardGames("trime-kicker", 2, render_mode="human")
        _, infos = games.reset(seed=1)
        first = capsys.readouterr().out
        games.step(first_legal(infos))
        assert len(first) > 200
        assert capsys.readouterr().out not in ("", first)

    def test_an_unknown_mode_is_refused(self):
        with pytest.raises(parlour.ParlourError, match="render_mode is 'film', but may be 'human', 'ansi'"):
            gymnasium.make_vec("parlour/TrimeKicker-v0", num_envs=2, render_mode="film")


class TestWrongCalls:
    def test_a_step_before_reset_is_refused(self):
        games = CardGames("trime-kicker", 2)
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) before step\(\)"):
            games.step(np.zeros(2, np.int64))

    @pytest.mark.parametrize("actions", [[1.7, 0.0], [True, False], [None, None], ["1", "2"]])
    def test_actions_must_be_whole_numbers(self, actions):
        games = CardGames("trime-kicker", 2)
        games.reset(seed=1)
        with pytest.raises(parlour.ParlourError, match="actions must be whole numbers, not "):
            games.step(actions)

    def test_at_least_one_game_is_needed(self):
        with pytest.raises(parlour.ParlourError, match="num_envs must be 1 at least, not 0"):
            gymnasium.make_vec(environment_id("trime-kicker"), num_envs=0)


class TestAutoreset:
    def test_next_step_mode_ignores_the_action_and_pays_no_reward(self):
        games = CardGames("trime-kicker", 4)
        _, infos = games.reset(seed=1)
        over = np.zeros(4, bool)
        while not over.any():
            _, _, over, _, infos = games.step(first_legal(infos))
        ended, numbers = over, games._batch.numbers.copy()
        _, rewards, over, _, infos = games.step(np.where(ended, 10**6, first_legal(infos)))
        assert np.array_equal(games._batch.numbers != numbers, ended)
        assert not rewards[ended].any()
        assert not over[ended].any()
        assert infos["action_mask"][ended].any(axis=1).all()

    def test_same_step_mode_returns_the_final_observation_in_info(self):
        games = CardGames("trime-kicker", 4, autoreset_mode="SameStep")
        twins = CardGames("trime-kicker", 4)
        (_, infos), (_, others) = games.reset(seed=1), twins.reset(seed=1)
        over = np.zeros(4, bool)
        while not over.any():
            expected, _, _, _, others = twins.step(first_legal(others))
            seen, _, over, _, infos = games.step(first_legal(infos))
        assert np.array_equal(infos["_final_obs"], over)
        for game in np.flatnonzero(over):
            assert np.array_equal(infos["final_obs"][game], expected[game])
            assert not np.array_equal(seen[game], expected[game])
        assert infos["action_mask"].any(axis=1).all()

    @pytest.mark.parametrize("copy", [True, False])
    def test_the_final_observation_is_not_overwritten(self, copy):
        games = CardGames("trime-kicker", 4, autoreset_mode="SameStep", copy=copy)
        _, infos = games.reset(seed=1)
        over = np.zeros(4, bool)
        while not over.any():
            _, _, over, _, infos = games.step(first_legal(infos))
        (game, *_), kept = np.flatnonzero(over), infos["final_obs"]
        before, mask = kept[game].copy(), infos["final_info"]["action_mask"]
        assert not mask[game].any()
        for _ in range(3):
            seen, _, _, _, infos = games.step(first_legal(infos))
            assert not np.shares_memory(seen, kept[game])
            assert kept[game].tobytes() == before.tobytes()
        assert not mask[game].any()

    def test_without_autoreset_games_begin_at_reset(self):
        games = CardGames("trime-kicker", 4, autoreset_mode=AutoresetMode.DISABLED)
        _, infos = games.reset(seed=1)
        over = np.zeros(4, bool)
        while not over.any():
            _, _, over, _, infos = games.step(first_legal(infos))
        with pytest.raises(parlour.ParlourError, match="is over: reset it with options"):
            games.step(first_legal(infos))
        _, infos = games.reset(options={"reset_mask": over})
        assert infos["action_mask"].any(axis=1).all()
        games.step(first_legal(infos))

    def test_without_autoreset_a_finished_game_waits_while_others_go_on(self):
        games = CardGames("trime-kicker", 64, autoreset_mode=AutoresetMode.DISABLED)
        games.reset(seed=1)
        over = np.zeros(64, bool)
        while over.sum() < 2:
            games.reset(options={"reset_mask": over})
            over = games.step(games.action_masks().argmax(axis=1))[2]
        first, second, *_ = np.flatnonzero(over)
        games.reset(options={"reset_mask": np.arange(64) == first})
        with pytest.raises(parlour.ParlourError, match=f"game {second} is over: reset it"):
            games.step(np.zeros(64, int))

    @pytest.mark.parametrize("mode", MODES)
    def test_gymnasiums_episode_statistics_work(self, mode):
        games = RecordEpisodeStatistics(CardGames("trime-kicker", 4, autoreset_mode=mode))
        paid = ends(games, 1, 200)
        assert len(paid) > 4
        assert list(games.return_queue) == [reward for _, reward in paid]


class TestArrays:
    def test_arrays_are_copies_by_default(self):
        for copy in (True, False):
            games = CardGames("trick-walls", 3, copy=copy)
            seen, infos = games.reset(seed=1)
            before = seen.copy()
            games.step(first_legal(infos))
            assert np.array_equal(seen, before) == copy

    def test_marks_of_the_caller_in_a_mask_that_is_no_copy_are_gone_after_a_step(self):
        games, twins = (CardGames("trime-kicker", 3, copy=copy) for copy in (False, True))
        (_, infos), (_, others) = games.reset(seed=1), twins.reset(seed=1)
        for _ in range(5):
            assert np.array_equal(infos["action_mask"], others["action_mask"])
            actions = first_legal(others)
            infos["action_mask"][:] = 1
            (*_, infos), (*_, others) = games.step(actions), twins.step(actions)

    def test_masks_are_under_the_name_that_learners_expect(self):
        games = CardGames("trick-walls", 3)
        _, infos = games.reset(seed=1)
        assert np.array_equal(games.action_masks(), infos["action_mask"].astype(bool))


class TestRefusals:
    def test_bots_that_are_not_compiled_are_refused_with_the_environments_that_take_them(self):
        with pytest.raises(parlour.ParlourError, match=r"not against 'expert'; other bots play in gymnasium.make, and"):
            gymnasium.make_vec("parlour/TrickWalls-v0", num_envs=2, opponents="expert")

    @pytest.mark.parametrize("make", [CardGames, lambda game, number, **more: env(game, **more)])
    def test_an_unknown_argument_is_refused_with_those_of_the_environment(self, make):
        with pytest.raises(OptionError, match=r"no option 'opponent'; .+; the environment itself takes .*render_mode"):
            make("trime-kicker", 2, opponent="random")

    def test_a_list_of_bots_is_refused_as_a_list(self):
        with pytest.raises(
            parlour.ParlourError, match=r"one of 'thumb' and 'random' in all other seats, not against \["
        ):
            CardGames("trick-walls", 2, players=3, opponents=["thumb", "random"])

    def test_bots_that_are_not_compiled_play_in_environments_that_take_them(self):
        games = gymnasium.make_vec(
            "parlour/TrickWalls-v0", num_envs=2, vectorization_mode="sync", opponents="beginner", players=2
        )
        _, infos = games.reset(seed=1)
        _, rewards, _, _, _ = games.step(first_legal(infos))
        assert rewards.shape == (2,)

    def test_a_wrong_number_of_actions_is_refused(self):
        games = CardGames("trick-walls", 3)
        games.reset(seed=1)
        with pytest.raises(parlour.ParlourError, match="one action per game is required, 3 in all"):
            games.step(np.zeros(2, np.int64))
