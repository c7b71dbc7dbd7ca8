"""Resignations: whether one ends the game, who wins then, and the last scene.

A side, the seats that win and lose together, has resigned when all its people have. The game ends when at most one
side has not resigned, or when only bots are left to play; otherwise a bot plays the seat to the end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.observation import Observation
from parlour.engine.rewards import sides_of
from parlour.languages import gettext
from parlour.render.scene import Scene
from parlour.render.words import sentence_about, winners_sentence
from parlour.server.store.stored_table import RESIGN, StoredSeat, StoredTable, game_events


@dataclass(frozen=True)
class Ending:
    """The end of a game by resignation: the seat that resigned last, and the winning seats."""

    seat: int
    winners: tuple[int, ...]


def ending_of(match: Match, seats: Mapping[int, StoredSeat], resigned: Sequence[int]) -> Ending | None:
    """Return the end of a game by the resignations of these seats, in their order; ``None`` if it goes on."""
    if not resigned or match.over:
        return None
    people = {number for number, seat in seats.items() if seat.bot is None}
    playing = people - set(resigned)
    sides = [set(side) for side in sides_of(match.setup)]
    left = [side for side in sides if not side & people or side & playing]
    if playing and (len(left) == len(sides) or len(left) > 1):
        return None
    return Ending(resigned[-1], tuple(sorted(seat for side in left for seat in side)))


def has_ended(table: StoredTable, match: Match) -> bool:
    """Return whether the game of a stored table is over, by its rules or by resignation."""
    return match.over or ending_of(match, table.seats, table.resigned) is not None


def record_keys(events: Sequence[Event], ending: Ending | None) -> dict[str, Any]:
    """Return the keys of a record on the resignations among a table's stored events; none without resignations.

    ``resigned`` has each seat with the number of the record's events before it, ``ending`` the end by resignation.
    """
    resigned = [
        {"seat": event.by, "after": len(game_events(events[:number]))}
        for number, event in enumerate(events)
        if event.do == RESIGN
    ]
    keys: dict[str, Any] = {"resigned": resigned} if resigned else {}
    if ending is not None:
        keys["ending"] = {"by": "resignation", "seat": ending.seat, "winners": list(ending.winners)}
    return keys


def resignation_line(observation: Observation, names: Sequence[str], seat: int, ending: Ending | None) -> str:
    """Return the log line of a seat's resignation for the viewer of an observation."""
    if ending:
        you, other = gettext("You resign."), gettext("{name} resigns.")
    else:
        you = gettext("You resign: a bot plays on to the end.")
        other = gettext("{name} resigns: a bot plays on to the end.")
    return sentence_about(observation, names, seat, you, other)


def scene_after(
    scene: Scene, observation: Observation, names: Sequence[str], ending: Ending | None, resigned: bool
) -> Scene:
    """Return a scene after resignations: that of a game that has ended so, or of a viewer who has ``resigned``."""
    if ending is not None:
        return last_scene(scene, observation, names, ending)
    if resigned:
        return replace(scene, legal=(), choices=(), prompt=gettext("You have resigned: a bot plays on to the end."))
    return scene


def last_scene(scene: Scene, observation: Observation, names: Sequence[str], ending: Ending) -> Scene:
    """Return the scene of a game that has ended by resignation: without actions, with the outcome."""
    outcome = resignation_line(observation, names, ending.seat, ending)
    if ending.winners:
        outcome = f"{outcome} {winners_sentence(observation, names, ending.winners)}"
    areas = [replace(area, active=False) for area in scene.areas]
    return replace(
        scene, over=True, outcome=outcome, prompt=outcome, areas=areas, actor=None, legal=(), choices=(), pause=""
    )
