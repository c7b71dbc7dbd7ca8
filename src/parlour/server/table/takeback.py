"""Taking one's last action back: until when it can be done, and who has to agree."""

from collections.abc import Collection
from dataclasses import dataclass

from parlour.engine.disclosure import discloses
from parlour.engine.match import Match


@dataclass(frozen=True)
class TakebackRequest:
    """A seat wants to take its last action back; those it waits for have not said yes yet."""

    by: int
    waiting: frozenset[int]


@dataclass
class TakingBack:
    """What can be taken back at a table.

    Attributes:
        undoable: the seat whose last action may still be taken back, if any.
        wish: who wants to take it back.
        earlier: the match as it was before a person's action, if that was the last event.
    """

    undoable: int | None = None
    wish: TakebackRequest | None = None
    earlier: Match | None = None

    def moved_on(self, earlier: Match | None = None) -> None:
        """An event happened, so the action before it stays; a person's own begins at ``earlier``."""
        self.undoable = self.wish = None
        self.earlier = earlier

    def judge(self, seat: int, match: Match) -> None:
        """Let a seat take back what it has just done, if nobody can have learned anything by it."""
        if self.earlier is not None and not discloses(self.earlier, match):
            self.undoable = seat

    def ask(self, seat: int, others: Collection[int]) -> None:
        """A seat wants to take its action back; the others have to agree."""
        self.wish = TakebackRequest(seat, frozenset(others))

    def spare(self, seat: int) -> None:
        """A seat has agreed, or has gone and is not waited for."""
        if self.wish:
            self.wish = TakebackRequest(self.wish.by, self.wish.waiting - {seat})

    @property
    def granted(self) -> bool:
        """Whether nobody is left who would have to agree."""
        return self.wish is not None and not self.wish.waiting
