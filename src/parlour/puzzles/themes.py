"""Themes of puzzles: the kind of the best action by its own words, and what makes the decision difficult.

The first word of the action's phrase is a theme ("lead", "block", "swap"), so every game has themes without naming
them.
"""

from parlour.engine.moves import Move
from parlour.insight.position import Position

TRAP, ENDGAME = "trap", "endgame"
"""The rule of thumb chooses another action; the rest of the game is solved."""


def themes_of(position: Position, best: Move, by_heuristic: Move, exact: bool) -> tuple[str, ...]:
    """Return the themes of a decision: the word of its best action first."""
    word = position.phrase(best).split()[0].strip(",.:").lower()
    trap = [TRAP] if best != by_heuristic else []
    return tuple(dict.fromkeys([word, *trap, *([ENDGAME] if exact else [])]))
