"""Learned bots: linear policies from files (:mod:`parlour.learning`), without search."""

from collections.abc import Callable
from pathlib import Path
from threading import local

import numpy as np

from parlour.bots.compiled_observation import CompiledObservation
from parlour.bots.heuristic_chances import heuristic_chances
from parlour.bots.policies import drawn_move
from parlour.engine.arrays import Floats
from parlour.engine.errors import ParlourError
from parlour.engine.moves import Move
from parlour.engine.rules import ACTION_ROOM, array_of
from parlour.engine.setup import Setup
from parlour.learning.policy_file import LearnedPolicy, read_policy, shipped_policy
from parlour.learning.policy_loop import Scratch, new_scratch, weigh_actions

LEARNED = "learned"
"""The id of the bot with the policies that games ship."""
FROM_FILE = "learned:"
"""The beginning of the id of a bot with the policy of a file."""

_of_thread = local()

Weigh = Callable[[CompiledObservation], Floats]
"""Function that returns the probability of each move of an observation."""


def preferred_chances(observation: CompiledObservation) -> Floats | None:
    """Return the probabilities of the policy that the game ships if it is clearly better than the heuristic."""
    policy = shipped_policy(observation.game, int(observation.state.seats))
    return chances_by(policy, observation) if policy and policy.is_clearly_better else None


def shipped_chances(observation: CompiledObservation) -> Floats:
    """Return the probabilities of the policy that the game ships for this number of players, else the heuristic's."""
    policy = shipped_policy(observation.game, int(observation.state.seats))
    return chances_by(policy, observation) if policy else heuristic_chances(observation)


def chances_from_file(path: str) -> tuple[Weigh, str]:
    """Return a function that weighs moves by the policy in a file, and its version. Raises :class:`ParlourError`."""
    policy = read_policy(Path(path), path)

    def weigh(observation: CompiledObservation) -> Floats:
        learned = policy.setup.game.id, policy.setup.players
        if learned != (observation.game, int(observation.state.seats)):
            raise ParlourError(f"{path} has learned {policy.setup.label}, and cannot play anything else")
        return chances_by(policy, observation)

    return weigh, policy.version


def chances_by(policy: LearnedPolicy, observation: CompiledObservation) -> Floats:
    """Return the probability of each move by a policy, for a game and number of players that it has learned."""
    number = len(observation.moves)
    chances = np.ones(number)
    if number > 1:
        actions = np.zeros(ACTION_ROOM, np.int64)
        actions[:number] = observation.moves
        weigh_actions(
            array_of(observation.state), observation.seat, actions, number, observation.random, policy.weights,
            policy.scales, _scratch_for(policy), chances,
        )  # fmt: skip
    return chances


def draw(weigh: Weigh) -> Callable[[CompiledObservation], Move]:
    """Return the function that draws a move from the probabilities."""

    def choose(observation: CompiledObservation) -> Move:
        return drawn_move(observation.moves, weigh(observation), observation.random)

    return choose


def _scratch_for(policy: LearnedPolicy) -> Scratch:
    """Return this thread's scratch space for decisions of a policy."""
    scratches: dict[Setup, Scratch] = _of_thread.__dict__.setdefault("scratches", {})
    if policy.setup not in scratches:
        scratches[policy.setup] = new_scratch(policy.setup)
    return scratches[policy.setup]
