"""Counts of fired clauses and of sources of points, measured while the rules run interpreted.

The rules cite a clause where they implement it: in a comment at the end of a line, or in a function's docstring. A line
is more precise: if a line cites a clause, docstrings with the same clause do not count. A clause *fires* at an event if
a line or function that cites the clause runs at this event. The list of legal actions belongs to the following event.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

from parlour.contests.game_results import ClauseCounts
from parlour.engine import rules
from parlour.engine.game import Game
from parlour.engine.matches.steps import INTERPRETED, OneState, Steps
from parlour.engine.setup import Setup
from parlour.engine.sources import files_behind
from parlour.engine.typed_state import AnyState, IntVector

_NUMBERS = re.compile(r"\s*\d+")

Place = tuple[str, int]
"""Function, by its file and its first line."""


@dataclass(frozen=True)
class Citations:
    """Citations of the rulebook in the rules of a game.

    Attributes:
        functions: the clauses that fire when a function runs.
        lines: the clauses that fire when a line of a function runs.
        clauses: all cited clauses, in the rulebook's order.
    """

    functions: dict[Place, frozenset[str]]
    lines: dict[Place, dict[int, frozenset[str]]]
    clauses: tuple[str, ...]


def clauses_in(text: str, prefix: str) -> set[str]:
    """Return the clauses cited in a text: ``"XY-1, XY-3 to XY-5."`` gives ``{"XY-1", "XY-3", "XY-4", "XY-5"}``."""
    found = re.findall(rf"\b{prefix}-(\d+)(?: to {prefix}-(\d+))?", text)
    return {f"{prefix}-{number}" for first, last in found for number in range(int(first), int(last or first) + 1)}


def in_order(clauses: set[str]) -> list[str]:
    """Return clauses in the rulebook's order; that of a set depends on Python's hash seed."""
    return sorted(clauses, key=lambda clause: int(clause.rpartition("-")[2]))


@cache
def citations_of(game: Game) -> Citations:
    """Return the citations of the rulebook in a game's rules."""
    functions: dict[Place, frozenset[str]] = {}
    lines: dict[Place, dict[int, frozenset[str]]] = {}
    for file in files_behind([game.setup, game.deal, game.legal, game.play, game.score]):
        text = file.read_text(encoding="utf-8")
        cited = _cited_lines(text, game.prefix)
        for place, first, last, docstring in _functions(file, text):
            functions[place] = frozenset(clauses_in(docstring, game.prefix))
            lines[place] = {line: clauses for line, clauses in cited.items() if first <= line <= last}
    precise = {clause for of in lines.values() for clauses in of.values() for clause in clauses}
    every = precise.union(*functions.values())
    return Citations({place: clauses - precise for place, clauses in functions.items()}, lines, tuple(in_order(every)))


def _functions(file: Path, text: str) -> Iterator[tuple[Place, int, int, str]]:
    """Yield every function of a file: its key, its first and last line, and its docstring."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            first_line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            assert node.end_lineno is not None
            yield (str(file), first_line), first_line, node.end_lineno, ast.get_docstring(node) or ""


def _cited_lines(text: str, prefix: str) -> dict[int, frozenset[str]]:
    """Return the clauses cited by comments at the end of a line, by the line's number."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    found = {
        token.start[0]: frozenset(clauses_in(token.string, prefix))
        for token in tokens
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip()
    }
    return {line: clauses for line, clauses in found.items() if clauses}


@dataclass
class ClauseTracer:
    """Tracer of one game, which is played with the tracer's ``steps``: counts the events at which each clause fires.

    Attributes:
        events: the counts, by clause.
        points: for each source the points of each seat. A source is a score line's text without numbers, and its
            clause.
    """

    game: Game
    events: Counter[str] = field(default_factory=Counter)
    points: dict[str, list[int]] = field(default_factory=dict)
    _event_clauses: set[str] = field(default_factory=set)

    def begin(self, setup: Setup) -> None:
        """Count the clauses that fire while the options are read, as part of the first event."""
        self._trace(setup.new_state)

    @property
    def steps(self) -> Steps:
        """Return the interpreted rules, traced."""
        return Steps(self._legal, self._play, self._deal)

    def _legal(self, states: OneState, actions: IntVector) -> int:
        return int(self._trace(INTERPRETED.legal, states, actions))

    def _play(self, states: OneState, action: int) -> None:
        self._trace(INTERPRETED.play, states, action)
        self._end_event()

    def _deal(self, states: OneState, deck: IntVector) -> None:
        if rules.wanted(states[0]) == rules.whole_deck(states[0]):
            self._take_points(states[0])
        self._trace(INTERPRETED.deal, states, deck)
        self._end_event()

    def _trace(self, step: Callable[..., Any], *arguments: Any) -> Any:
        before = sys.gettrace()
        sys.settrace(_tracer(citations_of(self.game), self._event_clauses))
        try:
            return step(*arguments)
        finally:
            sys.settrace(before)

    def _end_event(self) -> None:
        self.events.update(self._event_clauses)
        self._event_clauses.clear()

    def _take_points(self, state: AnyState) -> None:
        for line in self.game.lines(state):
            what = _NUMBERS.sub("", line.what.partition(":")[0])
            source = f"{what} ({line.clause})"
            before = self.points.get(source, [0] * len(line.points))
            self.points[source] = [one + int(more) for one, more in zip(before, line.points, strict=True)]

    def counts_of(self, state: AnyState, scores: tuple[int, ...]) -> ClauseCounts:
        """Return the counts of the finished game; they include points only if the score lines add up to the scores."""
        self._take_points(state)
        self._trace(rules.score, state, np.zeros(rules.MAX_SEATS, np.int64))
        self._end_event()
        sums = [sum(of) for of in zip(*self.points.values(), strict=True)] or [0] * len(scores)
        fired = {clause: self.events[clause] for clause in in_order(set(self.events))}
        return ClauseCounts(fired, self.points if tuple(sums) == tuple(scores) else {})


def _tracer(citations: Citations, fired: set[str]) -> Callable[[FrameType, str, Any], Any]:
    """Return a function for :func:`sys.settrace` that adds clauses to ``fired``."""
    known: dict[CodeType, Any] = {}

    def enter(frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code not in known:
            place = code.co_filename, code.co_firstlineno
            fired.update(citations.functions.get(place, ()))
            known[code] = _line_tracer(citations.lines[place], fired) if citations.lines.get(place) else None
        return known[code]

    return enter


def _line_tracer(lines: dict[int, frozenset[str]], fired: set[str]) -> Callable[[FrameType, str, Any], Any]:
    def at_line(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line" and frame.f_lineno in lines:
            fired.update(lines[frame.f_lineno])
        return at_line

    return at_line
