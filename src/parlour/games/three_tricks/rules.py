"""3 Tricks: the state, the legal actions and their effects (3T-1 to 3T-22).

An encoded action combines a kind and a set of cards in one integer.
"""

from parlour.cards import FULL_DECK, bit, count, lowest, rank_of, suit_of, suit_set
from parlour.engine import fields
from parlour.engine.compiled import rule
from parlour.engine.game import Options, take_options
from parlour.engine.rules import CHANCE, NOBODY, OVER, UNSEEN, state_type
from parlour.engine.typed_state import IntVector
from parlour.games.three_tricks.links import LINKS, USUAL_LINKS, relink, watch_drawn, watch_laid, watch_put
from parlour.games.three_tricks.typed_state import State

# Vocabulary

DEALER, DEAL, TURNS, SHUFFLE, END = range(5)
"""Stages of a game, each named after the next event."""
PASS, LAY, SWAP = (kind << 56 for kind in range(3))
"""Kinds of actions; an encoded action is a kind plus the set of its cards."""
CARDS = (1 << 56) - 1
ACES = sum(1 << 12 + 13 * suit for suit in range(4))
TWOS = sum(1 << 13 * suit for suit in range(4))
MOST_TRICKS = 3
MOST_SWAPPED = 3
"""Maximum number of cards put away by one swap (3T-7), with any options."""

LEAST_HAND = 5
MOST_STOCK = 52 - 2 * LEAST_HAND + MOST_SWAPPED
"""Maximum number of cards in a stock, with any options; a shuffle may interrupt a swap (3T-7, 3T-15)."""

# State


def most_shuffles(state: State) -> int:
    """3T-15, 3T-21: return a loose bound on the number of shuffles: 18 times the most turns without a trick."""
    return 18 * int(state.stall_turns)


def tricks(state: State) -> int:
    """3T-18: return the number of tricks that win."""
    return int(state.tricks)


def full_hand(state: State) -> int:
    """3T-5: return the number of cards of a full hand."""
    return int(state.hand_cards)


def links(state: State) -> int:
    """3T-22: return a bound on the number of links, see links.py."""
    return int(state.hand_cards) + 1


def most_in_stock(state: State) -> int:
    """3T-7, 3T-15: return the largest size of a stock; a shuffle may interrupt a swap."""
    return int(52 - 2 * state.hand_cards + state.swap_limit)


STATE = state_type(
    [
        ("replacing_ends_turn", fields.UNOBSERVED),
        ("rank_any", fields.UNOBSERVED),
        ("stall_turns", fields.UNOBSERVED),
        ("tricks", fields.UNOBSERVED),
        ("last_cards", fields.UNOBSERVED),
        ("hand_cards", fields.UNOBSERVED),
        ("swap_limit", fields.UNOBSERVED),
        ("stock_end", fields.UNOBSERVED),
        ("stage", fields.one_of(5)),
        ("dealer", fields.SEAT),
        ("turn", fields.SEAT),  # the player who decides, now or once all cards are drawn
        ("to_block", fields.CARDS),  # the trick that the other player laid in the previous turn, or 0 (3T-9)
        ("idle", fields.number(lambda state: int(state.stall_turns))),  # turns in a row without a new trick (3T-21)
        ("winner", fields.SEAT),  # the player who laid the trick that wins, or NOBODY
        ("drawer", fields.SEAT),
        ("to_draw", fields.number(full_hand)),
        ("hand", fields.CARDS, fields.by_seat(2)),
        ("held", fields.number(full_hand), fields.by_seat(2)),  # the number of cards in a hand
        ("laid", fields.number(tricks), fields.by_seat(2)),  # the number of tricks in a player's row
        ("rows", fields.CARDS, (fields.by_seat(2), fields.first_of(MOST_TRICKS, tricks))),
        ("blocked", fields.CARDS, fields.by_seat(2)),
        ("second", fields.CARDS, fields.by_seat(2)),  # the second stock, by the player who put the cards there
        ("second_size", fields.number(most_in_stock), fields.by_seat(2)),
        ("stock", fields.hidden(fields.CARD), (MOST_STOCK,)),  # the top is stock[left - 1]
        ("left", fields.number(most_in_stock)),
        ("shuffles", fields.number(most_shuffles)),
        ("returned", fields.CARDS, fields.by_seat(2)),  # put away before the last shuffle and not seen since
        ("links", fields.number(links), fields.by_seat(2)),  # inferences about the other's cards, see links.py
        ("older", fields.CARDS, (fields.by_seat(2), fields.first_of(LINKS, USUAL_LINKS))),
        ("most_put", fields.number(52), (fields.by_seat(2), fields.first_of(LINKS, USUAL_LINKS))),
        ("most_had", fields.number(52), (fields.by_seat(2), fields.first_of(LINKS, USUAL_LINKS))),
    ]
)


def setup(state: State, players: int, options: Options) -> None:
    """Copy the options; the choice of the dealer is next (3T-5)."""
    take_options(state, players, options)
    state.rank_any = options["rank_block"] == "any"
    state.winner = NOBODY
    state.stage = DEALER


@rule
def whole_deck(state: State) -> int:
    """Return all cards in use, as a set."""
    return FULL_DECK


# Chance


@rule
def choices(state: State) -> int:
    """3T-5: return the number of possible dealers."""
    return 2 if state.stage == DEALER else 0


@rule
def wanted(state: State) -> int:
    """3T-5, 3T-15: return the cards to be shuffled: the whole deck, or the second stock."""
    return FULL_DECK if state.stage == DEAL else state.second[0] | state.second[1]


@rule
def deal(state: State, deck: IntVector) -> None:
    """3T-5, 3T-15: deal, or reshuffle the second stock."""
    if state.stage == SHUFFLE:
        reshuffle(state, deck)  # 3T-15
        return
    for index in range(2 * state.hand_cards):
        state.hand[1 - state.dealer if index % 2 == 0 else state.dealer] |= bit(deck[index])
    for seat in range(2):
        state.held[seat] = state.hand_cards
        state.private[seat] = state.hand[seat]
    fill_stock(state, deck, 2 * state.hand_cards, 52 - 2 * state.hand_cards)  # 3T-5
    state.turn = 1 - state.dealer
    state.stage = TURNS
    state.actor = state.turn


@rule
def fill_stock(state: State, deck: IntVector, first: int, number: int) -> None:
    """Make a stock of ``number`` cards of the deck, ``deck[first]`` on top."""
    for index in range(number):
        state.stock[number - 1 - index] = deck[first + index]
    state.left = number


@rule
def reshuffle(state: State, deck: IntVector) -> None:
    """3T-15, 3T-22: make the second stock the stock; its order is hidden, but players know the cards they put there."""
    for seat in range(2):
        relink(state, seat)
    fill_stock(state, deck, 0, state.second_size[0] + state.second_size[1])
    for seat in range(2):
        state.returned[seat] = state.second[seat]
        state.private[seat] = state.hand[seat]
        state.second[seat] = 0
        state.second_size[seat] = 0
    state.shuffles += 1
    state.stage = TURNS
    go_on(state)


# Tricks


@rule
def same_rank(card: int) -> int:
    """Return the four cards of a card's rank."""
    return TWOS << rank_of(card)


@rule
def is_trick(cards: int) -> bool:
    """3T-1 to 3T-3: return whether cards are a trick: one rank, or one suit with gaps that the aces fill."""
    plain = cards & ~ACES
    if plain == 0:
        return False
    low = lowest(plain)
    if plain & ~same_rank(low) == 0:
        return True
    return plain & ~suit_set(suit_of(low)) == 0 and plain >> low < 1 << count(cards)


@rule
def pairing(card: int, others: int) -> int:
    """3T-1, 3T-3: return the cards of ``others`` that make a trick of two with ``card``.

    ``card`` is the set of one card that is no ace; ``others`` has only aces and cards with higher numbers.
    """
    return others & (ACES | same_rank(lowest(card)) | card << 1)  # above a king there is only an ace


@rule
def suits_in(cards: int) -> int:
    """3T-4: return all cards of a trick's suits, without aces."""
    found = 0
    for suit in range(4):
        if cards & ~ACES & suit_set(suit) != 0:
            found |= suit_set(suit)
    return found & ~ACES


@rule
def ranks_in(cards: int) -> int:
    """3T-4: return all cards of a trick's ranks."""
    found = 0
    rest = cards & ~ACES
    while rest != 0:
        found |= same_rank(lowest(rest))
        rest &= rest - 1
    return found


@rule
def blocks(cards: int, other: int, rank_any: int) -> bool:
    """3T-11: return whether a trick shares a suit with another one, or blocks it by rank."""
    plain = cards & ~ACES
    if plain & suits_in(other) != 0:
        return True
    if plain & ranks_in(other) == 0:
        return False
    return rank_any != 0 or plain & ~same_rank(lowest(plain)) == 0  # a run blocks by rank only with an option


# Legal


@rule
def legal(state: State, actions: IntVector) -> int:
    """3T-6: write the legal actions and return their number."""
    hand = state.hand[state.actor]
    number = list_tricks(state, hand, actions)
    number = list_swaps(hand, state.swap_limit, actions, number)
    actions[number] = PASS
    return number + 1


@rule
def list_tricks(state: State, hand: int, actions: IntVector) -> int:
    """3T-1, 3T-2: write the legal tricks and return their number."""
    if lays_three(state, state.actor):
        return list_threes(state, hand, actions)
    number = 0
    rest = hand & ~ACES
    while rest != 0:
        card = rest & -rest
        rest &= rest - 1
        others = pairing(card, rest | hand & ACES)
        while others != 0:
            trick = card | others & -others
            others &= others - 1
            if may_be_laid(state, trick):
                actions[number] = LAY | trick
                number += 1
    return number


@rule
def lays_three(state: State, seat: int) -> bool:
    """3T-2: return whether a player's next trick is the last of a row and has three cards."""
    return state.laid[seat] == state.tricks - 1 and state.last_cards == 3


@rule
def list_threes(state: State, hand: int, actions: IntVector) -> int:
    """3T-2, 3T-8: write the legal tricks of three and return their number; usually each takes the whole hand."""
    number = 0
    ones = hand
    while ones != 0:
        one = ones & -ones
        ones &= ones - 1
        twos = ones
        while twos != 0:
            two = one | twos & -twos
            twos &= twos - 1
            threes = twos
            while threes != 0:
                trick = two | threes & -threes
                threes &= threes - 1
                if is_trick(trick) and may_be_laid(state, trick):
                    actions[number] = LAY | trick
                    number += 1
    return number


@rule
def may_be_laid(state: State, trick: int) -> bool:
    """Return whether a trick may be laid: while another trick can be blocked, only a trick that blocks it."""
    if state.to_block == 0:
        return True
    return blocks(trick, state.to_block, state.rank_any)  # 3T-9


@rule
def list_swaps(hand: int, most: int, actions: IntVector, number: int) -> int:
    """3T-7: append every swap, a set of one to ``most`` cards (at most three); return the new number of actions."""
    ones = hand
    while ones != 0:
        one = SWAP | (ones & -ones)
        ones &= ones - 1
        actions[number] = one
        number += 1
        twos = ones if most > 1 else 0
        while twos != 0:
            two = one | (twos & -twos)
            twos &= twos - 1
            actions[number] = two
            number += 1
            threes = twos if most > 2 else 0
            while threes != 0:
                actions[number] = two | (threes & -threes)
                threes &= threes - 1
                number += 1
    return number


# Play


@rule
def play(state: State, action: int) -> None:
    """3T-5, 3T-6: apply the choice of the dealer or a player's action."""
    if state.stage == DEALER:
        state.dealer = action
        state.stage = DEAL
        return
    seat = state.actor
    state.turn = 1 - seat
    state.idle += 1
    state.drawer = seat
    if action & LAY != 0:
        lay(state, seat, action & CARDS)
        if state.stage == END:
            return
    else:
        state.to_block = 0
        if action & SWAP != 0:
            swap(state, seat, action & CARDS)  # 3T-7
    go_on(state)


@rule
def swap(state: State, seat: int, cards: int) -> None:
    """3T-7, 3T-16: put cards on the second stock; as many are to be drawn."""
    number = count(cards)
    state.hand[seat] &= ~cards
    state.held[seat] -= number
    state.second[seat] |= cards
    state.second_size[seat] += number
    state.to_draw = number
    watch_put(state, 1 - seat, number)


@rule
def lay(state: State, seat: int, cards: int) -> None:
    """3T-8, 3T-12, 3T-18: lay a trick, which may block the other player or win."""
    watch_laid(state, 1 - seat, cards)
    state.hand[seat] &= ~cards
    state.held[seat] -= count(cards)
    state.public |= cards
    state.rows[seat, state.laid[seat]] = cards
    state.laid[seat] += 1  # 3T-8
    state.idle = 0
    if state.laid[seat] == state.tricks:
        state.winner = seat  # 3T-18
        finish(state)
    elif state.to_block != 0:
        state.to_block = cards
        take_up(state, 1 - seat)  # 3T-12, 3T-13
    else:
        state.to_block = cards


@rule
def take_up(state: State, seat: int) -> None:
    """3T-10, 3T-13, 3T-14: remove the blocked player's tricks, and let the player fill up the hand."""
    if state.laid[seat] == 2 and state.replacing_ends_turn:
        state.turn = 1 - seat
        state.to_block = 0  # 3T-10, 3T-14
    for index in range(state.laid[seat]):
        state.blocked[seat] |= state.rows[seat, index]
        state.rows[seat, index] = 0
    state.laid[seat] = 0
    state.drawer = seat
    state.to_draw = state.hand_cards - state.held[seat]


@rule
def go_on(state: State) -> None:
    """3T-15, 3T-17, 3T-19, 3T-21: draw the cards due, then shuffle, end the game or pass the turn on."""
    draw(state)
    if state.left == 0 and state.second_size[0] + state.second_size[1] > 0:
        state.stage = SHUFFLE
        state.actor = CHANCE
        return
    if state.to_draw > 0:
        state.to_draw = 0  # 3T-17
    if is_used_up(state):
        finish(state)  # 3T-19
    elif state.idle >= state.stall_turns:
        finish(state)  # 3T-21
    else:
        state.actor = state.turn


@rule
def is_used_up(state: State) -> bool:
    """3T-19: return whether the stock has so few cards that the game ends, and there is no second stock."""
    return state.left <= state.stock_end and state.second_size[0] + state.second_size[1] == 0


@rule
def draw(state: State) -> None:
    """3T-7, 3T-13: draw the cards due, as far as the stock lasts."""
    seat = state.drawer
    number = min(state.to_draw, state.left)
    drawn = 0
    for _ in range(number):
        state.left -= 1
        drawn |= bit(state.stock[state.left])
        state.stock[state.left] = UNSEEN
    state.hand[seat] |= drawn
    state.private[seat] |= drawn
    state.held[seat] += number
    state.to_draw -= number
    state.returned[seat] &= ~drawn
    watch_drawn(state, 1 - seat, number)


@rule
def finish(state: State) -> None:
    """3T-18 to 3T-21: end the game."""
    state.stage = END
    state.actor = OVER


# Scoring


@rule
def score(state: State, scores: IntVector) -> int:
    """3T-18, 3T-20: write the scores, 1 for the winning trick or else the blocked tricks; return the set of winners."""
    for seat in range(2):
        scores[seat] = 1 if state.winner == seat else 0
        if state.winner == NOBODY:
            scores[seat] = count(state.blocked[seat]) // 2  # 3T-20
    if scores[0] == scores[1]:
        return 3
    return 1 if scores[0] > scores[1] else 2
