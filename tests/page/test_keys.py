"""The keyboard: arrows up and down, and a visible focus."""

import pytest

from tests.page import staged_tables
from tests.page.moments import GAMES
from tests.page.staged_tables import StagedTable, random_match

AT = """() => {
    const focused = document.activeElement;
    const part = ['.hand', '.actions', '.board'].find(place => focused.closest(place)) ?? '';
    const { left, top, width, height } = focused.getBoundingClientRect();
    return [part, left + width / 2, top + height / 2];
}"""


def where(page):
    """Return the focused part of the table, and the centre of the focused thing."""
    return page.evaluate(AT)


def test_arrows_lead_from_the_hand_to_the_table_and_back(room):
    page = room.page()
    GAMES["three-tricks"](page, room.address)
    page.locator(".hand .card").nth(1).focus()
    page.keyboard.press("ArrowRight")
    before = where(page)
    assert before[0] == ".hand"
    for key, way, goal in (("ArrowUp", -1, ".board"), ("ArrowDown", 1, ".hand")):
        for _ in range(4):
            page.keyboard.press(key)
            now = where(page)
            assert (now[2] - before[2]) * way > 0
            before = now
            if now[0] == goal:
                break
        assert before[0] == goal


def test_an_arrow_leads_to_the_nearest_thing(room):
    page = room.page()
    GAMES["castle-walls"](page, room.address)
    page.locator(".own [data-do]").first.focus()
    page.keyboard.press("ArrowRight")
    _, x, y = where(page)
    page.keyboard.press("ArrowUp")
    _, above_x, above_y = where(page)
    others = page.evaluate(CENTRES)
    higher = [(ox, oy) for ox, oy in others if y - oy > 12]
    assert [above_x, above_y] == list(min(higher, key=lambda at: 2 * (y - at[1]) + abs(at[0] - x)))


CENTRES = """() => {
    const things = document.querySelectorAll(':is(.hand, .actions, .board) :is([data-do], [data-button])');
    return [...things].map(thing => {
        const { left, top, width, height } = thing.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    });
}"""

RING = """() => {
    const bright = colour => {
        const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
            .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(document.activeElement);
    const ground = getComputedStyle(document.body).backgroundColor;
    const [one, other] = [outlineColor, ground].map(bright).sort((a, b) => b - a);
    return [document.activeElement.className, outlineStyle, parseFloat(outlineWidth), (one + 0.05) / (other + 0.05)];
}"""
MANY = "document.querySelectorAll(':is(.hand, .actions, .board) :is([data-do], [data-button])').length"


@pytest.mark.parametrize("name", GAMES)
def test_the_focused_element_always_has_a_ring(room, name):
    page = room.page()
    GAMES[name](page, room.address)
    page.keyboard.press("ArrowRight")
    rings = []
    for _ in range(page.evaluate(MANY)):
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            rings.append(page.evaluate(RING))
        page.keyboard.press("ArrowRight")
    assert len(rings) > 6
    assert [ring for ring in rings if ring[1] != "solid" or ring[2] < 4 or ring[3] < 3] == []


def test_a_slot_that_continues_the_selection_has_a_focus_ring(room):
    page = room.page()
    staged_tables.open_table(page, room.address, StagedTable(random_match("three-tricks", 2, 12)))
    page.locator(".hand .may").first.click()
    page.keyboard.press("2")
    focused = page.evaluate(RING)
    assert "may" in focused[0]
    assert focused[1:3] == ["solid", 4]
