"""The rivals play games, and their bandits find the better action."""

import numpy as np
import pytest

import parlour
from examples import rivals

RIVALS = [
    "FlatMonteCarlo", "FlatHeuristic", "FlatMonteCarloByPoints", "FlatHeuristicByPoints",
    "UCT", "UCTByPoints", "EXP3", "EXP3ByPoints",
]  # fmt: skip


def paid(rival, pays):
    """Return the index that a rival chooses at a root of actions 10, 11, …, each of which pays a fixed value."""
    rival.seat, rival.random = 0, rivals.Random(1)
    legal = [10 + index for index in range(len(pays))]
    rival.forget(legal)
    root = rival.nodes.setdefault("root", {})
    for _ in range(600):
        action, *taken = rival.select(root, legal)
        rival.learn(taken[0], pays[action - 10], taken[1])
    return rival.best(legal)


@pytest.mark.slow  # compiles
class TestPlay:
    @pytest.mark.parametrize("name", RIVALS)
    def test_a_rival_plays_a_game_that_is_the_same_again(self, name, monkeypatch):
        monkeypatch.setattr(rivals, "PLAYOUTS", 40)
        setup = parlour.make("trime-kicker")
        games = [parlour.play(setup, [f"examples.rivals:{name}", "random"], seed=3) for _ in range(2)]
        assert games[0].over
        assert games[0].events == games[1].events

    def test_a_budget_of_time_ends_a_decision(self, monkeypatch):
        monkeypatch.setattr(rivals, "SECONDS", 1e-6)
        monkeypatch.setattr(rivals, "PLAYOUTS", 10**12)
        seen = parlour.make("trime-kicker").start(seed=3).observation()
        assert rivals.FlatHeuristic().choose(seen) in seen.legal_actions

    @pytest.mark.parametrize("name", ["FlatHeuristic", "UCT", "EXP3"])
    @pytest.mark.parametrize("budget", [("PLAYOUTS", 0), ("SECONDS", -1.0)])
    def test_a_decision_without_a_budget_searches_once(self, name, budget, monkeypatch):
        monkeypatch.setattr(rivals, *budget)
        rival, spent = getattr(rivals, name)(), []
        spend = rival.spend
        monkeypatch.setattr(rival, "spend", lambda *given: spent.append(spend(*given)) or spent[-1])
        seen = parlour.make("trime-kicker").start(seed=3).observation()
        assert rival.choose(seen) in seen.legal_actions
        assert len(spent) == 1


class TestBandits:
    @pytest.mark.parametrize("kind", [rivals.UCT, rivals.EXP3])
    @pytest.mark.parametrize("pays", [(0.9, 0.1, 0.1), (0.1, 0.2, 0.9)])
    def test_the_action_that_pays_is_chosen(self, kind, pays):
        assert paid(kind(), pays) == np.argmax(pays)

    def test_an_action_that_is_seldom_available_is_tried_when_it_is(self):
        rival = rivals.UCT()
        rival.random, node = rivals.Random(1), {}
        for _ in range(50):
            _, statistics, _ = rival.select(node, [1, 2])
            statistics[1] += 1
        assert rival.select(node, [1, 2, 3])[0] == 3
