"""What chances to win make of a game: worked out by hand."""

import numpy as np
import pytest

from parlour.lab.chances import tension_of


def chances(*rows: tuple[float, ...]) -> np.ndarray:
    """Decisions × sides, both halves of the guesses telling the same."""
    return np.repeat(np.array(rows)[:, :, None], 2, axis=2)


class TestTension:
    def test_drama_is_how_far_the_winner_was_behind(self) -> None:
        told = tension_of(chances((0.5, 0.5), (0.2, 0.8), (0.4, 0.6), (0.9, 0.1)), 0, 32)
        assert told.drama == pytest.approx((0 + 0.6 + 0.2 + 0) / 4)

    def test_a_game_that_is_never_in_doubt_has_none_and_is_decided_at_once(self) -> None:
        told = tension_of(chances((0.7, 0.3), (0.8, 0.2)), 0, 32)
        assert (told.drama, told.decisive, told.comeback) == (0.0, 0.0, 0.0)

    def test_it_is_decided_when_the_winner_is_above_the_greatest_chance_of_any_other(self) -> None:
        rows = [(0.6, 0.4), (0.2, 0.8), (0.7, 0.3), (0.85, 0.15), (0.9, 0.1)]
        assert tension_of(chances(*rows), 0, 32).decisive == 3 / 5
        assert tension_of(chances((0.5, 0.5), (0.4, 0.9)), 0, 32).decisive == 1.0

    def test_a_comeback_was_at_half_an_even_share_half_way(self) -> None:
        assert tension_of(chances((0.5, 0.5), (0.25, 0.75), (1.0, 0.0)), 0, 32).comeback == 1.0
        assert tension_of(chances((0.1, 0.9), (0.26, 0.74), (1.0, 0.0)), 0, 32).comeback == 0.0
        three = chances((0.4, 0.3, 0.3), (0.2, 0.4, 0.4))
        assert tension_of(three, 0, 32).comeback == 0.0

    def test_the_luck_of_the_guesses_makes_no_drama(self) -> None:
        """Both sides are even, and each half of the guesses errs by itself."""
        noise = np.random.default_rng(1).normal(0.5, 0.1, (4000, 2, 2))
        assert tension_of(noise, 0, 32).drama == pytest.approx(0, abs=0.006)

    def test_the_curve_goes_from_the_first_decision_to_the_last(self) -> None:
        told = tension_of(chances(*((each / 20, 1 - each / 20) for each in range(21))), 0, 32)
        assert told.curve == pytest.approx(np.linspace(0, 1, 11))
