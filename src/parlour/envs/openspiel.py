"""The games in OpenSpiel. Importing this registers each of them there, ``my-game`` as ``python_my_game``:

    import pyspiel
    import parlour.envs.openspiel
    game = pyspiel.load_game("python_my_game(players=4)")

The options are parameters. One whose default hangs on the number of players or on other options is ``-1``, or
``usual``, for that default; where it is true or false, 0 and 1 are its values. ``rewards`` are ``win`` or ``points``
(:mod:`parlour.engine.rewards`).

Chance is explicit: a shuffled deck is drawn card by card, the top first, from those that are wanted. So all of
OpenSpiel's algorithms can be used, in principle; what they can list are ends of games for two, as ``parlour exact``
solves them, ``python_my_game_end`` and so on (:class:`EndGame`).
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from parlour.authors.histories import record_of
from parlour.cards import card_name, cards_of, parse_cards, set_of
from parlour.endgames.endgame_tree import Limits
from parlour.endgames.exact import position_of
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.determinization import determinize_many, new_table, observed_state
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.game import Game, Value
from parlour.engine.match import Event, Match
from parlour.engine.observation import SPECTATOR, observation_of
from parlour.engine.planes import tensor_of
from parlour.engine.rewards import WIN, check_rewards, rewards_of, sides_of
from parlour.engine.rules import CHANCE, MAX_CARDS, OVER, array_of, new_states
from parlour.engine.setup import Setup
from parlour.engine.steps import COMPILED
from parlour.envs import missing
from parlour.games import all_games

try:
    import pyspiel
except ImportError:
    raise missing("OpenSpiel", "openspiel") from None

USUAL: dict[type, Value] = {int: -1, bool: -1, str: "usual"}
"""Stands for an option's default where that is not always the same."""
LONGEST = 20_000
"""More actions, and more chance events, no game is taken to have; some have no limit of their own."""
MOST_POINTS = 1e6
_PLAYERS = {CHANCE: pyspiel.PlayerId.CHANCE, OVER: pyspiel.PlayerId.TERMINAL}
_ALONE = pyspiel.PrivateInfoType.SINGLE_PLAYER
_OPEN = pyspiel.PrivateInfoType.NONE


@dataclass
class _Course:
    """How a game has gone: what a state of OpenSpiel's is copied and kept by.

    Attributes:
        match: as far as it has been played.
        start: the state that it began with, if it did not begin with the first event of a game.
        drawn: the cards of a deal that is not complete yet, the top first.
    """

    match: Match
    start: Any = None
    drawn: list[int] = field(default_factory=list)

    def __deepcopy__(self, memo: Any) -> "_Course":
        return _Course(self.match.copy(), self.start, list(self.drawn))

    def __reduce__(self) -> tuple[Any, ...]:
        return _course_of, (self.match.setup, self.start, self.match.events, self.drawn)


def _course_of(setup: Setup, start: Any, events: Sequence[Event], drawn: list[int]) -> _Course:
    match = Match(setup, COMPILED, recall=True)
    if start is not None:
        for name in start.dtype.names:
            match.state[name] = start[name]
    for event in events:
        match.play_chance(event.do) if event.by == CHANCE else match.play(event.do, event.by)
    return _Course(match, start, drawn)


class MatchState(pyspiel.State):  # type: ignore[misc]
    """A game going on, from its first event."""

    def __init__(self, game: "ParlourGame") -> None:
        super().__init__(game)
        self._rewards = game.rewards
        self._course = _course_of(game.setup, None, (), [])

    @property
    def match(self) -> Match:
        """The match that is played. Its state is the whole truth."""
        return self._course.match

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's word for chance or for nobody."""
        actor = self.match.actor
        return actor if actor >= 0 else _PLAYERS[actor]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.match.over

    def _legal_actions(self, player: int) -> list[int]:
        numbers = self.match.setup.action_numbers
        return sorted(numbers[text] for text in self.match.named())

    def _outcomes(self) -> Sequence[int]:
        """What may come next by chance: numbers of outcomes, or cards that are not drawn yet."""
        state = self.match.state
        return range(rules.choices(state)) or list(cards_of(rules.wanted(state) & ~set_of(self._course.drawn)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may come next by chance, each equally likely."""
        outcomes = self._outcomes()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        match = self.match
        if match.actor != CHANCE:
            match.act(int(action))
            return
        outcomes = self._outcomes()
        if action not in outcomes:
            raise IllegalError(f"there is no outcome {action} now")
        if rules.choices(match.state):
            match.play_chance(match.game.chance_name(match.state, action))
        else:
            self._draw(action, [card for card in outcomes if card != action])

    def _draw(self, card: int, rest: Sequence[int]) -> None:
        """Draw the next card, and leave the rest; the last one follows by itself, and the deal is complete."""
        match, drawn = self.match, self._course.drawn
        drawn.append(card)
        if len(rest) <= 1:
            names = [card_name(card) for card in (*drawn, *rest)]
            drawn.clear()
            match.play_chance(" ".join([match.game.deck_word(match.state), *names]))

    def _action_to_string(self, player: int, action: int) -> str:
        match = self.match
        if player >= 0:
            return match.setup.action_name(action)
        return match.game.chance_name(match.state, action) if rules.choices(match.state) else card_name(action)

    def returns(self) -> list[float]:
        """What the game is worth to each seat; zeros until it is over."""
        result, players = self.match.result, self.match.players
        if result is None:
            return [0.0] * players
        winners = np.array([set_of(result.winners)])
        return [
            float(each) for each in rewards_of(self.match.setup, np.array([result.scores]), winners, self._rewards)[0]
        ]

    def __str__(self) -> str:
        """All that has happened."""
        return "; ".join([*(event.do for event in self.match.events), *map(card_name, self._course.drawn)])

    def information_state(self, seat: int) -> str:
        """A text that is the same for two states exactly if the seat has seen the same, from the beginning."""
        return str(self.match.information_state(seat))

    def resample_from_infostate(self, player: int, sampler: Any) -> "MatchState":
        """A state that looks the same to a player, each equally likely, which can have come about as its history says.

        Args:
            player: whose information is kept.
            sampler: gives numbers from 0 to 1.
        """
        match = self.match
        determinizations = new_states(match.game.dtype, 1)
        determinize_many(
            match.observed(player), player, determinizations, new_table(), new_stream(int(sampler() * (1 << 62)))
        )
        other = self.get_game().new_initial_state()
        for event in record_of(match, determinizations[0])["events"]:
            for action in other.actions_of(event["do"]):
                other.apply_action(action)
        for _ in self._course.drawn:
            outcomes = other._outcomes()
            other.apply_action(outcomes[int(sampler() * len(outcomes))])
        return other  # type: ignore[no-any-return]

    def actions_of(self, text: str) -> list[int]:
        """The actions, in OpenSpiel's numbers, of an event that comes next."""
        match = self.match
        if match.actor != CHANCE:
            return [match.setup.action_numbers[text]]
        names = [match.game.chance_name(match.state, outcome) for outcome in range(rules.choices(match.state))]
        return [names.index(text)] if names else parse_cards(text.partition(" ")[2])[:-1]


class ParlourGame(pyspiel.Game):  # type: ignore[misc]
    """A game from its first event to its end; a class for each, since OpenSpiel keeps what makes it to the very end.

    Attributes:
        played: which game.
    """

    played: ClassVar[Game]

    def __init__(self, given: Mapping[str, Value]) -> None:
        self.setup = _setup_of(self.played, int(given["players"]), given)
        self.rewards = str(given["rewards"])
        check_rewards(self.rewards)
        bound = 1.0 if self.rewards == WIN else MOST_POINTS
        self._begin(_type_of(self.played, self.setup, self.rewards), MAX_CARDS, bound, given)

    def _begin(self, game_type: Any, outcomes: int, bound: float, given: Mapping[str, Value]) -> None:
        zero_sum = game_type.utility == pyspiel.GameType.Utility.ZERO_SUM
        about = pyspiel.GameInfo(
            num_distinct_actions=self.setup.num_actions,
            max_chance_outcomes=outcomes,
            num_players=self.setup.players,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=LONGEST,
        )
        super().__init__(game_type, about, dict(given))

    def __reduce__(self) -> tuple[Any, ...]:
        """By its name and parameters: OpenSpiel's own way leaves out what a game in Python has beside them."""
        return pyspiel.load_game, (self.get_type().short_name, self.get_parameters())

    def new_initial_state(self) -> Any:
        """The game before its first event."""
        return MatchState(self)

    def max_chance_nodes_in_history(self) -> int:
        """More chance events no game is taken to have."""
        return LONGEST

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> "Observer":
        """What tells what a player may know of a state."""
        return Observer(self.setup, kind or pyspiel.IIGObservationType(perfect_recall=False), parameters)


class EndState(MatchState):
    """The end of a game. First chance chooses one of the worlds that are possible by common knowledge."""

    def _outcomes(self) -> Sequence[int]:
        return range(len(self._worlds)) if self._course.start is None else super()._outcomes()

    @property
    def _worlds(self) -> Any:
        return self.get_game().worlds

    def _apply_action(self, action: int) -> None:
        if self._course.start is not None:
            super()._apply_action(action)
        elif action in self._outcomes():
            self._course = _course_of(self.match.setup, array_of(self._worlds[action])[0], (), [])
        else:
            raise IllegalError(f"there is no outcome {action} now")

    def _action_to_string(self, player: int, action: int) -> str:
        return f"world {action}" if self._course.start is None else super()._action_to_string(player, action)

    def __str__(self) -> str:
        start = self._course.start
        return "before" if start is None else f"{hashlib.sha256(start.tobytes()).hexdigest()}; {super().__str__()}"

    def information_state(self, seat: int) -> str:
        """A text that is the same exactly if the seat knew the same at the beginning of the end, and saw the same."""
        start = self._course.start
        known = b"" if start is None else observed_state(start, seat).tobytes()
        return hashlib.sha256(known + super().information_state(seat).encode()).hexdigest()

    def resample_from_infostate(self, player: int, sampler: Any) -> "MatchState":
        """Not of ends: their worlds are listed."""
        raise ParlourError("the worlds of an end are listed: use chance_outcomes() of its initial state")


class EndGame(ParlourGame):
    """The end of a game of two, so near that it can be solved: the one that ``parlour exact`` finds in a game.

    Beside the options its parameters are ``seed`` and ``number``, of the game that it is the end of, and ``nodes``, the
    size of the largest tree that will do.
    """

    def __init__(self, given: Mapping[str, Value]) -> None:
        self.setup, self.rewards = _setup_of(self.played, 2, given), WIN
        number, seed, nodes = (int(given[name]) for name in ("number", "seed", "nodes"))
        self.worlds = _worlds_of(self.setup, seed, number, nodes)
        outcomes = max(MAX_CARDS, len(self.worlds))
        self._begin(_end_type_of(self.played), outcomes, 1.0, given)

    def new_initial_state(self) -> Any:
        """Before a world is chosen."""
        return EndState(self)


@lru_cache(maxsize=8)
def _worlds_of(setup: Setup, seed: int, number: int, nodes: int) -> Any:
    """The worlds in which an end begins, as an array of states. Raises :class:`ParlourError`."""
    position = position_of(setup, seed, number, Limits(nodes=nodes))
    if position is None:
        raise ParlourError(f"no end of game {number} is within {nodes} nodes and decided by play: try another number")
    return position.game.roots


class Observer:
    """What a player may know of a state, as a text and, but for all that it has seen, as a tensor.

    Without private information it is what everyone may know, without public information what nobody else sees of the
    cards. With perfect recall the text is an information state, and there is no tensor: some games have no end to what
    is to be remembered.

    Attributes:
        tensor: the numbers of ``Observation.tensor``, or ``None``.
        dict: its planes by name.
    """

    def __init__(self, setup: Setup, kind: Any, parameters: Any) -> None:
        if parameters:
            raise ParlourError(f"an observer takes no parameters, but was given {parameters}")
        if kind.private_info not in (_ALONE, _OPEN):
            raise ParlourError(
                "an observer tells what one player knows, or what everyone does, not what all know together"
            )
        self._setup, self._kind = setup, kind
        self.tensor = None
        self.dict: dict[str, Any] = {}
        if kind.public_info and not kind.perfect_recall:
            self.tensor = np.zeros(setup.observation_shape, np.float32)
            self.dict = {plane.name: self.tensor[plane.slice] for plane in setup.observation_planes}

    def _viewer(self, player: int) -> int:
        return player if self._kind.private_info == _ALONE else SPECTATOR

    def set_from(self, state: MatchState, player: int) -> None:
        """Write the tensor."""
        if self.tensor is not None:
            viewer = self._viewer(player)
            self.tensor[:] = tensor_of(self._setup, state.match.observed(viewer), viewer)

    def string_from(self, state: MatchState, player: int) -> str:
        """The text."""
        viewer = self._viewer(player)
        if not self._kind.public_info:
            return _own_cards(state.match, player) if viewer != SPECTATOR else ""
        return (
            state.information_state(viewer) if self._kind.perfect_recall else observation_of(state.match, viewer).text
        )


def _own_cards(match: Match, seat: int) -> str:
    """Where there are cards that this seat knows and not everyone does."""
    zones = zip(observation_of(match, seat).zones, observation_of(match, SPECTATOR).zones, strict=True)
    pairs = [(own.name, own.at, sorted(set(own.texts) - set(all_see.texts))) for own, all_see in zones]
    return "; ".join(f"{name} {at}: {' '.join(cards)}" for name, at, cards in pairs if cards)


def _parameters_of(game: Game) -> dict[str, Value]:
    """The options as parameters, each with its default."""
    return {
        option.name: USUAL[type(option.values[0])] if callable(option.default) else option.default
        for option in game.options
    }


def _setup_of(game: Game, players: int, given: Mapping[str, Value]) -> Setup:
    """What is played with these parameters. Raises :class:`ParlourError`."""
    chosen: dict[str, Value] = {}
    for option in game.options:
        kind, value = type(option.values[0]), given[option.name]
        if callable(option.default) and value == USUAL[kind]:
            continue
        chosen[option.name] = bool(value) if kind is bool and value in (0, 1) else value
    return Setup(game, players, chosen)


def _type_of(game: Game, setup: Setup, rewards: str) -> Any:
    """What OpenSpiel is told of a game."""
    sides = sides_of(setup)
    even = rewards == WIN and len(sides) == 2 and len(sides[0]) == len(sides[1])
    parameters = {"players": game.usual_players, "rewards": WIN, **_parameters_of(game)}
    return _game_type(game.id, game.title, game.players, even, parameters)


def _end_type_of(game: Game) -> Any:
    parameters = {"seed": 0, "number": 0, "nodes": Limits().nodes, **_parameters_of(game)}
    return _game_type(f"{game.id}-end", f"{game.title}, an end", range(2, 3), True, parameters)


def _game_type(name: str, title: str, players: range, zero_sum: bool, parameters: Mapping[str, Value]) -> Any:
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
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(parameters),
        default_loadable="number" not in parameters,
        provides_factored_observation_string=True,
    )


def _register(game_type: Any, kind: type, game: Game) -> None:
    """Let OpenSpiel know a game by a class of its own, which pickled games name."""
    name = game_type.short_name
    globals()[name] = type(name, (kind,), {"played": game})
    pyspiel.register_game(game_type, globals()[name])


for _game in all_games():
    _register(_type_of(_game, Setup(_game, _game.usual_players), WIN), ParlourGame, _game)
    if 2 in _game.players:
        _register(_end_type_of(_game), EndGame, _game)
