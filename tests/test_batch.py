"""Many games side by side: the same games as one after another, whatever the number of threads."""

import numpy as np
import pytest

from parlour.engine.batch import Batch
from parlour.engine.chance import new_stream, random_below
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.playouts import run_playouts
from parlour.engine.setup import Setup
from parlour.games import all_games

pytestmark = pytest.mark.slow  # compiles


@pytest.fixture(params=all_games(), ids=lambda game: game.id)
def game(request: pytest.FixtureRequest) -> Game:
    return request.param


def batch_of(game: Game, games: int, seed: int = 0, threads: int | None = None) -> Batch:
    players = game.players[-1]
    return Batch(Setup(game, players), games, seed, threads)


class TestBatch:
    def test_it_begins_with_a_decision_in_every_game(self, game: Game) -> None:
        assert (batch_of(game, 9).actors >= 0).all()

    def test_played_out_it_is_the_run_of_playouts_with_its_seed(self, game: Game) -> None:
        batch = batch_of(game, 20, seed=3)
        batch.play_out()
        playouts = run_playouts(Setup(game, game.players[-1]), 20, seed=3)
        scores, winners = batch.scores()
        assert batch.over.all()
        assert np.array_equal(scores, playouts.scores)
        assert np.array_equal(winners, playouts.winners)

    def test_stepping_with_any_choice_does_not_depend_on_the_threads(self, game: Game) -> None:
        ends = []
        for threads in (1, 3):
            batch, random = batch_of(game, 7, seed=11, threads=threads), new_stream(5)
            for _ in range(30):
                actions, counts = batch.legal()
                batch.step(
                    np.array([row[random_below(random, max(1, n))] for row, n in zip(actions, counts, strict=True)])
                )
            ends.append(batch.states.tobytes())
        assert ends[0] == ends[1]

    def test_the_actions_listed_are_those_of_the_rules(self, game: Game) -> None:
        batch = batch_of(game, 5)
        actions, counts = batch.legal()
        for index in range(5):
            match = Match(Setup(game, game.players[-1]))
            match._states[0] = batch.states[index]
            assert sorted(actions[index][: counts[index]]) == sorted(match.actions())

    def test_reset_begins_other_games_with_another_seed(self, game: Game) -> None:
        batch = batch_of(game, 4, seed=1)
        first = batch.states.tobytes()
        batch.reset(2)
        assert batch.states.tobytes() != first
        batch.reset(1)
        assert batch.states.tobytes() == first
