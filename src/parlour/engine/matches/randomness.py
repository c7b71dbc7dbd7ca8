"""Sources of chance for the deals and draws of a match."""

import random as operating_system
from typing import Protocol

from parlour.engine.arrays import Stream
from parlour.engine.chance import random_below, shuffle


class Randomness(Protocol):
    """A source of randomness: a seeded stream or the operating system."""

    def below(self, limit: int) -> int:
        """Return a random integer from 0 to ``limit - 1``."""

    def shuffled(self, cards: list[int]) -> list[int]:
        """Return the cards in a random order."""


class SystemRandomness:
    """The operating system's generator, for matches without a seed."""

    def below(self, limit: int) -> int:
        """Return a random integer from 0 to ``limit - 1``."""
        return operating_system.SystemRandom().randrange(limit)

    def shuffled(self, cards: list[int]) -> list[int]:
        """Return the cards in a random order."""
        return operating_system.SystemRandom().sample(cards, len(cards))


class StreamRandomness:
    """A reproducible stream (:mod:`parlour.engine.chance`), with the same draws as in compiled loops."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def below(self, limit: int) -> int:
        """Return a random integer from 0 to ``limit - 1``."""
        return random_below(self.stream, limit)

    def shuffled(self, cards: list[int]) -> list[int]:
        """Return the cards in a random order."""
        shuffle(self.stream, cards, 0, len(cards))
        return cards
