"""Trime Kicker: hidden information (TK-19).

Observations and inferences (TK-19)
-----------------------------------

A *layout* is a complete deal: for each player the set of cards first held, and the order of the backup. Others see
which of a player's cards are laid, and when, and how many are drawn. They can infer the following, and nothing more:

- A card laid was in the hand: it was dealt to that player and had arrived by then.
- A draw proves that at this moment no card of the hand fitted any pile (TK-8). The same follows if a turn ordered by
  the judge ends without a card laid (TK-14): the last card drawn did not fit either.
- The judge's order is public and depends on which players can lay and draw (TK-13); ``ordered_player`` computes it. The
  ordered player's action shows whether that player could lay. A draw: neither player could, or the other would have
  been ordered. A card laid against the fairness rule: the other player could not lay. A card laid by the favoured
  player: nothing about the other. The ordered player knows this at once.
- Until the ordered player acts, only hands for which the judge would have given this order are possible
  (``is_consistent``). Likewise a player who drew the last card by order and is still to act can lay.
- A decline proves nothing: a player without an order may always decline.
- If the game continues with both backups empty, one player can lay (TK-12). But then all cards not laid are in the
  hands, so it is public whether one of them fits, and their positions remain unknown.
- A backup taken up (TK-9) means that every card of the old hand has been laid. The draws of the old hand have no
  bearing on the new one and are forgotten.

So when a player could lay nothing, no card that fitted then can have arrived before, except those laid earlier:
``may[player, k]`` holds the cards that can have arrived with draw *k* (0: in the first hand). Arrivals are hidden slots
of the engine, in which cards already laid are of *unknown origin*: their position is known, but not their arrival, and
a hand with more of them among its early arrivals has fewer early cards left.
"""

from parlour.cards import FULL_DECK, bit, count
from parlour.engine.arrays import Stream
from parlour.engine.compiled import rule
from parlour.engine.rules import UNSEEN, hides_nothing
from parlour.engine.typed_state import IntVector
from parlour.games.trime_kicker.rules import DEAL, FREE, ORDERED, can_lay, can_move, fitting_any, ordered_player
from parlour.games.trime_kicker.typed_state import State


@rule
def hidden_slots(state: State, seat: int, sizes: IntVector, allowed: IntVector) -> int:
    """TK-2, TK-19: describe the hidden slots: others' first hands, each followed by the draws; then both backups."""
    if state.stage == DEAL:
        return 0
    number = 0
    for player in range(2):
        if player == seat:
            continue
        lacking = fitting_any(state) & ~state.public if other_unable(state, seat) else 0
        for arrival in range(state.drawn[player] + 1):
            sizes[number] = 1 if arrival > 0 else state.first_size[player]
            allowed[number] = state.may[player, arrival] & ~lacking
            number += 1
    for player in range(2):
        sizes[number] = state.left[player]
        allowed[number] = FULL_DECK & ~state.public
        number += 1
    return number


@rule
def other_unable(state: State, seat: int) -> bool:
    """TK-13: return whether the judge's order, not yet obeyed, shows ``seat`` that the other player cannot lay."""
    if state.order != ORDERED or state.actor != seat:
        return False
    return state.favoured != seat or not can_lay(state, seat)


@rule
def cards_of_unknown_origin(state: State, seat: int) -> int:
    """TK-19: return the cards that others have laid from a main pile: public, but their arrival is unknown."""
    cards = 0
    for player in range(2):
        if player != seat:
            cards |= state.laid[player]
    return cards


@rule
def assign(state: State, seat: int, index: int, cards: IntVector, number: int) -> None:
    """Put cards into one hidden slot, numbered as in :func:`hidden_slots`."""
    for player in range(2):
        if player == seat:
            continue
        if index == 0:
            state.first[player] = 0
            for which in range(number):
                state.first[player] |= bit(cards[which])
        if 0 < index <= state.drawn[player]:
            state.backup[player, index - 1] = cards[0] if number > 0 else UNSEEN
        if index == state.drawn[player]:  # this player's last hidden slot
            gather_hand(state, player)
        index -= state.drawn[player] + 1
    if index >= 0:
        for which in range(state.left[index]):
            state.backup[index, state.drawn[index] + which] = cards[which] if which < number else UNSEEN


@rule
def gather_hand(state: State, player: int) -> None:
    """Set a main pile to its first cards and its draws, less the cards laid."""
    cards = state.first[player]
    for index in range(state.drawn[player]):
        if state.backup[player, index] != UNSEEN:
            cards |= bit(state.backup[player, index])
    state.hand[player] = cards & ~state.laid[player]


@rule
def is_consistent(state: State, seat: int, random: Stream) -> bool:
    """TK-13, TK-14: return whether the judge would have given the order, and whether a pending one can be obeyed."""
    if state.order == FREE or state.actor < 0:
        return True
    if state.order == ORDERED and ordered_player(state) != state.actor:
        return False
    return can_move(state, state.actor)


@rule
def sample_rest(state: State, seat: int, random: Stream) -> None:
    """TK-2: update what the other player knows: their own main pile."""
    for player in range(2):
        if player != seat:
            state.private[player] = state.hand[player]


hides = hides_nothing  # TK-4, TK-8: cards are laid openly, and actions name no others


def hand_size(state: State, player: int) -> int:
    """Return the number of cards in a main pile (TK-19: public)."""
    return int(state.first_size[player] + state.drawn[player]) - count(state.laid[player])


def tells_nothing(before: State, after: State, text: str) -> bool:
    """TK-10, TK-11: return whether an action reveals nothing: a decline that does not call the judge."""
    return text == "decline" and not before.declines
