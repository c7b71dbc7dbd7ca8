"""The law on ``undo``: each way of restoring a decision wrongly is found."""

from collections.abc import Callable
from typing import Any

import pytest

from parlour.authors import laws
from parlour.authors.undo_law import PastDecisions
from parlour.cards import bit
from parlour.engine import compiled
from parlour.engine.matches.steps import INTERPRETED
from parlour.engine.rules import NO_ACTION
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.games.tricky_tribes.undo import undo

TRICKY_TRIBES = find_game("tricky-tribes")


def first_violation(players: int = 4) -> str:
    """Return what the law finds first in two random games."""
    for seed in (1, 2):
        past, before = PastDecisions(), None
        for match in laws.walk(Setup(TRICKY_TRIBES, players, {"rounds": 2}), seed, INTERPRETED):
            past.note(before, match)
            if found := past.check(match):
                return found
            before = match.copy()
    return ""


def leaves_the_card(state: Any) -> int:
    held = state.hand.copy()
    action = undo(state)
    state.hand[:] = held
    return action


def leaves_the_actor(state: Any) -> int:
    actor = state.actor
    action = undo(state)
    state.actor = actor
    return action


def forgets_that_a_card_was_dark(state: Any) -> int:
    action = undo(state)
    return action if action == NO_ACTION else action % 64


def forgets_the_offer(state: Any) -> int:
    action = undo(state)
    state.above = 0
    return action


def never_ends(state: Any) -> int:
    action = undo(state)
    return 0 if action == NO_ACTION else action


def deals_another_card(state: Any) -> int:
    action = undo(state)
    if action != NO_ACTION and action % 64 != 5:
        state.hand[state.actor] = state.hand[state.actor] & ~bit(action % 64) | bit(5)
    return action


class TestTheLaw:
    @pytest.mark.parametrize("players", [2, 4])
    def test_holds_for_tricky_tribes(self, players):
        assert first_violation(players) == ""

    @pytest.mark.parametrize(
        ("broken", "says"),
        [
            (leaves_the_card, "other actions are legal"),
            (deals_another_card, "other actions are legal"),
            (leaves_the_actor, "is to act, not"),
            (forgets_that_a_card_was_dark, "the action is"),
            (forgets_the_offer, "the values of the actions differ"),
            (never_ends, "takes back more actions than this round had"),
        ],
    )
    def test_finds(self, broken: Callable[[Any], int], says: str, monkeypatch: pytest.MonkeyPatch):
        key = ("undo", TRICKY_TRIBES.dtype.names)
        monkeypatch.setitem(compiled._implementations, key, broken)
        assert says in first_violation()
