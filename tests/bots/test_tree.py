"""The tree of information sets: choice of edges and values of nodes. Interpreted."""

import numpy as np
import pytest

from parlour.bots.lookahead import new_lead_model
from parlour.bots.tree import KNOWN_WELL, NODE, UNSEEN_ACTION, add_child, child_of, choose_action, grow, new_slots
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.compiled import interpreted
from parlour.engine.information.belief import NO_POOL
from parlour.engine.information.determinization import new_table
from parlour.engine.match import Match
from parlour.engine.rules import NO_ACTION, array_of, new_states
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import play_at_random


def match_where(game: str, players: int, wanted, **options) -> Match:
    """Return the first position of some random games that satisfies ``wanted``."""
    for seed in range(1, 20):
        for match in play_at_random(Match(Setup(find_game(game), players, options)), seed):
            if match.actor >= 0 and wanted(match):
                return match
    raise AssertionError("these games have no such moment")


def some_nodes(number: int = 64):
    """Return a tree of a root alone with room for more nodes, and its hash table."""
    nodes = np.zeros(number, NODE)
    nodes[0].first = -1
    return nodes, new_slots(number)


def follow(match: Match, nodes, slots, seat: int) -> int:
    """Return the action that the tree follows from its root in the determinization of this match."""
    actions = np.array(match.moves(), np.int64)
    return int(choose_action(nodes, slots, 0, match.state, actions, len(actions), seat, new_stream(1)))


class TestWhichEdge:
    """In Trick Walls the first player of a trick has several cards to choose from."""

    @pytest.fixture
    def match(self) -> Match:
        return match_where("trick-walls", 4, lambda match: len(match.moves()) >= 9)

    def tree_with(self, match: Match, some, **of):
        """Return a tree whose edges are the legal actions ``some``, with visits, totals and availability counts."""
        nodes, slots = some_nodes()
        for number, index in enumerate(some, 1):
            add_child(nodes, slots, 0, number, match.moves()[index], match.actor)
            for name, values in of.items():
                nodes[number][name] = values[number - 1]
        return nodes, slots

    def test_an_edge_available_more_often_is_preferred_at_equal_value(self, match: Match) -> None:
        all_of_them = range(len(match.moves()))
        available = [20 if index != 4 else 90 for index in all_of_them]
        nodes, slots = self.tree_with(match, all_of_them, visits=[10] * 9, total=[5.0] * 9, available=available)
        nodes[0].visits = 100
        assert follow(match, nodes, slots, match.actor) == match.moves()[4]
        assert [int(nodes[number].available) for number in range(1, 10)] == [times + 1 for times in available]

    def test_an_edge_of_higher_value_is_preferred(self, match: Match) -> None:
        all_of_them = range(len(match.moves()))
        total = [5.0 if index != 6 else 7.0 for index in all_of_them]
        nodes, slots = self.tree_with(match, all_of_them, visits=[10] * 9, total=total, available=[50] * 9)
        assert follow(match, nodes, slots, match.actor) == match.moves()[6]

    @pytest.mark.parametrize(("visits", "fresh"), [(4, False), (5, True)])
    def test_few_edges_for_the_visits_open_a_new_one(self, match: Match, visits, fresh) -> None:
        """Three edges at four visits are the maximum: 1 + √4 = 3."""
        nodes, slots = self.tree_with(match, [0, 1, 2], visits=[2, 1, 1], total=[1.0] * 3, available=[4] * 3)
        nodes[0].visits = visits
        assert (follow(match, nodes, slots, match.actor) not in match.moves()[:3]) is fresh


class TestHiddenActions:
    def test_hidden_actions_are_one_edge_available_once(self) -> None:
        match = match_where("tricky-tribes", 4, lambda match: match.state.played > 0 and len(match.moves()) > 3)
        seat = (match.actor + 1) % 4
        nodes, slots = some_nodes()
        add_child(nodes, slots, 0, 1, UNSEEN_ACTION, match.actor)
        nodes[1].visits, nodes[1].available = 3, 7
        assert follow(match, nodes, slots, seat) in match.moves()
        assert nodes[1].available == 8


def grow_tree(match: Match, effort: int, openings: tuple[int, ...] = ()):
    """Return the nodes of a tree grown for the seat to act, and their hash table."""
    (nodes, slots), seat = some_nodes(4096), match.actor
    observed = array_of(match.observed(seat))
    interpreted(grow)(
        observed, new_states(observed.dtype, 2), seat, effort, np.array(openings, np.int64), nodes, slots,
        new_lead_model(), NO_POOL, new_table(), 5, 0, new_stream(0),
    )  # fmt: skip
    return nodes, slots


def nodes_below(nodes, node: int):
    child = int(nodes[node].first)
    while child >= 0:
        yield child
        child = int(nodes[child].next)


class TestValues:
    """At the end of a decided game the side of seats 0 and 1 wins with every action; seat 1 is to act."""

    @pytest.fixture
    def match(self) -> Match:
        match = match_where(
            "trick-walls",
            4,
            lambda match: match.state.tricks == 6 and match.actor == 1 and len(match.moves()) > 1,
            rounds=1,
        )
        match.state.lead = 500 if match.state.team[0] == match.state.red_team else -500
        return match

    def test_the_value_of_a_node_is_that_of_the_seat_that_chose_it(self, match: Match) -> None:
        nodes, _ = grow_tree(match, 2500)
        by_side: dict[bool, list[float]] = {True: [], False: []}
        for child in nodes_below(nodes, 0):
            for node in (child, *nodes_below(nodes, child)):
                own = bool(int(rules.partners(match.state, 1)) >> int(nodes[node].by) & 1)
                by_side[own].append(float(nodes[node].total / nodes[node].visits))
        assert min(by_side[True]) > 1
        assert max(by_side[False]) < 0

    def test_other_seats_use_the_tree_only_after_many_visits(self, match: Match) -> None:
        nodes, _ = grow_tree(match, 2500)
        with_others = [child for child in nodes_below(nodes, 0) if nodes[child].first >= 0]
        without = [child for child in nodes_below(nodes, 0) if nodes[child].first < 0]
        assert with_others
        assert all(nodes[child].visits > KNOWN_WELL for child in with_others)
        assert not without or all(nodes[child].visits <= KNOWN_WELL for child in without)

    def test_every_opening_is_visited_once_with_any_effort(self, match: Match) -> None:
        openings = tuple(match.moves()[:2])
        nodes, _ = grow_tree(match, 1, openings)
        visits = {int(nodes[child].action): int(nodes[child].visits) for child in nodes_below(nodes, 0)}
        assert visits == dict.fromkeys(openings, 1)

    def test_every_iteration_begins_with_an_opening(self, match: Match) -> None:
        assert NO_ACTION not in match.moves()
        nodes, slots = grow_tree(match, 200)
        assert {int(nodes[child].action) for child in nodes_below(nodes, 0)} <= set(match.moves())
        assert child_of(nodes, slots, 0, NO_ACTION) < 0

    def test_every_child_is_found_by_its_action(self) -> None:
        """Also with many nodes in the hash table and arbitrary action numbers."""
        nodes, slots = some_nodes(256)
        actions = [UNSEEN_ACTION, -7, 0, 1, *(1 << bit for bit in range(1, 60)), *range(130, 190)]
        for number, action in enumerate(actions, 1):
            add_child(nodes, slots, (number % 3) * 2, number, action, 0)
        for number, action in enumerate(actions, 1):
            assert [child_of(nodes, slots, node, action) for node in (0, 2, 4)] == [
                number if node == (number % 3) * 2 else -1 for node in (0, 2, 4)
            ]
