"""Fixtures of the tests of commands."""

import pytest

from parlour.bots.search_threads import SearchThreads


@pytest.fixture
def shared_among(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets, for each search that threads share, the number of these threads."""
    numbers: list[int] = []
    share = SearchThreads.share
    monkeypatch.setattr(SearchThreads, "share", lambda *given: numbers.append(given[0].number) or share(*given))
    return numbers
