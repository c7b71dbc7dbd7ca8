"""Hidden information of Oh Hell: the cards that each seat knows."""

from typing import Any

from oh_hell.rules import NO_BID
from parlour.cards import FULL_DECK, bit, count
from parlour.engine.compiled import rule
from parlour.engine.rules import CHANCE, hides_nothing, known_to


@rule
def hand_size(state: Any, seat: int) -> int:
    """OH-3, OH-5: return a hand's size by public facts: one card less for each trick and for a card in this one."""
    done = 0
    for player in range(state.seats):
        done += state.oh_taken[player]
    in_trick = (seat - state.oh_leader) % state.seats < state.oh_played
    return state.oh_tricks - done - (1 if in_trick else 0)


@rule
def hidden_slots(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """OH-7: describe the hidden slots: the hands, then the cards that were not dealt."""
    if state.actor == CHANCE:
        return 0
    for player in range(state.seats):
        sizes[player] = hand_size(state, player) - count(state.oh_hand[player] & known_to(state, seat))
        allowed[player] = FULL_DECK & ~state.oh_lacks[player]
    sizes[state.seats] = 51 - state.oh_tricks * state.seats
    allowed[state.seats] = FULL_DECK
    return state.seats + 1


@rule
def assign(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """Put cards into one hidden slot, numbered as in :func:`hidden_slots`."""
    unknown = 0
    for which in range(number):
        unknown |= bit(cards[which])
    if index == state.seats:
        state.oh_rest = unknown
    else:
        state.oh_hand[index] = state.oh_hand[index] & known_to(state, seat) | unknown


@rule
def sample_rest(state: Any, seat: int, random: Any) -> None:
    """Mark each hand as known to its seat."""
    for player in range(state.seats):
        state.private[player] |= state.oh_hand[player]


@rule
def bidding(state: Any) -> bool:
    """OH-4: return whether a bid is due."""
    return state.oh_dealer >= 0 and state.oh_bid[state.oh_dealer] == NO_BID


hides = hides_nothing
