"""Tricky Tribes 3.2: cards played face down, red ones to be collected and black ones to be spared.

Follows the rulebook's clauses TT-1 to TT-28. Deviations: none. ``rules.py`` holds the rules, ``knowledge.py`` what
each seat knows, ``scoring.py`` the points, ``words.py`` the notation, the zones and the refusals, ``options.py`` the
options, and ``undo.py`` takes cards back.
"""

from parlour.engine.game import Game
from parlour.games.tricky_tribes import heuristic, knowledge, rules, scoring, undo, words
from parlour.games.tricky_tribes.field_words import FIELD_WORDS
from parlour.games.tricky_tribes.options import OPTIONS, conflict

GAME = Game.made_of(
    heuristic,
    knowledge,
    rules,
    scoring,
    undo,
    words,
    id="tricky-tribes",
    title="Tricky Tribes",
    prefix="TT",
    summary="Tribes play cards face down, to collect red sacrifices and be spared black ones.",
    credit="Tricky Tribes 3.2 (2023), from one Finnish designer's collection of card games.",
    players=range(2, 7),
    field_words=FIELD_WORDS,
    options=OPTIONS,
    conflict=conflict,
)
