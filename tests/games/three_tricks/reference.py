"""Reference data of 3 Tricks: perft counts, golden games, exemptions."""

PERFT = [
    # players, options, seed, the numbers of sequences of 1, 2, 3 … actions
    (2, {}, 1, "67 4746 306210"),
    (2, {}, 2, "67 4355 276884"),
    (2, {"replacing_ends_turn": False, "rank_block": "any"}, 1, "67 4749 306558"),
]
GOLDEN = {
    # players, options, seed
    "plain": (2, {}, 727),
    "stalled": (2, {"stall_turns": 5, "replacing_ends_turn": False}, 3),
}
UNTAUGHT = {17, 21, 22}
"""Clauses that the lesson leaves out: rare cases, and consequences of other clauses."""
FEW_UNKNOWN = NARROW_PLACES = "more cards are always unknown, and places do not say it all; see test_knowledge.py"
"""The reason why the laws do not count layouts."""
