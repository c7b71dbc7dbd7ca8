"""Lay Away: a small game of several deals with a hidden action of two cards, and no ``rebuild.py``."""

from away import fast, heuristic, knowledge, rules, words
from parlour.engine.game import Game, Option

GAME = Game.made_of(
    heuristic,
    knowledge,
    rules,
    words,
    fast=fast,
    id="away",
    title="Lay Away",
    prefix="AW",
    players=range(2, 3),
    options=(
        Option("deals", range(1, 4), 2, "AW-1", "how many deals are played"),
        Option("bonus", (True, False), True, "AW-3", "whether a heart turned up brings the dealer a point"),
    ),
)
