"""Results as files: a header and a line of JSON for every deal, in order, so that a run can go on where it stopped."""

import json
import os
from collections.abc import Callable, Generator
from typing import Any

from filelock import lock_descriptor

from parlour.engine.errors import ParlourError
from parlour.interrupts import undisturbed
from parlour.lab.arena import Forfeited, Played
from parlour.lab.contest import Contest, Deal, play_deals


class ResultsError(ParlourError):
    """A file of results that cannot be read, written or gone on with; the message begins with its name."""


def deal_to_json(deal: Deal) -> dict[str, Any]:
    """A deal as JSON values; each game's lists are by seat, its winners are seats."""
    return {"deal": deal.number, "games": [_game_to_json(game) for game in deal.games]}


def _game_to_json(game: Played) -> dict[str, Any]:
    told = {**vars(game), "seconds": [round(each, 7) for each in game.seconds]}
    forfeit = told.pop("forfeit")
    return {**told, "forfeit": vars(forfeit)} if forfeit else told


NO_DEAL = (KeyError, TypeError, ValueError, OverflowError)
"""What is raised by a line that holds something else than a deal."""


def deal_from_json(line: Any, contest: Contest) -> Deal:
    """The deal of a line. Raises what :data:`NO_DEAL` names if it is none of such a contest."""
    games = tuple(_game_of(game, contest) for game in line["games"])
    return Deal(int(line["deal"]), games)


def _game_of(game: Any, contest: Contest) -> Played:
    """A game of a line, likewise."""
    if not isinstance(game, dict):
        raise TypeError("a game is not an object")
    lists = {key: tuple(values) for key, values in game.items() if key != "forfeit"}
    played = Played(**lists, forfeit=_forfeit_of(game["forfeit"], contest) if "forfeit" in game else None)
    if not all(isinstance(each, int | float) for values in lists.values() for each in values):
        raise ValueError("a list holds something else than numbers")
    by_seat = [values for key, values in lists.items() if key != "winners"]
    if any(len(values) != contest.setup.players for values in by_seat):
        raise ValueError(f"a list is not of {contest.setup.players} seats")
    if not played.winners or not set(played.winners) <= set(range(contest.setup.players)):
        raise ValueError("its winners are not seats")
    return played


def _forfeit_of(forfeit: Any, contest: Contest) -> Forfeited:
    """What a line says of a forfeit, likewise."""
    found = Forfeited(**forfeit)
    if found.seat not in range(contest.setup.players) or not isinstance(found.reason, str):
        raise ValueError("its forfeit is not a seat's, with a reason")
    return found


class ResultsFile:
    """A file of results, opened to go on with it.

    Attributes:
        deals: those that were in it when it was opened.
    """

    def __init__(self, name: str, contest: Contest) -> None:
        """Open a file or begin it. Raises :class:`ResultsError` if it is another contest's or somebody writes to it."""
        self._name = name
        if os.path.exists(name) and not os.path.isfile(name):
            raise ResultsError(f"{name}: not a file")
        try:
            self._file = open(name, "a+b", buffering=0)  # noqa: SIM115
        except OSError as error:
            raise ResultsError(f"{name}: cannot be opened: {error.strerror}") from None
        try:
            self._lock()
            self.deals = self._read(contest)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "ResultsFile":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def append(self, deal: Deal) -> None:
        """Add a deal. Raises :class:`ResultsError` if it does not fit on the disk; the file then ends before it."""
        self._write(deal_to_json(deal))

    def _lock(self) -> None:
        if not lock_descriptor(self._file.fileno(), blocking=False):
            raise ResultsError(f"{self._name}: another run is writing to it")

    def _read(self, contest: Contest) -> list[Deal]:
        """The deals that the file holds. A last line that was cut off is dropped, and an empty file gets its header."""
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        if whole == 0:
            if text and not self._header_line(contest).startswith(text):
                raise ResultsError(f"{self._name}: not a file of results; name another one")
            self._file.truncate(0)
            self._write(contest.header())
            return []
        header, *lines = text[:whole].splitlines()
        self._check_header(header, contest.header())
        deals = [self._deal_of(line, number, contest) for number, line in enumerate(lines)]
        self._file.truncate(whole)
        return deals

    def _header_line(self, contest: Contest) -> bytes:
        return json.dumps(contest.header()).encode()

    def _check_header(self, line: bytes, wanted: dict[str, Any]) -> None:
        try:
            header = json.loads(line)
            known = header["format"] == wanted["format"]
        except (ValueError, KeyError, TypeError):
            known = False
        if not known:
            raise ResultsError(f"{self._name}: not a file of results ({wanted['format']}); name another one")
        other = [key for key in wanted if header.get(key) != wanted[key]]
        if other:
            told = "; ".join(f"{key} is {header.get(key)!r} there, {wanted[key]!r} here" for key in other)
            raise ResultsError(f"{self._name} holds results of another contest: {told}. Name another file.")

    def _deal_of(self, line: bytes, number: int, contest: Contest) -> Deal:
        place = f"{self._name}, line {number + 2}"
        try:
            deal = deal_from_json(json.loads(line), contest)
        except NO_DEAL as error:
            raise ResultsError(f"{place}: not a deal: {error}") from None
        if deal.number != number:
            raise ResultsError(f"{place}: this is deal {deal.number}, but deal {number} comes next")
        if sorted(game.bots for game in deal.games) != sorted(contest.seatings(number)):
            raise ResultsError(f"{place}: not a deal: its games are not those of deal {number}")
        return deal

    def _write(self, value: dict[str, Any]) -> None:
        end = os.fstat(self._file.fileno()).st_size
        rest = (json.dumps(value) + "\n").encode()
        try:
            while rest:  # the file has no buffer and may take less than it is given
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            self._file.truncate(end)
            raise ResultsError(f"{self._name}: cannot be written: {error.strerror}") from None


def play_and_keep(
    contest: Contest,
    deals: int,
    file: ResultsFile | None = None,
    cores: int | None = None,
    progress: Callable[[float], None] = lambda deals: None,
    count: Callable[[Deal], None] = lambda deal: None,
) -> Generator[Deal, None, None]:
    """The first ``deals`` deals of a contest: those kept in the file, then the others, played and added to it.

    Each is told to ``count``: no Ctrl-C comes between that and its being kept.
    """
    kept = file.deals[:deals] if file else []
    for deal in kept:
        count(deal)
        yield deal
    if len(kept) < deals:
        for deal in play_deals(contest, len(kept), deals, cores, progress):
            with undisturbed():
                if file:
                    file.append(deal)
                count(deal)
            yield deal
