"""Typical games: selection of deals, the moment shown, and the clauses behind a difference."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from parlour.cli import main
from parlour.contests.contest import Deal
from parlour.engine.setup import Setup
from parlour.studies import typical_games as games_module
from parlour.studies.comparisons import Difference
from parlour.studies.contrasts import pair
from parlour.studies.findings import Findings
from parlour.studies.measures import MEASURES
from parlour.studies.plan import Study
from parlour.studies.report.typical import typical_table
from parlour.studies.rule_measures import clause_measure, place_measure, side_measure
from parlour.studies.typical_games import (
    TypicalDeal,
    TypicalGame,
    clauses_behind,
    decision_at,
    findings_of,
    first_difference,
    is_shown_at_end,
    typical_deals,
    typical_games,
)
from tests.studies.known_games import TRICKS
from tests.studies.made_up_findings import difference, made_up
from tests.studies.report_pages import words_of

EVENTS = [{"by": "chance", "do": "deal"}, {"by": 0, "do": "pass"}, {"by": 1, "do": "pass"}, {"by": "chance", "do": "x"}]


class TestSelection:
    def test_deals_nearest_to_the_median_of_those_that_differ_in_the_direction_are_selected(self) -> None:
        assert typical_deals([0, -5, 1, 2, 3, 9, 0, 2], 1.5) == [2, 3, 7]

    def test_a_decrease_is_shown_by_decreases(self) -> None:
        assert typical_deals([3, -1, -2, -8, 0], -1.6) == [1, 2, 3]

    def test_the_first_of_equal_deals_are_selected(self) -> None:
        assert typical_deals([0, 1, 1, 0, 1, 1, 1], 0.7) == [1, 2, 4]
        assert typical_deals([0.0, 0.0], 0.0) == []


class TestMoment:
    def test_the_moment_is_a_decision_at_or_before_the_event(self) -> None:
        assert [decision_at(EVENTS, moment) for moment in (None, 3, 2, 1, 0)] == [2, 2, 2, 1, 1]

    def test_games_diverge_at_the_first_different_event(self) -> None:
        assert first_difference(EVENTS, [*EVENTS[:2], {"by": 1, "do": "swap"}]) == 2
        assert first_difference(EVENTS, EVENTS[:3]) == 3

    def test_the_end_of_a_game_shows_the_wins_of_every_side_and_place(self) -> None:
        assert all(map(is_shown_at_end, [*map(side_measure, range(3)), *map(place_measure, range(3))]))
        forced = next(measure for measure in MEASURES if measure.name == "forced")
        assert not any(map(is_shown_at_end, [clause_measure("TW-7"), forced]))


def test_clauses_that_fired_in_one_game_only_come_first() -> None:
    found = clauses_behind({"A-1": 9, "A-2": 3, "A-3": 1, "A-4": 2}, {"A-1": 4, "A-2": 3, "A-5": 1, "A-4": 1})
    assert found == (("A-5", 1), ("A-3", -1), ("A-1", -5))


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ({"A-1": 80}, {"A-1": 120}, ()),
        ({"A-1": 80}, {"A-1": 121}, (("A-1", 41),)),
        ({"A-1": 120}, {"A-1": 80}, (("A-1", -40),)),
        ({"A-1": 4}, {"A-1": 5}, ()),
        ({"A-1": 80, "A-2": 4}, {"A-1": 122, "A-2": 10}, (("A-2", 6), ("A-1", 42))),
        ({}, {"A-1": 1}, (("A-1", 1),)),
    ],
    ids=["as often", "oftener", "rarer", "rarer but more", "by frequency", "only in one"],
)
def test_clauses_that_fire_more_often_only_in_a_longer_game_explain_nothing(
    first: dict[str, int], second: dict[str, int], found: tuple[tuple[str, int], ...]
) -> None:
    assert clauses_behind(first, second, length=1.5) == found


class TestNumbers:
    """Games that are made up: those of deal 12 do not repeat their results."""

    @pytest.fixture
    def found(self, monkeypatch: pytest.MonkeyPatch) -> list[TypicalDeal]:
        def replay(variation: int, place: int) -> Any:
            events = [{"by": 0, "do": f"{variation} in {min(step, 1 + place)}"} for step in range(4)]
            clauses = SimpleNamespace(clauses={"3T-18": 2 + variation})
            return None if place == 2 else SimpleNamespace(record={"events": events}, clause_counts=clauses)

        monkeypatch.setattr(games_module, "_GameReplayer", lambda *_: SimpleNamespace(game=replay))
        monkeypatch.setattr(
            games_module, "findings_of", lambda _: [difference(1, "draws", 0.5), difference(2, "forced", -0.25)]
        )
        values = {1: [0.5, 0.0, 0.5, 0.25], 2: [-0.25, -0.5, 0.0, 0.125]}
        monkeypatch.setattr(
            games_module, "contrast_of_each", lambda _, contrast, *others: np.array(values[contrast.variation])
        )
        return typical_games(made_up(), [SimpleNamespace(number=10 + place) for place in range(4)])

    def test_of_games_are_their_places_in_the_file(self, found: list[TypicalDeal]) -> None:
        """The folder writes the games of each deal, one after the other."""
        assert [game.number for each in found for game in each.games] == list(range(1, 9))

    def test_are_those_of_the_deal_and_of_its_variations(self, found: list[TypicalDeal]) -> None:
        shown = [(each.finding.variation, each.deal, round(each.by, 9)) for each in found]
        assert shown == [(1, 10, 50.0), (1, 13, 25.0), (2, 10, -25.0), (2, 11, -50.0)]
        assert [tuple(game.variation for game in each.games) for each in found] == [(0, 1)] * 2 + [(0, 2)] * 2
        assert [each.clauses for each in found] == [(("3T-18", 1),)] * 2 + [(("3T-18", 2),)] * 2

    def test_of_events_show_the_end_or_the_first_difference(self, found: list[TypicalDeal]) -> None:
        """The end shows a measure of results; the games differ from their first event on."""
        assert [(each.parts, *(game.at for game in each.games)) for each in found] == [(0, 3, 3)] * 2 + [(0, 0, 0)] * 2


@pytest.mark.slow  # compiles
class TestRecords:
    @pytest.fixture(scope="class")
    @staticmethod
    def found_games():
        study = Study((Setup(TRICKS, 2), Setup(TRICKS, 2, {"stall_turns": 2})), ("random",))
        play = study.open()
        deals = [Deal(number, tuple(play(job, lambda: False) for job in study.jobs(number))) for number in range(60)]
        findings = Findings(study, deals)
        return findings, typical_games(findings, deals)

    def test_they_equal_the_games_played(self, found_games) -> None:
        findings, typical = found_games
        assert typical
        for each in typical:
            decisions = findings.cell(each.games[1].variation, (0,)).decisions
            made = sum(event["by"] != "chance" for event in each.games[1].record["events"])
            assert made == decisions[each.deal, 0]

    def test_the_report_has_a_command_that_opens_each(self, found_games, tmp_path: Path) -> None:
        findings, typical = found_games
        text = words_of(typical_table(findings, typical, "typical.jsonl"))
        game = typical[0].games[1]
        assert f"parlour replay typical.jsonl --game {game.number} --at {game.at}" in text
        assert re.search(r"3T-\d+ −\d", text), "numbers of clauses have a typographic sign"
        assert not re.search(r"3T-\d+ -\d", text)
        from parlour.engine.matches.records import RecordWriter

        with RecordWriter(str(tmp_path / "typical.jsonl")) as writer:
            for each in typical:
                for one in each.games:
                    writer.write(dict(one.record))
        command = ["replay", str(tmp_path / "typical.jsonl"), "--game", str(game.number), "--at", str(game.at)]
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 0, result.output
        assert f"After {game.at} of {len(game.record['events'])} events: " in result.output
        beyond = CliRunner().invoke(main, [*command[:-1], "9999"])
        assert "there is nothing after 9999 events" in beyond.output


class TestFindings:
    @staticmethod
    def estimates(differences: list[Difference], **other: Any) -> Any:
        study = SimpleNamespace(strongest=1)
        return SimpleNamespace(study=study, **{"differences": differences, "result_differences": [], **other})

    def test_the_three_surest_of_each_variation_have_games_in_the_order_of_variations(self) -> None:
        significant = [replace(difference(2, "decisions"), p_value=0.0001), difference(1, "draws")]
        significant += [replace(difference(2, "margin"), p_value=place / 1000) for place in (4, 2, 3)]
        found = findings_of(self.estimates(significant))
        assert [(each.variation, each.p_value) for each in found] == [(1, 0.001), (2, 0.0001), (2, 0.002), (2, 0.003)]

    def test_only_differences_of_the_strongest_bot_from_the_first_variation_have_games(self) -> None:
        side = difference(1, "draws")
        others = [
            difference(significant=False), difference(line_up=(0,)), difference(measure="drama"),
            difference(contrast=pair(2, 1)), difference(line_up=(1, 0)),
        ]  # fmt: skip
        estimates = self.estimates(others, result_differences=[side])
        assert findings_of(estimates) == [side]


@pytest.mark.parametrize(
    ("name", "at_end"),
    [
        *(
            (name, True)
            for name in ("draws", "minutes", "decisions", "margin", "skill", "first_player", "third_player")
        ),
        *((name, True) for name in ("ending: the stock was used up", "side_2", "points: blocked tricks")),
        *((name, False) for name in ("forced", "choice", "lead_changes", "branching", "clause TW-7")),
    ],
)
def test_a_measure_of_results_is_shown_at_the_end(name: str, at_end: bool) -> None:
    measure: Any = SimpleNamespace(name=name)
    assert is_shown_at_end(measure) == at_end


def test_a_row_names_the_finding_the_deal_and_the_event_of_the_first_difference() -> None:
    """Events are counted from 1; a decrease has a minus sign, as have clauses that fired less often."""
    games = tuple(TypicalGame(number, number + 5, 3 * number, {}) for number in range(2))
    deal = TypicalDeal(difference(1, by=-4.0), 17, -6.25, (games[0], games[1]), 8, (("3T-18", 2), ("3T-19", -1)))
    text = " ".join(words_of(typical_table(made_up(), [deal], "t.jsonl")).split())
    assert "rank_block=any: a game has 4.00 decisions fewer (3.00 to 5.00) 17 −6.25 event 9 3T-18 +2" in text
    assert "3T-19 −1" in text
    commands = (
        "parlour replay t.jsonl --game 5 --at 0 defaults",
        "parlour replay t.jsonl --game 6 --at 3 rank_block=any",
    )
    assert " ".join(commands) in text


class TestTable:
    @pytest.fixture
    def table(self) -> str:
        """Return the table of two findings, the first of which has two deals with the same clause."""
        games = tuple(TypicalGame(number, number + 1, 0, {}) for number in range(2))
        findings = [difference(1, by=-4.0), difference(1, by=-4.0), difference(1, "draws", 0.5)]
        deals = [
            TypicalDeal(finding, number, 1.0, (games[0], games[1]), 8, (("3T-18", 2),))
            for number, finding in enumerate(findings)
        ]
        return typical_table(made_up(), deals, "t.jsonl")

    def test_the_deals_of_a_finding_share_its_name(self, table: str) -> None:
        assert re.findall(r'rowspan="(\d)">rank_block=any: ', table) == ["2", "1"]

    def test_a_clause_has_its_words_once_for_each_finding(self, table: str) -> None:
        found = re.findall(r"<div>3T-18 \+2( <small>\w+)?", table)
        assert [bool(words) for words in found] == [True, False, True]

    def test_cells_name_their_columns_for_narrow_screens(self, table: str) -> None:
        assert 'class="wide stacked"' in table
        names = ["deal", "difference", "the games part at", "clauses", "open"]
        assert re.findall('<td data-head="([^"]*)"', table) == names * 3
