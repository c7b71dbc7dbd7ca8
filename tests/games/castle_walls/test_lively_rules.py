"""Determinizations of Castle Walls in lively games; random play has few straights, jokers and hidden cards."""

import random
from collections import Counter
from itertools import combinations, permutations
from math import comb, perm, sqrt

import pytest

from parlour.authors.histories import record_of
from parlour.cards import cards_of, set_of
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.errors import RecordError
from parlour.engine.information.determinization import determinize, determinize_many, new_table, observed_state
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.matches.records import replay
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import CHANCE, copy_state, known_to, whole_deck
from parlour.engine.setup import Setup
from tests.games.castle_walls.tables import CASTLE_WALLS

pytestmark = pytest.mark.slow

# Weights of the kinds of actions, by the first word of an action.
LIVELY = {
    "straight": 50,
    "joker": 50,
    "discard": 1,
    "destroy": 1,
    "attack": 3,
    "down": 6,
    "up": 2,
    "flip": 1,
    "end": 0.3,
}
HIDING = {
    "straight": 50,
    "joker": 80,
    "discard": 1,
    "destroy": 1,
    "attack": 1.5,
    "down": 9,
    "up": 1,
    "flip": 0.5,
    "end": 1,
}


def lively_walk(weights, seed, turn_limit=0, most=400):
    """Play a game with preferred kinds of actions; yield the match after every event."""
    rng, chance = random.Random(seed), StreamRandomness(new_stream(seed))
    match = Match(Setup(CASTLE_WALLS, 2, {"turn_limit": turn_limit}), COMPILED)
    while not match.over and len(match.events) < most:
        if match.actor == CHANCE:
            match.apply_chance(match.sample_chance(chance))
        else:
            actions = match.legal()
            match.act(rng.choices(actions, [weights[action.split()[0]] for action in actions])[0])
        yield match


def ambiguous(match):
    """Return whether a player holds cards that the other knows, but not their zone."""
    return bool(match.state.possible.any())


@pytest.mark.parametrize("weights", [LIVELY, HIDING], ids=["lively", "hiding"])
class TestLivelyGames:
    @pytest.mark.slow
    def test_determinizations_are_possible(self, weights):
        """A replay with its cards is legal and ends in the determinization, memory included."""
        checked = Counter()
        for seed in range(3):
            rng = random.Random(seed)
            for match in lively_walk(weights, seed):
                straight = match.events[-1].do.startswith("straight")
                if rng.random() > (0.3 if straight else 0.06 if ambiguous(match) else 0.01):
                    continue
                for viewer in range(2):
                    self.check(match, viewer, seed)
                    checked[ambiguous(match), viewer] += 1
        assert checked[True, 0] > 5
        assert checked[True, 1] > 5

    def check(self, match, viewer, seed):
        observed = match.observed(viewer)
        sampled = determinize(observed, viewer, new_stream(seed + len(match.events)))
        assert observed_state(sampled, viewer).tobytes() == observed.tobytes()
        other = replay(record_of(match, sampled), steps=COMPILED)
        for name in match.state.dtype.names:
            assert other.state[name].tobytes() == sampled[name].tobytes() or name == "private", name
        assert other.seen_by(viewer) == match.seen_by(viewer)

    def test_certain_knowledge_is_true(self, weights):
        """CW-24: a known card is in its place, a possible one somewhere, and the true layout is consistent."""
        for seed in range(6):
            for match in lively_walk(weights, seed):
                state = match.state
                for eyes in range(2):
                    for player in range(2):
                        own = int(state.hand[player]) | set_of_sets(state.down[player])
                        assert int(state.known[eyes, player]) & ~own == 0
                        assert int(state.possible[eyes, player]) & ~own == 0
                        assert int(state.known[eyes, player] & state.possible[eyes, player]) == 0
                        for slot in range(3):
                            once_seen = int(state.down[player, slot] & state.possible[eyes, player])
                            assert once_seen & ~int(state.may_hold[eyes, player, slot]) == 0


def set_of_sets(sets):
    """Return the union."""
    result = 0
    for cards in sets:
        result |= int(cards)
    return result


def open_places(match, viewer):
    """Return the other player's slots with an unknown card, and the number of unknown cards in the hand."""
    state, other, known = match.state, 1 - viewer, int(known_to(match.state, viewer))
    slots = [slot for slot in range(3) if state.down[other, slot] and not int(state.down[other, slot]) & known]
    return slots, int(state.held[other]) - (int(state.hand[other]) & known).bit_count()


def unknown_cards(match, viewer):
    """Return the cards whose place a viewer does not know."""
    return list(cards_of(int(whole_deck(match.state)) & ~int(known_to(match.state, viewer))))


def number_of_layouts(match, viewer):
    """Return the number of layouts of the other player's slots and hand, possible or not."""
    slots, held = open_places(match, viewer)
    pool = len(unknown_cards(match, viewer))
    return perm(pool, len(slots)) * comb(pool - len(slots), held)


def every_layout(match, viewer):
    """Yield the cards in the slots, those in the hand, and a state with them; other cards lie anywhere."""
    pool, (slots, held) = unknown_cards(match, viewer), open_places(match, viewer)
    for down in permutations(pool, len(slots)):
        for hand in combinations([card for card in pool if card not in down], held):
            state, other = copy_state(match.state), 1 - viewer
            for slot, card in zip(slots, down, strict=True):
                state.down[other, slot] = 1 << card
            state.hand[other] = int(state.hand[other]) & int(known_to(match.state, viewer)) | set_of(hand)
            rest = [card for card in pool if card not in down and card not in hand]
            for player in range(2):
                for which in range(int(state.left[player])):
                    state.life[player, which] = rest.pop()
            if not state.turned:
                for which in range(int(state.deck_left)):
                    state.line[(state.head + which) % 64] = rest.pop()
            yield (down, hand), state


def could_have_happened(match, viewer, state):
    """Return whether a game with these cards is legal and looks the same to the viewer throughout."""
    if any(card & (0b11 << 52) for card in state.down.ravel()):
        return False  # no record can say that, CW-8
    try:
        other = replay(record_of(match, state), steps=COMPILED)
    except RecordError:
        return False
    seen = other.seen_by(viewer) == match.seen_by(viewer)
    return seen and observed_state(other.state, viewer).tobytes() == match.observed(viewer).tobytes()


def layouts_sampled(match, viewer, number):
    """Return the frequencies of layouts of the other player's slots and hand in determinizations."""
    determinizations = rules.new_states(CASTLE_WALLS.dtype, number)
    determinize_many(match.observed(viewer), viewer, determinizations, new_table(), new_stream(11))
    (slots, _), known, other = open_places(match, viewer), int(known_to(match.state, viewer)), 1 - viewer
    return Counter(
        (
            tuple(int(state.down[other, slot]).bit_length() - 1 for slot in slots),
            tuple(cards_of(int(state.hand[other]) & ~known)),
        )
        for state in determinizations
    )


@pytest.mark.slow
class TestEveryLayout:
    @pytest.mark.parametrize(
        ("weights", "seed", "events", "viewer"),
        [
            (HIDING, 76, 234, 1),  # two slots, at most one of which held a card never seen
            (HIDING, 146, 365, 1),  # two slots and a card of the hand, all of them seen before
            (LIVELY, 124, 256, 0),
            (LIVELY, 27, 120, 1),  # one slot, one card of the hand, one of them never seen
        ],
    )
    def test_exactly_the_possible_layouts_are_sampled_equally_often(self, weights, seed, events, viewer):
        match = next(match for match in lively_walk(weights, seed) if len(match.events) == events)
        possible = {
            layout for layout, state in every_layout(match, viewer) if could_have_happened(match, viewer, state)
        }
        assert 1 < len(possible) < number_of_layouts(match, viewer)
        times = layouts_sampled(match, viewer, 100 * len(possible))
        assert set(times) == possible
        chi_square = sum((number - 100) ** 2 / 100 for number in times.values())
        freedom = len(possible) - 1
        assert chi_square <= freedom + 5 * sqrt(2 * freedom) + 5
