"""Trime Kicker, also Triple-Up Buster: four piles begin with a three, and the player of a pile's last card owns it.

Follows the rulebook's clauses TK-1 to TK-19. Deviations: none. ``rules.py`` holds the rules, ``knowledge.py`` what
each seat knows, ``words.py`` the notation, the zones and the refusals, and ``options.py`` the options.
"""

from parlour.engine.game import Game
from parlour.games.trime_kicker import heuristic, knowledge, rules, words
from parlour.games.trime_kicker.field_words import FIELD_WORDS
from parlour.games.trime_kicker.options import OPTIONS

GAME = Game.made_of(
    heuristic,
    knowledge,
    rules,
    words,
    id="trime-kicker",
    title="Trime Kicker",
    prefix="TK",
    summary="Lay cards on four piles that begin with threes; whoever laid a pile's last card owns it.",
    credit="Trime Kicker, also Triple-Up Buster, comes from the fictional world of Venturia.",
    players=range(2, 3),
    field_words=FIELD_WORDS,
    options=OPTIONS,
)
