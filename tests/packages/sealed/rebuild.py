"""The events of a determinization of Sealed, for ``parlour check``."""

from typing import Any

from parlour.authors.histories import relabel_events
from parlour.engine.match import Match
from parlour.engine.rules import CHANCE


def rebuild(match: Match, state: Any) -> list[dict[str, Any]]:
    """Return the events with the cards and the secret bids of a determinization."""
    events = relabel_events(match, state)
    dealt = max((number for number, event in enumerate(match.events) if event.by == CHANCE), default=0)
    for event in events[dealt:]:
        if event["do"].startswith("bid "):
            event["do"] = f"bid {int(state.sealed_bid[event['by']])}"
    return events
