"""Players of daily deals, against quick bots."""

import secrets

from parlour.server.http.reports.reviews import Reviews
from parlour.server.store.daily import Score, keep_score
from parlour.server.table.daily import deal_table
from tests.server.card_room import play_out, wait_until
from tests.server.daily_clock import MONDAY
from tests.server.immediate_reviews import immediate_review

GAME = "trime-kicker"


def make_bots_quick(monkeypatch):
    """Let quick bots play, also for the strongest one, and review games at once."""
    monkeypatch.setattr("parlour.daily.LEVEL_OF_WEEKDAY", ("thumb",) * 7)
    monkeypatch.setattr(deal_table, "STRONGEST", "thumb")
    monkeypatch.setattr("parlour.server.table.bots.readiness.Readiness.is_ready", lambda readiness, game: True)
    monkeypatch.setattr(Reviews, "find", immediate_review)


class Visitor:
    """A person with a key of their own, at a room whose clock the test sets."""

    def __init__(self, room, name="Ann"):
        self.room = room
        self.name = name
        self.key = secrets.token_urlsafe(24)
        self.headers = {"Authorization": f"Bearer {self.key}"}

    def get(self, path=""):
        return self.room.http.get(f"/api/daily{path}", headers=self.headers)

    def begin(self, day=MONDAY, game=GAME, **more):
        return self.room.http.post(f"/api/daily/{day}/{game}", json={"name": self.name, "key": self.key, **more})

    def play(self, day=MONDAY, game=GAME):
        """Play the deal to its end; return the table and the client with all its messages."""
        table = self.begin(day, game).json()
        with self.room.sit(table["table"], table["key"]) as player:
            play_out(player)
            return table, player

    def finish(self, day=MONDAY, game=GAME, won=True, points=10):
        """Store a result of a deal without playing it."""
        table = self.begin(day, game).json()
        self.room.store.write(keep_score, table["table"], Score(won, points, 7))
        return table

    def asked(self, table):
        return self.room.http.get(f"/api/tables/{table['table']}/daily", headers=self.headers)

    def result(self, day=MONDAY, game=GAME):
        """Return the result of a deal, once the result of the strongest bot is in it."""
        table = self.begin(day, game).json()
        return wait_until(lambda: (result := self.asked(table).json()).get("par") and result)
