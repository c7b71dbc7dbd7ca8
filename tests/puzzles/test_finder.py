"""The search for puzzles: certain losses, values, exact values, and games."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from parlour.bots import LEVELS
from parlour.bots.protocol import never
from parlour.cards import card_name, cards_of
from parlour.endgames.action_values import action_values
from parlour.endgames.endgame_tree import TreeLimits, endgame_tree_of
from parlour.endgames.equilibrium import solve
from parlour.endgames.exact import decisions_of
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import determinize, hidden_from
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.insight.position import position_of
from parlour.puzzles import certainty, finder
from parlour.puzzles.puzzle import PuzzleReason
from parlour.statistics import Estimate
from tests.puzzles.known_search import SETUP, WORK


class TestSearch:
    def test_every_other_action_is_worse_by_the_margin(self, found_puzzles):
        puzzles = [puzzle for of_game in found_puzzles.values() for puzzle in of_game]
        assert len(puzzles) > 1
        for puzzle in puzzles:
            best, *others = puzzle.actions
            assert best.behind == 0
            assert min(each.low for each in others) >= 1000 * certainty.MARGIN
            assert all(each.low <= each.behind <= each.high and each.win < best.win for each in others)

    def test_all_legal_actions_are_judged_and_the_seat_is_to_act(self, first_puzzle):
        match = first_puzzle.match()
        assert sorted(each.do for each in first_puzzle.actions) == sorted(match.legal())
        assert first_puzzle.position().seat == match.actor

    def test_a_game_has_the_same_puzzles_whenever_it_is_searched(self, found_puzzles, first_puzzle):
        assert WORK.open()(first_puzzle.number, never) == found_puzzles[first_puzzle.number]

    def test_a_theme_selects(self, first_puzzle):
        unwanted = replace(WORK, theme="no such theme")
        assert unwanted.open()(first_puzzle.number, never) == []
        assert (
            replace(WORK, theme=first_puzzle.themes[0]).open()(first_puzzle.number, never)[0].themes[0]
            == first_puzzle.themes[0]
        )

    def test_the_search_has_all_levels_and_the_master_finds_the_best_action(self, first_puzzle):
        assert list(first_puzzle.levels) == list(LEVELS)
        assert first_puzzle.levels["master"] >= 75


class FixedSearch:
    """A search in which each action has a known mean loss, with normal noise."""

    def __init__(self, losses, noise=0.3):
        self.losses, self.noise, self.steps = losses, noise, 0
        self._random = np.random.default_rng(1)

    def compare(self, moves, number):
        self.steps += number * len(moves)
        values = [0.6 - self.losses[move] + self._random.normal(0, self.noise, number) for move in moves]
        return np.stack(values, axis=1), 0


class TestCertainty:
    def test_clear_losses_are_settled_first(self):
        search = FixedSearch([0, 0.5, 0.1])
        losses = certainty.losses_of(search, 0, [1, 2], 10**6)
        assert losses[1][1].value == pytest.approx(0.5, abs=0.1)
        assert losses[2][1].low >= certainty.MARGIN

    @pytest.mark.parametrize("loss", [0.0, 0.02, -0.2])
    def test_an_action_about_as_good_or_better_refutes(self, loss):
        assert certainty.losses_of(FixedSearch([0, 0.5, loss]), 0, [1, 2], 10**6) == {}

    def test_a_position_undecided_at_the_end_of_the_effort_is_no_puzzle(self):
        assert certainty.losses_of(FixedSearch([0, 0.06], noise=1), 0, [1], 100) == {}

    def test_an_interval_of_many_statements_is_wider(self):
        values = np.random.default_rng(1).normal(0, 1, 500)
        one, many = certainty.simultaneous(values, 1), certainty.simultaneous(values, 100)
        assert many.low < one.low < one.value < one.high < many.high

    def test_the_confidence_covers_all_actions_and_steps_also_after_some_are_settled(self, monkeypatch):
        simultaneous, statements = certainty.simultaneous, []
        monkeypatch.setattr(
            certainty, "simultaneous", lambda values, number: statements.append(number) or simultaneous(values, number)
        )
        losses = certainty.losses_of(FixedSearch([0, 0.5, 0.4, 0.15], noise=0.5), 0, [1, 2, 3], 10**6)
        assert len(losses) == 3
        assert len(statements) > 3
        assert set(statements) == {3 * len(certainty.STEPS)}


class FixedTrees:
    """A search whose trees have a known value for each action, almost without error."""

    def __init__(self, values):
        self.values, self.duels = values, {}

    def duel(self, best, other, effort, nodes):
        self.duels[other] = effort
        return self.values[best], self.values[other], 10**9


class TestTrees:
    LOSSES = {  # noqa: RUF012
        move: (0.6 - loss, Estimate(loss, loss - 0.01, loss + 0.01))
        for move, loss in ((1, 0.3), (2, 0.1), (3, 0.5), (4, 0.2))
    }

    def is_best(self, search, losses=LOSSES):
        return certainty.is_best_in_trees(search, 0, losses, 900)

    @pytest.mark.parametrize(
        ("moves", "compared"), [([1, 2, 3, 4], {2: 300, 4: 300, 1: 300}), ([3, 1], {1: 450, 3: 450}), ([3], {3: 900})]
    )
    def test_the_nearest_other_actions_share_the_effort(self, moves, compared):
        search = FixedTrees([0.6] + 4 * [0.4])
        assert self.is_best(search, {move: self.LOSSES[move] for move in moves})
        assert search.duels == compared

    @pytest.mark.parametrize(("refuting", "best"), [(1, False), (2, False), (3, True), (4, False)])
    def test_each_of_them_refutes_if_it_is_as_good_in_a_tree(self, refuting, best):
        assert self.is_best(FixedTrees([0.6, *(0.6 if move == refuting else 0.4 for move in range(1, 5))])) is best


class TestValues:
    POSITION = SimpleNamespace(notation=lambda move: str(int(move)))
    LOSSES = {  # noqa: RUF012
        2: (0.28, Estimate(0.3, 0.05, 0.55)),
        1: (0.42, Estimate(0.2, 0.1, 0.3)),
        3: (0.0, Estimate(0.6, 0.4, 1.1)),
    }

    def values(self, exact):
        return [
            (each.do, each.win, each.behind, each.low, each.high)
            for each in finder.puzzle_values(self.POSITION, 0, self.LOSSES, exact)
        ]

    def test_the_best_action_comes_first_and_the_others_by_their_loss(self):
        assert self.values(None) == [
            ("0", 600, 0, 0, 0), ("1", 400, 200, 100, 300), ("2", 300, 300, 50, 550), ("3", 0, 600, 400, 1000)
        ]  # fmt: skip

    def test_exact_values_come_by_their_size_without_intervals(self):
        assert self.values({2: 0.5, 0: 0.75, 1: 0.25}) == [
            ("0", 750, 0, 0, 0), ("2", 500, 250, 250, 250), ("1", 250, 500, 500, 500)
        ]  # fmt: skip


class LayoutSearch:
    """A search in which the best action wins if a card is in a seat's hand, and every other action loses."""

    def __init__(self, position, best, card, seat):
        self.position, self.best = position, best
        stream = new_stream(1)
        layouts = (determinize(position.state, position.seat, stream) for _ in range(finder.LAYOUTS))
        self.layouts = [layout.copy() for layout in layouts]
        self.wins = [
            any(card in zone.cards and (zone.name, zone.at) == ("hand", seat) for zone in SETUP.game.zones(layout))
            for layout in self.layouts
        ]

    def compare(self, moves, number):
        values = [[0.25 + win / 2 if move == self.best else 0.25 for move in moves] for win in self.wins]
        return np.array(values[:number]), 0

    def determinize(self, number):
        return self.layouts[number]


class TestReasons:
    @pytest.mark.parametrize("order", [(1, 2, 3), (2, 3, 1), (3, 1, 2)])
    def test_they_are_the_layouts_in_which_the_best_differs_from_the_nearest_other_action(self, order, monkeypatch):
        monkeypatch.setattr(finder, "LAYOUTS", 300)
        match = SETUP.start(seed=3)
        seat = match.actor
        position = position_of(match, seat, ("You", "Bo"))
        best, *others = position.moves[:4]
        card = next(iter(cards_of(int(hidden_from(position.state, seat)))))
        search = LayoutSearch(position, best, card, 1 - seat)
        losses = {others[at - 1]: (0.5, Estimate(0.1 * at, 0, 1)) for at in order}
        (reason,) = finder.puzzle_reasons(position, search, best, losses)
        assert reason == PuzzleReason(
            position.notation(others[0]), card_name(card), "hand", 1 - seat, round(1000 * np.mean(search.wins)), 500, 0
        )


class TestExactValues:
    def test_the_best_actions_of_all_worlds_have_the_value_of_the_equilibrium(self):
        limits, trime_kicker = TreeLimits(nodes=2000), Setup(find_game("trime-kicker"), 2)
        state = next(state for events, state in decisions_of(trime_kicker, 0, 7) if events == 124)
        tree = endgame_tree_of(state, limits)
        values = [max(action_values(world, limits).values()) for world in tree.roots]
        assert np.mean(values) == pytest.approx(solve(tree).value_for(int(state.actor)), abs=1e-6)
        assert 0 < np.mean(values) < 1

    def test_a_large_end_has_no_exact_values(self):
        _, state = decisions_of(SETUP, 1, 0)[0]
        assert action_values(state, TreeLimits(nodes=100)) is None
