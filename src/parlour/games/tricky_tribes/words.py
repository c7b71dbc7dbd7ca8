"""Tricky Tribes: notation, zones, facts, score lines and refusals, all computed from an observed state."""

from typing import Any

from parlour.cards import BLACK, FULL_DECK, JOKERS, bit, card_name, cards_of, parse_card, set_of
from parlour.engine.game import Line, Options, Refusal, Zone
from parlour.engine.rules import NOBODY, UNSEEN
from parlour.games.tricky_tribes.field_words import STAGES
from parlour.games.tricky_tribes.knowledge import hand_size
from parlour.games.tricky_tribes.rules import DARK, DEAL, DEALER, END, EXCHANGE, KEEP, TRICKS
from parlour.games.tricky_tribes.scoring import REDS, is_limited, points_of, total
from parlour.games.tricky_tribes.typed_state import State
from parlour.languages import gettext, ngettext
from parlour.languages.declension import the_card_phrase


def name(state: State, action: int) -> str:
    """Return an action's notation: ``keep``, ``swap 7H``, ``discard 7H``, ``open 7H``, ``dark 7H`` or ``7H``."""
    if action == KEEP:
        return "keep"
    card = card_name(action % DARK)
    if state.stage == EXCHANGE:
        return f"discard {card}" if state.extra else f"swap {card}"
    if state.played > 0:
        return card
    return f"dark {card}" if action >= DARK else f"open {card}"


def actions(players: int, options: Options) -> list[str]:
    """Return the notation of every possible action."""
    cards = [card_name(card) for card in cards_of(FULL_DECK | JOKERS)]
    return [*cards, *(f"{how} {card}" for how in ("open", "dark", "swap", "discard") for card in cards), "keep"]


def longest_history(players: int, options: Options) -> int:
    """TT-2 to TT-6, TT-18: return a bound on the rows of a history.

    The first event names the dealer. Then each round has a row for the deal, one for each player in the exchange, and
    for each trick one for each player's card and one for the dummy's card.
    """
    rounds = int(options["rounds"]) or int(options["round_limit"])
    return 1 + rounds * (1 + players + int(options["hand_cards"]) * (players + 1))


def chance_name(state: State, outcome: int) -> str:
    """Return a chance outcome's notation: ``dealer 2``."""
    return f"dealer {outcome}"


def zones(state: State) -> list[Zone]:
    """Return the hands, put-away and collected cards, then the trick, the deck and the discarded cards."""
    if state.round_number < 0:
        return []
    found = []
    for player in range(state.seats):
        hand = list(cards_of(state.hand[player]))
        found.append(Zone("hand", player, hand, int(hand_size(state, player)) - len(hand)))
        if state.gone >> player & 1:
            away = list(cards_of(state.away[player]))
            found.append(Zone("away", player, away, 1 - len(away)))
    for tribe in range(state.tribes):
        found.append(Zone("collected", tribe, list(cards_of(state.collected[tribe])), face_up=True))
    trick = [None if card == UNSEEN else int(card) for card in state.trick[: state.played]]
    deck = [None if card == UNSEEN else int(card) for card in state.deck[state.drawn : state.deck_size]]
    known = [card for card in deck if card is not None]
    found.append(Zone("trick", NOBODY, trick, ordered=True))
    found.append(Zone("deck", NOBODY, known, len(deck) - len(known), ordered=True))
    found.append(Zone("discarded", NOBODY, list(cards_of(state.discarded))))
    return found


def facts(state: State) -> dict[str, Any]:
    """Return the public facts except the cards' positions."""
    begun = state.round_number >= 0
    tribes = int(state.tribes)
    return {
        "stage": STAGES[state.stage],
        "round": int(state.round_number) + 1,
        "rounds": int(state.rounds),
        "target": int(state.target) if state.rounds == 0 else None,
        "trick_number": min(int(state.tricks) + 1, int(state.dealt)),
        "tricks": int(state.dealt),
        "dealer": int(state.dealer) if state.stage != DEALER else None,
        "dummy": int(state.seats) if state.dummy else None,
        "ring": [int(tribe) for tribe in state.ring[:tribes]] if begun else [],
        "turn": int(state.ring[state.turn]) if state.stage in (EXCHANGE, TRICKS) else None,
        "discarding": bool(state.extra),
        "put_away": [player for player in range(state.seats) if state.gone >> player & 1],
        "must_open": bool(state.must_open) and not state.played,
        "open": bool(state.is_open) if state.played else None,
        "trick": [int(state.ring[(state.leader + turn) % tribes]) for turn in range(state.played)],
        "last_trick": _last_trick(state),
        "sides": [int(side) for side in state.side[: state.seats]],
        "weights": [int(weight) for weight in state.weight[: state.seats]],
        "before": _before(state),
    }


def _last_trick(state: State) -> dict[str, Any] | None:
    """TT-10 to TT-14: return the last trick and its result.

    ``lost``: its taker had the lowest card. ``limited``: its taker left red cards behind because of TT-14.
    """
    if state.last_leader == NOBODY:
        return None
    tribes = [int(state.ring[(state.last_leader + turn) % state.tribes]) for turn in range(state.tribes)]
    cards, loot = [int(card) for card in state.last_trick[: state.tribes]], int(state.last_loot)
    own, offered = cards[state.last_taker], bit(cards[0]) if state.last_open else 0
    left = set_of(cards) & REDS & ~bit(own) & ~loot
    return {
        "open": bool(state.last_open),
        "tribes": tribes,
        "cards": [card_name(card) for card in cards],
        "taker": tribes[state.last_taker],
        "loot": [card_name(card) for card in cards_of(loot)],
        "lost": bool(offered & loot & BLACK),
        "limited": bool(left and not offered & REDS and is_limited(state, own)),
    }


def _by_seat(state: State, player: int, points: int) -> list[int]:
    """Return the points that each seat gets from one player's points (TT-19, TT-27)."""
    other = -points if state.difference else 0
    return [
        points * int(state.weight[seat]) if state.side[seat] == state.side[player] else other
        for seat in range(state.seats)
    ]


def _before(state: State) -> list[int]:
    """Return each seat's score before this round; a finished round counts as current until the next deal."""
    before = [int(total(state, seat)) for seat in range(state.seats)]
    if state.round_number >= 0 and state.stage in (DEAL, END):
        for player in range(state.seats):
            for seat, points in enumerate(_by_seat(state, player, int(points_of(state, state.collected[player])))):
                before[seat] -= points
    return before


def lines(state: State) -> list[Line]:
    """TT-17, TT-27: return the score lines of this round: the cards collected by each player."""
    found = []
    for player in range(state.seats if state.round_number >= 0 else 0):
        weight = int(state.weight[player])
        for red, cards in ((True, state.collected[player] & REDS), (False, state.collected[player] & BLACK)):
            if cards:
                shown = " ".join(card_name(card) for card in cards_of(cards))
                what = gettext("red: {cards}", cards=shown) if red else gettext("black: {cards}", cards=shown)
                points = _by_seat(state, player, int(points_of(state, cards)))
                found.append(Line(_weighted(what, weight), points, "TT-27" if weight > 1 else "TT-17", player))
    return found


def _weighted(what: str, weight: int) -> str:
    """TT-27: return the reason of a score line, with the factor by which a player alone among teams counts."""
    if weight == 1:
        return what
    # Translators: {what} are collected cards
    twice = gettext("{what}, counted double", what=what)
    return twice if weight == 2 else gettext("{what}, counted {number} times", what=what, number=weight)


def ending(state: State) -> str:
    """TT-17, TT-18: return how the game ended."""
    if state.rounds > 0:
        return gettext("all rounds were played (TT-18)")
    reached = max(int(total(state, player)) for player in range(state.seats)) >= state.target
    if reached:
        return gettext("the target was reached (TT-17)")
    limit = int(state.round_limit)
    if limit == 100:
        return gettext("a hundred rounds were played (TT-18)")
    return ngettext("{number} round was played (TT-18)", "{number} rounds were played (TT-18)", limit)


def refusal(state: State, text: str) -> Refusal:
    """Return the reason why an action is not legal now."""
    verb, _, rest = text.rpartition(" ")
    if verb not in ("", "swap", "discard", "open", "dark"):
        raise ValueError(text)
    card = None if text == "keep" else parse_card(rest)
    verb = text if card is None else verb
    clause, reason = _wrong_kind(state, verb)
    if not reason and card is not None and not state.hand[state.actor] & bit(card):
        reason = gettext("You do not hold {card}.", card=the_card_phrase(card))
    return Refusal(clause, reason)


def _wrong_kind(state: State, verb: str) -> tuple[str, str]:
    """Return the clause on the kind of action due now, and the reason why ``verb`` is wrong; empty if it is right."""
    if state.stage == EXCHANGE and state.extra:
        return "TT-4", "" if verb == "discard" else gettext("You hold a card too many: put one away with discard.")
    if state.stage == EXCHANGE:
        wrong = gettext("Before the first trick you keep your cards or swap one.")
        return "TT-3", "" if verb in ("keep", "swap") else wrong
    if verb in ("keep", "swap", "discard"):
        if state.exchange | state.extra:
            return "TT-3", gettext("Cards are exchanged only before the first trick; play a card.")
        return "TT-3", gettext("No cards are exchanged; play a card.")
    if state.played > 0:
        wrong = gettext("Only the first card of a trick is played open or dark; play yours by its name.")
        return "TT-6", wrong if verb else ""
    if state.must_open and verb != "open":
        return "TT-15", gettext("You started a dark trick and won it, so you start this one open.")
    return "TT-6", "" if verb else gettext("You start the trick: say open or dark before the card.")
