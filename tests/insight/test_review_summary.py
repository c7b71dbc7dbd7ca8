"""Summary of a stored review for a seat, as lists of games and results of daily deals show it."""

import json
from dataclasses import asdict

import pytest

from parlour.engine.rules import CHANCE
from parlour.insight.course import Course, Sums, Value, course_of
from parlour.insight.review_summary import SeatSummary, summary_of
from parlour.insight.review_text import sum_terms
from parlour.render.words import with_sign
from parlour.statistics import Estimate

COSTS = {"blunder": 12, "mistake": 6, "slip": 3, "find": 0, "": 0}


def course(start: int = 500, chance: int = 0, others: int = 0, own: int = 0, seat: int = 0) -> Course:
    sums = Sums(start, chance, others, own, offered=own, lost=0, result=start + chance + others + own)
    return Course(seat, "Ann", [], [], [], sums, [])


def review_of(*courses: Course) -> str:
    return json.dumps({"courses": [asdict(each) for each in courses]})


def summary(*marks: str) -> SeatSummary:
    decisions = [{"seen": seen, "mark": mark, "cost": COSTS[mark]} for seen, mark in enumerate(marks)]
    return SeatSummary(0, 0, 0, decisions)


class TestSums:
    @pytest.mark.parametrize("parts", [(334, 344, 0, -678), (504, 5, -1, 492), (125, -126, -3, 4)])
    def test_are_rounded_as_the_review_shows_them(self, parts):
        own = course(*parts)
        found = summary_of(review_of(own), 0)
        assert [with_sign(part) for part in (found.luck, found.others, found.own)] == [
            text for text, _ in sum_terms(own)[1:4]
        ]

    def test_are_those_of_the_seat_wherever_its_course_is(self):
        review = review_of(course(chance=100, seat=2), course(chance=-100, seat=0))
        assert [summary_of(review, seat).luck for seat in (0, 2)] == [-10, 10]

    def test_of_a_seat_without_a_decision_are_those_of_chance_and_the_others(self):
        known = {seen: Value(chance, Estimate(chance, chance, chance)) for seen, chance in enumerate((500, 620, 590))}
        found = summary_of(review_of(course_of(0, "Ann", [CHANCE, 1], known, [], 590)), 0)
        assert (found.luck, found.others, found.own, found.lost, found.telling_marks(10)) == (12, -3, 0, 0, [])


class TestMarks:
    def test_of_few_decisions_are_those_of_each(self):
        marks = ["slip", "", "find"]
        assert summary(*marks).telling_marks(3) == summary(*marks).telling_marks(10) == marks

    def test_of_no_decisions_are_none(self):
        assert summary().telling_marks(10) == []

    @pytest.mark.parametrize(
        ("group", "mark"),
        [
            (["", "find", "slip", "mistake", "blunder"], "blunder"),
            (["mistake", "find", "slip"], "mistake"),
            (["find", "slip", ""], "slip"),
            (["", "find", ""], "find"),
            (["", ""], ""),
        ],
    )
    def test_of_a_group_is_the_costliest_otherwise_a_find(self, group, mark):
        assert summary(*group).telling_marks(1) == [mark]

    def test_of_many_decisions_are_those_of_consecutive_groups(self):
        assert summary("slip", "", "", "find", "").telling_marks(2) == ["slip", "find"]

    @pytest.mark.parametrize("decisions", [3, 7, 10, 11, 29])
    @pytest.mark.parametrize("most", [2, 3, 10])
    def test_of_many_decisions_have_a_telling_one_wherever_it_is(self, decisions, most):
        for place in range(decisions):
            marks = ["slip" if at == place else "" for at in range(decisions)]
            found = summary(*marks).telling_marks(most)
            assert (len(found), found.count("slip")) == (min(most, decisions), 1)
            assert abs(found.index("slip") - place * len(found) / decisions) <= 1


class TestCosts:
    def test_are_added_for_all_decisions(self):
        assert summary("slip", "", "blunder", "find").lost == 15

    def test_of_finds_and_unmarked_decisions_are_not_among_the_costliest(self):
        assert summary("", "find").costliest(3) == []

    def test_that_are_equal_stay_in_their_order(self):
        assert [each["seen"] for each in summary("slip", "mistake", "", "slip", "slip").costliest(3)] == [1, 0, 3]
