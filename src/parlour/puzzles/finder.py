"""Finder of puzzles: plays games of strong bots and keeps decisions with one action that is better beyond doubt.

The effort grows from step to step, and most decisions are dropped early: a short search at every decision of a game; a
review's effort where one action seems better; the choices of the strongest level; finally :data:`CHECK` times the
effort of a review (:mod:`parlour.puzzles.certainty`), and the exact solution of a small endgame.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from parlour.bots import LEVELS, choose_for, find_bot
from parlour.bots.protocol import CancelCheck, Stopped
from parlour.bots.search import FEW_UNKNOWN, NEAR_THE_END, Search
from parlour.endgames.action_values import action_values
from parlour.endgames.endgame_tree import TreeLimits
from parlour.engine.chance import new_stream, random_bits
from parlour.engine.information.determinization import hidden_from
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.steps import COMPILED
from parlour.engine.moves import Move
from parlour.engine.simulation.game_loop import drive
from parlour.engine.simulation.playouts import fresh_deal_next
from parlour.engine.typed_state import OwnState
from parlour.insight.course import EFFORT, RoundLeadModel
from parlour.insight.layout_kinds import most_significant_kind
from parlour.insight.position import Position, Whereabouts
from parlour.insight.review import STRONGEST
from parlour.jobs.setup_work import SetupWork, compile_search
from parlour.puzzles.certainty import MARGIN, is_best_in_trees, losses_of
from parlour.puzzles.grade import rating_of, share_of
from parlour.puzzles.puzzle import WHOLE, ActionValue, Puzzle, PuzzleReason
from parlour.puzzles.themes import SOLVABLE_PLAYERS, themes_of
from parlour.statistics import Estimate

PLAYED_BY = "search:effort=50000,habit=30,temperature=0.01,tree=1,learned=100"
"""Id of the bot that plays the games; its settings do not depend on the levels of a game."""
FIRST_DIVISOR = 5
"""Divisor of a review's effort for the short search at every decision."""
CHECK = 20
"""Multiple of a review's effort for the check."""
FEWEST_ACTIONS = 3
"""Minimum number of legal actions: among two, a guess would find the best too often."""
MIN_MASTER_SHARE = 0.75
"""Minimum share of the strongest level's choices that are the best action."""
SOLVED_NODES, SOLVED_WORLDS = 60_000, 2000
"""Limits of an endgame tree that is solved for a puzzle."""
LAYOUTS = 1500
"""Number of determinizations for the search for the layouts that make the difference."""
LONGEST = 1000
"""Number of events after which a game is not continued; its puzzles count."""


@dataclass(frozen=True)
class PuzzleCandidate:
    """Decision in which one action was better in a short search.

    Attributes:
        seen: the number of events before the decision.
        position: the decision.
        best: the action.
        obvious: whether the heuristic also chooses ``best``.
        lead_model: the value of scores in the decision's round.
    """

    seen: int
    position: Position
    best: Move
    obvious: bool
    lead_model: RoundLeadModel


@dataclass(frozen=True)
class PuzzleSearch(SetupWork):
    """Work that finds the puzzles of games, by their numbers.

    Attributes:
        theme: the theme that a puzzle must have; empty: any.
        effort: the effort of a review's decision, in simulated actions; the check has :data:`CHECK` times this effort.
    """

    theme: str = ""
    effort: int = EFFORT

    @property
    def facts(self) -> dict[str, Any]:
        """The facts on which the found puzzles depend, for the header of their file."""
        return {
            **self.setup.to_json(),
            "seed": self.seed,
            "effort": self.effort,
            "check": CHECK,
            "played_by": PLAYED_BY,
            "theme": self.theme,
        }

    def open(self) -> Callable[[int, CancelCheck], list[Puzzle]]:
        """Compile new code; return a function that finds the puzzles of a game."""
        compile_search(self.setup.game)
        return self.puzzles_of

    def puzzles_of(self, number: int, stopped: CancelCheck) -> list[Puzzle]:
        """Return the puzzles of a game: at most one in which the heuristic errs, and one in which it does not.

        Raises:
            Stopped: the work is cancelled.
        """
        match, candidates = self._game(number, stopped)
        order, found = self._seed(number, 4), dict[bool, Puzzle]()
        for candidate in sorted(candidates, key=lambda each: random_bits(new_stream(order, each.seen))):
            if stopped():
                raise Stopped
            if candidate.obvious not in found and (puzzle := self._check(match, number, candidate)):
                found[candidate.obvious] = puzzle
        return [found[obvious] for obvious in sorted(found)]

    def _seed(self, number: int, purpose: int) -> int:
        return random_bits(new_stream(self.seed, 8 * number + purpose))

    def _game(self, number: int, stopped: CancelCheck) -> tuple[Match, list[PuzzleCandidate]]:
        """Play a game, at most :data:`LONGEST` events; return the match and the decisions in which one action seemed
        better.
        """
        match = Match(self.setup, COMPILED, observed=False)
        cards = StreamRandomness(new_stream(self._seed(number, 0)))
        thinking = new_stream(self._seed(number, 1))
        bot, seed = find_bot(PLAYED_BY), self._seed(number, 2)
        models: dict[int, RoundLeadModel] = {}
        candidates: list[PuzzleCandidate] = []

        def draw(match: Match) -> str:
            if fresh_deal_next(match.state):
                models.clear()
            return match.sample_chance(cards)

        def choose(match: Match) -> str:
            if stopped():
                raise Stopped
            moves = tuple(match.moves())
            if len(moves) >= FEWEST_ACTIONS:
                seat, seen = match.actor, len(match.events)
                position = Position(self.setup, seat, match.observed(seat), moves, seen, ())
                model = models.setdefault(seat, RoundLeadModel(position, seed + seen))
                if candidate := self._search_briefly(position, model, seed + seen):
                    candidates.append(candidate)
            return choose_for(match, bot, thinking)

        for _ in drive(match, choose, draw):
            if len(match.events) > LONGEST:
                break
        return match, candidates

    def _search_briefly(self, position: Position, model: RoundLeadModel, seed: int) -> PuzzleCandidate | None:
        """Search for an action that seems better than all others, first with little effort, then with a review's."""
        search = Search(position.state, position.seat, position.moves, seed, model.estimate())
        obvious = int(search.moves[0])
        for effort in (self.effort // FIRST_DIVISOR, self.effort):
            search.think(effort, solve=False)
            best, second = _two_best(search)
            if best is None or search.values[best] - search.values[second] < MARGIN:
                return None
        return PuzzleCandidate(position.seen, position, Move(search.moves[best]), search.moves[best] == obvious, model)

    def _check(self, match: Match, number: int, candidate: PuzzleCandidate) -> Puzzle | None:
        """Return the puzzle of a decision, if its best action is better beyond doubt."""
        seed, best = self._seed(number, 3) + candidate.seen, candidate.best
        observed = candidate.position
        masters = share_of(STRONGEST, observed, best, seed)
        if masters < MIN_MASTER_SHARE:
            return None
        events = tuple(event.do for event in match.events[: candidate.seen])
        draft = Puzzle(self.setup, number, events, (), {}, 0, (), False, ())
        position, state = draft.position(), draft.match().state
        search = Search(position.state, position.seat, position.moves, seed, candidate.lead_model.estimate())
        effort = CHECK * self.effort
        search.think(effort // 4, solve=False)
        if int(search.moves[_two_best(search)[0] or 0]) != best:
            return None
        others = [move for move in position.moves if move != best]
        losses = losses_of(search, best, others, effort // 2)
        if not losses or not is_best_in_trees(search, best, losses, effort // 4):
            return None
        exact = self._solve(position, state, search)
        if exact is not None and any(exact[int(best)] - exact[int(move)] < MARGIN for move in others):
            return None
        shares = {level: share_of(level, position, best, seed) for level in LEVELS if level != STRONGEST}
        shares[STRONGEST] = masters
        by_heuristic = Move(int(search.moves[0]))
        themes = themes_of(position, best, by_heuristic, exact is not None)
        if self.theme and self.theme not in themes:
            return None
        return Puzzle(
            self.setup, number, events, tuple(puzzle_values(position, best, losses, exact)),
            {level: round(100 * shares[level]) for level in LEVELS}, rating_of(shares), themes, exact is not None,
            tuple(puzzle_reasons(position, search, best, losses)),
        )  # fmt: skip

    def _solve(self, position: Position, state: OwnState, search: Search) -> dict[int, float] | None:
        """Return the exact values of the actions, if the endgame is small enough."""
        if self.setup.players != SOLVABLE_PLAYERS or search.cost() > NEAR_THE_END:
            return None
        if int(hidden_from(position.state, position.seat)).bit_count() > FEW_UNKNOWN:
            return None
        return action_values(state, TreeLimits(worlds=SOLVED_WORLDS, nodes=SOLVED_NODES))


def _two_best(search: Search) -> tuple[int | None, int]:
    """Return the indices of the best and the second-best reliable action; the best is ``None`` with fewer than two."""
    reliable = search.reliable()
    order = sorted((index for index in range(len(search.moves)) if reliable[index]), key=lambda at: -search.values[at])
    return (order[0], order[1]) if len(order) > 1 else (None, 0)


def puzzle_values(
    position: Position, best: Move, losses: dict[Move, tuple[float, Estimate]], exact: dict[int, float] | None
) -> Iterator[ActionValue]:
    """Yield the actions with their values, the best first, the others by their loss."""
    if exact is not None:
        for move in sorted(exact, key=lambda each: (each != best, -exact[each])):
            loss = round(WHOLE * (exact[int(best)] - exact[move]))
            yield ActionValue(position.notation(Move(move)), round(WHOLE * exact[move]), loss, loss, loss)
        return
    value = sum(worth + loss.value for worth, loss in losses.values()) / len(losses)
    yield ActionValue(position.notation(best), round(WHOLE * value), 0, 0, 0)
    for move in sorted(losses, key=lambda each: losses[each][1].value):
        behind = losses[move][1]
        low, high = max(0, round(WHOLE * behind.low)), min(WHOLE, round(WHOLE * behind.high))
        yield ActionValue(
            position.notation(move), round(WHOLE * (value - behind.value)), round(WHOLE * behind.value), low, high
        )


def puzzle_reasons(
    position: Position, search: Search, best: Move, losses: dict[Move, tuple[float, Estimate]]
) -> Iterator[PuzzleReason]:
    """Yield the layouts in which the nearest other action differs most from the best."""
    rival = min(losses, key=lambda move: losses[move][1].value)
    values, first = search.compare([best, rival], LAYOUTS)
    whereabouts = Whereabouts(position, LAYOUTS)
    for number in range(LAYOUTS):
        whereabouts.note(number, search.determinize(first + number))
    kind = most_significant_kind(values[:, 0] - values[:, 1], whereabouts)
    if kind:
        share, there, elsewhere = (
            round(WHOLE * estimate.value) for estimate in (kind.share, kind.there, kind.elsewhere)
        )
        yield PuzzleReason(position.notation(rival), kind.card, kind.place.zone, kind.place.at, share, there, elsewhere)
