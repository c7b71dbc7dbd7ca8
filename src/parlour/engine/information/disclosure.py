"""Detection of actions that reveal information to a player; only other actions may be taken back."""

from parlour.engine.information.determinization import observed_plain_state
from parlour.engine.match import Match
from parlour.engine.rules import SPECTATOR


def discloses(before: Match, after: Match) -> bool:
    """Return True if the action between two matches may have revealed information to a player.

    All players learn whether an action may be taken back, so the answer depends on public information alone: the event
    as spectators saw it, and the states before and after it as they observe them. The game's ``tells_nothing`` names
    the actions that reveal nothing. All other actions count as disclosure, and so does an action that shows a card, is
    followed by a chance event, or ends the game.
    """
    if after.actor < 0 or int(after.state.public) & ~int(before.state.public):
        return True
    earlier, later = (observed_plain_state(match.state, SPECTATOR) for match in (before, after))
    return not after.game.tells_nothing(earlier, later, after.seen_by(SPECTATOR)[-1].do)
