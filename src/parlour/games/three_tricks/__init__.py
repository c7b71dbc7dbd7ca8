"""3 Tricks: lay three tricks in a row without the other player blocking them.

Follows the rulebook's clauses 3T-1 to 3T-22. Deviations: none. ``rules.py`` holds the rules, ``knowledge.py`` what
each seat knows, ``links.py`` the inferences about shuffled cards, ``words.py`` the notation, the zones and the
refusals.
"""

from parlour.engine.game import NO_LIMIT, Game, Option
from parlour.games.three_tricks import fast, heuristic, knowledge, rules, words
from parlour.games.three_tricks.field_words import FIELD_WORDS

OPTIONS = (
    Option(
        "replacing_ends_turn",
        (True, False),
        True,
        "3T-14",
        "whether replacing the cards of a blocked second trick is that player's turn",
        {
            True: "Whoever blocks a second trick plays again at once, free to lay any trick.",
            False: "After every block the blocked player is next, and may block in turn.",
        },
        title="Drawing new cards after a block is a turn",
    ),
    Option(
        "rank_block",
        ("pair", "any"),
        "pair",
        "3T-11",
        "what blocks by rank",
        {
            "pair": "A pair of a rank among the other's.",
            "any": "A run as well, if one of its ranks is among the other's.",
        },
        title="What blocks by rank",
        titles={"pair": "Pairs only", "any": "Pairs and runs"},
    ),
    Option(
        "stall_turns",
        range(1, NO_LIMIT),
        60,
        "3T-21",
        "after how many turns in a row without a new trick the game ends",
        title="Turns without a trick before the game ends",
    ),
)


GAME = Game.made_of(
    heuristic,
    knowledge,
    rules,
    words,
    fast=fast,
    id="three-tricks",
    title="3 Tricks",
    prefix="3T",
    summary="Lay three tricks in a row, of two, two and three cards, without being blocked.",
    credit="3 Tricks by Winston Harris (2024).",
    players=range(2, 3),
    field_words=FIELD_WORDS,
    options=OPTIONS,
    lines_add_up=False,  # blocked tricks decide, but are no points
)
