"""3T-22, hidden information: hidden cards, and the knowledge that remains about cards put away and shuffled."""

import random
from collections import Counter
from itertools import product
from math import comb, sqrt

import pytest

from parlour.authors.histories import record_of
from parlour.cards import cards_of, parse_card
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import determinize, determinize_many, new_table, observed_state
from parlour.engine.matches.records import replay
from parlour.engine.rules import CHANCE, SPECTATOR, known_to
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.games.three_tricks.tables import KINDS, do, fact, shuffle, size, swap_away, table, to_shuffle, walk_of
from tests.helpers import zone_text
from tests.sample_size import FACTOR

pytestmark = pytest.mark.slow

VIEWERS = [SPECTATOR, 0, 1]


def known_cards(match, viewer):
    return int(known_to(match.state, viewer))


def knows(match, viewer, card):
    return bool(known_cards(match, viewer) >> parse_card(card) & 1)


def determinizations_of(match, viewer, number, seed=1):
    found = rules.new_states(match.game.dtype, number)
    determinize_many(match.observed(viewer), viewer, found, new_table(), new_stream(seed))
    return found


class Test3T22WhatIsHidden:
    def test_a_hand_is_seen_by_its_holder_alone(self):
        match = table("2C 3C 4C 5C 6C 7C 8C")
        assert zone_text(match, "hand", 0, seat=0) == "2C 3C 4C 5C 6C 7C 8C"
        assert zone_text(match, "hand", 0, seat=1) == zone_text(match, "hand", 0) == "?? ?? ?? ?? ?? ?? ??"

    def test_the_stock_is_hidden_from_both_seats(self):
        match = table()
        assert {zone_text(match, "stock", seat=viewer) for viewer in VIEWERS} == {" ".join(["??"] * 38)}

    def test_how_many_cards_were_swapped_is_public_and_which_is_not(self):
        match = table("2C 3C 4C", line="swap 2C 4C")
        assert [match.seen_by(viewer)[-1].do for viewer in VIEWERS] == ["swap ?? ??", "swap 2C 4C", "swap ?? ??"]
        assert fact(match, "second") == [2, 0]

    def test_each_player_knows_their_own_cards_in_the_second_stock(self):
        match = table("2C 3C 4C", "2D 3D 4D", "swap 2C 4C, swap 3D")
        shown = [zone_text(match, "second stock", seat=viewer) for viewer in VIEWERS]
        assert shown == ["?? ?? ??", "2C 4C ??", "3D ?? ??"]

    def test_cards_of_the_second_stock_are_unknown_once_they_are_shuffled(self):
        match = to_shuffle(table("2C 3C 4C"))
        assert knows(match, 0, "2C")
        shuffle(match, "4C")  # which is drawn again
        assert not knows(match, 0, "2C")
        assert zone_text(match, "second stock", seat=0) == ""
        assert match.seen_by(0)[-1].do == match.seen_by(SPECTATOR)[-1].do == "shuffle"

    @pytest.mark.parametrize("viewer", VIEWERS)
    def test_tricks_are_seen_by_all_and_still_known_when_they_were_blocked(self, viewer):
        match = table("4C 5C", "7C 8C", "lay 4C 5C, lay 7C 8C")
        assert zone_text(match, "tricks", 1, viewer) == "7C 8C"
        assert zone_text(match, "blocked", 0, viewer) == "4C 5C"

    def test_only_the_player_who_draws_sees_the_drawn_cards(self):
        match = table("4C 5C", "7C 8C", "lay 4C 5C, lay 7C 8C", stock="KS KH")
        assert [knows(match, viewer, "KS") for viewer in VIEWERS] == [False, True, False]

    def test_a_draw_by_the_one_says_nothing_to_the_other(self):
        match = table("2C 3C 4C", line="swap 2C 3C 4C", stock="KS KH KD")
        assert not any(knows(match, viewer, "KS") for viewer in (SPECTATOR, 1))


def match_after_shuffle(other_swaps=0):
    """Return a match after a shuffle, before which seat 0 has put nearly all cards away.

    Seat 1 has swapped ``other_swaps`` times before it, one to three cards each time, and is to act.
    """
    match = table()
    for turn in range(other_swaps):
        swap_away(match)
        swap_away(match, 1 + turn % 3)
    while match.actor != CHANCE:
        if match.actor == 0:
            swap_away(match)
        else:
            do(match, "pass")
    shuffle(match)
    return match if match.actor == 1 else do(match, "pass")


class TestCardsThatWerePutAway:
    """Cards that seat 0 put away are, after the shuffle, in the stock or drawn by seat 1."""

    def test_before_the_other_draws_they_are_all_in_the_stock(self):
        match = match_after_shuffle()
        away = set(cards_of(match.state.returned[0]))
        assert len(away) > 30
        for state in determinizations_of(match, 0, 50):
            assert away <= {int(card) for card in state.stock[: state.left]}

    def test_cards_that_the_other_player_swaps_later_are_not_among_the_cards_put_away(self):
        match = match_after_shuffle()
        swap_away(match)
        for state in determinizations_of(match, 0, 50):
            assert int(state.second[1]) & int(state.returned[0]) == 0

    def test_the_other_holds_no_more_of_them_than_were_drawn(self):
        match = match_after_shuffle(3)
        swap_away(match, 2)
        held = Counter(
            int(state.hand[1] & state.returned[0]).bit_count() for state in determinizations_of(match, 0, 300)
        )
        assert max(held) == 2
        assert held[1] > 0

    def test_a_card_that_is_neither_shown_nor_drawn_is_in_the_others_hand(self):
        """Seat 1 swaps once after the shuffle. Seat 0 draws the rest of the stock, and one card is missing."""
        match = match_after_shuffle()
        swap_away(match, 1)
        away = set(cards_of(match.state.returned[0]))
        while match.actor != CHANCE:
            if match.actor == 0:
                swap_away(match)
            else:
                do(match, "pass")
        missing = away & set(cards_of(match.state.returned[0]))
        assert len(missing) == 1
        shuffle(match)
        card = missing.pop()
        assert not known_cards(match, 0) >> card & 1, "its place can be inferred, but it was not seen"
        for state in determinizations_of(match, 0, 200):
            assert int(state.hand[1]) >> card & 1

    def test_the_other_player_may_have_put_away_what_was_drawn_before(self):
        match = match_after_shuffle()
        swap_away(match)
        do(match, "pass")
        swap_away(match)
        put = Counter(
            int(state.second[1] & state.returned[0]).bit_count() for state in determinizations_of(match, 0, 2000)
        )
        assert max(put) == 3


def possible_numbers(start, swaps):
    """Return the possible numbers of cards once put away: those in the other's hand, and those put away again.

    Args:
        start: the number of cards once put away, and of others, in the shuffled stock.
        swaps: the number of cards of each of the other's swaps since.
    """
    states = {(0, 0, *start)}
    for number in swaps:
        for _ in range(number):
            states = {
                (held - own, put + own, left, others)
                for held, put, left, others in states
                for own in (0, 1)
                if held >= own
            }
        # before the draw the hand has only 7 - number cards
        states = {state for state in states if state[0] <= 7 - number}
        for _ in range(number):
            states = {
                (held + own, put, left - own, others - (1 - own))
                for held, put, left, others in states
                for own in (0, 1)
                if left >= own and others >= 1 - own
            }
    return {(held, put) for held, put, _, _ in states}


class TestFrequencies:
    """Every layout that could have happened is sampled as often as any other."""

    @pytest.mark.parametrize("before", [0, 2, 4])
    @pytest.mark.parametrize("swaps", [[1], [2], [3], [1, 1], [1, 3], [3, 3], [2, 1, 3]])
    def test_numbers_of_cards_are_as_frequent_as_their_layouts(self, before, swaps):
        match = match_after_shuffle(before)
        away = int(match.state.returned[0]).bit_count()
        others = size(match, "stock") - away
        for number in swaps:
            swap_away(match, number)
            do(match, "pass")
        ways = {
            (held, put): self.layouts(away, others + 7, held, put, sum(swaps))
            for held, put in possible_numbers((away, others), swaps)
        }
        total = sum(ways.values())
        number = 4000  # detects a share that is 0.036 off: 4.5 × √(0.25 / 4000)
        inner = int(match.state.returned[0])
        found = Counter(
            (int(state.hand[1] & inner).bit_count(), int(state.second[1] & inner).bit_count())
            for state in determinizations_of(match, 0, number)
        )
        assert set(found) <= set(ways)
        for key, count in ways.items():
            share = count / total
            assert abs(found[key] - number * share) <= 4.5 * sqrt(number * share * (1 - share)) + 1, key

    def layouts(self, away, others, held, put, swapped):
        """Return the number of layouts with ``held`` cards put away in the hand and ``put`` among those swapped."""
        return (
            comb(away, held) * comb(away - held, put) * comb(others, 7 - held) * comb(others - 7 + held, swapped - put)
        )

    def test_the_cards_put_away_that_a_hand_may_hold_have_a_slot_of_their_own(self):
        """Without this slot hardly one random layout in a thousand would be consistent."""
        match = match_after_shuffle()
        swap_away(match, 1)
        sizes, allowed = [0] * 16, [0] * 16
        assert rules.hidden_slots(match.observed(0), 0, sizes, allowed) == 6
        assert sizes[5] == 1
        assert sizes[1] == 6


def layout_fits(state, viewer):
    """Return whether the other player's cards satisfy the viewer's links."""
    other = 1 - viewer
    put, had = int(state.second[other]), int(state.second[other] | state.hand[other])
    for link in range(state.links[viewer]):
        inner = int(state.returned[viewer] | state.older[viewer, link])
        if (put & inner).bit_count() > state.most_put[viewer, link]:
            return False
        if (had & inner).bit_count() > state.most_had[viewer, link]:
            return False
    return True


PAIRS = list(product(KINDS, repeat=2))


@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
class TestAllKindsOfPlayers:
    """Players who prefer to lay, block, pass or swap: determinizations are possible and include the true state."""

    def options(self, rng):
        return {"replacing_ends_turn": rng.random() < 0.5, "rank_block": rng.choice(["pair", "any"])}

    def test_the_truth_is_never_ruled_out(self, kinds):
        rng = random.Random(str(kinds))
        for seed in range(2):
            for match in walk_of(seed, kinds, self.options(rng)):
                for viewer in range(2):
                    assert layout_fits(match.state, viewer)
                    self.check_places(match, viewer)

    def check_places(self, match, viewer):
        state, other = match.state, 1 - viewer
        sizes, allowed = [0] * 16, [0] * 16
        if not rules.hidden_slots(match.observed(viewer), viewer, sizes, allowed):
            return
        stock = sum(1 << int(card) for card in state.stock[: state.left])
        assert int(state.hand[other]) & ~(allowed[other] | allowed[5]) == 0
        assert int(state.second[other]) & ~allowed[2 + other] == 0
        assert stock & ~allowed[4] == 0

    def test_determinizations_are_possible(self, kinds):
        rng = random.Random(str(kinds))
        for match in walk_of(100, kinds, self.options(rng)):
            if rng.random() < 0.05 * FACTOR and match.state.stage > 1:
                for viewer in range(2):
                    self.check_determinization(match, viewer, rng.getrandbits(30))

    def check_determinization(self, match, viewer, seed):
        observed = match.observed(viewer)
        sampled = determinize(observed, viewer, new_stream(seed))
        assert observed_state(sampled, viewer).tobytes() == observed.tobytes()
        other = replay(record_of(match, sampled))
        assert other.seen_by(viewer) == match.seen_by(viewer)
        for name in set(match.state.dtype.names) - {"private"}:
            assert other.state[name].tobytes() == sampled[name].tobytes(), name
        for seat in VIEWERS:
            assert known_to(other.state, seat) == known_to(sampled, seat)


class TestTheWalks:
    def test_they_lay_and_block_and_shuffle_as_uniform_play_hardly_ever_does(self):
        blocked = shuffles = longest = 0
        for seed in range(40):
            *_, match = walk_of(seed, ("layer", "layer"))
            blocked += sum(fact(match, "blocked"))
            *_, match = walk_of(seed, ("swapper", "swapper"))
            shuffles = max(shuffles, int(match.state.shuffles))
        for seed in range(20):
            for match in walk_of(seed, ("passer", "swapper")):
                longest = max(longest, int(match.state.links.max()))
        assert blocked > 100
        assert shuffles > 3
        assert longest > 1


def test_an_observation_has_the_first_two_links_of_each_player():
    planes = Setup(find_game("three-tricks"), 2).observation_planes
    names = [plane.name for plane in planes if plane.name.split()[0] in ("older", "most_put", "most_had")]
    assert sorted(names) == [
        f"{name} {seat} {link}" for name in ("most_had", "most_put", "older") for seat in (0, 1) for link in (0, 1)
    ]
