"""People at one table: undo requests, clocks, talk, absent players, rematches."""

import re

import pytest
from playwright.sync_api import expect

from tests.page.pictures import STAYS
from tests.page.play import page_to_act, play_a_card, put_face_down, wait_for_own_seat, wait_for_turn
from tests.server.card_room import wait_until


@pytest.fixture
def table_of_two(room):
    """Return a function that opens a game of two people in two browsers; the acting one comes first."""

    def open_table(game="castle-walls", options=None, **manners):
        ann, bo = room.page(), room.page(name="Bo")
        for page in (ann, bo):
            page.add_init_script(STAYS)
        table = room.table(2, options or {}, friends=1, game=game, manners=manners)
        room.sit(ann, table)
        room.join(bo, table, "Bo")
        for page in (ann, bo):
            wait_for_own_seat(page)
        return (ann, bo) if ann.locator(".own.active").count() else (bo, ann)

    return open_table


def test_an_action_is_taken_back_when_the_other_agrees(table_of_two):
    first, second = table_of_two()
    put_face_down(first)
    first.get_by_role("button", name="Take back").click()
    expect(first.locator(".wish")).to_contain_text("waiting for")
    second.get_by_role("button", name="Yes, take it back").click()
    expect(first.locator(".own .place .card")).to_have_count(0)
    expect(first.locator(".side-panel .log li").last).to_have_text("You take that back.")
    expect(second.locator(".side-panel .log li").last).to_have_text(re.compile(r"(Ann|Bo) takes that back\."))
    assert wait_for_turn(first) == "turn"
    put_face_down(first)
    expect(first.get_by_role("button", name="Take back")).to_be_visible()
    first.keyboard.press("u")
    second.get_by_role("button", name="No, play on").click()
    expect(first.locator(".note")).to_have_text(re.compile(r"(Ann|Bo) would rather play on\."))
    expect(first.get_by_role("button", name="Take back")).to_have_count(0)
    expect(first.locator(".own .place .card")).to_have_count(1)


def test_a_message_reaches_the_others_unless_they_have_no_bubbles(table_of_two):
    first, second = table_of_two("trick-walls", {"rounds": 1})
    first.get_by_role("button", name="Talk").click()
    first.get_by_role("button", name="Good luck!").click()
    expect(second.locator(".bubble")).to_contain_text("Good luck!")
    first.get_by_label("A few words").fill("and a good evening")
    first.get_by_role("button", name="Say it").click()
    expect(second.get_by_role("button", name="Talk, 2 new")).to_be_visible()
    second.keyboard.press("c")
    expect(second.locator(".said")).to_contain_text("and a good evening")
    second.get_by_role("switch", name=re.compile("Show what (Ann|Bo) says")).click()
    expect(second.locator(".said")).not_to_contain_text("evening")


def test_a_message_that_the_open_sheet_lists_has_no_bubble(table_of_two):
    first, second = table_of_two("trick-walls", {"rounds": 1})
    first.keyboard.press("c")
    first.get_by_role("button", name="Good luck!").click()
    expect(second.locator(".bubble")).to_have_count(1)
    expect(first.locator(".said li")).to_have_text(["You: Good luck!"])
    expect(first.locator(".bubble")).to_have_count(0)


def test_a_message_from_before_a_reload_is_no_news(table_of_two):
    first, second = table_of_two("trick-walls", {"rounds": 1})
    first.get_by_role("button", name="Talk").click()
    first.get_by_role("button", name="Good luck!").click()
    expect(second.locator(".bubble")).to_contain_text("Good luck!")
    second.reload()
    wait_for_own_seat(second)
    expect(second.get_by_role("button", name="Talk", exact=True)).to_be_visible()
    expect(second.locator(".bubble")).to_have_count(0)
    second.keyboard.press("c")
    expect(second.locator(".said")).to_contain_text("Good luck!")


def test_a_muted_player_has_no_bubbles_and_no_unread_messages(table_of_two):
    first, second = table_of_two("trick-walls", {"rounds": 1})
    name = first.evaluate("JSON.parse(localStorage.parlour).name")
    second.get_by_role("button", name="Talk").click()
    second.get_by_role("switch", name=f"Show what {name} says").click()
    second.keyboard.press("Escape")
    first.get_by_role("button", name="Talk").click()
    first.get_by_role("button", name="Good luck!").click()
    second.get_by_role("button", name="Talk").click()
    second.get_by_role("button", name="Thank you!").click()  # the server has sent both in this order
    expect(second.locator(".said li")).to_have_text(["You: Thank you!"])
    expect(second.locator(".bubble")).to_have_count(0)
    expect(second.locator(".tool-talk.unread")).to_have_count(0)
    second.get_by_role("switch", name=f"Show what {name} says").click()
    expect(second.locator(".said li")).to_have_text([f"{name}: Good luck!", "You: Thank you!"])


def test_messages_are_announced_while_a_sheet_is_open(table_of_two):
    first, second = table_of_two("trick-walls", {"rounds": 1})
    second.keyboard.press("c")
    first.keyboard.press("c")
    first.get_by_role("button", name="Good luck!").click()
    expect(second.locator("[data-sheet=talk] [role=status]")).to_contain_text("Good luck!")
    second.keyboard.press("Escape")
    first.get_by_role("button", name="Thank you").click()
    expect(second.locator("#live")).to_contain_text("Thank you")


@pytest.mark.parametrize("arrived", [False, True])
def test_a_message_without_an_answer_is_repeated_and_shown_once(table_of_two, arrived):
    first, second = table_of_two("trick-walls", {"rounds": 1})
    first.get_by_role("button", name="Talk").click()
    first.evaluate(
        """arrived => {
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (text) {
            const lost = text.includes('"say"');
            if (!lost || arrived) send.call(this, text);
            if (lost) { WebSocket.prototype.send = send; this.close(); }
        };
    }""",
        arrived,
    )
    first.get_by_role("button", name="Good luck!").click()
    expect(second.locator(".bubble")).to_have_count(1)
    second.get_by_role("button", name="Talk").click()
    expect(second.locator(".said > *")).to_have_count(1)


class TestTablesOverDays:
    UNTIL = re.compile(r"until \w{3},? \d{1,2} \w{3,4},? \d{1,2}:\d\d")

    def test_are_chosen_instead_of_a_clock_and_named_in_the_invitation(self, room):
        ann, bo = room.page(), room.page(name="Bo")
        ann.goto(f"{room.address}/games/castle-walls")
        ann.locator("#seat-1").select_option("open")
        expect(ann.locator("#manners-patience")).to_be_visible()
        ann.locator("#manners-clock").select_option("threeDays")
        expect(ann.locator("#manners-patience")).to_be_hidden()
        expect(ann.locator(".manners .fine-print")).to_contain_text("come back when it is your turn")
        ann.get_by_role("button", name="Open the table").click()
        ann.wait_for_url("**/table/*")
        bo.goto(ann.url)
        expect(bo.locator(".agreed")).to_contain_text("3 days for each action.")
        expect(bo.locator(".agreed")).not_to_contain_text("When somebody has gone")

    def test_the_table_and_the_landing_name_the_deadline_and_the_own_turns_are_first(self, room, table_of_two):
        manners = {"days": 1, "patience": None}
        first, second = table_of_two(**manners)
        waits = second.locator(".area:not(.own) .deadline")
        expect(waits).to_have_text(self.UNTIL)
        second.goto(room.address)
        expect(second.locator(".own-tables .table-line .how")).to_have_text(
            re.compile(f"(Ann|Bo) is to play, {self.UNTIL.pattern}")
        )
        room.sit(first, room.table(2, {}, friends=1, game="three-tricks", manners=manners))
        expect(first.get_by_role("heading", name="Waiting for the others")).to_be_visible()
        first.goto(room.address)
        expect(first.locator(".own-tables .table-line")).to_have_count(2)
        own = first.locator(".own-tables .table-line").first
        expect(own.locator(".how")).to_have_text(re.compile(f"your turn, {self.UNTIL.pattern}"))
        expect(own).to_contain_text("Castle Walls")

    def test_a_player_without_connection_is_not_missed(self, room, table_of_two):
        first, second = table_of_two(days=1, patience=None)
        second.goto(f"{room.address}/healthz")
        put_face_down(first)
        first.get_by_role("button", name="Take back").click()
        expect(first.locator(".own .place .card")).to_have_count(0)  # unasked, since the other is not connected
        expect(first.locator(".area .absent")).to_have_count(0)


def test_an_invitation_lists_the_manners_of_the_table(room):
    host, guest = room.page(), room.page()
    clock = {"seconds": 600, "increment": 10}
    table = room.table(2, friends=1, manners={"clock": clock, "talk": "signs", "hints": True, "studied": True})
    room.sit(host, table)
    guest.goto(f"{room.address}/table/{table['table']}")
    guest.get_by_text("Table manners").click()
    for words in (
        "10 minutes, and 10 seconds for each action",
        "a bot plays on to the end",
        "Signs only",
        "For everyone",
        "The room may use the finished game",
    ):
        expect(guest.locator(".agreed")).to_contain_text(words)
    expect(guest.locator(".agreed")).not_to_contain_text("Bots’ seats")
    guest.get_by_role("button", name="Sit down").click()
    for page in (host, guest):
        expect(page.get_by_role("button", name="A hint")).to_be_visible()


def test_a_table_without_talk_has_no_talk(table_of_two):
    first, _ = table_of_two(talk="none", clock={"seconds": 600, "increment": 0})
    expect(first.locator("[data-clock]")).to_have_count(2)  # they come with the manners of the table
    expect(first.get_by_role("button", name="Talk")).to_have_count(0)


def test_the_clock_of_the_acting_seat_runs(table_of_two):
    first, second = table_of_two(clock={"seconds": 600, "increment": 120})
    for page in (first, second):
        expect(page.locator("[data-clock]")).to_have_count(2)
        expect(page.locator("[data-clock].runs")).to_have_text(re.compile(r"9:\d\d"))
    first.get_by_role("button", name="End the turn").click()
    expect(first.locator(".at-1 [data-clock].runs")).to_have_count(1)
    expect(first.locator(".own [data-clock]")).to_have_text(re.compile(r"11:\d\d"))


def test_a_bot_plays_for_an_absent_player_until_the_return(table_of_two, room):
    room.expected = ("localStorage",)  # a blank page has none
    first, second = table_of_two(patience=600)
    gone = first.context
    address = first.url
    first.goto("about:blank")
    expect(second.locator(".at-1 .absent")).to_have_text("not here")
    room.lose_patience(address.rpartition("/")[2])
    expect(second.locator(".at-1 .absent")).to_have_text("a bot plays meanwhile")
    assert wait_for_turn(second) == "turn"
    back = gone.pages[0]
    back.goto(address)
    expect(second.locator(".absent")).to_have_count(0)


def test_a_rematch_begins_with_seats_rotated_when_the_other_player_accepts(table_of_two):
    pages = table_of_two("castle-walls", {"turn_limit": 2})
    before = pages[0].url
    for page in pages:
        page.locator(".my-turn [data-button=end]").click()
    for page in pages:
        expect(page.locator("dialog[open][data-sheet=end]")).to_be_visible()
    other, proposer = pages
    proposer.keyboard.press("n")
    proposer.wait_for_function("before => location.href !== before", arg=before)
    expect(proposer.locator(".panel")).to_contain_text("The others are asked to play again.")
    offer = other.locator("[data-sheet=end] .offer")
    expect(offer).to_have_text(re.compile("(Ann|Bo) wants to play again."))
    assert other.url == before
    other.reload()
    expect(offer).to_be_visible()
    other.keyboard.press("n")
    for page in pages:
        wait_for_own_seat(page)
    assert other.url == proposer.url != before
    names = [page.locator(".own .area-name").text_content() for page in pages]
    assert names == ["You", "You"]


def test_a_player_whose_seat_in_the_rematch_is_taken_reads_so_and_sees_its_table(table_of_two, room):
    other, proposer = table_of_two("castle-walls", {"turn_limit": 2})
    for page in (other, proposer):
        page.locator(".my-turn [data-button=end]").click()
    expect(proposer.locator("dialog[open][data-sheet=end]")).to_be_visible()
    with proposer.expect_navigation():
        proposer.keyboard.press("n")
    after = proposer.url.rpartition("/")[2]
    stranger = room.page(name="Cy")
    stranger.goto(proposer.url)
    stranger.get_by_role("button", name="Sit down").click()
    wait_for_own_seat(stranger)
    expect(other.locator("[data-sheet=end] .offer")).to_contain_text("Another person has taken your seat")
    with other.expect_navigation():
        other.keyboard.press("n")
    expect(other.locator(".heading")).to_contain_text("Turn 1")
    assert other.url.endswith(after)
    assert other.evaluate("after => localStorage.getItem(`parlour:${after}`)", after) is None


def test_the_end_does_not_close_an_open_sheet(table_of_two):
    first, second = table_of_two("castle-walls", {"turn_limit": 2})
    first.locator(".my-turn [data-button=end]").click()
    second.wait_for_selector(".my-turn [data-button=end]")
    first.keyboard.press("c")
    first.get_by_label("A few words").fill("that was")
    second.locator(".my-turn [data-button=end]").click()
    expect(second.locator("[data-sheet=end]")).to_be_visible()
    expect(first.locator(".actions [data-go=end]")).to_be_attached()
    first.keyboard.type(" close")
    first.keyboard.press("Enter")
    expect(first.locator(".said")).to_contain_text("that was close")
    first.keyboard.press("Escape")
    expect(first.locator("dialog[open]")).to_have_attribute("data-sheet", "end")
    assert not first.locator("dialog:modal").count(), "it blocks nothing"
    first.keyboard.press("Escape")
    expect(first.locator("dialog[open]")).to_have_count(0)


def test_a_failed_rematch_is_shown_beside_its_button(table_of_two, room):
    room.expected = ("429",)
    pages = table_of_two("castle-walls", {"turn_limit": 2})
    asked = []
    for page in pages:
        page.route("**/rematch", lambda route: asked.append(route))
        page.locator(".my-turn [data-button=end]").click()
    for page in pages:
        expect(page.locator("dialog[open][data-sheet=end]")).to_be_visible()
    host = pages[0]
    host.locator("[data-go=again]").click()
    expect(host.locator("[data-go=again]")).to_be_disabled()
    wait_until(lambda: host.wait_for_timeout(20) or asked)  # the button is disabled before the request is sent
    asked[0].fulfill(status=429, json={"error": "there is no room"})
    expect(host.locator("[data-sheet=end] .failure")).to_have_text("there is no room")
    expect(host.locator("[data-go=again]")).to_be_enabled()
    assert len(asked) == 1


def test_three_players_see_the_same_table_from_their_seats(room):
    ann, bo, cy = (room.page(name=name) for name in ("Ann", "Bo", "Cy"))
    table = room.table(3, {"rounds": 1}, friends=2)
    room.sit(ann, table)
    for page, name in ((bo, "Bo"), (cy, "Cy")):
        room.join(page, table, name)
        expect(page.locator(".join")).to_have_count(0)
    pages = (ann, bo, cy)
    for _ in range(6):
        play_a_card(page_to_act(*pages))
    for page, others in zip(pages, (["Bo", "Cy"], ["Cy", "Ann"], ["Ann", "Bo"]), strict=True):
        expect(page.locator(".board .area[data-seat] .area-name")).to_have_text(["You", *others])
    hands = [
        page.locator(".hand .card").evaluate_all("cards => cards.map(card => card.dataset.card)") for page in pages
    ]
    assert all(hands)
    assert len(set().union(*hands)) == sum(map(len, hands)), "no card is in two hands"


def test_the_end_of_a_rated_game_tells_each_player_the_new_rating(table_of_two):
    first, second = table_of_two(rated=True)
    put_face_down(first)
    first.click("[data-tool=people]")
    first.get_by_role("button", name="Resign …").click()
    first.get_by_role("button", name="Yes, resign").click()
    for page, words in (
        (first, r"Your rating is now 1\d{3}\? \(−\d+\)\."),
        (second, r"Your rating is now 1\d{3}\? \(\+\d+\)\."),
    ):
        expect(page.locator("[data-sheet=end] [data-place=rating]")).to_have_text(re.compile(words))
