"""A backup during play has all actions acknowledged before the backup, and a room continues from it."""

import os
import sqlite3
import subprocess
import threading
from contextlib import closing

import pytest

from parlour.engine.matches.deals import check_deal
from parlour.server.store.store import Store
from tests.server.card_room import PATIENCE, CardRoom, play_out


class Playing:
    """A client that plays one game after another until it is stopped."""

    def __init__(self, card_room):
        self.card_room = card_room
        self.acknowledged, self.tables = {}, []
        self.begun, self._stop = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._play)
        self._thread.start()

    def _play(self):
        while not self._stop.is_set():
            self.tables.append(self.card_room.open("you", "thumb"))
            with self.card_room.sit(self.tables[-1]["table"], self.tables[-1]["key"]) as ann:
                play_out(ann, until=self._note)

    def _note(self, scene):
        self.acknowledged[self.tables[-1]["table"]] = scene["seen"]
        if scene["seen"] > 9:
            self.begun.set()
        return scene["over"] or self._stop.is_set()

    def stop(self):
        self._stop.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    return request.param


@pytest.fixture
def copy_database(kind, tmp_path, request):
    """Return a function that copies a database as docs/running.md says and returns the location of the copy."""

    def sqlite(database):
        copy = tmp_path / "copy.sqlite"
        with closing(sqlite3.connect(database)) as running, closing(sqlite3.connect(copy)) as kept:
            running.backup(kept)
        return copy

    def postgresql(database):
        cluster = request.getfixturevalue("cluster")
        copy, restored = tmp_path / "copy.dump", cluster.new_database()
        programs = os.environ | {"PATH": f"{cluster.binaries}:{os.environ['PATH']}"}
        for command in (
            ["pg_dump", "-Fc", "-f", copy, database],
            ["pg_restore", "-e", "--no-owner", "-d", restored, copy],
        ):
            subprocess.run(command, check=True, env=programs, timeout=PATIENCE)
        return restored

    return {"sqlite": sqlite, "postgresql": postgresql}[kind]


def events_in(database, tables):
    with closing(Store(database)) as store:
        return {table: found.events for table in tables if (found := store.load(table))}


def test_a_copy_has_all_acknowledged_actions_and_play_continues_from_it(card_room, copy_database):
    playing = Playing(card_room)
    try:
        assert playing.begun.wait(PATIENCE)
        acknowledged = dict(playing.acknowledged)
        copy = copy_database(card_room.database)
    finally:
        playing.stop()
    before, after = events_in(copy, acknowledged), events_in(card_room.database, acknowledged)
    for table, seen in acknowledged.items():
        assert len(before[table]) >= seen
        assert after[table][: len(before[table])] == before[table]
    card_room.stop()
    restored = CardRoom(copy)
    try:
        table = next(table for table in playing.tables if table["table"] == list(acknowledged)[-1])
        with restored.sit(table["table"], table["key"]) as ann:
            play_out(ann)
        record = restored.http.get(f"/api/tables/{table['table']}/record").json()
        assert check_deal(record, commitment=table["commitment"]).over
    finally:
        restored.stop()
