"""3 Tricks on the table: two rows of tricks, both stocks between them; and its rule of thumb."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from parlour.cards import CARD_NUMBERS, FULL_DECK, card_name, count, lowest, rank_of
from parlour.engine.compiled import rule
from parlour.engine.match import HIDDEN_CARD
from parlour.engine.rules import CERTAIN, CHANCE, NOBODY, known_to
from parlour.engine.views import Observation
from parlour.games.three_tricks.rules import ACES, CARDS, LAY, PASS, TWOS, is_trick, ranks_in, same_rank
from parlour.render.scene import (
    Area,
    CardSeen,
    Choice,
    Row,
    Scene,
    Table,
    Term,
    cards_gained,
    cards_held,
    cards_lying,
    last_event,
    scene_of,
    score_of,
    standings_of,
)
from parlour.render.words import counted, in_signs, name_of, says, the_cards

# The rule of thumb

TRICK, LAST = 60, 100
COMPLETE = 2 * TRICK + LAST
"""What the tricks of a plan are worth: all three together are a complete hand."""
A_SWAP = 3
"""Whoever has put away more cards has swapped more than once (3T-7)."""
NEAR = 40
"""Two cards with a third of which they would be the last trick, or the aces for it."""
READY = TRICK + LAST
"""What is left of a complete hand when its first trick has been laid."""
SWAP_BELOW = 7
"""Cards of less use than this are better away."""
KING = 11
KINGS = TWOS << KING
PLACE = "place"
"""The token of the place where one's own next trick goes."""


@rule
def worth(state: Any, action: int) -> int:
    """Gather all three tricks before laying the first, block what must be blocked, swap what fits with nothing."""
    seat = state.actor
    hand = state.hand[seat]
    laid = state.laid[seat]
    if action == PASS:
        return 0 if plan_worth(hand, laid) == COMPLETE - TRICK * laid else -1000
    if action & LAY == 0:
        return worth_of_swapping(hand, action & CARDS)
    if laid == 2:
        return 10000
    cards = action & CARDS
    rest = plan_worth(hand & ~cards, laid + 1)
    if rest < rest_wanted(state):
        return rest - 2000
    return 1000 + 2 * rest - count(FULL_DECK & ~known_to(state, seat) & ranks_in(cards))


@rule
def rest_wanted(state: Any) -> int:
    """How much the rest of the hand must be worth before a trick is laid: who lays early is blocked and starts anew.

    A first trick of the other's may stand, since without a second it wins nothing. (Tried out in many games.)
    """
    other = state.laid[1 - state.actor]
    if state.laid[state.actor] == 0:
        return TRICK + NEAR if state.to_block != 0 and other == 2 else READY
    return 0 if state.to_block != 0 or other == 2 else LAST


@rule
def plan_worth(hand: int, laid: int) -> int:
    """How near a hand is to all the tricks that are still wanted."""
    if laid > 0:
        return worth_of_three(hand) if laid == 2 else worth_of_five(hand)
    best = 0
    ones = hand
    while ones != 0:
        one = ones & -ones
        ones &= ones - 1
        twos = ones
        while twos != 0:
            trick = one | (twos & -twos)
            twos &= twos - 1
            if is_trick(trick):
                best = max(best, TRICK + worth_of_five(hand & ~trick))
    return best


@rule
def worth_of_five(hand: int) -> int:
    """How near five cards are to a trick of two and one of three."""
    best = 0
    ones = hand
    while ones != 0:
        one = ones & -ones
        ones &= ones - 1
        twos = ones
        while twos != 0:
            trick = one | (twos & -twos)
            twos &= twos - 1
            if is_trick(trick):
                best = max(best, TRICK + worth_of_three(hand & ~trick))
    return best


@rule
def worth_of_three(hand: int) -> int:
    """How near three cards are to a trick: 100 if they are one."""
    if count(hand) == 3 and is_trick(hand):
        return LAST
    best = NEAR // 2 * count(hand & ACES)
    rest = hand & ~ACES
    while rest != 0:
        card = rest & -rest
        rest &= rest - 1
        near = near_cards(card)
        if rest & near != 0:
            best = max(best, NEAR)
    return best


@rule
def near_cards(card: int) -> int:
    """The cards of its suit up to two ranks above a card that is no ace, and those of its rank."""
    number = lowest(card)
    above = card << 1 | (card << 2 if rank_of(number) < KING - 1 else 0)
    return (above & ~ACES) | same_rank(number)


@rule
def worth_of_swapping(hand: int, cards: int) -> int:
    """Away with what is near to nothing else in the hand; each card of the same rank and each neighbour counts."""
    if cards & ACES != 0:
        return -1000
    plain = hand & ~ACES
    value = SWAP_BELOW * count(cards)
    for suits in range(1, 4):
        others = plain << 13 * suits | plain >> 52 - 13 * suits
        value -= 10 * count(cards & others)
    value -= 8 * (count(cards & plain << 1) + count(cards & plain >> 1))
    return value - 3 * (count(cards & plain << 2 & ~TWOS) + count(cards & plain >> 2 & ~KINGS))


@rule
def belief(state: Any, seat: int) -> int:
    """Whoever has swapped has kept what goes together, and whoever lays a trick nearly always has the rest.

    The weights are shares of hands in games by rule of thumb and by searches, which agree, divided by those of evenly
    dealt hands.
    """
    other = 1 - seat
    laid = state.laid[other]
    plan = plan_worth(state.hand[other], laid)
    short_of = COMPLETE - TRICK * laid - plan
    if short_of == 0:
        return CERTAIN
    a_trick_short = short_of <= TRICK
    if laid > 0 and state.to_block != 0:  # it was laid just now
        if laid == 2 and state.laid[seat] == 0:  # perhaps only lest the game end without a third
            return CERTAIN // 64 if a_trick_short else CERTAIN // 512
        return CERTAIN // 512 if a_trick_short else 1
    if laid == 2:
        return CERTAIN // 3 if a_trick_short else CERTAIN // 24
    if laid == 1 and state.laid[seat] > 0:
        return CERTAIN // 16 if a_trick_short else CERTAIN // 256
    if laid == 1:
        return CERTAIN // 3 if a_trick_short else CERTAIN // 48
    swapped = state.second_size[other]
    if swapped == 0 and state.shuffles == 0:
        return CERTAIN
    often = 2 if swapped > A_SWAP or state.shuffles > 0 else 1
    if a_trick_short:
        return CERTAIN // (2 * often)
    return CERTAIN // (8 * often) if plan >= LAST else CERTAIN // (24 * often)


# The scene


def lay_out(view: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """The viewer's row of tricks below, the other's above, the stocks between."""
    own = max(view.seat, 0)
    return scene_of(
        view,
        "3 Tricks",
        heading=_heading(view),
        prompt=_prompt(view, names),
        areas=[_middle(view), *(_player(view, names, seat, at) for at, seat in enumerate((own, 1 - own)))],
        score=score_of(view, "seat"),
        standings=standings_of(view, names, [len(tricks) for tricks in view.facts["tricks"]]),
        counted="tricks laid",
        told=_told(view, names, before),
        choices=[choice for action in view.legal for choice in _choices(action)],
        outcome=_outcome(view, names),
    )


def _heading(view: Observation) -> str:
    if not view.zones:
        return "Before the deal"
    tricks = view.facts["tricks"]
    own = max(view.seat, 0)
    return f"Tricks laid {len(tricks[own])} : {len(tricks[1 - own])}"


def _prompt(view: Observation, names: Sequence[str]) -> str:
    if view.over:
        return "The game is over."
    if view.actor == CHANCE:
        stage = view.facts["stage"]
        return "The second stock is about to be shuffled." if stage == "shuffle" else "The cards are about to be dealt."
    if view.actor != view.seat:
        return f"{names[view.actor]} is to play."
    lays = [action for action in view.legal if action.startswith("lay")]
    wanted = in_signs(" ".join(view.facts["to_block"]))
    if wanted:
        return (
            f"Your turn: block {wanted}, swap or pass."
            if lays
            else f"Your turn: you have nothing that blocks {wanted}; swap or pass."
        )
    if len(view.facts["tricks"][view.seat]) == 2:
        return (
            "Your turn: lay your third trick and win!"
            if lays
            else "Your turn: you have no third trick yet; swap or pass."
        )
    trick = "lay a trick of two cards," if lays else "you have no trick of two cards;"
    return f"Your turn: {trick} swap one to three cards, or pass."


def _middle(view: Observation) -> Area:
    second, stock = view.zone("second stock"), view.zone("stock")
    if second is None or stock is None:
        return Area("middle", "", None, [])
    rows = [
        Row("stock", "Stock", "pile", cards_lying(stock.known, False), stock.hidden),
        Row("second", "Second stock", "buried", cards_lying(second.known, False), second.hidden),
    ]
    left = view.facts["idle_left"]
    notes = [f"the game ends after {counted(left, 'more turn')} without a new trick"] if left <= 10 else []
    return Area("middle", "Stocks", None, rows, notes=notes if not view.over else [])


def _player(view: Observation, names: Sequence[str], seat: int, at: int) -> Area:
    facts = view.facts
    notes = []
    if view.actor >= 0 and facts["to_block"] and facts["to_block"] in facts["tricks"][seat]:
        notes.append(f"{in_signs(' '.join(facts['to_block']))} can still be blocked")
    if seat == facts["dealer"]:
        notes.append("dealer")
    return Area(
        id=f"seat-{seat}",
        title=name_of(view, names, seat),
        at=at,
        rows=_rows(view, seat),
        seat=seat,
        active=view.actor == seat,
        notes=notes,
    )


def _rows(view: Observation, seat: int) -> list[Row]:
    """The tricks laid, those that were blocked, and the hand."""
    hand, blocked = view.zone("hand", seat), view.zone("blocked", seat)
    if hand is None or blocked is None:
        return []
    tricks = view.facts["tricks"][seat]
    rows = [
        Row(
            f"trick-{seat}-{index}",
            f"Trick {index + 1}",
            "meld",
            [CardSeen(card) for card in trick],
            token=PLACE if seat == view.seat and index == len(tricks) else None,
        )
        for index, trick in enumerate([*tricks, [], [], []][:3])
    ]
    if blocked.cards:
        rows.append(Row(f"blocked-{seat}", "Blocked", "buried", cards_lying(blocked.known, False)))
    return [*rows, Row(f"hand-{seat}", "Hand", "hand", cards_held(view, seat, hand.known), hand.hidden)]


def _choices(action: str) -> list[Choice]:
    """A trick may be laid by its cards alone, or upon its place."""
    verb, _, cards = action.partition(" ")
    choice = Choice(action, verb.capitalize(), cards.split())
    return [choice, replace(choice, tokens=[*choice.tokens, PLACE])] if verb == "lay" else [choice]


def phrase(view: Observation, action: str) -> str:
    """How the log would say an action of the viewer's."""
    verb, _, cards = action.partition(" ")
    return f"{verb} {the_cards(cards.split())}" if cards else verb


def meant(view: Observation, tokens: Sequence[str]) -> list[str]:
    """Cards upon the next trick's place are to be laid, and without it swapped."""
    cards = [card_name(card) for card in sorted(CARD_NUMBERS[token] for token in tokens if token != PLACE)]
    return [" ".join(["lay" if PLACE in tokens else "swap", *cards])]


def _outcome(view: Observation, names: Sequence[str]) -> str:
    if not view.over:
        return ""
    scores, winners = view.standing.scores, view.standing.winners
    if len(winners) == 2:
        return f"A draw, with {counted(scores[0], 'blocked trick')} each."
    winner = winners[0]
    who = f"You lose: {names[winner]} wins" if view.seat == 1 - winner else says(view, names, winner, "win")
    if view.facts["winner"] != NOBODY:
        return f"{who} with a third trick."
    return f"{who} with {counted(scores[winner], 'blocked trick')} to {scores[1 - winner]}."


# In words


def _told(view: Observation, names: Sequence[str], before: Observation | None) -> list[str]:
    event = last_event(view, before)
    if event is None or before is None:
        return []
    word, _, cards = event.do.partition(" ")
    if event.by == CHANCE:
        told = _told_chance(view, names, word)
    elif word == "lay":
        told = _told_trick(view, names, event.by, before)
    elif word == "pass":
        told = ["You pass." if event.by == view.seat else f"{names[event.by]} passes."]
    else:
        told = [f"{says(view, names, event.by, 'swap')} {_swapped(cards)}."]
    if event.by != CHANCE or word == "shuffle":
        told.extend(_told_draw(view, before))
    if view.over and view.facts["winner"] == NOBODY:
        used_up = view.facts["idle_left"] > 0
        told.append("The stock is used up." if used_up else "Nobody has laid a trick for too long.")
    return told


def _told_chance(view: Observation, names: Sequence[str], word: str) -> list[str]:
    dealer = view.facts["dealer"]
    if word == "dealer":
        return [says(view, names, dealer, "deal") + "."]
    if word == "deal":
        first = view.facts["turn"]
        return ["Each player gets seven cards. " + says(view, names, first, "begin") + "."]
    return ["The stock is used up: the second stock is shuffled and takes its place."]


def _swapped(cards: str) -> str:
    texts = cards.split()
    if HIDDEN_CARD in texts:
        return counted(len(texts), "card")
    return the_cards(texts)


def _told_trick(view: Observation, names: Sequence[str], by: int, before: Observation) -> list[str]:
    number = len(before.facts["tricks"][by]) + 1
    cards = the_cards(view.events[-1].do.split()[1:])
    who = names[by]
    told = [f"{says(view, names, by, 'lay')} {cards}: trick {number} of 3."]
    other = 1 - by
    lost = len(before.facts["tricks"][other]) - len(view.facts["tricks"][other])
    if lost:
        whose = "your" if other == view.seat else f"{names[other]}'s"
        what = "first trick" if lost == 1 else "second trick, and the first goes with it"
        told.append(f"That blocks {whose} {what}.")
        if view.facts["turn"] == by and not view.over:
            again = "you play again" if by == view.seat else f"{who} plays again"
            told.append(f"Drawing new cards is {whose} turn, so {again}.")
    return told


def _told_draw(view: Observation, before: Observation) -> list[str]:
    """What has come into the viewer's hand."""
    drawn = [card_name(card) for card in cards_gained(view, before, "hand", view.seat)]
    return [f"You draw {the_cards(drawn)}."] if drawn else []


TERMS = (
    Term(
        "trick",
        "here a set of cards laid together: a pair, or consecutive cards of one suit. The third has three cards.",
        "3T-1",
    ),
    Term(
        "blocks",
        "a trick that shares a suit with the one just laid, or is a pair of one of its ranks, takes it away.",
        "3T-9",
    ),
    Term("swap", "put one to three cards away and draw as many; this is the whole turn.", "3T-7"),
    Term("second stock", "cards that were swapped; it is shuffled when the stock is used up.", "3T-22"),
)

TABLE = Table(
    game="three-tricks",
    phrase=phrase,
    lay_out=lay_out,
    worth=worth,
    meant=meant,
    belief=belief,
    terms=TERMS,
    fits="For two, in between: short, sharp, and over before the tea is cold.",
    minutes=(5, 10),
)
