"""Setups: a game with its number of players and the value of every option."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, OptionError, ParlourError, PlayersError
from parlour.engine.game import Game, Options, Value, option_value_name, players_text
from parlour.engine.game_finder import find_game
from parlour.engine.information.history import bound_of, checked_length, history_layout
from parlour.engine.information.planes import Plane, planes_of
from parlour.engine.information.tensor_description import PlaneDescription, describe_planes, describe_rows
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness, SystemRandomness
from parlour.engine.moves import Action, Move
from parlour.engine.typed_state import OwnState
from parlour.engine.validation import as_whole, shortened, shown


@dataclass(frozen=True, repr=False)
class Setup:
    """A game, the number of players and all options. Frozen and hashable.

    Attributes:
        game: the game.
        players: the number of seats.
        options: the value of every option of the game, by name; omitted options get their defaults.

    Raises:
        PlayersError: the game does not support this number of players.
        OptionError: an option is unknown, has an invalid value, or conflicts with another.
    """

    game: Game
    players: int
    options: Options = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", _without_numpy(self.players))
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
        """The options that differ from their defaults, as in a record."""
        return {
            option.name: self.options[option.name]
            for option in self.game.options
            if self.options[option.name] != option.default_for(self.players, self.options)
        }

    @property
    def variation(self) -> str:
        """The number of players and the chosen options: ``"4 players, kill_balance=true"``.

        A variation in a package of its own adds its name, ``"2 players, rules=my-castle"``.
        """
        rules = [f"rules={self.game.id}"] if self.game.variation_of else []
        return ", ".join([f"{self.players} players", *rules, *self._chosen_texts()])

    @property
    def label(self) -> str:
        """The game's title, the number of players and the chosen options, for display."""
        return ", ".join([self.game.title, f"{self.players} players", *self._chosen_texts()])

    def _chosen_texts(self) -> list[str]:
        return [f"{name}={option_value_name(value)}" for name, value in self.chosen.items()]

    @property
    def actions(self) -> tuple[str, ...]:
        """The texts of all actions in the action space; an action's number is its index.

        Raises:
            ParlourError: the game does not list its actions.
        """
        return _actions_of(self)[0]

    @property
    def action_numbers(self) -> Mapping[str, Action]:
        """The numbers of all actions in the action space, by text."""
        return _actions_of(self)[1]

    def action_name(self, action: int) -> str:
        """Return the text of an action by its number.

        Raises:
            IllegalError: there is no action of this number.
            ParlourError: the game does not list its actions.
        """
        index = as_whole(action)
        if index is None:
            hint = "; match.apply_move and match.notation take moves" if isinstance(action, Move) else ""
            raise IllegalError(f"an action is its text or its number, not {shown(action)}{hint}")
        if not 0 <= index < self.num_actions:
            raise IllegalError(f"there is no action {shown(index)}: they are 0 to {self.num_actions - 1}")
        return self.actions[index]

    @property
    def num_actions(self) -> int:
        """The size of the action space."""
        return len(self.actions)

    @property
    def observation_planes(self) -> tuple[Plane, ...]:
        """The planes of an observation's tensor, in order."""
        return planes_of(self).planes

    @property
    def observation_shape(self) -> tuple[int]:
        """The shape of an observation's tensor, which has one dimension."""
        return (planes_of(self).size,)

    @property
    def state_planes(self) -> tuple[Plane, ...]:
        """The planes of a full state's tensor, in order (:meth:`Match.state_tensor`)."""
        return planes_of(self, everything=True).planes

    @property
    def state_shape(self) -> tuple[int]:
        """The shape of a full state's tensor, which has one dimension."""
        return (planes_of(self, everything=True).size,)

    @property
    def history_planes(self) -> tuple[Plane, ...]:
        """The slices of a row of a history (:meth:`Match.history`), in order."""
        return history_layout(self).planes

    @property
    def history_width(self) -> int:
        """The number of cells of a row of a history."""
        return history_layout(self).width

    @property
    def history_length(self) -> int | None:
        """A number of rows that no history of this setup exceeds; ``None`` if no such number up to 1,000 is known."""
        return bound_of(self)

    def describe_tensor(self, which: str = "observation") -> tuple[PlaneDescription, ...]:
        """Return each plane of a tensor in plain words, with unit, range, position and shape.

        Args:
            which: ``"observation"``, ``"state"`` (:meth:`Match.state_tensor`) or ``"history"``, a row of a history.

        Raises:
            ParlourError: there is no such tensor.
        """
        if which not in ("observation", "state", "history"):
            raise ParlourError(f"there is no tensor {which!r}; there are 'observation', 'state' and 'history'")
        if which == "history":
            return describe_rows(self.history_planes)
        return describe_planes(self, self.state_planes if which == "state" else self.observation_planes)

    @property
    def tensor_version(self) -> str:
        """A text that changes whenever the rules, the layout of a tensor or the numbers of actions do.

        Store it with a network: a network fits the tensors of its own version only.
        """
        return _tensor_version(self)

    def information_state_size(self, length: int | None = None) -> int:
        """Return the number of cells of an information state's tensor (:meth:`Match.information_state_tensor`).

        Args:
            length: the number of rows of the history, by default :attr:`history_length`.

        Raises:
            ParlourError: no length is known, or it is not a positive number.
        """
        return self.observation_shape[0] + 1 + checked_length(self, length) * self.history_width

    def to_json(self) -> dict[str, Any]:
        """Return JSON values: the game's id, the number of players, and the options that differ from their defaults."""
        return {"game": self.game.id, "players": self.players, "options": self.chosen}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Setup":
        """Return the setup of :meth:`to_json`'s values; other keys are ignored. Raises :class:`ParlourError`."""
        expect(values, {"game": str, "players": int, "options": dict}, optional=("options",))
        return cls(find_game(values["game"]), values["players"], values.get("options", {}))

    def start(self, seed: int | None = None) -> Match:
        """Return a new match that draws its chance events, from a seed or, without one, from the operating system.

        Raises:
            ParlourError: the seed is not an integer.
        """
        chance = SystemRandomness() if seed is None else StreamRandomness(new_stream(seed))
        return Match(self, chance=chance, recall=True)

    def new_state(self) -> OwnState:
        """Return the state before the first event."""
        state = rules.new_states(self.game.dtype, 1)[0]
        state.seats = self.players
        state.actor = rules.CHANCE
        self.game.setup(state, self.players, self.options)
        if self.game.is_open:
            state.public = rules.whole_deck(state)
        return state


@lru_cache(maxsize=32)
def _tensor_version(setup: Setup) -> str:
    """Return the version of a game's rules, and a hash of the layouts and the action space of a setup."""
    layouts = [setup.observation_planes, setup.state_planes, setup.history_planes]
    described = [[(plane.name, plane.meaning, plane.cells, plane.limits) for plane in planes] for planes in layouts]
    digest = hashlib.sha256(json.dumps([described, setup.actions]).encode()).hexdigest()
    return f"{setup.game.version}-{digest[:12]}"


@lru_cache(maxsize=32)
def _actions_of(setup: Setup) -> tuple[tuple[str, ...], Mapping[str, Action]]:
    """Return the texts of all actions and their numbers, cached since a game may have tens of thousands."""
    texts = tuple(setup.game.actions(setup.players, setup.options))
    if not texts:
        raise ParlourError(f"{setup.game.title} does not list its actions, so they have no numbers: use their texts")
    return texts, MappingProxyType({text: Action(number) for number, text in enumerate(texts)})


def _without_numpy(value: Any) -> Any:
    """Return NumPy's integers and bools as those of Python, and other values unchanged."""
    return value.item() if isinstance(value, np.integer | np.bool_) else value


def _resolved(game: Game, players: int, values: Mapping[str, object]) -> dict[str, Value]:
    """Return the value of every option, by name. Raises :class:`PlayersError` or :class:`OptionError`."""
    if type(players) is not int or players not in game.players:
        raise PlayersError(f"{game.title} is for {players_text(game.players)} players, not {shown(players)}")
    unknown = [name for name in values if name not in {option.name for option in game.options}]
    if unknown:
        known = ", ".join(option.name for option in game.options)
        raise OptionError(f"{game.title} has no option {shown(unknown[0])}; it has {known}")
    resolved: dict[str, Value] = {}
    for option in game.options:
        default = option.default_for(players, resolved)
        resolved[option.name] = option.check(players, _without_numpy(values.get(option.name, default)), resolved)
    conflict = game.conflict(players, resolved)
    if conflict:
        raise OptionError(conflict)
    return resolved


_KINDS = {str: "a text", int: "a whole number", dict: "an object", list: "a list"}


def expect(values: Mapping[str, Any], kinds: Mapping[str, type], optional: Iterable[str] = ()) -> None:
    """Check that required keys are present and all values have their kinds. Raises :class:`ParlourError`."""
    if not isinstance(values, Mapping):
        raise ParlourError(f"an object with the keys {', '.join(map(repr, kinds))} is required, not {_as_json(values)}")
    for key, kind in kinds.items():
        if key not in values and key in optional:
            continue
        if key not in values:
            raise ParlourError(f"the key {key!r} is missing")
        if not isinstance(values[key], kind) or isinstance(values[key], bool):
            raise ParlourError(f"{key!r} must be {_KINDS[kind]}, not {_as_json(values[key])}")


def _as_json(value: object) -> str:
    """Return a value as JSON, or its ``repr`` if JSON cannot represent it, shortened for a message."""
    try:
        return shortened(json.dumps(value))
    except (TypeError, ValueError, RecursionError):  # nested almost too deeply to be read
        return shown(value)


def as_setup(value: Any) -> Setup:
    """Return a value that must be a setup. Raises :class:`ParlourError`."""
    if not isinstance(value, Setup):
        raise ParlourError(f"a setup is required, from parlour.make, not {shown(value)}")
    return value
