"""Tables of a report, from differences and estimates that are made up: rows, their order, marks and notes."""

import html
import math
import re
import shlex
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from parlour.contests.contest import Job
from parlour.contests.game_results import GameResult
from parlour.engine.rewards import sides_of
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.statistics import Estimate
from parlour.studies.arguments import options_of
from parlour.studies.comparisons import Difference
from parlour.studies.contrasts import Change, pair, setting_text
from parlour.studies.plan import Study, listed_variations
from parlour.studies.report import charts, effects, page, published_table, rules_tables
from parlour.studies.report.html import anchor, cell, number, p_value_text, percent
from tests.studies.known_games import BY_NAME, TRICKS, TWO, findings_of, game
from tests.studies.made_up_findings import THREE, difference, made_up, main_effect


def rows_of(table: str) -> list[list[str]]:
    """Return the texts of a table's cells, row by row."""
    body = table.partition("<tbody>")[2]
    return [
        [" ".join(html.unescape(re.sub("<[^>]*>", " ", each)).split()) for each in re.split("</t[hd]>", row)[:-1]]
        for row in body.split("</tr>")[:-1]
    ]


def note_of(table: str) -> str:
    """Return the text above a table."""
    [note] = re.findall('<p class="note">(.*?)</p>', table)
    return html.unescape(note)


class TestCells:
    @pytest.mark.parametrize(
        ("p_value", "text"),
        [(1.0, "1.0000"), (0.01234, "0.0123"), (0.0001, "0.0001"), (0.00009, "&lt; 0.0001"), (0.0, "&lt; 0.0001")],
    )
    def test_a_p_value_has_four_places(self, p_value: float, text: str) -> None:
        assert p_value_text(p_value) == text

    def test_a_mean_has_two_places_below_ten(self) -> None:
        assert number(Estimate(9.996, -1.0, math.inf)) == "10.00<small>−1.00 to ?</small>"
        assert number(Estimate(10, 9, 11)) == "10.0<small>9.0 to 11.0</small>"
        assert number(Estimate(-10, -11, -9)) == "−10.0<small>−11.0 to −9.0</small>"
        assert percent(Estimate(0.125, 0.05, 0.2)) == "12.5<small>5.0 to 20.0</small>"

    def test_only_an_edge_has_a_plus_sign(self) -> None:
        some = Estimate(0.125, 0.05, 0.2)
        assert cell(BY_NAME["first_player"], some) == "<td>+12.5<small>+5.0 to +20.0</small></td>"
        assert cell(BY_NAME["draws"], some, True) == '<td class="significant">12.5<small>5.0 to 20.0</small></td>'

    def test_an_anchor_has_letters_digits_and_hyphens(self) -> None:
        assert anchor("People beside bots: rounds=2, a (b)") == "people-beside-bots-rounds-2-a-b"


class TestDifferences:
    def test_those_with_an_adjusted_p_value_below_1_have_rows_the_surest_first(self) -> None:
        found = [
            replace(difference(1, "draws", 0.2, significant=False), adjusted_p_value=0.05, p_value=0.004),
            replace(difference(2, "decisions", -4.0), deals=7, line_up=(0,)),
            replace(difference(1, "forced"), adjusted_p_value=1.0),
        ]
        table = page._differences_table(made_up(THREE, differences=found))
        assert rows_of(table) == [
            ["Decisions a game", "−4.00 (−5.00 to −3.00)", "stall_turns=8", "random", "7", "0.0010", "0.0100"],
            ["Drawn games % of games", "+20.0 (−80.0 to +120.0)", "rank_block=any", "thumb", "20", "0.0040", "0.0500"],
        ]
        assert table.count('class="significant"') == 1
        assert "adjusted for 3 comparisons" in note_of(table)
        assert note_of(table).endswith(" 1 of them has an adjusted p-value of 1 and is left out.")
        assert "left out" not in page._differences_table(made_up(THREE, differences=found[:2]))

    @pytest.mark.parametrize(
        ("by", "adjusted", "kind"),
        [(4.0, 1e-9, "more-4"), (-4.0, 1e-9, "less-4"), (4.0, 0.9, ""), (0.0, 1.0, "")],
    )
    def test_a_tile_is_coloured_by_direction_and_certainty(self, by: float, adjusted: float, kind: str) -> None:
        tile = effects._tile(replace(difference(by=by), adjusted_p_value=adjusted))
        assert re.findall('class="([^"]*)"', tile) == ([kind] if kind else [])
        assert effects._tile(None) == "<td>–</td>"

    def test_the_overview_has_a_column_for_each_variation_and_bot(self) -> None:
        found = [
            difference(2, "decisions", 6.0), difference(1, "decisions", 5.0, line_up=(0,)),
            difference(1, "decisions", 7.0), difference(1, "skill", 0.3, line_up=(1, 0)),
        ]  # fmt: skip
        table = effects.overview_table(made_up(THREE, differences=found, line_ups=[(0,), (1,), (1, 0)]))
        assert rows_of(table) == [["Decisions a game", "+5.00", "+7.00", "–", "+6.00"]]

    @pytest.mark.parametrize("deals", [0, 20])
    @pytest.mark.parametrize("significant", [False, True])
    def test_a_cell_is_marked_if_its_difference_is_beyond_doubt(self, deals: int, significant: bool) -> None:
        cell_text = effects._difference_cell(difference(by=-4.0, significant=significant, deals=deals))
        kind = ' class="significant"' if significant else ""
        assert cell_text == f"<td{kind}>−4.00<small>−5.00 to −3.00</small></td>"


class TestPublished:
    def test_each_column_has_the_measures_of_its_variation_played_by_the_strongest_bot(self) -> None:
        def longer(job: Job, random: np.random.Generator) -> GameResult:
            strong, drawn = min(job.seating), job.deal % (4 + job.variation) == 0
            return game(job, None if drawn else 0, decisions=20 + 2 * job.variation + 10 * strong)

        findings = findings_of(longer, 20, TWO, ("random", "thumb"))
        table = published_table.published_table(findings)
        rows = {row[0].partition(" ")[0]: row[1:] for row in rows_of(table)}
        assert [cell.partition(" ")[0] for cell in rows["Duration"][:2]] == ["30.0", "32.0"]
        assert [cell.partition(" ")[0] for cell in rows["Drawishness"][:2]] == ["0.25", "0.20"]
        assert all(sources for *_, sources in rows.values())
        assert re.search(r"Bots: thumb\. V is the winner’s chance", note_of(table))
        assert re.findall("<th[^>]*>([^<]*)</th>", table.partition("<tbody>")[0]) == [
            "measure", "defaults", "rank_block=any", "source",
        ]  # fmt: skip


class TestCommands:
    @pytest.mark.parametrize("variation", [0, 1, 2])
    def test_the_command_of_a_variation_has_its_options_and_the_deals_and_bots_of_the_study(
        self, variation: int
    ) -> None:
        study = Study(THREE, ("random", "thumb"), seed=7)
        words = shlex.split(page.variation_command(SimpleNamespace(study=study, deals=30), variation))  # type: ignore[arg-type]
        assert words[:3] == ["parlour", "study", "three-tricks"]
        named = dict(pairwise(words))
        assert listed_variations(TRICKS, 2, [options_of(named["--variation"])]) == [THREE[variation]]
        assert (named["--bots"], named["--deals"], named["--seed"]) == ("random,thumb", "30", "7")


class TestEffects:
    def test_effects_beyond_doubt_have_rows_the_surest_first(self) -> None:
        unsure = main_effect(9, significant=False)
        found = [replace(main_effect(10, by=2.0), p_value=0.004), main_effect(8), unsure]
        assert rows_of(effects.effects_table(made_up(effects=found))) == [
            ["Decisions a game", "+4.00 +3.00 to +5.00", "stall_turns=8 instead of stall_turns=60 (default)", "thumb",
             "0.0100"],
            ["Decisions a game", "+2.00 +1.00 to +3.00", "stall_turns=10 instead of stall_turns=60 (default)", "thumb",
             "0.0100"],
        ]  # fmt: skip
        assert effects.effects_table(made_up(effects=[unsure])) == ""

    @pytest.mark.parametrize(
        ("number", "shown", "note"),
        [
            (1, 1, "among the strongest bots, 1 is beyond doubt; --json"),
            (30, 30, "among the strongest bots, 30 are beyond doubt; --json"),
            (31, 30, "among the strongest bots, 31 are beyond doubt, the first 30 are shown; --json"),
        ],
    )
    def test_thirty_pairs_have_rows_and_all_are_counted(self, number: int, shown: int, note: str) -> None:
        """Of rules only pairs without the first variation count; clauses have a table of their own."""
        pairs = [difference(contrast=pair(2, 1), by=1.0 + place) for place in range(number)]
        pairs += [difference(contrast=pair(2, 1), significant=False), difference(contrast=pair(2, 1), line_up=(0,))]
        findings = made_up(THREE, pairs=pairs, result_differences=[difference(2)])
        table = effects.pairs_table(findings)
        assert len(rows_of(table)) == shown
        assert rows_of(table)[0] == [
            "stall_turns=8 against rank_block=any", "Decisions, a game", "+1.00 0.00 to +2.00", "thumb", "0.0100"
        ]  # fmt: skip
        assert note_of(table).startswith(f"Of {number + 1} comparisons that leave out defaults, {note}")

    @pytest.mark.parametrize(
        ("factor", "value", "text"),
        [("players", 3, "3 players"), ("stall_turns", 8, "stall_turns=8"), ("exchange", True, "exchange=true")],
    )
    def test_a_setting_names_its_option_but_for_players(self, factor: str, value: Any, text: str) -> None:
        assert setting_text(factor, value) == text
        assert Change(factor, 1, value).text.startswith(f"{text} instead of ")
        assert Change(factor, 1, value, value).after_text == f"{text} (default)"


class TestRules:
    @pytest.mark.parametrize(
        ("silent", "text"),
        [
            ([["3T-1", "3T-2"], ["3T-2", "3T-3"]], "In no variation, by no bot: 3T-2."),
            ([["3T-1", "3T-2"], ["3T-1", "3T-2"]], "In no variation, by no bot: 3T-1, 3T-2."),
            ([["3T-1"], ["3T-2"]], "Every clause fired somewhere."),
        ],
    )
    def test_a_clause_fired_nowhere_if_no_variation_has_it(self, silent: list[list[str]], text: str) -> None:
        assert rules_tables._unfired_text(made_up(unfired_clauses=lambda number: silent[number])) == text

    def test_a_difference_marks_the_cell_of_its_variation(self) -> None:
        def ending(variation: int, **other: Any) -> Difference:
            measure: Any = SimpleNamespace(name="ending: by stall")
            return replace(difference(variation, **other), measure=measure)

        others = [ending(1, significant=False), ending(1, line_up=(0,)), ending(2, contrast=pair(1, 2))]
        findings = made_up(THREE, rule_differences=[ending(2), *others])
        assert rules_tables._significant_names(findings) == {("by stall", 2)}
        half = Estimate(0.5, 0.4, 0.6)
        rows = rules_tables._rows([{"by stall": half}, {}, {"by stall": half}], percent, {("by stall", 2)})
        assert rows == [
            [
                "by stall", "<td>50.0<small>40.0 to 60.0</small></td>", "<td>–</td>",
                '<td class="significant">50.0<small>40.0 to 60.0</small></td>',
            ]
        ]  # fmt: skip


class TestPage:
    @pytest.mark.parametrize(
        ("evaluated", "text"), [(0, ""), (1, ""), (2, "Chances to win are estimated in 2 deals by ")]
    )
    def test_the_evaluator_is_named_from_two_deals_on(self, evaluated: int, text: str) -> None:
        found = page._evaluator(made_up(evaluated_deals=evaluated))
        assert found.startswith(text)
        assert ("32 for each seat" in found) == bool(text)

    def test_seats_have_a_row_for_each_variation(self) -> None:
        findings = made_up(
            balance=lambda number, _: Estimate(0.9 + number / 100, 0.8, 1.0),
            side_shares=lambda number, _: [
                Estimate(0.6 - number / 10, 0.5, 0.7),
                Estimate(0.4 + number / 10, 0.3, 0.5),
            ],
        )
        assert rows_of(page._seats_table(findings)) == [
            ["defaults", "0.900 0.800 to 1.000", "60.0 50.0 to 70.0", "40.0 30.0 to 50.0"],
            ["rank_block=any", "0.910 0.800 to 1.000", "50.0 50.0 to 70.0", "50.0 30.0 to 50.0"],
        ]

    def test_seats_have_cells_for_the_most_sides_and_an_even_line_only_if_all_have_as_many(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        walls = find_game("trick-walls")
        sides = {players: len(sides_of(Setup(walls, players))) for players in (3, 5, 6)}
        drawn = list[Any]()
        monkeypatch.setattr(charts, "_svg", lambda chart: "")
        monkeypatch.setattr(charts, "_intervals", lambda *arguments: drawn.append(arguments[3]))
        for numbers in ((3,), (6, 3), (3, 5, 6), (6, 6)):
            setups = tuple(Setup(walls, players, {"rounds": at + 1}) for at, players in enumerate(numbers))
            findings = made_up(
                setups, balance=lambda *_: Estimate(0.9, 0.8, 1.0),
                side_shares=lambda number, _, setups=setups: [Estimate(0.5, 0.4, 0.6)] * sides[setups[number].players],
            )  # fmt: skip
            table = page._seats_table(findings)
            heads = re.findall("<th[^>]*>([^<]*)</th>", table.partition("<tbody>")[0])
            most = max(sides[players] for players in numbers)
            assert heads == ["variation", "balance", *(f"side {side}" for side in range(1, most + 1))]
            rows = rows_of(table)
            assert [len(row) for row in rows] == [len(heads)] * len(numbers)
            assert [sum(cell != "" for cell in row[2:]) for row in rows] == [sides[players] for players in numbers]
            charts.seats(findings)
            even = {100 / sides[players] for players in numbers}
            assert drawn.pop() == (even.pop() if len(even) == 1 else None)

    def test_skill_has_the_order_and_the_parts_of_each_challenger(self) -> None:
        """Three wins of four are half of the way from an even share of two sides to all wins."""
        share = {"skill": Estimate(0.25, 0.2, 0.3)}
        findings = made_up(
            TWO[1:], line_ups=[(0,), (1,), (1, 0)], deals=50, measures_of=lambda _: [BY_NAME["skill"]],
            estimate=lambda _, __, measure: share[measure.name],
            parts=lambda *_: (Estimate(0.1, 0, 0.2), Estimate(0.3, 0.2, 0.4)),
            duplicate=lambda *_: Estimate(0.7, 0.6, 0.8),
        )  # fmt: skip
        table = page._skill_table(findings)
        assert rows_of(table) == [
            ["rank_block=any", "thumb against random", "+25.0 +20.0 to +30.0", "0.50", "10.0 0.0 to 20.0",
             "30.0 20.0 to 40.0", "70.0 60.0 to 80.0"]
        ]  # fmt: skip
        command = "parlour match thumb random three-tricks -p 2 -o rank_block=any --deals 50 --seed 0"
        assert f"<code>{command}</code>" in note_of(table)


class TestPlan:
    STUDY = Study((Setup(TRICKS, 2),), ("random", "thumb"), evaluated_deals=3, traced_deals=2, replicated_deals=1)

    @pytest.mark.parametrize(
        ("job", "evaluated", "traced"),
        [
            (Job(2, (1, 1), 0), True, False),
            (Job(3, (1, 1), 0), False, False),
            (Job(1, (1, 1), 0), True, True),
            (Job(1, (0, 0), 0), False, True),
            (Job(1, (1, 0), 0), False, False),
            (Job(0, (1, 1), 0, 1), False, False),
        ],
    )
    def test_the_first_deals_of_self_play_are_evaluated_and_traced(
        self, job: Job, evaluated: bool, traced: bool
    ) -> None:
        assert (self.STUDY._is_evaluated(job), self.STUDY._is_instrumented(job)) == (evaluated, traced)

    def test_the_first_deals_are_repeated_by_the_strongest_bot(self) -> None:
        repeated = [[job for job in self.STUDY.jobs(deal) if job.replicate] for deal in (0, 1)]
        assert repeated == [[Job(0, (1, 1), 0, again) for again in (1, 2, 3)], []]


class TestCharts:
    @pytest.mark.parametrize(
        ("by", "adjusted", "log_p"),
        [
            (4.0, 0.01, 2.0),
            (-4.0, 0.01, -2.0),
            (4.0, 1.0, 0.0),
            (4.0, 0.0, charts.LARGEST_LOG_P),
            (-4.0, 0.0, -charts.LARGEST_LOG_P),
        ],
    )
    def test_significance_is_the_logarithm_of_the_p_value_with_the_sign_of_the_difference(
        self, by: float, adjusted: float, log_p: float
    ) -> None:
        assert charts.signed_log_p(replace(difference(by=by), adjusted_p_value=adjusted)) == pytest.approx(log_p)

    def test_an_infinite_bound_is_drawn_at_the_value(self) -> None:
        row = charts._row("defaults", "thumb", Estimate(2.0, -math.inf, 3.0))
        assert (row["low"], row["value"], row["high"]) == (2.0, 2.0, 3.0)
        row = charts._row("defaults", "thumb", Estimate(2.0, 1.0, math.inf))
        assert (row["low"], row["value"], row["high"]) == (1.0, 2.0, 2.0)

    def test_a_measure_without_any_difference_has_no_chart(self) -> None:
        assert charts.forest(made_up(differences=[difference(by=0.0)]), BY_NAME["decisions"]) is None
        assert charts.forest(made_up(differences=[difference(measure="draws")]), BY_NAME["decisions"]) is None


class TestCurves:
    @pytest.mark.parametrize(
        ("found", "measures"),
        [
            ([], ["first_player"]),
            ([difference(1), difference(1, "draws", significant=False)], ["first_player", "decisions"]),
            ([difference(1, line_up=(1, 0)), difference(1, "drama")], ["first_player"]),
        ],
    )
    def test_the_measures_that_an_option_changes_beyond_doubt_have_curves(
        self, found: list[Difference], measures: list[str]
    ) -> None:
        setups = tuple(Setup(TRICKS, 2, {"stall_turns": turns}) for turns in (60, 40, 8))
        findings = made_up(setups, differences=found, pairs=[])
        assert [each.name for each in effects._sensitive_measures(findings, "stall_turns")] == measures
