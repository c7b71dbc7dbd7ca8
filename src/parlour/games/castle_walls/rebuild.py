"""Castle Walls: rebuild the deal from a determinization's life piles, deck, hands and face-down cards.

The default reconstruction does not suffice: the order in which a player drew the hidden cards leaves no trace, except
for CW-23: a player who plays the red joker holds no black one. So the cards that leave a hand take its earliest unseen
draws in turn, and the black joker takes the latest.
"""

from typing import Any

from parlour.cards import card_name, cards_of, parse_card
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.steps import COMPILED
from parlour.engine.typed_state import IntMatrix
from parlour.games.castle_walls.typed_state import State

BLACK_JOKER = 52
EventRow = dict[str, Any]
Row = tuple[int, Any, int]
"""A card's way into or out of a hand: the seat; ``"drawn"``, ``"taken"``, or the number of the event at which the card
left; and the card, for a drawn one its index in the deck.
"""


def rebuild(match: Match, state: State) -> list[EventRow]:
    """Return the game's events, consistent with ``state``, a determinization."""
    events = [event.to_json() for event in match.events]
    if not events:
        return events
    deck = [parse_card(card) for card in events[0]["do"].split()[1:]]
    for player in range(2):
        deck[player : 2 * int(state.life_cards) : 2] = state.life[player, : state.life_cards].tolist()
    rows, lying = movements(match, events)
    for (seat, slot), number in lying.items():
        card = int(state.down[seat, slot]).bit_length() - 1
        events[number]["do"] = f"down {card_name(card)} {slot + 1}"
        rows[next(at for at, row in enumerate(rows) if row[:2] == (seat, number))] = (seat, number, card)
    for seat in range(2):
        if state.hand[seat] == match.state.hand[seat] and all(state.down[seat] == match.state.down[seat]):
            continue  # same cards as in the true state; the seat may know the draws
        unseen = [2 * int(state.life_cards) + seat + 2 * turn for turn in range(int(state.hand_cards))]
        hand_out(deck, unseen, [row[1:] for row in rows if row[0] == seat], int(state.hand[seat]))
    if not state.turned:
        for which in range(int(state.deck_left)):
            deck[len(deck) - int(state.deck_left) + which] = int(state.line[(state.head + which) % 64])
    events[0]["do"] = "deal " + " ".join(card_name(card) if card >= 0 else "??" for card in deck)
    return events


def movements(match: Match, events: list[EventRow]) -> tuple[list[Row], dict[tuple[int, int], int]]:
    """Return the cards that entered and left each hand, and for each face-down card the event that put it down."""
    game = Match(match.setup, COMPILED, observed=False)
    game.apply_chance(events[0]["do"])
    rows, lying = list[Row](), dict[tuple[int, int], int]()
    deck = [parse_card(card) for card in events[0]["do"].split()[1:]]
    for number, event in enumerate(events[1:], 1):
        hands, down = [int(hand) for hand in game.state.hand], game.state.down.copy()
        unseen = deck[len(deck) - int(game.state.deck_left) :] if not game.state.turned else []
        game.apply_event(Event.from_json(event))
        note_slots(lying, number, down, game.state.down)
        for seat in range(2):
            for card in cards_of(hands[seat] & ~int(game.state.hand[seat])):
                rows.append((seat, number, card))
            gained = set(cards_of(int(game.state.hand[seat]) & ~hands[seat]))
            rows += [(seat, "drawn", deck.index(card)) for card in unseen if card in gained]
            rows += [(seat, "taken", card) for card in sorted(gained.difference(unseen))]
    return rows, lying


def note_slots(lying: dict[tuple[int, int], int], number: int, before: IntMatrix, after: IntMatrix) -> None:
    """Record for every card still face down the event that put it down."""
    for seat in range(2):
        for slot in range(len(before[0])):
            if before[seat, slot] and not after[seat, slot]:
                del lying[seat, slot]
            elif after[seat, slot] and not before[seat, slot]:
                lying[seat, slot] = number


def hand_out(deck: list[int], unseen: list[int], rows: list[tuple[Any, int]], hand: int) -> None:
    """Assign a card to each unseen draw, from the rows of one hand without their seat and from its present cards.

    Every card that leaves the hand, or is in it now, entered it before.
    """
    seen = set[int]()
    for way, card in rows:
        if way == "drawn":
            unseen.append(card)
        elif way == "taken":
            seen.add(card)
        elif card in seen:
            seen.remove(card)
        else:
            give(deck, unseen, card)
    for card in cards_of(hand):
        if card not in seen:
            give(deck, unseen, card)


def give(deck: list[int], unseen: list[int], card: int) -> None:
    """Assign this card to an unseen draw: the first one, or the last for the black joker.

    Without an unseen draw the determinization is impossible, and gets a deal whose replay differs from it.
    """
    deck[unseen.pop(-1 if card == BLACK_JOKER else 0) if unseen else -1] = card


def may_become_uncertain(match: Match, viewer: int) -> int:
    """CW-24: return the cards that others lose track of when one of them is put face down."""
    event = match.events[-1]
    if event.by == viewer or not event.do.startswith("down "):
        return 0
    return int(match.state.hand[event.by]) | sum(int(card) for card in match.state.down[event.by])
