"""Keys of a record on its players, as ``parlour.load`` and ``parlour replay`` check them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import parlour
from parlour.cli import main
from parlour.engine.errors import RecordError
from parlour.player_keys import PlayerKeys, player_keys


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """Return a record of two players."""
    return parlour.play(parlour.make("castle-walls"), ["random", "random"], seed=1).record()


class TestKeys:
    @pytest.mark.parametrize(
        ("key", "value", "error"),
        [
            ("people", [7], "'people' are seats, a list of numbers from 0 to 1"),
            ("people", None, "'people' are seats, a list of numbers from 0 to 1"),
            ("people", [0.0], "'people' are seats, a list of numbers from 0 to 1"),
            ("stood_in", [-1], "'stood_in' are numbers of events, a list of numbers from 0 to "),
            ("resigned", [{"seat": 0, "after": 1700}], "'resigned' are resignations, a list of objects such as "),
        ],
    )
    def test_of_seats_and_events_that_the_game_does_not_have_are_refused_with_the_line(
        self, record: dict[str, Any], tmp_path: Path, key: str, value: object, error: str
    ) -> None:
        file = tmp_path / "games.jsonl"
        file.write_text(f"{json.dumps(record)}\n{json.dumps({**record, key: value})}\n")
        message = f"{file}, line 2: {error}"
        with pytest.raises(RecordError) as caught:
            parlour.load(file)
        assert str(caught.value).startswith(message)
        for words in ([], ["--trace"]):
            result = CliRunner().invoke(main, ["replay", str(file), *words])
            assert result.exit_code == 1
            assert f"Error: {message}" in result.stderr
            assert len(result.stdout.splitlines()) == 1, "the first record is legal"

    def test_of_the_game_say_which_events_bots_decided(self, record: dict[str, Any], tmp_path: Path) -> None:
        number, after = len(record["events"]), 20
        keys = {"people": [1], "stood_in": [3], "resigned": [{"seat": 1, "after": after}], "winners": [0]}
        later = {each for each in range(after, number) if record["events"][each]["by"] == 1}
        assert later
        assert player_keys({**record, **keys}, 2, "here") == PlayerKeys(
            frozenset({1}), frozenset({3, *later}), ((1, after),)
        )
        file = tmp_path / "game.json"
        file.write_text(json.dumps({**record, **keys}))
        assert parlour.load(file)[0].over

    def test_are_those_of_people_alone_without_the_keys(self, record: dict[str, Any]) -> None:
        assert player_keys(record, 2, "here") == PlayerKeys(frozenset({0, 1}), frozenset(), ())
