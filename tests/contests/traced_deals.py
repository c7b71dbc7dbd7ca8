"""Deals whose clauses are counted."""

from parlour.cards import card_name
from parlour.contests.clause_counts import ClauseTracer
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game

TRICKS = find_game("three-tricks")


def traced_deal() -> tuple[ClauseTracer, Match]:
    """Return a tracer and its match after a deal: seat 1 has the clubs from two to eight, seat 0 those diamonds."""
    watch = ClauseTracer(TRICKS)
    match = Match(Setup(TRICKS, 2), watch.steps)
    match.apply_chance("dealer 0")
    hands = [card for rank in range(7) for card in (rank, 13 + rank)]
    deck = [*hands, *(card for card in range(52) if card not in hands)]
    match.apply_chance(" ".join(["deal", *map(card_name, deck)]))
    return watch, match
