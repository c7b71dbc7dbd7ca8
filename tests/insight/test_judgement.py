"""The effort of a judged decision grows with its uncertainty; only certain losses are reported. With a fake search."""

from types import SimpleNamespace

import numpy as np
import pytest

from parlour.bots.lookahead import new_lead_model
from parlour.insight import course
from parlour.insight.course import Decision, judge

BEST, DONE = 7, 9
EFFORT, DETERMINIZATIONS = 1600, 400


class _Search:
    """A search by which the action done loses ``lost``, with this spread, and gains ``won`` over the heuristic's."""

    def __init__(self, lost: float, spread: float, won: float = 0.0) -> None:
        self.lost, self.spread, self.won = lost, spread, won
        self.moves, self.standard_error = np.array([BEST, DONE]), 0.0
        self.compared: list[int] = []
        self.duels: list[int] = []

    def compare(self, actions, determinizations: int):
        assert actions[:2] == [BEST, DONE]
        self.compared.append(determinizations)
        swing = np.where(np.arange(determinizations) % 2, 1, -1) * self.spread
        done = np.full(determinizations, 0.5)
        return np.stack([done + self.lost + swing, done, done - self.won], axis=1), 0

    def duel(self, best: int, done: int, effort: int, most_nodes: int):
        self.duels.append(effort)
        return 0.5 + self.lost, 0.5, 10**7


@pytest.fixture
def judge_by(monkeypatch: pytest.MonkeyPatch):
    """Judge a decision by a fake search; return the result and the search."""

    def judge_by(*found: float) -> tuple[Decision, _Search]:
        search = _Search(*found)
        position = SimpleNamespace(
            state=None, seat=0, moves=[BEST, DONE], seen=3, heading="Trick 1", notation=str, phrase=str
        )
        monkeypatch.setattr(course, "Search", lambda *given: search)
        monkeypatch.setattr(course, "rank_actions", lambda search, effort: [0])
        monkeypatch.setattr(course, "affordable_determinizations", lambda search, effort, actions: effort // 2)
        lead_model = SimpleNamespace(estimate=lambda: (new_lead_model(), 0.0))
        return judge(position, DONE, EFFORT, 0, lead_model), search

    return judge_by


class TestCost:
    def test_a_certain_loss_is_reported(self, judge_by) -> None:
        decision, _ = judge_by(0.03, 0.05)
        assert decision.lost.low == pytest.approx(25, abs=0.5)
        assert (decision.mark, decision.cost) == ("slip", 3)

    def test_an_uncertain_loss_is_not_reported(self, judge_by) -> None:
        decision, search = judge_by(0.03, 0.5)
        assert decision.lost.low < 0 < decision.lost.value
        assert (decision.mark, decision.cost, search.duels) == ("", 0, [])

    def test_a_loss_that_may_be_too_small_for_a_mark_is_not_reported(self, judge_by) -> None:
        decision, _ = judge_by(0.03, 0.15)
        assert 0 < decision.lost.low < 20
        assert (decision.mark, decision.cost) == ("", 0)

    def test_the_smaller_of_two_estimates_counts_and_determines_the_mark(self, judge_by, monkeypatch) -> None:
        monkeypatch.setattr(course, "cost_in_tree", lambda *given: 6)
        assert (judge_by(0.3, 0)[0].mark, judge_by(0.3, 0)[0].cost) == ("mistake", 6)
        assert (judge_by(0.03, 0)[0].mark, judge_by(0.03, 0)[0].cost) == ("slip", 3)

    def test_a_find_costs_nothing(self, judge_by) -> None:
        decision, search = judge_by(0, 0, 0.08)
        assert (decision.mark, decision.cost, search.duels) == ("find", 0, [])


class TestEffort:
    FEW, ALL = EFFORT // 32, EFFORT // 4

    def test_a_first_search_that_excludes_a_mark_is_the_last(self, judge_by) -> None:
        assert judge_by(0, 0)[1].compared == [self.FEW]

    @pytest.mark.parametrize("found", [(0.03, 0), (0.0, 0.5), (0.0, 0.0, 0.08)])
    def test_a_first_search_that_allows_a_mark_is_followed_by_the_whole_effort(self, judge_by, found) -> None:
        decision, search = judge_by(*found)
        assert search.compared == [self.FEW, self.ALL]
        assert decision.determinizations == self.ALL

    def test_the_second_search_costs_as_much_as_the_first(self, judge_by) -> None:
        assert judge_by(0.3, 0)[1].duels == [EFFORT // 8, EFFORT]
