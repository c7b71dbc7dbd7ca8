"""Published measures, each compared with a plain computation by its definition."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from parlour.contests.contest import STUDY, Contest, Job
from parlour.contests.game_results import GameResult
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.statistics import Estimate
from parlour.studies import formulas
from parlour.studies.findings import Findings
from parlour.studies.published_measures import (
    PUBLISHED,
    cardstock_drama,
    cardstock_fairness,
    cardstock_security,
    published_values,
    threshold,
    uniformity,
)
from parlour.studies.words import answer
from tests.studies.known_games import EVEN, TRICKS, TWO, dramatic, findings_of, game, some_drawn

TRIBES = find_game("tricky-tribes")


def some_games(job: Job, random: np.random.Generator) -> GameResult:
    """Return games of four players: the first player wins more often, a tenth of the games are drawn."""
    first = int(random.integers(4))
    winners = (first,) if random.random() < 0.4 else (int(random.integers(4)),)
    winners = (0, 1) if job.deal % 10 == 0 else winners
    course = replace(EVEN, first=first, lead_changes=job.deal % 3, forced=5, choices=65)
    scores = tuple(10 + seat + 5 * (seat in winners) for seat in range(4))
    return GameResult(job.seating, scores, winners, (5 + job.deal % 2,) * 4, (0.0,) * 4, statistics=course)


@pytest.fixture(scope="module")
def findings() -> Findings:
    return findings_of(some_games, 50, (Setup(TRIBES, 4),), ("random", "thumb"))


@pytest.fixture(scope="module")
def plain() -> list[GameResult]:
    jobs = [Job(deal, (1,) * 4) for deal in range(50)]
    return [some_games(job, np.random.default_rng([7, job.deal])) for job in jobs]


def published_by_name(findings: Findings) -> dict[str, Estimate]:
    """Return the published measures of the first variation."""
    return {each.name: estimate for each, estimate in published_values(findings, 0)}


def share(game: GameResult, seat: int) -> float:
    return 1 / len(game.winners) if seat in game.winners else 0.0


PLAIN = {
    "Completion": lambda games: 1.0,
    "Drawishness": lambda games: sum(len(game.winners) > 1 for game in games) / len(games),
    "AdvantageP1": lambda games: sum(share(game, game.statistics.first) for game in games) / len(games),
    "Outcome uniformity": lambda games: (
        1
        - sum(
            sum(share(game, seat) ** 2 for game in games) / len(games)
            - (sum(share(game, seat) for game in games) / len(games)) ** 2
            for seat in range(4)
        )
        / 4
    ),
    "Duration": lambda games: sum(sum(game.decisions) for game in games) / len(games),
    "DecisionMoves": lambda games: (
        1 - sum(game.statistics.forced for game in games) / sum(sum(game.decisions) for game in games)
    ),
    "BranchingFactor": lambda games: (
        sum(game.statistics.choices for game in games) / sum(sum(game.decisions) for game in games)
    ),
    "DecisionFactor": lambda games: (
        sum(game.statistics.choices - game.statistics.forced for game in games)
        / sum(sum(game.decisions) - game.statistics.forced for game in games)
    ),
    "GameTreeComplexity": lambda games: sum(game.statistics.log_choices for game in games) / len(games),
    "Lead change": lambda games: (
        sum(game.statistics.lead_changes for game in games) / sum(sum(game.decisions) for game in games)
    ),
    "Score spread": lambda games: sum(max(game.scores) - min(game.scores) for game in games) / len(games),
    "Fairness": lambda games: cardstock_fairness(PLAIN["AdvantageP1"](games), 4),
}


class TestLuck:
    def test_luck_is_the_variance_of_deal_means_divided_by_the_total(self) -> None:
        random = np.random.default_rng(1)
        chance = random.choice([0.1, 0.9], size=4000)
        won = (random.random((4000, 4)) < chance[:, None]).astype(float)
        found = formulas.luck(np.stack([won, 1 - won], axis=2))
        assert found == pytest.approx(0.4**2 / 0.25, abs=0.03)

    def test_luck_is_as_computed_by_hand(self) -> None:
        shares = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])[:, :, None]
        within, means = 0.5 / 3, np.array([1.0, 0.5, 0.0])
        by_deal = means.var(ddof=1) - within / 2
        assert formulas.luck(shares) == pytest.approx(by_deal / (by_deal + within))

    def test_luck_is_one_if_cards_decide_and_zero_if_players_decide(self) -> None:
        same = np.repeat([[[1.0, 0.0]], [[0.0, 1.0]]], 4, axis=1)
        assert formulas.luck(same) == 1.0
        assert formulas.luck(np.ones((3, 4, 2)) / 2) == 0.0

    def test_the_answer_reports_luck_of_the_strongest_bot(self) -> None:
        def by_cards(job: Job, random: np.random.Generator) -> GameResult:
            return game(job, int(random.integers(2)))

        findings = findings_of(by_cards, 20, TWO, replicated_deals=20, replicates=3)
        jobs = findings.study.jobs(0)
        assert [(job.variation, job.replicate) for job in jobs if job.replicate] == [(0, 1), (0, 2), (1, 1), (1, 2)]
        assert all(set(job.seating) == {1} for job in jobs if job.replicate)
        assert len(findings.cell(0, (1,)).shares[0]) == 1, "repetitions count nowhere else"
        luck = findings.luck(0)
        assert luck is not None
        assert (luck.value, luck.high) == (1.0, 1.0)
        assert 0.6 < luck.low < 0.9, "20 deals leave it possible that players decide some"
        assert "100 (68 to 100) with defaults" in answer(findings)[-1]

    @pytest.mark.parametrize("winner", [None, 1])
    def test_a_result_that_is_always_the_same_has_no_luck(self, winner: int | None) -> None:
        findings = findings_of(lambda job, random: game(job, winner), 6, TWO, replicated_deals=6)
        assert findings.luck(0) is None
        assert not any("the cards decide" in paragraph for paragraph in answer(findings))
        assert "luck" not in findings.to_json()["variations"][0]

    @pytest.mark.slow  # compiles
    def test_replicated_games_have_the_same_cards_and_other_decisions(self) -> None:
        arena = Contest(STUDY, Setup(TRICKS, 2), ("random",)).arena(record=True)
        records = [arena.play(5, (0, 0), replicate=number).record["events"] for number in (0, 1, 1)]
        assert records[0][:2] == records[1][:2]
        assert records[0] != records[1] == records[2]


class TestDefinitions:
    @pytest.mark.parametrize("name", list(PLAIN))
    def test_measures_equal_a_computation_game_by_game(
        self, findings: Findings, plain: list[GameResult], name: str
    ) -> None:
        [found] = [estimate for each, estimate in published_values(findings, 0) if each.name == name]
        assert found.value == pytest.approx(PLAIN[name](plain))
        assert found.low <= found.value <= found.high

    def test_fairness_is_one_for_an_even_share_and_zero_at_either_end(self) -> None:
        assert [cardstock_fairness(each, 4) for each in (0.0, 0.125, 0.25, 0.625, 1.0)] == [0, 0.5, 1, 0.5, 0]

    def test_drama_and_security_are_as_computed_by_hand(self) -> None:
        assert (threshold(2), threshold(3)) == (0.5, 0.75)
        curve = np.array([0.25, 0.41, 0.5, 0.9])
        assert cardstock_drama(curve, 2) == pytest.approx((math.sqrt(0.25) + math.sqrt(0.09)) / 2)
        assert cardstock_security(curve, 2) == 0.5
        assert (cardstock_drama(np.ones(3), 2), cardstock_security(np.ones(3), 2)) == (0.0, 1.0)

    @pytest.mark.parametrize("shares", [(1.0, 0.0), (0.5, 0.5)])
    def test_equal_results_of_all_games_leave_room_for_others(self, shares: tuple[float, float]) -> None:
        measure = next(each for each in PUBLISHED if each.name == "Outcome uniformity")
        games: Any = SimpleNamespace(shares=np.array([[shares]] * 20))
        found = measure.value(games)
        assert (found.value, found.high) == (1.0, 1.0)
        assert 0.8 < found.low < 1

    def test_uniformity_is_as_computed_by_hand(self) -> None:
        assert uniformity(np.array([[[1.0, 0.0]], [[0.0, 1.0]]])) == 0.75
        assert uniformity(np.array([[[0.5, 0.5]], [[0.5, 0.5]]])) == 1.0

    def test_order_is_the_fraction_from_even_to_all_wins_against_random(self, findings: Findings) -> None:
        [order] = [estimate for each, estimate in published_values(findings, 0) if each.name == "Order"]
        cell = findings.cell(0, (1, 0))
        own = np.take_along_axis(cell.shares, cell.challenger[:, :, None], axis=2).mean()
        assert order.value == pytest.approx((own - 0.25) / 0.75)
        alone = findings_of(some_games, 4, (Setup(TRIBES, 4),), ("thumb",))
        assert "Order" not in [each.name for each, _ in published_values(alone, 0)]

    @pytest.mark.parametrize("drawn", [0, 4, 9])
    def test_drama_and_security_are_of_the_games_with_a_sole_winner(self, drawn: int) -> None:
        found = published_by_name(findings_of(some_drawn(drawn), 12, TWO, evaluated_deals=10))
        curve = np.linspace(0.4, 0.9, 11)
        assert found["Drama (CardStock)"].value == pytest.approx(cardstock_drama(curve, 2))
        assert found["Security"].value == pytest.approx(cardstock_security(curve, 2))

    def test_drama_and_security_are_left_out_if_all_games_are_drawn(self) -> None:
        found = published_by_name(findings_of(some_drawn(10), 12, TWO, evaluated_deals=10))
        assert not {"Drama (CardStock)", "Security"} & found.keys()
        assert found["Drama (Ludii)"].value == 0

    def test_measures_of_win_probabilities_need_evaluated_deals(self, findings: Findings) -> None:
        without = {each.name for each, _ in published_values(findings, 0)} - {"Order"}
        dramatic_ones = {
            each.name for each, _ in published_values(findings_of(dramatic, 12, TWO, evaluated_deals=10), 0)
        }
        every = {each.name for each in PUBLISHED}
        assert without == {each.name for each in PUBLISHED if not each.needs_win_probability}
        assert dramatic_ones - {"Order"} == every
