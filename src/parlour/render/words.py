"""Phrases for log lines and prompts: sentences about "you" and others, cards in words, numbers with signs."""

import re
from collections.abc import Sequence

from parlour.cards import CARD_NUMBERS, SUITS
from parlour.engine.observation import Observation
from parlour.engine.validation import counted as counted
from parlour.languages.declension import Phrase, listed, the_card_phrase

_SIGNS = "♣♦♥♠"


def subject_verb(name: str, verb: str, you: bool) -> str:
    """Join subject and verb: ``"Ann plays"`` for ``subject_verb("Ann", "play", False)``, with True ``"You play"``."""
    return f"You {verb}" if you else f"{name} {verb}s"


def name_of(observation: Observation, names: Sequence[str], seat: int, you: str = "You") -> str:
    """Return a seat's name, or ``you`` for the viewer's own."""
    return you if seat == observation.seat else names[seat]


def names_of(observation: Observation, names: Sequence[str], seats: Sequence[int]) -> list[str]:
    """Return the names of several seats within a sentence, ``you`` first."""
    ordered = sorted(seats, key=lambda seat: seat != observation.seat)
    return [name_of(observation, names, seat, "you") for seat in ordered]


def says(observation: Observation, names: Sequence[str], seat: int, verb: str) -> str:
    """Return ``"Ann plays"``, or ``"You play"`` for the viewer's own seat."""
    return subject_verb(names[seat], verb, seat == observation.seat)


def subjects_verb(who: Sequence[str], verb: str) -> str:
    """Join several subjects and a verb: ``subjects_verb(["you", "Bo"], "win")`` is ``"You and Bo win"``."""
    return f"{capitalized(listed(who))} {verb if len(who) > 1 or who[0] == 'you' else f'{verb}s'}"


def capitalized(words: str) -> str:
    """Capitalize the first letter: ``"you and Bo"`` becomes ``"You and Bo"``."""
    return f"{words[:1].upper()}{words[1:]}"


def sentence_about(
    observation: Observation, names: Sequence[str], seat: int, you: str, other: str, **values: object
) -> str:
    """Return one of two translated sentences with its fields filled in: ``you`` if the seat is the viewer's own.

    ``other`` has the field ``{name}`` for the seat's name: ``sentence_about(observation, names, seat,
    gettext("You play {card}."), gettext("{name} plays {card}."), card=the_card("7H"))``.
    """
    return (you if seat == observation.seat else other).format(name=names[seat], **values)


def the_card(text: str) -> Phrase:
    """Return a card in words: ``the_card("7H")`` is ``"the seven of hearts"``."""
    return the_card_phrase(CARD_NUMBERS[text])


def in_signs(text: str) -> str:
    """Replace the notation of cards by suit signs: ``in_signs("JD TH")`` is ``"J♦ 10♥"``."""
    return re.sub(
        rf"\b([2-9TJQKA])([{SUITS}])\b",
        lambda named: f"{'10' if named[1] == 'T' else named[1]}{_SIGNS[SUITS.index(named[2])]}",
        text,
    )


def with_sign(points: int) -> str:
    """Format points with their sign: ``+3``, ``0`` or ``−3``."""
    return f"{'+' if points > 0 else '−' if points else ''}{abs(points)}"


def points_text(points: int) -> str:
    """Format points without a plus sign: ``3``, ``0`` or ``−3``."""
    return with_sign(points).lstrip("+")


def the_cards(cards: Sequence[str]) -> Phrase:
    """Return cards in words: ``the_cards(["7H", "8H"])`` is ``"the seven of hearts and the eight of hearts"``."""
    return listed([the_card(card) for card in cards])
