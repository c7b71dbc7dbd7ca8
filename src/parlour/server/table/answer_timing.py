"""When a bot answers: at a moment that says nothing of what it holds.

A bot with one legal action would answer at once, one that thinks later; whoever measures that sees a hand. So the
moment is drawn before the bot begins to think. Only thinking that takes longer makes an answer late, and a decision
that needs no thought is late as often and by as much, since it takes the time of another one made lately.
"""

import random
from collections import defaultdict, deque

SOONEST, LATEST = 0.3, 0.7
"""Seconds from one scene to a bot's answer; every moment between is equally likely."""
_REMEMBERED = 20


class Pace:
    """When the bots of a server answer; if it is not ``on``, at once."""

    def __init__(self, on: bool = True) -> None:
        self.on = on
        self._taken: defaultdict[tuple[str, str], deque[float]] = defaultdict(lambda: deque(maxlen=_REMEMBERED))

    def draw(self) -> float:
        """Seconds until a bot answers, drawn before it is known what it decides."""
        return random.uniform(SOONEST, LATEST) if self.on else 0.0

    def note(self, game: str, bot: str, seconds: float) -> None:
        """Record the seconds a bot took to choose among several actions."""
        self._taken[game, bot].append(seconds)

    def like_others(self, game: str, bot: str) -> float:
        """The seconds that a bot takes where there is nothing to choose: as many as for one of its choices lately."""
        taken = self._taken[game, bot]
        return random.choice(taken) if self.on and taken else 0.0
