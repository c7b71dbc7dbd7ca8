"""Trime Kicker: notation, zones, facts, score lines and refusals, all computed from an observed state."""

from typing import Any

from parlour.cards import FULL_DECK, RANK_WORDS, bit, card_name, card_words, cards_of, count, parse_card
from parlour.engine.game import Line, Options, Refusal, Zone
from parlour.engine.rules import NOBODY, UNSEEN
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


def zones(state: State, seat: int) -> list[Zone]:
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
        "stage": ("deal", "first", "turns", "end")[state.stage],
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
        parts = [(f"pile {pile + 1}", int(state.pile_points))]
        parts += [(f"bonus on pile {pile + 1}", int(state.bonus_points))] if has_bonus(state, pile) else []
        for what, points in parts:
            found.append(Line(what, [points if player == owner else 0 for player in range(2)], "TK-16", pile))
    return found


def ending(state: State) -> str:
    """TK-12: return how the game ended."""
    return "nobody could lay or draw (TK-12)"


def refusal(state: State, text: str) -> Refusal:
    """Return the reason why an action is not legal now."""
    player = int(state.actor)
    if text == "decline":
        return Refusal("TK-14", "The judge has ordered you to move: you may not decline in this turn.")
    if text == "draw":
        if can_lay(state, player):
            return Refusal("TK-8", "You can lay a card, so you may not draw.")
        return Refusal("TK-8", "Your backup is empty.")
    word, _, pile = f" {text}".partition(" on ")
    if not word and pile in PILE_NAMES and not state.hand[player] & state.fits[int(pile) - 1]:
        return Refusal("TK-5", f"None of your cards goes on the {card_words(int(state.top[int(pile) - 1]))}.")
    card = parse_card(word.strip()) if word else None
    if card is not None and not state.hand[player] & bit(card):
        return Refusal("TK-4", f"You do not hold the {card_words(card)}.")
    if card is not None and not pile and not fitting_any(state) & bit(card):
        return Refusal("TK-5", f"The {card_words(card)} goes on none of the four top cards.")
    if card is None or pile not in PILE_NAMES:
        return Refusal("TK-4", "A card is laid on one of the piles 1 to 4, as in “8H on 3”.")
    top = card_words(int(state.top[int(pile) - 1]))
    return Refusal(
        "TK-5",
        f"The {card_words(card)} does not go on the {top}: {_what_goes(state)}.",
    )


def _what_goes(state: State) -> str:
    """TK-5: return the reason why a card cannot be laid, as the end of a sentence."""
    everywhere = [RANK_WORDS[rank] for rank in range(13) if state.everywhere >> rank & 1]
    higher = {0: "", 1: ", nor one higher"}.get(int(state.reach), f", nor up to {state.reach} higher")
    return f"neither {' or '.join(everywhere)}, nor its rank{higher}" if everywhere else f"not of its rank{higher}"
