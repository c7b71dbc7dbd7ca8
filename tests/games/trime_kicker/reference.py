"""What is kept of Trime Kicker, and held against the code."""

PERFT = [
    # players, options, seed, the numbers of sequences of 1, 2, 3 … actions
    (2, {}, 1, "17 313 4972 79164 1121612 14966048 184274448"),
    (2, {"ace": "high"}, 1, "17 313 4972 79164 1121612 14966048 184274448"),
    (2, {"ace": "low", "judge": "leader"}, 1, "17 313 4956 78828 1104859 14713383 176787882"),
]
GOLDEN = {
    # players, options, seed
    "plain": (2, {}, 0),
    "low-ace": (2, {"ace": "low", "judge": "leader"}, 91),
}
UNTAUGHT = {15}
"""The clauses that a first game does not come to: rare cases, and what follows from the others."""
TAKEN_BACK = {"decline"}
"""The kinds of what may be taken back at one moment or another, as spectators see it."""
