"""The legal moves of a position and their texts: what a typed text means, and why it is refused."""

from collections.abc import Sequence
from functools import cached_property

from parlour.engine.errors import IllegalError
from parlour.engine.game import Game, Refusal
from parlour.engine.information.determinization import observed_state
from parlour.engine.matches.notation import listing, normalized_text, spelling_key
from parlour.engine.moves import Move
from parlour.engine.typed_state import AnyState
from parlour.engine.validation import shortened
from parlour.languages import gettext
from parlour.languages.declension import listed_choice


class LegalMoves:
    """The legal moves of one position, with their texts on demand; valid until the state changes.

    Attributes:
        moves: the moves, in the order of the rules.
    """

    def __init__(self, game: Game, state: AnyState, moves: Sequence[Move]) -> None:
        self.moves = moves
        self._game, self._state = game, state

    @cached_property
    def by_text(self) -> dict[str, Move]:
        """The moves by their texts."""
        return {self._game.name(self._state, int(move)): move for move in self.moves}

    @cached_property
    def texts(self) -> list[str]:
        """The texts, sorted by code point."""
        return sorted(self.by_text)

    def find(self, text: str) -> Move | None:
        """Return the move with this text in the notation, or ``None``."""
        if "by_text" in vars(self):
            return self.by_text.get(text)
        return next((move for move in reversed(self.moves) if self._game.name(self._state, int(move)) == text), None)

    def complete(self, typed: str) -> str:
        """Return the notation of a typed action, ignoring case, spaces and the order of its cards.

        A text that matches no legal action, or several, is returned as by :func:`normalized_text`.
        """
        likely = normalized_text(typed)
        for text in (typed, likely):
            if text in self.by_text:
                return text
        meant = self._meant(typed)
        return meant[0] if len(meant) == 1 else likely

    def _meant(self, typed: str) -> list[str]:
        """Return the legal texts that differ from a typed one only in case, spaces or the order of cards."""
        key = spelling_key(typed)  # once: a hostile text may have megabytes
        return [text for text in self.texts if spelling_key(text) == key]

    def refusal(self, text: str) -> Refusal:
        """Return the reason why a text is no legal action, derived from what the seat to act may know."""
        return self._refused(text)[0]

    def _refused(self, text: str) -> tuple[Refusal, Exception | None]:
        """Return the reason, and the exception of the game's ``refusal`` function if it failed.

        The function is called only for texts that match no legal action in any spelling.
        """
        if meant := self._meant(text):
            return Refusal("", gettext("Write it as {actions}.", actions=listed_choice(list(map(repr, meant))))), None
        try:
            refusal = self._game.refusal(observed_state(self._state, int(self._state.actor)), text)
            if not isinstance(refusal, Refusal):
                raise TypeError(f"refusal returned {refusal!r}, which is no Refusal")
        except ValueError:
            return Refusal("", gettext("That is not an action of {game}.", game=self._game.title)), None
        except Exception as error:  # a bug in the game must not turn an illegal action into a crash
            return Refusal("", gettext("That is not possible now.")), error
        return refusal, None

    def illegal(self, text: str) -> IllegalError:
        """Return the error for an illegal action, with the reason and the legal actions.

        Its ``__cause__`` is the exception of the game's ``refusal`` function, if that failed.
        """
        refusal, failure = self._refused(text)
        why = f"{refusal.reason} ({refusal.clause})" if refusal.clause else refusal.reason
        message = gettext(
            "{action} is not legal: {reason} Legal: {actions}.",
            action=repr(shortened(text)),
            reason=why,
            actions=listing(self.texts),
        )
        error = IllegalError(message, refusal.clause)
        error.__cause__ = failure
        return error
