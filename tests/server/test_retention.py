"""Finished games become records, and are removed at the age set by the operator; so are names."""

import time

import pytest
from click.testing import CliRunner

from parlour.cli import main
from parlour.engine.events import Event
from parlour.server.store import maintenance
from parlour.server.store.archive import StoredEvents, finish
from parlour.server.store.database import EVENTS, FINISHED, TABLES, ConflictError, StoreError
from parlour.server.store.maintenance import DAY_SECONDS, day_of, remove_old, trusted_day
from parlour.server.store.stored_table import ChatMessage, OpeningRequest, StoredSeat
from parlour.server.table.retention import archive, prune, tidy
from tests.helpers import run_apart
from tests.server.layouts import SEEN_BY_4
from tests.server.stored_tables import course, table

YEAR = 365 * DAY_SECONDS


def add(store, *tables, ago=2 * DAY_SECONDS):
    """Add tables whose last event happened ``ago`` seconds ago."""
    for each in tables:
        store.add_table(each)
        set_time(store, each.id, ago)


def set_time(store, table_id, ago):
    store.write(
        lambda connection: connection.execute(
            EVENTS.update().where(EVENTS.c.table_id == table_id).values(at=int(time.time() - ago))
        )
    )


def numbers(store, table_id):
    """Return the numbers of the events stored as rows."""
    asked = EVENTS.select().where(EVENTS.c.table_id == table_id).order_by(EVENTS.c.number)
    return [row.number for row in store.read(lambda connection: connection.execute(asked).all())]


def ids(store):
    return set(store.read(lambda connection: connection.execute(TABLES.select()).scalars().all()))


def archive_old(store, **more):
    """Archive the finished games among those without events for a day; return the checked tables with the outcome."""
    return list(archive(store, time.time() - DAY_SECONDS, **more))


class TestAFinishedGame:
    @pytest.fixture(params=["sqlite", "postgresql"])
    def kind(self, request):
        return request.param

    def test_comes_back_from_its_record_as_it_was(self, store):
        *before, last = course()
        add(store, table("abc", [*before[:5], Event(0, "undo"), *before[4:]]))

        async def more():
            await store.append("abc", len(before) + 2, last, 1500, stood_in=True)

        run_apart(more())
        set_time(store, "abc", 2 * DAY_SECONDS)
        store.add_chat_message("abc", ChatMessage(0, "a", "hello"))
        kept = store.load("abc")
        assert (kept.spent, kept.stood_in) == ({len(before) + 2: 1500}, {len(before) + 2})
        assert archive_old(store) == [("abc", True)]
        assert store.load("abc") == kept
        assert archive_old(store) == []

    def test_takes_one_row_that_an_earlier_version_refuses_to_read(self, store):
        add(store, table("abc"))
        archive_old(store)
        rows = store.read(lambda connection: connection.exec_driver_sql(SEEN_BY_4.replace(":table", "'abc'")).all())
        assert [tuple(row) for row in rows] == [(len(course()) - 1, course()[-1].by, course()[-1].do, 0)]
        for day in range(40):
            store.write(remove_old, day_of() + day)
        assert store.load("abc").events == list(course())

    def test_is_left_alone_for_a_day(self, store):
        add(store, table("abc"), ago=DAY_SECONDS / 2)
        assert archive_old(store) == []
        assert len(numbers(store, "abc")) == len(course())

    def test_is_archived_once_by_several_processes(self, store):
        add(store, table("abc"))
        whole = StoredEvents(course(), {}, frozenset())
        store.write(finish, "abc", whole)
        with pytest.raises(ConflictError):
            store.write(finish, "abc", whole)
        assert store.load("abc").events == list(course())

    def test_waits_until_its_game_is_installed_again(self, store):
        add(store, table("abc"))
        installed = TABLES.update().where(TABLES.c.id == "abc")
        store.write(lambda connection: connection.execute(installed.values(game="not-installed")))
        assert archive_old(store) == []
        store.write(lambda connection: connection.execute(installed.values(game=table("abc").game)))
        assert archive_old(store) == [("abc", True)]

    def test_is_not_archived_after_a_concurrent_event(self, store):
        add(store, table("abc"))
        with pytest.raises(ConflictError):
            store.write(finish, "abc", StoredEvents(course()[:-1], {}, frozenset()))
        assert len(numbers(store, "abc")) == len(course())


class TestAnUnfinishedGame:
    def test_is_unchanged_and_checked_again_only_after_an_event(self, store):
        add(store, table("abc", course()[:-1]), table("odd", [Event(0, "no such action")]))
        assert archive_old(store) == [("abc", False), ("odd", False)]
        assert archive_old(store) == []
        run_apart(store.append("abc", len(course()) - 1, course()[-1]))
        set_time(store, "abc", 2 * DAY_SECONDS)
        assert archive_old(store) == [("abc", True)]
        assert store.load("odd").events == [Event(0, "no such action")]

    def test_is_not_archived_if_it_began_with_a_whole_game(self, store):
        add(store, table("abc", prefix_length=len(course())))
        assert archive_old(store) == []


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("DELETE FROM events WHERE table_id='abc' AND number=3", [("def", True)]),
        ("UPDATE events SET do='undo' WHERE table_id='abc' AND number=0", [("abc", False), ("def", True)]),
    ],
)
def test_a_damaged_table_does_not_block_others_and_can_be_removed(store, database, damage, found):
    add(store, table("abc"), table("def"))
    store.write(lambda connection: connection.exec_driver_sql(damage))
    assert archive_old(store) == found
    done = CliRunner().invoke(main, ["delete-table", "abc", "--unfinished", "--database", str(database)])
    assert (done.exit_code, ids(store)) == (0, {"def"})


def test_a_damaged_record_is_reported(store):
    add(store, table("abc"))
    archive_old(store)
    store.write(lambda connection: connection.execute(FINISHED.update().values(record=b"x")))
    with pytest.raises(StoreError, match="the record of this table is damaged"):
        store.load("abc")


def test_responses_on_an_archived_game_are_identical(card_rooms):
    card_room = card_rooms()
    seats = {0: StoredSeat("Ann", None, "hash"), 1: StoredSeat("Bo", "thumb")}
    card_room.store.add_table(table("abc", seats=seats, manners={"opener": 0}))
    asked = ["", "/record", "/replay?view=all&first=0&number=9", "/replay?view=0&first=20&number=9"]

    def answers():
        found = [card_room.http.get(f"/api/tables/abc{path}") for path in asked]
        assert {answer.status_code for answer in found} == {200}
        return [answer.content for answer in found]

    before = answers()
    assert list(archive(card_room.store, time.time() + 1)) == [("abc", True)]
    card_room.stop()
    card_room = card_rooms()
    assert answers() == before


class TestPruning:
    @pytest.fixture(params=["sqlite", "postgresql"])
    def kind(self, request):
        return request.param

    @pytest.fixture
    def old_games(self, store):
        """Return a store with a finished and an unfinished game of three years ago, and the same of one year ago."""
        begun = course()[:-1]
        add(store, table("over3"), table("begun3", begun), ago=3 * YEAR)
        add(store, table("over1"), table("begun1", begun), ago=YEAR)
        return store

    def test_removes_only_games_of_that_age(self, old_games):
        old_games.add_chat_message("over3", ChatMessage(0, "a", "hello"))
        old_games.add_rematch("over3", table("next", ()))
        old_games.add_table(table("before", ()), request=OpeningRequest("key", "hash"))
        old_games.add_rematch("before", table("later", ()))
        counted = prune(old_games, time.time() - 2 * YEAR, over=True, write=False)
        assert len(ids(old_games)) == 7
        assert prune(old_games, time.time() - 2 * YEAR, over=True) == counted == 1
        assert ids(old_games) == {"begun3", "over1", "begun1", "next", "before", "later"}
        assert prune(old_games, time.time() - 2 * YEAR, over=True) == 0

    def test_removes_unfinished_games_only_on_request(self, old_games):
        counted = prune(old_games, time.time() - 2 * YEAR, over=False, write=False)
        assert prune(old_games, time.time() - 2 * YEAR, over=False) == counted == 1
        assert ids(old_games) == {"over3", "over1", "begun1"}

    def test_counts_archived_ones_as_well(self, old_games):
        archive_old(old_games)
        assert prune(old_games, time.time() - 2 * YEAR, over=True, write=False) == 1
        assert prune(old_games, time.time() - 2 * YEAR, over=False, write=False) == 1

    def test_counts_a_game_that_continued_after_a_check_once(self, store):
        add(store, table("abc", course()[:-2]))
        archive_old(store)
        run_apart(store.append("abc", len(course()) - 2, course()[-2]))
        set_time(store, "abc", 3 * YEAR)
        assert prune(store, time.time() - 2 * YEAR, over=False, write=False) == 1

    def test_keeps_a_game_that_continues(self, old_games):
        archive_old(old_games)
        run_apart(old_games.append("begun3", len(course()) - 1, course()[-1]))
        assert prune(old_games, time.time() - 2 * YEAR, over=False) == 0
        assert "begun3" in ids(old_games)


class TestDailyWork:
    def test_finished_games_are_archived_and_old_ones_removed(self, store):
        add(store, table("old"), ago=100 * DAY_SECONDS)
        add(store, table("young"), table("begun", course()[:-1]), ago=20 * DAY_SECONDS)
        for day in (2, 1):
            store.write(remove_old, day_of() - day)
        run_apart(tidy(store))
        assert numbers(store, "old") == numbers(store, "young") == [len(course()) - 1]
        run_apart(tidy(store, 90))
        assert ids(store) == {"young", "begun"}

    def test_all_tables_without_a_game_are_removed_part_by_part_and_the_rest_once(self, store, monkeypatch):
        for name in ("one", "two", "three"):
            store.add_table(table(name, []))
        created = TABLES.update().values(created=int(time.time() - 100 * DAY_SECONDS))
        store.write(lambda connection: connection.execute(created))
        for day in range(maintenance.ABANDONED_DAYS, 0, -1):
            store.write(remove_old, day_of() - day)
        lists = []
        remove_listings = maintenance.remove_listings
        monkeypatch.setattr(maintenance, "remove_listings", lambda *values: lists.append(remove_listings(*values)))
        monkeypatch.setattr(maintenance, "_REMOVED_AT_ONCE", 1)
        run_apart(tidy(store))
        assert (ids(store), len(lists)) == (set(), 1)

    def test_a_clock_that_is_years_ahead_removes_nothing(self, store):
        add(store, table("old"))
        now = day_of()
        for day in (now - 1, now, now + 3000, now + 3001):
            store.write(remove_old, day)
        run_apart(tidy(store, 90))
        assert ids(store) == {"old"}

    def test_a_clock_that_is_ahead_now_and_then_removes_nothing(self, store):
        add(store, table("old"))
        now = day_of()
        for day in (now - 2, now + 3000, now - 1, now + 3001, now, now + 3002):
            store.write(remove_old, day)
        run_apart(tidy(store, 90))
        assert ids(store) == {"old"}

    def test_a_clock_that_is_years_behind_for_a_start_leaves_the_days_of_operation(self, store):
        now = day_of()
        for day in (now - 3, now - 2, now - 1, 0, now):
            store.write(remove_old, day)
        assert store.read(trusted_day) == now - 2

    def test_a_clock_that_is_a_day_behind_leaves_the_days_of_operation(self, store):
        now = day_of()
        for day in (now - 2, now - 1, now, now - 1):
            store.write(remove_old, day)
        assert store.read(trusted_day) == now - 2


class TestCommands:
    def test_prune_removes_games_of_an_age_unless_it_is_a_dry_run(self, store, command):
        add(store, table("over"), table("begun", course()[:-1]), ago=3 * YEAR)
        output = command("prune", "--finished-before", "2y", "--abandoned-before", "90w", "--dry-run")
        assert [line[:17] for line in output.splitlines()] == ["1 game finished b", "1 game abandoned "]
        assert ids(store) == {"over", "begun"}
        assert command("prune", "--finished-before", "2y").startswith("Removed 1 game finished before 20")
        assert ids(store) == {"begun"}

    @pytest.mark.parametrize(
        ("options", "left"),
        [
            (["--finished-before", "2y"], {"begun", "left"}),
            (["--abandoned-before", "2y"], {"over", "left"}),
            (["--finished-before", "4y", "--abandoned-before", "2y"], {"over", "left"}),
            (["--finished-before", "2y", "--abandoned-before", "1w"], set()),
        ],
    )
    def test_prune_removes_finished_and_abandoned_games_each_by_its_own_age(self, store, command, options, left):
        add(store, table("over"), table("begun", course()[:-1]), ago=3 * YEAR)
        add(store, table("left", course()[:-1]), ago=YEAR)
        command("prune", *options)
        assert ids(store) == left

    def test_prune_finds_no_game_older_than_all_dates(self, store, command):
        add(store, table("over"), ago=3 * YEAR)
        assert command("prune", "--finished-before", "9999y").startswith("Removed 0 games finished before 19")
        assert ids(store) == {"over"}

    @pytest.mark.parametrize("age", ["2", "y", "-1y", "0d", "1.5y", "2 y", "1m"])
    def test_prune_requires_an_age(self, command, age):
        assert "an age is written 90d, 8w or 2y" in command("prune", f"--finished-before={age}", status=2)
        assert "name the games" in command("prune", status=2)

    def test_delete_table_removes_an_unfinished_game_only_on_request(self, store, command):
        add(store, table("over"), table("begun", course()[:-1]))
        assert "there is no table nope in " in command("delete-table", "over", "nope", status=1)
        assert "the game at table begun is not over: add --unfinished" in command("delete-table", "begun", status=1)
        assert ids(store) == {"over", "begun"}
        assert command("delete-table", "over", "begun", "--unfinished") == "Removed over, begun.\n"
        assert ids(store) == set()

    def test_a_missing_database_is_not_created(self, tmp_path):
        done = CliRunner().invoke(main, ["forget", "Ann", "--database", str(tmp_path / "nothing")])
        assert (done.exit_code, "there is no database at" in done.output) == (1, True)
        assert list(tmp_path.iterdir()) == []

    def test_an_empty_file_is_no_database(self, tmp_path):
        empty = tmp_path / "records.jsonl"
        empty.touch()
        done = CliRunner().invoke(main, ["bans", "--database", str(empty)])
        assert (done.exit_code, "there is no database at" in done.output) == (1, True)
        assert empty.read_bytes() == b""

    def test_forget_lists_the_name_with_the_numbers_that_it_has_at_tables(self, store, command):
        long = "Annabella of the Thirty Letter"
        names = {"one": "Ann 2", "two": "Ann 3", "three": "Anna 2", "four": f"{long[:28]} 2", "five": "Ann"}
        for table_id, name in names.items():
            add(store, table(table_id, seats={0: StoredSeat(name, None, "hash"), 1: StoredSeat("Bo", None, "other")}))
        listed = "Not changed, although the number may be the room's: "
        assert command("forget", "Ann") == f"{listed}'Ann 2', 'Ann 3'.\nRemoved 'Ann' from 1 seat.\n"
        assert command("forget", "Ann", "--table", "two", status=1).startswith(f"{listed}'Ann 3'.\n")
        assert command("forget", "Anna", status=1).startswith(f"{listed}'Anna 2'.\n")
        assert command("forget", long, status=1).startswith(f"{listed}'{names['four']}'.\n")
        assert command("clear-talk", "one", "--by", "Ann", status=1).startswith(f"{listed}'Ann 2'.\n")

    def test_forget_removes_a_name_and_its_messages_from_the_files(self, database, store, command):
        seats = {0: StoredSeat("Annabella", None, "hash"), 1: StoredSeat("Bo", None, "other")}
        add(store, table("one", seats=seats), table("two", seats=seats))
        store.add_chat_message("one", ChatMessage(0, "a", "my telephone is"))
        store.add_chat_message("one", ChatMessage(1, "b", "mine too"))
        assert "no player named 'Anna' has a seat in " in command("forget", "Anna", status=1)
        assert command("forget", "Annabella", "--table", "two") == "Removed 'Annabella' from 1 seat.\n"
        assert command("forget", "Annabella") == "Removed 'Annabella' from 1 seat.\n"
        left = store.load("one")
        assert [seat.name for seat in left.seats.values()] == ["Seat 1", "Bo"]
        assert left.chat_messages == [ChatMessage(0, "a"), ChatMessage(1, "b", "mine too")]
        files = [path.read_bytes() for path in database.parent.iterdir()]
        assert not any(word in file for file in files for word in (b"Annabella", b"my telephone"))
        assert any(b"mine too" in file for file in files)
