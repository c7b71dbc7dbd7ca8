"""3 Tricks: lay three tricks in a row without the other player blocking them.

Follows the rulebook's clauses 3T-1 to 3T-22. Deviations: none. ``rules.py`` holds the rules, ``knowledge.py`` what
each seat knows, ``links.py`` the inferences about shuffled cards, ``words.py`` the notation, the zones and the
refusals, and ``options.py`` the options.
"""

from parlour.engine.game import Game
from parlour.games.three_tricks import fast, heuristic, knowledge, rules, words
from parlour.games.three_tricks.field_words import FIELD_WORDS
from parlour.games.three_tricks.options import OPTIONS, conflict

GAME = Game.made_of(
    heuristic,
    knowledge,
    rules,
    words,
    fast=fast,
    id="three-tricks",
    title="3 Tricks",
    prefix="3T",
    summary="Lay three tricks in a row, of two, two and three cards, without being blocked.",
    credit="3 Tricks by Winston Harris (2024).",
    players=range(2, 3),
    field_words=FIELD_WORDS,
    options=OPTIONS,
    conflict=conflict,
    lines_add_up=False,  # blocked tricks decide, but are no points
)
