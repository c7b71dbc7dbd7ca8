"""Files of learned policies, whole and damaged."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.games import all_games, file_of, find_game
from parlour.learning import policy_file
from parlour.learning.policy_file import (
    LARGEST_FILE,
    LearnedPolicy,
    policy_from,
    read_policy,
    shipped_name,
    shipped_policy,
)
from parlour.learning.policy_loop import number_of_features

SETUP = Setup(find_game("trime-kicker"), 2)
FEATURES = number_of_features(SETUP)


@pytest.fixture
def policy() -> LearnedPolicy:
    """Return a policy with some weights."""
    weights = np.linspace(-1, 1, FEATURES, dtype=np.float32)
    return LearnedPolicy(SETUP, weights, np.array([3.0, 4.0]), {"seed": 1})


def changed_text(policy: LearnedPolicy, **values: Any) -> str:
    """Return the file's text with other values; ``None`` removes one."""
    kept = {**json.loads(policy.to_text()), **values}
    return json.dumps({key: value for key, value in kept.items() if value is not None})


class TestFile:
    def test_a_policy_is_read_as_it_was_written(self, policy: LearnedPolicy, tmp_path: Path) -> None:
        (tmp_path / "p.json").write_text(policy.to_text())
        read = read_policy(tmp_path / "p.json", "p.json")
        assert (read.setup, read.about, read.scales.tolist()) == (SETUP, {"seed": 1}, [3.0, 4.0])
        assert np.allclose(read.weights, policy.weights, rtol=1e-4)

    @pytest.mark.parametrize(
        ("changes", "same"),
        [
            ({"about": {}}, True),
            ({"scales": np.array([3.0, 4.5])}, False),
            ({"weights": np.linspace(-1, 0.9, FEATURES, dtype=np.float32)}, False),
        ],
        ids=["about", "scales", "weights"],
    )
    def test_its_version_follows_from_what_its_choices_depend_on(
        self, policy: LearnedPolicy, changes: dict[str, Any], same: bool
    ) -> None:
        assert (replace(policy, **changes).version == policy.version) is same

    def test_a_missing_file_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(ParlourError, match=r"none.json cannot be read: No such file or directory"):
            read_policy(tmp_path / "none.json", "none.json")

    @pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"{", b"[" * 100_000, b'{"format": "parlour-policy/1"'])
    def test_a_damaged_file_is_refused_in_a_sentence(self, content: bytes, tmp_path: Path) -> None:
        (tmp_path / "p.json").write_bytes(content)
        with pytest.raises(ParlourError, match=r"^p.json is damaged, or no file of a learned policy$"):
            read_policy(tmp_path / "p.json", "p.json")

    def test_a_large_file_is_not_read(self, tmp_path: Path) -> None:
        (tmp_path / "p.json").write_bytes(b" " * (LARGEST_FILE + 1))
        with pytest.raises(ParlourError, match="more than 200,000 bytes"):
            read_policy(tmp_path / "p.json", "p.json")

    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            ({"format": None}, "is no file of a learned policy, which begins with the format 'parlour-policy/1'"),
            ({"game": "chess"}, "there is no game 'chess'"),
            ({"players": 3}, "Trime Kicker is for 2 players"),
            ({"game": "castle-walls"}, "another version of Castle Walls: learn it anew"),
            ({"tensor_version": "0-abc"}, "another version of Trime Kicker: learn it anew"),
            ({"weights": [0.0] * 3}, "the weights are not 176 numbers"),
            ({"weights": [0.0] * (FEATURES - 1) + ["1"]}, "the weights are not 176 numbers"),
            ({"weights": [0.0] * (FEATURES - 1) + [float("nan")]}, "the weights are not 176 numbers"),
            ({"weights": [0.0] * (FEATURES - 1) + [10**400]}, "the weights are not 176 numbers"),
            ({"scales": [1.0]}, "the scales are not two numbers"),
            ({"scales": [1.0, 0.0]}, "a scale is not positive"),
        ],
    )
    def test_a_policy_that_does_not_fit_is_refused_in_a_sentence(
        self, policy: LearnedPolicy, values: dict[str, Any], reason: str
    ) -> None:
        with pytest.raises(ParlourError, match=reason) as refused:
            policy_from(json.loads(changed_text(policy, **values)), "p.json")
        assert "\n" not in str(refused.value)


class TestMargin:
    def test_it_is_the_mean_of_the_wins_beyond_the_even_share(self, policy: LearnedPolicy) -> None:
        for wins, even, margin in (([0.62, 0.55, 0.69], 0.5, 0.12), ([0.3, 0.28, 0.32], 0.25, 0.05)):
            checked = replace(policy, about={"check": {"wins": wins, "even": even}})
            assert checked.margin == pytest.approx(margin)

    @pytest.mark.parametrize("check", [{}, None, {"wins": []}, {"wins": [0.6]}, {"wins": ["many"], "even": 0.5}])
    def test_without_a_valid_check_there_is_none(self, policy: LearnedPolicy, check: Any) -> None:
        assert replace(policy, about={"check": check}).margin == policy.margin == 0


class TestShippedPolicies:
    def test_each_fits_its_game_and_is_stronger_than_the_heuristic(self) -> None:
        shipped = [
            (game, players)
            for game in all_games()
            for players in game.players
            if file_of(game.id, shipped_name(players))
        ]
        assert shipped
        for game, players in shipped:
            policy = shipped_policy(game.id, players)
            assert policy is not None, (game.id, players)
            assert policy.about["check"]["wins"][1] > policy.about["check"]["even"]

    @pytest.mark.parametrize(
        ("game", "players", "shipped"),
        [("trime-kicker", 2, True), ("trime-kicker", 3, False), ("castle-walls", 2, False), ("trick-walls", 4, False)],
    )
    def test_a_file_of_another_game_or_number_of_players_is_none(
        self, policy: LearnedPolicy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, players: int,
        shipped: bool,
    ) -> None:  # fmt: skip
        (tmp_path / "p.json").write_text(policy.to_text())
        monkeypatch.setattr(policy_file, "file_of", lambda game_id, name: tmp_path / "p.json")
        assert (shipped_policy.__wrapped__(game, players) is not None) == shipped

    def test_a_number_of_players_without_a_policy_file_has_no_policy(self) -> None:
        assert shipped_policy("trick-walls", 5) is None
