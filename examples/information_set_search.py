"""Information-set search: one tree for all determinizations, whose nodes are the seat's observations.

    parlour match examples.information_set_search:InformationSetSearch thumb trime-kicker

The tree contains the seat's own decisions; other seats play by the heuristic, and so do all seats beyond the tree. A
batch of determinizations descends the tree simultaneously, each along actions drawn by Thompson sampling.
"""

import numpy as np

import parlour

WIDEST = 512  # no position has more legal actions


class InformationSetSearch:
    """A bot that searches the tree of its own decisions."""

    worlds, batches = 256, 8
    version = "1"

    def choose(self, observation: parlour.Observation) -> int:
        """Return the number of the action that was tried most."""
        legal, seat = observation.legal_actions, observation.seat
        if len(legal) == 1:
            return legal[0]
        seed = int(observation.information_state[:15], 16)
        random, self.nodes = np.random.default_rng(seed), {}
        self.visits, self.totals = np.zeros((2, self.worlds * self.batches + 1, WIDEST))
        scale = 0.0
        for batch in range(self.batches):
            games = observation.determinize(self.worlds, seed + batch, by="belief")
            path = self.descend(games, seat, random)
            games.play_out(by="heuristic", until="round", careless=0.06, result_only=True)
            scores = games.scores()[0]
            values = games.rewards()[:, seat] + 0.01 * (scores[:, seat] - scores.mean(axis=1))
            scale = scale or values.std() or 1.0
            for which, nodes, columns in path:
                np.add.at(self.visits, (nodes, columns), 1)
                np.add.at(self.totals, (nodes, columns), values[which] / scale)
        return legal[self.visits[0, : len(legal)].argmax()]

    def descend(self, games, seat, random):
        """Let the games descend the tree to new nodes; return the games, nodes and columns of each level."""
        path, which = [], np.arange(len(games))
        while len(which):
            tensor, mask = games.observe(seat, games.new_tensor(np.int16))
            known = len(self.nodes)
            nodes = np.array([self.nodes.setdefault(tensor[game].tobytes(), len(self.nodes)) for game in which])
            rows, actions = mask[which].nonzero()  # a node's legal actions are the same in all determinizations
            counts = np.bincount(rows)
            columns = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
            visits, totals = self.visits[nodes[rows], columns], self.totals[nodes[rows], columns]
            drawn = (
                np.where(visits, totals / np.maximum(visits, 1), 9)
                + random.normal(size=len(rows)) / (visits + 1) ** 0.5
            )
            draws = np.full((len(which), counts.max()), -np.inf)
            draws[rows, columns] = drawn
            chosen = draws.argmax(axis=1)
            path.append((which, nodes, chosen))
            steps = games.heuristic_actions()  # the games that have left the tree go on as well
            steps[which] = actions[np.cumsum(counts) - counts + chosen]
            games.step(steps, until="round")
            games.play_others(seat, until="round")
            which = which[(nodes < known) & (games.actors[which] == seat)]
        return path
