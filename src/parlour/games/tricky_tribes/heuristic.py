"""Tricky Tribes: the heuristic, which values every legal action.

The weights were found by evolution strategies in games of the heuristic against itself, its predecessor and a simple
rival (docs/decisions/0180-simple-rivals-in-self-play.md).
"""

from parlour.cards import BLACK, JOKERS, bit, count
from parlour.engine.compiled import rule
from parlour.games.tricky_tribes.rules import DARK, EXCHANGE, KEEP, TWOS
from parlour.games.tricky_tribes.scoring import REDS, is_limited, number_of, points_of_card
from parlour.games.tricky_tribes.typed_state import State

ONE = 1024
"""Fixed-point unit of values and probabilities: one point, or certainty."""
HOLD_BLACK, HOLD_BLACK_NUMBER, HOLD_BLACK_NUMBER_HELD = -30, 16, 2
"""Values of holding a black card: a constant, a factor of its number, and a factor of its number times the cards in the
hand. These and the next values are multiplied by :func:`worth_of_reds`, so that they hold for all points that options
give.
"""
HOLD_RED, HOLD_RED_NUMBER, HOLD_RED_HELD = -60, 12, -16
"""Values of holding a red card: a constant, a factor of its number, and one of the number of cards in the hand."""
DRAWN = 100
"""Value of the card that a swap would draw, as a card to hold."""
LEADING_DARK, LEADING_DARK_TRIBE, BLACK_ON_RED = -110, -22, -105
"""Values of a dark lead: a constant, and one of each tribe beyond the fourth; and of a black card on a red offer."""
RISING, LOOTING, LOOTING_DARK, BURDEN, OFFERED = 90, 126, 170, 190, 170
"""Weights in 64ths of expected points: of a red offer won; of loot, on a black offer and in a dark trick; of the black
offer that the lowest card takes; and of a red card offered.
"""
AMBITION_RED, AMBITION_BLACK, AMBITION_DARK = 48, 88, 90
"""How often another player plays a higher card on a red offer, on a black one and in a dark trick, in 64ths of the
share of higher cards among the unseen ones.
"""


@rule
def action_value(state: State, action: int) -> int:
    """Return the value of an action: the points to expect from the trick, less the value of holding the card played."""
    if action == KEEP:
        return -DRAWN * worth_of_reds(state)
    card = action if action < DARK else action - DARK
    holding = hold_value(state, card)
    if state.stage == EXCHANGE:
        return -holding
    if state.played == 0 and action < DARK:
        return value_of_offering(state, card) - holding
    if state.played == 0:
        leading = LEADING_DARK + LEADING_DARK_TRIBE * (state.tribes - 4)
        value = value_of_looting(state, card, LOOTING_DARK, AMBITION_DARK)
        return value + leading * worth_of_reds(state) - holding
    if state.is_open and bit(state.trick[0]) & BLACK == 0:
        return value_of_rising(state, card) - holding
    if state.is_open:
        return value_of_ducking(state, card) - holding
    return value_of_looting(state, card, LOOTING_DARK, AMBITION_DARK) - holding


@rule
def hold_value(state: State, card: int) -> int:
    """Return the value of holding a card: high cards win later tricks, and low red ones may be lost as loot."""
    number = number_of(state, card)
    held = count(state.hand[state.actor])
    if bit(card) & BLACK == 0:
        value = HOLD_RED + HOLD_RED_NUMBER * number + HOLD_RED_HELD * held
    else:
        value = HOLD_BLACK + (HOLD_BLACK_NUMBER + HOLD_BLACK_NUMBER_HELD * held) * number
    return value * worth_of_reds(state)


@rule
def worth_of_reds(state: State) -> int:
    """Return about the mean points of a red card, in quarters: 5 by the rules."""
    return 3 * state.red_points + state.red_court_points


@rule
def unseen_by_actor(state: State) -> int:
    """Return the cards that others may play, as a player without memory assumes: all that the player has not held.

    In many games between heuristics without and with memory, the one without won far more often.
    """
    return state.in_use & ~state.private[state.actor]


@rule
def of_number_above(state: State, card: int) -> int:
    """Return all cards with a higher number."""
    number = number_of(state, card)
    higher = ((0x1FFF << (number - 1)) & 0x1FFF) * TWOS
    return higher | JOKERS if number < state.joker_number else higher


@rule
def of_number(state: State, card: int) -> int:
    """Return all cards with the same number."""
    number = number_of(state, card)
    same = TWOS << (number - 2)
    return same | JOKERS if number == state.joker_number else same


@rule
def chance_of_all(part: int, whole: int, times: int) -> int:
    """Return the probability that ``times`` draws with replacement from ``whole`` cards all fall in ``part``."""
    chance = ONE
    for _ in range(times):
        chance = chance * part // max(whole, 1)
    return chance


@rule
def chance_of_winning(state: State, card: int, ambition: int) -> int:
    """Return the probability that this card is the highest (TT-9).

    ``ambition``, in 64ths, is the chance of a higher card from another player, divided by the share of higher cards
    among the unseen ones.
    """
    unseen = unseen_by_actor(state)
    higher = of_number_above(state, card)
    equal = of_number(state, card)
    if state.above & bit(card):
        higher &= state.above
        equal &= state.above
    elif state.above:
        higher |= state.above
        equal &= ~state.above
    whole = 64 * count(unseen)
    before = state.played - state.is_open
    after = state.tribes - state.played - 1
    chance = chance_of_all(max(whole - ambition * count(unseen & higher), 0), whole, before)
    return chance * chance_of_all(max(whole - ambition * count(unseen & (higher | equal)), 0), whole, after) // ONE


@rule
def loot_to_expect(state: State, card: int) -> int:
    """Return the expected points of the others' red cards, should this card win (TT-12 to TT-14)."""
    unseen = unseen_by_actor(state)
    others = state.tribes - 1 - state.is_open
    reds = ONE * others * count(unseen & REDS) // max(count(unseen), 1)
    worth = worth_of_reds(state)
    reds = reds * worth // 4
    return min(reds, state.loot_limit * ONE * worth // 4) if is_limited(state, card) else reds


@rule
def value_of_rising(state: State, card: int) -> int:
    """TT-10, TT-21: return the value of a card on an offered red card or joker, which alone is won."""
    value = RISING * chance_of_winning(state, card, AMBITION_RED) * points_of_card(state, state.trick[0]) // 64
    return value + (BLACK_ON_RED * worth_of_reds(state) if bit(card) & BLACK != 0 else 0)


@rule
def value_of_looting(state: State, card: int, weight: int, ambition: int) -> int:
    """TT-12, TT-13: return the value of the loot if the card wins, in a dark trick or on a black offer."""
    return weight * (chance_of_winning(state, card, ambition) * loot_to_expect(state, card) // ONE) // 64


@rule
def value_of_ducking(state: State, card: int) -> int:
    """TT-11, TT-12: return the value of a card on a black offer: loot to win, and the offer for the lowest card."""
    value = value_of_looting(state, card, LOOTING, AMBITION_BLACK)
    if bit(card) & REDS:
        return value
    unseen = unseen_by_actor(state)
    higher_black = unseen & BLACK & of_number_above(state, card)
    losing = chance_of_all(count(higher_black), count(unseen), state.tribes - 2)
    return value + BURDEN * losing * points_of_card(state, state.trick[0]) // 64


@rule
def value_of_offering(state: State, card: int) -> int:
    """TT-10, TT-21: return the value of an offer: a red card or joker goes to another player."""
    return -OFFERED * ONE * points_of_card(state, card) // (64 * (state.tribes - 1)) if bit(card) & REDS else 0
