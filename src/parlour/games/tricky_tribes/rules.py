"""Tricky Tribes: the state, the legal actions and their effects (TT-1 to TT-27).

A *tribe* is a player's number, or ``seats`` for the dummy. ``ring`` lists the tribes clockwise from the dealer's left;
``turn`` and ``leader`` are indices into it. No count kept in a trick depends on its face-down cards: hide only these.
"""

from parlour.cards import BLACK, COURTS, FULL_DECK, JOKERS, RED, bit, count, lowest
from parlour.engine.compiled import rule
from parlour.engine.fields import (
    CARD,
    CARDS,
    CHAIR,
    SEAT,
    SEATS,
    SIDE,
    UNOBSERVED,
    YES_NO,
    by_chair,
    by_seat,
    chair_in,
    hidden,
    number,
    one_of,
)
from parlour.engine.game import Options, Value, take_options
from parlour.engine.rules import CHANCE, MAX_CARDS, NOBODY, OVER, UNSEEN, state_type
from parlour.engine.typed_state import IntVector
from parlour.games.tricky_tribes.scoring import REDS, is_limited, number_of, points_of, total
from parlour.games.tricky_tribes.typed_state import State

# Vocabulary

DEALER, DEAL, EXCHANGE, TRICKS, END = range(5)
"""Stages of a game, each named after the next event."""
KEEP = 60
"""Action: keep one's hand. Every other action is a card number, plus ``DARK`` for a card led dark."""
DARK = 64
MAX_TRIBES = 6
MAX_TRICKS = 16
MAX_DECK = 52  # two players with a card each, and two jokers
TWOS = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""Set of the 2s; times ``2**n - 1``, that of the *n* lowest ranks (TT-22)."""

# State


def seats_on_sides(state: State) -> int:
    """TT-27: return the number of seats whose sides an observation shows: 0 if everyone plays alone."""
    seats = int(state.seats)
    return seats if len(set(state.side[:seats].tolist())) < seats else 0


def most_points(state: State) -> int:
    """TT-17, TT-20: return a bound on a player's points: all cards of one colour, in all rounds."""
    plain, courts = int(count(RED & ~COURTS)), int(count(RED & COURTS))
    red = plain * int(state.red_points) + courts * int(state.red_court_points) + 2 * int(state.joker_points)
    return most_rounds(state) * max(red, plain * int(state.black_points) + courts * int(state.black_court_points))


def most_rounds(state: State) -> int:
    """TT-18: return the largest number of rounds."""
    return int(state.rounds or state.round_limit)


def tricks_in_round(state: State) -> int:
    """TT-5: return the number of tricks of a round."""
    return int(state.dealt)


def deck_size(state: State) -> int:
    """TT-2, TT-4: return the number of cards in the deck after the deal; at least 1, so that the field has a range."""
    return max(1, int(state.deck_size))


def heaviest(state: State) -> int:
    """TT-27: return the largest weight of a side."""
    return max(int(state.single_weight), 1)


STATE = state_type(
    [
        ("in_use", UNOBSERVED),
        ("dealt", UNOBSERVED),  # cards in a hand at the first trick, and so tricks in a round
        ("extra", UNOBSERVED),  # the number of players dealt one more card, which they put away (TT-4)
        ("deck_size", UNOBSERVED),
        ("dummy", UNOBSERVED),
        ("exchange", UNOBSERVED),  # 0 also if the deck has no card to exchange for, or with TT-4
        ("loot_limit", UNOBSERVED),
        ("limited_from", UNOBSERVED),  # the least number of a winning card that limits the loot
        ("red_points", UNOBSERVED),
        ("red_court_points", UNOBSERVED),
        ("black_points", UNOBSERVED),
        ("black_court_points", UNOBSERVED),
        ("joker_points", UNOBSERVED),
        ("joker_number", UNOBSERVED),
        ("single_weight", UNOBSERVED),
        ("round_limit", UNOBSERVED),
        ("tribes", UNOBSERVED),
        ("side", SIDE, by_seat(MAX_TRIBES, observed=seats_on_sides)),  # by player
        # by player: ``single_weight`` for a player who is alone among teams (TT-27), else 1
        ("weight", number(heaviest), by_seat(MAX_TRIBES, observed=seats_on_sides)),
        ("target", UNOBSERVED),
        ("rounds", UNOBSERVED),
        ("difference", UNOBSERVED),
        ("stage", one_of(5)),
        ("round_number", number(most_rounds, least=-1)),  # from 0
        ("dealer", SEAT),
        ("ring", CHAIR, (MAX_TRIBES,)),
        ("turn", chair_in("ring")),
        ("gone", SEATS),  # the set of players who have put a card away
        ("tricks", number(tricks_in_round)),  # finished in this round
        ("leader", chair_in("ring")),
        ("must_open", YES_NO),  # TT-15
        ("is_open", YES_NO),  # whether the current trick was led open
        ("above", CARDS),  # the cards that rank above all others, for the trick's colour (TT-9)
        ("played", number(MAX_TRIBES)),
        ("trick", CARD, (MAX_TRIBES,)),  # in order of play; items from ``played`` on are of the trick before
        ("last_leader", chair_in("ring")),
        ("last_open", YES_NO),
        ("last_taker", one_of(MAX_TRIBES)),  # by place in the order of play
        ("last_loot", CARDS),
        ("last_trick", CARD, (MAX_TRIBES,)),
        ("leaders", UNOBSERVED, (MAX_TRICKS,)),  # of this round's finished tricks
        ("opened", UNOBSERVED, (MAX_TRICKS,)),  # whether they were led open
        ("course", UNOBSERVED, (MAX_CARDS,)),  # their cards, in order of play
        ("hand", CARDS, by_seat(MAX_TRIBES, observed=1)),  # by player; hidden from all others
        ("away", CARDS, by_seat(MAX_TRIBES, observed=1)),  # by player: the card put away, as a set
        ("collected", CARDS, by_chair(MAX_TRIBES)),  # by tribe
        ("discarded", CARDS),
        ("deck", hidden(CARD), (MAX_DECK,)),  # its top is deck[drawn]
        ("drawn", number(deck_size)),
        # by player, of the rounds before
        ("points", number(most_points, least=lambda state: -most_points(state)), by_seat(MAX_TRIBES)),
    ]
)


def sides_of(players: int, teams: Value) -> str:
    """TT-27: return a letter for each player's side."""
    if teams == "none":
        return "ABCDEF"[:players]
    if teams == "pairs":
        return {4: "ABAB", 5: "ABABC", 6: "ABCABC"}[players]  # TT-27
    return "ABABAB" if teams == "trios" else str(teams)  # TT-27


def cards_in_use(options: Options) -> int:
    """TT-20, TT-22: return the cards in use with these options."""
    cards = FULL_DECK
    if options["jokers"]:
        cards |= ((1 << int(options["jokers"])) - 1) << 52  # TT-20
    if options["cut_deck"]:
        cards &= ~(((1 << int(options["cut_ranks"])) - 1) * TWOS)  # TT-22
    return cards


def cards_dealt(players: int, options: Options) -> int:
    """TT-2, TT-23: return the cards of a hand at the first trick."""
    return 8 if players == 6 and options["hand_cards"] == 9 else int(options["hand_cards"])


def cards_put_away(players: int, options: Options) -> int:
    """TT-4: return the number of players with one more card, which they put away, if the whole deck is dealt."""
    rest = int(count(cards_in_use(options))) - players * cards_dealt(players, options)
    return rest if options["exchange"] and not options["dummy"] and 0 < rest < players else 0


def setup(state: State, players: int, options: Options) -> None:
    """TT-2, TT-4, TT-17 to TT-20, TT-22 to TT-24, TT-27: copy the options."""
    take_options(state, players, options)
    letters = sides_of(players, options["teams"])
    for player, letter in enumerate(letters):
        state.side[player] = letters.index(letter)
        alone = letters.count(letter) == 1
        state.weight[player] = state.single_weight if alone and options["teams"] != "none" else 1
    state.in_use = cards_in_use(options)
    state.dealt = cards_dealt(players, options)
    state.extra = cards_put_away(players, options)
    state.deck_size = int(count(state.in_use)) - players * int(state.dealt) - state.extra
    state.exchange = 1 if options["exchange"] and state.deck_size > 0 else 0
    state.tribes = players + state.dummy
    state.round_number = -1
    state.trick[:] = UNSEEN
    state.last_trick[:] = UNSEEN
    state.last_leader = NOBODY
    state.stage = DEALER


@rule
def whole_deck(state: State) -> int:
    """TT-20, TT-22: return all cards in use, as a set."""
    return state.in_use


@rule
def chairs(state: State) -> int:
    """TT-24: return the number of tribes."""
    return state.tribes


@rule
def is_dummy(state: State, tribe: int) -> bool:
    """TT-24: return whether a tribe is the dummy."""
    return tribe == state.seats


# Chance


@rule
def choices(state: State) -> int:
    """TT-1: return the number of possible dealers of the first round."""
    return state.seats if state.stage == DEALER else 0


@rule
def wanted(state: State) -> int:
    """TT-2: return the cards to be dealt: all in use."""
    return state.in_use


@rule
def deal(state: State, deck: IntVector) -> None:
    """TT-1, TT-2, TT-4: deal a round."""
    state.round_number += 1
    if state.round_number > 0:
        state.dealer = state.dealer + 1 if state.dealer + 1 < state.seats else 0
    clear_table(state)
    take_places(state)
    number = state.seats * state.dealt + state.extra
    first = state.dealer + 1 if state.dealer + 1 < state.seats else 0
    player = first
    for index in range(number):
        state.hand[player] |= bit(deck[index])
        player = player + 1 if player + 1 < state.seats else 0
    for index in range(state.deck_size):
        state.deck[index] = deck[number + index]
    for player in range(state.seats):
        state.private[player] = state.hand[player]
    if state.exchange | state.extra == 0:
        begin_tricks(state)
        return
    state.stage = EXCHANGE
    state.turn = state.dummy
    state.actor = first


@rule
def clear_table(state: State) -> None:
    """Clear the cards of the previous round."""
    state.public = 0
    state.gone = 0
    state.discarded = 0
    state.drawn = 0
    state.tricks = 0
    state.must_open = 0
    state.last_leader = NOBODY
    for tribe in range(state.tribes):
        state.hand[tribe] = 0
        state.away[tribe] = 0
        state.collected[tribe] = 0


@rule
def take_places(state: State) -> None:
    """TT-1, TT-24: seat the tribes clockwise from the dealer's left, where the dummy sits."""
    if state.dummy:
        state.ring[0] = state.seats  # TT-24
    player = state.dealer
    for place_in_ring in range(state.dummy, state.tribes):
        player = player + 1 if player + 1 < state.seats else 0
        state.ring[place_in_ring] = player


@rule
def draw(state: State) -> int:
    """Draw and return the top card of the deck."""
    card = state.deck[state.drawn]
    state.deck[state.drawn] = UNSEEN
    state.drawn += 1
    return card


# Legal


@rule
def legal(state: State, actions: IntVector) -> int:
    """TT-3, TT-4, TT-6, TT-15: write the legal actions and return their number."""
    cards = state.hand[state.actor]
    number = 0
    if state.stage == EXCHANGE and state.extra == 0:
        actions[0] = KEEP
        number = 1
    both = state.stage == TRICKS and state.played == 0 and not state.must_open
    while cards != 0:
        card = lowest(cards)
        actions[number] = card
        number += 1
        if both:
            actions[number] = card + DARK
            number += 1
        cards &= cards - 1
    return number


# Play


@rule
def play(state: State, action: int) -> None:
    """Apply a chance outcome, an exchange or a played card."""
    if state.stage == TRICKS:
        play_card(state, action)
    elif state.stage == EXCHANGE:
        exchange(state, action)
    else:
        state.dealer = action
        state.stage = DEAL


@rule
def exchange(state: State, action: int) -> None:
    """TT-3, TT-4: keep, swap or put away a card, which only its player sees."""
    player = state.actor
    if action != KEEP:
        state.hand[player] &= ~bit(action)
        state.away[player] = bit(action)
        state.gone |= 1 << player
        if state.extra == 0:
            card = draw(state)  # TT-3
            state.hand[player] |= bit(card)
            state.private[player] |= bit(card)
    state.turn += 1
    if state.turn < (state.extra if state.extra > 0 else state.tribes):
        state.actor = state.ring[state.turn]
        return
    begin_tricks(state)


@rule
def begin_tricks(state: State) -> None:
    """TT-1, TT-5: start the first trick of a round."""
    state.stage = TRICKS
    start_trick(state, 0)
    go_on(state)


@rule
def start_trick(state: State, leader: int) -> None:
    """TT-6: start a trick, led from index ``leader`` of the ring; it is dark until an open card is led."""
    state.leader = leader
    state.turn = leader
    state.played = 0
    state.is_open = 0
    state.above = 0


@rule
def play_card(state: State, action: int) -> None:
    """TT-6, TT-7, TT-9, TT-28: play a card from the hand."""
    card = action if action < DARK else action - DARK
    state.hand[state.actor] &= ~bit(card)
    if state.played == 0 and action < DARK:
        state.is_open = 1
        state.above = trick_colour(card)
        state.public |= bit(card)
    lay(state, card)
    go_on(state)


@rule
def trick_colour(offered: int) -> int:
    """TT-9, TT-20, TT-21: return the cards of the offered card's colour and the jokers; none for an offered joker."""
    if bit(offered) & JOKERS:
        return 0  # TT-21
    return RED | JOKERS if bit(offered) & RED else BLACK | JOKERS


@rule
def lay(state: State, card: int) -> None:
    """Add a card to the trick and pass the turn clockwise."""
    state.trick[state.played] = card
    state.played += 1
    state.turn = state.turn + 1 if state.turn + 1 < state.tribes else 0


@rule
def go_on(state: State) -> None:
    """TT-6, TT-25: finish full tricks and play for the dummy until a player must act or the round is over."""
    while state.stage == TRICKS:
        if state.played == state.tribes:
            finish_trick(state)
        elif is_dummy(state, state.ring[state.turn]):
            lay(state, draw(state))  # TT-25
        else:
            state.actor = state.ring[state.turn]
            return


@rule
def height(state: State, card: int) -> int:
    """TT-9: return a card's rank in the trick; the order of play decides between equal ranks."""
    return number_of(state, card) + (16 if state.above & bit(card) else 0)


@rule
def finish_trick(state: State) -> None:
    """TT-7, TT-8, TT-10, TT-11, TT-12, TT-13, TT-21: score a full trick; the cards from ``first`` on take part."""
    first = state.is_open
    highest = first
    deepest = first
    others = bit(state.trick[first])
    for index in range(first + 1, state.tribes):
        card = state.trick[index]
        others |= bit(card)
        if height(state, card) >= height(state, state.trick[highest]):
            highest = index
        elif height(state, card) < height(state, state.trick[deepest]):
            deepest = index
    offered = bit(state.trick[0]) if state.is_open else 0
    if offered == 0:
        settle(state, highest, loot_of(state, others & REDS, highest), others)  # TT-13
    elif offered & BLACK != 0 and others & REDS != 0:
        settle(state, highest, loot_of(state, others & REDS, highest), others | offered)  # TT-12
    elif offered & BLACK:
        settle(state, deepest, offered, others | offered)  # TT-11
    else:
        settle(state, highest, offered, others | offered)  # TT-10


@rule
def loot_of(state: State, reds: int, winner: int) -> int:
    """TT-12 to TT-14, TT-20: return the winner's loot: the others' red cards, with a limit only the highest ones."""
    card = state.trick[winner]
    loot = reds & ~bit(card)
    if loot == 0 or not is_limited(state, card):
        return loot
    taken = 0
    for _ in range(state.loot_limit):
        taken |= highest_of(state, loot & ~taken)  # TT-14
    return taken


@rule
def highest_of(state: State, cards: int) -> int:
    """TT-14: return the highest of some cards of the trick, the later played of equals; the empty set for none."""
    best = 0
    chosen = 0
    for index in range(state.tribes):
        card = state.trick[index]
        if cards & bit(card) and number_of(state, card) >= best:
            best = number_of(state, card)
            chosen = bit(card)
    return chosen


@rule
def settle(state: State, taker: int, loot: int, cards: int) -> None:
    """TT-5, TT-15, TT-16: collect the loot and discard the rest; ``taker`` leads the next trick."""
    leader = state.leader + taker
    if leader >= state.tribes:
        leader -= state.tribes
    state.public |= cards
    state.collected[state.ring[leader]] |= loot
    state.discarded |= cards & ~loot
    state.must_open = 0
    if taker == 0:  # only in a dark trick does the first player take part
        state.must_open = 1  # TT-15
    state.last_leader = state.leader
    state.last_open = state.is_open
    state.last_taker = taker
    state.last_loot = loot
    for index in range(state.tribes):
        state.last_trick[index] = state.trick[index]
        state.course[state.tricks * state.tribes + index] = state.trick[index]
    state.leaders[state.tricks] = state.leader
    state.opened[state.tricks] = state.is_open
    state.tricks += 1
    start_trick(state, leader)
    if state.tricks == state.dealt:
        finish_round(state)


# Scoring


@rule
def finish_round(state: State) -> None:
    """TT-17, TT-18, TT-26: score a round."""
    for player in range(state.seats):
        state.points[player] += points_of(state, state.collected[player])
    best = total(state, 0)
    for player in range(1, state.seats):
        best = max(best, total(state, player))
    finished = state.round_number + 1
    over = finished == state.rounds if state.rounds > 0 else best >= state.target or finished == state.round_limit
    state.must_open = 0
    state.stage = END if over else DEAL
    state.actor = OVER if over else CHANCE
