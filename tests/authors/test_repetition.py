"""Rules and facts with randomness of their own."""

from dataclasses import replace

import pytest

from parlour.authors import laws
from parlour.authors.laws import check_repetition, walk
from parlour.engine.match import Match
from parlour.engine.matches.steps import INTERPRETED
from parlour.engine.setup import Setup
from parlour.games import find_game

GAME = find_game("three-tricks")


@pytest.fixture
def match() -> Match:
    """Return a game after a few turns, interpreted."""
    return next(match for match in walk(Setup(GAME, 2), 1, INTERPRETED) if len(match.events) == 5)


class TestRepetition:
    def test_of_the_rules_and_facts_of_a_game_gives_the_same(self, match):
        assert check_repetition(match) == ""

    def test_of_a_rule_with_another_result_names_the_action_and_the_field(self, match, monkeypatch):
        numbers = iter(range(100))

        def varies(state, action):
            state.stage = next(numbers) // 7

        monkeypatch.setattr(laws, "play", varies)
        sentence = check_repetition(match)
        assert sentence.startswith("rules.py, play(): ")
        assert (
            f"{next(iter(match.moves_by_text()))!r}, played twice from one state, gives different stage: rules draw"
            in sentence
        )

    def test_of_facts_with_another_value_names_the_fact(self, match, monkeypatch):
        numbers = iter(range(100))
        varied = replace(GAME, facts=lambda state: {**GAME.facts(state), "left": next(numbers)})
        monkeypatch.setattr(Match, "game", varied)
        assert check_repetition(match).endswith("two calls for one state return different values of 'left'")
