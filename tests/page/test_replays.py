"""Replays: keys, views, links, tables that continue a game; reviews."""

import json
import time
from itertools import product

import pytest
from playwright.sync_api import expect

import parlour
from tests.page.bot_tables import about, late_table, played_by_bots
from tests.page.layout_checks import SIDEWAYS, TARGETS
from tests.page.play import PATIENCE, play_a_card, stop_the_clock, wait_for_turn
from tests.page.staged_tables import open_replay, random_match, serve_pages


@pytest.fixture
def finished_table(room):
    """Return a table with a finished game and its number of events."""
    return played_by_bots(room, "trick-walls", 4, {"rounds": 1})


def look(room, table, at="", *size):
    page = room.page(*size)
    page.goto(f"{room.address}/game/{table}{at}")
    page.wait_for_selector(".board [data-card], .board .area")
    return page


def now(page):
    return page.locator(".counter")


SWIPE = """([from, to]) => {
    const target = document.querySelector('.board');
    const at = (clientX) => [new Touch({ identifier: 1, target, clientX, clientY: 200 })];
    target.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, touches: at(from) }));
    target.dispatchEvent(new TouchEvent('touchend', { bubbles: true, changedTouches: at(to) }));
}"""


def test_keys_and_swipes_move_through_the_game(room, finished_table):
    table, events = finished_table
    page = look(room, table, "#0")
    for key, number in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", events), ("Home", 0)):
        page.keyboard.press(key)
        expect(now(page)).to_have_text(f"{number} of {events}")
        page.wait_for_url(f"**#{number}")
    for swipe, number in (([300, 100], 1), ([300, 100], 2), ([100, 300], 1), ([300, 299], 1), ([100, 300], 0)):
        page.evaluate(SWIPE, swipe)
        expect(now(page)).to_have_text(f"{number} of {events}")
    page.clock.install()
    stop_the_clock(page)
    page.keyboard.press(" ")
    page.clock.run_for(2500)
    expect(now(page)).to_have_text(f"2 of {events}")
    page.keyboard.press(" ")
    page.clock.run_for(10_000)
    expect(now(page)).to_have_text(f"2 of {events}")


def test_keys_move_through_the_game_after_a_click_on_a_view(room, finished_table):
    table, events = finished_table
    page = look(room, table, "#5")
    for _ in ("chosen", "already chosen"):
        page.get_by_role("radio", name="Onlooker").click()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".views :checked")).to_have_value("spectator")
    expect(now(page)).to_have_text(f"7 of {events}")
    page.wait_for_url("**?view=spectator#7")
    page.reload()
    expect(page.locator(".views :checked")).to_have_value("spectator")
    page.locator(".views :checked").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".views :checked")).not_to_have_value("spectator")
    expect(now(page)).to_have_text(f"7 of {events}")


def test_a_replay_opens_at_the_first_turn_after_the_deal(room, finished_table):
    table, _ = finished_table
    page = look(room, table)
    expect(page.locator(".board .area.active")).to_have_count(1)
    assert page.locator(".board .row-hand [data-card]").count() > 20
    assert 0 < int(now(page).text_content().split()[0]) < 10


CUT = """() => {
    const board = document.querySelector('.board').getBoundingClientRect();
    const dock = document.querySelector('.dock').getBoundingClientRect();
    const below = dock.left >= board.right - 1 ? innerHeight : dock.top + 12;
    const things = [...document.querySelectorAll('.board :is(.place, .life, .held .card)')];
    return things.map((thing) => [thing, thing.getBoundingClientRect()])
        .filter(([, box]) => box.width)
        .filter(([, box]) => box.right > board.right + 1 || box.left < board.left - 1 || box.bottom > below)
        .map(([thing, box]) => [thing.className, Math.round(box.right), Math.round(box.bottom)]);
}"""
FRAMED = """() => {
    const frame = document.querySelector('.views .segments').getBoundingClientRect();
    const boxes = [...document.querySelectorAll('.views .segment')].map((one) => one.getBoundingClientRect());
    return boxes.every((box) => boxes.some((other) => other.top === box.top && frame.right - other.right < 3)
        && boxes.some((other) => other.top === box.top && other.left - frame.left < 3));
}"""


def test_a_late_scene_of_an_earlier_choice_is_not_shown(room):
    table, events = played_by_bots(room, "trick-walls", 4, {"rounds": 2})
    page, late = room.page(), []
    page.route(lambda address: "first=50" in address, lambda route: late.append(route))
    page.goto(f"{room.address}/game/{table}#{events - 12}")
    page.wait_for_selector(".counter", state="attached")
    while not late:
        page.wait_for_timeout(20)
    page.keyboard.press("Home")
    expect(now(page)).to_have_text(f"0 of {events}")
    with page.expect_response(lambda answer: "first=50" in answer.url) as answered:
        for route in late:
            route.continue_()
    answered.value.finished()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(now(page)).to_have_text(f"0 of {events}")
    assert page.locator(".board .row-hand [data-card]").count() == 0


@pytest.mark.parametrize(
    ("deal", "at"), [(121, 32), (121, 64), (199, 59)], ids=["in the middle", "every life opened", "seven cards held"]
)
def test_a_duel_is_visible_as_a_whole_from_every_seat(room, deal, at):
    match = parlour.play(parlour.make("castle-walls", players=2, turn_limit=30), ["thumb"] * 2, seed=deal)
    page = room.page(1280, 800)
    open_replay(page, room.address, match, at)
    expect(now(page)).to_have_text(f"{at} of {len(match.events)}")
    assert page.evaluate(FRAMED)
    for observation, (width, height) in product(("all", "0"), ((1280, 800), (740, 360))):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.locator(f".views input[value='{observation}']").check()
        expect(page.locator(".own")).to_have_count(0 if observation == "all" else 1)
        page.set_viewport_size({"width": width, "height": height})
        deadline = time.monotonic() + PATIENCE  # it is drawn anew a moment after the window has changed
        while (cut := page.evaluate(CUT)) and time.monotonic() < deadline:
            page.wait_for_timeout(50)
        assert cut == [], (width, observation)


def test_the_controls_are_visible_below_a_hand_in_two_lines(room):
    page = room.page(740, 360)
    open_replay(page, room.address, random_match("trick-walls", 4, 3, options={"long_run": True}), 3)
    expect(page.locator(".fan-line")).to_have_count(2)
    for part in (".step", ".moment", ".counter", ".more-of-game"):
        box = page.locator(part).last.bounding_box()
        assert box["y"] + box["height"] <= 360, part


SUMS = [["50 %", "at the start"], ["−9", "luck"], ["−22", "your play"], ["0 %", "in the end"]]
COURSE = {
    "seat": 0,
    "name": "Guest",
    "chances": [500, 400, 300],
    "low": [500, 400, 300],
    "high": [500, 400, 300],
    "decisions": [
        {"seen": 1, "do": "up 2C 3", "best": "up AC 3", "mark": "find"},
        {"seen": 2, "do": "end", "best": "down 3D 3", "mark": "blunder"},
    ],
}
COURSE_TEXTS = {
    "to_you": {
        "outcome": "You lose: Ada has taken your last life card. Life cards left: You: 0, Ada: 3.",
        "headline": "You lost it at move 2: to end the turn cost 31 points of the chance to win.",
        "sums": SUMS,
        "own": "",
    },
    "to_others": {"outcome": "Ada wins.", "headline": "Guest lost it at move 2.", "sums": [], "own": ""},
    "chances": ["50 %", "40 %", "30 %"],
    "decisions": [
        {"phrase": "put it up", "best_phrase": "leave it", "cost": "5 points gained"},
        {
            "phrase": "end the turn",
            "best_phrase": "put the three of diamonds face down into slot 3",
            "cost": "31 points",
        },
    ],
}
REVIEWED = {
    "names": ["Guest", "Ada"],
    "scores": [0, 3],
    "winners": [1],
    "courses": [COURSE],
    "texts": {"outcome": "Ada wins.", "marks": {}, "reruns": None, "courses": [COURSE_TEXTS]},
}
"""The shown part of a review with a find and a blunder."""


def look_at_review(room, *answers):
    """Open the page of a review whose requests get these answers in order, and then the last one again and again."""
    page, left = room.page(390, 844), list(answers)
    page.route("**/api/tables/*", lambda route: route.fulfill(json={"title": "Castle Walls"}))
    page.route(
        "**/api/tables/*/review",
        lambda route: route.fulfill(**(left.pop(0) if len(left) > 1 else left[0])),
    )
    page.add_init_script("""localStorage['parlour:abc'] ??= '{"seat": 0, "key": "k"}'""")
    serve_pages(page, room.address, "abc")
    page.goto(f"{room.address}/game/abc/review")
    return page


def waiting_answer(share=None, seconds=None, waits=False, review=None):
    """Return the answer about an unfinished review."""
    return {"status": 202, "json": {"share": share, "seconds": seconds, "waits": waits, "review": review}}


def test_a_review_addresses_its_reader_and_shows_no_better_action_for_a_find(room):
    page = look_at_review(room, {"json": REVIEWED})
    expect(page.locator(".lead")).to_have_text(COURSE_TEXTS["to_you"]["outcome"])
    expect(page.locator(".review-headline")).to_have_text(COURSE_TEXTS["to_you"]["headline"])
    expect(page.locator(".review-sums li")).to_have_count(4)
    better = page.locator(".decision-better")
    expect(better).to_have_count(1)
    assert better.locator("small").bounding_box()["height"] < 24, "the word is broken"


def test_the_reruns_address_the_player_of_the_seat(room):
    reruns = [
        {"seats": [0], "to_you": "In your seat.", "to_others": "In Guest's seat."},
        {"seats": [1], "to_you": "In yours.", "to_others": "In Ada's seat."},
    ]
    texts = {**REVIEWED["texts"], "reruns": reruns}
    page = look_at_review(room, {"json": {**REVIEWED, "reruns": [{}, {}], "texts": texts}})
    expect(page.locator("[data-place=reruns] p")).to_have_text(["In your seat.", "In Ada's seat."])


def test_a_review_in_work_shows_its_curve_and_the_time_left(room):
    page = look_at_review(room, waiting_answer(0.4, 7, review=REVIEWED))
    expect(page.get_by_text("About 7 seconds left.")).to_be_visible()
    expect(page.locator(".review-graph svg")).to_be_visible()
    expect(page.locator(".decision")).to_have_count(2)
    expect(page.locator(".review-sums")).to_have_count(0)


@pytest.mark.parametrize(
    ("waits", "words"),
    [(False, "Usually ready in ten seconds."), (True, "It begins as soon as other reviews are done.")],
)
def test_a_review_that_has_not_begun_mentions_others_only_if_it_waits_for_them(room, waits, words):
    page = look_at_review(room, waiting_answer(waits=waits))
    expect(page.get_by_role("timer")).to_have_text(words)


def test_a_link_opens_its_event(room, finished_table):
    table, events = finished_table
    page = look(room, table, "#17")
    expect(now(page)).to_have_text(f"17 of {events}")
    page.evaluate("location.hash = '#9'")
    expect(now(page)).to_have_text(f"9 of {events}")
    page.locator(".log button").first.click()
    expect(now(page)).to_have_text(f"1 of {events}")


def test_the_cards_of_one_seat_or_of_all_are_shown(room, finished_table):
    table, _ = finished_table
    page = look(room, table, "#5")
    shown = lambda: page.locator(".board .row-hand [data-card]:not([data-card=''])").count()  # noqa: E731
    expect(page.locator(".views :checked")).to_have_value("all")
    assert shown() > 20
    page.get_by_role("radio", name="Onlooker").check()
    expect(page.locator(".board .row-hand")).to_have_count(0)
    page.get_by_role("radio", name="Cleo").check()
    expect(page.locator(".hand .card").first).to_be_visible()


@pytest.mark.parametrize("language", ["en", "fi"])
def test_the_buttons_of_a_narrow_phone_lie_side_by_side(room, language):
    page = room.page(320, 640)
    page.context.add_cookies([{"name": "language", "value": language, "url": room.address}])
    open_replay(page, room.address, random_match("trime-kicker", 2, 20), 10)
    boxes = [button.bounding_box() for button in page.locator(".step, .more-of-game").all()]
    edges = [0, *(edge for box in boxes for edge in (box["x"], box["x"] + box["width"])), 320]
    assert edges == sorted(edges)


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_a_replay_fits_and_can_be_touched(room, finished_table, size):
    table, events = finished_table
    page = look(room, table, "#20", *size)
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(TARGETS) == []
    page.get_by_role("button", name="One event on").click()
    expect(now(page)).to_have_text(f"21 of {events}")


def test_the_panel_is_a_sheet_on_small_screens(room, finished_table):
    table, events = finished_table
    page = look(room, table, "#20", 360, 740)
    expect(page.locator(".views")).not_to_be_visible()
    for _ in range(2):
        page.get_by_role("button", name="More …").click()
        page.get_by_role("radio", name="Cleo").check()
        page.locator("[data-sheet=game] .log button").first.click()
        expect(page.locator("[data-sheet=game]")).to_have_count(0)
        expect(now(page)).to_have_text(f"1 of {events}")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".replay-side .views :checked")).to_have_value("2")


def test_failed_requests_for_scenes_are_repeated(room, finished_table):
    table, events = finished_table
    page = look(room, table, "#0")
    room.expected = ("ERR_FAILED",)
    expect(now(page)).to_have_text(f"0 of {events}")
    page.route("**/replay?**", lambda route: route.abort())
    page.locator(".views label").last.click()
    expect(page.locator(".note")).to_be_visible()
    page.unroute("**/replay?**")
    page.locator("[data-step=after]").click()
    expect(now(page)).to_have_text(f"1 of {events}")


def test_a_running_replay_halts_at_a_failed_request(room, finished_table):
    table, events = finished_table
    page = look(room, table, "#0")
    room.expected = ("ERR_FAILED",)
    page.clock.install()
    stop_the_clock(page)
    page.keyboard.press(" ")
    page.clock.run_for(2500)
    expect(now(page)).to_have_text(f"2 of {events}")
    page.route("**/replay?**", lambda route: route.abort())
    page.locator(".views label").last.click()
    expect(page.locator(".note")).to_be_visible()
    page.unroute("**/replay?**")
    expect(page.locator("[data-step=run]")).to_have_attribute("aria-label", "Run by itself")
    page.clock.run_for(5000)
    expect(now(page)).to_have_text(f"2 of {events}")
    page.locator("[data-step=run]").click()
    page.clock.run_for(1200)
    expect(now(page)).to_have_text(f"3 of {events}")


def test_a_table_continues_from_an_event_against_bots(room, finished_table):
    table, _ = finished_table
    page = look(room, table, "#12")
    page.locator("[data-go=on]").click()
    page.locator("[data-sheet=on]").get_by_role("radio", name="Bruno").check()
    # a bot without a search, which would have to be compiled
    page.locator("[data-sheet=on] select").select_option("thumb")
    page.locator("[data-go=begin]").click()
    page.wait_for_url("**/table/*", timeout=PATIENCE * 1000)
    assert wait_for_turn(page) == "turn"
    assert about(room, page.url.rsplit("/", 1)[1])["seats"][1]["kind"] == "person"
    play_a_card(page)


def test_the_record_can_be_downloaded(room, finished_table):
    table, events = finished_table
    page = look(room, table)
    with page.expect_download() as download:
        page.locator("[data-go=record]").click()
    record = json.loads(download.value.path().read_text())
    assert len(record["events"]) == events


def test_the_replay_of_an_unfinished_game_shows_only_the_players_cards(room):
    page = room.page()
    table = room.table()
    room.sit(page, table)
    wait_for_turn(page)
    page.goto(f"{room.address}/game/{table['table']}")
    expect(page.locator(".hand .card").first).to_be_visible()
    expect(page.locator(".views input")).to_have_count(2)
    expect(page.locator("[data-go=record]")).to_have_count(0)
    expect(page.locator("[data-go=on]")).to_have_count(0)


def test_the_end_of_a_game_links_to_its_replay(room):
    page = room.page()
    room.sit(page, late_table(room))
    while play_a_card(page) != "end":
        pass
    page.locator("[data-go=game]").click()
    page.wait_for_url("**/game/*")
    expect(page.locator("[data-go=on]")).to_be_visible()


@pytest.mark.parametrize("club", [{"id": "c", "round": 1, "sealed": True}, None])
def test_a_sealed_game_shows_the_players_own_view_with_the_players_key(room, club):
    page, keys = room.page(), []
    page.on("request", lambda request: "/replay?" in request.url and keys.append(request.headers.get("authorization")))
    open_replay(page, room.address, random_match("trime-kicker", 2, 20), 10, club=club)
    views = page.locator(".views input")
    sealed = page.get_by_text("only your own view is shown")
    expect(sealed).to_have_count(1 if club else 0)
    expect(page.locator("[data-go=on]")).to_have_count(0 if club else 1)
    assert set(keys) == ({"Bearer k"} if club else {None})
    expect(views).to_have_count(1 if club else 4)
