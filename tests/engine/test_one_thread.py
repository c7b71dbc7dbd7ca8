"""Two threads on one game or batch: the second one gets an error, since compiled code checks no indices."""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import numpy as np
import pytest

import parlour
from parlour import Batch, CompiledGame, ParlourError
from parlour.engine.simulation.shard import Shard
from parlour.engine.simulation.stepper import Stepper

SETUP = parlour.make("trick-walls")
BUSY = "another thread is using this game or batch"
LIMIT = 60
"""Seconds after which a thread that waits has failed."""

BATCH_CALLS: dict[str, Callable[[Batch], Any]] = {
    "legal_actions": Batch.legal_actions,
    "listings": Batch.listings,
    "observe": Batch.observe,
    "state_tensor": Batch.state_tensor,
    "random_actions": Batch.random_actions,
    "heuristic_actions": Batch.heuristic_actions,
    "step": lambda batch: batch.step(np.zeros(len(batch), np.int64)),
    "play_others": lambda batch: batch.play_others(0),
    "play_out": Batch.play_out,
    "try_actions": lambda batch: batch.try_actions([0]),
    "scores": Batch.scores,
    "rewards": Batch.rewards,
    "reset": lambda batch: batch.reset(2),
    "renew": lambda batch: batch.renew([0]),
    "save": Batch.save,
    "copy": Batch.copy,
}
GAME_CALLS: dict[str, Callable[[CompiledGame], Any]] = {
    "act": lambda game: game.act(game.legal_actions()[0]),
    "reset": lambda game: game.reset(2),
    "renew": CompiledGame.renew,
    "scores": CompiledGame.scores,
    "copy": CompiledGame.copy,
}


class Pause:
    """A function that replaces compiled code: it waits in its first call, as long compiled code would."""

    def __init__(self, code: Callable[..., Any]) -> None:
        self.entered, self.leave, self._code = Event(), Event(), code

    def __call__(self, *arguments: Any) -> Any:
        if not self.entered.is_set():
            self.entered.set()
            assert self.leave.wait(LIMIT)
        return self._code(*arguments)


@pytest.fixture
def during(monkeypatch: pytest.MonkeyPatch):
    """Return a function that runs ``second`` while another thread is in ``first``, and then waits for that thread."""

    def run(cls: type, name: str, first: Callable[[], Any], second: Callable[[], None]) -> Any:
        pause = Pause(getattr(cls, name))
        monkeypatch.setattr(cls, name, lambda *arguments: pause(*arguments))
        with ThreadPoolExecutor(1) as pool:
            result = pool.submit(first)
            try:
                assert pause.entered.wait(LIMIT)
                second()
            finally:
                pause.leave.set()
            return result.result(LIMIT)

    return run


class TestABatch:
    @pytest.mark.parametrize("call", BATCH_CALLS.values(), ids=BATCH_CALLS)
    def test_refuses_a_second_thread_during_a_call(self, call: Callable[[Batch], Any], during) -> None:
        batch, alone = Batch(SETUP, 2, seed=1, threads=1), Batch(SETUP, 2, seed=1, threads=1)

        def second() -> None:
            with pytest.raises(ParlourError, match=BUSY):
                call(batch)

        chosen = during(Shard, "choose", batch.random_actions, second)
        assert chosen.tolist() == alone.random_actions().tolist()
        assert batch.states.tobytes() == alone.states.tobytes()

    def test_refuses_to_be_restored_by_a_second_thread(self, during) -> None:
        batch = Batch(SETUP, 2, seed=1, threads=1)
        saved = batch.save()

        def second() -> None:
            with pytest.raises(ParlourError, match=BUSY):
                batch.restore(saved)

        during(Shard, "choose", batch.random_actions, second)

    def test_serves_another_thread_after_the_call(self) -> None:
        batch = Batch(SETUP, 2, seed=1, threads=1)
        with ThreadPoolExecutor(1) as pool:
            chosen = pool.submit(batch.random_actions).result(LIMIT)
        batch.step(chosen)

    def test_serves_again_after_an_error(self) -> None:
        batch = Batch(SETUP, 2, seed=1, threads=1)
        with pytest.raises(ParlourError):
            batch.step(np.full(2, 10_000))
        batch.step(batch.random_actions())

    @pytest.mark.parametrize("copied", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
    def test_has_copies_that_serve_at_once(self, copied: Callable[[Batch], Batch], during) -> None:
        batch = Batch(SETUP, 2, seed=1, threads=1)
        copies: list[Batch] = []
        during(Shard, "choose", batch.random_actions, lambda: copies.append(copied(batch)))
        copies[0].random_actions()

    def test_may_be_used_by_the_function_that_plays_it_out(self) -> None:
        batch = Batch(SETUP, 2, seed=1, threads=1)
        batch.play_out(by=Batch.random_actions)
        assert batch.over.all()


class TestACompiledGame:
    @pytest.mark.parametrize("call", GAME_CALLS.values(), ids=GAME_CALLS)
    def test_refuses_a_second_thread_during_a_call(self, call: Callable[[CompiledGame], Any], during) -> None:
        game = CompiledGame(SETUP, 1)

        def second() -> None:
            with pytest.raises(ParlourError, match=BUSY):
                call(game)

        during(Stepper, "begin", lambda: game.reset(1), second)

    def test_refuses_a_second_thread_during_an_action(self) -> None:
        game = CompiledGame(SETUP, 1)
        stepper = game._stepper
        pause = Pause(stepper._taking)
        stepper._taking = pause
        with ThreadPoolExecutor(1) as pool:
            acted = pool.submit(game.act, game.legal_actions()[0])
            try:
                assert pause.entered.wait(LIMIT)
                with pytest.raises(ParlourError, match=BUSY):
                    stepper.take_turn(0, 0, False, game._cells, game._marks)
            finally:
                pause.leave.set()
            acted.result(LIMIT)
        assert len(stepper.log) == 1

    def test_serves_again_after_an_illegal_action(self) -> None:
        game = CompiledGame(SETUP, 1)
        illegal = next(number for number in range(SETUP.num_actions) if number not in game.legal_actions())
        with pytest.raises(ParlourError):
            game.act(illegal)
        game.act(game.legal_actions()[0])
