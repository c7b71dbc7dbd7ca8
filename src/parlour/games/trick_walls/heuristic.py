"""Trick Walls: the heuristic, which values every legal action.

A card played is valued in thousandths of a point, a gift on a scale of its own. The weights were found by evolution
strategies in games of the heuristic against itself and its predecessors
(docs/decisions/0254-heuristics-from-self-play.md). Each is for a card of the player's own colour; a card of the other
colour counts the other way round. Weights without points or bonuses are multiplied by :func:`unit`, so that they hold
for all points that options give to cards.
"""

from parlour.cards import ACE, RED, bit, count, rank_of, suit_of, suit_set
from parlour.engine.compiled import rule
from parlour.engine.rules import known_to
from parlour.games.trick_walls.rules import EXCHANGE, TOP
from parlour.games.trick_walls.scoring import points as points_of
from parlour.games.trick_walls.scoring import points_if_killed, purity, sign_of
from parlour.games.trick_walls.typed_state import State

UNSEEN_TOP = -46
"""Weight of the unknown top card of a dummy's pile."""
LEAD_HIGHER, LEAD_LOWER, LEAD_LENGTH = 280, -92, -142
"""Weights of a lead: for each unseen card of its suit above it and below it, and for each other card of the suit in
the hand, whatever its colour.
"""
RISE_POINT, RISE_SPOILS = 1000, 135
"""Weights of a card that will lie face up: for each point, and for each point of a pure bonus that it prevents."""
RISE_RANK, RISE_HIGHER, RISE_BETWEEN, RISE_LENGTH = -20, 39, -52, 83
"""Further weights of such a card. Three are multiplied by the number of cities after it: for each rank by which it
raises the highest card, each unseen card of its suit above it, and each that it shuts out. The last is for each other
card of the suit in the hand.
"""
LOSE_POINT, LOSE_KILLED, LOSE_MASSACRE, LOSE_LENGTH, LOSE_RANK = -905, -113, -110, 75, 15
"""Weights of a card that will be killed: for each point; with kill balance, for each point of its cost; for each point
of a massacre, if the killed cards of the city are of one colour; for each other card of the suit in the hand; and for
its rank, whatever its colour.
"""


@rule
def action_value(state: State, action: int) -> int:
    """Return the value of an action.

    It is high for a card of the player's own colour that will lie face up and leaves room above it, and for a card of
    the other colour that will be killed or shuts others out.
    """
    if action == TOP:
        return UNSEEN_TOP * unit(state)
    sign = sign_of(state, state.controller[state.city])
    own = 1 if (bit(action) & RED != 0) == (sign > 0) else -1
    points = points_of(state, bit(action))
    if state.stage == EXCHANGE:
        return value_of_giving(state, action, own, points)
    if state.played == 0:
        return value_of_leading(state, action, own)
    if suit_of(action) == state.trick_suit and action > state.best:
        return own * value_of_rising(state, action, points)
    return value_of_losing(state, action, own, points)


@rule
def unit(state: State) -> int:
    """Return the points of a plain card and a court card together, 3 by the rules."""
    return state.plain_points + state.court_points


@rule
def unseen_of_suit(state: State, card: int) -> int:
    """Return the cards of a card's suit whose place the player to act does not know."""
    return suit_set(suit_of(card)) & ~known_to(state, state.controller[state.city])


@rule
def others_of_suit(state: State, card: int) -> int:
    """Return the number of other cards of a card's suit in the hand."""
    return count(state.hand[state.city] & suit_set(suit_of(card))) - 1


@rule
def value_of_giving(state: State, card: int, own: int, points: int) -> int:
    """Value a gift: best is a low card of the other colour, worst a high card of one's own."""
    return (-20 * points if own > 0 else 40 * (state.court_points - points)) - rank_of(card)


@rule
def value_of_leading(state: State, card: int, own: int) -> int:
    """Value a lead: a low card of one's own colour leaves later cards room to rise; best is a short suit."""
    unseen = unseen_of_suit(state, card)
    higher = unseen if rank_of(card) == ACE and state.led_ace == 1 else unseen & -bit(card)
    room = LEAD_HIGHER * count(higher) + LEAD_LOWER * count(unseen & ~higher)
    return unit(state) * (own * room + LEAD_LENGTH * others_of_suit(state, card))


@rule
def value_of_rising(state: State, card: int, points: int) -> int:
    """Value a card of one's own colour that will lie face up. The higher it is, the fewer later cards can lie face up.

    TW-9: an ace led counts 1, so that any card of the suit rises above it.
    """
    after = state.cities - state.played - 1
    raised = rank_of(card) - (rank_of(state.best) if state.best >= 0 else -1)
    above_best = unseen_of_suit(state, card) & (-bit(state.best) if state.best >= 0 else -1)
    higher = above_best & -bit(card)
    room = RISE_RANK * raised + RISE_HIGHER * count(higher) + RISE_BETWEEN * count(above_best & ~higher)
    value = RISE_POINT * points + unit(state) * (after * room + RISE_LENGTH * others_of_suit(state, card))
    if spoils(state.face_up[state.city], card):
        value += RISE_SPOILS * state.pure_bonus
    return value


@rule
def value_of_losing(state: State, card: int, own: int, points: int) -> int:
    """Value a card that will be killed: a loss in one's own colour, a relief in the other."""
    value = LOSE_POINT * points + unit(state) * LOSE_LENGTH * others_of_suit(state, card)
    if state.kill_balance:
        value += LOSE_KILLED * points_if_killed(state, bit(card))
    if purity(state.face_down[state.city]) != 0:
        value += LOSE_MASSACRE * state.massacre
    return own * value + unit(state) * LOSE_RANK * rank_of(card)


@rule
def spoils(cards: int, card: int) -> bool:
    """Return whether a card makes cards of one colour mixed."""
    return purity(cards) != 0 and purity(cards | bit(card)) == 0
