"""Ratings: how a result changes them, which tables are rated, and that each game counts once."""

import time
from pathlib import Path

import pytest

from parlour.bots import LEVELS
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.glicko import RatedGame, Rating, rating_after
from parlour.server.store.archive import remove
from parlour.server.store.database import MANNERS, StoreError
from parlour.server.store.people.player_tables import RATED_SEATS
from parlour.server.table import players, retention
from parlour.server.table.commands import Resign, Undo
from parlour.server.table.decide import NO_PLAYER, RATED, decide
from parlour.server.table.outcomes import Acted, Refused
from parlour.server.table.players import Players, results_of
from parlour.server.table.ratings.levels import bot_rating
from parlour.server.table.ratings.result_ratings import RatedResult, rated_result
from tests.server.card_room import wait_until
from tests.server.decided_tables import ALONE, first_action, happen, resigned, table_of
from tests.server.visitors import Visitor

DOCUMENT = Path(__file__).parents[2] / "docs" / "ratings.md"
EVEN = Rating(1500, 200)
STRONG = Rating(1700, 200)


def alone(*seats):
    return [frozenset({seat}) for seat in seats]


def rated(places, before, gone=()):
    """Return the ratings after a game of these sides and places."""
    return RatedResult(places, frozenset(gone), {}).rate(before)


class TestAResult:
    def test_between_two_players_is_one_game_by_glicko(self):
        one, two = alone(0, 1)
        after = rated({one: (2, 0), two: (1, 7)}, {0: EVEN, 1: STRONG})
        assert after == {
            0: rating_after(EVEN, [RatedGame(1700, 200, 1.0)]),
            1: rating_after(STRONG, [RatedGame(1500, 200, 0.0)]),
        }

    def test_is_a_draw_for_a_shared_first_place(self):
        one, two = alone(0, 1)
        after = rated({one: (2, 0), two: (2, 0)}, {0: EVEN, 1: EVEN})
        assert after[0].value == pytest.approx(1500)

    def test_counts_against_every_other_side_by_place(self):
        first, second, third = alone(0, 1, 2)
        after = rated({first: (2, 0), second: (1, 9), third: (1, 4)}, {0: EVEN, 1: EVEN, 2: EVEN})
        assert after[1] == rating_after(EVEN, [RatedGame(1500, 200, 0.0), RatedGame(1500, 200, 1.0)])
        assert after[0].value > after[1].value > after[2].value

    def test_is_expected_by_the_means_of_the_sides_among_partners(self):
        """A weak player with a strong partner is expected to win against two of the middle."""
        weak, strong = Rating(1300, 100), Rating(1700, 100)
        sides = {frozenset({0, 1}): (2, 0), frozenset({2, 3}): (1, 0)}
        after = rated(sides, {0: weak, 1: strong, 2: EVEN, 3: EVEN})
        even = rating_after(Rating(1500, 100), [RatedGame(1500, 200, 1.0)]).value - 1500
        assert after[0].value - 1300 == pytest.approx(even)
        assert after[1].value - 1700 == pytest.approx(even)

    def test_leaves_the_ratings_of_bots(self):
        one, two = alone(0, 1)
        result = RatedResult({one: (2, 0), two: (1, 0)}, frozenset(), {1: bot_rating("", "master")})
        master = bot_rating("", "master").value
        assert result.rate({0: EVEN}) == {0: rating_after(EVEN, [RatedGame(master, 50, 1.0)])}

    def test_by_resignation_is_a_loss_against_those_who_play_on(self):
        state = resigned("person", "person", "person", by=[0, 2], options=ALONE)
        result = rated_result(state.match, state.seats, state.resigned)
        after = result.rate({0: EVEN, 1: EVEN, 2: EVEN})
        assert after[0] == rating_after(EVEN, [RatedGame(1500, 200, 0.0), RatedGame(1500, 200, 0.5)])
        assert after[1] == rating_after(EVEN, [RatedGame(1500, 200, 1.0)] * 2)


class TestBots:
    def test_have_a_rating_at_every_level_of_every_game(self):
        for game in all_games():
            ratings = [bot_rating(game.id, level).value for level in LEVELS]
            assert ratings == sorted(ratings)
            assert bot_rating(game.id, "casual").value == 1500

    def test_have_the_ratings_that_the_document_has(self):
        rows = [line.strip("| ").split(" | ") for line in DOCUMENT.read_text().splitlines() if line.startswith("|")]
        titles = {game.title: game.id for game in all_games()} | {"other games": "unknown"}
        stated = {
            (title, row[0]): int(value) for row in rows[2:] for title, value in zip(rows[0][1:], row[1:], strict=True)
        }
        assert len(stated) == len(titles) * len(LEVELS)
        assert stated == {(title, level): bot_rating(titles[title], level).value for title, level in stated}


class TestARatedTable:
    def state(self, ratings):
        state = table_of("person", "person", rated=True)
        state.ratings = ratings
        return state

    def test_lets_only_players_with_a_key_play_and_resign(self):
        state = self.state({})
        seat, act = first_action(state)
        assert decide(state, seat, act, 0.0) == Refused(NO_PLAYER, "", act.do)
        assert decide(state, seat, Resign(), 0.0) == Refused(NO_PLAYER)
        state.ratings = {seat: None}  # forgotten since: the game goes on for the others
        assert isinstance(decide(state, seat, act, 0.0), Acted)

    def test_has_no_undo(self):
        state = self.state({0: EVEN, 1: EVEN})
        seat, act = first_action(state)
        happen(state, seat, act)
        assert state.undo.earlier is None
        assert decide(state, seat, Undo(seen=state.seen), 0.0) == Refused(RATED)

    def test_has_the_default_options(self, card_room):
        seats = [{"kind": "you", "name": "Ann"}, {"kind": "bot", "bot": "master", "name": "Bo"}]
        wanted = {"game": "three-tricks", "players": 2, "seats": seats, "manners": {"rated": True}}
        short = card_room.http.post("/api/tables", json={**wanted, "options": {"stall_turns": 1}})
        error = "a rated table has the default options: games with other options cannot be compared"
        assert (short.status_code, short.json()) == (422, {"error": error})
        rules = dict(Setup(find_game("three-tricks"), 2).options)
        assert card_room.http.post("/api/tables", json={**wanted, "options": rules}).status_code == 201

    @pytest.mark.parametrize(("rounds", "counts"), [(4, True), (1, False)])
    def test_counts_for_ratings_with_the_default_options_only(self, rounds, counts):
        """Tables of earlier versions may be stored as rated with other options."""
        state = resigned("person", "person", by=[0], options={"rounds": rounds})
        assert (results_of(state.match, state.seats, state.resigned, rated=True).rated is not None) is counts

    def test_that_an_earlier_version_opened_with_other_options_is_not_rated_nor_are_those_that_follow(self, card_room):
        options = {"stall_turns": 1}
        table = card_room.open("you", "casual", game="three-tricks", options=options)
        stored = MANNERS.update().where(MANNERS.c.table_id == table["table"])
        card_room.store.write(lambda connection: connection.execute(stored.values(manners='{"rated": true}')))
        assert card_room.store.load(table["table"]).rated
        ann = Visitor(card_room)
        assert ann.link(table).status_code == 200
        with card_room.sit(table["table"], table["key"]) as player:
            player.until(lambda scene: scene["legal"])
            player.say(type="resign")
            player.until(lambda scene: scene["over"])
        path = f"/api/tables/{table['table']}"
        again = card_room.http.post(f"{path}/again", json={"seat_key": table["key"], "what": "level"}).json()
        rematch = card_room.http.post(f"{path}/rematch", json={"key": table["key"]}).json()
        for each in (table, again, rematch):
            info = card_room.http.get(f"/api/tables/{each['table']}").json()
            assert (info["manners"]["rated"], [seat["rating"] for seat in info["seats"]]) == (False, [None, None])
        assert not any(card_room.store.load(each["table"]).rated for each in (again, rematch))
        assert card_room.store.read(lambda connection: connection.execute(RATED_SEATS.select()).all()) == []

    @pytest.mark.parametrize(
        ("bot", "manners", "error"),
        [
            ("casual", {"hints": True}, "manners: a rated table has neither hints nor seats of bots to take over"),
            ("casual", {"take_over": True}, "manners: a rated table has neither hints nor seats of bots to take over"),
            ("thumb", {}, "a rated table has no 'thumb': only the bots " + ", ".join(LEVELS) + " have a rating"),
        ],
    )
    def test_may_neither_give_help_nor_have_unrated_bots(self, card_room, bot, manners, error):
        seats = [{"kind": "you", "name": "Ann"}, {"kind": "bot", "bot": bot, "name": "Bo"}]
        wanted = {"game": "trime-kicker", "players": 2, "seats": seats, "manners": {"rated": True, **manners}}
        answer = card_room.http.post("/api/tables", json=wanted)
        assert (answer.status_code, answer.json()) == (422, {"error": error})


class RatedGamePlayed:
    """A table of two visitors, rated by default, whose game ends by a resignation."""

    def __init__(self, room, rated=True, links=2):
        self.room, self.one, self.two = room, Visitor(room), Visitor(room)
        self.table = room.open("you", "open", game="trime-kicker", options={}, **({"rated": True} if rated else {}))
        self.id = self.table["table"]
        self.other = room.http.post(f"/api/tables/{self.id}/seats", json={"seat": 1, "name": "Bo"}).json()
        for visitor, seat in ((self.one, self.table), (self.two, self.other))[:links]:
            assert visitor.link(seat).status_code == 200

    def resign(self, seat=None):
        """End the game by the resignation of a visitor, by default the second one."""
        with self.room.sit(self.id, (seat or self.other)["key"]) as player:
            player.until(lambda scene: True)
            player.say(type="resign")
            player.until(lambda scene: scene["over"])

    def seats(self):
        return self.room.http.get(f"/api/tables/{self.id}").json()["seats"]


def ratings(visitor):
    return visitor.get("/ratings").json()["ratings"]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
class TestRatingsOfPlayers:
    def test_change_once_by_a_finished_game(self, card_rooms):
        first = card_rooms()
        game = RatedGamePlayed(first)
        assert [seat["rating"] for seat in game.seats()] == [{"value": 1500, "provisional": True}] * 2
        game.resign()
        wait_until(lambda: ratings(game.two))
        (won,), (lost,) = ratings(game.one), ratings(game.two)
        assert won["value"] > 1500 > lost["value"]
        assert (won["game"], won["title"], won["provisional"], won["games"]) == (
            "trime-kicker",
            "Trime Kicker",
            True,
            1,
        )
        assert [step["value"] for step in won["history"]] == [won["value"]]
        wait_until(lambda: game.seats()[0]["rating"]["value"] == won["value"])
        first.stop()
        game.one.room = game.room = card_rooms()
        assert game.seats()[0]["rating"]["value"] == won["value"]
        game.one.link(game.table)  # computes the results again
        assert ratings(game.one) == [won]

    @pytest.mark.parametrize("listed", [True, False])
    def test_change_at_the_players_other_tables_too(self, card_rooms, listed):
        room = card_rooms()
        game, other = RatedGamePlayed(room), RatedGamePlayed(room, links=0)
        assert game.one.link(other.table).status_code == 200
        if not listed:
            assert game.one.forget(f"/games/{other.id}").status_code == 200
        with room.sit(other.id, other.table["key"]) as player:
            game.resign()
            wait_until(lambda: ratings(game.one))
            value = ratings(game.one)[0]["value"]
            wait_until(lambda: player.hear_type("table")["seats"][0]["rating"]["value"] == value)
        assert other.seats()[0]["rating"]["value"] == value

    def test_change_later_if_the_server_was_killed_at_the_end(self, card_rooms, monkeypatch):
        first = card_rooms()
        game = RatedGamePlayed(first)
        with monkeypatch.context() as patch:
            patch.setattr(Players, "note_over", lambda players, state: None)
            game.resign()
        first.stop()
        game.one.room = game.room = card_rooms()
        assert ratings(game.one) == []
        game.seats()
        wait_until(lambda: ratings(game.one))
        assert dict(retention.archive(game.room.store, time.time() + 1)) == {game.id: True}
        assert [each["games"] for each in ratings(game.one)] == [1]

    def test_are_forgotten_with_everything_else_and_no_game_counts_again(self, card_room):
        game = RatedGamePlayed(card_room)
        game.resign()
        wait_until(lambda: ratings(game.two))
        lost = ratings(game.two)
        game.one.forget()
        assert ratings(game.one) == []
        wait_until(lambda: game.seats()[0]["rating"] is None)
        game.one.link(game.table)
        assert (ratings(game.one), ratings(game.two)) == ([], lost)
        card_room.store.write(remove, [game.id])
        assert ratings(game.two) == lost


class TestRatings:
    def test_are_not_those_of_casual_tables(self, card_room):
        game = RatedGamePlayed(card_room, rated=False)
        game.resign()
        wait_until(lambda: game.two.games()[0]["score"])
        assert ratings(game.one) == ratings(game.two) == []
        assert [seat["rating"] for seat in game.seats()] == [None, None]

    def test_go_to_the_player_linked_first(self, card_room):
        """A player cannot give a lost game to another key."""
        game = RatedGamePlayed(card_room)
        late = Visitor(card_room)
        late.link(game.other)
        game.resign()
        wait_until(lambda: ratings(game.two))
        assert ratings(late) == []

    def test_stay_as_they_are_if_a_player_was_linked_after_the_end(self, card_room):
        """A player who can link a seat when the game is won loses no rated game."""
        game = RatedGamePlayed(card_room, links=1)
        game.resign(game.table)
        game.two.link(game.other)
        assert game.two.games()[0]["score"]["won"]
        assert ratings(game.one) == ratings(game.two) == []

    def test_stay_as_they_are_if_a_player_was_linked_after_an_action_of_a_bot(self, card_room):
        game = RatedGamePlayed(card_room, links=1)
        with card_room.sit(game.id, game.table["key"]) as one:
            room = card_room.rooms[game.id]
            state = room.state
            card_room.soon(lambda: state.presence.away.add(1))
            card_room.soon(room.wake)  # the absent player may be the first to act
            while not any(event.by == 1 for event in state.history):
                scene = one.until(lambda scene: scene["legal"] or scene["actor"] == 1)
                if scene["legal"]:
                    one.do(scene["legal"][0])
                one.hear()
        game.two.link(game.other)
        game.resign()
        wait_until(lambda: game.one.games()[0]["score"])
        assert ratings(game.one) == ratings(game.two) == []

    def test_stay_as_they_are_if_a_player_has_been_forgotten(self, card_room):
        game = RatedGamePlayed(card_room)
        game.two.forget()
        Visitor(card_room).link(game.other)
        game.resign()
        wait_until(lambda: game.one.games()[0]["score"])
        assert ratings(game.one) == []

    def test_are_shown_in_the_lobby(self, card_room):
        table = card_room.http.post(
            "/api/tables",
            json={
                "game": "trick-walls",
                "players": 3,
                "listed": True,
                "manners": {"rated": True},
                "seats": [
                    {"kind": "you", "name": "Ann"},
                    {"kind": "bot", "bot": "casual", "name": "Bo"},
                    {"kind": "open"},
                ],
            },
        ).json()
        Visitor(card_room).link(table)
        (shown,) = card_room.http.get("/api/tables").json()["tables"]
        assert [seat["rating"] for seat in shown["seats"]] == [
            {"value": 1500, "provisional": True},
            {"value": 1500, "provisional": False},
            None,
        ]

    def test_go_on_in_a_rematch(self, card_room):
        game = RatedGamePlayed(card_room)
        with card_room.sit(game.id, game.other["key"]) as other:
            other.until(lambda scene: True)
            with card_room.sit(game.id, game.table["key"]) as one:
                one.until(lambda scene: True)
                one.say(type="resign")
                one.until(lambda scene: scene["over"])
                path = f"/api/tables/{game.id}/rematch"
                after = card_room.http.post(path, json={"key": game.table["key"]}).json()
        address, key = f"/api/tables/{after['table']}", game.other["key"]
        rematch = card_room.http.get(address).json()
        assert rematch["manners"]["rated"]
        assert [bool(seat["rating"]) for seat in rematch["seats"]] == [False, True]
        accepted = card_room.http.post(f"{address}/seats", json={"seat": 0, "name": "Bo", "key": key}).json()
        assert game.two.link(accepted).status_code == 200
        assert all(seat["rating"] for seat in card_room.http.get(address).json()["seats"])
        assert [each["games"] for each in wait_until(lambda: ratings(game.one))] == [1]

    def test_begin_anew_in_the_rematch_of_a_game_that_was_linked_too_late(self, card_room):
        game = RatedGamePlayed(card_room, links=1)
        with card_room.sit(game.id, game.other["key"]) as other, card_room.sit(game.id, game.table["key"]) as one:
            other.until(lambda scene: True)
            one.until(lambda scene: True)
            one.say(type="resign")
            one.until(lambda scene: scene["over"])
            game.two.link(game.other)
            path = f"/api/tables/{game.id}/rematch"
            after = card_room.http.post(path, json={"key": game.other["key"]}).json()
        rematch = card_room.http.get(f"/api/tables/{after['table']}").json()
        assert rematch["seats"][after["seat"]]["rating"]["value"] == 1500

    def test_do_not_count_a_deal_that_is_played_again(self, card_room):
        table = card_room.open("you", "casual", game="trime-kicker", options={}, rated=True)
        ann = Visitor(card_room)
        ann.link(table)
        with card_room.sit(table["table"], table["key"]) as player:
            player.until(lambda scene: True)
            player.say(type="resign")
            player.until(lambda scene: scene["over"])
        assert not card_room.http.get(f"/api/tables/{table['table']}").json()["hints"]
        for what, counts in (("deal", False), ("level", True)):
            wanted = {"seat_key": table["key"], "what": what}
            again = card_room.http.post(f"/api/tables/{table['table']}/again", json=wanted).json()
            assert card_room.http.get(f"/api/tables/{again['table']}").json()["manners"]["rated"] is counts
        on = {"seen": 1, "seats": [{"kind": "you", "name": "Ann"}, {"kind": "open"}], "manners": {"rated": True}}
        answer = card_room.http.post(f"/api/tables/{table['table']}/on", json=on)
        assert answer.json()["error"].startswith("a game that goes on from another one is not rated")

    def test_stay_unknown_if_a_link_cannot_be_stored(self, card_room, monkeypatch):
        def full(*_):
            raise StoreError("the disk is full")

        table = card_room.open("you", "casual", game="trime-kicker", options={}, rated=True)
        with monkeypatch.context() as patch:
            patch.setattr(players, "table_ratings", full)
            assert Visitor(card_room).link(table).status_code == 503
        seat = card_room.http.get(f"/api/tables/{table['table']}").json()["seats"][0]
        assert seat["rating"] is None
