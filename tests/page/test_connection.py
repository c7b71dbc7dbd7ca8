"""A connection that is lost: what is pressed meanwhile, how soon the page is back, and what it tells then."""

import json
import time
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from parlour.server.process.settings import Settings
from tests.page.conftest import Room
from tests.page.play import TURN, play_a_card, progress, stop_the_clock, wait_for_more, wait_for_turn
from tests.page.test_people import put_face_down
from tests.server.card_room import CardRoom


class Wire:
    """A page's connection, which can be cut and mended; keeps what the page says."""

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

    def done(self):
        return [data["do"] for data in self.said if data["type"] == "do"]


@pytest.fixture
def wired(room):
    """A page at its turn, its table, and its wire."""
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


class TestWhatIsPressedMeanwhile:
    def test_a_card_waits_in_sight_and_is_played_once_when_the_connection_is_back(self, wired):
        page, wire = wired
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

    def test_it_can_be_put_back(self, wired):
        page, wire = wired
        lose(page, wire)
        page.locator(TURN).first.click()
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator(".hand .may").first).to_be_visible()
        expect(page.locator(".picked")).to_have_count(0)
        wire.cut = False
        expect(page.locator(".banner")).to_contain_text("again")
        assert wire.done() == []

    def test_what_was_done_and_not_answered_happens_once(self, wired):
        page, wire = wired
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

    def test_what_was_half_chosen_stays_chosen(self, room):
        room.expected = ("WebSocket", "ERR_FAILED")
        page = room.page()
        wire = Wire(page)
        room.sit(page, room.table(2, {}, game="castle-walls"))
        wait_for_turn(page)
        page.locator(".hand .may").first.click()
        expect(page.locator(".hand .picked")).to_have_count(1)
        lose(page, wire)
        wire.cut = False
        expect(page.locator(".banner")).to_contain_text("again")
        expect(page.locator(".banner")).to_be_hidden()
        expect(page.locator(".hand .picked")).to_have_count(1)

    def test_what_only_the_server_can_tell_is_pale_and_says_so(self, wired):
        page, wire = wired
        lose(page, wire)
        expect(page.locator(".tool-hint.pale")).to_be_visible()
        page.locator(".tool-hint").click()
        expect(page.locator(".note")).to_contain_text("needs the connection")
        expect(page.locator("dialog[open]")).to_have_count(0)


def test_what_comes_too_late_is_said_not_to_be_done_and_what_happened_meanwhile_is_told(room):
    """The other seat takes back what it did while this one is away, so that the table has moved on."""
    room.expected = ("WebSocket", "ERR_FAILED")
    ann, bo = room.page(), room.page(name="Bo")
    wires = {ann: Wire(ann), bo: Wire(bo)}
    table = room.table(2, {}, friends=1, game="castle-walls")
    room.sit(ann, table)
    bo.goto(f"{room.address}/table/{table['table']}")
    bo.get_by_label("Your name").fill("Bo")
    bo.get_by_role("button", name="Sit down").click()
    for page in (ann, bo):
        page.wait_for_selector(".board .area.active")
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


def test_whoever_closed_the_page_is_told_what_was_done_meanwhile(room):
    """The stand-in plays for one who has gone."""
    room.expected = ("localStorage",)  # a blank page has none
    page, other = room.page(), room.page(name="Bo")
    table = room.table(2, {}, friends=1, game="castle-walls", manners={"patience": 5})
    room.sit(page, table)
    address = page.url
    other.goto(address)
    other.get_by_role("button", name="Sit down").click()
    for one in (page, other):
        one.wait_for_selector(".board .area.active")
    if other.locator(".own.active").count():
        other.locator(".my-turn [data-button=end]").click()
    wait_for_turn(page)
    page.reload()
    wait_for_turn(page)
    expect(page.locator(".missed")).to_be_hidden()
    page.goto("about:blank")
    wait_for_turn(other)
    page.goto(address)
    expect(page.locator(".missed li").first).to_contain_text("You")


def test_the_page_is_back_within_two_seconds_of_the_servers_answering(chromium, tmp_path):
    """Two seconds of the page's own clock."""
    place = tmp_path / "tables.sqlite"
    house = CardRoom(place)
    room = Room(chromium, f"http://127.0.0.1:{house.port}")
    room.expected = ("WebSocket", "ERR_CONNECTION_REFUSED")
    page = room.page()
    failed = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.clock.install()
    try:
        room.sit(page, room.table(2))
        wait_for_turn(page)
        house.stop()
        expect(page.locator(".banner")).to_contain_text("lost")
        while len(failed) < 6:
            page.wait_for_timeout(50)
        stop_the_clock(page)
        house = CardRoom(place, port=house.port)
        for _ in range(20):
            page.clock.run_for(100)
            page.wait_for_timeout(50)
        expect(page.locator(".banner")).to_contain_text("again")
        page.clock.resume()
        assert wait_for_turn(page) == "turn"
    finally:
        room.close()
        house.stop()


def test_who_is_turned_away_gives_the_server_time(room):
    """A server that answers, and closes each connection as too much."""
    room.expected = ("WebSocket",)
    page = room.page()
    tries = []

    def watch(route):
        tries.append(time.monotonic())
        route.close(code=4429)

    page.route_web_socket("**/play", watch)
    page.clock.install()
    room.sit(page, room.table())
    page.wait_for_selector(".banner:not([hidden])")
    for _ in range(40):
        page.clock.run_for(1000)
        page.wait_for_timeout(10)
    assert 2 <= len(tries) <= 8, "40 seconds, at least 1, 4, 8, 16 of which are waited"


def test_a_banned_address_is_named_and_does_not_connect_again(room):
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


def test_who_makes_room_for_others_gives_the_server_time(room):
    """A room that is full lets somebody in and soon needs the place: all who are idle would push one another out."""
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
    page.clock.install()
    room.sit(page, room.table())
    page.wait_for_selector(".banner:not([hidden])")
    for _ in range(40):
        page.clock.run_for(1000)
        page.wait_for_timeout(10)
    assert 2 <= len(tries) <= 8


def test_a_class_that_comes_back_at_once_stays_within_what_an_address_may_do(chromium, tmp_path):
    house = CardRoom(tmp_path / "tables.sqlite", Settings())
    room = Room(chromium, f"http://127.0.0.1:{house.port}")
    page = room.page()
    try:
        page.goto(room.address)
        back = page.evaluate(
            """async table => {
            const { Connection } = await import('/page/js/socket.js');
            const open = [...Array(15)].map(() => new Promise((found) => {
                let cut = false;
                const message = () => { if (!cut) setTimeout(() => connection.socket.close(), 100); cut = true; };
                const on = { message, lost() {}, refused() {}, found: () => found(connection) };
                const connection = new Connection(table, { key: () => null, seen: () => undefined }, on);
            }));
            const all = await Promise.race([Promise.all(open), new Promise((late) => setTimeout(late, 20000, []))]);
            all.forEach((connection) => connection.close());
            return all.map((connection) => connection.turnedAway);
        }""",
            room.table(2, friends=1)["table"],
        )
        assert back == [0] * 15
    finally:
        room.close()
        house.stop()


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
    for _ in range(2):
        wait_for_turn(page)
        buttons = page.locator(".my-turn [data-button=end]")
        if buttons.count():
            buttons.click()
        else:
            page.locator(".my-turn .may").first.click()
            page.locator(".my-turn .may:not(.picked), .my-turn [data-button].primary").first.click()
            break
    wait_for_turn(page)
    page.wait_for_function("() => heard.flat().some((line) => line.startsWith('Your turn'))")
    told = [line for line in page.locator(".side-panel .log li").all_text_contents() if line.startswith("Ada ")]
    heard = page.evaluate("heard.flat()")
    assert told
    for line in set(told):
        assert heard.count(line) <= told.count(line), line


def test_a_finished_trick_is_told_once(room):
    page = room.page()
    room.sit(page, room.table(4))
    for _ in range(2):
        play_a_card(page)
    wait_for_turn(page)
    told = page.locator(".side-panel .log li:not(.gloss, .gap)").all_text_contents()
    assert len(told) > 8
    assert [line for line, after in pairwise(told) if line == after] == []
    expect(page.locator(".note")).to_be_hidden()


class TestATableThatGoesToAnotherServer:
    def test_the_page_comes_again_by_itself_and_plays_on(self, wired):
        page, wire = wired
        wire.routes[-1].close(code=4421)
        card = play_a_card(page)
        assert len(wire.routes) == 2
        assert set(wire.done()) == {card}

    def test_what_is_asked_meanwhile_is_asked_again(self, room):
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
        assert page.evaluate("import('/page/js/api.js').then((api) => api.games())")["games"]
        assert len(asked) == 2


class Older:
    """Has a page's server say nothing of what it understands, or refuse a hello that says what was seen."""

    def __init__(self, page, refuses):
        self.refuses = refuses
        self.said, self.heard, self.routes = [], [], []
        page.route_web_socket("**/play", self.watch)

    def watch(self, route):
        self.routes.append(route)
        server = route.connect_to_server()
        route.on_message(lambda text: self.hear(text, route, server))
        server.on_message(lambda text: self.tell(text, route))

    def hear(self, text, route, server):
        data = json.loads(text)
        self.said.append(data)
        if self.refuses and "seen" in data and data["type"] == "hello":
            refused = {"type": "refused", "do": "", "reason": "seen: not known", "clause": "", "seen": 0}
            route.send(json.dumps(refused))
        else:
            server.send(text)

    def tell(self, text, route):
        data = json.loads(text)
        if data["type"] == "table" and not self.refuses:
            del data["understands"]
        self.heard.append(data)
        route.send(json.dumps(data))

    @property
    def hellos(self):
        return [data for data in self.said if data["type"] == "hello"]


class TestWhatWasSeen:
    def come_again(self, room, refuses=None):
        """A page at its turn whose connection is cut and mended, what was told before, and its wire."""
        room.expected = ("WebSocket", "ERR_FAILED")
        page = room.page()
        wire = Wire(page) if refuses is None else Older(page, refuses)
        room.sit(page, room.table(2, game="trick-walls"))
        wait_for_turn(page)
        before, log = progress(page), page.locator(".side-panel .log li").all_inner_texts()
        wire.routes[-1].close(code=1011)
        expect(page.locator(".banner")).to_contain_text("Connected again")
        return page, wire, before, log

    def test_the_story_is_not_told_again_to_a_page_that_knows_it_and_the_game_goes_on(self, room):
        page, wire, before, log = self.come_again(room)
        first, second = [data for data in wire.said if data["type"] == "hello"]
        assert "seen" not in first
        assert second["seen"] > 0
        assert page.locator(".side-panel .log li").all_inner_texts() == log
        expect(page.locator(".missed")).to_be_hidden()
        play_a_card(page)
        wait_for_more(page, before)
        assert wait_for_turn(page) == "turn"
        assert page.locator(".side-panel .log li").all_inner_texts()[: len(log)] == log

    @pytest.mark.parametrize("refuses", [False, True], ids=["says-nothing-of-it", "refuses-it"])
    def test_an_older_server_is_asked_as_it_understands_it(self, room, refuses):
        page, wire, before, log = self.come_again(room, refuses)
        assert ["seen" in data for data in wire.hellos] == [False, True, False] if refuses else [False, False]
        story = [data for data in wire.heard if data["type"] == "scenes" and "told" in data]
        assert story[-1]["told"]
        assert page.locator(".side-panel .log li").all_inner_texts() == log
        expect(page.locator(".note")).to_be_hidden()
        play_a_card(page)
        wait_for_more(page, before)


def test_a_page_whose_files_do_not_come_says_so(room):
    room.expected = ("ERR_FAILED", "dynamically imported")
    page = room.page()
    page.route("**/js/lesson.js", lambda route: route.abort())
    page.goto(f"{room.address}/learn/trick-walls")
    expect(page.get_by_role("main")).to_contain_text("The card room does not answer")
    page.unroute("**/js/lesson.js")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
