"""The contract between games and the engine: compiled functions over a state, many of them with a default.

A state is one record of a NumPy structured array whose fields are ``int64`` (or arrays of them), so that the same
source runs interpreted and compiled. It begins with the fields of :data:`HEADER`. ``state.actor`` determines what
happens next:

- a seat's number: that seat decides; ``legal`` lists its actions, ``play`` carries out one of them;
- ``CHANCE``: if ``choices`` returns *n* > 0, one of *n* equally likely outcomes is carried out with ``play``; otherwise
  the cards of ``wanted`` are shuffled and passed to ``deal``;
- ``OVER``: ``score`` returns the result.

The caller chooses the outcomes of chance events. Only functions with an argument ``random`` draw random numbers.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from parlour.cards import FULL_DECK
from parlour.engine.arrays import States, Stream
from parlour.engine.chance import pass_over, random_below
from parlour.engine.compiled import generic, named_type, rule
from parlour.engine.errors import GameError
from parlour.engine.fields import CARDS, SEAT, UNOBSERVED, FieldDeclaration, by_seat, declare_fields, hidden
from parlour.engine.tie_breaking import LEAST, with_luck
from parlour.engine.typed_state import AnyState, IntVector

S = TypeVar("S", bound=AnyState)

MAX_SEATS = 6
MAX_ACTIONS = 512
"""Maximum number of legal actions in a position."""
ACTION_ROOM = 4 * MAX_ACTIONS
"""Length of buffers for ``legal``: most games that list too many are stopped before they overwrite other memory."""
MAX_CARDS = 54
MAX_SLOTS = 32
"""Maximum number of slots that hold hidden cards."""

CERTAIN = 1024
"""Denominator of probabilities: 1024 is certainty."""
NOBODY = -1
"""No seat, such as the owner of a shared place."""
SPECTATOR = NOBODY
"""The viewer who knows only public information."""
CHANCE = -2
"""Value of ``actor`` when a chance event is due."""
OVER = -3
"""Value of ``actor`` when the game is over."""
UNSEEN = -4
"""Placeholder in a state's ordered piles for a card that the viewer may not know."""
NO_ACTION = -(1 << 62)
"""Placeholder for an action."""
RESULT_BY_HEURISTIC, RESULT_AT_RANDOM = 1, 2
"""Values of ``result_only`` in playouts by the heuristic and at random. Only the result of a playout is used, so rules
need not update what seats know, unless a heuristic that plays on reads it.
"""
WHOLE = -1
"""Return value of :func:`hides` for an action that is hidden as a whole."""

HEADER: list[FieldDeclaration] = [
    ("actor", SEAT),
    ("seats", UNOBSERVED),
    ("result_only", UNOBSERVED),  # in a playout RESULT_BY_HEURISTIC or RESULT_AT_RANDOM, else 0
    ("public", CARDS),  # the cards whose location everyone may know by perfect recall
    ("private", hidden(CARDS), by_seat(MAX_SEATS)),  # for each seat the cards it may know in addition
]


def state_type(fields: Sequence[FieldDeclaration]) -> "np.dtype[np.void]":
    """Return the dtype of a game's states: the header, then the game's own fields.

    Args:
        fields: a tuple for each field: its name, its kind (:mod:`parlour.engine.fields`; ``np.int64`` for a number),
            and its shape if it is an array.
    """
    declared = declare_fields([*HEADER, *fields])
    return named_type(np.dtype([(field.name, np.int64, field.axes) for field in declared], align=True))


def new_states(dtype: "np.dtype[np.void]", number: int) -> States:
    """Return an array of zeroed states."""
    return np.zeros(number, dtype)


def array_of(state: AnyState) -> States:
    """Return an array of one state, an independent copy, as compiled loops require."""
    states = new_states(state.dtype, 1)
    if isinstance(state, PlainState):
        for name in state.dtype.names or ():
            states[name][0] = getattr(state, name)
    else:
        states[0] = state
    return states


def copy_state(state: S) -> S:
    """Return an independent copy of one state, as a record."""
    copied: S = array_of(state)[0]
    return copied


class PlainState:
    """A copy of a state with Python integers and arrays as attributes, for interpreted functions over one state.

    Reading a field of a record takes some twenty times as long as reading an attribute, and an observation reads
    hundreds of fields. Compiled functions do not accept a ``PlainState``; :func:`copy_state` converts it to a record.
    """

    dtype: "np.dtype[np.void]"
    actor: int
    seats: int
    result_only: int
    public: int
    private: IntVector

    def __init__(self, state: AnyState) -> None:
        values = array_of(state)[0]  # a copy, since item() returns views of the arrays
        named = dict(zip(state.dtype.names or (), values.item(), strict=True))
        self._arrays = tuple(name for name, value in named.items() if isinstance(value, np.ndarray))
        self.__dict__.update(named, dtype=state.dtype)

    @staticmethod
    def of(state: AnyState) -> "PlainState":
        """Return an independent copy of a record or a ``PlainState``."""
        return state.copy() if isinstance(state, PlainState) else PlainState(state)

    def copy(self) -> "PlainState":
        """Return an independent copy."""
        made = PlainState.__new__(PlainState)
        fields = made.__dict__
        fields.update(self.__dict__)
        for name in self._arrays:
            fields[name] = fields[name].copy()
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlainState) and self._fields() == other._fields()

    def _fields(self) -> list[bytes | int]:
        return [
            value.tobytes() if isinstance(value, np.ndarray) else int(value)
            for name, value in self.__dict__.items()
            if name not in ("dtype", "_arrays")
        ]


@rule
def known_to(state: AnyState, seat: int) -> int:
    """Return the set of cards whose location the seat may know by perfect recall; for ``SPECTATOR`` the public ones."""
    if seat < 0:
        return state.public
    return state.public | state.private[seat]


@generic
def whole_deck(state: AnyState) -> int:
    """Return the set of all cards in use."""
    raise NotImplementedError


@rule
def french_deck(state: AnyState) -> int:
    """Return the 52 cards of a French deck."""
    return FULL_DECK


@generic
def choices(state: AnyState) -> int:
    """Return the number of equally likely outcomes of the next chance event; 0 for a shuffle."""
    raise NotImplementedError


@rule
def no_choices(state: AnyState) -> int:
    """Return 0, for games whose only chance events are shuffles."""
    return 0


@generic
def wanted(state: AnyState) -> int:
    """Return the set of cards that the next chance event shuffles."""
    raise NotImplementedError


@rule
def all_cards(state: AnyState) -> int:
    """Return the whole deck."""
    return whole_deck(state)


@generic
def deal(state: AnyState, deck: IntVector) -> None:
    """Carry out a shuffle of the ``wanted`` cards: ``deck[0]`` is the top."""
    raise NotImplementedError


@generic
def legal(state: AnyState, actions: IntVector) -> int:
    """Write every legal action of ``state.actor`` into ``actions`` and return their number."""
    raise NotImplementedError


@rule
def number_listed(state: AnyState, actions: IntVector) -> int:
    """List the legal actions; return their number. Raises :class:`GameError` if there is none, or too many."""
    number = legal(state, actions)
    if number < 1:
        raise GameError("legal lists no action for the seat to act: correct the game")
    if number > MAX_ACTIONS:
        raise GameError("legal lists more than 512 actions: correct the game")
    return number


@generic
def random_action(state: AnyState, actions: IntVector, random: Stream) -> int:
    """Return a legal action of ``state.actor``, each equally likely: the one at a random index of ``legal``'s list.

    ``actions`` is a buffer for a list of actions. Optional: a game may implement it if it can find the action at an
    index without listing all. It must draw exactly one number below the number of legal actions, and return the same
    action as :func:`any_of_legal`.
    """
    raise NotImplementedError


@rule
def any_of_legal(state: AnyState, actions: IntVector, random: Stream) -> int:
    """List the legal actions and draw one. Raises :class:`GameError` as :func:`number_listed`."""
    number = number_listed(state, actions)
    return actions[random_below(random, number)]


@generic
def action_number(state: AnyState, action: int) -> int:
    """Return an action's index in the action space, or ``LOOKED_UP``.

    Compiled loops look indices up in a table filled from ``name`` (:mod:`parlour.engine.simulation.actions`). Optional:
    a game whose table would exceed the processor's cache may compute some or all of the indices instead.
    """
    raise NotImplementedError


LOOKED_UP = -1
"""Return value of ``action_number`` for an action whose index is looked up in the table."""


@rule
def looked_up(state: AnyState, action: int) -> int:
    """Return ``LOOKED_UP`` for every action."""
    return LOOKED_UP


@generic
def play(state: AnyState, action: int) -> None:
    """Carry out an action of ``state.actor``, or outcome number ``action`` of a chance event with ``choices``."""
    raise NotImplementedError


@generic
def score(state: AnyState, scores: IntVector) -> int:
    """Write each seat's score into ``scores`` and return the set of seats (a bit for each) that share first place."""
    raise NotImplementedError


@generic
def partners(state: AnyState, seat: int) -> int:
    """Return the set of seats (a bit for each) that win and lose together with ``seat``, including itself.

    It must not change during a game.
    """
    raise NotImplementedError


@rule
def no_partners(state: AnyState, seat: int) -> int:
    """Return the set of ``seat`` alone, for games without partners."""
    return 1 << seat


@generic
def chairs(state: AnyState) -> int:
    """Return the number of chairs at the table, for seats and dummies. It must not change during a game."""
    raise NotImplementedError


@rule
def no_dummies(state: AnyState) -> int:
    """Return the number of seats, for games without dummies."""
    return state.seats


@generic
def chair_from(state: AnyState, seat: int, step: int) -> int:
    """Return the chair ``step`` places clockwise from that of ``seat``; for step 0 the seat's own chair."""
    raise NotImplementedError


@rule
def numbered_as_seats(state: AnyState, seat: int, step: int) -> int:
    """Return the chair for games that number chairs like seats, with those of dummies last."""
    if step >= state.seats:
        return step
    return seat + step if seat + step < state.seats else seat + step - state.seats


@generic
def hides(state: AnyState, action: int, viewer: int) -> int:
    """Return the set of cards of an action that are hidden from ``viewer`` when ``state.actor`` carries it out.

    This function alone decides what other seats learn of an action. The event's text for a viewer (another seat, or
    ``SPECTATOR``) shows ``??`` for each of these cards, except those whose location the viewer may know after the
    action. A search for a seat treats an action with cards hidden from that seat as unobserved. ``WHOLE`` hides all
    but the fact that the seat acted, as in a secret bid.
    """
    raise NotImplementedError


@rule
def hides_nothing(state: AnyState, action: int, viewer: int) -> int:
    """Return the empty set, for games in which all actions are public."""
    return 0


@generic
def hidden_slots(state: AnyState, seat: int, sizes: IntVector, allowed: IntVector) -> int:
    """List the slots that may hold cards the seat does not know, and return their number.

    For slot *k*, write the number of unknown cards there into ``sizes[k]``, and the set of cards that could be there,
    given everything observed, into ``allowed[k]``; the set may include known cards. The result must be the same for a
    state and its observed state, so use public information only. For ``SPECTATOR``, for whom nothing is sampled, only
    the number of slots is used.
    """
    raise NotImplementedError


@rule
def no_hidden_slots(state: AnyState, seat: int, sizes: IntVector, allowed: IntVector) -> int:
    """Return 0, for games without hidden cards."""
    return 0


@generic
def cards_of_unknown_origin(state: AnyState, seat: int) -> int:
    """Return the cards whose location ``seat`` knows, but whose origin, unknown to it, constrains other cards.

    They take part in layouts: ``hidden_slots`` includes them in ``sizes`` and ``allowed``, and ``assign`` gets them.
    Slots that may have held the same card of unknown origin must be adjacent, narrower ones before wider ones, and
    every card must belong to a slot.
    """
    raise NotImplementedError


@rule
def no_cards_of_unknown_origin(state: AnyState, seat: int) -> int:
    """Return the empty set, for games in which the origin of a card does not matter."""
    return 0


@generic
def assign(state: AnyState, seat: int, index: int, cards: IntVector, number: int) -> None:
    """Replace the unknown cards of slot ``index`` by ``cards``, in that order; remove them if ``number`` is 0."""
    raise NotImplementedError


@rule
def assign_nothing(state: AnyState, seat: int, index: int, cards: IntVector, number: int) -> None:
    """Do nothing, for games without hidden cards."""


@generic
def is_consistent(state: AnyState, seat: int, random: Stream) -> bool:
    """Return whether a determinization with all cards placed is accepted; a rejected one is sampled again.

    It checks constraints across several slots, which ``hidden_slots`` cannot express. If sampling can produce a layout
    in *n* ways, accept it with probability 1/*n*, so that all layouts stay equally likely.
    """
    raise NotImplementedError


@rule
def always_consistent(state: AnyState, seat: int, random: Stream) -> bool:
    """Return True, for games without constraints across slots."""
    return True


@generic
def hide_rest(state: AnyState, seat: int) -> None:
    """Remove all other information that ``seat`` may not have from a state whose unknown cards have been removed."""
    raise NotImplementedError


@rule
def hide_nothing_else(state: AnyState, seat: int) -> None:
    """Do nothing, for games in which only cards are hidden."""


@generic
def sample_rest(state: AnyState, seat: int, random: Stream) -> None:
    """Complete a determinization: sample all other information hidden from ``seat``, such as the others' knowledge."""
    raise NotImplementedError


@rule
def sample_nothing_else(state: AnyState, seat: int, random: Stream) -> None:
    """Do nothing, for games in which only cards are hidden."""


@generic
def action_value(state: AnyState, action: int) -> int:
    """Return the heuristic's estimate of an action's value for ``state.actor``, an integer on any scale.

    It must read only what ``state.actor`` may know, so that it is the same for a state and its observed state.
    """
    raise NotImplementedError


@rule
def no_preference(state: AnyState, action: int) -> int:
    """Return 0 for every action, for games without a heuristic."""
    return 0


@generic
def heuristic_choice(state: AnyState, actions: IntVector, number: int, random: Stream) -> int:
    """Return the index of the action of ``actions[:number]`` with the highest value; ties are broken at random.

    Optional, to share work between the values of the actions. It chooses as :func:`best_by_value`, with the same draws.
    """
    raise NotImplementedError


@rule
def best_by_value(state: AnyState, actions: IntVector, number: int, random: Stream) -> int:
    """Compare ``action_value`` of all actions."""
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
def heuristic_action(state: AnyState, actions: IntVector, careless: int, random: Stream) -> int:
    """Return the heuristic's choice among the legal actions: the highest value, ties broken at random.

    With probability ``careless`` / :data:`CERTAIN` it is a random legal action. ``actions`` is a buffer for a list of
    actions. Optional, for games that find a best action without listing all; the order of draws is free.
    """
    raise NotImplementedError


@rule
def best_of_legal(state: AnyState, actions: IntVector, careless: int, random: Stream) -> int:
    """List the legal actions and choose by ``heuristic_choice``. Raises :class:`GameError` as :func:`number_listed`."""
    number = number_listed(state, actions)
    if number == 1:
        return actions[0]
    if random_below(random, CERTAIN) < careless:
        return actions[random_below(random, number)]
    return actions[heuristic_choice(state, actions, number, random)]


@generic
def likelihood(state: AnyState, seat: int) -> int:
    """Return the likelihood of the others' hidden choices in a determinization of ``seat``: 1 to :data:`CERTAIN`."""
    raise NotImplementedError


@rule
def always_likely(state: AnyState, seat: int) -> int:
    """Return :data:`CERTAIN`, for games in which the others' choices carry no information."""
    return CERTAIN


@generic
def undo(state: AnyState) -> int:
    """Take back the last action of a seat in this round; return it, or :data:`NO_ACTION` if none can be taken back.

    Only what ``legal`` and ``action_value`` read need be restored. An action with cards that the state no longer has,
    such as an exchange, cannot be taken back, nor can those before it.
    """
    raise NotImplementedError


@rule
def nothing_to_undo(state: AnyState) -> int:
    """Return :data:`NO_ACTION`, for games whose states do not store past actions."""
    return NO_ACTION
