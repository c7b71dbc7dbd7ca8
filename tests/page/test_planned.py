"""Actions chosen in advance: the player presses them while another seat acts; the page sends them at the turn."""

import json

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from parlour.engine.match import Match
from parlour.server.table.viewers import Display
from tests.page.layout_faults import faults
from tests.page.pictures import resize
from tests.page.staged_tables import NAMES, TABLE, StagedTable, random_match, serve_pages

LATER = ".later"
SENTENCE = ".note:not([hidden])"
SIZES = [(1440, 900), (390, 844), (360, 640), (740, 360)]


def others_lead(match: Match) -> bool:
    """Return whether another seat leads a trick, and the first seat follows."""
    return match.actor == 3 and not match.observation(0).facts["trick"]


class Table:
    """A table of people whose game the test plays event by event.

    Attributes:
        heard: the page's messages except hello and pings.
    """

    def __init__(self, page: Page, address: str, match: Match):
        self.page, self.match, self.heard = page, match, []
        staged = StagedTable(match, people=match.players)
        page.route(f"**/api/tables/{TABLE}", lambda route: route.fulfill(json=staged.table()))
        page.route_web_socket(f"**/api/tables/{TABLE}/play", lambda route: self.meet(route, staged))
        page.add_init_script(f"localStorage['parlour:{TABLE}'] ??= {json.dumps(json.dumps({'seat': 0, 'key': 'k'}))}")
        serve_pages(page, address)
        page.goto(f"{address}/table/{TABLE}")
        page.wait_for_selector(".board .area")

    def meet(self, route: WebSocketRoute, staged: StagedTable) -> None:
        self.route = route

        def hear(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "hello":
                for answer in staged.messages():
                    route.send(json.dumps(answer))
            elif message["type"] == "ping":
                route.send(json.dumps({"type": "pong"}))
            else:
                self.heard.append(message)

        route.on_message(hear)

    def act(self, action: str) -> None:
        """Carry out an action of the seat to act, and show it."""
        self.match.act(action)
        scene = json.loads(Display(self.match, 0, NAMES[: self.match.players]).scene)
        self.route.send(json.dumps({"type": "scenes", "scenes": [scene]}))


@pytest.fixture
def table(room) -> Table:
    """A table where the first seat holds 2♣ and 10♠, and another seat is to lead."""
    page = room.page(pace="instant")
    page.clock.install()
    return Table(page, room.address, random_match("trick-walls", 4, 22, seed=4, until=others_lead))


def test_a_card_chosen_in_advance_is_played_at_the_turn_and_not_before(table):
    page = table.page
    page.locator("[data-card='TS']").click()
    page.locator("[data-card='2C']").click()
    expect(page.locator(LATER)).to_have_count(1)
    chosen = page.get_by_role("button", name="two of clubs, chosen in advance", pressed=True)
    expect(chosen).to_be_visible()
    wrong = {}
    for size in SIZES:
        resize(page, size, "light")
        wrong[size] = faults(page)
    assert {size: what for size, what in wrong.items() if what} == {}
    page.clock.run_for(20_000)
    assert table.heard == []
    table.act("8C")
    expect(page.locator(".my-turn .prompt")).to_contain_text("in a moment")
    expect(chosen).to_be_visible()
    page.clock.run_for(20_000)
    page.wait_for_function("() => !document.querySelector('.my-turn')")
    action = {"type": "act", "do": "2C", "seen": len(table.match.events)}
    assert table.heard[0] == action
    assert all(message == action for message in table.heard)  # it is repeated, as there is no answer


def test_a_card_that_is_not_legal_at_the_turn_is_dropped_with_a_sentence(table):
    page = table.page
    page.locator("[data-card='TS']").click()
    table.act("8C")
    expect(page.locator(SENTENCE)).to_have_text("Not legal now, so your choice in advance is dropped: ten of spades.")
    expect(page.locator(LATER)).to_have_count(0)
    page.clock.run_for(20_000)
    expect(page.locator(".my-turn")).to_be_visible()
    assert table.heard == []


def test_keys_choose_in_advance_and_take_back(table):
    page = table.page
    page.keyboard.press("1")
    for key, chosen in (("Enter", 1), ("Enter", 0), ("Enter", 1), ("Escape", 0)):
        page.keyboard.press(key)
        expect(page.locator(LATER)).to_have_count(chosen)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(LATER)).to_have_count(0)
    expect(page.locator("#live p").last).to_have_text("Nothing is chosen in advance.")
    assert table.heard == []


def test_places_are_chosen_in_advance_too(room):
    def others_attack(match: Match) -> bool:
        own, other = match.observation(0), match.actor == 1
        return other and bool(own.zone("face up", 0).cards)

    table = Table(room.page(pace="instant"), room.address, random_match("castle-walls", 2, 60, until=others_attack))
    page = table.page
    for token in ("own-1", "their-life"):
        page.locator(f"[data-token='{token}']").click()
    expect(page.locator(LATER)).to_have_count(2)
    page.locator("[data-token='own-1']").click()
    expect(page.locator(LATER)).to_have_count(1)
    assert table.heard == []
