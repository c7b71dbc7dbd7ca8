"""OpenSpiel games. Importing this module registers each game, ``my-game`` as ``python_my_game``:

    import pyspiel
    import parlour.envs.openspiel
    game = pyspiel.load_game("python_my_game(players=4)")

The options are parameters. If an option's default depends on the number of players or on other options, the
parameter's default is ``-1`` or ``usual``, and a boolean takes 0 and 1 as values. ``rewards`` is ``win`` or ``points``
(:mod:`parlour.engine.rewards`). ``history`` is the number of rows of an information state's tensor. By default (0) it
is a number that no game exceeds; if no such number is known, information states have no tensor.

Chance is explicit: a shuffle is a sequence of draws, one card each, the top card first. All of OpenSpiel's algorithms
apply in principle. Those that enumerate a game tree can handle two-player endgames, as solved by ``parlour exact``:
``python_my_game_end`` and so on (:class:`EndGame`).
"""

import copy
import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from parlour.authors.histories import record_of
from parlour.cards import card_name, parse_cards, set_of
from parlour.endgames.endgame_tree import TreeLimits
from parlour.endgames.exact import position_of
from parlour.engine import rules
from parlour.engine.arrays import Float32s
from parlour.engine.chance import new_stream
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.events import current_result
from parlour.engine.game import Game, Value
from parlour.engine.information.determinization import determinize_many, new_table, observed_state
from parlour.engine.information.planes import tensor_of
from parlour.engine.match import Match
from parlour.engine.rewards import WIN, check_rewards, rewards_of, sides_of
from parlour.engine.rules import CHANCE, MAX_CARDS, OVER, SPECTATOR, array_of, new_states
from parlour.engine.setup import Setup
from parlour.engine.simulation.workbench import workbench_of
from parlour.engine.typed_state import AnyState
from parlour.engine.validation import whole
from parlour.envs import missing_package
from parlour.envs.openspiel_history import CompiledHistory
from parlour.games import all_games

try:
    import pyspiel
except ImportError:
    raise missing_package("OpenSpiel", "openspiel") from None

USUAL: dict[type, Value] = {int: -1, bool: -1, str: "usual"}
"""Parameter value, by type, that stands for a default that depends on other parameters."""
LONGEST = 20_000
"""Assumed maximum number of actions in a game without a known bound, and of chance events in any game."""
MOST_POINTS = 1e6
"""Assumed bound of a seat's points, above and below 0."""
_PLAYERS = {CHANCE: pyspiel.PlayerId.CHANCE, OVER: pyspiel.PlayerId.TERMINAL}
_ALONE = pyspiel.PrivateInfoType.SINGLE_PLAYER
_OPEN = pyspiel.PrivateInfoType.NONE


class MatchState(pyspiel.State):  # type: ignore[misc]
    """A game in progress, played from its first event."""

    def __init__(self, game: "ParlourGame") -> None:
        super().__init__(game)
        self._rewards = game.rewards
        self._history = copy.deepcopy(game.beginning)

    @property
    def match(self) -> Match:
        """The match, whose state includes hidden information."""
        return self._history.match

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's id for chance or a terminal state."""
        actor = self._history.actor
        return actor if actor >= 0 else _PLAYERS[actor]

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._history.actor == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return self._history.legal_actions()

    def _outcomes(self) -> Sequence[int]:
        """Return the possible chance outcomes: numbers of outcomes, or cards not yet drawn."""
        return self._history.outcomes()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible chance outcomes with their probabilities, which are equal."""
        outcomes = self._outcomes()
        chance = 1 / len(outcomes)
        return [(outcome, chance) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        if self._history.by_chance:
            self._history.apply_outcome(int(action))
        else:
            self._history.act(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        history = self._history
        if player >= 0:
            return history.setup.action_name(action)
        return card_name(action) if history.is_draw() else history.setup.game.chance_name(history.state, action)

    def returns(self) -> list[float]:
        """Return the reward of each seat; zeros until the game is over."""
        if self._history.actor != OVER:
            return [0.0] * self._history.setup.players
        result = current_result(self._history.state)
        winners = np.array([set_of(result.winners)])
        rewards = rewards_of(self._history.setup, np.array([result.scores]), winners, self._rewards)
        return [float(each) for each in rewards[0]]

    def __str__(self) -> str:
        """Return all events so far, with hidden information."""
        return "; ".join([*(event.do for event in self.match.events), *map(card_name, self._history.drawn)])

    def information_state(self, seat: int) -> str:
        """Return a digest that is equal for two states exactly if the seat has seen the same in both."""
        return str(self.match.information_state(seat))

    def write_tensor(self, viewer: int, tensor: Float32s) -> None:
        """Write a viewer's observation into an array, 1 × cells."""
        _write_observation(self._history.setup, self._history.state, viewer, tensor)

    def resample_from_infostate(self, player: int, sampler: Any) -> "MatchState":
        """Sample a state that is indistinguishable to a player, each equally likely, with a consistent history.

        Args:
            player: the player whose information is preserved.
            sampler: a function that returns random numbers from 0 to 1.
        """
        match = self.match
        determinizations = new_states(match.game.dtype, 1)
        determinize_many(
            match.observed(player), player, determinizations, new_table(), new_stream(int(sampler() * (1 << 62)))
        )
        other: MatchState = self.get_game().new_initial_state()
        for event in record_of(match, determinizations[0])["events"]:
            for action in other.actions_of(event["do"]):
                other.apply_action(action)
        for _ in self._history.drawn:
            outcomes = other._outcomes()
            other.apply_action(outcomes[int(sampler() * len(outcomes))])
        return other

    def actions_of(self, text: str) -> list[int]:
        """Return the OpenSpiel actions that make up the next event, which has this text."""
        match = self.match
        if match.actor != CHANCE:
            return [match.setup.action_numbers[text]]
        names = [match.game.chance_name(match.state, outcome) for outcome in range(rules.choices(match.state))]
        return [names.index(text)] if names else parse_cards(text.partition(" ")[2])[:-1]


class ParlourGame(pyspiel.Game):  # type: ignore[misc]
    """Base class of the registered games. Each game has its own subclass as its factory in OpenSpiel.

    Attributes:
        played: the game.
        beginning: the history of the initial state, which each new state copies.
        rows: the number of rows of an information state's history; ``None`` if it has no tensor.
        begins_late: whether the history begins with a state that is not the same in all games, so that information
            states include the observation of that state.
    """

    played: ClassVar[Game]
    begins_late: ClassVar[bool] = False
    rows: int | None = None

    def __init__(self, parameters: Mapping[str, Value]) -> None:
        self.setup = _setup_of(self.played, int(parameters["players"]), parameters)
        self.rewards = str(parameters["rewards"])
        check_rewards(self.rewards)
        self.rows = whole("history", parameters["history"], 0) or self.setup.history_length
        bound = 1.0 if self.rewards == WIN else MOST_POINTS
        self._begin(_type_of(self.played, self.setup, self.rewards, self.rows), MAX_CARDS, bound, parameters)

    def _begin(self, game_type: Any, outcomes: int, bound: float, parameters: Mapping[str, Value]) -> None:
        zero_sum = game_type.utility == pyspiel.GameType.Utility.ZERO_SUM
        about = pyspiel.GameInfo(
            num_distinct_actions=self.setup.num_actions,
            max_chance_outcomes=outcomes,
            num_players=self.setup.players,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=self.setup.history_length or LONGEST,  # a history has a row for each action
        )
        super().__init__(game_type, about, dict(parameters))
        self.beginning = CompiledHistory(self.setup, None, (), [])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name and parameters, since OpenSpiel's pickling omits Python attributes."""
        return pyspiel.load_game, (self.get_type().short_name, self.get_parameters())

    def new_initial_state(self) -> Any:
        """Return the state before the first event."""
        return MatchState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the assumed maximum number of chance events."""
        return LONGEST

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> "Observer":
        """Return an observer for a type of observation."""
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.setup, kind, parameters, self.rows, self.begins_late)

    def information_state_tensor_shape(self) -> list[int]:
        """Return the shape of an information state's tensor.

        Raises:
            ParlourError: there is none. OpenSpiel's own method would return 0, and a network would have no inputs.
        """
        if self.rows is None:
            raise ParlourError(
                f"information states of {self.get_type().short_name} have no tensor, since no bound of their length is"
                " known: load the game with history=N, a number of rows"
            )
        return [_recall_size(self.setup, self.rows, self.begins_late)]


def _recall_size(setup: Setup, rows: int, begins_late: bool) -> int:
    """Return the number of cells of an information state's tensor."""
    return setup.information_state_size(rows) + (setup.observation_shape[0] if begins_late else 0)


def _write_observation(setup: Setup, state: AnyState, viewer: int, tensor: Float32s) -> None:
    """Write a viewer's observation of a full state into an array, 1 × cells."""
    if viewer == SPECTATOR:
        tensor[0] = tensor_of(setup, observed_state(state, viewer), viewer)
    else:
        workbench_of(setup).observe_state(state, viewer, tensor)


class EndState(MatchState):
    """An endgame in progress. A first chance event chooses one of the states consistent with common knowledge."""

    def write_start(self, viewer: int, tensor: Float32s) -> None:
        """Write a viewer's observation of the first state into an array, 1 × cells; zeros before it is chosen."""
        start = self._history.start
        if start is None:
            tensor[:] = 0.0
        else:
            _write_observation(self._history.setup, start, viewer, tensor)

    def _outcomes(self) -> Sequence[int]:
        return range(len(self._initial_states)) if self._history.start is None else super()._outcomes()

    @property
    def _initial_states(self) -> Any:
        return self.get_game().worlds

    def _apply_action(self, action: int) -> None:
        if self._history.start is not None:
            super()._apply_action(action)
        elif action in self._outcomes():
            self._history = CompiledHistory(self._history.setup, array_of(self._initial_states[action])[0], (), [])
        else:
            raise IllegalError(f"there is no outcome {action} now")

    def _action_to_string(self, player: int, action: int) -> str:
        return f"world {action}" if self._history.start is None else super()._action_to_string(player, action)

    def __str__(self) -> str:
        start = self._history.start
        return "before" if start is None else f"{hashlib.sha256(start.tobytes()).hexdigest()}; {super().__str__()}"

    def resample_from_infostate(self, player: int, sampler: Any) -> "MatchState":
        """Raise :class:`ParlourError`: the initial states of an endgame are enumerated, not sampled."""
        raise ParlourError("the worlds of an end are listed: use chance_outcomes() of its initial state")


class EndGame(ParlourGame):
    """A two-player endgame small enough to solve, as found in a game by ``parlour exact``.

    Its parameters are the options, ``seed`` and ``number`` of the game that it ends, ``nodes``, the maximum size of the
    game tree, and ``history``, the number of rows of an information state's history, which begins with the end.
    """

    begins_late = True

    def __init__(self, parameters: Mapping[str, Value]) -> None:
        self.setup, self.rewards = _setup_of(self.played, 2, parameters), WIN
        number, seed, nodes = (int(parameters[name]) for name in ("number", "seed", "nodes"))
        self.worlds = _initial_states_of(self.setup, seed, number, nodes)
        self.rows = whole("history", parameters["history"], 0) or None
        outcomes = max(MAX_CARDS, len(self.worlds))
        self._begin(_end_type_of(self.played, self.rows is not None), outcomes, 1.0, parameters)

    def new_initial_state(self) -> Any:
        """Return the state before the first chance event."""
        return EndState(self)


@lru_cache(maxsize=8)
def _initial_states_of(setup: Setup, seed: int, number: int, nodes: int) -> Any:
    """Return the possible initial states of an endgame, as an array. Raises :class:`ParlourError`."""
    position = position_of(setup, seed, number, TreeLimits(nodes=nodes))
    if position is None:
        raise ParlourError(f"no end of game {number} is within {nodes} nodes and decided by play: try another number")
    return position.game.roots


class Observer:
    """An OpenSpiel observer: what a player may know of a state, as text and tensor.

    Without private information it observes as a spectator; without public information it lists the cards that only the
    player knows. With perfect recall text and tensor are those of an information state; the tensor has only the last
    ``rows`` rows of a longer history.

    Attributes:
        tensor: the array of ``Observation.tensor`` or ``Match.information_state_tensor``, or ``None``.
        dict: its planes by name; with perfect recall also ``left_out`` and ``history``, rows × cells, and in an end
            ``start``, the observation at its beginning.
    """

    def __init__(
        self, setup: Setup, kind: Any, parameters: Any, rows: int | None = None, begins_late: bool = False
    ) -> None:
        if parameters:
            raise ParlourError(f"an observer takes no parameters, but was given {parameters}")
        if kind.private_info not in (_ALONE, _OPEN):
            raise ParlourError(
                "an observer is of one player's information or of the public information, not of all players' together"
            )
        self._setup, self._kind = setup, kind
        self.tensor = None
        self.dict: dict[str, Any] = {}
        self._rows = rows if kind.perfect_recall else None
        if kind.public_info and (rows is not None or not kind.perfect_recall):
            cells = setup.observation_shape[0]
            size = cells if self._rows is None else _recall_size(setup, self._rows, begins_late)
            self.tensor = np.zeros(size, np.float32)
            self.dict = {plane.name: self.tensor[plane.slice] for plane in setup.observation_planes}
            if self._rows is not None:
                self.dict["left_out"] = self.tensor[cells : cells + 1]
                end = setup.information_state_size(self._rows)
                self.dict["history"] = self.tensor[cells + 1 : end].reshape(self._rows, setup.history_width)
                if begins_late:
                    self.dict["start"] = self.tensor[end:]

    def _viewer(self, player: int) -> int:
        return player if self._kind.private_info == _ALONE else SPECTATOR

    def set_from(self, state: MatchState, player: int) -> None:
        """Write a state's observation into the tensor."""
        if self.tensor is None:
            return
        viewer, cells = self._viewer(player), self._setup.observation_shape[0]
        state.write_tensor(viewer, self.tensor[np.newaxis, :cells])
        if self._rows is not None:
            history = state.match.history(viewer)
            self.dict["left_out"][:] = history.left_out(self._rows)
            self.dict["history"][:] = history.tensor(self._rows, truncate=True)
            if "start" in self.dict:
                state.write_start(viewer, self.dict["start"][np.newaxis])

    def string_from(self, state: MatchState, player: int) -> str:
        """Return a state's observation as text."""
        viewer = self._viewer(player)
        if not self._kind.public_info:
            return _own_cards(state.match, player) if viewer != SPECTATOR else ""
        return state.information_state(viewer) if self._kind.perfect_recall else state.match.observation(viewer).text


def _own_cards(match: Match, seat: int) -> str:
    """Return the cards that this seat knows and a spectator does not, by zone."""
    zones = zip(match.observation(seat).zones, match.observation(SPECTATOR).zones, strict=True)
    pairs = [(own.name, own.at, sorted(set(own.texts) - set(all_see.texts))) for own, all_see in zones]
    return "; ".join(f"{name} {at}: {' '.join(cards)}" for name, at, cards in pairs if cards)


def _parameters_of(game: Game) -> dict[str, Value]:
    """Return the options as parameters with their defaults."""
    return {
        option.name: USUAL[type(option.values[0])] if callable(option.default) else option.default
        for option in game.options
    }


def _setup_of(game: Game, players: int, parameters: Mapping[str, Value]) -> Setup:
    """Return the setup for these parameters. Raises :class:`ParlourError`."""
    chosen: dict[str, Value] = {}
    for option in game.options:
        kind, value = type(option.values[0]), parameters[option.name]
        if callable(option.default) and value == USUAL[kind]:
            continue
        chosen[option.name] = bool(value) if kind is bool and value in (0, 1) else value
    return Setup(game, players, chosen)


def _type_of(game: Game, setup: Setup, rewards: str, rows: int | None) -> Any:
    """Return a game's type in OpenSpiel; ``rows`` is the length of a history's tensor, ``None`` for no tensor."""
    sides = sides_of(setup)
    even = rewards == WIN and len(sides) == 2 and len(sides[0]) == len(sides[1])
    parameters = {"players": game.usual_players, "rewards": WIN, "history": 0, **_parameters_of(game)}
    return _game_type(game.id, game.title, game.players, even, parameters, rows is not None)


def _end_type_of(game: Game, recall: bool = False) -> Any:
    parameters = {"seed": 0, "number": 0, "nodes": TreeLimits().nodes, "history": 0, **_parameters_of(game)}
    return _game_type(f"{game.id}-end", f"{game.title}, an end", range(2, 3), True, parameters, recall)


def _game_type(
    name: str, title: str, players: range, zero_sum: bool, parameters: Mapping[str, Value], recall: bool
) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=f"python_{name.replace('-', '_')}",
        long_name=title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=players[-1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=recall,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(parameters),
        default_loadable="number" not in parameters,
        provides_factored_observation_string=True,
    )


def _register(game_type: Any, kind: type, game: Game) -> None:
    """Register a game in OpenSpiel with a separate class, a global of this module so that it can be pickled."""
    name = game_type.short_name
    globals()[name] = type(name, (kind,), {"played": game})
    pyspiel.register_game(game_type, globals()[name])


for _game in all_games():
    _setup = Setup(_game, _game.usual_players)
    _register(_type_of(_game, _setup, WIN, _setup.history_length), ParlourGame, _game)
    if 2 in _game.players:
        _register(_end_type_of(_game), EndGame, _game)
