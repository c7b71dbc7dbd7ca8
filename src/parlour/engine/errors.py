"""Exceptions for invalid input and faulty games. A message names the error, its place, and the valid values if any."""


class ParlourError(Exception):
    """The base class of errors that a user can correct; user interfaces show the message unchanged."""


class UnknownGameError(ParlourError):
    """An id that belongs to no game."""


class GameError(ParlourError, ValueError):
    """A fault in a game's code that makes it unplayable; the message names the place and the reason."""


class CompileError(GameError):
    """A rule that cannot be compiled; the message names the place and the reason, but no fact of a game in progress."""


class PlayersError(ParlourError):
    """A number of players that the game does not support."""


class OptionError(ParlourError):
    """An option that the game does not have, or a value that the option does not allow."""


class IllegalError(ParlourError):
    """An action or a chance outcome that is not legal now; ``clause`` names the violated rule, if known."""

    def __init__(self, message: str, clause: str = "") -> None:
        super().__init__(message)
        self.clause = clause


class TurnError(IllegalError):
    """An action or chance outcome out of turn: another seat, chance or no seat is to act."""


class RecordError(ParlourError):
    """A record that cannot be read or written, is not legal, or does not serve a command.

    The message begins with the location of the record, if there is one.
    """
