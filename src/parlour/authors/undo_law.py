"""Law on ``undo``: it restores each past decision of the round, as far as bots read it."""

from dataclasses import dataclass, field

import numpy as np

from parlour.authors.failures import source_of
from parlour.engine import rules
from parlour.engine.chance import new_stream
from parlour.engine.information.determinization import determinize
from parlour.engine.match import Match
from parlour.engine.moves import Move
from parlour.engine.rules import ACTION_ROOM, CHANCE, NO_ACTION, copy_state
from parlour.engine.typed_state import OwnState


@dataclass(frozen=True)
class PastDecision:
    """A decision of a seat: its legal actions with their values, and the one that was chosen."""

    seat: int
    values: dict[Move, int]
    chosen: Move


def values_of(state: OwnState) -> dict[Move, int]:
    """Return the values of the legal actions."""
    actions = np.zeros(ACTION_ROOM, np.int64)
    return {Move(move): int(rules.action_value(state, move)) for move in actions[: rules.legal(state, actions)].copy()}


@dataclass
class PastDecisions:
    """The decisions since the last deal of a match that is played on."""

    decisions: list[PastDecision] = field(default_factory=list)

    def note(self, before: Match | None, match: Match) -> None:
        """Store the decision that led from ``before`` to ``match``."""
        if before is None or match.game.undo is rules.nothing_to_undo:
            return
        if before.actor == CHANCE:
            self.decisions.clear()
        else:
            chosen = before.moves_by_text()[match.events[-1].do]
            self.decisions.append(PastDecision(before.actor, values_of(copy_state(before.state)), chosen))

    def check(self, match: Match) -> str:
        """``undo`` restores the last decisions of the round: seat, legal actions, values and action."""
        if match.game.undo is rules.nothing_to_undo or match.actor < 0:
            return ""
        where, state = source_of(match.game.undo), copy_state(match.state)
        for number, past in enumerate(reversed(self.decisions), 1):
            action = Move(rules.undo(state))
            if action == NO_ACTION:
                break
            found = PastDecision(int(state.actor), values_of(state), action)
            if found != past:
                return f"{where}: does not restore the last decision but {number - 1}: {_difference(found, past)}"
        else:
            if rules.undo(state) != NO_ACTION:
                return f"{where}: takes back more actions than this round had"
        return self._check_determinization(match, where)

    def _check_determinization(self, match: Match, where: str) -> str:
        """Check that the actions taken back from a determinization were legal."""
        state = determinize(match.observed(match.actor), match.actor, new_stream(len(match.events)))
        for past in reversed(self.decisions):
            action = Move(rules.undo(state))
            if action == NO_ACTION:
                break
            if int(state.actor) != past.seat or action not in values_of(state):
                return f"{where}: takes back an action from a determinization that was not legal for seat {past.seat}"
        return ""


def _difference(found: PastDecision, past: PastDecision) -> str:
    """Return what differs between a restored decision and the true one."""
    if found.seat != past.seat:
        return f"seat {found.seat} is to act, not {past.seat}"
    if found.chosen != past.chosen:
        return f"the action is {int(found.chosen)}, not {int(past.chosen)}"
    if {*found.values} != {*past.values}:
        return "other actions are legal"
    return "the values of the actions differ"
