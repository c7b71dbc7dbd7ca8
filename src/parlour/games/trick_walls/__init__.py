"""Trick Walls 6.3.1: two sides play tricks to leave their own colour face up in the city walls.

Follows the rulebook's clauses TW-1 to TW-24. Deviations: none. ``rules.py`` holds the rules, ``legal.py`` the legal
actions, ``fast.py`` a faster random draw, ``knowledge.py`` what each seat knows, and ``words.py`` the notation, the
zones and the refusals.
"""

from typing import Any

from parlour.engine.game import Game, Option, Options
from parlour.games.trick_walls import fast, heuristic, knowledge, legal, rules, words
from parlour.games.trick_walls.field_words import FIELD_WORDS


def _long_run_refused(players: int, value: Any) -> str | None:
    return "a long run is for two to four players (TW-23)" if players > 4 else None


OPTIONS = (
    Option(
        "pure_bonuses",
        (True, False),
        True,
        "TW-20",
        "pure cities and massacres count extra",
        {
            True: "A city whose face-up cards are all of one colour brings that side a bonus; one whose face-down "
            "cards are all of one colour costs that side the same.",
            False: "Only single cards count.",
        },
        title="Bonuses for pure cities",
    ),
    Option(
        "pure_bonus_points",
        (3, 5),
        3,
        "TW-20",
        "what a pure city brings and a massacre costs",
        {3: "As the rule says.", 5: "As in one of the published examples: purity weighs more."},
        title="Points for a pure city",
    ),
    Option(
        "kill_balance",
        (True, False),
        False,
        "TW-21",
        "face-down cards count against their side",
        {True: "What you lose is taken off your score.", False: "Killed cards are merely lost."},
        title="Killed cards count against their side",
    ),
    Option(
        "city_keepers",
        (True, False),
        False,
        "TW-22",
        "everyone plays for themselves",
        {
            True: "You score your own city alone, in your own colour; your teammate becomes a rival.",
            False: "Two sides: all cities count for both.",
        },
        title="Everyone plays alone",
    ),
    Option(
        "long_run",
        (True, False),
        False,
        "TW-23",
        "thirteen cards and tricks a round",
        {True: "The whole deck is dealt: nothing stays out of play.", False: "Nine cards each, eight with six cities."},
        _long_run_refused,
        title="Long run: thirteen tricks a round",
    ),
    Option(
        "exchange",
        (True, False),
        True,
        "TW-24",
        "in a long run, opposite players exchange a card before the first trick",
        {True: "Each gives a card to the player opposite.", False: "The cards are played as dealt."},
        title="Exchange a card before a long run",
    ),
    Option(
        "rounds",
        range(1, 100),
        lambda players, before: 6 if players > 4 else 4,
        "TW-5",
        "how many rounds a game has",
        title="Rounds",
    ),
)


def advice(players: int, options: Options) -> list[str]:
    """Return the warnings for these options; the published rules advise against some combinations."""
    if options["long_run"] and options["kill_balance"]:
        return ["The published rules advise against a long run with kill balance."]
    return []


GAME = Game.made_of(
    heuristic,
    knowledge,
    legal,
    rules,
    words,
    fast=fast,
    id="trick-walls",
    title="Trick Walls",
    prefix="TW",
    summary="Two sides, red and black, play tricks to leave their own colour face up in the city walls.",
    credit="Trick Walls 6.3.1 (2021), from one Finnish designer's collection of card games.",
    players=range(2, 7),
    field_words=FIELD_WORDS,
    options=OPTIONS,
    advice=advice,
)
