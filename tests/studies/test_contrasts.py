"""Pairs, main effects and interactions of a grid; comparisons of sides, endings, clauses and sources of points."""

import re
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from parlour import inference
from parlour.contests.contest import Job
from parlour.contests.game_results import ClauseCounts, GameResult
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.studies import comparisons
from parlour.studies.contrasts import INTERACTION, MAIN, Grid, pair
from parlour.studies.effect_words import by_strength, settled_from, strengths_text
from parlour.studies.findings import Findings
from parlour.studies.report.effects import (
    _omission_text,
    curves_gallery,
    effects_table,
    overview_table,
    pairs_table,
    strengths_table,
)
from parlour.studies.rule_measures import SIDES, place_measure, side_measure
from parlour.studies.words import answer
from tests.studies.known_games import BY_NAME, EVEN, TRICKS, TWO, coin_flip, findings_of, game
from tests.studies.report_pages import words_of

WALLS, TRIBES = find_game("trick-walls"), find_game("tricky-tribes")
SQUARE = tuple(
    Setup(TRICKS, 2, {"rank_block": rank, "stall_turns": turns}) for rank in ("pair", "any") for turns in (60, 8)
)
"""Variations 0 to 3: stall_turns 60 and 8 with rank_block=pair, then with any."""


def joint_effect(job: Job, random: np.random.Generator) -> GameResult:
    """Lengthen a game by 4 decisions for any rank, by 6 for the short stall, and by 12 for both, not 10."""
    rank, turns = divmod(job.variation, 2)
    return game(job, None, decisions=20 + 2 * int(random.integers(4)) + 4 * rank + 6 * turns + 2 * rank * turns)


@pytest.fixture(scope="module")
def square() -> Findings:
    return findings_of(joint_effect, 60, SQUARE, ("thumb",))


def by_of(found, kind: str, *values: object) -> float:
    [difference] = [
        each
        for each in found
        if each.measure.name == "decisions"
        and each.contrast.kind == kind
        and tuple(change.after for change in each.contrast.changes) == values
    ]
    assert difference.significant
    return difference.by.value


class TestAGrid:
    def test_factors_are_the_options_with_several_values(self) -> None:
        factors = [("rank_block", ("pair", "any")), ("stall_turns", (60, 8))]
        assert list(Grid(SQUARE).factors.items()) == factors
        assert Grid(TWO).factors == {"rank_block": ("pair", "any")}
        assert Grid([Setup(WALLS, 3), Setup(WALLS, 4)]).factors == {"players": (3, 4)}

    def test_an_option_that_only_one_of_two_games_has_is_a_factor_of_its_variations(self) -> None:
        others = tuple(option for option in TRICKS.options if option.name != "stall_turns")
        lacking = replace(TRICKS, id="endless-tricks", options=others)
        for place in (0, 2):
            setups = [Setup(TRICKS, 2, {"stall_turns": turns}) for turns in (60, 8)]
            setups.insert(place, Setup(lacking, 2))
            grid, own = Grid(setups), [number for number, setup in enumerate(setups) if setup.game is TRICKS]
            assert grid.factors["stall_turns"] == (60, 8)
            assert [grid.at("stall_turns", turns) for turns in (60, 8)] == [[own[0]], [own[1]]]
            assert grid.differ_in("stall_turns", own[0], own[1])
            assert not grid.differ_in("stall_turns", own[0], place)
            [effect] = grid.effects()
            assert dict(effect.weights) == {own[1]: 1, own[0]: -1}

    def test_an_option_with_a_dependent_default_is_no_factor(self) -> None:
        setups = [Setup(TRIBES, 4, {"teams": teams}) for teams in ("none", "pairs")]
        assert len({setup.options["target"] for setup in setups}) == 2
        assert list(Grid(setups).factors) == ["teams"]

    def test_neighbours_differ_in_one_option(self) -> None:
        grid = Grid(SQUARE)
        assert [grid.neighbours(0, other) for other in (1, 2, 3)] == [True, True, False]


class TestEffects:
    def test_a_main_effect_is_the_mean_over_all_settings_of_the_other_options(self, square: Findings) -> None:
        assert by_of(square.effects, MAIN, "any") == pytest.approx((4 + 6) / 2)
        assert by_of(square.effects, MAIN, 8) == pytest.approx((6 + 8) / 2)

    def test_an_interaction_is_the_difference_of_two_effects(self, square: Findings) -> None:
        assert by_of(square.effects, INTERACTION, "any", 8) == pytest.approx(2)

    def test_one_option_has_no_interactions(self) -> None:
        assert findings_of(joint_effect, 4, TWO, ("thumb",)).effects == []

    def test_in_an_incomplete_grid_only_settings_with_both_values_count(self) -> None:
        findings = findings_of(joint_effect, 60, SQUARE[:3], ("thumb",))
        assert by_of(findings.effects, MAIN, "any") == pytest.approx(4)
        assert [each for each in findings.effects if each.contrast.kind == INTERACTION] == []

    def test_effects_are_reported(self, square: Findings) -> None:
        paragraphs = answer(square)
        main = "rank_block=any instead of rank_block=pair (default), over all settings of the rest: "
        [effect] = [paragraph for paragraph in paragraphs if paragraph.startswith(main)]
        assert "a game has 5.00 decisions more" in effect
        both = (
            "Decisions: rank_block=any instead of rank_block=pair (default) makes +4.00 with stall_turns=60 (default) "
            "and +6.00 with stall_turns=8, "
        )
        assert any(both in paragraph for paragraph in paragraphs)

    def test_name_the_default_of_each_option(self, square: Findings) -> None:
        assert "3 Tricks (defaults: rank_block=pair, stall_turns=60), played by thumb: " in " ".join(answer(square))
        reversed_grid = Grid(SQUARE[::-1])
        assert [effect.changes[0].text for effect in reversed_grid.effects()[:2]] == [
            "rank_block=pair (default) instead of rank_block=any",
            "stall_turns=60 (default) instead of stall_turns=8",
        ]

    def test_name_no_default_that_depends_on_the_variation(self) -> None:
        setups = [Setup(TRIBES, 4, {"teams": teams, "target": 20}) for teams in ("none", "pairs")]
        assert Grid([*setups, Setup(TRIBES, 4, {"target": 9})]).defaults == {"teams": "none"}

    def test_of_the_same_measures_share_a_paragraph(self, square: Findings) -> None:
        [merged] = [each for each in answer(square) if each.startswith("stall_turns=8 against defaults: ")]
        in_words, one, both = merged.split(" Likewise ")
        assert "a game has 6.00 decisions more (5.64 to 6.36); " in in_words
        assert one.startswith("rank_block=any, in this order: 4.00 (3.64 to 4.36); ")
        assert both.startswith("rank_block=any, stall_turns=8, in this order: 12.0 (11.6 to 12.4); ")
        assert "decisions" not in one + both

    def test_the_absence_of_interactions_is_reported(self) -> None:
        assert "In these deals no option's effect depends significantly on another option's value." in answer(
            findings_of(coin_flip, 20, SQUARE, ("thumb",))
        )


class TestPairs:
    def test_every_pair_of_variations_is_compared_once(self, square: Findings) -> None:
        decisions = [each for each in [*square.differences, *square.pairs] if each.measure.name == "decisions"]
        pairs = {(each.variation, each.base): each.by.value for each in decisions}
        assert pairs == pytest.approx({(1, 0): 6, (2, 0): 4, (3, 0): 12, (2, 1): -2, (3, 1): 6, (3, 2): 8})
        assert len(decisions) == len(pairs)

    @pytest.mark.parametrize("variations", [4, 5, 6])
    def test_a_long_text_has_the_number_of_pairs_that_it_leaves_out(self, variations: int) -> None:
        def play(job: Job, random: np.random.Generator) -> GameResult:
            return game(job, None, decisions=20 + 2 * int(random.integers(3)) + 10 * job.variation)

        setups = tuple(Setup(TRICKS, 2, {"stall_turns": turns}) for turns in (60, 50, 40, 30, 20, 8)[:variations])
        paragraphs = answer(findings_of(play, 60, setups, ("thumb",)))
        later = [each for each in paragraphs if re.match(r"stall_turns=\d+ against stall_turns=\d+: ", each)]
        named = sum(1 + paragraph.count(" Likewise ") for paragraph in later)
        left_out = [int(found[1]) for each in paragraphs if (found := re.match(r"(\d+) more pairs? differ", each))]
        assert named + sum(left_out) == (variations - 1) * (variations - 2) // 2
        assert len(left_out) == (variations == 6)

    def test_the_text_compares_neighbours_and_the_json_all_pairs(self, square: Findings) -> None:
        longer = [
            "rank_block=any, stall_turns=8 against rank_block=any",
            "rank_block=any, stall_turns=8 against stall_turns=8",
        ]
        paragraphs = answer(square)
        assert all(any(pair in paragraph for paragraph in paragraphs) for pair in longer)
        assert not any("rank_block=any against stall_turns=8" in paragraph for paragraph in paragraphs)
        data = square.to_json()
        assert {each["against"] for each in data["pairs"]} == {setup.variation for setup in SQUARE[1:3]}
        assert {each["kind"] for each in data["effects"]} == {MAIN, INTERACTION}

    def test_studies_without_a_difference_rarely_report_one(self) -> None:
        def play(job: Job, random: np.random.Generator, seed: int = 0) -> GameResult:
            own = np.random.default_rng([seed, job.deal, job.variation])
            ending = "all cards were played" if own.random() < 0.5 else "no move was left"
            return replace(game(job, int(own.integers(2)), decisions=20 + 2 * int(own.integers(9))), ending=ending)

        wrong = 0
        for seed in range(20):
            findings = findings_of(lambda job, random, seed=seed: play(job, random, seed), 60, SQUARE, ("thumb",))
            every = [*findings.differences, *findings.pairs, *findings.effects, *findings.rule_differences]
            wrong += any(each.significant for each in every)
        assert wrong <= 1


class TestHolmWithWeights:
    def test_a_hypothesis_of_greater_weight_has_a_milder_bound(self) -> None:
        assert inference.holm([0.01, 0.01], [3, 1]) == pytest.approx([4 / 3 * 0.01, 4 / 3 * 0.01])
        assert inference.holm([0.01, 0.02], [1, 1]) == pytest.approx([0.02, 0.02])
        assert inference.holm([0.03, 0.5], [1, 3]) == pytest.approx([0.12, 0.5])

    def test_weights_left_for_later_hypotheses_count(self) -> None:
        assert inference.holm([0.01, 0.02], [1, 1], 4) == pytest.approx([0.04, 0.06])

    def test_groups_with_questions_divide_the_whole_error(self) -> None:
        def longer(job: Job, random: np.random.Generator) -> GameResult:
            return game(job, None, decisions=20 + int(random.integers(9)) + 3 * job.variation)

        groups = comparisons.compare(findings_of(longer, 30, TWO, ("thumb",)))
        asked = {*(group for group, found in groups.items() if found), comparisons.ENDINGS}
        assert groups[comparisons.ENDINGS] == [], "there is one ending, and there may be another in a later deal"
        assert 1 < len(asked) < len(comparisons.GROUPS)
        ratios = [
            (each.p_value * len(found) / comparisons.GROUPS[group], each)
            for group, found in groups.items()
            for each in found
        ]
        least, surest = min(ratios, key=lambda pair: pair[0])
        assert surest.adjusted_p_value == pytest.approx(least * sum(comparisons.GROUPS[group] for group in asked))

    @pytest.mark.parametrize("group", [comparisons.ENDINGS, comparisons.SOURCES])
    def test_a_later_ending_or_source_changes_no_earlier_weight(self, group) -> None:
        few, many = (
            comparisons.weights_of(
                group, [(pair(1), ("thumb",), side_measure(0), 1 / (k * (k + 1))) for k in range(1, last)], 3
            )
            for last in (3, 9)
        )
        assert many[:2] == few
        assert sum(many) < comparisons.GROUPS[group] / 3

    @pytest.mark.parametrize("group", [comparisons.FIRST, comparisons.SIDES, comparisons.CLAUSES])
    def test_the_weights_of_other_groups_add_up_to_their_share(self, group) -> None:
        questions = [(pair(1), ("thumb",), side_measure(side), 1.0) for side in range(5)]
        assert sum(comparisons.weights_of(group, questions, 3)) == pytest.approx(comparisons.GROUPS[group])


def stall_some(job: Job, random: np.random.Generator) -> GameResult:
    """Stall one game of four, and every game of the second variation, which side 1 always wins."""
    stalls = job.variation == 1 or job.deal % 4 == 0
    ending = "no trick was laid for too long (3T-21)" if stalls else "a third trick was laid (3T-18)"
    fired = ClauseCounts({"3T-7": 10 + 5 * job.variation}, {"blocked tricks (3T-20)": [1 + 2 * job.variation, -1]})
    winner = 0 if job.variation else job.deal % 2
    alone = job.seating[0] == job.seating[1]
    return replace(game(job, winner), ending=ending, clause_counts=fired if alone else None)


class TestRulesCompared:
    @pytest.fixture(scope="class")
    @staticmethod
    def findings() -> Findings:
        return findings_of(stall_some, 80, TWO, ("random", "thumb"), traced_deals=80)

    def difference(self, findings: Findings, name: str) -> float:
        [found] = [each for each in findings.rule_differences if each.measure.name == name and each.line_up == (1,)]
        assert found.significant
        return found.by.value

    def test_endings_clauses_sources_and_sides_have_differences_with_p_values(self, findings: Findings) -> None:
        assert self.difference(findings, "ending: no trick was laid for too long (3T-21)") == pytest.approx(0.75)
        assert self.difference(findings, "clause 3T-7") == pytest.approx(5)
        assert self.difference(findings, "points: blocked tricks (3T-20)") == pytest.approx(1)
        assert self.difference(findings, "side_1") == pytest.approx(0.5)

    def test_differences_are_reported_and_marked(self, findings: Findings) -> None:
        paragraphs = " ".join(answer(findings))
        assert "75.0 more of 100 games end because no trick was laid for too long (3T-21)" in paragraphs
        assert "side 1 wins 50.0 more of 100 games" in paragraphs
        assert {each["measure"] for each in findings.to_json()["rules"]} >= {"side_1", "side_2", "clause 3T-7"}

    def test_turn_order_is_compared_if_each_player_is_a_side(self) -> None:
        def third_wins(job: Job, random: np.random.Generator) -> GameResult:
            first = int(random.integers(3))
            winner = (first + 2) % 3 if job.variation else int(random.integers(3))
            course = replace(EVEN, first=first)
            return GameResult(job.seating, (0,) * 3, (winner,), (5,) * 3, (0.0,) * 3, statistics=course)

        setups = (Setup(TRIBES, 3), Setup(TRIBES, 3, {"jokers": 1}))
        findings = findings_of(third_wins, 60, setups, ("thumb",))
        [third] = [each for each in findings.rule_differences if each.measure.name == "third_player"]
        assert third.significant
        assert third.by.value > 0.5

    @pytest.mark.parametrize(
        ("seats", "sides", "places"), [(2, 2, 0), (3, 3, 2), (4, 4, 3), (4, 2, 0), (6, 3, 0), (6, 2, 0)]
    )
    def test_places_in_the_order_of_play_are_compared_for_three_or_more_sides_of_one_player(
        self, seats: int, sides: int, places: int
    ) -> None:
        study = SimpleNamespace(setups=[SimpleNamespace(players=seats)] * 2)
        estimates: Any = SimpleNamespace(study=study, line_ups=[(0,)], sides=lambda variation: sides)
        asked = [measure.name for _, _, measure, _ in comparisons._side_questions(estimates)]
        assert asked == [
            *(side_measure(side).name for side in range(sides)),
            *(place_measure(place).name for place in range(1, places + 1)),
        ]

    def test_the_largest_advantage_of_a_side_is_corrected_for_few_deals(self) -> None:
        def fair(job: Job, random: np.random.Generator) -> GameResult:
            return GameResult(job.seating, (0,) * 4, (int(random.integers(4)),), (5,) * 4, (0.0,) * 4, statistics=EVEN)

        games = findings_of(fair, 200, (Setup(TRIBES, 4),), ("thumb",)).cell(0, (0,))
        found = SIDES.estimate(games)
        seen = np.abs(games.shares.mean(axis=(0, 1)) - 0.25).max()
        assert found.low == 0
        assert found.value < seen < found.high


class TestSensitivity:
    CURVE = tuple(Setup(TRICKS, 2, {"stall_turns": turns}) for turns in (60, 40, 20, 8))

    @pytest.fixture(scope="class")
    @staticmethod
    def findings() -> Findings:
        def play(job: Job, random: np.random.Generator) -> GameResult:
            shorter = 4 * max(0, job.variation - 1)
            return game(job, None, decisions=40 + 2 * int(random.integers(3)) - shorter)

        return findings_of(play, 60, TestSensitivity.CURVE, ("random", "thumb"))

    def test_the_value_above_which_nothing_changes_is_reported(self, findings: Findings) -> None:
        found = settled_from(findings, "stall_turns", BY_NAME["decisions"])
        assert found == "Among thumb nothing differs beyond doubt from 40 on."
        nothing = settled_from(findings, "stall_turns", BY_NAME["first_player"])
        assert nothing == "Among thumb nothing differs beyond doubt from 8 to 60."

    @pytest.mark.parametrize(
        "differing", [some for size in range(4) for some in combinations(combinations((8, 20, 40, 60), 2), size)]
    )
    def test_it_is_the_least_value_from_which_on_no_two_of_several_differ(
        self, differing: tuple[tuple[int, int], ...]
    ) -> None:
        grid, measure, values = Grid(self.CURVE), BY_NAME["decisions"], (8, 20, 40, 60)
        place = {setup.options["stall_turns"]: number for number, setup in enumerate(self.CURVE)}
        pairs = [
            SimpleNamespace(
                variation=place[one],
                base=place[other],
                measure=measure,
                line_up=(1,),
                significant=(one, other) in differing,
            )
            for one, other in combinations(values, 2)
        ]
        study = SimpleNamespace(strongest=1)
        findings: Any = SimpleNamespace(
            grid=grid, study=study, differences=pairs[:3], pairs=pairs[3:], line_up_text=lambda _: "x"
        )
        alike = [value for value in values[:-1] if not any(value <= one and value <= other for one, other in differing)]
        until = "8 to 60" if not differing else f"{alike[0]} on" if alike else ""
        expected = until and f"Among x nothing differs beyond doubt from {until}."
        assert settled_from(findings, "stall_turns", measure) == expected

    def test_a_numeric_option_has_curves_of_the_measures_that_it_changes(self, findings: Findings) -> None:
        text = words_of(curves_gallery(findings))
        assert "Decisions by stall_turns" in text
        assert "Drawn games by stall_turns" not in text
        assert curves_gallery(findings_of(coin_flip, 4, TWO, ("thumb",))) == ""

    def test_bots_are_columns(self, findings: Findings) -> None:
        lines = strengths_text(findings)
        assert lines[1].split() == ["random", "thumb"]
        assert "  stall_turns=8:" in lines
        assert ["Decisions,", "a", "game", "−8.00*", "−8.00*"] in [line.split() for line in lines]
        assert "Decisions a game" in " ".join(words_of(strengths_table(findings)).split())


class TestAMeanOfVariations:
    @pytest.fixture(scope="class")
    @staticmethod
    def findings() -> Findings:
        """One deal of thirty is drawn, in either variation another one."""
        return findings_of(
            lambda job, random: game(job, None if job.deal + job.variation == 1 else 0), 30, bots=("thumb",)
        )

    def test_leaves_out_impossible_values(self, findings: Findings) -> None:
        found = findings.value_of([(0, 0.5), (1, 0.5)], (0,), BY_NAME["draws"])
        assert (found.value, found.low) == (pytest.approx(1 / 30), 0.0)

    def test_is_not_a_difference_which_may_be_negative(self, findings: Findings) -> None:
        assert findings.value_of([(0, 1.0), (1, -1.0)], (0,), BY_NAME["draws"]).low < 0


class TestDifferencesByStrength:
    def test_a_row_has_a_difference_for_each_bot_also_if_only_one_reaches_an_ending(self) -> None:
        def play(job: Job, random: np.random.Generator) -> GameResult:
            stalls = job.variation == 1 and job.seating == (0, 0)
            ending = "no trick was laid for too long (3T-21)" if stalls else "a third trick was laid (3T-18)"
            longer = 10 * job.variation
            return replace(game(job, None, decisions=20 + longer + 2 * int(random.integers(3))), ending=ending)

        rows = by_strength(findings_of(play, 80, TWO, ("random", "thumb")))
        assert "decisions" in {measure.name for measure, _, _ in rows}
        for _, variation, found in rows:
            assert [(each.line_up, each.variation) for each in found] == [((0,), variation), ((1,), variation)]


class TestTablesOfAReport:
    def test_significant_effects_and_pairs_have_rows(self, square: Findings) -> None:
        effects, pairs = words_of(effects_table(square)), words_of(pairs_table(square))
        assert "rank_block=any instead of rank_block=pair (default)" in effects
        assert "Options together" in effects
        assert "rank_block=any, stall_turns=8 against stall_turns=8" in " ".join(pairs.split())

    def test_the_overview_has_a_column_for_each_variation_and_bot(self) -> None:
        table = overview_table(findings_of(joint_effect, 60, SQUARE, ("random", "thumb")))
        assert table.count('<th scope="col">') == 1 + 3 * 2
        assert 'class="more-4"' in table
        assert overview_table(findings_of(coin_flip, 4, TWO[:1], ("thumb",))) == ""

    @pytest.mark.parametrize(("significant", "verb"), [(0, "0 of 3 are"), (1, "1 of 3 is"), (3, "3 of 3 are")])
    def test_the_note_counts_the_effects_beyond_doubt(self, significant: int, verb: str) -> None:
        found: Any = [SimpleNamespace(significant=place < significant) for place in range(3)]
        assert _omission_text(found) == f"{verb} beyond doubt; the others are left out."
