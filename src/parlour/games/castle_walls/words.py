"""Castle Walls: notation, zones, facts, score lines and refusals, all computed from an observed state."""

from collections.abc import Callable, Sequence
from typing import Any

from parlour.cards import JOKERS, RANKS, bit, card_name, cards_of, lowest, parse_card
from parlour.engine.game import Line, Options, Refusal, Zone
from parlour.engine.rules import NOBODY, UNSEEN
from parlour.engine.typed_state import IntVector
from parlour.games.castle_walls.field_words import STAGES
from parlour.games.castle_walls.legal import has_field, may_put
from parlour.games.castle_walls.state import (
    ALL_CARDS,
    ATTACK,
    BACK,
    BATTLE,
    DEAL,
    DESTROY,
    DISCARD,
    DISCARDS,
    DOWN,
    FINISH,
    FIRST,
    FLIP,
    JOKER,
    LIFE,
    MAIN,
    PUBLIC,
    RIVAL,
    STRAIGHT,
    STRAIGHT_OF,
    TARGET,
    TRAP,
    UP,
    rank_set,
)
from parlour.games.castle_walls.typed_state import State
from parlour.languages import gettext, ngettext
from parlour.languages.declension import card_phrase, rank_word, the_card_phrase


def name(state: State, action: int) -> str:
    """Return an action's notation: ``up 7H 2``, ``flip 2``, ``attack 1 life``, ``straight 5``, ``destroy 2u``, …"""
    kind, what, slot = action >> 9, action >> 3 & 63, (action & 7) + 1
    if kind in (UP, DOWN):
        return f"{'up' if kind == UP else 'down'} {card_name(what)} {slot}"
    if kind == ATTACK:
        return f"attack {slot} {'life' if what == LIFE else what + 1}"
    if kind == DESTROY:
        return f"destroy {slot}{'u' if what else 'd'}"
    if kind == DISCARD:
        return f"discard {card_name(what)}"
    return {FLIP: f"flip {slot}", JOKER: "joker", STRAIGHT_OF: f"straight {RANKS[what % 13]}", FINISH: "end"}[kind]


def actions(players: int, options: Options) -> list[str]:
    """Return the notation of every possible action."""
    cards = [card_name(card) for card in range(52 + int(options["jokers"]))]
    slots = range(1, int(options["slots"]) + 1)
    return [
        *(f"{how} {card} {slot}" for how in ("up", "down") for card in cards for slot in slots),
        *(f"flip {slot}" for slot in slots),
        *(f"attack {slot} {target}" for slot in slots for target in (*slots, "life")),
        *(f"straight {rank}" for rank in RANKS),
        *(f"destroy {slot}{side}" for slot in slots for side in "ud"),
        *(f"discard {card}" for card in cards),
        "joker",
        "end",
    ]


def longest_history(players: int, options: Options) -> int:
    """CW-7 to CW-27: return a bound on the rows of a history; 0 without a limit of turns.

    A turn has at most one card put on the field, and for each slot a flip and an attack with an answer, and an end. All
    other actions take cards out of a hand, two more for each straight. A hand gets one card a turn and a whole field
    with each joker, which has to be drawn first. An action shows cards in four places at most: the card attacked, the
    rest of a hand and of a field, and the card that the next player draws. This describes the usual options; the code
    uses their values.
    """
    names = ("turn_limit", "placings", "slots", "draws", "hand_cards", "straight_cards")
    turns, placings, slots, draws, hand, straight = (int(options[name]) for name in names)
    drawn = draws * turns
    cards = 2 * hand + 2 * slots + drawn + 2 * slots * (drawn + 2)
    actions = (placings + 3 * slots + 1) * turns + (straight + 2) * cards // straight
    return 0 if turns == 0 else 2 + (3 + draws) * actions


def chance_name(state: State, outcome: int) -> str:
    """Return a chance outcome's notation: ``first 0``."""
    return f"first {outcome}"


def zones(state: State) -> list[Zone]:
    """Return each player's hand, life pile, lost life cards and slots, then the deck and the graveyard."""
    if state.stage == DEAL:
        return []
    found = []
    for player in range(2):
        hand = list(cards_of(state.hand[player]))
        found.append(Zone("hand", player, hand, int(state.held[player]) - len(hand)))
        left = int(state.left[player])
        found.append(_pile("life", player, state.life[player, :left][::-1]))
        found.append(
            Zone("lost", player, state.life[player, left : state.life_cards].tolist(), face_up=True, ordered=True)
        )
        for slot in range(state.slots):
            at = player * int(state.slots) + slot
            down = int(state.down[player, slot])
            found.append(Zone("face up", at, list(cards_of(state.up[player, slot])), face_up=True))
            found.append(Zone("face down", at, list(cards_of(down & ALL_CARDS)), int(down == BACK)))
    line, deck = [*state.line[state.head :], *state.line[: state.head]], int(state.deck_left)
    found.append(_pile("deck", NOBODY, line[:deck]))
    grave = [int(card) for card in line[deck : deck + int(state.grave_left)]]
    found.append(Zone("graveyard", NOBODY, grave, face_up=True, ordered=True))
    return found


def _pile(what: str, at: int, cards: Sequence[int] | IntVector) -> Zone:
    """Return a pile as a zone, top first; its cards are all known or all hidden."""
    known = [int(card) for card in cards if card != UNSEEN]
    return Zone(what, at, known, len(cards) - len(known), ordered=True)


def facts(state: State) -> dict[str, Any]:
    """Return the facts except the cards' positions, all public but ``perhaps``: the cards that each slot may hold."""
    stage = int(state.stage)
    begun = stage > FIRST
    pending = range(int(state.straight_low), int(state.straight_next) + 1) if stage == STRAIGHT else []
    return {
        "stage": STAGES[stage],
        "turn": int(state.turn) if begun else None,
        "turn_number": int(state.turns),
        "turn_limit": int(state.turn_limit),
        "placed": bool(state.placed),
        "covered_now": int(state.covered_now) + 1 if begun and state.covered_now != NOBODY else None,
        "attacked": [slot + 1 for slot in range(state.slots) if state.attacked >> slot & 1],
        "attacker": int(state.attacker) + 1 if stage == TRAP else None,
        "straight": RANKS[state.straight_low] if stage in (STRAIGHT, TARGET) else None,
        "to_come": [RANKS[rank] for rank in reversed(pending)],
        "left": [int(left) for left in state.left],
        "held": [int(held) for held in state.held],
        "deck_known": bool(state.turned),
        "perhaps": [[_perhaps(state, player, slot) for slot in range(state.slots)] for player in range(2)],
    }


def _perhaps(state: State, player: int, slot: int) -> list[str]:
    """CW-24: return the cards seen once that a face-down card may be; none where the viewer knows the card.

    A seat goes by its memory of the other player's cards. A spectator's state lacks that memory and has only the
    public's, to which a joker may have displaced cards that each seat knows to be elsewhere.
    """
    if state.down[player, slot] != BACK:
        return []
    cards = int(state.may_hold[RIVAL, player, slot])
    if cards == 0 and state.capacity[RIVAL, player, slot] == 0:  # no seat: to a seat the slot can hold some card
        cards = int(state.may_hold[PUBLIC, player, slot])
    return [card_name(card) for card in cards_of(cards)]


def lines(state: State) -> list[Line]:
    """CW-25: return a score line per player: the life cards left."""
    if state.stage == DEAL:
        return []
    first, second = (int(left) for left in state.left)
    what = gettext("life cards left")
    return [Line(what, [first, 0], "CW-25", 0), Line(what, [0, second], "CW-25", 1)]


def ending(state: State) -> str:
    """CW-14, CW-27: return how the game ended."""
    if min(state.left) > 0:
        return gettext("the turns were used up (CW-27)")
    return gettext("the last life card was taken (CW-14)")


def refusal(state: State, text: str) -> Refusal:
    """Return the reason why an action is not legal now."""
    word, _, rest = text.partition(" ")
    reasons: dict[str, Callable[[State, str], Refusal]] = {
        "up": _why_not_put,
        "down": _why_not_put,
        "flip": _why_not_flip,
        "attack": _why_not_attack,
        "joker": lambda state, rest: _why_not_joker(state),
        "straight": _why_no_straight,
        "discard": _why_not_discard,
        "destroy": _why_not_destroy,
        "end": lambda state, rest: _not_now(state),
    }
    if word not in reasons:
        raise ValueError(f"{text!r} is no action")
    return reasons[word](state, rest)


def _not_now(state: State) -> Refusal:
    """Return the refusal that names the action due first."""
    if state.stage == STRAIGHT:
        rank = rank_word(int(state.straight_next))
        reason = gettext("The straight is carried through: discard a card of its next rank, {rank}.", rank=rank)
        return Refusal("CW-22", reason)
    if state.stage == TARGET:
        return Refusal("CW-22", gettext("The straight destroys a card of the other field: choose it."))
    if state.stage == TRAP:
        return Refusal("CW-19", gettext("Your black trap was sprung: choose a card of the attacker's side."))
    if state.stage == DISCARDS:
        reason = ngettext(
            "You hold more than {number} card: discard one.",
            "You hold more than {number} cards: discard one.",
            int(state.hand_limit),
        )
        return Refusal("CW-13", reason)
    return Refusal("CW-10", gettext("After the first attack there are only attacks, until you end the turn."))


def _slot(state: State, text: str) -> int:
    """Parse a slot, numbered from 0. Raises ``ValueError``."""
    if text not in [str(slot + 1) for slot in range(state.slots)]:
        raise ValueError(f"{text!r} is no slot")
    return int(text) - 1


def _not_held(card: int) -> str:
    return gettext("You do not hold {card}.", card=the_card_phrase(card))


def _why_not_put(state: State, rest: str) -> Refusal:
    card_text, _, slot_text = rest.partition(" ")
    card, slot = parse_card(card_text), _slot(state, slot_text)
    player = int(state.turn)
    if state.stage != MAIN:
        return _not_now(state)
    if not may_put(state):
        reason = ngettext(
            "You have put a card onto the field this turn; one is all.",
            "You have put {number} cards onto the field this turn; {number} are all.",
            int(state.placings),
        )
        return Refusal("CW-7", reason)
    if not state.hand[player] & bit(card):
        return Refusal("CW-7", _not_held(card))
    if card >= 52:
        return Refusal("CW-8", gettext("Jokers never go onto the field."))
    if state.up[player, slot]:
        return Refusal("CW-8", gettext("A face-up card lies in slot {slot}.", slot=slot + 1))
    return Refusal(
        "CW-8", gettext("Slot {slot} is not empty: a card there can only be put face up upon the other.", slot=slot + 1)
    )


def _why_not_flip(state: State, rest: str) -> Refusal:
    slot, player = _slot(state, rest), int(state.turn)
    if state.stage != MAIN:
        return _not_now(state)
    if not state.down[player, slot]:
        return Refusal("CW-9", gettext("There is no face-down card of yours in slot {slot}.", slot=slot + 1))
    if state.up[player, slot]:
        return Refusal("CW-9", gettext("The face-down card in slot {slot} is covered.", slot=slot + 1))
    return Refusal("CW-9", gettext("That card was put down this turn; it can be flipped in your next."))


def _why_not_attack(state: State, rest: str) -> Refusal:
    own, _, aim = rest.partition(" ")
    slot, target = _slot(state, own), LIFE if aim == "life" else _slot(state, aim)
    player, other = int(state.turn), 1 - int(state.turn)
    if state.stage not in (MAIN, BATTLE):
        return _not_now(state)
    if state.turns <= state.quiet_turns:
        return Refusal("CW-11", _why_quiet(int(state.quiet_turns)))
    if not state.up[player, slot]:
        return Refusal("CW-10", gettext("You have no face-up card in slot {slot}.", slot=slot + 1))
    if state.attacked >> slot & 1:
        return Refusal("CW-10", gettext("The card in slot {slot} has attacked this turn.", slot=slot + 1))
    if target == LIFE:
        return Refusal("CW-14", gettext("The other field must be empty before a life card can be taken."))
    if not has_field(state, other):
        return Refusal("CW-14", gettext("The other field is empty: attack the life pile."))
    if not state.up[other, target]:
        return Refusal("CW-15", gettext("There is nothing to attack in their slot {slot}.", slot=target + 1))
    attacker, stronger = card_phrase(lowest(state.up[player, slot])), card_phrase(lowest(state.up[other, target]))
    # Translators: names of cards without an article
    reason = gettext("The {target} has more power than your {attacker}.", target=stronger, attacker=attacker)
    return Refusal("CW-16", reason)


def _why_quiet(turns: int) -> str:
    return ngettext(
        "In the first turn of the game there are no attacks.",
        "In the first {number} turns of the game there are no attacks.",
        turns,
    )


def _why_not_joker(state: State) -> Refusal:
    if state.stage != MAIN:
        return _not_now(state)
    if not state.hand[state.turn] & JOKERS:
        return Refusal("CW-23", gettext("You hold no joker."))
    return Refusal("CW-23", gettext("Only a player who has lost more life cards than the other may use a joker."))


def _why_no_straight(state: State, rest: str) -> Refusal:
    if len(rest) != 1 or rest not in RANKS:
        raise ValueError(f"{rest!r} is no rank")
    rank = RANKS.index(rest)
    if state.stage != MAIN:
        return _not_now(state)
    highest = len(RANKS) - int(state.straight_cards)
    if rank > highest:
        rank_name = rank_word(highest)
        reason = gettext("A straight ends at the ace: the highest begins with the {rank}.", rank=rank_name)
        return Refusal("CW-22", reason)
    for step in range(rank, rank + int(state.straight_cards)):
        if not state.hand[state.turn] & rank_set(step):
            low, needed = rank_word(rank), rank_word(step)
            reason = gettext("A straight from the {low} needs a card of rank {needed}.", low=low, needed=needed)
            return Refusal("CW-22", reason)
    return Refusal("CW-22", gettext("A straight needs a card on the other field to destroy."))


def _why_not_discard(state: State, rest: str) -> Refusal:
    card = parse_card(rest)
    if state.stage not in (STRAIGHT, DISCARDS):
        reason = ngettext(
            "You discard only at the end of a turn, with more than {number} card, or for a straight.",
            "You discard only at the end of a turn, with more than {number} cards, or for a straight.",
            int(state.hand_limit),
        )
        return Refusal("CW-13", reason)
    if not state.hand[state.turn] & bit(card):
        return Refusal("CW-22" if state.stage == STRAIGHT else "CW-13", _not_held(card))
    return _not_now(state)


def _why_not_destroy(state: State, rest: str) -> Refusal:
    slot = _slot(state, rest[:1])
    if rest[1:] not in ("u", "d"):
        raise ValueError(f"{rest!r} is no card of a slot: 2u is the face-up, 2d the face-down card of slot 2")
    if state.stage not in (TARGET, TRAP):
        return Refusal(
            "CW-22", gettext("You destroy a card only after a straight, or when your black trap was sprung.")
        )
    clause, side = ("CW-19", int(state.turn)) if state.stage == TRAP else ("CW-22", 1 - int(state.turn))
    card = state.up[side, slot] if rest[1:] == "u" else state.down[side, slot]
    if not card:
        return Refusal(clause, gettext("There is no such card in slot {slot}.", slot=slot + 1))
    if state.stage == TRAP:
        return Refusal(clause, gettext("The attacking card itself is spared."))
    return Refusal(clause, gettext("A covered card cannot be chosen."))
