"""Phrases that translations decline: the names of cards, and lists of phrases.

Some languages change a noun by its place in the sentence: Finnish *hertta seitsemän* becomes *herttaseitsemän* as an
object. A translated message therefore names a case as a format specification, ``{card:object}``, and its catalogue has
the names of the cards once more with this case as their context. English messages name no case.
"""

import re
from collections.abc import Callable, Sequence

from parlour.cards import RANK_WORDS, SUIT_WORDS
from parlour.languages.messages import fill, gettext, pgettext

RANK = "rank"
"""The context of ranks: ``two`` is a card here, not a number."""
CARD_MESSAGES = (
    *(f"the {rank} of {{suit}}" for rank in RANK_WORDS),
    *(f"{rank} of {{suit}}" for rank in RANK_WORDS),
    "the black joker",
    "the red joker",
    "black joker",
    "red joker",
    "a card",
)
"""The messages that a catalogue has once for each of its cases."""
_SOUND_OF_I = re.compile(r"[ií]|h[ií](?![ae])", re.IGNORECASE)
"""The beginning of words before which Spanish *y* becomes *e*: *Ana e Inés*, but *Ana y Hierro*."""
_SOUND_OF_O = re.compile(r"[oó]|h[oó]|8|11\b", re.IGNORECASE)
"""The beginning of words before which Spanish *o* becomes *u*: *siete u ocho*."""


class Phrase(str):
    """A phrase as a text in its basic form, which can be formatted in other cases: ``f"{phrase:object}"``.

    Only translations name cases.
    """

    _form: Callable[[str], str]

    def __new__(cls, form: Callable[[str], str]) -> "Phrase":
        """Return the phrase whose text in a case (empty: the basic form) is ``form(case)``."""
        phrase = super().__new__(cls, form(""))
        phrase._form = form
        return phrase

    def __format__(self, case: str) -> str:
        return self._form(case) if case else str(self)

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Reduce a copied or pickled phrase to the text of its basic form."""
        return str, (str(self),)


def rank_word(rank: int) -> str:
    """Return the name of a rank, 0 (``"two"``) to 12 (``"ace"``)."""
    return pgettext(RANK, RANK_WORDS[rank])


def suit_word(suit: int) -> str:
    """Return the name of a suit, as in ``"hearts"``."""
    return gettext(SUIT_WORDS[suit])


def card_phrase(card: int) -> Phrase:
    """Return the name of a card without an article, as in ``"seven of hearts"``."""
    return _declined(card, "")


def the_card_phrase(card: int) -> Phrase:
    """Return the name of a card with the article, as in ``"the seven of hearts"``."""
    return _declined(card, "the ")


def some_card() -> Phrase:
    """Return the phrase for an unknown card: ``"a card"``."""
    return Phrase(lambda case: _in_case(case, "a card"))


def listed(phrases: Sequence[str]) -> Phrase:
    """Join phrases: ``a``, ``a and b``, ``a, b and c``."""
    return Phrase(lambda case: _joined(phrases, case, _and))


def listed_choice(phrases: Sequence[str]) -> Phrase:
    """Join alternatives: ``a``, ``a or b``, ``a, b or c``."""
    return Phrase(lambda case: _joined(phrases, case, _or))


def _declined(card: int, article: str) -> Phrase:
    if card >= 52:
        return Phrase(lambda case: _in_case(case, f"{article}{'black' if card == 52 else 'red'} joker"))
    message, suit = f"{article}{RANK_WORDS[card % 13]} of {{suit}}", card // 13
    return Phrase(lambda case: fill(_in_case(case, message), suit=suit_word(suit)))


def _in_case(case: str, message: str) -> str:
    return pgettext(case, message) if case else gettext(message)


def _and(last: str) -> str:
    """Return the message of a list that ends in ``last``."""
    if _SOUND_OF_I.match(last):
        # Translators: where {last} begins with the sound of an i; only some languages have another word there
        return pgettext("before i", "{phrases} and {last}")
    return gettext("{phrases} and {last}")


def _or(last: str) -> str:
    """Return the message of alternatives that end in ``last``."""
    if _SOUND_OF_O.match(last):
        # Translators: where {last} begins with the sound of an o; only some languages have another word there
        return pgettext("before o", "{phrases} or {last}")
    return gettext("{phrases} or {last}")


def _joined(phrases: Sequence[str], case: str, last_two: Callable[[str], str]) -> str:
    # a list may consist of plain texts, which have no cases
    parts = [format(phrase, case) if isinstance(phrase, Phrase) else phrase for phrase in phrases]
    if len(parts) < 2:
        return "".join(parts)
    return fill(last_two(parts[-1]), phrases=", ".join(parts[:-1]), last=parts[-1])
