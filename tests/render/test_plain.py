"""States in Python's own numbers (``PlainState``) are masked and sampled like NumPy records."""

import numpy as np
import pytest

from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import (
    determinize,
    determinize_state,
    new_plain_table,
    observed_plain_state,
    observed_state,
)
from parlour.engine.match import Match
from parlour.engine.rules import SPECTATOR, PlainState
from parlour.engine.setup import Setup
from parlour.games import all_games
from tests.helpers import play_at_random


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_masking_and_sampling_give_the_same_state(game):
    match, table = Match(Setup(game, game.players[-1])), new_plain_table()
    for number, _ in zip(range(40), play_at_random(match, 5), strict=False):
        truth = match.state.tobytes()
        for seat in range(SPECTATOR, match.players):
            observed, plain = observed_state(match.state, seat), observed_plain_state(match.state, seat)
            assert PlainState(observed) == plain
            if seat != SPECTATOR:
                one = determinize(observed, seat, new_stream(number))
                determinize_state(plain, seat, table, new_stream(number))
                assert PlainState(one) == plain
        assert match.state.tobytes() == truth


def test_copies_are_independent():
    match = Match(Setup(all_games()[0], all_games()[0].players[0]))
    one = PlainState(match.state)
    other = one.copy()
    other.private[0] = 7
    assert one != other
    assert not np.array_equal(one.private, other.private)
