"""The page's language: the choice in the settings, and the texts before the scripts have come."""

import pytest
from playwright.sync_api import Page, expect

from tests.page.play import wait_for_turn


def _languages(page: Page):
    page.locator("[data-tool=settings]").click()
    return page.get_by_label("Language")


def _cookie(page: Page) -> dict[str, str]:
    return {each["name"]: each["value"] for each in page.context.cookies()}


def test_a_language_is_chosen_at_a_table_and_left_to_the_browser_again(room):
    page = room.page()
    room.sit(page, room.table())
    wait_for_turn(page)
    address = page.url
    expect(_languages(page).locator("option:checked")).to_have_text("As the browser")
    with page.expect_navigation():
        page.locator("[name=language]").select_option("de")
    assert _cookie(page)["language"] == "de"
    assert page.url == address
    wait_for_turn(page)
    page.locator("[data-tool=settings]").click()
    expect(page.locator("[name=language]")).to_have_value("de")
    with page.expect_navigation():
        page.locator("[name=language]").select_option("")
    assert "language" not in _cookie(page)


@pytest.mark.parametrize(("scripts", "words"), [(True, "Einen Moment …"), (False, "JavaScript")])
def test_a_page_whose_scripts_have_not_come_says_that_it_loads_or_why_it_cannot(room, scripts, words):
    context = room.browser.new_context(java_script_enabled=scripts, service_workers="block", locale="de")
    page = context.new_page()
    page.route("**/js/app.js", lambda route: None)  # it never comes
    page.goto(room.address, wait_until="commit")
    page.wait_for_selector("noscript", state="attached")
    assert words in page.inner_text("body")
    expect(page.locator("#app .loading")).to_be_visible(visible=scripts)
    context.close()
