"""Trime Kicker, also Triple-Up Buster: four piles begin with a three, and the player of a pile's last card owns it.

Follows the rulebook's clauses TK-1 to TK-19. Deviations: none. ``rules.py`` holds the rules, ``knowledge.py`` what
each seat knows, and ``words.py`` the notation, the zones and the refusals.
"""

from parlour.engine.game import Game, Option
from parlour.games.trime_kicker import heuristic, knowledge, rules, words
from parlour.games.trime_kicker.field_words import FIELD_WORDS

OPTIONS = (
    Option(
        "ace",
        ("around", "high", "low"),
        "around",
        "TK-6",
        "where the ace stands",
        {
            "around": "The ace goes on a king, and a two on an ace: every card can be laid some day.",
            "high": "The ace goes on a king, and no two can ever be laid.",
            "low": "Nothing goes on a king but a king and a multiple of four; no ace and no two can ever be laid.",
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
        "whom the judge orders to move if both could",
        {
            "behind": "The player who has laid fewer cards.",
            "leader": "The player who has more points as the piles stand.",
        },
        title="Whom the judge orders if both could move",
        titles={"behind": "Who has laid fewer cards", "leader": "Who has more points"},
    ),
)

GAME = Game.made_of(
    heuristic,
    knowledge,
    rules,
    words,
    id="trime-kicker",
    title="Trime Kicker",
    prefix="TK",
    summary="Lay cards on four piles that begin with threes; whoever laid a pile's last card owns it.",
    credit="Trime Kicker, also Triple-Up Buster, comes from the fictional world of Venturia.",
    players=range(2, 3),
    field_words=FIELD_WORDS,
    options=OPTIONS,
)
