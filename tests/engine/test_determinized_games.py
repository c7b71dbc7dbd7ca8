"""Batches of determinizations of an observation: actions tried in them, and their playouts."""

import numpy as np
import pytest

import parlour
from parlour import ParlourError
from parlour.engine.errors import IllegalError
from parlour.engine.observation import EVERYTHING
from parlour.engine.rules import CHANCE, OVER
from parlour.games import all_games
from tests.server.twins import twin_of

pytestmark = pytest.mark.slow  # compiles


@pytest.fixture(params=all_games(), ids=lambda game: game.id)
def match(request):
    """Return a game after some events; the seat to act has several actions."""
    made = parlour.make(request.param.id).start(seed=5)
    while len(made.events) < 14 or len(made.moves()) < 2:
        made.act(made.legal()[len(made.events) % len(made.legal())])
    return made


def same(one, other):
    return one.states.tobytes() == other.states.tobytes()


class TestDeterminizations:
    @pytest.mark.parametrize("by", ["uniform", "belief"])
    def test_they_look_like_the_game_to_their_seat_and_go_on_with_the_same_actions(self, match, by):
        seen = match.observation()
        worlds = seen.determinize(12, seed=3, by=by)
        tensor, mask = worlds.observe()
        assert (worlds.actors == seen.seat).all()
        assert (tensor == seen.tensor).all()
        assert (mask == seen.legal_mask).all()

    def test_they_follow_from_the_observation_and_the_seed(self, match):
        seen = match.observation()
        worlds = seen.determinize(6, seed=3)
        assert same(worlds, match.copy().observation().determinize(6, seed=3))
        assert same(worlds.copy(range(4)), seen.determinize(4, seed=3, threads=2))
        assert not same(worlds, seen.determinize(6, seed=4))

    def test_twin_games_that_a_seat_cannot_tell_apart_have_the_same(self, match):
        seat = match.actor
        for number in range(3):
            twin = twin_of(match, seat, number)
            for by in ("uniform", "belief"):
                worlds = [each.observation(seat).determinize(5, 8, by) for each in (match, twin)]
                assert same(*worlds)
                for each in worlds:
                    each.play_out("heuristic")
                assert same(*worlds)

    def test_some_determinizations_differ_from_the_true_state(self, match):
        worlds = match.observation().determinize(20, seed=1)
        assert len({state.tobytes() for state in worlds.states}) > 1

    def test_weights_choose_among_them(self, match):
        def weigh(batch):
            return np.arange(len(batch)) == 7

        seen = match.observation()
        chosen = seen.determinize(4, seed=2, by=weigh, candidates=9)
        assert same(chosen, seen.determinize(9, seed=2).copy([7] * 4))

    def test_weights_choose_in_proportion(self, match):
        uniform = match.observation().determinize(8, seed=2)
        for weights, chosen in ((np.ones(8), range(8)), ([1, 3, 0, 0, 0, 0, 2, 2], [0, 1, 1, 1, 6, 6, 7, 7])):
            found = match.observation().determinize(8, seed=2, by=lambda batch, given=weights: given, candidates=8)
            assert same(found, uniform.copy(chosen))


class TestRefusals:
    def test_wrong_arguments_are_refused_in_a_sentence(self, match):
        seen = match.observation()
        for message, arguments in (
            ("must be 1 at least, not 0", {"n": 0}),
            ("must be a whole number, not 1.5", {"n": 1.5}),
            ("a seed must be a whole number", {"seed": "x"}),
            ("by is 'uniform', 'belief' or a function that weighs a batch, not 'likely'", {"by": "likely"}),
            ("candidates are only for weights by a function", {"candidates": 9}),
            ("must be 2 at least, not 1", {"by": len, "candidates": 1}),
            ("must return 16 weights, one for each game, none below 0", {"by": lambda batch: [1.0]}),
            ("must return 16 weights", {"by": lambda batch: "no"}),
            ("none of 16 determinizations has a weight above 0", {"by": lambda batch: np.zeros(len(batch))}),
        ):
            with pytest.raises(ParlourError, match=message):
                seen.determinize(**{"n": 2, "seed": 1, **arguments})
        with pytest.raises(ParlourError, match="determinizations are for seats; a spectator decides nothing"):
            match.observation(parlour.SPECTATOR).determinize(2, 1)

    def test_a_finished_game_has_no_determinizations(self):
        match = parlour.play(parlour.make("castle-walls"), ["random", "random"], seed=1)
        for viewer in (0, EVERYTHING):
            with pytest.raises(ParlourError, match=r"the game is over|determinizations are for seats"):
                match.observation(viewer).determinize(2, 1)


class TestPlayOuts:
    def test_the_heuristic_ends_every_game_and_copies_alike(self, match):
        worlds = match.observation().determinize(8, seed=3)
        again = worlds.copy()
        for each in (worlds, again):
            each.play_out("heuristic", careless=0.1)
        assert worlds.over.all()
        assert same(worlds, again)

    def test_a_play_out_for_the_result_only_has_the_same_result(self, match):
        worlds = match.observation().determinize(8, seed=3)
        shortly = worlds.copy()
        worlds.play_out("heuristic")
        shortly.play_out("heuristic", result_only=True)
        assert np.array_equal(worlds.scores()[0], shortly.scores()[0])
        assert np.array_equal(worlds.rewards(), shortly.rewards())

    def test_a_round_ends_before_the_next_deal_and_the_game_goes_on(self, match):
        worlds = match.observation().determinize(8, seed=3)
        worlds.play_out("heuristic", until="round")
        assert np.isin(worlds.actors, [CHANCE, OVER]).all()
        waiting = worlds.actors == CHANCE
        worlds.step(np.zeros(8, np.int64))
        assert ((worlds.actors >= 0) == waiting).all()
        worlds.play_out()
        assert worlds.over.all()

    def test_tried_actions_end_as_copies_do_after_them(self, match):
        seen = match.observation()
        worlds = seen.determinize(5, seed=3, by="belief")
        legal = seen.legal_actions[:4]
        before = worlds.states.tobytes()
        for by, until in (("heuristic", "round"), ("random", "game")):
            trials = worlds.try_actions(legal, by=by, until=until, careless=0.1)
            copies = worlds.copy(np.repeat(np.arange(5), len(legal)))
            copies.step(np.tile(legal, 5), until="round")
            copies.play_out(by, until, careless=0.1, result_only=True)
            assert np.array_equal(trials.scores.reshape(len(copies), -1), copies.scores()[0])
            assert np.array_equal(trials.over.ravel(), copies.over)
            assert np.array_equal(trials.rewards().reshape(len(copies), -1), copies.rewards())
        assert worlds.states.tobytes() == before

    def test_a_finished_game_has_no_actions_to_try(self):
        games = parlour.Batch(parlour.make("tricky-tribes"), 2, seed=1)
        games.play_out()
        with pytest.raises(IllegalError, match="in game 0 of the batch no seat is to act, so no action can be tried"):
            games.try_actions([0])

    def test_a_game_between_two_rounds_stays_there_while_others_are_stepped(self):
        games = parlour.Batch(parlour.make("tricky-tribes"), 2, seed=1)
        games.play_out(until="round")
        games.step([0, 0], which=[0])
        assert games.actors[0] >= 0
        assert games.actors[1] == CHANCE

    def test_a_function_or_a_bot_may_play(self, match):
        class First:
            def choose(self, observation):
                assert observation.seat == observation.actor
                return observation.legal[0]

        start = match.observation().determinize(2, seed=3)
        for by in (lambda batch: batch.heuristic_actions(), First()):
            games = start.copy()
            games.play_out(by, until="round")
            assert (games.actors < 0).all()

    def test_wrong_players_and_actions_are_refused(self, match):
        worlds = match.observation().determinize(2, seed=3)
        for message, arguments in (
            ("by is 'random', 'heuristic', a function of a batch or a bot, not 'master'", {"by": "master"}),
            ("a function of a batch or a bot, not 7", {"by": 7}),
            ("until is 'game' or 'round', not 'trick'", {"until": "trick"}),
            ("careless is a share from 0 to 1, not 2", {"careless": 2}),
        ):
            with pytest.raises(ParlourError, match=message):
                worlds.play_out(**arguments)
        illegal = next(each for each in range(worlds.setup.num_actions) if each not in match.legal_actions())
        with pytest.raises(IllegalError, match=r"is not legal in game \d of the batch"):
            worlds.try_actions([match.legal_actions()[0], illegal])
        with pytest.raises(ParlourError, match="by is 'random' or 'heuristic', not <function"):
            worlds.try_actions(match.legal_actions(), by=lambda batch: batch.random_actions())
        with pytest.raises(ParlourError, match="actions to try are k for all games or 2 × k"):
            worlds.try_actions(np.zeros((3, 2), np.int64))
        with pytest.raises(ParlourError, match="there is no game 2"):
            worlds.observation(2)
