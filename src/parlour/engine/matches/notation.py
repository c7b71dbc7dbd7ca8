"""Notation helpers: normalize typed actions, compare their spelling, and list texts and cards in messages."""

from parlour.cards import CARD_TEXT, card_name, cards_of

_SHOWN_AT_MOST = 20
"""Maximum number of texts listed in a message."""


def normalized_text(text: str) -> str:
    """Return a typed text with cards in upper case (``10`` as ``T``), words in lower case, and single spaces."""
    return " ".join(word if CARD_TEXT.fullmatch(word) else word.lower() for word in _words(text))


def spelling_key(text: str) -> tuple[list[str], list[str]]:
    """Return the words and the sorted cards of a text: a key that ignores case, spaces and the order of cards.

    ``spelling_key("swap 10h 2c") == spelling_key("swap 2C TH")``.
    """
    words = _words(text)
    cards = sorted(word for word in words if CARD_TEXT.fullmatch(word))
    return [word for word in words if not CARD_TEXT.fullmatch(word)], cards


def _words(text: str) -> list[str]:
    return text.upper().replace("10", "T").split()


def listing(texts: list[str]) -> str:
    """Join texts by commas, showing at most ``_SHOWN_AT_MOST``."""
    shown = ", ".join(texts[:_SHOWN_AT_MOST])
    return shown + (f", and {len(texts) - _SHOWN_AT_MOST} more" if len(texts) > _SHOWN_AT_MOST else "")


def difference(cards: int, expected: int) -> str:
    """Describe the cards missing from a set, or else the surplus ones, for an error message."""
    missing, extra = expected & ~cards, cards & ~expected
    if missing:
        return f"{listing([card_name(card) for card in cards_of(missing)])} missing"
    return f"{listing([card_name(card) for card in cards_of(extra)])} not in the deck"
