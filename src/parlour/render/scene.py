"""A scene: what lies where on the table, in what words, for one viewer. It knows no game and no rule.

A game's layout makes a scene of a view; the terminal prints it, the server sends it as JSON, the page draws it. So
whatever a person sees, on whichever medium, comes from one description.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from parlour.cards import CARD_NUMBERS, SUITS, card_name
from parlour.engine.match import Event
from parlour.engine.observation import EVERYTHING, Observation, actor_json
from parlour.render.words import in_signs, name_of


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
        style: how it is drawn: ``hand``; ``wall`` (laid out in a row; where the area has a side, above its ``buried``
            cards, with the ornament of that side between); ``buried`` (face down, seen again on demand); ``pile``;
            ``life`` (a pile, its opened cards beside it); ``slot`` (one place, visible when empty too; a later card
            lies upon an earlier one); ``meld`` (laid together); ``trick``; ``last`` (shown on demand).
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
    """A part of the table: a player's place, the middle.

    Attributes:
        id: names the area within the scene.
        title: whose or what it is.
        subtitle: a few words below the title.
        seat: the player it belongs to, if any.
        at: where it lies: ``0`` is the viewer's own side and numbers go on clockwise; ``None`` is the middle.
        side: the side it is on (``red``, ``black`` or nothing), for its colour.
        active: whether the game waits for it.
        turn: what it is to do while the game waits for it (``"to bid"``).
        notes: what is known about it besides cards (``"no clubs"``).
        points: what it counts at the moment, if that can be said.
        points_for: the side (like ``side``) that these points are good for, where they count between two sides: then
            they are never below 0.
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
    turn: str = "to play"
    points_for: str = ""


@dataclass(frozen=True)
class ScoreLine:
    """A line of the running score: for which area, what, how much, by which clause.

    ``points`` count for the area's own player; where ``side`` is said, for that side, and are never below 0.
    """

    area: str
    what: str
    points: int
    clause: str
    side: str = ""


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
        counted: what the standings count (``"life cards left"``).
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
    counted: str = "points"

    @property
    def tokens(self) -> set[str]:
        """Everything that may be chosen, now or at another time."""
        rows = [row for area in self.areas for row in area.rows]
        named = [row.token for row in rows] + [card.token for row in rows for card in row.cards]
        return {token for token in named if token is not None}

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Term:
    """A word of a game that nobody knows who has not played it: what it means, and by which clause."""

    word: str
    means: str
    clause: str = ""


def last_card(observation: Observation, tokens: Sequence[str]) -> Sequence[str]:
    """The card chosen last, as an action of its own."""
    return [token for token in tokens if token in CARD_NUMBERS][-1:]


@dataclass(frozen=True)
class Layout:
    """What a game's ``layout.py`` hands over: how the game lies on the table and is told.

    Attributes:
        lay_out: makes the scene of a view; gets the view, the seats' names, and the view before the last event (which
            ``told`` speaks of), or ``None`` at the beginning.
        fits: whom and which evening the game suits, in a sentence.
        minutes: how long a game lasts among people, from and to; ``None`` where nobody has said.
        meant: the actions, legal or not, that the things with these tokens could have been chosen for; where they are
            too few for an action, what has been named of it. The first is the most likely. What is wrong with them is
            for the game to say. Where nothing is said here, the card chosen last.
        terms: words of the game that are explained to newcomers where they first come up.
        phrase: how the log would say a legal action of the viewer's, after "You" (``"end the turn"``); without it
            the words are made of the action's :class:`Choice` (:func:`parlour.render.phrases.phrase_of`).
    """

    lay_out: Callable[[Observation, Sequence[str], Observation | None], Scene]
    fits: str = ""
    minutes: tuple[int, int] | None = None
    meant: Callable[[Observation, Sequence[str]], Sequence[str]] = last_card
    terms: Sequence[Term] = ()
    phrase: Callable[[Observation, str], str] | None = None


def scene_of(observation: Observation, title: str, **parts: Any) -> Scene:
    """The scene of a view: what every game says of it, and the other parts of :class:`Scene`."""
    return Scene(
        game=observation.game,
        title=title,
        legal=observation.legal,
        seat=observation.seat,
        actor=actor_json(observation.actor),
        seen=observation.seen,
        over=observation.over,
        **parts,
    )


def standings_of(observation: Observation, names: Sequence[str], now: Sequence[int]) -> list[Standing]:
    """The standings where everyone plays alone and nothing was settled before."""
    return [
        Standing(name_of(observation, names, seat), points, points, own=seat == observation.seat)
        for seat, points in enumerate(now)
    ]


def score_of(observation: Observation, area: str) -> list[ScoreLine]:
    """The running score where a line counts for the seat that it is about, whose area is ``area-0``, ``area-1``, …"""
    return [
        ScoreLine(f"{area}-{line.at}", in_signs(line.what), line.points[line.at], line.clause)
        for line in observation.lines
    ]


def cards_lying(cards: Sequence[int], face_up: bool = True) -> list[CardSeen]:
    """Cards that lie there to be looked at, in a hand's order."""
    return [CardSeen(card_name(card), face_up) for card in hand_order(cards)]


def cards_held(observation: Observation, seat: int, cards: Sequence[int]) -> list[CardSeen]:
    """A seat's hand: the viewer's own cards may be chosen, those that the viewer remembers lie face down."""
    texts, own = [card_name(card) for card in hand_order(cards)], seat == observation.seat
    return [CardSeen(text, own or observation.seat == EVERYTHING, token=text if own else None) for text in texts]


def cards_gained(observation: Observation, before: Observation, zone: str, at: int) -> list[int]:
    """The cards that the viewer sees in a zone and did not see there before, in a hand's order."""
    now, then = observation.zone(zone, at), before.zone(zone, at)
    return hand_order([card for card in now.known if card not in then.known]) if now and then else []


def hand_order(cards: Sequence[int]) -> list[int]:
    """A hand as people hold it: by suit with the colours alternating (C D S H), upward; jokers last."""
    place = {"C": 0, "D": 1, "S": 2, "H": 3}
    return sorted(cards, key=lambda card: (place[SUITS[card // 13]] if card < 52 else 4, card))


def last_event(observation: Observation, before: Observation | None) -> Event | None:
    """The event between two views, if there is exactly one."""
    if before is None or observation.seen != before.seen + 1:
        return None
    return observation.events[-1]
