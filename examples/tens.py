"""A simple rival in Tricky Tribes, without search or memory: it wins dark tricks with eights, nines and tens.

    PYTHONPATH=. parlour match examples.tens:Tens thumb tricky-tribes -p 6 -o rounds=1 -n 300

Cards up to the ten win loot without a limit (TT-14). Tens leads its highest eight, nine or ten dark, otherwise its
lowest black card open. In dark and black tricks it plays its highest card up to the ten, and on red offers only a red
queen or better. A heuristic that expects the others to duck loses to it.
"""

from collections.abc import Sequence

import parlour

RANKS = "23456789TJQKA"
SEVEN, EIGHT, NINE, TEN, QUEEN = (RANKS.index(rank) for rank in "789TQ")


def rank(card: str) -> int:
    """Return the rank of a card, from 0 for a two; a joker is a ten."""
    return TEN if card[0] == "X" else RANKS.index(card[0])


def is_red(card: str) -> bool:
    """Return whether a card is red."""
    return card[0] == "X" or card[1] in "DH"


def place(card: str) -> tuple[int, bool, str]:
    """Return what orders cards: the rank, then red before black."""
    return rank(card), not is_red(card), card


class Tens:
    """The bot."""

    version = 1

    def choose(self, observation: parlour.Observation) -> str:
        """Return the notation of an action."""
        legal, facts = observation.legal, observation.facts
        cards = sorted({action.split()[-1] for action in legal if action != "keep"}, key=place)
        if facts["stage"] == "exchange":
            low = [card for card in cards if rank(card) <= RANKS.index("6")]
            worst = min(low or cards, key=lambda card: (not is_red(card), rank(card)))
            put_away = next(action for action in legal if action.endswith(worst))
            return put_away if low or "keep" not in legal else "keep"
        black = [card for card in cards if not is_red(card)]
        middle = [card for card in cards if EIGHT <= rank(card) <= TEN]
        if not facts["trick"]:
            return self.lead(legal, cards, black, middle)
        if not facts["open"]:
            low = [card for card in black if rank(card) < EIGHT]
            return middle[-1] if middle and rank(middle[-1]) >= NINE else (low or black or cards)[0]
        if is_red(observation.zone("trick").texts[0]):
            high = [card for card in cards if is_red(card) and rank(card) >= QUEEN]
            return high[-1] if high else (black or cards)[0]
        unlimited = [card for card in black if SEVEN <= rank(card) <= TEN]
        return (unlimited or black or cards)[-1]

    def lead(self, legal: Sequence[str], cards: list[str], black: list[str], middle: list[str]) -> str:
        """Return a lead: the highest unlimited card dark, else the lowest black card open."""
        if middle and f"dark {middle[-1]}" in legal:
            return f"dark {middle[-1]}"
        return f"open {(black or cards)[0]}"
