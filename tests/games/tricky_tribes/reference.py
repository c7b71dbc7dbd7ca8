"""What is kept of Tricky Tribes, and held against the code."""

PERFT = [
    # players, options, seed, the numbers of sequences of 1, 2, 3 … actions
    (2, {}, 1, "10 100 900 8100 103696 829568 8875258"),
    (3, {}, 1, "10 100 1000 18000 162000 1458000 22267512"),
    (3, {"dummy": True, "hand_cards": 10, "jokers": 2}, 1, "11 121 1331 13310 133100 1331000"),
    (4, {"teams": "pairs"}, 1, "10 100 1000 10000 180000 1620000"),
    (5, {"jokers": 1}, 1, "10 100 1000 10000 100000 1800000"),
    (6, {}, 1, "9 81 729 6561 104976 839808"),
    (6, {"jokers": 2}, 1, "9 81 729 6561 59049 531441"),
]
GOLDEN = {
    # players, options, seed
    "plain": (3, {"rounds": 1}, 8),
    "jokers-and-pairs": (4, {"rounds": 1, "jokers": 2, "teams": "pairs"}, 9),
}
UNTAUGHT = {4, 19, 22, 26}
"""The clauses that a first game does not come to: rare cases, and what follows from the others."""
TAKEN_BACK = {"??", "dark"}
"""The kinds of what may be taken back at one moment or another, as spectators see it."""
