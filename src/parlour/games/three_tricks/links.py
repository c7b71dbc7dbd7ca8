"""3 Tricks: what a player can tell of cards that were shuffled, put away by that player before (3T-22).

A player knows the own hand, the own cards in the second stock, and all that was laid. After a shuffle the cards that
the player had put away are in the stock, or drawn from it since by the other one, whose other cards may be older. All
that can be told of the other's cards is a chain of links, each within the next: of the cards in ``returned`` and
``older[link]``, as far as they are still unknown, the other has put at most ``most_put[link]`` into the second stock
since the shuffle, and at most ``most_had[link]`` there or in hand.

Why that is all: if a layout after a draw or a swap keeps to its links, undoing it with a card of the innermost link
that has one gives a layout that keeps to the links before. Cards can go to and fro for many shuffles: where at most
so many of a link's cards can have been put away, at most so many of all others are left in the hand, so what was
innermost before a shuffle is outermost after it.
"""

from typing import Any

from parlour.cards import count
from parlour.engine.compiled import rule

LINKS = 8
"""No chain is longer: what a link allows in a hand of seven is more than what the one within it allows."""
USUAL_LINKS = 2
"""A longer chain hardly ever comes about: it did not in random games of up to nine shuffles."""


@rule
def linked(state: Any, seat: int, link: int) -> int:
    """The cards of a link; those that the player has seen again are of no more account."""
    return state.returned[seat] | state.older[seat, link]


@rule
def watch_drawn(state: Any, seat: int, number: int) -> None:
    """The other player has drawn so many cards."""
    for link in range(state.links[seat]):
        state.most_had[seat, link] += number


@rule
def watch_put(state: Any, seat: int, number: int) -> None:
    """The other player has put so many cards on the second stock."""
    for link in range(state.links[seat]):
        state.most_put[seat, link] = min(state.most_put[seat, link] + number, state.most_had[seat, link])


@rule
def watch_laid(state: Any, seat: int, cards: int) -> None:
    """The other player has laid these cards, which are out of the matter from now on."""
    for link in range(state.links[seat]):
        state.most_had[seat, link] -= count(cards & linked(state, seat, link))
        state.most_put[seat, link] = min(state.most_put[seat, link], state.most_had[seat, link])
    state.returned[seat] &= ~cards


@rule
def relink(state: Any, seat: int) -> None:
    """3T-22: the links after a shuffle, from what ``seat`` could tell of the other's hand and second stock before it.

    Where at most so many cards of a link can have been put away, at most so many of all other cards are left in the
    hand. A link that follows from its neighbours is dropped, so there are never more than a hand has cards.
    """
    other = 1 - seat
    unknown = state.hand[other] | state.second[other]
    number = state.links[seat]
    reverse_links(state, seat, number)
    add_link(state, seat, 0, 0, 0)
    kept = 1
    for link in range(1, number + 1):
        inner = linked(state, seat, link) & unknown
        most = state.held[other] - count(inner) + state.most_put[seat, link]
        outer = unknown & ~inner
        within = state.most_had[seat, kept - 1] + count(outer & ~state.older[seat, kept - 1])
        if most >= min(state.held[other], within):
            continue
        while kept > 0 and state.most_had[seat, kept - 1] >= most:
            kept -= 1
        add_link(state, seat, kept, outer, most)
        kept += 1
    for link in range(kept, LINKS):
        add_link(state, seat, link, 0, 0)
    state.links[seat] = kept


@rule
def reverse_links(state: Any, seat: int, number: int) -> None:
    """Turn the chain around, into the places 1 to ``number``."""
    for link in range(number // 2 + 1):
        far = number - link
        for chain in (state.older, state.most_put, state.most_had):
            chain[seat, link], chain[seat, far] = chain[seat, far], chain[seat, link]


@rule
def add_link(state: Any, seat: int, link: int, older: int, most: int) -> None:
    """Of these cards and those put away before the shuffle the other has at most ``most`` in hand."""
    state.older[seat, link] = older
    state.most_had[seat, link] = most
    state.most_put[seat, link] = 0
