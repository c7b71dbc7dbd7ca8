"""Startup: the modules for the first responses are loaded once, in the process from which workers are forked."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.games import all_games
from parlour.languages import LANGUAGES
from parlour.server.http.catalogue import catalogue, primer
from tests.helpers import running_processes
from tests.server.card_room import PATIENCE, CardRoom, Player, wait_until
from tests.server.worker_processes import children_of, connected_again, forkserver_of, workers_of

OF_THE_APPLICATION = {"numba", "fastapi", "uvicorn", "pydantic", "parlour.games"}
NEEDED_LATER = {
    "alembic",
    "choix",
    "markdown_it",
    "prometheus_client",
    "rich",
    "scipy.optimize",
    "segno",
    "sqlalchemy.dialects.postgresql",
}

STOPS_AS_IT_STARTS = """
import os, signal, sys

if "multiprocessing.forkserver" in " ".join(sys.orig_argv):
    os.killpg(0, signal.{name})
"""


def loaded_by(module, among):
    code = f"import sys, {module}; print(*sorted({among!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.slow
class TestImports:
    def test_a_dispatcher_loads_nothing_of_the_application(self):
        assert loaded_by("parlour.server.process.run", OF_THE_APPLICATION | NEEDED_LATER) == set()

    def test_a_server_does_not_load_modules_of_rare_requests(self):
        module = "parlour.server.process.web_server"
        assert loaded_by(module, OF_THE_APPLICATION | NEEDED_LATER) == OF_THE_APPLICATION

    def test_it_is_ready_when_everything_is_loaded(self, tmp_path):
        catalogue.answers.clear()
        primer.answers.clear()
        card_room = CardRoom(tmp_path / "tables.sqlite")
        assert card_room.http.get("/readyz").status_code == 200
        assert len(catalogue.answers) == len(LANGUAGES)
        assert len(primer.answers) == len(LANGUAGES) * len(all_games())
        card_room.stop()


@pytest.mark.slow
class TestTheForkserver:
    def test_all_workers_are_forked_from_it_and_it_ends_with_the_dispatcher(self, two_workers):
        forkserver = forkserver_of(two_workers.process.pid)
        assert len(workers_of(two_workers.process.pid)) == 2
        two_workers.kill()
        wait_until(lambda: not children_of(forkserver) and not running_processes([forkserver]))

    def test_a_signal_to_the_whole_group_lets_the_workers_close_their_connections(self, two_workers):
        table = two_workers.open("you", "thumb")
        dispatcher = two_workers.process.pid
        forkserver, workers = forkserver_of(dispatcher), workers_of(dispatcher)
        with Player(two_workers.port, table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            for each in (forkserver, *workers, dispatcher):
                os.kill(each, signal.SIGTERM)
            assert ann.close_code() == 1012
        out, _ = two_workers.process.communicate(timeout=PATIENCE)
        assert two_workers.process.returncode == 0
        assert "The room is closed." in out
        wait_until(lambda: not running_processes(workers))

    @pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
    def test_a_signal_to_the_whole_group_before_it_has_loaded_closes_the_room(self, tmp_path, name):
        (tmp_path / "sitecustomize.py").write_text(STOPS_AS_IT_STARTS.format(name=name))
        paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
        command = ["serve", "--port", "0", "--workers", "2", "--database", str(tmp_path / "tables.sqlite")]
        done = subprocess.run(
            [sys.executable, "-m", "parlour", *command, "--log", "human"],
            env={**os.environ, "PYTHONPATH": paths},
            start_new_session=True,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == "The room is closed.\n"
        assert [line.partition(" ")[2] for line in done.stderr.splitlines()] == ["info: closed"]

    def test_if_it_dies_there_is_a_new_one_and_people_play_on(self, two_workers):
        table = two_workers.open("you", "thumb")
        forkserver = forkserver_of(two_workers.process.pid)
        os.kill(forkserver, signal.SIGKILL)
        wait_until(
            lambda: any(
                "forkserver" in line and each != forkserver
                for each, line in children_of(two_workers.process.pid).items()
            )
        )
        wait_until(lambda: self.plays(two_workers, table))

    def plays(self, server, table):
        """Return whether a player has a turn; the dispatcher may give the connection to a worker that is ending."""
        with suppress(ConnectionClosed), connected_again(server, table) as ann:
            return ann.until(lambda scene: scene["legal"])
