"""Themes of puzzles: the kind of the best action, and the kind of difficulty.

The first word of the action's English phrase is a theme ("lead", "block", "swap"); games declare no themes.
"""

from parlour.engine.moves import Move
from parlour.insight.position import Position
from parlour.languages import SOURCE_LANGUAGE, in_language, pgettext

TRAP, ENDGAME = "trap", "endgame"
"""Themes: a decision in which the heuristic does not choose the best action, and a decision in a solved endgame."""


def themes_of(position: Position, best: Move, by_heuristic: Move, exact: bool) -> tuple[str, ...]:
    """Return the themes of a decision: the word of its best action first."""
    with in_language(SOURCE_LANGUAGE):
        word = position.phrase(best).split()[0].strip(",.:").lower()
    trap = [TRAP] if best != by_heuristic else []
    return tuple(dict.fromkeys([word, *trap, *([ENDGAME] if exact else [])]))


def theme_title(theme: str) -> str:
    """Return the title of a theme, as in a list; a theme without a translation is its own title.

    A word that alone says little has the object that it has in the games with puzzles.
    """
    return {
        TRAP: pgettext("theme", "trap"),
        ENDGAME: pgettext("theme", "endgame"),
        "announce": pgettext("theme", "announce a straight"),
        "attack": pgettext("theme", "attack"),
        "decline": pgettext("theme", "decline"),
        "destroy": pgettext("theme", "destroy"),
        "discard": pgettext("theme", "discard"),
        "draw": pgettext("theme", "draw"),
        "end": pgettext("theme", "end the turn"),
        "keep": pgettext("theme", "keep"),
        "lay": pgettext("theme", "lay"),
        "lead": pgettext("theme", "lead"),
        "offer": pgettext("theme", "offer"),
        "pass": pgettext("theme", "pass"),
        "play": pgettext("theme", "play"),
        "put": pgettext("theme", "put"),
        "swap": pgettext("theme", "swap"),
        "turn": pgettext("theme", "turn a card up"),
        "use": pgettext("theme", "use the joker"),
    }.get(theme, theme)
