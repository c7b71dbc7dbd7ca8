"""What is played: a game, how many players, and every option with its value, as one thing that can be handed on."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, OptionError, ParlourError, PlayersError
from parlour.engine.game import Game, Options, Value, option_value_name, players_text
from parlour.engine.planes import Plane, planes_of
from parlour.engine.validation import as_whole, shortened, shown

if TYPE_CHECKING:
    from parlour.engine.match import Match

GAMES = "parlour.games"
"""The package that finds games by their ids. The engine knows none of them: it asks by this name when one is wanted."""


@dataclass(frozen=True, repr=False)
class Setup:
    """A game, the number of players and the options. Frozen, hashable, and never with an option unresolved.

    Attributes:
        game: which game.
        players: how many seats.
        options: every option of the game with its value; those that are not given get their defaults.

    Raises:
        PlayersError: the game is not for this number of players.
        OptionError: there is no such option, it may not have this value, or two of them exclude each other.
    """

    game: Game
    players: int
    options: Options = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(_resolved(self.game, self.players, self.options)))

    def __hash__(self) -> int:
        return hash((self.game, self.players, tuple(self.options.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return Setup, (self.game, self.players, dict(self.options))

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.chosen.items())
        return f"parlour.make({self.game.id!r}, players={self.players}{chosen})"

    @property
    def chosen(self) -> dict[str, Value]:
        """The options that differ from their defaults: what a record holds."""
        return {
            option.name: self.options[option.name]
            for option in self.game.options
            if self.options[option.name] != option.default_for(self.players, self.options)
        }

    @property
    def variation(self) -> str:
        """``"4 players, kill_balance=true"``: what is chosen of a game."""
        chosen = (f"{name}={option_value_name(value)}" for name, value in self.chosen.items())
        return ", ".join([f"{self.players} players", *chosen])

    @property
    def label(self) -> str:
        """The game's title, and what is chosen: for people."""
        return f"{self.game.title}, {self.variation}"

    @property
    def actions(self) -> tuple[str, ...]:
        """The texts of all actions that there can be; an action's number is its place among them.

        Raises:
            ParlourError: the game does not list its actions.
        """
        return _actions_of(self)[0]

    @property
    def action_numbers(self) -> Mapping[str, int]:
        """The numbers of all actions that there can be, by their texts."""
        return _actions_of(self)[1]

    def action_name(self, number: int) -> str:
        """The text of an action by its number. Raises :class:`IllegalError`."""
        whole = as_whole(number)
        if whole is None:
            raise IllegalError(f"an action is its text or its number, not {shown(number)}")
        if not 0 <= whole < self.num_actions:
            raise IllegalError(f"there is no action {shown(whole)}: they are 0 to {self.num_actions - 1}")
        return self.actions[whole]

    @property
    def num_actions(self) -> int:
        """How many actions there can be: the size of the action space."""
        return len(self.actions)

    @property
    def observation_planes(self) -> tuple[Plane, ...]:
        """What an observation's tensor consists of, in its order, by name: as many cells each as there are names."""
        return planes_of(self).planes

    @property
    def observation_shape(self) -> tuple[int]:
        """The shape of an observation's tensor: so many numbers in a row."""
        return (planes_of(self).size,)

    def to_json(self) -> dict[str, Any]:
        """As JSON values: the game's id, the number of players, and the options that differ from their defaults."""
        return {"game": self.game.id, "players": self.players, "options": self.chosen}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Setup":
        """What :meth:`to_json` told; other keys do not matter, so a record will do. Raises :class:`ParlourError`."""
        expect(values, {"game": str, "players": int, "options": dict}, optional=("options",))
        found: Game = import_module(GAMES).find_game(values["game"])
        return cls(found, values["players"], values.get("options", {}))

    def start(self, seed: int | None = None) -> "Match":
        """A new match that draws its own chance: from a seed, or from the operating system if none is given.

        Raises:
            ParlourError: the seed is no whole number.
        """
        from parlour.engine.match import Match  # which need a setup
        from parlour.engine.randomness import StreamRandomness, SystemRandomness  # which need a setup

        chance = SystemRandomness() if seed is None else StreamRandomness(new_stream(seed))
        return Match(self, chance=chance, recall=True)

    def new_state(self) -> Any:
        """A state before the first event."""
        state = rules.new_states(self.game.dtype, 1)[0]
        state.seats = self.players
        state.actor = rules.CHANCE
        self.game.setup(state, self.players, self.options)
        if self.game.is_omniscient:
            state.public = rules.whole_deck(state)
        return state


@lru_cache(maxsize=32)
def _actions_of(setup: Setup) -> tuple[tuple[str, ...], Mapping[str, int]]:
    """All actions that there can be, and their numbers: kept, since a game may have ten thousands."""
    texts = tuple(setup.game.actions(setup.players, setup.options))
    if not texts:
        raise ParlourError(f"{setup.game.title} does not list its actions, so they have no numbers: use their texts")
    return texts, MappingProxyType({text: number for number, text in enumerate(texts)})


def _resolved(game: Game, players: int, given: Mapping[str, object]) -> dict[str, Value]:
    """All options with their values. Raises :class:`PlayersError` or :class:`OptionError`."""
    if type(players) is not int or players not in game.players:
        raise PlayersError(f"{game.title} is for {players_text(game.players)} players, not {players!r}")
    unknown = [name for name in given if name not in {option.name for option in game.options}]
    if unknown:
        known = ", ".join(option.name for option in game.options)
        raise OptionError(f"{game.title} has no option {unknown[0]!r}; it has {known}")
    resolved: dict[str, Value] = {}
    for option in game.options:
        default = option.default_for(players, resolved)
        resolved[option.name] = option.check(players, given.get(option.name, default), resolved)
    conflict = game.conflict(players, resolved)
    if conflict:
        raise OptionError(conflict)
    return resolved


_KINDS = {str: "a text", int: "a whole number", dict: "an object", list: "a list"}


def expect(values: Mapping[str, Any], kinds: Mapping[str, type], optional: Iterable[str] = ()) -> None:
    """Check that each key is there, unless it is optional, with a value of its kind. Raises :class:`ParlourError`."""
    if not isinstance(values, Mapping):
        raise ParlourError(f"an object with the keys {', '.join(map(repr, kinds))} is wanted, not {_as_json(values)}")
    for key, kind in kinds.items():
        if key not in values and key in optional:
            continue
        if key not in values:
            raise ParlourError(f"the key {key!r} is missing")
        if not isinstance(values[key], kind) or isinstance(values[key], bool):
            raise ParlourError(f"{key!r} must be {_KINDS[kind]}, not {_as_json(values[key])}")


def _as_json(value: object) -> str:
    """A value as it stands in a file, or, if none can hold it, as Python writes it."""
    try:
        return shortened(json.dumps(value))
    except (TypeError, ValueError):
        return shown(value)
