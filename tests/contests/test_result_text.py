"""Words and numbers of contests: units, counts, tests, precisions, and the reports of single results."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from parlour.contests.anytime_intervals import AnytimeInterval, PrecisionState
from parlour.contests.baselines import Baselines
from parlour.contests.contest import LADDER, MATCH, Contest, Deal
from parlour.contests.contest_results import MatchResult, seconds_name
from parlour.contests.exploitation import Exploitation, ExploitRun
from parlour.contests.foresight import ForesightResult, Prediction
from parlour.contests.frozen_games import FrozenGames
from parlour.contests.game_results import GameResult
from parlour.contests.interval_texts import percent, signed_percent, signed_points
from parlour.contests.ladder import LadderResult
from parlour.engine.setup import Setup
from parlour.engine.validation import counted
from parlour.games import find_game
from parlour.statistics import Estimate

DOCUMENT = Path(__file__).parents[2] / "docs" / "lab.md"
SETUP = Setup(find_game("trime-kicker"), 2)


def played(number: int, seconds: float = 0.5) -> MatchResult:
    """Return a match of thumb against random, deals of two games; thumb takes ``seconds`` a decision, random 2 ms."""
    result = MatchResult(Contest(MATCH, SETUP, ("thumb", "random"), 1))
    for deal in range(number):
        games = [
            GameResult((0, 1), (6, 2), (0,), (10, 10), (10 * seconds, 0.02)),
            GameResult((1, 0), (6, 2), (0,), (10, 10), (0.02, 10 * seconds)),
        ]
        result.add(Deal(deal, tuple(games)))
    return result


class TestIntervals:
    def test_two_deals_that_differ_leave_a_match_nearly_open(self) -> None:
        """An interval by the spread of the deals alone would be 52.5 % (48.9 to 56.0)."""
        result = MatchResult(Contest(MATCH, SETUP, ("thumb", "random"), 1))
        for deal in range(40):
            first = GameResult((0, 1), (6, 2), (0,), (10, 10), (1.0, 1.0))
            second = GameResult((1, 0), (6, 2), (1,) if deal < 2 else (0,), (10, 10), (1.0, 1.0))
            result.add(Deal(deal, (first, second)))
        assert (result.wins.value, result.wins.low, result.wins.high) == pytest.approx((0.525, 0.361, 0.685), abs=1e-3)

    def test_equal_points_in_all_deals_have_an_interval_of_positive_width(self) -> None:
        found = played(40).points
        assert found.value == 0
        assert -found.low == found.high == pytest.approx(1 - 0.025 ** (1 / 40))


class TestAContestWithoutDeals:
    @pytest.mark.parametrize(("kind", "result_class"), [(MATCH, MatchResult), (LADDER, LadderResult)])
    def test_says_so_instead_of_numbers(self, kind: str, result_class: type[MatchResult | LadderResult]) -> None:
        result = result_class(Contest(kind, SETUP, ("thumb", "random"), 1))
        assert str(result) == "trime-kicker, 2 players: no deal has been played"


class TestUnits:
    @pytest.mark.parametrize(
        ("seconds", "name"),
        [
            (0.0, "0 µs"),
            (4e-7, "0.4 µs"),
            (0.0009994, "999 µs"),
            (0.0009996, "1 ms"),
            (0.001, "1 ms"),
            (0.03456, "34.6 ms"),
            (0.9994, "999 ms"),
            (0.9996, "1 s"),
            (1.234, "1.23 s"),
            (1234.0, "1230 s"),
        ],
    )
    def test_a_duration_has_three_digits_and_the_greatest_unit(self, seconds: float, name: str) -> None:
        assert seconds_name(seconds) == name

    @pytest.mark.parametrize(
        ("number", "amount"), [(0, "0 deals"), (1, "1 deal"), (2, "2 deals"), (999, "999 deals"), (1000, "1,000 deals")]
    )
    def test_an_amount_has_its_plural_and_thousands(self, number: int, amount: str) -> None:
        assert counted(number, "deal") == amount

    def test_shares_are_in_percent_and_differences_have_signs(self) -> None:
        assert percent(Estimate(0.52, 0.4914, 0.549)) == "52.0% (49.1% to 54.9%)"
        assert signed_percent(Estimate(0.051, -0.023, 0.126)) == "+5.1 (−2.3 to +12.6)"
        assert signed_percent(Estimate(-0.051, -0.126, 0.0), 6) == "  −5.1 (−12.6 to +0.0)"
        assert signed_points(Estimate(-1.3, -2.774, 0.17)) == "−1.30 (−2.77 to +0.17)"

    def test_zero_is_positive_however_it_was_rounded(self) -> None:
        assert signed_percent(Estimate(-0.0001, -0.0004, 0.0004)) == "+0.0 (+0.0 to +0.0)"
        assert signed_points(Estimate(-0.001, -0.004, 0.004)) == "+0.00 (+0.00 to +0.00)"


class TestAMatch:
    @pytest.mark.parametrize(("deals", "amount"), [(1, "1 deal, 2 games"), (3, "3 deals, 6 games")])
    def test_it_has_the_wins_points_and_times_of_each(self, deals: int, amount: str) -> None:
        lines = played(deals).text().splitlines()
        assert lines[:2] == [
            "thumb against random: trime-kicker, 2 players",
            f"  {amount}, thumb in every seat in turn",
        ]
        assert lines[2].startswith("  wins    50.0% (")
        assert lines[2].endswith(" an even share is 50.0%")
        assert lines[3].startswith("  points  +0.00 (")
        assert lines[4] == "  time    500 ms a decision, random 2 ms"

    @pytest.mark.parametrize(
        ("known", "on_points", "text"),
        [
            (
                {"decision": None, "has_enough_deals": False, "differing_values": 3},
                False,
                "open: +2 rather than −1 percentage points of wins above even; 3 of 5 deals differ from the most "
                "frequent result, and 8 of at least 16 are required",
            ),
            (
                {"decision": None, "has_enough_deals": True, "log_ratio": -1.25, "bound": 2.944},
                True,
                "open: +2 rather than −1 points per game; log-likelihood ratio −1.25, decided at ±2.94",
            ),
            (
                {"decision": "better", "error": 0.05},
                True,
                "thumb is better: +2 rather than −1 points per game, wrong in about 5% at most\n"
                "          (after an early stop the intervals above overstate the difference)",
            ),
        ],
    )
    def test_the_test_says_what_is_asked_and_what_is_missing(
        self, known: dict[str, Any], on_points: bool, text: str
    ) -> None:
        result = played(5)
        result.on_points, result.test = on_points, SimpleNamespace(low=-1, high=2, **known)  # type: ignore[assignment]
        assert f"  test    {text}" in result.text()

    def test_the_documents_list_the_keys_of_its_json(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With an external bot, a forfeit, a test and a precision, which have keys of their own."""
        monkeypatch.setattr(Contest, "outside", {"random": "1"})
        result = played(1)
        result.test = SimpleNamespace(to_json=dict)  # type: ignore[assignment]
        result.precision = SimpleNamespace(to_json=lambda tally: [])  # type: ignore[assignment]
        result.tally.forfeits[0]["crashed"] = 1
        section = DOCUMENT.read_text(encoding="utf-8").partition("\n## `parlour match ")[2].partition("\n## ")[0]
        cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
        listed = [key for cell in cells for key in re.findall(r"`(\w+)`", cell)]
        assert sorted(listed) == sorted(result.to_json())


class TestPrecision:
    @pytest.mark.parametrize(
        ("low", "high", "reached"), [(0.25, 0.75, True), (0.25, 0.7, True), (0.24, 0.7, False), (0.3, 0.76, False)]
    )
    def test_it_is_reached_if_both_ends_are_within(self, low: float, high: float, reached: bool) -> None:
        target = SimpleNamespace(text="wins within 25", within=25.0, scale=100.0)
        assert AnytimeInterval(target, Estimate(0.5, low, high)).is_reached == reached

    def test_it_is_as_far_as_the_widest_interval_for_its_target(self) -> None:
        state = PrecisionState[AnytimeInterval[Any]]()
        assert (state.widest, state.is_reached) == (None, False)
        for within, width in ((10.0, 12.0), (1.0, 2.0), (20.0, 15.0)):
            target = SimpleNamespace(text="", within=within, scale=1.0)
            state.intervals.append(AnytimeInterval(target, Estimate(0.0, -width, width)))
        assert state.widest is state.intervals[1]
        assert not state.is_reached
        state.intervals = state.intervals[2:]
        assert state.is_reached


class TestBaselines:
    def test_a_row_has_the_games_of_each_field_and_the_longest_time(self) -> None:
        baselines = Baselines(SETUP, ("thumb", "casual", "regular"))
        baselines.matches["thumb", "random"] = played(3)
        baselines.matches["casual", "random"] = played(3, 0.7)
        baselines.matches["casual", "thumb"] = played(1, 0.3)
        baselines.matches["regular", "thumb"] = played(2)
        title, _, head, _, thumb, casual, regular = baselines.text().splitlines()
        assert title.endswith(", seed 0; an even share of the wins is 50.0%")
        assert head == ("| bot | wins against random | points | wins against thumb | points | games | a decision |")
        assert [cell.strip().partition(" (")[0] for cell in thumb.split("|")[1:-1]] == [
            "thumb", "50.0%", "+0.00", "", "", "6", "500 ms"
        ]  # fmt: skip
        assert [cell.strip().partition(" (")[0] for cell in casual.split("|")[1:-1]] == [
            "casual", "50.0%", "+0.00", "50.0%", "+0.00", "6 + 2", "700 ms"
        ]  # fmt: skip
        assert [cell.strip().partition(" (")[0] for cell in regular.split("|")[1:-1]] == [
            "regular", "", "", "50.0%", "+0.00", "4", "500 ms"
        ]  # fmt: skip

    def test_forfeits_are_listed_below_the_table(self) -> None:
        baselines = Baselines(SETUP, ("thumb", "casual"))
        baselines.matches["thumb", "random"] = played(1)
        tally = played(1).tally
        tally.forfeits[0]["crashed"], tally.greatest_loss = 2, 26.0
        baselines.matches["casual", "thumb"].tally = tally
        assert baselines.text().splitlines()[-4:] == [
            "",
            "casual against thumb:",
            "  Each forfeited game counts as a loss by 26 points:",
            "  thumb: 2 games forfeited: crashed",
        ]


class TestForesight:
    def test_the_table_has_a_row_for_each_tenth(self) -> None:
        found = [(0, 0.0, 0.0), (0, 0.0999, 0.0), (1, 0.1, 1.0), (1, 1.0, 1.0)]
        result = ForesightResult(SETUP, 2, [Prediction(*each) for each in found])
        title, head, *rows, bias = result.text().splitlines()
        assert title.endswith(": 4 decisions of 2 games")
        assert head.split() == ["predicted", "decisions", "average", "seen"]
        assert [row.split()[:4] for row in rows] == [
            ["0–10%", "2", "5.0%", "0.0%"],
            ["10–20%", "1", "10.0%", "100.0%"],
            ["90–100%", "1", "100.0%", "100.0%"],
        ]
        assert bias.startswith("  observed minus predicted: +20.0 (")
        result.games, result.found = 1, result.found[:1]
        assert ": 1 decision of 1 game\n" in result.text()


class TestExploitation:
    @pytest.mark.parametrize(
        ("stronger", "forfeits", "lines"),
        [
            (True, 0, ["In fresh deals: 60 %: thumb is exploited beyond the interval."]),
            (False, 0, ["In fresh deals: 60 %: thumb is not shown to be exploited."]),
            (None, 1, ["thumb forfeited 1 of 1 game of training, the last because it stopped."]),
            (None, 1200, ["thumb forfeited 1,200 of 1,200 games of training, the last because it stopped."]),
        ],
    )
    def test_the_report_says_whether_the_check_shows_it(
        self, stronger: bool | None, forfeits: int, lines: list[str]
    ) -> None:
        run: Any = object.__new__(ExploitRun)
        games: Any = object.__new__(FrozenGames)
        training: Any = object.__new__(Exploitation)
        games.forfeits, games.reason = forfeits, "stopped"
        point = SimpleNamespace(text=lambda: "point")
        checked = None if stronger is None else SimpleNamespace(is_stronger=stronger, text=lambda: "60 %")
        vars(training).update(curve=[point, point], _forfeits=(forfeits, "stopped"), iteration=1, size=forfeits)
        vars(run).update(
            _setup=SETUP, _bot="thumb", _out="p.npz", _games=games, checked=checked, _spent=lambda: "9 games",
            training=training,
        )  # fmt: skip
        assert run.text().splitlines() == [
            f"{SETUP.label} against thumb: learned from 9 games; the policy is in p.npz.", "  point", "  point", *lines
        ]  # fmt: skip
