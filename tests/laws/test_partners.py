"""Partners always win and lose together, other seats do not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.engine.rules import partners
from parlour.engine.simulation.playouts import run_playouts
from tests.laws.walks import GAMES, SEEDS, setups

pytestmark = pytest.mark.slow  # compiles


def sides(setup):
    """Return each seat's set of partners before the first event."""
    start = setup.new_state()
    return [int(partners(start, seat)) for seat in range(setup.players)]


def share_first_place(playouts, seat, other):
    """Return the games in which both seats are first or neither is."""
    return (playouts.winners >> seat & 1) == (playouts.winners >> other & 1)


@pytest.mark.parametrize("game_id", GAMES)
class TestPartners:
    @settings(max_examples=15)
    @given(data=st.data(), seed=SEEDS)
    def test_exactly_partners_always_score_and_win_alike(self, game_id, data, seed):
        setup = data.draw(setups(GAMES[game_id]))
        playouts = run_playouts(setup, 200, seed, threads=1)
        together = sides(setup)
        if np.all(playouts.winners == (1 << setup.players) - 1):
            return  # a game too short for a lead
        for seat in range(setup.players):
            for other in range(setup.players):
                alike = share_first_place(playouts, seat, other)
                alike &= playouts.scores[:, seat] == playouts.scores[:, other]
                assert bool(np.all(alike)) == bool(together[seat] >> other & 1)

    @settings(max_examples=15)
    @given(data=st.data())
    def test_every_seat_is_on_exactly_one_side(self, game_id, data):
        setup = data.draw(setups(GAMES[game_id]))
        together = sides(setup)
        assert sum(set(together)) == (1 << setup.players) - 1
        assert all(side >> seat & 1 for seat, side in enumerate(together))
