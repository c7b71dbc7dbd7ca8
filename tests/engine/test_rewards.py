"""Rewards at the end of a game."""

import numpy as np
import pytest

import parlour
from parlour.engine.rewards import rewards_of, sides_of


def rewards(setup, *winners, kind="win"):
    sets = np.array([sum(1 << seat for seat in seats) for seats in winners])
    return rewards_of(setup, np.arange(len(sets) * setup.players).reshape(len(sets), -1), sets, kind)


class TestWin:
    def test_two_sides_get_one_minus_one_or_zero(self):
        duel = parlour.make("trime-kicker")
        assert rewards(duel, [0], [1], [0, 1]).tolist() == [[1, -1], [-1, 1], [0, 0]]

    def test_several_losers_share_the_loss(self):
        setup = parlour.make("tricky-tribes", players=4, teams="none")
        assert rewards(setup, [2])[0] == pytest.approx([-1 / 3, -1 / 3, 1, -1 / 3])

    def test_a_shared_first_place_shares_the_reward(self):
        setup = parlour.make("tricky-tribes", players=4, teams="none")
        assert rewards(setup, [0, 1])[0] == pytest.approx([1 / 3, 1 / 3, -1 / 3, -1 / 3])
        assert rewards(setup, [0, 1, 2, 3])[0] == pytest.approx([0, 0, 0, 0])

    def test_each_partner_gets_the_reward_of_a_single_player(self):
        setup = parlour.make("tricky-tribes", players=6, teams="pairs")
        first = next(side for side in map(set, sides_of(setup)) if 0 in side)
        found = rewards(setup, sorted(first))[0]
        assert {round(float(reward), 6) for seat, reward in enumerate(found) if seat in first} == {1.0}
        assert {round(float(reward), 6) for seat, reward in enumerate(found) if seat not in first} == {-0.5}


class TestPoints:
    def test_point_rewards_are_the_scores(self):
        assert rewards(parlour.make("trime-kicker"), [0], [1], kind="points").tolist() == [[0, 1], [2, 3]]
