"""3 Tricks: notation, zones, facts, score lines and refusals, all computed from an observed state."""

from itertools import combinations
from typing import Any

from parlour.cards import FULL_DECK, bit, cards_name, cards_of, count, parse_card, set_of
from parlour.engine.game import Line, Options, Refusal, Zone
from parlour.engine.rules import NOBODY, UNSEEN
from parlour.games.three_tricks.field_words import STAGES
from parlour.games.three_tricks.rules import (
    ACES,
    CARDS,
    DEAL,
    DEALER,
    LAY,
    MOST_SWAPPED,
    PASS,
    is_trick,
    is_used_up,
    lays_three,
)
from parlour.games.three_tricks.typed_state import State
from parlour.languages import gettext
from parlour.languages.declension import the_card_phrase


def name(state: State, action: int) -> str:
    """Return an action's notation: ``lay 4C 5C``, ``swap 4C 5C 9H`` or ``pass``."""
    if action == PASS:
        return "pass"
    return f"{'lay' if action & LAY else 'swap'} {cards_name(action & CARDS)}"


def actions(players: int, options: Options) -> list[str]:
    """Return the notation of every possible action."""
    sets = [set_of(cards) for size in range(1, MOST_SWAPPED + 1) for cards in combinations(cards_of(FULL_DECK), size)]
    lays = [f"lay {cards_name(cards)}" for cards in sets if count(cards) > 1 and is_trick(cards)]
    return [*lays, *(f"swap {cards_name(cards)}" for cards in sets), "pass"]


def longest_history(players: int, options: Options) -> int:
    """3T-15, 3T-21: return a bound on the rows of a history: at most 26 tricks, with idle turns before and after each.

    Each turn can lead to a shuffle. Two events of chance come first.
    """
    return 2 + 2 * (26 + 27 * int(options["stall_turns"]))


def chance_name(state: State, outcome: int) -> str:
    """Return a chance outcome's notation: ``dealer 0``."""
    return f"dealer {outcome}"


def deck_word(state: State) -> str:
    """Return the name of the event that shuffles cards: ``deal`` or ``shuffle``."""
    return "deal" if state.stage == DEAL else "shuffle"


def zones(state: State) -> list[Zone]:
    """Return the hands, the tricks laid and blocked, and both stocks; the stock from its top."""
    if state.stage <= DEAL:
        return []
    found = []
    for player in range(2):
        hand, laid = int(state.hand[player]), [card for row in state.rows[player] for card in cards_of(row)]
        found.append(Zone("hand", player, list(cards_of(hand)), int(state.held[player]) - int(count(hand))))
        found.append(Zone("tricks", player, laid, face_up=True, ordered=True))
        found.append(Zone("blocked", player, list(cards_of(state.blocked[player]))))
    second = int(state.second[0] | state.second[1])
    size = int(state.second_size[0] + state.second_size[1])
    found.append(Zone("second stock", NOBODY, list(cards_of(second)), size - int(count(second))))
    stock = [int(card) for card in state.stock[: state.left][::-1] if card != UNSEEN]
    found.append(Zone("stock", NOBODY, stock, int(state.left) - len(stock), ordered=True))
    return found


def facts(state: State) -> dict[str, Any]:
    """Return the public facts besides the zones."""
    return {
        "stage": STAGES[state.stage],
        "dealer": int(state.dealer) if state.stage > DEALER else None,
        "tricks": [[cards_name(row).split() for row in state.rows[seat] if row] for seat in range(2)],
        "blocked": [int(count(state.blocked[seat])) // 2 for seat in range(2)],
        "to_block": cards_name(state.to_block).split(),
        "second": [int(state.second_size[seat]) for seat in range(2)],
        "turn": int(state.turn) if state.stage > DEAL else None,
        "idle": int(state.idle),
        "idle_left": int(state.stall_turns) - int(state.idle),
        "used_up": state.stage > DEAL and bool(is_used_up(state)),
        "winner": int(state.winner),
    }


def lines(state: State) -> list[Line]:
    """3T-20: return the score lines: the blocked tricks, which decide if no player lays the trick that wins."""
    what = {
        2: gettext("blocked tricks: they decide if no player lays a second one"),
        3: gettext("blocked tricks: they decide if no player lays a third one"),
    }[int(state.tricks)]
    found = []
    for seat in range(2):
        number = int(count(state.blocked[seat])) // 2
        if number:
            points = [number if player == seat else 0 for player in range(2)]
            found.append(Line(what, points, "3T-20", seat))
    return found


def ending(state: State) -> str:
    """3T-18, 3T-19, 3T-21: return how the game ended; 3T-21 is only for games that would go on otherwise."""
    if state.winner != NOBODY and state.tricks == 3:
        return gettext("a third trick was laid (3T-18)")
    if state.winner != NOBODY:
        return gettext("a second trick was laid (3T-18)")
    if is_used_up(state):
        return gettext("the stock was used up (3T-19)")
    return gettext("no trick was laid for too long (3T-21)")


def refusal(state: State, text: str) -> Refusal:
    """Return the reason why an action is not legal now."""
    verb, _, rest = text.partition(" ")
    cards = [parse_card(word) for word in rest.split()]
    if verb == "lay" and not cards:
        return _trick_refusal(state, 0)
    if verb not in ("lay", "swap") or not cards:
        return Refusal("3T-6", gettext("In a turn you lay a trick, swap cards, or pass."))
    missing = [card for card in cards if not state.hand[state.actor] & bit(card)]
    if missing:
        return Refusal("3T-6", gettext("You do not hold {card}.", card=the_card_phrase(missing[0])))
    if cards != list(cards_of(set_of(cards))):
        order = gettext("Cards are named once each, by suit (clubs, diamonds, hearts, spades) and upward.")
        return Refusal("", order)
    if verb == "swap":
        many = {
            1: gettext("One card is swapped at a time."),
            2: gettext("One to two cards are swapped at a time."),
            3: gettext("One to three cards are swapped at a time."),
        }[int(state.swap_limit)]
        return Refusal("3T-7", many)
    return _trick_refusal(state, set_of(cards))


def _trick_refusal(state: State, cards: int) -> Refusal:
    size = 3 if lays_three(state, state.actor) else 2
    if count(cards) != size:
        due = {
            (1, 2): gettext("Your first trick is two cards."),
            (2, 2): gettext("Your second trick is two cards."),
            (2, 3): gettext("Your second trick is three cards."),
            (3, 2): gettext("Your third trick is two cards."),
            (3, 3): gettext("Your third trick is three cards."),
        }[int(state.laid[state.actor]) + 1, size]
        return Refusal("3T-2" if size == 3 else "3T-1", due)
    if cards & ~ACES == 0:
        return Refusal("3T-3", gettext("Aces alone are no trick."))
    if not is_trick(cards):
        if size == 3:
            return Refusal("3T-2", gettext("These are neither three of a kind nor consecutive cards of one suit."))
        return Refusal("3T-1", gettext("These are neither a pair nor consecutive cards of one suit."))
    return Refusal("3T-9", _no_block(cards_name(state.to_block), bool(state.rank_any)))


def _no_block(laid: str, by_any_rank: bool) -> str:
    """3T-9, 3T-11: return the reason why a trick that does not block the one just laid is not legal."""
    if by_any_rank:
        return gettext(
            "Only what blocks {trick} may be laid now: "
            "a trick that shares one of its suits or shares one of its ranks.",
            trick=laid,
        )
    return gettext(
        "Only what blocks {trick} may be laid now: "
        "a trick that shares one of its suits or is a pair of one of its ranks.",
        trick=laid,
    )
