"""Events as they are stored, applied to a match."""

from collections.abc import Sequence

from parlour.engine.match import Event, Match
from parlour.engine.rules import CHANCE


def play_events(match: Match, events: Sequence[Event]) -> None:
    """Apply events, in order."""
    for event in events:
        play_event(match, event)


def play_event(match: Match, event: Event) -> None:
    """Apply an event of a player or of chance. Raises :class:`parlour.engine.errors.IllegalError`."""
    if event.by == CHANCE:
        match.play_chance(event.do)
    else:
        match.play(event.do, event.by)
