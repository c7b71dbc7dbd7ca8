"""Hidden information of Lay Away: the cards that each seat knows."""

from typing import Any

from away.rules import LAYING, PAIR, PLAYING, UNDEALT, higher, pair_of
from parlour.cards import FULL_DECK, bit, count
from parlour.engine.compiled import rule
from parlour.engine.rules import known_to


@rule
def hand_size(state: Any, seat: int) -> int:
    """AW-2, AW-3: counted by what everyone has seen."""
    return 5 - 2 * state.away_laid[seat] - count(state.away_played[seat])


@rule
def aside_size(state: Any) -> int:
    """AW-3."""
    return 2 * (state.away_laid[0] + state.away_laid[1])


@rule
def hidden_slots(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """AW-6: the hands, what was laid away, the card turned up next, the stock."""
    if state.away_stage == UNDEALT:
        return 0
    known = known_to(state, seat)
    for player in range(2):
        sizes[player] = hand_size(state, player) - count(state.away_hand[player] & known)
        allowed[player] = FULL_DECK & ~state.away_lacks[player]
    sizes[2] = aside_size(state) - count(state.away_aside & known)
    sizes[3] = 1 if state.away_stage == LAYING else 0
    sizes[4] = 41
    for index in range(2, 5):
        allowed[index] = FULL_DECK
    return 5


@rule
def assign(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """Put cards into the slots that :func:`hidden_slots` counts."""
    unknown = 0
    for which in range(number):
        unknown |= bit(cards[which])
    known = known_to(state, seat)
    if index < 2:
        state.away_hand[index] = state.away_hand[index] & known | unknown
    elif index == 2:
        state.away_aside = state.away_aside & known | unknown
    elif index == 3:
        state.away_next = unknown
    else:
        state.away_stock = unknown


@rule
def is_consistent(state: Any, seat: int, random: Any) -> bool:
    """AW-4: a seat that is to play upon its own card holds a card that fits."""
    goes_on = state.away_stage == PLAYING and state.away_piled > 0 and state.actor == state.away_last
    return not goes_on or state.away_hand[state.actor] & higher(state) != 0


@rule
def sample_rest(state: Any, seat: int, random: Any) -> None:
    """AW-6: the other seat's hand and the cards that it has laid away."""
    other = 1 - seat
    state.private[other] |= state.away_hand[other] | state.away_aside & ~state.private[seat]


@rule
def hides(state: Any, action: int, viewer: int) -> int:
    """AW-3: cards are laid away unseen."""
    return pair_of(action) if action >= PAIR and viewer != state.actor else 0
