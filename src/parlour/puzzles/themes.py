"""Themes of puzzles: the kind of the best action, and the kind of difficulty.

The first word of the action's phrase is a theme ("lead", "block", "swap"); games declare no themes.
"""

from parlour.engine.moves import Move
from parlour.insight.position import Position

TRAP, ENDGAME = "trap", "endgame"
"""Themes: a decision in which the heuristic does not choose the best action, and a decision in a solved endgame."""


def themes_of(position: Position, best: Move, by_heuristic: Move, exact: bool) -> tuple[str, ...]:
    """Return the themes of a decision: the word of its best action first."""
    word = position.phrase(best).split()[0].strip(",.:").lower()
    trap = [TRAP] if best != by_heuristic else []
    return tuple(dict.fromkeys([word, *trap, *([ENDGAME] if exact else [])]))
