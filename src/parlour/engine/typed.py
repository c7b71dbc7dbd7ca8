"""Actions as people type them: compared and corrected without regard to case, spaces and the order of cards."""

from parlour.cards import CARD_TEXT


def tidied(text: str) -> str:
    """The text with its cards in capitals and its words in small letters."""
    words = text.upper().replace("10", "T").split()
    return " ".join(word if CARD_TEXT.fullmatch(word) else word.lower() for word in words)


def loosely(text: str) -> tuple[list[str], list[str]]:
    """What is compared of an action that a person typed: case, spaces and the order of its cards do not matter.

    ``loosely("swap 10h 2c") == loosely("swap 2C TH")``.
    """
    words = text.upper().replace("10", "T").split()
    cards = sorted(word for word in words if CARD_TEXT.fullmatch(word))
    return [word for word in words if not CARD_TEXT.fullmatch(word)], cards
