"""A bot fitted to recorded choices by maximum likelihood, and its agreement with choices that it was not fitted to.

The settings of a level that are shares (slips, habit) are weights of a mixture, found by the expectation-maximization
algorithm (Dempster, Laird and Rubin, Journal of the Royal Statistical Society B 39, 1977); the others (memory, effort,
temperature) are tried one by one. Akaike's criterion chooses among the combinations: a search, with its three further
settings, must improve on the heuristic alone by more than chance would.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from typing import Any

import numpy as np

from parlour import inference
from parlour.bots.levels import Level
from parlour.engine.arrays import Bools, Floats, Int64s
from parlour.statistics import CONFIDENCE, Estimate, estimate_mean_by_group, estimate_share_by_group
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
        mass: the weight of each choice in the likelihood, above 0.
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

    def fit(self, among: Bools) -> Level:
        """Return the level that explains best the choices that are True in ``among``."""
        best, least = Level(), np.inf
        for level in _candidates(self._searches):
            parts = self.of(level)[:, among]
            weights = mixture_weights(parts, np.ones(parts.shape[1]))
            criterion = 2 * _SETTINGS[level.effort > 0] - 2 * float(np.log(weights @ parts).sum())
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
class Predictions:
    """Predictions of *n* recorded choices by a bot.

    Attributes:
        games: the number of the record of each choice.
        made: the probability that the bot makes each choice.
        likeliest: 1 for each choice that is the bot's likeliest action, otherwise 0; a part of 1 where several actions
            are equally likely.
    """

    games: Int64s
    made: Floats
    likeliest: Floats

    def gain_over(self, other: "Predictions", confidence: float) -> Estimate:
        """Return how much more often a choice is this bot's likeliest action than the other's, choice by choice."""
        return estimate_mean_by_group(_by_game(self.games, self.likeliest - other.likeliest), confidence)


def predictions_of(choices: Sequence[RecordedChoice], levels: Sequence[Level]) -> Predictions:
    """Return the predictions of the choices; ``levels`` has the level that predicts each choice."""
    made, likeliest = np.zeros(len(choices)), np.zeros(len(choices))
    for number, (choice, level) in enumerate(zip(choices, levels, strict=True)):
        chances = choice.chances(level)
        best = np.isclose(chances, chances.max())
        made[number] = chances[choice.chosen]
        likeliest[number] = best[choice.chosen] / best.sum()
    return Predictions(np.array([each.game for each in choices]), made, likeliest)


@dataclass(frozen=True)
class Agreement:
    """Agreement of a bot with recorded choices.

    Attributes:
        bot: the bot's name.
        makes: the mean probability that the bot makes the same choice.
        likeliest: the share of choices that are the bot's likeliest action.
        log_likelihood: the mean natural logarithm of the probability of a choice; ``None`` if one is impossible.
        fitted_gain: the share of ``likeliest`` of the fitted bot less that of this bot, with an interval that holds for
            all compared bots at once (Bonferroni); ``None`` for the fitted bot itself.
    """

    bot: str
    makes: Estimate
    likeliest: Estimate
    log_likelihood: float | None
    fitted_gain: Estimate | None = None

    def to_json(self) -> dict[str, Any]:
        """Return JSON values."""
        gain = {"fitted_gain": self.fitted_gain.to_json()} if self.fitted_gain else {}
        return {
            "bot": self.bot,
            "makes": self.makes.to_json(),
            "likeliest": self.likeliest.to_json(),
            "log_likelihood": None if self.log_likelihood is None else round(self.log_likelihood, 6),
            **gain,
        }


def agreement_of(bot: str, predicted: Predictions, fitted_gain: Estimate | None = None) -> Agreement:
    """Return the agreement of a bot with choices, from its predictions of them."""
    possible = bool((predicted.made > 0).all())
    return Agreement(
        bot,
        estimate_share_by_group(_by_game(predicted.games, predicted.made)),
        estimate_share_by_group(_by_game(predicted.games, predicted.likeliest)),
        float(np.log(predicted.made).mean()) if possible else None,
        fitted_gain,
    )


def _by_game(games: Int64s, values: Floats) -> list[list[float]]:
    return [values[games == game].tolist() for game in np.unique(games)]


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
        return self._parts.fit(np.ones(len(self.choices), bool))

    @property
    def name(self) -> str:
        """The bot's id, for commands: ``"search:effort=3000,habit=60,…"``."""
        return f"search:{self.level}"

    @cached_property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The intervals of the shares in percent, with the other settings fixed: Bayesian bootstrap over games.

        Beside the recorded games there is a possible one whose choices are all made in one way, each way in turn: slips
        that were not observed are not impossible.
        """
        _, places, lengths = np.unique(self._games, return_inverse=True, return_counts=True)
        recorded = self._parts.of(self.level)

        def shares(parts: Floats, games: Floats) -> tuple[float, float]:
            weights = mixture_weights(parts, np.append(games[places], games[-1] * lengths.mean()))
            return 100 * float(weights[0]), 100 * float(weights[1] / max(1e-9, weights[1:].sum()))

        sampled = [
            inference.bootstrap(np.ones(len(lengths) + 1), partial(shares, np.column_stack([recorded, one_way])))
            for one_way in np.eye(len(recorded))
        ]
        fitted = {"slips": self.level.slips, **({"habit": self.level.habit} if self.level.effort else {})}
        covering = {
            name: inference.covering_interval(value, [each[:, place] for each in sampled])
            for place, (name, value) in enumerate(fitted.items())
        }
        return {name: (each.low, each.high) for name, each in covering.items()}

    @cached_property
    def agreements(self) -> list[Agreement]:
        """The agreement of the fitted bot, in games that it was not fitted to, and of the bots compared with it."""
        folds = np.unique(self._games, return_inverse=True)[1] % FOLDS
        without = [self._parts.fit(folds != fold) for fold in range(FOLDS)]
        fitted = predictions_of(self.choices, [without[fold] for fold in folds])
        others = {**COMPARED, **levels_of(self._game_id)}
        found, confidence = [agreement_of(FITTED, fitted)], 1 - (1 - CONFIDENCE) / len(others)
        for bot, level in others.items():
            other = predictions_of(self.choices, [level] * len(self.choices))
            found.append(agreement_of(bot, other, fitted.gain_over(other, confidence)))
        return found
