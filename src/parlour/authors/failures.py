"""Format errors in an author's functions, and the places of these functions."""

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from parlour.engine.game import Game
from parlour.games import folder_of


def source_of(function: Callable[..., Any]) -> str:
    """Return the file and the name of a game's function: ``words.py, refusal()``."""
    return f"{Path(function.__code__.co_filename).name}, {function.__name__}()"


def failure_text(error: Exception, game: Game) -> str:
    """Return the file, the line and the function of the game in which an error was raised, and the error.

    If several functions of the game were running, the text names the innermost; if none was, it is the error alone.
    """
    folder = Path(str(folder_of(game.id) or sys.modules[game.legal.__module__].__file__))
    frames = [
        frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(folder)
    ]
    what = f"{type(error).__name__}: {error}"
    return f"{frames[-1].filename}, line {frames[-1].lineno}, in {frames[-1].name}: {what}" if frames else what
