"""Estimates of the time that contests and studies take: at the start, and while they run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.contests.contest import Deal

_MIN_ANNOUNCED_SECONDS = 10.0
"""Seconds below which a duration is not announced."""
_EVERY_SECONDS = 60.0
"""Minimum number of seconds between two announcements."""


def duration_text(seconds: float) -> str:
    """Return ``"40 seconds"``, ``"6 minutes"``, ``"2.5 hours"``."""
    from parlour.engine.validation import counted

    for size, unit in ((86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 1.5 * size:
            number = seconds / size
            return f"{number:.0f} {unit}" if number >= 10 or unit == "minutes" else f"{number:.1f} {unit}"
    return counted(max(1, round(seconds)), "second")


class TimeLeft:
    """Estimate of the time left, from the deals so far.

    The first deals of a study may take longer, because win probabilities and clauses are computed in them, or because
    they are replicated. Until one of the other deals has been played, the estimate for the other deals is the thinking
    time of the bots, which is too long for compiled bots: they are interpreted where clauses are counted. So it is
    announced as a maximum, and again when two of the other deals have been played.

    Attributes:
        total: the number of deals in all; may change while they are played. 0 while it is unknown.
    """

    def __init__(
        self,
        total: int,
        kept: int,
        special: int,
        cores: int | None,
        announce: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start the clock.

        Args:
            total: the number of deals in all; 0 while it is unknown.
            kept: the number of deals that were played before.
            special: the number of first deals that take longer.
            cores: the number of cores that play; ``None``: all.
            announce: receives the sentences about the time left.
            clock: returns the seconds from any origin.
        """
        self.total = total
        self._done, self._special, self._cores = kept, special, cores or os.cpu_count() or 1
        self._announce, self._clock = announce, clock
        self._start = self._special_end = clock()
        self._special_played = self._plain_played = 0
        self._thinking = 0.0
        self._announced: float | None = None
        self._is_maximum = False
        self._begun = False

    def report_after(self, advance: Callable[..., None]) -> Callable[..., None]:
        """Return a function that calls ``advance`` and reports the time left.

        Its first call, after compilation, starts the clock again.
        """

        def advance_and_report(*done: object) -> None:
            if not self._begun:
                self._begun, self._start = True, self._clock()
                self._special_end = self._start
            advance(*done)
            self.report()

        return advance_and_report

    def add(self, deal: Deal) -> None:
        """Count a deal that was played."""
        from parlour.engine.validation import counted

        now = self._clock()
        self._done += 1
        self._thinking += sum(sum(game.seconds) for game in deal.games)
        if self._done <= self._special:
            self._special_played += 1
            self._special_end = now
        else:
            self._plain_played += 1
        waited = self._played >= 2 or now - self._start > _MIN_ANNOUNCED_SECONDS
        is_first = self._announced is None and waited
        if self.total and (is_first or (self._is_maximum and self._plain_played == 2)):
            self._announced = now
            self._is_maximum = not self._plain_played and self.total > self._special
            if (left := self.seconds_left()) > _MIN_ANNOUNCED_SECONDS:
                about = "At most about" if self._is_maximum else "About"
                more = counted(self.total - self._done, "more deal")
                self._announce(f"{about} {duration_text(left)} for about {more}.")

    @property
    def _played(self) -> int:
        return self._special_played + self._plain_played

    def seconds_left(self) -> float:
        """Return the estimated seconds left."""
        now, left = self._clock(), max(0, self.total - self._done)
        special_left = max(0, min(self._special, self.total) - self._done)
        by_special = (self._special_end - self._start) / self._special_played if self._special_played else 0.0
        by_plain = self._thinking / max(1, self._played) / self._cores
        if self._plain_played:
            by_plain = (now - self._special_end) / self._plain_played
        return special_left * by_special + (left - special_left) * by_plain

    def text(self) -> str:
        """Return ``"about 6 minutes left"``."""
        return f"about {duration_text(self.seconds_left())} left"

    def report(self) -> None:
        """Announce the time left again, at least a minute after the last announcement."""
        now = self._clock()
        if self._announced is not None and now - self._announced >= _EVERY_SECONDS:
            self._announced = now
            self._announce(f"{self._done:,} of {self.total:,} deals; {self.text()}.")
