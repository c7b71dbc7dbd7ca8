"""Calls of a batch in every order: no call returns values of an earlier state. Saved, restored and copied games."""

import pickle
from itertools import product

import numpy as np
import pytest

import parlour
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.engine.simulation.batch import Batch
from parlour.games import all_games

pytestmark = pytest.mark.slow  # compiles

GAMES = 4


def restore_batch(batch):
    saved = batch.save()
    batch.step(batch.random_actions())
    batch.restore(saved)


def refused_call(batch):
    if batch.over.all():
        return  # then no action matters
    with pytest.raises(ParlourError, match=r"is not legal in game|there is no action"):
        batch.step(np.full(len(batch), batch.setup.num_actions))


CALLS = {
    "legal": Batch.legal_actions,
    "observe": Batch.observe,
    "observe a seat": lambda batch: batch.observe(1),
    "observe again": lambda batch: batch.observe(tensor=batch.room[0], legal_mask=batch.room[1]),
    "observe a seat again": lambda batch: batch.observe(0, batch.room[0], batch.room[1]),
    "random actions": Batch.random_actions,
    "heuristic actions": Batch.heuristic_actions,
    "step at random": lambda batch: batch.step(batch.random_actions()),
    "step": lambda batch: batch.step(np.array([row[-1] if row else 0 for row in batch.legal_actions()])),
    "refused": refused_call,
    "others": lambda batch: batch.play_others(np.arange(GAMES) % batch.setup.players),
    "others at random": lambda batch: batch.play_others(1, by_heuristic=False),
    "out": Batch.play_out,
    "renew": Batch.renew,
    "renew some": lambda batch: batch.renew([False, True, False, True]),
    "reset": lambda batch: batch.reset(9),
    "reset with seeds": lambda batch: batch.reset([4, 3, 2, 1]),
    "rewards": Batch.rewards,
    "put back": restore_batch,
    "branch": lambda batch: batch.restore(batch.save([2, 2]), [0, 3], seed=5),
}


def check_anew(batch, calls):
    """Compare the batch's answers with those of a new batch in the same states."""
    fresh = Batch(batch.setup, GAMES)
    fresh.restore(batch.save())
    assert batch.legal_actions() == fresh.legal_actions(), calls
    (tensor, mask), expected = batch.observe(None, *batch.room), fresh.observe()
    assert tensor.tobytes() == expected.tensor.tobytes(), calls
    assert mask.tobytes() == expected.legal_mask.tobytes(), calls
    assert batch.random_actions().tolist() == fresh.random_actions().tolist(), calls
    assert batch.heuristic_actions().tolist() == fresh.heuristic_actions().tolist(), calls


def check(batch, calls):
    """Compare the batch's answers with those of matches in the same states."""
    matches = [Match(batch.setup).imagined(state) for state in batch.states]
    expected = [sorted(match.legal()) for match in matches]
    listed = [sorted(map(batch.setup.action_name, row)) for row in batch.legal_actions()]
    assert listed == expected, calls
    seen = batch.observe(tensor=batch.room[0], legal_mask=batch.room[1])
    for row, match in enumerate(matches):
        marked = sorted(batch.setup.action_name(int(number)) for number in np.flatnonzero(seen.legal_mask[row]))
        assert marked == expected[row], calls
        if match.actor >= 0:
            assert seen.tensor[row].tobytes() == match.observation().tensor.tobytes(), calls
    for chosen in (batch.random_actions(), batch.heuristic_actions()):
        assert all(
            not texts or batch.setup.action_name(int(n)) in texts for n, texts in zip(chosen, expected, strict=True)
        )


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
class TestEveryOrderOfTwoCalls:
    @pytest.mark.parametrize("first", CALLS)
    def test_answers_are_then_those_of_a_new_batch_in_the_same_states(self, game, first):
        for second in CALLS:
            batch = Batch(Setup(game, game.players[0]), GAMES, seed=2, threads=2)
            batch.room = batch.new_tensor(), np.zeros((GAMES, batch.setup.num_actions), np.bool_)
            for name in (first, second):
                CALLS[name](batch)
            check_anew(batch, (first, second))


class TestThreeCalls:
    @pytest.mark.parametrize("first", ["legal", "observe again", "random actions", "refused"])
    def test_answers_are_then_those_of_matches_in_the_same_states(self, first):
        for second, third in product(CALLS, ["legal", "observe a seat again", "step at random"]):
            batch = Batch(parlour.make("trime-kicker"), GAMES, seed=3)
            batch.room = batch.new_tensor(), np.zeros((GAMES, batch.setup.num_actions), np.bool_)
            for name in (first, second, third):
                CALLS[name](batch)
            check(batch, (first, second, third))


def next_results(batch, steps):
    """Return the results of the next steps by the batch's own chance."""
    results = []
    for _ in range(steps):
        seen = batch.observe()
        results.append((seen.tensor.tobytes(), seen.legal_mask.tobytes(), batch.rewards().tolist()))
        batch.step(batch.random_actions())
        batch.renew()
    return results, batch.numbers.tolist()


@pytest.fixture(params=all_games(), ids=lambda game: game.id)
def batch(request):
    made = Batch(Setup(request.param, request.param.players[-1]), 6, seed=4, threads=2)
    next_results(made, 5)
    return made


class TestSavedGames:
    def test_restored_games_have_the_same_course(self, batch):
        mask = batch.observe().legal_mask
        saved = batch.save()
        expected = next_results(batch, 60)
        batch.observe(legal_mask=mask)
        batch.restore(saved)
        assert next_results(batch, 60) == expected
        batch.restore(pickle.loads(pickle.dumps(saved)))
        assert next_results(batch, 60) == expected

    def test_some_games_can_be_restored_at_other_indices_and_the_rest_stays(self, batch):
        saved, before = batch.save([4, 4, 1]), batch.states.copy()
        batch.restore(saved, [0, 5, 2])
        assert [state.tobytes() for state in batch.states] == [before[game].tobytes() for game in (4, 1, 1, 3, 4, 4)]
        for row, state in zip(batch.legal_actions(), batch.states, strict=True):
            assert sorted(map(batch.setup.action_name, row)) == Match(batch.setup).imagined(state).legal()

    def test_only_a_restore_without_places_resets_the_run(self, batch):
        saved, places = batch.save(), np.arange(6)[::-1]
        batch.renew(range(6))
        assert batch.numbers.tolist() == [6, 7, 8, 9, 10, 11]
        batch.restore(saved, places)
        assert batch.numbers.tolist() == [5, 4, 3, 2, 1, 0]
        batch.renew([0, 1])
        assert batch.numbers.tolist() == [12, 13, 3, 2, 1, 0]
        batch.restore(saved)
        batch.renew([0, 1])
        assert batch.numbers.tolist() == [6, 7, 2, 3, 4, 5]

    def test_a_copy_continues_with_the_next_games_of_the_run(self, batch):
        made = batch.copy([3, 1])
        assert made.numbers.tolist() == [3, 1]
        made.renew([0])
        assert made.numbers.tolist() == [6, 1]
        assert batch.numbers.tolist() == [0, 1, 2, 3, 4, 5]

    def test_branches_are_equal_with_the_saved_chance_and_differ_with_a_seed(self, batch):
        batch.restore(batch.save([2] * 6))
        same = batch.copy()
        while not same.over.all():
            same.step(same.random_actions())
        assert len({state.tobytes() for state in same.states}) == 1
        apart = batch.copy(seed=1)
        apart.play_out()
        assert len({state.tobytes() for state in apart.states}) > 1

    def test_saved_states_can_be_edited(self, batch):
        saved = batch.save()
        saved.states[0] = saved.states[3]
        batch.restore(saved)
        assert batch.legal_actions()[0] == batch.legal_actions()[3]

    def test_the_states_of_a_batch_are_read_only(self, batch):
        for change in (lambda states: states.__setitem__(0, states[1]), lambda states: setattr(states[0], "actor", 1)):
            with pytest.raises(ValueError, match="read-only"):
                change(batch.states)
        with pytest.raises(AttributeError):
            batch.states = batch.states.copy()


class TestPartialCopies:
    def test_a_partial_copy_has_the_named_games_and_is_independent(self, batch):
        made, before = batch.copy([5, 0, 0]), batch.states.copy()
        assert [state.tobytes() for state in made.states] == [before[game].tobytes() for game in (5, 0, 0)]
        assert made.numbers.tolist() == batch.numbers[[5, 0, 0]].tolist()
        next_results(made, 9)
        assert batch.states.tobytes() == before.tobytes()

    def test_a_full_copy_has_the_same_course(self, batch):
        made = batch.copy()
        assert next_results(made, 60) == next_results(batch, 60)

    def test_a_mask_selects_games_too(self, batch):
        which = np.array([True, False, False, True, False, False])
        assert batch.copy(which).states.tobytes() == batch.copy([0, 3]).states.tobytes()


class TestRefusals:
    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda batch: batch.save([6]), "there is no game 6; the games are 0 to 5"),
            (lambda batch: batch.copy([-1]), "there is no game -1; the games are 0 to 5"),
            (lambda batch: batch.save([1.0]), "indices of games must be whole numbers, not float64"),
            (lambda batch: batch.renew([True]), r"one bool per game is required, 6 in all, not an array of \(1,\)"),
            (lambda batch: batch.restore(batch.save([1, 2])), "2 saved games for 6 places"),
            (lambda batch: batch.restore(batch.save([1, 2]), [3, 3]), "a place is named twice"),
            (lambda batch: batch.restore(batch.states), r"restore takes what save\(\) has returned, not "),
            (lambda batch: batch.reset([1, 2]), "2 seeds for 6 games: one for each"),
            (lambda batch: batch.restore(batch.save(), seed=0.5), "a seed must be a whole number, not 0.5"),
        ],
    )
    def test_impossible_calls_are_refused_in_a_sentence(self, call, message):
        with pytest.raises(ParlourError, match=message):
            call(Batch(parlour.make("trime-kicker"), 6))

    @pytest.mark.parametrize("none", [[], np.zeros(0), np.zeros(6, bool)], ids=["list", "array", "mask"])
    def test_an_empty_selection_changes_nothing(self, none):
        batch = Batch(parlour.make("trime-kicker"), 6, seed=1)
        before = batch.states.tobytes()
        batch.step(batch.observe().legal_mask.argmax(axis=1), none)
        assert not batch.renew(none).any()
        assert batch.states.tobytes() == before

    def test_games_of_another_setup_cannot_be_restored(self):
        saved = Batch(parlour.make("trick-walls"), 2).save()
        with pytest.raises(ParlourError, match="these are games of Trick Walls, 4 players, not of Trime Kicker, 2"):
            Batch(parlour.make("trime-kicker"), 2).restore(saved)
