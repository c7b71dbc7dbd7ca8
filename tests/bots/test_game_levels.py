"""Levels by game: files of settings, and the scale between the usual ones."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parlour.bots import LEVELS, find_bot, game_levels, level_of
from parlour.bots.compiled_observation import CompiledObservation, compiled_observation_of
from parlour.bots.game_levels import TOP, bots_hash, level_at, levels_text, read_levels, shipped_levels
from parlour.bots.levels import Level, parse_level
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.games import all_games, file_of, find_game
from parlour.games.trime_kicker import GAME
from parlour.learning.policy_file import LearnedPolicy, shipped_policy


class TestSettingsAsText:
    @pytest.mark.parametrize(
        "level", [Level(), Level(slips=5), Level(effort=8, memory=3, temperature=0.004), *LEVELS.values()]
    )
    def test_a_level_is_read_from_its_own_text(self, level: Level) -> None:
        assert parse_level(str(level)) == level

    def test_the_text_has_the_settings_other_than_the_defaults(self) -> None:
        assert str(LEVELS["casual"]) == "effort=8000,habit=80,lapses=25,temperature=0.03,tree=1"


class TestScale:
    def test_whole_places_have_the_usual_levels(self) -> None:
        assert [level_at(place) for place in range(TOP + 1)] == list(LEVELS.values())

    @pytest.mark.parametrize("name", ["effort", "memory", "learned"])
    def test_a_higher_place_has_no_smaller_strength(self, name: str) -> None:
        values = [getattr(level_at(place / 10), name) for place in range(1, 10 * TOP + 1)]
        assert values == sorted(values)
        assert values[0] < values[-1]

    @pytest.mark.parametrize("name", ["habit", "lapses", "temperature"])
    def test_a_higher_place_has_no_greater_weakness(self, name: str) -> None:
        values = [getattr(level_at(place / 10), name) for place in range(1, 10 * TOP + 1)]
        assert values == sorted(values, reverse=True)
        assert values[0] > values[-1]

    def test_just_above_the_beginner_a_player_hardly_searches(self) -> None:
        assert level_at(0.05) == Level(effort=8000, habit=99, lapses=82, memory=5, temperature=0.03, tree=1)


class TestFile:
    LEVEL = Level(effort=12_000, habit=60, slips=4, temperature=0.02, tree=1)

    def test_a_written_file_is_read(self, tmp_path: Path) -> None:
        file = tmp_path / "levels.json"
        file.write_text(levels_text("trime-kicker", {"casual": self.LEVEL}, {"command": "parlour levels"}))
        assert read_levels(file, "levels.json", "trime-kicker") == {"casual": self.LEVEL}

    @pytest.mark.parametrize(
        ("changes", "reason"),
        [
            ({"format": "parlour-levels/9"}, "is no file of levels, which begins with the format"),
            ({"game": "chess"}, "has the levels of 'chess', not of 'trime-kicker'"),
            ({"levels": {}}, "has no levels"),
            ({"levels": ["casual"]}, "has no levels"),
            ({"levels": {"hero": "effort=9"}}, "a level is one of beginner, casual, regular, expert, master"),
            ({"levels": {"casual": 9}}, "with its settings as a text"),
            ({"levels": {"casual": "effort=lots"}}, "casual: 'effort=lots' is no setting of a search"),
            ({"levels": {"casual": "slips=101"}}, "slips is a whole number from 0 to 100"),
            ({"levels": {"casual": "slips=10"}}, "casual has to search"),
            ({"levels": {"beginner": "effort=100"}}, "beginner may not search"),
            ({"about": "x" * 30_000}, "is no file of levels: it has more than 20,000 bytes"),
        ],
    )
    def test_a_file_that_does_not_fit_is_refused_in_a_sentence(
        self, changes: dict[str, Any], reason: str, tmp_path: Path
    ) -> None:
        values = json.loads(levels_text("trime-kicker", {"casual": self.LEVEL}, {}))
        file = tmp_path / "levels.json"
        file.write_text(json.dumps({**values, **changes}))
        with pytest.raises(ParlourError, match=f"^levels.json.*{reason}") as refused:
            read_levels(file, "levels.json", "trime-kicker")
        assert "\n" not in str(refused.value)

    @pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 9999])
    def test_a_damaged_file_is_refused(self, content: bytes, tmp_path: Path) -> None:
        file = tmp_path / "levels.json"
        file.write_bytes(content)
        with pytest.raises(ParlourError, match=r"levels.json is damaged"):
            read_levels(file, "levels.json", "trime-kicker")

    def test_a_missing_file_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ParlourError, match=r"levels.json cannot be read: No such file"):
            read_levels(tmp_path / "levels.json", "levels.json", "trime-kicker")


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Ship a file of levels with Trime Kicker alone."""

    def ship(text: str) -> None:
        file = tmp_path / "levels.json"
        file.write_text(text)
        monkeypatch.setattr(game_levels, "file_of", lambda game, name: file if game == "trime-kicker" else None)
        shipped_levels.cache_clear()

    yield ship
    shipped_levels.cache_clear()


class TestShippedLevels:
    @pytest.fixture
    def observation(self) -> CompiledObservation:
        return compiled_observation_of(Setup(GAME, 2).start(1), new_stream(1))

    def test_a_bot_has_the_settings_of_its_game(self, shipped, observation: CompiledObservation) -> None:
        shipped(levels_text("trime-kicker", {"beginner": Level(slips=100)}, {}))
        even = find_bot("beginner").chances(observation)
        assert even.tolist() == pytest.approx([1 / len(even)] * len(even))
        assert level_of("casual", "trime-kicker") == LEVELS["casual"]
        assert level_of("beginner", "castle-walls") == LEVELS["beginner"]

    def test_a_variation_has_the_levels_of_its_original(self, shipped, monkeypatch: pytest.MonkeyPatch) -> None:
        shipped(levels_text("trime-kicker", {"beginner": Level(slips=99)}, {}))
        variation = type("Variation", (), {"variation_of": "trime-kicker"})
        monkeypatch.setattr(
            game_levels, "find_game", lambda game: variation if game == "my-kicker" else find_game(game)
        )
        assert level_of("beginner", "my-kicker") == Level(slips=99)

    def test_an_invalid_file_changes_nothing(self, shipped) -> None:
        shipped("{}")
        assert level_of("beginner", "trime-kicker") == LEVELS["beginner"]

    def test_each_shipped_file_is_valid_and_keeps_the_order_of_the_levels(self) -> None:
        shipped_files = {game.id: file for game in all_games() if (file := file_of(game.id, "levels.json"))}
        assert shipped_files
        for game_id, file in shipped_files.items():
            assert read_levels(file, "levels.json", game_id)
            efforts = [level_of(name, game_id).effort for name in LEVELS]
            assert efforts == sorted(efforts)

    def test_the_hash_of_the_bots_changes_with_the_file(self, shipped) -> None:
        """Files of results of other levels must not be continued."""
        shipped("{}")
        usual = bots_hash(GAME)
        found = set()
        for slips in (98, 99):
            shipped(levels_text("trime-kicker", {"beginner": Level(slips=slips)}, {}))
            found.add(bots_hash(GAME))
        assert len(found | {usual}) == 3


class TestShippedPolicies:
    @pytest.fixture
    def policy(self) -> LearnedPolicy:
        policy = shipped_policy("castle-walls", 2)
        assert policy is not None
        return policy

    def test_the_hash_of_the_bots_changes_with_a_policy(self, policy, monkeypatch: pytest.MonkeyPatch) -> None:
        """Files of results of bots that choose by another policy must not be continued."""
        unchecked = replace(policy, about={})
        assert policy.is_clearly_better
        assert not unchecked.is_clearly_better
        found = []
        for shipped in (policy, replace(policy, weights=policy.weights + 1), unchecked, None, policy):
            monkeypatch.setattr(
                game_levels, "shipped_policy", lambda game, players, shipped=shipped: shipped if players == 2 else None
            )
            found.append(bots_hash(GAME))
        assert len(set(found[:4])) == 4
        assert found[4] == found[0]
