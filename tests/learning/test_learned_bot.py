"""The learned bot: found by name, plays by a policy, knows only its observation; else the heuristic plays."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from parlour.bots import CompiledObservation, find_bot, learned
from parlour.bots.compiled_observation import compiled_observation_of
from parlour.bots.external import find_any_bot
from parlour.contests.contest import MATCH, Contest
from parlour.engine.chance import new_stream
from parlour.engine.compiled import interpreted
from parlour.engine.errors import ParlourError
from parlour.engine.information.determinization import determinize, observed_state
from parlour.engine.setup import Setup
from parlour.learning.policy_file import LearnedPolicy
from parlour.learning.policy_loop import BEST, LEAD, number_of_features
from tests.learning.bid import GAME

BID = Setup(GAME, 2)


@pytest.fixture(autouse=True)
def _interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the compilation of the small game."""
    monkeypatch.setattr(learned, "weigh_actions", interpreted(learned.weigh_actions))


def policy(**weights: float) -> LearnedPolicy:
    """Return a policy with these weights of ``best`` and ``lead``."""
    values = np.zeros(number_of_features(BID), np.float32)
    values[BEST], values[LEAD] = weights.get("best", 0), weights.get("lead", 0)
    return LearnedPolicy(BID, values, np.full(2, 13.0))


def observation(seed: int = 1) -> CompiledObservation:
    """Return what the first seat to act observes; its random stream begins anew."""
    return compiled_observation_of(BID.start(seed), new_stream(9))


class TestChoice:
    def test_a_policy_that_follows_the_heuristic_lays_the_lowest_card(self) -> None:
        chances = learned.chances_by(policy(best=99), observation())
        assert chances.argmax() == find_bot("thumb").chances(observation()).argmax()

    def test_a_policy_that_wants_the_lead_lays_the_highest_card(self) -> None:
        chances = learned.chances_by(policy(lead=99), observation())
        assert chances.argmax() != find_bot("thumb").chances(observation()).argmax()

    def test_the_probabilities_add_up_to_1(self) -> None:
        chances = learned.chances_by(policy(best=1), observation())
        assert chances.sum() == pytest.approx(1)
        assert (chances > 0).all()


class TestSecrecy:
    @pytest.mark.parametrize("seed", range(10))
    def test_hidden_cards_make_no_difference(self, seed: int) -> None:
        one = observation(seed)
        state = determinize(one.state.copy(), one.seat, new_stream(seed))
        other = replace(one, state=observed_state(state, one.seat), random=new_stream(9))
        mixed = policy(best=0.5, lead=0.3)
        assert learned.chances_by(mixed, one).tolist() == learned.chances_by(mixed, other).tolist()


class TestName:
    def test_contests_know_the_learned_bot(self) -> None:
        assert find_any_bot("learned").id == "learned"

    def test_without_a_policy_the_heuristic_plays(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(learned, "shipped_policy", lambda game, players: None)
        assert find_bot("learned").chances(observation()).tolist() == find_bot("thumb").chances(observation()).tolist()

    def test_a_file_that_is_no_policy_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "p.json").write_text("{}")
        with pytest.raises(ParlourError, match="is no file of a learned policy"):
            find_any_bot(f"learned:{tmp_path}/p.json")
        with pytest.raises(ParlourError, match=r"learned: needs the file of a policy, as in learned:policy\.json"):
            find_any_bot("learned:")

    @pytest.mark.parametrize("other", [{"game": "trime-kicker"}, {"state": SimpleNamespace(seats=3)}])
    def test_a_policy_plays_the_game_and_the_number_of_players_that_it_has_learned_only(
        self, other: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(learned, "read_policy", lambda file, name: policy(best=1))
        bot = find_bot("learned:p.json")
        with pytest.raises(ParlourError, match=r"p.json has learned Bid, 2 players, and cannot play anything else"):
            bot.choose(replace(observation(), **other))

    def test_the_policy_that_a_game_ships_is_that_of_the_number_of_players(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = list[tuple[str, int]]()
        monkeypatch.setattr(learned, "shipped_policy", lambda *of: asked.append(of))
        for seats in (2, 3):
            observed: Any = replace(observation(), state=SimpleNamespace(seats=seats))
            assert learned.preferred_chances(observed) is None
        assert asked == [(GAME.id, 2), (GAME.id, 3)]

    def test_results_name_the_version_of_the_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        versions = []
        for best in (1, 2):
            monkeypatch.setattr(learned, "read_policy", lambda file, name, best=best: policy(best=best))
            versions.append(Contest(MATCH, BID, ("learned:p.json", "thumb")).outside["learned:p.json"])
        assert versions[0] != versions[1]
