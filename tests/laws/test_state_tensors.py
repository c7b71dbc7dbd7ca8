"""Full-state tensors, for centralized critics: the place of every card, equal for one game and in a batch."""

import json
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.authors.laws import choose_setup
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.match import Match
from parlour.engine.matches.steps import COMPILED
from parlour.engine.observation import EVERYTHING
from parlour.engine.setup import Setup
from parlour.engine.simulation.batch import Batch
from tests.laws.walks import GAMES, SEEDS, setups, some_moments

pytestmark = pytest.mark.slow

every_game = pytest.mark.parametrize("game_id", GAMES)


def laid_open(match):
    """Return the content of an observation with all cards open."""
    sent = match.observation(EVERYTHING, ended=True).to_json()
    return json.dumps([sent["zones"], sent["facts"], sent["lines"], sent["actor"]])


@every_game
class TestTheFullState:
    @settings(max_examples=4)
    @given(data=st.data(), seed=SEEDS)
    def test_states_that_differ_with_open_cards_have_different_numbers(self, game_id, data, seed):
        setup, known = data.draw(setups(GAMES[game_id])), {}
        for number in (seed, seed + 1):
            for match in some_moments(setup, number, 12):
                if match.actor >= 0 or match.over:
                    tensor = match.state_tensor()
                    assert known.setdefault(tensor.tobytes(), laid_open(match)) == laid_open(match)
                    assert (tensor.shape, tensor.dtype) == (setup.state_shape, np.float32)

    def test_is_the_same_alone_and_in_a_batch(self, game_id):
        rng, games = random.Random(game_id), 5
        for _ in range(2):
            setup = choose_setup(GAMES[game_id], rng.choice, whole=False)
            batch = Batch(setup, games, seed=rng.getrandbits(32), threads=rng.choice([1, 2]))
            for _ in range(rng.randrange(8, 20)):
                batch.step(batch.random_actions())
            small = batch.new_state_tensor(np.int16)
            for seat in range(setup.players):
                tensor = batch.state_tensor(seat)
                assert np.array_equal(batch.state_tensor(seat, small), tensor)
                for index in range(games):
                    match = Match(setup, COMPILED).imagined(batch.states[index])
                    assert match.state_tensor(seat).tobytes() == tensor[index].tobytes()
                for plane in setup.state_planes:
                    low, high = plane.limits
                    assert low <= tensor[:, plane.slice].min() <= tensor[:, plane.slice].max() <= high

    def test_begins_with_the_named_seat(self, game_id):
        setup = Setup(GAMES[game_id], GAMES[game_id].usual_players)
        match = setup.start(seed=1)
        planes = {plane.name: plane for plane in setup.state_planes}
        for seat in range(setup.players):
            assert match.state_tensor(seat)[planes["actor"].slice].argmax() == (match.actor - seat) % setup.players
        with pytest.raises(ParlourError, match="there is no seat 9"):
            match.state_tensor(9)


class TestSomeGamesOfABatch:
    """A step of some games leaves the others as they are."""

    def test_only_the_named_games_are_stepped(self):
        batch = Batch(Setup(GAMES["trime-kicker"], 2), 6, seed=3)
        before, actions = batch.states.copy(), batch.random_actions()
        batch.step(actions, [1, 4])
        changed = [index for index in range(6) if batch.states[index].tobytes() != before[index].tobytes()]
        assert changed == [1, 4]
        batch.step(np.full(6, -7), np.zeros(6, np.bool_))
        after = batch.states.copy()
        with pytest.raises(IllegalError):
            batch.step(np.full(6, -7), [2])
        assert batch.states.tobytes() == after.tobytes()
        batch.step(batch.random_actions())
        assert all(batch.states[index].tobytes() != after[index].tobytes() for index in range(6))
