"""Probabilities of the heuristic's choices."""

import numpy as np
import pytest

import parlour
from parlour.bots import compiled_observation_of, find_bot
from parlour.bots.heuristic_chances import heuristic_chances
from parlour.bots.levels import Level
from parlour.engine.chance import new_stream

NUMBER = 400
"""Number of choices whose frequencies are compared with the probabilities."""


class TestChances:
    @pytest.mark.parametrize(("game_id", "tied"), [("castle-walls", 3), ("three-tricks", 4)])
    def test_are_those_of_the_choices_among_equal_actions(self, game_id: str, tied: int) -> None:
        match, stream = parlour.make(game_id).start(seed=1), new_stream(1)
        while np.count_nonzero(heuristic_chances(compiled_observation_of(match, stream))) < tied:
            match.act(match.notation(find_bot("thumb").choose(compiled_observation_of(match, stream))))
        observation = compiled_observation_of(match, stream)
        chances = heuristic_chances(observation)
        drawn = [match.moves().index(find_bot("thumb").choose(observation)) for _ in range(NUMBER)]
        frequencies = np.bincount(drawn, minlength=len(chances)) / NUMBER
        assert chances.sum() == pytest.approx(1)
        assert np.abs(frequencies - chances).max() < 4 * 0.5 / NUMBER**0.5
        assert not frequencies[chances == 0].any()

    def test_of_the_rule_of_thumb_are_the_same_at_every_call(self) -> None:
        bot, seen = parlour.bot("thumb", seed=1), parlour.make("castle-walls").start(seed=1).observation()
        first, again = bot.chances(seen), bot.chances(seen)
        assert first == again
        assert bot.choose(seen) == parlour.bot("thumb", seed=1).choose(seen), "they draw nothing from the bot's stream"

    def test_of_a_levels_habit_are_the_heuristics(self) -> None:
        match = parlour.make("castle-walls").start(seed=1)
        observation = compiled_observation_of(match, new_stream(1))
        by_heuristic = heuristic_chances(observation)
        assert np.count_nonzero(by_heuristic) == 3
        assert Level().chances(observation).tolist() == by_heuristic.tolist()
        slips = Level(slips=20).chances(observation)
        assert slips == pytest.approx(0.2 / len(slips) + 0.8 * by_heuristic)
