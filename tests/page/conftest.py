"""A server with the page, and a browser."""

import asyncio
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from parlour.server.process.run import listen
from parlour.server.process.settings import Settings
from parlour.server.process.web_server import make_config
from parlour.server.store.store import Store
from parlour.server.table.rooms import Rooms
from tests.fixed_deals import dealt
from tests.page.bot_tables import ask
from tests.server.card_room import Player
from tests.server.patience import raise_limits

__all__ = ["dealt"]
playwright = pytest.importorskip("playwright.sync_api")
uvicorn = pytest.importorskip("uvicorn")

NAMES = ("Ada", "Bruno", "Cleo", "Dov", "Edda")
PATIENCE = 60
"""Seconds until a test fails without an expected change."""
SLOWNESS = float(os.environ.get("PARLOUR_SLOW_BROWSER", "1"))
"""Factor by which the browser's processor is slowed, to find tests that depend on its speed."""
playwright.expect.set_options(timeout=1000 * PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test of this folder as ``page``."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.page)


ROOMS: dict[str, Rooms] = {}
"""The tables of the server in this process, by its address."""


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server with an empty store; ``PARLOUR_PAGE_ADDRESS`` names one that runs already."""
    running = os.environ.get("PARLOUR_PAGE_ADDRESS")
    if running:
        yield running
        return
    with pytest.MonkeyPatch.context() as patient:
        raise_limits(patient)
        store = Store(tmp_path_factory.mktemp("store") / "tables.sqlite")
        listening = listen("127.0.0.1", 0)
        config = make_config(store, Settings(limited=False, paced=False))
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
        thread.start()
        until = time.monotonic() + PATIENCE
        while not server.started and time.monotonic() < until:
            time.sleep(0.05)
        assert server.started, f"the server did not start within {PATIENCE} seconds"
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        ROOMS[address] = config.app.state.rooms
        yield address
        server.should_exit = True
        thread.join(PATIENCE)
        store.close()


IDLE: list["Tab"] = []
"""Tabs for further tests, with the page's files in their cache: a new tab needs twice the time to open a page."""


class Tab:
    """A page in a browser context of its own, for successive tests.

    Changes by a test are undone before the next one; after a change that cannot be undone the tab is closed.
    """

    def __init__(self, browser: playwright.Browser, address: str) -> None:
        self.address = address
        self.context = browser.new_context(service_workers="block")
        self.context.set_default_timeout(1000 * PATIENCE)
        self.page = self.context.new_page()
        self._session = self.context.new_cdp_session(self.page)
        self._session.send("Page.enable")
        self._session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWNESS})
        self._scripts: list[str] = []
        self._watched: list[tuple[str, Callable]] = []
        self._spoilt = False
        self._on = self.page.on
        self.page.on = self._watch
        self.page.add_init_script = self._run_first
        for name in ("expose_binding", "expose_function", "once", "route_web_socket"):
            setattr(self.page, name, self._spoiling(getattr(self.page, name)))

    def _watch(self, event: str, listener: Callable) -> None:
        self._watched.append((event, listener))
        self._on(event, listener)

    def _run_first(self, source: str) -> None:
        script = self._session.send("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        self._scripts.append(script["identifier"])

    def _spoiling(self, method: Callable) -> Callable:
        def call(*arguments: object, **named: object) -> object:
            self._spoilt = True
            return method(*arguments, **named)

        return call

    def lay_by(self) -> None:
        """Keep the tab for another test, or close it."""
        with suppress(playwright.Error):
            if not self._spoilt and not self.page.evaluate("'__pwClock' in globalThis"):
                self._forget()
                IDLE.append(self)
                return
        self.context.close()

    def _forget(self) -> None:
        for event, listener in self._watched:
            self.page.remove_listener(event, listener)
        for script in self._scripts:
            self._session.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        self._watched.clear()
        self._scripts.clear()
        for other in self.context.pages:
            if other is not self.page:
                other.close()
        self.page.unroute_all()
        self.context.clear_cookies()
        self.page.goto(f"{self.address}/healthz")  # while a page of this address is open its process stays
        self.page.evaluate("localStorage.clear()")
        self.page.mouse.move(0, 0)


class Room:
    """Pages of one server, and the errors that they report."""

    def __init__(self, browser: playwright.Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.complaints: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.tabs: list[Tab] = []

    def page(self, width: int = 1280, height: int = 800, scheme: str = "light", **kept: object) -> playwright.Page:
        """Return a page in a context of its own: instant, silent, with these settings."""
        tab = IDLE.pop() if IDLE else Tab(self.browser, self.address)
        self.tabs.append(tab)
        page = tab.page
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce", forced_colors="none")
        settings = json.dumps({"pace": "instant", "sound": False, "forced": False, "name": "Ann", **kept})
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
        """Open a table by HTTP: the viewer, open seats, then bots."""
        seats: list[dict] = [{"kind": "you", "name": "Ann"}]
        seats += [{"kind": "open"} for _ in range(friends)]
        seats += [{"kind": "bot", "bot": "thumb", "name": NAMES[at]} for at in range(players - len(seats))]
        options = {"rounds": 1} if options is None else options
        body = {"game": game, "players": players, "options": options, "seats": seats, "manners": manners or {}}
        return ask(f"{self.address}/api/tables", body)

    def sit(self, page: playwright.Page, table: dict) -> None:
        """Open the table's page with the seat's key."""
        kept = json.dumps({"seat": table["seat"], "key": table["key"], "opened": True})
        page.add_init_script(f"localStorage['parlour:{table['table']}'] ??= {json.dumps(kept)}")
        page.goto(f"{self.address}/table/{table['table']}")

    def join(self, page: playwright.Page, table: dict, name: str = "") -> None:
        """Open the table's page without a key, and take the next open seat, with this name if there is one."""
        page.goto(f"{self.address}/table/{table['table']}")
        if name:
            page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Sit down").click()

    def lose_patience(self, table: str) -> None:
        """Let bots play at once for players who are not connected; needs a server in this process."""
        if self.address not in ROOMS:
            pytest.skip("the server runs elsewhere")
        ROOMS[self.address].in_memory[table].state.manners.patience = 0
        with Player(int(self.address.rpartition(":")[2]), table) as onlooker:  # every connection checks the seats
            onlooker.hear_type("scenes")

    def close(self) -> None:
        for tab in self.tabs:
            tab.lay_by()
        left = [text for text in self.complaints if not any(part in text for part in self.expected)]
        assert left == [], "the page reported errors"


@pytest.fixture
def room(chromium: playwright.Browser, address: str) -> Iterator[Room]:
    room = Room(chromium, address)
    yield room
    room.close()
