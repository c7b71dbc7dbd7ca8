"""The undo of a seat's last action: the time until which it is possible, and the seats that have to agree."""

from collections.abc import Collection
from dataclasses import dataclass

from parlour.engine.information.disclosure import discloses
from parlour.engine.match import Match


@dataclass(frozen=True)
class UndoRequest:
    """A seat's request to undo its last action, and the seats that have not agreed yet."""

    seat: int
    waiting: frozenset[int]


@dataclass
class UndoState:
    """The action of a table that can be undone.

    Attributes:
        undoable: the seat whose last action can still be undone, if any.
        request: the pending request to undo it.
        declined: the seat that has declined to undo the last action, if any.
        earlier: the match before the last event, if that was a person's action.
    """

    undoable: int | None = None
    request: UndoRequest | None = None
    declined: int | None = None
    earlier: Match | None = None

    def reset(self, earlier: Match | None = None) -> None:
        """Make the action before a new event final; ``earlier`` is the match before the event, if it can be undone."""
        self.undoable = self.request = self.declined = None
        self.earlier = earlier

    def judge(self, seat: int, match: Match) -> None:
        """Make the seat's last action undoable if it disclosed nothing."""
        if self.earlier is not None and not discloses(self.earlier, match):
            self.undoable = seat

    def ask(self, seat: int, others: Collection[int]) -> None:
        """Open the request of a seat, to which the others have to agree."""
        self.request = UndoRequest(seat, frozenset(others))

    def decline(self, by: int | None) -> None:
        """Close the pending request. Once a seat has declined, the action is final."""
        self.request = None
        if by is not None:
            self.undoable, self.declined = None, by

    def stop_waiting_for(self, seat: int) -> None:
        """Remove a seat that has agreed or left from the seats that have to agree."""
        if self.request:
            self.request = UndoRequest(self.request.seat, self.request.waiting - {seat})

    @property
    def granted(self) -> bool:
        """Whether no seat remains that has to agree to the pending request."""
        return self.request is not None and not self.request.waiting
