"""What is kept of Trick Walls, and held against the code."""

PERFT = [
    # players, options, seed, the numbers of sequences of 1, 2, 3 … actions
    (2, {}, 1, "9 23 63 72 288 372 696 1054 7378 15148 25088 92288 369152 875628 2376824 6950136"),
    (3, {}, 1, "9 23 63 106 424 676 1662 2904 20328 54252 83760 302208 1813248 3566880 9942048"),
    (4, {}, 1, "9 19 45 72 576 1824 4770 6600 46200 172056 483120 663552 3981312"),
    (5, {}, 1, "8 20 44 80 164 332 1328 2576 4160 7232 13784 31208 187248 390136"),
    (6, {}, 1, "8 34 83 149 254 494 3458 6290 11094 20004 39096 70416"),
    (4, {"long_run": True}, 1, "13 169 2197 28561 371293 1184352"),
    (4, {"long_run": True, "exchange": False}, 1, "13 41 139 356 4272 14112 40848 116832 1285152"),
    (2, {"long_run": True}, 1, "13 169 2197 5824 20160 24186 96744 269112 369660"),
]
GOLDEN = {
    # players, options, seed
    "two-players": (2, {"rounds": 1}, 4),
    "long-run": (4, {"rounds": 1, "long_run": True, "kill_balance": True}, 5),
    "city-keepers": (5, {"rounds": 1, "city_keepers": True, "pure_bonus_points": 5}, 6),
}
TAKEN_BACK = {"CARD", "give"}
"""The kinds of what may be taken back at one moment or another, as spectators see it."""
