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


IDLE: list[playwright.BrowserContext] = []
"""Contexts that remember nothing but the page's files: asking for these is a third of what it costs to open a page."""


def lay_by(context: playwright.BrowserContext) -> None:
    """Keep a context for another test, unless its clock is not the usual one."""
    with suppress(playwright.Error, IndexError):
        if not context.pages[0].evaluate("'__pwClock' in globalThis"):
            for page in context.pages:
                page.close()
            IDLE.append(context)
            return
    context.close()


def forget(page: playwright.Page, address: str) -> None:
    """Remove what other pages of this context have kept; while they are open they may keep more."""
    session = page.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "local_storage"})
    session.detach()


class Room:
    """Opens pages of one server, and watches that they have nothing to complain about."""

    def __init__(self, browser: playwright.Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.complaints: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.contexts: list[playwright.BrowserContext] = []

    def page(self, width: int = 1280, height: int = 800, scheme: str = "light", **kept: object) -> playwright.Page:
        """A page of a browser of its own, paced ``instant`` and silent, with these settings kept from before."""
        used = bool(IDLE)
        context = IDLE.pop() if used else self.browser.new_context()
        context.set_default_timeout(1000 * PATIENCE)
        self.contexts.append(context)
        page = context.new_page()
        if used:
            forget(page, self.address)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        settings = json.dumps({"pace": "instant", "sound": False, "name": "Ann", **kept})
        page.add_init_script(f"localStorage.parlour ??= {json.dumps(settings)}")
        page.on("console", lambda message: message.type == "error" and self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

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
        kept = json.dumps({name: table[name] for name in ("seat", "key")})
        page.add_init_script(f"localStorage['parlour:{table['table']}'] ??= {json.dumps(kept)}")
        page.goto(f"{self.address}/table/{table['table']}")

    def close(self) -> None:
        for context in self.contexts:
            lay_by(context)
        left = [text for text in self.complaints if not any(part in text for part in self.expected)]
        assert left == [], "the page complained"


@pytest.fixture
def room(chromium: playwright.Browser, address: str) -> Iterator[Room]:
    room = Room(chromium, address)
    yield room
    room.close()
