"""Variations as text: what a suggested command names is what it plays."""

from types import SimpleNamespace
from typing import Any

import pytest

from parlour.engine.game import Game
from parlour.engine.setup import Setup
from parlour.games import all_games
from parlour.studies.arguments import options_of, options_text
from parlour.studies.plan import listed_variations
from parlour.studies.remedies import candidates


class TestTheTextOfAVariation:
    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_names_the_same_variation(self, game: Game) -> None:
        setups = [setup for players in game.players for setup in candidates(Setup(game, players))]
        assert listed_variations(game, 0, [options_of(options_text(setup)) for setup in setups]) == setups

    @pytest.mark.parametrize(
        ("original", "text"),
        [("", "players=3,slots=4,open=true"), ("castle-walls", "players=3,rules=my-castle,slots=4,open=true")],
    )
    def test_names_the_rules_of_a_package(self, original: str, text: str) -> None:
        game = SimpleNamespace(id="my-castle", variation_of=original)
        setup: Any = SimpleNamespace(game=game, players=3, chosen={"slots": 4, "open": True})
        assert options_text(setup) == text
