"""Trick Walls: the options."""

from parlour.engine.game import Option, Value
from parlour.languages import gettext


def _long_run_refusal(players: int, value: Value) -> str | None:
    """TW-23: return why a long run is impossible, or ``None``."""
    return gettext("a long run is for two to four players (TW-23)") if players > 4 else None


OPTIONS = (
    Option(
        "pure_bonuses",
        (True, False),
        True,
        "TW-20",
        "pure cities and massacres count extra",
        {
            True: "A city whose face-up cards are all of one colour counts extra for that colour; one whose "
            "face-down cards are all of one colour counts against it.",
            False: "Only single cards count.",
        },
        title="Bonuses for pure cities",
    ),
    Option(
        "pure_bonus_points",
        range(1, 21),
        3,
        "TW-20",
        "with bonuses for pure cities, the points for such a city; a massacre costs the same by default",
        {3: "As the rule says.", 5: "As in one of the published examples: purity weighs more."},
        title="Points for a pure city",
        tried=(1, 5, 20),
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
            False: "There are two sides, and every city counts for the side of each card.",
        },
        title="Everyone plays alone",
    ),
    Option(
        "long_run",
        (True, False),
        False,
        "TW-23",
        "a long round, by default of thirteen cards and tricks, that can begin with an exchange",
        {
            True: "By default the whole deck is dealt: nothing stays out of play.",
            False: "By default nine cards each, eight with six cities.",
        },
        _long_run_refusal,
        title="Long run: usually thirteen tricks a round",
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
        "the rounds of a game",
        title="Rounds",
    ),
    Option(
        "hand_cards",
        range(1, 14),
        lambda players, before: 13 if before["long_run"] else 8 if players > 4 else 9,
        "TW-6",
        "the cards dealt to a city, and so the tricks of a round",
        title="Cards and tricks of a round",
        limits=lambda players: range(1, 9 if players > 4 else 14),
        tried=(1, 2, 5, 8, 13),
    ),
    Option(
        "massacre_points",
        range(0, 21),
        lambda players, before: before["pure_bonus_points"],
        "TW-20",
        "with bonuses for pure cities, the points that a side loses for a city whose face-down cards are all of one "
        "colour",
        {0: "A massacre costs nothing."},
        title="Points for a massacre",
        advanced=True,
    ),
    Option(
        "court_points",
        range(0, 11),
        2,
        "TW-17",
        "the points of a jack, queen, king or ace",
        title="Points of a jack, queen, king or ace",
        advanced=True,
    ),
    Option(
        "plain_points",
        range(0, 11),
        1,
        "TW-17",
        "the points of a card from two to ten",
        title="Points of a lower card",
        advanced=True,
    ),
    Option(
        "killed_court_points",
        range(0, 11),
        lambda players, before: before["court_points"],
        "TW-21",
        "with kill balance, the points that a side loses for a killed jack, queen, king or ace",
        title="Cost of a killed jack, queen, king or ace",
        advanced=True,
    ),
    Option(
        "killed_plain_points",
        range(0, 11),
        lambda players, before: before["plain_points"],
        "TW-21",
        "with kill balance, the points that a side loses for a killed card from two to ten",
        title="Cost of a killed lower card",
        advanced=True,
    ),
    Option(
        "led_ace",
        (1, 14),
        1,
        "TW-9",
        "the rank of an ace that starts a trick",
        {1: "It is the lowest card, and every card of its suit rises above it.", 14: "It kills all other cards."},
        title="An ace that starts a trick counts",
        advanced=True,
    ),
    Option(
        "half_time",
        range(0, 11),
        2,
        "TW-3",
        "the number of rounds after which teammates change places; 0 for never",
        {0: "All players keep their places."},
        title="Rounds between changes of place",
        advanced=True,
    ),
    Option(
        "dummy_open",
        range(0, 14),
        3,
        "TW-13",
        "the face-up cards of a dummy city",
        {0: "A dummy plays blindly, from the top of its pile."},
        title="Open cards of a dummy city",
        advanced=True,
    ),
)
