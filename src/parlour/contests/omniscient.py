"""Bots that see all cards, to learn what secrecy is worth: *omniscient*, so they play nowhere but in the lab.

``open:regular`` is the bot ``regular`` but for one thing: where that one looks ahead in determinizations, this one
looks ahead in the true state. It tries every action there with the chance that is still to come and plays on by the
heuristic.
"""

from dataclasses import asdict, replace
from typing import Any

import numpy as np

from parlour.bots import LEVELS, HouseBot
from parlour.bots.compiled_observation import CompiledObservation
from parlour.bots.external import AnyBot, find_any_bot
from parlour.bots.levels import Level, mixed, parse_level
from parlour.bots.lookahead import TRY, outlook, play_on
from parlour.bots.search import Floats, Search
from parlour.engine.chance import random_bits, start_stream
from parlour.engine.compiled import compiled
from parlour.engine.determinization import observed_state
from parlour.engine.errors import ParlourError
from parlour.engine.rules import MAX_ACTIONS, MAX_CARDS, MAX_SEATS, array_of

OPEN = "open:"
"""Before a bot's id: the same bot, but it sees all cards."""


@compiled
def try_openly(
    state: Any,
    work: Any,
    seat: int,
    candidates: Any,
    values: Any,
    leads: Any,
    prospects: Any,
    seed: int,
    first: int,
    random: Any,
) -> int:
    """Try each candidate in the true state, and write its chance to win and its lead: as TRY of ``look``, unsampled."""
    actions = np.zeros(MAX_ACTIONS, np.int64)
    deck = np.zeros(MAX_CARDS, np.int64)
    scores = np.zeros(MAX_SEATS, np.int64)
    steps = 0
    for index in range(values.shape[0]):
        for which in range(values.shape[1]):
            start_stream(random, seed, first + index)
            work[1] = state[0]
            steps += play_on(work[1], candidates[which], False, actions, deck, random)
            values[index, which], leads[index, which] = outlook(work[1], seat, scores, prospects)
    return steps


class OpenSearch(Search):
    """A search one action ahead in the true state. What a score is worth it learns from determinizations."""

    def __init__(self, state: Any, seat: int, actions: Any, seed: int) -> None:
        self._truth = array_of(state)
        super().__init__(observed_state(state, seat), seat, actions, seed)

    def _look(self, task: int, candidates: Any, values: Floats, leads: Floats, first: int) -> int:
        if task != TRY:
            return super()._look(task, candidates, values, leads, first)
        steps = try_openly(
            self._truth, self._work, self.seat, candidates, values, leads, self._prospects, self._seed, first,
            self._random,
        )  # fmt: skip
        self.steps += steps
        return int(steps)


class OpenLevel(Level):
    """How a bot with open cards comes to its decisions; its sights hold the true state."""

    def at_once(self, observation: CompiledObservation) -> int | None:
        """As any level: what it does without looking ahead, it does by what its seat knows."""
        return super().at_once(replace(observation, state=observed_state(observation.state, observation.seat)))

    def weigh(self, observation: CompiledObservation) -> tuple[Any, Floats]:
        """As any level, by a search that sees all."""
        search = OpenSearch(observation.state, observation.seat, observation.actions, random_bits(observation.random))
        search.halve(self.effort)
        return search.actions, mixed(search.values, search.eligible(), self.temperature)


class OmniscientBot(HouseBot):
    """A bot that is to be given the true state."""


def is_omniscient(bot_id: str) -> bool:
    """Whether a bot sees all cards."""
    return bot_id.startswith(OPEN)


def find_player(bot_id: str) -> AnyBot:
    """A bot that may play in the lab: any, or one with open cards. Raises :class:`ParlourError`."""
    if not is_omniscient(bot_id):
        return find_any_bot(bot_id)
    fair = bot_id.removeprefix(OPEN)
    level = parse_level(fair.removeprefix("search:")) if fair.startswith("search:") else LEVELS.get(fair)
    if level is None or not level.effort:
        able = ", ".join(name for name, each in LEVELS.items() if each.effort)
        raise ParlourError(f"{bot_id}: open cards are for bots that look ahead: {able}, search:effort=N")
    openly = OpenLevel(**asdict(level))
    return OmniscientBot(bot_id, f"{fair}, open", "sees all cards: for study", openly.choose)
