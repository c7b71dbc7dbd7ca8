"""Tricky Tribes: cards taken back one by one, for searches that ask what the others' actions say."""

import pytest

from parlour.engine import rules
from parlour.engine.match import Match
from parlour.engine.rules import CHANCE, NO_ACTION, copy_state
from parlour.engine.setup import Setup
from tests.games.tricky_tribes.tables import TRICKY_TRIBES, begin, deal, facts, table
from tests.helpers import play, play_at_random


def taken_back(match: Match) -> list[tuple[int, str]]:
    """Return the seats and actions that are taken back, the first played first."""
    state, found = copy_state(match.state), []
    while (action := int(rules.undo(state))) != NO_ACTION:
        found.append((int(state.actor), match.game.name(state, action)))
    return found[::-1]


def played(match: Match) -> list[tuple[int, str]]:
    """Return the seats and actions of this round's tricks."""
    first = max(number for number, event in enumerate(match.events) if event.by == CHANCE)
    actions = [(event.by, event.do) for event in match.events[first + 1 :]]
    return [action for action in actions if action[1].split()[0] not in ("keep", "swap", "discard")]


class TestCardsTakenBack:
    @pytest.mark.parametrize(
        ("players", "options"),
        [
            (2, {}),
            (3, {"dummy": True}),
            (4, {"jokers": 2}),
            (5, {"exchange": False}),
            (6, {}),
            (2, {"hand_cards": 16, "cut_deck": False}),
        ],
    )
    def test_are_all_cards_of_the_round_in_reverse_order(self, players, options):
        compared = 0
        for match in play_at_random(Match(Setup(TRICKY_TRIBES, players, options)), players):
            if match.actor >= 0:
                assert taken_back(match) == played(match)
                compared += len(played(match)) > players
        assert compared > 20

    def test_are_none_before_the_first_card_and_none_of_the_round_before(self):
        match = table([], "open 7H, 2C, 3C, 4C")
        assert taken_back(deal(begin(), [])) == []
        for _ in play_at_random(match, 1, until_chance=True):
            pass
        assert taken_back(deal(match, [])) == []

    def test_lie_in_their_hands_again_and_the_trick_is_what_it_was(self):
        match = table([], "open 7H, 2C, 3C, 4C")
        start = copy_state(table(["7H", "2C", "3C", "4C"]).state)
        state = copy_state(match.state)
        for _ in range(4):
            rules.undo(state)
        assert state.hand.tolist() == start.hand.tolist()
        assert (state.actor, state.played, state.is_open, state.above) == (0, 0, 0, 0)

    def test_show_the_offer_again_to_those_who_answered_it(self):
        match = table([], "open 7H, 2C, 3C, 4C")
        before = table([], "open 7H, 2C, 3C")
        state = copy_state(match.state)
        rules.undo(state)
        assert (state.is_open, state.above, state.trick[0]) == (1, before.state.above, before.state.trick[0])

    def test_leave_the_demand_for_an_open_trick_where_it_was(self):
        """TT-15."""
        match = play(table([], "dark AS, 2C, 3C, 4C"), "open 5C, 2D,")
        assert facts(match)["trick"] == [0, 1]
        state, demands = copy_state(match.state), []
        for _ in range(6):
            rules.undo(state)
            demands.append(int(state.must_open))
        assert demands == [1, 1, 0, 0, 0, 0]
