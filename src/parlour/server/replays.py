"""A game looked at again: the scenes of any part of it, for one viewer, made by playing its events anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from parlour.engine.errors import ParlourError
from parlour.engine.game import Game, Options
from parlour.engine.match import Event, Match
from parlour.engine.views import EVERYTHING, SPECTATOR, view_of
from parlour.server.viewers import play_event
from parlour.tables import find_table

MOST_SCENES = 100
"""So many scenes are given at once."""


class ClosedError(ParlourError):
    """What is asked for is shown only when the game is over."""


@dataclass(frozen=True)
class Part:
    """Which scenes are wanted: whose, the first of them by the number of events it shows, and how many."""

    viewer: int
    first: int
    number: int


def parse_viewer(text: str, players: int) -> int:
    """``"all"``, ``"spectator"`` or a seat's number. Raises :class:`ParlourError`."""
    if text.isascii() and text.isdigit() and len(text) < 4 and int(text) < players:
        return int(text)
    if text not in ("all", "spectator"):
        raise ParlourError(f'view is "all", "spectator" or a seat from 0 to {players - 1}')
    return EVERYTHING if text == "all" else SPECTATOR


def scenes_of(
    game: Game, players: int, options: Options, events: Sequence[Event], names: Sequence[str], part: Part, ended: bool
) -> list[dict[str, Any]]:
    """The scenes of a part, in order; fewer where the game has no more events.

    Args:
        game: what is played.
        players: how many.
        options: all options with their values.
        events: everything that happened.
        names: what the seats are called.
        part: what is wanted.
        ended: whether the game is over, so that every card may be seen.
    """
    match, table = Match(game, players, options), find_table(game.id)
    scenes, before = [], None
    for seen in range(min(part.first + part.number, len(events) + 1)):
        if seen:
            play_event(match, events[seen - 1])
        if seen >= part.first - 1:
            view = view_of(match, part.viewer, ended)
            if seen >= part.first:
                scenes.append(table.lay_out(view, names, before).to_json())
            before = view
    return scenes
