"""Tables at chosen moments, whose messages come from the test instead of a server.

Each is a random game from a fixed seed.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Route

from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.server.table.replays import ReplaySlice, parse_viewer, scenes_of
from parlour.server.table.viewers import Display

NAMES = ("Ann", "Ada", "Bruno", "Cleo", "Dov", "Edda")
TABLE = "shown"
ALONE = {
    "there": [0],
    "away": [],
    "out": [],
    "resigned": [],
    "undoable": None,
    "undo_request": None,
    "seat_request": None,
    "clocks": None,
    "deadline": None,
    "talk": "none",
    "opener": 0,
    "readying": False,
}
"""The company of one person among bots."""
MANNERS = {"clock": None, "patience": 120, "talk": "words", "hints": False}


def own_turn(match: Match) -> bool:
    return match.actor == 0


def random_match(
    name: str,
    players: int,
    events: int,
    options: dict[str, Any] | None = None,
    seed: int = 1,
    until: Callable[[Match], bool] = own_turn,
) -> Match:
    """Return a game after at least ``events`` random events, until a condition holds."""
    match = Match(Setup(find_game(name), players, options or {}))
    chance, random = StreamRandomness(new_stream(seed)), Random(seed)
    while len(match.events) < events or not until(match):
        assert not match.over, f"{name} from seed {seed} never reaches such a moment"
        if match.actor == CHANCE:
            match.apply_chance(match.sample_chance(chance))
        else:
            match.act(random.choice(match.legal()))
    return match


@dataclass(frozen=True)
class StagedTable:
    """A table at one moment, with the server's messages about it.

    Attributes:
        match: the game.
        people: the number of seats of people, from the first seat on.
        company: changed keys of the ``company`` message.
        said: messages of the talk, with their seats.
        about: changed keys of the table.
        meanwhile: log lines of a bot's actions for the viewer.
        lost: whether the connection is lost afterwards.
        edit: changes the scene before it is sent.
    """

    match: Match
    people: int = 1
    company: dict[str, Any] = field(default_factory=dict)
    said: tuple[tuple[int, str], ...] = ()
    about: dict[str, Any] = field(default_factory=dict)
    meanwhile: tuple[str, ...] = ()
    lost: bool = False
    edit: Callable[[dict[str, Any]], None] = lambda scene: None

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: self.match.players]

    def table(self) -> dict[str, Any]:
        """Return the answer to ``GET /api/tables/…``."""
        match = self.match
        seats = [
            {"name": name, "kind": "person" if seat < self.people else "bot", "taken": True}
            for seat, name in enumerate(self.names)
        ]
        state = {"begun": True, "over": match.over, "conceded": None, "actor": match.actor, "seen": len(match.events)}
        game = {"game": match.game.id, "title": match.game.title, "players": match.players, "options": match.options}
        rest = {"manners": MANNERS, "hints": not match.over, "commitment": "0" * 64, "given": 0}
        return {"table": TABLE, **game, "seats": seats, **state, **rest, **self.about}

    def messages(self) -> list[dict[str, Any]]:
        """Return the messages to the first seat after its hello."""
        display = Display(self.match, 0, self.names)
        scene = json.loads(display.scene)
        self.edit(scene)
        log = [f"Trick {number}" for number in range(1, 9)]
        said = [
            {"type": "said", "said": [{"by": by, "id": str(number), "words": words, "sign": None}]}
            for number, (by, words) in enumerate(self.said)
        ]
        return [
            {"type": "table", "seat": 0, "protocol": 2, **self.table()},
            {"type": "scenes", "scenes": [scene], "log": log, "meanwhile": list(self.meanwhile)},
            {"type": "company", **ALONE, **self.company},
            *said,
        ]


def serve_pages(page: Page, address: str, table: str = TABLE) -> None:
    """Serve the page's document at the addresses of a table that the server does not know."""
    for path in (f"table/{table}", f"game/{table}", f"game/{table}?review", f"game/{table}/review"):
        page.route(f"{address}/{path}", lambda route: route.fulfill(response=route.fetch(url=address)))
    page.route(f"**/api/tables/{table}/player", lambda route: route.fulfill(json={"table": table, "seat": 0}))


STAGED_SOCKET = """(messages, lost) => {
    let hellos = 0;
    window.WebSocket = class extends EventTarget {
        constructor() {
            super();
            setTimeout(() => this.dispatchEvent(new Event("open")));
        }
        send(text) {
            if (JSON.parse(text).type !== "hello" || (lost && hellos++)) return;
            for (const data of messages) setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
            if (lost) setTimeout(() => this.dispatchEvent(new CloseEvent("close", { code: 1012 })));
        }
        close() {}
    };
}"""
"""A connection that answers each hello with these messages; if ``lost``, it answers the first hello, and closes."""


def answer_hello(page: Page, messages: list[dict[str, Any]], lost: bool = False) -> None:
    """Answer the page's hello with these messages, inside the page: without a route, the tab serves further tests."""
    texts = json.dumps([json.dumps(message) for message in messages])
    page.add_init_script(f"({STAGED_SOCKET})({texts}, {json.dumps(lost)})")


def open_table(page: Page, address: str, staged: StagedTable) -> None:
    """Open the page of this table, and wait until it is drawn."""
    known = json.dumps({"seat": 0, "key": "k"})
    page.route(f"**/api/tables/{TABLE}", lambda route: route.fulfill(json=staged.table()))
    page.route(f"**/api/tables/{TABLE}/again", lambda route: route.fulfill(json={"level": None, "lower": None}))
    answer_hello(page, staged.messages(), staged.lost)
    page.add_init_script(f"localStorage['parlour:{TABLE}'] ??= {json.dumps(known)}")
    serve_pages(page, address)
    page.goto(f"{address}/table/{TABLE}")
    page.wait_for_selector(".banner:not([hidden])" if staged.lost else ".my-turn, .notices > *, [data-sheet=end]")


def open_invitation(page: Page, address: str) -> None:
    """Open the link to a table of two seats, one of them taken."""
    seats = [{"name": "Ada", "kind": "person", "taken": True}, {"name": "", "kind": "open", "taken": False}]
    clock = {"seconds": 600, "increment": 10}
    about = {"seats": seats, "begun": False, "hints": False, "actor": None, "seen": 0}
    about["manners"] = {**MANNERS, "clock": clock}
    staged = StagedTable(random_match("three-tricks", 2, 1, until=lambda match: True), about=about)
    page.route(f"**/api/tables/{TABLE}", lambda route: route.fulfill(json=staged.table()))
    answer_hello(page, [{**staged.messages()[0], "seat": -1}])
    serve_pages(page, address)
    page.goto(f"{address}/table/{TABLE}")
    page.wait_for_selector(".panel .primary")


def open_replay(page: Page, address: str, match: Match, at: int, **about: Any) -> None:
    """Open the replay of a game as if it were over, from its review, at this event, as the first seat sees it.

    ``about`` are changed keys of the table.
    """
    staged = StagedTable(match, about={"over": True, "actor": None, **about})

    def answer(route: Route) -> None:
        asked = parse_qs(urlsplit(route.request.url).query)
        viewer = parse_viewer(asked["view"][0], match.players)
        part = ReplaySlice(viewer, int(asked["first"][0]), int(asked["number"][0]))
        scenes = scenes_of(match.game, match.players, match.options, match.events, staged.names, part, match.over)
        route.fulfill(json={"seen": len(match.events), "scenes": scenes})

    page.route(f"**/api/tables/{TABLE}", lambda route: route.fulfill(json=staged.table()))
    page.route(f"**/api/tables/{TABLE}/replay?*", answer)
    waiting = {"share": None, "seconds": None, "waits": False, "review": None}
    page.route(f"**/api/tables/{TABLE}/review", lambda route: route.fulfill(status=202, json=waiting))
    page.add_init_script(f"localStorage['parlour:{TABLE}'] ??= {json.dumps(json.dumps({'seat': 0, 'key': 'k'}))}")
    serve_pages(page, address)
    page.goto(f"{address}/game/{TABLE}?review#{at}")
    page.wait_for_selector(".counter:not(:empty)")


def open_lesson_step(page: Page, address: str, game: str, step: int) -> None:
    """Open a lesson at a step of its first hand."""
    lessons = json.dumps({game: [0, step]})
    page.add_init_script(
        f"localStorage.parlour = JSON.stringify({{...JSON.parse(localStorage.parlour), lessons: {lessons}}})"
    )
    page.goto(f"{address}/learn/{game}")
    page.wait_for_selector(".coach-words p")
    page.wait_for_selector(".my-turn")


def open_setup(page: Page, address: str, game: str) -> None:
    """Open the setup page of a game."""
    page.goto(f"{address}/games/{game}")
    page.wait_for_selector(".setup .play")


DAY = {
    "day": "2026-11-25",
    "game": "castle-walls",
    "bot": "regular",
    "ends": 36000,
    "open": True,
    "commitment": "5e" * 32,
    "coming": [],
    "streak": 3,
    "room": "",
    "deals": [
        {"game": game, "title": title, "players": 2, "played": played, "mine": None}
        for game, title, played in (("castle-walls", "Castle Walls", 12), ("trime-kicker", "Trime Kicker", 0))
    ],
}
"""Today's deals, always the same."""


def listed_game(number: int, **more: Any) -> dict[str, Any]:
    """Return a finished game of a player's list."""
    games = [(game.id, game.title) for game in all_games()]
    game, title = games[number % len(games)]
    score = {"won": number % 3 == 0, "points": 12, "against": 10 if number % 3 == 0 else 14 + number}
    worst = [{"seen": 10 + number, "lost": 130 - 9 * number, "mark": "blunder" if number < 4 else "mistake"}]
    sums = {"luck": 150 - 40 * number, "others": 20, "own": 60 - 25 * number, "lost": 200 + 30 * number}
    return {
        "table": f"listed{number}",
        "seat": 0,
        "game": game,
        "title": title,
        "players": 2,
        "options": {},
        "others": [{"name": NAMES[1 + number % 3], "bot": "casual" if number % 2 else "expert"}],
        "at": f"2026-{11 - number % 4:02}-{20 - number:02}T12:00:00Z",
        "score": score,
        "review": {**sums, "decisions": 20, "worst": worst} if number % 4 else None,
        "kept": number != 5,
        "daily": None,
        **more,
    }


def serve_games(page: Page, number: int) -> None:
    """Answer requests for the player's list with finished games."""
    games = [listed_game(each) for each in range(number)]
    page.route("**/api/player?*", lambda route: route.fulfill(json={"name": "Ann", "games": games, "next": None}))


def open_own_games(page: Page, address: str) -> None:
    """Open the page of a player's games, always on the same day."""
    page.clock.set_fixed_time("2026-11-21T12:00:00Z")
    serve_games(page, 12)
    page.goto(f"{address}/mine")
    page.wait_for_selector(".plots")


def open_landing(page: Page, address: str) -> None:
    """Open the landing without listed tables, on a certain day."""
    page.route("**/api/tables", lambda route: route.fulfill(json={"tables": []}))
    page.route("**/api/daily", lambda route: route.fulfill(json=DAY))
    page.goto(address)
    page.wait_for_selector(".game .stage .area")
    page.wait_for_selector(".picture > .fan", state="detached")
