"""3 Tricks: the heuristic's set operations agree with an enumeration of the tricks."""

from itertools import combinations

import numpy as np
import pytest

from parlour.cards import cards_of, parse_cards, set_of
from parlour.engine.chance import new_stream, shuffle
from parlour.engine.rules import MAX_ACTIONS, action_value, copy_state, heuristic_choice, legal
from parlour.games.three_tricks.fast import holds_three, may_be_complete
from parlour.games.three_tricks.heuristic import complete, plan_value, trick_after, value_of_three
from parlour.games.three_tricks.rules import is_trick
from tests.games.three_tricks.tables import table


def subsets(hand: int, number: int) -> list[int]:
    return [set_of(cards) for cards in combinations(cards_of(hand), number)]


def draw_hands(number: int, size: int) -> list[int]:
    """Draw hands of few ranks and aces, so that many cards can form tricks."""
    cards = np.array([13 * suit + rank for suit in range(4) for rank in (0, 1, 2, 3, 9, 10, 11, 12)])
    stream, hands = new_stream(size), []
    for _ in range(number):
        shuffle(stream, cards, 0, len(cards))
        hands.append(set_of(cards[:size].tolist()))
    return hands


def is_divisible(hand: int, sizes: tuple[int, ...]) -> bool:
    """Return whether a hand can be divided into tricks of these sizes."""
    if not sizes:
        return True
    first, *others = sizes
    return any(is_trick(trick) and is_divisible(hand & ~trick, tuple(others)) for trick in subsets(hand, first))


@pytest.mark.parametrize("size", [2, 3, 5, 7])
def test_the_tricks_of_a_hand_come_one_after_another_and_each_once(size: int) -> None:
    for hand in draw_hands(60, size):
        found, trick = [], trick_after(hand, 0)
        while trick:
            found.append(trick)
            trick = trick_after(hand, trick)
        assert len(found) == len(set(found))
        assert set(found) == {pair for pair in subsets(hand, 2) if is_trick(pair)}


@pytest.mark.parametrize("size", [3, 4, 5, 7])
def test_a_hand_holds_a_trick_of_three_if_three_of_its_cards_are_one(size: int) -> None:
    held = [any(is_trick(three) for three in subsets(hand, 3)) for hand in draw_hands(150, size)]
    assert [bool(holds_three(hand)) for hand in draw_hands(150, size)] == held
    assert any(held)


@pytest.mark.parametrize(("size", "laid", "sizes"), [(7, 0, (2, 2, 3)), (5, 1, (2, 3)), (3, 2, (3,))])
def test_a_hand_is_complete_if_it_can_be_divided_into_tricks(size, laid, sizes) -> None:
    whole = [hand for hand in draw_hands(250, size) if is_divisible(hand, sizes)]
    assert [hand for hand in draw_hands(250, size) if plan_value(hand, laid, 3) == complete(laid)] == whole
    assert all(may_be_complete(hand) for hand in whole)
    assert len(whole) > 5


@pytest.mark.parametrize(
    ("cards", "value"),
    [("5C 6C 7C", 100), ("5C 7C AH", 100), ("5C 7C TH", 40), ("5C 5D TH", 40), ("KC 2D AH", 20), ("5C 8C TH", 0)],
)
def test_three_cards_are_valued_by_their_distance_from_a_trick(cards: str, value: int) -> None:
    assert value_of_three(set_of(parse_cards(cards))) == value


@pytest.mark.parametrize("cards", ["AC AD AH", "AC 5H", "5C 5D 6C 6D", "2C 2D 9H JH KS", "4C 4D 5H 5S 6C 8D 9H"])
def test_its_choice_is_the_best_of_all_for_every_remaining_hand(cards: str) -> None:
    """Including hands without a card worth swapping, and hands of aces only."""
    state = copy_state(table("2C 3D 4H 5S 6C 7D 8H", "").state)
    state.hand[state.actor] = set_of(parse_cards(cards))
    actions = np.zeros(MAX_ACTIONS, np.int64)
    listed = actions[: legal(state, actions)]
    values = [int(action_value(state, action)) for action in listed]
    chosen = {int(heuristic_choice(state, listed, len(listed), new_stream(seed))) for seed in range(60)}
    best = {index for index, value in enumerate(values) if value == max(values)}
    assert chosen == best if len(best) < 8 else chosen <= best and len(chosen) > 5
