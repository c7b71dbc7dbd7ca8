"""Ways to choose: a second tap, drags, keys; and reasons for things that cannot be chosen."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from tests.games.castle_walls.tables import table
from tests.page.bot_tables import late_table
from tests.page.layout_checks import SIDEWAYS, SPILLED
from tests.page.pictures import resize
from tests.page.play import (
    TURN,
    by_keyboard,
    by_mouse,
    choose_on,
    play_a_card,
    progress,
    show_instead,
    wait_for_more,
    wait_for_turn,
)
from tests.page.quick_tables import MOST, play_on, quick_table
from tests.server.card_room import wait_until


def middle_of(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, thing, target):
    page.mouse.move(*middle_of(thing))
    page.mouse.down()
    page.mouse.move(*middle_of(target), steps=6)
    page.mouse.up()


def test_a_card_is_dragged_onto_the_table(room):
    page = room.page()
    room.sit(page, room.table())
    wait_for_turn(page)
    before = progress(page)
    drag(page, page.locator(".hand .may").first, page.locator(".middle"))
    wait_for_more(page, before)


def test_a_press_that_a_redraw_interrupts_plays_the_card(room):
    page = room.page()
    room.sit(page, room.table())
    wait_for_turn(page)
    before = progress(page)
    page.mouse.move(*middle_of(page.locator(".hand .may").first))
    page.mouse.down()
    page.evaluate("dispatchEvent(new Event('parlour-settings'))")
    page.mouse.up()
    wait_for_more(page, before)


def test_a_press_that_ends_on_another_card_plays_nothing(room):
    page = room.page()
    room.sit(page, room.table(options={"rounds": 1, "long_run": True}))
    wait_for_turn(page)
    before = progress(page)
    page.mouse.move(*middle_of(page.locator(".hand .may").first))
    page.mouse.down()
    page.evaluate("dispatchEvent(new Event('parlour-settings'))")
    page.mouse.move(*middle_of(page.locator(".hand .may").last))
    page.mouse.up()
    page.wait_for_timeout(150)
    assert progress(page) == before


def test_a_card_dropped_in_the_hand_stays_there(room):
    page = room.page()
    room.sit(page, room.table(options={"rounds": 1, "long_run": True}))
    wait_for_turn(page)
    before, cards = progress(page), page.locator(".hand .card").count()
    drag(page, page.locator(".hand .may").first, page.locator(".hand .card").last)
    page.wait_for_timeout(150)
    assert (progress(page), page.locator(".hand .card").count()) == (before, cards)


def test_a_card_is_dragged_onto_its_slot(room):
    page = room.page()
    room.sit(page, quick_table(room, "castle-walls"))
    wait_for_turn(page)
    slot = page.locator(".own button.place.may").nth(1)
    page.mouse.move(*middle_of(page.locator(".hand .may").first))
    page.mouse.down()
    page.mouse.move(*middle_of(slot), steps=6)
    expect(page.locator(".own .place.goal")).to_have_count(3)
    page.mouse.up()
    expect(page.locator(".goal")).to_have_count(0)
    expect(page.locator("[data-button^=down]")).to_be_visible()
    page.locator("[data-button^=up]").click()
    expect(page.locator(".own .place .card")).to_have_count(1)


def test_a_game_can_be_played_with_one_finger(room):
    page = room.page(360, 740)
    room.sit(page, room.table())
    wait_for_turn(page)
    before = progress(page)
    card, goal = middle_of(page.locator(".hand .may").first), middle_of(page.locator(".middle"))
    touch = page.context.new_cdp_session(page)
    points = [{"x": card[0], "y": card[1]}]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    for step in range(1, 7):
        x, y = (card[k] + (goal[k] - card[k]) * step / 6 for k in (0, 1))
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    wait_for_more(page, before)


def test_a_second_tap_can_be_required(room):
    page = room.page(confirm=True)
    room.sit(page, room.table())
    wait_for_turn(page)
    before = progress(page)
    page.locator(".hand .may").first.click()
    expect(page.locator(".note")).to_contain_text("once more")
    expect(page.locator("[data-button].primary")).to_be_visible()
    assert progress(page) == before
    page.locator(".hand .picked").click()
    wait_for_more(page, before)


OUTLINE = "thing => parseFloat(getComputedStyle(thing).outlineWidth)"


def test_legal_cards_are_marked_less_where_most_are_legal_and_continuations_stand_out(room):
    page = room.page()
    room.sit(page, quick_table(room, "castle-walls"))
    wait_for_turn(page)
    slot = page.locator(".own button.place.may").first
    quiet = slot.evaluate(OUTLINE)
    page.locator(".hand .may").first.click()
    expect(page.locator(".hand .picked")).to_have_count(1)
    expect(page.locator(".hand .may:not(.picked)")).to_have_count(0)
    assert slot.evaluate(OUTLINE) > quiet
    page.keyboard.press("Escape")
    expect(page.locator(".hand .picked")).to_have_count(0)
    assert slot.evaluate(OUTLINE) == quiet


TRAP = table(
    hands=("2S", "9H KD QD"),
    actions="down 2S 1, end, down 9H 1, end, end, up KD 1, end, end, up QD 2, attack 2 1",
)


REACH = """(card, corner) => {
    const box = card.getBoundingClientRect();
    const hit = (x, y) => card.contains(document.elementFromPoint(
        corner ? box.right - x : box.left + x, corner ? box.bottom - y : box.top + y));
    const steps = [...Array(42).keys()].map(step => step + 1);
    return [steps.filter(step => hit(step, 6)).length, steps.filter(step => hit(6, step)).length];
}"""


@pytest.mark.parametrize("size", [(1280, 800), (360, 740), (740, 360)])
@pytest.mark.parametrize(("name", "number"), [("1d", 0), ("1u", 1)])
def test_a_finger_can_hit_either_card_of_a_slot_when_a_black_trap_destroys_one(room, size, name, number):
    page, done = room.page(*size), []
    show_instead(page, TRAP, done)
    room.sit(page, quick_table(room, "castle-walls"))
    cards = page.locator(".place.apart.holds-2 button.card.may")
    expect(cards).to_have_count(2)
    card = cards.nth(number)
    # The cards may still move to their places.
    wait_until(lambda: max(card.evaluate(REACH, number)) == 42)
    card.click(position={"x": 8, "y": 8} if name == "1d" else None)
    wait_until(lambda: page.wait_for_timeout(20) or done)
    assert done == [f"destroy {name}"]


def test_slots_that_cannot_be_chosen_say_why(room):
    page = room.page()
    room.sit(page, quick_table(room, "castle-walls"))
    wait_for_turn(page)
    page.locator(".hand .may").first.click()
    page.locator(".own button.place.may").first.click()
    page.locator("[data-button^=up]").click()
    wait_for_turn(page)
    page.locator(".own button.place").nth(1).click()
    expect(page.locator(".note .clause")).to_contain_text("Rule ")
    page.locator(".hand .pale").first.click()
    expect(page.locator(".note")).to_contain_text("one is all")


def test_a_clause_opens_the_rules(room):
    page = room.page()
    room.sit(page, quick_table(room, "three-tricks"))
    wait_for_turn(page)
    for card in page.locator(".hand .card").all()[:4]:
        card.click()
    expect(page.locator(".note")).to_contain_text("One to three cards")
    page.locator(".note .clause").click()
    expect(page.locator("dialog[open][data-sheet=rules]")).to_contain_text("rule\u00a07")


def test_a_score_line_opens_the_rules_and_closing_them_restores_the_score(room):
    page = room.page(360, 740)
    room.sit(page, late_table(room, players=2, options={"rounds": 2}))
    while wait_for_turn(page) == "turn":
        play_a_card(page)
    line = page.locator("dialog[data-sheet=pause] button.score-line").first
    assert line.bounding_box()["height"] >= 44
    clause = line.locator(".clause").inner_text()
    line.click()
    expect(page.locator("dialog[data-sheet=rules] .asked-for")).to_contain_text(clause)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[data-sheet=rules]")).to_have_count(0)
    expect(page.locator("dialog[data-sheet=pause]")).to_be_visible()


@pytest.mark.parametrize("name", ["castle-walls", "trime-kicker", "three-tricks"])
def test_a_composed_action_is_continued_by_keyboard(room, name):
    page = room.page()
    room.sit(page, quick_table(room, name))
    for _ in range(6):
        if choose_on(page, Random(11), by_keyboard(page)) == "end":
            break


def test_a_whole_game_of_composed_actions_is_played_by_keyboard_alone(room):
    page = room.page()
    room.sit(page, quick_table(room, "castle-walls"))
    assert play_on(page, by_keyboard(page), Random(4), MOST), "the game does not come to an end"


def test_digits_lead_to_the_parts_of_the_table(room):
    page = room.page()
    room.sit(page, room.table())
    wait_for_turn(page)
    for digit, wanted in (
        ("1", ".hand"),
        ("2", ".area.own"),
        ("3", ".middle"),
        ("4", ".area.at-1"),
        ("6", ".area.at-3"),
    ):
        page.keyboard.press(digit)
        assert page.evaluate("wanted => document.activeElement.closest(wanted) !== null", wanted), digit


def test_the_table_as_text_can_be_played(room):
    page = room.page(text=True)
    room.sit(page, room.table())
    expect(page.locator(".as-text")).to_contain_text("Trick Walls: Round 1")
    page.get_by_label("What do you do?").focus()
    for by_number in (True, False):  # by the keyboard alone
        expect(page.locator("#text-may")).to_contain_text("You may:")
        may = page.locator("#text-may li").first
        assert re.match(r"Play: (\w+) of (clubs|diamonds|hearts|spades) ", may.text_content())
        before = progress(page)
        page.keyboard.type("1" if by_number else may.locator("code").text_content().lower())
        page.keyboard.press("Enter")
        wait_for_more(page, before)
    page.locator(".as-text").press("t")
    expect(page.locator(".board")).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (740, 360)])
def test_the_field_of_the_table_as_text_stays_in_sight_below_many_actions(room, size):
    page = room.page(*size, text=True, large=True)
    room.sit(page, room.table(game="tricky-tribes", options={}))
    field = page.get_by_label("What do you do?")
    expect(page.locator("#text-may li").nth(8)).to_be_attached()
    expect(field).to_be_in_viewport(ratio=1)
    page.locator(".as-text").press("t")
    expect(field).to_be_hidden()


def test_the_table_as_text_is_requested_again_after_a_lost_answer(room):
    page = room.page(text=True)
    room.expected = ("WebSocket",)
    routes = []

    def lose_the_first_text(route):
        server = route.connect_to_server()
        routes.append(route)
        server.on_message(
            lambda text: route.close(code=1011) if '"text"' in text and len(routes) == 1 else route.send(text)
        )

    page.route_web_socket("**/play", lose_the_first_text)
    room.sit(page, room.table())
    expect(page.locator(".as-text")).to_contain_text("Trick Walls: Round 1")
    assert len(routes) == 2


def test_large_print_fits_a_phone(room):
    page = room.page(360, 740, large=True)
    room.sit(page, room.table())
    play_a_card(page)
    wait_for_turn(page)
    assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('.prompt')).fontSize)") > 18
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(SPILLED) == []


@pytest.mark.parametrize("name", ["trick-walls", "tricky-tribes", "castle-walls"])
def test_a_phone_in_landscape_shows_table_and_hand(room, name):
    page = room.page(740, 360)
    room.sit(page, quick_table(room, name))
    for _ in range(3):
        if page.locator(TURN).count():
            by_mouse(page)(TURN, 0)
        wait_for_turn(page)
    for size in ((740, 360), (844, 390)):
        resize(page, size, "light")
        boxes = page.evaluate(
            """['.board', '.hand .card:last-of-type'].map(one => {
            const { left, right, bottom } = document.querySelector(one).getBoundingClientRect();
            return [left, right, bottom];
        })"""
        )
        assert boxes[0][1] <= boxes[1][0] + 1, "the table is beside the hand"
        assert max(box[2] for box in boxes) <= size[1] + 1


def test_a_finished_trick_can_stay_until_the_player_goes_on(room):
    page = room.page(pace="fast", rest="click")
    page.clock.install()
    room.sit(page, room.table())
    page.wait_for_selector(f"{TURN}, .middle.complete")
    if not page.locator(".middle.complete").count():
        page.locator(TURN).first.click()
    page.wait_for_selector(".middle.complete")
    page.clock.run_for(10_000)
    expect(page.locator(".middle.complete")).to_have_count(1)
    page.locator(".middle").click()
    page.wait_for_selector(".middle:not(.complete)")
