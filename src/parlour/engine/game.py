"""The contract of a game: what its folder hands over, in grades, and what its options are."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from inspect import signature
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from parlour.cards import card_name
from parlour.engine import rules
from parlour.engine.compiled import implement
from parlour.engine.errors import GameError, OptionError
from parlour.engine.lint import check_names, check_options

RULES = (
    "whole_deck",
    "choices",
    "wanted",
    "deal",
    "legal",
    "random_action",
    "action_number",
    "play",
    "score",
    "partners",
    "chairs",
    "chair_from",
    "hides",
    "places",
    "place",
    "fits",
    "ghosts",
    "forget",
    "remember",
    "action_value",
    "heuristic_choice",
    "heuristic_action",
    "likelihood",
)
"""The functions of a game that run compiled; each is described in :mod:`parlour.engine.rules`."""

ABOUT = ("id", "title", "prefix", "summary", "credit", "players", "options", "max_events", "lines_add_up")
"""What a game's folder says of the game itself; only the id and the players must be said."""

Value = int | bool | str
Options = Mapping[str, Value]
MAX_EVENTS = 100_000
"""The number of actions and chance events after which a game counts as endless, unless the game says another."""
NO_LIMIT = 1 << 62
"""Where the range of an option's values stops if it has no end that matters."""


@dataclass(frozen=True)
class Option:
    """One option of a game: its name, the values it may have, its default and its consequence.

    ``default`` is a value or a function of the number of players and the values given for the options before it.
    ``refuse`` tells, for a number of players and a value within ``values``, why it may not be chosen, or ``None``; the
    default is never refused. Beyond ``values`` an option may have any text that ``pattern``, a regular expression,
    matches; ``pattern_words`` says what that is. ``title`` is what people read for the name, ``titles`` for values.
    ``limits`` is the part of a range that is for a number of players, if it is not the same for all.
    """

    name: str
    values: range | tuple[Value, ...]
    default: Value | Callable[[int, Options], Value]
    clause: str
    help: str
    consequences: Mapping[Value, str] = field(default_factory=dict)
    refuse: Callable[[int, Value], str | None] = lambda players, value: None
    pattern: str = ""
    pattern_words: str = ""
    title: str = ""
    titles: Mapping[Value, str] = field(default_factory=dict)
    limits: Callable[[int], range] | None = None

    def values_for(self, players: int) -> range | tuple[Value, ...]:
        """The values that it may have when so many play."""
        return self.limits(players) if self.limits else self.values

    def default_for(self, players: int, before: Options) -> Value:
        """The value that holds when nothing is said."""
        return self.default(players, before) if callable(self.default) else self.default

    def title_text(self) -> str:
        """What people read for the name."""
        return self.title or self.name.replace("_", " ").capitalize()

    def values_text(self, players: int | None = None) -> str:
        """``"true, false"``, ``"1 to 99"`` or ``"1 and up"``: what may be written, by anyone or when so many play."""
        if isinstance(values := self.values if players is None else self.values_for(players), range):
            last = "and up" if values.stop == NO_LIMIT else f"to {values.stop - 1}"
            return f"{values.start} {last}"
        named = ", ".join(option_value_name(value) for value in self.values)
        return f"{named}, or {self.pattern_words}" if self.pattern else named

    def check(self, players: int, value: object, before: Options) -> Value:
        """The value, if this option may have it. Raises :class:`OptionError`."""
        if type(value) is not type(self.values[0]) or not self._offers(value):
            raise OptionError(f"{self.name} is {value!r}, but may be {self.values_text()} ({self.clause})")
        assert isinstance(value, (int, str))
        if self.limits and value not in self.limits(players):
            may = f"may be {self.values_text(players)} for {players} players"
            raise OptionError(f"{self.name} is {value!r}, but {may} ({self.clause})")
        reason = None if value == self.default_for(players, before) else self.refuse(players, value)
        if reason:
            raise OptionError(f"{self.name}={option_value_name(value)} is not for {players} players: {reason}")
        return value

    def _offers(self, value: object) -> bool:
        if value in self.values:
            return True
        return bool(self.pattern) and isinstance(value, str) and re.fullmatch(self.pattern, value) is not None


def option_value_name(value: Value) -> str:
    """An option's value as it is typed: ``true``, ``5``, ``pair``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_option_value(text: str) -> Value:
    """The value of a typed option: a whole number, ``true`` or ``false``, or the text itself."""
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        return text


@dataclass(frozen=True)
class Zone:
    """Where cards lie: a hand, a wall, a pile.

    ``at`` tells which one of its kind (a city, a seat, a slot). ``cards`` are the cards that the viewer may know, in
    their order if the zone is ``ordered`` (``None`` for an unknown one), and ``hidden`` says how many more there are.
    ``face_up`` is how they lie on the table, which is not the same as who knows them.
    """

    name: str
    at: int
    cards: Sequence[int | None]
    hidden: int = 0
    face_up: bool = False
    ordered: bool = False

    @property
    def known(self) -> list[int]:
        """The cards that the viewer knows, in their order."""
        return [card for card in self.cards if card is not None]

    @property
    def texts(self) -> list[str]:
        """The names of the cards that the viewer knows, in the notation, sorted unless the zone is ordered."""
        names = [card_name(card) for card in self.known]
        return names if self.ordered else sorted(names)


@dataclass(frozen=True)
class Line:
    """One line of a running score: what it is for, and what it brings to whom (by seat), with its clause."""

    what: str
    points: Sequence[int]
    clause: str
    at: int = rules.NOBODY


@dataclass(frozen=True)
class Refusal:
    """Why an action is not legal: the clause and the reason in words."""

    clause: str
    reason: str


def take_options(state: Any, players: int, options: Options) -> None:
    """Each option into the state's field of its name, if there is one."""
    for name, value in options.items():
        if name in state.dtype.names:
            state[name] = value


def own_fields(state: Any) -> dict[str, Any]:
    """What a state holds beside the engine's header: all facts of a game that is played with open cards."""
    header = {name for name, *_ in rules.HEADER}
    values = {name: getattr(state, name) for name in state.dtype.names if name not in header}
    return {name: value.tolist() if isinstance(value, np.ndarray) else int(value) for name, value in values.items()}


@dataclass(frozen=True, eq=False)
class Game:
    """Everything the house knows of a game. The functions over states are described in :mod:`parlour.engine.rules`.

    A game does not list its functions here: :meth:`made_of` takes them from its modules by these names. They come in
    grades, and each grade has a default that works:

    - *playable*: ``deal``, ``legal``, ``play``, ``score`` and ``name``. Such a game is played with open cards.
    - *hidden*: ``places`` and ``place``, and what an action ``hides``, with ``zones``, ``facts`` and ``remember``: who
      knows what.
    - *shown*: a layout, of which the game itself knows nothing (:mod:`parlour.render.layouts`).
    - *strong*: ``action_value``, the heuristic by which the first bot plays and searches play on, and ``likelihood``.
      ``heuristic_choice`` and ``heuristic_action`` only say quicker what follows from ``action_value``, as
      ``random_action`` does of ``legal``, and ``action_number`` of ``name`` and ``actions``.

    The functions with a text below them are plain Python. Those that are given a state get a *veiled* one, so they can
    say nothing that the viewer may not know; only ``name`` is given the true state. ``docs/contract.md`` lists all
    functions with their arguments, callers and defaults.
    """

    id: str
    players: range
    dtype: "np.dtype[Any]"
    deal: Callable[..., Any]
    legal: Callable[..., Any]
    play: Callable[..., Any]
    score: Callable[..., Any]
    name: Callable[[Any, int], str]
    """The text of a legal action in the notation: different for each legal action, always the same for the same action,
    with cards in one order (by number)."""
    title: str = ""
    prefix: str = ""
    summary: str = ""
    credit: str = ""
    options: Sequence[Option] = ()
    max_events: int = MAX_EVENTS
    """The number of actions and chance events after which a simulation or a contest stops with an error, because the
    game seems to have no end."""
    lines_add_up: bool = True
    """Whether the lines of a deal add up to the change of the scores, as ``parlour check`` expects."""
    setup: Callable[[Any, int, Options], None] = take_options
    """Write the options into a state before the first event, and all values that do not begin with 0. The default
    writes each option into the field of its name."""
    zones: Callable[[Any, int], list[Zone]] = lambda state, seat: []
    """Where all cards lie, as far as the veiled state shows: each card of the deck in one zone, or counted as hidden in
    one. The list has the same zones for each viewer. ``seat`` is the viewer, ``NOBODY`` for a spectator, or
    ``EVERYTHING`` with all cards open."""
    facts: Callable[[Any], dict[str, Any]] = own_fields
    """Everything public that is not the place of a card, by name, as JSON values; a card is its number."""
    chance_name: Callable[[Any, int], str] = lambda state, outcome: f"outcome {outcome}"
    """The text of outcome number ``outcome`` of the chance event that comes next."""
    refusal: Callable[[Any, str], Refusal] = lambda state, text: Refusal("", "That is not possible now.")
    """Why an action is not legal now, with its clause. It raises ``ValueError`` for a text that is no action at all,
    and answers for each text of the action space, also for a legal action with its cards in another order."""
    lines: Callable[[Any], list[Line]] = lambda state: []
    """The lines of the running score: what was made since the last deal."""
    ending: Callable[[Any], str] = lambda state: ""
    """Why a finished game was over, in a few words that end with the clause in brackets."""
    tells_nothing: Callable[[Any, Any, str], bool] = lambda before, after, text: False
    """Whether nobody can have learned anything by an action, whatever lies hidden: then it may be taken back.
    ``before`` and ``after`` are the states as spectators know them, ``text`` the action as they saw it."""
    actions: Callable[[int, Options], Sequence[str]] = lambda players, options: ()
    """The texts of all actions that there can be, each once, in an order that stays: the action space of learners.
    Without it actions have no numbers outside the rules."""
    deck_word: Callable[[Any], str] = lambda state: "deal"
    """The word of the event that shuffles cards next: ``deal``, ``shuffle``."""
    advice: Callable[[int, Options], list[str]] = lambda players, options: []
    """Warnings about options that go badly together, as sentences."""
    conflict: Callable[[int, Options], str | None] = lambda players, options: None
    """Why options, each of which is possible, may not be chosen together; ``None`` if they may."""
    whole_deck: Callable[..., Any] = rules.french_deck
    choices: Callable[..., Any] = rules.no_choices
    wanted: Callable[..., Any] = rules.all_cards
    random_action: Callable[..., Any] = rules.any_of_legal
    action_number: Callable[..., Any] = rules.looked_up
    partners: Callable[..., Any] = rules.no_partners
    chairs: Callable[..., Any] = rules.no_dummies
    chair_from: Callable[..., Any] = rules.numbered_as_seats
    hides: Callable[..., Any] = rules.hides_nothing
    places: Callable[..., Any] = rules.no_places
    place: Callable[..., Any] = rules.place_nothing
    fits: Callable[..., Any] = rules.always_fits
    ghosts: Callable[..., Any] = rules.no_ghosts
    forget: Callable[..., Any] = rules.forget_nothing
    remember: Callable[..., Any] = rules.remember_nothing
    action_value: Callable[..., Any] = rules.no_preference
    heuristic_choice: Callable[..., Any] = rules.best_by_value
    heuristic_action: Callable[..., Any] = rules.best_of_legal
    likelihood: Callable[..., Any] = rules.always_likely

    @classmethod
    def made_of(cls, *modules: ModuleType, **about: Any) -> "Game":
        """The game whose functions stand in these modules under the contract's names, and its state type as ``STATE``.

        ``about`` is the rest (:data:`ABOUT`), and what stands in none of them. What a game may leave out has a default.

        Raises:
            GameError: something is missing, stands in two modules, takes other arguments than the contract says, or
                speaks of what is not there.
        """
        found, lacking = dict(about), []
        for attribute in fields(cls):
            if attribute.name in ABOUT or attribute.name in about:
                continue
            name = "STATE" if attribute.name == "dtype" else attribute.name
            values = {vars(module)[name]: module for module in modules if name in vars(module)}
            if len(values) > 1:
                raise GameError(f"{_names(values.values())} have different {name}: call one of them otherwise")
            if values:
                (found[attribute.name],) = values
            elif attribute.default is MISSING or (name == "hides" and _hides_cards(modules)):
                lacking.append(name)
        if lacking:
            raise GameError(f"{_names(modules)} should have {', '.join(lacking)}: parlour.engine.rules says what for")
        check_names((value for value in found.values() if isinstance(value, FunctionType)), found["dtype"])
        return cls(**found)

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.id.replace("-", " ").title())
        object.__setattr__(self, "prefix", self.prefix or "".join(word[0] for word in self.id.split("-")).upper())
        if self.is_omniscient != (self.place is rules.place_nothing):
            raise GameError(f"{self.id} has only one of places and place: parlour.engine.rules says what for")
        check_options(self.id, (option.name for option in self.options), self.setup, self.dtype)
        for rule in RULES:
            function = getattr(self, rule)
            wanted, given = (", ".join(signature(each).parameters) for each in (getattr(rules, rule), function))
            if given != wanted:
                raise GameError(f"{function.__module__}.{rule} takes ({given}), but should take ({wanted})")
            implement(rule, self.dtype, function)

    @property
    def is_omniscient(self) -> bool:
        """Whether it is played with open cards: everyone sees everything."""
        return self.places is rules.no_places

    @property
    def usual_players(self) -> int:
        """Four where the game allows it, since most are at their best so; otherwise as many as it does."""
        return 4 if 4 in self.players else self.players[-1]


def _hides_cards(modules: Iterable[ModuleType]) -> bool:
    """Whether a game is one with hidden cards: then nobody should forget to say what is seen of an action."""
    return any("places" in vars(module) for module in modules)


def _names(modules: Iterable[ModuleType]) -> str:
    return " and ".join(module.__name__ for module in modules)


def players_text(players: range) -> str:
    """``"2"`` or ``"2 to 6"``."""
    return str(players.start) if len(players) == 1 else f"{players.start} to {players.stop - 1}"
