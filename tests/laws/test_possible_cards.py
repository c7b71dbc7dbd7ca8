"""Castle Walls, CW-24: the once-seen cards shown for a slot are those that the viewer must consider possible there."""

import random

import pytest

from parlour.cards import parse_cards, set_of
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import new_table
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.rules import CHANCE, SPECTATOR, known_to
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.games.castle_walls.knowledge import PLAYERS, hidden_slots
from parlour.games.castle_walls.state import RIVAL

CASTLE_WALLS = find_game("castle-walls")
LIVELY = ("joker", "attack", "down", "flip")
SETUPS = {
    "as published": {},
    "two cards a turn": {"slots": 5, "placings": 2, "draws": 2},
    "a hand of few cards": {"hand_limit": 2, "life_cards": 3},
}


def lively_game(options, seed):
    """Play a random game that prefers jokers, attacks and face-down cards; yield the match before each action."""
    rng, chance = random.Random(seed), StreamRandomness(new_stream(seed))
    match = Match(Setup(CASTLE_WALLS, 2, options))
    while not match.over:
        if match.actor == CHANCE:
            match.apply_chance(match.sample_chance(chance))
            continue
        yield match
        legal = match.legal()
        preferred = next((found for word in LIVELY if (found := [do for do in legal if do.startswith(word)])), legal)
        match.act(rng.choice(preferred if rng.random() < 0.6 else legal))


def shown_cards(match, viewer, player):
    """Return for each slot of a player the set of the cards shown as possible there."""
    return [set_of(parse_cards(" ".join(cards))) for cards in match.observation(viewer).facts["perhaps"][player]]


def possible_cards(match, seat):
    """Return for each slot of the other player the set of the once-seen cards that a determinization may put there."""
    observed, table = match.observed(seat), new_table()
    hidden_slots(observed, seat, table.sizes, table.allowed)
    seen_once = int(observed.possible[RIVAL, 1 - seat])
    places = range(PLAYERS + 1, PLAYERS + 1 + int(observed.slots))
    return [int(table.allowed[place]) & seen_once if table.sizes[place] else 0 for place in places]


@pytest.fixture(scope="module", params=SETUPS)
def moments(request):
    """Return copies of the match before each action of three games."""
    return [match.copy() for seed in range(3) for match in lively_game(SETUPS[request.param], seed)]


def test_a_seat_is_shown_the_cards_that_its_determinizations_may_put_there(moments):
    shown = 0
    for match in moments:
        for seat in range(2):
            cards = shown_cards(match, seat, 1 - seat)
            assert cards == possible_cards(match, seat)
            shown += any(cards)
    assert shown


def test_no_viewer_is_shown_a_card_that_it_knows_to_lie_elsewhere(moments):
    for match in moments:
        for viewer in (SPECTATOR, 0, 1):
            known = int(known_to(match.state, viewer))
            for player in range(2):
                assert not any(cards & known for cards in shown_cards(match, viewer, player))


def test_a_seat_is_shown_nothing_for_its_own_cards(moments):
    for match in moments:
        for seat in range(2):
            assert not any(shown_cards(match, seat, seat))


def test_a_spectator_is_shown_cards_too(moments):
    assert any(any(shown_cards(match, SPECTATOR, player)) for match in moments for player in range(2))
