"""A scene: what lies where on the table, in what words, for one viewer. It knows no game and no rule.

A game's table file makes a scene of a view; the terminal prints it, the server sends it as JSON, the page draws it. So
whatever a person sees, on whichever medium, comes from one description.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from parlour.cards import CARD_NUMBERS, SUITS, card_words
from parlour.engine.match import Event
from parlour.engine.rules import believes_all
from parlour.engine.views import View


@dataclass(frozen=True)
class CardSeen:
    """A card as it lies there.

    Attributes:
        card: its text, or ``None`` for a back.
        face_up: how it lies; a face-down card with a text is one the viewer remembers.
        mark: a word for what became of it (``"leads"``, ``"killed"``), also said by screen readers.
        do: the action that choosing this card means, whether it is legal now or not; ``None`` if it never means one.
        by: who played it, in words.
        area: the area it came from.
        token: names the card in :class:`Choice`; ``None`` if it can never be chosen.
    """

    card: str | None
    face_up: bool = True
    mark: str = ""
    do: str | None = None
    by: str = ""
    area: str = ""
    token: str | None = None


@dataclass(frozen=True)
class Row:
    """Cards that lie together.

    Attributes:
        id: names the row within the scene, the same from scene to scene, so that cards can be seen to travel.
        label: what it is, for people.
        style: how it is drawn: ``hand``; ``wall`` (laid out in a row; a battlement where the area has a side);
            ``buried`` (face down, seen again on demand); ``pile``; ``life`` (a pile, its opened cards beside it);
            ``slot`` (one place, visible when empty too; a later card lies upon an earlier one); ``meld`` (laid
            together); ``trick``; ``last`` (shown on demand).
        cards: the cards seen, in order.
        hidden: how many more lie there as backs.
        do: the action that choosing the row's backs means, like a card's ``do``.
        token: names the row as a whole (an empty slot, a pile) in :class:`Choice`.
    """

    id: str
    label: str
    style: str
    cards: Sequence[CardSeen] = ()
    hidden: int = 0
    do: str | None = None
    token: str | None = None


@dataclass(frozen=True)
class Area:
    """A part of the table: a player's city, the middle.

    Attributes:
        id: names the area within the scene.
        title: whose or what it is.
        subtitle: a few words below the title.
        seat: the player it belongs to, if any.
        at: where it lies: ``0`` is the viewer's own side and numbers go on clockwise; ``None`` is the middle.
        side: the side it is on (``red``, ``black`` or nothing), for its colour.
        active: whether the game waits for it.
        notes: what is known about it besides cards (``"no clubs"``).
        points: what it counts at the moment, if that can be said.
        rows: its cards.
    """

    id: str
    title: str
    at: int | None
    rows: Sequence[Row]
    subtitle: str = ""
    seat: int | None = None
    side: str = ""
    active: bool = False
    notes: Sequence[str] = ()
    points: int | None = None


@dataclass(frozen=True)
class ScoreLine:
    """A line of the running score: for which area, what, how much from the viewer's side, by which clause."""

    area: str
    what: str
    points: int
    clause: str


@dataclass(frozen=True)
class Standing:
    """The score of a player or a side: ``label``, points settled before, and with what lies on the table now."""

    label: str
    before: int
    now: int
    side: str = ""
    own: bool = False


@dataclass(frozen=True)
class Choice:
    """A legal action as it is put together at the table.

    Attributes:
        do: the action's text.
        label: what a button for it says (``"Lay"``); shown where the chosen things leave more than one action open, or
            where there is nothing to choose or only a pile.
        tokens: what has to be chosen for it, in any order: the tokens of cards and rows. None for a plain button.
    """

    do: str
    label: str
    tokens: Sequence[str] = ()


@dataclass(frozen=True)
class Scene:
    """Everything a viewer is shown at one moment.

    Attributes:
        game: the game's id.
        title: the game's title.
        heading: where in the game we are (``"Round 2 of 4, trick 5 of 9"``).
        prompt: what is expected now, of whom.
        areas: the table, in the order in which it is read out: the middle, then clockwise from the viewer.
        score: the running score, line by line.
        standings: the score of everyone.
        told: what has just happened, in sentences; empty lines stand between tricks and rounds.
        pause: what to read before the game goes on (the end of a round), or nothing.
        legal: the legal actions of the viewer, in the notation.
        choices: the same actions as they are put together from what lies on the table.
        seat: whose scene it is.
        actor: the seat to act, ``"chance"`` or ``None``.
        seen: the number of events it shows.
        over: whether the game has ended.
        rest: whether something (a trick) has just been completed: it is looked at for a moment before it is cleared.
        outcome: how it ended, in a sentence.
    """

    game: str
    title: str
    heading: str
    prompt: str
    areas: Sequence[Area]
    score: Sequence[ScoreLine]
    standings: Sequence[Standing]
    told: Sequence[str]
    legal: Sequence[str]
    seat: int
    actor: int | str | None
    seen: int
    over: bool
    rest: bool = False
    choices: Sequence[Choice] = ()
    pause: str = ""
    outcome: str = ""

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Table:
    """What a file in ``tables/`` hands over: how a game lies on the table, is told and is taught.

    Attributes:
        game: the game's id.
        lay_out: makes the scene of a view; gets the view, the seats' names, and the view before the last event (which
            ``told`` speaks of), or ``None`` at the beginning.
        thumb: the rule of thumb (:func:`parlour.engine.rules.thumb`), compiled.
        belief: what is to be read from unseen choices (:func:`parlour.engine.rules.belief`), compiled.
        picture: what stands for the game where games are chosen: parts of a table, small; a few cards if it has none.
    """

    game: str
    lay_out: Callable[[View, Sequence[str], View | None], Scene]
    thumb: Callable[..., Any]
    picture: Sequence[Area] = ()
    belief: Callable[..., Any] = believes_all


def cards_seen(texts: str, face_up: bool = True) -> list[CardSeen]:
    """Cards to be looked at, for a picture: ``"7H QS"``."""
    return [CardSeen(text, face_up) for text in texts.split()]


def hand_order(cards: Sequence[int]) -> list[int]:
    """A hand as people hold it: by suit with the colours alternating (C D S H), upward; jokers last."""
    place = {"C": 0, "D": 1, "S": 2, "H": 3}
    return sorted(cards, key=lambda card: (place[SUITS[card // 13]] if card < 52 else 4, card))


def said(name: str, verb: str, you: bool) -> str:
    """``said("Ann", "play", False)`` is ``"Ann plays"``; for oneself ``"You play"``."""
    return f"You {verb}" if you else f"{name} {verb}s"


def the_card(text: str) -> str:
    """``the_card("7H")`` is ``"the seven of hearts"``."""
    return f"the {card_words(CARD_NUMBERS[text])}"


def last_event(view: View, before: View | None) -> Event | None:
    """The event between two views, if there is exactly one."""
    if before is None or view.seen != before.seen + 1:
        return None
    return view.events[-1]
