"""The times at which bots answer, which disclose nothing about their hands.

A bot with one legal action could answer at once, a bot that thinks answers later: the difference would disclose a hand.
So the time is drawn before the bot begins to think. Only longer thinking delays the answer. A forced action is
delayed as often and by as much: it takes the duration of a recent decision with a choice.
"""

import random
from collections import defaultdict, deque

EARLIEST_SECONDS, LATEST_SECONDS = 0.3, 0.7
"""Bounds of the uniform time from a scene to a bot's answer, in seconds."""
_REMEMBERED = 20


class AnswerTiming:
    """The answer times of a server's bots; if it is not ``on``, bots answer at once."""

    def __init__(self, on: bool = True) -> None:
        self.on = on
        self._durations: defaultdict[tuple[str, str], deque[float]] = defaultdict(lambda: deque(maxlen=_REMEMBERED))

    def draw(self) -> float:
        """Return the seconds until a bot's answer, drawn before its decision is known."""
        return random.uniform(EARLIEST_SECONDS, LATEST_SECONDS) if self.on else 0.0

    def note(self, game: str, bot: str, seconds: float) -> None:
        """Record the duration of a decision with a choice."""
        self._durations[game, bot].append(seconds)

    def forced_duration(self, game: str, bot: str) -> float:
        """Return the duration for a forced action: that of a recent decision with a choice."""
        durations = self._durations[game, bot]
        return random.choice(durations) if self.on and durations else 0.0
