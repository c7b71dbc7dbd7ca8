"""Resignations: whether one ends the game, who wins then, and the last scene.

A side, the seats that win and lose together, has resigned when all its people have. The game ends when at most one
side has not resigned, or when only bots are left to play; otherwise a bot plays the seat to the end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.rewards import sides_of
from parlour.languages import gettext, ngettext, pgettext
from parlour.languages.declension import listed
from parlour.render.scene import Scene
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


def resignation_line(name: str, you: bool, ending: Ending | None) -> str:
    """Return the log line of a resignation for its own player (``you``) or for others."""
    if ending:
        return _resigned(name, you)
    if you:
        return gettext("You resign: a bot plays on to the end.")
    return gettext("{name} resigns: a bot plays on to the end.", name=name)


def _resigned(name: str, you: bool) -> str:
    return gettext("You resign.") if you else gettext("{name} resigns.", name=name)


def scene_after(scene: Scene, ending: Ending | None, resigned: bool, names: Sequence[str]) -> Scene:
    """Return a scene after resignations: that of a game that has ended so, or of a viewer who has ``resigned``."""
    if ending is not None:
        return last_scene(scene, ending, names)
    if resigned:
        return replace(scene, legal=(), choices=(), prompt=gettext("You have resigned: a bot plays on to the end."))
    return scene


def last_scene(scene: Scene, ending: Ending, names: Sequence[str]) -> Scene:
    """Return the scene of a game that has ended by resignation: without actions, with the outcome."""
    outcome = _resigned(names[ending.seat], ending.seat == scene.seat)
    if ending.winners:
        outcome = f"{outcome} {_won(scene.seat, ending.winners, names)}"
    areas = [replace(area, active=False) for area in scene.areas]
    return replace(
        scene, over=True, outcome=outcome, prompt=outcome, areas=areas, actor=None, legal=(), choices=(), pause=""
    )


def _won(viewer: int, winners: Sequence[int], names: Sequence[str]) -> str:
    """Return the sentence on the winners of a resigned game."""
    others = [names[seat] for seat in winners if seat != viewer]
    if viewer not in winners:
        return ngettext("{names} wins.", "{names} win.", len(others), names=listed(others))
    if not others:
        return gettext("You win.")
    you = pgettext("beginning of a sentence", "You")
    return gettext("{you_and_others} win.", you_and_others=listed([you, *others]))
