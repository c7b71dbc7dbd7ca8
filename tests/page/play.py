"""A player's actions on the page."""

import json
import time
from contextlib import suppress
from random import Random

from playwright.sync_api import Error, Page, WebSocketRoute, expect

from parlour.engine.match import Match
from parlour.server.table.viewers import Display

PATIENCE = 120
"""Time limit of the wait for a turn, in seconds; the search of bots may have to be compiled."""
TURN = ".my-turn .may, .my-turn [data-button]"
SHEET = "dialog[open]"
MAY = ".my-turn .may:not(.picked)"
PROGRESS = "document.querySelectorAll('.side-panel .log li').length"


def wait_for_turn(page: Page) -> str:
    """Wait for the viewer's turn or a sheet; return ``"turn"`` or the sheet's name."""
    page.wait_for_selector(f"{TURN}, {SHEET}", timeout=PATIENCE * 1000)
    panel = page.query_selector(SHEET)
    return panel.get_attribute("data-sheet") if panel else "turn"


def wait_for_own_seat(page: Page) -> None:
    """Wait until the board shows the viewer's seat and the seat to act; an onlooker's board is not enough."""
    page.wait_for_selector(".board:has(.own) .area.active", timeout=PATIENCE * 1000)


def page_to_act(*pages: Page) -> Page:
    """Wait until a page has the turn, and return it. Other pages may be behind."""
    patience = time.monotonic() + PATIENCE
    while time.monotonic() < patience:
        for page in pages:
            if page.locator(f"{TURN}, {SHEET}").count():
                return page
        pages[0].wait_for_timeout(30)
    raise AssertionError("no page has the turn")


def stop_the_clock(page: Page) -> None:
    """Stop the installed clock of a page."""
    for seconds in (0.2, 1, 5):
        with suppress(Error):  # the second had passed before the page received it
            page.clock.pause_at(page.evaluate("Date.now()") / 1000 + seconds)
            return
    raise AssertionError("the clock could not be stopped")


def progress(page: Page) -> int:
    """Return the number of log lines."""
    return page.evaluate(PROGRESS)


def wait_for_more(page: Page, before: int) -> None:
    """Wait for further log lines."""
    page.wait_for_function(f"before => {PROGRESS} > before", arg=before)


def play_a_card(page: Page) -> str:
    """Click the first legal card at the viewer's turn; return its action, or the name of an open sheet."""
    what = wait_for_turn(page)
    if what != "turn":
        return what
    before = progress(page)
    card = page.locator(MAY).first
    chosen = card.get_attribute("data-do")
    card.click(position=SIGN)
    wait_for_more(page, before)
    return chosen


SIGN = {"x": 10, "y": 10}
"""The corner of a card or button that other cards never cover."""

STATE = """() => ({
    turn: document.querySelector('.my-turn') !== null,
    picked: document.querySelectorAll('.my-turn .picked').length,
    may: document.querySelectorAll('.my-turn .may:not(.picked)').length,
    complete: document.querySelectorAll('.my-turn [data-button].primary').length,
    plain: document.querySelectorAll('.my-turn [data-button]').length,
    sheet: document.querySelector('dialog[open]')?.dataset.sheet ?? null,
    lines: document.querySelectorAll('.side-panel .log li').length,
})"""
CHANGED = f"""before => {{
    const state = ({STATE})();
    return state.sheet !== null || state.lines !== before.lines || state.picked !== before.picked;
}}"""


def choose_on(page: Page, random: Random, click) -> str:
    """Choose one thing, or press a button, mostly that of a complete action, and return ``"turn"``.

    If a sheet is open, only return its name.
    """
    what = wait_for_turn(page)
    if what != "turn":
        return what
    state = page.evaluate(STATE)
    if state["complete"] and (not state["may"] or random.random() < 0.7):
        click(".my-turn [data-button].primary", random.randrange(state["complete"]))
    elif state["may"] and (random.random() < 0.9 or not state["plain"]):
        click(MAY, random.randrange(state["may"]))
    elif state["plain"]:
        click(".my-turn [data-button]", random.randrange(state["plain"]))
    else:
        click(".my-turn .picked", 0)
    page.wait_for_function(CHANGED, arg=state)
    return "turn"


def by_mouse(page: Page):
    """Return a function that chooses by a click."""
    return lambda selector, index: page.locator(selector).nth(index).click(position=SIGN)


def by_keyboard(page: Page):
    """Return a function that chooses by arrows and Enter; ``b`` leads to the buttons."""

    def press(selector: str, index: int) -> None:
        if "data-button" in selector:
            page.keyboard.press("b")
        for _ in range(60):
            if page.evaluate(
                "([selector, index]) => document.activeElement === document.querySelectorAll(selector)[index]",
                [selector, index],
            ):
                break
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")

    return press


def show_instead(page: Page, match: Match, done: list[str]) -> None:
    """Show this game to the page as its actor sees it, instead of the server's; note the actions in ``done``."""
    scene = json.loads(Display(match, match.actor, ["Ann", "Ada"]).scene)

    def between(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def to_page(message: str) -> None:
            data = json.loads(message)
            if data["type"] != "scenes":
                route.send(message)
            elif "log" in data:  # the answer to hello; later scenes are dropped
                route.send(json.dumps({"type": "scenes", "scenes": [scene], "log": [], "meanwhile": []}))

        def to_server(message: str) -> None:
            data = json.loads(message)
            if data["type"] == "act":
                done.append(data["do"])
            else:
                server.send(message)

        server.on_message(to_page)
        route.on_message(to_server)

    page.route_web_socket("**/play", between)


def put_face_down(page):
    wait_for_turn(page)
    page.locator(".hand .may").first.click()
    page.locator(".own button.place.may").first.click()
    page.locator("[data-button^=down]").click()
    expect(page.locator(".own .place .card")).to_have_count(1)
