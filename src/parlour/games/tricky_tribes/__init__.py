"""Tricky Tribes 3.2: cards played face down, red ones to be collected and black ones to be spared.

Follows the rulebook's clauses TT-1 to TT-28. Deviations: none. ``rules.py`` holds the rules, ``knowledge.py`` what
each seat knows, and ``words.py`` the notation, the zones and the refusals.
"""

from parlour.engine.game import NO_LIMIT, Game, Option, Options, Value
from parlour.games.tricky_tribes import heuristic, knowledge, rules, words
from parlour.games.tricky_tribes.field_words import FIELD_WORDS


def _few_players(players: int, value: Value) -> str | None:
    return "only for two or three players" if players > 3 else None


def _dummy_refused(players: int, value: Value) -> str | None:
    if players == 2:
        return "two players need the dummy tribe (TT-24)"
    return "a dummy tribe is for two or three players (TT-24)" if players > 3 else None


def _teams_refused(players: int, value: Value) -> str | None:
    """TT-27: return why these teams are impossible, or ``None``."""
    if players < 4:
        return "teams are for four to six players (TT-27)"
    if value == "trios" and players != 6:
        return "trios are for six players (TT-27)"
    letters = rules.sides_of(players, value)
    if len(letters) != players:
        return "there must be a letter for each player (TT-27)"
    if any(letters[seat] == letters[seat - 1] for seat in range(players)):
        return "two neighbours around the ring share a letter (TT-27)"
    # as neighbours differ, no letter stands for more than half of the players
    return "no letter stands for two or three players (TT-27)" if len(set(letters)) == players else None


def default_target(players: int, before: Options) -> int:
    """TT-17: return the default target, which depends on the size of the teams."""
    letters = rules.sides_of(players, before["teams"])
    if len(set(letters)) == players:
        return 15
    return 50 if any(letters.count(letter) == 3 for letter in letters) else 30


OPTIONS = (
    Option(
        "jokers",
        (0, 1, 2),
        0,
        "TT-20",
        "how many jokers are shuffled in",
        {0: "No jokers.", 1: "One, worth 10 and at home in every colour.", 2: "Two; six players exchange cards again."},
        title="Jokers",
    ),
    Option(
        "cut_deck",
        (True, False),
        lambda players, before: players < 4,
        "TT-22",
        "the 2s and 3s are left out",
        {True: "Fewer cards stay in the deck, so more can be counted on.", False: "All cards are in use."},
        _few_players,
        title="Without twos and threes",
    ),
    Option(
        "hand_cards",
        (9, 10),
        9,
        "TT-23",
        "cards in a hand, and so tricks in a round",
        {9: "As usual; with six players it is eight.", 10: "One trick more."},
        _few_players,
        title="Cards in a hand",
    ),
    Option(
        "dummy",
        (True, False),
        lambda players, before: players == 2,
        "TT-24",
        "a dummy tribe joins, which plays the top of the deck",
        {True: "Every trick has a card that nobody knows.", False: "Only players play."},
        _dummy_refused,
        title="A dummy tribe plays along",
    ),
    Option(
        "teams",
        ("none", "pairs", "trios"),
        "none",
        "TT-27",
        "who plays together",
        {
            "none": "Everyone plays alone.",
            "pairs": "Partners sit apart; with five players the fifth plays alone and counts double.",
            "trios": "Two teams of three, seated in turn; for six players.",
        },
        _teams_refused,
        "[A-Z]+",
        "a capital letter for each player, clockwise, such as ABACAD",
        title="Teams",
    ),
    Option(
        "target",
        range(1, NO_LIMIT),
        default_target,
        "TT-17",
        "how many points end the game; with teams 30 unless another number is said, 50 if one has three players",
        title="Points that end the game",
    ),
    Option(
        "rounds",
        range(0, NO_LIMIT),
        0,
        "TT-18",
        "how many rounds a game has; 0 for a game to the target",
        title="Rounds",
    ),
    Option(
        "difference",
        (True, False),
        False,
        "TT-19",
        "two sides keep only the lead of one over the other",
        {True: "The target is a lead: a far longer game.", False: "Both sides' points are kept."},
        title="Only the lead counts",
    ),
)


def conflict(players: int, options: Options) -> str | None:
    """TT-19: return why these options exclude each other, or ``None``."""
    sides = len(set(rules.sides_of(players, options["teams"])))
    if options["difference"] and sides != 2:
        return f"difference=true is for exactly two sides, and here are {sides} (TT-19)"
    return None


GAME = Game.made_of(
    heuristic,
    knowledge,
    rules,
    words,
    id="tricky-tribes",
    title="Tricky Tribes",
    prefix="TT",
    summary="Tribes play cards face down, to collect red sacrifices and be spared black ones.",
    credit="Tricky Tribes 3.2 (2023), from one Finnish designer's collection of card games.",
    players=range(2, 7),
    field_words=FIELD_WORDS,
    options=OPTIONS,
    conflict=conflict,
)
