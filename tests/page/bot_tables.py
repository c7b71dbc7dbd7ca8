"""Tables with games of bots: a finished one, and one near its end."""

import json
import time
import urllib.request
from functools import cache
from typing import Any

from tests.fixed_deals import DEALS

BOTS = ("Ada", "Bruno", "Cleo", "Dov", "Edda", "Finn")
ONE_ROUND = {"rounds": 1}


def ask(address: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the server's answer; a ``body`` is posted."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def about(room: Any, table: str) -> dict[str, Any]:
    return ask(f"{room.address}/api/tables/{table}")


def played_by_bots(room: Any, game: str, players: int, options: dict[str, Any]) -> tuple[str, int]:
    """Return a table with a finished game and its number of events, the same one for equal arguments."""
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
    """Open a table that continues a game after ``seen`` events, with the viewer in the first seat."""
    seats = [{"kind": "you", "name": "Ann"}]
    seats += [{"kind": "bot", "bot": "thumb", "name": name} for name in BOTS[: players - 1]]
    return ask(f"{room.address}/api/tables/{table}/on", {"seen": seen, "seats": seats})


def late_table(room: Any, tricks: int = 1, players: int = 4, options: dict[str, Any] = ONE_ROUND) -> dict[str, Any]:
    """Open a table of Trick Walls with ``tricks`` tricks left in the first round."""
    table, seen = played_by_bots(room, "trick-walls", players, options)
    events = ask(f"{room.address}/api/tables/{table}/record")["events"]
    first = next(at for at, event in enumerate(events) if event["by"] != "chance")
    over = next((at for at in range(first, seen) if events[at]["by"] == "chance"), seen)
    cards = 4 if players == 2 else players
    return played_on(room, table, over - tricks * cards, players)
