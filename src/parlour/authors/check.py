"""``parlour check``: random games of every kind held against the laws, and what was found in words."""

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
from parlour.engine.setup import Setup
from parlour.engine.steps import COMPILED, INTERPRETED, Steps

MOMENTS = 3
"""Moments of a game, drawn at random, that are looked at closely, besides three more."""
ENDLESS = 20_000
"""Events after which a game is taken to have no end."""
INTERPRETED_EVERY = 10
"""One game in so many is interpreted, since a compiled rule does not notice an index beyond an array."""

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
"""The laws that hold after every event."""
SOME_MOMENTS: dict[str, Law] = {
    "counting": laws.counting,
    "knowledge": laws.knowledge,
    "veiling": laws.veiling,
    "secrecy": laws.secrecy,
    "sampling": laws.sampling,
    "showing": laws.showing,
    "refusing": refusing,
    "citing": citing,
    "advising": advising,
}
"""The laws that are checked now and then, because they take longer."""
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
"""What each law says, in the order in which the findings are printed."""


@dataclass(frozen=True)
class Broken:
    """A law that does not hold.

    Attributes:
        law: its name.
        told: what is wrong, as a sentence.
        where: the game, as its setup and the seed of :func:`parlour.authors.laws.walk`, and the number of events.
    """

    law: str
    told: str
    where: str


@dataclass
class Findings:
    """The number of games and moments checked, and the first violation of each law.

    Attributes:
        games: how many games were played.
        moments: how many moments were looked at closely.
        broken: by law.
        failure: an error that ended the check after a law had been broken, or nothing.
    """

    games: int = 0
    moments: int = 0
    broken: dict[str, Broken] = field(default_factory=dict)
    failure: str = ""

    def note(self, law: str, holds: Law, match: Match, seed: int) -> None:
        """Check a law, unless it is known to be broken."""
        if law in self.broken:
            return
        told = holds(match)
        if told:
            self.broken[law] = Broken(law, told, place_text(match, seed))


def place_text(match: Match, seed: int) -> str:
    """Where a law was broken: the setup, the seed, and the events so far."""
    last = f", the last {match.events[-1].do[:40]!r}" if match.events else ""
    return f"{match.setup.label}, seed {seed}, after {len(match.events)} events{last}"


def check(game: Game, games: int, seed: int = 0, tell: Callable[[int], object] = lambda done: None) -> Findings:
    """Play random games with every kind of setup, and hold them against the laws.

    Args:
        game: what is played.
        games: how many.
        seed: game *n* is the same in every run with it.
        tell: is called after each game with the number of games played.

    Raises:
        GameError: a rule fails or does not compile; says which, where and how. If a law was broken before, the findings
            name the failure instead.
    """
    found, rng = Findings(), random.Random(seed)
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
            told = f"{run.place()}: {failure_text(error, game)}"
            if not found.broken:
                raise GameError(told) from error
            found.failure = told
            return found
        found.games += 1
        tell(found.games)
        if not ends:
            return found
    return found


def _check_options(game: Game, setup: Setup, found: Findings) -> None:
    if told := options_without_effect(game):
        found.broken["options"] = Broken("options", told, setup.label)


@dataclass
class _Run:
    """The check of one random game."""

    setup: Setup
    seed: int
    steps: Steps
    found: Findings
    match: Match | None = None
    length: int = 0

    def place(self) -> str:
        """Where the game stands."""
        return place_text(self.match, self.seed) if self.match else f"{self.setup.label}, seed {self.seed}"

    def ends(self) -> bool:
        """Play the game to its end, or to the event after which it is taken to have none."""
        for match in islice(laws.walk(self.setup, self.seed, self.steps, watched=False), ENDLESS + 1):
            self.match = match
            self.length += 1
        assert self.match is not None
        self.found.note("ending", ending, self.match, self.seed)
        return self.match.over

    def check(self) -> None:
        """Hold the game against the laws, event by event."""
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
        """Two moments after actions that name no card: what such an action says of hands is easily forgotten."""
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
        """The laws of every moment; returns what each viewer knows."""
        for law, holds in EVERY_MOMENT.items():
            self._note(law, holds)
        known = laws.known_by(match)
        self._note("memory", partial(laws.memory, before=past, known=known))
        self._note("lines", scores.look)
        self._note("disclosing", partial(disclosing, before))
        if "facts" not in self.found.broken:
            facts.look(match)
        return known

    def _check_closely(self, match: Match) -> None:
        """The laws of some moments; where a card is missing, the others would only repeat it in other words."""
        for law, holds in SOME_MOMENTS.items():
            if "conservation" not in self.found.broken or law in ("refusing", "citing"):
                self._note(law, partial(laws.sampling, steps=self.steps) if law == "sampling" else holds)
