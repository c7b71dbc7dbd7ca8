"""Trime Kicker: notation, zones, facts, score lines and refusals, all computed from an observed state."""

from collections.abc import Sequence
from typing import Any

from parlour.cards import FULL_DECK, bit, card_name, cards_of, count, parse_card
from parlour.engine.game import Line, Options, Refusal, Zone
from parlour.engine.rules import NOBODY, UNSEEN
from parlour.games.trime_kicker.field_words import STAGES
from parlour.games.trime_kicker.knowledge import hand_size
from parlour.games.trime_kicker.rules import (
    DEAL,
    DRAW,
    FREE,
    PILES,
    can_lay,
    cards_laid,
    fitting_any,
    has_bonus,
    tie_break,
)
from parlour.games.trime_kicker.typed_state import State
from parlour.languages import fill, gettext
from parlour.languages.declension import card_phrase, rank_word, the_card_phrase

PILE_NAMES = ("1", "2", "3", "4")


def name(state: State, action: int) -> str:
    """Return an action's notation: ``8H on 3``, ``draw`` or ``decline``."""
    if action >= DRAW:
        return "draw" if action == DRAW else "decline"
    return f"{card_name(action >> 2)} on {(action & 3) + 1}"


def actions(players: int, options: Options) -> list[str]:
    """Return the notation of every possible action."""
    laid = [f"{card_name(card)} on {pile}" for card in cards_of(FULL_DECK) for pile in PILE_NAMES]
    return [*laid, "draw", "decline"]


def longest_history(players: int, options: Options) -> int:
    """TK-8, TK-11, TK-15: return a bound on the number of rows of a history.

    Two chance events come first. Then 48 cards are laid and the backups drawn, each after two declines at most. Two
    declines end the game.
    """
    return 2 + 3 * (48 + 2 * (24 - int(options["main_cards"]))) + 2


def chance_name(state: State, outcome: int) -> str:
    """Return a chance outcome's notation: ``first 0`` or ``first 1``."""
    return f"first {outcome}"


def zones(state: State) -> list[Zone]:
    """Return the piles, each with its top card last, then the main piles and the backups."""
    if state.stage == DEAL:
        return []
    found = []
    for pile in range(PILES):
        top = int(state.top[pile])
        covered = list(cards_of(state.pile[pile] & ~bit(top)))
        found.append(Zone("pile", pile, [*covered, top], face_up=True))
    for player in range(2):
        held, left, drawn = int(state.hand[player]), int(state.left[player]), int(state.drawn[player])
        found.append(Zone("main pile", player, list(cards_of(held)), hand_size(state, player) - count(held)))
        rest = [int(card) for card in state.backup[player, drawn : drawn + left] if card != UNSEEN]
        found.append(Zone("backup", player, rest, left - len(rest), ordered=True))
    return found


def facts(state: State) -> dict[str, Any]:
    """Return the public facts except the cards' positions."""
    return {
        "stage": STAGES[state.stage],
        "piles": [
            {
                "top": card_name(int(state.top[pile])),
                "controller": int(state.controller[pile]),
                "bonus": bool(has_bonus(state, pile)),
            }
            for pile in range(PILES)
        ],
        "players": [
            {
                "held": hand_size(state, player),
                "backup": int(state.left[player]),
                "drawn": int(state.drawn[player]),
                "laid": int(cards_laid(state, player)),
                "tie_break": int(tie_break(state, player)),
            }
            for player in range(2)
        ],
        "declined": bool(state.declines),
        "drew": int(state.drew),
        "ordered": bool(state.order != FREE),
    }


def lines(state: State) -> list[Line]:
    """TK-16: return the score lines: the points of each pile, for its owner."""
    found = []
    for pile in range(PILES):
        owner = int(state.controller[pile])
        if owner == NOBODY:
            continue
        parts = [(gettext("pile {number}", number=pile + 1), int(state.pile_points))]
        if has_bonus(state, pile):
            parts.append((gettext("bonus on pile {number}", number=pile + 1), int(state.bonus_points)))
        for what, points in parts:
            found.append(Line(what, [points if player == owner else 0 for player in range(2)], "TK-16", pile))
    return found


def ending(state: State) -> str:
    """TK-12: return how the game ended."""
    return gettext("nobody could lay or draw (TK-12)")


def refusal(state: State, text: str) -> Refusal:
    """Return the reason why an action is not legal now."""
    player = int(state.actor)
    if text == "decline":
        return Refusal("TK-14", gettext("The judge has ordered you to move: you may not decline in this turn."))
    if text == "draw":
        if can_lay(state, player):
            return Refusal("TK-8", gettext("You can lay a card, so you may not draw."))
        return Refusal("TK-8", gettext("Your backup is empty."))
    word, _, pile = f" {text}".partition(" on ")
    top = the_card_phrase(int(state.top[int(pile) - 1])) if pile in PILE_NAMES else ""
    if top and not word and not state.hand[player] & state.fits[int(pile) - 1]:
        return Refusal("TK-5", gettext("None of your cards goes on {card}.", card=top))
    card = parse_card(word.strip()) if word else None
    if card is not None and not state.hand[player] & bit(card):
        return Refusal("TK-4", gettext("You do not hold {card}.", card=the_card_phrase(card)))
    if card is not None and not pile and not fitting_any(state) & bit(card):
        # Translators: the name of a card without an article
        return Refusal("TK-5", gettext("The {card} goes on none of the four top cards.", card=card_phrase(card)))
    if card is None or not top:
        return Refusal("TK-4", gettext("A card is laid on one of the piles 1 to 4, as in “8H on 3”."))
    return Refusal("TK-5", _why_not_on(state, card_phrase(card), top))


def _why_not_on(state: State, card: str, top: str) -> str:
    """TK-5: return the reason why a card (without article) cannot be laid on a top card."""
    everywhere = [rank_word(rank) for rank in range(13) if state.everywhere >> rank & 1]
    reach = int(state.reach)
    if everywhere:
        # Translators: {card} has no article; {top} is the top card of a pile; cards of the {ranks} go on every pile
        none = gettext("The {card} does not go on {top}: neither {ranks}, nor its rank.")
        one = gettext("The {card} does not go on {top}: neither {ranks}, nor its rank, nor one higher.")
        more = gettext("The {card} does not go on {top}: neither {ranks}, nor its rank, nor up to {number} higher.")
    else:
        # Translators: {card} has no article; {top} is the top card of a pile
        none = gettext("The {card} does not go on {top}: not of its rank.")
        one = gettext("The {card} does not go on {top}: not of its rank, nor one higher.")
        more = gettext("The {card} does not go on {top}: not of its rank, nor up to {number} higher.")
    sentence = {0: none, 1: one}.get(reach, more)
    return fill(sentence, card=card, top=top, ranks=_alternatives(everywhere), number=reach)


def _alternatives(words: Sequence[str]) -> str:
    """Join words by "or" without commas, since the sentence has commas of its own."""
    joined = "".join(words[:1])
    for word in words[1:]:
        joined = gettext("{phrases} or {last}", phrases=joined, last=word)
    return joined
