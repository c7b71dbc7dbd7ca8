"""Trick Walls: a faster equivalent of the list of legal actions. The game works without it.

Random games and playouts draw a card from the set of playable ones without listing them.
"""

from parlour.cards import count
from parlour.engine.arrays import Stream
from parlour.engine.chance import card_at, random_below, random_card
from parlour.engine.compiled import rule
from parlour.engine.typed_state import IntVector
from parlour.games.trick_walls.legal import has_top, playable
from parlour.games.trick_walls.rules import TOP, is_dummy
from parlour.games.trick_walls.typed_state import State


@rule
def random_action(state: State, actions: IntVector, random: Stream) -> int:
    """Draw a legal action uniformly, in the list's order: the playable cards, then a dummy's unseen card."""
    # This test comes first: otherwise LLVM branches on whether a suit can be followed, which processors mispredict.
    if not is_dummy(state, state.city):
        return random_card(random, playable(state))
    cards = playable(state)
    which = random_below(random, count(cards) + (1 if has_top(state) else 0))
    return card_at(cards, which) if which < count(cards) else TOP
