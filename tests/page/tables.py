"""Tables at which bots have played already: a game that is over, and one that is nearly so."""

import json
import time
import urllib.request
from functools import cache
from typing import Any

from tests.dealt import DEALS

BOTS = ("Ada", "Bruno", "Cleo", "Dov", "Edda", "Finn")
ONE_ROUND = {"rounds": 1}


def ask(address: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the server answers; a ``body`` is posted."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def about(room: Any, table: str) -> dict[str, Any]:
    return ask(f"{room.address}/api/tables/{table}")


def played_by_bots(room: Any, game: str, players: int, options: dict[str, Any]) -> tuple[str, int]:
    """The id of a table whose game is over, with the number of its events: the same for whoever asks alike."""
    return _played(room.address, game, players, tuple(options.items()))


@cache
def _played(address: str, game: str, players: int, options: tuple[tuple[str, Any], ...]) -> tuple[str, int]:
    seats = [{"kind": "bot", "bot": "thumb", "name": name} for name in BOTS[:players]]
    body = {"game": game, "players": players, "options": dict(options), "seats": seats}
    with DEALS.apart(f"{game} {players} {options}"):
        place = f"{address}/api/tables/{ask(f'{address}/api/tables', body)['table']}"
    while not (now := ask(place))["over"]:
        time.sleep(0.05)
    return now["table"], now["seen"]


def played_on(room: Any, table: str, seen: int, players: int) -> dict[str, Any]:
    """A table at which that game is played on after so many events, the viewer in the first seat."""
    seats = [{"kind": "you", "name": "Ann"}]
    seats += [{"kind": "bot", "bot": "thumb", "name": name} for name in BOTS[: players - 1]]
    return ask(f"{room.address}/api/tables/{table}/on", {"seen": seen, "seats": seats})


def late_table(room: Any, tricks: int = 1, players: int = 4, options: dict[str, Any] = ONE_ROUND) -> dict[str, Any]:
    """A table of Trick Walls at which so many tricks are left of the first round."""
    table, seen = played_by_bots(room, "trick-walls", players, options)
    events = ask(f"{room.address}/api/tables/{table}/record")["events"]
    first = next(at for at, event in enumerate(events) if event["by"] != "chance")
    over = next((at for at in range(first, seen) if events[at]["by"] == "chance"), seen)
    cards = 4 if players == 2 else players
    return played_on(room, table, over - tricks * cards, players)
