"""Curves of the seats' probabilities of winning during a game, and measures derived from them.

The evaluator continues determinizations of a seat's observation by the heuristic. It receives the observed state only;
therefore a probability depends on the seat's knowledge, not on the hidden cards.
"""

from typing import Any

import numpy as np

from parlour.bots.lookahead import MATCHES, NO_SHARE, TRY, look_ahead, new_lead_model
from parlour.bots.search import FAULTS, Search
from parlour.contests.game_results import CURVE_POINTS, WinProbabilityCurve
from parlour.engine.arrays import Floats
from parlour.engine.chance import new_stream, random_bits
from parlour.engine.errors import GameError
from parlour.engine.information.belief import NO_POOL
from parlour.engine.information.determinization import new_table
from parlour.engine.match import Match
from parlour.engine.rules import NO_ACTION, array_of, new_states

EVALUATOR = "determinizations of a seat's observation, played on by the rule of thumb"
WEIGHED = 4
"""Distance between decisions at which all actions are tried, in decisions among several actions."""
GOOD = 0.75
"""Threshold of a good action, as a fraction of the way from the actions' mean value to the best (Ludii's narrowness).
"""


class WinProbabilityEvaluator:
    """Evaluator of a match at each decision.

    Attributes:
        chances: decisions × sides × 2: the probability of each side, from each half of the determinizations.
        choices: for each decision at which all actions were tried, the difference between the best and the worst
            action, and the fraction of good actions.
    """

    def __init__(
        self,
        match: Match,
        sides: tuple[tuple[int, ...], ...],
        determinizations: int,
        seed: int,
        first: int,
        skipped: int,
    ) -> None:
        """Create the evaluator.

        Args:
            match: the match.
            sides: the seats of each side.
            determinizations: the number of determinizations per probability.
            seed: the seed of the random streams.
            first: the number of the evaluator's first random stream.
            skipped: the number of decisions among several actions, modulo ``WEIGHED``, before the first decision at
                which all actions are tried.
        """
        self._match, self._sides, self._determinizations, self._seed = match, sides, determinizations, seed
        self._work, self._table, self._random = new_states(match.game.dtype, 2), new_table(), new_stream(0)
        self._next, self._until_next_try = first, skipped % WEIGHED
        self.chances: list[list[Floats]] = []
        self.choices: list[tuple[float, float]] = []

    def evaluate(self) -> None:
        """Store every side's probability (the mean over its seats) and, at some decisions, measures of the actions."""
        self.chances.append([np.mean([self._chance(seat) for seat in side], axis=0) for side in self._sides])
        if len(self._match.moves()) > 1:
            if self._until_next_try == 0:
                self._try_all_actions()
            self._until_next_try = (self._until_next_try - 1) % WEIGHED

    def _chance(self, seat: int) -> Floats:
        """Return the probability in each half of the determinizations. Raises :class:`GameError` for endless games."""
        observed, candidates = array_of(self._match.observed(seat)), np.array([NO_ACTION])
        values, leads = np.zeros((2, self._determinizations, 1))
        for task in (MATCHES, TRY):  # to the end of the match; if this round is the last, to its end
            steps = look_ahead(
                task, observed, self._work, seat, candidates, values, leads, new_lead_model(), NO_POOL, self._table,
                self._seed, self._next, self._random,
            )  # fmt: skip
            if steps < 0:
                raise GameError(f"{self._match.game.id}: {FAULTS[steps]}: correct the game")
            if values[0, 0] != NO_SHARE:
                break
        self._next += self._determinizations
        return np.array([half.mean() for half in np.array_split(values, 2)])

    def _try_all_actions(self) -> None:
        actions, seat = np.array(self._match.moves()), self._match.actor
        seed = int(random_bits(new_stream(self._seed, self._next)))
        self._next += 1
        values, _ = Search(self._match.observed(seat), seat, actions, seed).compare(
            list(actions), self._determinizations
        )
        self.choices.append(choice_measures(values))

    def curve(self, winner: int | None) -> WinProbabilityCurve:
        """Return the curve of the finished game; ``winner`` is the side that won alone, or ``None``."""
        spread, good = np.array(self.choices).reshape(-1, 2).sum(axis=0).tolist()
        of_choices = {"weighed": len(self.choices), "spread": spread, "good": good}
        if winner is None or not self.chances:
            even = (1 / len(self._sides),) * CURVE_POINTS
            return WinProbabilityCurve(
                determinizations=self._determinizations, drama=0.0, decisive=1.0, comeback=0.0, curve=even, **of_choices
            )
        return WinProbabilityCurve(
            determinizations=self._determinizations, **curve_measures(np.array(self.chances), winner), **of_choices
        )


def choice_measures(values: Floats) -> tuple[float, float]:
    """Return the difference between the best and the worst action, and the fraction of good actions.

    Among equal actions one seems best by the luck of the determinizations. Therefore one half of the determinizations
    selects the best and the worst action, and the other half measures the difference.

    Args:
        values: determinizations × actions, the same determinizations for all actions.
    """
    halves = [half.mean(axis=0) for half in np.array_split(values, 2)]
    spread = np.mean(
        [measured[by.argmax()] - measured[by.argmin()] for by, measured in (halves, halves[::-1])],
    )
    whole = values.mean(axis=0)
    bar = whole.mean() + GOOD * (whole.max() - whole.mean())
    return float(spread), float(np.mean(whole >= bar))


def curve_measures(chances: Floats, winner: int) -> dict[str, Any]:
    """Return the measures of a game that one side won, from probabilities (decisions × sides × 2 halves).

    Among sides with equal probabilities one seems ahead by the luck of the determinizations. Therefore one half of
    the determinizations selects the leading side, and the other half measures its lead over the winner.
    """
    number, sides = chances.shape[:2]
    behind = [
        np.take_along_axis(chances[:, :, 1 - half], chances[:, :, half].argmax(axis=1)[:, None], axis=1)[:, 0]
        - chances[:, winner, 1 - half]
        for half in (0, 1)
    ]
    whole = chances.mean(axis=2)
    own, others = whole[:, winner], np.delete(whole, winner, axis=1)
    above = np.flatnonzero(own > others.max())
    curve = np.interp(np.linspace(0, number - 1, CURVE_POINTS), np.arange(number), own)
    return {
        "drama": float(np.mean(behind)),
        "decisive": float(above[0]) / number if len(above) else 1.0,
        "comeback": float(own[number // 2] <= 0.5 / sides),
        "curve": tuple(float(each) for each in curve),
    }
