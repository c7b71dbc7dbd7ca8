"""Looking ahead: what every action would bring, over guesses of what lies where. Knows no game.

One ply of Monte Carlo search: each action is tried in the same guesses and the rest is played by the rule of thumb,
with the same chance for every action, so that their differences are known far better than their values. Sequential
halving (Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013) spends the effort on the
actions that may be best.

What counts is the chance to win the match. A round that is not the last ends in a standing; how likely a standing is
to win is learned from matches played on to their end (:data:`MATCHES`), so that the luck of later deals does
not drown what an action brings.
"""

import math
from typing import Any

import numpy as np

from parlour.engine.chance import keeps, new_stream, random_below, start_stream
from parlour.engine.compiled import compiled, rule
from parlour.engine.playouts import take_chance
from parlour.engine.rules import (
    CERTAIN,
    CHANCE,
    MAX_ACTIONS,
    MAX_CARDS,
    MAX_SEATS,
    OVER,
    partners,
    belief,
    choices,
    legal,
    new_states,
    play,
    score,
    thumb,
    wanted,
    whole_deck,
)
from parlour.engine.sight import draw_guess, new_table, prepare_guess

Floats = np.ndarray[Any, np.dtype[np.float64]]

NO_ACTION = -(1 << 62)
CARELESS = 60
"""In playouts so many of 1024 actions are random ones, so that no guess of what others do is too sure."""
DISTRUST = 64
"""How often a guess that agrees badly with what others chose is put aside before it is taken all the same."""
PILOT = 8
"""So many guesses show what a guess costs, and whether this round is the last."""
LEAD_COUNTS = 0.002
"""What a lead is worth beside winning: it decides between actions that win or lose alike."""


@rule
def fresh_deal_next(state: Any) -> bool:
    """Whether a round is over and all cards are dealt anew."""
    return state.actor == CHANCE and choices(state) == 0 and wanted(state) == whole_deck(state)


@rule
def play_on(state: Any, action: int, to_the_end: bool, actions: Any, deck: Any, random: Any) -> int:
    """Play by the rule of thumb to the end of the round or of the match; return the number of players' actions.

    The first of them is ``action``, if that is not ``NO_ACTION``.
    """
    steps = 0
    while state.actor != OVER:
        if state.actor == CHANCE:
            if not to_the_end and fresh_deal_next(state):
                break
            take_chance(state, deck, random)
        else:
            number = legal(state, actions)
            chosen = 0
            if action == NO_ACTION and number > 1:
                if random_below(random, 1024) < CARELESS:
                    chosen = random_below(random, number)
                else:
                    chosen = thumb(state, actions, number, random)
            play(state, actions[chosen] if action == NO_ACTION else action)
            action = NO_ACTION
            steps += 1
    return steps


@rule
def believable_guess(state: Any, veiled: Any, seat: int, table: Any, random: Any) -> None:
    """Fill ``state[0]`` with a guess, those more often that agree with what the others chose to do unseen."""
    for _ in range(DISTRUST):
        state[0] = veiled[0]
        draw_guess(state[0], seat, table, random)
        if keeps(random, belief(state[0], seat), CERTAIN):
            break


@rule
def standing(state: Any, seat: int, scores: Any) -> tuple[float, float]:
    """The share of the first place that the seat's side has, and its lead over the best other side."""
    winners = score(state, scores)
    own = partners(state, seat)
    sides = 0
    ahead = 0
    rival = -(1 << 40)
    for other in range(state.seats):
        if own >> other & 1 == 0:
            rival = max(rival, scores[other])
        if winners >> other & 1 != 0 and partners(state, other) & winners & ((1 << other) - 1) == 0:
            sides += 1
            ahead += 1 if own >> other & 1 != 0 else 0
    return ahead / sides, float(scores[seat] - rival)


@rule
def prospect(lead: float, prospects: Any) -> float:
    """The chance to win the match from a standing between two rounds."""
    return 1 / (1 + math.exp(-(prospects[0] + prospects[1] * lead)))


ORDER, MATCHES, TRY = range(3)
"""What :func:`look` is asked for. One function for all, since each compiled function takes a copy of the rules."""


@compiled
def look(
    task: int,
    veiled: Any,
    work: Any,
    seat: int,
    candidates: Any,
    values: Any,
    leads: Any,
    prospects: Any,
    table: Any,
    seed: int,
    first: int,
    random: Any,
) -> int:
    """Look ahead from a veiled state; return the number of players' actions played.

    ORDER puts the candidates into the order in which the rule of thumb would choose them. TRY tries each candidate in
    the same guesses and writes its chance to win and its lead at the end of the round (``values``, ``leads``: guesses ×
    candidates). MATCHES plays each guess on by the rule of thumb to the end of the match and writes the lead after this
    round and the share of the first place in the end (guesses × 1); it gives up and returns 0 if this round is the
    last.

    Guess *n* and the chance after it come from stream ``first + n`` of the seed.
    """
    if task == ORDER:
        order_by_thumb(veiled[0], candidates, random)
        return 0
    actions = np.zeros(MAX_ACTIONS, np.int64)
    deck = np.zeros(MAX_CARDS, np.int64)
    scores = np.zeros(MAX_SEATS, np.int64)
    prepare_guess(veiled[0], seat, table)
    steps = 0
    last_round = True
    for index in range(values.shape[0]):
        start_stream(random, seed, first + index)
        believable_guess(work[0:1], veiled, seat, table, random)
        after = random[0]
        for which in range(values.shape[1]):
            work[1] = work[0]
            random[0] = after
            action = candidates[which] if task == TRY else NO_ACTION
            to_the_end = False
            while True:
                steps += play_on(work[1], action, to_the_end, actions, deck, random)
                action = NO_ACTION
                share, lead = standing(work[1], seat, scores)
                if not to_the_end:
                    leads[index, which] = lead
                if task == TRY or work[1].actor == OVER:
                    break
                to_the_end = True
            values[index, which] = share if work[1].actor == OVER else prospect(lead, prospects)
            last_round = last_round and not to_the_end
        if task == MATCHES and last_round and index >= PILOT:
            return 0
    return steps


@rule
def order_by_thumb(state: Any, actions: Any, random: Any) -> None:
    """Put the actions into the order in which the rule of thumb would choose them."""
    for index in range(len(actions) - 1):
        chosen = index + thumb(state, actions[index:], len(actions) - index, random)
        action = actions[chosen]
        for later in range(chosen, index, -1):
            actions[later] = actions[later - 1]
        actions[index] = action


LESSONS = 192
"""So many matches are played to their end to learn what a standing is worth."""
FEWEST, FIRST_LOOK = 8, 200
"""With little effort only the first candidates by the rule of thumb are tried: one for so many playouts."""
FIRST_GUESS = 1 << 20
"""The streams before it are for the matches that teach what standings are worth."""


class Search:
    """One seat's thinking about one decision.

    Attributes:
        actions: the numbers of the legal actions, *n* of them.
        seat: who decides.
        visits, values, leads: for each action in how many guesses it was tried, its mean chance to win, its mean lead.
        steps: players' actions played so far.
    """

    def __init__(self, veiled: Any, seat: int, actions: Any, seed: int) -> None:
        self.actions = np.array(actions)
        self.seat = seat
        self.steps = 0
        self._veiled = new_states(veiled.dtype.base if veiled.dtype.subdtype else np.dtype((np.void, veiled.dtype)), 1)
        self._veiled[0] = veiled
        self._work = new_states(self._veiled.dtype, 2)
        self._table = new_table()
        self._random = new_stream(0)
        self._seed = seed
        self._guesses = 0
        self.visits = np.zeros(len(actions))
        self._sums = np.zeros(len(actions))
        self._lead_sums = np.zeros(len(actions))
        self._prospects = np.zeros(2)
        self._look(ORDER, self.actions, *self._room(0, 0), 0)
        self._learn_prospects()

    @property
    def values(self) -> Floats:
        """Each action's mean chance to win, with a little for its lead."""
        return (self._sums + LEAD_COUNTS * self._lead_sums) / self.visits

    @staticmethod
    def _room(guesses: int, actions: int) -> tuple[Floats, Floats]:
        return np.zeros((guesses, actions)), np.zeros((guesses, actions))

    def _look(self, task: int, candidates: Any, values: Floats, leads: Floats, first: int) -> int:
        steps = look(
            task, self._veiled, self._work, self.seat, candidates, values, leads, self._prospects, self._table,
            self._seed, first, self._random,
        )  # fmt: skip
        self.steps += steps
        return int(steps)

    def _learn_prospects(self) -> None:
        shares, leads = self._room(LESSONS, 1)
        if self._look(MATCHES, self.actions, shares, leads, 0):
            self._prospects = fit_prospects(leads[:, 0], shares[:, 0])

    def try_out(self, which: Any, guesses: int) -> tuple[Floats, Floats]:
        """Try the actions with these indices in so many new guesses; return values and leads (guesses × actions)."""
        values, leads = self._room(guesses, len(which))
        self._look(TRY, self.actions[which], values, leads, FIRST_GUESS + self._guesses)
        self._guesses += guesses
        self.visits[which] += guesses
        self._sums[which] += values.sum(axis=0)
        self._lead_sums[which] += leads.sum(axis=0)
        return values, leads

    def halve(self, effort: int) -> int:
        """Spend ``effort`` players' actions, half of the candidates dropping out again and again; return the best.

        The rule of thumb's choice stays to the end, so that another is chosen only if it proved better.
        """
        before = self.steps
        self.try_out(np.arange(len(self.actions)), PILOT)
        cost = max(1.0, (self.steps - before) / PILOT / len(self.actions))
        number = min(len(self.actions), max(FEWEST, int(effort / cost / FIRST_LOOK)))
        alive = np.arange(number)
        rounds = max(1, int(np.ceil(np.log2(number))))
        while len(alive) > 1:
            self.try_out(alive, max(1, int(effort / rounds / len(alive) / cost)))
            best = 1 + np.argsort(-self.values[alive[1:]], kind="stable")
            alive = alive[np.sort(np.append(0, best[: (len(alive) + 1) // 2 - 1]))] if len(alive) > 2 else alive[:1]
        return int(np.argmax(np.where(self.reliable(), self.values, -1)))

    def reliable(self) -> "np.ndarray[Any, np.dtype[np.bool_]]":
        """Which actions were tried nearly as often as any: the others' values are too uncertain to go by."""
        enough: np.ndarray[Any, np.dtype[np.bool_]] = self.visits >= self.visits.max() / 4
        return enough


def fit_prospects(leads: Floats, shares: Floats) -> Floats:
    """Constant and slope of the logistic regression of ``shares`` on ``leads``; Newton's way, with a prior.

    The prior says what a few more matches would: that a lead helps.
    """
    middle, scale = float(leads.mean()), max(1.0, float(leads.std()))
    rows = np.stack([np.ones_like(leads), (leads - middle) / scale])
    prior, sureness = np.array([0.0, 1.0]), np.array([0.5, 4.0])
    weights = prior.copy()
    for _ in range(6):
        chances = 1 / (1 + np.exp(-np.clip(weights @ rows, -30, 30)))
        gradient = rows @ (shares - chances) - sureness * (weights - prior)
        curvature = (rows * (chances * (1 - chances))) @ rows.T + np.diag(sureness)
        weights += np.clip(np.linalg.solve(curvature, gradient), -2, 2)
    slope = max(0.0, float(weights[1])) / scale
    return np.array([weights[0] - slope * middle, slope])
