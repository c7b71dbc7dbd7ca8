"""Solved ends of games, by number, and best responses to policies in them: from Python and the command line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.bots import find_bot
from parlour.endgames.common_knowledge import SEATS
from parlour.endgames.endgame_tree import InformationSet, TreeLimits
from parlour.endgames.equilibrium import chances_by_set, plan_of
from parlour.endgames.exact import (
    ExactResult,
    ExactWork,
    SolvedEndgame,
    distance_of_plans,
    measure,
    position_of,
    responses_to,
    strategy_of,
)
from parlour.engine.arrays import Floats
from parlour.engine.errors import ParlourError, PlayersError
from parlour.engine.observation import Observation, observe
from parlour.engine.setup import Setup, as_setup
from parlour.engine.validation import shown, whole
from parlour.jobs.setup_work import compile_search
from parlour.jobs.tasks import Placement

NODES = 200_000
"""Default for the largest game tree to solve, in nodes."""

Policy = str | Callable[[Observation], Any] | Any
"""A built-in bot by its id, a bot object, or a function from an observation to probabilities."""


@dataclass(frozen=True)
class Response:
    """Best responses to a policy in an end, as shares of first place; means over both seats.

    Attributes:
        values: for each seat the value of a best response to the policy in the other seat.
        exploitability: the gain of a best response over the value of the end.
        loss: the loss of the policy against an equilibrium.
    """

    values: tuple[float, float]
    exploitability: float
    loss: float


@dataclass(frozen=True)
class End:
    """End of a game of two players, solved exactly.

    Attributes:
        setup: the setup.
        seed: the seed of the run.
        number: the number of the game that it ends.
        position: the tree with its equilibrium.
    """

    setup: Setup
    seed: int
    number: int
    position: SolvedEndgame

    @property
    def value(self) -> float:
        """Return seat 0's share of first place in an equilibrium."""
        return self.position.solved.value

    @property
    def nodes(self) -> int:
        """Return the number of nodes of the tree."""
        return self.position.game.nodes

    @property
    def worlds(self) -> int:
        """Return the number of states that are possible by common knowledge."""
        return self.position.game.worlds

    def decisions(self, seat: int) -> list[Observation]:
        """Return the observations of a seat at its decisions among several actions, without past events."""
        return [self._observation(seat, each) for each in self.position.game.sets[_seat(seat)]]

    def equilibrium(self, seat: int) -> list[dict[str, float]]:
        """Return the probabilities of a seat's actions in an equilibrium, in the order of :meth:`decisions`.

        They are equal at a decision that the seat's own strategy never reaches.
        """
        game = self.position.game
        found = chances_by_set(game, seat, self.position.solved.plans[_seat(seat)])
        return [
            dict(zip(self._texts(each), chances.tolist(), strict=True))
            for each, chances in zip(game.sets[seat], found, strict=True)
        ]

    def best_response(self, policy: Policy, samples: int = 4) -> Response:
        """Return the best responses to a policy that plays one seat, then the other.

        Args:
            policy: a built-in bot by its id; an object with ``choose(observation)`` or, better,
                ``chances(observation)``; or a function of an observation. ``chances`` and functions return the
                probability of each legal action, in the order of ``observation.legal`` or by text.
            samples: for a built-in bot, the number of samples of its probabilities per decision.

        Raises:
            ParlourError: there is no such bot, or a policy returns no probabilities.
        """
        samples = whole("samples", samples, 1)
        plans = [self._plan(seat, policy, samples) for seat in range(SEATS)]
        first, second = responses_to(self.position, plans)
        distance = distance_of_plans(self.position, plans, (first, second))
        return Response((first, second), distance.exploitability, distance.loss)

    def _plan(self, seat: int, policy: Policy, samples: int) -> Floats:
        if isinstance(policy, str):
            bot, game = find_bot(policy), self.position.game
            return strategy_of(bot, self.setup.game.id, game, seat, samples, self.number)
        chances = []
        for each, seen in zip(self.position.game.sets[seat], self.decisions(seat), strict=True):
            by_text = _chances_of(policy, seen)
            chances.append(np.array([by_text[text] for text in self._texts(each)]))
        return plan_of(self.position.game, seat, chances)

    def _texts(self, decision: InformationSet) -> list[str]:
        return [self.setup.game.name(decision.observation, move) for move in decision.moves.tolist()]

    def _observation(self, seat: int, decision: InformationSet) -> Observation:
        return observe(self.setup, decision.observation, seat, (), sorted(self._texts(decision)))


def _seat(seat: int) -> int:
    if seat not in range(SEATS):
        raise ParlourError(f"the seats of an end are 0 and 1, not {shown(seat)}")
    return seat


def _chances_of(policy: Any, seen: Observation) -> dict[str, float]:
    """Return the probability that a policy gives to each legal action. Raises :class:`ParlourError`."""
    if hasattr(policy, "choose") and not hasattr(policy, "chances"):
        chosen = policy.choose(seen)
        text = chosen if isinstance(chosen, str) else seen.setup.action_name(chosen)
        found: Any = {text: 1.0}
    else:
        function = getattr(policy, "chances", policy)
        if not callable(function):
            raise ParlourError(f"a policy is a bot's id, a bot or a function of an observation, not {shown(policy)}")
        found = function(seen)
    if not isinstance(found, Mapping):
        try:
            listed = np.asarray(found, float)
        except (TypeError, ValueError):  # texts, or rows of different lengths
            listed = np.zeros(0)
        if listed.shape != (len(seen.legal),):
            raise ParlourError(
                f"a policy returned {shown(found)}, not a probability for each of {len(seen.legal)} actions"
            )
        found = dict(zip(seen.legal, listed.tolist(), strict=True))
    chances = {text: float(found.get(text, 0.0)) for text in seen.legal}
    are_shares = all(chance >= 0 for chance in chances.values()) and abs(sum(chances.values()) - 1) <= 1e-6
    if not found.keys() <= chances.keys() or not are_shares:  # a comparison with NaN is false
        raise ParlourError(f"a policy returned {shown(found)}, which are no probabilities of {', '.join(seen.legal)}")
    return chances


def _check(setup: Setup) -> None:
    if as_setup(setup).players != SEATS:
        raise PlayersError(f"exact values exist for two players, not for {setup.players}")


def _limits(nodes: int) -> TreeLimits:
    return TreeLimits(nodes=whole("nodes", nodes, 1))


def endgame(setup: Setup, number: int, seed: int = 0, nodes: int = NODES) -> End:
    """Return the solved end of a game by its number, as ``parlour ends`` lists them.

    Args:
        setup: a setup for two players.
        number: the number of the game among those of the seed.
        seed: the seed of the games.
        nodes: the largest game tree to solve; the end begins at the earliest decision within it. An end of a list needs
            the list's number, which is 20,000 by default.

    Raises:
        ParlourError: this game has no such end.
    """
    _check(setup)
    compile_search(setup.game)
    position = position_of(setup, seed, whole("the number of a game", number, 0), _limits(nodes))
    if position is None:
        raise ParlourError(f"no end of game {number} is within {nodes} nodes and decided by play: try another number")
    return End(setup, seed, number, position)


def best_response(
    setup: Setup, policy: Policy, number: int, seed: int = 0, nodes: int = NODES, samples: int = 4
) -> Response:
    """Return the best responses to a policy in the end of a game (:func:`endgame`, :meth:`End.best_response`)."""
    return endgame(setup, number, seed, nodes).best_response(policy, samples)


def exact(
    setup: Setup,
    bots: Sequence[str],
    positions: int = 20,
    *,
    samples: int = 4,
    nodes: int = NODES,
    hard: bool = False,
    seed: int = 0,
    cores: int | None = 1,
    on: str = "",
) -> ExactResult:
    """Measure how far bots are from optimal play in solved ends, as ``parlour exact`` does.

    Args:
        setup: a setup for two players.
        bots: ids of built-in bots.
        positions: the number of ends, at least 2.
        samples: the number of samples of each bot's probabilities per decision.
        nodes: the largest game tree to solve, in nodes.
        hard: whether ends count only if the heuristic loses a hundredth of first place or more in them.
        seed: the seed of the games.
        cores: the number of games at a time, ``None`` for all cores.
        on: another place than this machine, as in :func:`parlour.match`.

    Returns:
        the result; ``estimates(bot)`` are the loss to an equilibrium and the exploitability, with intervals.

    Raises:
        TooFewError: there are too few such ends.
        ParlourError: an argument is invalid.
    """
    _check(setup)
    named = (bots,) if isinstance(bots, str) else tuple(bots)
    result = ExactResult(ExactWork(setup, seed, named, whole("samples", samples, 1), _limits(nodes), hard))
    measure(result, whole("the number of positions", positions, 2), Placement(cores, on))
    return result
