"""Records: games as JSON that replay without any source of randomness (``parlour-record/1``)."""

import gzip
import io
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import IO, Any

from parlour.engine.errors import IllegalError, ParlourError, RecordError
from parlour.engine.events import Event, actor_name
from parlour.engine.match import FORMAT, Match
from parlour.engine.matches.steps import INTERPRETED, Steps
from parlour.engine.setup import Setup, expect
from parlour.engine.validation import counted, shown

STANDARD = "-"
"""The file name that means standard input or output."""
FEW_RECORDS = 100
"""Number of records at the beginning of a file that are replayed interpreted, since compiling would take longer."""
_GZIP_MAGIC = b"\x1f\x8b"

Record = dict[str, Any]


def record_text(record: Record) -> str:
    """Return a record as one line of JSON, without the line break."""
    return json.dumps(record, ensure_ascii=False)


def read_records(name: str) -> Iterator[tuple[str, Record]]:
    """Yield the records of a file, each with its location (``"games.jsonl, line 3"``).

    The file holds one record on each line, or a single record spread over several lines. It may be gzipped, and begin
    with a byte order mark. ``-`` is standard input.

    Raises:
        RecordError: the file cannot be read, or a line is not a JSON object.
    """
    source = "standard input" if name == STANDARD else name
    try:
        with _open_to_read(name) as file:
            yield from _records_in(file, source)
    except UnicodeDecodeError as error:
        raise RecordError(f"{source}: not a text in UTF-8: {error.reason}") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise RecordError(f"{source}: the gzipped file is damaged or cut short: {error}") from None
    except OSError as error:
        raise RecordError(f"{source}: {error.strerror or error}") from None


@contextmanager
def _open_to_read(name: str) -> Iterator[IO[str]]:
    source: Any = sys.stdin.buffer if name == STANDARD else open(name, "rb", buffering=0)  # noqa: SIM115
    with io.BufferedReader(source) as raw:
        zipped = raw.peek(2)[:2] == _GZIP_MAGIC
        binary: Any = gzip.GzipFile(fileobj=raw) if zipped else raw
        yield io.TextIOWrapper(binary, encoding="utf-8-sig")  # editors on Windows write a byte order mark


def _records_in(file: IO[str], source: str) -> Iterator[tuple[str, Record]]:
    empty = True
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        first, empty = empty, False
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            if first:
                yield source, _single("\n" * (number - 1) + line + file.read(), source)
                return
            raise RecordError(f"{source}, line {number}: not JSON: {error.msg} (column {error.colno})") from None
        except RecursionError:
            raise RecordError(f"{source}, line {number}: nested too deeply to be a record") from None
        except ValueError:
            raise RecordError(f"{source}, line {number}: not JSON: a number has too many digits") from None
        yield f"{source}, line {number}", _checked(record, f"{source}, line {number}")
    if empty:
        raise RecordError(f"{source}: empty; a record is a JSON object with the keys game, players and events")


def _single(text: str, source: str) -> Record:
    try:
        return _checked(json.loads(text), source)
    except json.JSONDecodeError as error:
        raise RecordError(f"{source}, line {error.lineno}: not JSON: {error.msg} (column {error.colno})") from None
    except RecursionError:
        raise RecordError(f"{source}: nested too deeply to be a record") from None
    except ValueError:
        raise RecordError(f"{source}: not JSON: a number has too many digits") from None


def _checked(record: Any, place: str) -> Record:
    if not isinstance(record, dict):
        raise RecordError(f"{place}: a record is a JSON object, not {type(record).__name__}")
    return record


def begin_replay(record: Record, place: str = "record", steps: Steps = INTERPRETED, recall: bool = False) -> Match:
    """Return the match of a record, before its first event. Raises :class:`RecordError`."""
    kinds = {"format": str, "game": str, "players": int, "options": dict, "events": list}
    try:
        expect(record, kinds, optional=("options",))
        if record["format"] != FORMAT:
            raise RecordError(f"the format is {shown(record['format'])}, but only {FORMAT!r} can be read")
        return Match(Setup.from_json(record), steps, recall=recall)
    except ParlourError as error:
        raise RecordError(f"{place}: {error}") from None


def replay(
    record: Record,
    place: str = "record",
    steps: Steps = INTERPRETED,
    before: Callable[[Match, str], None] = lambda match, do: None,
    recall: bool = False,
) -> Match:
    """Replay a record's events and check its result.

    Args:
        record: the JSON object.
        place: the record's location, for error messages.
        steps: interpreted or compiled.
        before: called before each player's action with the match and the action's text.
        recall: whether the match supports :meth:`Match.information_state`.

    Raises:
        RecordError: the record is malformed, an event is not legal, or the result differs. The message has the location
            and the reason; for an illegal event also the event and the legal actions.
    """
    match = begin_replay(record, place, steps, recall)
    for number, event in enumerate(record["events"], 1):
        _replay_event(match, event, f"{place}, event {number}", before)
    _check_result(match, record.get("result"), place)
    _check_resignation(match, record, place)
    return match


def _replay_event(match: Match, event: Any, place: str, before: Callable[[Match, str], None]) -> None:
    if not isinstance(event, dict) or not isinstance(event.get("do"), str) or "by" not in event:
        raise RecordError(f'{place}: an event looks like {{"by": 0, "do": "…"}}, not {json.dumps(event)[:80]}')
    by, do = event["by"], event["do"]
    if by != "chance" and (isinstance(by, bool) or not isinstance(by, int)):
        raise RecordError(f"{place}: 'by' must be \"chance\" or a player's number, not {json.dumps(by)[:40]}")
    try:
        if by != "chance":
            if by < 0 or by != match.actor:
                turn = actor_name(match.actor)
                raise IllegalError(f"seat {shown(by)} cannot do {do[:60]!r}: it is the turn of {turn}")
            before(match, do)
        match.apply_event(Event.from_json(event))
    except IllegalError as error:
        raise RecordError(f"{place}: {error}") from None


def _check_result(match: Match, claimed: Any, place: str) -> None:
    if claimed is None:
        return
    actual = match.result.to_json() if match.result else None
    if actual is None:
        raise RecordError(
            f"{place}: there is a result, but the game goes on: it is the turn of {actor_name(match.actor)}"
        )
    if not isinstance(claimed, dict) or not all(_is_same_list(claimed.get(key), actual[key]) for key in actual):
        raise RecordError(f"{place}: the result is {json.dumps(claimed)[:120]}, but should be {json.dumps(actual)}")


def _is_same_list(claimed: Any, actual: list[int]) -> bool:
    """Return whether a value of JSON is this list; ``false`` and ``0.0``, which equal 0 in Python, are not 0."""
    return claimed == actual and all(type(number) is int for number in claimed)


def has_resignation(record: Record) -> bool:
    """Return whether a record has the end of a game by resignation (docs/records.md)."""
    ending = record.get("ending")
    return isinstance(ending, dict) and ending.get("by") == "resignation"


def _check_resignation(match: Match, record: Record, place: str) -> None:
    if record.get("resigned"):
        _check_winners(match, record, "the record has", place)
    if not has_resignation(record):
        return
    ending, seats = record["ending"], list(range(match.players))
    if type(ending.get("seat")) is not int or ending["seat"] not in seats:
        raise RecordError(f"{place}: 'ending' has the seat {shown(ending.get('seat'))}; the game has the seats {seats}")
    _check_winners(match, {"winners": None, **ending}, "'ending' has", place)
    if match.over or record.get("result") is not None:
        raise RecordError(f"{place}: the game ends by its rules, but 'ending' says that a player resigned")


def _check_winners(match: Match, holder: Mapping[str, Any], who_has: str, place: str) -> None:
    """Raise :class:`RecordError` if there are ``winners`` that are not seats of the game in ascending order."""
    winners = holder.get("winners", [])
    if not isinstance(winners, list) or not _is_same_list(winners, [s for s in range(match.players) if s in winners]):
        raise RecordError(f"{place}: {who_has} the winners {shown(winners)}: not seats of the game in ascending order")


def trace(record: Record, place: str = "record", steps: Steps = INTERPRETED) -> dict[str, Any]:
    """Replay a record and return the legal actions at each decision: ``{"trace": […], "result": …}``."""
    rows: list[dict[str, Any]] = []

    def note(match: Match, do: str) -> None:
        rows.append({"seat": match.actor, "legal": match.legal(), "do": do})

    match = replay(record, place, steps, note)
    return {"trace": rows, "result": match.result.to_json() if match.result else None}


class RecordWriter:
    """Writer of one record a line to a file, gzipped if its name ends in ``.gz``; the name ``-`` is standard output.

    If the disk fills up, the incomplete line is removed, so that a file ends with a complete record; standard output
    keeps it.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.written = 0

    def __enter__(self) -> "RecordWriter":
        try:
            self._file: Any = sys.stdout.buffer if self._name == STANDARD else open(self._name, "wb", buffering=0)
        except OSError as error:
            raise RecordError(f"{self._name}: cannot be written: {error.strerror}") from None
        self._end = 0
        return self

    def write(self, record: Record) -> None:
        """Append one record.

        Raises:
            RecordError: a file cannot be written; the incomplete line has been removed.
            OSError: standard output cannot be written.
        """
        line = (record_text(record) + "\n").encode()
        try:
            self._write_all(gzip.compress(line) if self._name.endswith(".gz") else line)
            self._file.flush()
        except OSError as error:
            if self._name == STANDARD:
                raise  # its reader may have gone, which is no fault
            self._truncate()
            holds = f"it holds {counted(self.written, 'record')}"
            raise RecordError(f"{self._name}: cannot be written: {error.strerror}; {holds}") from None
        self.written += 1

    def _write_all(self, rest: bytes) -> None:
        """Write all bytes. The file is unbuffered so that no data is pending after an error; a write may be partial."""
        length = len(rest)
        while rest:
            rest = rest[self._file.write(rest) :]
        self._end += length

    def _truncate(self) -> None:
        with suppress(OSError):  # a device cannot be truncated
            os.truncate(self._name, self._end)

    def __exit__(self, *error: object) -> None:
        if self._name != STANDARD:
            self._file.close()
