"""Bytes of a first visit, compressed as a browser receives them."""

import pytest
from playwright.sync_api import expect

from parlour.languages import LANGUAGES
from tests.page.play import wait_for_turn

MOST_BYTES = 130_000
SIZES = "performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => [name, encodedBodySize])"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("place", ["landing", "table"])
def test_a_first_visit_loads_less_than_130_kilobytes(room, place, language):
    page = room.page()
    page.context.add_cookies([{"name": "language", "value": language, "url": room.address}])
    if place == "table":
        room.sit(page, room.table())
        wait_for_turn(page)
    else:
        page.goto(room.address)
        page.wait_for_selector(".game .stage .area")
    sizes = dict(page.evaluate(SIZES))
    assert any(name.endswith(".js") and size for name, size in sizes.items())
    assert sum(sizes.values()) < MOST_BYTES, sizes


@pytest.mark.parametrize("file", ["js/common/language.js", "js/landing/lobby.js"])
def test_a_page_whose_script_was_refused_says_so_and_loads_again_by_itself(room, file):
    page, refusals = room.page(), []
    room.expected += ("429", "dynamically imported module")

    def refuse_once(route):
        if refusals:
            route.continue_()
        else:
            refusals.append(
                route.fulfill(status=429, headers={"Retry-After": "1"}, json={"error": "too many requests"})
            )

    page.route(f"**/{file}", refuse_once)
    page.goto(room.address)
    expect(page.locator("#incomplete")).to_be_visible()
    page.wait_for_selector(".game .stage .area")
    expect(page.locator("#incomplete")).to_be_hidden()
