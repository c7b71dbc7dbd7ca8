"""Trime Kicker, also Triple-Up Buster: four piles begin with a three; whoever laid a pile's last card owns it.

Follows the rulebook's clauses TK-1 to TK-19. Deviations: none.

What is seen, and what it proves (TK-19)
----------------------------------------

A *layout* is a whole deal: for each player the set of cards first held, and the order of the backup. Of a player's
cards others see when they are laid and how many are drawn, nothing else. From that follows, and nothing else does:

- A card laid was in the hand: it was dealt to that player and had arrived by then.
- A draw proves that at this moment no card of the hand fitted any pile (TK-8). So does a turn that the judge ordered
  and that ends without a card laid (TK-14): the last card drawn did not fit either.
- The judge's order is public and rests on who can lay and who can draw (TK-13); ``judged`` is that function. As soon as
  the ordered player acts, it is known whether that player could lay. By drawing: neither could, since the other would
  have been ordered. By laying although the fairness rule favours the other: the other could not lay. By laying,
  favoured: nothing about the other. The player ordered knows this at once (and a spectator knows the second).
- While the ordered player has not acted, the other must think only those hands possible for which the judge would
  have ordered so (``judge_agrees``). Likewise a player who drew the last card by order and is still to act can lay.
- A decline proves nothing: whoever is not ordered may always decline.
- That the game goes on with both backups empty proves that somebody can lay (TK-12). But then all cards not laid lie in
  the hands, so whether one of them fits is known anyway, and it says nothing about where they lie.
- A backup taken up (TK-9) means that every card of the old hand has been laid. What that hand was drawn together from
  has no bearing on the new one: it is forgotten.

So a moment at which a player could lay nothing forbids each card that fitted then, unless it was laid before, to have
arrived before: ``may[player, k]`` holds the cards that can have arrived with draw *k* (0: in the first hand). Arrivals
are places of the engine, in which cards already laid are *ghosts*: it is known where they lie, but not when they came,
and a hand with more ghosts among its early arrivals has fewer early cards left.
"""

from typing import Any

import numpy as np

from parlour.cards import FULL_DECK, bit, card_name, card_words, cards_of, count, lowest, parse_card, rank_of, suit_of
from parlour.engine.compiled import rule
from parlour.engine.game import Game, Line, Option, Options, Refusal, Zone
from parlour.engine.rules import NOBODY, OVER, UNSEEN, state_type

# Vocabulary

DEAL, FIRST, TURNS, END = range(4)
"""What comes next: the stages of a game."""
AROUND, HIGH, LOW = range(3)
BEHIND, LEADER = range(2)
FREE, ORDERED, OBEYING = range(3)
"""A turn that nobody ordered; one that the judge ordered; the same after a card was drawn in it (TK-14)."""
DRAW, DECLINE = 208, 209
"""Every other action is ``4 * card + pile``, with piles from 0."""
PILES = 4
BACKUP = 12
RANK_SETS = tuple(sum(1 << (13 * suit + rank) for suit in range(4)) for rank in range(13))
THREES = RANK_SETS[1]
FOURS = RANK_SETS[2] | RANK_SETS[6] | RANK_SETS[10]
"""The multiples of four, TK-5."""
TWO, KING, ACE = 0, 11, 12

# Options

OPTIONS = (
    Option(
        "ace",
        ("around", "high", "low"),
        "around",
        "TK-6",
        "where the ace stands",
        {
            "around": "The ace goes on a king, and a two on an ace: every card can be laid some day.",
            "high": "The ace goes on a king, and no two can ever be laid.",
            "low": "Nothing goes on a king but a king and a multiple of four; no ace and no two can ever be laid.",
        },
    ),
    Option(
        "judge",
        ("behind", "leader"),
        "behind",
        "TK-13",
        "whom the judge orders to move if both could",
        {
            "behind": "The player who has laid fewer cards.",
            "leader": "The player who has more points as the piles stand.",
        },
    ),
)

# State

STATE = state_type(
    [
        ("ace", np.int64),
        ("judge", np.int64),
        ("stage", np.int64),
        ("top", np.int64, (PILES,)),
        ("controller", np.int64, (PILES,)),  # NOBODY for a three that was never covered
        ("pile", np.int64, (PILES,)),  # all its cards
        ("fits", np.int64, (PILES,)),  # every card that goes on it
        ("hand", np.int64, (2,)),  # the main piles
        ("first", np.int64, (2,)),  # what a main pile was when dealt or taken up
        ("first_size", np.int64, (2,)),
        ("backup", np.int64, (2, BACKUP)),  # as dealt; the cards before ``drawn`` have been drawn
        ("drawn", np.int64, (2,)),
        ("left", np.int64, (2,)),  # in the backup
        ("laid", np.int64, (2,)),  # since the main pile was dealt or taken up
        ("laid_before", np.int64, (2,)),  # how many until then
        ("may", np.int64, (2, BACKUP + 1)),  # what can have arrived when, see above
        ("declines", np.int64),  # 1 if the turn before ended with a decline that counts
        ("drew", np.int64),  # cards drawn in this turn
        ("order", np.int64),  # FREE, ORDERED or OBEYING
        ("favoured", np.int64),  # by the judge's fairness, TK-13
    ]
)


def setup(state: Any, players: int, options: Options) -> None:
    """TK-1."""
    state.ace = ("around", "high", "low").index(str(options["ace"]))
    state.judge = ("behind", "leader").index(str(options["judge"]))
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
def whole_deck(state: Any) -> int:
    """All cards in use."""
    return FULL_DECK


# Chance


@rule
def choices(state: Any) -> int:
    """TK-3: who begins."""
    return 2 if state.stage == FIRST else 0


@rule
def wanted(state: Any) -> int:
    """TK-2: all but the threes."""
    return FULL_DECK & ~THREES


@rule
def deal(state: Any, deck: Any) -> None:
    """TK-2."""
    for player in range(2):
        for index in range(BACKUP):
            state.hand[player] |= bit(deck[12 * player + index])
            state.backup[player, index] = deck[24 + 12 * player + index]
        state.first[player] = state.hand[player]
        state.private[player] = state.hand[player]
        state.first_size[player] = 12
        state.left[player] = BACKUP
        for arrival in range(BACKUP + 1):
            state.may[player, arrival] = FULL_DECK & ~THREES
    state.stage = FIRST


# Legal


@rule
def fitting(state: Any, top: int) -> int:
    """TK-5, TK-6: the cards that go on a pile with this top card."""
    rank = rank_of(top)
    cards = FOURS | RANK_SETS[rank]
    if rank == ACE:
        return cards | RANK_SETS[TWO] if state.ace == AROUND else cards
    if rank == KING and state.ace == LOW:
        return cards
    return cards | RANK_SETS[rank + 1]


@rule
def fitting_any(state: Any) -> int:
    """TK-5: the cards that go on some pile."""
    return state.fits[0] | state.fits[1] | state.fits[2] | state.fits[3]


@rule
def can_lay(state: Any, player: int) -> bool:
    """TK-11."""
    return state.hand[player] & fitting_any(state) != 0


@rule
def can_move(state: Any, player: int) -> bool:
    """TK-11: can lay or draw."""
    return state.left[player] > 0 or can_lay(state, player)


@rule
def legal(state: Any, actions: Any) -> int:
    """TK-4, TK-8, TK-10, TK-14, TK-15."""
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
def play(state: Any, action: int) -> None:
    """A coin, a card laid, a draw or a decline."""
    if state.stage == FIRST:
        state.stage = TURNS
        state.actor = action
    elif action == DRAW:
        draw(state, state.actor)
    elif action == DECLINE:
        decline(state, state.actor)
    else:
        lay(state, state.actor, action >> 2, action & 3)


@rule
def lay(state: Any, player: int, card: int, pile: int) -> None:
    """TK-4, TK-7."""
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
    for arrival in range(BACKUP + 1):  # the card came to this player, and has arrived
        state.may[1 - player, arrival] &= ~bit(card)
        if arrival > state.drawn[player]:
            state.may[player, arrival] &= ~bit(card)
    if state.hand[player] == 0:
        take_up(state, player)
    state.declines = 0
    begin_turn(state, 1 - player)


@rule
def take_up(state: Any, player: int) -> None:
    """TK-9."""
    for index in range(BACKUP):
        if index >= state.drawn[player] and state.left[player] > 0:
            state.hand[player] |= bit(state.backup[player, index])
        state.backup[player, index] = UNSEEN
    for arrival in range(BACKUP + 1):
        state.may[player, arrival] = FULL_DECK & ~state.public
    state.first[player] = state.hand[player]
    state.private[player] = state.hand[player]
    state.first_size[player] = state.left[player]
    state.laid_before[player] += count(state.laid[player])
    state.laid[player] = 0
    state.drawn[player] = 0
    state.left[player] = 0


@rule
def draw(state: Any, player: int) -> None:
    """TK-8, TK-14."""
    could_not_lay(state, player)
    if state.order == ORDERED:
        could_not_lay(state, 1 - player)
        state.order = OBEYING
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
def could_not_lay(state: Any, player: int) -> None:
    """TK-19: all may know that no card of this hand fits now."""
    for arrival in range(state.drawn[player] + 1):
        state.may[player, arrival] &= state.public | ~fitting_any(state)


@rule
def decline(state: Any, player: int) -> None:
    """TK-10, TK-11."""
    if state.declines == 0:
        state.declines = 1
        begin_turn(state, 1 - player)
    else:
        state.declines = 0
        ask_judge(state, 1 - player)


@rule
def begin_turn(state: Any, player: int) -> None:
    """TK-3, TK-12."""
    state.actor = player
    state.order = FREE
    state.drew = 0
    if not can_move(state, 0) and not can_move(state, 1):
        state.stage = END
        state.actor = OVER


@rule
def ask_judge(state: Any, first: int) -> None:
    """TK-11, TK-12, TK-13: ``first`` declined first of the two."""
    state.favoured = favoured(state, first)
    begin_turn(state, judged(state))
    if state.actor >= 0:
        state.order = ORDERED


@rule
def favoured(state: Any, first: int) -> int:
    """TK-13: whom fairness prefers if both could move alike."""
    ahead = points_of(state, 0) - points_of(state, 1)
    if state.judge == BEHIND:
        ahead = cards_laid(state, 1) - cards_laid(state, 0)
    if ahead == 0:
        return first
    return 0 if ahead > 0 else 1


@rule
def judged(state: Any) -> int:
    """TK-13: the player to move by the judge's order."""
    for player in range(2):
        if can_lay(state, player) and not can_lay(state, 1 - player):
            return player
    if not can_lay(state, 0):
        for player in range(2):
            if state.left[player] > 0 and state.left[1 - player] == 0:
                return player
    return state.favoured


@rule
def cards_laid(state: Any, player: int) -> int:
    """TK-13: in the game so far, covered ones included."""
    return state.laid_before[player] + count(state.laid[player])


# Scoring


@rule
def has_bonus(state: Any, pile: int) -> bool:
    """TK-16: the top card has the suit of the three; nobody controls the three itself."""
    return suit_of(state.top[pile]) == pile


@rule
def points_of(state: Any, player: int) -> int:
    """TK-16."""
    points = 0
    for pile in range(PILES):
        points += points_on(state, pile, player)
    return points


@rule
def points_on(state: Any, pile: int, player: int) -> int:
    """TK-16: what a pile gives a player."""
    if state.controller[pile] != player:
        return 0
    return 7 if has_bonus(state, pile) else 5


@rule
def number_of(state: Any, card: int) -> int:
    """TK-6."""
    return 1 if rank_of(card) == ACE and state.ace == LOW else rank_of(card) + 2


@rule
def tie_break(state: Any, player: int) -> int:
    """TK-17: among equal points the greater wins: a bonus, then (with a bonus) piles, then the sum of numbers."""
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
def score(state: Any, scores: Any) -> int:
    """TK-17, TK-18."""
    for player in range(2):
        scores[player] = points_of(state, player)
    ahead = scores[0] - scores[1]
    if ahead == 0:
        ahead = tie_break(state, 0) - tie_break(state, 1)
    if ahead == 0:
        return 3
    return 1 if ahead > 0 else 2


# Who knows what


@rule
def places(state: Any, seat: int, sizes: Any, allowed: Any) -> int:
    """TK-2, TK-19: of each other player the first hand, then each card drawn; then the rest of both backups."""
    if state.stage == DEAL:
        return 0
    number = 0
    for player in range(2):
        if player == seat:
            continue
        lacking = fitting_any(state) & ~state.public if unable_now(state, seat, player) else 0
        for arrival in range(state.drawn[player] + 1):
            sizes[number] = 1 if arrival > 0 else state.first_size[player]
            allowed[number] = state.may[player, arrival] & ~lacking
            number += 1
    for player in range(2):
        sizes[number] = state.left[player]
        allowed[number] = FULL_DECK & ~state.public
        number += 1
    return number


@rule
def unable_now(state: Any, seat: int, player: int) -> bool:
    """TK-13: whether the judge's order, not yet obeyed, tells ``seat`` that ``player`` cannot lay."""
    ordered = state.actor
    if state.order != ORDERED or player == ordered:
        return False
    return state.favoured != ordered or (seat == ordered and not can_lay(state, seat))


@rule
def ghosts(state: Any, seat: int) -> int:
    """TK-19: cards that others have laid from a main pile, seen by all; when they came into it is not known."""
    cards = 0
    for player in range(2):
        if player != seat:
            cards |= state.laid[player]
    return cards


@rule
def place(state: Any, seat: int, index: int, cards: Any, number: int) -> None:
    """The places as :func:`places` counts them."""
    for player in range(2):
        if player == seat:
            continue
        if index == 0:
            state.first[player] = 0
            for which in range(number):
                state.first[player] |= bit(cards[which])
        if 0 < index <= state.drawn[player]:
            state.backup[player, index - 1] = cards[0] if number > 0 else UNSEEN
        if 0 <= index <= state.drawn[player]:
            gather_hand(state, player)
        index -= state.drawn[player] + 1
    if index >= 0:
        for which in range(state.left[index]):
            state.backup[index, state.drawn[index] + which] = cards[which] if which < number else UNSEEN


@rule
def gather_hand(state: Any, player: int) -> None:
    """A main pile is what was in it first and was drawn, less what was laid."""
    cards = state.first[player]
    for index in range(state.drawn[player]):
        if state.backup[player, index] != UNSEEN:
            cards |= bit(state.backup[player, index])
    state.hand[player] = cards & ~state.laid[player]


@rule
def judge_agrees(state: Any, seat: int, random: Any) -> bool:
    """TK-13, TK-14: the judge would have ordered what was ordered, and an order that still stands can be obeyed."""
    if state.order == FREE or state.actor < 0:
        return True
    if state.order == ORDERED and judged(state) != state.actor:
        return False
    return can_move(state, state.actor)


@rule
def forget(state: Any, seat: int) -> None:
    """Nothing is hidden but cards."""


@rule
def remember(state: Any, seat: int, random: Any) -> None:
    """TK-2: the other player sees the main pile."""
    for player in range(2):
        if player != seat:
            state.private[player] = state.hand[player]


# Notation, and what people are told


def name(state: Any, action: int) -> str:
    """``8H on 3``, ``draw`` or ``decline``."""
    if action >= DRAW:
        return "draw" if action == DRAW else "decline"
    return f"{card_name(action >> 2)} on {(action & 3) + 1}"


def chance_name(state: Any, outcome: int) -> str:
    """``first 0`` or ``first 1``."""
    return f"first {outcome}"


def zones(state: Any, seat: int) -> list[Zone]:
    """The piles, each with its top card last; then the main piles and the backups."""
    if state.stage == DEAL:
        return []
    found = []
    for pile in range(PILES):
        top = int(state.top[pile])
        covered = list(cards_of(state.pile[pile] & ~bit(top)))
        found.append(Zone("pile", pile, [*covered, top], face_up=True))
    for player in range(2):
        held, left, drawn = int(state.hand[player]), int(state.left[player]), int(state.drawn[player])
        found.append(Zone("main pile", player, list(cards_of(held)), hand_size(state, player) - count(held)))
        rest = [int(card) for card in state.backup[player, drawn : drawn + left] if card != UNSEEN]
        found.append(Zone("backup", player, rest, left - len(rest), ordered=True))
    return found


def hand_size(state: Any, player: int) -> int:
    """How many cards a main pile holds (TK-19: public)."""
    return int(state.first_size[player] + state.drawn[player]) - count(state.laid[player])


def facts(state: Any) -> dict[str, Any]:
    """Everything public that is not a card's place."""
    return {
        "stage": ("deal", "first", "turns", "end")[state.stage],
        "piles": [
            {
                "top": card_name(int(state.top[pile])),
                "controller": int(state.controller[pile]),
                "bonus": bool(has_bonus(state, pile)),
            }
            for pile in range(PILES)
        ],
        "players": [
            {
                "held": hand_size(state, player),
                "backup": int(state.left[player]),
                "drawn": int(state.drawn[player]),
                "laid": int(cards_laid(state, player)),
                "tie_break": int(tie_break(state, player)),
            }
            for player in range(2)
        ],
        "declined": bool(state.declines),
        "drew": int(state.drew),
        "ordered": bool(state.order != FREE and state.actor >= 0),
    }


def lines(state: Any) -> list[Line]:
    """TK-16: what each pile gives whom."""
    found = []
    for pile in range(PILES):
        owner = int(state.controller[pile])
        if owner == NOBODY:
            continue
        for what, points in ((f"pile {pile + 1}", 5), (f"bonus on pile {pile + 1}", 2)):
            if points == 5 or has_bonus(state, pile):
                found.append(Line(what, [points if player == owner else 0 for player in range(2)], "TK-16", pile))
    return found


def refusal(state: Any, text: str) -> Refusal:
    """Why an action is not legal now."""
    player = int(state.actor)
    if text == "decline":
        return Refusal("TK-14", "The judge has ordered you to move: you may not decline in this turn.")
    if text == "draw":
        if can_lay(state, player):
            return Refusal("TK-8", "You can lay a card, so you may not draw.")
        return Refusal("TK-8", "Your backup is empty.")
    word, _, pile = text.partition(" on ")
    card = parse_card(word)
    if pile not in ("1", "2", "3", "4"):
        return Refusal("TK-4", "A card is laid on one of the piles 1 to 4, as in “8H on 3”.")
    if not state.hand[player] & bit(card):
        return Refusal("TK-4", f"You do not hold the {card_words(card)}.")
    top = card_words(int(state.top[int(pile) - 1]))
    return Refusal(
        "TK-5",
        f"The {card_words(card)} does not go on the {top}: neither a multiple of four, nor its rank, nor one higher.",
    )


GAME = Game(
    id="trime-kicker",
    title="Trime Kicker",
    prefix="TK",
    summary="Lay cards on four piles that begin with threes; whoever laid a pile's last card owns it.",
    credit="Trime Kicker, also Triple-Up Buster, comes from the fictional world of Venturia.",
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
    forget=forget,
    remember=remember,
    ghosts=ghosts,
    fits=judge_agrees,
    zones=zones,
    facts=facts,
    lines=lines,
    name=name,
    chance_name=chance_name,
    refusal=refusal,
)
