"""Perft: reference counts of action sequences from fixed deals, and a naive count to check them.

The reference counts of a game (``tests/games/<game>/reference.py``) change only if its rules change, or the order of
chance events. A game without counts is an error.
"""

import pytest

from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.engine.simulation.perft import perft
from parlour.games import all_games, find_game, game_ids
from tests.game_modules import module_of

KEPT = [(game.id, *case) for game in all_games() for case in module_of(game, "reference").PERFT]

CASES = pytest.mark.parametrize(
    ("game_id", "players", "options", "seed", "kept"),
    KEPT,
    ids=[f"{case[0]}-{case[1]}-{'-'.join(case[2]) or 'plain'}" for case in KEPT],
)
NAIVE_SEQUENCES = 300
"""Largest number of sequences that the naive count extends; it plays every sequence from its first event."""
INTERPRETED_SEQUENCES = 1000
"""Largest number of sequences for the interpreter, which counts a thousand times slower."""


def match_after(game, players, options, seed, actions):
    """Return a match after these actions, with the same chance events as in perft."""
    match = Match(Setup(game, players, options))
    for done in range(len(actions) + 1):
        chance = StreamRandomness(new_stream(seed, done))
        while match.actor == CHANCE:
            match.apply_chance(match.sample_chance(chance))
        if done < len(actions):
            match.act(actions[done])
    return match


def naive(game, players, options, seed, depth):
    """Return the number of sequences of each length up to ``depth``, each sequence played from its first event."""
    sequences, counts = [[]], []
    for _ in range(depth):
        sequences = [
            [*done, action] for done in sequences for action in match_after(game, players, options, seed, done).legal()
        ]
        counts.append(len(sequences))
    return tuple(counts)


def perft_counts(game_id, players, options, seed, depth, interpret=False):
    game = find_game(game_id)
    return perft(Setup(game, players, options), seed, depth, interpret)


@pytest.mark.slow  # compiles
@CASES
class TestPerft:
    def test_the_counts_are_the_reference_counts(self, game_id, players, options, seed, kept):
        assert " ".join(map(str, perft_counts(game_id, players, options, seed, len(kept.split())))) == kept

    def test_a_naive_count_agrees(self, game_id, players, options, seed, kept):
        depth = 1 + sum(int(number) <= NAIVE_SEQUENCES for number in kept.split()[:-1])
        assert depth >= 2
        ours = perft_counts(game_id, players, options, seed, depth)
        assert ours == naive(find_game(game_id), players, options, seed, depth)

    def test_the_interpreter_agrees(self, game_id, players, options, seed, kept):
        depth = sum(int(number) <= INTERPRETED_SEQUENCES for number in kept.split())
        ours = perft_counts(game_id, players, options, seed, depth)
        assert ours == perft_counts(game_id, players, options, seed, depth, interpret=True)


def test_every_game_has_reference_counts():
    assert {case[0] for case in KEPT} == set(game_ids())


def test_depth_zero_has_no_counts():
    assert perft_counts("trick-walls", 2, {}, 1, 0) == ()


def test_a_seed_determines_the_deal():
    assert perft_counts("trick-walls", 4, {}, 1, 5) != perft_counts("trick-walls", 4, {}, 2, 5)
