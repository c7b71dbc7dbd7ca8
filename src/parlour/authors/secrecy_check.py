"""Test that bots do not peek: compare their decisions in positions with the same observation."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import numpy as np

from parlour.bots import CompiledObservation, choose_for, compiled_observation_of, find_bot
from parlour.bots.game_levels import bots_hash
from parlour.bots.learned import LEARNED
from parlour.bots.levels import search_for
from parlour.bots.protocol import CancelCheck
from parlour.engine.chance import new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.information.determinization import determinize, observed_state
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import ACTION_ROOM, legal
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import drive
from parlour.engine.validation import counted
from parlour.jobs.pool import do_jobs
from parlour.jobs.setup_work import compile_search
from parlour.jobs.tasks import Placement

EFFORT = 600
"""Budget of a search, in players' actions. It is small, for many positions: a bot peeks with any budget or none."""
A_GAME = 10
"""Maximum number of decisions that are checked in one game."""
QUICK = ("random", "thumb", "beginner")
"""Built-in bots that never search; the other levels are the same design, with searches."""


class PeekingError(ParlourError):
    """A bot decided differently in two positions with the same observation."""


def findings(observation: CompiledObservation, seed: int) -> dict[str, Any]:
    """Return the decisions of the bots without a search, and all results of three kinds of search."""
    found: dict[str, Any] = {bot: find_bot(bot).choose(_with_stream(observation, seed)) for bot in (*QUICK, LEARNED)}
    for search_kind in ("one action ahead", "a tree", "an exact end"):
        search = search_for(_with_stream(observation, seed))
        if search_kind == "a tree":
            search.grow_tree(EFFORT)
        elif search_kind == "an exact end":
            search.settle(EFFORT)
        else:
            search.halve(EFFORT)
        found[search_kind] = search.moves.tolist(), search.values.tolist(), search.visits.tolist(), search.steps
    return found


def _with_stream(observation: CompiledObservation, seed: int) -> CompiledObservation:
    return CompiledObservation(
        observation.game, observation.state.copy(), observation.seat, observation.moves.copy(), new_stream(seed)
    )


def redraw_hidden_cards(match: Match, seed: int) -> CompiledObservation:
    """Return the acting seat's observation of another state, in which the cards that it does not know are redrawn."""
    seat = match.actor
    state = determinize(match.observed(seat), seat, new_stream(seed))
    actions = np.zeros(ACTION_ROOM, np.int64)
    return CompiledObservation(
        match.game.id, observed_state(state, seat), seat, actions[: legal(state, actions)], new_stream(seed)
    )


def check_decision(match: Match, seed: int) -> None:
    """Compare every bot's decisions in two positions with the same observation. Raises :class:`PeekingError`."""
    original, twin = (
        findings(compiled_observation_of(match, new_stream(seed)), seed),
        findings(redraw_hidden_cards(match, seed), seed),
    )
    for player, found in original.items():
        if twin[player] != found:
            where = f"{match.game.title}, event {len(match.events)}, seed {seed}"
            raise PeekingError(f"{where}: {player} differs where only hidden cards do: {found} and {twin[player]}")


def check_game(setup: Setup, seed: int) -> int:
    """Play a game by the heuristic and check some of its decisions; return their number."""
    match = Match(setup, COMPILED, observed=False)
    cards, bot_random, rng = StreamRandomness(new_stream(seed)), new_stream(seed + 1), random.Random(seed)
    share = rng.choice((0.5, 0.2, 0.05))  # reach early, middle and late decisions
    thumb, checked = find_bot("thumb"), 0

    def choose(match: Match) -> str:
        nonlocal checked
        if len(match.moves()) > 1 and rng.random() < share:
            check_decision(match, seed + checked)
            checked += 1
        return choose_for(match, thumb, bot_random)

    for _ in drive(match, choose, cards):
        if checked == A_GAME:
            break
    return checked


@dataclass
class PeekingResult:
    """Decisions checked so far.

    Attributes:
        setups: the combinations of players and options: at least one, all of one game.
        checked: number of decisions by combination of players and options.
    """

    setups: Sequence[Setup]
    checked: dict[str, int] = field(default_factory=dict)

    @property
    def has_results(self) -> bool:
        """Whether any decision has been checked."""
        return bool(self.checked)

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return {
            "game": self.setups[0].game.id,
            "decisions": sum(self.checked.values()),
            "checked": self.checked,
        }

    def text(self) -> str:
        """Return the result as a sentence."""
        decisions, combinations = sum(self.checked.values()), len(self.checked)
        return (
            f"{self.setups[0].game.title}: {counted(decisions, 'decision')}, "
            f"{counted(combinations, 'combination')} of players and options."
            " No bot's actions or searches depended on what its seat may not know."
        )


@dataclass(frozen=True)
class PeekingWork:
    """Work that checks games; a job is the index of a combination and the seed of a game.

    Attributes:
        setups: the combinations of players and options, all of one game.
    """

    setups: tuple[Setup, ...]
    suspect = ""

    @property
    def code(self) -> str:
        """Hash of the rules, the bots and the compilers."""
        return bots_hash(self.setups[0].game)

    def open(self) -> Callable[[tuple[int, int], CancelCheck], int]:
        """Compile the rules and the search, and return the function that checks one game."""
        compile_search(self.setups[0].game)
        return lambda job, stopped: check_game(self.setups[job[0]], job[1])

    def jobs(self, seed: int) -> Iterator[tuple[int, int]]:
        """Return endless jobs that cycle through the combinations in random order."""
        rng = random.Random(seed)
        order = list(range(len(self.setups)))
        rng.shuffle(order)
        return ((combination, rng.getrandbits(48)) for combination in cycle(order))


def measure(
    standing: PeekingResult,
    decisions: int,
    seed: int,
    where: Placement,
    progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Check at least this number of ``decisions``. Raises :class:`PeekingError`."""
    work = PeekingWork(tuple(standing.setups))
    with closing(do_jobs(work, work.jobs(seed), where)) as checked:
        for (combination, _), done in checked:
            variation = work.setups[combination].variation
            standing.checked[variation] = standing.checked.get(variation, 0) + done
            progress(done)
            if sum(standing.checked.values()) >= decisions:
                return
