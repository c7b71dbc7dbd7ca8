"""Deals and bots that are the same in every run, for tests of the page and the server.

Only a server in the tests' own process gets these deals. Such a server computes no reviews in advance, since their
progress depends on the load of the machine.
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
    """Secrets of the tables that a test opens, in order, and random streams of their bots."""

    def __init__(self, of: str) -> None:
        self.begin(of)

    def begin(self, of: str) -> None:
        """Start again: the same ``of`` gives the same deals."""
        self._of, self._tables, self._bots = of, 0, 0

    def secret(self) -> str:
        """Return the secret of the next table."""
        self._tables += 1
        return hashlib.sha256(f"{self._of} {self._tables}".encode()).hexdigest()

    def stream(self, drawn: int) -> object:
        """Return the random stream of the next bot, ignoring ``drawn``."""
        self._bots += 1
        return new_stream(self._bots)

    @contextmanager
    def apart(self, of: str) -> Iterator[None]:
        """Give tables opened within a ``with`` block deals of their own, the same in every test."""
        kept = self._of, self._tables, self._bots
        self.begin(of)
        yield
        self._of, self._tables, self._bots = kept


DEALS = Deals("")


@pytest.fixture(autouse=True)
def dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin every test with the same deals."""
    DEALS.begin("try 1")  # any text: it determines the deals
    monkeypatch.setattr(rooms, "new_secret", DEALS.secret)
    monkeypatch.setattr(bot_turns, "new_stream", DEALS.stream)
    monkeypatch.setattr(os, "getloadavg", lambda: (1000.0, 1000.0, 1000.0))
