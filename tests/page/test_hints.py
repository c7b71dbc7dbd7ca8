"""Hints and reviews in a browser."""

import asyncio
import re
import threading

import pytest
from playwright.sync_api import expect

from parlour.server import warming
from tests.page.play import play_a_card, wait_for_turn


@pytest.mark.parametrize("width", [1280, 360])
def test_a_hint_shows_the_best_action_first_and_says_why(room, width):
    page = room.page(width=width, height=740)
    room.sit(page, room.table())
    assert wait_for_turn(page) == "turn"
    page.get_by_role("button", name="A hint").click()
    sheet = page.locator("[data-sheet=hint] .hint-sheet")
    expect(sheet.locator(".best .hint-bar")).to_be_visible(timeout=60_000)
    best = sheet.locator(".best .card").get_attribute("data-card")
    expect(sheet.get_by_text(re.compile(f"^{best} (seems best|is all you can do)"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("Escape")
    play_a_card(page)


def test_while_a_game_is_made_ready_the_table_says_why_nothing_happens(room, monkeypatch):
    ready = threading.Event()

    async def wait(readiness, game):
        while not ready.is_set():
            await asyncio.sleep(0.05)

    monkeypatch.setattr(warming.Readiness, "of", lambda readiness, game: ready.is_set())
    monkeypatch.setattr(warming.Readiness, "wait", wait)
    page = room.page()
    room.sit(page, room.table())
    assert wait_for_turn(page) == "turn"
    page.get_by_role("button", name="A hint").click()
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        for place in (page.locator(".dock"), page.locator("[data-sheet=hint] .hint-sheet")):
            expect(place.get_by_text("Getting ready to think ahead")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("Escape")
    ready.set()
    expect(page.locator(".dock").get_by_text("Getting ready to think ahead")).to_have_count(0)


def test_among_people_the_page_offers_none(room):
    page = room.page()
    room.sit(page, room.table(friends=1))
    expect(page.get_by_role("button", name="Invite")).to_be_visible()
    page.request.post(f"{room.address}/api/tables/{page.url.rsplit('/', 1)[1]}/seats", data={"seat": 1, "name": "Bo"})
    expect(page.get_by_role("button", name="A hint")).to_have_count(0)


def test_a_finished_game_shows_its_review(room):
    page = room.page(360, 740)
    room.sit(page, room.table(players=2, options={"rounds": 1}))
    while wait_for_turn(page) == "turn":
        play_a_card(page)
    review = page.locator("dialog[data-sheet=end] [data-place=review]")
    review.get_by_role("button", name="Review the game").click()
    expect(review.get_by_role("img")).to_be_visible(timeout=120_000)
    page.wait_for_function("() => document.querySelector('.review-graph').naturalWidth > 0")
    game = page.url.replace("/table/", "/game/")
    for scheme, width, drawing in (("light", 360, "svg.narrow"), ("dark", 1280, "svg.wide")):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(game)
        if width == 360:
            page.get_by_role("button", name="More …").click()
        page.get_by_role("button", name="Review the game").locator("visible=true").click()
        place = page.locator("[data-place=review]").locator("visible=true")
        expect(place.get_by_role("img")).to_be_visible()
        place.get_by_role("link", name="Every decision").click()
        expect(page.get_by_role("heading", name="The same deal, played by the strongest bot")).to_be_visible()
        expect(page.locator(drawing)).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
