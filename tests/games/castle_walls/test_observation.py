"""Castle Walls, CW-24 and CW-26: the cards that each seat knows, and the layouts that it considers possible."""

from collections import Counter
from math import comb

import numpy as np
import pytest

from parlour.cards import bit, cards_name, cards_of, parse_card, set_of
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import determinize, determinize_many, new_table
from parlour.engine.information.disclosure import discloses
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from tests.games.castle_walls.tables import CASTLE_WALLS, deck_of, facts, field, hand, pass_turns, seen, table
from tests.helpers import play

TAKEN = "up 9H 1, end, end, up TH 2, attack 1 life, end, joker"
"""Actions: player 1 draws two cards, then plays a joker and takes the nine and the ten of hearts.

The deal must give player 0 these two cards and player 1 a joker.
"""


def joker_match(hands=("9H TH KH", "XB 2C 3C"), draws="4S 5S 6S 7S 8S", then=""):
    """Return a match after ``TAKEN`` and the actions ``then``.

    After ``TAKEN`` player 1 holds 9H and TH, as all viewers know, and 2C 3C 5S 7S, which no other viewer has seen.
    """
    return table(hands, draws, f"{TAKEN}, {then}" if then else TAKEN)


def determinizations(match, seat, number=4000, seed=1):
    """Return determinizations of a seat's observation, sampled by the compiled loop."""
    states = rules.new_states(CASTLE_WALLS.dtype, number)
    determinize_many(match.observed(seat), seat, states, new_table(), new_stream(seed))
    return states


def spots(match, seat, card, number=4000):
    """Return for each place of player 1 the fraction of determinizations in which a card lies there.

    Example: ``{"hand": 0.8, "slot 1": 0.2}``.
    """
    counts = Counter()
    for state in determinizations(match, seat, number):
        if state.hand[1] & bit(parse_card(card)):
            counts["hand"] += 1
        for slot in range(3):
            if state.down[1, slot] & bit(parse_card(card)):
                counts[f"slot {slot + 1}"] += 1
    assert sum(counts.values()) == number, "the card lies in exactly one of these places"
    return {spot: times / number for spot, times in counts.items()}


def possible_cards(match, seat):
    """Return for each slot of player 1 the cards that a seat has seen before and that the slot may hold."""
    return [" ".join(cards) for cards in match.observation(seat).facts["perhaps"][1]]


class TestCW24TakenCards:
    @pytest.mark.parametrize("seat", [0, 1, -1])
    def test_all_know_the_taken_face_up_cards(self, seat):
        assert {"9H", "TH"} <= set(hand(joker_match(), 1, seat).split())

    def test_only_the_former_owner_knows_the_taken_face_down_cards(self):
        match = table(["9H TH KH", "XB 2C 3C"], "4S 5S", "up 9H 1, end, end, down TH 2, attack 1 life, end, joker")
        assert {"9H", "TH"} <= set(hand(match, 1, 0).split())
        assert "9H" in hand(match, 1, -1)
        assert "TH" not in hand(match, 1, -1)
        assert "TH" in hand(match, 1, 1)

    def test_a_card_known_to_be_in_a_hand_is_known_until_it_leaves_openly(self):
        match = joker_match(then="end, end")
        assert {"9H", "TH"} <= set(hand(match, 1, 0).split())
        play(match, "up 9H 1,")
        assert "9H" not in hand(match, 1, 0)
        assert "TH" in hand(match, 1, 0)

    @pytest.mark.parametrize("card", ["9H", "2C", "7S"])
    def test_a_card_put_face_down_may_be_any_card_of_the_hand(self, card):
        match = joker_match(then=f"down {card} 2")
        for seat in (0, -1):
            assert set(hand(match, 1, seat).split()) == {"??"}
            assert field(match, 1, seat) == "- | [??] | -"
            assert match.seen_by(seat)[-1].do == "down ?? 2"
            assert possible_cards(match, seat) == ["", "9H TH", ""]

    def test_a_card_put_face_down_is_no_joker(self):
        """CW-8: player 1 may hold the red joker, but cannot put it face down."""
        match = joker_match(then="down 2C 1")
        assert all(not state.down[1, 0] & (0b11 << 52) for state in determinizations(match, 0))

    def test_once_a_taken_card_is_turned_up_the_other_is_known_to_be_in_the_hand(self):
        match = joker_match(then="down 9H 2, end, end, flip 2")
        for seat in (0, -1):
            assert "TH" in hand(match, 1, seat)
            assert "9H" not in hand(match, 1, seat)

    def test_once_another_card_is_turned_up_all_taken_cards_are_known_to_be_in_the_hand(self):
        match = joker_match(then="down 2C 2, end, end, flip 2")
        assert {"9H", "TH"} <= set(hand(match, 1, 0).split())

    def test_with_two_slots_filled_taken_cards_are_known_once_both_slots_are_turned_up(self):
        match = joker_match(then="down 9H 2, end, end, down 2C 1, end, end, flip 2")
        assert "TH" not in hand(match, 1, 0)
        play(match, "flip 1,")
        assert "TH" in hand(match, 1, 0)

    def test_a_slot_filled_before_the_card_came_into_the_hand_cannot_hold_it(self):
        match = table(
            ["9H TH KH", "XB 2C 3C"],
            "4S 5S 6S 7S 8S",
            "up 9H 1, end, end, attack 1 life, end, down 2C 3, end, end, joker, end, end, down 3C 1",
        )
        assert possible_cards(match, 0) == ["9H", "", ""]
        assert set(spots(match, 0, "9H")) == {"hand", "slot 1"}

    def test_the_last_card_of_a_known_hand_stays_known_when_put_face_down(self):
        match = table(
            ["9H TH", "5C 6C 7C"],
            "2S 8C 3S XB",
            "up 9H 1, end, end, up TH 2, attack 1 life, end,"
            "straight 5, discard 8C, discard 7C, discard 6C, discard 5C, destroy 2u, joker, down 9H 3",
        )
        for seat in (0, -1):
            assert field(match, 1, seat) == "- | - | [9H]"
            assert match.seen_by(seat)[-1].do == "down 9H 3"

    @pytest.mark.parametrize("seat", [0, -1])
    def test_a_slot_filled_after_the_card_has_left_the_hand_cannot_hold_it(self, seat):
        """Player 1 puts the whole hand face down, the nine and an unknown card, and later a card just drawn."""
        match = Match(Setup(CASTLE_WALLS, 2, {"placings": 2}))
        match.apply_chance(" ".join(["deal", *deck_of(["9H TH", "5C 6C 7C"], "2S 8C 3S XB")]))
        match.apply_chance("first 0")
        play(
            match,
            "up 9H 1, end, end, up TH 2, attack 1 life, end, straight 5, discard 8C, discard 7C, discard 6C,"
            "discard 5C, destroy 2u, joker, end, end, down 7D 1, down 9H 2, end, end,",
        )
        assert possible_cards(match, seat) == ["9H", "9H", ""]
        drawn = hand(match, 1)
        play(match, f"down {drawn} 3,")
        assert possible_cards(match, seat) == ["9H", "9H", ""]
        assert set(spots(match, 0, "9H")) == {"slot 1", "slot 2"}

    def test_the_frequency_of_each_place_in_determinizations_is_that_of_counting(self):
        """Of player 1's six cards one lies face down, each with the same probability; five are in the hand."""
        match = joker_match(then="down 2C 2")
        chances = spots(match, 0, "9H")
        assert chances["slot 2"] == pytest.approx(1 / 6, abs=0.03)
        assert chances["hand"] == pytest.approx(5 / 6, abs=0.03)

    def test_two_slots_filled_from_the_same_hand_are_equally_likely(self):
        match = joker_match(then="down 2C 2, end, end, down 3C 1")
        chances = spots(match, 0, "9H")
        assert chances["slot 1"] == pytest.approx(chances["slot 2"], abs=0.03)

    def test_a_card_put_down_from_a_known_hand_is_one_of_its_cards(self):
        """To player 0 the card may be any known card of the hand but a joker, or an unknown one."""
        match = pass_turns(table(), 40)
        while match.actor != 1 or facts(match)["stage"] != "main":
            pass_turns(match, 1)
        known = set(hand(match, 1, 0).split()) - {"??"}
        unknown = hand(match, 1, 0).split().count("??")
        card = next(card for card in sorted(known) if card[0] != "X")
        play(match, f"down {card} 1,")
        sampled = {cards_name(int(state.down[1, 0])) for state in determinizations(match, 0)}
        assert known - {"XB", "XR"} <= sampled
        assert unknown > 0
        assert sampled - known

    def test_a_player_who_plays_the_red_joker_holds_no_black_one(self):
        """CW-23: a player who holds both jokers plays the black one first. A card drawn later may be the black one."""
        match = table(["9H TH KH", "XR 2C 3C"], "4S 5S 6S 7S 8S", TAKEN)
        black = bit(parse_card("XB"))
        assert not any(state.hand[1] & black for state in determinizations(match, 0))
        play(match, "end, end,")
        assert any(state.hand[1] & black for state in determinizations(match, 0))


def match_with_known_draws(player):
    """Return a match in a turn of ``player``, whose hand holds exactly one card that the other player has never seen.

    The graveyard has become the deck, so both players know every card drawn. When ``player`` discards, cards that the
    other player has never seen go first, and the last of these cards is kept.
    """
    match = table()
    while match.actor != player or not facts(match)["deck_known"] or unseen(match, player) != 1:
        play(match, "end,")
        while facts(match)["stage"] == "discards":
            once_seen, keeps_last = set(hand(match, player, 1 - player).split()), unseen(match, player) == 1
            preferred = [action for action in match.legal() if (action.split()[1] in once_seen) is keeps_last]
            play(match, (preferred or match.legal())[-1] + ",")
    return match


def unseen(match, player):
    """Return the number of cards in a player's hand that the other player has never seen."""
    return hand(match, player, 1 - player).split().count("??")


class TestCapacity:
    """CW-24: slots filled from a hand hold together at most as many never-seen cards as the hand held."""

    def test_at_most_one_of_two_slots_holds_the_one_card_never_seen(self):
        match = match_with_known_draws(1)
        for slot in (1, 2):
            card = next(card for card in hand(match, 1, 0).split() if card != "??" and card[0] != "X")
            play(match, f"down {card} {slot}, end,")
            while facts(match)["stage"] == "discards":
                play(match, match.legal()[-1] + ",")
            pass_turns(match, 1)
        once_seen = set(" ".join(possible_cards(match, 0)).split())
        stream, never_seen = new_stream(1), Counter()
        for _ in range(300):
            state = determinize(match.observed(0), 0, stream)
            lying = [cards_name(int(state.down[1, slot])) for slot in range(2)]
            never_seen[sum(card not in once_seen for card in lying)] += 1
        assert never_seen[2] == 0
        assert never_seen[1] > 10, "or the capacity would have no effect"


class TestWhatIsTakenBack:
    def test_the_end_of_a_turn_is_not_taken_back_after_an_unseen_draw(self):
        before = table()
        assert discloses(before, play(before.copy(), "end,"))

    def test_the_end_of_a_turn_can_be_taken_back_if_the_next_card_drawn_is_known(self):
        before = pass_turns(table(), 40)
        while before.actor != 1 or facts(before)["stage"] != "main":
            pass_turns(before, 1)
        play(before, next(action for action in before.legal() if action.startswith("up ")) + ",")
        after = play(before.copy(), "end,")
        assert facts(after)["turn"] == 0
        assert facts(before)["deck_known"]
        assert not discloses(before, after)


class TestDeterminizationsInAStraight:
    def announced_match(self):
        """Return a match in which player 0 has announced the straight 5 6 7 8 and holds two more cards."""
        return table(["5C 6D 7H", "AH KD"], "8S 9S 8D 2C 6S", "end, up AH 1, end, end, end, straight 5")

    def test_the_hand_holds_a_card_of_every_rank_still_to_come(self):
        match = self.announced_match()
        for action in ("", "discard 8S", "discard 7H", "discard 6S"):
            if action:
                play(match, action + ",")
            ranks = [parse_card(rank + "C") for rank in facts(match)["to_come"]]
            for state in determinizations(match, 1, 500):
                held = {card % 13 for card in cards_of(state.hand[0]) if card < 52}
                assert held >= set(ranks)

    def test_every_such_hand_is_equally_likely(self):
        """The two further cards are arbitrary: a hand with two fives is as likely as any other with all four ranks."""
        match = self.announced_match()
        counted = Counter()
        for state in determinizations(match, 1, 20000):
            ranks = Counter(card % 13 for card in cards_of(state.hand[0]) if card < 52)
            counted[sum(ranks[rank] - 1 for rank in (3, 4, 5, 6))] += 1
        pool = int(rules.whole_deck(match.state)) & ~int(rules.known_to(match.state, 1))
        expected = count_hands(
            [int(pool >> rank & 0x8004002001).bit_count() for rank in (3, 4, 5, 6)], pool.bit_count()
        )
        total = sum(expected.values())
        for extra, ways in expected.items():
            assert counted[extra] / 20000 == pytest.approx(ways / total, abs=0.015)


def count_hands(of_rank, pool):
    """Return the number of hands of six cards with all four ranks, by the number of further cards of these ranks.

    Args:
        of_rank: the number of unknown cards of each of the four ranks.
        pool: the number of all unknown cards.
    """
    ways = {0: 1}
    for cards in of_rank:
        ways = spread(ways, {number: comb(cards, number) for number in range(1, cards + 1)})
    rest = pool - sum(of_rank)
    return {held - 4: times * comb(rest, 6 - held) for held, times in ways.items() if held <= 6}


def spread(ways, more):
    """Return the number of ways to make two independent choices of cards, by the total number of cards chosen."""
    result = Counter()
    for held, times in ways.items():
        for number, choices in more.items():
            result[held + number] += times * choices
    return result


class TestCW26WhatIsHidden:
    def test_the_other_players_hand_and_face_down_cards_are_hidden(self):
        match = table(["7H 8H 9H"], actions="down 7H 1")
        for seat in (1, -1):
            assert hand(match, 0, seat) == "?? ?? ??"
            assert field(match, 0, seat) == "[??] | - | -"

    def test_players_know_their_own_face_down_cards(self):
        assert field(table(["7H"], actions="down 7H 1"), 0) == "[7H] | - | -"

    def test_the_life_piles_are_hidden_from_both(self):
        for player in range(2):
            for seat in (0, 1, -1):
                assert set(seen(table(), "life", player, seat).split()) == {"??"}

    def test_life_cards_taken_are_seen_by_all(self):
        match = table(["7H"], lives=("", "AS"), actions="up 7H 1, end, end, attack 1 life")
        for seat in (0, 1, -1):
            assert seen(match, "lost", 1, seat) == "AS"

    def test_how_many_cards_a_hand_the_deck_and_a_life_pile_hold_is_public(self):
        match = table(["7H"], actions="up 7H 1, end")
        observation = match.observation(-1)
        assert [observation.zone("hand", player).hidden for player in range(2)] == [3, 4]
        assert observation.zone("deck").hidden == 34
        assert [observation.zone("life", player).hidden for player in range(2)] == [6, 6]

    def test_a_hidden_card_is_sampled_in_each_place_in_proportion_to_its_size(self):
        """Player 1 does not know fifty cards: six in each life pile, 34 in the deck, four in the other hand."""
        match = table(["7C 8C 9C", "7H 8H 9H"], actions="end")
        counts, card = Counter(), parse_card("AS")
        assert not rules.known_to(match.state, 1) & bit(card)
        for state in determinizations(match, 1, 20000):
            in_life = [card in state.life[player, :6] for player in range(2)]
            counts["life 0"] += in_life[0]
            counts["life 1"] += in_life[1]
            counts["hand"] += bool(state.hand[0] & bit(card))
        assert counts["life 0"] / 20000 == pytest.approx(6 / 50, abs=0.01)
        assert counts["life 1"] / 20000 == pytest.approx(6 / 50, abs=0.01)
        assert counts["hand"] / 20000 == pytest.approx(4 / 50, abs=0.01)

    def test_no_determinization_puts_a_joker_onto_the_field(self):
        match = table(["7H 8H 9H"], actions="down 7H 1, end, end, down 8H 2, end")
        assert not np.any([state.down[0] & (0b11 << 52) for state in determinizations(match, 1)])
        assert set_of(cards_of(int(match.state.down[0, 0]))) == bit(parse_card("7H"))
