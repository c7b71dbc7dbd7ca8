"""Law on the layouts of hidden cards: determinizations can be drawn, and the true layout is among them."""

import numpy as np

from parlour.authors.failures import source_of
from parlour.authors.laws import viewer_text
from parlour.cards import bit, card_name, lowest
from parlour.engine.chance import new_stream
from parlour.engine.errors import GameError
from parlour.engine.game import Game
from parlour.engine.information.determinization import (
    fill,
    hidden_from,
    new_plain_table,
    observed_plain_state,
    prepare_determinization,
)
from parlour.engine.information.unknown_origin import lay_out_ambiguous
from parlour.engine.match import Match
from parlour.engine.rules import (
    MAX_CARDS,
    MAX_SLOTS,
    PlainState,
    assign,
    cards_of_unknown_origin,
    hidden_slots,
    is_consistent,
)

ATTEMPTS = 500
"""Number of times that ``is_consistent`` may reject the true layout, which it accepts with some probability."""

LAYOUTS = 10_000
"""Number of drawn layouts of which at least one must be accepted. The games of the package need at most seven."""


def check_possibility(match: Match) -> str:
    """The true layout of the hidden cards is one that each seat considers possible, and layouts can be drawn."""
    faults = (law(match, seat) for seat in range(match.players) for law in (_impossible_slot, _rejected, _never_drawn))
    return next(filter(None, faults), "")


def _impossible_slot(match: Match, seat: int) -> str:
    """Return a sentence about a slot that may not hold an unknown card there, or about the sizes, or an empty one."""
    if cards_of_unknown_origin(match.state, seat):  # such a card takes part in layouts without lying in a slot
        return ""
    state, no_cards = PlainState.of(match.state), np.zeros(MAX_CARDS, np.int64)
    sizes, allowed = np.zeros((2, MAX_SLOTS), np.int64)
    number = hidden_slots(state, seat, sizes, allowed)
    unknown, lying = int(hidden_from(state, seat)), _lying(match.game, state)
    where = f"{source_of(match.game.hidden_slots)}: for {viewer_text(seat)}"
    if not lying:  # before the first deal
        return ""
    wrong_size = ""
    for slot in range(number):
        assign(state, seat, slot, no_cards, 0)
        left = _lying(match.game, state)
        if excluded := lying & ~left & unknown & ~int(allowed[slot]):
            return f"{where}, slot {slot} excludes {card_name(lowest(excluded))}, which lies there"
        emptied, size = (lying & ~left & unknown).bit_count(), int(sizes[slot])
        if emptied != size and not wrong_size:
            wrong_size = f"{where}, slot {slot} has the size {size}, but {emptied} unknown cards lie there"
        lying = left
    if (placed := int(sizes[:number].sum())) != unknown.bit_count():
        return f"{where}, the sizes of the slots add up to {placed}, but {unknown.bit_count()} cards are unknown"
    return wrong_size


def _lying(game: Game, state: PlainState) -> int:
    """Return the set of cards that lie in a zone of a state, from which slots may have been emptied."""
    return sum({bit(card) for zone in game.zones(state) for card in zone.cards if card is not None})


def _rejected(match: Match, seat: int) -> str:
    """Return a sentence if ``is_consistent`` never accepts the true layout, or an empty string."""
    stream = new_stream(len(match.events))
    if any(is_consistent(match.state, seat, stream) for _ in range(ATTEMPTS)):
        return ""
    return f"{source_of(match.game.is_consistent)}: rejects the true layout for {viewer_text(seat)}"


def _never_drawn(match: Match, seat: int) -> str:
    """Return a sentence if no drawn layout is accepted, so that a determinization would never end, or an empty one."""
    state, table, stream = observed_plain_state(match.state, seat), new_plain_table(), new_stream(len(match.events))
    prepare_determinization(state, seat, table)
    if table.narrow < 0:
        tries = (lay_out_ambiguous(table, table.number, table.pool, stream) for _ in range(LAYOUTS))
        if not any(tries):
            hook = source_of(match.game.cards_of_unknown_origin)
            return f"{hook}: none of {LAYOUTS:,} attempts places these cards for {viewer_text(seat)}"
    for _ in range(LAYOUTS):
        try:
            fill(state, seat, table, stream)
        except GameError as error:
            return f"{source_of(match.game.hidden_slots)}: for {viewer_text(seat)}, {error}"
        if is_consistent(state, seat, stream):
            return ""
    hook = source_of(match.game.is_consistent)
    return f"{hook}: accepts the true layout, but none of {LAYOUTS:,} drawn ones for {viewer_text(seat)}"
