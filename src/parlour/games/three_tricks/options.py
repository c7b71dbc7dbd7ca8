"""3 Tricks: the options."""

from parlour.engine.game import NO_LIMIT, Option, Options
from parlour.games.three_tricks.links import MOST_HAND
from parlour.games.three_tricks.rules import LEAST_HAND, MOST_SWAPPED, MOST_TRICKS
from parlour.languages import ngettext


def needed_cards(options: Options) -> int:
    """3T-1, 3T-2: return the number of cards in the tricks that win."""
    return 2 * (int(options["tricks"]) - 1) + int(options["last_cards"])


def conflict(players: int, options: Options) -> str | None:
    """3T-5, 3T-8: return why a hand is too small to win, or ``None``."""
    needed = needed_cards(options)
    if int(options["hand_cards"]) < needed:
        return ngettext(
            "hand_cards={held} is too small: the tricks that win have {number} card (3T-8)",
            "hand_cards={held} is too small: the tricks that win have {number} cards (3T-8)",
            needed,
            held=str(options["hand_cards"]),
        )
    return None


OPTIONS = (
    Option(
        "replacing_ends_turn",
        (True, False),
        True,
        "3T-14",
        "whether a player who replaces the cards of a blocked second trick uses a turn",
        {
            True: "The player who blocked a second trick plays again at once and may lay any trick.",
            False: "After every block the blocked player is next and may block in turn.",
        },
        title="Drawing new cards after a block is a turn",
    ),
    Option(
        "rank_block",
        ("pair", "any"),
        "pair",
        "3T-11",
        "the tricks that block by rank",
        {
            "pair": "A pair, if its rank is in the other trick.",
            "any": "A run as well, if one of its ranks is in the other trick.",
        },
        title="What blocks by rank",
        titles={"pair": "Pairs only", "any": "Pairs and runs"},
    ),
    Option(
        "stall_turns",
        range(1, NO_LIMIT),
        60,
        "3T-21",
        "the turns in a row without a new trick after which the game ends",
        title="Turns without a trick before the game ends",
    ),
    Option(
        "tricks",
        range(2, MOST_TRICKS + 1),
        3,
        "3T-18",
        "the tricks in a row that win",
        {2: "A short game: one trick, and then the last.", 3: "As in the name of the game."},
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
        "the cards of a full hand",
        title="Cards in a hand",
    ),
    Option(
        "swap_limit",
        range(1, MOST_SWAPPED + 1),
        3,
        "3T-7",
        "the maximum number of cards swapped in a turn",
        title="Most cards swapped in a turn",
    ),
    Option(
        "stock_end",
        range(0, 21),
        5,
        "3T-19",
        "the number of cards left in the stock, without a second stock, at which the game ends",
        {0: "The stock is used to its last card."},
        title="Cards left in the stock at the end",
        advanced=True,
    ),
)
