"""Whole games by mouse and by keyboard, and the page's notes and sheets."""

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.page.bot_tables import late_table
from tests.page.layout_faults import faults
from tests.page.play import TURN, play_a_card, progress, stop_the_clock, wait_for_more, wait_for_turn
from tests.page.staged_tables import StagedTable, open_table, random_match


def play_until_a_card_is_pale(room):
    """Return a page at a table where some card of the hand is illegal."""
    for _ in range(8):
        page = room.page()
        room.sit(page, room.table())
        while wait_for_turn(page) == "turn":
            if page.locator(".hand .pale").count():
                return page
            play_a_card(page)
    raise AssertionError("there was always free choice, in eight games")


def test_a_whole_game_is_played_by_clicks(room):
    page = room.page(sound=True)
    page.goto(f"{room.address}/games/trick-walls")
    expect(page.get_by_role("heading", name="Trick Walls")).to_be_visible()
    page.get_by_label("Rounds", exact=True).fill("1")
    page.get_by_label("Rounds", exact=True).press("Tab")
    page.get_by_label("Your name").fill("Mira")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/table/*")
    played = [play_a_card(page) for _ in range(9)]
    assert len(set(played)) == 9
    expect(page.locator("[data-sheet=end]")).to_be_visible()
    expect(page.locator("[data-sheet=end] h2")).to_have_text(re.compile(r"win|lose|draw"))
    with page.expect_download() as download:
        page.locator("[data-go=record]").click()
    record = json.loads(download.value.path().read_text().splitlines()[0])
    assert record["game"] == "trick-walls"
    page.reload()
    expect(page.locator("[data-sheet=end] [data-go=again]")).to_have_text("Play again")
    before = page.url
    page.locator("[data-go=again]").click()
    page.wait_for_function("before => location.href !== before", arg=before)
    assert wait_for_turn(page) == "turn"


def test_a_whole_game_is_played_by_keyboard_alone(room):
    page = room.page()
    room.sit(page, room.table())
    for _ in range(9):
        assert wait_for_turn(page) == "turn"
        before = progress(page)
        page.keyboard.press("ArrowRight")
        for _ in range(12):
            if page.evaluate("document.activeElement.classList.contains('may')"):
                break
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        wait_for_more(page, before)
    expect(page.locator("[data-sheet=end]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-sheet=end]")).to_have_count(0)


def test_every_key_opens_its_sheet_and_the_same_key_or_escape_closes_it(room):
    page = room.page()
    room.sit(page, room.table())
    play_a_card(page)
    while play_a_card(page) and not page.locator(".side-panel .log .gap").count():
        pass
    wait_for_turn(page)
    for key, sheet in (("s", "score"), ("r", "rules"), ("l", "last"), ("?", "help")):
        for close in (key, "Escape"):
            page.keyboard.press(key)
            expect(page.locator(f"dialog[open][data-sheet={sheet}]")).to_be_visible()
            page.keyboard.press(close)
            expect(page.locator("dialog[open]")).to_have_count(0)
    page.keyboard.press("m")
    expect(page.locator(".note")).to_contain_text("You may play: ")


def test_the_rules_are_shown_as_in_the_rulebook(room):
    page = room.page()
    room.sit(page, room.table())
    wait_for_turn(page)
    page.get_by_role("button", name="Rules").click()
    expect(page.locator(".rules")).to_contain_text("rule\u00a010")


def test_an_illegal_card_shows_the_reason_with_its_clause(room):
    page = play_until_a_card_is_pale(room)
    before = progress(page)
    page.locator(".hand .pale").first.click()
    expect(page.locator(".note")).to_contain_text("must follow")
    expect(page.locator(".note .clause")).to_have_text("Rule 7")
    assert progress(page) == before


def test_an_outdated_action_is_refused_with_a_note(room):
    page = room.page()
    table = room.table()

    def spoil(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def forward(message: str) -> None:
            data = json.loads(message)
            server.send(json.dumps({**data, "seen": data["seen"] - 1}) if data["type"] == "act" else message)

        route.on_message(forward)

    page.route_web_socket("**/play", spoil)
    room.sit(page, table)
    wait_for_turn(page)
    before = progress(page)
    page.locator(TURN).first.click()
    expect(page.locator(".note")).to_be_visible()
    assert progress(page) == before
    expect(page.locator(TURN).first).to_be_visible()


def test_a_game_continues_after_a_reload(room):
    page = room.page()
    room.sit(page, room.table())
    for _ in range(3):
        play_a_card(page)
    wait_for_turn(page)
    heading, hand = page.locator(".heading").text_content(), page.locator(".hand .card").count()
    page.reload()
    assert wait_for_turn(page) == "turn"
    expect(page.locator(".heading")).to_have_text(heading)
    expect(page.locator(".hand .card")).to_have_count(hand)
    play_a_card(page)


def test_the_end_of_a_round_waits_for_the_player(room):
    page = room.page()
    room.sit(page, late_table(room, options={"rounds": 2}))
    play_a_card(page)
    expect(page.locator("[data-sheet=pause] h2")).to_contain_text("Round 1 of 2 is over")
    page.locator("[data-go=next]").click()
    assert wait_for_turn(page) == "turn"
    expect(page.locator(".heading")).to_contain_text("Round 2 of 2")


def test_the_end_of_a_round_waits_for_an_open_sheet(room):
    page = room.page()
    held, holding = [], []

    def hold(route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        server.on_message(lambda text: held.append((route, text)) if holding else route.send(text))

    page.route_web_socket("**/play", hold)
    room.sit(page, late_table(room, options={"rounds": 2}))
    wait_for_turn(page)
    holding.append(True)
    before = progress(page)
    page.locator(TURN).first.click()
    page.keyboard.press("s")
    expect(page.locator("[data-sheet=score]")).to_be_visible()
    while not held:
        page.wait_for_timeout(10)
    holding.clear()
    for route, text in held:
        route.send(text)
    wait_for_more(page, before)
    page.wait_for_timeout(300)
    expect(page.locator("dialog[open]")).to_have_attribute("data-sheet", "score")
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_attribute("data-sheet", "pause")
    page.locator("[data-go=next]").click()
    assert wait_for_turn(page) == "turn"


WHAT_TRAVELS = """
    window.travelled = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        if (this.dataset.card) travelled.push(this);
        return animate.apply(this, how);
    };
"""


def test_the_last_card_before_the_viewers_turn_moves(room):
    """The table is not redrawn while the card moves."""
    page = room.page(pace="fast")
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(WHAT_TRAVELS)
    room.sit(page, room.table())
    play_a_card(page)
    assert wait_for_turn(page) == "turn"
    assert page.evaluate("travelled.at(-1).isConnected")


def test_a_finished_trick_stays_until_the_player_hurries(room):
    page = room.page(pace="slow", rest="long")
    page.clock.install()
    room.sit(page, room.table())
    page.wait_for_selector(f"{TURN}, .middle.complete")
    stop_the_clock(page)
    while not page.locator(".middle.complete").count():
        if page.locator(TURN).count():
            page.locator(TURN).first.click()
        page.clock.run_for(500)  # a tenth of the time of a finished trick
    expect(page.locator(".played")).to_have_count(4)
    page.keyboard.press(" ")
    page.wait_for_selector(".middle:not(.complete)")
    expect(page.locator(".played")).not_to_have_count(4)  # and goes


def test_killed_cards_can_be_turned_up(room):
    page = room.page()
    room.sit(page, room.table())
    while not page.locator(".face-down:not(:disabled)").count():
        play_a_card(page)
    wait_for_turn(page)
    wall = page.locator(".face-down:not(:disabled)").first
    assert wall.get_attribute("aria-label").startswith("Killed")
    wall.click()
    expect(wall).to_have_attribute("aria-pressed", "true")


def test_newcomers_are_offered_the_primer_in_their_first_turns(room):
    page = room.page()
    room.sit(page, room.table())
    wait_for_turn(page)
    how = page.get_by_role("button", name="How is it played?")
    how.click()
    primer = page.locator("[data-sheet=primer]")
    expect(primer).to_contain_text("Two sides, red and black, play tricks")
    expect(primer.locator("[data-go=lesson]")).to_have_attribute("href", "/learn/trick-walls")
    expect(primer.locator(".terms")).to_contain_text("Empty trick: only the first card stood")
    primer.get_by_role("button", name="Read all the rules").click()
    expect(page.locator("[data-sheet=rules] [data-clause]").first).to_be_attached()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    for _ in range(5):
        expect(how).to_be_visible()
        play_a_card(page)
        wait_for_turn(page)
    expect(how).to_have_count(0)
    room.sit(page, room.table())
    wait_for_turn(page)
    expect(how).to_have_count(0)


def test_help_explains_selection_and_the_tools(room):
    page = room.page(360, 740)
    room.sit(page, room.table())
    wait_for_turn(page)
    page.get_by_role("button", name="Help").click()
    help_sheet = page.locator("[data-sheet=help]")
    expect(help_sheet).to_contain_text("A pale card cannot be played now")
    drawn = page.locator(".tools [data-tool]:not([data-tool=help]):not([data-tool=talk]) path")
    explained = help_sheet.locator(".tool-list path")
    paths = [[each.get_attribute("d") for each in found.all()] for found in (drawn, explained)]
    assert paths[0] == paths[1]


def test_a_dummy_is_played(room):
    page = room.page()
    room.sit(page, late_table(room, tricks=3, players=2))
    for _ in range(2 * 3):
        assert play_a_card(page) != "end"
    expect(page.locator("[data-sheet=end]")).to_be_visible()


def test_a_table_of_six_cities_is_played(room):
    page = room.page()
    room.sit(page, late_table(room, tricks=2, players=6))
    for _ in range(2):
        play_a_card(page)
    expect(page.locator("[data-sheet=end]")).to_be_visible()
    expect(page.locator(".board.of-6 .area")).to_have_count(6)


class TestScreenReaders:
    """The words for screen readers."""

    def test_the_hand_is_read_suit_by_suit(self, room):
        page = room.page()
        open_table(page, room.address, StagedTable(random_match("three-tricks", 2, 12)))
        expect(page.locator(".fan-row")).to_have_attribute(
            "aria-label",
            "Hand: six and king of clubs, four and seven of diamonds, ace of spades, eight and queen of hearts",
        )

    def test_card_signs_are_read_as_words(self, room):
        page = room.page()
        room.sit(page, room.table())
        wait_for_turn(page)
        page.evaluate("import('/page/js/common/dom.js').then(({announce}) => announce('Cleo 2♥, You 10♠'))")
        expect(page.locator("#live p").last).to_have_text("Cleo two of hearts, You ten of spades")

    def test_the_focus_begins_at_the_title(self, room):
        page = room.page()
        room.sit(page, room.table())
        expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_a_table_that_waits_for_players_has_no_hint_and_no_score(room):
    page = room.page()
    room.sit(page, room.table(2, {}, friends=1, game="castle-walls"))
    expect(page.get_by_role("heading", name="Waiting for the others")).to_be_visible()
    for name in ("A hint", "Score"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)


def test_only_the_opener_reads_how_to_open_the_room(room):
    host, guest = room.page(), room.page(name="Bo")
    table = room.table(3, {}, friends=2, game="tricky-tribes")
    room.sit(host, table)
    expect(host.locator(".door code")).to_be_visible()
    guest.goto(host.url)
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.get_by_role("heading", name="Waiting for the others")).to_be_visible()
    expect(guest.locator(".here-only")).to_be_visible()
    expect(guest.locator(".door code")).to_have_count(0)


def test_the_button_of_the_missed_log_is_visible_on_a_phone(room):
    page = room.page(390, 844)
    open_table(
        page,
        room.address,
        StagedTable(random_match("castle-walls", 2, 34, seed=3), meanwhile=("A bot plays for you.",) * 30),
    )
    expect(page.get_by_role("button", name="Go on")).to_be_in_viewport(ratio=1)
    assert faults(page) == []


@pytest.mark.parametrize(
    ("number", "before"), [(10, []), (11, ["1 earlier move: see Score."]), (13, ["3 earlier moves: see Score."])]
)
def test_the_missed_log_shows_the_last_ten_lines_and_counts_those_before(room, number, before):
    page, lines = room.page(), tuple(f"Move {n}." for n in range(1, number + 1))
    open_table(page, room.address, StagedTable(random_match("castle-walls", 2, 34, seed=3), meanwhile=lines))
    expect(page.locator(".missed .log li")).to_have_text(list(lines[-10:]))
    expect(page.locator(".missed .fine-print")).to_have_text(before)
