"""The notation of actions and cards: what people type, compared with it, and lists of it in messages."""

from parlour.cards import CARD_TEXT, card_name, cards_of

_SHOWN_AT_MOST = 20
"""The number of texts in a message's list."""


def tidied(text: str) -> str:
    """A typed text with its cards in capitals, its words in small letters, and single spaces."""
    return " ".join(word if CARD_TEXT.fullmatch(word) else word.lower() for word in _words(text))


def loosely(text: str) -> tuple[list[str], list[str]]:
    """The words and the sorted cards of a typed text: case, spaces and the order of the cards do not matter.

    ``loosely("swap 10h 2c") == loosely("swap 2C TH")``.
    """
    words = _words(text)
    cards = sorted(word for word in words if CARD_TEXT.fullmatch(word))
    return [word for word in words if not CARD_TEXT.fullmatch(word)], cards


def _words(text: str) -> list[str]:
    return text.upper().replace("10", "T").split()


def listing(texts: list[str]) -> str:
    """Texts joined by commas, cut short if there are many."""
    shown = ", ".join(texts[:_SHOWN_AT_MOST])
    return shown + (f", and {len(texts) - _SHOWN_AT_MOST} more" if len(texts) > _SHOWN_AT_MOST else "")


def difference(cards: int, expected: int) -> str:
    """The cards that are missing from a set, or else those that it has too many, for a message."""
    missing, extra = expected & ~cards, cards & ~expected
    if missing:
        return f"{listing([card_name(card) for card in cards_of(missing)])} missing"
    return f"{listing([card_name(card) for card in cards_of(extra)])} not in the deck"
