"""Players without an account: a name with a key, and the list of their games."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import pytest
from sqlalchemy import event

from parlour.server.http import players as http_players
from parlour.server.http.access.limits import Limits
from parlour.server.http.access.rate import Rate
from parlour.server.http.players import finding_of
from parlour.server.process.settings import Settings
from parlour.server.store.archive import remove, remove_name
from parlour.server.store.database import StoreError
from parlour.server.store.locks import TransactionLock, hold
from parlour.server.store.people import players
from parlour.server.store.people.players import PlayedGame
from parlour.server.store.people.subscriptions import Subscription, subscribe, subscriptions_of
from parlour.server.store.stored_table import StoredSeat, StoredTable
from parlour.server.table import retention
from parlour.server.table.players import Players
from tests.helpers import run_apart
from tests.server.card_room import play_out, wait_until
from tests.server.two_players import join
from tests.server.visitors import GAME, Visitor


@pytest.fixture
def room(card_room):
    return card_room


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
class TestAPlayer:
    def test_finds_running_games_before_finished_ones(self, room):
        ann = Visitor(room)
        running, finished = ann.begin(), ann.play()
        answer = ann.get().json()
        assert answer["name"] == "Ann"
        assert answer["next"] is None
        first, second = answer["games"]
        assert [first["table"], second["table"]] == [running["table"], finished["table"]]
        assert first["others"] == second["others"] == [{"name": "Bot 1", "bot": "thumb"}]
        assert first["score"] is None
        assert set(second["score"]) == {"won", "points", "against"}
        assert second["title"] == "Trime Kicker"
        assert ann.games(number=1, before=ann.get(number=1).json()["next"]) == [second]

    def test_finds_the_result_that_the_record_has(self, room):
        ann = Visitor(room)
        table = ann.play()
        record = room.http.get(f"/api/tables/{table['table']}/record").json()
        assert ann.games()[0]["score"]["won"] == (record["result"]["winners"] == [0])

    def test_links_a_table_once_however_often_it_is_sent(self, room):
        ann = Visitor(room)
        table = room.open("you", "thumb", game=GAME, options={})
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: ann.link(table), range(4)))
        assert [answer.json() for answer in answers] == [{"table": table["table"], "seat": 0}] * 4
        assert len(ann.games()) == 1

    def test_may_link_a_game_that_is_over(self, room):
        table = room.open("you", "thumb", game=GAME, options={})
        with room.sit(table["table"], table["key"]) as player:
            play_out(player)
        ann = Visitor(room)
        ann.link(table)
        assert ann.games()[0]["score"]

    def test_reads_a_long_list_in_parts(self, room):
        ann = Visitor(room)
        opened = {ann.begin()["table"] for _ in range(5)}
        found, before = [], ""
        while before is not None:
            part = ann.get(number=2, before=before).json()
            found += [game["table"] for game in part["games"]]
            before = part["next"]
        assert len(found) == 5
        assert set(found) == opened

    def test_may_ask_for_one_game(self, room):
        ann = Visitor(room)
        ann.begin()
        other = room.open("you", "thumb")
        ann.link(other)
        assert [game["table"] for game in ann.games(game="trick-walls")] == [other["table"]]
        assert {game["game"]: game["options"] for game in ann.games()} == {GAME: {}, "trick-walls": {"rounds": 1}}

    def test_keeps_the_list_over_a_restart(self, card_rooms):
        first = card_rooms()
        ann = Visitor(first)
        table = ann.play()
        first.stop()
        ann.room = card_rooms()
        assert [game["table"] for game in ann.games()] == [table["table"]]

    def test_finds_a_result_that_a_killed_server_could_not_store(self, card_rooms, monkeypatch):
        first = card_rooms()
        ann = Visitor(first)
        table = ann.begin()
        with monkeypatch.context() as patch:
            patch.setattr(Players, "note_over", lambda players, state: None)
            with first.sit(table["table"], table["key"]) as player:
                play_out(player)
        first.stop()
        ann.room = card_rooms()
        assert ann.games()[0]["score"] is None
        ann.room.http.get(f"/api/tables/{table['table']}")
        wait_until(lambda: ann.games()[0]["score"])

    def test_has_the_result_at_the_latest_when_the_game_becomes_a_record(self, room, monkeypatch):
        ann = Visitor(room)
        table = ann.begin()
        monkeypatch.setattr(Players, "note_over", lambda players, state: None)
        with room.sit(table["table"], table["key"]) as player:
            play_out(player)
        assert dict(retention.archive(room.store, time.time() + 1)) == {table["table"]: True}
        assert ann.games()[0]["score"]


class TestTheKeyOfAPlayer:
    def test_opens_the_players_seat_on_another_device(self, room):
        ann = Visitor(room)
        table = ann.begin()
        with room.sit(table["table"], ann.key) as player:
            assert player.until(lambda scene: scene["legal"])
            assert player.about["seat"] == 0

    def test_finds_empty_findings_after_a_resignation_since_there_is_no_review(self, room):
        ann = Visitor(room)
        table = ann.begin()
        with room.sit(table["table"], table["key"]) as player:
            player.until(lambda scene: scene["legal"])
            player.say(type="resign")
            wait_until(lambda: ann.games()[0]["score"])
        game = ann.games()[0]
        assert (game["score"]["won"], game["review"]) == (False, {})

    def test_may_be_used_on_two_devices_at_once(self, room):
        ann = Visitor(room)
        table = ann.begin()
        with room.sit(table["table"], ann.key) as one, room.sit(table["table"], ann.key) as other:
            one.until(lambda scene: scene["legal"])
            other.until(lambda scene: scene["legal"])
            assert one.scene["legal"] == other.scene["legal"]
            play_out(one)
        assert len(ann.games()) == 1

    def test_opens_the_seat_in_the_rematch(self, room):
        ann = Visitor(room)
        table = ann.play()
        rematch = room.http.post(f"/api/tables/{table['table']}/rematch", json={"key": ann.key}).json()
        with room.sit(rematch["table"], ann.key) as player:
            player.hear_type("scenes")
            assert player.about["seat"] == rematch["seat"] == 1
        assert {game["table"] for game in ann.games()} == {table["table"], rematch["table"]}

    def test_is_stored_as_a_hash_only(self, room):
        ann = Visitor(room)
        ann.begin()
        assert ann.key.encode() not in b"".join(each.read_bytes() for each in room.database.parent.iterdir())

    def test_gets_no_key_of_a_seat(self, room):
        ann = Visitor(room)
        table = ann.play()
        assert table["key"] not in ann.get().text + ann.get("/records").text

    @pytest.mark.parametrize("key", ["f" * 22, "x", "ä".encode().decode("latin-1"), "k" * 5000])
    def test_a_key_without_games_has_an_empty_list(self, room, key):
        headers = {"Authorization": f"Bearer {key}".encode("latin-1")}
        answer = room.http.get("/api/player", headers=headers)
        assert (answer.status_code, answer.json()) == (200, {"name": None, "games": [], "next": None})
        answer = room.http.get("/api/player/records", headers=headers)
        assert (answer.status_code, answer.json()) == (200, {"records": [], "next": None})

    def test_is_needed(self, room):
        for method, path in (("GET", ""), ("GET", "/records"), ("DELETE", "")):
            answer = room.http.request(method, f"/api/player{path}")
            assert answer.status_code == 404
            assert answer.json() == {"error": "the list of a player's games needs the player's key"}


class TestALink:
    def test_needs_the_key_of_the_seat(self, room):
        ann, table = Visitor(room), room.open("you", "thumb", game=GAME, options={})
        answer = ann.link(table, key="forged")
        assert (answer.status_code, answer.json()) == (409, {"error": "this key opens no seat of this table"})
        assert ann.get().json()["name"] is None

    def test_needs_a_key_of_enough_letters(self, room):
        table = room.open("you", "thumb", game=GAME, options={})
        wanted = {"key": table["key"], "player": "short"}
        assert room.http.post(f"/api/tables/{table['table']}/player", json=wanted).status_code == 422

    def test_has_one_seat_of_a_table(self, room):
        ann, table = Visitor(room), room.open("you", "open", game=GAME, options={})
        other = {**table, "key": join(room, table)}
        assert ann.link(table).status_code == 200
        answer = ann.link(other)
        assert answer.status_code == 409
        assert answer.json() == {"error": "this table is in the list already, with another seat"}

    def test_is_limited_for_one_seat(self, room):
        table = room.open("you", "thumb", game=GAME, options={})
        answers = [Visitor(room).link(table) for _ in range(players.MOST_LINKS + 1)]
        assert [answer.status_code for answer in answers] == [200] * players.MOST_LINKS + [409]

    def test_a_link_that_cannot_be_stored_changes_nothing(self, room, monkeypatch):
        def full(*_):
            raise StoreError("the disk is full")

        ann, table = Visitor(room), room.open("you", "thumb", game=GAME, options={})
        with monkeypatch.context() as patch:
            patch.setattr(players, "link", full)
            answer = ann.link(table)
            assert (answer.status_code, answer.json()) == (503, {"error": "the disk is full"})
            with room.sit(table["table"], ann.key) as player:
                assert player.close_code() == 4403
        assert ann.link(table).status_code == 200

    def test_is_unknown_to_the_others_at_the_table(self, room):
        """The public answer about a table has the same bytes with and without a link."""
        heard = []
        for linked in (False, True):
            table = room.open("you", "open", game=GAME, options={})
            if linked:
                Visitor(room).link(table)
            info = room.http.get(f"/api/tables/{table['table']}").text
            heard.append(info.replace(table["table"], "").replace(table["commitment"], ""))
        assert heard[0] == heard[1]


class TestTheRecords:
    def test_are_those_of_finished_games(self, room):
        ann = Visitor(room)
        table = ann.play()
        ann.begin()
        answer = ann.get("/records").json()
        assert answer == {"records": [room.http.get(f"/api/tables/{table['table']}/record").json()], "next": None}

    def test_are_not_looked_for_in_the_database_beyond_the_limit(self, card_rooms, monkeypatch):
        monkeypatch.setattr("parlour.server.process.settings.ADDRESS_RATES", {"replays": Rate(0.001, 1)})
        ann, read, games = Visitor(card_rooms(Settings())), [], Players.games
        monkeypatch.setattr(Players, "games", lambda *arguments: read.append(arguments) or games(*arguments))
        answers = [ann.get("/records").status_code for _ in range(3)]
        assert (answers, len(read)) == ([200, 429, 429], 1)

    @pytest.mark.parametrize(("number", "replays"), [(1, [1]), (3, [1, 2])])
    def test_count_as_replays_by_their_number(self, room, monkeypatch, number, replays):
        monkeypatch.setattr(http_players, "RECORDS_IN_A_REPLAY", 1)
        taken, ann = [], Visitor(room)
        for _ in range(number):
            ann.play()
        monkeypatch.setattr(Limits, "take", lambda limits, what, *more: taken.append((what, *more)))
        assert len(ann.get("/records").json()["records"]) == number
        assert [(more or (1,))[0] for what, _, *more in taken if what == "replays"] == replays


class TestARemovedTable:
    def test_leaves_the_line_of_its_result(self, room):
        ann = Visitor(room)
        table = ann.play()
        room.store.write(remove, [table["table"]])
        game = ann.games()[0]
        assert game["score"]
        assert game["others"] == [{"name": "Bot 1", "bot": "thumb"}]
        assert game["kept"] is False
        assert ann.get("/records").json()["records"] == []

    def test_leaves_nothing_without_a_result(self, room):
        ann = Visitor(room)
        room.store.write(remove, [ann.begin()["table"]])
        assert ann.games() == []

    def test_leaves_nothing_if_the_operator_deletes_it(self, room):
        ann = Visitor(room)
        table = ann.play()
        room.store.write(remove, [table["table"]])
        room.store.write(players.remove_games, [table["table"]])
        assert ann.games() == []


@pytest.mark.parametrize("kind", ["postgresql"])
class TestLinksAtTheSameMoment:
    def test_are_no_more_than_one_after_another(self, store):
        store.add_table(StoredTable("t", GAME, 2, {}, {0: StoredSeat("Ann")}, "0" * 64))
        game = PlayedGame("t", 0, GAME, 2, {}, 0, ())
        *earlier, last, late = [f"player {number}" for number in range(players.MOST_LINKS + 1)]
        for player in earlier:
            store.write(players.link, player, "Ann", game)
        with ThreadPoolExecutor(1) as thread:
            with store.engine.begin() as connection:
                players.link(connection, last, "Ann", game)
                linking = thread.submit(store.write, players.link, late, "Ann", game)
                time.sleep(0.3)
            with pytest.raises(players.LinkError):
                linking.result()


@pytest.mark.parametrize("kind", ["postgresql"])
class TestForgettingDuringAWrite:
    @pytest.mark.parametrize("lock", [TransactionLock.CLUBS, TransactionLock.RATINGS])
    def test_waits_for_a_round_or_a_rating_that_may_write_the_player_anew(self, store, lock):
        done = []
        with ThreadPoolExecutor(1) as thread:
            with store.engine.begin() as connection:
                hold(connection, lock)
                forgetting = thread.submit(store.write, players.forget_player, "ann")
                forgetting.add_done_callback(lambda _: done.append("forgotten"))
                time.sleep(0.3)
                done.append("written")
            forgetting.result()
        assert done == ["written", "forgotten"]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
class TestForgettingAPlayerOfManyGames:
    def add_games(self, store, player, number):
        """Add tables with the player in seat 0, each with a subscription for both seats."""
        browser = Subscription("https://push.example/1", "p256dh", "auth", "en")
        for table in (f"{player}{each}" for each in range(number)):
            store.add_table(StoredTable(table, GAME, 2, {}, {0: StoredSeat("Ann"), 1: StoredSeat("Bo")}, "0" * 64))
            store.write(players.link, player, "Ann", PlayedGame(table, 0, GAME, 2, {}, 0, ()))
            for seat in (0, 1):
                store.write(subscribe, table, seat, replace(browser, endpoint=f"https://push.example/{seat}"))

    def statements_to_forget(self, store, player):
        """Forget a player; return the number of statements, during which other writers wait."""
        counted = []

        def count(*arguments):
            counted.append(arguments)

        event.listen(store.engine, "before_cursor_execute", count)
        store.write(players.forget_player, player)
        event.remove(store.engine, "before_cursor_execute", count)
        return len(counted)

    def test_takes_as_many_statements_as_for_one_game(self, store):
        self.add_games(store, "ann", 1)
        self.add_games(store, "bo", 20)
        assert self.statements_to_forget(store, "bo") == self.statements_to_forget(store, "ann")

    def test_ends_the_notices_of_the_player_but_of_no_other_seat(self, store):
        for player in ("ann", "bo"):
            self.add_games(store, player, 2)
        store.write(players.forget_player, "ann")
        left = {table: set(store.read(subscriptions_of, table, (0, 1))) for table in ("ann0", "ann1", "bo0")}
        assert left == {"ann0": {1}, "ann1": {1}, "bo0": {0, 1}}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
class TestForgetting:
    def test_removes_the_player_and_closes_the_seats_to_the_key(self, room):
        ann = Visitor(room)
        table = ann.begin()
        assert ann.forget().json() == {"games": 1}
        assert ann.get().json() == {"name": None, "games": [], "next": None}
        wait_until(lambda: not room.rooms[table["table"]].state.links)
        with room.sit(table["table"], ann.key) as player:
            assert player.close_code() == 4403
        with room.sit(table["table"], table["key"]) as player:
            player.until(lambda scene: scene["legal"])
        assert ann.forget().json() == {"games": 0}

    def test_closes_the_connections_that_the_key_has_opened_and_no_others(self, room):
        ann = Visitor(room)
        table = ann.begin()
        with room.sit(table["table"], ann.key) as forgotten, room.sit(table["table"], table["key"]) as other:
            forgotten.until(lambda scene: scene["legal"])
            ann.forget()
            assert forgotten.close_code() == 4403
            other.until(lambda scene: scene["legal"])
            other.do(other.scene["legal"][0])
            other.until_seen(other.scene["seen"] + 1)

    def test_removes_one_game_from_the_list(self, room):
        ann = Visitor(room)
        kept, gone = ann.begin(), ann.begin()
        assert ann.forget(f"/games/{gone['table']}").json() == {"table": gone["table"]}
        assert [game["table"] for game in ann.games()] == [kept["table"]]
        answer = ann.forget(f"/games/{gone['table']}")
        assert answer.json() == {"error": "this game is not in the list of a player with this key"}

    def test_an_operator_who_removes_a_name_removes_it_from_the_lists_of_others(self, room):
        ann, bo = Visitor(room), Visitor(room)
        table = room.open("you", "open", game=GAME, options={})
        other = {**table, "key": join(room, table, 'Bö "%')}
        ann.link(table)
        bo.link(other)
        with room.sit(table["table"], table["key"]) as one, room.sit(table["table"], other["key"]) as two:
            play_out(one, two)
        wait_until(lambda: ann.games()[0]["score"])
        assert ann.games()[0]["others"] == [{"name": 'Bö "%', "bot": None}]
        room.store.write(remove_name, 'Bö "%')
        assert ann.games()[0]["others"] == [{"name": "", "bot": None}]
        assert bo.get().json()["name"] == ""
        assert json.dumps('Bö "%') not in json.dumps(bo.get().json())


class TestLinksThatAreReadAgain:
    def test_keep_a_link_that_was_stored_during_the_reading(self):
        state = SimpleNamespace(id="t", links={(0, "ann")}, manners=SimpleNamespace(rated=False))

        async def run(read, function, table):
            state.links.add((1, "bo"))
            return []

        room_players = Players(SimpleNamespace(run=run, read=None), None, None, None)
        run_apart(room_players.read_links(state))
        assert state.links == {(1, "bo")}


class TestFindingsOfReviews:
    """Stored once for each review and linked seat, though every request of the review offers them."""

    @pytest.fixture
    def stored(self):
        return []

    @pytest.fixture
    def keep(self, stored):
        async def compute(host, function, *arguments):
            return function(*arguments)

        async def run(write, function, table, seat, found):
            if found == "full":
                raise StoreError("the disk is full")
            stored.append((table, seat, found))

        room_players = Players(SimpleNamespace(run=run, write=None), SimpleNamespace(compute=compute), None, None)
        return lambda state, review, found: run_apart(room_players.keep_review(state, review, lambda *_: found))

    @pytest.fixture
    def state(self):
        return SimpleNamespace(id="t", host="a", links={(1, "ann")}, stored_review=None)

    def test_they_are_the_sums_of_the_seat_and_its_three_costliest_decisions(self):
        costs = {"blunder": 12, "slip": 3, "mistake": 6, "find": 0, "": 1}
        decisions = [
            {"seen": at, "mark": mark, "cost": cost, "lost": {"value": 150 - cost}}
            for at, (mark, cost) in enumerate(costs.items())
        ]
        sums = {"start": 500, "chance": 40, "others": -20, "own": 480, "lost": 880, "result": 1000}
        review = {"courses": [{"seat": 0}, {"seat": 1, "sums": sums, "decisions": [*decisions, decisions[1]]}]}
        found = finding_of(json.dumps(review), 1)
        assert [each["lost"] for each in found.pop("worst")] == [120, 60, 30]
        assert found == {"luck": 40, "others": -20, "own": 480, "lost": 250, "decisions": 6}

    @pytest.mark.parametrize(
        ("marks", "worst"),
        [
            ([], []),
            (["", "find"], []),
            (["find", "slip", ""], [1]),
            (["slip", "find", "blunder", "find"], [2, 0]),
            (["mistake", "", "slip", "blunder", "find", "mistake"], [3, 0, 5]),
            (["slip", "slip", "mistake", "slip"], [2, 0, 1]),
        ],
    )
    def test_the_costliest_decisions_are_marked_ones_that_cost_something_the_first_of_equal_ones_first(
        self, marks, worst
    ):
        costs = {"blunder": 12, "mistake": 6, "slip": 3, "find": 0, "": 0}
        decisions = [{"seen": at, "mark": mark, "cost": costs[mark]} for at, mark in enumerate(marks)]
        sums = {"start": 500, "chance": 0, "others": 0, "own": 0}
        review = {"courses": [{"seat": 0, "sums": sums, "decisions": decisions}]}
        assert finding_of(json.dumps(review), 0)["worst"] == [
            {"seen": at, "lost": 10 * costs[marks[at]], "mark": marks[at]} for at in worst
        ]

    def test_the_same_review_is_not_stored_again(self, keep, state, stored):
        for _ in range(3):
            keep(state, "{}", "lost")
        assert stored == [("t", 1, "lost")]

    def test_another_review_is_stored(self, keep, state, stored):
        for review in ("{}", '{"reruns": []}'):
            keep(state, review, review)
        assert [found for _, _, found in stored] == ["{}", '{"reruns": []}']

    def test_it_is_stored_later_if_the_disk_was_full(self, keep, state, stored):
        with pytest.raises(StoreError):
            keep(state, "{}", "full")
        keep(state, "{}", "lost")
        assert stored == [("t", 1, "lost")]
