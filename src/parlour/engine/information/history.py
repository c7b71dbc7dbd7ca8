"""Histories: all that a viewer has seen and done, in order, as rows of numbers; they give an agent perfect recall.

A history has a row for each event, as the viewer saw it: the seat that acted or chance, the form of the action, the
cards that its text names, and the cards that the event newly showed the viewer, with the place where they lie. If an
event shows cards in several places, such as a deal with dummies, each further place has a row of its own. Together with
the tensor of the present observation the rows determine the information state, and the information state determines
them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from parlour.cards import CARD_NUMBERS, cards_of, lowest, set_of
from parlour.engine import rules
from parlour.engine.arrays import Float32s
from parlour.engine.errors import ParlourError
from parlour.engine.events import HIDDEN_CARD, Event
from parlour.engine.fields import CARD, CARDS, SINGLE, SINGLE_OR_BACK, Field, fields_of
from parlour.engine.information.determinization import observed_plain_state
from parlour.engine.information.planes import NO_WORDS, Plane, planes_of
from parlour.engine.rules import CHANCE
from parlour.engine.typed_state import AnyState
from parlour.engine.validation import counted, whole

SHUFFLE, OUTCOME = "shuffle", "outcome"
"""Forms of chance events: cards are shuffled, or a numbered outcome is drawn."""
BLANK = "_"
"""Placeholder for a card in the form of an action: ``"swap _ _"``."""
LONGEST_HISTORY = 1000
"""Greatest bound, in rows, that serves as a history's default length; longer arrays would be almost all zeros."""

Row = tuple[tuple[int, ...], tuple[float, ...]]
"""The cells of a row that are not 0, and their numbers."""


@dataclass(frozen=True)
class HistoryPlace:
    """A field of a state, or an item of it, in which cards lie.

    Attributes:
        name: the name of the observation's plane for it.
        field: the field.
        steps: the index along all axes but that of an ordered pile; seats and chairs are counted from the viewer's.
    """

    name: str
    field: Field
    steps: tuple[int, ...]


@dataclass(frozen=True)
class HistoryLayout:
    """The layout of the rows of a setup's histories.

    Attributes:
        planes: the slices of a row.
        forms: the number of each form of an event, by its text: the notation with ``_`` for each card.
        places: the places where cards are seen, in order of preference.
        width: the number of cells of a row.
    """

    planes: tuple[Plane, ...]
    forms: Mapping[str, int]
    places: tuple[HistoryPlace, ...]
    width: int


def form_of(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the form of an action's text and the cards in it, ``??`` for a hidden one."""
    words = text.split(" ")
    cards = tuple(word for word in words if word in CARD_NUMBERS or word == HIDDEN_CARD)
    return " ".join(BLANK if word in CARD_NUMBERS or word == HIDDEN_CARD else word for word in words), cards


@lru_cache(maxsize=32)
def history_layout(setup: Any) -> HistoryLayout:
    """Return the layout of a setup's histories. Raises :class:`ParlourError` if the game does not list its actions."""
    forms = dict.fromkeys(form_of(text)[0] for text in setup.actions)
    forms = dict.fromkeys([*forms, BLANK, SHUFFLE, OUTCOME])
    places = _places_of(setup)
    deck = tuple(planes_of(setup).planes[0].cells)
    own_first = "1 for the seat that acted, the viewer's own first, the next ones clockwise; the last cell is chance"
    slices = (
        ("by", own_first, (*map(str, range(setup.players)), "chance")),
        ("form", "1 for the form of the action, _ for a card", tuple(forms)),
        ("hidden", "1 for each card of the action, in its order, that the viewer did not see", _blanks(forms)),
        ("cards", "1 for each card of the action that the viewer saw; of a chance event the outcome, from 0", deck),
        ("place", "1 for the place where the event showed cards", tuple(place.name for place in places)),
        ("shown", "for each card that the event showed there 1, or its place in the order, from 1", deck),
    )
    planes, start = [], 0
    for name, meaning, cells in slices:
        most = max((axis for place in places for axis in place.field.axes[-1:]), default=1)
        planes.append(Plane(name, meaning, start, cells, (0.0, float(most) if name == "shown" else 1.0)))
        start += len(cells)
    numbers = {form: number for number, form in enumerate(forms)}
    return HistoryLayout(tuple(planes), numbers, places, start)


def bound_of(setup: Any) -> int | None:
    """Return a number of rows that no history exceeds; ``None`` if it is unknown or above :data:`LONGEST_HISTORY`."""
    bound: int = setup.game.longest_history(setup.players, setup.options)
    return bound if 0 < bound <= LONGEST_HISTORY else None


def _blanks(forms: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"card {number + 1}" for number in range(max(form.split(" ").count(BLANK) for form in forms)))


def _places_of(setup: Any) -> tuple[HistoryPlace, ...]:
    """Return the places of cards in the order of the state's fields."""
    order = {field.name: number for number, field in enumerate(fields_of(setup.game.dtype.names))}
    kinds = [kind.name for kind in (CARDS, CARD, SINGLE, SINGLE_OR_BACK)]
    found = {}
    for plane in planes_of(setup).planes:
        field = plane.field
        assert field is not None
        described = setup.game.field_words.get(field.name, NO_WORDS)
        listed = field.kind.name in kinds and not (field.axes and field.axes[-1].counted)
        if listed and described.place and field.name != "public" and not plane.name.endswith("back"):
            found[plane.name] = HistoryPlace(plane.name, field, plane.steps)
    return tuple(sorted(found.values(), key=lambda place: (order[place.field.name], place.steps)))


class Recorder:
    """A converter of events into the rows of one viewer's history.

    Args:
        setup: the game, number of players and options.
        viewer: a seat or a spectator.
    """

    def __init__(self, setup: Any, viewer: int) -> None:
        self._setup, self._viewer = setup, viewer
        self._layout = history_layout(setup)
        self._starts = {plane.name: plane.start for plane in self._layout.planes}

    def rows(self, event: Event, before: AnyState, after: AnyState) -> Iterator[Row]:
        """Yield the rows of an event.

        Args:
            event: the event as the viewer saw it.
            before: the full state before the event.
            after: the full state after it.
        """
        known = int(rules.known_to(before, self._viewer))
        if event.by == CHANCE:
            cells, named = self._chance_cells(event, before), 0
            if not rules.choices(before):
                known &= ~int(rules.wanted(before))
        else:
            cells, named = self._action_cells(event)
        new = int(rules.known_to(after, self._viewer)) & ~known & ~named
        for place, cards in (self._shown(new, before, after) if new else ()) or [(None, {})]:
            row = dict.fromkeys(cells, 1.0)
            if place is not None:
                row[self._starts["place"] + place] = 1.0
            row.update({self._starts["shown"] + card: value for card, value in cards.items()})
            yield tuple(row), tuple(row.values())
            cells = []

    def _chance_cells(self, event: Event, before: AnyState) -> list[int]:
        """Return the cells of a chance event that are 1."""
        cells = [self._starts["by"] + self._setup.players]
        outcomes = [self._setup.game.chance_name(before, outcome) for outcome in range(rules.choices(before))]
        if not outcomes:
            return [*cells, self._starts["form"] + self._layout.forms[SHUFFLE]]
        return [*cells, self._starts["form"] + self._layout.forms[OUTCOME], self._outcome(outcomes.index(event.do))]

    def _outcome(self, number: int) -> int:
        cells = self._starts["place"] - self._starts["cards"]
        if number >= cells:
            raise ParlourError(f"outcome {number} of a chance event has no cell; a history has {cells} for them")
        return self._starts["cards"] + number

    def _action_cells(self, event: Event) -> tuple[list[int], int]:
        """Return the cells of an action that are 1, and the set of the cards that its text names."""
        form, words = form_of(event.do)
        named = [CARD_NUMBERS[word] for word in words if word != HIDDEN_CARD]
        by = (event.by - max(self._viewer, 0)) % self._setup.players
        cells = [
            self._starts["by"] + by,
            self._starts["form"] + self._layout.forms[form],
            *(self._starts["hidden"] + at for at, word in enumerate(words) if word == HIDDEN_CARD),
            *(self._starts["cards"] + card for card in named),
        ]
        return cells, set_of(named)

    def _shown(self, new: int, before: AnyState, after: AnyState) -> list[tuple[int | None, dict[int, float]]]:
        """Return for each place that shows new cards its number, and for each card there 1 or its place in the order.

        The last number is ``None`` if some new cards lie at no place. A card counts for the first place that newly
        contains it; a place that contained it before does not count, since some fields keep cards that lie elsewhere by
        now.
        """
        own, found = max(self._viewer, 0), list[tuple[int | None, dict[int, float]]]()
        old, observed = (observed_plain_state(state, self._viewer) for state in (before, after))
        for number, place in enumerate(self._layout.places):
            kept = set(_cards_at(place, old, own))
            cards = {card: at for card, at in _cards_at(place, observed, own) if new >> card & 1}
            cards = {card: at for card, at in cards.items() if (card, at) not in kept}
            if cards:
                found.append((number, cards))
                new &= ~set_of(cards)
        return [*found, (None, dict.fromkeys(cards_of(new), 1.0))] if new else found


def _cards_at(place: HistoryPlace, observed: AnyState, own: int) -> Iterator[tuple[int, float]]:
    """Yield the cards at a place, each with 1 or its place in the order, from the last item to the first."""
    value = getattr(observed, place.field.name)
    for axis, step in zip(place.field.axes, place.steps, strict=False):
        value = value[_item(observed, axis.wheel, own, step)]
    ordered = len(place.field.axes) > len(place.steps)
    items = [_item(observed, place.field.axes[-1].wheel, own, step) for step in range(len(value))] if ordered else ()
    for at, item in reversed(list(enumerate([value[item] for item in items] if ordered else [value]))):
        if place.field.kind.name == CARD.name:
            if 0 <= item < len(CARD_NUMBERS):
                yield int(item), at + 1.0
        elif place.field.kind.name == CARDS.name:
            yield from ((card, 1.0) for card in cards_of(item))
        elif card_set := int(item) & (1 << len(CARD_NUMBERS)) - 1:
            yield lowest(card_set), at + 1.0


def _item(observed: AnyState, wheel: str, own: int, step: int) -> int:
    """Return the index of the item ``step`` places after the viewer's own; without a wheel it is ``step`` itself."""
    if wheel == "seat":
        return rules.numbered_as_seats(observed, own, step)
    return rules.chair_from(observed, own, step) if wheel == "chair" and step < rules.chairs(observed) else step


@dataclass(frozen=True)
class History:
    """All that a viewer has seen and done in a match, in order.

    Attributes:
        setup: the game, number of players and options.
        rows: the rows in order, each as the cells that are not 0 and their numbers.
    """

    setup: Any
    rows: Sequence[Row]

    def __len__(self) -> int:
        return len(self.rows)

    def left_out(self, length: int | None = None) -> int:
        """Return the number of rows that do not fit into a tensor of ``length`` rows."""
        return max(0, len(self) - checked_length(self.setup, length))

    def tensor(self, length: int | None = None, truncate: bool = False) -> Float32s:
        """Return the rows as an array of rows × the setup's ``history_width``, filled up with zeros.

        Args:
            length: the number of rows; by default the setup's ``history_length``.
            truncate: whether to leave out the first rows of a longer history.

        Raises:
            ParlourError: the history is longer and ``truncate`` is False, or no length is known.
        """
        length, left_out = checked_length(self.setup, length), self.left_out(length)
        if left_out and not truncate:
            rows = f"this history has {counted(len(self), 'row')}, but the tensor {length}"
            raise ParlourError(f"{rows}: choose a greater length, or truncate=True to leave out the first ones")
        tensor = np.zeros((length, history_layout(self.setup).width), np.float32)
        for at, (cells, values) in enumerate(self.rows[left_out:]):
            tensor[at, list(cells)] = values
        return tensor


def checked_length(setup: Any, length: int | None) -> int:
    """Return ``length``, by default a number of rows that no history exceeds. Raises :class:`ParlourError`."""
    if length is None:
        length = bound_of(setup)
        if length is None:
            why = f"no bound up to {LONGEST_HISTORY} rows is known for histories of {setup.label}"
            raise ParlourError(f"{why}: choose a number of rows")
    return whole("the number of rows", length, 1)
