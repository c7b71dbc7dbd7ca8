"""Kinds of player: a bot's own choices, modified by a preference or by a bad memory; for any game and any bot.

A kind receives the observation of its seat, as an external bot does, and asks the modified bot for its choice. A
preference tries the legal actions in determinizations of the observation, with the same chance events for all, and lets
the heuristic play the round to its end. It then chooses among the actions whose mean lead is within :data:`MARGIN` of
that of the modified bot's choice. A bad memory takes the place of the bot's choice where the heuristic would choose
another action without the cards seen.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from parlour.bots.lookahead import CARELESS
from parlour.bots.observation_bot import compiled_from
from parlour.bots.policies import choose_by_heuristic, forget_cards
from parlour.bots.protocol import Answer
from parlour.engine.arrays import Bools, Floats, Stream
from parlour.engine.chance import new_stream, random_bits
from parlour.engine.errors import ParlourError
from parlour.engine.observation import Observation
from parlour.engine.rewards import sides_of
from parlour.engine.rules import CERTAIN, PlainState
from parlour.engine.simulation.play_out_policies import HEURISTIC, ROUND

DETERMINIZATIONS = 64
"""Number of determinizations in which a preference tries the actions."""
MARGIN = 0.25
"""The mean lead at the end of the round that a preference may give up, in standard deviations of the lead after the
bot's own choice.
"""
NO_SIDE = -1
"""Marker instead of the number of a side: nothing to avenge yet."""


@dataclass(frozen=True)
class Outcomes:
    """Ends of the round after each of *k* actions in the same *n* determinizations.

    Attributes:
        leads: the lead of the seat's side over the best other side: n × k.
        own: the points of the seat's side: n × k.
        avenged: the points of the side on which the player takes revenge: n × k; ``None`` if there is none.
    """

    leads: Floats
    own: Floats
    avenged: Floats | None

    def near(self, chosen: int) -> Bools:
        """Return a mask of the actions whose mean lead is within the margin of the chosen action's."""
        means = self.leads.mean(axis=0)
        near: Bools = means >= means[chosen] - MARGIN * self.leads[:, chosen].std()
        return near


def _cautious(outcomes: Outcomes) -> Floats:
    spread: Floats = -outcomes.leads.std(axis=0)
    return spread


def _greedy(outcomes: Outcomes) -> Floats:
    points: Floats = outcomes.own.mean(axis=0)
    return points


def _vindictive(outcomes: Outcomes) -> Floats | None:
    return None if outcomes.avenged is None else -outcomes.avenged.mean(axis=0)


PREFERENCES: dict[str, Callable[[Outcomes], Floats | None]] = {
    "cautious": _cautious,
    "greedy": _greedy,
    "vindictive": _vindictive,
}
"""For each preference the function that rates the actions, higher is better; it returns ``None`` for no rating."""
FORGETFUL = "forgetful"
KINDS = {
    "cautious": "takes the action whose outcome varies least",
    "greedy": "takes most points in this round",
    "vindictive": "hurts the side that last gained on it",
    FORGETFUL: "plays by the rule of thumb without the cards seen, where they would matter to it",
}
"""What each kind does, as the end of a sentence about a bot."""


def split_kinds(bot_id: str) -> tuple[str, tuple[str, ...]]:
    """Split ``"expert+greedy+forgetful"`` into the bot's id and its kinds.

    Only words at the end that are kinds count; the command of a program may contain other plus signs.

    Raises:
        ParlourError: a kind is named twice, or there are two preferences.
    """
    *parts, last = bot_id.split("+")
    kinds: list[str] = []
    while parts and last in KINDS:
        kinds.insert(0, last)
        *parts, last = parts
    twice = [kind for kind in KINDS if kinds.count(kind) > 1]
    if twice:
        raise ParlourError(f"{bot_id} is {twice[0]} twice; each kind of player is named once")
    preferences = [kind for kind in kinds if kind in PREFERENCES]
    if len(preferences) > 1:
        raise ParlourError(
            f"{bot_id} is {preferences[0]} and {preferences[1]}; a player has one preference, and may be forgetful too"
        )
    return "+".join([*parts, last]), tuple(kinds)


def kind_description(bot_id: str, kinds: tuple[str, ...]) -> str:
    """Return what a kind of player does, as the end of a sentence."""
    preferences = [KINDS[kind] for kind in kinds if kind in PREFERENCES]
    near = [f"{preferences[0]} of those nearly as good as what {bot_id} would play"] if preferences else []
    return " and ".join([*near, *([KINDS[FORGETFUL]] if FORGETFUL in kinds else [])])


class PlayerOfAKind:
    """Player of one game that modifies the choices of another bot.

    ``bot`` chooses from observations and receives the calls of ``begin`` and ``end``.
    """

    def __init__(self, bot: Any, kinds: tuple[str, ...], stream: Stream) -> None:
        self._bot, self._kinds, self._random = bot, kinds, stream
        self._preference = next((PREFERENCES[kind] for kind in kinds if kind in PREFERENCES), None)
        self._scores: Floats | None = None
        self._avenge = NO_SIDE

    def begin(self, setup: Any, seat: int) -> None:
        """Begin a game."""
        self._scores, self._avenge = None, NO_SIDE
        if hasattr(self._bot, "begin"):
            self._bot.begin(setup, seat)

    def end(self, result: Any) -> None:
        """End a game."""
        if hasattr(self._bot, "end"):
            self._bot.end(result)

    def choose(self, observation: Observation) -> Answer:
        """Return the text of an action; the bot's own answer if that is no legal action or the only one."""
        answer: Answer = self._bot.choose(_without_shared_lists(observation))
        self._remember(observation)
        chosen = _text_of(observation, answer)
        if chosen is None or len(observation.legal) == 1:
            return answer
        if FORGETFUL in self._kinds:
            chosen = self._forgetful(observation, chosen)
        return self._preferred(observation, chosen) if self._preference else chosen

    def _forgetful(self, observation: Observation, chosen: str) -> str:
        """Return the heuristic's action without memory of seen cards if that memory matters to it, else ``chosen``."""
        compiled, seed = compiled_from(observation, self._random), random_bits(self._random)
        with_memory, without_memory = (
            int(choose_by_heuristic(replace(each, random=new_stream(seed))))  # equal values have equal draws
            for each in (compiled, forget_cards(compiled, 0))
        )
        if with_memory == without_memory:
            return chosen
        return observation.setup.game.name(compiled.state, without_memory)

    def _preferred(self, observation: Observation, chosen: str) -> str:
        """Return the action of greatest preference among those about as good as the chosen one."""
        assert self._preference is not None
        outcomes, texts = self._outcomes(observation)
        worth = self._preference(outcomes)
        if worth is None:
            return chosen
        own = texts.index(chosen)
        worth = np.where(outcomes.near(own), worth, -np.inf)
        return texts[own if worth[own] >= worth.max() else int(worth.argmax())]

    def _outcomes(self, observation: Observation) -> tuple[Outcomes, list[str]]:
        """Return the outcomes of the legal actions, and the actions' texts in the same order."""
        setup, texts = observation.setup, list(observation.legal)
        numbers = [setup.action_numbers[text] for text in texts]
        games = observation.determinize(DETERMINIZATIONS, random_bits(self._random))
        scores = games.try_actions(numbers, HEURISTIC, ROUND, CARELESS / CERTAIN).scores
        points = _by_side(scores.astype(float), sides_of(setup))
        own = _side_of(setup, observation.seat)
        others = np.delete(points, own, axis=2)
        avenged = None if self._avenge == NO_SIDE else points[:, :, self._avenge]
        return Outcomes(points[:, :, own] - others.max(axis=2), points[:, :, own], avenged), texts

    def _remember(self, observation: Observation) -> None:
        """Note the side that gained most on the player's side since its last decision; of two sides, the other one."""
        sides, own = sides_of(observation.setup), _side_of(observation.setup, observation.seat)
        scores = _by_side(np.array(observation.standing.scores, float), sides)
        if len(sides) == 2:
            self._avenge = 1 - own
        elif self._scores is not None:
            gains = scores - self._scores
            gains -= gains[own]
            if gains.max() > 0:
                self._avenge = int(gains.argmax())
        self._scores = scores


def _by_side(scores: Floats, sides: tuple[tuple[int, ...], ...]) -> Floats:
    """Return the mean points of each side's seats; the last axis is of seats in ``scores``, of sides in the result."""
    return np.stack([scores[..., list(side)].mean(axis=-1) for side in sides], axis=-1)


def _side_of(setup: Any, seat: int) -> int:
    return next(number for number, side in enumerate(sides_of(setup)) if seat in side)


def _without_shared_lists(observation: Observation) -> Observation:
    """Return an equal observation for the modified bot, which may change the lists and the state that it receives."""
    state = PlainState.of(observation.observed)
    return replace(observation, legal=list(observation.legal), events=list(observation.events), observed=state)


def _text_of(observation: Observation, answer: Any) -> str | None:
    """Return the legal action that an answer names, or ``None``."""
    if isinstance(answer, int):
        try:
            answer = observation.setup.action_name(answer)
        except ParlourError:
            return None
    return answer if answer in observation.legal else None
