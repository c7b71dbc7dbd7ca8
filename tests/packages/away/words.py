"""The notation of Lay Away, its zones and facts, and reasons of refusals."""

from itertools import combinations
from typing import Any

from away.knowledge import aside_size, hand_size
from away.rules import GO, LAYING, PAIR, UNDEALT, pair_of
from parlour.cards import FULL_DECK, card_name, card_words, cards_name, cards_of, parse_card, parse_cards
from parlour.engine.game import Line, Options, Refusal, Zone
from parlour.engine.rules import NOBODY


def name(state: Any, action: int) -> str:
    """``away 4C 5C``, ``7H`` or ``go``."""
    if action == GO:
        return "go"
    return card_name(action) if action < PAIR else f"away {cards_name(pair_of(action))}"


def actions(players: int, options: Options) -> list[str]:
    """Return all possible actions."""
    cards = [card_name(card) for card in cards_of(FULL_DECK)]
    return [*cards, "go", *(f"away {first} {second}" for first, second in combinations(cards, 2))]


def zones(state: Any) -> list[Zone]:
    """The hands, what was played, what was laid away, the card turned up, the stock."""
    if state.away_stage == UNDEALT:
        return []
    found = []
    for player in range(2):
        hand = list(cards_of(state.away_hand[player]))
        found.append(Zone("hand", player, hand, int(hand_size(state, player)) - len(hand)))
        found.append(Zone("played", player, list(cards_of(state.away_played[player])), face_up=True))
    aside, stock = list(cards_of(state.away_aside)), list(cards_of(state.away_stock))
    found.append(Zone("aside", NOBODY, aside, int(aside_size(state)) - len(aside)))
    if state.away_stage == LAYING:
        upcoming = list(cards_of(state.away_next))
        found.append(Zone("up", NOBODY, upcoming, 1 - len(upcoming)))
    else:
        found.append(Zone("up", NOBODY, [int(state.away_up)], face_up=True))
    found.append(Zone("stock", NOBODY, stock, 41 - len(stock)))
    return found


def facts(state: Any) -> dict[str, Any]:
    """Return all public facts other than places of cards."""
    return {
        "dealer": None if state.away_dealer == NOBODY else int(state.away_dealer),
        "points": [int(points) for points in state.away_points],
        "pile": [int(card) for card in state.away_pile[: state.away_piled]],
    }


def lines(state: Any) -> list[Line]:
    """Return the points of each seat in this deal."""
    found = []
    for seat in range(2):
        for what, (words, clause) in enumerate((("a heart turned up", "AW-3"), ("last cards", "AW-5"))):
            points = [0, 0]
            points[seat] = int(state.away_made[seat, what])
            found.append(Line(words, points, clause, seat))
    return found


def tells_nothing(before: Any, after: Any, text: str) -> bool:
    """Return whether the event is a laying away: the cards are face down, so the others learn nothing."""
    return text.startswith("away ")


def refusal(state: Any, text: str) -> Refusal:
    """Return the reason why an action is not legal now."""
    hand = int(state.away_hand[state.actor])
    if text == "go":
        return Refusal("AW-4", "You can play a card, or have to lay two away.")
    if text.split()[:1] == ["away"]:
        cards = cards_name(sum(1 << card for card in parse_cards(text[4:])))
        return Refusal("AW-3", f"You cannot lay {cards} away.")
    card = parse_card(text)
    if state.away_stage == LAYING:
        return Refusal("AW-3", "First lay two cards away.")
    held = "is not higher than the pile" if hand >> card & 1 else "is not in your hand"
    return Refusal("AW-4", f"The {card_words(card)} {held}.")
