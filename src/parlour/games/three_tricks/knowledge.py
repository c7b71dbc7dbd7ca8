"""3 Tricks: hidden information (3T-22)."""

from parlour.cards import FULL_DECK, bit, count
from parlour.engine.arrays import Stream
from parlour.engine.chance import random_below
from parlour.engine.compiled import rule
from parlour.engine.rules import NOBODY, UNSEEN, known_to
from parlour.engine.typed_state import IntVector
from parlour.games.three_tricks.links import LINKS, add_link, link_cards
from parlour.games.three_tricks.rules import CARDS, DEAL, SWAP
from parlour.games.three_tricks.typed_state import State


@rule
def hidden_slots(state: State, seat: int, sizes: IntVector, allowed: IntVector) -> int:
    """3T-22: describe the hidden slots: hands, each player's second stock, the stock, the loose part of a hand."""
    if state.stage <= DEAL:
        return 0
    for other in range(2):
        sizes[other] = 0 if other == seat else state.held[other]
        sizes[2 + other] = 0 if other == seat else state.second_size[other]
    sizes[4] = state.left
    sizes[5] = 0
    for index in range(6):
        allowed[index] = FULL_DECK
    if seat != NOBODY:
        narrow(state, seat, allowed)
        loose = loose_part(state, seat)
        if loose > 0:
            other = 1 - seat
            sizes[5] = loose
            allowed[5] = allowed[other]
            sizes[other] -= loose
            allowed[other] &= ~link_cards(state, seat, 0)
    return 6


@rule
def narrow(state: State, seat: int, allowed: IntVector) -> None:
    """Remove cards that a link rules out of a slot altogether; :func:`is_consistent` checks the other constraints."""
    other = 1 - seat
    unknown = FULL_DECK & ~known_to(state, seat)
    for link in range(state.links[seat]):
        inner = link_cards(state, seat, link) & unknown
        outer = unknown & ~inner
        put = state.most_put[seat, link]
        had = state.most_had[seat, link]
        if put == 0:
            allowed[2 + other] &= ~inner
        if had == 0:
            allowed[other] &= ~inner
        if count(outer) <= state.second_size[other] - put:
            allowed[other] &= ~outer
        if count(outer) <= state.second_size[other] + state.held[other] - had:
            allowed[4] &= ~outer


@rule
def loose_part(state: State, seat: int) -> int:
    """Return the size of a separate hidden slot for the cards of the innermost link that the other's hand may hold.

    If most unknown cards belong to that link, but few of the other's hand can, hardly any determinization would be
    accepted. The rest of the hand is then a slot without cards of the link. Returns 0 where rejection sampling is fast
    enough without a separate slot.
    """
    if state.links[seat] == 0:
        return 0
    held = state.held[1 - seat]
    most = state.most_had[seat, 0]
    unknown = FULL_DECK & ~known_to(state, seat)
    inner = count(link_cards(state, seat, 0) & unknown)
    return most if most < held and held * inner > 2 * most * count(unknown) else 0


@rule
def is_consistent(state: State, seat: int, random: Stream) -> bool:
    """3T-22: return whether the other player's cards satisfy the links."""
    if state.stage <= DEAL:
        return True
    other = 1 - seat
    put = state.second[other]
    had = put | state.hand[other]
    for link in range(state.links[seat]):
        inner = link_cards(state, seat, link)
        if count(put & inner) > state.most_put[seat, link] or count(had & inner) > state.most_had[seat, link]:
            return False
    loose = loose_part(state, seat)
    if loose == 0:
        return True
    # any of the hand's outer cards may be those outside the separate slot: ``ways`` draws lead to this layout
    outer = count(state.hand[other] & ~link_cards(state, seat, 0))
    ways = 1
    for index in range(state.held[other] - loose):
        ways = ways * (outer - index) // (index + 1)
    return random_below(random, ways) == 0


@rule
def assign(state: State, seat: int, index: int, cards: IntVector, number: int) -> None:
    """Put cards into one hidden slot, numbered as in :func:`hidden_slots`."""
    chosen = 0
    for which in range(number):
        chosen |= bit(cards[which])
    if index == 4:
        for which in range(state.left):
            state.stock[which] = cards[which] if which < number else UNSEEN
    elif index == 5:
        if number > 0:
            state.hand[1 - seat] |= chosen
    elif index % 2 == seat:
        return
    elif index < 2:
        state.hand[index] = chosen
    else:
        state.second[index - 2] = chosen


@rule
def hide_rest(state: State, seat: int) -> None:
    """Mask the other player's ``returned`` cards that are in the stock; for a spectator all of them, and all links.

    The other's links are no secret between the two players: each knows the events that the other has seen.
    """
    for other in range(2):
        if other == seat:
            continue
        state.returned[other] &= known_to(state, seat)
        if seat == NOBODY:
            state.returned[other] = 0
            state.links[other] = 0
            for link in range(LINKS):
                add_link(state, other, link, 0, 0)


@rule
def sample_rest(state: State, seat: int, random: Stream) -> None:
    """Complete the other's knowledge: shuffled cards that ``seat`` did not put away, the other did (3T-7)."""
    for other in range(2):
        if other == seat:
            continue
        state.private[other] = state.hand[other] | state.second[other]
        if state.shuffles > 0:
            for which in range(state.left):
                state.returned[other] |= bit(state.stock[which]) & ~state.returned[seat]


@rule
def hides(state: State, action: int, viewer: int) -> int:
    """3T-22: return the cards of an action that others may not see: those swapped."""
    return action & CARDS if action & SWAP != 0 else 0
