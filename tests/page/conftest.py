"""A real server with the real page, and a real browser before it."""

import asyncio
import json
import os
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from parlour.server.process.run import listen
from parlour.server.process.serving import make_config
from parlour.server.process.settings import Settings
from parlour.server.store.store import Store
from tests.dealt import dealt

__all__ = ["dealt"]
playwright = pytest.importorskip("playwright.sync_api")
uvicorn = pytest.importorskip("uvicorn")

NAMES = ("Ada", "Bruno", "Cleo", "Dov", "Edda")
PATIENCE = 30
"""Seconds until what does not come is missed: a machine may be busy with much else."""
playwright.expect.set_options(timeout=1000 * PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is marked ``page``, and tried once more when it fails: it depends on a browser and on sockets."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.page)
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with an empty store; ``PARLOUR_PAGE_ADDRESS`` names one that runs already."""
    running = os.environ.get("PARLOUR_PAGE_ADDRESS")
    if running:
        yield running
        return
    store = Store(tmp_path_factory.mktemp("store") / "tables.sqlite")
    listening = listen("127.0.0.1", 0)
    server = uvicorn.Server(make_config(store, Settings(limited=False, paced=False)))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    until = time.monotonic() + PATIENCE
    while not server.started and time.monotonic() < until:
        time.sleep(0.05)
    assert server.started, f"the server did not start within {PATIENCE} seconds"
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    store.close()


IDLE: list[playwright.Page] = []
"""Pages that another test may have: a new one takes twice as long until it shows anything."""
CANNOT_FORGET = ("taught", "__pwClock", "__pwWebSocketDispatch")
"""Names that a page has in which a script was put before its own, its clock was replaced or its sockets are watched."""
NOTHING = "/page/img/icon.svg"
"""What a page shows between tests: from the same address, so that it can be told what to have kept."""


def lay_by(page: playwright.Page, address: str) -> bool:
    """Keep a page for another test, unless it cannot forget what it was taught; returns whether it is kept."""
    with suppress(playwright.Error):
        if not page.evaluate("(names) => names.some((name) => name in globalThis)", CANNOT_FORGET):
            page.unroute_all(behavior="ignoreErrors")
            page.goto(f"{address}{NOTHING}")
            IDLE.append(page)
            return True
    return False


def keep(page: playwright.Page, key: str, value: object) -> None:
    """What a page is to have kept from an earlier visit, unless it has kept something by that name."""
    page.evaluate("([key, value]) => { localStorage[key] ??= value; }", [key, json.dumps(value)])


def teach(page: playwright.Page, script: str) -> None:
    """A script that runs in a page before its own, whatever it opens."""
    page.add_init_script(f"globalThis.taught = true;\n{script}")


class Room:
    """Opens pages of one server, and watches that they have nothing to complain about."""

    def __init__(self, browser: playwright.Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.complaints: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.contexts: list[playwright.BrowserContext] = []
        self.pages: dict[playwright.Page, dict] = {}

    def page(self, width: int = 1280, height: int = 800, scheme: str = "light", **kept: object) -> playwright.Page:
        """A page of a browser of its own, paced ``instant`` and silent, with these settings kept from before."""
        page = IDLE.pop() if IDLE else self.browser.new_context().new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.mouse.move(-1, -1)
        page.goto(f"{self.address}{NOTHING}")
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        keep(page, "parlour", {"pace": "instant", "sound": False, "name": "Ann", **kept})
        self.watch(page)
        return page

    def watch(self, page: playwright.Page) -> None:
        """Note what a page complains about, until the room is closed."""
        heard = {
            "console": lambda message: message.type == "error" and self.complaints.append(message.text),
            "pageerror": lambda error: self.complaints.append(str(error)),
        }
        for event, hear in heard.items():
            page.on(event, hear)
        self.pages[page] = heard

    def table(
        self,
        players: int = 4,
        options: dict | None = None,
        friends: int = 0,
        game: str = "trick-walls",
        manners: dict | None = None,
    ) -> dict:
        """A table by the server's own interface: the viewer, friends, then bots."""
        seats: list[dict] = [{"kind": "you", "name": "Ann"}]
        seats += [{"kind": "open"} for _ in range(friends)]
        seats += [{"kind": "bot", "bot": "thumb", "name": NAMES[at]} for at in range(players - len(seats))]
        options = {"rounds": 1} if options is None else options
        body = {"game": game, "players": players, "options": options, "seats": seats, "manners": manners or {}}
        request = urllib.request.Request(
            f"{self.address}/api/tables", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def sit(self, page: playwright.Page, table: dict) -> None:
        """Open the table's page with the seat's key."""
        keep(page, f"parlour:{table['table']}", {name: table[name] for name in ("seat", "key")})
        page.goto(f"{self.address}/table/{table['table']}")

    def close(self) -> None:
        for page, heard in self.pages.items():
            for event, hear in heard.items():
                page.remove_listener(event, hear)
            for other in page.context.pages:
                if other is not page:
                    other.close()
            if not lay_by(page, self.address):
                page.context.close()
        for context in self.contexts:
            context.close()
        left = [text for text in self.complaints if not any(part in text for part in self.expected)]
        assert left == [], "the page complained"


@pytest.fixture
def room(chromium: playwright.Browser, address: str) -> Iterator[Room]:
    room = Room(chromium, address)
    yield room
    room.close()
