"""The rules in a study: endings, clause counts, sources of points."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from parlour.contests.game_results import ClauseCounts
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.studies import rulebook
from parlour.studies.measures import Measure
from parlour.studies.report import rules_tables
from parlour.studies.rule_measures import clause_measure, source_like, source_measure
from parlour.studies.words import answer
from tests.studies.known_games import TWO, by_the_book, findings_of, mirror
from tests.studies.report_pages import words_of

TRICKS = find_game("three-tricks")


class TestWaysOfEnding:
    def test_each_ending_has_its_share_of_games_and_the_most_frequent_comes_first(self) -> None:
        found = rulebook.endings([["all", "few"], ["all", "all"]])
        assert {way: share.value for way, share in found.items()} == {"all": 0.75, "few": 0.25}
        assert list(found) == ["all", "few"]

    def test_the_answer_lists_several_endings(self) -> None:
        sentence = (
            "Of 100 games 75 end because a third trick was laid (3T-18), 25 because the stock was used up (3T-19)."
        )
        assert sentence in " ".join(answer(findings_of(by_the_book, 8, TWO[:1])))

    def test_those_of_several_variations_share_a_paragraph(self) -> None:
        answers = answer(findings_of(by_the_book, 8))
        shares = (
            "75 (35 to 97) because a third trick was laid (3T-18); 25 (3 to 65) because the stock was used up (3T-19)."
        )
        both = f"Ends of 100 games with defaults: {shares} Likewise with rank_block=any: {shares}"
        assert both in answers
        assert "because" not in " ".join(answer(findings_of(mirror, 8)))


class TestDifferences:
    @pytest.mark.parametrize(
        ("measure", "differences"),
        [(clause_measure("XY-1"), [3, -2, 0]), (source_measure("tricks"), [1.5, 0]), (source_like("TRICK"), [1.5, 0])],
    )
    def test_of_counts_are_from_deals_traced_in_both_variations_and_zero_counts(
        self, measure: Measure, differences: list[float]
    ) -> None:
        """The third deal has no points in one variation, the last one no trace."""
        counts = [
            [({"XY-1": 3}, {"tricks": [3, -2]}), ({}, {"tricks": [0, 0]}), ({}, {"tricks": [1, 1]}), ({"XY-1": 9}, {})],
            [({}, {"tricks": [1, -1]}), ({"XY-1": 2}, {"tricks": [0, 0]}), ({}, {})],
        ]
        one, other = (
            SimpleNamespace(clause_counts={deal: ClauseCounts(*each) for deal, each in enumerate(of)}) for of in counts
        )
        assert measure.differences(one, other).tolist() == differences  # type: ignore[arg-type]


class TestClauses:
    def test_a_clause_that_did_not_fire_counts_as_zero(self) -> None:
        found = rulebook.clause_frequencies([ClauseCounts({"TW-10": 4, "TW-9": 1}, {}), ClauseCounts({"TW-10": 6}, {})])
        assert [(clause, mean.value) for clause, mean in found.items()] == [("TW-9", 0.5), ("TW-10", 5.0)]

    def test_clauses_that_never_fired_are_listed(self) -> None:
        silent = rulebook.unfired_clauses(TRICKS, [ClauseCounts({"3T-1": 1}, {}), ClauseCounts({"3T-18": 1}, {})])
        assert "3T-19" in silent
        assert not {"3T-1", "3T-18"} & set(silent)

    def test_every_clause_of_every_game_has_a_text_and_a_line_or_function_that_cites_it(self) -> None:
        for game in all_games():
            assert set(rulebook.clause_texts(game)) >= set(rulebook.clauses_of(game))
            assert len(rulebook.unfired_clauses(game, [])) > 15

    def test_the_words_of_a_clause_are_the_sentence_that_names_it(self) -> None:
        assert rulebook.clause_texts(TRICKS)["3T-18"] == "A third trick wins at once"
        assert rulebook.clause_texts(TRICKS)["3T-14"].startswith("If it was the second trick, drawing these cards was")


class TestSourcesOfPoints:
    def test_sources_are_counted_if_the_lines_add_up(self) -> None:
        games = [
            ClauseCounts({}, {"pure": [3, -3]}),
            ClauseCounts({}, {"pure": [1, -1], "open": [2, 4]}),
            ClauseCounts({}, {}),
        ]
        found = rulebook.sources(games)
        assert {source: mean.value for source, mean in found.items()} == {"pure": 2.0, "open": 1.5}

    def test_a_single_game_has_no_sources(self) -> None:
        assert rulebook.sources([ClauseCounts({}, {"pure": [3, -3]}), ClauseCounts({}, {})]) == {}


class TestInAStudy:
    findings = findings_of(by_the_book, 8, traced_deals=2)

    def test_clauses_are_counted_in_traced_deals(self) -> None:
        assert self.findings.clause_frequencies(0, (1,))["3T-7"].value == pytest.approx(11)
        assert "3T-21" not in self.findings.unfired_clauses(0)

    def test_the_report_has_clause_counts_by_bot(self) -> None:
        assert "a third trick was laid (3T-18)" in rules_tables.endings_table(self.findings)
        assert "blocked tricks (3T-20)" in rules_tables.sources_table(self.findings)
        text = words_of(rules_tables.clauses_table(self.findings)).splitlines()
        rows = {row.split()[0]: row.split() for row in text if row.strip()}
        assert rows["3T-7"][-4:] == ["11.0", "0.0", "to", "23.7"]
        assert rows["3T-21"][-4:] == ["by", "others", "by", "others"]
        assert rows["3T-19"][-2:] == ["never", "never"]

    def test_without_traced_games_there_are_no_clause_tables(self) -> None:
        findings = findings_of(mirror, 4)
        assert rules_tables.endings_table(findings) == rules_tables.sources_table(findings) == ""
        assert rules_tables.clauses_table(findings) == ""

    def test_the_json_has_clauses_and_endings(self) -> None:
        report = self.findings.to_json()["variations"][0]
        assert "3T-19" in report["never_fired"]
        assert report["played"][0]["clauses"]["3T-18"]["value"] == 1
        assert report["played"][1]["endings"]["a third trick was laid (3T-18)"]["value"] == 0.75


class TestAVariationWithOtherClauses:
    """The second variation is a game whose rules cite no clause of 3 Tricks."""

    OTHER = replace(TRICKS, prefix="OT")
    findings = findings_of(by_the_book, 8, (Setup(TRICKS, 2), Setup(OTHER, 2)), traced_deals=2)

    def test_its_own_clauses_are_those_that_may_not_have_fired(self) -> None:
        assert "3T-19" in self.findings.unfired_clauses(0)
        assert self.findings.unfired_clauses(1) == []

    def test_clauses_that_only_one_of_both_cites_are_not_compared(self) -> None:
        alike, other = (
            {each.measure.name for each in findings.rule_differences}
            for findings in (TestInAStudy.findings, self.findings)
        )
        assert "clause 3T-7" in alike
        assert not any(name.startswith("clause") for name in other)

    def test_the_table_says_that_they_are_not_counted_there(self) -> None:
        text = words_of(rules_tables.clauses_table(self.findings)).splitlines()
        rows = {row.split()[0]: row.split() for row in text if row.strip()}
        assert rows["3T-19"][-3:] == ["never", "not", "counted"]
