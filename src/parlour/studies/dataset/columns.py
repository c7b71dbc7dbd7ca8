"""Columns of a data set: the decisions and the games of a shard, from the results of its games."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from parlour.cards import set_of
from parlour.contests.contest import Deal
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rewards import rewards_of
from parlour.engine.rules import CHANCE, new_states
from parlour.engine.setup import Setup
from parlour.engine.simulation.batch import Batch
from parlour.extras import extra
from parlour.studies.dataset.plan import DatasetPlan

_BATCH_SIZE = 512
"""Number of decisions whose observations are computed together."""


class Decisions:
    """The decisions of the games of a shard, as columns.

    Attributes:
        columns: lists by name, one item for each decision; the observations are kept apart.
    """

    def __init__(self, plan: DatasetPlan, deals: Sequence[Deal], with_observations: bool) -> None:
        self._setup, self._with_observations = plan.setup, with_observations
        names = ("game", "step", "seat", "bot", "legal", "action", "reward", "score")
        self.columns: dict[str, Any] = {name: [] for name in names}
        self._observations: list[Any] = []
        self._states: list[Any] = []
        for deal in deals:
            (played,) = deal.games
            rewards = _rewards(plan.setup, played)
            for step, (seat, action) in enumerate(self._replay(played.record)):
                row = plan.first + deal.number, step, seat, plan.bots[played.bots[seat]], action
                for name, value in zip(("game", "step", "seat", "bot", "action"), row, strict=True):
                    self.columns[name].append(value)
                self.columns["reward"].append(rewards[seat])
                self.columns["score"].append(played.scores[seat])
        self._observe()

    def _replay(self, record: Any) -> Any:
        """Replay a game; yield the seat and the action of each decision, and store the state before it."""
        match, numbers = Match(self._setup, COMPILED, observed=False), self._setup.action_numbers
        for each in record["events"]:
            event = Event.from_json(each)
            if event.by != CHANCE:
                self._states.append(match.state.copy())
                yield event.by, numbers[event.do]
            match.apply_event(event)
            if len(self._states) == _BATCH_SIZE:
                self._observe()

    def _observe(self) -> None:
        """Add the legal actions, in ascending order, and the observations of the stored states."""
        if not self._states:
            return
        states = new_states(self._setup.game.dtype, len(self._states))
        for index, state in enumerate(self._states):
            states[index] = state
        batch = Batch.of_states(self._setup, states, np.zeros(len(states), np.uint64), 0)
        self.columns["legal"] += map(sorted, batch.legal_actions())
        if self._with_observations:
            self._observations.append(batch.observe(tensor=batch.new_tensor(np.int16)).tensor)
        self._states.clear()

    def table(self) -> Any:
        """Return the columns as a Polars data frame."""
        polars = extra("polars", "data sets need")
        kinds = {
            "game": polars.Int64,
            "step": polars.Int32,
            "seat": polars.Int8,
            "bot": polars.String,
            "legal": polars.List(polars.Int32),
            "action": polars.Int32,
            "reward": polars.Float32,
            "score": polars.Int64,
        }
        table = polars.DataFrame(self.columns, schema=kinds)
        if not self._with_observations:
            return table
        size = self._setup.observation_shape[0]
        cells = np.concatenate([np.zeros((0, size), np.int16), *self._observations])
        column = polars.Series("observation", cells, dtype=polars.Array(polars.Int16, size))
        return table.insert_column(4, column)


def games_table(plan: DatasetPlan, deals: Sequence[Deal]) -> Any:
    """Return the games of a shard as a Polars data frame."""
    polars = extra("polars", "data sets need")
    rows = [_game_row(plan, deal) for deal in deals]
    kinds = {
        "game": polars.Int64,
        "bots": polars.List(polars.String),
        "scores": polars.List(polars.Int64),
        "winners": polars.List(polars.Int8),
        "rewards": polars.List(polars.Float32),
        "decisions": polars.Int32,
        "forfeit": polars.Int8,
        "reason": polars.String,
        "record": polars.String,
    }
    return polars.DataFrame(rows, schema=kinds)


def _game_row(plan: DatasetPlan, deal: Deal) -> dict[str, Any]:
    (played,) = deal.games
    assert played.record is not None
    return {
        "game": plan.first + deal.number,
        "bots": [plan.bots[bot] for bot in played.bots],
        "scores": list(played.scores),
        "winners": list(played.winners),
        "rewards": _rewards(plan.setup, played),
        "decisions": sum(Event.from_json(each).by != CHANCE for each in played.record["events"]),
        "forfeit": played.forfeit.seat if played.forfeit else None,
        "reason": played.forfeit.reason if played.forfeit else None,
        "record": json.dumps(played.record),
    }


def _rewards(setup: Setup, played: Any) -> list[float]:
    winners = np.array([set_of(played.winners)])
    rewards: list[float] = rewards_of(setup, np.array([played.scores]), winners)[0].tolist()
    return rewards
