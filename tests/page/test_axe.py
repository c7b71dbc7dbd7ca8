"""Pages, tables and sheets without violations that axe finds, in light and dark."""

import pytest
from playwright.sync_api import expect

from tests.page.axe import violations
from tests.page.bot_tables import late_table
from tests.page.network import in_network
from tests.page.play import play_a_card, wait_for_turn
from tests.page.quick_tables import GAMES, quick_table
from tests.page.staged_tables import open_own_games


def test_the_landing_has_no_violations(room):
    page = room.page()
    page.goto(room.address)
    page.wait_for_selector(".play")
    expect(page.locator(".picture .board .card").nth(4)).to_be_attached()
    assert violations(page) == []


def test_the_page_of_ones_own_games_has_no_violations(room):
    page = room.page()
    open_own_games(page, room.address)
    for summary in page.locator(".own-devices summary").all():
        summary.click()
    page.locator("[data-go=words]").click()
    expect(page.locator(".own-words li")).to_have_count(8)
    assert violations(page) == []
    page.locator("[data-go=forget]").click()
    page.wait_for_selector("[data-sheet=forget]")
    assert violations(page) == []


def test_the_setup_page_has_no_violations(room):
    page = room.page()
    in_network(page, room.address)
    page.goto(f"{room.address}/games/trick-walls")
    page.locator("#seat-1").select_option("open")
    page.locator("#listed").check()
    expect(page.locator("#manners-talk")).to_be_visible()
    assert violations(page) == []
    page.locator(".setup .play").click()
    page.locator(".door .show-code").click()
    expect(page.locator(".door .link-code svg")).to_be_visible()
    assert violations(page) == []


def test_a_lesson_has_no_violations(room):
    page = room.page()
    page.goto(f"{room.address}/learn/trick-walls")
    page.wait_for_selector(".coach-words p")
    assert violations(page) == []
    while page.locator("[data-way=on]").count():
        before = page.locator(".coach-where").text_content()
        page.locator("[data-way=on]").click()
        expect(page.locator(".coach-where")).not_to_have_text(before)
        page.wait_for_selector(".coach-ways button:visible")
    page.locator("[data-way=show]").click()
    assert violations(page) == []


def test_a_replay_has_no_violations(room):
    page = room.page()
    room.sit(page, late_table(room))
    while play_a_card(page) != "end":
        pass
    page.locator("[data-go=game]").click()
    page.wait_for_selector(".board .area")
    assert violations(page) == []
    for _ in range(6):
        page.keyboard.press("PageUp")
        page.keyboard.press("ArrowLeft")
    assert violations(page) == []
    page.locator(".more-of-game").click()
    page.wait_for_selector("[data-sheet=game]")
    assert violations(page) == []
    page.locator("[data-go=on]").click()
    page.wait_for_selector("[data-sheet=on]")
    assert violations(page) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_table_has_no_violations(room, name):
    page = room.page()
    room.sit(page, quick_table(room, name))
    wait_for_turn(page)
    assert violations(page) == []


def test_every_sheet_has_no_violations(room):
    page = room.page()
    room.sit(page, room.table())
    while not page.locator(".side-panel .log .gap").count():
        play_a_card(page)
    wait_for_turn(page)
    for key, sheet in (("s", "score"), ("r", "rules"), ("l", "last"), ("?", "help"), ("c", "talk")):
        page.keyboard.press(key)
        page.wait_for_selector(f"dialog[open][data-sheet={sheet}]")
        assert violations(page) == [], key
        page.keyboard.press("Escape")
    for button, sheet in (("Settings: pace", "settings"), ("This table: who", "people")):
        page.keyboard.press("?")
        page.get_by_role("button", name=button).click()  # in a narrow bar only the help has these buttons
        page.wait_for_selector(f"[data-sheet={sheet}]")
        assert violations(page) == []
        page.keyboard.press("Escape")
    page.keyboard.press("t")
    page.wait_for_selector(".text-view .as-text")
    assert violations(page) == []


def test_the_sheets_at_the_end_of_rounds_and_games_have_no_violations(room):
    page = room.page()
    for sheet, options in (("pause", {"rounds": 2}), ("end", {"rounds": 1})):
        room.sit(page, late_table(room, options=options))
        while play_a_card(page) != sheet:
            pass
        assert violations(page) == []
        page.keyboard.press("Escape")
