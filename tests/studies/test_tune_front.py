"""Text of a search's results: the listed part of the front, the place of the first variation, scores."""

from types import SimpleNamespace
from typing import Any

import pytest

from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.studies.tune.pareto import Front, _score_text

TRICKS = find_game("three-tricks")


def variation(turns: int) -> Any:
    """Return a fully played variation of known deals, without measures."""
    setup = Setup(TRICKS, 2, {"stall_turns": turns})
    return SimpleNamespace(setup=setup, deals=[0, 1], is_complete=True, estimates=list)


def front(first: int, size: int, senses: tuple[int, ...] = (), fresh: tuple[int, ...] = ()) -> Front:
    """Return the front of stall_turns=1, 2, … with a score of a tenth of the option less 1.

    Args:
        first: the option of the variation that was tried first.
        size: the number of variations of the front.
        senses: the senses of the criteria.
        fresh: the options of the variations that were played again.
    """
    every = {turns: variation(turns) for turns in [first, *range(1, size + 1)]}
    search = SimpleNamespace(
        tried=list(every.values()),
        criteria=[SimpleNamespace(text=f"criterion {place}", sense=sense) for place, sense in enumerate(senses)],
        tuning=SimpleNamespace(
            space=SimpleNamespace(game=TRICKS), bots=("thumb",), deals=32, seed=0, move_time=10.0, evaluated_deals=0,
            traced_deals=0,
        ),
        games=64,
        fresh={every[turns].setup: every[turns] for turns in fresh},
        score=lambda each: each.setup.options["stall_turns"] / 10 - 1,
    )  # fmt: skip
    found = Front(search)  # type: ignore[arg-type]
    best = [every[turns] for turns in range(1, size + 1)]
    vars(found).update(best=best, _rivals=best, _misses={}, open=[])
    vars(found)["_measure_lines"] = lambda each: []
    return found


class TestTheList:
    @pytest.mark.parametrize(
        ("first", "mark"),
        [(1, "  stall_turns=1\n"), (13, "  (tried first, number 13 of the front) stall_turns=13\n"),
         (40, "  (tried first, not in the front) stall_turns=40\n")],
    )  # fmt: skip
    def test_the_first_variation_has_its_place_in_the_front(self, first: int, mark: str) -> None:
        assert mark in front(first, 14).text()

    @pytest.mark.parametrize(
        ("size", "sentence"),
        [(12, ""), (13, "The 12 with the best scores are listed; --json has all 13."),
         (18, "The 12 with the best scores are listed; --json has all 18.")],
    )  # fmt: skip
    def test_a_longer_front_states_the_number_of_the_listed_variations(self, size: int, sentence: str) -> None:
        text = front(1, size).text()
        assert ("best scores are listed" in text) == bool(sentence)
        assert sentence in text

    def test_the_command_for_a_closer_study_has_the_listed_variations(self) -> None:
        assert front(1, 18).command().count("--variation") == 12


class TestScores:
    @pytest.mark.parametrize(("score", "text"), [(-0.594, "−0.59"), (0.0, "0.00"), (-0.004, "0.00"), (2.41, "2.41")])
    def test_negative_scores_have_a_minus_sign_as_all_numbers(self, score: float, text: str) -> None:
        assert _score_text(score) == text

    def test_scores_are_listed_with_a_minus_sign(self) -> None:
        text = front(1, 2, senses=(0, 1), fresh=(1,)).text()
        assert "score (lower is better) −0.90, on 2 fresh deals −0.90; on these:" in text

    @pytest.mark.parametrize(
        ("senses", "fresh", "explained"), [((0, 1), (1,), True), ((0, 1), (), False), ((0, -1), (1,), False)]
    )
    def test_scores_below_0_are_explained_by_the_criteria_of_many(
        self, senses: tuple[int, ...], fresh: tuple[int, ...], explained: bool
    ) -> None:
        sentence = "it may be below 0, because 'criterion 1' counts as a negative miss."
        assert (sentence in front(1, 2, senses, fresh).text()) == explained

    def test_two_criteria_of_many_explain_scores_below_0_in_the_plural(self) -> None:
        sentence = "it may be below 0, because 'criterion 0' and 'criterion 1' count as negative misses."
        assert sentence in front(1, 2, senses=(1, 1), fresh=(1,)).text()
