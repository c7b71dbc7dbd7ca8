"""A bot for a card room in a hundred lines: a client of the protocol (docs/protocol.md) that knows no rules.

    pip install websockets
    python bot.py http://127.0.0.1:8080                     # opens a table against the room's own bot
    python bot.py http://127.0.0.1:8080/table/k3f9abc234xyz  # takes an open seat there

It plays the action that ``choose`` returns, here a random one; put your own ideas there.
"""

import json
import random
import sys
import time
import urllib.request
from urllib.error import HTTPError

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect

FINAL = (4403, 4404, 4410, 4411)
"""Close codes after which a reconnection is useless: a wrong key, no such table, a ban, a table that is sealed."""


def choose(scene: dict) -> str:
    """Return one of the legal actions. The scene contains everything that this seat may know."""
    return random.choice(scene["legal"])


def ask(address: str, body: dict | None = None) -> dict:
    """Send an HTTP request to the room; return the answer's JSON."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def open_table(room: str, game: str, name: str) -> dict:
    """Open a table with the smallest number of players, against the room's own bots."""
    games = {each["id"]: each for each in ask(f"{room}/api/games")["games"]}
    players = games[game]["players"][0]
    others = [{"kind": "bot", "bot": "thumb", "name": f"Bot {number}"} for number in range(1, players)]
    return ask(
        f"{room}/api/tables", {"game": game, "players": players, "seats": [{"kind": "you", "name": name}, *others]}
    )


def take_seat(room: str, table: str, name: str) -> dict:
    """Take the first open seat of a table; end the program if no seat is open."""
    seats = ask(f"{room}/api/tables/{table}")["seats"]
    for number, seat in enumerate(seats):
        if seat["kind"] == "open":
            try:
                return ask(f"{room}/api/tables/{table}/seats", {"seat": number, "name": name})
            except HTTPError as error:
                if error.code != 409:  # another client was quicker
                    raise
    sys.exit("no seat is open at this table")


def play(room: str, seat: dict) -> dict:
    """Play until the game is over, across lost connections. Return the last scene."""
    address = f"{room.replace('http', 'ws', 1)}/api/tables/{seat['table']}/play"
    while True:
        try:
            with connect(address) as socket:
                socket.send(json.dumps({"type": "hello", "key": seat["key"]}))
                return play_on(socket)
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd.code in FINAL:
                sys.exit(closed.rcvd.reason)
        except InvalidStatus as refused:
            if refused.response.status_code in (403, 404):
                sys.exit(f"the server refuses this table: HTTP {refused.response.status_code}")
        except (InvalidHandshake, OSError):
            pass
        time.sleep(1)


def play_on(socket) -> dict:
    """Play on a connection; return the last scene. Raises ``OSError`` if the connection ends before the game."""
    scene: dict = {}
    for text in socket:
        message = json.loads(text)
        if message["type"] == "refused":
            print("refused:", message["reason"], message["clause"])
            if message["do"]:  # the server could not store it, for example: there will be no new scene
                time.sleep(1)
                act(socket, scene)
        if message["type"] != "scenes":
            continue
        for line in message.get("log", [line for scene in message["scenes"] for line in scene["log"]]):
            print(line)
        scene = message["scenes"][-1]
        if scene["over"]:
            print(scene["outcome"])
            return scene
        if scene["legal"]:
            act(socket, scene)
    raise OSError("the server has closed the connection")


def act(socket, scene: dict) -> None:
    """Send an action that is legal in a scene."""
    socket.send(json.dumps({"type": "act", "do": choose(scene), "seen": scene["seen"]}))


def main(address: str = "http://127.0.0.1:8080", game: str = "", name: str = "Example bot") -> None:
    """Open a table, or take a seat at one, and play."""
    room, _, table = address.rstrip("/").partition("/table/")
    game = game or ask(f"{room}/api/games")["games"][0]["id"]
    seat = take_seat(room, table, name) if table else open_table(room, game, name)
    print(f"Look on at {room}/table/{seat['table']}")
    play(room, seat)


if __name__ == "__main__":
    main(*sys.argv[1:])
