"""Reference data of Castle Walls: perft counts, golden games, exemptions."""

PERFT = [
    # players, options, seed, the numbers of sequences of 1, 2, 3 … actions
    (2, {}, 1, "25 49 667 2140 17128 88210 593161 3439219"),
    (2, {"turn_limit": 3}, 2, "25 49 667 2028 16368 38181 40077 23748 8712"),
]
GOLDEN = {
    # players, options, seed
    "plain": (2, {"turn_limit": 20}, 36),
}
UNTAUGHT = {26}
"""Clauses that the lesson leaves out: rare cases, and consequences of other clauses."""
FEW_UNKNOWN = "random games hardly ever come to few unknown cards; see test_lively_rules.py"
"""The reason why the laws do not enumerate all layouts."""
TAKEN_BACK = {"attack", "down"}
"""Kinds of actions that can sometimes be undone, as spectators see them."""
