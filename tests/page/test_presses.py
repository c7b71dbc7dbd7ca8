"""Presses, keys and the focus while the page is redrawn: each press does one thing, and none is lost."""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.page.play import progress, wait_for_more, wait_for_turn
from tests.page.quick_tables import quick_table
from tests.page.test_hands import middle_of

REDRAW = "dispatchEvent(new Event('parlour-settings'))"
FOCUSED = "document.activeElement !== document.body"


@pytest.fixture
def form(room) -> Page:
    """Return the form of a new table, with another number typed into the field with the focus."""
    page = room.page()
    page.goto(f"{room.address}/games/trick-walls")
    field = page.locator("#option-rounds")
    field.click()
    field.fill("2")
    return page


class TestAFieldThatIsLeft:
    """The form is redrawn with the number; the press that leaves the field must reach its goal."""

    def test_lets_the_button_open_the_table(self, form):
        with form.expect_request("**/api/tables") as asked:
            form.locator(".setup .play").click()
        assert asked.value.post_data_json["options"] == {"rounds": 2}

    def test_lets_enter_open_the_table(self, form):
        with form.expect_request("**/api/tables") as asked:
            form.keyboard.press("Enter")
        assert asked.value.post_data_json["options"] == {"rounds": 2}

    def test_lets_a_choice_be_pressed(self, form):
        form.mouse.move(*middle_of(form.locator(".setup .segment", has_text="3")))
        form.mouse.down()
        form.mouse.up()
        expect(form.get_by_role("radio", name="3", exact=True)).to_be_checked()

    def test_lets_another_field_have_the_focus(self, form):
        form.locator("#your-name").click()
        expect(form.locator(".option.changed #option-rounds")).to_have_value("2")
        expect(form.locator("#your-name")).to_be_focused()

    def test_lets_tab_lead_to_the_next_thing(self, form):
        form.keyboard.press("Tab")
        expect(form.locator(".option.changed #option-rounds")).to_have_value("2")
        assert form.evaluate(FOCUSED)


def test_the_name_of_a_switch_switches_it_once(form):
    form.locator("label[for=option-long_run]").click()
    form.evaluate("() => new Promise(done => setTimeout(() => setTimeout(done)))")  # after the redraw of the form
    expect(form.locator("#option-long_run")).to_be_checked()


class TestATable:
    def test_plays_the_card_whose_press_by_the_space_bar_a_redraw_interrupts(self, room):
        page = room.page()
        room.sit(page, room.table())
        wait_for_turn(page)
        before = progress(page)
        page.locator(".hand .may").first.focus()
        page.keyboard.down(" ")
        page.evaluate(REDRAW)
        page.keyboard.up(" ")
        wait_for_more(page, before)

    def test_plays_the_card_once_whose_touch_a_redraw_interrupts(self, room):
        page = room.page(360, 740)
        room.sit(page, room.table())
        wait_for_turn(page)
        before = progress(page)
        x, y = middle_of(page.locator(".hand .may").first)
        touch, now = page.context.new_cdp_session(page), time.time()  # by these times it is short
        start = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}], "timestamp": now}
        touch.send("Input.dispatchTouchEvent", start)
        page.evaluate(REDRAW)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": [], "timestamp": now + 0.05})
        wait_for_more(page, before)

    def test_plays_one_card_by_a_double_click(self, room):
        page = room.page()
        room.sit(page, room.table(options={"rounds": 1, "long_run": True}))
        wait_for_turn(page)
        page.evaluate("window.acted = []; addEventListener('click', () => acted.push('click'))")
        before = progress(page)
        cards = page.locator(".hand .may")
        middle = middle_of(cards.nth(cards.count() // 2))
        page.mouse.move(*middle)
        for number in (1, 2):
            page.mouse.down(click_count=number)
            page.mouse.up(click_count=number)
            wait_for_more(page, before)
            wait_for_turn(page)
            assert page.evaluate("at => document.elementFromPoint(...at).closest('.hand .card') !== null", middle)
        assert page.evaluate("acted") == ["click"]

    def test_keeps_the_focus_at_the_link_while_others_sit_down(self, room):
        host, friend = room.page(), room.page(name="Bo")
        table = room.table(players=3, friends=2)
        room.sit(host, table)
        copy = host.locator(".door .copy")
        copy.focus()
        host.evaluate("window.pressed = 0; document.activeElement.addEventListener('click', () => { pressed += 1; })")
        host.mouse.move(*middle_of(copy))
        host.mouse.down()
        room.join(friend, table)
        expect(host.locator(".door")).to_contain_text("Bo")
        host.mouse.up()
        host.wait_for_function("() => pressed === 1")
        assert host.evaluate("document.activeElement.closest('.door') !== null")  # the link is selected or copied

    def test_has_the_focus_at_the_same_card_after_a_sheet(self, room):
        page = room.page()
        room.sit(page, quick_table(room, "castle-walls"))
        wait_for_turn(page)
        card = page.locator(".hand .may").first
        card.focus()
        page.keyboard.press("s")
        expect(page.locator("[data-sheet=score]")).to_be_visible()
        page.evaluate(REDRAW)
        page.keyboard.press("Escape")
        expect(card).to_be_focused()
