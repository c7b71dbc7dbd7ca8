"""Perft: kept counts of sequences of actions from fixed deals, and a naive count to check them by.

A game's kept counts change only if its rules do, or the order in which chance is asked. A game without kept counts is
an error: add a line for it.
"""

import pytest

from parlour.engine.chance import new_stream
from parlour.engine.match import Match, StreamRandomness
from parlour.engine.perft import perft
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.games import find_game, game_ids

KEPT = [
    # game, players, options, seed, the numbers of sequences of 1, 2, 3 … actions
    ("castle-walls", 2, {}, 1, "25 49 667 2140 17128 88210 593161 3439219"),
    ("castle-walls", 2, {"turn_limit": 3}, 2, "25 49 667 2028 16368 38181 40077 23748 8712"),
    ("trick-walls", 2, {}, 1, "9 23 63 72 288 372 696 1054 7378 15148 25088 92288 369152 875628 2376824 6950136"),
    ("trick-walls", 3, {}, 1, "9 23 63 106 424 676 1662 2904 20328 54252 83760 302208 1813248 3566880 9942048"),
    ("trick-walls", 4, {}, 1, "9 19 45 72 576 1824 4770 6600 46200 172056 483120 663552 3981312"),
    ("trick-walls", 5, {}, 1, "8 20 44 80 164 332 1328 2576 4160 7232 13784 31208 187248 390136"),
    ("trick-walls", 6, {}, 1, "8 34 83 149 254 494 3458 6290 11094 20004 39096 70416"),
    ("trick-walls", 4, {"long_run": True}, 1, "13 169 2197 28561 371293 1184352"),
    ("trick-walls", 4, {"long_run": True, "exchange": False}, 1, "13 41 139 356 4272 14112 40848 116832 1285152"),
    ("trick-walls", 2, {"long_run": True}, 1, "13 169 2197 5824 20160 24186 96744 269112 369660"),
    ("tricky-tribes", 2, {}, 1, "10 100 900 8100 103696 829568 8875258"),
    ("tricky-tribes", 3, {}, 1, "10 100 1000 18000 162000 1458000 22267512"),
    ("tricky-tribes", 3, {"dummy": True, "hand_cards": 10, "jokers": 2}, 1, "11 121 1331 13310 133100 1331000"),
    ("tricky-tribes", 4, {"teams": "pairs"}, 1, "10 100 1000 10000 180000 1620000"),
    ("tricky-tribes", 5, {"jokers": 1}, 1, "10 100 1000 10000 100000 1800000"),
    ("tricky-tribes", 6, {}, 1, "9 81 729 6561 104976 839808"),
    ("tricky-tribes", 6, {"jokers": 2}, 1, "9 81 729 6561 59049 531441"),
    ("trime-kicker", 2, {}, 1, "17 313 4972 79164 1121612 14966048 184274448"),
    ("trime-kicker", 2, {"ace": "high"}, 1, "17 313 4972 79164 1121612 14966048 184274448"),
    ("trime-kicker", 2, {"ace": "low", "judge": "leader"}, 1, "17 313 4956 78828 1104859 14713383 176787882"),
    ("three-tricks", 2, {}, 1, "67 4746 306210"),
    ("three-tricks", 2, {}, 2, "67 4355 276884"),
    ("three-tricks", 2, {"replacing_ends_turn": False, "rank_block": "any"}, 1, "67 4749 306558"),
]

CASES = pytest.mark.parametrize(
    ("game_id", "players", "options", "seed", "kept"),
    KEPT,
    ids=[f"{case[0]}-{case[1]}-{'-'.join(case[2]) or 'plain'}" for case in KEPT],
)
NAIVE_SEQUENCES = 300
"""The naive count plays every sequence from its first event on, and lists what may follow: of at most so many."""
INTERPRETED_SEQUENCES = 1000
"""The interpreter counts a thousand times slower, so it counts as deep as there are so many."""


def after(game, players, options, seed, actions):
    """A match after these actions, with chance as perft has it."""
    match = Match(Setup(game, players, options))
    for done in range(len(actions) + 1):
        chance = StreamRandomness(new_stream(seed, done))
        while match.actor == CHANCE:
            match.take_chance(chance)
        if done < len(actions):
            match.play(actions[done], match.actor)
    return match


def naive(game, players, options, seed, depth):
    """All sequences as lists of texts, one action longer at a time."""
    sequences, counts = [[]], []
    for _ in range(depth):
        sequences = [
            [*done, action] for done in sequences for action in after(game, players, options, seed, done).legal()
        ]
        counts.append(len(sequences))
    return tuple(counts)


def counted(game_id, players, options, seed, depth, interpret=False):
    game = find_game(game_id)
    return perft(Setup(game, players, options), seed, depth, interpret)


@pytest.mark.slow  # compiles
@CASES
class TestPerft:
    def test_the_counts_are_those_kept(self, game_id, players, options, seed, kept):
        assert " ".join(map(str, counted(game_id, players, options, seed, len(kept.split())))) == kept

    def test_a_naive_count_agrees(self, game_id, players, options, seed, kept):
        depth = 1 + sum(int(number) <= NAIVE_SEQUENCES for number in kept.split()[:-1])
        assert depth >= 2
        ours = counted(game_id, players, options, seed, depth)
        assert ours == naive(find_game(game_id), players, options, seed, depth)

    def test_so_does_the_interpreter(self, game_id, players, options, seed, kept):
        depth = sum(int(number) <= INTERPRETED_SEQUENCES for number in kept.split())
        ours = counted(game_id, players, options, seed, depth)
        assert ours == counted(game_id, players, options, seed, depth, interpret=True)


def test_every_game_has_kept_counts():
    assert {case[0] for case in KEPT} == set(game_ids())


def test_no_depth_is_no_count():
    assert counted("trick-walls", 2, {}, 1, 0) == ()


def test_a_seed_is_a_deal():
    assert counted("trick-walls", 4, {}, 1, 5) != counted("trick-walls", 4, {}, 2, 5)
