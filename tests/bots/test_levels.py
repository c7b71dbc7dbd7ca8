"""Levels: memory of cards, and the mixture of random, heuristic and searched actions."""

from dataclasses import replace

import numpy as np
import pytest

from parlour.bots import LEVELS, levels, policies
from parlour.bots.compiled_observation import CompiledObservation, compiled_observation_of
from parlour.bots.learned import preferred_chances
from parlour.bots.levels import Level, mixed_strategy, parse_level
from parlour.bots.policies import lapse_chances
from parlour.cards import count
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import play_at_random


@pytest.fixture
def observation() -> CompiledObservation:
    """Return a decision of 3 Tricks after many cards were shown."""
    for match in play_at_random(Match(Setup(find_game("three-tricks"), 2)), 2):
        if match.actor >= 0 and len(match.moves()) > 1 and count(match.state.public) >= 8:
            return compiled_observation_of(match, new_stream(1))
    raise AssertionError("there is no such decision in the game")


@pytest.fixture
def read_memory(monkeypatch: pytest.MonkeyPatch):
    """Return the state by which a level's rule of thumb chooses."""
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
    def test_the_beginner_forgets_all_played_cards_and_knows_its_own(
        self, observation: CompiledObservation, read_memory
    ) -> None:
        found = read_memory(replace(LEVELS["beginner"], lapses=0), observation)
        assert found.public == 0
        assert found.private.tolist() == observation.state.private.tolist()

    def test_a_level_with_full_memory_knows_all_cards_seen(self, observation: CompiledObservation, read_memory) -> None:
        assert read_memory(Level(memory=100), observation).public == observation.state.public

    def test_a_level_with_half_memory_knows_a_random_half(self, observation: CompiledObservation, read_memory) -> None:
        known = [int(read_memory(Level(memory=50), observation, seed).public) for seed in range(40)]
        assert all(cards & ~int(observation.state.public) == 0 for cards in known)
        assert 0.4 < sum(map(count, known)) / 40 / count(observation.state.public) < 0.6
        assert len(set(known)) > 1

    def test_only_the_beginner_forgets(self) -> None:
        assert {level: LEVELS[level].memory for level in LEVELS} == {
            "beginner": 0, "casual": 100, "regular": 100, "expert": 100, "master": 100,
        }  # fmt: skip

    def test_forgetting_does_not_change_the_observation(self, observation: CompiledObservation, read_memory) -> None:
        before = int(observation.state.public)
        read_memory(Level(memory=0), observation)
        assert int(observation.state.public) == before != 0


class TestLapses:
    """A careless player chooses by the rank of an action among the heuristic's values."""

    @pytest.mark.parametrize(
        ("values", "shares"),
        [
            ([9, 5, 1], [1, 1 / 2, 1 / 3]),
            ([1, 9, 5], [1 / 3, 1, 1 / 2]),
            ([5, 9, 5], [5 / 12, 1, 5 / 12]),
            ([9, 9, 1], [3 / 4, 3 / 4, 1 / 3]),
            ([7, 7, 7], [1, 1, 1]),
            ([-5], [1]),
        ],
    )
    def test_better_actions_are_chosen_more_often_and_equal_ones_equally_often(
        self, observation: CompiledObservation, monkeypatch: pytest.MonkeyPatch, values: list[int], shares: list[float]
    ) -> None:
        moves = observation.moves[: len(values)]
        value_of = dict(zip(map(int, moves), values, strict=True))
        monkeypatch.setattr(policies, "action_value", lambda state, action: value_of[action])
        found = lapse_chances(replace(observation, moves=moves))
        assert found == pytest.approx(np.array(shares) / sum(shares))

    def test_the_values_are_those_of_the_heuristic(self, observation: CompiledObservation) -> None:
        best = np.flatnonzero(observation.moves == Level().choose(observation))
        assert lapse_chances(observation)[best] == lapse_chances(observation).max()

    def test_a_level_lapses_in_its_percentage_of_decisions(self, observation: CompiledObservation) -> None:
        number = len(observation.moves)
        by_heuristic = np.equal(observation.moves, Level().choose(observation))
        found = Level(lapses=40, slips=10).chances(observation)
        expected = 0.1 / number + 0.9 * (0.4 * lapse_chances(observation) + 0.6 * by_heuristic)
        assert found == pytest.approx(expected)
        level = Level(lapses=40, slips=10)
        chosen = [level.choose(replace(observation, random=new_stream(seed))) for seed in range(400)]
        assert chosen.count(observation.moves[expected.argmax()]) == pytest.approx(400 * expected.max(), abs=40)


class TestHabitsAndSlips:
    """Decisions of a level with a search: random, by the heuristic, or by the search (``None``)."""

    @pytest.fixture
    def ways(self, observation: CompiledObservation, monkeypatch: pytest.MonkeyPatch):
        """Return the kinds of 600 decisions of a level."""
        monkeypatch.setattr(levels, "choose_at_random", lambda observation: "at random")
        monkeypatch.setattr(levels, "choose_forgetfully", lambda observation, memory: "by the heuristic")

        def decide(**settings: int) -> list:
            level = Level(**settings)
            return [level.at_once(replace(observation, random=new_stream(seed))) for seed in range(600)]

        return decide

    @pytest.mark.parametrize(
        ("settings", "way"),
        [
            ({"effort": 1, "slips": 0, "habit": 0}, None),
            ({"effort": 1, "slips": 0, "habit": 100}, "by the heuristic"),
            ({"effort": 1, "slips": 100, "habit": 0}, "at random"),
            ({"effort": 1, "slips": 100, "habit": 100}, "at random"),
            ({"effort": 0, "slips": 0, "habit": 0}, "by the heuristic"),
        ],
    )
    def test_rates_of_zero_and_one_have_no_exception(self, ways, settings: dict[str, int], way) -> None:
        assert set(ways(**settings)) == {way}

    def test_decisions_other_than_slips_are_divided_between_habit_and_search(self, ways) -> None:
        found = ways(effort=1, slips=20, habit=50)
        shares = [found.count(way) / len(found) for way in ("at random", "by the heuristic", None)]
        assert shares == pytest.approx([0.2, 0.4, 0.4], abs=0.07)

    @pytest.mark.parametrize("slips", [0, 30, 100])
    def test_reported_probabilities_are_those_of_the_choices(
        self, observation: CompiledObservation, slips: int
    ) -> None:
        number = len(observation.moves)
        by_heuristic = int(np.flatnonzero(observation.moves == Level().choose(observation))[0])
        expected = np.full(number, slips / 100 / number)
        expected[by_heuristic] += 1 - slips / 100
        assert Level(slips=slips).chances(observation) == pytest.approx(expected)

    def test_the_probabilities_mix_search_and_habit(
        self, observation: CompiledObservation, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        searched = observation.moves[[3, 1]]
        monkeypatch.setattr(Level, "weigh", lambda level, observation: (searched, np.array([0.75, 0.25])))
        monkeypatch.setattr(levels, "heuristic_chances", lambda observation: np.eye(len(observation.moves))[0])
        found = Level(effort=1, slips=10, habit=40).chances(observation)
        expected = np.full(len(observation.moves), 0.1 / len(observation.moves))
        expected[[0, 3, 1]] += 0.9 * np.array([0.4, 0.6 * 0.75, 0.6 * 0.25])
        assert found == pytest.approx(expected)


class TestLearnedPolicy:
    """A level may follow the policy of its game instead of the heuristic, where it is clearly better."""

    @staticmethod
    def choice(game: str, players: int = 0) -> CompiledObservation:
        """Return a decision in which the policy prefers another action than the heuristic, if it is used at all."""
        setup = Setup(find_game(game), players or find_game(game).usual_players)
        for match in play_at_random(Match(setup), 1):
            if match.actor >= 0 and len(match.moves()) > 2:
                observation = compiled_observation_of(match, new_stream(1))
                chances = preferred_chances(observation)
                if chances is None or observation.moves[chances.argmax()] != Level().choose(observation):
                    return observation
        raise AssertionError("there is no such decision in the game")

    def test_habit_draws_from_the_policy(self) -> None:
        observation = self.choice("castle-walls")
        expected = preferred_chances(observation)
        assert Level(learned=100).chances(observation) == pytest.approx(expected, abs=0.05)
        half = Level(learned=50).chances(observation)
        assert half == pytest.approx((expected + Level().chances(observation)) / 2, abs=0.05)
        chosen = [Level(learned=100).choose(replace(observation, random=new_stream(seed))) for seed in range(40)]
        assert chosen.count(observation.moves[expected.argmax()]) == pytest.approx(40 * expected.max(), abs=12)

    def test_a_search_begins_with_the_action_that_the_policy_prefers(self) -> None:
        observation = self.choice("castle-walls")
        search = Level(effort=1, learned=100).search(observation)
        assert search.moves[0] == observation.moves[preferred_chances(observation).argmax()]
        assert sorted(search.moves) == sorted(observation.moves)

    @pytest.mark.parametrize(("game", "players"), [("trime-kicker", 2), ("trick-walls", 3)])
    def test_a_policy_that_is_hardly_better_or_missing_is_not_used(self, game: str, players: int) -> None:
        observation = self.choice(game, players)
        assert preferred_chances(observation) is None
        assert Level(learned=100).chances(observation).max() == 1


class TestSettings:
    @pytest.mark.parametrize(
        ("text", "bounds"),
        [
            ("slips=101", "slips is a whole number from 0 to 100"),
            ("habit=-1", "habit is a whole number from 0 to 100"),
            ("memory=101", "memory is a whole number from 0 to 100"),
            ("tree=2", "tree is a whole number from 0 to 1"),
            ("temperature=100.5", "temperature is a number from 0 to 100"),
            ("temperature=nan", "temperature is a number from 0 to 100"),
            ("effort=1000000001", "effort is a whole number from 0 to 1,000,000,000"),
            ("effort=many", "^'effort=many' is no setting of a search: effort is a whole number from 0"),
            ("effort=1e3", "^'effort=1e3' is no setting of a search: effort is a whole number from 0"),
            ("pace=3", "it has effort, habit, slips, lapses, memory, temperature, tree, learned"),
        ],
    )
    def test_a_setting_outside_its_range_is_refused(self, text: str, bounds: str) -> None:
        with pytest.raises(ParlourError, match=bounds):
            parse_level(text)

    def test_a_second_value_of_a_setting_is_refused(self) -> None:
        with pytest.raises(ParlourError, match="'effort=5,tree=1,effort=9' has the setting effort twice"):
            parse_level("effort=5,tree=1,effort=9")

    def test_the_bounds_of_the_range_are_accepted(self) -> None:
        assert parse_level("slips=100,habit=0,tree=1,temperature=100") == Level(slips=100, tree=1, temperature=100)


class TestTemperature:
    @pytest.mark.parametrize("temperature", [0, 0.01])
    def test_an_excluded_action_has_probability_zero(self, temperature: float) -> None:
        chances = mixed_strategy(np.array([0.9, 0.2, 0.3]), np.array([0, 1, 1]), temperature)
        assert chances[0] == 0
        assert chances.sum() == pytest.approx(1)
        assert chances[2] > chances[1]

    def test_at_temperature_zero_the_best_admissible_action_is_certain(self) -> None:
        assert mixed_strategy(np.array([0.9, 0.2, 0.3]), np.array([0, 1, 1]), 0).tolist() == [0, 0, 1]

    def test_an_action_worse_by_the_temperature_has_about_a_third_of_the_probability(self) -> None:
        chances = mixed_strategy(np.array([0.5, 0.48]), np.ones(2), 0.02)
        assert chances[1] / chances[0] == pytest.approx(np.exp(-1))
