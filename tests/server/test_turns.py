"""Bots and replays of one address do not block those of others."""

import asyncio
import threading

import pytest

from parlour.bots.search_threads import in_pieces
from parlour.server.table.services import HELPERS, HELPERS_EACH, THINKERS, THINKERS_EACH, Services
from parlour.server.turns import Turns
from tests.helpers import run_apart
from tests.server.card_room import PATIENCE


async def settle():
    """Let all runnable tasks run."""
    for _ in range(20):
        await asyncio.sleep(0)


class CallerQueue:
    """Callers that wait for a slot, and those that have had one, in order."""

    def __init__(self, places, each):
        self.turns, self.had, self.leave = Turns(places, each), [], []

    async def _use(self, caller, first):
        done = asyncio.Event()
        async with self.turns.slot(caller[0], first):
            self.had.append(caller)
            self.leave.append(done)
            await done.wait()

    async def ask(self, *callers, first=False):
        """Add callers, named by their host, a letter, and a number; ``first`` before the others of their host."""
        tasks = [asyncio.create_task(self._use(caller, first)) for caller in callers]
        await settle()
        return tasks

    async def one_leaves(self):
        self.leave.pop(0).set()
        await settle()


class TestTurns:
    def test_go_round_between_hosts(self):
        async def main():
            asked = CallerQueue(1, 1)
            tasks = await asked.ask("a1", "a2", "a3", "b1", "b2", "c1")
            for _ in tasks:
                await asked.one_leaves()
            assert asked.had == ["a1", "b1", "c1", "a2", "b2", "a3"]

        run_apart(main())

    def test_serve_a_request_before_the_others_of_its_host_but_not_before_other_hosts(self):
        async def main():
            asked = CallerQueue(1, 1)
            tasks = await asked.ask("a1", "a2", "b1", "a3")
            tasks += await asked.ask("a4", first=True)
            for _ in tasks:
                await asked.one_leaves()
            assert asked.had == ["a1", "b1", "a4", "a2", "a3"]

        run_apart(main())

    def test_know_whether_other_hosts_wait(self):
        async def main():
            asked = CallerQueue(1, 1)
            await asked.ask("a1", "a2")
            assert [asked.turns.others_wait(host) for host in "ab"] == [False, True]
            await asked.one_leaves()
            await asked.one_leaves()
            assert not asked.turns.others_wait("b")

        run_apart(main())

    def test_leave_places_to_other_hosts(self):
        async def main():
            asked = CallerQueue(4, 2)
            await asked.ask("a1", "a2", "a3", "a4")
            assert asked.had == ["a1", "a2"]
            await asked.ask("b1", "c1", "d1")
            assert asked.had == ["a1", "a2", "b1", "c1"]
            for _ in range(7):
                await asked.one_leaves()
            assert sorted(asked.had) == ["a1", "a2", "a3", "a4", "b1", "c1", "d1"]

        run_apart(main())

    @pytest.mark.parametrize("given", [False, True])
    def test_a_cancelled_caller_passes_its_slot_on(self, given):
        """Also if the slot was given to it in the same moment."""

        async def main():
            asked = CallerQueue(1, 1)
            await asked.ask("a1")
            (leaving,) = await asked.ask("b1")
            await asked.ask("c1")
            if given:
                asked.leave.pop(0).set()
                await asyncio.sleep(0)
            leaving.cancel()
            await settle()
            if not given:
                assert asked.had == ["a1"], "no slot is free yet"
                await asked.one_leaves()
            assert asked.had == ["a1", "c1"]

        run_apart(main())


class TestServices:
    def test_let_a_bot_think_while_another_host_has_more_bots_than_threads(self):
        async def main():
            services, go_on = Services(), threading.Event()
            many = [asyncio.create_task(services.think("a", go_on.wait, PATIENCE)) for _ in range(THINKERS * 3)]
            await settle()
            assert await asyncio.wait_for(services.think("b", lambda: "thought"), PATIENCE) == "thought"
            go_on.set()
            assert await asyncio.gather(*many) == [True] * len(many)
            await services.stop()

        run_apart(main())
        assert 0 < THINKERS_EACH < THINKERS

    def test_compute_for_a_person_while_another_host_has_more_requests_than_threads(self):
        async def main():
            services, go_on = Services(), threading.Event()
            many = [asyncio.create_task(services.compute("a", go_on.wait, PATIENCE)) for _ in range(HELPERS * 3)]
            await settle()
            assert await asyncio.wait_for(services.compute("b", lambda: "replayed"), PATIENCE) == "replayed"
            go_on.set()
            assert await asyncio.gather(*many) == [True] * len(many)
            await services.stop()

        run_apart(main())
        assert 0 < HELPERS_EACH < HELPERS

    def test_give_all_cores_to_a_bot_that_thinks_alone(self):
        async def main():
            services, go_on = Services(), threading.Event()
            other = asyncio.create_task(services.think("a", go_on.wait, PATIENCE))
            await settle()
            beside_another = await services.think("b", in_pieces, 8, lambda rows: 0)
            go_on.set()
            await other
            alone = await services.think("b", in_pieces, 8, lambda rows: 0)
            assert len(beside_another) == 1 < len(alone)
            await services.stop()

        run_apart(main())

    @pytest.mark.parametrize(("kind", "each"), [("think", THINKERS_EACH), ("compute", HELPERS_EACH)])
    def test_keep_the_slot_of_a_caller_that_has_gone_while_its_thread_works(self, kind, each):
        """Else a visitor who leaves and asks again would use all threads."""

        async def main():
            services, go_on, begun = Services(), threading.Event(), []

            def work(name):
                begun.append(name)
                return go_on.wait(PATIENCE)

            call = getattr(services, kind)
            gone = [asyncio.create_task(call("a", work, "gone")) for _ in range(each)]
            await settle()
            for task in gone:
                task.cancel()
            await asyncio.wait(gone, timeout=PATIENCE)
            later = asyncio.create_task(call("a", work, "later"))
            await call("b", begun.append, "of another host")
            assert begun == [*["gone"] * each, "of another host"]
            go_on.set()
            assert await asyncio.wait_for(later, PATIENCE)
            await services.stop()

        run_apart(main())

    @pytest.mark.parametrize("kind", ["think", "compute"])
    def test_cancel_waiting_calls_at_the_end(self, kind):
        async def main():
            services, go_on = Services(), threading.Event()
            call = getattr(services, kind)
            many = [asyncio.create_task(call("a", go_on.wait, PATIENCE)) for _ in range(THINKERS)]
            await settle()
            await services.stop()
            go_on.set()
            done, waiting = await asyncio.wait(many, timeout=PATIENCE)
            assert not waiting
            assert all(task.cancelled() for task in done)

        run_apart(main())


def test_tables_that_one_address_has_loaded_take_turns_as_one_host(card_room):
    tables = [card_room.open("you", "thumb")["table"] for _ in range(2)]
    for table in tables:
        card_room.http.get(f"/api/tables/{table}")
    assert {card_room.rooms[table].state.host for table in tables} == {"127.0.0.1"}
