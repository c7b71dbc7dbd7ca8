"""3 Tricks: the options."""

from parlour.engine.game import NO_LIMIT, Option, Options
from parlour.games.three_tricks.links import MOST_HAND
from parlour.games.three_tricks.rules import LEAST_HAND, MOST_SWAPPED, MOST_TRICKS


def needed_cards(options: Options) -> int:
    """3T-1, 3T-2: return the cards of all tricks that win."""
    return 2 * (int(options["tricks"]) - 1) + int(options["last_cards"])


def conflict(players: int, options: Options) -> str | None:
    """3T-5, 3T-8: return why a hand is too small to win, or ``None``."""
    needed = needed_cards(options)
    if int(options["hand_cards"]) < needed:
        return f"hand_cards={options['hand_cards']} is too small: the tricks that win have {needed} cards (3T-8)"
    return None


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
    Option(
        "tricks",
        range(2, MOST_TRICKS + 1),
        3,
        "3T-18",
        "how many tricks in a row win",
        {2: "One trick, and then the last: a short game of five cards each.", 3: "As the name says."},
        title="Tricks in a row that win",
        advanced=True,
    ),
    Option(
        "last_cards",
        range(2, 4),
        3,
        "3T-2",
        "the cards of the last trick",
        {2: "The last trick is like the others.", 3: "The last trick is harder to make."},
        title="Cards of the last trick",
        advanced=True,
    ),
    Option(
        "hand_cards",
        range(LEAST_HAND, MOST_HAND + 1),
        7,
        "3T-5",
        "the cards of a full hand; those beyond the tricks that win are left over",
        title="Cards in a hand",
    ),
    Option(
        "swap_limit",
        range(1, MOST_SWAPPED + 1),
        3,
        "3T-7",
        "the most cards that a swap puts away",
        title="Most cards swapped in a turn",
    ),
    Option(
        "stock_end",
        range(0, 21),
        5,
        "3T-19",
        "the game ends if the stock has no more cards than that, and there is no second stock",
        {0: "The stock is used to its last card."},
        title="Cards left in the stock at the end",
        advanced=True,
    ),
)
