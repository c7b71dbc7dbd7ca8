"""Clause counts of events, and sources of points."""

import sys
from dataclasses import replace

import pytest

from parlour.contests.clause_counts import ClauseTracer, citations_of, clauses_in
from parlour.engine.game import Line
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from tests.contests.traced_deals import TRICKS, traced_deal

KICKER = find_game("trime-kicker")
SUITS = "CDHS"


class TestCitations:
    @pytest.mark.parametrize(
        ("text", "clauses"),
        [
            ("TW-1, TW-2.", {"TW-1", "TW-2"}),
            ("TW-3 to TW-5 and TW-9: a run.", {"TW-3", "TW-4", "TW-5", "TW-9"}),
            ("CW-3, ATW-4", set()),
        ],
    )
    def test_clauses_are_cited_singly_or_as_a_range(self, text: str, clauses: set[str]) -> None:
        assert clauses_in(text, "TW") == clauses

    def test_a_citation_of_a_line_replaces_those_of_docstrings(self) -> None:
        cited = citations_of(TRICKS)
        by_lines = {clause for lines in cited.lines.values() for clauses in lines.values() for clause in clauses}
        by_functions = frozenset().union(*cited.functions.values())
        assert "3T-7" in by_lines
        assert "3T-16" in by_functions
        assert not by_lines & by_functions
        assert set(cited.clauses) == by_lines | by_functions

    def test_citations_are_in_the_order_of_the_rulebook(self) -> None:
        for game in all_games():
            numbers = [int(clause.split("-")[1]) for clause in citations_of(game).clauses]
            assert numbers == sorted(numbers)


class TestFiring:
    def test_a_clause_fires_at_most_once_an_event(self) -> None:
        watch, match = traced_deal()
        match.act("swap 2C 3C", 1)
        assert watch.events["3T-7"] == 1
        assert watch.events["3T-8"] == 0
        match.act("lay 2D 3D", 0)
        assert (watch.events["3T-7"], watch.events["3T-8"]) == (1, 1)
        assert watch.events["3T-9"] == 0

    def test_the_blocking_clause_fires_only_if_a_trick_can_be_blocked(self) -> None:
        watch, match = traced_deal()
        match.act("lay 2C 3C", 1)
        assert watch.events["3T-11"] == 0
        match.act("pass", 0)
        assert watch.events["3T-11"] == 1
        assert watch.events["3T-13"] == 0

    def test_clauses_of_options_fire_with_the_first_event(self) -> None:
        game, fired = find_game("tricky-tribes"), []
        for jokers in (0, 1):
            watch = ClauseTracer(game)
            setup = Setup(game, 4, {"jokers": jokers})
            watch.begin(setup)
            Match(setup, watch.steps).apply_chance("dealer 0")
            fired.append(watch.events["TT-20"])
        assert fired == [0, 1]

    def test_their_counts_are_in_the_order_of_the_rulebook(self) -> None:
        """The clauses of an event are a set of texts, whose order depends on Python's hash seed."""
        watch = ClauseTracer(TRICKS)
        watch.events.update({"3T-21": 2, "3T-7": 30, "3T-11": 4})
        state = Setup(TRICKS, 2).new_state()
        fired = [*watch.counts_of(state, (0, 0)).clauses]
        assert {"3T-7", "3T-11", "3T-21"} <= {*fired}
        assert fired == sorted(fired, key=lambda clause: int(clause.split("-")[1]))

    def test_tracing_stops_afterwards(self) -> None:
        before = sys.gettrace()
        traced_deal()
        assert sys.gettrace() is before

    def test_a_traced_game_is_the_same_game(self) -> None:
        watch, match = traced_deal()
        plain = Match(Setup(TRICKS, 2))
        for event in match.events:
            plain.apply_chance(event.do)
        assert plain.state.tobytes() == match.state.tobytes()
        assert watch.events["3T-5"] == 1


class TestSourcesOfPoints:
    def final_state(self):
        """Return a final state: seat 0 has two piles, one of them with the bonus, and seat 1 one."""
        state = Setup(KICKER, 2).new_state()
        for pile, (player, card) in enumerate([(0, "8C"), (0, "8S"), (1, "8C")]):
            state.controller[pile] = player
            state.top[pile] = 6 + 13 * SUITS.index(card[1])
        return state

    def test_lines_that_differ_in_a_number_are_one_source(self) -> None:
        assert ClauseTracer(KICKER).counts_of(self.final_state(), (12, 5)).points == {
            "pile (TK-16)": [10, 5],
            "bonus on pile (TK-16)": [2, 0],
        }

    def test_a_source_has_neither_numbers_nor_the_text_after_a_colon(self) -> None:
        lines = [
            Line("trick 3", (2, 0), "XY-3", 0),
            Line("trick 12: the ace of hearts", (0, 3), "XY-3", 1),
            Line("trick", (1, 0), "XY-4", 0),
        ]
        watch = ClauseTracer(replace(KICKER, lines=lambda state: lines))
        for _ in range(2):
            watch._take_points(self.final_state())
        assert watch.points == {"trick (XY-3)": [4, 6], "trick (XY-4)": [2, 0]}

    def test_lines_that_do_not_add_up_to_the_score_give_no_sources(self) -> None:
        assert ClauseTracer(KICKER).counts_of(self.final_state(), (11, 5)).points == {}

    def test_clauses_of_the_final_count_fire(self) -> None:
        assert ClauseTracer(KICKER).counts_of(self.final_state(), (12, 5)).clauses["TK-16"] == 1
