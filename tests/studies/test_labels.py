"""Numbers and phrases of findings as reports show them."""

import math
from types import SimpleNamespace
from typing import Any

import pytest

from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.statistics import Estimate
from parlour.studies.labels import (
    interval_text,
    listed,
    listed_names,
    merged_paragraphs,
    number_text,
    phrase,
    short_name,
)
from parlour.studies.measures import MEAN, SHARE, Measure

SAYS = ("a game has {by} decisions more", "a game has {by} decisions fewer")
DECISIONS = Measure("decisions", "decisions", "decisions", lambda games: games.decisions, MEAN, SAYS)
WINS = Measure("wins", "wins", "%", lambda games: games.decisions, SHARE, ("{challenger}: {by} more", "{by} less"))
OTHER = Measure("other", "other", "%", lambda games: games.decisions, SHARE, ("{by} more", "{by} less"))
WALLS = {players: Setup(find_game("trick-walls"), players) for players in (3, 4)}


class TestNumbers:
    @pytest.mark.parametrize(
        ("measure", "value", "plain", "signed"),
        [
            (DECISIONS, 3.456, "3.46", "+3.46"),
            (DECISIONS, -3.456, "−3.46", "−3.46"),
            (DECISIONS, 12.34, "12.3", "+12.3"),
            (DECISIONS, -12.34, "−12.3", "−12.3"),
            (DECISIONS, 0.0, "0.00", "0.00"),
            (WINS, 0.5213, "52.1", "+52.1"),
            (WINS, -0.003, "−0.3", "−0.3"),
        ],
    )
    def test_have_their_places_and_a_typographic_sign(
        self, measure: Measure, value: float, plain: str, signed: str
    ) -> None:
        assert number_text(measure, value) == plain
        assert number_text(measure, value, signed=True) == signed

    @pytest.mark.parametrize(("measure", "zero"), [(DECISIONS, "0.00"), (WINS, "0.0")])
    def test_rounded_to_zero_have_no_sign(self, measure: Measure, zero: str) -> None:
        for value in (-0.0, -0.0004, 0.0004):
            assert number_text(measure, value) == number_text(measure, value, signed=True) == zero

    def test_beyond_doubt_are_not_shown_as_zero(self) -> None:
        assert interval_text(WINS, Estimate(0.0007, 0.0004, 0.001), signed=True) == "+0.07 (+0.04 to +0.10)"

    def test_have_four_decimal_places_at_most(self) -> None:
        assert interval_text(WINS, Estimate(-1e-5, -2e-5, -1e-9)) == "−0.0010 (−0.0020 to 0.0000)"

    def test_without_a_sure_difference_have_their_usual_places(self) -> None:
        assert interval_text(WINS, Estimate(0.0, 0.0, 0.0004)) == "0.0 (0.0 to 0.0)"

    def test_without_bounds_are_infinite(self) -> None:
        assert (number_text(WINS, math.inf), number_text(WINS, -math.inf)) == ("∞", "−∞")
        assert interval_text(WINS, Estimate(0.5, -math.inf, math.inf)) == "50.0 (−∞ to ∞)"


class TestPhrases:
    @pytest.mark.parametrize(
        ("measure", "by", "words"),
        [
            (DECISIONS, Estimate(4.2, 3.1, 5.3), "a game has 4.20 decisions more (3.10 to 5.30)"),
            (DECISIONS, Estimate(-4.2, -5.3, -3.1), "a game has 4.20 decisions fewer (3.10 to 5.30)"),
            (DECISIONS, Estimate(-4.2, -9.0, 0.6), "a game has 4.20 decisions fewer (−0.60 to 9.00)"),
            (DECISIONS, Estimate(-2.0, -2.001, -1.999), "a game has 2.00 decisions fewer"),
            (WINS, Estimate(0.012, 0.002, 0.022), "search: 1.2 more (0.2 to 2.2)"),
            (WINS, Estimate(-0.0007, -0.0010, -0.0004), "0.07 less (0.04 to 0.10)"),
            (WINS, Estimate(0.02, 0.0003, 0.04), "search: 2.00 more (0.03 to 4.00)"),
            (WINS, Estimate(0.0007, -0.0004, 0.0018), "search: 0.1 more (0.0 to 0.2)"),
            (DECISIONS, Estimate(0.006, 0.002, 0.010), "a game has 0.006 decisions more (0.002 to 0.010)"),
        ],
    )
    def test_name_the_amount_and_its_interval_in_the_same_direction(
        self, measure: Measure, by: Estimate, words: str
    ) -> None:
        findings: Any = SimpleNamespace(line_up_text=lambda line_up: "search")
        difference: Any = SimpleNamespace(measure=measure, by=by, line_up=(0,))
        assert phrase(findings, difference) == words


class TestNames:
    @pytest.mark.parametrize(
        ("setup", "others", "name"),
        [
            (WALLS[3], [], "defaults"),
            (Setup(WALLS[3].game, 3, {"rounds": 2}), [], "rounds=2"),
            (WALLS[3], [WALLS[4]], "3 players"),
            (Setup(WALLS[3].game, 3, {"rounds": 2}), [WALLS[4]], "3 players, rounds=2"),
        ],
    )
    def test_have_the_number_of_players_if_it_varies(self, setup: Setup, others: list[Setup], name: str) -> None:
        assert short_name(setup, [setup, *others]) == name

    @pytest.mark.parametrize(
        ("texts", "joined"),
        [(["a=1"], "a=1"), (["a=1", "b=2"], "a=1, b=2"), (["a=1, b=2", "c=3"], "a=1, b=2; c=3")],
    )
    def test_are_separated_by_semicolons_if_one_has_a_comma(self, texts: list[str], joined: str) -> None:
        assert listed(texts) == joined

    @pytest.mark.parametrize(
        ("texts", "joined"),
        [
            (["a=1"], "a=1"),
            (["a=1, b=2"], "(a=1, b=2)"),
            (["a=1", "b=2"], "a=1 and b=2"),
            (["a=1, b=2", "c=3", "a=1, c=3"], "(a=1, b=2), c=3 and (a=1, c=3)"),
        ],
    )
    def test_are_in_brackets_within_a_sentence_if_they_have_a_comma(self, texts: list[str], joined: str) -> None:
        assert listed_names(texts) == joined


def change(measure: Measure, by: float, reach: float = 0.0) -> Any:
    """Return a difference; its interval, of this half-width, is by default too narrow to be displayed."""
    return SimpleNamespace(measure=measure, by=Estimate(by, by - reach, by + reach), line_up=(0,))


class TestParagraphs:
    LONGER, FEWER, WON = change(DECISIONS, 4), change(DECISIONS, -4), change(WINS, 0.02)

    @pytest.mark.parametrize(
        ("found", "paragraphs"),
        [
            ([("a against b", "a", [LONGER])], ["a against b: a game has 4.00 decisions more."]),
            (
                [("a against b", "a", [LONGER]), ("c against b", "c", [change(DECISIONS, 5)])],
                ["a against b: a game has 4.00 decisions more. Likewise c: 5.00."],
            ),
            (
                [("a against b", "a", [LONGER, WON]), ("c against b", "c", [WON, LONGER])],
                ["a against b: a game has 4.00 decisions more; search: 2.0 more. The numbers are the same for c."],
            ),
            (
                [
                    ("a against b", "a", [LONGER]),
                    ("c against b", "c", [change(DECISIONS, 5)]),
                    ("d against b", "d", [LONGER]),
                    ("e against b", "e", [LONGER]),
                ],
                [
                    "a against b: a game has 4.00 decisions more. The numbers are the same for d and e. Likewise c: "
                    "5.00."
                ],
            ),
            (
                [("a against b", "a", [FEWER]), ("c against b", "c", [change(DECISIONS, -5, 1)])],
                ["a against b: a game has 4.00 decisions fewer. Likewise c: 5.00 (4.00 to 6.00)."],
            ),
            (
                [("a against b", "a", [LONGER]), ("c against b", "c", [FEWER])],
                ["a against b: a game has 4.00 decisions more.", "c against b: a game has 4.00 decisions fewer."],
            ),
            (
                [("a against b", "a", [LONGER, WON]), ("c against b", "c", [change(WINS, 0.03), change(DECISIONS, 9)])],
                [
                    "a against b: a game has 4.00 decisions more; search: 2.0 more. Likewise c, in this "
                    "order: 9.00; 3.0."
                ],
            ),
            (
                [("a against b", "a", [WON, LONGER, change(OTHER, 1)]), ("c", "c", [LONGER, WON, change(OTHER, 2)])],
                [
                    "a against b: search: 2.0 more; a game has 4.00 decisions more; and 1 more. Likewise c, in this "
                    "order: 2.0; 4.00; and 1 more."
                ],
            ),
        ],
    )
    def test_of_the_same_changes_are_merged_in_the_order_of_the_first(
        self, found: list[tuple[str, str, list[Any]]], paragraphs: list[str]
    ) -> None:
        findings: Any = SimpleNamespace(line_up_text=lambda line_up: "search")
        assert merged_paragraphs(findings, found, 2) == paragraphs
