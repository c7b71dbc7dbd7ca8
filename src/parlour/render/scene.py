"""Scenes: the table as one viewer sees it, as data. This module knows no game and no rule.

A game's layout turns an observation into a scene; the terminal prints it, the server sends it as JSON, the page draws
it. So all media show the same description.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from parlour.cards import CARD_NUMBERS, SUITS, card_name
from parlour.engine.events import Event
from parlour.engine.observation import EVERYTHING, Observation, actor_json
from parlour.languages import fill, gettext
from parlour.render.words import in_signs, name_of

Fate = Literal["", "leads", "offered", "wins", "loses", "kept", "taken", "out"]
"""The kind of a card's mark, for its look; :class:`CardSeen` describes each."""
SideColour = Literal["", "red", "black"]
"""The colour of a side, by which areas, score lines and standings name it; empty without a side."""


@dataclass(frozen=True)
class CardSeen:
    """A card on the table.

    Attributes:
        card: the notation, or ``None`` for a back.
        face_up: its orientation. A face-down card with a notation is one that the viewer has seen before.
        mark: a word beside the card, in the reader's language (``"killed"``), also for screen readers.
        do: the action, legal or not, if the viewer chooses only this card; ``None`` if there is none.
        by: the name of its player, in the reader's language (``"You"``).
        area: the id of the area that it came from, towards which a card of a trick lies.
        token: the card's name in the ``tokens`` of choices; ``None`` if it can never be chosen.
        fate: the kind of the mark, which determines its look: ``leads`` (the first card of a trick); ``offered`` (at
            stake); ``wins`` and ``loses`` (the trick); ``kept`` (stays with its player); ``taken`` (goes to another
            player); ``out`` (out of play, struck through); empty for a mark without a sign.
    """

    card: str | None
    face_up: bool = True
    mark: str = ""
    do: str | None = None
    by: str = ""
    area: str = ""
    token: str | None = None
    fate: Fate = ""


RowStyle = Literal["hand", "wall", "buried", "pile", "life", "slot", "meld", "trick", "last"]
"""The way of drawing a row; :class:`Row` describes each."""


@dataclass(frozen=True)
class Row:
    """A row of cards.

    Attributes:
        id: a name unique in the scene and constant across scenes, so that moving cards can be animated.
        label: the displayed name; hints put it into sentences: ``"in Bo's hand"``.
        style: the way of drawing: ``hand``; ``wall`` (laid out in a row; in an area with a side, the ornament of
            that side and then the ``buried`` cards are below it); ``buried`` (face down, shown on demand); ``pile``;
            ``life`` (a pile, its opened cards beside it); ``slot`` (one place, visible when empty too; a
            later card lies upon an earlier one); ``meld`` (laid together); ``trick``; ``last`` (shown on demand).
        cards: the visible cards, in order.
        hidden: the number of further cards, drawn as backs.
        do: the action if the viewer chooses the row's backs, like a card's ``do``.
        token: the name of the whole row (an empty slot, a pile) in the ``tokens`` of choices.
    """

    id: str
    label: str
    style: RowStyle
    cards: Sequence[CardSeen] = ()
    hidden: int = 0
    do: str | None = None
    token: str | None = None


@dataclass(frozen=True)
class Area:
    """A part of the table: a player's place, the middle.

    Attributes:
        id: a name unique in the scene.
        title: the displayed name, such as the player's; the page does not display that of the middle.
        subtitle: a few words below the title, or in the middle, such as the suit to follow.
        seat: the seat that it belongs to; ``None`` without one.
        at: the position: ``0`` is the viewer's own side, further numbers go clockwise; ``None`` is the middle.
        side: the colour of its side among the ``sides`` of the scene; empty without one.
        active: whether the game waits for this area's player.
        turn: the task while the game waits for it (``"to bid"``), by default ``"to play"``. The words follow the title:
            some languages have others after "You".
        notes: public facts besides the cards (``"no clubs"``).
        points: the points at present; ``None`` if the game does not define them.
        points_for: the colour of the side that these points favour, if points count between two sides; ``points`` is
            then never below 0.
        rows: the cards.
    """

    id: str
    title: str
    at: int | None
    rows: Sequence[Row]
    subtitle: str = ""
    seat: int | None = None
    side: SideColour = ""
    active: bool = False
    notes: Sequence[str] = ()
    points: int | None = None
    turn: str = field(default_factory=lambda: gettext("to play"))
    points_for: SideColour = ""


@dataclass(frozen=True)
class Side:
    """One of two sides for which points count.

    Attributes:
        colour: its colour.
        word: its name after other words, in the reader's language: ``"red"``.
        gain: points in its favour, with the field ``{points}``: ``"{points} for red"``.
    """

    colour: Literal["red", "black"]
    word: str
    gain: str


@dataclass(frozen=True)
class ScoreLine:
    """A line of the running score.

    Attributes:
        area: the id of the area.
        what: the reason.
        points: the points, of the area's own player. If there is a ``side``, they count for it and are never below 0.
        clause: the clause of the rules.
        side: the colour of the side; empty without one.
    """

    area: str
    what: str
    points: int
    clause: str
    side: SideColour = ""


@dataclass(frozen=True)
class Standing:
    """The score of a player or a side.

    Attributes:
        label: the displayed name.
        before: the score before this round.
        now: the score with the cards on the table.
        side: the colour of the side; empty for a player.
        own: whether it is the viewer's own.
    """

    label: str
    before: int
    now: int
    side: SideColour = ""
    own: bool = False


@dataclass(frozen=True)
class Choice:
    """A legal action as a selection of things on the table.

    Attributes:
        do: the action's notation.
        label: the text of its button (``"Lay"``). The button is shown if the selection fits several actions, or if the
            action has no tokens or only that of a pile.
        tokens: the tokens of the cards and rows to be chosen, in any order. Empty for a plain button.
    """

    do: str
    label: str
    tokens: Sequence[str] = ()


@dataclass(frozen=True)
class Scene:
    """A viewer's complete display at one moment.

    Attributes:
        game: the game's id.
        title: the game's title.
        heading: the stage of the game (``"Round 2 of 4, trick 5 of 9"``).
        prompt: the expected action and the player to act, as a sentence.
        areas: the table, in reading order: the middle, then clockwise from the viewer.
        score: the running score, line by line.
        standings: the scores of all players or sides.
        counted: the heading of the standings (``"Life cards left"``), or ``"points"`` for the usual one.
        log: the log lines of the last event; empty lines separate tricks and rounds.
        pause: a text to read before the game goes on (the end of a round); empty without one.
        legal: the legal actions of the viewer, in the notation.
        choices: the same actions as selections on the table.
        seat: the viewer's seat; ``-1`` for a spectator, ``-5`` in a replay with all cards.
        actor: the seat to act, ``"chance"`` or ``None``.
        seen: the number of events so far.
        over: whether the game has ended.
        rest: whether a trick has just been completed, which is displayed for a moment before it is cleared.
        outcome: the result of the game, in a sentence; empty before its end.
        sides: the two sides, if points count between sides.
        score_note: a sentence on the points of sides in short form (``red +3``), which the page shows beside them.
    """

    game: str
    title: str
    heading: str
    prompt: str
    areas: Sequence[Area]
    score: Sequence[ScoreLine]
    standings: Sequence[Standing]
    log: Sequence[str]
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
    sides: Sequence[Side] = ()
    score_note: str = ""

    @property
    def tokens(self) -> set[str]:
        """All tokens, whether or not they may be chosen now."""
        rows = [row for area in self.areas for row in area.rows]
        named = [row.token for row in rows] + [card.token for row in rows for card in row.cards]
        return {token for token in named if token is not None}

    def side_word(self, colour: SideColour) -> str:
        """Return the name of a side; empty without a side."""
        return next((side.word for side in self.sides if side.colour == colour), "")

    def points_for(self, points: str, colour: SideColour) -> str:
        """Return points in a side's favour in words, as in ``"+3 for red"``; without a side only the points."""
        gain = next((side.gain for side in self.sides if side.colour == colour), "")
        return fill(gain, points=points) if gain else points

    def to_json(self) -> dict[str, Any]:
        """Return the scene as JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Term:
    """A word of a game explained to newcomers: its meaning, and its clause."""

    word: str
    means: str
    clause: str = ""


def last_card(observation: Observation, tokens: Sequence[str]) -> Sequence[str]:
    """Return the last chosen card, as an action."""
    return [token for token in tokens if token in CARD_NUMBERS][-1:]


@dataclass(frozen=True)
class Layout:
    """The layout defined by a game's ``layout.py``: functions and texts that present the game.

    Attributes:
        lay_out: returns the scene for an observation, the seats' names, and the observation before the last event,
            which ``log`` describes (``None`` at the beginning).
        unusual: the features that no other game has, in a sentence.
        fits: the players and the occasion that the game suits, in a sentence.
        minutes: the shortest and longest usual duration among people; ``None`` if unknown.
        interpret: returns the actions, legal or not, that the chosen tokens may stand for, the likeliest first; the
            beginning of an action if tokens are missing. The game refuses illegal ones. Default: the last chosen card.
        terms: words of the game that are explained to newcomers at their first occurrence.
        themes: titles of puzzles' themes by the first word of the action's phrase, where that word alone says little or
            has another meaning in other games (``{"put": "exchange a card"}``).
        phrase: returns a legal action of the viewer as an infinitive, to follow words like "It seems best to" (``"end
            the turn"``); without it, :func:`parlour.render.phrases.phrase_of` uses the action's :class:`Choice`.
    """

    lay_out: Callable[[Observation, Sequence[str], Observation | None], Scene]
    unusual: str = ""
    fits: str = ""
    minutes: tuple[int, int] | None = None
    interpret: Callable[[Observation, Sequence[str]], Sequence[str]] = last_card
    terms: Sequence[Term] = ()
    themes: Mapping[str, str] = field(default_factory=dict)
    phrase: Callable[[Observation, str], str] | None = None


def scene_of(observation: Observation, title: str, **parts: Any) -> Scene:
    """Return the scene of an observation: the fields common to all games, and the given parts of :class:`Scene`."""
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
    """Return the standings if everyone plays alone and there are no earlier rounds."""
    return [
        Standing(name_of(observation, names, seat), points, points, own=seat == observation.seat)
        for seat, points in enumerate(now)
    ]


def score_of(observation: Observation, area: str) -> list[ScoreLine]:
    """Return the running score if each line has a seat as ``at``; the area of seat 0 is ``f"{area}-0"``, and so on."""
    return [
        ScoreLine(f"{area}-{line.at}", in_signs(line.what), line.points[line.at], line.clause)
        for line in observation.lines
    ]


def cards_lying(cards: Sequence[int], face_up: bool = True) -> list[CardSeen]:
    """Return cards for display only, in a hand's order."""
    return [CardSeen(card_name(card), face_up) for card in hand_order(cards)]


def cards_held(observation: Observation, seat: int, cards: Sequence[int]) -> list[CardSeen]:
    """Return a seat's hand: the viewer can choose from its own cards; known cards of other seats lie face down."""
    texts, own = [card_name(card) for card in hand_order(cards)], seat == observation.seat
    return [CardSeen(text, own or observation.seat == EVERYTHING, token=text if own else None) for text in texts]


def cards_gained(observation: Observation, before: Observation, zone: str, at: int) -> list[int]:
    """Return the cards that the viewer sees in a zone and did not see there before, in a hand's order."""
    now, then = observation.zone(zone, at), before.zone(zone, at)
    return hand_order([card for card in now.known if card not in then.known]) if now and then else []


def hand_order(cards: Sequence[int]) -> list[int]:
    """Sort a hand by suit, colours alternating (C D S H), then by rank; jokers last."""
    place = {"C": 0, "D": 1, "S": 2, "H": 3}
    return sorted(cards, key=lambda card: (place[SUITS[card // 13]] if card < 52 else 4, card))


def option_number(observation: Observation, name: str) -> int:
    """Return the value of an option that is a number."""
    return int(observation.options[name])


def last_event(observation: Observation, before: Observation | None) -> Event | None:
    """Return the event between two observations, if there is exactly one."""
    if before is None or observation.seen != before.seen + 1:
        return None
    return observation.events[-1]
