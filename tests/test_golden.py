"""Golden games: short readable records with traces; an accidental change of a rule changes one of them."""

import json

import pytest

from parlour.engine.matches.records import replay, trace
from parlour.engine.matches.steps import COMPILED, INTERPRETED
from parlour.games import game_ids
from tests.game_modules import GAMES
from tests.golden_games import laid_out

GOLDEN = sorted(GAMES.glob("*/golden/*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
class TestGoldenGames:
    @pytest.mark.parametrize("steps", [INTERPRETED, COMPILED], ids=["interpreted", "compiled"])
    def test_its_trace_is_the_same(self, path, steps):
        golden = json.loads(path.read_text())
        traced = trace(golden["record"], steps=steps)
        assert traced == {"trace": golden["trace"], "result": golden["result"]}

    def test_its_record_is_reproduced_exactly(self, path):
        record = json.loads(path.read_text())["record"]
        assert replay(record).record() == record

    def test_it_is_formatted_for_reading(self, path):
        assert laid_out(json.loads(path.read_text())) == path.read_text()
        assert len(path.read_text().splitlines()) < 160


def test_every_game_has_golden_games():
    assert {json.loads(path.read_text())["record"]["game"] for path in GOLDEN} == set(game_ids())
