"""The moments with reference pictures: five games, and special layouts."""

from collections.abc import Callable
from functools import partial

from playwright.sync_api import Page

from tests.page import staged_tables
from tests.page.staged_tables import StagedTable, random_match

OpenMoment = Callable[[Page, str], None]

WAITS = {"there": [0, 1], "talk": "words", "clocks": {"left": [122_000, 80_000], "running": None}}
"""The company of two people with stopped clocks."""


def table(*game, options=None, seed=1, **more) -> OpenMoment:
    """Return a function that opens a table; only its call plays the game."""
    return lambda page, address: staged_tables.open_table(
        page, address, StagedTable(random_match(*game, options, seed), **more)
    )


def replay(*game, seed=1, at=30) -> OpenMoment:
    return lambda page, address: staged_tables.open_replay(page, address, random_match(*game, seed=seed), at)


GAMES: dict[str, OpenMoment] = {
    "trick-walls": table("trick-walls", 4, 22),
    "castle-walls": table("castle-walls", 2, 34, seed=3),
    "trime-kicker": table("trime-kicker", 2, 14),
    "tricky-tribes": table("tricky-tribes", 4, 14),
    "three-tricks": table("three-tricks", 2, 12),
}
"""One moment of each game."""

OTHERS: dict[str, OpenMoment] = {
    "three-players": table("tricky-tribes", 3, 16),
    "five-players": table("trick-walls", 5, 24),
    "six-players": table("tricky-tribes", 6, 20),
    "six-cities": table("trick-walls", 6, 20),
    "ten-cards": table("tricky-tribes", 3, 3, options={"hand_cards": 10}),
    "thirteen-cards": table("trick-walls", 4, 3, options={"long_run": True}),
    "opened-cards": table("castle-walls", 2, 120, seed=5),
    "opened-cards-replay": replay("castle-walls", 2, 130, seed=5, at=120),
    "a-wish": table("three-tricks", 2, 12, people=2, company={**WAITS, "undo_request": {"seat": 1, "waiting": [0]}}),
    "getting-ready": table("castle-walls", 2, 34, seed=3, company={"readying": True}),
    "talk": table("three-tricks", 2, 12, people=2, company=WAITS, said=((1, "Good luck!"), (1, "and a good evening"))),
    "connection-lost": table("tricky-tribes", 4, 14, lost=True),
    "lesson": partial(staged_tables.open_lesson_step, game="castle-walls", step=1),
    "replay": replay("castle-walls", 2, 60),
    "replay-of-four": replay("trick-walls", 4, 60),
    "setup": partial(staged_tables.open_setup, game="tricky-tribes"),
    "landing": staged_tables.open_landing,
    "own-games": staged_tables.open_own_games,
    "invitation": staged_tables.open_invitation,
}
"""Further moments: other games, sizes, panels and pages."""
