"""Studies with known results: games are not played, their results follow a formula."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from parlour.contests.contest import Deal, Job
from parlour.contests.game_results import ClauseCounts, GameResult, GameStatistics, WinProbabilityCurve
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.studies.findings import Findings
from parlour.studies.measures import MEASURES
from parlour.studies.plan import Study

TRICKS = find_game("three-tricks")
BY_NAME = {measure.name: measure for measure in MEASURES}
EVEN = GameStatistics(
    first=0, events=21, rounds=1, forced=5, choices=65, log_choices=15.0, lead_changes=0, settled=1.0, trailed=0.0
)
TWO = (Setup(TRICKS, 2), Setup(TRICKS, 2, {"rank_block": "any"}))
Play = Callable[[Job, np.random.Generator], GameResult]


def game(job: Job, winner: int | None, course: GameStatistics = EVEN, decisions: int = 20) -> GameResult:
    """Return the result of a game that a seat won, or that was drawn."""
    winners = (0, 1) if winner is None else (winner,)
    scores = tuple(int(seat in winners) for seat in range(2))
    return GameResult(
        job.seating,
        scores,
        winners,
        (decisions // 2,) * 2,
        (0.0, 0.0),
        statistics=replace(course, events=decisions + 1),
    )


def findings_of(play: Play, deals: int, setups: tuple[Setup, ...] = TWO, bots=("random", "thumb"), **more) -> Findings:
    """Return findings on deals whose games ``play`` computes from a stream of the deal, equal for all its games."""
    plan = Study(setups, bots, **more)
    return Findings(
        plan,
        [
            Deal(number, tuple(play(job, np.random.default_rng([7, number])) for job in plan.jobs(number)))
            for number in range(deals)
        ],
    )


def coin_flip(job: Job, random: np.random.Generator) -> GameResult:
    """Toss a coin for each deal, variation and seating."""
    thrown = random.integers(2, size=64)
    return game(job, int(thrown[8 * job.variation + 2 * job.seating[0] + job.seating[1]]))


def first_wins(job: Job, random: np.random.Generator) -> GameResult:
    """Let the first player, a random seat, lead from the start and win."""
    first = int(random.integers(2))
    return game(job, first, replace(EVEN, first=first, settled=0.0))


def mirror(job: Job, random: np.random.Generator) -> GameResult:
    """Draw every game."""
    return game(job, None)


def better_wins(job: Job, random: np.random.Generator) -> GameResult:
    """Let the bot listed later win; toss a coin between equal bots."""
    return game(job, int(random.integers(2)) if job.seating[0] == job.seating[1] else int(np.argmax(job.seating)))


def drama_in(deals: int) -> Play:
    """Return a play with this number of evaluated deals; in the second variation the winner is always far behind."""

    def play(job: Job, random: np.random.Generator) -> GameResult:
        behind = 0.1 + 0.5 * job.variation + float(random.normal(0, 0.02))
        tension = WinProbabilityCurve(
            32, 5, 1.0, 2.5, behind, 0.5, float(job.variation), tuple(np.linspace(0.4, 0.9, 11))
        )
        return replace(game(job, 0), win_probability=tension if job.deal < deals and job.seating == (1, 1) else None)

    return play


dramatic = drama_in(10)


def some_drawn(number: int) -> Play:
    """Return :func:`dramatic` with the first games drawn, whose curve is constant at an even share."""

    def play(job: Job, random: np.random.Generator) -> GameResult:
        found = dramatic(job, random)
        if job.deal >= number or not found.win_probability:
            return found
        even = replace(found.win_probability, drama=0.0, decisive=1.0, comeback=0.0, curve=(0.5,) * 11)
        return replace(found, scores=(1, 1), winners=(0, 1), win_probability=even)

    return play


def by_the_book(job: Job, random: np.random.Generator) -> GameResult:
    """End three games of four by a third trick; two deals are traced, and one clause fires for random alone."""
    ending = "the stock was used up (3T-19)" if job.deal % 4 == 3 else "a third trick was laid (3T-18)"
    clauses = {"3T-7": 10 + 2 * job.deal, "3T-18": 1, **({"3T-21": 1} if job.seating == (0, 0) else {})}
    fired = ClauseCounts(clauses, {"blocked tricks (3T-20)": [1, 0]})
    traced_deals = job.deal < 2 and job.seating[0] == job.seating[1]
    return replace(game(job, 0), ending=ending, clause_counts=fired if traced_deals else None)


def noisy(effect: float, seed: int) -> Play:
    """Return a play whose length depends on the deal, on the variation, and on luck in each game."""

    def play(job: Job, random: np.random.Generator) -> GameResult:
        of_deal = random.normal(0, 8)
        own = np.random.default_rng([seed, job.deal, job.variation, *job.seating]).normal(0, 4)
        return game(job, None, decisions=2 * round(30 + of_deal + own + effect * job.variation))

    return play
