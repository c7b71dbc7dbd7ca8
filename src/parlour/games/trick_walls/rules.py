"""Trick Walls: the state and its transitions (TW-1 to TW-11, TW-13 to TW-24).

Cities are numbered clockwise by their places in the ring in this round; a city's ``holder`` is the player who sits
there, and its ``controller`` decides for it, which for a dummy city is the player on its right.
"""

from parlour.cards import ACE, COURTS, FULL_DECK, RED, bit, count, rank_of, suit_of, suit_set
from parlour.engine import fields
from parlour.engine.compiled import rule
from parlour.engine.fields import CARD, CARDS, CHAIR, SEAT, SIDE, SUITS, UNOBSERVED, by_chair, by_seat, number, one_of
from parlour.engine.game import Options, take_options
from parlour.engine.rules import CHANCE, NOBODY, OVER, UNSEEN, state_type
from parlour.engine.typed_state import IntVector
from parlour.games.trick_walls.scoring import city_points, sign_of
from parlour.games.trick_walls.typed_state import State

# Vocabulary

DEALER, COLOUR, DEAL, EXCHANGE, TRICKS, END = range(6)
"""Stages of a game, each named after the next event."""
TOP = 60
"""Action: play the unseen top card of a dummy's pile. Every other action is a card number."""
NO_GIFT = -2
BENEATH = -1
"""Height below every card: a card that does not follow suit, or the ace led, which counts 1 (TW-9)."""
MAX_CITIES = 6

# State


def hands_known(state: State) -> int:
    """TW-13, TW-24: return the number of hands with known cards: with a dummy or an exchange all, else one's own."""
    return int(state.cities) if state.exchange or state.seats < state.cities else 1


def most_lead(state: State) -> int:
    """TW-18, TW-20, TW-21: return a bound on the lead: all cards as one side wishes, in pure cities, in all rounds."""
    plain, court = int(count(RED & ~COURTS)), int(count(RED & COURTS))
    cards = plain * int(state.plain_points) + court * int(state.court_points)
    if state.kill_balance:
        cards += plain * int(state.killed_plain_points) + court * int(state.killed_court_points)
    return int(state.rounds) * (cards + int(state.pure_bonus + state.massacre) * int(state.cities))


def most_kept(state: State) -> int:
    """TW-22: return a bound on the score of one city: the most points for each card, and both bonuses."""
    killed = (int(state.killed_plain_points), int(state.killed_court_points)) if state.kill_balance else ()
    dearest = max(int(state.plain_points), int(state.court_points), *killed)
    return int(state.rounds) * (dearest * int(state.dealt) + int(state.pure_bonus + state.massacre))


def largest_pile(state: State) -> int:
    """TW-13: return the size of a dummy's pile before the first trick; at least 1, so that the field has a range."""
    return max(1, int(state.dealt - state.dummy_open))


STATE = state_type(
    [
        ("pure_bonus", UNOBSERVED),  # 0 without pure bonuses
        ("massacre", UNOBSERVED),  # the same for face-down cards
        ("court_points", UNOBSERVED),
        ("plain_points", UNOBSERVED),
        ("killed_court_points", UNOBSERVED),
        ("killed_plain_points", UNOBSERVED),
        ("led_ace", UNOBSERVED),
        ("half_time", UNOBSERVED),
        ("dummy_open", UNOBSERVED),
        ("kill_balance", UNOBSERVED),
        ("city_keepers", UNOBSERVED),
        ("exchange", UNOBSERVED),  # 0 without a long run
        ("rounds", UNOBSERVED),
        ("cities", UNOBSERVED),
        ("dealt", UNOBSERVED),  # cards dealt to a city, and so tricks in a round
        ("stage", one_of(6)),
        ("round_number", number(lambda state: int(state.rounds), least=-1)),  # from 0
        ("tricks", number(13)),  # finished in this round
        ("dealing_team", SIDE),  # 0 for team A
        ("red_team", SIDE),
        ("starter", CHAIR),  # the city that starts the round
        ("holder", SEAT, by_chair(MAX_CITIES)),  # NOBODY for a dummy
        ("controller", UNOBSERVED, by_chair(MAX_CITIES)),
        ("home", UNOBSERVED, by_seat(MAX_CITIES)),  # the city of each player
        ("team", SIDE, by_seat(MAX_CITIES)),  # by player
        ("city", CHAIR),  # the city that is to play a card
        ("leader", CHAIR),  # the city that leads the trick
        ("played", number(MAX_CITIES)),  # cards in the trick
        ("trick_suit", one_of(4)),
        ("best", CARD),  # to lie face up, a card of the trick suit must be above it (TW-10); BENEATH for an ace led
        ("survivors", number(MAX_CITIES)),  # cards after the first that lie face up, TW-11
        ("trick", CARD, (MAX_CITIES,)),  # in order of play; items from ``played`` on are of the trick before
        ("last_leader", CHAIR),
        ("last_trick", CARD, (MAX_CITIES,)),
        ("hand", CARDS, by_chair(MAX_CITIES, observed=hands_known)),  # a dummy's face-up cards
        ("face_up", CARDS, by_chair(MAX_CITIES)),
        ("face_down", CARDS, by_chair(MAX_CITIES)),
        ("pile", fields.hidden(CARD), (2, 13)),  # the dummies' piles; the top is pile[…, left - 1]
        ("left", number(largest_pile), (2,)),
        ("undealt", fields.hidden(CARDS)),
        ("lacks", SUITS, by_chair(MAX_CITIES)),  # cards that a hand cannot hold, since it did not follow suit (TW-7)
        ("gift", CARD, by_chair(MAX_CITIES, observed=lambda state: state.exchange and state.cities)),  # TW-24
        # points of red minus points of black in the rounds before
        ("lead", number(most_lead, least=lambda state: -most_lead(state), of_side="red_team")),
        # by player, the points of city keepers in the rounds before
        ("kept", number(most_kept, least=lambda state: -most_kept(state)), by_seat(MAX_CITIES)),
    ]
)

PLACES = {2: (0, -1, 1, -1), 3: (0, 1, 2, -1), 4: (0, 1, 2, 3), 5: (0, 1, 2, 3, -1, 4), 6: (0, 1, 2, 3, 4, 5)}  # TW-2


def setup(state: State, players: int, options: Options) -> None:
    """TW-1, TW-2: seat the players and copy the options."""
    ring = PLACES[players]
    state.cities = len(ring)
    for city, player in enumerate(ring):
        state.holder[city] = player
        if player != NOBODY:
            state.team[player] = city * 2 // len(ring)
    find_controllers(state)
    take_options(state, players, options)
    if options["pure_bonuses"]:
        state.pure_bonus = int(options["pure_bonus_points"])
        state.massacre = int(options["massacre_points"])
    state.exchange = int(options["exchange"]) if options["long_run"] else 0
    state.dealt = int(options["hand_cards"])
    state.dummy_open = min(int(options["dummy_open"]), state.dealt)
    state.round_number = -1
    state.gift[:] = NO_GIFT
    state.trick[:] = state.last_trick[:] = UNSEEN
    state.last_leader = NOBODY
    state.best = BENEATH
    state.stage = DEALER


@rule
def whole_deck(state: State) -> int:
    """Return all cards in use, as a set."""
    return FULL_DECK


@rule
def chairs(state: State) -> int:
    """TW-2: return the number of cities."""
    return state.cities


@rule
def chair_from(state: State, seat: int, step: int) -> int:
    """TW-2: return the city ``step`` places clockwise from the player's."""
    city = state.home[seat] + step
    return city if city < state.cities else city - state.cities


@rule
def find_controllers(state: State) -> None:
    """TW-2, TW-15: set each player's city and each city's controller; the player on its right controls a dummy."""
    for city in range(state.cities):
        if is_dummy(state, city):
            state.controller[city] = state.holder[(city - 1) % state.cities]  # TW-15
        else:
            state.controller[city] = state.holder[city]
            state.home[state.holder[city]] = city


@rule
def pile_of(city: int) -> int:
    """Return the index of a dummy's pile; dummies are cities 1 and 3 of four, or city 4 of six (TW-2)."""
    return (city >> 1) & 1


@rule
def is_dummy(state: State, city: int) -> bool:
    """TW-1: return whether a city has no player."""
    return state.holder[city] == NOBODY


@rule
def exchanges(state: State, city: int) -> bool:
    """TW-24: return whether a city exchanges: neither it nor the opposite one is a dummy."""
    return not is_dummy(state, city) and not is_dummy(state, (city + 2) % 4)


# Chance


@rule
def choices(state: State) -> int:
    """TW-4, TW-5: return the number of outcomes of a choice by chance: the dealing team, then the colour."""
    return 2 if state.stage < DEAL else 0


@rule
def wanted(state: State) -> int:
    """TW-6: return the cards to be dealt: the whole deck."""
    return FULL_DECK


@rule
def decide(state: State, outcome: int) -> None:
    """TW-4, TW-5: apply a chance outcome; 0 is team A, or red for the team that does not deal."""
    if state.stage == DEALER:
        state.dealing_team = outcome  # TW-5
        state.stage = COLOUR
    else:
        state.red_team = 1 - state.dealing_team if outcome == 0 else state.dealing_team  # TW-4
        state.stage = DEAL


@rule
def deal(state: State, deck: IntVector) -> None:
    """TW-5, TW-6, TW-13: deal a round."""
    state.round_number += 1
    if state.round_number > 0:
        state.dealing_team = 1 - state.dealing_team
        if state.half_time > 0 and state.round_number % state.half_time == 0:
            swap_places(state)
    clear_cities(state)
    cities = state.cities
    state.starter = 0 if state.dealing_team == 1 else cities // 2
    city = state.starter
    number = cities * state.dealt
    for index in range(number):
        card = deck[index]
        if is_dummy(state, city) and index >= state.dummy_open * cities:
            # the first card dealt to the pile is its top, so the pile is filled from the top down
            state.pile[pile_of(city), state.dealt - 1 - index // cities] = card  # TW-13
        else:
            state.hand[city] |= bit(card)
        city = city + 1 if city + 1 < cities else 0
    for index in range(number, 52):
        state.undealt |= bit(deck[index])
    show_hands(state)
    begin_round(state)


@rule
def show_hands(state: State) -> None:
    """TW-13: show each player their own hand, and everyone a dummy's face-up cards."""
    for city in range(state.cities):
        if is_dummy(state, city):
            state.public |= state.hand[city]
            state.left[pile_of(city)] = state.dealt - state.dummy_open
        else:
            state.private[state.holder[city]] = state.hand[city]


@rule
def clear_cities(state: State) -> None:
    """Clear the cards of the previous round."""
    state.public = 0
    state.undealt = 0
    for city in range(state.cities):
        state.private[city] = 0
        state.hand[city] = 0
        state.face_up[city] = 0
        state.face_down[city] = 0
        state.lacks[city] = 0
        state.gift[city] = NO_GIFT


@rule
def swap_places(state: State) -> None:
    """TW-3: move each player one place ahead within the team, so that two players swap; a dummy keeps its place."""
    size = state.cities // 2
    for first in range(0, state.cities, size):
        for city in range(first, first + size - 1):
            other = city + 1
            if is_dummy(state, other):
                other += 1  # the players of the team skip the dummy
            if other < first + size and not is_dummy(state, city):
                state.holder[city], state.holder[other] = state.holder[other], state.holder[city]
    find_controllers(state)


@rule
def begin_round(state: State) -> None:
    """TW-5, TW-24: start with the exchange or the first trick."""
    state.tricks = 0
    state.played = 0
    state.leader = state.starter
    state.last_leader = NOBODY
    state.city = state.starter
    state.stage = EXCHANGE if state.exchange else TRICKS
    if state.stage == EXCHANGE:
        ask_for_gift(state, 0)
    state.actor = state.controller[state.city]


# Play


@rule
def play(state: State, action: int) -> None:
    """Apply a chance outcome, a gift or a played card."""
    if state.stage == TRICKS:
        play_card(state, action)
    elif state.stage == EXCHANGE:
        give(state, action)
    else:
        decide(state, action)


@rule
def give(state: State, card: int) -> None:
    """TW-24: choose a gift; it stays in the hand until every giver has chosen."""
    state.gift[state.city] = card  # TW-24
    ask_for_gift(state, (state.city - state.starter) % 4 + 1)
    if state.stage == TRICKS:
        for city in range(4):
            if state.gift[city] != NO_GIFT:
                hand_over(state, city)
    state.actor = state.controller[state.city]


@rule
def ask_for_gift(state: State, after: int) -> None:
    """TW-24: find the next giver, from ``after`` places clockwise of the starter, or go on to the tricks."""
    while after < 4 and not exchanges(state, (state.starter + after) % 4):
        after += 1
    state.city = (state.starter + after) % 4
    if after == 4:
        state.stage = TRICKS


@rule
def hand_over(state: State, city: int) -> None:
    """TW-24: move a gift across; only giver and receiver know it."""
    opposite = (city + 2) % 4
    gift = bit(state.gift[city])
    state.hand[city] &= ~gift
    state.hand[opposite] |= gift
    state.private[state.holder[opposite]] |= gift


@rule
def play_card(state: State, action: int) -> None:
    """TW-7, TW-8, TW-10, TW-12: play a card of the acting city."""
    city = state.city
    card = action
    if action == TOP:
        pile = pile_of(city)
        state.left[pile] -= 1
        card = state.pile[pile, state.left[pile]]
        state.pile[pile, state.left[pile]] = UNSEEN
    state.hand[city] &= ~bit(card)
    state.public |= bit(card)
    state.trick[state.played] = card
    state.played += 1
    if state.played == 1:
        start_trick(state, city, card)
    else:
        join_trick(state, city, card)
    if state.played < state.cities:
        state.city = city + 1 if city + 1 < state.cities else 0
        state.actor = state.controller[state.city]
    else:
        finish_trick(state)


@rule
def start_trick(state: State, city: int, card: int) -> None:
    """TW-7, TW-9, TW-10: lead a card, which sets the trick suit; an ace led counts 1."""
    state.trick_suit = suit_of(card)
    state.best = card
    if rank_of(card) == ACE and state.led_ace == 1:
        state.best = BENEATH  # TW-9
    state.survivors = 0
    state.face_up[city] |= bit(card)


@rule
def join_trick(state: State, city: int, card: int) -> None:
    """TW-7, TW-10: add a card to the trick; without a branch, since processors mispredict whether the card stands."""
    follows = suit_of(card) == state.trick_suit
    height = card if follows else BENEATH
    stands = 1 if height > state.best else 0
    state.best = max(state.best, height)
    state.survivors += stands
    state.face_up[city] |= stands << card
    state.face_down[city] |= 1 - stands << card
    if not state.result_only and not is_dummy(state, city):
        state.lacks[city] |= 0 if follows else suit_set(state.trick_suit)


@rule
def finish_trick(state: State) -> None:
    """TW-8, TW-11: finish a trick; the next city leads."""
    leader = state.leader
    alone = (1 if state.survivors == 0 else 0) << state.trick[0]
    state.face_up[leader] &= ~alone  # TW-11
    state.face_down[leader] |= alone
    for index in range(state.cities):
        state.last_trick[index] = state.trick[index]
        if is_dummy(state, index):
            turn_up(state, index)
    state.last_leader = leader
    state.played = 0
    state.tricks += 1
    if state.tricks == state.dealt:
        finish_round(state)
    else:
        state.leader = leader + 1 if leader + 1 < state.cities else 0  # TW-8
        state.city = state.leader
        state.actor = state.controller[state.leader]


@rule
def turn_up(state: State, city: int) -> None:
    """TW-16: refill a dummy's open cards from its pile."""
    pile = pile_of(city)
    if state.left[pile] > 0 and count(state.hand[city]) < state.dummy_open:
        state.left[pile] -= 1
        card = state.pile[pile, state.left[pile]]
        state.pile[pile, state.left[pile]] = UNSEEN
        state.hand[city] |= bit(card)
        state.public |= bit(card)  # TW-16


# Scoring


@rule
def finish_round(state: State) -> None:
    """TW-5, TW-18, TW-22: score a round."""
    for city in range(state.cities):
        value = city_points(state, city)
        state.lead += value
        if not is_dummy(state, city):
            state.kept[state.holder[city]] += value * sign_of(state, state.holder[city])
    if state.round_number + 1 == state.rounds:
        state.stage = END
        state.actor = OVER
    else:
        state.stage = DEAL
        state.actor = CHANCE


@rule
def partners(state: State, seat: int) -> int:
    """TW-1, TW-22: return the players of a seat's team as a set; city keepers play alone."""
    if state.city_keepers:
        return 1 << seat
    together = 0
    for player in range(state.seats):
        if state.team[player] == state.team[seat]:
            together |= 1 << player
    return together


@rule
def score(state: State, scores: IntVector) -> int:
    """TW-19, TW-22: write each player's score and return the winners as a set."""
    best = -(1 << 40)
    for player in range(state.seats):
        scores[player] = state.lead * sign_of(state, player)
        if state.city_keepers:
            scores[player] = state.kept[player]  # TW-22
        best = max(best, scores[player])
    winners = 0
    for player in range(state.seats):
        if scores[player] == best:
            winners |= 1 << player
    return winners
