"""3 Tricks: a player's inferences about shuffled cards that the player had put away (3T-22).

A player knows their own hand, their own cards in the second stock, and all cards laid. After a shuffle, the cards that
this player had put away are in the stock, or the other player has drawn them since; the other's remaining cards may be
older. All inferences about the other's cards form a chain of links, each within the next. Of the still unknown cards in
``returned`` and ``older[link]``, the other player has put at most ``most_put[link]`` into the second stock since the
shuffle, and has at most ``most_had[link]`` there or in the hand.

Proof of completeness: if a layout after a draw or a swap satisfies its links, undoing the event with a card of the
innermost possible link gives a layout that satisfies the links before. Cards can move to and fro over many shuffles: if
at most *n* of a link's cards can have been put away, the number of all other cards left in the hand is limited too, so
the innermost link before a shuffle is the outermost after it.
"""

from parlour.cards import count
from parlour.engine.compiled import rule
from parlour.games.three_tricks.typed_state import State

MOST_HAND = 10
LINKS = MOST_HAND + 1
"""Number of places for a chain: a link for each card of a hand, and one more place in :func:`reverse_links`. Each link
allows more cards of a hand than the link within it, and after a shuffle fewer than the hand has.
"""
USUAL_LINKS = 2
"""Usual length of a chain: random games of up to nine shuffles never had a longer one."""


@rule
def link_cards(state: State, seat: int, link: int) -> int:
    """Return the cards of a link, including some that the player has seen again, which no longer matter."""
    return state.returned[seat] | state.older[seat, link]


@rule
def watch_drawn(state: State, seat: int, number: int) -> None:
    """Update the links after the other player has drawn ``number`` cards."""
    for link in range(state.links[seat]):
        state.most_had[seat, link] += number


@rule
def watch_put(state: State, seat: int, number: int) -> None:
    """Update the links after the other player has put ``number`` cards on the second stock."""
    for link in range(state.links[seat]):
        state.most_put[seat, link] = min(state.most_put[seat, link] + number, state.most_had[seat, link])


@rule
def watch_laid(state: State, seat: int, cards: int) -> None:
    """Update the links after the other player has laid these cards, which no longer matter."""
    for link in range(state.links[seat]):
        state.most_had[seat, link] -= count(cards & link_cards(state, seat, link))
        state.most_put[seat, link] = min(state.most_put[seat, link], state.most_had[seat, link])
    state.returned[seat] &= ~cards


@rule
def relink(state: State, seat: int) -> None:
    """3T-22: compute the links after a shuffle from those on the other's hand and second stock before it.

    If at most *n* cards of a link can have been put away, the number of all other cards left in the hand is limited
    too. A link implied by its neighbours is dropped, so there are never more links than cards in a hand.
    """
    other = 1 - seat
    unknown = state.hand[other] | state.second[other]
    number = state.links[seat]
    reverse_links(state, seat, number)
    add_link(state, seat, 0, 0, 0)
    length = 1
    for link in range(1, number + 1):
        inner = link_cards(state, seat, link) & unknown
        most = state.held[other] - count(inner) + state.most_put[seat, link]
        outer = unknown & ~inner
        within = state.most_had[seat, length - 1] + count(outer & ~state.older[seat, length - 1])
        if most >= min(state.held[other], within):
            continue
        while length > 0 and state.most_had[seat, length - 1] >= most:
            length -= 1
        add_link(state, seat, length, outer, most)
        length += 1
    for link in range(length, LINKS):
        add_link(state, seat, link, 0, 0)
    state.links[seat] = length


@rule
def reverse_links(state: State, seat: int, number: int) -> None:
    """Reverse the chain into indices 1 to ``number``."""
    for link in range(number // 2 + 1):
        far = number - link
        for chain in (state.older, state.most_put, state.most_had):
            chain[seat, link], chain[seat, far] = chain[seat, far], chain[seat, link]


@rule
def add_link(state: State, seat: int, link: int, older: int, most: int) -> None:
    """Set a link: of ``older`` and the cards put away before the shuffle, the other has at most ``most`` in hand."""
    state.older[seat, link] = older
    state.most_had[seat, link] = most
    state.most_put[seat, link] = 0
