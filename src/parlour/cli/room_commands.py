"""Commands on the data of a card room: ``export-records``, ``prune``, ``delete-table``, ``forget``."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import click

from parlour.cli.arguments import StoredText, age_option, database_option, room_command
from parlour.cli.progress import progress_bar
from parlour.cli.report_output import check_writable

if TYPE_CHECKING:
    from pathlib import Path

    from parlour.engine.matches.records import Record
    from parlour.server.store.store import Store


@contextmanager
def open_existing_store(database: str | None) -> Iterator[Store]:
    """Open an existing database; after commands without an error purge it. Raises :class:`ParlourError`."""
    from pathlib import Path

    from parlour.engine.errors import ParlourError
    from parlour.server.process.run import default_database
    from parlour.server.store.command_store import CommandStore

    place = database or default_database()
    if "://" not in str(place) and not (Path(place).is_file() and Path(place).stat().st_size):
        raise ParlourError(f"there is no database at {place}: name it with --database")
    store = CommandStore(place, must_exist=True)
    try:
        yield store
        store.purge()
    finally:
        store.close()


def note_numbered(store: Store, name: str, table_id: str | None = None) -> None:
    """List the forms of a name with a number, at one table or at all, to which a command does not apply."""
    from parlour.server.store.archive import numbered_forms

    if found := store.read(numbered_forms, name, table_id):
        click.echo(f"Not changed, although the number may be the room's: {', '.join(map(repr, found))}.", err=True)


@click.command("export-records")
@click.argument("file", metavar="FILE")
@click.option("--game", "game_id", metavar="GAME", help="Only games of this kind.")
@database_option
@room_command
def export_records(file: str, game_id: str | None, database: str | None) -> None:
    """Write the games that may be studied to FILE, without names.

    These are the finished games of tables whose players agreed to studies. FILE has a record on each line, gzipped if
    its name ends in .gz; - is standard output.
    """
    import random

    from parlour.engine.matches.records import STANDARD
    from parlour.engine.validation import counted
    from parlour.games import find_game
    from parlour.server.table.study_records import study_records

    wanted_id = find_game(game_id).id if game_id else None
    _check_target(file)
    with open_existing_store(database) as store, progress_bar("Games", None) as advance:
        records = []
        for record in study_records(store):
            if wanted_id in (None, record["game"]):
                records.append(record)
            advance(1)
    random.SystemRandom().shuffle(records)  # the order says nothing about when and with whom a game was played
    _write_records(file, records)
    if file != STANDARD:
        click.echo(f"Wrote {counted(len(records), 'record')} to {file}.", err=True)


def _check_target(file: str) -> None:
    """Check that records can be written to a file, before all games are read. Raises :class:`ParlourError`."""
    from pathlib import Path

    from parlour.engine.errors import ParlourError
    from parlour.engine.matches.records import STANDARD
    from parlour.server.store.sqlite_file import is_sqlite

    if file == STANDARD:
        return
    check_writable(file, "the records")
    if is_sqlite(Path(file)):
        raise ParlourError(f"{file}: this is a database; name another file for the records")


def _write_records(file: str, records: list[Record]) -> None:
    """Write all records, or leave an existing file as it is. Raises :class:`ParlourError`."""
    import gzip
    from pathlib import Path

    from parlour.engine.errors import ParlourError
    from parlour.engine.files import write_whole
    from parlour.engine.matches.records import STANDARD, RecordWriter, record_text

    if file == STANDARD:
        with RecordWriter(file) as writer:
            for record in records:
                writer.write(record)
        return
    content = "".join(f"{record_text(record)}\n" for record in records).encode()
    try:
        write_whole(Path(file), gzip.compress(content) if file.endswith(".gz") else content, _usual_mode(Path(file)))
    except OSError as error:
        raise ParlourError(f"{file}: the records cannot be written: {error.strerror}") from None


def _usual_mode(path: Path) -> int:
    """Return the permissions of a file; of a new one those that the process gives to new files."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        umask = os.umask(0o077)
        os.umask(umask)
        return 0o666 & ~umask


@click.command()
@age_option("--finished-before", help="Remove games that ended longer ago than this, e.g. 2y.")
@age_option("--abandoned-before", help="Remove unfinished games that are idle for longer than this.")
@click.option("--dry-run", is_flag=True, help="Only print their number.")
@database_option
@room_command
def prune(finished_before: int | None, abandoned_before: int | None, dry_run: bool, database: str | None) -> None:
    """Delete old games permanently; a server may be running."""
    if finished_before is None and abandoned_before is None:
        raise click.UsageError("name the games: --finished-before 2y, --abandoned-before 1y, or both")
    from parlour.engine.validation import counted
    from parlour.server.store.maintenance import DAY_SECONDS
    from parlour.server.table import retention

    kinds = [("finished", finished_before, True), ("abandoned", abandoned_before, False)]
    with open_existing_store(database) as store:
        for word, age, over in kinds:
            if age is not None:
                before = max(0.0, time.time() - age * DAY_SECONDS)  # dates have no years before 1
                with progress_bar("Games", None) as advance:
                    number = retention.prune(store, before, over, not dry_run, partial(advance, 1))
                games = f"{counted(number, 'game')} {word} before {date.fromtimestamp(before)}"
                click.echo(f"{games} would be removed." if dry_run else f"Removed {games}.")


@click.command("delete-table")
@click.argument("tables", metavar="TABLE...", nargs=-1, required=True, type=StoredText())
@click.option("--unfinished", is_flag=True, help="Also remove tables with unfinished games.")
@database_option
@room_command
def delete_table(tables: tuple[str, ...], unfinished: bool, database: str | None) -> None:
    """Remove tables, by the ids in their addresses."""
    from parlour.engine.errors import ParlourError
    from parlour.server.store.archive import remove
    from parlour.server.store.people.players import remove_games
    from parlour.server.table.retention import is_over

    with open_existing_store(database) as store:
        for table_id in tables:  # check all tables before removing any
            over = is_over(store, table_id)
            if over is None:
                raise ParlourError(f"there is no table {table_id} in {store.name}")
            if not over and not unfinished:
                raise ParlourError(f"the game at table {table_id} is not over: add --unfinished to remove it")
        store.write(remove_games, tables)  # first, since the command can be repeated only while the tables exist
        store.write(remove, tables)
        click.echo(f"Removed {', '.join(tables)}.")


@click.command()
@click.argument("name", type=StoredText())
@click.option("--table", "table_id", metavar="TABLE", type=StoredText(), help="At this table only.")
@database_option
@room_command
def forget(name: str, table_id: str | None, database: str | None) -> None:
    """Remove a NAME from every seat, with the chat of these seats.

    The games stay, with "Seat 1" in place of the name. Other people with the same name are removed, too; --table
    restricts the removal to one table. The name may have a number at tables where another person has it (Ann 2); such
    names stay, and are listed.
    """
    from parlour.engine.errors import ParlourError
    from parlour.engine.validation import counted
    from parlour.server.store import archive

    with open_existing_store(database) as store:
        seats = store.write(archive.remove_name, name, table_id)
        note_numbered(store, name, table_id)
        if not seats:
            where = f"at table {table_id} " if table_id else ""
            raise ParlourError(f"no player named {name!r} has a seat {where}in {store.name}")
        click.echo(f"Removed {name!r} from {counted(seats, 'seat')}.")
