"""Results files: a header and a line of JSON for each deal, in order, so that an interrupted run can continue."""

import json
import os
import zlib
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from parlour.contests.contest import Deal, Plan, play_deals
from parlour.contests.game_results import DATA_ERRORS, GameResult
from parlour.engine.appended_file import AppendedFile
from parlour.engine.errors import ParlourError
from parlour.engine.validation import counted
from parlour.interrupts import defer_interrupts
from parlour.jobs.tasks import HERE, Placement

_CHECKSUM = "crc32"
"""Key of the checksum of a line's other values except times: it shows damage to the disk and changes by hand."""


_CONTINUES = "the same command continues from there"


class ResultsError(ParlourError):
    """A results file cannot be read, written or continued; the message begins with the file's name."""


def deal_to_json(deal: Deal) -> dict[str, Any]:
    """Return a deal as JSON values, with their checksum."""
    values = {"deal": deal.number, "games": [game.to_json() for game in deal.games]}
    return {**values, _CHECKSUM: _checksum(values)}


class ResultsFile:
    """Results file, open for continuation; a file that cannot be written is open for reading.

    Attributes:
        deals: the deals in the file when it was opened.
        is_read_only: whether the file cannot be written.
    """

    def __init__(self, name: str, plan: Plan) -> None:
        """Open or create a file. Raises :class:`ResultsError` if it belongs to another plan or is in use."""
        self._name = name = os.fspath(name)  # ``open`` takes an integer for a file that the process has open
        self.is_read_only = os.path.isfile(name) and not os.access(name, os.W_OK) and os.access(name, os.R_OK)
        self._file = None if self.is_read_only else AppendedFile(name, "results", ResultsError)
        try:
            self.deals = self._read(plan)
        except BaseException:
            self.__exit__()
            raise
        self._stored = len(self.deals)

    def __enter__(self) -> "ResultsFile":
        return self

    def __exit__(self, *error: object) -> None:
        if self._file:
            self._file.close()

    def append(self, deal: Deal) -> None:
        """Append a deal. Raises :class:`ResultsError` if the disk is full; the file then ends before the deal."""
        if self._file is None:
            raise self.error_of_writing()
        try:
            self._file.append(_line(deal_to_json(deal)))
        except ResultsError as error:
            raise ResultsError(f"{error}. It has {counted(self._stored, 'deal')}; {_CONTINUES}.") from None
        self._stored += 1

    def error_of_writing(self) -> ResultsError:
        """Return the error that the file is read-only."""
        return ResultsError(
            f"{self._name}: cannot be written, and it has only {counted(self._stored, 'deal')}. In a copy that can be "
            f"written, {_CONTINUES}."
        )

    def _read(self, plan: Plan) -> list[Deal]:
        """Return the file's deals. Drops an incomplete last line, and writes the header of an empty file."""
        text = self._file.complete_lines(_line(plan.header())) if self._file else self._complete_lines()
        if not text:
            return []
        header, *lines = text.splitlines()
        self._check_header(header, plan.header())
        deals = [self._deal_of(line, number, plan) for number, line in enumerate(lines)]
        if self._file:
            self._file.drop_incomplete_line(len(text))
        return deals

    def _complete_lines(self) -> bytes:
        """Return the complete lines of a file that cannot be written."""
        with open(self._name, "rb") as file:
            content = file.read()
        return content[: content.rfind(b"\n") + 1]

    def _check_header(self, line: bytes, expected: dict[str, Any]) -> None:
        try:
            header = json.loads(line)
            known = header["format"] == expected["format"]
        except (ValueError, KeyError, TypeError):
            known = False
        if not known:
            raise ResultsError(f"{self._name}: not a file of results ({expected['format']}); name another one")
        if diff := difference(header, expected):
            raise ResultsError(f"{self._name} holds other results: {diff}. Name another file.")

    def _deal_of(self, line: bytes, number: int, plan: Plan) -> Deal:
        place, jobs = f"{self._name}, line {number + 2}", plan.jobs(number)
        try:
            data = json.loads(line)
            games, found, checksum = data["games"], int(data["deal"]), data.pop(_CHECKSUM, None)
            if found != number:
                raise ResultsError(f"{place}: this is deal {found}, but deal {number} comes next")
            played = tuple(GameResult.from_json(game, len(job.seating)) for game, job in zip(games, jobs, strict=False))
            if len(games) != len(jobs) or [game.bots for game in played] != [job.seating for job in jobs]:
                raise ValueError(f"its games are not those of deal {number}")
            for game, job in zip(played, jobs, strict=True):
                _check_parts(game, plan.parts(job))
        except DATA_ERRORS as error:
            raise ResultsError(f"{place}: not a deal: {error}") from None
        if checksum not in (None, _checksum(data)):  # a line of an earlier version has none
            raise ResultsError(
                f"{place}: changed after it was written, as its checksum shows. Delete it and the lines after it, and "
                "the same command plays their deals again."
            )
        return Deal(number, played)


def _check_parts(game: GameResult, parts: Sequence[str]) -> None:
    """Raise ``ValueError`` if a game lacks an attribute; a forfeited game has no clause counts."""
    for name in parts:
        if getattr(game, name) is None and not (name == "clause_counts" and game.forfeit):
            raise ValueError(f"a game has no {name}")


def _checksum(values: Mapping[str, Any]) -> str:
    """Return the CRC-32 of a deal's JSON values without times, so that the same games have the same checksum.

    It is that of the text as :mod:`json` writes it, also after a program's other layout.
    """
    games = [{name: value for name, value in game.items() if name != "seconds"} for game in values["games"]]
    return f"{zlib.crc32(json.dumps({**values, 'games': games}).encode()):08x}"


def _line(value: dict[str, Any]) -> bytes:
    return (json.dumps(value) + "\n").encode()


def difference(header: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    """Return the differences of a file's header from the expected one; empty if there are none.

    A key that only one of them has is a difference, too: plans write some keys only if they use them.
    """
    other = [key for key in {**expected, **header} if header.get(key) != expected.get(key)]
    return "; ".join(f"{key} is {_or_none(header.get(key))} there, {_or_none(expected.get(key))} here" for key in other)


def _or_none(value: Any) -> str:
    return "none" if value is None else repr(value)


def play_and_store(
    plan: Plan,
    deals: int,
    file: ResultsFile | None = None,
    where: Placement = HERE,
    progress: Callable[[float], None] = lambda deals: None,
    count: Callable[[Deal], None] = lambda deal: None,
) -> Generator[Deal, None, None]:
    """Yield the first ``deals`` deals of a plan: the deals in the file, then new deals, which are appended to it.

    ``count`` receives each deal. Ctrl-C cannot interrupt between the storage of a deal and this call.
    """
    stored = file.deals[:deals] if file else []
    for deal in stored:
        count(deal)
        yield deal
    if len(stored) < deals:
        if file and file.is_read_only:
            raise file.error_of_writing()
        for deal in play_deals(plan, len(stored), deals, where, progress):
            with defer_interrupts():
                if file:
                    file.append(deal)
                count(deal)
            yield deal
