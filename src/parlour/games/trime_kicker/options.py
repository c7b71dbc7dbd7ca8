"""Trime Kicker: the options."""

from parlour.engine.game import Option
from parlour.games.trime_kicker.rules import LEAST_MAIN, STACKS

OPTIONS = (
    Option(
        "ace",
        ("around", "high", "low"),
        "around",
        "TK-6",
        "the place of the ace among the ranks",
        {
            "around": "The ace comes after the king, and the two after the ace.",
            "high": "The ace comes after the king; no two can ever be laid, unless twos go on every pile.",
            "low": "Nothing is higher than a king; no ace can ever be laid, and no two, unless twos go on every pile.",
        },
        title="Where the ace stands",
        titles={
            "around": "After the king, before the two",
            "high": "After the king only",
            "low": "Below the two: never laid",
        },
    ),
    Option(
        "judge",
        ("behind", "leader"),
        "behind",
        "TK-13",
        "the player whom the judge orders to move if both could",
        {
            "behind": "The player who has laid fewer cards.",
            "leader": "The player who has more points as the piles stand.",
        },
        title="Whom the judge orders if both could move",
        titles={"behind": "Who has laid fewer cards", "leader": "Who has more points"},
    ),
    Option(
        "main_cards",
        range(LEAST_MAIN, STACKS),
        12,
        "TK-2",
        "the cards of each main pile; the rest of a player's 24 cards is the backup",
        title="Cards of a main pile",
        tried=(LEAST_MAIN, 16, STACKS - 1),
    ),
    Option(
        "multiple",
        range(2, 15),
        4,
        "TK-5",
        "a card whose number is a multiple of this goes on every pile",
        title="Multiples that go on every pile",
        advanced=True,
    ),
    Option(
        "reach",
        range(0, 7),
        1,
        "TK-5",
        "the greatest difference of a card from the top card below it",
        {0: "Only equal ranks and multiples can be laid."},
        title="How much higher a card may be",
        advanced=True,
    ),
    Option(
        "pile_points",
        range(1, 21),
        5,
        "TK-16",
        "the points of a pile for its owner",
        title="Points of a pile",
        advanced=True,
    ),
    Option(
        "bonus_points",
        range(0, 21),
        2,
        "TK-16",
        "the points of a top card that has the suit of the pile's three",
        {0: "A bonus only decides between equal points."},
        title="Points of a bonus",
        advanced=True,
    ),
)
