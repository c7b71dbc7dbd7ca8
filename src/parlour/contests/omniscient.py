"""Omniscient bots, which see all cards: they measure the value of secrecy and play only in contests.

``open:regular`` is the bot ``regular`` with a different search: always of one ply, and in the true state instead of
determinizations. In this state it tries actions, with random future chance events, and continues by the heuristic.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace

import numpy as np

from parlour.bots import LEVELS, BuiltinBot
from parlour.bots.compiled_observation import CompiledObservation
from parlour.bots.external import OPEN, AnyBot, find_any_bot
from parlour.bots.game_levels import settings_of
from parlour.bots.levels import Level
from parlour.bots.lookahead import TRY, play_on, value_and_lead
from parlour.bots.search import Search
from parlour.engine.arrays import Floats, Int64s, States, Stream
from parlour.engine.chance import random_bits, start_stream
from parlour.engine.compiled import compiled
from parlour.engine.errors import ParlourError
from parlour.engine.information.determinization import observed_state
from parlour.engine.moves import Move
from parlour.engine.rules import ACTION_ROOM, MAX_CARDS, MAX_SEATS, array_of
from parlour.engine.typed_state import AnyState


@compiled
def try_in_true_state(
    state: States,
    work: States,
    seat: int,
    candidates: Int64s,
    values: Floats,
    leads: Floats,
    lead_model: Floats,
    seed: int,
    first: int,
    random: Stream,
) -> int:
    """Try each candidate in the true state; write the probability of winning and the lead, as ``look_ahead`` does."""
    actions = np.zeros(ACTION_ROOM, np.int64)
    deck = np.zeros(MAX_CARDS, np.int64)
    scores = np.zeros(MAX_SEATS, np.int64)
    steps = 0
    for index in range(values.shape[0]):
        for which in range(values.shape[1]):
            start_stream(random, seed, first + index)
            work[1] = state[0]
            steps += play_on(work[1], candidates[which], False, actions, deck, random)
            values[index, which], leads[index, which] = value_and_lead(work[1], seat, scores, lead_model)
    return steps


class OpenSearch(Search):
    """One-ply search in the true state; determinizations give the value of scores."""

    def __init__(
        self,
        state: AnyState,
        seat: int,
        moves: Sequence[int] | Int64s,
        seed: int,
        effort: int,
        preference: Floats | None = None,
        points: float = 0.0,
    ) -> None:
        self._truth = array_of(state)
        own = observed_state(state, seat)
        super().__init__(own, seat, moves, seed, effort=effort, preference=preference, points=points, belief=0)

    def _look_ahead(self, task: int, candidates: Int64s, values: Floats, leads: Floats, first: int) -> int:
        if task != TRY:
            return super()._look_ahead(task, candidates, values, leads, first)
        steps = try_in_true_state(
            self._truth, self._work, self.seat, candidates, values, leads, self._lead_model, self._seed, first,
            self._random,
        )  # fmt: skip
        self.steps += steps
        return int(steps)


def compile_open_search(observation: CompiledObservation) -> None:
    """Compile the search in the true state, or load it."""
    OpenSearch(observation.state, observation.seat, observation.moves, 0, effort=1).cost()


class OpenLevel(Level):
    """Level of an omniscient bot; its observations hold the true state."""

    def at_once(self, observation: CompiledObservation) -> Move | None:
        """Choose without search from the seat's own observation, like any level."""
        return super().at_once(_own_observation(observation))

    def search(self, observation: CompiledObservation) -> Search:
        """Search the true state, one action ahead."""
        search = OpenSearch(
            observation.state, observation.seat, observation.moves, random_bits(observation.random), self.effort,
            self.preference(_own_observation(observation)), self.points / 100,
        )  # fmt: skip
        search.halve(max(0, self.effort - search.steps))
        return search


def _own_observation(observation: CompiledObservation) -> CompiledObservation:
    """Return the seat's own observation for an observation with the true state."""
    return replace(observation, state=observed_state(observation.state, observation.seat))


class OmniscientBot(BuiltinBot):
    """Bot whose observations hold the true state."""


def is_omniscient(bot_id: str) -> bool:
    """Return whether a bot is omniscient."""
    return bot_id.startswith(OPEN)


def find_player(bot_id: str) -> AnyBot:
    """Return a bot for a contest; the bot may be omniscient. Raises :class:`ParlourError`."""
    if not is_omniscient(bot_id):
        return find_any_bot(bot_id)
    fair = bot_id.removeprefix(OPEN)
    settings = settings_of(fair)
    if settings is None or not settings.usual.effort:
        able = ", ".join(name for name, each in LEVELS.items() if each.effort)
        raise ParlourError(f"{bot_id}: open cards are for bots that look ahead: {able}, search, search:effort=N")

    def choose(observation: CompiledObservation) -> Move:
        return OpenLevel(**asdict(settings.in_game(observation.game))).choose(observation)

    return OmniscientBot(bot_id, f"{fair}, open", "sees all cards: for study", choose, searches=True)
