"""What a level forgets, and how it mixes what seems best."""

from dataclasses import replace

import numpy as np
import pytest

from parlour.bots import LEVELS, policies
from parlour.bots.compiled_observation import CompiledObservation, compiled_observation_of
from parlour.bots.levels import Level, mixed
from parlour.cards import count
from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import play_at_random


@pytest.fixture
def observation() -> CompiledObservation:
    """A decision of 3 Tricks in which everyone has seen many cards."""
    for match in play_at_random(Match(Setup(find_game("three-tricks"), 2)), 2):
        if match.actor >= 0 and len(match.moves()) > 1 and count(match.state.public) >= 8:
            return compiled_observation_of(match, new_stream(1))
    raise AssertionError("there is no such decision in the game")


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch):
    """Decides by a level; returns the state by which the rule of thumb then chooses."""
    states = []

    def choose(observation: CompiledObservation) -> int:
        states.append(observation.state)
        return int(observation.moves[0])

    monkeypatch.setattr(policies, "choose_by_heuristic", choose)

    def decide(level: Level, observation: CompiledObservation, seed: int = 1):
        level.choose(replace(observation, random=new_stream(seed)))
        return states[-1]

    return decide


class TestMemory:
    def test_the_beginner_knows_no_card_that_was_played_and_all_of_its_own(
        self, observation: CompiledObservation, remembered
    ) -> None:
        found = remembered(replace(LEVELS["beginner"], slips=0), observation)
        assert found.public == 0
        assert found.private.tolist() == observation.state.private.tolist()

    def test_who_forgets_nothing_knows_all(self, observation: CompiledObservation, remembered) -> None:
        assert remembered(Level(memory=100), observation).public == observation.state.public

    def test_who_remembers_half_knows_about_half_of_the_cards_and_not_always_the_same(
        self, observation: CompiledObservation, remembered
    ) -> None:
        known = [int(remembered(Level(memory=50), observation, seed).public) for seed in range(40)]
        assert all(cards & ~int(observation.state.public) == 0 for cards in known)
        assert 0.4 < sum(map(count, known)) / 40 / count(observation.state.public) < 0.6
        assert len(set(known)) > 1

    def test_the_beginner_forgets_everything_and_all_others_nothing(self) -> None:
        assert {level: LEVELS[level].memory for level in LEVELS} == {
            "beginner": 0, "casual": 100, "regular": 100, "expert": 100, "master": 100,
        }  # fmt: skip

    def test_what_is_forgotten_for_a_decision_is_not_lost_for_the_next(
        self, observation: CompiledObservation, remembered
    ) -> None:
        before = int(observation.state.public)
        remembered(Level(memory=0), observation)
        assert int(observation.state.public) == before != 0


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
