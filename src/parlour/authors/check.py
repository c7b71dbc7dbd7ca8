"""``parlour check``: check random games against the laws."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from parlour.authors import laws
from parlour.authors.disclosures import check_disclosure, claims_nothing
from parlour.authors.end_laws import check_advice, check_ending, check_histories, check_sides
from parlour.authors.failures import failure_text
from parlour.authors.heuristic_laws import check_heuristic
from parlour.authors.lesson_law import lesson_problem
from parlour.authors.possibility import check_possibility
from parlour.authors.source_laws import fraction_in_rules, options_without_effect, rule_without_return
from parlour.authors.text_laws import Facts, Scores, check_action_space, check_clauses, check_refusals
from parlour.authors.undo_law import PastDecisions
from parlour.cards import CARD_TEXT
from parlour.engine.errors import GameError, ParlourError
from parlour.engine.game import MAX_EVENTS, Game
from parlour.engine.match import Match
from parlour.engine.matches.steps import COMPILED, INTERPRETED, Steps
from parlour.engine.setup import Setup
from parlour.engine.validation import counted

MOMENTS = 3
"""Number of moments drawn from a whole game to check all laws. More are near its beginning, at its end, and after
actions that name no card."""
ENDLESS = 20_000
"""Number of events after which a game without a ``max_events`` of its own counts as endless."""
INTERPRETED_EVERY = 10
"""Interval between interpreted games, which detect an index outside an array; compiled rules do not."""

Law = Callable[[Match], str]


def check_end(match: Match) -> str:
    """Every game ends."""
    if match.over:
        return ""
    last = ", ".join(repr(event.do[:40]) for event in match.events[-4:])
    longer = "; if games may be longer, raise max_events in GAME"
    return f"there is no end after {len(match.events):,} events; the last are {last}{longer}"


def limit_of(game: Game) -> int:
    """Return the number of events after which a game counts as endless."""
    return ENDLESS if game.max_events == MAX_EVENTS else game.max_events


EVERY_MOMENT: dict[str, Law] = {
    "conservation": laws.check_conservation,
    "actions": laws.check_actions,
    "action space": check_action_space,
}
"""Laws checked after every event."""
SOME_MOMENTS: dict[str, Law] = {
    "card counts": laws.check_card_counts,
    "knowledge": laws.check_knowledge,
    "masks": laws.check_masks,
    "possibility": check_possibility,
    "repetition": laws.check_repetition,
    "secrecy": laws.check_secrecy,
    "determinizations": laws.check_determinizations,
    "limits": laws.check_limits,
    "layout": laws.check_layout,
    "refusals": check_refusals,
    "clauses": check_clauses,
    "heuristic": check_heuristic,
}
"""Laws checked at some moments only, because they take longer."""
ENDS: dict[str, Law] = {
    "sides": check_sides,
    "ending": check_ending,
    "advice": check_advice,
    "histories": check_histories,
}
"""Laws checked at the end of a game; ``histories``, which takes longest, only at that of an interpreted game."""
SPOILED_BY: dict[str, set[str]] = {
    "conservation": {*SOME_MOMENTS, "undo", "disclosure"} - {"refusals", "clauses"},
    "repetition": {"secrecy", "determinizations", "heuristic", "undo", "disclosure", "replay"},
    "possibility": {"secrecy", "determinizations", "heuristic", "undo", "disclosure"},
}
"""For a broken law the others that are not checked any more: a determinization of an impossible state may never end."""
_ALL: dict[str, Callable[..., object]] = {
    "end": check_end,
    "whole numbers": fraction_in_rules,
    "returns": rule_without_return,
    "options": options_without_effect,
    "lesson": lesson_problem,
    **EVERY_MOMENT,
    "facts": Facts.check,
    "lines": Scores.check,
    "memory": laws.check_memory,
    **SOME_MOMENTS,
    "undo": PastDecisions.check,
    "disclosure": check_disclosure,
    "replay": laws.check_replay,
    **ENDS,
}
LAWS = {law: (holds.__doc__ or "").split("\n")[0] for law, holds in _ALL.items()}
"""First docstring line of each law, in the order in which findings are printed."""


@dataclass(frozen=True)
class Violation:
    """Violation of a law.

    Attributes:
        law: the law's name.
        sentence: the fault.
        where: the setup, the seed of :func:`parlour.authors.laws.walk`, and the number of events.
    """

    law: str
    sentence: str
    where: str


@dataclass
class CheckResults:
    """Numbers of games and moments checked, and the first violation of each law.

    Attributes:
        games: number of games played.
        moments: number of moments at which all laws were checked.
        violations: first violation of each law.
        failure: an error that ended the check after a violation; otherwise empty.
    """

    games: int = 0
    moments: int = 0
    violations: dict[str, Violation] = field(default_factory=dict)
    failure: str = ""

    @property
    def skipped(self) -> set[str]:
        """The laws that are not checked any more, since a law on which they rely is broken."""
        return {law for broken in self.violations for law in SPOILED_BY.get(broken, ())} - self.violations.keys()

    def note(self, law: str, holds: Law, match: Match, seed: int) -> None:
        """Check a law, unless a violation of it is known or the law is skipped."""
        if law in self.violations or law in self.skipped:
            return
        problem = holds(match)
        if problem:
            self.violations[law] = Violation(law, problem, place_text(match, seed))


def place_text(match: Match, seed: int) -> str:
    """Return the place of a violation: the setup, the seed, the number of events and the last event."""
    last = f", the last {match.events[-1].do[:40]!r}" if match.events else ""
    return f"{match.setup.label}, seed {seed}, after {counted(len(match.events), 'event')}{last}"


def check(
    game: Game,
    games: int,
    seed: int = 0,
    progress: Callable[[int], object] = lambda done: None,
    results: CheckResults | None = None,
) -> CheckResults:
    """Play random games with every kind of setup, and check them against the laws. An endless game is the last one.

    Args:
        game: the game to check.
        games: number of games.
        seed: base seed; game *n* is the same in every run with it.
        progress: called after each game with the number of games played.
        results: empty results, to be filled and returned; they remain when the check is interrupted.

    Raises:
        GameError: a rule fails or does not compile; the message names it. After a violation of a law the results have
            the message instead, as ``failure``.
    """
    results, rng = results or CheckResults(), random.Random(seed)
    for number in range(games):
        setup = laws.choose_setup(game, rng.choice, whole=number % 3 == 0)
        steps = COMPILED if number % INTERPRETED_EVERY else INTERPRETED
        run = _Run(setup, seed + number, steps, results)
        if number == 0:
            _note_once("whole numbers", fraction_in_rules(game), setup, results)
            _note_once("returns", rule_without_return(game), setup, results)
        try:
            ends = run.ends()
            if number == 0 and ends:
                _note_once("options", options_without_effect(game), setup, results)
            if ends:
                run.check()
            if number == 0 and ends:  # a lesson cannot be played where the rules fail
                _note_once("lesson", lesson_problem(game), setup, results)
        except Exception as error:  # an author's rule may raise anything
            named = isinstance(error, ParlourError)
            results.failure = str(error) if named else f"{run.place()}: {failure_text(error, game)}"
            if results.violations:
                return results
            if named:
                raise
            raise GameError(results.failure) from error
        results.games += 1
        progress(results.games)
        if not ends:
            return results
    return results


def _note_once(law: str, problem: str, setup: Setup, results: CheckResults) -> None:
    """Note the violation of a law that no moment of a game can break."""
    if problem:
        results.violations[law] = Violation(law, problem, setup.label)


@dataclass
class _Run:
    """Check of one random game."""

    setup: Setup
    seed: int
    steps: Steps
    results: CheckResults
    match: Match | None = None
    length: int = 0

    def place(self) -> str:
        """Return the game's position as text."""
        return place_text(self.match, self.seed) if self.match else f"{self.setup.label}, seed {self.seed}"

    def ends(self) -> bool:
        """Play the game to its end, or until it counts as endless; return whether it ended."""
        limit = limit_of(self.setup.game)
        for match in islice(laws.walk(self.setup, self.seed, self.steps, observed=False), limit + 1):
            self.match = match
            self.length += 1
        assert self.match is not None
        self.results.note("end", check_end, self.match, self.seed)
        return self.match.over

    def check(self) -> None:
        """Check the game against the laws, event by event."""
        facts, scores, past, before = Facts(), Scores(), PastDecisions(), None
        chosen = laws.choose_moments(self.length, self.seed, MOMENTS) | self._moments_without_cards()
        known: dict[int, int] | None = None
        for number, match in enumerate(laws.walk(self.setup, self.seed, self.steps)):
            self.match = match
            known = self._check_moment(match, known, before, facts, scores)
            past.note(before, match)
            if number in chosen:
                self.results.moments += 1
                self._check_thoroughly(before)
                self._note("undo", past.check)
            elif self.steps is INTERPRETED:
                self._note("layout", partial(laws.check_layout, before=before))
            before = match.copy()
        assert self.match is not None
        self._note("facts", lambda match: facts.check())
        for law, holds in {"replay": laws.check_replay, **ENDS}.items():
            if law != "histories" or self.steps is INTERPRETED:
                self._note(law, holds)

    def _moments_without_cards(self) -> set[int]:
        """Return at most two moments after actions without a card, whose information on hands rules often overlook."""
        assert self.match is not None
        events = enumerate(self.match.events, 1)
        numbers = [number for number, event in events if event.by >= 0 and not CARD_TEXT.search(event.do)]
        return {*random.Random(self.seed).sample(numbers, min(2, len(numbers)))}

    def _note(self, law: str, holds: Law) -> None:
        assert self.match is not None
        self.results.note(law, holds, self.match, self.seed)

    def _check_moment(
        self, match: Match, past: dict[int, int] | None, before: Match | None, facts: Facts, scores: Scores
    ) -> dict[int, int]:
        """Check the laws of every moment; return the cards that each viewer knows."""
        for law, holds in EVERY_MOMENT.items():
            self._note(law, holds)
        known = laws.known_cards(match)
        self._note("memory", partial(laws.check_memory, before=past, known=known))
        self._note("lines", scores.check)
        if before is not None and claims_nothing(before, match):
            self.results.note("possibility", check_possibility, before, self.seed)
            self._note("disclosure", partial(check_disclosure, before))
        if "facts" not in self.results.violations:
            facts.compare(match)
        return known

    def _check_thoroughly(self, before: Match | None) -> None:
        """Check the laws of some moments."""
        more: dict[str, Law] = {
            "determinizations": partial(laws.check_determinizations, steps=self.steps),
            "layout": partial(laws.check_layout, before=before),
        }
        for law, holds in {**SOME_MOMENTS, **more}.items():
            self._note(law, holds)
