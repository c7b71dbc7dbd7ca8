"""Lay Away on the table: the hands, and everything else in the middle."""

from collections.abc import Sequence

from parlour.engine.observation import Observation
from parlour.engine.rules import CHANCE
from parlour.render.scene import Area, CardSeen, Choice, Layout, Row, Scene, cards_held, scene_of, standings_of


def lay_out(observation: Observation, names: Sequence[str], before: Observation | None) -> Scene:
    """A scene of plain rows."""
    hands = [_hand(observation, names, seat) for seat in range(2)]
    piles = [
        Row("up", "Turned up", "slot", _cards(observation, "up")),
        Row("aside", "Laid away", "pile", token="aside"),
    ]
    return scene_of(
        observation,
        "Lay Away",
        heading="",
        prompt="",
        areas=[Area("middle", "Table", None, piles), *hands],
        score=[],
        standings=standings_of(observation, names, observation.standing.scores),
        log=[],
        pause=_pause(observation),
        choices=[
            Choice(text, "Play", [word for word in text.split() if len(word) == 2 and word != "go"])
            for text in observation.legal
        ],
    )


def _pause(observation: Observation) -> str:
    """Return the text between two deals, while the last cards still lie on the table."""
    between = observation.actor == CHANCE and observation.zones
    return f"{observation.standing.scores[0]} to {observation.standing.scores[1]} after this deal." if between else ""


def _hand(observation: Observation, names: Sequence[str], seat: int) -> Area:
    zone = observation.zone("hand", seat)
    cards = cards_held(observation, seat, zone.known) if zone else []
    row = Row(f"hand-{seat}", "Hand", "hand", cards, zone.hidden if zone else 0)
    return Area(f"seat-{seat}", names[seat], seat, [row], seat=seat, active=observation.actor == seat)


def _cards(observation: Observation, name: str) -> list[CardSeen]:
    zone = observation.zone(name)
    return [CardSeen(text) for text in zone.texts] if zone else []


LAYOUT = Layout(lay_out)
