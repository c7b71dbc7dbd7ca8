"""Records of a room's games for studies: the tables that they come from, and the data that they omit."""

import errno
import json
import os
import signal
from dataclasses import replace
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from parlour.cli import main
from parlour.engine.events import Event
from parlour.engine.matches.records import read_records, replay
from parlour.server.store.archive import StoredEvents, finish
from parlour.server.store.database import EVENTS
from parlour.server.store.stored_table import UNDO, StoredSeat
from parlour.server.store.table_reader import rows_of
from parlour.server.table.study_records import study_records
from parlour.server.table.table_setup import Manners
from tests.server.stored_tables import course, table

AGREED = {"opener": 0, "studied": True}


def full_disk(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def secret(number):
    return f"{number:064x}"


def studied_table(table_id, number=1, **more):
    return replace(table(table_id), secret=secret(number), manners=AGREED, **more)


class TestTheTables:
    @pytest.mark.parametrize(
        "other",
        [
            {"manners": {"opener": 0}},
            {"manners": {**AGREED, "take_over": True}},
            {"events": list(course()[:-1])},
            {"prefix_length": 2},
            {"seats": {0: StoredSeat("Ada", "thumb"), 1: StoredSeat("Bo", "thumb")}},
        ],
        ids=["no agreement", "seats that were perhaps bots'", "unfinished", "played on", "no people"],
    )
    def test_only_whole_finished_games_of_people_who_agreed_are_written(self, store, other):
        store.add_table(replace(studied_table("abc", 1), **other))
        store.add_table(studied_table("def", 2))
        assert len(list(study_records(store))) == 1

    def test_only_the_first_of_several_games_with_the_same_deal_is_written(self, store):
        for table_id in ("abc", "def"):
            store.add_table(studied_table(table_id))
        assert len(list(study_records(store))) == 1

    def test_a_game_with_the_deal_of_a_damaged_game_is_not_written(self, store):
        for table_id in ("abc", "def"):
            store.add_table(studied_table(table_id))
        with store.engine.begin() as connection:
            connection.execute(EVENTS.update().where(EVENTS.c.table_id == "abc", EVENTS.c.number == 3).values(do="?"))
        assert list(study_records(store)) == []

    def test_an_archived_game_is_written_too(self, store):
        store.add_table(studied_table("abc"))
        before = list(study_records(store))
        loaded = store.load("abc")
        store.write(finish, "abc", StoredEvents(loaded.events, loaded.spent, loaded.stood_in))
        assert list(study_records(store)) == before


class TestARecord:
    def test_has_no_names_ids_secrets_or_times(self, store):
        store.add_table(studied_table("abc", seats={0: StoredSeat("Ann", None, "hash"), 1: StoredSeat("Bo", "thumb")}))
        [record] = study_records(store)
        assert set(record) == {"format", "game", "players", "options", "events", "result", "people", "stood_in"}
        assert record["people"] == [0]
        assert replay(record).over

    def test_names_the_decisions_of_bots_that_stood_in_without_undone_events(self, store):
        undone = [*course()[:5], Event(course()[4].by, UNDO), *course()[4:]]
        store.add_table(studied_table("abc", events=undone))
        loaded = store.load("abc")
        store.write(finish, "abc", StoredEvents(loaded.events, {}, frozenset({4, 6, 9})))
        [record] = study_records(store)
        assert (len(record["events"]), record["stood_in"]) == (len(course()), [4, 7])


def test_the_order_in_a_file_says_nothing_about_the_order_of_play(store, database, tmp_path, monkeypatch):
    monkeypatch.setattr("random.SystemRandom", lambda: SimpleNamespace(shuffle=list.reverse))
    person, bot = StoredSeat("Ann", None, "hash"), StoredSeat("Thumb", "thumb")
    for number, seats in enumerate(((person, bot), (bot, person), (person, person)), 1):
        store.add_table(studied_table(f"table-{number}", number, seats=dict(enumerate(seats))))
    played = [record["people"] for record in study_records(store)]
    file = tmp_path / "all.jsonl"
    done = CliRunner().invoke(main, ["export-records", str(file), "--database", str(database)])
    assert done.exit_code == 0, done.output
    assert [json.loads(line)["people"] for line in file.read_text().splitlines()] == played[::-1]
    assert played == [[0], [1], [0, 1]]


def test_a_table_stores_the_agreement_only_if_there_is_one():
    assert Manners(studied=True).to_store()["studied"] is True
    assert "studied" not in Manners().to_store()
    assert Manners.model_validate(Manners().to_store()) == Manners()


def test_the_command_writes_the_records_of_a_game(store, database, tmp_path):
    store.add_table(studied_table("abc"))
    for game, number in (("trick-walls", 1), ("castle-walls", 0)):
        file = tmp_path / f"{game}.jsonl"
        done = CliRunner().invoke(main, ["export-records", str(file), "--game", game, "--database", str(database)])
        assert done.exit_code == 0, done.output
        assert [json.loads(line)["game"] for line in file.read_text().splitlines()] == [game] * number


def test_ctrl_c_takes_effect_after_a_call_of_the_database(store, database, tmp_path, monkeypatch, caplog):
    store.add_table(studied_table("abc"))
    heard = []

    def interrupted_rows(connection, table_id):
        signal.raise_signal(signal.SIGINT)
        heard.append(table_id)
        return rows_of(connection, table_id)

    monkeypatch.setattr("parlour.server.store.store.rows_of", interrupted_rows)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored
    try:
        done = CliRunner().invoke(main, ["export-records", str(tmp_path / "games.jsonl"), "--database", str(database)])
    finally:
        signal.signal(signal.SIGINT, before)
    assert (done.exit_code, done.output) == (130, "\nStopped.\n")
    assert heard == ["abc"]
    assert caplog.text == ""
    assert not (tmp_path / "games.jsonl").exists()


class TestTheFile:
    @pytest.fixture
    def export(self, store, database):
        """Return a function that exports the room's one game to a file, and returns the command's result."""
        store.add_table(studied_table("abc"))
        return lambda file: CliRunner().invoke(main, ["export-records", str(file), "--database", str(database)])

    def test_standard_output_has_the_records_alone(self, export):
        done = export("-")
        assert (done.exit_code, done.stderr) == (0, "")
        assert len(done.stdout.splitlines()) == 1

    @pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
    def test_is_whole_or_the_previous_one(self, export, tmp_path, monkeypatch, name):
        file = tmp_path / name
        assert export(file).exit_code == 0
        before = file.read_bytes()
        assert len(list(read_records(str(file)))) == 1
        file.chmod(0o640)
        monkeypatch.setattr("os.replace", full_disk)
        failed = export(file)
        assert (failed.exit_code, failed.output) == (
            1,
            f"Error: {file}: the records cannot be written: No space left on device\n",
        )
        assert file.read_bytes() == before
        monkeypatch.undo()
        assert export(file).exit_code == 0
        assert file.stat().st_mode & 0o777 == 0o640
        assert [each.name for each in tmp_path.iterdir() if name in each.name or each.name.startswith("tmp")] == [name]

    def test_is_refused_before_the_games_are_read_if_it_cannot_be_written(
        self, export, database, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(
            "parlour.server.table.study_records.study_records", lambda store: pytest.fail("games were read")
        )
        before = database.read_bytes()
        for file, why in (
            (tmp_path / "none" / "games.jsonl", "is no folder that you can write in"),
            (tmp_path, "this is a folder"),
            (database, "this is a database; name another file for the records"),
        ):
            refused = export(file)
            assert refused.exit_code == 1
            assert refused.output.startswith(f"Error: {file}: ")
            assert why in refused.output
        assert database.read_bytes() == before
