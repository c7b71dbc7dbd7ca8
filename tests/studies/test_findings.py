"""Findings on games with known results, and the coverage of intervals of comparisons."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from parlour import inference
from parlour.contests.contest import Deal, Job, rival_of
from parlour.contests.game_results import GameResult
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.inference import least_p_value
from parlour.statistics import Estimate
from parlour.studies.comparisons import Difference
from parlour.studies.contrasts import INTERACTION, MAIN, Change, Contrast, pair
from parlour.studies.effect_words import opposite_differences
from parlour.studies.findings import Findings
from parlour.studies.measures import EDGE, MEAN, MEASURES
from parlour.studies.plan import Study
from parlour.studies.precision import Target, TargetInterval
from parlour.studies.published_measures import published_values
from parlour.studies.words import answer, more_deals, text
from tests.studies.known_games import (
    BY_NAME,
    EVEN,
    TWO,
    better_wins,
    coin_flip,
    drama_in,
    dramatic,
    findings_of,
    first_wins,
    game,
    mirror,
    noisy,
    some_drawn,
)
from tests.studies.made_up_findings import THREE


def holds(estimate: Estimate, value: float) -> bool:
    return estimate.low <= value <= estimate.high


def near(estimate: Estimate, value: float) -> bool:
    """Return whether a value lies within twice the interval, since one estimate of twenty misses its interval."""
    return abs(estimate.value - value) <= estimate.high - estimate.low


class TestACoinFlip:
    @pytest.fixture(scope="class")
    @staticmethod
    def findings() -> Findings:
        return findings_of(coin_flip, 400)

    def test_has_no_advantage_no_skill_and_no_difference(self, findings: Findings) -> None:
        assert near(findings.estimate(0, (1,), BY_NAME["first_player"]), 0)
        assert near(findings.estimate(0, (1, 0), BY_NAME["skill"]), 0)
        assert not any(each.significant for each in findings.differences)

    def test_neither_the_deal_nor_the_player_decides(self, findings: Findings) -> None:
        deal, skill = findings.parts(0, (1, 0))
        assert near(deal, 0)
        assert near(skill, 0)

    def test_its_bootstrap_draws_masses_of_deals_with_different_results(
        self, findings: Findings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        priors = []
        draw = inference.bootstrap
        monkeypatch.setattr(inference, "bootstrap", lambda prior, value: priors.append(prior) or draw(prior, value))
        findings.parts(0, (1, 0))
        assert all(len(prior) <= 10 for prior in priors), "results of two games, and two extreme deals"
        deals = findings.deals
        assert [prior.sum() for prior in priors] == pytest.approx([deals + 1, deals + 1, deals])

    def test_has_no_drama(self, findings: Findings) -> None:
        assert findings.estimate(0, (1,), BY_NAME["lead_changes"]).value == 0
        assert findings.estimate(0, (1,), BY_NAME["trailed"]).value == 0


class TestAFixedFirstPlayersWin:
    @pytest.fixture(scope="class")
    @staticmethod
    def findings() -> Findings:
        return findings_of(first_wins, 60)

    def test_the_first_player_has_the_maximal_advantage(self, findings: Findings) -> None:
        edge = findings.estimate(0, (1,), BY_NAME["first_player"])
        assert edge.value == 0.5
        assert edge.low > 0.4

    def test_the_deal_explains_everything_and_skill_nothing(self, findings: Findings) -> None:
        deal, skill = findings.parts(0, (1, 0))
        assert deal.value == pytest.approx(1)
        assert skill.value == pytest.approx(0, abs=0.01)

    def test_it_is_reported(self, findings: Findings) -> None:
        assert "the first player wins 50.0 of 100 games more than an even share" in " ".join(answer(findings))


class TestAPerfectMirror:
    @pytest.fixture(scope="class")
    @staticmethod
    def findings() -> Findings:
        return findings_of(mirror, 30)

    def test_all_games_are_drawn_and_balanced(self, findings: Findings) -> None:
        assert findings.estimate(0, (1,), BY_NAME["draws"]).value == 1
        assert (findings.balance(0, (1,)).value, findings.balance(0, (1,)).high) == (1.0, 1.0)
        assert findings.estimate(0, (1, 0), BY_NAME["skill"]).value == 0

    def test_nothing_differs(self, findings: Findings) -> None:
        assert not any(each.significant for each in findings.differences)
        assert answer(findings)[0].startswith(
            "In 30 deals nothing differs beyond doubt from defaults with rank_block=any. "
        )
        assert all(each.by.value == 0 for each in findings.differences)


class TestComparisons:
    def test_a_variation_against_itself_shows_no_difference(self) -> None:
        findings = findings_of(coin_flip, 5, TWO)
        itself = Findings(Study((TWO[0], TWO[0]), ("random", "thumb")), play_alike(findings))
        assert all((each.by.value, each.p_value, each.significant) == (0, 1, False) for each in itself.differences)

    @pytest.mark.slow
    def test_intervals_contain_the_true_value_in_95_of_100_studies(self) -> None:
        held = 0
        for seed in range(200):
            [found] = [
                each
                for each in findings_of(noisy(3.0, seed), 30, bots=("thumb",)).differences
                if each.measure.name == "decisions"
            ]
            held += holds(found.by, 6.0)
        assert 180 <= held <= 199

    def test_common_deals_make_intervals_much_narrower_than_independent_deals(self) -> None:
        findings = findings_of(noisy(3.0, 1), 60, bots=("thumb",))
        measure = BY_NAME["decisions"]
        [paired] = [each.by for each in findings.differences if each.measure is measure]
        alone = [findings.estimate(number, (0,), measure) for number in (0, 1)]
        assert paired.high - paired.low < 0.8 * max(each.high - each.low for each in alone)

    def test_a_difference_is_found_and_reported(self) -> None:
        findings = findings_of(noisy(3.0, 1), 100, bots=("thumb",))
        significant = {each.measure.name for each in findings.differences if each.significant}
        assert significant == {"decisions", "minutes", "forced", "choice"}
        short, compared, *_ = answer(findings)
        assert short.startswith("In 100 deals something differs beyond doubt from defaults with rank_block=any. ")
        assert compared.startswith("rank_block=any against defaults: ")
        assert "a game has 6.24 decisions more (4.33 to 8.15)" in compared

    def test_an_effect_that_changes_sign_with_strength_is_reported(self) -> None:
        def play(job: Job, random: np.random.Generator) -> GameResult:
            weak = job.seating == (0, 0)
            length = 20 + 2 * int(random.integers(3)) + (10 if weak else -10) * job.variation
            return game(job, None, decisions=length)

        findings = findings_of(play, 40)
        assert {one.measure.name for one, _ in opposite_differences(findings)} >= {"decisions"}
        assert any(
            paragraph.startswith("The sign of a difference depends on the strength") for paragraph in answer(findings)
        )


def play_alike(findings: Findings) -> list[Deal]:
    """Play both variations of each deal alike."""
    plan = findings.study
    return [
        Deal(
            number,
            tuple(coin_flip(replace(job, variation=0), np.random.default_rng(number)) for job in plan.jobs(number)),
        )
        for number in range(5)
    ]


class TestChancesToWin:
    @pytest.fixture(scope="class")
    @staticmethod
    def findings() -> Findings:
        return findings_of(dramatic, 30, evaluated_deals=10)

    def test_they_come_from_evaluated_deals_of_the_strongest_bot(self, findings: Findings) -> None:
        drama = findings.estimate(0, (1,), BY_NAME["drama"])
        assert drama.value == pytest.approx(0.1, abs=0.03)
        assert findings.evaluated_deals == 10
        assert BY_NAME["drama"] not in findings.measures_of((0,))
        assert BY_NAME["drama"] not in findings_of(mirror, 5).measures_of((1,))

    @pytest.mark.parametrize(("deals", "planned", "number"), [(4, 10, 4), (10, 10, 10), (12, 10, 10), (5, 0, 0)])
    def test_evaluated_and_traced_deals_are_among_those_played(self, deals: int, planned: int, number: int) -> None:
        study = Study(TWO, ("thumb",), evaluated_deals=planned, traced_deals=planned)
        made = Findings(study, [])
        made.deals = deals
        assert (made.evaluated_deals, made.traced_deals) == (number, number)

    def test_variations_are_compared_by_them(self) -> None:
        findings = findings_of(drama_in(30), 30, evaluated_deals=30)
        significant = {each.measure.name for each in findings.differences if each.significant}
        assert significant == {"drama", "comeback"}
        assert "the winner is 50.0 points of chance farther behind" in answer(findings)[1]

    def test_a_comparison_counts_evaluated_deals_only(self, findings: Findings) -> None:
        """Of 30 deals 10 are evaluated, and all of these differ by the same amount."""
        [comeback] = [each for each in findings.differences if each.measure.name == "comeback"]
        assert comeback.deals == 10
        assert comeback.p_value == pytest.approx(least_p_value(10))
        assert not comeback.significant

    def test_the_course_of_a_game_is_reported_with_the_number_of_evaluated_games(self, findings: Findings) -> None:
        answers = answer(findings)[-1]
        assert "evaluated in 10 games, a game is decided after 50.0 (18.7 to 81.3) of 100 decisions" in answers
        assert (
            "0.0 (0.0 to 30.8) of 100 games are won by a side that had half an even chance or less half-way." in answers
        )
        assert "sole winner" not in answers
        assert "By the score" not in answers, "no side ever leads in this game"

    def test_the_json_has_the_mean_course(self, findings: Findings) -> None:
        strongest, weakest = (findings.to_json()["variations"][0]["played"][bot] for bot in (1, 0))
        assert strongest["curve"] == pytest.approx(np.linspace(0.4, 0.9, 11))
        assert "curve" not in weakest

    @pytest.mark.parametrize(("drawn", "points"), [(0, 11), (4, 11), (10, 0)])
    def test_drawn_games_are_no_part_of_the_mean_course(self, drawn: int, points: int) -> None:
        findings = findings_of(some_drawn(drawn), 12, evaluated_deals=10)
        course = findings.to_json()["variations"][0]["played"][1]["curve"]
        assert course == pytest.approx(np.linspace(0.4, 0.9, points))

    @pytest.mark.parametrize(
        ("drawn", "sentence"),
        [
            (0, ""),
            (1, " 1 game without a sole winner counts as decided at the end."),
            (4, " 4 games without a sole winner count as decided at the end."),
        ],
    )
    def test_drawn_games_are_named_where_the_course_is_reported(self, drawn: int, sentence: str) -> None:
        answers = answer(findings_of(some_drawn(drawn), 12, evaluated_deals=10))[-1]
        assert f"half an even chance or less half-way.{sentence}" in answers
        assert ("sole winner" in answers) == bool(sentence)


class TestTheFirstParagraph:
    def test_it_has_variations_of_several_options_in_brackets(self) -> None:
        chosen = ({}, {"rank_block": "any", "stall_turns": 5}, {"rank_block": "any"})
        setups = tuple(Setup(find_game("three-tricks"), 2, each) for each in chosen)
        short = answer(findings_of(coin_flip, 30, setups))[0]
        assert "from defaults with (rank_block=any, stall_turns=5) and rank_block=any. " in short

    def test_it_has_intervals_and_the_number_of_deals_needed(self) -> None:
        short = answer(findings_of(coin_flip, 30))[0]
        assert short.startswith("In 30 deals nothing differs beyond doubt from defaults with rank_block=any. ")
        edge = r"no significant advantage of the first player \(it wins between [\d.]+ fewer and [\d.]+ more of"
        assert re.search(edge, short)
        needed = re.search(r"about ([\d,]+) more deals are needed, which is ([\d,]+) games\.$", short)
        assert needed
        deals, games = (int(number.replace(",", "")) for number in needed.groups())
        assert games == deals * 2 * 4, "two variations of four games"

    def test_a_study_of_one_variation_describes_it(self) -> None:
        short = answer(findings_of(first_wins, 30, TWO[:1]))[0]
        assert short.startswith(
            "3 Tricks (defaults), played by thumb: the first player wins 50.0 of 100 games more than"
        )


class TestTexts:
    def test_the_json_has_every_measure_of_every_variation(self) -> None:
        report = findings_of(first_wins, 20).to_json()
        assert (report["game"], report["deals"], report["games"]) == ("three-tricks", 20, 20 * 2 * 4)
        alone, _, met = report["variations"][1]["played"]
        assert alone["bots"] == ["random"]
        assert alone["first_player"]["value"] == 0.5
        assert met["deal_part"]["value"] == pytest.approx(1)
        assert {each["measure"] for each in report["differences"]} == {
            each.name for each in MEASURES if each.says and not each.needs_win_probability
        }

    def test_the_terminal_table_has_a_column_for_each_variation(self) -> None:
        lines = text(findings_of(mirror, 20)).splitlines()
        assert lines[0] == "3 Tricks: 2 variations, 20 deals, 160 games"
        assert "  2  rank_block=any" in lines
        assert ["Drawn", "games,", "%", "of", "games", "100.0", "100.0"] in [line.split() for line in lines]

    def test_the_number_of_deals_needed_follows_from_the_interval(self) -> None:
        assert more_deals(Estimate(0.5, 0.48, 0.52), 100, 0.01) == 300
        assert more_deals(Estimate(0.5, 0.49, 0.51), 100, 0.01) == 0


class TestTooFewDeals:
    def test_two_deals_with_the_same_difference_show_nothing(self) -> None:
        def play(job: Job, random: np.random.Generator) -> GameResult:
            return game(job, None if job.variation else 0)

        findings = findings_of(play, 2)
        assert not any(each.significant for each in findings.differences)
        assert answer(findings)[0].startswith(
            "2 deals are too few to say whether anything differs from defaults: with 19 comparisons not even a "
        )

    def test_a_difference_in_few_deals_is_reported_with_their_number(self) -> None:
        def play(job: Job, random: np.random.Generator) -> GameResult:
            return game(job, None if job.variation and job.deal < 3 else job.deal % 2)

        [report] = [each for each in answer(findings_of(play, 60)) if "too few" in each]
        assert "Of rank_block=any only a few deals differ from defaults, too few to say more: " in report
        assert "drawn games (3 deals)" in report

    def test_leave_out_impossible_values_of_every_interval(self) -> None:
        def play(job: Job, random: np.random.Generator) -> GameResult:
            course = replace(EVEN, lead_changes=9 * (job.deal % 2), log_choices=15.0 * (job.deal % 2))
            return replace(dramatic(job, random), statistics=course, decisions=(1, 60 * (job.deal % 2)))

        findings = findings_of(play, 2, evaluated_deals=2)
        estimates = [
            (measure, findings.estimate(variation, line_up, measure))
            for variation in range(2)
            for line_up in findings.line_ups
            for measure in findings.measures_of(line_up)
        ]
        assert {measure for measure, _ in estimates} == set(MEASURES)
        for measure, found in estimates:
            even = 0.5 if measure.kind == EDGE else 0.0
            most = np.inf if measure.kind == MEAN else 1 - even
            assert -even <= found.low <= found.value <= found.high <= most, measure.name
        published = {each.name: estimate for each, estimate in published_values(findings, 0)}
        shares = ("Lead change", "Security", "Drama (CardStock)", "Drama (Ludii)", "ClarityNarrowness")
        assert all(0 <= published[name].low <= published[name].high <= 1 for name in shares)

    def test_keep_a_measured_value_outside_of_the_possible_ones(self) -> None:
        assert Estimate(-0.01, -0.7, 0.6).clipped(0, 1) == Estimate(-0.01, -0.01, 0.6)

    def test_an_unobserved_event_has_an_upper_bound(self) -> None:
        findings = findings_of(mirror, 30)
        leads = findings.estimate(0, (1,), BY_NAME["lead_changes"])
        assert (leads.value, leads.high) == (0.0, pytest.approx(0.1157, abs=1e-3))
        [draws] = [each.by for each in findings.differences if each.line_up == (1,) and each.measure.name == "draws"]
        assert draws.high == -draws.low == pytest.approx(0.1157, abs=1e-3)


class TestBalance:
    def test_its_interval_contains_zero_for_equal_sides(self) -> None:
        """Four equal sides, 100 deals: the observed largest difference is always above 0, the true one is 0."""
        tribes, held, values = find_game("tricky-tribes"), 0, []
        for seed in range(40):
            random = np.random.default_rng(seed)
            winners = random.integers(4, size=100)

            def play(job: Job, _: np.random.Generator, winners=winners) -> GameResult:
                winner = int(winners[job.deal])
                return GameResult(job.seating, (0,) * 4, (winner,), (5,) * 4, (0.0,) * 4, statistics=EVEN)

            found = findings_of(play, 100, (Setup(tribes, 4),), ("thumb",)).balance(0, (0,))
            held += holds(found, 1.0)
            values.append(found.value)
        assert held >= 36
        assert np.mean(values) > 0.92, "without a correction it is 0.90"


class TestOrderOfBots:
    def test_a_losing_bot_listed_as_stronger_is_reported_and_named_in_comparisons(self) -> None:
        def play(job: Job, random: np.random.Generator) -> GameResult:
            if job.seating[0] == job.seating[1]:
                return game(job, int(random.integers(2)))
            loses = job.variation == 1 or job.deal % 4
            return game(job, int(np.argmin(job.seating)) if loses else int(np.argmax(job.seating)))

        answers = answer(findings_of(play, 80))
        assert answers[0] == (
            "The order of the bots is wrong: thumb is listed as stronger than random, but loses to it. "
            "List them from weak to strong."
        )
        assert "thumb against random wins 25.0 fewer of 100 games" in " ".join(answers)


class TestKindsOfPlayer:
    BOTS = ("random", "thumb", "thumb+cautious", "thumb+greedy")

    @pytest.fixture(scope="class")
    @classmethod
    def findings(cls) -> Findings:
        return findings_of(better_wins, 20, bots=cls.BOTS)

    def test_play_against_the_bot_without_the_kind(self, findings: Findings) -> None:
        assert [each for each in findings.line_ups if len(each) == 2] == [(1, 0), (2, 1), (3, 1)]

    def test_the_answer_is_about_the_bot_without_a_kind(self, findings: Findings) -> None:
        assert findings.study.strongest == 1
        assert "The order of the bots is wrong" not in answer(findings)

    def test_the_answer_says_what_each_wins_in_each_variation(self, findings: Findings) -> None:
        [sentence] = re.findall(
            r"Of 100 games against the bot without its kind[^:]*: ([^;]*); ([^;]*)\.", text(findings)
        )
        for kind, said in zip(self.BOTS[2:], sentence, strict=True):
            assert said.startswith(f"{kind} +50.0 ")
            assert said.count(" with ") == 2

    @pytest.mark.parametrize(
        ("bots", "rivals"),
        [
            (BOTS, [0, 1, 1]),
            (("thumb", "thumb+greedy", "random", "thumb+cautious"), [0, 1, 0]),
            (("random", "thumb+greedy", "thumb"), [0, 1]),
            (("random", "thumb", "beginner+greedy"), [0, 1]),
        ],
    )
    def test_the_rival_comes_earlier_in_the_list(self, bots: tuple[str, ...], rivals: list[int]) -> None:
        assert [rival_of(bots, bot) for bot in range(1, len(bots))] == rivals

    def test_a_kind_without_its_bot_plays_against_the_bot_before_it(self) -> None:
        assert Study(TWO, ("random", "regular+greedy")).head_to_head(1) == (1, 0)
        assert Study(TWO, ("random", "regular+greedy")).strongest == 0

    def test_if_all_bots_have_kinds_the_last_is_the_one_studied(self) -> None:
        assert Study(TWO, ("thumb+greedy", "thumb+cautious")).strongest == 1


NUMBERS = {
    **{"measure": "decisions", "by": {"value": -4.5, "low": -6.25, "high": -2.75}, "deals": 17},
    **{"p_value": 0.0125, "adjusted_p_value": 0.0375, "significant": True},
}
"""JSON values of the numbers of a difference."""


class TestJsonOfADifference:
    """Differences and intervals that are made up, each number another one."""

    @pytest.fixture
    def findings(self) -> Findings:
        """Return findings of which only the study is known."""
        made = object.__new__(Findings)
        made.study = Study(THREE, ("random", "thumb"))
        return made

    @staticmethod
    def difference(contrast: Contrast, **other: Any) -> Difference:
        known = {"line_up": (1, 0), "p_value": 0.0125, "adjusted_p_value": 0.0375, **other}
        return Difference(contrast, measure=BY_NAME["decisions"], by=Estimate(-4.5, -6.25, -2.75), deals=17, **known)

    def test_of_a_pair_names_the_variation_before_that_against_which_it_is(self, findings: Findings) -> None:
        assert findings._pair_json(self.difference(pair(2, 1))) == {
            **{"variation": "2 players, stall_turns=8", "against": "2 players, rank_block=any"},
            **{"bots": ["thumb", "random"], **NUMBERS},
        }

    def test_of_a_small_p_value_has_four_digits_and_is_never_0(self, findings: Findings) -> None:
        small = self.difference(pair(1), p_value=1.234567e-40, adjusted_p_value=1.6e-6)
        written = findings._pair_json(small)
        assert (written["p_value"], written["adjusted_p_value"]) == (1.235e-40, 1.6e-6)
        assert findings._pair_json(replace(small, p_value=0.0))["p_value"] > 0, "of thousands of deals"

    def test_of_one_that_is_not_beyond_doubt_says_so(self, findings: Findings) -> None:
        alone = findings._pair_json(self.difference(pair(1), line_up=(0,), adjusted_p_value=0.05))
        assert (alone["bots"], alone["against"]) == (["random"], "2 players")
        assert (alone["adjusted_p_value"], alone["significant"]) == (0.05, False)

    @pytest.mark.parametrize(
        ("kind", "changes"),
        [
            (MAIN, (Change("stall_turns", 60, 8, 60),)),
            (INTERACTION, (Change("rank_block", "pair", "any"), Change("stall_turns", 60, 8, 60))),
        ],
    )
    def test_of_an_effect_leads_from_the_first_value_to_the_other(
        self, findings: Findings, kind: str, changes: tuple[Change, ...]
    ) -> None:
        values = {"stall_turns": (60, 8), "rank_block": ("pair", "any")}
        assert findings._effect_json(self.difference(Contrast(kind, ((1, 1.0), (0, -1.0)), changes))) == {
            "kind": kind,
            "changes": [dict(zip(("of", "from", "to"), (name, *values[name]), strict=True))
                        for name in [each.factor for each in changes]],
            **{"bots": ["thumb", "random"], **NUMBERS},
        }  # fmt: skip

    @pytest.mark.parametrize(("within", "reached"), [(1.5, False), (1.75, True)])
    def test_of_a_target_has_the_precision_required_and_reached(
        self, findings: Findings, within: float, reached: bool
    ) -> None:
        target = Target("decisions", BY_NAME["decisions"], within)
        interval = TargetInterval(target, Estimate(20.0, 18.5, 21.75), 2)
        findings.precision = SimpleNamespace(intervals=[interval])  # type: ignore[assignment]
        assert findings._until_json() == [
            {
                **{"variation": "2 players, stall_turns=8", "measure": "decisions"},
                **{"within": within, "reached": reached, "anytime": {"value": 20.0, "low": 18.5, "high": 21.75}},
            }
        ]
