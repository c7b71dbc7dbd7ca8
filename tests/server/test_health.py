"""Readiness depends on writes to the database, liveness does not; the files of a database are private."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest
from click.testing import CliRunner

from parlour.cli import main
from parlour.server.process import run
from parlour.server.store import database, maintenance
from parlour.server.store.locks import lock_database
from parlour.server.store.store import Store
from parlour.server.table.bots import bot_turns
from tests.server.card_room import PATIENCE, CardRoom, order, play_out, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(bot_turns, "RETRY_SECONDS", 0.2)
    monkeypatch.setattr(maintenance, "SUCCEEDED_SECONDS", 0.0)
    monkeypatch.setattr(maintenance, "FAILED_SECONDS", 0.05)


def pragma(card_room, text):
    """Execute a pragma on every connection to the database."""
    connections = [card_room.store.engine.raw_connection() for _ in range(4)]
    for connection in connections:
        connection.execute(f"PRAGMA {text}").close()
        connection.commit()
    for connection in connections:
        connection.close()


class Locked:
    reason = "another program keeps the database locked"

    def __enter__(self):
        self.other = sqlite3.connect(self.card_room.database, isolation_level=None, timeout=PATIENCE)
        self.other.execute("BEGIN IMMEDIATE")

    def __exit__(self, *error):
        self.other.close()


class ReadOnly:
    reason = "the database is read-only"

    def __enter__(self):
        pragma(self.card_room, "query_only=1")

    def __exit__(self, *error):
        pragma(self.card_room, "query_only=0")


class Full:
    reason = "the disk is full"

    def __enter__(self):
        with self.card_room.store.engine.begin() as connection:  # each event or probe needs more pages
            connection.exec_driver_sql("CREATE TABLE filled (data BLOB)")
            for number, what in enumerate(("INSERT ON events", "UPDATE ON probe")):
                filling = "BEGIN INSERT INTO filled VALUES (zeroblob(100000)); END"
                connection.exec_driver_sql(f"CREATE TRIGGER more{number} BEFORE {what} {filling}")
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        pragma(self.card_room, f"max_page_count={pages}")

    def __exit__(self, *error):
        pragma(self.card_room, "max_page_count=1000000")


class Removed:
    reason = "removed or replaced"

    def __enter__(self):
        self.aside = self.card_room.database.with_name("aside")
        self.card_room.database.rename(self.aside)

    def __exit__(self, *error):
        self.aside.rename(self.card_room.database)


class Replaced(Removed):
    def __enter__(self):
        super().__enter__()
        shutil.copy(self.aside, self.card_room.database)


@pytest.mark.parametrize("trouble", [Locked, ReadOnly, Full, Removed, Replaced])
def test_while_nothing_can_be_saved_it_is_not_ready_and_says_why_and_goes_on_at_once(card_room, trouble, monkeypatch):
    failing = trouble()
    failing.card_room = card_room
    table = card_room.open("you", "thumb", options={"rounds": 1})
    with card_room.sit(table["table"], table["key"]) as ann:
        ann.until(lambda scene: scene["legal"])
        assert card_room.http.get("/readyz").status_code == 200
        seen, action = ann.scene["seen"], ann.scene["legal"][0]
        with failing, monkeypatch.context() as hasty:
            if trouble is Locked:  # on a slow disk the server's own writes may keep each other waiting
                hasty.setattr(database, "BUSY_SECONDS", 0.1)
            answer = card_room.http.get("/readyz")  # no client has played: the check writes by itself
            assert answer.status_code == 503
            assert trouble.reason in answer.json()["error"]
            ann.do(action, seen)
            assert trouble.reason in ann.hear_type("refused")["reason"]
            assert card_room.http.get("/healthz").status_code == 200
            assert card_room.rooms[table["table"]].state.seen == seen
        ann.do(action, seen)
        ann.until_seen(seen + 1)
        wait_until(lambda: card_room.http.get("/readyz").json() == {"status": "ok"})
        play_out(ann)
        assert next(event.do for event in card_room.store.load(table["table"]).events if event.by == 0) == action


class TestTheLogOfFailedWrites:
    FAILED = ("nothing can be saved", "ERROR", {"why": "the disk is full"})
    SAVED = ("changes are saved again", "INFO", {})

    @pytest.fixture
    def seconds(self, monkeypatch):
        now = [1000.0]
        monkeypatch.setattr(maintenance.time, "monotonic", lambda: now[0])
        return now

    @pytest.fixture
    def lines(self, caplog):
        caplog.set_level("INFO", "parlour.server")
        return lambda: [
            (each.message, each.levelname, each.fields)
            for each in caplog.records
            if each.name.startswith("parlour.server")
        ]

    def test_has_one_line_of_the_reason_and_one_of_the_recovery(self, lines):
        health = maintenance.Health()
        health.record_success()
        for _ in range(3):
            health.record_failure("the disk is full")
        assert lines() == [self.FAILED]
        for _ in range(3):
            health.record_success()
        assert lines() == [self.FAILED, self.SAVED]

    def test_is_not_flooded_by_writes_that_fail_now_and_then(self, lines, seconds):
        health = maintenance.Health()
        for _ in range(5):
            health.record_failure("the disk is full")
            health.record_success()
        health.record_failure("the disk is full")
        assert lines() == [self.FAILED, self.SAVED]
        seconds[0] += maintenance.REPORT_SECONDS
        health.record_failure("the disk is full")
        assert lines() == [self.FAILED, self.SAVED, self.FAILED]

    def test_has_a_full_disk_and_its_end_while_the_server_runs(self, card_room, lines):
        full = Full()
        full.card_room = card_room
        assert card_room.http.get("/readyz").status_code == 200
        with full:
            for _ in range(3):
                assert card_room.http.get("/readyz").status_code == 503
            assert lines() == [self.FAILED]
        wait_until(lambda: card_room.http.get("/readyz").status_code == 200)
        assert lines() == [self.FAILED, self.SAVED]

    def test_is_none_of_commands_which_print_the_reason_once(self, tmp_path):
        location = tmp_path / "tables.sqlite"
        Store(location).close()
        script = (
            "from parlour.server.store import database\n"
            "def check(self): raise database.StoreError('the disk is full')\n"
            "database.SameFile.check = check\n"
            "from parlour.cli import main\n"
            f"main(['ban', '203.0.113.7', '--database', {str(location)!r}])"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=4 * PATIENCE)
        assert (done.returncode, done.stderr) == (1, "Error: the disk is full\n")


def test_readiness_is_not_tested_for_each_request(card_room, monkeypatch):
    monkeypatch.setattr(maintenance, "SUCCEEDED_SECONDS", 60.0)
    probes, probe = [], card_room.store._probe
    card_room.store._probe = lambda: probes.append(probe())
    for _ in range(5):
        assert card_room.http.get("/readyz").status_code == 200
    assert len(probes) <= 1, "none if the server has written anything else at its start"


def test_a_silent_database_is_reported(card_room, monkeypatch):
    monkeypatch.setattr("parlour.server.store.calls.ANSWER_SECONDS", 0.1)
    probe, asked = card_room.store._probe, threading.Event()
    card_room.store._probe = lambda: (asked.wait(PATIENCE), probe())
    answer = card_room.http.get("/readyz")
    asked.set()
    assert (answer.status_code, answer.json()) == (503, {"error": "the database does not answer"})


def test_when_the_clock_jumps_nothing_ends_and_nothing_is_removed(card_rooms, monkeypatch):
    card_room, true = card_rooms(), time.time
    table = card_room.open("you", "thumb", clock={"seconds": 86400, "increment": 0}, talk="words")
    waiting = card_room.open("you", "open")
    with card_room.sit(table["table"], table["key"]) as ann:
        ann.until(lambda scene: scene["legal"])
        for years in (20, -20, 0):
            monkeypatch.setattr(time, "time", lambda years=years: true() + years * 365 * 86400)
            assert card_room.store.write(maintenance.remove_old, maintenance.day_of()) == 0
            ann.do(ann.scene["legal"][0])
            seen = ann.scene["seen"]
            ann.until(lambda scene, seen=seen: scene["seen"] > seen and scene["legal"])
            assert not ann.company["out"]
            assert ann.company["clocks"]["left"][0] > 80_000_000
            assert card_room.http.get("/readyz").status_code == 200
            assert card_room.http.get(f"/api/tables/{waiting['table']}").status_code == 200


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("mount"), reason="only root may mount a small disk")
def test_play_goes_on_after_a_disk_was_really_full(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "none", disk], capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        card_room = CardRoom(disk / "tables.sqlite")
        try:
            play_on_a_full_disk(card_room, disk / "filled")
        finally:
            card_room.stop()
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def play_on_a_full_disk(card_room, filled):
    """Play until an action is refused for want of space, free the space, and play to the end."""
    table = card_room.open("you", "thumb", options={"rounds": 6})
    with card_room.sit(table["table"], table["key"]) as ann:
        ann.until(lambda scene: scene["legal"])
        with filled.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(65536)):
                pass
        message, asked = {"type": ""}, -1
        while message["type"] != "refused":
            if ann.scene["legal"] and asked != ann.scene["seen"]:
                asked = ann.scene["seen"]
                ann.do(ann.scene["legal"][0])
            message = ann.hear()
        assert "could not be saved" in message["reason"]
        while card_room.http.get("/readyz").status_code == 200:  # the last page may have room for a little more
            assert card_room.http.post("/api/tables", json=order("you", "thumb")).status_code in (201, 503)
        assert card_room.http.get("/healthz").status_code == 200
        filled.unlink()
        wait_until(lambda: card_room.http.get("/readyz").status_code == 200)
        assert card_room.http.post("/api/tables", json=order("you", "thumb")).status_code == 201
        play_out(ann)


class TestPermissions:
    def rights(self, location):
        return {path.name: stat.S_IMODE(path.stat().st_mode) for path in location.parent.glob(f"{location.name}*")}

    @pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
    def test_a_new_database_and_its_side_files_are_private_with_every_umask(self, tmp_path, mask):
        location, before = tmp_path / "new" / "tables.sqlite", os.umask(mask)
        try:
            store = Store(location)
            names = ("tables.sqlite", "tables.sqlite-wal", "tables.sqlite-shm")
            assert self.rights(location) == dict.fromkeys(names, 0o600)
            assert stat.S_IMODE(location.parent.stat().st_mode) == 0o700
            store.close()
        finally:
            os.umask(before)

    def test_a_file_of_another_kind_stays_as_it_is_and_has_no_lock(self, tmp_path):
        records = tmp_path / "records.jsonl"
        records.write_text("{}\n" * 100)
        records.chmod(0o644)
        with lock_database(records), pytest.raises(database.StoreError, match="not a database"):
            Store(records)
        assert self.rights(records) == {"records.jsonl": 0o644}

    def test_the_target_of_a_link_is_private_too(self, tmp_path):
        (tmp_path / "disk").mkdir()
        link, location = tmp_path / "link.sqlite", tmp_path / "disk" / "tables.sqlite"
        link.symlink_to(location)
        store = Store(link)
        assert set(self.rights(location).values()) == {0o600}
        for path in location.parent.iterdir():
            path.chmod(0o644)
        Store(link).close()
        assert list(self.rights(location).values()) == [0o600] * 3
        store.close()

    def test_one_that_was_open_to_all_is_made_private_and_that_is_noted(self, tmp_path, caplog):
        location = tmp_path / "tables.sqlite"
        holder = Store(location)
        for path in tmp_path.iterdir():
            path.chmod(0o644)
        with caplog.at_level("INFO", "parlour.server"):
            Store(location).close()
        assert set(self.rights(location).values()) == {0o600}
        assert [record.message for record in caplog.records] == ["made private"] * 3
        holder.close()


class TestTheLocation:
    def test_the_environment_may_name_it(self, monkeypatch):
        served = []
        monkeypatch.setattr(run, "serve", served.append)
        location = "postgresql://ann:sesame@cards.example/room"
        asked = CliRunner(env={"PARLOUR_DATABASE": location}).invoke(main, ["serve"])
        assert (asked.exit_code, served[0].database) == (0, location)
        CliRunner(env={"PARLOUR_DATABASE": location}).invoke(main, ["serve", "--database", "here.sqlite"])
        assert served[1].database == "here.sqlite"

    def test_a_password_from_the_environment_is_never_shown(self):
        location = "postgresql://ann:sesame@127.0.0.1:1/room"
        asked = subprocess.run(
            [sys.executable, "-m", "parlour", "serve", "--port", "0", "--no-warm-up"],
            env={**os.environ, "PARLOUR_DATABASE": location},
            capture_output=True,
            text=True,
            timeout=4 * PATIENCE,
        )
        assert asked.returncode == 1
        assert "cannot be reached" in asked.stdout + asked.stderr
        assert "sesame" not in asked.stdout + asked.stderr
