"""Actions chosen word by word: the same games, and exactly one way to each legal action."""

import random

import numpy as np
import pytest

import parlour
from parlour.authors.laws import choose_setup
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.simulation.batch import Batch
from parlour.engine.simulation.factored import DONE, FactoredBatch, action_words
from tests.laws.walks import GAMES

pytestmark = pytest.mark.slow

every_game = pytest.mark.parametrize("game_id", GAMES)


def ways(factored, saved, begun=()):
    """Yield every sequence of choices that completes an action from a saved position, with the action."""
    factored.restore(saved)
    for word in begun:
        factored.step(np.array([word]))
    for word in np.flatnonzero(factored.legal_mask()[0]):
        factored.restore(saved)
        for before in begun:
            factored.step(np.array([before]))
        (action,) = factored.step(np.array([word]))
        if action >= 0:
            yield (*begun, int(word)), int(action)
        else:
            yield from ways(factored, saved, (*begun, int(word)))


@every_game
class TestAChoice:
    def test_every_way_ends_in_a_legal_action_and_every_legal_action_has_one(self, game_id):
        setup = parlour.make(game_id)
        factored = FactoredBatch(setup, 1, seed=3)
        for _ in range(3):
            for _ in range(5):
                factored.batch.step(factored.batch.random_actions())
            factored._forget(np.ones(1, np.bool_))
            if factored.over[0]:
                break
            saved = factored.save()
            legal = sorted(factored.batch.legal_actions()[0])
            found = list(ways(factored, saved))
            assert sorted(action for _, action in found) == legal
            assert len({way for way, _ in found}) == len(found)
            factored.restore(saved)

    def test_the_games_are_those_of_the_actions(self, game_id):
        setup = choose_setup(GAMES[game_id], random.Random(game_id).choice, whole=False)
        factored, whole = (kind(setup, 7, seed=5, threads=2) for kind in (FactoredBatch, Batch))
        for _ in range(60):
            actors = factored.actors
            actions = factored.step(factored.random_actions())
            assert np.array_equal(factored.actors[actions < 0], actors[actions < 0])
            whole.step(actions, actions >= 0)
            assert factored.batch.states.tobytes() == whole.states.tobytes()
            assert np.array_equal(factored.renew(), whole.renew())

    def test_the_words_chosen_are_in_the_tensor(self, game_id):
        setup = parlour.make(game_id)
        factored = FactoredBatch(setup, 5, seed=1)
        cells = setup.observation_shape[0]
        seen = {}
        for _ in range(40):
            tensor, mask = factored.observe()
            whole = factored.batch.observe()
            assert np.array_equal(tensor[:, :cells], whole.tensor)
            assert tensor.shape == (5, *factored.observation_shape)
            for game in np.flatnonzero(~factored.over):
                key = whole.tensor[game].tobytes(), whole.legal_mask[game].tobytes(), tensor[game, cells:].tobytes()
                assert seen.setdefault(key, mask[game].tobytes()) == mask[game].tobytes()
            for seat in range(setup.players):
                other = factored.observe(seat)
                assert not other.legal_mask[factored.actors != seat].any()
                assert not other.tensor[factored.actors != seat, cells:].any()
            factored.step(factored.random_actions())
            factored.renew()

    def test_an_imitator_follows_an_action_word_by_word(self, game_id):
        factored = FactoredBatch(parlour.make(game_id), 1, seed=2)
        for _ in range(4):
            actions, played = factored.batch.random_actions(), np.array([-1])
            while played[0] < 0:
                played = factored.step(factored.words_of(actions))
            assert played[0] == actions[0]


class TestActionsOfAnImitator:
    """Only legal actions that begin with the words chosen so far have a next word."""

    def in_the_middle_of_a_choice(self) -> tuple[FactoredBatch, np.ndarray]:
        """Return a batch in one of whose games a word has been chosen, and the actions that were begun."""
        factored = FactoredBatch(parlour.make("three-tricks"), 3, seed=1)
        while True:
            actions = factored.batch.random_actions()
            if (factored.step(factored.words_of(actions)) < 0).any():
                return factored, actions

    @pytest.mark.parametrize("wrong", [-1, 10**9, "illegal"])
    def test_an_illegal_action_is_refused_with_its_game(self, wrong):
        factored = FactoredBatch(parlour.make("three-tricks"), 3, seed=1)
        actions = factored.batch.random_actions()
        listed = factored.batch.legal_actions()[1]
        actions[1] = next(each for each in range(100) if each not in listed) if wrong == "illegal" else wrong
        with pytest.raises(IllegalError, match=f"action {actions[1]} is not legal in game 1 of the batch"):
            factored.words_of(actions)

    def test_an_action_that_begins_with_other_words_is_refused(self):
        factored, actions = self.in_the_middle_of_a_choice()
        game = int(np.flatnonzero(factored._depths)[0])
        wrong = np.array([listed[0] for listed in factored.batch.legal_actions()])
        wrong[factored._depths > 0] = actions[factored._depths > 0]
        wrong[game] = factored.setup.actions.index("pass")
        with pytest.raises(IllegalError, match=rf"'pass' does not begin with the words chosen in game {game} of the"):
            factored.words_of(wrong)

    def test_as_many_numbers_as_games_are_required(self):
        factored = FactoredBatch(parlour.make("three-tricks"), 3, seed=1)
        for wrong in (5, [5], [1.0, 2.0, 3.0]):
            with pytest.raises(ParlourError, match=r"one action per game is required|must be whole numbers"):
                factored.words_of(wrong)


class TestSavedChoices:
    @pytest.mark.parametrize(("which", "places"), [(None, None), ([4, 1], [0, 3])])
    def test_restored_games_continue_the_choices_that_were_under_way(self, which, places):
        factored = FactoredBatch(parlour.make("three-tricks"), 6, seed=1)
        for _ in range(6):
            factored.step(factored.random_actions())
        saved, before = factored.save(which), factored.observe()
        assert (saved.depths > 0).any()
        for _ in range(5):
            factored.step(factored.random_actions())
        factored.restore(saved, places)
        after = factored.observe()
        old, new = (slice(None) if each is None else each for each in (which, places))
        assert after.tensor[new].tobytes() == before.tensor[old].tobytes()
        assert after.legal_mask[new].tobytes() == before.legal_mask[old].tobytes()

    def test_those_of_the_batch_within_are_refused(self):
        factored = FactoredBatch(parlour.make("trime-kicker"), 2)
        with pytest.raises(ParlourError, match=r"restore takes what save\(\) of a FactoredBatch has returned, not "):
            factored.restore(factored.batch.save())


class TestWords:
    def test_there_are_few_of_them(self):
        setup = parlour.make("three-tricks")
        assert setup.num_actions == 24_787
        assert len(action_words(setup).words) == 56
        assert [len(action_words(parlour.make(game)).words) for game in parlour.games()] == [84, 56, 54, 59, 59]

    def test_an_action_that_begins_others_has_an_end_word(self):
        setup = parlour.make("three-tricks")
        space = action_words(setup)
        path = [space.words[word] for word in space.paths[setup.action_numbers["swap 4C 9H"]] if word >= 0]
        assert path == ["swap", "4C", "9H", DONE]

    def test_a_word_that_cannot_be_chosen_is_refused_and_changes_nothing(self):
        factored = FactoredBatch(parlour.make("three-tricks"), 2, seed=1)
        before = factored.observe()
        with pytest.raises(IllegalError, match=r"'\.' cannot be chosen in game 0 of the batch"):
            factored.step(np.full(2, factored.words.index(DONE)))
        with pytest.raises(IllegalError, match="word 99 cannot be chosen in game 0"):
            factored.step(np.array([99, 0]))
        with pytest.raises(ParlourError, match="one word per game is required, 2 in all"):
            factored.step(np.zeros(3, np.int64))
        after = factored.observe()
        assert before.tensor.tobytes() == after.tensor.tobytes()
        assert before.legal_mask.tobytes() == after.legal_mask.tobytes()
