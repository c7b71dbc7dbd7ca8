"""The same game as OpenSpiel's ``oh_hell``: its random games replayed here, action by action."""

import random

import pyspiel
import pytest
from oh_hell import GAME

from parlour.cards import card_name, cards_of
from parlour.engine.match import Match
from parlour.engine.rules import OVER
from parlour.engine.setup import Setup

pytestmark = pytest.mark.slow

GAMES = 1000


def random_setup(rng: random.Random) -> Setup:
    """Return a random setup; in every second one chance draws the number of tricks, OpenSpiel's default."""
    players = rng.choice(GAME.players)
    options = {
        "tricks": rng.choice([0, rng.randint(1, 51 // players)]),
        "off_bid_penalty": rng.random() < 0.5,
        "points_per_trick": rng.choice([1, 2, 7]),
    }
    return Setup(GAME, players, options)


def theirs(setup: Setup) -> pyspiel.State:
    """Return OpenSpiel's state before the first event."""
    return pyspiel.load_game(
        "oh_hell",
        {
            "players": setup.players,
            "num_tricks_fixed": setup.options["tricks"] or -1,
            "off_bid_penalty": setup.options["off_bid_penalty"],
            "points_per_trick": setup.options["points_per_trick"],
        },
    ).new_initial_state()


def text_of(state: pyspiel.State, action: int) -> str:
    """Return an OpenSpiel action in our notation: ``CT`` is ``TC``, ``3`` is ``bid 3``."""
    text = state.action_to_string(state.current_player(), action)
    return f"bid {text}" if text.isdecimal() else text[::-1]


def deal(state: pyspiel.State, match: Match, rng: random.Random) -> None:
    """Let chance draw the same cards in both."""
    drawn = []
    while state.is_chance_node():
        action = rng.choice(state.legal_actions())
        text = state.action_to_string(action)
        if not text.isdecimal():
            drawn.append(text[::-1])
        elif match.state.oh_tricks == 0:
            match.apply_chance(f"tricks {text}")
        elif len(state.history()) > 0:
            match.apply_chance(f"dealer {text}")
        state.apply_action(action)
    rest = [card_name(card) for card in cards_of((1 << 52) - 1)]
    match.apply_chance(" ".join(["deal", *drawn, *(card for card in rest if card not in drawn)]))


def play_both(setup: Setup, rng: random.Random) -> int:
    """Play a random game and compare every decision; return their number."""
    state, match = theirs(setup), Match(setup, observed=False)
    deal(state, match, rng)
    decisions = 0
    while not state.is_terminal():
        actions = {text_of(state, action): action for action in state.legal_actions()}
        assert match.actor == state.current_player()
        assert match.legal() == sorted(actions)
        text = rng.choice(sorted(actions))
        state.apply_action(actions[text])
        match.act(text)
        decisions += 1
    assert match.actor == OVER
    assert list(match.result.scores) == state.returns()
    return decisions


class TestTheSameGameAsOpenSpiels:
    def test_in_1000_random_games_of_every_kind(self):
        rng = random.Random(1)
        decisions = sum(play_both(random_setup(rng), rng) for _ in range(GAMES))
        assert decisions > 20 * GAMES
