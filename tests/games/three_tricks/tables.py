"""Tables of 3 Tricks written as text. Seat 0 begins by default."""

import random

from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.rules import CHANCE, SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import ALL_CARDS, play

THREE_TRICKS = find_game("three-tricks")


def deck_of(hands: list[str], stock: str = "", first: int = 0) -> list[str]:
    """Return a deck, the top first, that deals these hands and leaves these cards on top of the stock."""
    dealt, top = [hand.split() for hand in hands], stock.split()
    named = {card for hand in dealt for card in hand} | set(top)
    rest = [card for card in ALL_CARDS if card not in named]
    for hand in dealt:
        while len(hand) < 7:
            hand.append(rest.pop(0))
    order = [dealt[first], dealt[1 - first]]
    return [order[turn][index] for index in range(7) for turn in range(2)] + top + rest


def table(
    mine: str = "", other: str = "", line: str = "", stock: str = "", first: int = 0, options: dict | None = None
) -> Match:
    """Return a game with these hands of seats 0 and 1 after the actions of ``line``, separated by commas."""
    match = Match(Setup(THREE_TRICKS, 2, options or {}))
    match.apply_chance(f"dealer {1 - first}")
    match.apply_chance("deal " + " ".join(deck_of([mine, other], stock, first)))
    return do(match, line)


def do(match: Match, line: str) -> Match:
    """Carry out actions, separated by commas, each by the seat to act."""
    return play(match, line + ",")


def lays(match: Match) -> list[str]:
    """Return the tricks that may be laid, without the word ``lay``."""
    return [action.removeprefix("lay ") for action in match.legal() if action.startswith("lay")]


def swaps(match: Match) -> list[str]:
    return [action for action in match.legal() if action.startswith("swap")]


def fact(match: Match, name: str):
    return match.observation(SPECTATOR).facts[name]


def hand(match: Match, seat: int) -> set[str]:
    """Return a hand as its holder sees it."""
    zone = match.observation(seat).zone("hand", seat)
    assert not zone.hidden
    return {ALL_CARDS[card] for card in zone.cards}


def size(match: Match, zone: str, at: int = -1) -> int:
    """Return the public number of cards in a zone."""
    found = match.observation(SPECTATOR).zone(zone, at)
    return len(found.cards) + found.hidden


def swap_away(match: Match, cards: int = 3) -> str:
    """Swap the first cards in the hand of the seat to act; return the action."""
    action = "swap " + " ".join(sorted(hand(match, match.actor), key=ALL_CARDS.index)[:cards])
    match.act(action)
    return action


def to_shuffle(match: Match) -> Match:
    """Swap three cards at a time until the second stock is to be shuffled."""
    while match.actor != CHANCE:
        swap_away(match)
    return match


def shuffle(match: Match, top: str = "") -> Match:
    """Shuffle the second stock so that these cards are on top."""
    observation = match.observation(SPECTATOR)
    wanted = [ALL_CARDS[card] for card in range(52) if int(match.state.second.sum()) >> card & 1]
    assert size(match, "second stock") == len(wanted)
    assert observation.facts["stage"] == "shuffle"
    named = top.split()
    match.apply_chance("shuffle " + " ".join(named + [card for card in wanted if card not in named]))
    return match


KINDS = {"layer": (50, 1, 1), "passer": (0.1, 0.3, 8), "swapper": (0.1, 8, 0.3), "slow": (5, 1, 6)}
"""Weights of laying, swapping and passing for each kind of player."""


def walk_of(seed: int, kinds: tuple[str, str] = ("layer", "layer"), options: dict | None = None):
    """Play a game between two kinds of players; yield the match after every event."""
    rng, match = random.Random(seed), Match(Setup(THREE_TRICKS, 2, options or {}))
    chance = StreamRandomness(new_stream(seed))
    while not match.over:
        if match.actor == CHANCE:
            match.apply_chance(match.sample_chance(chance))
        else:
            match.act(chosen(match, kinds[match.actor], rng))
        yield match


def chosen(match: Match, kind: str, rng: random.Random) -> str:
    verbs = {verb: [each for each in match.legal() if each.startswith(verb)] for verb in ("lay", "swap", "pass")}
    weights = [weight if verbs[verb] else 0 for verb, weight in zip(verbs, KINDS[kind], strict=True)]
    return rng.choice(verbs[rng.choices(list(verbs), weights)[0]])
