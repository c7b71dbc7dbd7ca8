"""Whether an action has told anybody anything: only one that has not may be taken back."""

from parlour.engine.determinization import observed_plain_state
from parlour.engine.match import Match
from parlour.engine.rules import NOBODY


def discloses(before: Match, after: Match) -> bool:
    """Whether somebody may know more after the action that led from one match to the other.

    All are told the answer, so it follows from what all know: the event as spectators saw it, and the states before and
    after it as they know them. What tells nothing is the game's to say (``tells_nothing``); whatever it does not speak
    of has told something, and so has an action that shows a card, brings chance about, or ends the game.
    """
    if after.actor < 0 or int(after.state.public) & ~int(before.state.public):
        return True
    was, is_now = (observed_plain_state(match.state, NOBODY) for match in (before, after))
    return not after.game.tells_nothing(was, is_now, after.seen_by(NOBODY)[-1].do)
