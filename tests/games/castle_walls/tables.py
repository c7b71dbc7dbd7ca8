"""Positions of Castle Walls written as text."""

from parlour.cards import CARD_NAMES
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import play, zone_text

CASTLE_WALLS = find_game("castle-walls")
SPARE = sorted(CARD_NAMES, key=lambda card: (card[0] == "X", CARD_NAMES.index(card)))
"""The order of unnamed cards in a deck: jokers last, at the bottom."""


def deck_of(hands=("", ""), draws="", lives=("", "")):
    """Return a deck, its top first, for these hands, first cards drawn and life cards (the first to be taken first)."""
    named = " ".join([*hands, draws, *lives]).split()
    assert len(set(named)) == len(named), "a card is named twice"
    rest = [card for card in SPARE if card not in named]
    filled = [hand.split() for hand in (*hands, "")[:2]]
    for hand in filled:
        hand.extend(rest.pop(0) for _ in range(3 - len(hand)))
    drawn = draws.split()
    piles = [life.split() for life in lives]
    for pile in piles:
        pile.extend(rest.pop(0) for _ in range(6 - len(pile)))
    life = [piles[index % 2][5 - index // 2] for index in range(12)]
    dealt = [filled[index % 2][index // 2] for index in range(6)]
    return [*life, *dealt, *drawn, *rest]


def table(hands=("", ""), draws="", actions="", lives=("", ""), first=0, turn_limit=None):
    """Return a match with these cards in which ``actions``, separated by commas, have been played."""
    match = Match(Setup(CASTLE_WALLS, 2, {} if turn_limit is None else {"turn_limit": turn_limit}))
    match.apply_chance("deal " + " ".join(deck_of(hands, draws, lives)))
    match.apply_chance(f"first {first}")
    return play(match, actions + ",") if actions else match


def seen(match, name, at=-1, seat=None):
    """Return the cards of a zone as a viewer sees them: by default its owner, or a spectator if it has none."""
    return zone_text(match, name, at, (at if at in (0, 1) else -1) if seat is None else seat)


def hand(match, player, seat=None):
    """Return a hand as its player, or another viewer, sees it."""
    return seen(match, "hand", player, seat)


def field(match, player, seat=None):
    """Return a field with slots separated by bars and face-down cards in brackets: ``"[7H] KC | - | [2D]"``."""
    viewer = player if seat is None else seat
    slots = []
    for slot in range(3):
        down = seen(match, "face down", 3 * player + slot, viewer)
        up = seen(match, "face up", 3 * player + slot, viewer)
        slots.append(" ".join([f"[{down}]"] * bool(down) + [up] * bool(up)) or "-")
    return " | ".join(slots)


def facts(match):
    """Return the public facts."""
    return match.observation(-1).facts


def graveyard(match):
    """Return the graveyard, its first card first."""
    return seen(match, "graveyard")


def legal(match, word=""):
    """Return the legal actions that begin with a word, or all."""
    return [action for action in match.legal() if action.split()[0] == word or not word]


def pass_turns(match, number):
    """Play ``number`` turns without attacks; a player with too many cards discards the first of them."""
    for _ in range(number):
        play(match, "end,")
        while facts(match)["stage"] == "discards":
            play(match, match.legal()[0] + ",")
    return match
