"""The log has the server's events, and nothing about players and cards."""

import asyncio
import gc
import json
import logging
import threading
import warnings
from contextlib import AsyncExitStack

import pytest

from parlour.engine.errors import CompileError
from parlour.server.logs import HumanLines, JsonLines, note_failure, note_unhandled, set_up_logs
from parlour.server.store.database import StoreError
from parlour.server.store.store import Store
from parlour.server.table.rooms import Rooms
from tests.helpers import run_apart
from tests.server.card_room import PATIENCE
from tests.server.stored_tables import table

pytestmark = pytest.mark.usefixtures("restored_logging")


def test_a_failure_is_one_line_of_json_without_its_message(capfd):
    set_up_logs("json")
    try:
        raise RuntimeError("the seven of hearts, 7H")
    except RuntimeError as error:
        note_failure("a scene could not be laid out", error)
    line = json.loads(capfd.readouterr().err)
    assert line["what"] == "a scene could not be laid out"
    assert line["error"] == "RuntimeError"
    assert line["level"] == "error"
    assert "7H" not in json.dumps(line)


def test_the_reason_of_a_compile_error_is_logged(capfd):
    set_up_logs("human")
    note_failure("the bot master failed", CompileError("rules.py, line 6, in points: this cannot be compiled: no"))
    assert "why=rules.py, line 6, in points: this cannot be compiled: no" in capfd.readouterr().err


@pytest.mark.parametrize("lines", [JsonLines(), HumanLines()])
def test_only_the_first_line_of_a_librarys_record_is_logged(lines):
    text = "Task exception was never retrieved\nfuture: <Task exception=ValueError('7H')>"
    try:
        raise ValueError("7H")
    except ValueError as error:
        info = type(error), error, error.__traceback__
    record = logging.LogRecord("asyncio", logging.ERROR, __file__, 1, text, None, info)
    shown = lines.format(record)
    assert "never retrieved" in shown
    assert "7H" not in shown
    assert "\n" not in shown


def test_a_line_for_people_ends_with_its_fields():
    record = logging.LogRecord("parlour.server", logging.INFO, __file__, 1, "open", None, None)
    record.fields = {"workers": 2}
    assert HumanLines().format(record).endswith("info: open (workers=2)")


class TestUnhandledErrors:
    def test_is_logged_with_its_task_and_places_and_without_values(self, capfd):
        set_up_logs("json")

        async def deal():
            raise RuntimeError("the seven of hearts, 7H")

        async def main():
            asyncio.get_running_loop().set_exception_handler(note_unhandled)
            task = asyncio.create_task(deal())
            await asyncio.wait([task])
            del task
            gc.collect()

        run_apart(main())
        line = json.loads(capfd.readouterr().err)
        assert line["what"] == "Task exception was never retrieved"
        assert line["error"] == "RuntimeError"
        assert line["task"].endswith("deal")
        assert "test_logs.py:" in line["place"]
        assert line["place"].endswith(" in deal")
        assert line["traceback"][-1] == line["place"]
        assert "7H" not in json.dumps(line)

    def test_an_error_in_a_callback_is_logged_too(self, capfd):
        set_up_logs("json")

        def call():
            raise RuntimeError("7H")

        async def main():
            asyncio.get_running_loop().set_exception_handler(note_unhandled)
            asyncio.get_running_loop().call_soon(call)
            await asyncio.sleep(0)
            await asyncio.sleep(0)

        run_apart(main())
        line = json.loads(capfd.readouterr().err)
        assert (line["error"], line["place"].endswith(" in call"), "7H" in json.dumps(line)) == (
            "RuntimeError",
            True,
            False,
        )

    def test_the_event_loop_of_a_server_has_this_handler(self, card_room):
        async def handler():
            return asyncio.get_running_loop().get_exception_handler()

        assert card_room.call(handler) is note_unhandled


class TestATask:
    """Exceptions of a task belong to its awaiting callers."""

    @pytest.fixture
    def rooms(self, database):
        store = Store(database)
        store.add_table(table("abc", ()))
        yield Rooms(store)
        store.close()

    @pytest.fixture
    def run_unhandled(self):
        """Return a function that runs a coroutine, and returns asyncio's reports of errors that no caller retrieved."""

        def run(coroutine):
            reports = []

            async def main():
                asyncio.get_running_loop().set_exception_handler(lambda loop, context: reports.append(context))
                await coroutine
                gc.collect()

            run_apart(main())
            return reports

        return run

    def test_a_refusal_that_no_caller_awaits_is_no_error(self, rooms, run_unhandled):
        asked, gone = threading.Event(), threading.Event()

        def load(table_id):
            asked.set()
            gone.wait(PATIENCE)
            raise StoreError("the database failed")

        rooms._store.load = load

        async def leave():
            async with AsyncExitStack() as stack:
                asking = asyncio.create_task(stack.enter_async_context(rooms.use("abc")))
                await asyncio.to_thread(asked.wait, PATIENCE)
                asking.cancel()
                await asyncio.wait([asking])
                gone.set()
                while rooms._changing:
                    await asyncio.wait(list(rooms._changing.values()))
            await rooms.stop()

        assert run_unhandled(leave()) == []

    def test_a_renewal_that_ends_with_the_server_leaves_no_coroutine_unawaited(self, rooms, run_unhandled):
        """An order closes a table, and the server ends before the task of the table has begun."""

        async def leave():
            async with rooms.use("abc"):
                renewing = asyncio.create_task(rooms.renew("abc"))
                await asyncio.sleep(0)
                renewing.cancel()
                await asyncio.wait([renewing])
            await rooms.stop()

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert run_unhandled(leave()) == []
        assert [str(each.message) for each in caught] == []

    def test_a_handover_of_a_removed_table_is_no_error(self, rooms, run_unhandled):
        """A server that was suspended learns at once of a handover request and of the end of its session."""

        async def hand_over():
            async with rooms.use("abc") as room:
                async with room._lock:
                    rooms._change(rooms._hand_over, "abc", 2)
                    await asyncio.sleep(0)
                    rooms.close_all()
                task = rooms._changing["abc"]
                await asyncio.wait([task])
                assert task.exception() is None
            await rooms.stop()

        assert run_unhandled(hand_over()) == []
