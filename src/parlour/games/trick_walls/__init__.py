"""Trick Walls 6.3.1: two sides play tricks to leave their own colour face up in the city walls.

Follows the rulebook's clauses TW-1 to TW-24. Deviations: none. ``rules.py`` holds the rules, ``legal.py`` the legal
actions, ``scoring.py`` the points, ``fast.py`` a faster random draw, ``knowledge.py`` what each seat knows,
``words.py`` the notation, the zones and the refusals, and ``options.py`` the options.
"""

from parlour.engine.game import Game, Options
from parlour.games.trick_walls import fast, heuristic, knowledge, legal, rules, words
from parlour.games.trick_walls.field_words import FIELD_WORDS
from parlour.games.trick_walls.options import OPTIONS
from parlour.languages import gettext


def advice(players: int, options: Options) -> list[str]:
    """Return the warnings for these options; the published rules advise against some combinations."""
    if options["long_run"] and options["kill_balance"]:
        return [gettext("The published rules advise against a long run with kill balance.")]
    return []


GAME = Game.made_of(
    heuristic,
    knowledge,
    legal,
    rules,
    words,
    fast=fast,
    id="trick-walls",
    title="Trick Walls",
    prefix="TW",
    summary="Two sides, red and black, play tricks to leave their own colour face up in the city walls.",
    credit="Trick Walls 6.3.1 (2021), from one Finnish designer's collection of card games.",
    players=range(2, 7),
    field_words=FIELD_WORDS,
    options=OPTIONS,
    advice=advice,
)
