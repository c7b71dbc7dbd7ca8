"""Words of a game that the terminal explains: the terms of its layout."""

from collections.abc import Sequence

from parlour.languages import gettext
from parlour.render.scene import Term

_SHORTEST = 3
"""Minimum number of letters of a part of a word that finds the word."""


def meaning_of(terms: Sequence[Term], word: str) -> str:
    """Return the meaning of a word; an empty text if it is none of the terms."""
    wanted = word.strip().lower()
    return next((_meaning(term) for term in terms if gettext(term.word).lower() == wanted), "")


def likely_meanings(terms: Sequence[Term], typed: str) -> list[str]:
    """Return the meanings of the terms that a typed word begins, or that begin it: ``block`` finds ``blocks``."""
    wanted = typed.strip().lower()
    if len(wanted) < _SHORTEST:
        return []
    return [_meaning(term) for term in terms if _is_like(gettext(term.word).lower(), wanted)]


def listed_words(terms: Sequence[Term]) -> str:
    """Return the words of all terms as a list in a line."""
    return ", ".join(gettext(term.word) for term in terms)


def _is_like(word: str, wanted: str) -> bool:
    starts = (word, *word.split())
    return wanted.startswith(word) or any(start.startswith(wanted) for start in starts)


def _meaning(term: Term) -> str:
    word = gettext(term.word)
    return f"{word[:1].upper()}{word[1:]}: {gettext(term.means)} {term.clause}".strip()
