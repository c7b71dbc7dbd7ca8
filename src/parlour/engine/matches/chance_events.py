"""Chance events as text: the outcomes that a state allows, one drawn at random, and the cards of a typed shuffle."""

import numpy as np

from parlour.cards import card_name, cards_of, parse_cards, set_of
from parlour.engine import rules
from parlour.engine.arrays import Int64s
from parlour.engine.errors import IllegalError
from parlour.engine.game import Game
from parlour.engine.matches.notation import difference, listing
from parlour.engine.matches.randomness import Randomness
from parlour.engine.rules import MAX_CARDS
from parlour.engine.typed_state import AnyState
from parlour.engine.validation import shortened


def outcomes_of(game: Game, state: AnyState) -> list[str]:
    """Return the texts of the next chance event's outcomes by number; none if it is a shuffle."""
    return [game.chance_name(state, outcome) for outcome in range(rules.choices(state))]


def sample_outcome(game: Game, state: AnyState, randomness: Randomness) -> str:
    """Draw an outcome of the next chance event and return its text."""
    outcomes = int(rules.choices(state))
    if outcomes:
        return game.chance_name(state, randomness.below(outcomes))
    cards = randomness.shuffled(list(cards_of(rules.wanted(state))))
    return " ".join([game.deck_word(state), *map(card_name, cards)])


def parse_outcome(outcomes: list[str], text: str) -> int:
    """Return the number of an outcome. Raises :class:`IllegalError`."""
    if text not in outcomes:
        raise IllegalError(f"{shortened(text)!r} is not legal: it must be one of {listing(outcomes)}.")
    return outcomes.index(text)


def parse_deck(game: Game, state: AnyState, text: str) -> Int64s:
    """Return the deck of a shuffle, the top first, padded to ``MAX_CARDS``. Raises :class:`IllegalError`."""
    expected, word = int(rules.wanted(state)), game.deck_word(state)
    first, _, rest = text.partition(" ")
    if first != word:
        raise IllegalError(f"{shortened(text)!r} is not legal: it must be {word!r} and {expected.bit_count()} cards.")
    try:
        cards = parse_cards(rest)
    except ValueError as error:
        raise IllegalError(f"{shortened(text)!r} is not legal: {error}.") from None
    if set_of(cards) != expected:
        raise IllegalError(f"{shortened(text)!r} is not legal: {difference(set_of(cards), expected)}.")
    deck = np.zeros(MAX_CARDS, np.int64)
    deck[: len(cards)] = cards
    return deck
