"""What a level forgets, and how it mixes what seems best."""

from dataclasses import replace

import numpy as np
import pytest

from parlour.bots import LEVELS
from parlour.bots.levels import Level, mixed
from parlour.bots.policies import choose_forgetfully
from parlour.bots.sight import Sight, sight_of
from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import play_at_random

STREAMS = 20
"""Streams with which a decision is taken anew."""


def sights():
    """What seats see at the decisions of a few random games of Trime Kicker."""
    for seed in range(1, 6):
        for match in play_at_random(Match(Setup(find_game("trime-kicker"), 2)), seed):
            if match.actor >= 0 and len(match.actions()) > 1:
                yield sight_of(match, new_stream(seed))


def choices(level: Level, sight: Sight, streams: int = STREAMS) -> set[int]:
    """What a level chooses, over several streams."""
    return {level.choose(replace(sight, random=new_stream(seed))) for seed in range(streams)}


@pytest.fixture(scope="module")
def turning() -> Sight:
    """A decision in which the rule of thumb goes by cards that everyone has seen."""
    for sight in sights():
        if not choices(Level(memory=0), sight, 2) & choices(Level(memory=100), sight, 2):
            return sight
    raise AssertionError("the rule of thumb never goes by the cards that were played")


class TestMemory:
    def test_who_remembers_nothing_chooses_otherwise_than_who_remembers_all(self, turning: Sight) -> None:
        assert not choices(Level(memory=0), turning) & choices(Level(memory=100), turning)

    def test_who_remembers_half_does_both(self, turning: Sight) -> None:
        without, within = choices(Level(memory=0), turning), choices(Level(memory=100), turning)
        found = choices(Level(memory=50), turning, 3 * STREAMS)
        assert found & without
        assert found & within

    def test_the_beginner_forgets_everything_and_all_others_nothing(self) -> None:
        assert {level: LEVELS[level].memory for level in LEVELS} == {
            "beginner": 0, "casual": 100, "regular": 100, "expert": 100, "master": 100,
        }  # fmt: skip

    def test_what_is_forgotten_for_a_decision_is_not_lost_for_the_next(self, turning: Sight) -> None:
        before = int(turning.state.public)
        choose_forgetfully(turning, 0)
        assert int(turning.state.public) == before != 0


class TestTemperature:
    @pytest.mark.parametrize("temperature", [0, 0.01])
    def test_what_may_not_be_chosen_has_no_chance_however_good_it_looks(self, temperature: float) -> None:
        chances = mixed(np.array([0.9, 0.2, 0.3]), np.array([0, 1, 1]), temperature)
        assert chances[0] == 0
        assert chances.sum() == pytest.approx(1)
        assert chances[2] > chances[1]

    def test_at_zero_the_best_of_what_may_be_chosen_is_certain(self) -> None:
        assert mixed(np.array([0.9, 0.2, 0.3]), np.array([0, 1, 1]), 0).tolist() == [0, 0, 1]

    def test_what_is_worse_by_the_temperature_is_chosen_about_a_third_as_often(self) -> None:
        chances = mixed(np.array([0.5, 0.48]), np.ones(2), 0.02)
        assert chances[1] / chances[0] == pytest.approx(np.exp(-1))
