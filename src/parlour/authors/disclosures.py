"""Law on ``tells_nothing``: an action that may be taken back gives no viewer any information."""

from collections.abc import Iterator

import numpy as np

from parlour.authors.failures import source_of
from parlour.authors.laws import viewer_text, viewers
from parlour.engine.arrays import Stream
from parlour.engine.chance import new_stream
from parlour.engine.events import HIDDEN_CARD
from parlour.engine.game import Game
from parlour.engine.information.determinization import determinize_state, hide_unknown, new_plain_table
from parlour.engine.information.disclosure import discloses
from parlour.engine.match import Match
from parlour.engine.rules import ACTION_ROOM, SPECTATOR, PlainState, copy_state, known_to, legal, play
from parlour.engine.typed_state import OwnState

DETERMINIZATIONS = 4
"""Number of determinizations for each viewer in which an action is tried."""
DEFAULT = Game.__dataclass_fields__["tells_nothing"].default
"""Default of ``tells_nothing``: no action may be taken back."""


def claims_nothing(before: Match, match: Match) -> bool:
    """Return whether the last event is an action for which ``tells_nothing`` is true."""
    return match.game.tells_nothing is not DEFAULT and match.events[-1].by >= 0 and not discloses(before, match)


def check_disclosure(before: Match, match: Match) -> str:
    """An action for which ``tells_nothing`` is true gives no viewer any information."""
    for viewer in learned_by(before, match, new_stream(len(match.events))):
        text = match.seen_by(viewer)[-1].do
        where = source_of(match.game.tells_nothing)
        return f"{where}: is true of {text!r}, but {viewer_text(viewer)} learns something by it"
    return ""


def learned_by(before: Match, after: Match, stream: Stream) -> Iterator[int]:
    """Yield the viewers that learn from an action where a card lies, or that some determinization was not true."""
    state, action = before.state, before.parse_move(after.events[-1].do)
    for viewer in viewers(after):
        if int(known_to(after.state, viewer)) & ~int(known_to(state, viewer)):
            yield viewer
            continue
        # an action with a hidden card may be illegal in a determinization, where that card lies elsewhere
        visible = HIDDEN_CARD not in after.seen_by(viewer)[-1].do
        if visible and any(
            _looks_different(state, after.state, action, viewer, stream) for _ in range(DETERMINIZATIONS)
        ):
            yield viewer


def _looks_different(state: OwnState, after: OwnState, action: int, viewer: int, stream: Stream) -> bool:
    """Return whether an action is illegal in a determinization, or leads there to another observed state.

    Args:
        state: the state before the action.
        after: the state after the action.
        action: the action's number.
        viewer: the viewer for whom ``state`` is determinized; for a spectator, for each seat in turn.
        stream: the random stream.
    """
    table, actions = new_plain_table(), np.zeros(ACTION_ROOM, np.int64)
    observed, determinization = PlainState(after), PlainState(copy_state(state))
    hide_unknown(observed, viewer, table)
    for seat in range(int(state.seats)) if viewer == SPECTATOR else [viewer]:
        hide_unknown(determinization, seat, table)
        determinize_state(determinization, seat, table, stream)
    if action not in actions[: legal(determinization, actions)]:
        return True
    play(determinization, action)
    hide_unknown(determinization, viewer, table)
    return bool(determinization != observed)
