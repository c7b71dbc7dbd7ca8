"""Whether bots peek: positions that look the same to a seat, and what bots find and do in them."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import numpy as np

from parlour.bots import BOTS, CompiledObservation, choose_for, compiled_observation_of, find_bot
from parlour.bots.levels import search_for
from parlour.bots.protocol import Asking
from parlour.engine.chance import new_stream
from parlour.engine.compiled import source_hash
from parlour.engine.determinization import determinize, observed_state
from parlour.engine.errors import ParlourError
from parlour.engine.game_loop import drive
from parlour.engine.match import Match
from parlour.engine.randomness import StreamRandomness
from parlour.engine.rules import MAX_ACTIONS, legal
from parlour.engine.setup import Setup
from parlour.engine.steps import COMPILED
from parlour.jobs.pool import Where, do_jobs
from parlour.jobs.setup_work import be_ready

EFFORT = 600
"""Little, so that many positions can be tried: to see a hidden card takes no effort."""
A_GAME = 10
"""Positions drawn at random from one game."""
QUICK = ("random", "thumb", "beginner")
"""The bots that do without a search; the others are it, with more or less effort."""


class PeekingError(ParlourError):
    """A bot did something else where only what it may not know was different."""


def findings(observation: CompiledObservation, seed: int) -> dict[str, Any]:
    """What every bot does with a sight, and all that comes of searches."""
    found: dict[str, Any] = {bot: BOTS[bot].choose(_with_stream(observation, seed)) for bot in QUICK}
    for way in ("one action ahead", "a tree", "an exact end"):
        search = search_for(_with_stream(observation, seed))
        if way == "a tree":
            search.grow_tree(EFFORT)
        elif way == "an exact end":
            search.settle(EFFORT)
        else:
            search.halve(EFFORT)
        found[way] = search.actions.tolist(), search.values.tolist(), search.visits.tolist(), search.steps
    return found


def _with_stream(observation: CompiledObservation, seed: int) -> CompiledObservation:
    return CompiledObservation(
        observation.game, observation.state.copy(), observation.seat, observation.actions.copy(), new_stream(seed)
    )


def twin_of(match: Match, seed: int) -> CompiledObservation:
    """What the seat to act sees in another state, in which the cards that it does not know lie otherwise."""
    seat = match.actor
    state = determinize(match.observed(seat), seat, new_stream(seed))
    actions = np.zeros(MAX_ACTIONS, np.int64)
    return CompiledObservation(
        match.game.id, observed_state(state, seat), seat, actions[: legal(state, actions)], new_stream(seed)
    )


def check_decision(match: Match, seed: int) -> None:
    """Let every bot decide in a position and in another one that looks the same. Raises :class:`PeekingError`."""
    ours, theirs = (
        findings(compiled_observation_of(match, new_stream(seed)), seed),
        findings(twin_of(match, seed), seed),
    )
    for who, found in ours.items():
        if theirs[who] != found:
            where = f"{match.game.title}, event {len(match.events)}, seed {seed}"
            raise PeekingError(f"{where}: {who} differs where only hidden cards do: {found} and {theirs[who]}")


def check_game(setup: Setup, seed: int) -> int:
    """Play a game by heuristic and check some of its decisions; return how many."""
    match = Match(setup, COMPILED, watched=False)
    cards, thinking, drawn = StreamRandomness(new_stream(seed)), new_stream(seed + 1), random.Random(seed)
    often = drawn.choice((0.5, 0.2, 0.05))  # early decisions, those of the middle, and those of long games
    thumb, checked = find_bot("thumb"), 0

    def choose(match: Match) -> str:
        nonlocal checked
        if len(match.actions()) > 1 and drawn.random() < often:
            check_decision(match, seed + checked)
            checked += 1
        return choose_for(match, thumb, thinking)

    for _ in drive(match, choose, cards):
        if checked == A_GAME:
            break
    return checked


@dataclass
class PeekingResult:
    """What was checked so far.

    Attributes:
        setups: what is played, one after another: at least one, all of one game.
        checked: how many decisions, by combination of players and options.
    """

    setups: Sequence[Setup]
    checked: dict[str, int] = field(default_factory=dict)

    @property
    def begun(self) -> bool:
        """Whether there is anything to tell yet."""
        return bool(self.checked)

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "game": self.setups[0].game.id,
            "decisions": sum(self.checked.values()),
            "checked": self.checked,
        }

    def text(self) -> str:
        """As a sentence."""
        decisions, combinations = sum(self.checked.values()), len(self.checked)
        return (
            f"{self.setups[0].game.title}: {decisions:,} decisions, {combinations} combinations of players and options."
            " Where only what a seat may not know was different, every bot did and found the same."
        )


@dataclass(frozen=True)
class Peeking:
    """Checking games: jobs are seeds, each with the number of a combination.

    Attributes:
        setups: the combinations of players and options, all of one game.
    """

    setups: tuple[Setup, ...]
    suspect = ""

    @property
    def code(self) -> str:
        """A hash of the rules, the bots and what compiles them."""
        return source_hash(self.setups[0].game.dtype)

    def open(self) -> Callable[[tuple[int, int], Asking], int]:
        """Get ready to check games."""
        be_ready(self.setups[0].game)
        return lambda job, stopped: check_game(self.setups[job[0]], job[1])

    def jobs(self, seed: int) -> Iterator[tuple[int, int]]:
        """Without an end: one combination after another, in an order that is drawn."""
        drawn = random.Random(seed)
        order = list(range(len(self.setups)))
        drawn.shuffle(order)
        return ((combination, drawn.getrandbits(48)) for combination in cycle(order))


def measure(
    standing: PeekingResult, wanted: int, seed: int, where: Where, progress: Callable[[int], None] = lambda done: None
) -> None:
    """Check ``wanted`` decisions. Raises :class:`PeekingError`."""
    work = Peeking(tuple(standing.setups))
    with closing(do_jobs(work, work.jobs(seed), where)) as checked:
        for (combination, _), done in checked:
            variation = work.setups[combination].variation
            standing.checked[variation] = standing.checked.get(variation, 0) + done
            progress(done)
            if sum(standing.checked.values()) >= wanted:
                return
