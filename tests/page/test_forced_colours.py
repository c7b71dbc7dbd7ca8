"""The page in the few colours that a system forces, for example by a theme of high contrast."""

import pytest


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
