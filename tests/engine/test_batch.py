"""Batches: the same games as one after another, with any number of threads."""

import copy
import dataclasses
import os
import pickle
import signal
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.lib.recfunctions import rename_fields

import parlour
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.rewards import rewards_of
from parlour.engine.rules import MAX_ACTIONS, action_value, legal, new_states, state_type
from parlour.engine.setup import Setup
from parlour.engine.simulation.actions import UNASKED, ActionNumbers, place_of_action, place_of_context
from parlour.engine.simulation.batch import Batch
from parlour.engine.simulation.playouts import run_playouts
from parlour.games import all_games
from tests.sample_size import sample_size

pytestmark = pytest.mark.slow  # compiles


@pytest.fixture(params=all_games(), ids=lambda game: game.id)
def game(request: pytest.FixtureRequest) -> Game:
    return request.param


def batch_of(game: Game, games: int, seed: int = 0, threads: int | None = None) -> Batch:
    players = game.players[-1]
    return Batch(Setup(game, players), games, seed, threads)


def is_a_run_of_playouts(batch: Batch) -> bool:
    playouts = run_playouts(batch.setup, len(batch.states), batch.seed)
    scores, winners = batch.scores()
    return np.array_equal(scores, playouts.scores) and np.array_equal(winners, playouts.winners)


class TestPlaying:
    def test_it_begins_with_a_decision_in_every_game(self, game: Game) -> None:
        assert (batch_of(game, 9).actors >= 0).all()

    def test_play_out_gives_the_playouts_of_its_seed(self, game: Game) -> None:
        batch = batch_of(game, 20, seed=3)
        batch.play_out()
        assert batch.over.all()
        assert is_a_run_of_playouts(batch)

    def test_steps_by_random_actions_give_the_same_playouts(self, game: Game) -> None:
        batch = batch_of(game, 5, seed=4)
        while not batch.over.all():
            batch.step(batch.random_actions())
        assert is_a_run_of_playouts(batch)

    def test_stepping_with_any_choice_does_not_depend_on_the_threads(self, game: Game) -> None:
        ends = []
        for threads in (1, 3):
            batch = batch_of(game, 7, seed=11, threads=threads)
            for number in range(30):
                batch.step(np.array([row[number % len(row)] if row else 0 for row in batch.legal_actions()]))
            ends.append(batch.states.tobytes())
        assert ends[0] == ends[1]

    def test_the_heuristics_action_has_the_best_value_in_the_observation_of_the_seat_to_act(self, game: Game) -> None:
        batch = batch_of(game, 2, seed=5)
        for _ in range(10):
            chosen = batch.heuristic_actions()
            for row, number, state in zip(batch.legal_actions(), chosen, batch.states, strict=True):
                if row:
                    actions = np.zeros(MAX_ACTIONS, np.int64)
                    observed = Match(batch.setup).imagined(state).observed(int(state.actor))
                    worth = [action_value(observed, action) for action in actions[: legal(observed, actions)]]
                    assert worth[row.index(number)] == max(worth)
            batch.step(chosen)

    def test_the_listed_actions_are_the_legal_ones_as_indices_of_the_action_space(self, game: Game) -> None:
        batch = batch_of(game, 5)
        for row, state in zip(batch.legal_actions(), batch.states, strict=True):
            match = Match(batch.setup).imagined(state)
            assert sorted(map(batch.setup.action_name, row)) == match.legal()

    def test_the_listed_actions_are_the_legal_ones_after_every_step(self, game: Game) -> None:
        batch, actions = batch_of(game, 6, seed=1), np.zeros(MAX_ACTIONS, np.int64)
        for _ in range(40):
            batch.step(batch.random_actions())
            batch.renew()
            for row, state in zip(batch.legal_actions(), batch.states, strict=True):
                codes = actions[: legal(state, actions)]
                assert [batch.setup.action_name(number) for number in row] == [game.name(state, code) for code in codes]

    def test_an_action_has_the_effect_of_its_text_in_a_match(self, game: Game) -> None:
        match = Setup(game, game.players[-1]).start(seed=2)
        batch = Batch(match.setup, 1, seed=2)
        while not match.over and len(match.events) < 60:
            action = batch.legal_actions()[0][-1]
            batch.step(np.array([action]))
            match.act(batch.setup.action_name(action))
            assert batch.states[0].tobytes() == match.state.tobytes()

    def test_an_illegal_action_is_refused_before_any_game_is_stepped(self, game: Game) -> None:
        batch = batch_of(game, 4)
        before, chosen = batch.states.tobytes(), batch.random_actions()
        chosen[2] = next(number for number in range(batch.setup.num_actions) if number not in batch.legal_actions()[2])
        with pytest.raises(IllegalError, match=" is not legal in game 2 of the batch"):
            batch.step(chosen)
        assert batch.states.tobytes() == before
        with pytest.raises(ParlourError, match=r"one action per game is required, 4 in all, not an array of \(3,\)"):
            batch.step(chosen[:3])


class TestBeginning:
    def test_reset_begins_other_games_with_another_seed(self, game: Game) -> None:
        batch = batch_of(game, 4, seed=1)
        first = batch.states.tobytes()
        batch.reset(2)
        assert batch.states.tobytes() != first
        batch.reset(1)
        assert batch.states.tobytes() == first

    def test_a_finished_game_is_replaced_by_the_next_of_the_run(self, game: Game) -> None:
        batch = batch_of(game, 3, seed=6)
        assert not batch.renew().any()
        batch.play_out()
        assert batch.renew().all()
        assert batch.states.tobytes() == batch_of(game, 6, seed=6).states[3:].tobytes()

    def test_the_other_games_go_on(self, game: Game) -> None:
        batch = batch_of(game, 12, seed=8)
        while not batch.over.any():
            batch.step(batch.random_actions())
        before, over = batch.states.copy(), batch.over
        assert np.array_equal(batch.renew(), over)
        changed = [one.tobytes() != other.tobytes() for one, other in zip(before, batch.states, strict=True)]
        assert changed == over.tolist()

    def test_new_games_can_replace_named_games(self, game: Game) -> None:
        batch = batch_of(game, 4, seed=6)
        which = np.array([False, True, False, True])
        assert np.array_equal(batch.renew(which), which)
        assert batch.numbers.tolist() == [0, 4, 2, 5]
        assert batch.states[1].tobytes() == batch_of(game, 6, seed=6).states[4].tobytes()


class TestNumbers:
    def test_a_game_depends_on_its_number_and_not_on_its_neighbours(self, game: Game) -> None:
        results: list[dict[int, list[int]]] = []
        for games, threads in ((2, 1), (5, 3)):
            batch, found = batch_of(game, games, seed=9, threads=threads), {}
            while not {0, 1, 2, 3} <= found.keys():
                batch.step(np.array([row[0] if row else 0 for row in batch.legal_actions()]))
                scores, _ = batch.scores()
                found |= {int(batch.numbers[index]): scores[index].tolist() for index in np.flatnonzero(batch.over)}
                batch.renew()
            results.append({number: found[number] for number in range(4)})
        assert results[0] == results[1]

    @pytest.mark.parametrize("draw", [Batch.random_actions, Batch.heuristic_actions])
    def test_later_deals_depend_on_the_calls_that_draw(self, draw: Callable[[Batch], Any]) -> None:
        drawn, silent = (Batch(parlour.make("trick-walls", rounds=2), 3, seed=1, threads=1) for _ in range(2))
        assert np.array_equal(drawn.states["hand"], silent.states["hand"])
        while (drawn.states["round_number"] == 0).any():
            actions = drawn.observe().legal_mask.argmax(axis=1)
            draw(drawn)
            which = drawn.states["round_number"] == 0
            drawn.step(actions, which)
            silent.step(actions, which)
        assert not np.array_equal(drawn.states["hand"], silent.states["hand"])


class TestTheTable:
    def test_two_states_differ_in_each_of_the_words_read(self) -> None:
        moments = np.array([[1, 2], [3, 2], [1, 4], [3, 4]])
        contexts, reads = np.full((8, 3), UNASKED), np.arange(2)
        for number, words in enumerate(moments):
            contexts[place_of_context(words, reads, contexts)] = number, *words
        assert [contexts[place_of_context(words, reads, contexts), 0] for words in moments] == [0, 1, 2, 3]

    def test_an_action_is_looked_up_by_all_words_of_the_state_that_its_name_reads(self) -> None:
        def name(state: Any, action: int) -> str:
            return f"{action} {state.named_stage}" + (f" {state.named_turn}" if action == 2 else "")

        states = new_states(state_type([("named_stage", "i8"), ("named_turn", "i8")]), 1)
        texts = ["1 0", "2 0 0", "2 0 1", "1 1"]
        game = SimpleNamespace(dtype=states.dtype, name=name)
        setup: Any = SimpleNamespace(game=game, action_numbers={text: number for number, text in enumerate(texts)})
        numbers, found, moment = ActionNumbers(setup), [], states[0]
        for action, stage, turn in ((1, 0, 0), (2, 0, 0), (2, 0, 1), (2, 0, 0), (1, 1, 1)):
            moment.named_stage, moment.named_turn = stage, turn
            words = np.frombuffer(moment.tobytes(), np.int64)
            numbers.ask(moment, words, [action])
            context = numbers.contexts[place_of_context(words, numbers.reads, numbers.contexts), 0]
            found.append(texts[numbers.rows[place_of_action(action, context, numbers.rows), 1] & 0xFFFFFFFF])
        assert found == ["1 0", "2 0 0", "2 0 1", "2 0 0", "1 1"]


def states_by_best_actions(match: Match, seat: int) -> set[bytes]:
    """Return the states at a seat's next turn if the others take actions of the best value; chance breaks ties."""
    if match.over or match.actor == seat:
        return {match.state.tobytes()}
    values = {move: int(action_value(match.state, move)) for move in match.moves()}
    found: set[bytes] = set()
    for move in (move for move, value in values.items() if value == max(values.values())):
        after = match.copy()
        after.apply_move(move)
        found |= states_by_best_actions(after, seat)
    return found


class TestTheOthers:
    @pytest.mark.parametrize("by_heuristic", [True, False])
    def test_they_play_until_it_is_the_named_seats_turn(self, game: Game, by_heuristic: bool) -> None:
        batch = batch_of(game, 6, seed=2)
        seats = np.arange(6) % batch.setup.players
        for _ in range(40):
            batch.play_others(seats, by_heuristic)
            assert (batch.over | (batch.actors == seats)).all()
            batch.step(batch.random_actions())

    def test_games_already_at_the_seats_turn_are_not_stepped(self, game: Game) -> None:
        batch = batch_of(game, 3)
        before = batch.states.tobytes()
        batch.play_others(batch.actors)
        assert batch.states.tobytes() == before

    def test_a_game_that_waits_for_another_round_is_dealt_unless_they_stop_before_it(self, game: Game) -> None:
        batch = batch_of(game, 4, seed=3)
        seats = np.arange(4) % batch.setup.players
        batch.play_out(until="round")
        before = batch.states.tobytes()
        batch.play_others(seats, until="round")
        assert batch.states.tobytes() == before
        batch.play_others(seats)
        assert (batch.over | (batch.actors == seats)).all()

    def test_with_the_heuristic_they_take_its_actions(self, game: Game) -> None:
        for seed in range(4):
            batch, match = batch_of(game, 1, seed), Setup(game, game.players[-1]).start(seed)
            seat = (match.actor + 1) % match.players
            batch.play_others(seat)
            assert batch.states[0].tobytes() in states_by_best_actions(match, seat)


class TestRewards:
    def test_rewards_come_at_the_end(self, game: Game) -> None:
        batch = batch_of(game, 8, seed=1)
        assert not batch.rewards().any()
        while not batch.over.any():
            batch.step(batch.random_actions())
        over = batch.over
        assert not batch.rewards()[~over].any()
        scores, winners = batch.scores()
        assert np.array_equal(batch.rewards("points")[over], scores[over])
        assert np.allclose(batch.rewards()[over], rewards_of(batch.setup, scores, winners)[over])

    def test_there_are_no_other_rewards(self, game: Game) -> None:
        with pytest.raises(ParlourError, match="rewards are 'tricks', but may be 'win' or 'points'"):
            batch_of(game, 1).rewards("tricks")


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))],
    ids=["copy", "deepcopy", "pickle"],
)
class TestCopies:
    def test_a_copy_has_the_same_course_and_is_independent(self, game: Game, copied: Callable[[Batch], Batch]) -> None:
        batch = batch_of(game, 6, seed=1, threads=2)
        batch.step(batch.random_actions())
        again = copied(batch)
        seen = again.observe()
        for _ in range(8):
            chosen = batch.random_actions()
            batch.step(chosen)
        assert np.array_equal(again.observe().tensor, seen.tensor), "another's actions change nothing here"
        for _ in range(8):
            again.step(again.random_actions())
        assert again.actors.tolist() == batch.actors.tolist()
        assert np.array_equal(again.observe().tensor, batch.observe().tensor)
        assert again.states.tobytes() == batch.states.tobytes()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows forks no processes")
def test_a_forked_process_plays_on_with_threads_of_its_own() -> None:
    batch = Batch(parlour.make("trime-kicker"), 4, seed=1, threads=2)
    batch.step(batch.random_actions())
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # without threads the child would wait for ever
        batch.step(batch.random_actions())
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_no_games_can_be_saved_and_restored() -> None:
    batch = Batch(parlour.make("trime-kicker"), 2)
    saved = batch.save([])
    batch.restore(saved, [])
    assert len(saved) == 0


def test_games_saved_by_another_version_of_the_rules_are_refused() -> None:
    batch = Batch(parlour.make("trime-kicker"), 2)
    saved = batch.save()
    renamed = rename_fields(saved.states, {name: f"older_{name}" for name in saved.states.dtype.names})
    older = dataclasses.replace(saved, states=renamed)
    with pytest.raises(ParlourError, match="another version of the rules has saved them"):
        batch.restore(older)


def test_a_seed_may_be_an_array_without_dimensions() -> None:
    setup = parlour.make("trime-kicker")
    assert Batch(setup, 2, seed=np.array(3)).states.tobytes() == Batch(setup, 2, seed=3).states.tobytes()


class TestMemory:
    def test_memory_grows_with_the_number_of_games(self, game: Game) -> None:
        few, many = batch_of(game, 10), batch_of(game, 30)
        assert many.nbytes == 3 * few.nbytes
        assert few.nbytes > few.states.nbytes


class TestObserving:
    def test_arrays_passed_in_are_overwritten_completely(self, game: Game) -> None:
        batch = batch_of(game, 5, seed=2)
        expected = batch.observe()
        tensor, mask = np.full_like(expected.tensor, np.nan), np.ones_like(expected.legal_mask)
        filled = batch.observe(tensor=tensor, legal_mask=mask)
        assert filled.tensor is tensor
        assert filled.legal_mask is mask
        assert tensor.tobytes() == expected.tensor.tobytes()
        assert np.array_equal(mask, expected.legal_mask)

    def test_an_array_can_be_filled_again_and_again(self, game: Game) -> None:
        batch = batch_of(game, 5, seed=2)
        tensor, mask = batch.observe()
        for number in range(sample_size(15)):
            batch.step(batch.random_actions())
            batch.renew()
            batch.observe(None if number % 3 else 0, tensor, mask)
            fresh = batch.observe(None if number % 3 else 0)
            assert tensor.tobytes() == fresh.tensor.tobytes()
            assert np.array_equal(mask, fresh.legal_mask)
            batch.observe(None, tensor, mask)

    def test_seats_may_differ_from_game_to_game(self, game: Game) -> None:
        batch, seats = batch_of(game, 4, seed=5), np.array([0, 1, 1, 0])
        seen = batch.observe(seats)
        for index, seat in enumerate(seats):
            assert seen.tensor[index].tobytes() == batch.observe(seat).tensor[index].tobytes()

    def test_an_unknown_seat_is_refused(self, game: Game) -> None:
        batch = batch_of(game, 3)
        for seats in (-1, [0, 0, 9]):
            with pytest.raises(
                ParlourError, match=rf"there is no seat (-1|9); the seats are 0 to {game.players[-1] - 1}"
            ):
                batch.observe(seats)
        with pytest.raises(ParlourError, match=r"seats are one for all games, or 3 of them, not an array of \(2,\)"):
            batch.observe([0, 1])

    def test_an_array_of_another_shape_is_refused(self, game: Game) -> None:
        batch = batch_of(game, 3)
        tensor, mask = batch.observe()
        with pytest.raises(ParlourError, match="tensor must be float32 or int16 of shape"):
            batch.observe(tensor=tensor.astype(np.float64))
        with pytest.raises(ParlourError, match="legal_mask must be bool of shape"):
            batch.observe(legal_mask=mask[:2])
        frozen = mask.copy()
        frozen.flags.writeable = False
        for wrong in (frozen, mask.tolist()):
            with pytest.raises(ParlourError, match="legal_mask must be a writable array, not"):
                batch.observe(legal_mask=wrong)


def test_int16_tensors_have_the_same_values() -> None:
    """Trime Kicker has planes of nearly every kind of filling."""
    batch = Batch(parlour.make("trime-kicker"), 5, seed=2)
    small, mask = batch.observe(tensor=batch.new_tensor(np.int16))
    for _ in range(60):
        batch.step(batch.random_actions())
        batch.renew()
        batch.observe(None, small, mask)
        assert np.array_equal(small, batch.observe(None, batch.new_tensor()).tensor)
    assert small.dtype == np.int16
    assert small.max() > 1


@pytest.mark.parametrize("kind", [np.uint8, float, "x", None])
def test_a_new_tensor_has_a_type_that_can_be_observed_into(kind):
    batch = parlour.Batch(parlour.make("trime-kicker"), 3, seed=1, threads=1)
    for new in (batch.new_tensor, batch.new_state_tensor):
        with pytest.raises(ParlourError, match="the type of a tensor is float32 or int16, not "):
            new(kind)
        assert new("int16").dtype == np.int16


class TestDLPack:
    """Other libraries read the arrays of a batch in place."""

    @pytest.mark.parametrize("kind", [np.float32, np.int16])
    def test_the_arrays_are_shared_without_a_copy(self, kind):
        batch = parlour.Batch(parlour.make("trime-kicker"), 3, seed=1, threads=1)
        tensor, mask = batch.observe(tensor=batch.new_tensor(kind))
        for array in (tensor, mask):
            shared = np.from_dlpack(array)
            assert np.shares_memory(shared, array)
            assert array.__dlpack_device__() == (1, 0)
