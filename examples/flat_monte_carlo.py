"""Flat Monte Carlo: each action is tried in the same determinizations, followed by play by the heuristic.

parlour match examples.flat_monte_carlo:FlatMonteCarlo thumb trime-kicker
"""

import parlour


class FlatMonteCarlo:
    """A bot that plays out every legal action equally often, to the end of the round."""

    playouts = 2000
    version = "1"

    def choose(self, observation: parlour.Observation) -> int:
        """Return the number of the action with the best mean."""
        legal = observation.legal_actions
        if len(legal) == 1:
            return legal[0]
        seed = int(observation.information_state[:15], 16)  # makes contests reproducible
        worlds = observation.determinize(-(-self.playouts // len(legal)), seed, by="belief")
        trials = worlds.try_actions(legal, by="heuristic", until="round", careless=0.06)
        scores = trials.scores
        lead = scores[:, :, observation.seat] - scores.mean(axis=2)
        values = trials.rewards()[:, :, observation.seat] + 0.01 * lead  # rewards are 0 before the last round
        return legal[values.mean(axis=0).argmax()]
