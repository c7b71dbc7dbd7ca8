"""Trime Kicker: the state, the legal actions and their effects (TK-1 to TK-18)."""

from parlour.cards import FULL_DECK, bit, count, lowest, rank_of, suit_of
from parlour.engine.compiled import rule
from parlour.engine.fields import CARD, CARDS, SEAT, UNOBSERVED, YES_NO, by_seat, counted, first_of, number, one_of
from parlour.engine.game import Options, take_options
from parlour.engine.rules import NOBODY, OVER, UNSEEN, state_type
from parlour.engine.typed_state import IntVector
from parlour.games.trime_kicker.typed_state import State

# Vocabulary

DEAL, FIRST, TURNS, END = range(4)
"""Stages of a game, each named after the next event."""
AROUND, HIGH, LOW = range(3)
BEHIND, LEADER = range(2)
FREE, ORDERED, OBEYING = range(3)
"""Kinds of turns: free; ordered by the judge; ordered, after a card was drawn in it (TK-14)."""
DRAW, DECLINE = 208, 209
"""Actions without a card. Every other action is ``4 * card + pile``, with piles from 0."""
PILES = 4
STACKS = 24
"""Number of cards of a player's main pile and backup together."""
LEAST_MAIN = 10
MOST_BACKUP = STACKS - LEAST_MAIN
RANK_SETS = tuple(sum(1 << (13 * suit + rank) for suit in range(4)) for rank in range(13))
THREES = RANK_SETS[1]
KING, ACE = 11, 12

# State


def backup_cards(state: State) -> int:
    """TK-2: return the number of cards of a backup as dealt."""
    return int(state.backup_cards)


def larger_stack(state: State) -> int:
    """TK-2, TK-9: return the maximum number of cards dealt to a main pile or taken up as one."""
    return max(int(state.main_cards), int(state.backup_cards))


def arrivals(state: State) -> int:
    """TK-19: return the number of arrivals in a main pile: as dealt, and with each draw."""
    return int(state.backup_cards) + 1


STATE = state_type(
    [
        ("ace", UNOBSERVED),
        ("judge", UNOBSERVED),
        ("main_cards", UNOBSERVED),
        ("backup_cards", UNOBSERVED),
        ("reach", UNOBSERVED),
        ("pile_points", UNOBSERVED),
        ("bonus_points", UNOBSERVED),
        ("everywhere", UNOBSERVED),  # the cards that go on every pile
        ("goes_on", UNOBSERVED, (13,)),  # the cards that go on a top card, by its rank
        ("stage", one_of(4)),
        ("top", CARD, (PILES,)),
        ("controller", SEAT, (PILES,)),  # NOBODY for a three that was never covered
        ("pile", CARDS, (PILES,)),  # all cards of each pile
        ("fits", UNOBSERVED, (PILES,)),  # the cards that go on each pile
        ("hand", CARDS, by_seat(2)),  # the main piles
        ("first", CARDS, by_seat(2)),  # the main piles as dealt or taken up
        ("first_size", number(larger_stack), by_seat(2)),
        # as dealt; the cards before ``drawn`` have been drawn
        ("backup", CARD, (by_seat(2), first_of(MOST_BACKUP, backup_cards))),
        ("drawn", number(backup_cards), by_seat(2)),
        ("left", number(backup_cards), by_seat(2)),  # in the backup
        ("laid", CARDS, by_seat(2)),  # since the main pile was dealt or taken up
        ("laid_before", number(STACKS), by_seat(2)),  # the number of cards laid before that
        ("may", CARDS, (by_seat(2), counted(MOST_BACKUP + 1, arrivals))),  # possible cards by arrival, see knowledge.py
        ("declines", YES_NO),  # 1 if the previous turn ended with a decline that counts
        ("drew", number(backup_cards)),  # cards drawn in this turn
        ("order", one_of(3)),  # FREE, ORDERED or OBEYING
        ("favoured", SEAT),  # by the judge's fairness, TK-13
    ]
)


def all_fitting(state: State, top: int) -> int:
    """TK-5, TK-6: return the cards that go on a top card of this rank, by the options."""
    cards = int(state.everywhere) | RANK_SETS[top]
    for rank in range(top + 1, top + int(state.reach) + 1):
        if rank <= KING or (rank == ACE and state.ace != LOW):
            cards |= RANK_SETS[rank]
        elif rank > ACE and state.ace == AROUND:
            cards |= RANK_SETS[rank - 13]
    return cards


def setup(state: State, players: int, options: Options) -> None:
    """TK-1, TK-2, TK-5: copy the options and lay out the threes."""
    take_options(state, players, {name: value for name, value in options.items() if name not in ("ace", "judge")})
    state.ace = ("around", "high", "low").index(str(options["ace"]))
    state.judge = ("behind", "leader").index(str(options["judge"]))
    state.backup_cards = STACKS - int(options["main_cards"])
    for card in range(52):
        if number_of(state, card) % int(options["multiple"]) == 0:
            state.everywhere |= bit(card)
    for rank in range(13):
        state.goes_on[rank] = all_fitting(state, rank)
    for pile in range(PILES):
        three = 13 * pile + 1
        state.top[pile] = three
        state.controller[pile] = NOBODY
        state.pile[pile] = bit(three)
        state.fits[pile] = fitting(state, three)
    state.public = THREES
    state.favoured = NOBODY
    state.backup[:] = UNSEEN
    state.stage = DEAL


@rule
def whole_deck(state: State) -> int:
    """Return all cards in use, as a set."""
    return FULL_DECK


# Chance


@rule
def choices(state: State) -> int:
    """TK-3: return the number of possible first players."""
    return 2 if state.stage == FIRST else 0


@rule
def wanted(state: State) -> int:
    """TK-2: return the cards to be dealt: all but the threes."""
    return FULL_DECK & ~THREES


@rule
def deal(state: State, deck: IntVector) -> None:
    """TK-2: deal the main piles and the backups."""
    main = state.main_cards
    backup = state.backup_cards
    for player in range(2):
        for index in range(main):
            state.hand[player] |= bit(deck[main * player + index])
        for index in range(backup):
            state.backup[player, index] = deck[2 * main + backup * player + index]
        state.first[player] = state.hand[player]
        state.private[player] = state.hand[player]
        state.first_size[player] = main
        state.left[player] = backup
        for arrival in range(backup + 1):
            state.may[player, arrival] = FULL_DECK & ~THREES
    state.stage = FIRST


# Legal


@rule
def fitting(state: State, top: int) -> int:
    """TK-5, TK-6: return the cards that go on a pile with this top card."""
    return state.goes_on[rank_of(top)]


@rule
def fitting_any(state: State) -> int:
    """TK-5: return the cards that go on at least one pile."""
    return state.fits[0] | state.fits[1] | state.fits[2] | state.fits[3]


@rule
def can_lay(state: State, player: int) -> bool:
    """TK-11: return whether a player can lay a card."""
    return state.hand[player] & fitting_any(state) != 0


@rule
def can_move(state: State, player: int) -> bool:
    """TK-11: return whether a player can lay or draw."""
    return state.left[player] > 0 or can_lay(state, player)


@rule
def legal(state: State, actions: IntVector) -> int:
    """TK-4, TK-8, TK-10, TK-14, TK-15: write the legal actions and return their number."""
    player = state.actor
    number = 0
    cards = state.hand[player] & fitting_any(state)
    able = cards != 0
    while cards != 0:
        card = lowest(cards)
        cards &= cards - 1
        for pile in range(PILES):
            if state.fits[pile] >> card & 1:
                actions[number] = 4 * card + pile
                number += 1
    if not able and state.left[player] > 0:
        actions[number] = DRAW
        number += 1
    if state.order == FREE:
        actions[number] = DECLINE
        number += 1
    return number


# Play


@rule
def play(state: State, action: int) -> None:
    """Apply the choice of the first player, a card laid, a draw or a decline."""
    if state.stage == FIRST:
        state.stage = TURNS
        state.actor = action
    elif action == DRAW:
        draw(state, state.actor)  # TK-8
    elif action == DECLINE:
        decline(state, state.actor)  # TK-10
    else:
        lay(state, state.actor, action >> 2, action & 3)  # TK-4, TK-7


@rule
def lay(state: State, player: int, card: int, pile: int) -> None:
    """TK-4, TK-7: lay a card on a pile, which the player then controls."""
    if state.order == ORDERED and player != state.favoured:
        could_not_lay(state, 1 - player)
    state.hand[player] &= ~bit(card)
    state.private[player] &= ~bit(card)
    state.public |= bit(card)
    state.laid[player] |= bit(card)
    state.top[pile] = card
    state.controller[pile] = player
    state.pile[pile] |= bit(card)
    state.fits[pile] = fitting(state, card)
    for arrival in range(state.backup_cards + 1):  # the card was this player's, and arrived before
        state.may[1 - player, arrival] &= ~bit(card)
        if arrival > state.drawn[player]:
            state.may[player, arrival] &= ~bit(card)
    if state.hand[player] == 0:
        take_up(state, player)
    state.declines = 0
    begin_turn(state, 1 - player)


@rule
def take_up(state: State, player: int) -> None:
    """TK-9: replace an empty main pile by the rest of the backup."""
    for index in range(state.backup_cards):
        if index >= state.drawn[player] and state.left[player] > 0:
            state.hand[player] |= bit(state.backup[player, index])
        state.backup[player, index] = UNSEEN
    for arrival in range(state.backup_cards + 1):
        state.may[player, arrival] = FULL_DECK & ~state.public
    state.first[player] = state.hand[player]
    state.private[player] = state.hand[player]
    state.first_size[player] = state.left[player]
    state.laid_before[player] += count(state.laid[player])
    state.laid[player] = 0
    state.drawn[player] = 0
    state.left[player] = 0


@rule
def draw(state: State, player: int) -> None:
    """TK-8, TK-14: draw a card, which proves that no card of the hand fitted."""
    could_not_lay(state, player)
    if state.order == ORDERED:
        could_not_lay(state, 1 - player)
        state.order = OBEYING  # TK-14
    card = state.backup[player, state.drawn[player]]
    state.hand[player] |= bit(card)
    state.private[player] |= bit(card)
    state.drawn[player] += 1
    state.left[player] -= 1
    state.drew += 1
    if state.order == OBEYING and not can_move(state, player):
        could_not_lay(state, player)
        state.declines = 0
        begin_turn(state, 1 - player)


@rule
def could_not_lay(state: State, player: int) -> None:
    """TK-19: record the public inference that no card of this hand fits now."""
    for arrival in range(state.drawn[player] + 1):
        state.may[player, arrival] &= state.public | ~fitting_any(state)


@rule
def decline(state: State, player: int) -> None:
    """TK-10, TK-11: decline; the second decline in a row calls the judge."""
    if state.declines == 0:
        state.declines = 1
        begin_turn(state, 1 - player)
    else:
        state.declines = 0
        ask_judge(state, 1 - player)  # TK-11


@rule
def begin_turn(state: State, player: int) -> None:
    """TK-3, TK-12: start a turn, or end the game if neither player can move."""
    state.actor = player
    state.order = FREE
    state.drew = 0
    if not can_move(state, 0) and not can_move(state, 1):
        state.stage = END  # TK-12
        state.actor = OVER


@rule
def ask_judge(state: State, first: int) -> None:
    """TK-11, TK-12, TK-13: let the judge order a move; ``first`` was the first to decline."""
    state.favoured = favoured(state, first)
    begin_turn(state, ordered_player(state))
    if state.actor >= 0:
        state.order = ORDERED  # TK-13


@rule
def favoured(state: State, first: int) -> int:
    """TK-13: return the player whom the fairness rule orders if both could move alike."""
    ahead = points_of(state, 0) - points_of(state, 1)
    if state.judge == BEHIND:
        ahead = cards_laid(state, 1) - cards_laid(state, 0)
    if ahead == 0:
        return first
    return 0 if ahead > 0 else 1


@rule
def ordered_player(state: State) -> int:
    """TK-13: return the player whom the judge orders to move."""
    for player in range(2):
        if can_lay(state, player) and not can_lay(state, 1 - player):
            return player
    if not can_lay(state, 0):
        for player in range(2):
            if state.left[player] > 0 and state.left[1 - player] == 0:
                return player
    return state.favoured


@rule
def cards_laid(state: State, player: int) -> int:
    """TK-13: return the number of cards laid in the game so far, covered ones included."""
    return state.laid_before[player] + count(state.laid[player])


# Scoring


@rule
def has_bonus(state: State, pile: int) -> bool:
    """TK-16: return whether a pile's top card has the suit of its three; a three itself has it, but no controller."""
    return suit_of(state.top[pile]) == pile


@rule
def points_of(state: State, player: int) -> int:
    """TK-16: return a player's points."""
    points = 0
    for pile in range(PILES):
        points += points_on(state, pile, player)
    return points


@rule
def points_on(state: State, pile: int, player: int) -> int:
    """TK-16: return the points of a pile for a player."""
    if state.controller[pile] != player:
        return 0
    return state.pile_points + (state.bonus_points if has_bonus(state, pile) else 0)


@rule
def number_of(state: State, card: int) -> int:
    """TK-6: return a card's number; the ace is 1 or 14."""
    return 1 if rank_of(card) == ACE and state.ace == LOW else rank_of(card) + 2


@rule
def tie_break(state: State, player: int) -> int:
    """TK-17: return the tie-break value: having a bonus, then (with a bonus) the piles, then the sum of numbers."""
    piles = 0
    bonuses = 0
    numbers = 0
    for pile in range(PILES):
        if state.controller[pile] == player:
            piles += 1
            bonuses += 1 if has_bonus(state, pile) else 0
            numbers += number_of(state, state.top[pile])
    return (10000 + 1000 * piles if bonuses > 0 else 0) + numbers


@rule
def score(state: State, scores: IntVector) -> int:
    """TK-17, TK-18: write each player's points and return the winners as a set."""
    for player in range(2):
        scores[player] = points_of(state, player)
    ahead = scores[0] - scores[1]
    if ahead == 0:
        ahead = tie_break(state, 0) - tie_break(state, 1)  # TK-17
    if ahead == 0:
        return 3
    return 1 if ahead > 0 else 2
