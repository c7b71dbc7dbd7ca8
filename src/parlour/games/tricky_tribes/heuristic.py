"""Tricky Tribes: the heuristic."""

from typing import Any

from parlour.cards import BLACK, COURTS, JOKERS, bit, count, lowest
from parlour.engine.compiled import rule
from parlour.engine.rules import CERTAIN
from parlour.games.tricky_tribes.rules import DARK, EXCHANGE, KEEP, REDS, is_dummy, number_of, points_of

ONE = 1024
"""A point, or certainty: the heuristic counts in whole parts of it."""
HOLD_NUMBER = 90
HOLD_RED = -300
"""What a card is worth later: for each step of its number, and more or less if it is red (tried out in many games)."""
AVERAGE_HOLD = 8 * HOLD_NUMBER + HOLD_RED // 2
EVERY_SUIT = 1 | 1 << 13 | 1 << 26 | 1 << 39


@rule
def action_value(state: Any, action: int) -> int:
    """Win where red cards are to be had, duck where they are not, and spend the cards that are worth least."""
    if action == KEEP:
        return -AVERAGE_HOLD  # what one may draw
    card = action if action < DARK else action - DARK
    keeping = hold_value(card)
    if state.stage == EXCHANGE:
        return -keeping
    if state.played == 0 and action < DARK:
        return value_of_offering(state, card) - keeping
    if state.is_omniscient and bit(state.trick[0]) & BLACK == 0:
        return value_of_rising(state, card) - keeping
    if state.is_omniscient:
        return value_of_ducking(state, card) - keeping
    return value_of_looting(state, card) - keeping


@rule
def hold_value(card: int) -> int:
    """High cards win tricks later, above all black ones, which are not given away when they do not."""
    value = HOLD_NUMBER * number_of(card)
    return value + (HOLD_RED if bit(card) & BLACK == 0 else 0)


@rule
def unseen_by_actor(state: Any) -> int:
    """What the others may play, to a player who does not count: every card but the own ones.

    In many games between the two that won far more than to leave out what has been played (docs/bots.md).
    """
    return state.in_use & ~state.private[state.actor]


@rule
def of_number_above(card: int) -> int:
    """All cards with a higher number."""
    rank = number_of(card) - 2
    higher = ((0x1FFF << (rank + 1)) & 0x1FFF) * EVERY_SUIT
    return higher | JOKERS if number_of(card) < 10 else higher


@rule
def of_number(card: int) -> int:
    """All cards with the same number."""
    same = EVERY_SUIT << (number_of(card) - 2)
    return same | JOKERS if number_of(card) == 10 else same


@rule
def chance_of_all(part: int, whole: int, times: int) -> int:
    """That so many cards are all among ``part`` of ``whole``."""
    chance = ONE
    for _ in range(times):
        chance = chance * part // max(whole, 1)
    return chance


@rule
def chance_of_winning(state: Any, card: int) -> int:
    """That this is the highest card (TT-9), if all unseen cards are equally likely to be played."""
    unseen = unseen_by_actor(state)
    higher = of_number_above(card)
    equal = of_number(card)
    if state.above & bit(card):
        higher &= state.above
        equal &= state.above
    elif state.above:
        higher |= state.above
        equal &= ~state.above
    whole = count(unseen)
    before = state.played - state.is_omniscient
    after = state.tribes - state.played - 1
    chance = chance_of_all(whole - count(unseen & higher), whole, before)
    return chance * chance_of_all(whole - count(unseen & (higher | equal)), whole, after) // ONE


@rule
def loot_to_expect(state: Any, card: int) -> int:
    """What the red cards among the others are worth to this card, should it win (TT-13, TT-14)."""
    unseen = unseen_by_actor(state)
    others = state.tribes - 1 - state.is_omniscient
    reds = ONE * others * count(unseen & REDS) // max(count(unseen), 1)
    reds = reds * 5 // 4
    return min(reds, ONE * 5 // 4) if bit(card) & COURTS else reds


@rule
def value_of_rising(state: Any, card: int) -> int:
    """TT-10, TT-21: the offered card alone is won."""
    return chance_of_winning(state, card) * points_of(bit(state.trick[0]))


@rule
def value_of_looting(state: Any, card: int) -> int:
    """TT-13: all red cards for the highest; an own red card goes to someone else if it is not."""
    winning = chance_of_winning(state, card)
    given = (ONE - winning) * max(points_of(bit(card)), 0) // (state.tribes - 1)
    return winning * loot_to_expect(state, card) // ONE - given


@rule
def value_of_ducking(state: Any, card: int) -> int:
    """TT-11, TT-12: a red card is safe but may be lost, a low black one may have to take the offered card."""
    winning = chance_of_winning(state, card)
    value = winning * loot_to_expect(state, card) // ONE
    if bit(card) & REDS:
        return value - (ONE - winning) * points_of(bit(card)) // (state.tribes - 1)
    unseen = unseen_by_actor(state)
    deeper = unseen & BLACK & of_number_above(card)
    losing = chance_of_all(count(deeper), count(unseen), state.tribes - 2)
    return value + losing * points_of(bit(state.trick[0]))


@rule
def value_of_offering(state: Any, card: int) -> int:
    """TT-10, TT-11: an offered red card is a present; a black one is a burden if nobody escapes with a red one."""
    if bit(card) & REDS:
        return -ONE * points_of(bit(card)) // (state.tribes - 1)
    unseen = unseen_by_actor(state)
    burden = chance_of_all(count(unseen & BLACK), count(unseen), state.tribes - 1)
    return -burden * points_of(bit(card)) // (state.tribes - 1)


@rule
def likelihood(state: Any, seat: int) -> int:
    """For each face-down card of the trick: half for every card of its player's that would have seemed better."""
    doubt = 0
    actor = state.actor
    played = state.played
    for index in range(state.is_omniscient, played):
        tribe = state.ring[(state.leader + index) % state.tribes]
        if tribe == seat or is_dummy(state, tribe):
            continue
        state.actor = tribe  # as it was when that card was played
        state.played = index
        doubt += min(better_cards(state, state.trick[index], 0 if index > 0 else DARK), 3)
    state.actor = actor
    state.played = played
    return CERTAIN >> min(doubt, 6)


@rule
def better_cards(state: Any, card: int, dark: int) -> int:
    """How many cards of a player's hand the heuristic would rather have played than this one."""
    taken = action_value(state, card + dark)
    number = 0
    cards = state.hand[state.actor]
    while cards != 0:
        if action_value(state, lowest(cards) + dark) > taken:
            number += 1
        cards &= cards - 1
    return number
