"""Games for the tests of explanations and reviews: one in which an action loses at once, and a short random one."""

from parlour.engine.match import Match
from parlour.engine.matches.records import Record
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import play, random_game

DECK = (
    "9D 2D 8S 2S 3H 4D TH AD 4C 2C 8H 5S QH 3C AH QS 3D QC TD 7C 5D AC 5C KS 9H 7S "
    "6D 6H KH JD KD 4S 7D KC QD 8D JC 9C 9S 6C 4H JH 2H TC 5H 3S TS 6S JS 7H 8C AS"
)
LINE = "KH KC 8H 6H 7S 8S QS 5D KD 8D 7D 2D 2S 4C JD TH 9D 4D 6D AD QC 5C 7C QH TD KS 3D AC 5S 3H 2C"
SEEN = 34
"""Number of events before seat 0 wins with WINS and loses with LOSES, in every layout of the unknown cards."""
WINS, LOSES = "QD", "AH"


def at_the_brink() -> Match:
    """Return the game after :data:`SEEN` events."""
    match = Match(Setup(find_game("trick-walls"), 4, {"rounds": 1}))
    for event in ("dealer A", "colour black", f"deal {DECK}"):
        match.apply_chance(event)
    return play(match, LINE)


def blunder_record() -> Record:
    """Return the record of the whole game with the losing card."""
    match = play(at_the_brink(), LOSES)
    while not match.over:
        match.act(match.legal()[0])
    return match.record()


def short_record(players: int = 4, seed: int = 5) -> Record:
    """Return the record of a random game of one round."""
    return random_game(Setup(find_game("trick-walls"), players, {"rounds": 1}), seed).record()
