"""A single game in compiled code: the same game as a match, without its events."""

import copy
import pickle
import random

import numpy as np
import pytest

import parlour
from parlour.engine.errors import IllegalError, TurnError
from parlour.engine.rules import OVER
from parlour.games import game_ids

COPIES = [parlour.CompiledGame.copy, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]


def to_the_end(game: parlour.CompiledGame, seed: int = 0, most: int = 10_000) -> list[int]:
    """Play up to ``most`` random actions; return them."""
    rng, played = random.Random(seed), []
    while not game.over and len(played) < most:
        played.append(rng.choice(game.legal_actions()))
        game.act(played[-1])
    return played


@pytest.mark.parametrize("name", game_ids())
class TestACourse:
    def test_is_that_of_a_match_with_the_same_seed(self, name):
        setup, rng = parlour.make(name), random.Random(5)
        game, match = parlour.CompiledGame(setup, 7), setup.start(7)
        while not match.over:
            seen = match.observation()
            assert game.actor == match.actor
            assert sorted(game.legal_actions()) == match.legal_actions()
            np.testing.assert_array_equal(game.tensor, seen.tensor)
            np.testing.assert_array_equal(game.legal_mask, seen.legal_mask)
            action = rng.choice(match.legal_actions())
            match.act(action)
            game.act(action)
        assert match.result is not None
        assert (game.over, game.actor, game.legal_actions()) == (True, OVER, [])
        assert not game.tensor.any()
        assert not game.legal_mask.any()
        scores, winners = game.scores()
        assert tuple(scores) == match.result.scores
        assert winners == sum(1 << seat for seat in match.result.winners)
        assert game.match.record() == match.record()

    def test_continues_with_the_games_of_a_batch_with_the_same_seed(self, name):
        setup = parlour.make(name)
        game, batch = parlour.CompiledGame(setup, 3), parlour.Batch(setup, 4, seed=3, threads=1)
        tensor, mask = batch.observe()
        for number in range(4):
            assert game.number == number
            np.testing.assert_array_equal(game.tensor, tensor[number])
            np.testing.assert_array_equal(game.legal_mask, mask[number])
            to_the_end(game, most=5)
            game.renew()

    @pytest.mark.parametrize("kind", ["win", "points"])
    def test_ends_with_the_rewards_of_a_batch(self, name, kind):
        setup = parlour.make(name)
        game, batch = parlour.CompiledGame(setup, 2), parlour.Batch(setup, 1, seed=2, threads=1)
        assert game.rewards(kind) == [0.0] * setup.players
        for action in to_the_end(game):
            batch.step([action])
        assert game.rewards(kind) == batch.rewards(kind)[0].tolist()

    @pytest.mark.parametrize("copied", COPIES)
    def test_goes_on_alike_in_a_copy(self, name, copied):
        game = parlour.CompiledGame(parlour.make(name), 11)
        to_the_end(game, most=8)
        twin = copied(game)
        np.testing.assert_array_equal(twin.tensor, game.tensor)
        np.testing.assert_array_equal(twin.legal_mask, game.legal_mask)
        before = game.tensor.copy()
        played = to_the_end(twin, seed=1)
        np.testing.assert_array_equal(game.tensor, before, "the original changed")
        assert to_the_end(game, seed=1) == played
        assert twin.match.record() == game.match.record()
        game.renew()
        twin.renew()
        np.testing.assert_array_equal(twin.tensor, game.tensor)


class TestActions:
    @pytest.fixture
    def game(self) -> parlour.CompiledGame:
        return parlour.CompiledGame(parlour.make("trick-walls"), 7)

    @pytest.mark.parametrize("form", [int, np.int64, str])
    def test_are_numbers_or_texts(self, game, form):
        number = game.legal_actions()[0]
        game.act(game.setup.actions[number] if form is str else form(number))
        assert [event.do for event in game.match.events][-1] == game.setup.actions[number]

    @pytest.mark.parametrize("action", ["XB", "no card", 10_000, -1, 1 << 70, 1.0, True, None])
    def test_that_are_not_legal_are_refused_and_change_nothing(self, game, action):
        tensor, mask, legal = game.tensor.copy(), game.legal_mask.copy(), game.legal_actions()
        with pytest.raises(IllegalError):
            game.act(action)
        np.testing.assert_array_equal(game.tensor, tensor)
        np.testing.assert_array_equal(game.legal_mask, mask)
        assert game.legal_actions() == legal
        game.act(legal[0])
        assert len(game.match.events) == len(game.setup.start(7).events) + 1

    def test_are_refused_with_the_reason_of_the_rules(self, game):
        illegal = next(number for number, legal in enumerate(game.legal_mask) if not legal)
        with pytest.raises(IllegalError, match=r"is not legal: .* Legal: "):
            game.act(illegal)

    def test_are_over_with_the_game(self, game):
        to_the_end(game)
        with pytest.raises(TurnError, match="the game is over"):
            game.act(0)

    def test_of_a_long_game_are_all_in_its_match(self):
        game = parlour.CompiledGame(parlour.make("trick-walls", rounds=4), 1)
        played = to_the_end(game)
        assert len(played) > 128, "no more than the initial capacity of the log"
        actions = [event.do for event in game.match.events if event.by >= 0]
        assert actions == [game.setup.actions[number] for number in played]


class TestRuns:
    def test_a_reset_begins_the_first_game_of_a_run(self):
        setup = parlour.make("trime-kicker")
        game = parlour.CompiledGame(setup, 1)
        game.renew()
        game.reset(9)
        assert (game.seed, game.number) == (9, 0)
        np.testing.assert_array_equal(game.tensor, setup.start(9).observation().tensor)

    def test_without_a_seed_differ(self):
        setup = parlour.make("trime-kicker")
        assert parlour.CompiledGame(setup).seed != parlour.CompiledGame(setup).seed

    @pytest.mark.parametrize("seed", ["7", 1.5, True])
    def test_a_seed_is_a_whole_number(self, seed):
        with pytest.raises(parlour.ParlourError, match="seed"):
            parlour.CompiledGame(parlour.make("trime-kicker"), seed)

    def test_the_first_argument_is_a_setup(self):
        with pytest.raises(parlour.ParlourError, match="setup"):
            parlour.CompiledGame("trime-kicker", 1)
