"""Whole lessons, and the answers to other actions than the suggested one."""

import pytest
from playwright.sync_api import expect

from parlour.games import all_games
from parlour.render.layouts import find_lesson
from tests.page.layout_checks import SIDEWAYS, TARGETS
from tests.page.play import SIGN
from tests.page.staged_tables import open_lesson_step

LESSONS = {game.id: find_lesson(game.id) for game in all_games() if find_lesson(game.id)}
READY = "() => document.querySelector('.coach-ways button')"


def open_lesson(room, name, *size):
    page = room.page(*size)
    page.goto(f"{room.address}/learn/{name}")
    page.wait_for_function(READY)
    return page


def pick(page, step):
    """Choose the things that the lesson suggests."""
    page.locator("[data-way=show]").click()
    things = page.locator(".suggested")
    if page.locator(f'.actions [data-button="{step.do}"].suggested').count():
        things.first.click(position=SIGN)
        return
    names = [things.nth(index).get_attribute("data-token") for index in range(things.count())]
    assert names, step.do
    for name in names:
        page.locator(f'[data-token="{name}"]:is(.may, .other)').first.click(position=SIGN)
    complete = page.locator(f'.actions [data-button="{step.do}"]')
    if complete.count():
        complete.click()


def where(page):
    return page.locator(".coach-where").text_content()


def go_on(page, step):
    """Do one step, and wait for the next."""
    before = where(page)
    if step.do:
        pick(page, step)
    else:
        page.locator("[data-way=on]").click()
    page.wait_for_function(
        f"before => document.querySelector('.coach-where').textContent !== before && ({READY})()", arg=before
    )


@pytest.mark.parametrize("name", LESSONS)
def test_a_whole_lesson_is_played_by_clicks(room, name):
    page = open_lesson(room, name)
    for hand in LESSONS[name].hands:
        for step in hand.steps:
            go_on(page, step)
    expect(page.get_by_role("heading", name="That was the lesson")).to_be_visible()
    page.locator("[data-way=play]").click()
    page.wait_for_url("**/table/*")


def test_a_finished_lesson_restarts_at_its_beginning(room):
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
    const { left, top, height } = thing.getBoundingClientRect();
    return thing.contains(document.elementFromPoint(left + 14, top + height / 2));
})"""


@pytest.mark.parametrize("size", [(360, 640), (740, 360)])
@pytest.mark.parametrize("name", ["castle-walls", "trime-kicker"])
def test_a_small_phone_shows_the_task_and_its_targets_together(room, name, size):
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


def test_a_small_phone_shows_the_viewers_area_beside_the_text(room):
    page = room.page(360, 640)
    open_lesson_step(page, room.address, "castle-walls", 1)
    assert page.locator(".coach:not(.folded)").count() == 1
    field, hand = (page.locator(one).bounding_box() for one in (".board .own .laid", ".dock .hand"))
    assert field["y"] >= page.locator(".room").bounding_box()["y"]
    assert field["y"] + field["height"] <= hand["y"] + 8


def test_the_whole_text_can_be_opened_again(room):
    page = open_lesson(room, "castle-walls", 360, 640)
    go_on(page, LESSONS["castle-walls"].hands[0].steps[0])
    page.locator("[data-way=fold]").click()
    expect(page.get_by_text("A coin was tossed: you begin")).to_be_hidden()
    page.get_by_role("button", name="The whole text again").click()
    expect(page.get_by_text("A coin was tossed: you begin")).to_be_visible()


def test_show_me_marks_each_card_and_at_last_the_button_of_the_action(room):
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


def test_show_me_unpicks_other_cards(room):
    page = open_lesson(room, "castle-walls")
    go_on(page, LESSONS["castle-walls"].hands[0].steps[0])
    page.locator(".hand .may:not([data-token='2H'])").first.click()
    page.locator("[data-way=show]").click()
    expect(page.locator(".picked")).to_have_count(0)
    expect(page.locator(".hand .suggested")).to_have_attribute("data-token", "2H")


def test_the_suggested_pile_looks_different(room):
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
    """Return a page at the first step with a task, and that step."""
    page = open_lesson(room, name)
    for step in LESSONS[name].hands[0].steps:
        if step.do:
            return page, step
        go_on(page, step)
    raise AssertionError("nothing is to be done in this lesson")


def test_another_legal_action_is_shown_and_taken_back(room):
    page, step = first_act(room)
    before = page.locator(".hand .card").count()
    page.locator(f'.hand .may:not([data-do="{step.do}"])').first.click()
    expect(page.locator("[data-way=take-back]")).to_be_visible()
    expect(page.locator(".hand .card")).to_have_count(before - 1)
    page.locator("[data-way=take-back]").click()
    expect(page.locator(".hand .card")).to_have_count(before)
    go_on(page, step)


def test_the_lesson_can_continue_with_the_suggested_action(room):
    page, step = first_act(room)
    page.locator(f'.hand .may:not([data-do="{step.do}"])').first.click()
    page.locator("[data-way=as-suggested]").click()
    expect(page.locator(f'.hand [data-do="{step.do}"]')).to_have_count(0)


def test_an_illegal_action_is_refused_with_a_clause_that_opens_the_rules(room):
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


def test_a_lesson_continues_at_the_last_step(room):
    page, _ = first_act(room)
    before = where(page)
    page.reload()
    page.wait_for_function(READY)
    assert where(page) == before


def test_a_failed_request_for_a_step_is_shown_and_can_be_repeated(room):
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


def test_an_action_of_a_lesson_is_done_by_keyboard_alone(room):
    page, step = first_act(room)
    before = where(page)
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        if page.evaluate("document.activeElement.dataset.do") == step.do:
            break
    page.keyboard.press("Enter")
    page.wait_for_function("before => document.querySelector('.coach-where').textContent !== before", arg=before)


def test_the_page_of_a_missing_lesson_says_so(room):
    page = room.page()
    room.expected = ("404",)
    page.goto(f"{room.address}/learn/poker")
    expect(page.get_by_text("There is no such game here.")).to_be_visible()


BROKEN_WORDS = """() => [...document.querySelectorAll('.coach-ways .button')].flatMap(button => {
    const text = document.createTreeWalker(button, NodeFilter.SHOW_TEXT).nextNode();
    const range = document.createRange();
    return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1;
    }).map(([word]) => word);
})"""


def test_the_ways_after_another_action_do_not_break_words(room):
    page = room.page(390, 844)
    page.context.add_cookies([{"name": "language", "value": "de", "url": room.address}])
    page.goto(f"{room.address}/learn/three-tricks")
    page.wait_for_function(READY)
    page.context.clear_cookies()  # later tests have the page in English
    page.locator(".hand .may").nth(0).click(position=SIGN)
    page.locator(".hand .may").nth(2).click(position=SIGN)
    page.get_by_role("button", name="Tauschen", exact=True).click()
    expect(page.get_by_role("button", name="Zurücknehmen")).to_be_visible()
    assert page.evaluate(BROKEN_WORDS) == []


def test_a_refusal_goes_with_the_next_choice(room):
    page = room.page(390, 844)
    open_lesson_step(page, room.address, "castle-walls", 1)
    note = page.locator(".note")
    page.locator('.hand [data-token="2H"]').click(position=SIGN)
    page.locator('.board [data-token="their-2"]').click()
    expect(note).to_have_text("These do not go together: nothing can be done with them.")
    page.locator('.board [data-token="own-2"]').click()
    expect(page.locator('[data-button="down 2H 2"]')).to_be_visible()
    expect(note).to_be_hidden()
