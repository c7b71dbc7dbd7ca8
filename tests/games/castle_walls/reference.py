"""What is kept of Castle Walls, and held against the code."""

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
"""The clauses that a first game does not come to: rare cases, and what follows from the others."""
FEW_UNKNOWN = "random games hardly ever come to few unknown cards; see test_lively_rules.py"
"""Why the laws do not write every layout down."""
TAKEN_BACK = {"attack", "down"}
"""The kinds of what may be taken back at one moment or another, as spectators see it."""
