"""The sheet about a table: its people and onlookers, the viewer's name, and resigning."""

import re

import pytest
from playwright.sync_api import expect

TOOL = "[data-tool=people]"


@pytest.fixture
def ann(room):
    """Return the page of a player at a table with a bot, and the table."""
    page = room.page()
    table = room.table(2, {}, game="castle-walls")
    room.sit(page, table)
    page.wait_for_selector(".board .area")
    return page, table


def test_the_player_sees_onlookers_come_and_go_with_the_names_that_they_give(room, ann):
    page, table = ann
    onlooker = room.page(name="")
    onlooker.goto(f"{room.address}/table/{table['table']}")
    expect(page.locator(TOOL)).to_have_attribute("aria-label", "This table; 1 looks on")
    onlooker.click(TOOL)
    onlooker.get_by_label("Your name, for those who play").fill("Zoe")
    onlooker.keyboard.press("Enter")
    page.click(TOOL)
    expect(page.get_by_text("Looking on: Zoe.")).to_be_visible()
    onlooker.reload()
    expect(page.get_by_text("Looking on: Zoe.")).to_be_visible()
    onlooker.goto(f"{room.address}/healthz")
    expect(page.get_by_text("Looking on")).to_be_hidden()


def test_a_player_takes_a_new_name_and_resigns_after_a_question(ann):
    page, _ = ann
    page.click(TOOL)
    page.get_by_label("Your name at this table").fill("Annabel")
    page.get_by_role("button", name="Change").click()
    expect(page.locator(".note")).to_have_text("You are Annabel now.")
    assert page.evaluate("JSON.parse(localStorage.parlour).name") == "Annabel"
    page.click(TOOL)
    page.get_by_role("button", name="Resign …").click()
    expect(page.locator("[data-sheet=resign]")).to_contain_text("you have lost it")
    page.get_by_role("button", name="No, play on").click()
    page.click(TOOL)
    page.get_by_role("button", name="Resign …").click()
    page.get_by_role("button", name="Yes, resign").click()
    expect(page.locator("[data-sheet=end] h2")).to_have_text(re.compile(r"You resign\. \w+ wins\."))
    expect(page.locator("[data-sheet=end] [data-go=game]")).to_be_visible()
    expect(page.locator("[data-sheet=end] [data-go=review]")).to_have_count(0)
    page.click(TOOL)
    expect(page.locator("[data-sheet=people] [data-go=resign]")).to_have_count(0)


def test_a_game_played_to_its_end_offers_no_hint_and_no_resignation(room):
    page = room.page()
    room.sit(page, room.table(2, {"stall_turns": 1}, game="three-tricks"))
    hint = page.locator("[data-tool=hint]")
    page.wait_for_selector("[data-button=pass], [data-sheet=end]")
    if page.locator("[data-button=pass]").count():
        expect(hint).to_be_visible()
        page.click("[data-button=pass]")
    expect(page.locator("[data-sheet=end]")).to_be_visible()
    expect(hint).to_be_hidden()
    page.click(TOOL)
    expect(page.locator("[data-sheet=people] .seats-now")).to_be_visible()
    expect(page.locator("[data-sheet=people] .name-line")).to_have_count(0)  # the names of a finished game stay
    expect(page.locator("[data-go=resign]")).to_have_count(0)
