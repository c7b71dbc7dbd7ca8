"""Cards, sets of cards and their text.

A card is a number: ``13 * suit + rank`` with suits C D H S (0–3) and ranks 2 … A (0–12); the jokers are 52 (``XB``)
and 53 (``XR``). A set of cards is an ``int64`` in which bit *n* stands for card *n*. These two encodings are used in
every state, compiled or interpreted; the two-character text is used wherever people look.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload, register_jitable

SUITS = "CDHS"
RANKS = "23456789TJQKA"
CARD_NAMES = (*(rank + suit for suit in SUITS for rank in RANKS), "XB", "XR")
CARD_NUMBERS = {name: number for number, name in enumerate(CARD_NAMES)}
CARD_TEXT = re.compile(r"\b(?:[2-9TJQKA][CDHS]|X[BR])\b")

SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
RANK_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")

PLAIN_CARDS = 52
"""How many cards are no jokers."""
ACE = 12
FULL_DECK = (1 << 52) - 1
JOKERS = 0b11 << 52
SUIT_SETS = tuple(0x1FFF << (13 * suit) for suit in range(4))
BLACK = SUIT_SETS[0] | SUIT_SETS[3]
RED = SUIT_SETS[1] | SUIT_SETS[2]
COURTS = sum(0b1111000000000 << (13 * suit) for suit in range(4))
"""J, Q, K and A of every suit."""


@register_jitable  # type: ignore[untyped-decorator]
def rank_of(card: int) -> int:
    """Rank of a non-joker, 0 (two) to 12 (ace)."""
    return card % 13


@register_jitable  # type: ignore[untyped-decorator]
def suit_of(card: int) -> int:
    """The suit of a card: 0–3 for C D H S, 4 for a joker."""
    return card // 13


@register_jitable  # type: ignore[untyped-decorator]
def suit_set(suit: int) -> int:
    """All thirteen cards of a suit."""
    return 0x1FFF << (13 * suit)


@register_jitable  # type: ignore[untyped-decorator]
def bit(card: int) -> int:
    """The set of this one card."""
    return 1 << card


def count(cards: int) -> int:
    """How many cards a set holds."""
    return int(cards).bit_count()


def lowest(cards: int) -> int:
    """The card of a set with the lowest number; the set must not be empty."""
    cards = int(cards)
    return (cards & -cards).bit_length() - 1


@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(typing_context: Any, cards: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(typing_context: Any, cards: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), codegen


@overload(count, inline="always")
def _compiled_count(cards):  # type: ignore[no-untyped-def]  # Numba compares the signatures, annotations too
    return lambda cards: _ctpop(cards)


@overload(lowest, inline="always")
def _compiled_lowest(cards):  # type: ignore[no-untyped-def]
    return lambda cards: _cttz(cards)


AT_A_STROKE = 16
"""How many cells :func:`store_flags` writes."""


def store_flags(cells: Any, row: int, start: int, flags: int) -> None:
    """Write :data:`AT_A_STROKE` cells of a row of ``float32``, from ``start`` on: 1 or 0, from the lowest bit up."""
    for place in range(AT_A_STROKE):
        cells[row, start + place] = flags >> place & 1


@intrinsic  # type: ignore[untyped-decorator]
def _store_flags(typing_context: Any, cells: Any, row: Any, start: Any, flags: Any) -> Any:
    """Some four instructions for what a loop needs sixty for."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        _, columns = cgutils.unpack_tuple(builder, array.shape)
        place = builder.gep(array.data, [builder.add(builder.mul(args[1], columns), args[2])])
        kind = ir.VectorType(ir.FloatType(), AT_A_STROKE)
        chosen = builder.select(
            builder.bitcast(builder.trunc(args[3], ir.IntType(AT_A_STROKE)), ir.VectorType(ir.IntType(1), AT_A_STROKE)),
            ir.Constant(kind, [1.0] * AT_A_STROKE),
            ir.Constant(kind, [0.0] * AT_A_STROKE),
        )
        builder.store(chosen, builder.bitcast(place, kind.as_pointer()), align=4)
        return context.get_dummy_value()

    return types.void(cells, types.int64, types.int64, types.int64), codegen


@overload(store_flags)
def _compiled_store_flags(cells, row, start, flags):  # type: ignore[no-untyped-def]
    return lambda cells, row, start, flags: _store_flags(cells, row, start, flags)


def cards_of(cards: int) -> Iterator[int]:
    """The cards of a set, by suit and then rank upward, jokers last: the order of the notation."""
    rest = int(cards)
    while rest:
        yield lowest(rest)
        rest &= rest - 1


def set_of(cards: Iterable[int]) -> int:
    """The set of these cards."""
    result = 0
    for card in cards:
        result |= 1 << int(card)
    return result


def card_name(card: int) -> str:
    """``card_name(5)`` is ``"7C"``."""
    return CARD_NAMES[card]


def parse_card(text: str) -> int:
    """``parse_card("7C")`` is 5. Raises ``ValueError`` for anything that is not a card's text."""
    number = CARD_NUMBERS.get(text)
    if number is None:
        raise ValueError(f"{text!r} is not a card: a rank of {RANKS} and a suit of {SUITS}, or XB or XR")
    return number


def cards_name(cards: int) -> str:
    """A set as text: ``"2C 7H AS"``."""
    return " ".join(card_name(card) for card in cards_of(cards))


def parse_cards(text: str) -> list[int]:
    """The cards of a text in its order. Raises ``ValueError`` for a card that stands there twice."""
    cards = [parse_card(word) for word in text.split()]
    if len(set(cards)) != len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise ValueError(f"{card_name(twice)} stands there twice")
    return cards


def card_words(card: int) -> str:
    """``card_words(5)`` is ``"seven of clubs"``."""
    if card >= 52:
        return "black joker" if card == 52 else "red joker"
    return f"{RANK_WORDS[card % 13]} of {SUIT_WORDS[card // 13]}"
