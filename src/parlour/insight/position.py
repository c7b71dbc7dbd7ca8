"""Position as one seat observes it, and the places of unknown cards in determinizations. Game-independent."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from parlour.cards import card_name, cards_of
from parlour.engine.arrays import Int64s
from parlour.engine.game import Game
from parlour.engine.information.determinization import hidden_from
from parlour.engine.match import Match
from parlour.engine.moves import Move
from parlour.engine.observation import EVERYTHING, Observation, observe
from parlour.engine.rules import NOBODY
from parlour.engine.setup import Setup
from parlour.engine.typed_state import AnyState, OwnState
from parlour.languages import gettext, pgettext
from parlour.render.layouts import find_layout
from parlour.render.phrases import phrase_of
from parlour.render.scene import Area, Row
from parlour.render.words import within_sentence


@dataclass(frozen=True)
class Position:
    """Knowledge of one seat in a position.

    Attributes:
        setup: the game, number of players and options.
        seat: the observing seat.
        state: the state as the seat observes it.
        moves: the seat's legal moves; none if another seat is to act.
        seen: the number of events so far.
        names: the names of the seats.
        observation: the seat's observation, if the seat is to act.
    """

    setup: Setup
    seat: int
    state: AnyState
    moves: Sequence[Move]
    seen: int
    names: Sequence[str]
    observation: Observation | None = None

    @property
    def game(self) -> Game:
        """The game."""
        return self.setup.game

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.setup.players

    def notation(self, move: Move) -> str:
        """Return a legal move's text."""
        return self.game.name(self.state, int(move))

    @property
    def heading(self) -> str:
        """The heading of the table at the decision: ``"Round 1 of 4, trick 3 of 6"``."""
        assert self.observation is not None
        return find_layout(self.game.id).lay_out(self.observation, self.names, None).heading

    def phrase(self, move: Move) -> str:
        """Return a legal move in the log's words: ``"lead the ace of spades"``."""
        assert self.observation is not None
        return phrase_of(find_layout(self.game.id), self.observation, self.names, self.notation(move))


def position_of(match: Match, seat: int, names: Sequence[str]) -> Position:
    """Return a seat's current position in a match."""
    moves = tuple(match.moves()) if match.actor == seat else ()
    observation = match.observation(seat) if moves else None
    return Position(match.setup, seat, match.observed(seat), moves, len(match.events), tuple(names), observation)


@dataclass(frozen=True)
class Place:
    """Possible place of a card: the game's name of the zone, its index, and words (``in Ann's hand``)."""

    zone: str
    at: int
    words: str


class Whereabouts:
    """Place of each unknown card in each determinization.

    Attributes:
        cards: the numbers of the unknown cards.
        where: the number of each card's place: determinizations × cards; −1 before :meth:`note`.
    """

    def __init__(self, position: Position, determinizations: int) -> None:
        self.cards = list(cards_of(int(hidden_from(position.state, position.seat))))
        self.where: Int64s = np.full((determinizations, len(self.cards)), -1)
        self._column = {card: column for column, card in enumerate(self.cards)}
        self._position = position
        self._places: dict[tuple[str, int], int] = {}
        self._words: list[Place] = []

    def note(self, number: int, determinization: OwnState) -> None:
        """Store the places of the cards in determinization ``number``."""
        for zone in self._position.game.zones(determinization):
            columns = [self._column[card] for card in zone.cards if card in self._column]
            if columns:
                self.where[number, columns] = self._place(zone.name, zone.at, self.cards[columns[0]], determinization)

    def place(self, number: int) -> Place:
        """Return the place of this number."""
        return self._words[number]

    def _place(self, zone: str, at: int, card: int, determinization: OwnState) -> int:
        if (zone, at) not in self._places:
            self._places[zone, at] = len(self._words)
            self._words.append(Place(zone, at, place_words(self._position, determinization, zone, at, card)))
        return self._places[zone, at]


def place_words(position: Position, state: AnyState, zone: str, at: int, card: int) -> str:
    """Return the place of a card in a zone as words: ``in Ann's hand``, ``in your backup``, ``in the deck``."""
    game = position.game
    observation = observe(position.setup, state, EVERYTHING, events=[], legal=[])
    areas = find_layout(game.id).lay_out(observation, position.names, None).areas
    rows = [(area, row) for area in areas for row in area.rows]
    for area, row in rows:
        if row.style != "last" and any(shown.card == card_name(card) for shown in row.cards):
            return _row_words(position, area, row)
    # A row such as a life pile does not show its face-down cards even when all cards are open.
    of_zone = [(area, row) for area, row in rows if row.style == zone]
    for area, row in [each for each in of_zone if each[0].seat == at] or (of_zone if len(of_zone) == 1 else []):
        return _row_words(position, area, row)
    if at != NOBODY:
        # Translators: a place of cards, such as "in life 2"; {place} is an English name
        return gettext("in {place} {number}", place=zone, number=at + 1)
    return pgettext("place", "out of play") if zone == "out of play" else gettext("in the {place}", place=zone)


def _row_words(position: Position, area: Area, row: Row) -> str:
    """Return a row as the place of a card: ``in Ann's hand``."""
    place, owner = within_sentence(row.label), area.seat
    if owner is None and area.at is None:
        # Translators: where a card lies; {place} is a label on the table, such as "Deck"
        return gettext("in the {place}", place=place)
    name = area.title if owner is None else position.names[owner]  # a dummy's area belongs to no seat
    own, in_hand = owner == position.seat, row.label == gettext("Hand")
    if in_hand:
        return gettext("in your hand") if own else gettext("in {name}'s hand", name=name)
    if row.style == "buried" and len(row.cards) + row.hidden == 1:
        # Translators: where a card lies; {place} is a label on the table, such as "Put away"
        return (
            gettext("as your only {place} card", place=place)
            if own
            else gettext("as {name}'s only {place} card", name=name, place=place)
        )
    if row.style == "buried":
        # Translators: where a card lies; {place} is a label on the table, such as "Killed, face down"
        return (
            gettext("among your {place} cards", place=place)
            if own
            else gettext("among {name}'s {place} cards", name=name, place=place)
        )
    # Translators: where a card lies; {place} is a label on the table, such as "Slot 2"
    return gettext("in your {place}", place=place) if own else gettext("in {name}'s {place}", name=name, place=place)
