"""Players, spectators and connections of one table."""

import pytest
from playwright.sync_api import expect

from tests.page.bot_tables import ask, late_table
from tests.page.network import in_network
from tests.page.play import TURN, page_to_act, play_a_card, progress, wait_for_more, wait_for_turn
from tests.server.card_room import wait_until


def routes_of(page):
    """Return a list that receives the page's connections, so that a test can close the last one."""
    routes = []

    def watch(route):
        route.connect_to_server()
        routes.append(route)

    page.route_web_socket("**/play", watch)
    return routes


def lose_connection(page, routes):
    """Close the last connection, and wait until the page has another one and its banner has gone."""
    before = len(routes)
    routes[-1].close(code=1011)
    wait_until(lambda: page.wait_for_timeout(20) or len(routes) > before)
    expect(page.locator(".banner")).to_be_hidden()


def test_a_friend_joins_through_the_link(room):
    host, friend = room.page(), room.page(name="")
    table = room.table(friends=1)
    room.sit(host, table)
    expect(host.get_by_role("heading", name="Waiting for the others")).to_be_visible()
    room.join(friend, table, "Cy")
    acted = []
    while len(acted) < 4 or len(set(acted)) < 2:
        acted.append(page_to_act(host, friend))
        play_a_card(acted[-1])
    expect(host.locator(".area-name", has_text="Cy")).to_be_visible()
    expect(friend.locator(".area-name", has_text="Ann")).to_be_visible()


def test_a_name_keeps_its_caret_when_another_player_sits_down(room):
    friend, table = room.page(name=""), room.table(friends=2)
    friend.goto(f"{room.address}/table/{table['table']}")
    friend.get_by_label("Your name").press_sequentially("Cy")
    friend.request.post(f"{room.address}/api/tables/{table['table']}/seats", data={"seat": 1, "name": "Bo"})
    expect(friend.locator(".seats-now .taken", has_text="Bo")).to_be_visible()
    friend.keyboard.type("d")
    expect(friend.get_by_label("Your name")).to_have_value("Cyd")


def test_an_open_qr_code_stays_when_another_player_sits_down(room):
    host, friend = room.page(), room.page(name="")
    table = room.table(friends=2)
    in_network(host, room.address)
    room.sit(host, table)
    host.locator(".door .show-code").click()
    code = host.locator(".door .link-code svg")
    expect(code).to_be_visible()
    room.join(friend, table, "Cy")
    expect(host.locator(".seats-now .taken", has_text="Cy")).to_be_visible()
    expect(code).to_be_visible()


def test_a_spectator_sees_no_hand(room):
    host, watcher = room.page(), room.page()
    table = room.table(friends=1)
    room.sit(host, table)
    watcher.goto(f"{room.address}/table/{table['table']}")
    watcher.get_by_role("button", name="Just watch").click()
    ask(f"{room.address}/api/tables/{table['table']}/seats", {"seat": 1, "name": "Bo"})
    expect(host.locator(".hand .card").first).to_be_visible()
    wait_for_more(watcher, 0)
    expect(watcher.locator(".hand .card")).to_have_count(0)


def test_a_lost_connection_is_shown_and_restored(room):
    page = room.page()
    room.expected = ("WebSocket",)
    routes = routes_of(page)
    room.sit(page, room.table())
    play_a_card(page)
    wait_for_turn(page)
    lines = progress(page)
    lose_connection(page, routes)
    assert wait_for_turn(page) == "turn"
    assert progress(page) == lines
    play_a_card(page)


def test_the_page_of_an_unknown_table_says_so(room):
    page = room.page()
    room.expected = ("404",)
    answer = page.goto(f"{room.address}/table/nosuch00")
    assert answer.status == 404
    expect(page.get_by_text("There is no such table")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Parlour")


def test_the_end_opens_once_and_not_after_a_reconnection(room):
    page = room.page()
    room.expected = ("WebSocket",)
    routes = routes_of(page)
    room.sit(page, late_table(room))
    while play_a_card(page) != "end":
        pass
    page.keyboard.press("Escape")
    lose_connection(page, routes)
    page.wait_for_timeout(300)
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.get_by_role("button", name="How it ended").click()
    expect(page.locator("[data-sheet=end]")).to_be_visible()


@pytest.mark.parametrize("noticed", ["by the heartbeat", "when the network is there again"])
def test_a_silently_dead_connection_is_noticed_and_the_pressed_action_is_done(room, noticed):
    page = room.page()
    dead, routes, answered = [], [], []

    def watch(route):
        server = route.connect_to_server()
        number = len(routes)
        routes.append(route)
        route.on_message(lambda text: number in dead or server.send(text))
        server.on_message(lambda text: number in dead or (route.send(text), answered.append(text)))

    page.route_web_socket("**/play", watch)
    page.clock.install()
    room.sit(page, room.table())
    wait_for_turn(page)
    page.clock.fast_forward(60_000)
    before = progress(page)
    while not any('"pong"' in text for text in answered):  # the heartbeat is answered
        page.wait_for_timeout(10)
    dead.append(len(routes) - 1)
    page.locator(TURN).first.click()
    if noticed == "by the heartbeat":
        page.clock.fast_forward(21_000)
        page.clock.fast_forward(11_000)
    else:
        page.evaluate("dispatchEvent(new Event('online'))")
        page.clock.fast_forward(4_000)
    wait_for_more(page, before)
    assert len(routes) == 2
    play_a_card(page)
