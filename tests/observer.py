"""An observer in plain Python, independent of the engine: expected tensors, masks and texts.

It reads states by the declarations of their fields, one number at a time. It shares nothing with
:mod:`parlour.engine.information.planes` and is slow.
"""

from itertools import product

from parlour.cards import CARD_NAMES
from parlour.engine.fields import fields_of

BACKS_FROM = 1 << 54


def members(chosen, among):
    """Return 1 for each number in a bit set, 0 for the others."""
    return [int(chosen) >> number & 1 for number in among]


def first_places(items, deck):
    """Return the first position of each card, from 1; 0 without one."""
    return [items.index(card) + 1 if card in items else 0 for card in range(deck)]


class Observer:
    """The expected observation of a seat. ``known`` is the state without what the seat may not know."""

    def __init__(self, setup, known, seat):
        self.setup, self.state, own = setup, known, max(seat, 0)
        players = setup.players
        self.seats = [(own + step) % players for step in range(players)]
        self.chairs = self._chairs(own)
        self.start = setup.new_state()
        self.deck = 54 if int(self.start.public | setup.game.whole_deck(self.start)) >> 52 else 52
        named = {field.name: field for field in fields_of(known.dtype.names)}
        self.fields = [field for field in named.values() if field.kind.observed]
        by_seat = [field for field in self.fields if field.kind.name == "side" and field.axes]
        sides = [int(getattr(known, by_seat[0].name)[each]) for each in self.seats] if by_seat else []
        self.sides = list(dict.fromkeys(sides))

    def _chairs(self, own):
        """Return the places at the table clockwise from the observer's; dummies without a place come last."""
        if "holder" in self.state.dtype.names:  # chairs in a ring, each with a seat or without
            cities = int(self.setup.new_state().cities)
            home = [int(holder) for holder in self.state.holder[:cities]].index(own)
            return [(home + step) % cities for step in range(cities)]
        dummies = int(getattr(self.setup.new_state(), "dummy", 0)) if "dummy" in self.state.dtype.names else 0
        return [*self.seats, *range(self.setup.players, self.setup.players + dummies)]

    def cells(self):
        """Return the expected cells of each plane, by its name."""
        found = {}
        for field in self.fields:
            if field.kind.name != "untold":
                found.update(self._of_field(field))
        return found

    def _count(self, number):
        return number if isinstance(number, int) else int(number(self.start))

    def _items(self, axis):
        """Return the indices of an axis in the order of an observation."""
        order = {"seat": self.seats, "chair": self.chairs}.get(axis.wheel, range(int(axis)))
        return list(order)[: self._count(axis.observed)]

    def _of_field(self, field):
        values = getattr(self.state, field.name)
        axes, last = field.axes, None
        if axes and (axes[-1].counted or field.kind.name in ("card", "single", "single or a back")):
            axes, last = axes[:-1], self._items(axes[-1])
        if last is not None and not last:
            return
        orders = [self._items(axis) for axis in axes]
        for steps in product(*(range(len(order)) for order in orders)):
            value = values
            for order, step in zip(orders, steps, strict=True):
                value = value[order[step]]
            items = [int(value)] if last is None else [int(value[item]) for item in last]
            name = " ".join(map(str, (field.name, *steps)))
            if field.axes and field.axes[-1].counted:
                yield name, [sum(each >> card & 1 for each in items) for card in range(self.deck)]
            else:
                yield name, self._of_items(field.kind, items)
            if field.kind.name == "single or a back":
                yield f"{name} back", [int(each >= BACKS_FROM) for each in items]

    def _of_items(self, kind, items):
        """Return the cells of one item, or of cards in order."""
        (value, *_), name = items, kind.name
        if name == "cards":
            return members(value, range(self.deck))
        if name == "card":
            return first_places(items, self.deck)
        if name in ("single", "single or a back"):
            return first_places([each.bit_length() - 1 if 0 < each < BACKS_FROM else -1 for each in items], self.deck)
        if name == "suits":
            return [value >> 13 * suit & 1 for suit in range(4)]
        if name == "seats":
            return members(value, self.seats)
        if name in ("flags", "yes or no"):
            return members(value, range(self._count(kind.size)))
        if name == "number":
            return [value if self._own(kind.field) else -value]
        return self._choice(kind, value)

    def _own(self, side):
        """Return whether a number belongs to no side, or to the observer's."""
        return not side or int(getattr(self.state, side)) == self.sides[0]

    def _choice(self, kind, value):
        among = {"seat": self.seats, "chair": self.chairs, "side": self.sides}.get(
            kind.name, range(self._count(kind.size))
        )
        if kind.field:
            others = [int(each) for each in getattr(self.state, kind.field)]
            value = others[value] if 0 <= value < len(others) else -1
        return [int(value == each) for each in among]


def mask_of(match, seat):
    """Return the legality of each text of the action space for the seat to act."""
    legal = set(match.legal()) if match.actor == seat else set()
    return [text in legal for text in match.setup.actions]


def shown_in(truth, known):
    """Return the known cards of a zone that is fully open, and the number of other cards in it."""
    cards = [card for card in truth.cards if card is not None]
    shown = [CARD_NAMES[card] for card in cards if known >> card & 1]
    return sorted(shown), len(cards) - len(shown)
