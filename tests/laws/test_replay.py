"""The replay law: records and seeds determine games, interpreted and compiled."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.authors.laws import check_replay, choose_setup
from parlour.engine.chance import new_stream, random_below
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import COMPILED, INTERPRETED, PLAIN
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.engine.simulation.playouts import run_playouts
from tests.helpers import random_game
from tests.laws.walks import GAMES, SEEDS, setups, some_moments
from tests.sample_size import sample_size

pytestmark = pytest.mark.slow

every_game = pytest.mark.parametrize("game_id", GAMES)


def random_setups(game_id, number):
    rng = random.Random(game_id)
    return [choose_setup(GAMES[game_id], rng.choice) for _ in range(number)]


@every_game
class TestReplay:
    @pytest.mark.parametrize("steps", [INTERPRETED, PLAIN, COMPILED], ids=["interpreted", "plain", "compiled"])
    @settings(max_examples=sample_size(8))
    @given(data=st.data(), seed=SEEDS)
    def test_the_record_of_a_game_replays_it(self, game_id, steps, data, seed):
        assert check_replay(random_game(data.draw(setups(GAMES[game_id])), seed), steps) == ""

    @settings(max_examples=sample_size(4))
    @given(data=st.data(), seed=SEEDS)
    def test_the_record_of_an_unfinished_game_replays_it(self, game_id, data, seed):
        for match in some_moments(data.draw(setups(GAMES[game_id])), seed, 5):
            if not match.over:
                assert "result" not in match.record()
                assert check_replay(match) == ""

    def test_interpreted_and_compiled_games_of_a_seed_are_the_same(self, game_id):
        for number, setup in enumerate(random_setups(game_id, sample_size(6))):
            ours, theirs = (random_game(setup, number, steps) for steps in (INTERPRETED, COMPILED))
            assert ours.events == theirs.events
            assert ours.state.tobytes() == theirs.state.tobytes()


@every_game
class TestPlayouts:
    def test_compiled_and_interpreted_playouts_are_the_same(self, game_id):
        for number, setup in enumerate(random_setups(game_id, sample_size(5))):
            ours, theirs = (run_playouts(setup, 8, number, interpret=how) for how in (True, False))
            self.same(ours, theirs)

    def test_playouts_do_not_depend_on_the_number_of_threads(self, game_id):
        setup = Setup(GAMES[game_id], GAMES[game_id].players[-1])
        alone, together = (run_playouts(setup, 9000, 3, threads=threads) for threads in (1, 3))
        self.same(alone, together)

    def test_playouts_do_not_depend_on_the_number_of_games(self, game_id):
        setup = Setup(GAMES[game_id], GAMES[game_id].players[0])
        few, many = (run_playouts(setup, games, 3) for games in (10, 5000))
        assert np.array_equal(many.scores[:10], few.scores)

    def test_another_seed_gives_other_games(self, game_id):
        setup = Setup(GAMES[game_id], GAMES[game_id].players[0])
        one, other = (run_playouts(setup, 200, seed) for seed in (1, 2))
        assert not np.array_equal(one.scores, other.scores)

    def test_playout_n_is_the_match_with_stream_n(self, game_id):
        """Therefore any game of a simulation can be inspected event by event."""
        for seed, setup in enumerate(random_setups(game_id, sample_size(3))):
            playouts = run_playouts(setup, 5, seed)
            for number in range(5):
                match, chance = Match(setup), StreamRandomness(new_stream(seed, number))
                while not match.over:
                    if match.actor == CHANCE:
                        match.apply_chance(match.sample_chance(chance))
                    else:
                        actions = match.moves()
                        action = actions[random_below(chance.stream, len(actions))]
                        match.apply_move(action)
                assert match.result.scores == tuple(playouts.scores[number])
                assert sum(1 << seat for seat in match.result.winners) == playouts.winners[number]
                assert sum(event.by >= 0 for event in match.events) == playouts.lengths[number]

    def same(self, ours, theirs):
        assert np.array_equal(ours.scores, theirs.scores)
        assert np.array_equal(ours.winners, theirs.winners)
        assert np.array_equal(ours.lengths, theirs.lengths)
        assert ours.actions == theirs.actions > 0
