"""Rivals of the built-in bots: textbook searches over determinizations, written against the public API.

    parlour match examples.rivals:FlatMonteCarlo master trime-kicker
    RIVAL_SECONDS=0.05 parlour match examples.rivals:UCT expert castle-walls

Flat Monte Carlo tries every legal action equally often: ``FlatMonteCarlo`` with random playouts, ``FlatHeuristic`` with
the game's heuristic. ``UCT`` is information-set Monte Carlo tree search with one tree for all determinizations
(Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", IEEE TCIAIG 4, 2012). ``EXP3`` is its
counterpart with a tree for each seat (Auger, "Multiple tree for partially observable Monte-Carlo tree search",
EvoApplications 2011). Both use playouts by the heuristic. The four maximize the chance to win the game; ``...ByPoints``
maximize the lead at the end of the round.

A decision takes ``RIVAL_PLAYOUTS`` playouts (2,000 by default) or ``RIVAL_SECONDS`` of processor time, from the
environment, but at least the playouts of one call. With playouts a contest is reproducible.
"""

import math
import os
import time
from random import Random

import numpy as np

import parlour

PLAYOUTS = int(os.environ.get("RIVAL_PLAYOUTS", "2000"))
SECONDS = float(os.environ.get("RIVAL_SECONDS", "0"))
EXPLORATION = 0.7
"""The constant of UCB1 of Cowling, Powley and Whitehouse, for values from 0 to 1."""


class Rival:
    """A bot that plays out determinizations until its budget is spent.

    Attributes:
        by, until: the policy of playouts, and their end.
        wide: the number of playouts of a call; for a tree, of games that descend simultaneously.
    """

    by, until, wide = "heuristic", "game", 256
    version = f"1, {SECONDS} s" if SECONDS else f"1, {PLAYOUTS} playouts"

    def choose(self, observation: parlour.Observation) -> int:
        """Return the number of the best action."""
        legal, began, done = observation.legal_actions, time.thread_time(), 0
        if len(legal) == 1:
            return legal[0]
        seed = int(observation.information_state[:15], 16)
        self.seat, self.random, self.scale = observation.seat, Random(seed), 0.0
        self.forget(legal)
        while not done or (time.thread_time() - began < SECONDS if SECONDS else done < PLAYOUTS):
            worlds = observation.determinize(self.worlds(len(legal)), seed + done, by="belief")
            done += self.spend(worlds, legal)
        return legal[self.best(legal)]

    def values(self, results) -> np.ndarray:
        """Return the values of finished playouts, from 0 to 1, by rewards or by leads; the last axis is the seats."""
        if self.until == "game":
            return (results.rewards() + 1) / 2
        scores = results.scores()[0] if isinstance(results, parlour.Batch) else results.scores
        players = scores.shape[-1]
        leads = (scores - scores.mean(axis=-1, keepdims=True)) * players / (players - 1)
        self.scale = self.scale or leads.std() or 1.0
        return 1 / (1 + np.exp(-leads / self.scale))


class FlatMonteCarlo(Rival):
    """Flat search: every action equally often, with random playouts."""

    by = "random"

    def forget(self, legal):
        """Forget all values."""
        self.totals = np.zeros(len(legal))

    def worlds(self, actions):
        """Return the number of determinizations of a call."""
        return -(-self.wide // actions)

    def spend(self, worlds, legal):
        """Try all actions in the same determinizations; return the number of playouts."""
        trials = worlds.try_actions(legal, by=self.by, until=self.until)
        self.totals += self.values(trials)[:, :, self.seat].sum(axis=0)
        return len(worlds) * len(legal)

    def best(self, legal):
        """Return the index of the action with the best mean."""
        return self.totals.argmax()


class UCT(Rival):
    """Information-set tree search whose bounds depend on the number of times that an action was available.

    A node is an observation of the searching seat, also where other seats act. The games of a call descend together,
    one level at a time; a visit counts immediately, its value after the playouts.
    """

    wide = 32

    def forget(self, legal):
        """Forget the tree."""
        self.nodes = {}

    def worlds(self, actions):
        """Return the number of determinizations of a call."""
        return self.wide

    def viewers(self, games):
        """Return the seats whose observations are the nodes."""
        return self.seat

    def spend(self, games, legal):
        """Let each game descend the tree to a new node; return the number of games."""
        paths, inside = [[] for _ in range(len(games))], np.arange(len(games))
        while len(inside):
            tensor = games.observe(self.viewers(games), games.new_tensor(np.int16))[0]
            actors, listed, actions = games.actors, games.legal_actions(), np.zeros(len(games), np.int64)
            stay = []
            for game in inside:
                key = int(actors[game]), tensor[game].tobytes()
                known = key in self.nodes
                node = self.nodes.setdefault(key, {})
                actions[game], *taken = self.select(node, listed[game])
                paths[game].append((key[0], *taken))
                stay.append(known)
            games.step(actions, inside, until=self.until)
            inside = inside[np.array(stay) & (games.actors[inside] >= 0)]
        games.play_out(by=self.by, until=self.until, result_only=True)
        for path, values in zip(paths, self.values(games), strict=True):
            for seat, statistics, chance in path:
                self.learn(statistics, values[seat], chance)
        return len(games)

    def select(self, node, legal):
        """Return an action of a node, its statistics (visits, total value, times available), and 1."""
        entries, random = [node.setdefault(action, [0, 0.0, 0]) for action in legal], self.random.random
        for entry in entries:
            entry[2] += 1
        bounds = [
            total / visits + EXPLORATION * math.sqrt(math.log(available) / visits) if visits else 9 + random()
            for visits, total, available in entries
        ]
        chosen = bounds.index(max(bounds))
        entries[chosen][0] += 1
        return legal[chosen], entries[chosen], 1.0

    def learn(self, statistics, value, chance):
        """Add the value of a playout."""
        statistics[1] += value

    def best(self, legal):
        """Return the index of the action that was tried most."""
        root = next(iter(self.nodes.values()))
        return int(np.argmax([root[action][0] for action in legal]))


class EXP3(UCT):
    """A tree for each seat, whose nodes are its observations, with the bandit algorithm EXP3 in each node."""

    rate = 0.1
    """Share of uniform exploration."""

    def viewers(self, games):
        """Return the seats whose observations are the nodes: those to act."""
        return np.maximum(games.actors, 0)

    def select(self, node, legal):
        """Draw an action by the weights of EXP3; return it, its statistics (visits, gains) and its probability."""
        entries = [node.setdefault(action, [0, 0.0]) for action in legal]
        scale, most = self.rate / len(legal), max(gain for _, gain in entries)
        weights = [math.exp((gain - most) * scale) for _, gain in entries]
        even, rest = self.rate / len(legal), (1 - self.rate) / sum(weights)
        chances = [rest * weight + even for weight in weights]
        (chosen,) = self.random.choices(range(len(legal)), chances)
        entries[chosen][0] += 1
        return legal[chosen], entries[chosen], chances[chosen]

    def learn(self, statistics, value, chance):
        """Add the value of a playout, weighted by the probability of the action."""
        statistics[1] += value / chance

    def best(self, legal):
        """Draw an index from the mean strategy without its exploration."""
        root = next(iter(self.nodes.values()))
        visits = np.array([root[action][0] for action in legal])
        wanted = np.maximum(visits / visits.sum() - self.rate / len(legal), 0)
        return self.random.choices(range(len(legal)), wanted)[0]


class FlatHeuristic(FlatMonteCarlo):
    """Flat search: every action equally often, with playouts by the heuristic."""

    by = "heuristic"


class FlatMonteCarloByPoints(FlatMonteCarlo):
    """Random playouts to the end of the round, by points."""

    until = "round"


class FlatHeuristicByPoints(FlatHeuristic):
    """Playouts by the heuristic to the end of the round, by points."""

    until = "round"


class UCTByPoints(UCT):
    """The tree search by points."""

    until = "round"


class EXP3ByPoints(EXP3):
    """The trees of all seats, by points."""

    until = "round"
