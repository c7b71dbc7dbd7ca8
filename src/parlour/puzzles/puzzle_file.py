"""Files of puzzles: a header and one puzzle a line, in the order of their games, so that a search can continue."""

import gzip
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from filelock import lock_descriptor

from parlour.engine.appended_file import AppendedFile
from parlour.engine.errors import ParlourError
from parlour.engine.files import write_whole
from parlour.engine.setup import Setup
from parlour.games import all_games, file_of
from parlour.puzzles.puzzle import Puzzle, PuzzleError

FORMAT = "parlour-puzzles/2"
SHIPPED = "puzzles.jsonl.gz"
"""Name of the file in a game's folder."""
_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True)
class PuzzleSet:
    """The puzzles of a file, with their header."""

    setup: Setup
    header: dict[str, Any]
    puzzles: Sequence[Puzzle]


def parse_puzzles(content: bytes, place: str) -> PuzzleSet:
    """Return the puzzles in the content of a file, plain or gzipped. Raises :class:`PuzzleError`."""
    try:
        text = gzip.decompress(content) if content.startswith(_GZIP_MAGIC) else content
    except (OSError, EOFError, zlib.error):
        raise PuzzleError(f"{place}: the gzipped file is damaged or cut short") from None
    first, *lines = text.splitlines() or [b""]
    header = _object_of(first)
    if header is None or header.get("format") != FORMAT:
        raise PuzzleError(f"{place}: not a file of puzzles ({FORMAT})")
    number = 1
    try:
        setup = Setup.from_json(header)
        puzzles = list[Puzzle]()
        for number, line in enumerate(lines, 2):
            if line.strip():
                is_cut = number > len(lines) and not text.endswith(b"\n")
                puzzles.append(Puzzle.from_json(setup, _puzzle_values(line, is_cut)))
    except ParlourError as error:
        raise PuzzleError(f"{place}, line {number}: {error}") from None
    return PuzzleSet(setup, header, puzzles)


def _puzzle_values(line: bytes, is_cut: bool) -> dict[str, Any]:
    """Return the values in a line; ``is_cut`` if it lacks its end. Raises :class:`PuzzleError`."""
    values = _object_of(line)
    if values is None and is_cut:
        raise PuzzleError("cut short; `parlour puzzles` with the settings of the file drops this line and goes on")
    if values is None:
        raise PuzzleError("damaged: it is not a JSON object")
    return values


def _object_of(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object in a line; ``None`` if it has none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def read_puzzles(name: str) -> PuzzleSet:
    """Return the puzzles of a file. Raises :class:`PuzzleError`."""
    try:
        return parse_puzzles(Path(name).read_bytes(), name)
    except OSError as error:
        raise PuzzleError(f"{name}: {error.strerror}") from None


@contextmanager
def locked_puzzles(name: str) -> Iterator[tuple[PuzzleSet, Callable[[Sequence[Puzzle]], None]]]:
    """Yield the puzzles of a file to which no other run can add puzzles within the context, and their replacement.

    The replacement is a function that stores other puzzles, gzipped if the file is. It raises :class:`PuzzleError`, and
    leaves the file unchanged, if they cannot be written.

    Raises:
        PuzzleError: the file cannot be read or written, has no puzzles, or is in use.
    """
    try:
        file = open(name, "r+b")  # noqa: SIM115
    except OSError as error:
        raise PuzzleError(f"{name}: {error.strerror}") from None
    with file:
        if not lock_descriptor(file.fileno(), blocking=False) or _is_replaced(name, os.fstat(file.fileno())):
            raise _in_use(name)
        content = file.read()
        found = parse_puzzles(content, name)

        def replace(puzzles: Sequence[Puzzle]) -> None:
            if sys.platform == "win32":
                file.close()  # Windows replaces no open file
            _replace_content(name, found.header, puzzles, content.startswith(_GZIP_MAGIC))

        yield found, replace


def _is_replaced(name: str, opened: os.stat_result) -> bool:
    """Return whether another run has put another file in the place of a file since it was ``opened``."""
    try:
        return not os.path.samestat(opened, os.stat(name))
    except FileNotFoundError:
        return True


def _in_use(name: str) -> PuzzleError:
    return PuzzleError(f"{name}: another run is writing to it")


def _replace_content(name: str, header: Mapping[str, Any], puzzles: Sequence[Puzzle], zipped: bool) -> None:
    content = b"".join(map(_line, [header, *(puzzle.to_json() for puzzle in puzzles)]))
    path = Path(name)
    try:
        write_whole(path, gzip.compress(content, mtime=0) if zipped else content, path.stat().st_mode & 0o777)
    except OSError as error:
        raise PuzzleError(f"{name}: cannot be written: {error.strerror}") from None


@cache
def shipped_puzzles(game_id: str) -> PuzzleSet | None:
    """Return the puzzles in a game's folder, ``None`` without a file of puzzles. Raises :class:`PuzzleError`."""
    file = file_of(game_id, SHIPPED)
    return parse_puzzles(file.read_bytes(), f"{game_id}/{SHIPPED}") if file else None


def games_with_puzzles() -> list[PuzzleSet]:
    """Return the puzzles of all games that have some; a damaged file is left out."""
    found = list[PuzzleSet]()
    for game in all_games():
        with suppress(PuzzleError):  # a foreign package may ship anything
            of_game = shipped_puzzles(game.id)
            found += [of_game] if of_game and of_game.puzzles else []
    return found


def header_of(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the header of the file of a search, whose facts are those of ``PuzzleSearch``."""
    return {"format": FORMAT, **facts}


class PuzzleFile:
    """File of puzzles, open for continuation.

    Attributes:
        puzzles: the puzzles in the file.
    """

    def __init__(self, name: str, facts: Mapping[str, Any]) -> None:
        """Open or create the file of a search with these facts.

        Raises:
            PuzzleError: the file belongs to another search, is gzipped, or is in use.
        """
        if name.endswith(".gz") or _is_gzipped(name):
            raise PuzzleError(f"{name}: puzzles are added to a plain file; unpack a gzipped one, and leave .gz out")
        self._name = name
        before = os.stat(name) if os.path.exists(name) else None
        self._file = AppendedFile(name, "puzzles", PuzzleError)
        try:
            if before and _is_replaced(name, before):  # its lock may be that of a file that no name has any more
                raise _in_use(name)
            self.puzzles = self._read(header_of(facts))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "PuzzleFile":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    @property
    def first_game(self) -> int:
        """The number of the first game that may have further puzzles: the last one here may have another."""
        return max((puzzle.number for puzzle in self.puzzles), default=0)

    def add(self, puzzles: Sequence[Puzzle]) -> None:
        """Append the puzzles of a game. Raises :class:`PuzzleError`, and adds none of them, if the disk is full."""
        if puzzles:
            self._file.append(b"".join(_line(puzzle.to_json()) for puzzle in puzzles))
            self.puzzles.extend(puzzles)

    def _read(self, expected: dict[str, Any]) -> list[Puzzle]:
        """Return the puzzles in the file. Drops an incomplete last line, and writes the header of an empty file."""
        content = self._file.complete_lines(_line(expected))
        if not content:
            return []
        found = parse_puzzles(content, self._name)
        if other := [key for key in expected if found.header.get(key) != expected[key]]:
            raise PuzzleError(
                f"{self._name} holds the puzzles of another search: {other[0]} is {found.header.get(other[0])!r} "
                f"there, {expected[other[0]]!r} here. Name another file."
            )
        self._file.drop_incomplete_line(len(content))
        return list(found.puzzles)


def _is_gzipped(name: str) -> bool:
    with suppress(OSError), open(name, "rb") as file:
        return file.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
    return False


def _line(values: Mapping[str, Any]) -> bytes:
    return (json.dumps(dict(values), ensure_ascii=False, separators=(",", ":")) + "\n").encode()
