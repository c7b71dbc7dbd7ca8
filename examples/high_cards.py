"""A bot in Python: it needs the method `choose`, and may have `begin` and `end`.

parlour match examples.high_cards:HighCards random trick-walls -p 4
parlour play trick-walls --bots examples.high_cards:HighCards
"""

from collections.abc import Sequence

import parlour

RANKS = "23456789TJQKA"


class HighCards:
    """Chooses the action that names the highest card; the first of equal ones."""

    def begin(self, setup: parlour.Setup, seat: int) -> None:
        """Prepare for a game; called before the first event."""
        self.setup, self.seat = setup, seat

    def choose(self, observation: parlour.Observation) -> str:
        """Return one of `observation.legal`; zones, facts and events contain everything that this seat may know."""
        return max(observation.legal, key=lambda action: highest(action.split()))

    def end(self, result: object) -> None:
        """Clean up; called when the game is over. `result` has `scores` and `winners`."""


def highest(words: Sequence[str]) -> int:
    """Return the rank of the highest card that an action names; −1 without a card."""
    return max((RANKS.index(word[0]) for word in words if len(word) == 2 and word[0] in RANKS), default=-1)
