"""Trime Kicker: rebuild the deal from a determinization; main piles whose cards are all laid are those of the true
deal.

The default reconstruction does not suffice: the cards' positions do not show which were dealt and which were drawn
later.
"""

from typing import Any

from parlour.cards import card_name, cards_of
from parlour.engine.match import Match
from parlour.games.trime_kicker.typed_state import State


def rebuild(match: Match, state: State) -> list[dict[str, Any]]:
    """Return the game's events, consistent with ``state``, a determinization."""
    events = [event.to_json() for event in match.events]
    if events:
        deck = events[0]["do"].split()[1:]
        for seat in range(2):
            deal_to(deck, seat, events, state)
        events[0]["do"] = "deal " + " ".join(deck)
    return events


def deal_to(deck: list[str], seat: int, events: list[dict[str, Any]], state: State) -> None:
    """Write a player's cards into the deck; a main pile that ran out was refilled with the rest of the backup."""
    main, backup = int(state.main_cards), int(state.backup_cards)
    held, drawn, emptied = main, 0, 0
    for event in events:
        if event["by"] == seat:
            held += (event["do"] == "draw") - (" on " in event["do"])
            drawn += event["do"] == "draw"
            if held == 0 and emptied == 0:
                began = drawn
            emptied += held == 0
            held = backup - drawn if held == 0 and emptied == 1 else held
    first = [card_name(card) for card in cards_of(state.first[seat])]
    below = 2 * main + backup * seat
    if emptied == 0:
        deck[main * seat : main * (seat + 1)] = first
        deck[below : below + backup] = [card_name(card) for card in state.backup[seat, :backup]]
    elif emptied == 1:
        deck[below + began : below + backup] = first


def origins(state: State, viewer: int) -> dict[tuple[str, int], tuple[int, ...]]:
    """Return part of a layout: another player's first cards, and the card that each draw brought."""
    found: dict[tuple[str, int], tuple[int, ...]] = {}
    for seat in range(2):
        if seat != viewer:
            found["first", seat] = tuple(cards_of(state.first[seat]))
            for index in range(state.drawn[seat]):
                card = int(state.backup[seat][index])
                found["drawn", 24 * seat + index] = (card,) if card >= 0 else ()
    return found
