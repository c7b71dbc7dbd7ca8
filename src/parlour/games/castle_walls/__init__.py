"""Castle Walls: attack with cards on the field until the other player has no life cards left.

Follows the rulebook's clauses CW-1 to CW-27. Deviations: none. ``state.py`` declares the state, ``legal.py``
holds the legal actions, ``rules.py`` the transitions, ``memory.py`` the players' memory of each other's hidden cards,
``knowledge.py`` the hidden information, ``words.py`` the notation, the zones and the refusals, and ``options.py`` the
numbers that a table may change.
"""

from parlour.engine.game import Game
from parlour.games.castle_walls import fast, heuristic, knowledge, legal, rules, state, words
from parlour.games.castle_walls.field_words import FIELD_WORDS
from parlour.games.castle_walls.options import OPTIONS

GAME = Game.made_of(
    heuristic,
    knowledge,
    legal,
    rules,
    state,
    words,
    fast=fast,
    id="castle-walls",
    title="Castle Walls",
    prefix="CW",
    summary="A duel: attack with cards on the field until the other player has no life cards left.",
    credit="Castle Walls, by Hindbodes.",
    players=range(2, 3),
    field_words=FIELD_WORDS,
    options=OPTIONS,
)
