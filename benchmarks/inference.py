"""What the other seats' actions tell about their hands, and what a search gains from it.

Policy-based inference (Rebstock, Solinas, Buro and Sturtevant, arXiv:1905.10911) weighs each determinization by the
probability that a policy plays the others' actions in it. Here the policy is the heuristic with a share of random
actions. The experiment is for games in which only hands are hidden while cards are played.

Flat Monte Carlo plays the same deals with these weights and without them, from all sides, against built-in bots, whose
choices are mostly those of the heuristic. Both play out equally many determinizations. ``nats`` is the information of
the weights: the logarithm of the weight of the true layout over the mean weight of uniform determinizations.

    python benchmarks/inference.py trick-walls --deals 250
"""

import argparse
import math
from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from command_line import count, positive, run

import parlour
from parlour.engine.arrays import Floats, Int64s, States, Stream
from parlour.engine.chance import new_stream
from parlour.engine.events import HIDDEN_CARD
from parlour.engine.match import Match
from parlour.engine.rewards import sides_of
from parlour.engine.rules import MAX_ACTIONS, array_of, heuristic_choice, legal, play
from parlour.engine.setup import Setup

BEFORE_THE_PLAY = {"give", "keep", "swap"}
"""First words of the actions before the first card is played, some of which are hidden."""
HIDDEN_FIELDS = {"hand", "private", "undealt", "deck", "gift"}
"""Fields of a state that differ between determinizations, besides the trick."""


@numba.njit  # type: ignore[untyped-decorator]
def weigh(
    starts: States, moves: Int64s, movers: Int64s, viewer: int, share: float, random: Stream, actions: Int64s,
    logs: Floats,
) -> None:  # fmt: skip
    """Write the logarithm of the probability of the others' moves, played from each of ``starts``, into ``logs``.

    The states are changed; ``actions`` is scratch space.
    """
    for world in range(len(starts)):
        state = starts[world]
        logs[world] = 0.0
        for turn in range(len(moves)):
            number = legal(state, actions)
            if number > 1 and movers[turn] != viewer:
                chosen = actions[heuristic_choice(state, actions, number, random)] == moves[turn]
                logs[world] += math.log(share / number + (1.0 - share if chosen else 0.0))
            play(state, moves[turn])


class Course:
    """The cards played in a round so far.

    Attributes:
        states: the states before each of them.
        moves, movers: the moves, and the seats that made them.
        first: the number of events before the first of them.
    """

    def __init__(self) -> None:
        self.states: list[States] = []
        self.moves: list[int] = []
        self.movers: list[int] = []
        self.first = 0

    def add(self, match: Match, text: str) -> None:
        """Store an action that is about to be carried out."""
        if text.split()[0] not in BEFORE_THE_PLAY:
            self.first = self.first if self.moves else len(match.events)
            self.states.append(array_of(match.state).copy())
            self.moves.append(int(match.moves_by_text()[text]))
            self.movers.append(match.actor)

    def seen_by(self, match: Match, seat: int) -> int:
        """Return the number of first moves whose cards a seat has seen: of a trick in progress perhaps not all."""
        played = match.seen_by(seat)[self.first :]
        trick = int(match.state.played)
        hidden = [turn for turn in range(len(played) - trick, len(played)) if HIDDEN_CARD in played[turn].do]
        return hidden[0] if hidden else len(played)


def starts_of(match: Match, course: Course, seen: int, worlds: Any) -> States:
    """Return the states in which the play began, as determinizations of the present state imply.

    The first ``seen`` cards are the same in all of them; the others lie face down in the trick.
    """
    present: Any = array_of(match.state)
    first, last = course.states[0][0], (course.states[seen] if seen < len(course.moves) else present)[0]
    starts: Any = course.states[0].repeat(len(worlds))
    for name in HIDDEN_FIELDS & {*starts.dtype.names}:
        starts[name] = worlds[name]
    played = first["hand"] & ~last["hand"]
    starts["hand"] |= played
    holders = first["holder"] if "holder" in starts.dtype.names else np.arange(match.players)
    for hand in range(match.players):  # in Trick Walls, hands are numbered by city
        starts["private"][:, holders[hand]] |= played[hand]
    for turn, mover in enumerate(course.movers[seen:], seen - len(course.moves)):
        starts["hand"][:, mover] |= 1 << worlds["trick"][:, worlds["played"][0] + turn].astype(np.int64)
    return starts


class Player:
    """Flat Monte Carlo with determinizations drawn by their weights.

    Args:
        setup: the game.
        candidates: number of determinizations that are weighed; 0 weighs none.
        worlds: number of determinizations that are played out.
        share: the share of random actions in the policy.
    """

    def __init__(self, setup: Setup, candidates: int, worlds: int, share: float) -> None:
        self._candidates, self._worlds, self._share = candidates, worlds, share
        self._random, self._actions = new_stream(0), np.zeros(MAX_ACTIONS, np.int64)
        self.nats: list[float] = []

    def choose(self, match: Match, course: Course, seed: int) -> int:
        """Return the number of the action with the best mean."""
        observation = match.observation()
        legal_actions = observation.legal_actions
        if len(legal_actions) == 1:
            return legal_actions[0]
        if self._candidates and course.moves:
            batch = observation.determinize(self._candidates, seed)
            weights = self.weights(match, course, batch.states)
            draws = (np.random.default_rng(seed).random() + np.arange(self._worlds)) / self._worlds
            batch = batch.copy(np.searchsorted(np.cumsum(weights), draws).clip(0, len(weights) - 1))
        else:
            batch = observation.determinize(self._worlds, seed)
        trials = batch.try_actions(legal_actions, by="heuristic", until="round", careless=0.06)
        lead = trials.scores[:, :, observation.seat] - trials.scores.mean(axis=2)
        values = trials.rewards()[:, :, observation.seat] + 0.01 * lead
        return legal_actions[int(values.mean(axis=0).argmax())]

    def weights(self, match: Match, course: Course, worlds: States) -> Floats:
        """Return the weights of determinizations, which add up to 1."""
        seen, logs = course.seen_by(match, match.actor), np.zeros(len(worlds) + 1)
        starts = starts_of(match, course, seen, np.concatenate([worlds, array_of(match.state)]))
        moves, movers = np.array([course.moves[:seen], course.movers[:seen]], np.int64)
        weigh(starts, moves, movers, match.actor, self._share, self._random, self._actions, logs)
        weights: Floats = np.exp(logs[:-1] - logs[:-1].max())
        self.nats.append(logs[-1] - logs[:-1].max() - math.log(weights.mean()))
        return weights / weights.sum()


class Bots:
    """A built-in bot in place of :class:`Player`."""

    def __init__(self, name: str) -> None:
        self._name = name

    def choose(self, match: Match, course: Course, seed: int) -> int:
        """Return the number of the bot's action."""
        return match.setup.action_numbers[parlour.bot(self._name, seed=seed).choose(match.observation())]


def play_game(setup: Setup, seed: int, players: Sequence[Player | Bots]) -> Any:
    """Play a game and return its result."""
    match, course = setup.start(seed=seed), Course()
    while not match.over:
        action = players[match.actor].choose(match, course, seed * 1000 + len(match.events))
        course.add(match, setup.action_name(action))
        match.act(action)
    return match.result


def outcome(setup: Setup, seed: int, side: Sequence[int], player: Player, bots: Bots) -> tuple[float, float]:
    """Return a side's share of first place and its lead in a game against the bots."""
    result = play_game(setup, seed, [player if seat in side else bots for seat in range(setup.players)])
    others = [score for seat, score in enumerate(result.scores) if seat not in side]
    share = sum(seat in result.winners for seat in side) / len(result.winners)
    return share, float(result.scores[side[0]] - np.mean(others))


def mean_text(values: list[float], each: int) -> str:
    """Return the mean with its 95 % interval; each run of ``each`` values is one observation."""
    means = np.reshape(values, (-1, each)).mean(axis=1)
    return f"{means.mean():+.3f} ± {1.96 * means.std(ddof=1) / len(means) ** 0.5:.3f}"


def main() -> None:
    """Play the contest; print the results so far after every 10 deals."""
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("game", choices=["trick-walls", "tricky-tribes"])
    parser.add_argument("--bots", default="regular", help="the bot on the other sides")
    parser.add_argument("--deals", type=count, default=100, help="each is played from every side")
    parser.add_argument("--candidates", type=count, default=4000, help="determinizations that are weighed")
    parser.add_argument("--worlds", type=count, default=300, help="determinizations that are played out")
    parser.add_argument("--share", type=positive, default=0.2, help="share of random actions in the policy, up to 1")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    if chosen.share > 1:
        parser.error(f"--share is at most 1, not {chosen.share}")
    setup = parlour.make(chosen.game, players=4, rounds=1)
    sides, bots = sides_of(setup), Bots(chosen.bots)
    weighing = Player(setup, chosen.candidates, chosen.worlds, chosen.share)
    plain = Player(setup, 0, chosen.worlds, chosen.share)
    wins, leads, gains, points = list[float](), list[float](), list[float](), list[float]()
    for deal in range(chosen.deals):
        for side in sides:
            with_weights, without = (
                outcome(setup, chosen.seed + deal, side, player, bots) for player in (weighing, plain)
            )
            wins.append(without[0])
            leads.append(without[1])
            gains.append(with_weights[0] - without[0])
            points.append(with_weights[1] - without[1])
        if deal % 10 == 9:
            texts = [mean_text(values, len(sides)) for values in (wins, leads, gains, points)]
            print(f"{len(wins)} games each: without weights wins {texts[0]}, points {texts[1]};")
            print(
                f"  gain by weights: wins {texts[2]}, points {texts[3]}; nats {mean_text(weighing.nats, 1)}", flush=True
            )


if __name__ == "__main__":
    run(main)
