"""A bot fitted to recorded choices by maximum likelihood, and its agreement with choices that it was not fitted to.

The settings of a level that are shares (slips, habit) are weights of a mixture, found by the expectation-maximization
algorithm (Dempster, Laird and Rubin, Journal of the Royal Statistical Society B 39, 1977); the others (memory, effort,
temperature) are tried one by one. Akaike's criterion chooses among the combinations: a search, with its three further
settings, must improve on the heuristic alone by more than chance would.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from parlour import inference
from parlour.bots.levels import Level
from parlour.engine.arrays import Floats
from parlour.statistics import Estimate, estimate_share_by_group
from parlour.studies.people.choices import MEMORIES, RecordedChoice, levels_of, search_settings, searches_of

TEMPERATURES = (0.004, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2)
FOLDS = 5
"""Number of parts into which the games are divided: each part is predicted by a bot fitted to the other parts."""
FITTED = "fitted"
_STEPS, _STILL = 300, 1e-5
"""Maximum number of steps of the algorithm, and the change of a weight at which it ends."""
_SETTINGS = {False: 2, True: 5}
"""Number of fitted settings without and with a search, for Akaike's criterion."""
COMPARED = {"random": Level(slips=100), "thumb": Level()}
"""Bots that the fitted bot is compared with, besides the levels of the game."""


def mixture_weights(parts: Floats, mass: Floats) -> Floats:
    """Return the weights of *k* ways to choose under which *n* choices are likeliest.

    Args:
        parts: for each way the probability of each choice, k × n; every choice is possible in at least one way.
        mass: the weight of each choice in the likelihood.
    """
    weights = np.full(len(parts), 1 / len(parts))
    for _ in range(_STEPS):
        joint = weights[:, None] * parts
        before, weights = weights, (joint / joint.sum(axis=0)) @ mass / mass.sum()
        if np.abs(weights - before).max() < _STILL:
            break
    found: Floats = weights
    return found


class ChoiceParts:
    """Probabilities of recorded choices by each way to choose.

    Attributes:
        even: the probability of each choice by an even draw.
        by_habit: by the heuristic, for each memory.
        by_policy: by the learned policy.
        by_search: by a search, for each of the game's searches and each temperature.
    """

    def __init__(self, game_id: str, choices: Sequence[RecordedChoice]) -> None:
        def done(chances: Floats, choice: RecordedChoice) -> float:
            return float(chances[choice.chosen])

        self._searches = searches_of(game_id)
        self.even = np.array([1 / choice.actions for choice in choices])
        self.by_habit = {
            memory: np.array([done(each.by_habit[memory], each) for each in choices]) for memory in MEMORIES
        }
        self.by_policy = np.array([done(each.by_policy, each) for each in choices])
        self.by_search = {
            (search, temperature): np.array([done(each.search_chances(search, temperature), each) for each in choices])
            for search, temperature in product(self._searches, TEMPERATURES)
        }

    def of(self, level: Level) -> Floats:
        """Return the probabilities by an even draw, by habit, and by the search of a level, if it searches."""
        by_habit = level.habit_mixture(self.by_habit[level.memory], self.by_policy)
        by_search = [self.by_search[search_settings(level), level.temperature]] if level.effort else []
        return np.array([self.even, by_habit, *by_search])

    def fit(self, mass: Floats) -> Level:
        """Return the level that explains the choices best; ``mass`` is the weight of each choice."""
        best, least = Level(), np.inf
        for level in _candidates(self._searches):
            parts = self.of(level)
            weights = mixture_weights(parts, mass)
            criterion = 2 * _SETTINGS[level.effort > 0] - 2 * float(mass @ np.log(weights @ parts))
            if criterion < least:
                best, least = _replace_shares(level, weights), criterion
        return best


def _candidates(searches: Sequence[Level]) -> Iterator[Level]:
    """Yield levels with all combinations of memory, search and temperature, the simple ones first."""
    for memory in MEMORIES:
        yield Level(memory=memory)
    for memory, search, temperature in product(MEMORIES, searches, TEMPERATURES):
        if memory == 100 or not search.learned:  # a learned policy forgets nothing
            yield replace(search, memory=memory, temperature=temperature)


def _replace_shares(level: Level, weights: Floats) -> Level:
    """Return a level with the percentages of slips and habit that follow from the weights.

    At least one choice of 100 is a slip, so that no choice of a person is impossible.
    """
    slips = min(100, max(1, round(100 * float(weights[0]))))
    careful = float(weights[1:].sum())
    habit = round(100 * float(weights[1]) / careful) if level.effort and careful > 0 else 0
    return replace(level, habit=habit, slips=slips)


@dataclass(frozen=True)
class Agreement:
    """Agreement of a bot with recorded choices.

    Attributes:
        bot: the bot's name.
        makes: the mean probability that the bot makes the same choice.
        likeliest: the share of choices that are the bot's likeliest action.
        log_likelihood: the mean natural logarithm of the probability of a choice; ``None`` if one is impossible.
    """

    bot: str
    makes: Estimate
    likeliest: Estimate
    log_likelihood: float | None

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {
            "bot": self.bot,
            "makes": self.makes.to_json(),
            "likeliest": self.likeliest.to_json(),
            "log_likelihood": None if self.log_likelihood is None else round(self.log_likelihood, 6),
        }


def agreement_of(bot: str, choices: Sequence[RecordedChoice], levels: Sequence[Level]) -> Agreement:
    """Return the agreement with the choices; ``levels`` has the level that predicts each choice."""
    made, top = dict[int, list[float]](), dict[int, list[float]]()
    logarithms = []
    for choice, level in zip(choices, levels, strict=True):
        chances = choice.chances(level)
        chance = float(chances[choice.chosen])
        best = np.isclose(chances, chances.max())
        made.setdefault(choice.game, []).append(chance)
        top.setdefault(choice.game, []).append(float(best[choice.chosen]) / int(best.sum()))
        logarithms.append(float(np.log(chance)) if chance > 0 else -np.inf)
    mean = float(np.mean(logarithms))
    return Agreement(
        bot,
        estimate_share_by_group([*made.values()]),
        estimate_share_by_group([*top.values()]),
        mean if np.isfinite(mean) else None,
    )


class FittedBot:
    """The bot that explains recorded choices best.

    Attributes:
        choices: the choices, all of one game.
    """

    def __init__(self, game_id: str, choices: Sequence[RecordedChoice]) -> None:
        self.choices, self._game_id = choices, game_id
        self._parts = ChoiceParts(game_id, choices)
        self._games = np.array([each.game for each in choices])

    @cached_property
    def level(self) -> Level:
        """The level with the settings fitted to all choices."""
        return self._parts.fit(np.ones(len(self.choices)))

    @property
    def name(self) -> str:
        """The bot's id, for commands: ``"search:effort=3000,habit=60,…"``."""
        return f"search:{self.level}"

    @cached_property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The intervals of the shares in percent, with the other settings fixed: Bayesian bootstrap over games."""
        games, places = np.unique(self._games, return_inverse=True)
        parts = self._parts.of(self.level)

        def shares(masses: Floats) -> tuple[float, float]:
            weights = mixture_weights(parts, masses[places])
            return 100 * float(weights[0]), 100 * float(weights[1] / max(1e-9, weights[1:].sum()))

        sampled = inference.bootstrap(np.ones(len(games)), shares)
        names = ("slips", "habit") if self.level.effort else ("slips",)
        return {name: inference.quantiles(sampled[:, place]) for place, name in enumerate(names)}

    @cached_property
    def agreements(self) -> list[Agreement]:
        """The agreement of the fitted bot, in games that it was not fitted to, and of the bots compared with it."""
        folds = np.unique(self._games, return_inverse=True)[1] % FOLDS
        without = [self._parts.fit((folds != fold).astype(float)) for fold in range(FOLDS)]
        levels = [without[fold] for fold in folds]
        number = len(self.choices)
        others = {**COMPARED, **levels_of(self._game_id)}
        compared = [agreement_of(bot, self.choices, [level] * number) for bot, level in others.items()]
        return [agreement_of(FITTED, self.choices, levels), *compared]
