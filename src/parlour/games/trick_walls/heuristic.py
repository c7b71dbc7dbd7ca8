"""Trick Walls: the heuristic, which values every legal action."""

from parlour.cards import ACE, RED, bit, rank_of, suit_of
from parlour.engine.compiled import rule
from parlour.games.trick_walls.rules import EXCHANGE, TOP
from parlour.games.trick_walls.scoring import points as points_of
from parlour.games.trick_walls.scoring import points_if_killed, sign_of
from parlour.games.trick_walls.typed_state import State


@rule
def action_value(state: State, action: int) -> int:
    """Return the value of an action in hundredths of a point.

    It is high for a card of the player's own colour that will lie face up, and for a card of the other colour that
    will be killed. It depends on the number of cities still to play.
    """
    if action == TOP:
        return -10  # an unknown card
    sign = sign_of(state, state.controller[state.city])
    own = 1 if (bit(action) & RED != 0) == (sign > 0) else -1
    points = points_of(state, bit(action))
    if state.stage == EXCHANGE:
        return value_of_giving(state, action, own, points)
    if state.played == 0:
        return value_of_leading(state, action, own, points)
    if suit_of(action) == state.trick_suit and action > state.best:
        return value_of_rising(state, action, own, points)
    return value_of_losing(state, action, own, points)


@rule
def value_of_giving(state: State, card: int, own: int, points: int) -> int:
    """Value a gift: best is a low card of the other colour, worst a high card of one's own."""
    return (-20 * points if own > 0 else 40 * (state.court_points - points)) - rank_of(card)


@rule
def value_of_leading(state: State, card: int, own: int, points: int) -> int:
    """Value a lead: a low card of one's own colour leaves later cards room to rise, a high one of the other none."""
    height = -1 if rank_of(card) == ACE and state.led_ace == 1 else rank_of(card)
    weight = 3 if state.city_keepers else 9
    if own > 0:
        return 100 * points + purity_value(state, card, own) - weight * height
    return weight * (height - 10) - 40 * points


@rule
def value_of_rising(state: State, card: int, own: int, points: int) -> int:
    """Value a card that will lie face up. The higher it is, the fewer later cards can lie face up."""
    after = state.cities - state.played - 1
    raised = rank_of(card) - (rank_of(state.best) if state.best >= 0 else -1)
    weight = 1 if state.city_keepers else 5
    value = own * 100 * points + purity_value(state, card, own)
    return value - own * weight * after * raised


@rule
def value_of_losing(state: State, card: int, own: int, points: int) -> int:
    """Value a card that will be killed: a loss in one's own colour, a relief in the other."""
    value = -own * (30 * points + 2 * rank_of(card))
    if state.kill_balance:
        value -= own * 100 * points_if_killed(state, bit(card))
    down = state.face_down[state.city]
    if state.massacre and own < 0 and down != 0 and is_pure(down | bit(card)):
        value += 15 * state.massacre
    return value


@rule
def purity_value(state: State, card: int, own: int) -> int:
    """Value the effect on a pure city: keep it pure in one's own colour, spoil it in the other."""
    up = state.face_up[state.city]
    if state.pure_bonus == 0 or up == 0 or not is_pure(up):
        return 0
    if is_pure(up | bit(card)):
        return own * 5 * state.pure_bonus
    return own * 20 * state.pure_bonus


@rule
def is_pure(cards: int) -> bool:
    """Return whether all cards are of one colour."""
    return cards & RED == 0 or cards & RED == cards
