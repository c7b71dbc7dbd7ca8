"""Files of games in the terminal: the record of a game to continue, and the file that a game is saved in."""

import json
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from parlour.engine.errors import ParlourError, RecordError
from parlour.engine.files import write_whole
from parlour.engine.game import option_value_name
from parlour.engine.match import Match
from parlour.engine.matches.records import STANDARD, Record, read_records, replay
from parlour.engine.setup import Setup
from parlour.folders import data_folder
from parlour.insight.review import recorded_names
from parlour.languages import gettext
from parlour.player_keys import PEOPLE
from parlour.render.bot_names import seat_names

PLAYERS = "players"
"""Name of the number of players among the names of options: no game has an option of this name."""
_OF_FIRST_PLAYERS = ("deal", "ending", "resigned", "winners")
"""Keys of a record that no longer hold after further events: the commitment, and who resigned."""


class GameFile:
    """The file that a game is saved in; a new game without a name gets a file of its own in the data folder.

    Attributes:
        path: the file; ``None`` until the first save of a new game without a name.
    """

    def __init__(self, name: str | None, resume: str | None, resumed: Record, game_id: str, players: Record) -> None:
        """Choose the file.

        Args:
            name: the name that the player chose.
            resume: the file of a game that is continued; ``None`` for a new game.
            resumed: the record in it; empty for a new game.
            game_id: the id of the game.
            players: the keys of the record on its players, of :func:`players_of_record`.

        Raises:
            ParlourError: the file has another game, or there is no folder for files without a name.
        """
        self._resumed = resumed
        self._game_id = game_id
        self._players = players
        self.path = _path_of(name, resume)
        self._written: Record | None = resumed if self.path and resume and _is_same_file(self.path, resume) else None
        if self.path is None:
            _folder_of_games()  # its absence is an error before the game, not in it

    def save(self, match: Match) -> None:
        """Save a game. Raises :class:`ParlourError`, also if another window has continued the game in this file."""
        kept = self._resumed
        if len(match.events) > len(kept.get("events", ())):
            kept = {key: value for key, value in kept.items() if key not in _OF_FIRST_PLAYERS} | self._players
        record = {**kept, **match.record()}
        try:
            self.path = self.path or _created_file(_folder_of_games(), self._game_id)
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._refuse_other_window(self.path)
            write_whole(self.path, json.dumps(record))
            self._written = record
        except OSError as error:
            file = self.path or _folder_of_games()
            message = gettext(
                "{file}: the game cannot be saved: {error}; try --record FILE", file=file, error=error.strerror
            )
            raise ParlourError(message) from None

    def _refuse_other_window(self, path: Path) -> None:
        """Raise :class:`ParlourError` if the file does not hold what this game has read from it or written to it."""
        if self._written is None or not path.is_file():  # a device keeps nothing
            return
        if [record for _, record in read_records(str(path))] != [self._written]:
            message = gettext(
                "{file}: another window has continued this game; the file keeps that game, and this one stops here",
                file=path,
            )
            raise ParlourError(message)


def refuse_standard_streams(*names: str | None) -> None:
    """Raise :class:`ParlourError` if one of these files of a game is standard input or output."""
    if STANDARD in names:
        raise ParlourError(
            gettext("{name} means standard input or output, which the table itself needs: name a file", name=STANDARD)
        )


def read_resumed(resume: str, setup: Setup, named: Collection[str]) -> tuple[Match, Record]:
    """Return the match to continue, and its record.

    Args:
        resume: the file.
        setup: the setup of the command line.
        named: the options that are on the command line; of these :data:`PLAYERS` is the number of players.

    Raises:
        ParlourError: the file has no game or several, or one of another setup.
    """
    (place, record), *more = read_records(resume)
    if more:
        number = 1 + len(more)
        raise RecordError(
            gettext("{file}: {number} games; --resume needs a file with one game", file=resume, number=number)
        )
    match = replay(record, place, recall=True)
    if match.game is not setup.game:
        found, game = match.game.title, setup.game.title
        raise RecordError(gettext("{place}: a game of {found}, not of {game}", place=place, found=found, game=game))
    wanted, there = ({PLAYERS: of.players, **of.options} for of in (setup, match.setup))
    for name in named:
        if there[name] != wanted[name]:
            found, here = (f"{name}={option_value_name(of[name])}" for of in (there, wanted))
            raise RecordError(
                gettext("{place}: a game with {found}, not with {wanted}", place=place, found=found, wanted=here)
            )
    return match, record


def resumed_seat(record: Record, players: int, wanted: int | None) -> int:
    """Return the player's seat: the wanted one, or else the first seat of people in the record, or else 0.

    Args:
        record: the record to continue; empty for a new game.
        players: the number of players.
        wanted: the seat on the command line, if any.

    Raises:
        ParlourError: there is no such seat, or another player had it in the record.
    """
    recorded = record.get(PEOPLE)
    people = [seat for seat in range(players) if seat in recorded] if isinstance(recorded, list) else []
    if wanted is None:
        return people[0] if people else 0
    if wanted not in range(players):
        last = players - 1
        raise ParlourError(gettext("there is no seat {seat}; the seats are 0 to {last}", seat=wanted, last=last))
    if people and wanted not in people:
        seats = ", ".join(map(str, people))
        raise RecordError(gettext("the game was played in seat {seats}, not in seat {seat}", seats=seats, seat=wanted))
    return wanted


def players_of_record(record: Record, players: int, seat: int) -> Record:
    """Return the keys ``people`` and ``names`` of a record whose player has this seat.

    The names are those of the record to continue. Without them, bots have names of their own and the player the default
    name of the card room.
    """
    names = recorded_names(record, players)
    if names is None:
        names = [*seat_names(players, seat)]
        names[seat] = gettext("Guest")
    return {PEOPLE: [seat], "names": names}


def _path_of(name: str | None, resume: str | None) -> Path | None:
    """Return the file to save in; ``None`` without a name. An existing file must be that of the resumed game."""
    if name is None:
        return Path(resume) if resume else None
    file = Path(name)
    if file.is_file() and file.stat().st_size and not (resume and _is_same_file(file, resume)):
        raise ParlourError(
            gettext("{file} is there already: name another file, or go on with it by --resume", file=file)
        )
    return file


def _is_same_file(file: Path, resume: str) -> bool:
    return file.exists() and file.samefile(resume)


def _folder_of_games() -> Path:
    folder = data_folder()
    if folder is None:
        raise ParlourError(gettext("there is no home folder to keep the game in: name a file with --record FILE"))
    return folder


def _created_file(folder: Path, game_id: str) -> Path:
    """Create an empty file with the game and the time as its name, and a number if there is such a file.

    Raises ``OSError``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name, number = f"{game_id}-{datetime.now():%Y-%m-%d-%H%M%S}", 1
    while True:
        path = folder / (f"{name}.json" if number == 1 else f"{name}-{number}.json")
        with suppress(FileExistsError):
            path.touch(mode=0o600, exist_ok=False)
            return path
        number += 1
