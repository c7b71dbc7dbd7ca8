"""Tables of Trick Walls written as text."""

from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import ALL_CARDS, play, zone_text

TRICK_WALLS = find_game("trick-walls")


def begin(players: int = 4, options: dict | None = None, dealer: str = "B", colour: str = "red") -> Match:
    """Return a match before its first deal. With dealer B, team A's first place (city 0) starts the first round."""
    match = Match(Setup(TRICK_WALLS, players, options or {}))
    match.apply_chance(f"dealer {dealer}")
    match.apply_chance(f"colour {colour}")
    return match


def deck_of(match: Match, hands: list[str], trick: str = "", starter: int = 0) -> list[str]:
    """Return a deck, the top card first, that deals these hands.

    Args:
        match: its players and options give the number of cities and the size of a hand.
        hands: the cards of the cities 0, 1, 2 …; those of a dummy in the order of dealing. The other cards of the deck
            complete a hand, cards of the trick's suit last, so that few cities get more cards of that suit.
        trick: the cards played to the trick, which are added to the hands; ``top`` is the top card of a dummy.
        starter: the city that starts the trick.
    """
    cities, each = 6 if match.players > 4 else 4, match.options["hand_cards"]
    dealt = [hand.split() for hand in hands] + [[] for _ in range(cities - len(hands))]
    for place, card in enumerate(trick.split()):
        city = (starter + place) % cities
        if card != "top" and card not in dealt[city]:
            dealt[city].insert(0, card)
    named = {card for hand in dealt for card in hand}
    rest = [card for card in ALL_CARDS if card not in named]
    rest.sort(key=lambda card: card[1] == trick[1:2])
    for hand in dealt:
        while len(hand) < each:
            hand.append(rest.pop(0))
    deck = [dealt[(starter + turn) % cities][index] for index in range(each) for turn in range(cities)]
    return deck + rest


def deal(match: Match, hands: list[str], trick: str = "", starter: int = 0) -> Match:
    """Deal the next round so that the cities hold these hands, and play the trick's cards."""
    match.apply_chance("deal " + " ".join(deck_of(match, hands, trick, starter)))
    return play(match, trick)


def table(
    hands: list[str],
    trick: str = "",
    players: int = 4,
    options: dict | None = None,
    dealer: str = "B",
    colour: str = "red",
) -> Match:
    """Return a match in its first round with these hands, after the cards of ``trick``."""
    match = begin(players, options, dealer, colour)
    cities = 6 if players > 4 else 4
    return deal(match, hands, trick, 0 if dealer == "B" else cities // 2)


def wall(match: Match, city: int) -> str:
    """Return a city's wall: face-up cards, a bar, face-down cards: ``"7H 8H | 2C"``."""
    return f"{zone_text(match, 'face up', city)} | {zone_text(match, 'face down', city)}".strip()


def walls(match: Match) -> str:
    """Return all walls, clockwise, separated by slashes: ``"7H | / 8H | / AH | / | 2C"``."""
    cities = len(match.observation(-1).facts["cities"])
    return " / ".join(" ".join(wall(match, city).split()) for city in range(cities))


def lines(match: Match, clause: str) -> list[str]:
    """Return the running score's lines of a clause: ``"city 0: pure red city, 3 3 -3 -3"``."""
    return [
        f"city {line.at}: {line.what}, {' '.join(str(points) for points in line.points)}"
        for line in match.observation(-1).lines
        if line.clause == clause
    ]


def ring(match: Match) -> str:
    """Return the seating clockwise from the first place, D for a dummy: ``"0 D 1 D"``."""
    cities = match.observation(-1).facts["cities"]
    return " ".join("D" if city["holder"] < 0 else str(city["holder"]) for city in cities)
