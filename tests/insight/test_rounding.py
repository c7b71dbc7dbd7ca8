"""Numbers of reviews: exact sums, rounding, marks, intervals, and the hidden card on which a value depends most."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.cards import card_name
from parlour.insight.course import Decision, Value, certain_cost, cost_in_tree, course_of, is_find, mark_of
from parlour.insight.explanation import chance
from parlour.insight.layout_kinds import FEWEST, most_significant_kind
from parlour.insight.position import Place
from parlour.insight.rounding import percent, running_points, span, whole_points
from parlour.render.words import with_sign
from parlour.statistics import Estimate, estimate_difference

CHANCES = st.integers(0, 1000)


def surely(value: float) -> Estimate:
    """Return an estimate whose interval is the value alone."""
    return Estimate(value, value, value)


def decision(seen: int, before: int, with_best: int, with_done: int) -> Decision:
    lost, won = surely(with_best - with_done), surely(with_done - before)
    return Decision(
        seen, "Trick 1", 0, "7H", "QC", "play it", "play her", before, with_best, with_done, lost, won, surely(before),
        100, 2, mark_of(certain_cost(lost)), certain_cost(lost),
    )  # fmt: skip


@st.composite
def courses(draw):  # type: ignore[no-untyped-def]
    """Draw a course of seat 0 with arbitrary values, and the actor of each event."""
    by = draw(st.lists(st.integers(-1, 2), max_size=12))
    decided = [seen for seen, who in enumerate(by) if who == 0 and draw(st.booleans())]
    decisions = [decision(seen, draw(CHANCES), draw(CHANCES), draw(CHANCES)) for seen in decided]
    known = {
        seen: Value(draw(CHANCES), surely(0)) for seen in range(len(by)) if seen not in decided and draw(st.booleans())
    }
    return course_of(0, "Ann", by, known, decisions, draw(CHANCES)), by


class TestSums:
    @given(courses())
    def test_changes_add_up_exactly_from_start_to_result(self, drawn) -> None:  # type: ignore[no-untyped-def]
        course, by = drawn
        sums = course.sums
        assert sums.start + sums.chance + sums.others + sums.own == sums.result == course.chances[-1]
        assert sums.own == sums.offered - sums.lost
        assert len(course.chances) == len(by) + 1

    def test_own_decisions_are_skill_and_all_other_changes_are_luck(self) -> None:
        known = {0: Value(500, surely(500)), 1: Value(560, surely(560))}
        decisions = [decision(2, 600, 700, 620)]
        course = course_of(0, "Ann", [-1, 1, 0, 1], known, decisions, 1000)
        assert (course.sums.start, course.sums.chance, course.sums.others, course.sums.own) == (500, 60, 420, 20)
        assert (course.sums.offered, course.sums.lost) == (100, 80)
        assert course.chances == [500, 560, 600, 620, 1000]

    @given(st.lists(st.tuples(st.floats(-300, 1000), st.floats(0, 1300)), min_size=1, max_size=6))
    def test_an_interval_stays_between_impossible_and_certain(self, intervals: list[tuple[float, float]]) -> None:
        known = {seen: Value(500, Estimate(500, low, high)) for seen, (low, high) in enumerate(intervals)}
        course = course_of(0, "Ann", [-1] * len(intervals), known, [], 1000)
        for (low, high), shown_low, shown_high in zip(intervals, course.low, course.high, strict=False):
            assert 0 <= shown_low <= 1000
            assert 0 <= shown_high <= 1000
            assert not 0 <= low <= 1000 or abs(shown_low - low) <= 0.5
            assert not 0 <= high <= 1000 or abs(shown_high - high) <= 0.5

    def test_cards_turned_up_by_a_seats_action_are_its_own_luck_whichever_seat_is_next(self) -> None:
        course = course_of(0, "Ann", [0, 1], {1: Value(650, surely(650))}, [decision(0, 500, 520, 520)], 1000)
        assert (course.sums.own, course.sums.chance, course.sums.others) == (20, 130, 350)

    def test_actions_of_seat_0_are_not_counted_as_chance(self) -> None:
        course = course_of(1, "Bo", [-2, 0], {0: Value(400, surely(400)), 1: Value(450, surely(450))}, [], 0)
        assert (course.sums.chance, course.sums.others) == (50, -450)


class TestRounding:
    @given(CHANCES, st.lists(st.integers(-1000, 1000), max_size=6))
    def test_rounded_changes_lead_from_the_rounded_start_to_the_rounded_result(self, start: int, changes) -> None:  # type: ignore[no-untyped-def]
        rounded = running_points(start, changes)
        assert whole_points(start / 1000) + sum(rounded) == whole_points((start + sum(changes)) / 1000)
        assert all(abs(points - change / 10) <= 1 for points, change in zip(rounded, changes, strict=True))

    def test_negative_numbers_have_one_minus_sign_and_zero_has_none(self) -> None:
        assert [with_sign(points) for points in (5, -3, 0)] == ["+5", "\N{MINUS SIGN}3", "0"]
        assert span(-0.021, 0.034, 1) == "\N{MINUS SIGN}2 to 3"
        assert percent(-0.001) == "0 %"

    def test_a_rounded_interval_contains_its_number(self) -> None:
        assert span(0.0349, 0.0449, 5) == "3 to 5"
        assert span(0.0551, 0.0649, 5) == "5 to 6"

    @given(st.integers(-1000, 1000), st.integers(0, 300), st.integers(-100, 100))
    def test_a_rounded_interval_contains_its_ends_and_its_number(self, low: int, width: int, around: int) -> None:
        text = span(low / 1000, (low + width) / 1000, around).replace("\N{MINUS SIGN}", "-")
        first, last = map(int, text.split(" to "))
        assert first == min(whole_points(low / 1000), around)
        assert last == max(whole_points((low + width) / 1000), around)


class TestMarks:
    @pytest.mark.parametrize(
        ("lost", "cost"),
        [
            (Estimate(120, 20, 220), 12),
            (Estimate(54, 40, 68), 5),
            (Estimate(20, 20, 20), 2),
            (Estimate(300, 19, 581), 0),
            (Estimate(300, -5, 605), 0),
        ],
    )
    def test_a_loss_counts_if_its_interval_begins_at_two_points(self, lost: Estimate, cost: int) -> None:
        assert certain_cost(lost) == cost

    @pytest.mark.parametrize(
        ("cost", "mark"),
        [(0, ""), (2, "slip"), (4, "slip"), (5, "mistake"), (9, "mistake"), (10, "blunder"), (100, "blunder")],
    )
    def test_a_mark_follows_the_number_beside_it(self, cost: int, mark: str) -> None:
        assert mark_of(cost) == mark

    def test_a_find_loses_nothing_and_is_significantly_better_than_the_rule_of_thumb(self) -> None:
        assert is_find(surely(0), Estimate(80, 60, 100))
        assert not is_find(surely(0), Estimate(80, 40, 120))
        assert not is_find(surely(1), Estimate(80, 60, 100))

    @pytest.mark.parametrize(("lost", "found"), [(-1, True), (0, True), (1, False)])
    def test_a_find_seems_to_lose_nothing_however_wide_the_interval(self, lost: int, found: bool) -> None:
        assert is_find(Estimate(lost, lost - 30, lost + 30), Estimate(80, 60, 100)) == found


class _Duels:
    """A search whose trees give two actions the values ``better`` and ``worse``, after ``times`` visits of each."""

    def __init__(self, better: float, worse: float, times: int) -> None:
        self.efforts: list[int] = []
        self._found = better, worse, times

    def duel(self, best: int, done: int, effort: int, most_nodes: int) -> tuple[float, float, int]:
        self.efforts.append(effort)
        return self._found


class TestSecondOpinion:
    @pytest.mark.parametrize(
        ("better", "worse", "cost"), [(0.9, 0.6, 30), (0.9, 0.86, 4), (0.9, 0.9, 0), (0.6, 0.9, 0)]
    )
    def test_it_is_the_estimate_of_the_tree(self, better: float, worse: float, cost: int) -> None:
        assert cost_in_tree(_Duels(better, worse, 10**6), 1, 2, 800) == cost

    def test_an_estimate_from_few_determinizations_is_no_loss(self) -> None:
        assert cost_in_tree(_Duels(0.9, 0.6, 3), 1, 2, 800) == 0

    @pytest.mark.parametrize(("times", "cost"), [(1, 0), (20, 100)])
    def test_one_playout_of_each_action_decides_nothing(self, times: int, cost: int) -> None:
        assert cost_in_tree(_Duels(1.0, 0.0, times), 1, 2, 800) == cost

    @pytest.mark.parametrize(("worse", "efforts"), [(0.6, [100, 800]), (0.9, [100])])
    def test_the_whole_effort_is_spent_only_if_a_mark_is_possible(self, worse: float, efforts: list[int]) -> None:
        duels = _Duels(0.9, worse, 10**6)
        cost_in_tree(duels, 1, 2, 800)
        assert duels.efforts == efforts


class TestUncertainty:
    def test_common_error_of_determinizations_does_not_average_out(self) -> None:
        estimate = chance(np.full(100, 0.5), 0.1)
        assert (estimate.low, estimate.high) == pytest.approx((0.5 - 0.196, 0.5 + 0.196))

    def test_a_probability_stays_between_zero_and_one(self) -> None:
        estimate = chance(np.full(100, 0.95), 0.1)
        assert estimate.high == 1


class _Layouts:
    """Places of two or more hidden cards, each in one of two hands; a stand-in for ``Whereabouts``."""

    def __init__(self, where) -> None:  # type: ignore[no-untyped-def]
        self.cards, self.where = [5, 44, *range(6, 4 + where.shape[1])], where

    def place(self, number: int) -> Place:
        return Place("hand", number, f"in hand {number}")


class TestTheCardThatMatters:
    def test_it_is_found_with_its_effect(self) -> None:
        random = np.random.default_rng(1)
        where = random.integers(0, 2, (400, 2))
        kind = most_significant_kind(0.3 + 0.2 * (where[:, 1] == 1) + random.normal(0, 0.05, 400), _Layouts(where))
        assert kind is not None
        assert kind.card == card_name(44)
        assert abs(kind.shift.value) == pytest.approx(0.2, abs=0.03)
        assert kind.there.value - kind.elsewhere.value == pytest.approx(kind.shift.value)

    @pytest.mark.parametrize(("choosing", "measuring"), [(20, 60), (100, 100), (180, 120)])
    def test_its_share_is_that_of_its_place_among_all_layouts(self, choosing: int, measuring: int) -> None:
        where = np.zeros((400, 2), int)
        where[: 2 * choosing : 2, 1] = where[1 : 2 * measuring : 2, 1] = 1
        kind = most_significant_kind(np.where(where[:, 1] == 1, 0.8, 0.3), _Layouts(where))
        assert kind is not None
        there = int(kind.place.words[-1])
        assert kind.share.value == pytest.approx((where[:, 1] == there).mean())
        assert (kind.there.value, kind.elsewhere.value) == pytest.approx((0.8, 0.3) if there else (0.3, 0.8))

    def test_its_two_means_make_the_mean_of_all_layouts(self) -> None:
        random = np.random.default_rng(4)
        where = random.integers(0, 3, (400, 2)) // 2
        values = 0.5 + 0.2 * (where[:, 1] == 1) + random.normal(0, 0.1, 400)
        kind = most_significant_kind(values, _Layouts(where))
        assert kind is not None
        mean = kind.share.value * kind.there.value + (1 - kind.share.value) * kind.elsewhere.value
        assert mean == pytest.approx(values.mean())
        assert kind.there.low < kind.there.value < kind.there.high

    def test_a_great_effect_in_few_layouts_matters_less_than_a_smaller_one_in_half_of_them(self) -> None:
        """The values of the few layouts hardly differ, so the great effect is the more significant one."""
        random = np.random.default_rng(5)
        where = np.stack([np.arange(1000) % 40 < 2, random.integers(0, 2, 1000)], axis=1).astype(int)
        values = np.where(where[:, 0] == 1, 0.05, random.random(1000) < 0.5 + 0.4 * where[:, 1])
        kind = most_significant_kind(values, _Layouts(where))
        assert kind is not None
        assert kind.card == card_name(44)

    def test_a_card_that_decides_everything_is_found(self) -> None:
        where = np.random.default_rng(1).integers(0, 2, (400, 2))
        kind = most_significant_kind((where[:, 1] == 1).astype(float), _Layouts(where))
        assert kind is not None
        assert (kind.card, abs(kind.shift.value)) == (card_name(44), 1)

    def test_without_such_a_card_none_is_named_except_by_chance(self) -> None:
        """Even among 20 cards: one half of the determinizations selects a card, the other half measures its effect."""
        random = np.random.default_rng(2)
        named = [
            most_significant_kind(random.normal(0.5, 0.3, 400), _Layouts(random.integers(0, 2, (400, 20))))
            for _ in range(100)
        ]
        assert sum(kind is not None for kind in named) <= 12  # expected: 5, since the intervals are of 95 %

    @pytest.mark.parametrize(
        ("choosing", "measuring", "named"),
        [
            (FEWEST, FEWEST, True),
            (FEWEST - 1, 200, False),
            (200, FEWEST - 1, False),
            (100, 0, False),
            (0, 100, False),
            (200 - FEWEST, 200 - FEWEST, True),
            (200 - FEWEST, 201 - FEWEST, False),
            (200, 200, False),
        ],
    )
    def test_a_place_counts_if_both_halves_have_enough_layouts_with_it_and_without(
        self, choosing: int, measuring: int, named: bool
    ) -> None:
        """One half of the 400 determinizations selects the card, the other half measures its effect."""
        where = np.zeros((400, 2), int)
        where[: 2 * choosing : 2, 0] = where[1 : 2 * measuring : 2, 0] = 1
        kind = most_significant_kind(np.where(where[:, 0] == 1, 0.8, 0.3), _Layouts(where))
        assert (kind is not None) == named

    def test_a_small_effect_is_not_mentioned(self) -> None:
        where = np.random.default_rng(3).integers(0, 2, (400, 2))
        assert most_significant_kind(0.3 + 0.009 * (where[:, 1] == 1), _Layouts(where)) is None


class TestTheDifferenceOfTwoMeans:
    def test_it_is_welchs_interval(self) -> None:
        """The data have 5.5 degrees of freedom; the 97.5 % quantile of Student's t is then about 2.50."""
        difference = estimate_difference([1, 2, 3, 4], [2, 4, 6, 8, 10])
        error = (1.6666667 / 4 + 10 / 5) ** 0.5
        assert difference.value == -3.5
        assert difference.high - difference.value == pytest.approx(2.4995 * error, rel=0.02)
