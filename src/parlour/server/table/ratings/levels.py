"""The fixed ratings of the built-in bots, on the scale of the players.

``levels.json`` has them by game: 1500 for the casual player, and from there the steps between two levels as measured,
400 · log10(odds) of the wins of one level against the next lower one (docs/ratings.md has the sources). A game without
measurements has the usual steps.
"""

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from parlour.bots import LEVELS
from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.glicko import Rating
from parlour.languages import gettext

_USUAL = {"beginner": 1360, "casual": 1500, "regular": 1630, "expert": 1730, "master": 1860}
"""Means over the measured games, rounded."""
_DEVIATION = 50.0
"""Deviation of the rating of a level, in points; each step was measured in a hundred games or more."""


@cache
def _measured() -> dict[str, dict[str, int]]:
    measured: dict[str, dict[str, int]] = json.loads(files(__package__).joinpath("levels.json").read_text())
    return measured


def bot_rating(game: str, bot: str) -> Rating:
    """Return the rating of a level in a game."""
    return Rating(_measured().get(game, _USUAL)[bot], _DEVIATION)


def check_rated(setup: Setup, bots: Iterable[str]) -> None:
    """Raise :class:`ParlourError` if a table cannot be rated.

    A bot has no rating if it is none of the levels. Options may shorten a game until luck or nothing decides it.
    """
    if setup.chosen:
        raise ParlourError(
            gettext("a rated table has the default options: games with other options cannot be compared")
        )
    if others := sorted(set(bots) - set(LEVELS)):
        raise ParlourError(f"a rated table has no {others[0]!r}: only the bots {', '.join(LEVELS)} have a rating")
