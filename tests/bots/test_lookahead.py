"""Lookahead of one action: values of scores, weights of determinizations, common chance."""

import numpy as np
import pytest

from parlour.bots.lookahead import new_lead_model, share_and_lead
from parlour.bots.search import Search
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import likely_determinization, new_table, prepare_determinization
from parlour.engine.match import Match
from parlour.engine.rules import MAX_SEATS, OVER, array_of, new_states
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.games.castle_walls.tables import table
from tests.helpers import play_at_random


def final_state(players: int, lead: int):
    """Return a final state of Trick Walls in which red has ``lead`` points more than black."""
    state = Setup(find_game("trick-walls"), players).new_state()
    state.red_team, state.lead, state.actor = 0, lead, OVER
    return state


def current_result(state, seat: int) -> tuple[float, float]:
    return share_and_lead(state, seat, np.zeros(MAX_SEATS, np.int64))


class TestScoreValues:
    """Three players are two against one, four are two against two."""

    @pytest.mark.parametrize(("players", "seat", "share"), [(3, 0, 0.5), (3, 2, 0.5), (4, 1, 0.5)])
    def test_sides_that_share_the_first_place_have_equal_shares_of_it(self, players, seat, share) -> None:
        assert current_result(final_state(players, 0), seat) == (share, 0.0)

    def test_partners_share_the_first_place(self) -> None:
        state = final_state(4, 5)
        assert [current_result(state, seat)[0] for seat in range(4)] == [1, 1, 0, 0]

    def test_the_lead_is_the_difference_to_the_best_of_the_other_side(self) -> None:
        state = final_state(4, 5)
        assert [current_result(state, seat)[1] for seat in range(4)] == [10, 10, -10, -10]


class TestDeterminizations:
    def test_likely_choices_of_others_weigh_more(self) -> None:
        """In Castle Walls a high card is put face down half as often as at random."""
        match = table(["7H 8H 9H"], actions="down 7H 1, end")
        observed, work, scratch, stream = (
            array_of(match.observed(1)),
            new_states(match.state.dtype, 1),
            new_table(),
            new_stream(1),
        )
        prepare_determinization(observed[0], 1, scratch)
        high = 0
        for _ in range(400):
            likely_determinization(work, observed, 1, scratch, stream)
            high += (int(work[0].down[0, 0]).bit_length() - 1) % 13 >= 6
        assert 0.27 < high / 400 < 0.47, "about 37 of 100, instead of 54"


class TestTrials:
    def test_all_actions_are_tried_in_the_same_determinizations_with_the_same_chance(self) -> None:
        match = Match(Setup(find_game("trick-walls"), 4, {"rounds": 1}))
        match = next(match for match in play_at_random(match, 1) if len(match.moves()) >= 9)
        search = Search(match.observed(match.actor), match.actor, match.moves(), 1, (new_lead_model(), 0.0))
        values, _ = search.compare([search.moves[0]] * 2 + [search.moves[1]], 24)
        assert values[:, 0].tolist() == values[:, 1].tolist()
        assert values[:, 0].tolist() != values[:, 2].tolist()
