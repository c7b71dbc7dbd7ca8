"""Whole lessons clicked through, and what is answered to whoever strays."""

import pytest
from playwright.sync_api import expect

from parlour.games import all_games
from parlour.render.layouts import find_lesson
from tests.page.shown import bring_lesson
from tests.page.test_looks import SIDEWAYS, TARGETS

LESSONS = {game.id: find_lesson(game.id) for game in all_games() if find_lesson(game.id)}
READY = "() => document.querySelector('.coach-ways button')"


def open_lesson(room, name, *size):
    page = room.page(*size)
    page.goto(f"{room.address}/learn/{name}")
    page.wait_for_function(READY)
    return page


def pick(page, step):
    """Choose on the table what the lesson means, by what it points at."""
    page.locator("[data-way=show]").click()
    things = page.locator(".suggested")
    if page.locator(f'.actions [data-button="{step.do}"].suggested').count():
        things.first.click()
        return
    names = [things.nth(index).get_attribute("data-token") for index in range(things.count())]
    assert names, step.do
    for name in names:
        page.locator(f'[data-token="{name}"]:is(.may, .other)').first.click()
    complete = page.locator(f'.actions [data-button="{step.do}"]')
    if complete.count():
        complete.click()


def where(page):
    return page.locator(".coach-where").text_content()


def go_on(page, step):
    """One step, and wait for the next."""
    before = where(page)
    if step.do:
        pick(page, step)
    else:
        page.locator("[data-way=on]").click()
    page.wait_for_function(
        f"before => document.querySelector('.coach-where').textContent !== before && ({READY})()", arg=before
    )


@pytest.mark.parametrize("name", LESSONS)
def test_a_whole_lesson_is_clicked_through(room, name):
    page = open_lesson(room, name)
    for hand in LESSONS[name].hands:
        for step in hand.steps:
            go_on(page, step)
    expect(page.get_by_role("heading", name="That was the lesson")).to_be_visible()
    page.locator("[data-way=play]").click()
    page.wait_for_url("**/table/*")


def test_a_finished_lesson_begins_anew(room):
    page = room.page()
    hands = LESSONS["castle-walls"].hands
    last = [len(hands) - 1, len(hands[-1].steps) - 1]
    kept = f"{{lessons: {{'castle-walls': {last}}}, ...JSON.parse(localStorage.parlour)}}"
    page.add_init_script(f"localStorage.parlour = JSON.stringify({kept})")
    page.goto(f"{room.address}/learn/castle-walls")
    expect(page.locator(".coach-where")).to_contain_text(f"Step {len(hands[-1].steps)} of {len(hands[-1].steps)}")
    go_on(page, hands[-1].steps[-1])
    expect(page.get_by_role("heading", name="That was the lesson")).to_be_visible()
    page.reload()
    expect(page.locator(".coach-where")).to_contain_text("Part 1 of")
    expect(page.locator(".coach-where")).to_contain_text("Step 1 of")


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_fits_a_phone(room, name):
    page = open_lesson(room, name, 360, 740)
    for step in LESSONS[name].hands[0].steps[:5]:
        assert page.evaluate(SIDEWAYS) <= 0
        assert page.evaluate(TARGETS) == []
        go_on(page, step)


IN_SIGHT = """selector => [...document.querySelectorAll(selector)].map((thing) => {
    const { left, top, width, height } = thing.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    return thing.contains(at);
})"""


@pytest.mark.parametrize("size", [(360, 640), (740, 360)])
@pytest.mark.parametrize("name", ["castle-walls", "trime-kicker"])
def test_on_a_small_phone_the_task_and_the_places_to_tap_are_seen_together(room, name, size):
    page = open_lesson(room, name, *size)
    acts = 0
    for step in LESSONS[name].hands[0].steps:
        if step.do:
            if page.locator("[data-way=fold]").is_visible():
                page.locator("[data-way=fold]").click()
            expect(page.locator(".task")).to_be_in_viewport(ratio=0.99)
            task = page.locator(".task").bounding_box()
            assert task["height"] < size[1] / 4, step.do
            page.locator("[data-way=show]").click()
            assert set(page.evaluate(IN_SIGHT, ".suggested")) == {True}, step.do
            assert page.evaluate(SIDEWAYS) <= 0
            assert page.evaluate(TARGETS) == []
            acts += 1
        if acts == 3:
            return
        go_on(page, step)


def test_on_a_small_phone_the_own_place_is_seen_while_one_reads(room):
    page = room.page(360, 640)
    bring_lesson(page, room.address, "castle-walls", 1)
    assert page.locator(".coach:not(.folded)").count() == 1
    field, hand = (page.locator(one).bounding_box() for one in (".board .own .laid", ".dock .hand"))
    assert field["y"] >= page.locator(".room").bounding_box()["y"]
    assert field["y"] + field["height"] <= hand["y"] + 8


def test_the_whole_text_is_to_be_had_again(room):
    page = open_lesson(room, "castle-walls", 360, 640)
    go_on(page, LESSONS["castle-walls"].hands[0].steps[0])
    page.locator("[data-way=fold]").click()
    expect(page.get_by_text("A coin was tossed: you begin")).to_be_hidden()
    page.get_by_role("button", name="The whole text again").click()
    expect(page.get_by_text("A coin was tossed: you begin")).to_be_visible()


def test_show_me_leads_on_to_the_button_that_does_it(room):
    page = open_lesson(room, "castle-walls")
    steps = LESSONS["castle-walls"].hands[0].steps
    go_on(page, steps[0])
    page.locator("[data-way=show]").click()
    marked = page.locator(".suggested")
    expect(marked).to_have_count(2)
    marked.first.click()
    expect(marked).to_have_count(1)
    marked.click()
    expect(marked).to_have_count(1)
    expect(marked).to_have_text("Put face down")
    marked.click()
    expect(page.locator(".coach-where")).to_contain_text("Step 3 ")


def test_show_me_puts_back_what_leads_elsewhere(room):
    page = open_lesson(room, "castle-walls")
    go_on(page, LESSONS["castle-walls"].hands[0].steps[0])
    page.locator(".hand .may:not([data-token='2H'])").first.click()
    page.locator("[data-way=show]").click()
    expect(page.locator(".picked")).to_have_count(0)
    expect(page.locator(".hand .suggested")).to_have_attribute("data-token", "2H")


def test_the_pile_that_is_meant_looks_unlike_the_others(room):
    page = open_lesson(room, "trime-kicker")
    go_on(page, LESSONS["trime-kicker"].hands[0].steps[0])
    page.locator("[data-way=show]").click()
    looks = page.evaluate(
        """() => [...document.querySelectorAll('.board .may')].map((pile) => {
        const { outlineColor, outlineWidth } = getComputedStyle(pile);
        return [pile.classList.contains('suggested'), outlineColor, outlineWidth];
    })"""
    )
    meant = [look[1:] for look in looks if look[0]]
    others = [look[1:] for look in looks if not look[0]]
    assert len(meant) == 1
    assert meant[0][1] == "4px"
    assert all(color == "rgba(0, 0, 0, 0)" for color, _ in others)
    assert len(others) == 3


def first_act(room, name="trick-walls"):
    """A page at the first step where something is to be done, and that step."""
    page = open_lesson(room, name)
    for step in LESSONS[name].hands[0].steps:
        if step.do:
            return page, step
        go_on(page, step)
    raise AssertionError("nothing is to be done in this lesson")


def test_another_legal_card_is_seen_and_taken_back(room):
    page, step = first_act(room)
    before = page.locator(".hand .card").count()
    page.locator(f'.hand .may:not([data-do="{step.do}"])').first.click()
    expect(page.locator("[data-way=take-back]")).to_be_visible()
    expect(page.locator(".hand .card")).to_have_count(before - 1)
    page.locator("[data-way=take-back]").click()
    expect(page.locator(".hand .card")).to_have_count(before)
    go_on(page, step)


def test_or_the_lesson_goes_on_as_it_meant(room):
    page, step = first_act(room)
    page.locator(f'.hand .may:not([data-do="{step.do}"])').first.click()
    page.locator("[data-way=as-suggested]").click()
    expect(page.locator(f'.hand [data-do="{step.do}"]')).to_have_count(0)


def test_what_is_not_legal_is_refused_with_its_clause_which_opens_the_rule(room):
    page = open_lesson(room, "trick-walls")
    steps = LESSONS["trick-walls"].hands[0].steps
    for step in steps:
        if page.locator(".hand .pale").count():
            break
        go_on(page, step)
    page.locator(".hand .pale").first.click()
    expect(page.locator(".note")).to_contain_text("must follow")
    page.locator(".note .clause").click()
    asked = page.locator(".rules .asked-for")
    expect(asked).to_contain_text("rule\u00a07")
    expect(asked).to_be_in_viewport()


def test_a_lesson_goes_on_where_it_was_left(room):
    page, _ = first_act(room)
    before = where(page)
    page.reload()
    page.wait_for_function(READY)
    assert where(page) == before


def test_a_step_that_cannot_be_had_is_said_to_be_missing_and_asked_for_again(room):
    page = open_lesson(room, "trick-walls")
    room.expected = ("ERR_FAILED",)
    before = where(page)
    page.route("**/lesson/**", lambda route: route.abort())
    page.locator("[data-way=on]").click()
    expect(page.locator(".note")).to_be_visible()
    assert where(page) == before
    page.unroute("**/lesson/**")
    page.locator("[data-way=on]").click()
    page.wait_for_function("before => document.querySelector('.coach-where').textContent !== before", arg=before)


def test_by_keys_alone(room):
    page, step = first_act(room)
    before = where(page)
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        if page.evaluate("document.activeElement.dataset.do") == step.do:
            break
    page.keyboard.press("Enter")
    page.wait_for_function("before => document.querySelector('.coach-where').textContent !== before", arg=before)


def test_where_there_is_no_lesson_the_page_says_so(room):
    page = room.page()
    room.expected = ("404",)
    page.goto(f"{room.address}/learn/poker")
    expect(page.get_by_text("There is no such game here.")).to_be_visible()
