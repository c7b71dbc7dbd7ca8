"""Deals and bots that are the same in every run: a test of the page or the server depends on no luck of the draw.

Only a server in the tests' own process is dealt such cards. Nor does such a server look ahead at what a review may
need, which depends on how much else this machine has to do and takes much of it.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from parlour.engine.chance import new_stream
from parlour.server.table import rooms
from parlour.server.table.bots import bot_turns


class Deals:
    """The secrets of the tables that a test opens, one after another, and the streams of their bots."""

    def __init__(self, of: str) -> None:
        self.begin(of)

    def begin(self, of: str) -> None:
        """Begin anew: the same ``of`` gives the same deals."""
        self._of, self._tables, self._bots = of, 0, 0

    def secret(self) -> str:
        """The secret of one more table."""
        self._tables += 1
        return hashlib.sha256(f"{self._of} {self._tables}".encode()).hexdigest()

    def stream(self, drawn: int) -> object:
        """The chance of one more bot, whatever has been ``drawn`` for it."""
        self._bots += 1
        return new_stream(self._bots)

    @contextmanager
    def apart(self, of: str) -> Iterator[None]:
        """What is opened meanwhile has deals of its own, whichever test comes to it first."""
        kept = self._of, self._tables, self._bots
        self.begin(of)
        yield
        self._of, self._tables, self._bots = kept


DEALS = Deals("")


@pytest.fixture(autouse=True)
def dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test begins with the same deals."""
    DEALS.begin("try 1")  # any text does: it settles the deals
    monkeypatch.setattr(rooms, "new_secret", DEALS.secret)
    monkeypatch.setattr(bot_turns, "new_stream", DEALS.stream)
    monkeypatch.setattr(os, "getloadavg", lambda: (1000.0, 1000.0, 1000.0))
