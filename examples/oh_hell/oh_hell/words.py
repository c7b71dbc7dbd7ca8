"""The notation of Oh Hell, its zones and facts, and reasons of refusals."""

from typing import Any

from oh_hell.knowledge import bidding, hand_size
from oh_hell.rules import BID, MOST_TRICKS, NO_BID
from parlour.cards import FULL_DECK, SUIT_WORDS, card_name, card_words, cards_of, parse_card, set_of
from parlour.engine.game import Options, Refusal, Zone
from parlour.engine.rules import CHANCE, NOBODY


def name(state: Any, action: int) -> str:
    """``bid 3`` or ``7H``."""
    return f"bid {action - BID}" if action >= BID else card_name(action)


def actions(players: int, options: Options) -> list[str]:
    """Return all possible actions, in a fixed order."""
    most = options["tricks"] or MOST_TRICKS // players
    return [*map(card_name, cards_of(FULL_DECK)), *(f"bid {bid}" for bid in range(int(most) + 1))]


def chance_name(state: Any, outcome: int) -> str:
    """``tricks 5`` or ``dealer 2``."""
    return f"tricks {outcome + 1}" if state.oh_tricks == 0 else f"dealer {outcome}"


def zones(state: Any) -> list[Zone]:
    """Return the hands, the trick, the finished tricks, the card turned up, and the cards that were not dealt."""
    if state.actor == CHANCE:
        return []
    found = []
    for player in range(state.seats):
        known = list(cards_of(state.oh_hand[player]))
        found.append(Zone("hand", player, known, int(hand_size(state, player)) - len(known)))
    trick = [int(card) for card in state.oh_trick[: state.oh_played]]
    found.append(Zone("trick", NOBODY, trick, face_up=True, ordered=True))
    gone = state.public & ~set_of([*trick, state.oh_trump])
    found.append(Zone("gone", NOBODY, list(cards_of(gone)), face_up=True))
    found.append(Zone("trump", NOBODY, [int(state.oh_trump)], face_up=True))
    rest = list(cards_of(state.oh_rest))
    found.append(Zone("out of play", NOBODY, rest, 51 - int(state.oh_tricks * state.seats) - len(rest)))
    return found


def facts(state: Any) -> dict[str, Any]:
    """Return all public facts other than places of cards."""
    dealt = state.actor != CHANCE
    bids = [None if bid == NO_BID else int(bid) for bid in state.oh_bid[: state.seats]]
    return {
        "tricks": int(state.oh_tricks) or None,
        "dealer": None if state.oh_dealer == NOBODY else int(state.oh_dealer),
        "leader": int(state.oh_leader) if dealt else None,
        "trumps": SUIT_WORDS[int(state.oh_trump) // 13] if dealt else None,
        "bids": bids,
        "taken": [int(taken) for taken in state.oh_taken[: state.seats]],
    }


def refusal(state: Any, text: str) -> Refusal:
    """Return the reason why an action is not legal now."""
    if text.startswith("bid "):
        bid = int(text.removeprefix("bid "))
        if not bidding(state):
            return Refusal("OH-4", "All have bid.")
        if not 0 <= bid <= state.oh_tricks:
            return Refusal("OH-4", f"There are {state.oh_tricks} tricks.")
        return Refusal("OH-4", "All bids together must not be the number of tricks.")
    card = parse_card(text)
    if bidding(state):
        return Refusal("OH-4", "First you bid.")
    if not state.oh_hand[state.actor] >> card & 1:
        return Refusal("OH-5", f"You do not hold the {card_words(card)}.")
    return Refusal("OH-5", f"You can follow {SUIT_WORDS[int(state.oh_trick[0]) // 13]}, and so you must.")
