"""Tricky Tribes 3.2: cards played face down, red ones to be collected and black ones to be spared.

Follows the rulebook's clauses TT-1 to TT-28. Deviations: none.

A *tribe* is a player's number, or ``seats`` for the dummy. ``ring`` lists the tribes of a round clockwise from the
dealer's left; ``turn`` and ``leader`` are indices into it. Nothing that is counted while a trick is under way depends
on its face-down cards, so the state need hide only the cards themselves.
"""

from typing import Any

import numpy as np

from parlour.cards import (
    BLACK,
    COURTS,
    FULL_DECK,
    JOKERS,
    RED,
    bit,
    card_name,
    card_words,
    cards_of,
    count,
    lowest,
    parse_card,
)
from parlour.engine.compiled import rule
from parlour.engine.game import NO_LIMIT, Game, Line, Option, Options, Refusal, Value, Zone
from parlour.engine.rules import CHANCE, NOBODY, OVER, UNSEEN, state_type

# Vocabulary

DEALER, DEAL, EXCHANGE, TRICKS, END = range(5)
"""What comes next: the stages of a game."""
KEEP = 60
"""The action of keeping one's hand; every other action is a card's number, and for a dark card ``DARK`` more."""
DARK = 64
MAX_TRIBES = 6
MAX_DECK = 36  # two players and two jokers: 54 cards less 18
LONGEST = 100  # rounds of a game to the target, TT-18
LOW_CARDS = 0b11 << 0 | 0b11 << 13 | 0b11 << 26 | 0b11 << 39
"""The 2s and 3s, TT-22."""
REDS = RED | JOKERS
"""What is collected as red, TT-20."""

# Options


def _few_players(players: int, value: Value) -> str | None:
    return "it is for two or three players" if players > 3 else None


def _dummy_refused(players: int, value: Value) -> str | None:
    if players == 2:
        return "two players need the dummy tribe (TT-24)"
    return "a dummy tribe is for two or three players (TT-24)" if players > 3 else None


def sides_of(players: int, teams: Value) -> str:
    """TT-27: a letter for each player's side."""
    if teams == "none":
        return "ABCDEF"[:players]
    if teams == "pairs":
        return {4: "ABAB", 5: "ABABC", 6: "ABCABC"}[players]
    return "ABABAB" if teams == "trios" else str(teams)


def _teams_refused(players: int, value: Value) -> str | None:
    """TT-27."""
    if players < 4:
        return "teams are for four to six players (TT-27)"
    if value == "trios" and players != 6:
        return "trios are for six players (TT-27)"
    letters = sides_of(players, value)
    if len(letters) != players:
        return "there must be a letter for each player (TT-27)"
    if any(letters[seat] == letters[seat - 1] for seat in range(players)):
        return "two neighbours around the ring share a letter (TT-27)"
    largest = max(letters.count(letter) for letter in letters)
    if largest > 3:
        return "a letter stands for more than three players (TT-27)"
    return "no letter stands for two or three players (TT-27)" if largest == 1 else None


def default_target(players: int, before: Options) -> int:
    """TT-17."""
    letters = sides_of(players, before["teams"])
    if len(set(letters)) == players:
        return 15
    return 50 if any(letters.count(letter) == 3 for letter in letters) else 30


OPTIONS = (
    Option(
        "jokers",
        (0, 1, 2),
        0,
        "TT-20",
        "how many jokers are shuffled in",
        {0: "No jokers.", 1: "One, worth 10 and at home in every colour.", 2: "Two; six players exchange cards again."},
    ),
    Option(
        "cut_deck",
        (True, False),
        lambda players, before: players < 4,
        "TT-22",
        "the 2s and 3s are left out",
        {True: "Fewer cards stay in the deck, so more can be counted on.", False: "All cards are in use."},
        _few_players,
    ),
    Option(
        "hand_cards",
        (9, 10),
        9,
        "TT-23",
        "cards in a hand, and so tricks in a round",
        {9: "As usual; with six players it is eight.", 10: "One trick more."},
        _few_players,
    ),
    Option(
        "dummy",
        (True, False),
        lambda players, before: players == 2,
        "TT-24",
        "a dummy tribe joins, which plays the top of the deck",
        {True: "Every trick has a card that nobody knows.", False: "Only players play."},
        _dummy_refused,
    ),
    Option(
        "teams",
        ("none", "pairs", "trios"),
        "none",
        "TT-27",
        "who plays together",
        {
            "none": "Everyone plays alone.",
            "pairs": "Partners sit apart; with five players the fifth plays alone and counts double.",
            "trios": "Two teams of three, seated in turn; for six players.",
        },
        _teams_refused,
        "[A-Z]+",
        "a capital letter for each player, clockwise, such as ABACAD",
    ),
    Option("target", range(1, NO_LIMIT), default_target, "TT-17", "how many points end the game"),
    Option("rounds", range(0, NO_LIMIT), 0, "TT-18", "how many rounds a game has; 0 for a game to the target"),
    Option(
        "difference",
        (True, False),
        False,
        "TT-19",
        "two sides keep only the lead of one over the other",
        {True: "The target is a lead: a far longer game.", False: "Both sides' points are kept."},
    ),
)


def conflict(players: int, options: Options) -> str | None:
    """TT-19."""
    sides = len(set(sides_of(players, options["teams"])))
    if options["difference"] and sides != 2:
        return f"difference=true is for exactly two sides, and here are {sides} (TT-19)"
    return None


# State

STATE = state_type(
    [
        ("in_use", np.int64),
        ("dealt", np.int64),  # cards in a hand when the first trick starts, and so tricks in a round
        ("extra", np.int64),  # how many players are dealt a card more, which they put away (TT-4)
        ("deck_size", np.int64),
        ("dummy", np.int64),
        ("tribes", np.int64),
        ("side", np.int64, (MAX_TRIBES,)),  # by player
        ("weight", np.int64, (MAX_TRIBES,)),  # by player: 2 for one who is alone among teams (TT-27)
        ("target", np.int64),
        ("rounds", np.int64),
        ("difference", np.int64),
        ("stage", np.int64),
        ("round_number", np.int64),  # from 0
        ("dealer", np.int64),
        ("ring", np.int64, (MAX_TRIBES,)),
        ("turn", np.int64),
        ("gone", np.int64),  # the set of players who have put a card away
        ("tricks", np.int64),  # finished in this round
        ("leader", np.int64),
        ("must_open", np.int64),  # TT-15
        ("is_open", np.int64),  # the trick under way
        ("above", np.int64),  # the cards that rank above all others, for the trick's colour (TT-9)
        ("played", np.int64),
        ("trick", np.int64, (MAX_TRIBES,)),  # in the order of play
        ("last_leader", np.int64),
        ("last_open", np.int64),
        ("last_taker", np.int64),  # by place in the order of play
        ("last_loot", np.int64),
        ("last_trick", np.int64, (MAX_TRIBES,)),
        ("hand", np.int64, (MAX_TRIBES,)),  # by player
        ("away", np.int64, (MAX_TRIBES,)),  # by player: the card put away, as a set
        ("collected", np.int64, (MAX_TRIBES,)),  # by tribe
        ("discarded", np.int64),
        ("deck", np.int64, (MAX_DECK,)),  # its top is deck[drawn]
        ("drawn", np.int64),
        ("points", np.int64, (MAX_TRIBES,)),  # by player, of the rounds before
    ]
)


def setup(state: Any, players: int, options: Options) -> None:
    """TT-2, TT-4, TT-17 to TT-20, TT-22 to TT-24, TT-27."""
    letters = sides_of(players, options["teams"])
    for player, letter in enumerate(letters):
        state.side[player] = letters.index(letter)
        alone = letters.count(letter) == 1
        state.weight[player] = 2 if alone and options["teams"] != "none" else 1
    state.in_use = FULL_DECK | ((1 << int(options["jokers"])) - 1) << 52
    if options["cut_deck"]:
        state.in_use &= ~LOW_CARDS
    state.dealt = 8 if players == 6 else options["hand_cards"]
    rest = int(count(state.in_use)) - players * int(state.dealt)
    state.extra = rest if players == 6 and options["jokers"] < 2 else 0
    state.deck_size = rest - state.extra
    state.dummy = options["dummy"]
    state.tribes = players + state.dummy
    state.target = options["target"]
    state.rounds = options["rounds"]
    state.difference = options["difference"]
    state.round_number = -1
    state.last_leader = NOBODY
    state.stage = DEALER


@rule
def whole_deck(state: Any) -> int:
    """TT-20, TT-22."""
    return state.in_use


@rule
def is_dummy(state: Any, tribe: int) -> bool:
    """TT-24."""
    return tribe == state.seats


# Chance


@rule
def choices(state: Any) -> int:
    """TT-1: the dealer of the first round."""
    return state.seats if state.stage == DEALER else 0


@rule
def wanted(state: Any) -> int:
    """TT-2: all cards in use."""
    return state.in_use


@rule
def deal(state: Any, deck: Any) -> None:
    """TT-1, TT-2, TT-4."""
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
    state.stage = EXCHANGE
    state.turn = state.dummy
    state.actor = first


@rule
def clear_table(state: Any) -> None:
    """Take up the cards of the round before."""
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
def take_places(state: Any) -> None:
    """TT-1, TT-24: clockwise from the dealer's left, where the dummy sits."""
    if state.dummy:
        state.ring[0] = state.seats
    player = state.dealer
    for place_in_ring in range(state.dummy, state.tribes):
        player = player + 1 if player + 1 < state.seats else 0
        state.ring[place_in_ring] = player


@rule
def draw(state: Any) -> int:
    """The top card of the deck."""
    card = state.deck[state.drawn]
    state.deck[state.drawn] = UNSEEN
    state.drawn += 1
    return card


# Legal


@rule
def legal(state: Any, actions: Any) -> int:
    """TT-3, TT-4, TT-6, TT-15."""
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
def play(state: Any, action: int) -> None:
    """A chance outcome, an exchange, or a card to the trick."""
    if state.stage == TRICKS:
        play_card(state, action)
    elif state.stage == EXCHANGE:
        exchange(state, action)
    else:
        state.dealer = action
        state.stage = DEAL


@rule
def exchange(state: Any, action: int) -> None:
    """TT-3, TT-4: only the player knows the cards."""
    player = state.actor
    if action != KEEP:
        state.hand[player] &= ~bit(action)
        state.away[player] = bit(action)
        state.gone |= 1 << player
        if state.extra == 0:
            card = draw(state)
            state.hand[player] |= bit(card)
            state.private[player] |= bit(card)
    state.turn += 1
    if state.turn < (state.extra if state.extra > 0 else state.tribes):
        state.actor = state.ring[state.turn]
        return
    state.stage = TRICKS
    start_trick(state, 0)
    go_on(state)


@rule
def start_trick(state: Any, leader: int) -> None:
    """TT-6: whoever sits at ``leader`` in the ring plays first. Until that card lies open the trick is dark."""
    state.leader = leader
    state.turn = leader
    state.played = 0
    state.is_open = 0
    state.above = 0


@rule
def play_card(state: Any, action: int) -> None:
    """TT-6, TT-7, TT-9, TT-28."""
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
    """TT-9, TT-20, TT-21: the cards of the offered card's colour, jokers among them; none for a joker."""
    if bit(offered) & JOKERS:
        return 0
    return RED | JOKERS if bit(offered) & RED else BLACK | JOKERS


@rule
def lay(state: Any, card: int) -> None:
    """Put a card into the trick and pass the turn on, clockwise."""
    state.trick[state.played] = card
    state.played += 1
    state.turn = state.turn + 1 if state.turn + 1 < state.tribes else 0


@rule
def go_on(state: Any) -> None:
    """TT-6, TT-25: turn up a full trick and play for the dummy, until a player is to act or the round is over."""
    while state.stage == TRICKS:
        if state.played == state.tribes:
            finish_trick(state)
        elif is_dummy(state, state.ring[state.turn]):
            lay(state, draw(state))
        else:
            state.actor = state.ring[state.turn]
            return


@rule
def number_of(card: int) -> int:
    """TT-9, TT-20: 2–10, J 11, Q 12, K 13, A 14; a joker 10."""
    return card % 13 + 2 if card < 52 else 10


@rule
def height(state: Any, card: int) -> int:
    """TT-9: what a card ranks by, apart from when it was played."""
    return number_of(card) + (16 if state.above & bit(card) else 0)


@rule
def finish_trick(state: Any) -> None:
    """TT-9 to TT-13, TT-21: ``first`` is the first card that takes part."""
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
    if offered == 0 or (offered & BLACK != 0 and others & REDS != 0):
        settle(state, highest, loot_of(state, others & REDS, highest), others | offered)
    elif offered & BLACK:
        settle(state, deepest, offered, others | offered)
    else:
        settle(state, highest, offered, others | offered)


@rule
def loot_of(state: Any, reds: int, winner: int) -> int:
    """TT-12 to TT-14, TT-20: the red cards but the own one; for a J, Q, K or A only the highest of them."""
    card = state.trick[winner]
    loot = reds & ~bit(card)
    if bit(card) & COURTS == 0 or loot == 0:
        return loot
    best = 0
    chosen = 0
    for index in range(state.tribes):
        card = state.trick[index]
        if loot & bit(card) and number_of(card) >= best:
            best = number_of(card)
            chosen = card
    return bit(chosen)


@rule
def settle(state: Any, taker: int, loot: int, cards: int) -> None:
    """TT-15, TT-16: the loot is collected, the rest discarded; whoever wins or loses starts the next trick."""
    leader = state.leader + taker
    if leader >= state.tribes:
        leader -= state.tribes
    state.public |= cards
    state.collected[state.ring[leader]] |= loot
    state.discarded |= cards & ~loot
    state.must_open = 1 if taker == 0 else 0  # only in a dark trick does the first player take part
    state.last_leader = state.leader
    state.last_open = state.is_open
    state.last_taker = taker
    state.last_loot = loot
    for index in range(state.tribes):
        state.last_trick[index] = state.trick[index]
    state.tricks += 1
    start_trick(state, leader)
    if state.tricks == state.dealt:
        finish_round(state)


# Scoring


@rule
def points_of(cards: int) -> int:
    """TT-17, TT-20."""
    return count(cards & REDS) + count(cards & RED & COURTS) - count(cards & BLACK) - count(cards & BLACK & COURTS)


@rule
def total(state: Any, player: int) -> int:
    """TT-17, TT-19, TT-27: what a player's side has, or its lead."""
    own = 0
    other = 0
    for member in range(state.seats):
        if state.side[member] == state.side[player]:
            own += state.points[member]
        else:
            other += state.points[member]
    if state.difference:
        return own - other
    return own * state.weight[player]


@rule
def finish_round(state: Any) -> None:
    """TT-17, TT-18, TT-26."""
    for player in range(state.seats):
        state.points[player] += points_of(state.collected[player])
    best = total(state, 0)
    for player in range(1, state.seats):
        best = max(best, total(state, player))
    finished = state.round_number + 1
    over = finished == state.rounds if state.rounds > 0 else best >= state.target or finished == LONGEST
    state.must_open = 0
    state.stage = END if over else DEAL
    state.actor = OVER if over else CHANCE


@rule
def score(state: Any, scores: Any) -> int:
    """TT-17 to TT-19: every side that has reached the target wins, otherwise those with the most points."""
    best = total(state, 0)
    for player in range(state.seats):
        scores[player] = total(state, player)
        best = max(best, scores[player])
    needed = min(best, state.target) if state.rounds == 0 else best
    winners = 0
    for player in range(state.seats):
        if scores[player] >= needed:
            winners |= 1 << player
    return winners


# Who knows what


@rule
def turn_in_trick(state: Any, tribe: int) -> int:
    """When a tribe plays to the trick under way: 0 for its first card."""
    place_in_ring = 0
    while state.ring[place_in_ring] != tribe:
        place_in_ring += 1
    return (place_in_ring - state.leader) % state.tribes


@rule
def has_laid(state: Any, tribe: int) -> bool:
    """Whether the tribe has a card in the trick under way."""
    return state.stage == TRICKS and turn_in_trick(state, tribe) < state.played


@rule
def has_covered(state: Any, tribe: int) -> bool:
    """TT-28: whether that card lies face down."""
    return has_laid(state, tribe) and turn_in_trick(state, tribe) >= state.is_open


@rule
def hand_size(state: Any, player: int) -> int:
    """TT-2, TT-4, TT-6: counted by what everyone has seen."""
    size = state.dealt - state.tricks
    if has_laid(state, player):
        size -= 1
    if state.extra > 0 and (player - state.dealer - 1) % state.seats < state.extra and not state.gone >> player & 1:
        size += 1
    return size


@rule
def places(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """TT-28: for each player the face-down card in the trick, the card put away and the hand; then the deck.

    The dummy's face-down card counts as the deck's. Any card may be played and put away, so nothing rules a card out.
    """
    if state.round_number < 0:
        return 0
    for player in range(state.seats):
        sizes[player] = 0
        allowed[player] = state.in_use
        if player != seat:
            sizes[player] = hand_size(state, player) + (state.gone >> player & 1)
            if has_covered(state, player):
                sizes[player] += 1
    sizes[state.seats] = state.deck_size - state.drawn
    allowed[state.seats] = state.in_use
    if state.dummy and has_covered(state, state.seats):
        sizes[state.seats] += 1
    return state.seats + 1


@rule
def place(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """The places as :func:`places` counts them."""
    if index == seat:
        return
    used = 0
    if (index < state.seats or state.dummy) and has_covered(state, index):
        state.trick[turn_in_trick(state, index)] = cards[0] if number > 0 else UNSEEN
        used = 1
    if index == state.seats:
        for which in range(state.deck_size - state.drawn):
            state.deck[state.drawn + which] = cards[used + which] if number > 0 else UNSEEN
        return
    state.away[index] = 0
    state.hand[index] = 0
    if number > 0 and state.gone >> index & 1:
        state.away[index] = bit(cards[used])
        used += 1
    for which in range(used, number):
        state.hand[index] |= bit(cards[which])


@rule
def forget(state: Any, seat: int) -> None:
    """Nothing is hidden but cards."""


@rule
def remember(state: Any, seat: int, random: Any) -> None:
    """TT-28: each player knows the own cards."""
    for player in range(state.seats):
        if player != seat and state.round_number >= 0:
            state.private[player] |= state.hand[player] | state.away[player]
            if has_covered(state, player):
                state.private[player] |= bit(state.trick[turn_in_trick(state, player)])


# Notation, and what people are told


def name(state: Any, action: int) -> str:
    """``keep``, ``swap 7H``, ``discard 7H``, ``open 7H``, ``dark 7H`` or ``7H``."""
    if action == KEEP:
        return "keep"
    card = card_name(action % DARK)
    if state.stage == EXCHANGE:
        return f"discard {card}" if state.extra else f"swap {card}"
    if state.played > 0:
        return card
    return f"dark {card}" if action >= DARK else f"open {card}"


def chance_name(state: Any, outcome: int) -> str:
    """``dealer 2``."""
    return f"dealer {outcome}"


def zones(state: Any, seat: int) -> list[Zone]:
    """Hands, cards put away, what has been collected; the trick, the deck, the discarded cards."""
    if state.round_number < 0:
        return []
    found = []
    for player in range(state.seats):
        hand = list(cards_of(state.hand[player]))
        found.append(Zone("hand", player, hand, int(hand_size(state, player)) - len(hand)))
        if state.gone >> player & 1:
            away = list(cards_of(state.away[player]))
            found.append(Zone("away", player, away, 1 - len(away)))
    for tribe in range(state.tribes):
        found.append(Zone("collected", tribe, list(cards_of(state.collected[tribe])), face_up=True))
    trick = [None if card == UNSEEN else int(card) for card in state.trick[: state.played]]
    deck = [None if card == UNSEEN else int(card) for card in state.deck[state.drawn : state.deck_size]]
    known = [card for card in deck if card is not None]
    found.append(Zone("trick", NOBODY, trick, ordered=True))
    found.append(Zone("deck", NOBODY, known, len(deck) - len(known), ordered=True))
    found.append(Zone("discarded", NOBODY, list(cards_of(state.discarded))))
    return found


def facts(state: Any) -> dict[str, Any]:
    """Everything public that is not a card's place."""
    begun = state.round_number >= 0
    tribes = int(state.tribes)
    return {
        "stage": ("dealer", "deal", "exchange", "tricks", "end")[state.stage],
        "round": int(state.round_number) + 1,
        "rounds": int(state.rounds),
        "target": int(state.target) if state.rounds == 0 else None,
        "trick_number": min(int(state.tricks) + 1, int(state.dealt)),
        "tricks": int(state.dealt),
        "dealer": int(state.dealer) if state.stage != DEALER else None,
        "dummy": int(state.seats) if state.dummy else None,
        "ring": [int(tribe) for tribe in state.ring[:tribes]] if begun else [],
        "turn": int(state.ring[state.turn]) if state.stage in (EXCHANGE, TRICKS) else None,
        "discarding": bool(state.extra),
        "put_away": [player for player in range(state.seats) if state.gone >> player & 1],
        "must_open": bool(state.must_open) and not state.played,
        "open": bool(state.is_open) if state.played else None,
        "trick": [int(state.ring[(state.leader + turn) % tribes]) for turn in range(state.played)],
        "last_trick": _last_trick(state),
        "sides": [int(side) for side in state.side[: state.seats]],
        "weights": [int(weight) for weight in state.weight[: state.seats]],
        "before": _before(state),
    }


def _last_trick(state: Any) -> dict[str, Any] | None:
    if state.last_leader == NOBODY:
        return None
    tribes = [int(state.ring[(state.last_leader + turn) % state.tribes]) for turn in range(state.tribes)]
    return {
        "open": bool(state.last_open),
        "tribes": tribes,
        "cards": [card_name(int(card)) for card in state.last_trick[: state.tribes]],
        "taker": tribes[state.last_taker],
        "loot": [card_name(card) for card in cards_of(state.last_loot)],
    }


def _by_seat(state: Any, player: int, points: int) -> list[int]:
    """What points of one player bring to every seat (TT-19, TT-27)."""
    other = -points if state.difference else 0
    return [
        points * int(state.weight[seat]) if state.side[seat] == state.side[player] else other
        for seat in range(state.seats)
    ]


def _before(state: Any) -> list[int]:
    """What each seat had before this round; a finished round stays on the table until the next deal."""
    before = [int(total(state, seat)) for seat in range(state.seats)]
    if state.round_number >= 0 and state.stage in (DEAL, END):
        for player in range(state.seats):
            for seat, points in enumerate(_by_seat(state, player, int(points_of(state.collected[player])))):
                before[seat] -= points
    return before


def lines(state: Any) -> list[Line]:
    """TT-17, TT-27: what the players have collected in this round."""
    found = []
    for player in range(state.seats if state.round_number >= 0 else 0):
        for colour, cards in (("red", state.collected[player] & REDS), ("black", state.collected[player] & BLACK)):
            if cards:
                what = f"{colour}: {' '.join(card_name(card) for card in cards_of(cards))}"
                what += ", counted double" if state.weight[player] == 2 else ""
                clause = "TT-27" if state.weight[player] == 2 else "TT-17"
                found.append(Line(what, _by_seat(state, player, int(points_of(cards))), clause, player))
    return found


def refusal(state: Any, text: str) -> Refusal:
    """Why an action is not legal now."""
    verb, _, rest = text.rpartition(" ")
    if verb not in ("", "swap", "discard", "open", "dark"):
        raise ValueError(text)
    card = None if text == "keep" else parse_card(rest)
    verb = text if card is None else verb
    clause, reason = _wrong_kind(state, verb)
    if not reason and card is not None and not state.hand[state.actor] & bit(card):
        reason = f"You do not hold the {card_words(card)}."
    return Refusal(clause, reason)


def _wrong_kind(state: Any, verb: str) -> tuple[str, str]:
    """The clause that says what kind of action is due, and why another one is wrong."""
    if state.stage == EXCHANGE and state.extra:
        return "TT-4", "" if verb == "discard" else "You hold a card too many: put one away with discard."
    if state.stage == EXCHANGE:
        return "TT-3", "" if verb in ("keep", "swap") else "Before the first trick you keep your cards or swap one."
    if verb in ("keep", "swap", "discard"):
        return "TT-3", "Cards are exchanged only before the first trick; play a card."
    if state.played > 0:
        return "TT-6", "Only the first card of a trick is played open or dark; play yours by its name." if verb else ""
    if state.must_open and verb != "open":
        return "TT-15", "You started a dark trick and won it, so you start this one open."
    return "TT-6", "" if verb else "You start the trick: say open or dark before the card."


GAME = Game(
    id="tricky-tribes",
    title="Tricky Tribes",
    prefix="TT",
    summary="Tribes play cards face down, to collect red sacrifices and be spared black ones.",
    credit="Tricky Tribes 3.2 (2023), from one Finnish designer's collection of card games.",
    players=range(2, 7),
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
    forget=forget,
    remember=remember,
    zones=zones,
    facts=facts,
    lines=lines,
    name=name,
    chance_name=chance_name,
    refusal=refusal,
    conflict=conflict,
)
