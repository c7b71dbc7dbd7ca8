"""Positions of Oh Hell written as text."""

from oh_hell import GAME
from tests.helpers import ALL_CARDS, play

from parlour.engine.match import Match
from parlour.engine.setup import Setup


def table(*hands: str, trump: str, bids: str = "", dealer: int = -1, **options) -> Match:
    """Return a match with these hands by seat, after the bids; by default the last seat deals, so seat 0 leads."""
    match = Match(Setup(GAME, len(hands), {"tricks": len(hands[0].split()), **options}))
    match.apply_chance(f"dealer {dealer % len(hands)}")
    dealt = [card for cards in zip(*(hand.split() for hand in hands), strict=True) for card in cards] + [trump]
    match.apply_chance(" ".join(["deal", *dealt, *(card for card in ALL_CARDS if card not in dealt)]))
    return play(match, ", ".join(f"bid {bid}" for bid in bids.split()))
