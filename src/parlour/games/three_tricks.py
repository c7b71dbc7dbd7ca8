"""3 Tricks: lay three tricks in a row without the other player blocking them.

Follows the rulebook's clauses 3T-1 to 3T-22. Deviations: none.

An action is a kind and a set of cards in one number. What a player can still tell about cards that were shuffled after
that player had swapped them away is kept in ``returned`` and a chain of links; see "Who knows what".
"""

from typing import Any

import numpy as np

from parlour.cards import (
    FULL_DECK,
    bit,
    card_words,
    cards_name,
    cards_of,
    count,
    lowest,
    parse_card,
    rank_of,
    set_of,
    suit_of,
    suit_set,
)
from parlour.engine.chance import random_below
from parlour.engine.compiled import rule
from parlour.engine.game import NO_LIMIT, Game, Line, Option, Options, Refusal, Zone
from parlour.engine.rules import CHANCE, NOBODY, OVER, UNSEEN, known_to, state_type

# Vocabulary

DEALER, DEAL, TURNS, SHUFFLE, END = range(5)
"""What comes next: the stages of a game."""
PASS, LAY, SWAP = (kind << 56 for kind in range(3))
"""An action is one of these and the set of its cards."""
CARDS = (1 << 56) - 1
ACES = sum(1 << 12 + 13 * suit for suit in range(4))
TWOS = sum(1 << 13 * suit for suit in range(4))
HAND = 7
FEW = 5
"""With so few cards in the stock and no second stock the game ends (3T-19)."""
STOCK = 52 - 2 * HAND
SWAPPED = 3
LINKS = 8

# Options

OPTIONS = (
    Option(
        "replacing_ends_turn",
        (True, False),
        True,
        "3T-14",
        "whether replacing the cards of a blocked second trick is that player's turn",
        {
            True: "Whoever blocks a second trick plays again at once, free to lay any trick.",
            False: "After every block the blocked player is next, and may block in turn.",
        },
    ),
    Option(
        "rank_block",
        ("pair", "any"),
        "pair",
        "3T-11",
        "what blocks by rank",
        {
            "pair": "A pair of a rank among the other's.",
            "any": "A run as well, if one of its ranks is among the other's.",
        },
    ),
    Option(
        "stall_turns",
        range(1, NO_LIMIT),
        60,
        "3T-21",
        "after how many turns in a row without a new trick the game ends",
    ),
)

# State

STATE = state_type(
    [
        ("replacing_ends_turn", np.int64),
        ("rank_any", np.int64),
        ("stall_turns", np.int64),
        ("stage", np.int64),
        ("dealer", np.int64),
        ("turn", np.int64),  # who decides, or will when all is drawn
        ("to_block", np.int64),  # the trick that the other player laid in the turn before, or 0 (3T-9)
        ("idle", np.int64),  # turns in a row without a new trick (3T-21)
        ("winner", np.int64),  # who laid a third trick, or NOBODY
        ("drawer", np.int64),
        ("to_draw", np.int64),
        ("hand", np.int64, (2,)),
        ("held", np.int64, (2,)),  # how many cards a hand has
        ("laid", np.int64, (2,)),  # tricks in a row
        ("rows", np.int64, (2, 3)),
        ("blocked", np.int64, (2,)),
        ("second", np.int64, (2,)),  # the second stock, by who put the cards there
        ("second_size", np.int64, (2,)),
        ("stock", np.int64, (STOCK + SWAPPED,)),  # its top is stock[left - 1]; a shuffle may interrupt a swap (3T-15)
        ("left", np.int64),
        ("shuffles", np.int64),
        ("returned", np.int64, (2,)),  # put away before the last shuffle, and not seen by that player since
        ("links", np.int64, (2,)),  # for what a player can tell of the other's cards, see "Who knows what"
        ("older", np.int64, (2, LINKS)),
        ("most_put", np.int64, (2, LINKS)),
        ("most_had", np.int64, (2, LINKS)),
    ]
)


def setup(state: Any, players: int, options: Options) -> None:
    """3T-5."""
    state.replacing_ends_turn = options["replacing_ends_turn"]
    state.rank_any = options["rank_block"] == "any"
    state.stall_turns = options["stall_turns"]
    state.winner = NOBODY
    state.stage = DEALER


@rule
def whole_deck(state: Any) -> int:
    """All cards in use."""
    return FULL_DECK


# Chance


@rule
def choices(state: Any) -> int:
    """3T-5: who deals."""
    return 2 if state.stage == DEALER else 0


@rule
def wanted(state: Any) -> int:
    """3T-5, 3T-15: the whole deck, or the second stock."""
    return FULL_DECK if state.stage == DEAL else state.second[0] | state.second[1]


@rule
def deal(state: Any, deck: Any) -> None:
    """3T-5, 3T-15."""
    if state.stage == SHUFFLE:
        reshuffle(state, deck)
        return
    for index in range(2 * HAND):
        state.hand[1 - state.dealer if index % 2 == 0 else state.dealer] |= bit(deck[index])
    for seat in range(2):
        state.held[seat] = HAND
        state.private[seat] = state.hand[seat]
    fill_stock(state, deck, 2 * HAND, STOCK)
    state.turn = 1 - state.dealer
    state.stage = TURNS
    state.actor = state.turn


@rule
def fill_stock(state: Any, deck: Any, first: int, number: int) -> None:
    """Lay ``number`` cards of the deck face down, ``deck[first]`` on top."""
    for index in range(number):
        state.stock[number - 1 - index] = deck[first + index]
    state.left = number


@rule
def reshuffle(state: Any, deck: Any) -> None:
    """3T-15, 3T-22: nobody knows the order, but who put a card there knows that it is in the stock."""
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
    """All four cards of a card's rank."""
    return TWOS << rank_of(card)


@rule
def is_trick(cards: int) -> bool:
    """3T-1 to 3T-3: equal ranks, or one suit and ranks so close that the aces fill the gaps."""
    plain = cards & ~ACES
    if plain == 0:
        return False
    low = lowest(plain)
    if plain & ~same_rank(low) == 0:
        return True
    return plain & ~suit_set(suit_of(low)) == 0 and plain >> low < 1 << count(cards)


@rule
def suits_in(cards: int) -> int:
    """3T-4: all cards of the suits of a trick."""
    found = 0
    for suit in range(4):
        if cards & ~ACES & suit_set(suit) != 0:
            found |= suit_set(suit)
    return found & ~ACES


@rule
def ranks_in(cards: int) -> int:
    """3T-4: all cards of the ranks of a trick."""
    found = 0
    rest = cards & ~ACES
    while rest != 0:
        found |= same_rank(lowest(rest))
        rest &= rest - 1
    return found


@rule
def blocks(cards: int, suits: int, ranks: int, rank_any: int) -> bool:
    """3T-11: whether a trick shares one of these suits, or blocks by one of these ranks."""
    plain = cards & ~ACES
    if plain & suits != 0:
        return True
    return plain & ranks != 0 and (rank_any != 0 or plain & ~same_rank(lowest(plain)) == 0)


# Legal


@rule
def legal(state: Any, actions: Any) -> int:
    """3T-6."""
    seat = state.actor
    number = list_tricks(state, state.hand[seat], actions)
    number = list_swaps(state.hand[seat], actions, number)
    actions[number] = PASS
    return number + 1


@rule
def list_tricks(state: Any, hand: int, actions: Any) -> int:
    """3T-1, 3T-2, 3T-9: the third trick takes the whole hand (3T-8)."""
    free = state.to_block == 0
    suits = suits_in(state.to_block)
    ranks = ranks_in(state.to_block)
    if state.laid[state.actor] == 2:
        if count(hand) == 3 and is_trick(hand) and (free or blocks(hand, suits, ranks, state.rank_any)):
            actions[0] = LAY | hand
            return 1
        return 0
    number = 0
    aces = hand & ACES
    rest = hand & ~ACES
    while rest != 0:
        card = rest & -rest
        rest &= rest - 1
        others = (rest & (same_rank(lowest(card)) | card << 1)) | aces  # above a king there is only an ace
        while others != 0:
            trick = card | (others & -others)
            others &= others - 1
            if free or blocks(trick, suits, ranks, state.rank_any):
                actions[number] = LAY | trick
                number += 1
    return number


@rule
def list_swaps(hand: int, actions: Any, number: int) -> int:
    """3T-7: every set of one, two or three cards."""
    ones = hand
    while ones != 0:
        one = SWAP | (ones & -ones)
        ones &= ones - 1
        actions[number] = one
        number += 1
        twos = ones
        while twos != 0:
            two = one | (twos & -twos)
            twos &= twos - 1
            actions[number] = two
            number += 1
            threes = twos
            while threes != 0:
                actions[number] = two | (threes & -threes)
                threes &= threes - 1
                number += 1
    return number


# Play


@rule
def play(state: Any, action: int) -> None:
    """3T-5, 3T-6."""
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
            swap(state, seat, action & CARDS)
    go_on(state)


@rule
def swap(state: Any, seat: int, cards: int) -> None:
    """3T-7, 3T-16."""
    number = count(cards)
    state.hand[seat] &= ~cards
    state.held[seat] -= number
    state.second[seat] |= cards
    state.second_size[seat] += number
    state.to_draw = number
    watch_put(state, 1 - seat, number)


@rule
def lay(state: Any, seat: int, cards: int) -> None:
    """3T-8, 3T-12, 3T-18."""
    watch_laid(state, 1 - seat, cards)
    state.hand[seat] &= ~cards
    state.held[seat] -= count(cards)
    state.public |= cards
    state.rows[seat, state.laid[seat]] = cards
    state.laid[seat] += 1
    state.idle = 0
    if state.laid[seat] == 3:
        state.winner = seat
        finish(state)
    elif state.to_block != 0:
        state.to_block = cards
        take_up(state, 1 - seat)
    else:
        state.to_block = cards


@rule
def take_up(state: Any, seat: int) -> None:
    """3T-10, 3T-13, 3T-14: the blocked player's tricks go away, and the hand is filled up."""
    if state.laid[seat] == 2 and state.replacing_ends_turn:
        state.turn = 1 - seat
        state.to_block = 0
    for index in range(state.laid[seat]):
        state.blocked[seat] |= state.rows[seat, index]
        state.rows[seat, index] = 0
    state.laid[seat] = 0
    state.drawer = seat
    state.to_draw = HAND - state.held[seat]


@rule
def go_on(state: Any) -> None:
    """3T-15, 3T-17, 3T-19, 3T-21: draw what is to be drawn, then end the turn."""
    draw(state)
    if state.left == 0 and state.second_size[0] + state.second_size[1] > 0:
        state.stage = SHUFFLE
        state.actor = CHANCE
        return
    state.to_draw = 0
    few = state.left <= FEW and state.second_size[0] + state.second_size[1] == 0
    if few or state.idle >= state.stall_turns:
        finish(state)
    else:
        state.actor = state.turn


@rule
def draw(state: Any) -> None:
    """3T-7, 3T-13: as many of the cards to be drawn as the stock has."""
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
def finish(state: Any) -> None:
    """3T-18 to 3T-21."""
    state.stage = END
    state.actor = OVER


# Scoring


@rule
def score(state: Any, scores: Any) -> int:
    """3T-18, 3T-20: the third trick, or else the blocked tricks of one's own, of two cards each."""
    for seat in range(2):
        scores[seat] = count(state.blocked[seat]) // 2
        if state.winner != NOBODY:
            scores[seat] = 1 if state.winner == seat else 0
    if scores[0] == scores[1]:
        return 3
    return 1 if scores[0] > scores[1] else 2


# Who knows what
#
# A player knows the own hand, the own cards in the second stock, and all that was laid. After a shuffle the cards that
# the player had put away are in the stock, or drawn from it since by the other one, whose other cards may be older. All
# that can be told of the other's cards is a chain of links, each within the next: of the cards in ``returned`` and
# ``older[link]``, as far as they are still unknown, the other has put at most ``most_put[link]`` into the second stock
# since the shuffle, and at most ``most_had[link]`` there or in hand. Why that is all: if a layout after a draw or a
# swap keeps to its links, undoing it with a card of the innermost link that has one gives a layout that keeps to the
# links before. Cards can go to and fro for many shuffles; what was innermost before a shuffle is outermost after it.


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


@rule
def places(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """3T-22: the hands, then what each has put on the second stock, then the stock; then the loose part of a hand."""
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
            allowed[other] &= ~linked(state, seat, 0)
    return 6


@rule
def narrow(state: Any, seat: int, allowed: Any) -> None:
    """What a link forbids altogether; the rest of what it says is in :func:`fits`."""
    other = 1 - seat
    unknown = FULL_DECK & ~known_to(state, seat)
    for link in range(state.links[seat]):
        inner = linked(state, seat, link) & unknown
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
def loose_part(state: Any, seat: int) -> int:
    """How many cards of the other's hand may be of the innermost link, or 0 if guesses need no help.

    Where most unknown cards are of that link but few of the other's, hardly any guess would fit. So the other cards of
    the hand get a place of their own.
    """
    if state.links[seat] == 0:
        return 0
    held = state.held[1 - seat]
    most = state.most_had[seat, 0]
    unknown = FULL_DECK & ~known_to(state, seat)
    inner = count(linked(state, seat, 0) & unknown)
    return most if most < held and held * inner > 2 * most * count(unknown) else 0


@rule
def fits(state: Any, seat: int, random: Any) -> bool:
    """3T-22: whether the other's cards keep to the links."""
    if seat == NOBODY or state.stage <= DEAL:
        return True
    other = 1 - seat
    put = state.second[other]
    had = put | state.hand[other]
    for link in range(state.links[seat]):
        inner = linked(state, seat, link)
        if count(put & inner) > state.most_put[seat, link] or count(had & inner) > state.most_had[seat, link]:
            return False
    loose = loose_part(state, seat)
    if loose == 0:
        return True
    # any of the hand's cards of outer links may be those of the place of their own: so many ways lead to this layout
    outer = count(state.hand[other] & ~linked(state, seat, 0))
    ways = 1
    for index in range(state.held[other] - loose):
        ways = ways * (outer - index) // (index + 1)
    return random_below(random, ways) == 0


@rule
def place(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """The places as :func:`places` lists them."""
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
def forget(state: Any, seat: int) -> None:
    """Of what the other player put away before the shuffle, the cards still in the stock; for a spectator all of it.

    The other's links are no secret between the two: each knows what the other was given to see.
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
def remember(state: Any, seat: int, random: Any) -> None:
    """What the others know; whatever was shuffled and was not one player's is the other's (3T-7)."""
    for other in range(2):
        if other == seat:
            continue
        state.private[other] = state.hand[other] | state.second[other]
        if seat != NOBODY and state.shuffles > 0:
            for which in range(state.left):
                state.returned[other] |= bit(state.stock[which]) & ~state.returned[seat]


# Notation, and what people are told


def name(state: Any, action: int) -> str:
    """``lay 4C 5C``, ``swap 4C 5C 9H`` or ``pass``."""
    if action == PASS:
        return "pass"
    return f"{'lay' if action & LAY else 'swap'} {cards_name(action & CARDS)}"


def chance_name(state: Any, outcome: int) -> str:
    """``dealer 0``."""
    return f"dealer {outcome}"


def deck_word(state: Any) -> str:
    """``deal`` or ``shuffle``."""
    return "deal" if state.stage == DEAL else "shuffle"


def zones(state: Any, seat: int) -> list[Zone]:
    """The hands, the tricks laid and blocked, both stocks; the stock from its top."""
    if state.stage <= DEAL:
        return []
    found = []
    for player in range(2):
        hand, laid = int(state.hand[player]), [card for row in state.rows[player] for card in cards_of(row)]
        found.append(Zone("hand", player, list(cards_of(hand)), int(state.held[player]) - int(count(hand))))
        found.append(Zone("tricks", player, laid, face_up=True, ordered=True))
        found.append(Zone("blocked", player, list(cards_of(state.blocked[player]))))
    second = int(state.second[0] | state.second[1])
    size = int(state.second_size[0] + state.second_size[1])
    found.append(Zone("second stock", NOBODY, list(cards_of(second)), size - int(count(second))))
    stock = [int(card) for card in state.stock[: state.left][::-1] if card != UNSEEN]
    found.append(Zone("stock", NOBODY, stock, int(state.left) - len(stock), ordered=True))
    return found


def facts(state: Any) -> dict[str, Any]:
    """Everything public that is not a card's place."""
    return {
        "stage": ("dealer", "deal", "turns", "shuffle", "end")[state.stage],
        "dealer": int(state.dealer) if state.stage > DEALER else None,
        "tricks": [[cards_name(row).split() for row in state.rows[seat] if row] for seat in range(2)],
        "blocked": [int(count(state.blocked[seat])) // 2 for seat in range(2)],
        "to_block": cards_name(state.to_block).split(),
        "second": [int(state.second_size[seat]) for seat in range(2)],
        "turn": int(state.turn) if state.stage > DEAL else None,
        "idle": int(state.idle),
        "idle_left": int(state.stall_turns) - int(state.idle),
        "winner": int(state.winner),
    }


def lines(state: Any) -> list[Line]:
    """3T-20: the blocked tricks, which count if nobody lays a third one."""
    found = []
    for seat in range(2):
        number = int(count(state.blocked[seat])) // 2
        if number:
            points = [number if player == seat else 0 for player in range(2)]
            found.append(Line("own tricks that were blocked", points, "3T-20", seat))
    return found


def refusal(state: Any, text: str) -> Refusal:
    """Why an action is not legal now."""
    verb, _, rest = text.partition(" ")
    cards = [parse_card(word) for word in rest.split()]
    if verb not in ("lay", "swap") or not cards:
        return Refusal("3T-6", "In a turn you lay a trick, swap cards, or pass.")
    missing = [card for card in cards if not state.hand[state.actor] & bit(card)]
    if missing:
        return Refusal("3T-6", f"You do not hold the {card_words(missing[0])}.")
    if cards != list(cards_of(set_of(cards))):
        return Refusal("", "Cards are named once each, by suit (clubs, diamonds, hearts, spades) and upward.")
    if verb == "swap":
        return Refusal("3T-7", "One to three cards are swapped at a time.")
    return _trick_refusal(state, set_of(cards))


def _trick_refusal(state: Any, cards: int) -> Refusal:
    wanted_cards = 3 if state.laid[state.actor] == 2 else 2
    if count(cards) != wanted_cards:
        which = "third trick is three" if wanted_cards == 3 else "first two tricks are two"
        return Refusal("3T-2" if wanted_cards == 3 else "3T-1", f"Your {which} cards.")
    if cards & ~ACES == 0:
        return Refusal("3T-3", "Aces alone are no trick.")
    if not is_trick(cards):
        if wanted_cards == 3:
            return Refusal("3T-2", "These are neither three of a kind nor consecutive cards of one suit.")
        return Refusal("3T-1", "These are neither a pair nor consecutive cards of one suit.")
    pair = "shares one of its ranks" if state.rank_any else "is a pair of one of its ranks"
    laid = cards_name(state.to_block)
    return Refusal("3T-9", f"Only what blocks {laid} may be laid now: a trick that shares one of its suits or {pair}.")


GAME = Game(
    id="three-tricks",
    title="3 Tricks",
    prefix="3T",
    summary="Lay three tricks in a row, of two, two and three cards, without being blocked.",
    credit="3 Tricks by Winston Harris (2024).",
    players=range(2, 3),
    options=OPTIONS,
    dtype=STATE,
    setup=setup,
    whole_deck=whole_deck,
    choices=choices,
    wanted=wanted,
    deal=deal,
    legal=legal,
    play=play,
    score=score,
    places=places,
    place=place,
    fits=fits,
    forget=forget,
    remember=remember,
    zones=zones,
    facts=facts,
    lines=lines,
    name=name,
    chance_name=chance_name,
    refusal=refusal,
    deck_word=deck_word,
)
