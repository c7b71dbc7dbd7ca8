"""Hints and reviews in a browser."""

import asyncio
import re
import threading

import pytest
from playwright.sync_api import expect

from parlour.server.table.bots import readiness
from tests.page.axe import violations
from tests.page.pictures import resize
from tests.page.play import play_a_card, wait_for_turn
from tests.page.staged_tables import StagedTable, open_table, random_match


@pytest.mark.parametrize("width", [1280, 360])
def test_a_hint_shows_the_best_action_first_with_reasons(room, width):
    page = room.page(width=width, height=740)
    room.sit(page, room.table())
    assert wait_for_turn(page) == "turn"
    page.get_by_role("button", name="A hint").click()
    sheet = page.locator("[data-sheet=hint] .hint-sheet")
    expect(sheet.locator(".best .hint-bar")).to_be_visible(timeout=60_000)
    best = sheet.locator(".best [data-hint]")
    card, phrase = best.get_attribute("data-hint"), sheet.locator(".best .hint-what b").text_content()
    words = f"(It seems best to|You can only) {phrase[0].lower()}{phrase[1:]}: your chance"
    expect(sheet.get_by_text(re.compile(words))).to_be_visible()
    expect(page.locator(".room .lit")).to_have_attribute("data-token", card)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    lines = page.locator(".side-panel .log li").count()
    best.click()
    expect(page.locator("[data-sheet=hint]")).to_have_count(0)
    expect(page.locator(".side-panel .log li").nth(lines)).to_be_attached()
    assert page.locator(f".hand [data-token='{card}']").count() == 0
    assert page.locator(".room .lit").count() == 0


COVERED = """() => {
    const box = one => document.querySelector(one).getBoundingClientRect();
    const [sheet, lit] = ['[data-sheet=hint]', '.hand .lit'].map(box);
    return sheet.left < lit.right && sheet.right > lit.left && sheet.top < lit.bottom && sheet.bottom > lit.top;
}"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (740, 360), (844, 390)])
def test_a_hint_does_not_cover_the_card_that_it_lights(room, size):
    page = room.page(*size)
    open_table(page, room.address, StagedTable(random_match("tricky-tribes", 3, 3, options={"hand_cards": 10})))
    card = page.locator(".hand .may").last.get_attribute("data-token")
    page.evaluate(
        """async card => {
        const { HintSheet } = await import('/page/js/table/hint.js');
        const choices = [{ do: 'it', tokens: [card] }];
        const room = document.querySelector('.room');
        const sheet = new HintSheet({ scene: () => ({ seen: 1, choices }), room, act: () => true });
        const texts = { chance: '50 %', interval: '40 to 60 %', verdict: '' };
        const candidate = { do: 'it', phrase: 'do it', win: { value: .5, low: .4, high: .6 }, texts };
        sheet.show({ seen: 1, candidates: Array(4).fill(candidate), others: 3, words: ['It is best.'] }, 1);
    }""",
        card,
    )
    expect(page.locator(".hand .lit")).to_have_count(1)
    assert not page.evaluate(COVERED)


def test_the_table_says_that_the_game_is_being_compiled(room, monkeypatch):
    ready = threading.Event()

    async def wait(readiness, game):
        while not ready.is_set():
            await asyncio.sleep(0.05)

    monkeypatch.setattr(readiness.Readiness, "is_ready", lambda readiness, game: ready.is_set())
    monkeypatch.setattr(readiness.Readiness, "wait", wait)
    page = room.page()
    room.sit(page, room.table())
    assert wait_for_turn(page) == "turn"
    page.get_by_role("button", name="A hint").click()
    for width in (1280, 360):
        resize(page, (width, 740))
        for place in (page.locator(".dock"), page.locator("[data-sheet=hint] .hint-sheet")):
            expect(place.get_by_text("Getting ready to think ahead")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("Escape")
    ready.set()
    expect(page.locator(".dock").get_by_text("Getting ready to think ahead")).to_have_count(0)


def test_no_hint_is_offered_among_people(room):
    page = room.page()
    room.sit(page, room.table(friends=1))
    expect(page.get_by_role("button", name="This table", exact=True)).to_be_visible()
    page.request.post(f"{room.address}/api/tables/{page.url.rsplit('/', 1)[1]}/seats", data={"seat": 1, "name": "Bo"})
    expect(page.locator(".hand .card").first).to_be_visible()
    expect(page.get_by_role("button", name="A hint")).to_have_count(0)


def test_the_decisions_of_a_review_link_to_their_events(room):
    page = room.page(1280, 800)
    room.sit(page, room.table(players=2, options={"rounds": 1}))
    while wait_for_turn(page) == "turn":
        play_a_card(page)
    page.locator("dialog[data-sheet=end]").get_by_role("link", name="Review the game").click()
    expect(page.locator(".review-graph svg")).to_be_visible(timeout=240_000)
    expect(page.get_by_role("radio", name="You")).to_be_checked()
    assert violations(page) == []
    page.emulate_media(color_scheme="light")
    for width in (360, 1280):
        resize(page, (width, 800))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    for summary in page.locator(".review-page summary").all():
        assert summary.bounding_box()["height"] >= 44
        summary.click()
    row = page.locator("a.decision:visible").first
    seen = row.get_attribute("data-seen")
    marks = [mark for mark in ("Blunder", "Mistake", "Slip", "Good find") if mark in row.text_content()]
    row.click()
    expect(page).to_have_url(re.compile(rf"/game/[^/]+\?review#{seen}$"))
    expect(page.locator(".counter")).to_contain_text(seen)
    for mark in marks:
        expect(page.locator(".prompt .decision-mark")).to_contain_text(mark)
    page.go_back()
    page.get_by_role("link", name="To the table").click()
    expect(page).to_have_url(re.compile("/table/"))
