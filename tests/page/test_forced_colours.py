"""The page in the few colours that a system forces, for example by a theme of high contrast."""

import pytest

from tests.page.staged_tables import StagedTable, open_table, random_match

BARS = """slots => slots.map(slot => {
    const bar = getComputedStyle(slot, '::after');
    const at = bar.borderTopStyle !== 'solid' ? 'none' : parseFloat(bar.top) < 0 ? 'above' : 'below';
    return [['to-0', 'to-1'].find(owner => slot.classList.contains(owner)), at];
})"""
"""The owner of each slot as a class, and the place of its bar."""
GROUNDS_OF_SIDES = """([selector, part]) => ["red", "black"].map((side) =>
    getComputedStyle(document.querySelector(`.side-${side} ${selector}`), part).backgroundColor)"""
"""Colours of a part of both sides, read at once: a table is drawn again when its sizes are known."""


def ground(locator, part: str = "") -> str:
    """Return the colour of the ground of an element, or of a part that its style sheet adds."""
    return locator.evaluate("(element, part) => getComputedStyle(element, part).backgroundColor", part)


@pytest.fixture
def setup_page(room):
    page = room.page()
    page.emulate_media(forced_colors="active")
    page.goto(f"{room.address}/games/trick-walls")
    page.wait_for_selector(".setup .play")
    return page


class TestForcedColours:
    @pytest.mark.parametrize("state", [":checked", ":not(:checked)"])
    def test_show_the_knob_of_a_switch(self, setup_page, state):
        switch = setup_page.locator(f".switch{state}").first
        assert ground(switch, "::after") != ground(switch, "::before")

    def test_distinguish_the_chosen_segment(self, setup_page):
        chosen = setup_page.locator(".segment:has(:checked)")
        other = setup_page.locator(".segment:not(:has(:checked))").first
        assert ground(chosen) != ground(other)

    def test_give_a_sheet_an_edge(self, setup_page):
        setup_page.get_by_role("button", name="Settings").click()
        edge = setup_page.locator(".sheet").evaluate("sheet => getComputedStyle(sheet).borderLeftStyle")
        assert edge == "solid"

    def test_leave_the_sides_of_areas_their_colours(self, room):
        page = room.page()
        open_table(page, room.address, StagedTable(random_match("trick-walls", 4, 45)))
        parts = [(".area-sign", ""), (".swatch", ""), (".tier-down", "::before")]
        parts += [(".face-down", ""), (".face-down", "::before")]
        for selector, part in parts:
            before = page.evaluate(GROUNDS_OF_SIDES, [selector, part])
            page.emulate_media(forced_colors="active")
            assert page.evaluate(GROUNDS_OF_SIDES, [selector, part]) == before, selector
            page.emulate_media(forced_colors="none")

    def test_show_the_owner_of_a_pile_by_a_bar_above_or_below(self, room):
        page = room.page()
        page.emulate_media(forced_colors="active")
        open_table(page, room.address, StagedTable(random_match("trime-kicker", 2, 24)))
        bars = page.locator(".row-slot").evaluate_all(BARS)
        assert {bar for owner, bar in bars if owner == "to-0"} == {"below"}
        assert {bar for owner, bar in bars if owner == "to-1"} == {"above"}
        assert {bar for owner, bar in bars if not owner} <= {"none"}
