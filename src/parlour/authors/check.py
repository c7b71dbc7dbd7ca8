"""``parlour check``: check random games against the laws."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from parlour.authors import laws
from parlour.authors.disclosures import disclosing
from parlour.authors.failures import failure_text
from parlour.authors.heuristic_laws import advising
from parlour.authors.option_effects import options_without_effect
from parlour.authors.text_laws import Facts, Scores, citing, listing, refusing
from parlour.cards import CARD_TEXT
from parlour.engine.errors import GameError, ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.matches.steps import COMPILED, INTERPRETED, Steps
from parlour.engine.setup import Setup

MOMENTS = 3
"""Number of randomly drawn moments of a game that are checked closely, besides three fixed ones."""
ENDLESS = 20_000
"""Number of events after which a game counts as endless."""
INTERPRETED_EVERY = 10
"""Interval between interpreted games: compiled rules do not detect an index outside an array."""

Law = Callable[[Match], str]


def ending(match: Match) -> str:
    """Every game ends."""
    if match.over:
        return ""
    last = ", ".join(repr(event.do[:40]) for event in match.events[-4:])
    return f"there is no end after {len(match.events):,} events; the last are {last}"


EVERY_MOMENT: dict[str, Law] = {
    "conservation": laws.conservation,
    "acting": laws.acting,
    "listing": listing,
}
"""Laws checked after every event."""
SOME_MOMENTS: dict[str, Law] = {
    "counting": laws.counting,
    "knowledge": laws.knowledge,
    "masking": laws.masking,
    "secrecy": laws.secrecy,
    "sampling": laws.sampling,
    "showing": laws.showing,
    "refusing": refusing,
    "citing": citing,
    "advising": advising,
}
"""Laws checked at some moments only, because they take longer."""
_ALL: dict[str, Callable[..., object]] = {
    "ending": ending,
    "options": options_without_effect,
    **EVERY_MOMENT,
    "facts": Facts.wrong,
    "lines": Scores.look,
    "memory": laws.memory,
    **SOME_MOMENTS,
    "disclosing": disclosing,
    "replaying": laws.replaying,
}
LAWS = {law: (holds.__doc__ or "").split("\n")[0] for law, holds in _ALL.items()}
"""First docstring line of each law, in the order in which findings are printed."""


@dataclass(frozen=True)
class Violation:
    """Violation of a law.

    Attributes:
        law: the law's name.
        sentence: the fault.
        where: the game, as its setup and the seed of :func:`parlour.authors.laws.walk`, and the number of events.
    """

    law: str
    sentence: str
    where: str


@dataclass
class CheckResults:
    """Numbers of games and moments checked, and the first violation of each law.

    Attributes:
        games: number of games played.
        moments: number of moments checked closely.
        violations: first violation of each law.
        failure: an error that ended the check after a violation; otherwise empty.
    """

    games: int = 0
    moments: int = 0
    violations: dict[str, Violation] = field(default_factory=dict)
    failure: str = ""

    def note(self, law: str, holds: Law, match: Match, seed: int) -> None:
        """Check a law, unless a violation is known."""
        if law in self.violations:
            return
        problem = holds(match)
        if problem:
            self.violations[law] = Violation(law, problem, place_text(match, seed))


def place_text(match: Match, seed: int) -> str:
    """Return the place of a violation: the setup, the seed and the number of events."""
    last = f", the last {match.events[-1].do[:40]!r}" if match.events else ""
    return f"{match.setup.label}, seed {seed}, after {len(match.events)} events{last}"


def check(game: Game, games: int, seed: int = 0, tell: Callable[[int], object] = lambda done: None) -> CheckResults:
    """Play random games with every kind of setup, and check them against the laws.

    Args:
        game: the game to check.
        games: number of games.
        seed: base seed; game *n* is the same in every run with it.
        tell: called after each game with the number of games played.

    Raises:
        GameError: a rule fails or does not compile; the message names it. After a violation of a law the findings name
            the failure instead.
    """
    found, rng = CheckResults(), random.Random(seed)
    for number in range(games):
        setup = laws.choose_setup(game, rng.choice, whole=number % 3 == 0)
        steps = COMPILED if number % INTERPRETED_EVERY else INTERPRETED
        run = _Run(setup, seed + number, steps, found)
        try:
            ends = run.ends()
            if number == 0 and ends:
                _check_options(game, setup, found)
            if ends:
                run.check()
        except ParlourError:
            raise
        except Exception as error:  # an author's rule may raise anything
            problem = f"{run.place()}: {failure_text(error, game)}"
            if not found.violations:
                raise GameError(problem) from error
            found.failure = problem
            return found
        found.games += 1
        tell(found.games)
        if not ends:
            return found
    return found


def _check_options(game: Game, setup: Setup, found: CheckResults) -> None:
    if problem := options_without_effect(game):
        found.violations["options"] = Violation("options", problem, setup.label)


@dataclass
class _Run:
    """Check of one random game."""

    setup: Setup
    seed: int
    steps: Steps
    found: CheckResults
    match: Match | None = None
    length: int = 0

    def place(self) -> str:
        """Return the game's position as text."""
        return place_text(self.match, self.seed) if self.match else f"{self.setup.label}, seed {self.seed}"

    def ends(self) -> bool:
        """Play the game to its end, or until it counts as endless; return whether it ended."""
        for match in islice(laws.walk(self.setup, self.seed, self.steps, watched=False), ENDLESS + 1):
            self.match = match
            self.length += 1
        assert self.match is not None
        self.found.note("ending", ending, self.match, self.seed)
        return self.match.over

    def check(self) -> None:
        """Check the game against the laws, event by event."""
        facts, scores, before = Facts(), Scores(), None
        chosen = laws.chosen_moments(self.length, self.seed, MOMENTS) | self._moments_without_cards()
        known: dict[int, int] | None = None
        for number, match in enumerate(laws.walk(self.setup, self.seed, self.steps)):
            self.match = match
            known = self._check_moment(match, known, before, facts, scores)
            if number in chosen:
                self.found.moments += 1
                self._check_closely(match)
            before = match.copy()
        assert self.match is not None
        self._note("facts", lambda match: facts.wrong())
        self._note("replaying", laws.replaying)

    def _moments_without_cards(self) -> set[int]:
        """Return two moments after actions that name no card; authors easily forget what these reveal about hands."""
        assert self.match is not None
        events = enumerate(self.match.events, 1)
        numbers = [number for number, event in events if event.by >= 0 and not CARD_TEXT.search(event.do)]
        return {*random.Random(self.seed).sample(numbers, min(2, len(numbers)))}

    def _note(self, law: str, holds: Law) -> None:
        assert self.match is not None
        self.found.note(law, holds, self.match, self.seed)

    def _check_moment(
        self, match: Match, past: dict[int, int] | None, before: Match | None, facts: Facts, scores: Scores
    ) -> dict[int, int]:
        """Check the laws of every moment; return the cards that each viewer knows."""
        for law, holds in EVERY_MOMENT.items():
            self._note(law, holds)
        known = laws.known_by(match)
        self._note("memory", partial(laws.memory, before=past, known=known))
        self._note("lines", scores.look)
        self._note("disclosing", partial(disclosing, before))
        if "facts" not in self.found.violations:
            facts.look(match)
        return known

    def _check_closely(self, match: Match) -> None:
        """Check the laws of some moments; after a missing card only those that it does not affect."""
        for law, holds in SOME_MOMENTS.items():
            if "conservation" not in self.found.violations or law in ("refusing", "citing"):
                self._note(law, partial(laws.sampling, steps=self.steps) if law == "sampling" else holds)
