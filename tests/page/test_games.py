"""Every installed game, played on the page by choosing things that can be chosen."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.page.bot_tables import played_by_bots, played_on
from tests.page.layout_checks import SIDEWAYS, SPILLED, TARGETS
from tests.page.pictures import resize
from tests.page.play import TURN, by_keyboard, by_mouse, choose_on, wait_for_turn
from tests.page.quick_tables import GAMES, MOST, QUICK, play_on, quick_table

LATE = 24
"""Number of the last events that are played of a game without an option of :data:`QUICK`."""


def table_near_its_end(room, name):
    """Open a table that continues a game of bots near its end."""
    players = GAMES[name].players[0]
    table, seen = played_by_bots(room, name, players, {})
    return played_on(room, table, seen - LATE, players)


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played_by_selection(room, name):
    page = room.page()
    quick = any(option.name in QUICK for option in GAMES[name].options)
    room.sit(page, quick_table(room, name) if quick else table_near_its_end(room, name))
    assert play_on(page, by_mouse(page), Random(7), MOST), "the game does not come to an end"
    expect(page.locator("[data-sheet=end] h2")).not_to_be_empty()


@pytest.mark.parametrize("name", GAMES)
def test_a_part_of_a_game_is_played_by_keyboard_alone(room, name):
    page = room.page()
    room.sit(page, quick_table(room, name))
    play_on(page, by_keyboard(page), Random(5), 6)


@pytest.mark.parametrize("name", GAMES)
def test_a_phone_shows_the_game_without_horizontal_scrolling(room, name):
    page = room.page(360, 780)
    room.sit(page, quick_table(room, name))
    for _ in range(3):
        if choose_on(page, Random(3), by_mouse(page)) == "end":
            break
        for width in (390, 360):
            resize(page, (width, 780))
            assert page.evaluate(SIDEWAYS) <= 0
            assert page.evaluate(SPILLED) == []
            assert page.evaluate(TARGETS) == []


def test_a_picked_card_is_raised_and_escape_unpicks_it(room):
    page = room.page()
    name = next(game for game in GAMES if composes(room, page, game))
    assert name
    page.locator(".hand .may").first.click()
    expect(page.locator("[aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("[aria-pressed=true]")).to_have_count(0)
    page.locator(".hand .may").first.click()
    page.locator(".hand .picked").first.click()
    expect(page.locator("[aria-pressed=true]")).to_have_count(0)


def composes(room, page, name):
    """Return whether actions of a game's first turn need several tokens; the page stays there."""
    room.sit(page, quick_table(room, name))
    wait_for_turn(page)
    return page.locator(TURN).count() > 0 and page.locator(".hand .may[aria-pressed]").count() > 0
