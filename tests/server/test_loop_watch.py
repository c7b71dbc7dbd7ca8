"""A server whose event loop hangs is reported and ended, so that it can be started again."""

import asyncio
import json
import os
import signal
import socket
import sys
from types import SimpleNamespace

import pytest

from parlour.server.process import worker_watch
from parlour.server.process.channel import ALIVE
from parlour.server.process.loop_watch import ENDED_LOOKS, HANGS, REPORTED_LOOKS, LoopWatch
from parlour.server.process.worker_watch import kill_silent
from parlour.server.pulse import Pulse
from tests.helpers import run_apart
from tests.server.card_room import PATIENCE, wait_until
from tests.server.server_process import Process
from tests.server.worker_processes import connected_again, tables_of_both, workers_of

HANGING = """
import signal, time
def hang(*_):
    while True:
        time.sleep(1)
signal.signal(signal.SIGUSR1, hang)
"""
"""Start of every process of a server: a signal, which Python handles in the event loop, makes the loop hang."""

OFTEN = """
from parlour.cli import main
from parlour.server.process import loop_watch, worker_watch
loop_watch.LOOK_SECONDS = worker_watch.LOOK_SECONDS = 0.2
main()
"""


class Watched(Process):
    """A server with more looks a second at its event loops."""

    program = ("-c", OFTEN)


class Watch:
    """A watch over the loop of this thread, and the number of times it has ended the process."""

    def __init__(self):
        self.pulse, self.ended = Pulse(), 0
        self.pulse.beat()
        self.watch = LoopWatch(self.pulse, self.end)

    def end(self):
        self.ended += 1

    def look(self, times):
        for _ in range(times):
            self.watch.look()


class TestALoop:
    def test_ends_the_process_after_a_number_of_looks_without_a_beat(self):
        watch = Watch()
        watch.look(ENDED_LOOKS - 1)
        assert watch.ended == 0
        watch.look(1)
        assert watch.ended == 1

    def test_is_reported_before_with_the_place_where_it_hangs_and_no_values(self, caplog):
        caplog.set_level("INFO", "parlour.server")
        watch, hidden = Watch(), "7H"
        watch.look(REPORTED_LOOKS - 1)
        assert not caplog.records
        watch.look(1)
        (line,) = caplog.records
        assert line.message == "event loop hangs"
        assert "test_is_reported" in "".join(line.fields["traceback"])
        assert hidden not in str(line.fields)

    def test_counts_anew_after_each_beat(self):
        watch = Watch()
        for _ in range(3):
            watch.look(ENDED_LOOKS - 1)
            watch.pulse.beat()
            watch.look(1)
        assert watch.ended == 0

    def test_may_take_its_time_to_begin(self):
        watch = Watch()
        watch.pulse.beats = 0
        watch.look(2 * ENDED_LOOKS)
        assert watch.ended == 0

    def test_may_stand_still_under_a_debugger(self):
        watch = Watch()
        sys._getframe().f_trace = lambda *_: None  # as pdb does
        watch.look(2 * ENDED_LOOKS)
        assert watch.ended == 0

    def test_beats_while_it_runs(self):
        pulse = Pulse()

        async def run():
            beaten = asyncio.Event()
            pulse.on_beat = lambda: pulse.beats > 1 and beaten.set()
            pulse.start()
            await asyncio.wait_for(beaten.wait(), PATIENCE)

        run_apart(run())
        assert pulse.beats > 1


class TestAWorker:
    def killed(self, monkeypatch, messages, stopped=False):
        """Return whether a worker with these messages, an empty one at its end, is killed."""
        coming, killed = iter([*messages, b""]), []

        async def next_message(channel):
            return next(coming)

        monkeypatch.setattr(worker_watch, "_next_message", next_message)
        monkeypatch.setattr(worker_watch, "_is_stopped", lambda process: stopped)
        run_apart(kill_silent(None, SimpleNamespace(pid=0, kill=lambda: killed.append(1)), 0))
        return bool(killed)

    def test_is_killed_after_a_number_of_looks_without_a_sign_of_life(self, monkeypatch, caplog):
        caplog.set_level("INFO", "parlour.server")
        assert self.killed(monkeypatch, [None] * (ENDED_LOOKS + 1))
        assert [line.message for line in caplog.records] == ["worker hangs"]

    def test_is_not_killed_if_it_shows_life_after_its_report(self, monkeypatch):
        assert not self.killed(monkeypatch, ([None] * ENDED_LOOKS + [ALIVE]) * 2)

    def test_may_be_stopped_by_hand(self, monkeypatch):
        assert not self.killed(monkeypatch, [None] * 3 * ENDED_LOOKS, stopped=True)

    def test_has_an_end_that_its_channel_shows(self):
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        near.setblocking(False)
        far.send(ALIVE)
        far.close()
        with near:
            assert run_apart(worker_watch._next_message(near)) == ALIVE
            assert run_apart(worker_watch._next_message(near)) == b""

    def test_is_silent_after_a_look(self, monkeypatch):
        monkeypatch.setattr(worker_watch, "LOOK_SECONDS", 0.0)
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        near.setblocking(False)
        with near, far:
            assert run_apart(worker_watch._next_message(near)) is None

    def test_that_is_stopped_is_found_in_the_list_of_processes(self):
        child = os.fork()
        if not child:
            os.kill(os.getpid(), signal.SIGSTOP)
            os._exit(0)
        os.waitpid(child, os.WUNTRACED)
        try:
            assert worker_watch._is_stopped(child)
            assert not worker_watch._is_stopped(os.getpid())
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        assert not worker_watch._is_stopped(child)


@pytest.mark.slow
class TestAServerThatHangs:
    @pytest.fixture(autouse=True)
    def _can_hang(self, tmp_path, monkeypatch):
        (tmp_path / "start").mkdir()
        (tmp_path / "start" / "sitecustomize.py").write_text(HANGING)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "start"), prepend=os.pathsep)

    def test_ends_with_a_status_after_it_has_logged_the_place(self, tmp_path):
        server = Watched(tmp_path / "tables.sqlite")
        server.process.send_signal(signal.SIGUSR1)
        _, log = server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == HANGS
        lines = [json.loads(line) for line in log.splitlines()]
        assert [line["what"] for line in lines] == ["open", "event loop hangs", "event loop hangs: the process ends"]
        assert lines[1]["place"].endswith("sitecustomize.py:5 in hang")

    def test_has_its_worker_replaced_while_the_other_one_continues(self, tmp_path):
        server = Watched(tmp_path / "tables.sqlite", "--workers", "2")
        tables = tables_of_both(server, "you", "thumb")
        before = workers_of(server.process.pid)
        os.kill(before[0], signal.SIGUSR1)
        wait_until(lambda: before[0] not in (after := workers_of(server.process.pid)) and len(after) == 2)
        for table in tables:
            with connected_again(server, table) as ann:
                ann.until(lambda scene: scene["legal"])
        server.process.terminate()
        _, log = server.process.communicate(timeout=PATIENCE)
        found = [json.loads(line)["what"] for line in log.splitlines()]
        assert {"worker hangs", "worker ended"} <= set(found)
