"""The rules of Oh Hell: deal, bid, play, score."""

from typing import Any

from parlour.cards import FULL_DECK, bit, rank_of, suit_of, suit_set
from parlour.engine.chance import spread
from parlour.engine.compiled import rule
from parlour.engine.fields import CARD, CARDS, SEAT, SUITS, UNOBSERVED, by_seat, number
from parlour.engine.game import Options
from parlour.engine.rules import CHANCE, MAX_SEATS, NOBODY, OVER, state_type

MOST_TRICKS = 51
"""Maximum number of cards in all hands together, since one is turned up for trumps."""
BID = 52
"""Offset of bids: a bid of *n* is the action ``BID + n``."""
NO_BID = -1
NO_CARD = -1
FOLLOWING, TRUMP = 16, 32
"""Additions to the height of a card of the suit led, and of a trump, OH-6."""
MADE = 10
"""Points for taking exactly the tricks bid."""

STATE = state_type(
    [
        ("oh_penalty", UNOBSERVED),  # the options; 0 tricks until chance has drawn the number
        ("oh_points", UNOBSERVED),
        ("oh_tricks", number(MOST_TRICKS)),
        ("oh_dealer", SEAT),
        ("oh_trump", CARD),  # the card turned up
        ("oh_hand", CARDS, by_seat(MAX_SEATS)),
        ("oh_lacks", SUITS, by_seat(MAX_SEATS)),  # cards that a hand cannot hold, OH-7
        ("oh_bid", number(MOST_TRICKS, least=NO_BID), by_seat(MAX_SEATS)),  # NO_BID before the bid
        ("oh_taken", number(MOST_TRICKS), by_seat(MAX_SEATS)),
        ("oh_trick", CARD, (MAX_SEATS,)),  # the cards of the trick, in the order of play
        ("oh_played", number(MAX_SEATS)),  # the number of cards in the trick
        ("oh_leader", SEAT),
        ("oh_taker", SEAT),  # the seat that takes the trick so far
        ("oh_height", number(FOLLOWING + TRUMP + 12, least=NO_CARD)),  # the height of the taker's card, OH-6
        ("oh_left", number(MOST_TRICKS)),  # cards in all hands together
        ("oh_rest", UNOBSERVED),  # cards that were not dealt
    ]
)


def setup(state: Any, players: int, options: Options) -> None:
    """OH-1, OH-2, OH-8, OH-9: write the options and the initial values."""
    state.oh_tricks = options["tricks"]
    state.oh_penalty = options["off_bid_penalty"]
    state.oh_points = options["points_per_trick"]
    state.oh_dealer = NOBODY
    state.oh_trump = NOBODY
    state.oh_height = NO_CARD
    state.oh_bid[:] = NO_BID


@rule
def choices(state: Any) -> int:
    """OH-2, OH-3: return the number of outcomes: numbers of tricks, unless an option sets it, then dealers."""
    if state.oh_tricks == 0:
        return MOST_TRICKS // state.seats
    return state.seats if state.oh_dealer == NOBODY else 0


@rule
def after(state: Any, seat: int) -> int:
    """Return the next seat clockwise."""
    return seat + 1 if seat + 1 < state.seats else 0


@rule
def deal(state: Any, deck: Any) -> None:
    """OH-3: deal the hands, and turn up the next card for trumps."""
    left = state.oh_tricks * state.seats
    dealt = 0
    for seat in range(state.seats):
        hand = 0
        for index in range(seat, left, state.seats):
            hand |= bit(deck[index])
        state.oh_hand[seat] = hand
        state.private[seat] = hand
        dealt |= hand
    state.oh_left = left
    state.oh_trump = deck[left]
    state.public = bit(deck[left])
    state.oh_rest = FULL_DECK & ~(dealt | bit(deck[left]))
    state.oh_leader = after(state, state.oh_dealer)
    state.actor = state.oh_leader


@rule
def legal(state: Any, actions: Any) -> int:
    """OH-4, OH-5: list the bids, or the cards that may be played."""
    if state.oh_bid[state.actor] == NO_BID:
        return legal_bids(state, actions)
    return spread(actions, playable(state))


@rule
def playable(state: Any) -> int:
    """OH-5: return the cards that may be played: those of the suit led, or any without one."""
    cards = state.oh_hand[state.actor]
    led = suit_set(suit_of(state.oh_trick[0])) if state.oh_played > 0 else FULL_DECK
    return cards & led if cards & led != 0 else cards  # type: ignore[no-any-return]


@rule
def barred_bid(state: Any) -> int:
    """OH-4: return the bid that would make all bids add up to the tricks, forbidden to the dealer, or ``NO_BID``."""
    if state.actor != state.oh_dealer:
        return NO_BID
    barred = state.oh_tricks
    for seat in range(state.seats):
        barred -= max(0, state.oh_bid[seat])
    return max(NO_BID, barred)


@rule
def legal_bids(state: Any, actions: Any) -> int:
    """OH-4: list all bids but the barred one."""
    barred = barred_bid(state)
    number = 0
    for bid in range(state.oh_tricks + 1):
        if bid != barred:
            actions[number] = BID + bid
            number += 1
    return number


@rule
def play(state: Any, action: int) -> None:
    """OH-2 and OH-3 (chance), OH-4, OH-5: carry out an outcome of chance, a bid or a card."""
    if state.actor == CHANCE:
        if state.oh_tricks == 0:
            state.oh_tricks = action + 1
        else:
            state.oh_dealer = action
    elif action >= BID:
        state.oh_bid[state.actor] = action - BID
        state.actor = after(state, state.actor)
    else:
        play_card(state, action)


@rule
def height(state: Any, card: int) -> int:
    """OH-6: return a card's height; the highest card takes the trick."""
    suit = suit_of(card)
    led = suit if state.oh_played == 0 else suit_of(state.oh_trick[0])
    lifted = TRUMP if suit == suit_of(state.oh_trump) else FOLLOWING if suit == led else 0
    return rank_of(card) + lifted


@rule
def play_card(state: Any, card: int) -> None:
    """OH-5, OH-6: play a card. The trick's taker is found without a branch, which processors would mispredict."""
    seat = state.actor
    best = max(height(state, card) << 3 | seat, state.oh_height << 3 | state.oh_taker)
    state.oh_height = best >> 3
    state.oh_taker = best & 7
    state.oh_hand[seat] &= ~bit(card)
    state.oh_trick[state.oh_played] = card
    note_seen(state, seat, card)
    state.oh_played += 1
    state.oh_left -= 1
    state.actor = after(state, seat)
    if state.oh_played == state.seats:
        finish_trick(state)


@rule
def note_seen(state: Any, seat: int, card: int) -> None:
    """OH-7: make the card public, and record that a seat that does not follow suit lacks the suit led."""
    if not state.result_only:
        led = suit_set(suit_of(state.oh_trick[0]))
        state.public |= bit(card)
        state.oh_lacks[seat] |= led if bit(card) & led == 0 else 0


@rule
def finish_trick(state: Any) -> None:
    """OH-6: give the trick to its taker, who leads the next one."""
    state.oh_taken[state.oh_taker] += 1
    state.oh_leader = state.oh_taker
    state.oh_played = 0
    state.oh_height = NO_CARD
    state.actor = state.oh_taker if state.oh_left > 0 else OVER


@rule
def score(state: Any, scores: Any) -> int:
    """OH-8, OH-9: write the scores; before the end only tricks count, and only without the penalty."""
    most = -(1 << 40)
    winners = 0
    for seat in range(state.seats):
        made = state.actor == OVER and state.oh_taken[seat] == state.oh_bid[seat]
        points = state.oh_points * state.oh_taken[seat]
        if state.oh_penalty != 0 and not made:
            points = -state.oh_points * abs(state.oh_taken[seat] - state.oh_bid[seat]) if state.actor == OVER else 0
        scores[seat] = points + MADE if made else points
        if scores[seat] > most:
            most = scores[seat]
            winners = 0
        if scores[seat] == most:
            winners |= 1 << seat
    return winners
