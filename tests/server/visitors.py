"""Persons with a player's key at a room."""

import secrets

from tests.server.card_room import play_out, wait_until

GAME = "trime-kicker"


class Visitor:
    """A person with a key at a room."""

    def __init__(self, room, key=None):
        self.room = room
        self.key = key or secrets.token_hex(11)
        self.headers = {"Authorization": f"Bearer {self.key}"}

    def get(self, path="", **query):
        return self.room.http.get(f"/api/player{path}", params=query, headers=self.headers)

    def games(self, **query):
        return self.get(**query).json()["games"]

    def forget(self, path=""):
        return self.room.http.delete(f"/api/player{path}", headers=self.headers)

    def link(self, table, key=None):
        wanted = {"key": key or table["key"], "player": self.key}
        return self.room.http.post(f"/api/tables/{table['table']}/player", json=wanted)

    def begin(self):
        """Open a table and link it."""
        table = self.room.open("you", "thumb", game=GAME, options={})
        assert self.link(table).status_code == 200
        return table

    def play(self):
        """Play a linked game to its end; return the table."""
        table = self.begin()
        with self.room.sit(table["table"], table["key"]) as player:
            play_out(player)
        wait_until(lambda: any(game["table"] == table["table"] and game["score"] for game in self.games()))
        return table
