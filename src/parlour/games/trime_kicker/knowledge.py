"""Trime Kicker: who knows what (TK-19).

What is seen, and what it proves (TK-19)
----------------------------------------

A *layout* is a whole deal: for each player the set of cards first held, and the order of the backup. Of a player's
cards others see when they are laid and how many are drawn, nothing else. From that follows, and nothing else does:

- A card laid was in the hand: it was dealt to that player and had arrived by then.
- A draw proves that at this moment no card of the hand fitted any pile (TK-8). So does a turn that the judge ordered
  and that ends without a card laid (TK-14): the last card drawn did not fit either.
- The judge's order is public and rests on who can lay and who can draw (TK-13); ``judged`` is that function. As soon as
  the ordered player acts, it is known whether that player could lay. By drawing: neither could, since the other would
  have been ordered. By laying although the fairness rule favours the other: the other could not lay. By laying,
  favoured: nothing about the other. The player ordered knows this at once.
- While the ordered player has not acted, the other must think only those hands possible for which the judge would
  have ordered so (``fits``). Likewise a player who drew the last card by order and is still to act can lay.
- A decline proves nothing: whoever is not ordered may always decline.
- That the game goes on with both backups empty proves that somebody can lay (TK-12). But then all cards not laid lie in
  the hands, so whether one of them fits is known anyway, and it says nothing about where they lie.
- A backup taken up (TK-9) means that every card of the old hand has been laid. What that hand was drawn together from
  has no bearing on the new one: it is forgotten.

So a moment at which a player could lay nothing forbids each card that fitted then, unless it was laid before, to have
arrived before: ``may[player, k]`` holds the cards that can have arrived with draw *k* (0: in the first hand). Arrivals
are places of the engine, in which cards already laid are *ghosts*: it is known where they lie, but not when they came,
and a hand with more ghosts among its early arrivals has fewer early cards left.
"""

from typing import Any

from parlour.cards import FULL_DECK, bit, count
from parlour.engine.compiled import rule
from parlour.engine.rules import UNSEEN, hides_nothing
from parlour.games.trime_kicker.rules import DEAL, FREE, ORDERED, can_lay, can_move, fitting_any, judged


@rule
def places(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """TK-2, TK-19: of each other player the first hand, then each card drawn; then the rest of both backups."""
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
def other_unable(state: Any, seat: int) -> bool:
    """TK-13: whether the judge's order, which ``seat`` has not obeyed yet, tells it that the other cannot lay."""
    if state.order != ORDERED or state.actor != seat:
        return False
    return state.favoured != seat or not can_lay(state, seat)


@rule
def ghosts(state: Any, seat: int) -> int:
    """TK-19: cards that others have laid from a main pile, seen by all; when they came into it is not known."""
    cards = 0
    for player in range(2):
        if player != seat:
            cards |= state.laid[player]
    return cards


@rule
def place(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """The places as :func:`places` counts them."""
    for player in range(2):
        if player == seat:
            continue
        if index == 0:
            state.first[player] = 0
            for which in range(number):
                state.first[player] |= bit(cards[which])
        if 0 < index <= state.drawn[player]:
            state.backup[player, index - 1] = cards[0] if number > 0 else UNSEEN
        if index == state.drawn[player]:  # the last of this player's places
            gather_hand(state, player)
        index -= state.drawn[player] + 1
    if index >= 0:
        for which in range(state.left[index]):
            state.backup[index, state.drawn[index] + which] = cards[which] if which < number else UNSEEN


@rule
def gather_hand(state: Any, player: int) -> None:
    """A main pile is what was in it first and was drawn, less what was laid."""
    cards = state.first[player]
    for index in range(state.drawn[player]):
        if state.backup[player, index] != UNSEEN:
            cards |= bit(state.backup[player, index])
    state.hand[player] = cards & ~state.laid[player]


@rule
def fits(state: Any, seat: int, random: Any) -> bool:
    """TK-13, TK-14: the judge would have ordered what was ordered, and an order that still stands can be obeyed."""
    if state.order == FREE or state.actor < 0:
        return True
    if state.order == ORDERED and judged(state) != state.actor:
        return False
    return can_move(state, state.actor)


@rule
def remember(state: Any, seat: int, random: Any) -> None:
    """TK-2: the other player sees the main pile."""
    for player in range(2):
        if player != seat:
            state.private[player] = state.hand[player]


hides = hides_nothing  # TK-4, TK-8: cards are laid for all to see, and an action names no other


def hand_size(state: Any, player: int) -> int:
    """How many cards a main pile holds (TK-19: public)."""
    return int(state.first_size[player] + state.drawn[player]) - count(state.laid[player])


def tells_nothing(before: Any, after: Any, text: str) -> bool:
    """TK-10, TK-11: a decline, unless it calls the judge, who has seen both hands."""
    return text == "decline" and not before.declines
