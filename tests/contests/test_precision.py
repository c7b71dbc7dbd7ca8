"""Precision of contests: targets, intervals at any number of deals, and the deal after which a contest ends."""

from collections.abc import Iterator

import numpy as np
import pytest

from parlour.contests.contest import LADDER, MATCH, Contest, Deal
from parlour.contests.contest_results import MatchResult
from parlour.contests.game_results import GameResult
from parlour.contests.ladder import LadderResult
from parlour.contests.play import plan_ladder, plan_match
from parlour.contests.precision import POINTS, WINS, ContestPrecision, targets_of
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.inference import FEWEST_FOR_CHECK

SETUP = Setup(find_game("trime-kicker"), 2)
MATCHED = Contest(MATCH, SETUP, ("thumb", "random"))


def game(bots: tuple[int, int], winner: int, points: int) -> GameResult:
    scores = (points, 0) if winner == 0 else (0, points)
    return GameResult(bots, scores, (winner,), (1, 1), (0.0, 0.0))


def deals(contest: Contest, chance: float, number: int, points: int = 10) -> Iterator[Deal]:
    """Yield deals in which bot 0 wins each game with this probability."""
    random = np.random.default_rng(1)
    for deal in range(number):
        games = []
        for bots in contest.seatings(deal):
            won = bool(random.random() < chance)
            games.append(game((bots[0], bots[1]), bots.index(0) if won else 1 - bots.index(0), points))
        yield Deal(deal, tuple(games))


def end_of(result: "MatchResult | LadderResult", played: Iterator[Deal]) -> int:
    """Return the number of deals after which a contest is decided."""
    for deal in played:
        result.add(deal)
        if result.is_decided:
            return result.tally.deals
    raise AssertionError("undecided")


class TestTargets:
    def test_they_are_wins_in_percent_and_points(self) -> None:
        wins, points = targets_of("Wins within 2 points, points within 0.5")
        assert (wins.measure, wins.within, points.measure, points.within) == (WINS, 2.0, POINTS, 0.5)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("ratings within 20", "'ratings within 20' is no precision of a contest: write 'wins within 2'"),
            ("wins within 0", "'wins within 0': the precision must be greater than 0"),
            (" , ", "the precision is empty"),
            ("wins within 1,5", "'wins within 1,5': decimal numbers have a point, as in 'wins within 1.5'"),
        ],
    )
    def test_others_are_refused_in_a_sentence(self, text: str, message: str) -> None:
        with pytest.raises(ParlourError, match=message):
            targets_of(text)


class TestAMatchUntilATarget:
    def test_it_ends_where_the_interval_is_as_narrow_as_wanted(self) -> None:
        result = MatchResult(MATCHED, precision=ContestPrecision("wins within 5", [0]))
        end = end_of(result, deals(MATCHED, 0.6, 5000))
        [interval] = result.precision.intervals
        assert interval.half_width <= 5
        assert interval.estimate.low < 0.6 < interval.estimate.high
        assert FEWEST_FOR_CHECK < end < 1500

    def test_an_interrupted_match_ends_at_the_same_deal(self) -> None:
        """Deals of a results file are added as those newly played are."""
        first = end_of(
            MatchResult(MATCHED, precision=ContestPrecision("points within 2", [0])), deals(MATCHED, 0.6, 5000)
        )
        again = MatchResult(MATCHED, precision=ContestPrecision("points within 2", [0]))
        for deal in deals(MATCHED, 0.6, first - 1):
            again.add(deal)
        assert not again.is_decided
        again.add(list(deals(MATCHED, 0.6, first))[-1])
        assert again.is_decided

    def test_a_tighter_target_needs_more_deals(self) -> None:
        wide, narrow = (
            end_of(MatchResult(MATCHED, precision=ContestPrecision(text, [0])), deals(MATCHED, 0.6, 20_000))
            for text in ("wins within 8", "wins within 4")
        )
        assert 2 * wide < narrow

    def test_the_result_says_which_targets_are_reached(self) -> None:
        result = MatchResult(MATCHED, precision=ContestPrecision("wins within 50, points within 0.01", [0]))
        for deal in deals(MATCHED, 0.6, 40):
            result.add(deal)
        known, open_ = result.to_json()["until"]
        assert (known["bot"], known["measure"], known["reached"]) == ("thumb", "wins", True)
        assert (open_["measure"], open_["within"], open_["reached"]) == ("points", 0.01, False)
        assert "points within 0.01: not reached" in result.text()
        assert result.precision.needed > 1000

    def test_the_deals_needed_are_those_of_the_target_that_needs_most(self) -> None:
        tally = MatchResult(MATCHED).tally
        for deal in deals(MATCHED, 0.6, 40):
            tally.add(deal)

        def needed(text: str, *bots: int) -> int | None:
            precision = ContestPrecision(text, bots)
            precision.compute(tally)
            return precision.needed

        few, many = needed("wins within 10", 0), needed("points within 0.1", 0)
        assert FEWEST_FOR_CHECK < few < many
        assert needed("wins within 10, points within 0.1", 0) == many
        assert needed("points within 0.1, wins within 10", 0) == many
        tally.shares[1] = [0.5] * tally.deals
        assert needed("wins within 10", 0, 1) == needed("wins within 10", 1, 0) == few

    @pytest.mark.parametrize("target", ["wins within 10", "points within 5"])
    @pytest.mark.parametrize(("number", "known"), [(1, False), (2, False), (40, True)])
    def test_the_text_has_no_interval_before_it_excludes_anything(self, target: str, number: int, known: bool) -> None:
        result = MatchResult(MATCHED, precision=ContestPrecision(target, [0]))
        for deal in deals(MATCHED, 0.5, number):
            result.add(deal)
        [line] = [each for each in result.text().splitlines() if target in each]
        assert ("(no interval yet)" in line) == (not known)
        assert "(0.0% to 100.0%)" not in line
        assert "inf" not in line

    def test_all_wins_are_no_certainty(self) -> None:
        result = MatchResult(MATCHED, precision=ContestPrecision("wins within 10", [0]))
        for deal in deals(MATCHED, 1.0, FEWEST_FOR_CHECK):
            result.add(deal)
        assert not result.is_decided

    def test_equal_leads_are_no_certainty(self) -> None:
        result = MatchResult(MATCHED, precision=ContestPrecision("points within 0.01", [0]))
        for deal in deals(MATCHED, 1.0, FEWEST_FOR_CHECK):
            result.add(deal)
        [interval] = result.precision.intervals
        assert interval.estimate.low < interval.estimate.value == 10 < interval.estimate.high
        assert not result.is_decided


class TestThePlan:
    @pytest.mark.parametrize("until", ["wins within 5", "points within 2, wins within 5"])
    def test_a_match_asks_for_its_challenger_and_a_ladder_for_every_bot(self, until: str) -> None:
        plans = (
            plan_match(SETUP, ("thumb", "random"), 0, 60.0, None, WINS, until),
            plan_ladder(SETUP, ["thumb", "random", "beginner"], 0, 60.0, until),
        )
        asked = []
        for plan in plans:
            bots = range(len(plan.tally.contest.bots))
            plan.tally.shares = plan.tally.leads = [[0.0, 1.0] for _ in bots]
            plan.precision.compute(plan.tally)
            asked.append([(each.target.measure, each.bot) for each in plan.precision.intervals])
        measures = [each.measure for each in targets_of(until)]
        assert asked == [[(each, bot) for each in measures for bot in range(number)] for number in (1, 3)]


class TestALadderUntilATarget:
    def test_it_ends_when_every_bot_is_known(self) -> None:
        contest = Contest(LADDER, SETUP, ("thumb", "random", "beginner"))
        result = LadderResult(contest, ContestPrecision("wins within 20", range(3)))
        end_of(result, ladder_deals(contest, 2000))
        assert [each.bot for each in result.precision.intervals] == [0, 1, 2]
        assert all(each.half_width <= 20 for each in result.precision.intervals)


def ladder_deals(contest: Contest, number: int) -> Iterator[Deal]:
    """Yield deals in which the first seat wins half of the games."""
    random = np.random.default_rng(2)
    for deal in range(number):
        seatings = contest.seatings(deal)
        yield Deal(deal, tuple(game((bots[0], bots[1]), int(random.integers(2)), 3) for bots in seatings))
