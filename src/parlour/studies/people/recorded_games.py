"""Recorded games that people have played: their seats, and their decisions among several actions."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from parlour.engine.errors import RecordError
from parlour.engine.events import Event
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.matches.records import Record, begin_replay, read_records, record_text, replay
from parlour.engine.matches.steps import COMPILED
from parlour.engine.setup import Setup
from parlour.engine.validation import counted
from parlour.player_keys import player_keys


@dataclass(frozen=True)
class RecordedGame:
    """A finished game.

    Attributes:
        place: the record's location, for messages.
        record: the record.
        people: the seats of people; all seats if the record does not name them.
        stood_in: the numbers of the events that a bot decided for a person, also after the person's resignation.
        choices: the number of the people's decisions among several actions.
    """

    place: str
    record: Record
    people: frozenset[int]
    stood_in: frozenset[int] = frozenset()
    choices: int = 0

    @cached_property
    def setup(self) -> Setup:
        """The setup."""
        return Setup.from_json(self.record)

    @property
    def without_bots(self) -> bool:
        """Whether people made every decision."""
        return len(self.people) == self.setup.players and not self.stood_in

    def is_choice(self, match: Match, number: int) -> bool:
        """Return whether the next event, by its number, is a person's choice among several actions."""
        return match.actor in self.people and number not in self.stood_in and len(match.moves()) > 1

    def sample(self, share: float, random: np.random.Generator) -> "Iterator[tuple[int, Match]]":
        """Yield sampled choices of people: the number of the event, and the match before it.

        Args:
            share: the probability with which each choice is sampled, independently of the others.
            random: the source of the sample.
        """
        match = begin_replay(self.record, self.place, COMPILED)
        for number, event in enumerate(self.record["events"]):
            if self.is_choice(match, number) and random.random() < share:
                yield number, match
            match.apply_event(Event.from_json(event))


def whole_game(record: Record, place: str) -> RecordedGame:
    """Return the game of a record in which every seat counts as a person's."""
    return RecordedGame(place, record, frozenset(range(record["players"])))


def read_games(files: Iterable[str], game: Game) -> tuple[list[RecordedGame], Counter[str]]:
    """Return the finished games of one game in files of records, and the numbers of other records, by reason.

    A game that several records have, as after two exports of one room, counts once.

    Raises:
        RecordError: a file cannot be read, a record is not legal, or no game is left.
    """
    found, left_out = dict[bytes, RecordedGame](), Counter[str]()
    for file in files:
        for place, record in read_records(file):
            if record.get("game") != game.id:
                left_out["of other games"] += 1
                continue
            played, match = _game_of(record, place)
            course = hashlib.sha256(record_text(match.record()).encode()).digest()
            if not match.over:
                left_out["of unfinished games"] += 1
            elif course in found:
                left_out["of repeated games"] += 1
            else:
                found[course] = played
    if not found:
        rest = "".join(f"; {counted(number, 'record')} {reason}" for reason, number in left_out.items())
        raise RecordError(f"{', '.join(files)}: no record of a finished game of {game.title}{rest}")
    return [*found.values()], left_out


def _game_of(record: Record, place: str) -> tuple[RecordedGame, Match]:
    """Return the game of a record, and its match after the last event. Raises :class:`RecordError`."""
    choices, players = 0, player_keys(record, begin_replay(record, place).players, place)
    game = RecordedGame(place, record, players.people, players.stood_in)

    def note(match: Match, do: str) -> None:
        nonlocal choices
        choices += game.is_choice(match, len(match.events))

    match = replay(record, place, COMPILED, note)
    return replace(game, choices=choices), match
