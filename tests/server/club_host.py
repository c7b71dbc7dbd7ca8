"""A club night at a room, with its host and visitors as its players."""

import secrets

from tests.server.visitors import GAME, Visitor

__all__ = ["GAME", "Host"]


class Host:
    """A club night at a room, with visitors as its players."""

    def __init__(self, room, players, **wanted):
        self.room, self.key = room, secrets.token_hex(11)
        self.order = {"game": GAME, "system": "swiss", "rounds": 2, "bot": "casual", "key": self.key, **wanted}
        self.id = room.http.post("/api/club", json=self.order).json()["club"]
        self.visitors = [Visitor(room) for _ in range(players)]
        for number, visitor in enumerate(self.visitors):
            answer = self.post("players", name=f"P{number}", key=visitor.key)
            assert (answer.status_code, answer.json()["number"]) == (201, number)

    def post(self, path, **body):
        return self.room.http.post(f"/api/club/{self.id}/{path}", json=body)

    def begin(self):
        assert self.post("begin", key=self.key).status_code == 200

    def read(self, visitor=None):
        return self.room.http.get(f"/api/club/{self.id}", headers=visitor.headers if visitor else {}).json()

    def tables(self, visitor, number):
        return [each["table"] for each in self.read(visitor)["games"] if each["round"] == number and each["table"]]

    def resign(self, visitor, table):
        with self.room.sit(table, visitor.key) as player:
            player.until(lambda scene: True)
            player.say(type="resign")
            player.until(lambda scene: scene["over"])
