"""What can be wrong with what comes from outside. Each message says what and where, and what would have been right."""


class ParlourError(Exception):
    """Anything a user can put right; its text is shown as it is."""


class UnknownGameError(ParlourError):
    """There is no such game."""


class GameError(ParlourError, ValueError):
    """A game that cannot be played as it is written; the message says where and why."""


class CompileError(GameError):
    """A rule that cannot be compiled; the message says where and why, and nothing of any game that is played."""


class PlayersError(ParlourError):
    """A number of players that the game is not for."""


class OptionError(ParlourError):
    """An option that the game does not have, or a value that it may not take."""


class IllegalError(ParlourError):
    """An action or a chance outcome that is not legal now; ``clause`` names the rule where one is known."""

    def __init__(self, message: str, clause: str = "") -> None:
        super().__init__(message)
        self.clause = clause


class StaleError(IllegalError):
    """An action chosen before its player had seen the latest events."""


class TurnError(IllegalError):
    """An action of a seat that is not to act."""


class RecordError(ParlourError):
    """A record that cannot be read or is not legal; the message begins with the place."""
