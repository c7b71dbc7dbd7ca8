"""Phrases for log lines and prompts: sentences about "you" and others, cards in words, numbers with signs."""

import re
from collections.abc import Iterable, Sequence

from parlour.cards import CARD_NUMBERS, SUITS
from parlour.engine.observation import Observation
from parlour.engine.validation import counted as counted  # for layouts, whose contract names only this module
from parlour.languages import SOURCE_LANGUAGE, current_language, fill, gettext, pgettext
from parlour.languages.declension import Phrase, listed, the_card_phrase

_SIGNS = "♣♦♥♠"
_SHOWN_CARD = re.compile(rf"(10|[2-9TJQKA])([{_SIGNS}])\ufe0f?", re.IGNORECASE)
"""Pattern of a card with a suit sign, which a variation selector may follow."""


def name_of(observation: Observation, names: Sequence[str], seat: int, you: str = "") -> str:
    """Return a seat's name; for the viewer's own seat ``you``, by default ``"You"``."""
    return (you or pgettext("player", "You")) if seat == observation.seat else names[seat]


def to_play(own: bool) -> str:
    """Return the task of a player to play, for :attr:`parlour.render.scene.Area.turn`.

    Args:
        own: whether it follows "You": a language may have another form of the verb then.
    """
    # Translators: the tasks of the context "task of You" are shown beside "You", the others beside the name of a player
    return pgettext("task of You", "to play") if own else gettext("to play")


def labelled(label: str, text: str) -> str:
    """Return a label, a colon and a text; some languages have a space before the colon."""
    return gettext("{label}: {text}", label=label, text=text)


def with_semicolons(parts: Iterable[str]) -> str:
    """Return parts that may contain commas in one line; some languages have a space before the semicolon."""
    return pgettext("between parts with commas", "; ").join(parts)


def own_first(observation: Observation, seats: Sequence[int]) -> list[int]:
    """Return seats with the viewer's own first."""
    return sorted(seats, key=lambda seat: seat != observation.seat)


def names_of(observation: Observation, names: Sequence[str], seats: Sequence[int]) -> list[str]:
    """Return the names of several seats within a sentence, ``you`` first."""
    you = pgettext("player", "you")
    return [name_of(observation, names, seat, you) for seat in own_first(observation, seats)]


def subjects(observation: Observation, names: Sequence[str], seats: Sequence[int]) -> list[str]:
    """Return the names of several seats at the beginning of a sentence, in their order: ``"You"`` if it comes first."""
    you = pgettext("player", "You") if observation.seat == seats[0] else pgettext("player", "you")
    return [name_of(observation, names, seat, you) for seat in seats]


def sentence_about_all(
    observation: Observation, seats: Sequence[int], who: Sequence[str], sentences: Sequence[str], **values: object
) -> str:
    """Return one of four translated sentences about seats, with its fields filled in.

    Args:
        observation: the viewer's.
        seats: the seats, one at least.
        who: their names, as :func:`subjects` returns them.
        sentences: about the viewer alone; with ``{name}`` about another seat; with ``{names}`` about several seats, the
            viewer's among them; and about several others.
        values: the values of all other fields.
    """
    you, other, with_you, others = sentences
    own = observation.seat in seats
    if len(seats) == 1:
        return fill(you if own else other, name=who[0], **values)
    return fill(with_you if own else others, names=listed(who), **values)


def winners_sentence(observation: Observation, names: Sequence[str], winners: Sequence[int]) -> str:
    """Return the sentence on the winners, the viewer first: ``"You and Bo win."``."""
    ordered = own_first(observation, winners)
    sentences = [
        gettext("You win."),
        gettext("{name} wins."),
        pgettext("with you", "{names} win."),
        pgettext("without you", "{names} win."),
    ]
    return sentence_about_all(observation, ordered, subjects(observation, names, ordered), sentences)


def round_over(number: int, rounds: int) -> str:
    """Return the words on a finished round, without a full stop; ``rounds`` is 0 without a fixed number of rounds."""
    if rounds == 1:
        return gettext("The round is over")
    if rounds:
        return gettext("Round {number} of {rounds} is over", number=number, rounds=rounds)
    return gettext("Round {number} is over", number=number)


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
    return fill(you if seat == observation.seat else other, name=names[seat], **values)


def within_sentence(label: str) -> str:
    """Return a label for use within a sentence: in English with a small first letter, otherwise as on the table."""
    return f"{label[:1].lower()}{label[1:]}" if current_language() == SOURCE_LANGUAGE else label


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


def in_notation(text: str) -> str:
    """Replace cards with suit signs by their notation: ``in_notation("J♦ 10♥")`` is ``"JD TH"``."""
    return _SHOWN_CARD.sub(
        lambda shown: f"{'T' if shown[1] == '10' else shown[1].upper()}{SUITS[_SIGNS.index(shown[2])]}", text
    )


def with_minus(numbers: str) -> str:
    """Return formatted numbers with typographic minus signs: ``"−0.3 (−0.5 to +0.1)"``."""
    return numbers.replace("-", "−")


def with_sign(points: int) -> str:
    """Format points with their sign: ``+3``, ``0`` or ``−3``."""
    return with_minus(f"{points:+}") if points else "0"


def points_text(points: int) -> str:
    """Format points without a plus sign: ``3``, ``0`` or ``−3``."""
    return with_sign(points).lstrip("+")


def the_cards(cards: Sequence[str]) -> Phrase:
    """Return cards in words: ``the_cards(["7H", "8H"])`` is ``"the seven of hearts and the eight of hearts"``."""
    return listed([the_card(card) for card in cards])
