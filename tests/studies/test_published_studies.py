"""The numbers of the published studies, in tables and prose, against their results beside them as JSON."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

STUDIES = Path(__file__).parents[2] / "docs" / "studies"
PUBLISHED = sorted(path for path in STUDIES.glob("*.md") if path.name != "README.md")
WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
NUMBER = rf"(?:[−-]?\d+(?:\.\d+)?|\b(?:{'|'.join(WORDS)})\b)"
RANGE = rf"\(({NUMBER}) to ({NUMBER})"
PERCENT = re.compile(rf"(?:({NUMBER}) to )?({NUMBER}) %", re.IGNORECASE)
POINTS = re.compile(rf"(?:({NUMBER}) to )?({NUMBER}) points?\b(?:[^.;:()]*{RANGE})?", re.IGNORECASE)
NO_RESULTS = re.compile(r"95 % intervals|to within one point|to (?:15|25|30) points|five points for purity")
"""The confidence level, the precision of an outlook, and the values of options."""
PARTS = ("deal_part", "skill_part")
IN_POINTS = ("first_player", "skill", "margin", "spread")
Found = tuple[str, dict[str, float]]


def estimates_of(results: Any, name: str = "") -> Iterator[Found]:
    """Yield every estimate of a study's results with the name of its measure."""
    if isinstance(results, dict) and {"value", "low", "high"} <= set(results):
        yield name, results
    elif isinstance(results, dict):
        for key, each in results.items():
            yield from estimates_of(each, results["measure"] if key == "by" else key)
    elif isinstance(results, list):
        for each in results:
            yield from estimates_of(each, name)


def is_rounded(quoted: str, value: float | None) -> bool:
    """Return whether a quoted number is a value, in its own unit or in percent, rounded as quoted, without its sign."""
    if value is None:
        return False
    digits = str(WORDS.index(quoted.lower())) if quoted.lower() in WORDS else quoted.replace("−", "-")
    half = 0.5 * 10.0 ** -len(digits.partition(".")[2]) + 1e-6
    return any(abs(abs(float(digits)) - abs(scale * value)) <= half for scale in (1, 100))


def is_estimate(quoted: tuple[str, ...], estimate: dict[str, float], *keys: str) -> bool:
    """Return whether quoted numbers are those of one estimate; the bounds of a decrease may be in either order."""
    orders = [keys, tuple({"low": "high", "high": "low"}.get(key, key) for key in keys)]
    return any(
        all(is_rounded(each, estimate[key]) for each, key in zip(quoted, order, strict=True)) for order in orders
    )


def wrong_numbers(prose: str, found: list[Found]) -> list[str]:
    """Return the quotations with a percent sign or with points that no result of the study supports.

    A share is a part of the result. Points with an interval are one estimate. Points without an interval are a value, a
    bound or a half-width.
    """
    parts = [each for name, each in found if name in PARTS]
    points = [each for name, each in found if name in IN_POINTS]
    prose = NO_RESULTS.sub("", " ".join(prose.replace("*", "").split()))
    wrong = []
    for quotation in PERCENT.finditer(prose):
        low, value = quotation.groups()
        if not any(
            is_estimate((low, value), e, "low", "high") if low else is_rounded(value, e["value"]) for e in parts
        ):
            wrong.append(quotation[0])
    for quotation in POINTS.finditer(prose):
        least, value, *bounds = quotation.groups()
        if bounds[0]:
            right = any(is_estimate((value, *bounds), each, "value", "low", "high") for each in points)
        else:
            right = all(is_quoted(each, points) for each in (least, value) if each)
        if not right:
            wrong.append(quotation[0])
    return wrong


def is_quoted(number: str, estimates: list[dict[str, float]]) -> bool:
    """Return whether a number is a value, a bound or a half-width of an estimate."""
    return any(
        is_rounded(number, each)
        for estimate in estimates
        for each in (*estimate.values(), (estimate["high"] - estimate["low"]) / 2)
    )


def read(study: Path) -> tuple[str, str, list[Found]]:
    """Return the table rows, the prose and the estimates of a published study."""
    lines = re.sub(r"```.*?```", "", study.read_text(encoding="utf-8"), flags=re.DOTALL).splitlines()
    rows, prose = ("\n".join(each for each in lines if each.startswith("|") == table) for table in (True, False))
    return rows, prose, list(estimates_of(json.loads(study.with_suffix(".json").read_text(encoding="utf-8"))))


RESULTS: list[Found] = [
    ("deal_part", {"value": 0.442, "low": 0.39, "high": 0.49}),
    ("first_player", {"value": -0.0512, "low": -0.08, "high": -0.031}),
    ("decisions", {"value": 40.0, "low": 17.0, "high": 60.0}),
]


@pytest.mark.parametrize("study", PUBLISHED, ids=lambda path: path.stem)
class TestAPublishedStudy:
    def test_has_only_estimates_of_its_results_in_its_tables(self, study: Path) -> None:
        rows, _, found = read(study)
        cells = re.findall(rf"({NUMBER}) {RANGE}\)", rows)
        assert len(cells) >= 40
        missing = [
            cell for cell in cells if not any(is_estimate(cell, each, "value", "low", "high") for _, each in found)
        ]
        assert missing == []

    def test_names_the_day_and_the_commit_of_its_measurement(self, study: Path) -> None:
        assert len(re.findall(r"Measured on \d{4}-\d\d-\d\d \(commit [0-9a-f]{8}\)", study.read_text())) == 1

    def test_quotes_shares_and_points_of_its_results(self, study: Path) -> None:
        _, prose, found = read(study)
        assert wrong_numbers(prose, found) == []


class TestWrongNumbers:
    @pytest.mark.parametrize(
        "prose",
        [
            "The deal explains 44 % of the result (39 to 49 %).",
            "The first player wins five points less than an even share (3 to 8).",
            "An advantage of up to eight points is possible.",
        ],
    )
    def test_are_none_where_the_results_agree(self, prose: str) -> None:
        assert wrong_numbers(prose, RESULTS) == []

    @pytest.mark.parametrize(
        ("prose", "wrong"),
        [
            ("The deal explains 40 % of the result (39 to 49 %).", "40 %"),
            ("The deal explains 44 % of the result (38 to 49 %).", "38 to 49 %"),
            ("The first player wins five points less than even (2 to 8).", "five points less than even (2 to 8"),
            ("An advantage of 17 points is possible.", "17 points"),
        ],
    )
    def test_are_quotations_without_a_result(self, prose: str, wrong: str) -> None:
        assert wrong_numbers(prose, RESULTS) == [wrong]
