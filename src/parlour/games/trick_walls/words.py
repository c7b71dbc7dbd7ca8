"""Trick Walls: notation, zones, facts, score lines and refusals, all computed from an observed state."""

from collections.abc import Callable, Iterator
from typing import Any

from parlour.cards import (
    BLACK,
    FULL_DECK,
    RED,
    bit,
    card_name,
    cards_of,
    count,
    parse_card,
    suit_set,
)
from parlour.engine.game import Line, Options, Refusal, Zone
from parlour.engine.rules import NOBODY, UNSEEN
from parlour.engine.typed_state import IntVector
from parlour.games.trick_walls.field_words import STAGES
from parlour.games.trick_walls.knowledge import hand_size
from parlour.games.trick_walls.rules import (
    COLOUR,
    DEAL,
    DEALER,
    END,
    EXCHANGE,
    NO_GIFT,
    PLACES,
    TOP,
    TRICKS,
    is_dummy,
    pile_of,
)
from parlour.games.trick_walls.scoring import (
    city_points,
    killed_points,
    open_points,
    points,
    points_if_killed,
    purity,
    sign_of,
)
from parlour.games.trick_walls.typed_state import State
from parlour.languages import gettext
from parlour.languages.declension import suit_word, the_card_phrase


def name(state: State, action: int) -> str:
    """Return an action's notation: ``7H``, ``top`` or ``give 7H``."""
    if action == TOP:
        return "top"
    return f"give {card_name(action)}" if state.stage == EXCHANGE else card_name(action)


def actions(players: int, options: Options) -> list[str]:
    """Return the notation of every possible action."""
    cards = [card_name(card) for card in cards_of(FULL_DECK)]
    return [*cards, "top", *(f"give {card}" for card in cards if options["exchange"])]


def longest_history(players: int, options: Options) -> int:
    """TW-1, TW-6, TW-13, TW-16, TW-24: return a bound on the rows of a history.

    A round has a deal, the exchange and the tricks. The deal shows the cards of each dummy beside one's own, and each
    trick the cards that are turned up.
    """
    cities = len(PLACES[players])
    dummies = cities - players
    exchange = players if options["long_run"] and options["exchange"] else 0
    tricks = int(options["hand_cards"])
    return 2 + int(options["rounds"]) * (1 + dummies + exchange + tricks * (cities + dummies))


def chance_name(state: State, outcome: int) -> str:
    """Return a chance outcome's notation: ``dealer A`` or ``colour red``."""
    return f"dealer {'AB'[outcome]}" if state.stage == DEALER else f"colour {('red', 'black')[outcome]}"


def zones(state: State) -> list[Zone]:
    """Return the cities' hands, piles and walls, and the cards out of play."""
    if state.round_number < 0:
        return []
    found = []
    for city in range(state.cities):
        dummy = bool(is_dummy(state, city))
        hidden = 0 if dummy else int(hand_size(state, city)) - int(count(state.hand[city]))
        found.append(Zone("hand", city, list(cards_of(state.hand[city])), hidden, face_up=dummy))
        if dummy:
            pile = state.pile[pile_of(city), : state.left[pile_of(city)]]
            known = [int(card) for card in pile[::-1] if card != UNSEEN]
            found.append(Zone("pile", city, known, len(pile) - len(known), ordered=True))
        found.append(Zone("face up", city, list(cards_of(state.face_up[city])), face_up=True))
        found.append(Zone("face down", city, list(cards_of(state.face_down[city]))))
    out = 52 - int(state.dealt) * int(state.cities)
    found.append(Zone("out of play", NOBODY, list(cards_of(state.undealt)), out - int(count(state.undealt))))
    return found


def _trick(leader: int, cards: IntVector, state: State) -> list[dict[str, Any]]:
    result = []
    for index, card in enumerate(cards):
        city = (leader + index) % int(state.cities)
        killed = bool(state.face_down[city] & bit(int(card)))
        result.append({"city": city, "card": card_name(int(card)), "killed": killed})
    return result


def _city_facts(state: State, city: int) -> dict[str, Any]:
    return {
        "holder": int(state.holder[city]),
        "controller": int(state.controller[city]),
        "team": city * 2 // int(state.cities),
        "lacks": [suit for suit in range(4) if state.lacks[city] & suit_set(suit)],
    }


def facts(state: State) -> dict[str, Any]:
    """Return the public facts except the cards' positions."""
    cities = int(state.cities)
    begun = state.round_number >= 0
    return {
        "stage": STAGES[state.stage],
        "round": int(state.round_number) + 1,
        "rounds": int(state.rounds),
        "trick_number": min(int(state.tricks) + 1, int(state.dealt)),
        "tricks": int(state.dealt),
        "cities": [_city_facts(state, city) for city in range(cities)],
        "sides": [int(sign_of(state, player)) for player in range(state.seats)] if state.stage > COLOUR else [],
        "starter": int(state.starter) if begun else None,
        "city": int(state.city) if state.stage in (EXCHANGE, TRICKS) else None,
        "trick": _trick(int(state.leader), state.trick[: state.played], state),
        "last_trick": []
        if state.last_leader == NOBODY
        else _trick(int(state.last_leader), state.last_trick[:cities], state),
        "trick_suit": int(state.trick_suit) if state.played else None,
        "given": [city for city in range(cities) if state.gift[city] != NO_GIFT] if begun else [],
        "before": _before(state),
    }


def _by_seat(state: State, lead: int, kept: list[int]) -> list[int]:
    if state.city_keepers:
        return kept
    return [lead * int(sign_of(state, player)) for player in range(state.seats)]


def _before(state: State) -> list[int]:
    """Return each seat's score before this round; a finished round counts as current until the next deal."""
    lead, kept = int(state.lead), [int(points) for points in state.kept[: state.seats]]
    if state.round_number >= 0 and state.stage in (DEAL, END):
        for city in range(state.cities):
            value, holder = int(city_points(state, city)), int(state.holder[city])
            lead -= value
            if holder != NOBODY:
                kept[holder] -= value * int(sign_of(state, holder))
    return _by_seat(state, lead, kept)


def lines(state: State) -> list[Line]:
    """TW-17 to TW-22: return the current round's score lines, city by city."""
    found = []
    for city in range(state.cities if state.round_number >= 0 else 0):
        keeper = int(state.holder[city])
        for what, value, clause in _city_lines(state, city):
            kept = [value * int(sign_of(state, seat)) if seat == keeper else 0 for seat in range(state.seats)]
            found.append(Line(what, _by_seat(state, value, kept), clause, city))
    return found


def _city_lines(state: State, city: int) -> Iterator[tuple[str, int, str]]:
    """Yield the reason, the points and the clause of each score line of a city."""
    up, down = int(state.face_up[city]), int(state.face_down[city])
    if up:
        red, black = _by_colour(state, points, up)
        yield gettext("face up: red {red}, black {black}", red=red, black=black), open_points(state, city), "TW-18"
    if state.pure_bonus and purity(up):
        what = gettext("pure red city") if purity(up) > 0 else gettext("pure black city")
        yield what, state.pure_bonus * purity(up), "TW-20"
    if state.massacre and purity(down):
        what = gettext("massacre of red") if purity(down) > 0 else gettext("massacre of black")
        yield what, -state.massacre * purity(down), "TW-20"
    if state.kill_balance and down:
        red, black = _by_colour(state, points_if_killed, down)
        yield gettext("face down: red {red}, black {black}", red=red, black=black), killed_points(state, city), "TW-21"


def _by_colour(state: State, points: Callable[[State, int], int], cards: int) -> tuple[int, int]:
    """Return the points of the red and of the black cards."""
    return points(state, cards & RED), points(state, cards & BLACK)


def ending(state: State) -> str:
    """TW-5: return how the game ended."""
    return gettext("all rounds were played (TW-5)")


def refusal(state: State, text: str) -> Refusal:
    """Return the reason why an action is not legal now."""
    dummy = is_dummy(state, state.city)
    verb, _, rest = text.rpartition(" ")
    if state.stage == EXCHANGE and verb != "give":
        return Refusal("TW-24", gettext("Before the first trick you give a card to the player opposite."))
    if state.stage != EXCHANGE and verb:
        return Refusal("TW-24", gettext("No cards are exchanged now; play a card."))
    if rest == "top":
        return Refusal("TW-14", _why_not_top(state))
    card = parse_card(rest)
    holds = bool(state.hand[state.city] & bit(card))
    if dummy:
        return Refusal("TW-14", _why_not_of_dummy(state, card, holds))
    if not holds:
        clause = "TW-24" if state.stage == EXCHANGE else "TW-7"
        return Refusal(clause, gettext("You do not hold {card}.", card=the_card_phrase(card)))
    reason = gettext("You hold a card of the trick suit and must follow it: {suit}.", suit=_suit(state))
    return Refusal("TW-7", reason)


def _why_not_top(state: State) -> str:
    """TW-14: return the reason why the top card of a pile cannot be played."""
    if not is_dummy(state, state.city):
        return gettext("Only a dummy city has a pile to play from; this is not one.")
    if state.left[pile_of(int(state.city))] == 0:
        return gettext("The dummy's pile is used up.")
    return gettext("The dummy has an open card of the trick suit and must play one: {suit}.", suit=_suit(state))


def _why_not_of_dummy(state: State, card: int, holds: bool) -> str:
    """TW-14: return the reason why a card of a dummy cannot be played."""
    if not holds:
        return gettext("The dummy does not show {card}.", card=the_card_phrase(card))
    return gettext("The dummy has an open card of the trick suit and must follow it: {suit}.", suit=_suit(state))


def _suit(state: State) -> str:
    return suit_word(int(state.trick_suit))
