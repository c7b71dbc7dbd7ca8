"""Lost connections: actions meanwhile, the time of the return, the missed log."""

import json
import time
from itertools import pairwise
from random import Random

import pytest
from playwright.sync_api import expect

from parlour.server.process.settings import Settings
from tests.page.conftest import Room
from tests.page.play import (
    TURN,
    by_mouse,
    choose_on,
    play_a_card,
    progress,
    put_face_down,
    stop_the_clock,
    wait_for_more,
    wait_for_own_seat,
    wait_for_turn,
)
from tests.server.card_room import CardRoom, wait_until


class Wire:
    """A page's connection, which a test can cut and restore; it records the page's messages."""

    def __init__(self, page):
        self.cut = self.deaf = False
        self.said = []
        self.routes = []
        page.route_web_socket("**/play", self.watch)
        page.route("**/healthz", lambda route: route.abort() if self.cut else route.continue_())

    def watch(self, route):
        if self.cut:
            route.close(code=1011)
            return
        self.routes.append(route)
        server = route.connect_to_server()
        route.on_message(lambda text: self.hear(text, server))
        server.on_message(lambda text: self.cut or self.deaf or route.send(text))

    def hear(self, text, server):
        data = json.loads(text)
        if self.cut:
            return
        self.said.append(data)
        server.send(text)

    def lose(self):
        self.cut = True
        self.routes[-1].close(code=1011)

    def heard(self, kind):
        return [data for data in self.said if data["type"] == kind]

    def done(self):
        return [data["do"] for data in self.heard("act")]


@pytest.fixture
def wired_page(room):
    """Return a page at its turn, and its wire."""
    room.expected = ("WebSocket", "ERR_FAILED")
    page = room.page()
    wire = Wire(page)
    table = room.table(2, game="trick-walls")
    room.sit(page, table)
    assert wait_for_turn(page) == "turn"
    return page, wire


def lose(page, wire):
    wire.lose()
    expect(page.locator(".banner")).to_contain_text("lost")


def return_after_loss(page, wire):
    """Restore the connection, and wait until the page has it and its banner has gone."""
    before = len(wire.routes)
    wire.cut = False
    wait_until(lambda: page.wait_for_timeout(20) or len(wire.routes) > before)
    expect(page.locator(".banner")).to_be_hidden()


class TestActionsWithoutAConnection:
    def test_a_card_waits_visibly_and_is_played_once_after_the_reconnection(self, wired_page):
        page, wire = wired_page
        before = progress(page)
        lose(page, wire)
        card = page.locator(TURN).first
        played = card.get_attribute("data-do")
        card.click()
        expect(page.locator(".prompt")).to_contain_text("Waiting for the connection")
        expect(page.locator(f".hand .picked[data-do='{played}']")).to_be_visible()
        expect(page.locator(".my-turn")).to_have_count(0)
        expect(page.locator(".hand .may")).to_have_count(0)
        assert wire.done() == []
        wire.cut = False
        wait_for_more(page, before)
        assert wire.done() == [played]

    def test_a_waiting_action_can_be_cancelled(self, wired_page):
        page, wire = wired_page
        lose(page, wire)
        page.locator(TURN).first.click()
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator(".hand .may").first).to_be_visible()
        expect(page.locator(".picked")).to_have_count(0)
        return_after_loss(page, wire)
        assert wire.done() == []

    def test_an_action_without_an_answer_happens_once(self, wired_page):
        page, wire = wired_page
        before, held = progress(page), page.locator(".hand .card").count()
        wire.deaf = True
        card = page.locator(TURN).first
        played = card.get_attribute("data-do")
        card.click()
        lose(page, wire)
        expect(page.locator(".prompt")).to_contain_text("to learn whether")
        expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
        wire.cut = wire.deaf = False
        wait_for_more(page, before)
        assert wait_for_turn(page) == "turn"
        assert wire.done() == [played, played]
        expect(page.locator(f".hand [data-do='{played}']")).to_have_count(0)
        expect(page.locator(".hand .card")).to_have_count(held - 1)

    def test_an_incomplete_selection_stays(self, room):
        room.expected = ("WebSocket", "ERR_FAILED")
        page = room.page()
        wire = Wire(page)
        room.sit(page, room.table(2, {}, game="castle-walls"))
        wait_for_turn(page)
        page.locator(".hand .may").first.click()
        expect(page.locator(".hand .picked")).to_have_count(1)
        lose(page, wire)
        return_after_loss(page, wire)
        expect(page.locator(".hand .picked")).to_have_count(1)

    def test_requests_that_need_the_server_are_dimmed_and_say_so(self, wired_page):
        page, wire = wired_page
        lose(page, wire)
        expect(page.locator(".tool-hint.pale")).to_be_visible()
        page.locator(".tool-hint").click()
        expect(page.locator(".note")).to_contain_text("needs the connection")
        expect(page.locator("dialog[open]")).to_have_count(0)


def test_an_action_that_comes_too_late_is_reported_with_the_missed_log_lines(room):
    """The other seat takes back its action while this one is away, so that the table moves on."""
    room.expected = ("WebSocket", "ERR_FAILED")
    ann, bo = room.page(), room.page(name="Bo")
    wires = {ann: Wire(ann), bo: Wire(bo)}
    table = room.table(2, {}, friends=1, game="castle-walls")
    room.sit(ann, table)
    room.join(bo, table, "Bo")
    for page in (ann, bo):
        wait_for_own_seat(page)
    first, second = (ann, bo) if ann.locator(".own.active").count() else (bo, ann)
    put_face_down(first)
    first.get_by_role("button", name="Take back").click()
    expect(second.get_by_role("button", name="Yes, take it back")).to_be_visible()
    lose(first, wires[first])
    first.locator(".my-turn [data-button=end]").click()
    expect(first.locator(".prompt")).to_contain_text("Waiting for the connection: “End the turn”")
    second.get_by_role("button", name="Yes, take it back").click()
    expect(second.locator(".side-panel .log li").last).to_contain_text("takes that back")
    wires[first].cut = False
    missed = first.get_by_role("region", name="While you were away")
    expect(missed).to_contain_text("“End the turn” was not done")
    expect(missed.locator("li")).to_have_text(["You take that back."])
    assert wires[first].done().count("end") == 0
    missed.get_by_role("button", name="Go on").click()
    expect(missed).to_be_hidden()
    assert wait_for_turn(first) == "turn"


def test_a_returning_player_reads_the_actions_of_the_stand_in(room):
    """The stand-in plays for an absent player."""
    room.expected = ("localStorage",)  # a blank page has none
    page, other = room.page(), room.page(name="Bo")
    table = room.table(2, {}, friends=1, game="castle-walls", manners={"patience": 600})
    room.sit(page, table)
    address = page.url
    other.goto(address)
    other.get_by_role("button", name="Sit down").click()
    for one in (page, other):
        wait_for_own_seat(one)
    if other.locator(".own.active").count():
        other.locator(".my-turn [data-button=end]").click()
    wait_for_turn(page)
    page.reload()
    wait_for_turn(page)
    expect(page.locator(".missed")).to_be_hidden()
    page.goto("about:blank")
    room.lose_patience(table["table"])
    wait_for_turn(other)
    page.goto(address)
    expect(page.locator(".missed li").first).to_contain_text("You")


def test_the_page_reconnects_within_two_seconds_of_the_servers_return(chromium, tmp_path):
    """The time is that of the page's clock."""
    place = tmp_path / "tables.sqlite"
    card_room = CardRoom(place)
    room = Room(chromium, f"http://127.0.0.1:{card_room.port}")
    room.expected = ("WebSocket", "ERR_CONNECTION_REFUSED")
    page = room.page()
    failed = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.clock.install()
    try:
        room.sit(page, room.table(2))
        wait_for_turn(page)
        card_room.stop()
        expect(page.locator(".banner")).to_contain_text("lost")
        while len(failed) < 3:
            page.wait_for_timeout(50)
        stop_the_clock(page)
        card_room = CardRoom(place, port=card_room.port)
        for _ in range(20):
            page.clock.run_for(100)
            page.wait_for_timeout(50)
        expect(page.locator(".banner")).to_contain_text("again")
        page.clock.resume()
        assert wait_for_turn(page) == "turn"
    finally:
        room.close()
        card_room.stop()


ASKING = """
    window.asking = 0;
    const ask = window.fetch;
    window.fetch = (...how) => {
        window.asking += 1;
        return ask(...how).finally(() => { window.asking -= 1; });
    };
"""
"""Counts the requests without an answer."""


def pass_seconds(page, number):
    """Advance the page's clock second by second; each second's requests are answered within it."""
    for _ in range(number):
        page.clock.run_for(1000)
        page.wait_for_timeout(10)
        while page.evaluate("window.asking"):
            page.wait_for_timeout(10)


def test_a_refused_page_backs_off(room):
    """The server answers, but closes each connection with the code of too many requests."""
    room.expected = ("WebSocket",)
    page = room.page()
    tries = []

    def watch(route):
        tries.append(time.monotonic())
        route.close(code=4429)

    page.route_web_socket("**/play", watch)
    page.add_init_script(ASKING)
    page.clock.install()
    room.sit(page, room.table())
    page.wait_for_selector(".banner:not([hidden])")
    pass_seconds(page, 40)
    assert 2 <= len(tries) <= 8, "40 seconds with pauses of at least 1, 4, 8 and 16"


def test_a_page_at_a_banned_address_says_so_and_does_not_reconnect(room):
    room.expected = ("WebSocket",)
    page = room.page()
    tries = []

    def watch(route):
        tries.append(time.monotonic())
        route.close(code=4410)

    page.route_web_socket("**/play", watch)
    page.clock.install()
    room.sit(page, room.table())
    page.get_by_text("The operator of this room has shut it to your address for a time.").wait_for()
    page.clock.run_for(60_000)
    assert len(tries) == 1


def test_a_page_that_loses_its_place_in_a_full_room_backs_off(room):
    """A full room closes idle connections for new ones; without pauses they would replace each other."""
    room.expected = ("WebSocket",)
    page = room.page()
    tries = []

    def watch(route):
        def hear(text):
            tries.append(text)
            route.send('{"type":"pong"}')
            route.close(code=1013)

        route.on_message(hear)

    page.route_web_socket("**/play", watch)
    page.add_init_script(ASKING)
    page.clock.install()
    room.sit(page, room.table())
    page.wait_for_selector(".banner:not([hidden])")
    pass_seconds(page, 40)
    assert 2 <= len(tries) <= 8


def test_many_returning_pages_of_one_address_stay_within_its_limits(chromium, tmp_path):
    card_room = CardRoom(tmp_path / "tables.sqlite", Settings())
    room = Room(chromium, f"http://127.0.0.1:{card_room.port}")
    page = room.page()
    try:
        page.goto(room.address)
        back = page.evaluate(
            """async table => {
            const { Connection } = await import('/page/js/table/connection.js');
            const viewer = { key: () => null, seen: () => undefined, name: () => '' };
            const open = [...Array(15)].map(() => new Promise((found) => {
                let cut = false;
                const message = () => { if (!cut) setTimeout(() => connection.socket.close(), 100); cut = true; };
                const on = { message, lost() {}, refused() {}, found: () => found(connection) };
                const connection = new Connection(table, viewer, on);
            }));
            const all = await Promise.race([Promise.all(open), new Promise((late) => setTimeout(late, 120000, []))]);
            all.forEach((connection) => connection.close());
            return all.map((connection) => connection.refusals);
        }""",
            room.table(2, friends=1)["table"],
        )
        assert back == [0] * 15
    finally:
        room.close()
        card_room.stop()


@pytest.mark.parametrize("game", ["castle-walls", "three-tricks"])
def test_each_move_is_announced_once(room, game):
    page = room.page(pace="normal")
    page.add_init_script(
        """addEventListener('DOMContentLoaded', () => {
        window.heard = [];
        const lines = () => [...document.querySelectorAll('#live p')].map((line) => line.textContent);
        new MutationObserver(() => heard.push(lines())).observe(document.getElementById('live'), { childList: true });
    });"""
    )
    room.sit(page, room.table(2, {}, game=game))
    wait_for_turn(page)
    # What Ada did before may have happened before the page was there, which then announces nothing of it.
    page.wait_for_function("() => heard.flat().findLast((line) => line.trim())?.startsWith('Your turn')")
    page.evaluate("() => { heard.length = 0; }")
    before, random = progress(page), Random(1)

    def moves():
        lines = page.locator(".side-panel .log li").all_text_contents()
        return [line for line in lines[before:] if line.startswith("Ada ")]

    while not moves():
        assert choose_on(page, random, by_mouse(page)) == "turn"
    wait_for_turn(page)

    def heard():
        lines = page.evaluate("heard.flat()")
        return [line for line in lines if line.startswith("Ada ") and "is to play" not in line]

    wait_until(lambda: len(heard()) >= len(moves()))
    assert heard() == moves()


def test_a_finished_trick_is_logged_once(room):
    page = room.page()
    room.sit(page, room.table(4))
    for _ in range(2):
        play_a_card(page)
    wait_for_turn(page)
    log = page.locator(".side-panel .log li:not(.gloss, .gap)").all_text_contents()
    assert len(log) > 8
    assert [line for line, after in pairwise(log) if line == after] == []
    expect(page.locator(".note")).to_be_hidden()


class TestATableThatMovesToAnotherServer:
    def test_the_page_reconnects_and_the_game_goes_on(self, wired_page):
        page, wire = wired_page
        wire.routes[-1].close(code=4421)
        card = play_a_card(page)
        assert len(wire.routes) == 2
        assert set(wire.done()) == {card}

    def test_requests_during_the_move_are_repeated(self, room):
        room.expected = ("421",)
        page = room.page()
        page.goto(room.address)
        asked = []

        def answer(route):
            asked.append(route)
            if len(asked) == 1:
                route.fulfill(status=421, headers={"Retry-After": "1"}, json={"error": "elsewhere"})
            else:
                route.continue_()

        page.route("**/api/games", answer)
        assert page.evaluate("import('/page/js/common/api.js').then((api) => api.games())")["games"]
        assert len(asked) == 2


class TestTheLogAfterALostConnection:
    def test_a_page_that_has_the_log_does_not_receive_it_again(self, room):
        room.expected = ("WebSocket", "ERR_FAILED")
        page = room.page()
        wire = Wire(page)
        room.sit(page, room.table(2, game="trick-walls"))
        wait_for_turn(page)
        before, log = progress(page), page.locator(".side-panel .log li").all_inner_texts()
        wire.routes[-1].close(code=1011)
        wait_until(lambda: page.wait_for_timeout(20) or len(wire.heard("hello")) == 2)
        expect(page.locator(".banner")).to_be_hidden()
        first, second = wire.heard("hello")
        assert "seen" not in first
        assert second["seen"] > 0
        assert page.locator(".side-panel .log li").all_inner_texts() == log
        expect(page.locator(".missed")).to_be_hidden()
        play_a_card(page)
        wait_for_more(page, before)
        assert wait_for_turn(page) == "turn"
        assert page.locator(".side-panel .log li").all_inner_texts()[: len(log)] == log


def test_a_page_without_its_modules_says_so_and_loads_again_by_itself(room):
    room.expected = ("ERR_FAILED", "dynamically imported")
    page = room.page()
    page.route("**/js/lesson/lesson.js", lambda route: route.abort())
    page.goto(f"{room.address}/learn/trick-walls")
    expect(page.get_by_text("A part of the page has not arrived yet.")).to_be_visible()
    page.unroute("**/js/lesson/lesson.js")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
