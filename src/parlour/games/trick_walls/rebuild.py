"""Trick Walls: rebuild the last deal, and the gifts of TW-24, from a determinization.

The default reconstruction does not suffice: the cards' positions do not show which card of a hand was a gift.
"""

from collections.abc import Sequence
from typing import Any

from parlour.cards import card_name
from parlour.engine.game import Zone
from parlour.engine.match import Match
from parlour.games.trick_walls.typed_state import State

Held = dict[Any, Any]
"""For each city its cards and its unseen pile or ``None``; under ``"out"`` the cards out of play."""


def rebuild(match: Match, state: State) -> list[dict[str, Any]]:
    """Return the game's events, consistent with ``state``, a determinization."""
    events = [event.to_json() for event in match.events]
    deals = [index for index, event in enumerate(events) if event["do"].startswith("deal ")]
    if not deals:
        return events
    facts = match.game.facts(state)
    held = held_cards(match.game.zones(state), len(facts["cities"]))
    if facts["stage"] != "exchange":
        undo_exchange(held, [int(gift) for gift in state.gift])
    events[deals[-1]]["do"] = deal_text(events[deals[-1]]["do"].split()[1:], held, facts)
    place_of = {city["holder"]: place for place, city in enumerate(facts["cities"])}
    for event in events[deals[-1] + 1 :]:
        if event["do"].startswith("give "):
            event["do"] = f"give {card_name(state.gift[place_of[event['by']]])}"
    return events


def held_cards(zones: Sequence[Zone], cities: int) -> Held:
    """Return each city's held and played cards with its unseen pile, top first, and the cards out of play."""
    held: Held = {"out": next(zone.cards for zone in zones if zone.name == "out of play")}
    for city in range(cities):
        own = {zone.name: list(zone.cards) for zone in zones if zone.at == city}
        held[city] = own["hand"] + own["face up"] + own["face down"], own.get("pile")
    return held


def undo_exchange(held: Held, gifts: Sequence[int]) -> None:
    """TW-24: return every exchanged card to its giver."""
    for city in range(4):
        if gifts[city] >= 0:
            held[(city + 2) % 4][0].remove(gifts[city])
    for city in range(4):
        if gifts[city] >= 0:
            held[city][0].append(gifts[city])


def deal_text(truth: Sequence[str], held: Held, facts: dict[str, Any]) -> str:
    """Return the deal event for these cards. A dummy's visible cards keep the order in which they came up."""
    cities, each = len(facts["cities"]), facts["tricks"]
    deck = list(truth)
    for city in range(cities):
        first = (city - facts["starter"]) % cities
        seen, pile = held[city]
        if pile is None:
            deck[first : cities * each : cities] = [card_name(card) for card in seen]
        elif pile:
            below = cities * (each - len(pile))
            deck[first + below : cities * each : cities] = [card_name(card) for card in pile]
    deck[cities * each :] = [card_name(card) for card in held["out"]]
    return "deal " + " ".join(deck)
