"""The contract of a game: the functions, options and texts that its modules provide, in grades."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches
from inspect import signature
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from parlour.cards import card_name
from parlour.engine import rules
from parlour.engine.arrays import Stream
from parlour.engine.compiled import give_title, implement
from parlour.engine.errors import GameError, OptionError
from parlour.engine.fields import FieldWords
from parlour.engine.lint import check_names, check_options
from parlour.engine.typed_state import AnyState, IntVector, OwnState
from parlour.engine.validation import shown
from parlour.languages import gettext, ngettext

RULES = (
    "whole_deck",
    "choices",
    "wanted",
    "deal",
    "legal",
    "play",
    "score",
    "partners",
    "chairs",
    "chair_from",
    "hides",
    "hidden_slots",
    "assign",
    "is_consistent",
    "cards_of_unknown_origin",
    "hide_rest",
    "sample_rest",
    "action_value",
    "likelihood",
    "undo",
)
"""The names of a game's compiled functions; :mod:`parlour.engine.rules` describes each."""

FAST_RULES = ("random_action", "action_number", "heuristic_choice", "heuristic_action")
"""The names of the compiled functions that only a game's module ``fast`` may define; :meth:`Game.made_of` refuses them
in other modules. They change nothing but the speed: each is equivalent to a combination of the other functions, which
is its default."""

ABOUT = (
    "id",
    "title",
    "prefix",
    "summary",
    "credit",
    "players",
    "options",
    "max_events",
    "lines_add_up",
    "variation_of",
    "version",
    "field_words",
)
"""The names of a game's descriptive fields; only the id and the players are required."""

Value = int | bool | str
Options = Mapping[str, Value]
MAX_EVENTS = 100_000
"""The default number of actions and chance events after which a game counts as endless."""
NO_LIMIT = 1 << 62
"""The ``stop`` of an option's range of values without an upper limit."""
LONG_RANGE = 10
"""Length up to which checks try every value of an option's range."""


@dataclass(frozen=True)
class Option:
    """One option of a game: its name, its possible values, its default and its consequences.

    ``default`` is a value, or a function ``default(players, before)`` of the number of players and the values of the
    options before it. ``refuse(players, value)`` returns the reason why a value may not be chosen for a number of
    players, or ``None``; the default is never refused. Beyond ``values`` an option accepts any text that the regular
    expression ``pattern`` matches; ``pattern_words`` describes such texts. ``title`` is the display name of the option,
    ``titles`` those of its values. ``limits(players)`` returns the allowed part of a range for a number of players, if
    it depends on that number.

    ``advanced`` marks a number of the rulebook that few tables change: forms show it under "more options". ``tried``
    are the values with which checks and smoke matches play: by default all values, but only some of a range of more
    than ``LONG_RANGE``: the two extremes of an advanced option, and otherwise the three least, since long ranges are
    mostly lengths of a game.
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
    advanced: bool = False
    tried: tuple[Value, ...] = ()

    def __post_init__(self) -> None:
        if not self.values:
            raise GameError(f"the option {self.name!r} has no values")
        if not callable(self.default) and not self._allows(self.default):
            allowed = self.values_text()
            raise GameError(f"the default of the option {self.name!r} is {self.default!r}, but may be {allowed}")

    def values_for(self, players: int) -> range | tuple[Value, ...]:
        """Return the possible values for a number of players."""
        return self.limits(players) if self.limits else self.values

    def trials(self, players: int) -> Sequence[Value]:
        """Return the values with which checks and smoke matches play, for a number of players."""
        offered = self.values_for(players)
        if self.tried:
            return [value for value in self.tried if self._fits(players, value)]
        if not isinstance(offered, range) or len(offered) <= LONG_RANGE:
            return offered
        return [offered[0], offered[-1]] if self.advanced else offered[:3]

    def default_for(self, players: int, before: Options) -> Value:
        """Return the default for a number of players and the values of the options ``before`` this one."""
        return self.default(players, before) if callable(self.default) else self.default

    def title_text(self) -> str:
        """Return the display name of the option."""
        return self.title or self.name.replace("_", " ").capitalize()

    def values_text(self, players: int | None = None) -> str:
        """Return the possible values as text, ``"true, false"``, ``"1 to 99"`` or ``"1 and up"``.

        ``players`` narrows a range to the values for that number of players.
        """
        if isinstance(values := self.values if players is None else self.values_for(players), range):
            if values.stop == NO_LIMIT:
                return gettext("{least} and up", least=str(values.start))
            return gettext("{least} to {most}", least=str(values.start), most=str(values.stop - 1))
        named = ", ".join(option_value_name(value) for value in self.values)
        if not self.pattern:
            return named
        return gettext("{values}, or {others}", values=named, others=gettext(self.pattern_words))

    def check(self, players: int, value: object, before: Options) -> Value:
        """Return the value if this option allows it. Raises :class:`OptionError`."""
        if not self._allows(value):
            raise OptionError(self._refusal(value))
        assert isinstance(value, (int, str))
        if not self._fits(players, value):
            raise OptionError(ngettext(
                "{option} is {value}, but may be {values} for {number} player ({clause})",
                "{option} is {value}, but may be {values} for {number} players ({clause})",
                players, option=self.name, value=repr(value), values=self.values_text(players), clause=self.clause,
            ))  # fmt: skip
        reason = None if value == self.default_for(players, before) else self.refuse(players, value)
        if reason:
            raise OptionError(ngettext(
                "{option}={value} is not for {number} player: {reason}",
                "{option}={value} is not for {number} players: {reason}",
                players, option=self.name, value=option_value_name(value), reason=reason,
            ))  # fmt: skip
        return value

    def _refusal(self, value: object) -> str:
        """Return the sentence that refuses a value which no number of players allows."""
        words = {"option": self.name, "value": shown(value), "values": self.values_text(), "clause": self.clause}
        if isinstance(self.values, range) and type(value) is not int:
            return gettext("{option} is {value}, but must be a whole number, {values} ({clause})", **words)
        if isinstance(self.values, range) and isinstance(value, int) and value >= NO_LIMIT:
            least, most = str(self.values.start), str(self.values.stop - 1)
            words["values"] = gettext("{least} to {most}", least=least, most=most)
        return gettext("{option} is {value}, but may be {values} ({clause})", **words)

    def _allows(self, value: object) -> bool:
        """Return whether this option has a value for some number of players."""
        return type(value) is type(self.values[0]) and self._offers(value)

    def _fits(self, players: int, value: object) -> bool:
        """Return whether this option offers a value for a number of players."""
        return self._offers(value) and (self.limits is None or value in self.limits(players))

    def _offers(self, value: object) -> bool:
        if value in self.values:
            return True
        return bool(self.pattern) and isinstance(value, str) and re.fullmatch(self.pattern, value) is not None


_INTEGER = re.compile(r"\s*-?(0|[1-9][0-9]*)\s*")
"""An integer as users type it."""


def option_value_name(value: Value) -> str:
    """Return an option's value in the form users type: ``true``, ``5``, ``pair``."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_option_value(text: str) -> Value:
    """Parse the value of a typed option: an integer, ``true`` or ``false``, or the text itself.

    A number with zeros in front is a text: ``000`` is most likely the end of ``1,000``.
    """
    if text in ("true", "false"):
        return text == "true"
    if not _INTEGER.fullmatch(text):
        return text
    try:
        return int(text)
    except ValueError:  # too many digits
        return text


@dataclass(frozen=True)
class Zone:
    """A place for cards: a hand, a wall, a pile.

    ``at`` is the index of the zone among the zones of its name: the number of a city, a seat or a slot; ``NOBODY`` for
    the only zone of its name. ``cards`` are the cards that the viewer may know; an ``ordered`` zone lists them in their
    order, with ``None`` for an unknown card. ``hidden`` is the number of further cards. ``face_up`` is the orientation
    of the cards on the table, which is independent of who knows them.
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
        """The notation of the cards that the viewer knows, sorted unless the zone is ordered."""
        names = [card_name(card) for card in self.known]
        return names if self.ordered else sorted(names)


@dataclass(frozen=True)
class Line:
    """One line of a running score: its reason, the points of each seat, and its clause.

    ``at`` is the number of the seat, city or pile to which a layout assigns the line; ``NOBODY`` for none.
    """

    what: str
    points: Sequence[int]
    clause: str
    at: int = rules.NOBODY


@dataclass(frozen=True)
class Refusal:
    """Why an action is not legal: the clause and the reason in words."""

    clause: str
    reason: str


def take_options(state: AnyState, players: int, options: Options) -> None:
    """Write each option into the state's field of the same name, if there is one."""
    for name, value in options.items():
        if name in (state.dtype.names or ()):
            setattr(state, name, value)


def own_fields(state: AnyState) -> dict[str, Any]:
    """Return the state's fields beyond the engine's header: all facts of a game without hidden cards."""
    header = {name for name, *_ in rules.HEADER}
    values = {name: getattr(state, name) for name in state.dtype.names or () if name not in header}
    return {name: value.tolist() if isinstance(value, np.ndarray) else int(value) for name, value in values.items()}


@dataclass(frozen=True, eq=False)
class Game:
    """The definition of a game. :mod:`parlour.engine.rules` describes the compiled functions.

    Games are made by :meth:`made_of`, which takes the functions from the game's modules by these names. The functions
    form grades, and those of each grade but the first have working defaults:

    - *playable*: ``deal``, ``legal``, ``play``, ``score`` and ``name``. Such a game is played with open cards.
    - *hidden*: ``hidden_slots``, ``assign`` and ``hides``, with ``zones``, ``facts``, ``sample_rest``: the information
      of each seat.
    - *shown*: a layout, to which the game itself has no reference (:mod:`parlour.render.layouts`).
    - *strong*: ``action_value``, the heuristic of the heuristic bot and of playouts in searches, and ``likelihood``
      and ``undo``.
    - *fast*: :data:`FAST_RULES`, in a module of their own, ``fast.py``. ``random_action`` is equivalent to a choice
      from ``legal``, ``heuristic_choice`` and ``heuristic_action`` to comparisons of ``action_value``, and
      ``action_number`` to ``name`` and ``actions``.

    The functions with a docstring below them are plain Python. ``zones``, ``facts``, ``refusal`` and ``tells_nothing``
    receive *observed* states, so that they cannot reveal anything that the viewer may not know; for the viewer
    ``EVERYTHING`` the state has all cards. ``lines`` receives an observed state in observations, the true state in
    studies. ``setup`` receives a new state. ``chance_name``, ``deck_word`` and ``ending`` receive the true state;
    ``name`` receives the true state in matches, the actor's observed state in bots. ``docs/contract.md`` lists all
    functions with their arguments, callers and defaults.
    """

    id: str
    players: range
    dtype: "np.dtype[np.void]"
    deal: Callable[[OwnState, IntVector], None]
    legal: Callable[[OwnState, IntVector], int]
    play: Callable[[OwnState, int], None]
    score: Callable[[OwnState, IntVector], int]
    name: Callable[[OwnState, int], str]
    """Returns the notation of a legal action: a different text for each legal action, always the same for the same
    action, with cards in ascending order of their numbers."""
    title: str = ""
    prefix: str = ""
    summary: str = ""
    credit: str = ""
    options: Sequence[Option] = ()
    max_events: int = MAX_EVENTS
    """The number of actions and chance events after which a simulation or a contest stops with an error, because the
    game is presumably endless."""
    lines_add_up: bool = True
    """Whether the lines of a deal add up to the change of the scores, as ``parlour check`` expects."""
    variation_of: str = ""
    """The id of the original, for a variation (:mod:`parlour.authors.variation`)."""
    version: int = 0
    """The version of the rules, raised with every change after which the same actions may lead to other states or
    observations; the number at the end of the game's id as an environment."""
    field_words: Mapping[str, FieldWords] = field(default_factory=dict)
    """The meanings of the fields of a state, by name, for the descriptions of tensors."""
    setup: Callable[[OwnState, int, Options], None] = take_options
    """Writes the options and all nonzero initial values into a state before the first event. The default writes each
    option into the field of the same name."""
    zones: Callable[[OwnState], list[Zone]] = lambda state: []
    """Returns the places of all cards, as far as the observed state shows them: each card of the deck is in one zone,
    or counted as hidden in one. The list has the same zones for each viewer."""
    facts: Callable[[OwnState], dict[str, Any]] = own_fields
    """Returns all public information other than the places of cards, by name, as JSON values; a card is its number or
    its notation."""
    chance_name: Callable[[OwnState, int], str] = lambda state, outcome: f"outcome {outcome}"
    """Returns the text of outcome number ``outcome`` of the next chance event."""
    refusal: Callable[[OwnState, str], Refusal] = lambda state, text: Refusal("", gettext("That is not possible now."))
    """Returns the reason why an action is not legal now, and the clause. Raises ``ValueError`` for a text that is not
    an action. Must answer for each text of the action space."""
    lines: Callable[[OwnState], list[Line]] = lambda state: []
    """Returns the lines of the running score: the points made since the last deal."""
    ending: Callable[[OwnState], str] = lambda state: ""
    """Returns the reason why a finished game ended, in a few words followed by the clause in brackets."""
    tells_nothing: Callable[[OwnState, OwnState, str], bool] = lambda before, after, text: False
    """Returns True if an action reveals nothing to any player, for every possible layout of the hidden cards; such an
    action may be taken back. ``before`` and ``after`` are the observed states of a spectator, ``text`` the action as a
    spectator saw it."""
    longest_history: Callable[[int, Options], int] = lambda players, options: 0
    """Returns a number that the rows of a seat's history never exceed, or 0 if none is known: one row for each event,
    and one for each further place where an event shows cards."""
    actions: Callable[[int, Options], Sequence[str]] = lambda players, options: ()
    """Returns the texts of all possible actions, each once, in a fixed order: the action space. Without it actions have
    no numbers, only moves and texts."""
    deck_word: Callable[[OwnState], str] = lambda state: "deal"
    """Returns the name of the next shuffle event in records: ``deal``, ``shuffle``."""
    advice: Callable[[int, Options], list[str]] = lambda players, options: []
    """Returns warnings about unfavourable combinations of options, as sentences."""
    conflict: Callable[[int, Options], str | None] = lambda players, options: None
    """Returns the reason why these options exclude each other, although each is possible, or ``None``."""
    whole_deck: Callable[[OwnState], int] = rules.french_deck
    choices: Callable[[OwnState], int] = rules.no_choices
    wanted: Callable[[OwnState], int] = rules.all_cards
    partners: Callable[[OwnState, int], int] = rules.no_partners
    chairs: Callable[[OwnState], int] = rules.no_dummies
    chair_from: Callable[[OwnState, int, int], int] = rules.numbered_as_seats
    hides: Callable[[OwnState, int, int], int] = rules.hides_nothing
    hidden_slots: Callable[[OwnState, int, IntVector, IntVector], int] = rules.no_hidden_slots
    assign: Callable[[OwnState, int, int, IntVector, int], None] = rules.assign_nothing
    is_consistent: Callable[[OwnState, int, Stream], bool] = rules.always_consistent
    cards_of_unknown_origin: Callable[[OwnState, int], int] = rules.no_cards_of_unknown_origin
    hide_rest: Callable[[OwnState, int], None] = rules.hide_nothing_else
    sample_rest: Callable[[OwnState, int, Stream], None] = rules.sample_nothing_else
    action_value: Callable[[OwnState, int], int] = rules.no_preference
    likelihood: Callable[[OwnState, int], int] = rules.always_likely
    undo: Callable[[OwnState], int] = rules.nothing_to_undo
    random_action: Callable[[OwnState, IntVector, Stream], int] = rules.any_of_legal
    action_number: Callable[[OwnState, int], int] = rules.looked_up
    heuristic_choice: Callable[[OwnState, IntVector, int, Stream], int] = rules.best_by_value
    heuristic_action: Callable[[OwnState, IntVector, int, Stream], int] = rules.best_of_legal

    @classmethod
    def made_of(cls, *modules: ModuleType, fast: ModuleType | None = None, **about: Any) -> "Game":
        """Return the game whose modules define functions under the contract's names and the state type ``STATE``.

        Args:
            modules: the modules with all functions but :data:`FAST_RULES`. Optional functions have defaults.
            fast: the module with functions of :data:`FAST_RULES`. The same games are played without it.
            about: the fields named in :data:`ABOUT`, and functions that none of the modules defines.

        Raises:
            GameError: a required function is missing, two modules define the same name differently, a function takes
                other arguments than the contract's or uses an undefined name, ``fast`` has a function that is not one
                of :data:`FAST_RULES`, or another module has one that is.
        """
        found, lacking = {**_fast_rules(fast, modules), **about}, []
        for attribute in fields(cls):
            if attribute.name in (*ABOUT, *FAST_RULES) or attribute.name in about:
                continue
            name = "STATE" if attribute.name == "dtype" else attribute.name
            values = {vars(module)[name]: module for module in modules if name in vars(module)}
            if len(values) > 1:
                raise GameError(f"{_names(values.values())} have different {name}: rename one of them")
            if values:
                (found[attribute.name],) = values
            elif attribute.default is MISSING or (name == "hides" and _hides_cards(modules)):
                lacking.append(name)
        if lacking:
            defined = {name: None for module in modules for name in vars(module)}
            raise GameError(f"{_names(modules)} should have {_with_hints(lacking, defined)}: see docs/contract.md")
        check_names((value for value in found.values() if isinstance(value, FunctionType)), found["dtype"])
        return cls(**found)

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.id.replace("-", " ").title())
        object.__setattr__(self, "prefix", self.prefix or "".join(word[0] for word in self.id.split("-")).upper())
        if self.is_open != (self.assign is rules.assign_nothing):
            raise GameError(f"{self.id} has only one of hidden_slots and assign: see parlour.engine.rules")
        if self.is_open and self.hides is not rules.hides_nothing:
            raise GameError(f"{self.id} has hides, but not hidden_slots and assign: every seat would see all cards")
        check_options(self.id, (option.name for option in self.options), self.setup, self.dtype)
        for rule in (*RULES, *FAST_RULES):
            function = getattr(self, rule)
            expected, actual = (", ".join(signature(each).parameters) for each in (getattr(rules, rule), function))
            if actual != expected:
                raise GameError(f"{function.__module__}.{rule} takes ({actual}), but should take ({expected})")
            implement(rule, self.dtype, function)
        for each in fields(self):
            if each.name not in (*RULES, *FAST_RULES) and isinstance(each.default, FunctionType):
                self._check_arguments(each.name, each.default)
        give_title(self.dtype, self.title)

    def _check_arguments(self, name: str, default: FunctionType) -> None:
        """Raise :class:`GameError` if a function cannot be called with the number of arguments of its default."""
        function, expected = getattr(self, name), signature(default).parameters
        actual = signature(function)
        try:
            actual.bind(*expected)
        except TypeError:
            words = f"takes ({', '.join(actual.parameters)}), but should take ({', '.join(expected)})"
            raise GameError(f"{function.__module__}.{name} {words}") from None

    @property
    def is_open(self) -> bool:
        """Whether the game is played with open cards, so that each seat knows the whole state."""
        return self.hidden_slots is rules.no_hidden_slots

    @property
    def usual_players(self) -> int:
        """The default number of players: four, the best number for most games, if possible; otherwise the maximum."""
        return 4 if 4 in self.players else self.players[-1]


def _with_hints(lacking: Iterable[str], defined: Iterable[str]) -> str:
    """Return missing names as text, each with a similar name that is defined."""
    close = {name: get_close_matches(name, defined, 1, cutoff=0.8) for name in lacking}
    return ", ".join(f"{name} (is {found[0]!r} meant?)" if found else name for name, found in close.items())


def _hides_cards(modules: Iterable[ModuleType]) -> bool:
    """Return True if the game has hidden cards; ``hides`` is then required."""
    return any("hidden_slots" in vars(module) for module in modules)


def _fast_rules(fast: ModuleType | None, modules: Iterable[ModuleType]) -> dict[str, Any]:
    """Return the functions of :data:`FAST_RULES` that ``fast`` defines. Raises :class:`GameError`."""
    for module in modules:
        if misplaced := [name for name in FAST_RULES if _defines(module, name)]:
            raise GameError(f"{module.__name__} has {', '.join(misplaced)}: only the module 'fast' may have them")
    if fast and (needed := [name for name in RULES if _defines(fast, name)]):
        raise GameError(f"{fast.__name__} has {', '.join(needed)}: it may have {', '.join(FAST_RULES)} only")
    return {name: vars(fast)[name] for name in FAST_RULES if fast and _defines(fast, name)}


def _defines(module: ModuleType, name: str) -> bool:
    """Return whether a module defines a function of this name, rather than importing another module's."""
    return getattr(vars(module).get(name), "__module__", None) == module.__name__


def _names(modules: Iterable[ModuleType]) -> str:
    return " and ".join(module.__name__ for module in modules)


def players_text(players: range) -> str:
    """Return a range of player numbers as text, ``"2"`` or ``"2 to 6"``."""
    return str(players.start) if len(players) == 1 else f"{players.start} to {players.stop - 1}"
