"""Tricky Tribes: the last deal from a determinization's hands, cards put away, trick and deck.

A card once drawn (TT-3) may be any that its player has held since: the true one where the determinization has it, else
another.
"""

from collections.abc import Sequence
from typing import Any

from parlour.cards import card_name
from parlour.engine.match import Match
from parlour.engine.views import EVERYTHING

Events = list[dict[str, Any]]


def rebuild(match: Match, state: Any) -> Events:
    """The events of the game as ``state``, a determinization, says it went."""
    events = [event.to_json() for event in match.events]
    deals = [index for index, event in enumerate(events) if event["do"].startswith("deal ")]
    if not deals:
        return events
    since = events[deals[-1] + 1 :]
    facts = match.game.facts(state)
    held = held_cards(match, state, facts, since)
    truth = events[deals[-1]]["do"].split()[1:]
    events[deals[-1]]["do"] = deal_text(truth, held, match, facts, since)
    return events


def held_cards(match: Match, state: Any, facts: dict[str, Any], since: Events) -> dict[Any, list[Any]]:
    """For each player all cards it has had since the deal, the card put away first; the events are made to fit."""
    zones = {(zone.name, zone.at): list(zone.cards) for zone in match.game.zones(state, EVERYTHING)}
    trick = dict(zip(facts["trick"], zones["trick", -1], strict=True))
    held: dict[Any, list[Any]] = {
        seat: zones.get(("away", seat), []) + zones["hand", seat] for seat in range(match.players)
    }
    last_of = {event["by"]: event for event in since if not event["do"].startswith(("keep", "swap", "discard"))}
    for event in since:
        verb, _, card = event["do"].rpartition(" ")
        seat = event["by"]
        if verb in ("swap", "discard"):
            event["do"] = f"{verb} {card_name(held[seat][0])}"
        elif card != "keep" and seat in trick and event is last_of[seat]:
            event["do"] = f"{verb} {card_name(trick[seat])}".strip()
            held[seat].append(trick[seat])
        elif card != "keep":
            held[seat].append(next(number for number in range(54) if card_name(number) == card))
    for tribe, card in trick.items():
        if tribe == match.players:
            held[tribe] = [card]
    held["deck"] = zones["deck", -1]
    return held


def deal_text(
    truth: Sequence[str], held: dict[Any, list[Any]], match: Match, facts: dict[str, Any], since: Events
) -> str:
    """The deal of these cards: the dealt ones, then the deck with what has been drawn from it."""
    players, names = match.players, {key: [card_name(card) for card in cards] for key, cards in held.items()}
    dealt = players * facts["tricks"] + (len(truth) - players * facts["tricks"] if facts["discarding"] else 0)
    deck, drawn = list(truth), dealt
    for event in since:
        if event["do"].startswith("swap"):
            own = names[event["by"]]
            card = truth[drawn] if truth[drawn] in own[1:] else own[-1]
            own.remove(card)
            deck[drawn] = card
            drawn += 1
    tail = names.get(players, []) + names["deck"]
    deck[len(deck) - len(tail) :] = tail
    first = facts["ring"].index((facts["dealer"] + 1) % players)
    order = facts["ring"][first:] + facts["ring"][:first]
    order = [tribe for tribe in order if tribe != players]
    for turn, player in enumerate(order):
        deck[turn:dealt:players] = names[player]
    return "deal " + " ".join(deck)
