"""Exercise: the view of a puzzle before the try, from the observation of the deciding seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from parlour.engine.events import Event
from parlour.engine.game import Refusal
from parlour.puzzles.puzzle import Puzzle
from parlour.render.bot_names import seat_names
from parlour.render.layouts import find_layout
from parlour.render.scene import Scene
from parlour.render.selection import reasons_against, refusal_of

EVENTS_BEFORE = 8
"""Number of events before the decision whose log lines are shown."""


@dataclass(frozen=True)
class Exercise:
    """A puzzle before the try: the scene of the seat, and the seat's log lines of the last events."""

    scene: Scene
    log: Sequence[str]


def exercise_of(puzzle: Puzzle) -> Exercise:
    """Return the exercise of a puzzle. Raises :class:`PuzzleError`."""
    seat = puzzle.match().actor
    match = puzzle.match(max(0, len(puzzle.events) - EVENTS_BEFORE))
    layout, names = find_layout(match.game.id), seat_names(match.players, seat)
    before, log = match.observation(seat), list[str]()
    for text in puzzle.events[len(match.events) :]:
        match.apply_event(Event(match.actor, text))
        now = match.observation(seat)
        log += [line for line in layout.lay_out(now, names, before).log if line]
        before = now
    return Exercise(layout.lay_out(before, names, None), log)


def reasons_against_selection(puzzle: Puzzle, tokens: Sequence[str]) -> list[Refusal]:
    """Return the reasons why a selection on the table is not legal, at least one. Raises :class:`PuzzleError`."""
    match = puzzle.match()
    observation, layout = match.observation(match.actor), find_layout(match.game.id)
    scene = layout.lay_out(observation, seat_names(match.players, match.actor), None)
    return reasons_against(tokens, scene, observation, layout, partial(refusal_of, match))
