"""Contests: bots against each other, every deal played with the seats turned, on all cores, in the order of the deals.

A *match* sets a challenger against a field of one other bot; a *ladder* lets several bots meet each other. In both a
bot plays a whole side: partners are always the same bot. Which games a deal is played in, and what comes of them if the
bots keep to their streams of chance, depends on nothing but the contest and the deal's number.
"""

import multiprocessing
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from multiprocessing.synchronize import Event
from typing import Any

from parlour import __version__
from parlour.bots.outside import OutsideBot, find_any_bot
from parlour.bots.programs import PREFIX, kill_all
from parlour.bots.protocol import MOVE_TIME
from parlour.engine.chance import new_stream, shuffle
from parlour.engine.compiled import source_hash
from parlour.engine.errors import ParlourError
from parlour.engine.rewards import sides_of
from parlour.engine.setup import Setup
from parlour.interrupts import undisturbed
from parlour.lab.arena import STREAMS_A_DEAL, Arena, Played

FORMAT = "parlour-contest/1"
MATCH, LADDER = "match", "ladder"

Seating = tuple[int, ...]
"""The number of the bot in each seat."""


@dataclass(frozen=True)
class Contest:
    """Who plays what against whom.

    Attributes:
        kind: ``MATCH`` or ``LADDER``.
        setup: what is played.
        bots: ids; in a match the challenger and the field.
        seed: of all chance.
        move_time: seconds that a bot from outside may take for a decision.
    """

    kind: str
    setup: Setup
    bots: tuple[str, ...]
    seed: int = 0
    move_time: float = MOVE_TIME

    def __post_init__(self) -> None:
        """Raises :class:`ParlourError` if something cannot be so, as when a program does not start."""
        _ = self.outside  # found now, and not only when the results are told
        if self.kind == LADDER and len(set(self.bots)) != len(self.bots):
            twice = next(bot for bot in self.bots if self.bots.count(bot) > 1)
            raise ParlourError(f"{twice} is named twice; each bot has one place on the ladder")
        if len(self.bots) < 2:
            raise ParlourError("a ladder needs at least two bots")

    @cached_property
    def outside(self) -> dict[str, str]:
        """The versions of the bots from outside."""
        found = [find_any_bot(bot) for bot in self.bots]
        return {bot.id: bot.version for bot in found if isinstance(bot, OutsideBot)}

    def header(self) -> dict[str, Any]:
        """What a file of results says of the contest; results go together only if all of it is the same."""
        outside = {"outside": self.outside, "move_time": self.move_time}
        return {
            "format": FORMAT,
            "kind": self.kind,
            **self.setup.to_json(),
            "bots": list(self.bots),
            "seed": self.seed,
            "version": __version__,
            "code": source_hash(self.setup.game.dtype),
            **(outside if self.outside else {}),
        }

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return sides_of(self.setup)

    @cached_property
    def line_ups(self) -> tuple[Seating, ...]:
        """Which bots meet: for each game of a deal, before the seats are turned, as many numbers as there are sides.

        In a ladder of as many bots as sides, or fewer, every bot is there equally often or once more than another; of
        more bots every choice of as many as there are sides meets.
        """
        sides, bots = len(self.sides), len(self.bots)
        if self.kind == MATCH:
            return ((0,) + (1,) * (sides - 1),)
        all_of_them = tuple(range(bots)) * (sides // bots)
        return tuple((*all_of_them, *others) for others in combinations(range(bots), sides % bots))

    def seatings(self, deal: int) -> list[Seating]:
        """The games of a deal: each line-up, in an order drawn for the deal, turned through every distinct rotation."""
        found: dict[Seating, None] = {}
        random = new_stream(self.seed, (deal + 1) * STREAMS_A_DEAL - 1)
        for line_up in self.line_ups:
            order = list(line_up)
            shuffle(random, order, 0, len(order))
            for turn in range(len(order)):
                found[self._seated(order[turn:] + order[:turn])] = None
        return list(found)

    def _seated(self, bots: Sequence[int]) -> Seating:
        """A bot for each side as a bot for each seat."""
        by_seat = {seat: bot for side, bot in zip(self.sides, bots, strict=True) for seat in side}
        return tuple(by_seat[seat] for seat in range(self.setup.players))

    def arena(self) -> Arena:
        """Where it is played."""
        return Arena(self.setup, [find_any_bot(bot) for bot in self.bots], self.seed, self.move_time)


@dataclass(frozen=True)
class Deal:
    """A deal with all its games."""

    number: int
    games: tuple[Played, ...]


Job = tuple[int, Seating]
"""A game to be played: of which deal, and who sits where."""


def play_deals(
    contest: Contest,
    first: int,
    stop: int,
    cores: int | None = None,
    progress: Callable[[float], None] = lambda deals: None,
) -> Iterator[Deal]:
    """Play the deals from ``first`` to ``stop - 1`` and give them in this order.

    Args:
        contest: who plays what.
        first: the number of the first deal.
        stop: the number after the last one's.
        cores: how many processes play; as many as there are cores by default. One plays in this process.
        progress: called with the part of a deal (or several) newly played.
    """
    jobs = ((deal, seating) for deal in range(first, stop) for seating in contest.seatings(deal))
    contest.arena().warm_up()  # compiles what is new once, not in every process
    number = cores or os.cpu_count() or 1
    played = _played_here(contest, jobs) if number == 1 else _played_by_processes(contest, jobs, number)
    games: list[Played] = []
    whole = 0
    with closing(played):
        for (deal, _), game in played:
            whole = whole if games else len(contest.seatings(deal))
            games.append(game)
            progress(1 / whole)
            if len(games) == whole:
                yield Deal(deal, tuple(games))
                games = []


def _played_here(contest: Contest, jobs: Iterator[Job]) -> Generator[tuple[Job, Played], None, None]:
    arena = contest.arena()
    for job in jobs:
        yield job, arena.play(*job)


_TASK_SECONDS = 0.2
"""Seconds of play in one task: many games of quick bots, one of slow ones."""
_MOST_JOBS = 2000


def _played_by_processes(
    contest: Contest, jobs: Iterator[Job], cores: int
) -> Generator[tuple[Job, Played], None, None]:
    """The games in their order, played by several processes, which all end when this does."""
    context = multiprocessing.get_context("spawn")  # a forked process would inherit locks that threads hold
    stop = context.Event()
    pool = ProcessPoolExecutor(cores, context, _enter, (contest, stop))
    size, waiting = 1, deque[tuple[list[Job], Future[tuple[list[Played], float]]]]()
    try:
        while True:
            while len(waiting) < 2 * cores and (task := list(islice(jobs, size))):
                with undisturbed():
                    waiting.append((task, pool.submit(_play, task)))
            if not waiting:
                return
            task, future = waiting.popleft()
            games, seconds = future.result()
            size = max(1, min(_MOST_JOBS, 2 * size, int(len(task) * _TASK_SECONDS / max(seconds, 1e-6))))
            yield from zip(task, games, strict=True)
    except BrokenProcessPool:  # told to whoever waits for a task or hands in the next
        told = "a process that played was ended from outside (out of memory?)"
        if set(contest.outside) - {bot for bot in contest.outside if bot.startswith(PREFIX)}:
            told += ", or by a bot in Python; as a program, exec:COMMAND, it would forfeit its game only"
        raise ParlourError(told) from None
    finally:
        stop.set()  # a game of slow bots can last for minutes, and nobody waits for it any more
        pool.shutdown(cancel_futures=True)


_entered: list[tuple[Arena, Event]] = []
"""The arena of this process, if it is one of those that play, and what tells it to stop.

It has to stop by itself: ended from outside while it reports, it would leave half a report, and the one who reads it
would wait for the other half for ever.
"""


def _enter(contest: Contest, stop: Event) -> None:
    """Get a process ready to play, and let it end when the one that started it does."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    arena = contest.arena()
    arena.warm_up()
    _entered.append((arena, stop))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        kill_all()
        os._exit(1)


def _play(jobs: Sequence[Job]) -> tuple[list[Played], float]:
    """The games of some jobs, and the seconds they took. Raises :class:`Stopped`."""
    start = time.perf_counter()
    arena, stop = _entered[0]
    games = [arena.play(deal, seating, stop.is_set) for deal, seating in jobs]
    return games, time.perf_counter() - start
