"""Sentences of a study's answer, from estimates and differences that are made up."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from parlour.contests.contest import Job
from parlour.contests.game_results import GameResult
from parlour.engine.setup import Setup
from parlour.inference import FEWEST
from parlour.statistics import Estimate
from parlour.studies import effect_words, words
from parlour.studies.comparisons import Difference
from parlour.studies.contrasts import INTERACTION, Contrast, pair
from parlour.studies.precision import Target, TargetInterval
from tests.studies.known_games import BY_NAME, TRICKS, TWO, findings_of, first_wins, game
from tests.studies.made_up_findings import THREE, difference, estimated, made_up, main_effect

EDGES = [
    (Estimate(0.02, -0.01, 0.05), "between 1.0 fewer and 5.0 more of 100 games than an even share"),
    (Estimate(0.02, 0.0, 0.04), "between 0.0 fewer and 4.0 more of 100 games than an even share"),
    (Estimate(-0.02, -0.04, 0.0), "between 4.0 fewer and 0.0 more of 100 games than an even share"),
    (Estimate(0.125, 0.021, 0.219), "12.5 of 100 games more than an even share (2.1 to 21.9)"),
    (Estimate(-0.125, -0.219, -0.021), "12.5 of 100 games fewer than an even share (2.1 to 21.9)"),
]
"""Wins beyond an even share, and their words: with 0 in the interval or at its end there is no verdict."""


class TestTheFirstPlayer:
    @pytest.mark.parametrize(("edge", "wins"), EDGES)
    def test_has_an_advantage_if_the_interval_excludes_zero(self, edge: Estimate, wins: str) -> None:
        verdict = "no significant advantage of the first player (it wins " if "between" in wins else ""
        expected = f"{verdict}{wins})." if verdict else f"the first player wins {wins}."
        found = words._fairness(made_up(TWO[:1], estimate=estimated({"first_player": edge})))
        assert found == f"3 Tricks (defaults), played by thumb: {expected}"

    @pytest.mark.parametrize(
        ("widths", "text"),
        [
            ((0.01, 0.01), "The first player's advantage is known to a point of 100 games."),
            ((0.01, 0.0101), "about 3 more deals are needed, which is 24 games."),
            ((0.02, 0.01), "about 300 more deals are needed, which is 2,400 games."),
            ((0.01, 0.0357), "about 1,200 more deals are needed, which is 9,600 games."),
            ((0.01004, 0.01), "about 1 more deal is needed, which is 8 games."),
        ],
    )
    def test_needs_the_deals_of_the_variation_with_the_widest_interval(
        self, widths: tuple[float, ...], text: str
    ) -> None:
        """At 100 deals of 8 games; the half-width falls with the root of the number of deals."""
        found = words._deals_needed(
            made_up(deals=100, estimate=lambda variation, *_: Estimate(0, -widths[variation], widths[variation]))
        )
        needed = "To know the first player's advantage to a point of 100 games, "
        assert found == (text if text.startswith("The first") else needed + text)

    @pytest.mark.parametrize(("replicated", "games"), [(0, 2400), (100, 2400), (150, 2700), (400, 4200), (1000, 4200)])
    def test_repeated_games_are_counted_in_the_deals_that_have_them(self, replicated: int, games: int) -> None:
        """After 100 deals: each of 300 more has 8 games, and 6 more if it is repeated, 3 in each variation."""
        findings = made_up(deals=100, estimate=lambda *_: Estimate(0, -0.02, 0.02))
        findings.study = replace(findings.study, replicated_deals=replicated)
        text = f"about 300 more deals are needed, which is {games:,} games."
        assert words._deals_needed(findings).endswith(text)


class TestTheSummary:
    @pytest.mark.parametrize(
        ("found", "conclusive", "text"),
        [
            ([], True, "In 30 deals nothing differs beyond doubt from defaults with rank_block=any and stall_turns=8."),
            (
                [difference(2)],
                True,
                "In 30 deals something differs beyond doubt from defaults with stall_turns=8. Nothing does with "
                "rank_block=any.",
            ),
            (
                [difference(2), difference(1), difference(2, "draws", 0.2)],
                True,
                "In 30 deals something differs beyond doubt from defaults with rank_block=any and stall_turns=8.",
            ),
            (
                [difference(2, line_up=(0,)), difference(1, significant=False)],
                True,
                "In 30 deals nothing differs beyond doubt from defaults with rank_block=any and stall_turns=8.",
            ),
            (
                [difference(1, significant=False)],
                False,
                "30 deals are too few to say whether anything differs from defaults: with 1 comparison not even a "
                "difference in every deal would be beyond doubt.",
            ),
            (
                [difference(1)],
                False,
                "In 30 deals something differs beyond doubt from defaults with rank_block=any. Nothing does with "
                "stall_turns=8.",
            ),
        ],
    )
    def test_it_names_the_variations_that_differ_among_the_strongest_bots(
        self, found: list[Difference], conclusive: bool, text: str
    ) -> None:
        findings = made_up(THREE, deals=30, differences=found, conclusive=conclusive)
        assert words._difference_summary(findings) == text

    def test_a_single_deal_is_too_few(self) -> None:
        findings = made_up(deals=1, differences=[difference(1, significant=False)], conclusive=False)
        assert words._difference_summary(findings).startswith("1 deal is too few to say whether anything differs from ")

    @pytest.mark.parametrize(("base", "named"), [(0, ["stall_turns=8"]), (1, [])])
    def test_a_difference_of_rules_counts_from_the_first_variation_only(self, base: int, named: list[str]) -> None:
        findings = made_up(THREE, rule_differences=[difference(2, contrast=pair(2, base))])
        assert words._differing_variations(findings) == named


class TestTooFewDeals:
    def test_a_measure_is_listed_if_one_to_five_deals_differ_without_a_verdict(self) -> None:
        found = [
            difference(1, "draws", significant=False, deals=0),
            difference(1, "decisions", significant=False, deals=1),
            difference(1, "minutes", significant=False, deals=FEWEST - 1),
            difference(1, "forced", significant=False, deals=FEWEST),
            difference(1, "choice", deals=3),
            difference(1, "margin", significant=False, deals=3, line_up=(0,)),
            difference(2, "draws", significant=False, deals=2),
        ]
        assert words._too_few(made_up(THREE, differences=found)) == [
            "Of rank_block=any only a few deals differ from defaults, too few to say more: decisions (1 deal), "
            "length for people, estimated (5 deals). Likewise of stall_turns=8: drawn games (2 deals)."
        ]
        assert words._too_few(made_up(THREE, differences=found[3:6])) == []

    @pytest.mark.parametrize(("evaluated", "listed"), [(FEWEST - 1, []), (FEWEST, ["drama"])])
    def test_a_chance_to_win_is_listed_if_enough_deals_are_evaluated(self, evaluated: int, listed: list[str]) -> None:
        found = [difference(1, "drama", significant=False, deals=1)]
        paragraphs = words._too_few(made_up(THREE, differences=found, evaluated_deals=evaluated))
        assert [word for word in ["drama"] if word in " ".join(paragraphs)] == listed

    @pytest.mark.parametrize(("evaluated", "named"), [(0, False), (1, False), (2, True), (5, True), (6, False)])
    def test_too_few_evaluated_deals_are_named_once_for_all_variations(self, evaluated: int, named: bool) -> None:
        sentence = (
            f"Chances to win are evaluated in {evaluated} deals (--evaluated-deals). A comparison of variations by "
            "them needs at least 6; a difference beyond doubt usually needs 40 or more."
        )
        assert words._too_few_evaluated(made_up(THREE, evaluated_deals=evaluated)) == [sentence] * named
        assert words._too_few_evaluated(made_up(THREE[:1], evaluated_deals=evaluated)) == []


class TestEqualGames:
    @staticmethod
    def answer(turns: tuple[int, ...]) -> list[str]:
        """Return the paragraph on three variations in which a game has these numbers of decisions."""

        def play(job: Job, random: np.random.Generator) -> GameResult:
            return game(job, job.deal % 2, decisions=turns[job.variation] + 2 * (job.seating == (0, 0)) * job.variation)

        return words._equal_games(findings_of(play, 8, THREE, ("random", "thumb")))

    @pytest.mark.parametrize(
        ("turns", "alike"),
        [
            ((40, 42, 44), ""),
            ((40, 40, 44), "with rank_block=any as with defaults"),
            ((40, 42, 42), "with stall_turns=8 as with rank_block=any"),
            ((40, 40, 40), "with rank_block=any and stall_turns=8 as with defaults"),
        ],
    )
    def test_of_the_strongest_bot_are_named(self, turns: tuple[int, ...], alike: str) -> None:
        sentence = f"Played by thumb, every game in 8 deals was the same {alike}: "
        assert self.answer(turns) == [f"{sentence}the same points, decisions, choices and ending."] * bool(alike)

    def test_games_with_other_winners_are_not_alike(self) -> None:
        def play(job: Job, random: np.random.Generator) -> GameResult:
            return game(job, (job.deal + job.variation) % 2)

        assert words._equal_games(findings_of(play, 8, bots=("thumb",))) == []


class TestTheBots:
    @pytest.mark.parametrize(
        ("highs", "wrong"),
        [
            ((0.0, 0.3), ""),
            ((-0.01, 0.3), "thumb is listed as stronger than random, but loses to it"),
            ((0.3, -0.01), "regular is listed as stronger than thumb, but loses to it"),
            (
                (-0.1, -0.1),
                "thumb is listed as stronger than random, but loses to it; regular is listed as stronger than thumb, "
                "but loses to it",
            ),
        ],
    )
    def test_one_that_loses_beyond_doubt_to_the_one_before_is_in_the_wrong_place(
        self, highs: tuple[float, float], wrong: str
    ) -> None:
        findings = made_up(
            bots=("random", "thumb", "regular"), estimate=lambda _, line_up, __: Estimate(-0.2, -0.3, highs[line_up[1]])
        )
        expected = [f"The order of the bots is wrong: {wrong}. List them from weak to strong."] if wrong else []
        assert words._wrong_order(findings) == expected

    def test_a_kind_may_lose_to_the_bot_without_it(self) -> None:
        losing = {"skill": Estimate(-0.2, -0.3, -0.1)}
        assert words._wrong_order(made_up(bots=("thumb", "thumb+greedy"), estimate=estimated(losing))) == []

    @pytest.mark.parametrize(("edge", "wins"), EDGES)
    def test_the_stronger_plays_better_if_the_interval_excludes_zero(self, edge: Estimate, wins: str) -> None:
        parts = Estimate(0.314, 0.2, 0.4), Estimate(-0.02, -0.1, 0.1)
        findings = made_up(estimate=estimated({"skill": edge}), parts=lambda *_: parts, results_vary=lambda *_: True)
        verdict = (
            f"Thumb does not play significantly better than random: it wins {wins}"
            if "between" in wins
            else f"Thumb against random wins {wins}"
        )
        assert words._skill(findings) == [
            f"{verdict}; the deal decides 31\N{NO-BREAK SPACE}% (20 to 40) of the result, and who plays "
            "0\N{NO-BREAK SPACE}% (0 to 10)."
        ]

    @pytest.mark.parametrize(
        ("bots", "text"),
        [
            (("casual", "open:casual"), ["To see all cards is worth +12.0 (+8.0 to +16.0) of 100 games to casual."]),
            (("thumb", "open:regular"), []),
        ],
    )
    def test_the_worth_of_all_cards_needs_the_same_bot_without_them(
        self, bots: tuple[str, ...], text: list[str]
    ) -> None:
        findings = made_up(bots=bots, estimate=estimated({"skill": Estimate(0.12, 0.08, 0.16)}))
        assert words._secrecy(findings) == text

    @staticmethod
    def lucky(setups: tuple[Setup, ...], bots: tuple[str, ...] = ("random", "thumb"), vary: bool = True) -> Any:
        luck = None, Estimate(0.25, 0.2, 0.31), Estimate(0.5, 0.4, 0.6)
        return made_up(setups, bots, luck=luck.__getitem__, results_vary=lambda *_: vary)

    @pytest.mark.parametrize(
        ("bots", "vary", "compared"),
        [(("random", "thumb"), True, True), (("random", "thumb"), False, False), (("thumb",), True, False)],
    )
    def test_luck_is_compared_with_the_deals_part_only_where_the_answer_has_it(
        self, bots: tuple[str, ...], vary: bool, compared: bool
    ) -> None:
        [text] = words._luck(self.lucky(THREE, bots, vary))
        assert ("The deal's part above" in text) == compared

    def test_luck_is_listed_for_the_variations_with_repeated_deals(self) -> None:
        [text] = words._luck(self.lucky(THREE))
        assert text.startswith(
            "Of 100 parts of the result of thumb the cards decide 25 (20 to 31) with rank_block=any, 50 (40 to 60) "
            "with stall_turns=8, by deals played 4 times"
        )


class TestTheFirstVariation:
    @pytest.mark.parametrize(
        ("minutes", "forced", "text"),
        [
            (0.2, 0.25, "about 1 minute; 25 of 100 decisions are forced."),
            (1.4, 0.996, "about 1 minute; 100 of 100 decisions are forced."),
            (1.6, 0.0, "about 2 minutes; no decision is forced."),
        ],
    )
    def test_its_length_is_in_whole_minutes(self, minutes: float, forced: float, text: str) -> None:
        estimates = {"minutes": Estimate(minutes, 0, 9), "forced": Estimate(forced, 0, 1)}
        findings = made_up(TWO[:1], ("thumb",), estimate=estimated(estimates), endings=lambda *_: {"by the rules": 1})
        assert words._first_variation(findings) == f"With defaults a game takes people {text}"

    @pytest.mark.parametrize(
        ("leads", "evaluated", "by_score", "by_chance"),
        [(True, 1, True, False), (False, 2, False, True), (True, 20, True, True), (False, 0, False, False)],
    )
    def test_its_course_is_by_score_and_by_the_chances_of_two_games_or_more(
        self, leads: bool, evaluated: int, by_score: bool, by_chance: bool
    ) -> None:
        estimates = {
            "lead_changes": Estimate(1.5, 1.25, 1.75),
            "decisive": Estimate(0.625, 0.5, 0.75),
            "comeback": Estimate(0.1, 0.05, 0.2),
        }
        findings = made_up(
            estimate=estimated(estimates),
            has_leads=leads,
            evaluated_deals=evaluated,
            curves=lambda variation: np.ones((evaluated, 11)),
        )
        chances = (
            f"By win probabilities, evaluated in {evaluated} games, a game is decided after 62.5 (50.0 to 75.0) of 100 "
            "decisions, and 10.0 (5.0 to 20.0) of 100 games are won by a side that had half an even chance or less "
            "half-way."
        )
        assert words._course(findings) == [
            *(["By the score the lead changes hands 1.50 (1.25 to 1.75) times a game."] if by_score else []),
            *([chances] if by_chance else []),
        ]


class TestTargets:
    def test_are_listed_by_variation_with_those_not_reached(self) -> None:
        """A required precision that is just reached is no longer open; only edges have signs."""
        length, edge = (
            Target("decisions within 2", BY_NAME["decisions"], 2.0),
            Target("fair within 3", BY_NAME["first_player"], 3.0),
        )
        intervals = [
            TargetInterval(length, Estimate(20.0, 18.0, 22.0), 0),
            TargetInterval(length, Estimate(24.0, 21.9, 26.0), 1),
            TargetInterval(edge, Estimate(0.02, -0.02, 0.04), 1),
        ]
        assert words._target_measures(made_up(precision=SimpleNamespace(intervals=intervals))) == [
            "By intervals valid at any number of deals: defaults: decisions 20.0 (18.0 to 22.0); rank_block=any: "
            "decisions 24.0 (21.9 to 26.0), not yet decisions within 2; rank_block=any: first player's wins beyond "
            "even +2.0 (−2.0 to +4.0), not yet fair within 3."
        ]


class TestTheTerminal:
    @pytest.mark.parametrize(("deals", "head"), [(1, "1 deal, 4 games"), (2, "2 deals, 8 games")])
    def test_it_counts_the_deals_in_the_first_line(self, deals: int, head: str) -> None:
        lines = words.text(findings_of(first_wins, deals, TWO[:1])).splitlines()
        assert lines[0] == f"3 Tricks: 1 variation, {head}"


class TestEffects:
    def test_values_without_an_effect_share_a_sentence(self) -> None:
        effects = [
            main_effect(8),
            main_effect(9, significant=False),
            main_effect(10, line_up=(0,)),
            main_effect(8, significant=False),
        ]
        assert effect_words._main_effects(made_up(effects=effects)) == [
            "stall_turns=8 instead of stall_turns=60 (default), over all settings of the rest: a game has 4.00 "
            "decisions more (3.00 to 5.00).",
            "Over all settings of the rest nothing differs beyond doubt by stall_turns=9 or by stall_turns=10.",
        ]

    @pytest.mark.parametrize(
        ("number", "named", "more"),
        [(1, 1, ""), (4, 4, ""), (5, 4, " (1 more of this kind.)"), (7, 4, " (3 more of this kind.)")],
    )
    def test_four_interactions_are_named_and_the_others_counted(
        self, number: int, named: int, more: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(effect_words, "interaction_text", lambda findings, each: f"By {each.by.value:g}")
        of_two = Contrast(INTERACTION, ((1, 1.0), (0, -1.0)))
        effects = [difference(by=place, contrast=of_two) for place in range(number)]
        effects.append(difference(by=99, contrast=of_two, significant=False))
        listed = " ".join(f"By {place}." for place in range(named))
        assert effect_words._interactions(made_up(effects=effects)) == [
            f"The effect of one option depends on another's value. {listed}{more}"
        ]

    @pytest.mark.parametrize(("more", "text"), [(0, ""), (1, "1 more pair differs"), (2, "2 more pairs differ")])
    def test_six_pairs_are_named_and_the_others_counted(self, more: int, text: str) -> None:
        setups = tuple(Setup(TRICKS, 2, {"stall_turns": turns}) for turns in range(60, 50, -1))
        pairs = [difference(contrast=pair(2 + place, 1)) for place in range(6 + more)]
        found = effect_words._pairs(made_up(setups, pairs=pairs))
        rest = [f"{text} beyond doubt; the report and --json have them all."] if text else []
        assert found[1:] == rest
        assert found[0].count(" against ") == 6


class TestStrengths:
    def test_a_difference_turns_if_both_bots_have_opposite_ones_beyond_doubt(self) -> None:
        weak = {"line_up": (0,)}
        found = [
            difference(1, "decisions", 4), difference(1, "decisions", -4, **weak),
            difference(1, "draws", 0.2), difference(1, "draws", 0.3, **weak),
            difference(1, "forced", 0.2), difference(1, "forced", -0.3, significant=False, **weak),
            difference(2, "margin", 4), difference(1, "margin", -4, **weak),
            difference(2, "minutes", -4), difference(2, "minutes", 4, **weak),
        ]  # fmt: skip
        assert effect_words.strengths(made_up(THREE, differences=found)) == (
            "The sign of a difference depends on the strength of the players for decisions with rank_block=any; length "
            "for people, estimated with stall_turns=8. The table by strength of play has the figures."
        )
        assert effect_words.strengths(made_up(THREE, differences=found[2:8])) == (
            "No significant difference changes its sign with the strength of the players."
        )

    @pytest.mark.parametrize(("number", "more"), [(6, ""), (7, " and 1 more")])
    def test_six_that_turn_are_named_and_the_others_counted(self, number: int, more: str) -> None:
        names = ("decisions", "draws", "forced", "choice", "minutes", "margin", "lead_changes")[:number]
        found = [difference(1, name, by, line_up=who) for name in names for by, who in ((4, (0,)), (-4, (1,)))]
        text = effect_words.strengths(made_up(differences=found))
        assert text.count(" with rank_block=any") == 6
        assert f" with rank_block=any{more}. The table by strength of play" in text

    def test_the_table_marks_what_is_beyond_doubt_under_the_heading_of_its_variation(self) -> None:
        weak = {"line_up": (0,)}
        found = [
            difference(2, "decisions", -3, **weak), difference(2, "decisions", 4, significant=False),
            difference(1, "draws", 0.2, significant=False, **weak), difference(1, "draws", 0.3),
            difference(1, "forced", 0.2, significant=False, **weak), difference(1, "forced", 0.3, significant=False),
        ]  # fmt: skip
        findings = made_up(THREE, differences=found, line_ups=[(0,), (1,), (1, 0)])
        title, *rows = effect_words.strengths_text(findings)
        assert title == "\nDifferences from defaults by strength of play (* beyond doubt):"
        assert [row.split() for row in rows] == [
            ["random", "thumb"],
            ["rank_block=any:"],
            ["Drawn", "games,", "%", "of", "games", "+20.0", "+30.0*"],
            ["stall_turns=8:"],
            ["Decisions,", "a", "game", "−3.00*", "+4.00"],
        ]
