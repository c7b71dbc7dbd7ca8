"""Forced actions against bots: the page does the only legal action, unless the player has switched this off."""

import time

import pytest
from playwright.sync_api import expect

from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game
from tests.helpers import play_at_random
from tests.page.play import PATIENCE, show_instead
from tests.page.quick_tables import quick_table

GAME = "trime-kicker"


@pytest.fixture(scope="module")
def forced_match():
    """A game in which the first seat has one legal action."""
    for match in play_at_random(Match(Setup(find_game(GAME), 2)), 5):
        if match.actor == 0 and len(match.moves()) == 1:
            return match.copy()
    raise AssertionError("nothing was ever forced")


@pytest.mark.parametrize("forced", [True, False])
def test_a_forced_action_is_done_by_itself_if_the_setting_says_so(room, forced_match, forced):
    page, done = room.page(forced=forced), []
    page.clock.install()
    show_instead(page, forced_match, done)
    room.sit(page, quick_table(room, GAME))
    page.wait_for_selector(".board .area", timeout=PATIENCE * 1000)
    page.clock.run_for(5000)  # beyond the pause; 5 s after an action without an answer the page sends it again
    if not forced:
        expect(page.locator(".my-turn")).to_be_visible()  # an action on its way would end the turn
    until = time.monotonic() + PATIENCE
    while forced and not done and time.monotonic() < until:
        page.wait_for_timeout(20)
    assert done == (forced_match.legal() if forced else [])
