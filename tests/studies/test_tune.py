"""Searches over a game's options: goals, spaces of options, variations tried, results. No games are played."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from parlour.cli import main
from parlour.contests.game_results import ClauseCounts, WinProbabilityCurve
from parlour.engine.errors import OptionError, ParlourError
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.statistics import Estimate
from parlour.studies.measures import MEASURES
from parlour.studies.rule_measures import side_measure
from parlour.studies.tune import search as searching
from parlour.studies.tune.goal import criteria_of
from parlour.studies.tune.pareto import Front, _fulfilment_text, bonferroni_interval, dominates
from parlour.studies.tune.plan import TuningPlan
from parlour.studies.tune.search import FIRST_RUNG, OptionSearch, rungs
from parlour.studies.tune.space import Space, space_of
from tests.studies.known_games import TWO, findings_of, first_wins, game

TRICKS = find_game("three-tricks")
ENDLESS = math.inf


class TestGoals:
    @pytest.mark.parametrize(
        ("text", "name", "low", "high", "sense"),
        [
            ("fair within 1 point", "first_player", -1, 1, 0),
            ("fair", "first_player", 0, 0, 0),
            ("balanced", "first_player", 0, 0, 0),
            ("balanced within 1 point", "first_player", -1, 1, 0),
            ("20-30 minutes", "minutes", 20, 30, 0),
            ("20–30 minutes", "minutes", 20, 30, 0),
            ("between 20 and 30 minutes", "minutes", 20, 30, 0),
            ("25-25 minutes", "minutes", 25, 25, 0),
            ("minutes 20 to 30", "minutes", 20, 30, 0),
            ("at most 25 minutes", "minutes", -ENDLESS, 25, 0),
            ("at least 3 lead changes", "lead_changes", 3, ENDLESS, 0),
            ("about 40 decisions", "decisions", 36, 44, 0),
            ("draws under 5 %", "draws", -ENDLESS, 5, 0),
            ("at most 30 % forced moves", "forced", -ENDLESS, 30, 0),
            ("few forced moves", "forced", -ENDLESS, ENDLESS, -1),
            ("much skill", "skill", -ENDLESS, ENDLESS, 1),
            ("at least 10 % comebacks", "comeback", 10, ENDLESS, 0),
        ],
    )
    def test_a_criterion_has_a_measure_and_bounds(self, text, name, low, high, sense) -> None:
        [wish] = criteria_of(text, MEASURES)
        assert (wish.measure.name, wish.low, wish.high, wish.sense) == (name, low, high, sense)

    @pytest.mark.parametrize(
        ("above", "below"),
        [
            ("about 5 first_player", "about -5 first_player"),
            ("between 3 and 5 first_player", "between -5 and -3 first_player"),
            ("at most 5 first_player", "at least -5 first_player"),
        ],
    )
    def test_bounds_below_0_mirror_those_above_0(self, above: str, below: str) -> None:
        [one], [other] = criteria_of(above, MEASURES), criteria_of(below, MEASURES)
        assert (other.low, other.high) == (-one.high, -one.low)

    @pytest.mark.parametrize(
        ("goal", "message"),
        [
            ("pretty", "'pretty' is not understood.*the words are first_player or fair, draws"),
            ("20-30 minutes, fair within a bit", "'fair within a bit' is not understood"),
            ("fair within 1 mile", "'fair within 1 mile' is not understood"),
            ("30-20 minutes", "'30-20 minutes': 30 is more than 20"),
            ("fair within -1 point", "'fair within -1 point': a distance is not negative; write 'within 1'"),
            ("at most 200 % draws", "200 is impossible, for draws is between 0 and 100"),
            ("at least -3 minutes", "-3 is impossible, for minutes is 0 or more"),
            ("few moves, 20-30 decisions", "two criteria for decisions: '20-30 decisions' is the second"),
            (" , ", "the goal is empty; a criterion is written 'fair within 1 point'"),
            ("draws under 0,5 %, fair", "decimal numbers have a point, as in 'draws under 0.5 %, fair', and a space"),
        ],
    )
    def test_an_unknown_goal_is_refused_with_the_known_words(self, goal: str, message: str) -> None:
        with pytest.raises(ParlourError, match=message):
            criteria_of(goal, MEASURES)

    @pytest.mark.parametrize(
        ("game_id", "text", "name", "high"),
        [
            ("three-tricks", "few stalls", "ending (3T-21)", ENDLESS),
            ("three-tricks", "at most 5 % stalls", "ending (3T-21)", 5),
            ("three-tricks", "few games that end because the stock", "ending the stock was used up (3T-19)", ENDLESS),
            ("castle-walls", "few turn limits", "ending (CW-27)", ENDLESS),
            ("three-tricks", "sides within 2 points of 100", "sides", 2),
            ("trick-walls", "side 1 within 2 points", "side_1", 2),
            ("trick-walls", "at most 2 clause TW-21", "clause TW-21", 2),
            ("trick-walls", "at most 3 points from massacre", "points massacre", 3),
        ],
    )
    def test_goals_may_name_endings_sides_clauses_and_sources(self, game_id, text, name, high) -> None:
        [wish] = criteria_of(text, MEASURES, find_game(game_id))
        assert (wish.measure.name, wish.high) == (name, high)

    @pytest.mark.parametrize("text", ["few blorks", "side 9 within 2 points", "few clause 99", "few endings in tears"])
    def test_names_that_the_game_does_not_have_are_refused_with_those_it_has(self, text: str) -> None:
        with pytest.raises(ParlourError, match=r"is not understood.*'ending all rounds were played \(TW-5\)'"):
            criteria_of(text, MEASURES, find_game("trick-walls"))

    def test_skill_needs_two_bots(self) -> None:
        with pytest.raises(ParlourError, match="'much skill': skill is measured only where a better bot meets another"):
            criteria_of("much skill", [measure for measure in MEASURES if not measure.head_to_head])

    def test_an_omniscient_bot_is_not_the_measured_one(self) -> None:
        space = space_of(TRICKS, [2], ["stall_turns=2-4"])
        assert TuningPlan(space, "fair", ("random", "thumb", "open:regular"), 8, 4).strongest == 1
        with pytest.raises(ParlourError, match="skill is measured only where a better bot meets another"):
            TuningPlan(space, "much skill", ("thumb", "open:regular"), 8, 4).criteria()

    def test_a_variation_without_the_side_is_refused(self) -> None:
        tuning = TuningPlan(space_of(TRICKS, [2], ["stall_turns=2-4"]), "side 3 within 2", ("thumb",), 8, 4)
        with pytest.raises(ParlourError, match=r"'side 3 within 2': 3 Tricks, 2 players.* has no side_3"):
            tuning.estimate(findings_of(first_wins, 4, TWO[:1], ("thumb",)), side_measure(2))

    def test_a_miss_is_the_distance_to_the_nearer_bound_with_its_extremes(self) -> None:
        [wish] = criteria_of("20-30 minutes", MEASURES)
        assert wish.miss(Estimate(33.0, 29.0, 37.0)) == Estimate(3.0, 0.0, 7.0)
        assert wish.miss(Estimate(25.0, 24.0, 26.0)) == Estimate(0.0, 0.0, 0.0)
        assert wish.miss(Estimate(15.0, 12.0, 18.0)) == Estimate(5.0, 2.0, 8.0)
        [more] = criteria_of("many choices", MEASURES)
        assert more.miss(Estimate(7.0, 6.0, 9.0)) == Estimate(-7.0, -9.0, -6.0)


class TestDominance:
    def test_dominance_is_significantly_better_in_one_criterion_and_worse_in_none(self) -> None:
        near, far, wide = Estimate(1, 0, 2), Estimate(5, 3, 7), Estimate(3, 0, 6)
        assert dominates([near, near], [far, near])
        assert not dominates([near, far], [far, near])
        assert not dominates([near], [wide])
        assert not dominates([near], [near])

    def test_many_comparisons_widen_intervals_on_both_sides(self) -> None:
        assert bonferroni_interval(Estimate(5, 4, 7), 100, 1) == Estimate(5, 4, 7)
        found = bonferroni_interval(Estimate(5, 4, 7), 100_000, 10)  # 2.807 and 1.960 standard errors
        assert (5 - found.low, found.high - 5) == pytest.approx((1.432, 2.864), abs=0.001)


class TestSentences:
    @staticmethod
    def front(**known: Any) -> Front:
        """Return a front of three variations whose results are known."""
        criteria = [SimpleNamespace(text=text, sense=sense) for text, sense in (("a", 0), ("b", 0), ("few c", -1))]
        front = Front(SimpleNamespace(tried=[0, 1, 2], criteria=criteria))  # type: ignore[arg-type]
        vars(front).update(known)
        return front

    @pytest.mark.parametrize(
        ("lows", "text"),
        [
            ([(1, 1, 1), (1, 1, 1), (1, 1, 1)], "Nothing that was tried fits 'a' or 'b'."),
            ([(1, 0, 1), (1, 1, 1), (1, 1, 1)], "Nothing that was tried fits 'a'."),
            ([(1, 0, 1), (0, 1, 1), (1, 1, 1)], ""),
            ([(0, 0, 0), (0, 0, 0), (0, 0, 0)], ""),
        ],
    )
    def test_a_criterion_is_out_of_reach_if_every_variation_misses_it(
        self, lows: list[tuple[int, ...]], text: str
    ) -> None:
        misses = {number: [Estimate(2, low, 3) for low in each] for number, each in enumerate(lows)}
        assert self.front(_misses=misses)._unreached_text() == text

    @pytest.mark.parametrize(
        ("complete", "open_", "text"),
        [
            (3, 0, ""),
            (2, 0, "1 variation was given up early."),
            (2, 1, "1 variation was given up early; after so few deals, it may still belong to the front."),
            (1, 0, "2 variations were given up early."),
            (1, 1, "2 variations were given up early; after so few deals, 1 of them may still belong to the front."),
            (1, 2, "2 variations were given up early; after so few deals, 2 of them may still belong to the front."),
        ],
    )
    def test_variations_given_up_are_counted_apart_from_those_that_may_belong_to_the_front(
        self, complete: int, open_: int, text: str
    ) -> None:
        assert self.front(_rivals=[0] * complete, open=[0] * open_)._stopped_text() == text


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> "Counter[Setup]":
    """Replace games by a formula, and count them by variation.

    Seats win in turn, the option gives the length, and longer games have more drama.
    """
    played: Counter[Setup] = Counter()

    def come_out(tuning, setup, job):
        turns = int(setup.options["stall_turns"])
        luck = np.random.default_rng([1, job.deal]).normal(0, 2)
        result = game(job, job.deal % 2, decisions=2 * round(5 * turns + luck))
        evaluated_deals = job.deal < tuning.study(setup).evaluated_deals
        return replace(
            result,
            win_probability=WinProbabilityCurve(32, 5, 1.0, 2.5, turns / 100, 0.5, 0.0, (0.5,) * 11)
            if evaluated_deals
            else None,
        )

    @contextmanager
    def open_workers(work, where) -> Iterator:
        def do(jobs):
            for setup, job in jobs:
                played[setup] += 1
                yield (setup, job), come_out(work, setup, job)

        yield do

    monkeypatch.setattr(searching, "open_workers", open_workers)
    return played


def search(
    folder: Path | None = None, goal="95-105 decisions, fair", deals=32, trials=10, seed=1, turns="1-40"
) -> OptionSearch:
    given = [f"stall_turns={turns}", "rank_block=pair", "replacing_ends_turn=true"]
    return OptionSearch(TuningPlan(space_of(TRICKS, [2], given), goal, ("thumb",), deals, trials, seed), folder)


class TestSearch:
    def test_a_variation_is_checked_after_twice_as_many_deals_each_time(self) -> None:
        assert rungs(100) == [16, 32, 64, 100]
        assert rungs(10) == [10]

    def test_it_finds_variations_that_fit_and_drops_distant_ones(self, games) -> None:
        found = search(trials=16)
        found.run()
        best = [each.setup.options["stall_turns"] for each in Front(found).best]
        assert best
        assert set(best) <= {9, 10, 11}
        pruned = [each for each in found.tried if not each.is_complete]
        assert pruned
        assert {len(each.deals) for each in pruned} == {16}
        assert len(found.tried) == 16

    def test_a_small_space_is_tried_completely(self, games) -> None:
        found = search(turns="1-5", trials=40)
        found.run()
        assert {each.setup.options["stall_turns"] for each in found.tried} == {1, 2, 3, 4, 5}

    def test_a_small_space_is_tried_completely_also_after_many_impossible_combinations(
        self, games, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse_most(space: Space, point: Mapping[str, Any]) -> Setup:
            if 3 < point["stall_turns"] < 299:
                raise OptionError("this number is not possible")
            return Setup(TRICKS, 2, {"stall_turns": int(point["stall_turns"])})

        monkeypatch.setattr(Space, "setup", refuse_most)
        found = search(turns="1-300", deals=2, trials=300)
        found.run()
        assert [each.setup.options["stall_turns"] for each in found.tried] == [1, 2, 3, 299, 300]

    def test_variations_without_a_significant_difference_are_all_listed(self, games) -> None:
        found = search(goal="at least 5 decisions", turns="2-4", deals=8)
        found.run()
        report = Front(found).to_json()
        assert len(report["front"]) == 3

    def test_a_goal_that_no_variation_meets_is_reported(self, games) -> None:
        found = search(goal="at most 5 decisions, fair", turns="2-4", deals=8)
        found.run()
        assert "\nNothing that was tried fits 'at most 5 decisions'.\n" in Front(found).text()

    def test_a_criterion_of_win_probabilities_evaluates_every_deal(self, games) -> None:
        found = search(goal="much drama", turns="2-4", deals=8)
        found.run()
        front = Front(found)
        assert front.best[0].setup.options["stall_turns"] == 4
        assert front.command().endswith("--deals 32 --seed 3 --evaluated-deals 8")

    def test_the_command_for_a_closer_study_gives_external_bots_the_same_time(self, games) -> None:
        found = search(turns="2-4", deals=8)
        found.run()
        found.tuning = replace(found.tuning, move_time=2.5)
        assert Front(found).command().endswith("--seed 3 --move-time 2.5")

    def test_one_variation_is_compared_with_none(self, games) -> None:
        found = search(trials=1)
        found.run()
        assert "Only one variation was tried to the end, so there is nothing to compare." in Front(found).text()

    def test_the_best_are_played_again_on_fresh_deals(self, games) -> None:
        found = search(trials=16)
        found.run()
        front = Front(found)
        found.check(front.to_check)
        [best, *_] = front.best
        fresh = found.fresh[best.setup]
        assert len(found.fresh) == min(3, len(front.best))
        assert len(fresh.deals) == len(best.deals) == 32
        assert fresh.tuning.seed == found.tuning.seed + 1
        assert f"--seed {found.tuning.seed + 2}" in front.command()
        report = next(each for each in front.to_json()["tried"] if each["variation"] == best.setup.variation)
        assert report["fresh"]["score"] == pytest.approx(found.score(fresh), abs=1e-6)
        assert "score (lower is better) 0.00, on 32 fresh deals" in front.text()

    def test_progress_adds_up_to_the_number_of_variations(self, games) -> None:
        done: list[float] = []
        found = search()
        found.run(progress=done.append)
        assert sum(done) == pytest.approx(len(found.tried))


class TestSourcesOfPoints:
    counts = ClauseCounts({}, {"life cards left (CW-25)": [3, -3], "bonus on pile (TK-9)": [1, 0], "class": [2, 2]})
    tried: Any = SimpleNamespace(deals=[SimpleNamespace(games=[SimpleNamespace(clause_counts=counts)])])

    @pytest.mark.parametrize(
        ("words", "points"),
        [
            ("life cards left", 3),
            ("Life cards left (CW-25)", 3),
            ("life card", 3),
            ("bonus on pile", 0.5),
            ("bonus on piles", 0.5),
            ("class", 2),
        ],
    )
    def test_a_goal_names_them_as_the_game_does(self, words: str, points: float) -> None:
        found = search(goal=f"at least 1 points from {words}")
        found._check_sources(self.tried)
        [measure] = (criterion.measure for criterion in found.criteria)
        assert measure.count(self.counts) == points  # type: ignore[attr-defined]

    def test_a_source_that_no_points_come_from_is_refused_with_the_others(self) -> None:
        found = search(goal="at least 1 points from tricks")
        with pytest.raises(ParlourError, match=r"no points come from 'trick'; the sources are 'life cards left \(CW"):
            found._check_sources(self.tried)


class TestStorage:
    def test_a_repeated_search_continues_from_stored_deals(self, games, tmp_path: Path) -> None:
        straight = search()
        straight.run()
        search(tmp_path, trials=5).run()
        before = games.copy()
        again = search(tmp_path)
        again.run()
        assert Front(again).to_json() == Front(straight).to_json()
        assert all(games[each.setup] == before[each.setup] for each in again.tried[:5])

    def test_ctrl_c_loses_no_deal(self, games, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        score = OptionSearch.score
        monkeypatch.setattr(
            OptionSearch, "score", lambda self, tried: score(self, tried) if len(self.tried) < 3 else interrupt()
        )

        def interrupt() -> float:
            raise KeyboardInterrupt

        stopped = search(tmp_path)
        with pytest.raises(KeyboardInterrupt):
            stopped.run()
        kept = sum(file.read_bytes().count(b"\n") - 1 for file in tmp_path.iterdir())
        assert kept == sum(len(each.deals) for each in stopped.tried) > 2 * FIRST_RUNG
        assert Front(stopped).has_results

    def test_another_goal_uses_the_same_deals(self, games, tmp_path: Path) -> None:
        search(tmp_path, turns="1-5").run()
        before = games.copy()
        search(tmp_path, turns="1-5", goal="few decisions").run()
        assert all(games[setup] - before[setup] <= 32 for setup in games)
        assert games[Setup(TRICKS, 2, {"stall_turns": 1})] == 32


class TestCommand:
    def run(self, *arguments: str):
        return CliRunner().invoke(main, ["tune", "three-tricks", *arguments])

    @pytest.mark.parametrize(
        ("arguments", "status", "message"),
        [
            ((), 2, "Missing option '--goal'"),
            (("--goal", "pretty"), 1, "'pretty' is not understood"),
            (("--goal", "fair", "-o", "rank_block=all"), 1, "rank_block is 'all'"),
            (("--goal", "fair", "--bots", "genius"), 1, "there is no bot 'genius'"),
            (("--goal", "fair", "-p", "3"), 1, "is for 2 players, not 3"),
            (("--goal", "fair", "--out", "/dev/null"), 1, "/dev/null: cannot be created"),
            (("--goal", "fair", "--on", "mars"), 1, "a place of execution is ray or ray://HOST:PORT, not 'mars'"),
        ],
    )
    def test_bad_input_is_refused_in_one_line(self, arguments: tuple[str, ...], status: int, message: str) -> None:
        result = self.run(*arguments)
        assert result.exit_code == status
        assert message in result.output
        assert "Traceback" not in result.output

    def test_the_output_has_the_pareto_front_and_a_command_for_a_study(self, games) -> None:
        arguments = ("--goal", "95-105 decisions", "-o", "stall_turns=8-12", "-o", "rank_block=pair",
                     "-o", "replacing_ends_turn=true", "--deals", "32")  # fmt: skip
        result = self.run(*arguments)
        assert result.exit_code == 0, result.output
        assert result.stdout.startswith("3 Tricks: 5 variations tried, ")
        assert "stall_turns=10\n      95-105 decisions  100" in result.stdout
        assert "To look closer: parlour study three-tricks --variation players=2," in result.stdout
        as_json = json.loads(self.run(*arguments, "--json").stdout)
        assert "2 players, stall_turns=10" in as_json["front"]


class TestBounds:
    @pytest.mark.parametrize(
        ("text", "low", "high", "unit"),
        [
            ("20-30 minutes", 20, 30, 5),
            ("25-25 minutes", 25, 25, 2.5),
            ("at most 30 minutes", -ENDLESS, 30, 3),
            ("no more than 30 minutes", -ENDLESS, 30, 3),
            ("at least 3 lead changes", 3, ENDLESS, 0.3),
            ("more than 3 lead changes", 3, ENDLESS, 0.3),
            ("around 40 decisions", 36, 44, 4),
            ("fair within 2 points", -2, 2, 2),
            ("fair", 0, 0, 1),
            ("at most 100 % draws", -ENDLESS, 100, 10),
            ("skill within 100", -100, 100, 100),
            ("few draws", -ENDLESS, ENDLESS, None),
        ],
    )
    def test_a_miss_is_half_of_a_range_or_a_tenth_of_a_bound(
        self, text: str, low: float, high: float, unit: float | None
    ) -> None:
        [criterion] = criteria_of(text, MEASURES)
        assert (criterion.low, criterion.high) == pytest.approx((low, high))
        assert criterion.unit == (None if unit is None else pytest.approx(unit))

    @pytest.mark.parametrize(
        ("text", "low", "high", "verdict"),
        [
            ("20-30 minutes", 20, 30, "  fits"),
            ("20-30 minutes", 19.9, 30, "  may fit"),
            ("20-30 minutes", 20, 30.1, "  may fit"),
            ("20-30 minutes", 30, 40, "  may fit"),
            ("20-30 minutes", 30.1, 40, "  does not fit"),
            ("20-30 minutes", 10, 19.9, "  does not fit"),
            ("few minutes", 10, 19.9, ""),
        ],
    )
    def test_a_measure_fits_if_its_whole_interval_does(self, text: str, low: float, high: float, verdict: str) -> None:
        [criterion] = criteria_of(text, MEASURES)
        assert _fulfilment_text(criterion, Estimate((low + high) / 2, low, high)) == verdict


class TestTheFront:
    @pytest.mark.parametrize(
        ("complete", "best", "checked", "text"),
        [
            (1, 1, 0, "Only one variation was tried to the end, so there is nothing to compare."),
            (
                2,
                1,
                1,
                "One variation is better than every other tried to the end, in at least one criterion significantly.",
            ),
            (3, 2, 2, "2 variations make the front: for none of them do 2,000 deals show another to be better in "),
            (5, 4, 3, "4 variations make the front: for none of them do 2,000 deals show another to be better in "),
        ],
    )
    def test_its_sentence_counts_the_variations_and_the_best_three_are_checked(
        self, complete: int, best: int, checked: int, text: str
    ) -> None:
        tried = [SimpleNamespace(setup=number) for number in range(complete)]
        front = Front(SimpleNamespace(tuning=SimpleNamespace(deals=2000)))  # type: ignore[arg-type]
        vars(front).update(_rivals=tried, best=tried[:best])
        assert front._front_text().startswith(text)
        assert front.to_check == list(range(checked))

    @pytest.mark.parametrize(
        ("deals", "numbers"),
        [(1, [1]), (15, [15]), (16, [16]), (17, [16, 17]), (32, [16, 32]), (33, [16, 32, 33]), (64, [16, 32, 64])],
    )
    def test_a_variation_may_be_given_up_after_sixteen_deals_and_each_doubling(
        self, deals: int, numbers: list[int]
    ) -> None:
        assert rungs(deals) == numbers
