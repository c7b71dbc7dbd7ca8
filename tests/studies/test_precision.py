"""Studies that run until a measure is known: targets, confidence sequences, checks, the time left."""

import math
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from parlour import inference
from parlour.cli import contest_commands, main
from parlour.cli.contest_commands import play_with_progress, show_precision
from parlour.cli.remaining_time import TimeLeft, duration_text
from parlour.contests.contest import Deal
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.inference import FEWEST_FOR_CHECK
from parlour.jobs.tasks import Placement
from parlour.studies.findings import Findings
from parlour.studies.games import games_of
from parlour.studies.measures import EDGE, MEAN, PART, SHARE
from parlour.studies.plan import Study
from parlour.studies.precision import Precision, Target, targets_of
from parlour.studies.words import answer
from tests.studies.known_games import BY_NAME, TWO, first_wins, noisy

STUDY = Study(TWO, ("random", "thumb"))


def deals(play, number: int) -> list[Deal]:
    return [
        Deal(place, tuple(play(job, np.random.default_rng([7, place])) for job in STUDY.jobs(place)))
        for place in range(number)
    ]


class TestTargets:
    def test_a_target_for_win_share_is_for_every_side(self) -> None:
        found = targets_of("win share within 1 point, decisions within 0.5", STUDY)
        assert [(each.measure.name, each.within) for each in found] == [
            ("side_1", 1.0), ("side_2", 1.0), ("decisions", 0.5)
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("few draws", "'few draws' is not a precision: write 'win share within 1 point'"),
            ("20-30 minutes", "is not a precision"),
            ("decisions within 0,5", "decimal numbers have a point, as in 'decisions within 0.5'"),
            ("win share within 0", "must be greater than 0"),
            ("drama within 2", "--until cannot use this measure"),
            (
                "beauty within 2",
                "understood: write 'win share within 1 point' or 'decisions within 2'; the measures are",
            ),
            ("win share", "the measures are win share, 'side 1' and first_player or fair, draws or drawn games, "),
            (" , ", "--until is empty"),
        ],
    )
    def test_an_impossible_target_is_refused_in_a_sentence(self, text: str, reason: str) -> None:
        with pytest.raises(ParlourError, match=reason):
            targets_of(text, STUDY)

    def test_a_side_that_no_variation_has_is_refused(self) -> None:
        partners = Study((Setup(find_game("trick-walls"), 4),), ("thumb",))
        assert [each.measure.name for each in targets_of("side 2 within 1", partners)] == ["side_2"]
        with pytest.raises(ParlourError, match="no variation has this side; there are 2 sides at most"):
            targets_of("side 3 within 1", partners)

    def test_the_command_refuses_it_before_the_first_game(self) -> None:
        result = CliRunner().invoke(main, ["study", "three-tricks", "--until", "few draws"])
        assert (result.exit_code, result.output.count("\n")) == (1, 1)


class TestIntervals:
    def test_intervals_exclude_exactly_the_means_whose_p_value_by_the_mixture_is_below_0_05(self) -> None:
        values = np.random.default_rng(1).normal(0.4, 1.0, 120)
        found = inference.anytime_interval(values, 1.0)
        for end in (found.low, found.high):
            ratio, against = 0.15 * 120, values - end
            mixed = math.exp(-((against.sum()) ** 2) / (against**2).sum() / 2 * ratio / (1 + ratio))
            assert math.sqrt(1 + ratio) * mixed == pytest.approx(0.05)

    def test_few_of_100_runs_ever_miss_the_mean(self) -> None:
        missed = 0
        for seed in range(100):
            thrown = (np.random.default_rng(seed).random(400) < 0.3).astype(float)
            looks = (inference.anytime_interval(thrown[:number], 1.0) for number in range(16, 400, 16))
            missed += any(not each.low <= 0.3 <= each.high for each in looks)
        assert missed <= 8

    def test_an_unobserved_event_has_an_upper_bound(self) -> None:
        found = inference.anytime_interval(np.zeros(100), 1.0)
        bound = inference.anytime_share_bound(0, 100)
        assert (found.value, found.high, found.low) == pytest.approx((0.0, bound, -bound))
        assert inference.share_bound(0, 100) < bound < 0.1

    def test_the_first_few_deals_have_an_unbounded_interval(self) -> None:
        assert inference.anytime_interval(np.array([1.0, 2.0]), 1.0).high == np.inf

    def test_the_number_of_deals_needed_makes_the_interval_narrow_enough(self) -> None:
        values = np.tile([0.0, 1.0], 5000)
        needed = inference.deals_for(0.5, 0.05, 0.15)
        wide, narrow = (inference.anytime_interval(values[:number], 1.0) for number in (needed - 2, needed + 2))
        assert wide.high - wide.value > 0.05 > narrow.high - narrow.value


class TestAStudyUntilATarget:
    def test_an_interrupted_study_ends_at_the_same_deal(self) -> None:
        played = deals(noisy(0.0, 1), 400)

        def end(precision: Precision) -> int:
            return next(number for number in range(1, 401) if precision.check(played[:number]))

        first = end(Precision("decisions within 6", STUDY))
        again = Precision("decisions within 6", STUDY)
        again.check(played[: first // 2])
        assert first == end(again)
        assert FEWEST_FOR_CHECK < first < 400

    def test_it_plays_the_minimum_number_of_deals(self) -> None:
        precision = Precision("decisions within 100", STUDY)
        assert not precision.check(deals(first_wins, FEWEST_FOR_CHECK - 1))
        assert precision.check(deals(first_wins, FEWEST_FOR_CHECK))

    def test_the_answer_lists_targets_reached_and_not_reached(self) -> None:
        precision = Precision("decisions within 100, win share within 1 point", STUDY)
        findings = Findings(STUDY, deals(first_wins, 40), precision)
        [known] = [each for each in answer(findings) if each.startswith("By intervals valid at any number")]
        assert "defaults: decisions 20.0" in known
        assert "not yet win share within 1 point" in known
        reached = {(each["measure"], each["reached"]) for each in findings.to_json()["until"]}
        assert reached == {("decisions", True), ("side_1", False), ("side_2", False)}
        assert precision.needed > 40

    def test_it_needs_the_deals_of_the_target_and_variation_that_need_most(self) -> None:
        played = deals(noisy(0.0, 1), 12)
        cells = games_of(STUDY, played, {(0, (1,)), (1, (1,))}).values()
        deviations = [float(BY_NAME["decisions"].values(cell).std()) for cell in cells]
        few, many = (
            max(inference.deals_for(each, within, inference.RHO_SQUARED) for each in deviations)
            for within in (6.0, 1.0)
        )
        assert FEWEST_FOR_CHECK < few < many
        easy, hard = "decisions within 6", "decisions within 1"
        for text, needed in ((easy, few), (hard, many), (f"{easy}, minutes within 9", few), (f"{hard}, {hard}", many)):
            precision = Precision(text, STUDY)
            precision.compute(played)
            assert precision.needed == needed, text


SCALES = {MEAN: 1.0, PART: 100.0, SHARE: 100.0, EDGE: 100.0}
"""Displayed units in one unit of the values, by kind of measure."""


class TestATargetOfEachKind:
    """A measure with known values for each deal, whose interval and number of deals are those of the displayed unit."""

    def precision(self, kind: str, within: float, values: np.ndarray) -> Precision:
        """Return the precision after deals with these values of a measure."""
        precision = Precision("decisions within 1", STUDY)
        measure = replace(BY_NAME["decisions"], kind=kind, values=lambda games: values)
        precision.targets = [Target("made up", measure, within)]
        precision.compute(deals(first_wins, 12))
        return precision

    @pytest.mark.parametrize("kind", SCALES)
    @pytest.mark.parametrize("within", [2.0, 5.0])
    def test_the_needed_number_of_deals_makes_the_interval_as_narrow_as_required(
        self, kind: str, within: float
    ) -> None:
        pair = np.array([0.2, 0.8]) * 100 / SCALES[kind]  # a deviation of 30 displayed units
        needed = self.precision(kind, within, np.tile(pair, 6)).needed
        assert FEWEST_FOR_CHECK < needed < inference.MOST_DEALS
        fewer, more = needed // 2 - 2, needed // 2 + 2
        wide, narrow = (self.precision(kind, within, np.tile(pair, number)) for number in (fewer, more))
        assert (wide.is_reached, narrow.is_reached) == (False, True)
        assert narrow.intervals[0].half_width == pytest.approx(within, rel=0.05)
        assert narrow.needed == needed

    @pytest.mark.parametrize("within", [1.0, 2.0, 5.0])
    def test_shares_and_parts_need_the_same_number_of_deals_of_which_a_share_of_one_half_needs_the_least(
        self, within: float
    ) -> None:
        half = np.tile([0.0, 1.0], 6)
        needed = {kind: self.precision(kind, within, half).needed for kind in (PART, SHARE, EDGE)}
        assert len(set(needed.values())) == 1
        [least] = set(needed.values())
        for factor in (0.1, 0.5, 2.0, 10.0):
            other = inference.rho_squared_for_share(within / 100) * factor
            assert inference.deals_for(0.5, within / 100, other) >= least

    @pytest.mark.parametrize("text", ["draws", "win share", "first_player", "skill", "settled", "forced"])
    def test_every_target_in_words_has_the_scale_of_its_kind(self, text: str) -> None:
        for target in targets_of(f"{text} within 2, decisions within 2", STUDY):
            assert target.scale == target.measure.scale == SCALES[target.measure.kind]
            mean = target.measure.kind == MEAN
            assert target.rho_squared == (inference.RHO_SQUARED if mean else pytest.approx(8.0 * (0.02 / 1.5) ** 2)), (
                target.measure.name
            )


class TestTheTimeLeft:
    def played_deals(self, seconds: float) -> SimpleNamespace:
        return SimpleNamespace(games=[SimpleNamespace(seconds=(seconds, seconds))])

    def test_a_new_kind_of_deal_is_estimated_by_its_thinking_time_until_two_were_played(self) -> None:
        now, announced = [0.0], []
        left = TimeLeft(102, 0, 2, 2, announced.append, lambda: now[0])
        advance = left.report_after(lambda *done: None)
        advance(0.1)
        for _ in range(2):
            now[0] += 30
            left.add(self.played_deals(1.0))
        assert announced == ["At most about 2 minutes for about 101 more deals."]
        assert left.seconds_left() == pytest.approx(100 * 1.0)
        now[0] += 3
        left.add(self.played_deals(1.0))
        assert left.seconds_left() == pytest.approx(99 * 3.0)
        for _ in range(3):
            now[0] += 3
            left.add(self.played_deals(1.0))
        assert announced[1:] == ["About 5 minutes for about 98 more deals."]

    @pytest.mark.parametrize(
        ("special", "thinking"),
        [(0, 1.0), (0, 99.0), (2, 40.0), (5, 40.0), (6, 1.0), (6, 99.0), (100, 1.0), (100, 99.0)],
    )
    def test_deals_of_a_kind_take_as_long_as_before_whatever_the_bots_thought(
        self, special: int, thinking: float
    ) -> None:
        """The first deals of another kind are estimated by the thinking time, which is here the same."""
        now, seconds = [0.0], 40.0
        left = TimeLeft(6, 0, special, 1, lambda text: None, lambda: now[0])
        for played in range(1, 7):
            now[0] += seconds
            left.add(self.played_deals(thinking / 2))
            assert left.seconds_left() == pytest.approx(seconds * (6 - played))

    def test_a_log_gets_it_every_minute(self) -> None:
        now, announced = [0.0], []
        left = TimeLeft(1000, 0, 0, 1, announced.append, lambda: now[0])
        advance = left.report_after(lambda *done: None)
        for _ in range(40):
            now[0] += 3
            left.add(self.played_deals(1.0))
            advance(1)
        assert announced[0].startswith("About ")
        assert [each.partition(";")[0] for each in announced[1:]] == ["22 of 1,000 deals"]

    @pytest.mark.parametrize(
        ("seconds", "text"),
        [
            (0.2, "1 second"),
            (1.6, "2 seconds"),
            (40, "40 seconds"),
            (89, "89 seconds"),
            (90, "2 minutes"),
            (300, "5 minutes"),
            (5399, "90 minutes"),
            (5400, "1.5 hours"),
            (9000, "2.5 hours"),
            (36000, "10 hours"),
            (129600, "1.5 days"),
            (400000, "4.6 days"),
        ],
    )
    def test_durations_are_rounded(self, seconds: float, text: str) -> None:
        assert duration_text(seconds) == text

    @pytest.mark.parametrize(
        ("half_width", "needed", "shown", "total"),
        [(3.24, 200, "±3.2", 200), (0.0456, 1000, "±0.046", 1000), (99.7, 1001, "±100", 1000), (250.0, 5, "±250", 5)],
    )
    def test_the_progress_names_the_widest_interval_and_stops_at_the_most_deals(
        self, half_width: float, needed: int, shown: str, total: int
    ) -> None:
        widest = SimpleNamespace(half_width=half_width, target=SimpleNamespace(text="wins within 2"))
        texts, left = [], SimpleNamespace(total=0, text=lambda: "5 minutes left")
        show_precision(widest, needed, 1000, lambda done, text: texts.append((done, text())), left)
        assert texts == [(0, f"{shown} of wins within 2, 5 minutes left")]
        assert left.total == total

    @pytest.mark.parametrize(("total", "more"), [(2, "1 more deal"), (3, "2 more deals"), (1001, "1,000 more deals")])
    def test_it_is_announced_for_the_deals_that_are_left(self, total: int, more: str) -> None:
        announced: list[str] = []
        left = TimeLeft(total, 0, 0, 1, announced.append, count(0.0, 20.0).__next__)
        left.add(Deal(0, ()))
        [sentence] = announced
        assert sentence.endswith(f" for about {more}.")

    @pytest.mark.parametrize(
        ("kept", "said"),
        [(0, ""), (1, "1 of 4 deals were in file already.\n"), (4, "4 of 4 deals were in file already.\n"),
         (9, "4 of 4 deals were in file already.\n")],
    )  # fmt: skip
    def test_only_deals_that_were_not_in_the_file_count(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: int, said: str
    ) -> None:
        every, timed, added, bars = [Deal(number, ()) for number in range(4)], [], [], []

        def play(plan, deals, file, where, progress, count):
            for deal in every:
                count(deal)
                yield deal

        monkeypatch.setattr("parlour.contests.results_file.play_and_store", play)
        monkeypatch.setattr(TimeLeft, "add", lambda self, deal: timed.append(deal))
        monkeypatch.setattr(
            contest_commands, "progress_bar", lambda *bar: bars.append(bar) or nullcontext(lambda *done: None)
        )
        file = SimpleNamespace(deals=[None] * kept)
        with play_with_progress(SimpleNamespace(), 4, Placement(), file, "file", added.append) as (played, *_):
            assert list(played) == added == every
        assert timed == every[kept:]
        assert capsys.readouterr().err == said
        assert bars == [("Deals", 4, min(kept, 4))]

    @pytest.mark.parametrize("longer", ["evaluated_deals", "traced_deals", "replicated_deals"])
    def test_the_first_deals_of_every_kind_that_takes_longer_are_estimated_apart(
        self, monkeypatch: pytest.MonkeyPatch, longer: str
    ) -> None:
        now, seconds = [0.0], [60.0, 60.0, 3.0]

        def play(plan, deals, file, where, advance, count):
            advance(0.1)
            for number in range(3):
                now[0] += seconds[number]
                count(Deal(number, ()))
                yield number

        monkeypatch.setattr("parlour.contests.results_file.play_and_store", play)
        monkeypatch.setattr(contest_commands, "TimeLeft", partial(TimeLeft, clock=lambda: now[0]))
        plan = SimpleNamespace(**{"evaluated_deals": 1, longer: 2})
        with play_with_progress(plan, 103, Placement(), None, None, lambda deal: None) as (played, _, left):
            assert list(played) == [0, 1, 2]
        assert left.seconds_left() == pytest.approx(100 * 3.0)
