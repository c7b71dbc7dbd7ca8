"""What every game says, as functions over a state: the whole of the rules as the rest of the house knows them.

A state is one record of a NumPy structured array whose fields are ``int64`` (or arrays of them), so that the same
source runs interpreted and compiled. It begins with the fields of :data:`HEADER`. ``state.actor`` says what comes next:

- a seat's number: that seat decides; ``legal`` lists its actions, ``play`` does one of them;
- ``CHANCE``: if ``choices`` is not 0, one of so many equally likely outcomes is played with ``play``; otherwise the
  cards ``wanted`` are put into a random order and given to ``deal``;
- ``OVER``: ``score`` tells the result.

No rule knows randomness: whoever runs a game brings the outcomes in.
"""

from typing import Any

import numpy as np

from parlour.cards import FULL_DECK
from parlour.engine.chance import pass_over, random_below, random_bits_after
from parlour.engine.compiled import generic, named_type, rule
from parlour.engine.fields import CARDS, SEAT, UNTOLD, by_seat, declare_fields

MAX_SEATS = 6
MAX_ACTIONS = 512
"""No game has more legal actions at once; buffers for ``legal`` have this length."""
MAX_CARDS = 54
MAX_PLACES = 32
"""No game hides cards in more places than this."""

CERTAIN = 1024
"""Chances are whole parts of it."""
NOBODY = -1
"""No seat: of a place that is nobody's, and of a viewer who knows what is public and nothing else."""
CHANCE = -2
"""Instead of a seat to act: chance."""
OVER = -3
"""Instead of a seat to act: the game is over."""
UNSEEN = -4
"""Stands in a state's ordered places for a card that has been taken out because the viewer may not know it."""
WHOLE = -1
"""All of an action, and not some of its cards: what may be hidden of it (:func:`hides`)."""

HEADER: list[tuple[Any, ...]] = [
    ("actor", SEAT),
    ("seats", UNTOLD),
    ("result_only", UNTOLD),  # 1 in a playout: only its result is looked at, so what seats may know need not be kept up
    ("public", CARDS),  # the cards whose whereabouts everyone may know by perfect memory
    ("private", UNTOLD, by_seat(MAX_SEATS)),  # for each seat those it may know beyond the public ones
]


def state_type(fields: list[tuple[Any, ...]]) -> "np.dtype[Any]":
    """The type of a game's states: the header, then the game's own fields.

    Args:
        fields: of each its name, what it holds (:mod:`parlour.engine.fields`; ``np.int64`` for a number), and its shape
            if it holds several.
    """
    declared = declare_fields([*HEADER, *fields])
    return named_type(np.dtype([(field.name, np.int64, field.axes) for field in declared], align=True))


def new_states(dtype: "np.dtype[Any]", number: int) -> Any:
    """An array of zeroed states."""
    return np.zeros(number, dtype)


def array_of(state: Any) -> Any:
    """An array of one state, an independent copy of this one: what compiled loops are given."""
    states = new_states(state.dtype, 1)
    if isinstance(state, PlainState):
        for name in state.dtype.names:
            states[name][0] = getattr(state, name)
    else:
        states[0] = state
    return states


def copy_state(state: Any) -> Any:
    """An independent copy of one state."""
    return array_of(state)[0]


class PlainState:
    """A copy of a state whose fields are Python's own numbers, and arrays: for interpreted functions over one state.

    A record's field takes some twenty times as long to read as one of these, and a view reads some hundreds of them. It
    is no state for compiled functions; :func:`copy_state` makes a record of it again.
    """

    dtype: Any

    def __init__(self, state: Any) -> None:
        values = copy_state(state)  # what item() gives of arrays are no copies
        named = dict(zip(state.dtype.names, values.item(), strict=True))
        self._arrays = tuple(name for name, value in named.items() if isinstance(value, np.ndarray))
        self.__dict__.update(named, dtype=state.dtype)

    @staticmethod
    def of(state: Any) -> "PlainState":
        """An independent copy of a state of either kind."""
        return state.copy() if isinstance(state, PlainState) else PlainState(state)

    def copy(self) -> "PlainState":
        """An independent copy."""
        made = PlainState.__new__(PlainState)
        fields = made.__dict__
        fields.update(self.__dict__)
        for name in self._arrays:
            fields[name] = fields[name].copy()
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlainState) and self._fields() == other._fields()

    __hash__ = None  # type: ignore[assignment]

    def _fields(self) -> list[Any]:
        return [
            value.tobytes() if isinstance(value, np.ndarray) else int(value)
            for name, value in self.__dict__.items()
            if name not in ("dtype", "_arrays")
        ]


@rule
def known_to(state: Any, seat: int) -> int:
    """The cards whose whereabouts the seat may know by perfect memory; for ``NOBODY`` what everyone may know."""
    if seat < 0:
        return state.public  # type: ignore[no-any-return]
    return state.public | state.private[seat]  # type: ignore[no-any-return]


@generic
def whole_deck(state: Any) -> int:
    """The set of all cards in use."""
    raise NotImplementedError


@rule
def french_deck(state: Any) -> int:
    """For games with the 52 cards."""
    return FULL_DECK


@generic
def choices(state: Any) -> int:
    """How many equally likely outcomes the chance event has that comes next; 0 if cards are to be shuffled."""
    raise NotImplementedError


@rule
def no_choices(state: Any) -> int:
    """For games in which chance does nothing but shuffle."""
    return 0


@generic
def wanted(state: Any) -> int:
    """The set of cards to be put into a random order by the chance event that comes next."""
    raise NotImplementedError


@rule
def all_cards(state: Any) -> int:
    """For games that shuffle the whole deck."""
    return whole_deck(state)


@generic
def deal(state: Any, deck: Any) -> None:
    """Carry out a chance event of ``wanted`` cards: ``deck[0]`` is the top."""
    raise NotImplementedError


@generic
def legal(state: Any, actions: Any) -> int:
    """Write every legal action of ``state.actor`` into ``actions`` and return how many there are."""
    raise NotImplementedError


@generic
def random_action(state: Any, actions: Any, random: Any) -> int:
    """One of the legal actions of ``state.actor``, each equally likely: of ``legal``'s list the one at a random place.

    ``actions`` is room for a list of actions. A game may say it where it need not list them all to tell which one
    stands at a place; it must draw one number below the number of them (:func:`any_of_legal`).
    """
    raise NotImplementedError


@rule
def any_of_legal(state: Any, actions: Any, random: Any) -> int:
    """For games that list what is legal and draw."""
    number = legal(state, actions)
    return actions[random_below(random, number)]  # type: ignore[no-any-return]


@generic
def action_number(state: Any, action: int) -> int:
    """An action's number in the action space, or ``LOOKED_UP``.

    Compiled loops look numbers up in a table of what ``name`` has said (:mod:`parlour.engine.actions`). A game with so
    many actions that this table is larger than a processor's cache may work them out instead, some or all.
    """
    raise NotImplementedError


LOOKED_UP = -1
"""Instead of an action's number: it is looked up."""


@rule
def looked_up(state: Any, action: int) -> int:
    """For games that say no more of an action than its name."""
    return LOOKED_UP


@generic
def play(state: Any, action: int) -> None:
    """Carry out an action of ``state.actor``, or outcome number ``action`` of a chance event with ``choices``."""
    raise NotImplementedError


@generic
def score(state: Any, scores: Any) -> int:
    """Write each seat's score into ``scores`` and return the set (a bit for a seat) of those who share first place."""
    raise NotImplementedError


@generic
def partners(state: Any, seat: int) -> int:
    """The set of seats (a bit for each) that win and lose together with ``seat``, itself among them.

    The same from before the first event to the end.
    """
    raise NotImplementedError


@rule
def no_partners(state: Any, seat: int) -> int:
    """For games in which everyone plays alone."""
    return 1 << seat


@generic
def chairs(state: Any) -> int:
    """How many places there are at the table: those of the seats, and of dummies; the same throughout a game."""
    raise NotImplementedError


@rule
def no_dummies(state: Any) -> int:
    """For games in which there is a chair for each seat and no other."""
    return state.seats  # type: ignore[no-any-return]


@generic
def chair_from(state: Any, seat: int, step: int) -> int:
    """The place at the table that comes ``step`` places after the one of ``seat``: with 0 its own."""
    raise NotImplementedError


@rule
def numbered_as_seats(state: Any, seat: int, step: int) -> int:
    """For games in which the chairs are numbered as the seats are; those of dummies come last."""
    if step >= state.seats:
        return step
    return seat + step if seat + step < state.seats else seat + step - state.seats


@generic
def hides(state: Any, action: int, viewer: int) -> int:
    """The set of those cards of an action that ``viewer`` is not shown when ``state.actor`` does it.

    All that others learn of an action comes from here. What a viewer (another seat, or ``NOBODY``) is told leaves these
    cards out, but for those of which it may know where they lie once the action is done. A search takes an action of
    which its seat is not shown everything for unseen. ``WHOLE``: all that is seen is that something was done, as of a
    secret bid.
    """
    raise NotImplementedError


@rule
def hides_nothing(state: Any, action: int, viewer: int) -> int:
    """For games in which everyone sees what everyone does."""
    return 0


@generic
def places(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """List the places that may hold cards the seat does not know.

    For place *k* writes how many cards are unknown there (``sizes[k]``) and which cards could be there for all that has
    been seen (``allowed[k]``, a set that may be wider than what is unknown); returns the number of places. Must give
    the same for a state and for its veiled twin (:mod:`parlour.engine.determinization`): it counts by what is public.
    For ``NOBODY``, for whom nothing is sampled, only the number of places matters.
    """
    raise NotImplementedError


@rule
def no_places(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """For games that are played with open cards."""
    return 0


@generic
def ghosts(state: Any, seat: int) -> int:
    """The cards of which ``seat`` knows where they lie, but not where they came from, which matters for the others.

    They take part in the layouts: ``places`` counts them in ``sizes`` and has them in ``allowed``, ``place`` is given
    them (:mod:`parlour.engine.unknown_origin`). Places that may have held the same ghost stand together, narrower ones
    before wider ones, and every card belongs to a place.
    """
    raise NotImplementedError


@rule
def no_ghosts(state: Any, seat: int) -> int:
    """For games in which it does not matter where a card came from."""
    return 0


@generic
def place(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """Take the unknown cards out of place ``index`` and put ``cards[:number]`` there instead, in that order.

    ``number`` is the place's size, or 0 to leave its unknown cards out.
    """
    raise NotImplementedError


@rule
def place_nothing(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """For games that are played with open cards."""


@generic
def fits(state: Any, seat: int, random: Any) -> bool:
    """Whether a determinization, its cards in their places, is kept; another one is made where it is not.

    For what several places must fulfil together, which ``places`` cannot say. Where a layout can come about in *n*
    ways, it keeps one in *n* of them, so that every layout stays equally likely.
    """
    raise NotImplementedError


@rule
def always_fits(state: Any, seat: int, random: Any) -> bool:
    """For games whose places say it all."""
    return True


@generic
def forget(state: Any, seat: int) -> None:
    """Take out of the state what else ``seat`` may not know, when its unknown cards have been left out."""
    raise NotImplementedError


@rule
def forget_nothing(state: Any, seat: int) -> None:
    """For games in which nothing is hidden but cards."""


@generic
def remember(state: Any, seat: int, random: Any) -> None:
    """Finish a determinization: choose what else is hidden from ``seat``, such as what others remember."""
    raise NotImplementedError


@rule
def remember_nothing(state: Any, seat: int, random: Any) -> None:
    """For games in which a determinization is whole once its cards lie in their places."""


@generic
def action_value(state: Any, action: int) -> int:
    """What an action seems to be worth to ``state.actor`` by the game's heuristic, in whole numbers of any size.

    Reads only what ``state.actor`` may know, so it gives the same for a state and for its veiled twin.
    """
    raise NotImplementedError


@rule
def no_preference(state: Any, action: int) -> int:
    """For games without a heuristic: every action seems as good as another."""
    return 0


@generic
def heuristic_choice(state: Any, actions: Any, number: int, random: Any) -> int:
    """The index of the action of ``actions[:number]`` with the greatest value, by chance among equals.

    A game may say it where much of the values is the same for all actions. It must choose what
    :func:`best_by_value` chooses with the same chance.
    """
    raise NotImplementedError


@rule
def best_by_value(state: Any, actions: Any, number: int, random: Any) -> int:
    """For games that say what each action is worth and nothing more."""
    chosen = 0
    best = LEAST
    for index in range(number):
        value = with_luck(action_value(state, actions[index]), best, random, index)
        if value > best:
            best = value
            chosen = index
    pass_over(random, number)
    return chosen


@generic
def heuristic_action(state: Any, actions: Any, careless: int, random: Any) -> int:
    """What is done by the heuristic: one of the legal actions with the greatest value, by chance among equals.

    In ``careless`` of :data:`CERTAIN` cases it is any legal action. ``actions`` is room for a list of actions. A game
    may say it where it need not list them all to find one of the best; it draws its chance as it likes.
    """
    raise NotImplementedError


@rule
def best_of_legal(state: Any, actions: Any, careless: int, random: Any) -> int:
    """For games that list what is legal and choose."""
    number = legal(state, actions)
    if number == 1:
        return actions[0]  # type: ignore[no-any-return]
    if random_below(random, CERTAIN) < careless:
        return actions[random_below(random, number)]  # type: ignore[no-any-return]
    return actions[heuristic_choice(state, actions, number, random)]  # type: ignore[no-any-return]


LEAST = -(1 << 40)
"""Below the value of any action."""
LUCK = 16
"""What decides between equals: a value is so many times as large, and less than that is added by chance."""


@rule
def can_be_best(value: int, best: int) -> bool:
    """Whether an action of at most this value can be better than the best one, which is given with its luck."""
    return value * LUCK + LUCK > best


@rule
def just_below(value: int) -> int:
    """A best one that every action of this value is better than, whatever its luck: where one is known to be there."""
    return value * LUCK - 1


@rule
def with_luck(value: int, best: int, random: Any, index: int) -> int:
    """An action's value and its luck, the number ``index`` to come; ``LEAST`` if it cannot be better than the best."""
    if not can_be_best(value, best):
        return LEAST
    return value * LUCK + (random_bits_after(random, index) * LUCK >> 32)


@generic
def likelihood(state: Any, seat: int) -> int:
    """How likely the others would have chosen as they did, if a determinization of ``seat`` is right: 1 to
    :data:`CERTAIN`.

    The likelihood of the others' hidden choices under the heuristic, smoothed so that it is never 0.
    """
    raise NotImplementedError


@rule
def always_likely(state: Any, seat: int) -> int:
    """For games in which nothing is to be read from what others chose."""
    return CERTAIN
