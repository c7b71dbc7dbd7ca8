"""Positions of Tricky Tribes written as text."""

import pytest

from parlour.cards import CARD_NAMES
from parlour.engine.errors import OptionError
from parlour.engine.match import Match
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import ALL_CARDS, play, zone_text

TRICKY_TRIBES = find_game("tricky-tribes")


def resolved(players: int, **options) -> dict:
    """Return all options with their values."""
    return Setup(TRICKY_TRIBES, players, options).options


def wrong_options(players: int, **options) -> str:
    """Return the refusal of these options."""
    with pytest.raises(OptionError) as caught:
        Setup(TRICKY_TRIBES, players, options)
    return str(caught.value)


def facts(match: Match, seat: int = SPECTATOR) -> dict:
    """Return the facts that a viewer observes."""
    return match.observation(seat).facts


def cards_in_use(match: Match) -> list[str]:
    """Return all cards of this game (TT-20, TT-22)."""
    low = "23" if match.options["cut_deck"] else ""
    return [card for card in ALL_CARDS if card[0] not in low] + ["XB", "XR"][: match.options["jokers"]]


def hand_sizes(match: Match, dealer: int) -> list[int]:
    """Return the number of cards dealt to each player (TT-2, TT-4)."""
    if match.players < 6:
        return [match.options["hand_cards"]] * match.players
    nines = {0: 4, 1: 5, 2: 0}[match.options["jokers"]]
    return [9 if (player - dealer - 1) % 6 < nines else 8 for player in range(6)]


def begin(players: int = 4, options: dict | None = None, dealer: int | None = None) -> Match:
    """Return a match before its first deal; the last player deals, so that player 0 (or the dummy beside it) starts."""
    match = Match(Setup(TRICKY_TRIBES, players, options or {}))
    match.apply_chance(f"dealer {players - 1 if dealer is None else dealer}")
    return match


def next_dealer(match: Match) -> int:
    """Return the dealer of the coming round (TT-1)."""
    return (facts(match)["dealer"] + (facts(match)["round"] > 0)) % match.players


def deal(match: Match, hands: list[str], deck: str = "") -> Match:
    """Deal the next round with these hands and these cards on top of the deck; other cards fill both up."""
    dealer = next_dealer(match)
    sizes = hand_sizes(match, dealer)
    dealt = [hand.split() for hand in hands] + [[] for _ in range(match.players - len(hands))]
    named = {card for hand in dealt for card in hand} | set(deck.split())
    rest = [card for card in cards_in_use(match) if card not in named]
    for hand, size in zip(dealt, sizes, strict=True):
        hand += [rest.pop(0) for _ in range(size - len(hand))]
    order = [(dealer + 1 + turn) % match.players for turn in range(match.players)]
    cards = [dealt[player][index] for index in range(max(sizes)) for player in order if index < sizes[player]]
    match.apply_chance("deal " + " ".join([*cards, *deck.split(), *rest]))
    return match


def keep(match: Match) -> Match:
    """Keep all cards in every hand, or put the last card of a hand of nine away."""
    while facts(match)["stage"] == "exchange":
        match.act("keep" if "keep" in match.legal() else match.legal()[-1])
    return match


def table(
    hands: list[str],
    trick: str = "",
    players: int = 4,
    options: dict | None = None,
    deck: str = "",
    dealer: int | None = None,
) -> Match:
    """Return a match in the first round with these hands and this deck, without exchange, after ``trick``.

    Cards of the trick that the hands do not name are dealt to the seats that play them.
    """
    match = begin(players, options, dealer)
    dealer, dealt = facts(match)["dealer"], [hand.split() for hand in hands]
    dealt += [[] for _ in range(players - len(dealt))]
    for turn, action in enumerate(trick.split(",") if trick else []):
        card, player = action.split()[-1], (dealer + 1 + turn) % players
        if card not in dealt[player]:
            dealt[player].append(card)
    deal(match, [" ".join(hand) for hand in dealt], deck)
    return play(keep(match), trick + "," if trick else "")


def taken(match: Match) -> str:
    """Return the winner or loser of the last trick and the cards collected: ``"2: 7H 8D"``, or ``"2: nothing"``."""
    last = facts(match)["last_trick"]
    return f"{last['taker']}: {' '.join(last['loot']) or 'nothing'}"


def taken_in(trick: str, players: int = 4, options: dict | None = None, deck: str = "") -> str:
    """Play the first trick, which player 0 (or the dummy) starts; return its result as :func:`taken` does."""
    return taken(table([], trick, players, options, deck))


def trick_text(match: Match, seat: int = SPECTATOR) -> str:
    """Return the current trick as a viewer sees it: ``"7H ?? ??"``."""
    cards = next(zone.cards for zone in match.observation(seat).zones if zone.name == "trick")
    return " ".join("??" if card is None else CARD_NAMES[card] for card in cards)


def cards_at(match: Match, name: str, at: int = -1, seat: int = SPECTATOR) -> str:
    """Return the cards of a zone as a viewer sees them: like ``zone_text``, but empty if there is no such zone."""
    return zone_text(match, name, at, seat) if match.observation(seat).zone(name, at) else ""


def worth(cards: str) -> int:
    """Return the value of collected cards as the rulebook defines it (TT-17)."""
    return sum((1 if card[1] in "DHBR" else -1) * (2 if card[0] in "JQKA" else 1) for card in cards.split())
