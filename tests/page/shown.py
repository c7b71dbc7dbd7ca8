"""Moments of games shown by the real page, whatever a server says: dealt from a seed, played on at random, always the same."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from playwright.sync_api import Page, WebSocketRoute

from parlour.engine.chance import new_stream
from parlour.engine.match import Match, StreamRandomness
from parlour.engine.rules import CHANCE
from parlour.games import find_game
from parlour.server.viewers import Watch

NAMES = ("Ann", "Ada", "Bruno", "Cleo", "Dov", "Edda")
TABLE = "shown"
ALONE = {
    "there": [0],
    "away": [],
    "out": [],
    "undoable": None,
    "wish": None,
    "clocks": None,
    "talk": "none",
    "opener": 0,
    "readying": False,
}
"""The company of one person who plays with bots."""
MANNERS = {"clock": None, "patience": 120, "talk": "words", "hints": False}


def own_turn(match: Match) -> bool:
    return match.actor == 0


def played(
    name: str,
    players: int,
    events: int,
    options: dict[str, Any] | None = None,
    seed: int = 1,
    until: Callable[[Match], bool] = own_turn,
) -> Match:
    """A game in which so many events, and then as many more as it takes, have happened by chance."""
    match = Match(find_game(name), players, options or {})
    chance, random = StreamRandomness(new_stream(seed)), Random(seed)
    while len(match.events) < events or not until(match):
        assert not match.over, f"{name} from seed {seed} never comes to such a moment"
        if match.actor == CHANCE:
            match.take_chance(chance)
        else:
            match.play(random.choice(match.legal()), match.actor)
    return match


@dataclass(frozen=True)
class Shown:
    """A table at one moment, as the server would tell of it.

    Attributes:
        match: the game.
        people: how many of the seats, from the first on, are people's.
        company: what is to be said of the people, where it is not that of one alone.
        said: what they have just said.
        about: what is to be said of the table otherwise.
        lost: whether the connection is lost afterwards.
    """

    match: Match
    people: int = 1
    company: dict[str, Any] = field(default_factory=dict)
    said: tuple[tuple[int, str], ...] = ()
    about: dict[str, Any] = field(default_factory=dict)
    lost: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return NAMES[: self.match.players]

    def table(self) -> dict[str, Any]:
        """What ``GET /api/tables/…`` answers."""
        match = self.match
        seats = [
            {"name": name, "kind": "person" if seat < self.people else "bot", "taken": True}
            for seat, name in enumerate(self.names)
        ]
        state = {"begun": True, "over": match.over, "actor": match.actor, "seen": len(match.events)}
        game = {"game": match.game.id, "title": match.game.title, "players": match.players, "options": match.options}
        rest = {"manners": MANNERS, "hints": True, "commitment": "0" * 64, "given": 0}
        return {"table": TABLE, **game, "seats": seats, **state, **rest, **self.about}

    def messages(self) -> list[dict[str, Any]]:
        """What is said to one who comes to the first seat."""
        watch = Watch(self.match, 0, self.names)
        told = [f"Trick {number}" for number in range(1, 9)]
        said = [
            {"type": "said", "said": [{"by": by, "id": str(number), "words": words, "sign": None}]}
            for number, (by, words) in enumerate(self.said)
        ]
        return [
            {"type": "table", "seat": 0, **self.table()},
            {"type": "scenes", "scenes": [json.loads(watch.scene)], "told": told},
            {"type": "company", **ALONE, **self.company},
            *said,
        ]


def bring(page: Page, address: str, shown: Shown) -> None:
    """Open the page of this table, and wait until all of it is there."""

    def meet(route: WebSocketRoute) -> None:
        def hear(text: str) -> None:
            if json.loads(text)["type"] == "hello":
                for message in shown.messages():
                    route.send(json.dumps(message))

        route.on_message(hear)

    page.route(f"**/api/tables/{TABLE}", lambda route: route.fulfill(json=shown.table()))
    page.route_web_socket(f"**/api/tables/{TABLE}/play", meet)
    kept = json.dumps({"seat": 0, "key": "k"})
    page.add_init_script(f"localStorage['parlour:{TABLE}'] ??= {json.dumps(kept)}")
    page.goto(f"{address}/table/{TABLE}")
    page.wait_for_selector(".my-turn, .wish, .readying, .room.waiting" if shown.match.actor == 0 else ".board .area")
