"""The lobby, replays, lessons and the other pages around a table."""

import asyncio
import re
import time
from types import SimpleNamespace

import pytest
import sqlalchemy as sql

from parlour.bots import choose_at_random, compiled_observation_of
from parlour.engine.chance import new_stream
from parlour.engine.match import Match
from parlour.engine.matches.deals import check_deal
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.observation import EVERYTHING
from parlour.engine.rules import CHANCE, SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import all_games, file_of
from parlour.server.http.showcase import FILE_NAME, showcase_text
from parlour.server.process.settings import Settings
from parlour.server.store.database import LISTED, StoreError
from parlour.server.store.failure_reasons import SILENT
from parlour.server.table.lobby import Lobby
from parlour.server.table.messages import to_text
from parlour.server.table.replays import ReplaySlice, scenes_of
from parlour.server.table.viewers import Display
from tests.helpers import run_apart
from tests.server.card_room import CardRoom, order, play_out
from tests.server.two_players import join

pytestmark = pytest.mark.slow


def finished_table(card_room, *seats, **more):
    """Return a table whose game is over, and its player."""
    table = card_room.open(*(seats or ("you", "thumb")), **more)
    with card_room.sit(table["table"], table["key"]) as ann:
        play_out(ann)
        return table, ann


def scenes(card_room, table, key=None, **asked):
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return card_room.http.get(f"/api/tables/{table['table']}/replay", params=asked, headers=headers)


class TestOpenTables:
    def test_a_table_is_listed_only_if_its_opener_asks_for_it(self, card_room):
        card_room.http.post("/api/tables", json=order("you", "open"))
        listed = card_room.http.post("/api/tables", json={**order("you", "open"), "listed": True}).json()
        found = card_room.http.get("/api/tables").json()["tables"]
        assert [about["table"] for about in found] == [listed["table"]]
        assert found[0]["seats"][0]["name"] == "Ann"
        assert found[0]["manners"] == card_room.http.get(f"/api/tables/{listed['table']}").json()["manners"]
        assert found[0]["manners"]["talk"] == "none"

    def test_it_is_no_longer_listed_when_every_seat_is_taken(self, card_room):
        listed = card_room.http.post("/api/tables", json={**order("you", "open"), "listed": True}).json()
        count = sql.select(sql.func.count()).select_from(LISTED)
        assert card_room.store.read(lambda connection: connection.execute(count).scalar_one()) == 1
        join(card_room, listed)
        assert card_room.store.read(lambda connection: connection.execute(count).scalar_one()) == 0
        assert card_room.http.get("/api/tables").json() == {"tables": []}

    def test_one_address_does_not_fill_it(self, database):
        """It lists at most three tables with an open seat of one address."""
        room = CardRoom(database, Settings(paced=False, behind_proxy=("127.0.0.1",)))

        def opened(address, listed=True):
            body = {**order("you", "open"), "listed": listed}
            return room.http.post("/api/tables", json=body, headers={"X-Forwarded-For": address})

        first, *_ = answers = [opened("203.0.113.7") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [201, 201, 201, 409]
        assert answers[3].json()["error"].startswith("3 tables of your network wait for players in the lobby: sit down")
        assert [opened("203.0.113.7", listed=False).status_code, opened("203.0.113.8").status_code] == [201, 201]
        join(room, first.json())
        assert [opened("203.0.113.7").status_code for _ in range(2)] == [201, 409]
        room.stop()

    def test_the_newest_come_first_and_their_number_is_limited(self, card_room, monkeypatch):
        monkeypatch.setattr("parlour.server.table.lobby.OPEN_LISTED", 2)
        now = iter((time.time() - 300, time.time() - 200, time.time() - 100))
        monkeypatch.setattr("parlour.server.store.table_rows.time", SimpleNamespace(time=lambda: next(now)))
        body = {**order("you", "open"), "listed": True}
        ids = [card_room.http.post("/api/tables", json=body).json()["table"] for _ in range(3)]
        assert [about["table"] for about in card_room.http.get("/api/tables").json()["tables"]] == ids[:0:-1]


class TestARequestDuringAFailure:
    def test_does_not_wait_for_a_read_of_its_own_after_that_of_another_has_failed(self):
        reads, fails = [], asyncio.Event()

        async def run(*arguments):
            reads.append(arguments)
            await fails.wait()
            raise StoreError(SILENT)

        lobby = Lobby(SimpleNamespace(run=run, open_tables=None), None)

        async def ask_twice():
            asked = [asyncio.create_task(lobby.tables()) for _ in range(2)]
            await asyncio.sleep(0)
            fails.set()
            return [str(answer) for answer in await asyncio.gather(*asked, return_exceptions=True)]

        assert run_apart(ask_twice()) == [SILENT, SILENT]
        assert len(reads) == 1
        with pytest.raises(StoreError):  # a later request reads again
            run_apart(lobby.tables())
        assert len(reads) == 2


class TestReplay:
    def test_during_the_game_a_replay_shows_only_scenes_shown_before(self, card_room):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            assert scenes(card_room, table, view="0").status_code == 409
            assert scenes(card_room, table, view="1", key=table["key"]).status_code == 409
            assert scenes(card_room, table, view="all", key=table["key"]).status_code == 409
            assert scenes(card_room, table, view="0", key="wrong").status_code == 409
            own = scenes(card_room, table, view="0", key=table["key"]).json()["scenes"]
            assert own[-1] == ann.scene
            public = scenes(card_room, table).json()
            assert public["seen"] == len(public["scenes"]) - 1 == ann.scene["seen"]
            with card_room.sit(table["table"]) as spectator:
                assert spectator.until(lambda scene: scene["seen"] == public["seen"]) == public["scenes"][-1]

    def test_afterwards_it_is_open_from_every_side(self, card_room):
        table, ann = finished_table(card_room)
        events = card_room.store.load(table["table"]).events
        for view in ("0", "1", "spectator", "all"):
            found = scenes(card_room, table, view=view).json()["scenes"]
            assert [scene["seen"] for scene in found] == list(range(len(events) + 1))
            assert not any(scene["legal"] for scene in found) or view in "01"
        own = scenes(card_room, table, view="0").json()["scenes"]
        by_seen = {scene["seen"]: scene for scene in ann.scenes}
        assert {seen: own[seen] for seen in by_seen if seen > 4} == {
            seen: by_seen[seen] for seen in by_seen if seen > 4
        }
        dealt = next(scene for scene in scenes(card_room, table, view="all").json()["scenes"] if scene["seen"] == 3)
        hands = [row for area in dealt["areas"] for row in area["rows"] if row["style"] == "hand"]
        assert len(hands) >= 2
        assert all(row["cards"] and not row["hidden"] for row in hands)

    def test_a_part_of_it_equals_that_part_of_the_whole(self, card_room):
        table, _ = finished_table(card_room)
        whole = scenes(card_room, table, view="all").json()["scenes"]
        assert scenes(card_room, table, view="all", first=7, number=5).json()["scenes"] == whole[7:12]
        assert scenes(card_room, table, view="all", first=10_000).json()["scenes"] == []

    @pytest.mark.parametrize(
        "asked",
        [{"view": "7"}, {"view": "²"}, {"view": ""}, {"first": -1}, {"number": 0}, {"number": 101}, {"first": "x"}],
    )
    def test_impossible_requests_are_refused(self, card_room, asked):
        table, _ = finished_table(card_room)
        answer = scenes(card_room, table, **asked)
        assert answer.status_code == 422
        assert answer.json()["error"]


class TestReplayOfEveryGame:
    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_a_replay_equals_the_scenes_of_the_game(self, game):
        match = Match(Setup(game, game.usual_players))
        names = [f"Player {seat}" for seat in range(match.players)]
        viewers = (SPECTATOR, *range(match.players))
        watches = {viewer: Display(match, viewer, names) for viewer in viewers}
        shown = {viewer: [watch.scene] for viewer, watch in watches.items()}
        stream = new_stream(11)
        for _ in range(30):
            if match.actor == CHANCE:
                match.apply_chance(match.sample_chance(StreamRandomness(stream)))
            else:
                match.apply_move(choose_at_random(compiled_observation_of(match, stream)))
            for viewer, watch in watches.items():
                watch.advance(match, names)
                shown[viewer].append(watch.scene)
        for viewer in viewers:
            again = scenes_of(
                game, match.players, match.options, match.events, names, ReplaySlice(viewer, 0, 31), False
            )
            assert [to_text(scene) for scene in again] == shown[viewer]

    def test_all_cards_are_not_laid_open_before_the_end(self):
        game = all_games()[0]
        match = Match(Setup(game, game.usual_players))
        with pytest.raises(ValueError, match="only when the game is over"):
            scenes_of(game, match.players, match.options, match.events, [], ReplaySlice(EVERYTHING, 0, 1), False)


class TestPlayOn:
    SEATS = ({"kind": "bot", "bot": "thumb", "name": "Cleo"}, {"kind": "you", "name": "Ann"})

    def ask(self, card_room, table, seen, seats=SEATS):
        return card_room.http.post(f"/api/tables/{table['table']}/on", json={"seen": seen, "seats": list(seats)})

    def test_a_new_table_begins_with_the_events_up_to_there(self, card_room):
        table, _ = finished_table(card_room)
        answer = self.ask(card_room, table, 9)
        assert answer.status_code == 201
        again = answer.json()
        with card_room.sit(again["table"], again["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            assert ann.scene["seat"] == again["seat"] == 1
            old, new = (card_room.store.load(each["table"]) for each in (table, again))
            assert new.events[:9] == old.events[:9]
            assert new.options == old.options
            play_out(ann)
        record = card_room.http.get(f"/api/tables/{again['table']}/record").json()
        about = card_room.http.get(f"/api/tables/{again['table']}").json()
        assert about["given"] == record["deal"]["given"] == 9
        assert again["commitment"] == about["commitment"] != table["commitment"]
        assert check_deal(record, commitment=again["commitment"]).over

    def test_a_game_from_its_beginning_discloses_nothing_of_the_other_game(self, card_room):
        table, _ = finished_table(card_room)
        assert card_room.http.get(f"/api/tables/{table['table']}").json()["given"] == 0
        record = card_room.http.get(f"/api/tables/{table['table']}/record").json()
        assert record["deal"]["given"] == 0
        assert check_deal(record, commitment=table["commitment"]).over

    def test_no_game_continues_an_unfinished_one(self, card_room):
        table = card_room.open("you", "thumb")
        assert self.ask(card_room, table, 3).status_code == 409

    def test_no_game_continues_from_the_end_or_from_an_event_that_does_not_exist(self, card_room):
        table, ann = finished_table(card_room)
        for seen in (ann.scene["seen"], 10_000, -1):
            assert self.ask(card_room, table, seen).status_code == 422

    def test_another_number_of_seats_than_that_of_the_game_is_refused(self, card_room):
        table, _ = finished_table(card_room)
        assert self.ask(card_room, table, 3, self.SEATS[:1]).status_code == 422


class TestQrCodes:
    def test_an_address_is_drawn_as_a_code(self, card_room):
        answer = card_room.http.post("/api/link", json={"address": "https://example.org/table/abc#seat=0"})
        assert answer.json()["svg"].startswith("<svg")
        assert "<script" not in answer.json()["svg"]

    @pytest.mark.parametrize(
        "address", ["", "javascript:alert(1)", "https://" + "a" * 300, "https://a/\U0001f600", "https://a b", 7]
    )
    def test_other_texts_are_not_drawn_as_codes(self, card_room, address):
        assert card_room.http.post("/api/link", json={"address": address}).status_code == 422


class TestLessons:
    PATH = "/api/games/trick-walls/lesson"

    def test_a_lesson_has_an_outline_and_steps(self, card_room):
        outline = card_room.http.get(self.PATH).json()
        assert outline["game"] == "Trick Walls"
        step = card_room.http.get(f"{self.PATH}/0/1").json()
        assert step["do"] == "4H"
        assert '<span class="cited" data-clause="TW-10" title="Rule TW-10">rule\u00a010</span>' in step["say"]
        assert card_room.http.get(f"{self.PATH}/0/2").json()["scenes"][-1]["seen"] == 7

    def test_an_action_in_a_lesson_is_answered(self, card_room):
        def tried(action):
            return card_room.http.post(f"{self.PATH}/0/1", json={"do": action}).json()

        assert tried("4h") == {"kind": "done"}
        assert tried("2C") == {"kind": "refused", "clause": "TW-7", "reason": "You do not hold the two of clubs."}
        other = tried("7H")
        assert other["kind"] == "other"
        assert other["scene"]["seen"] == 4

    def test_a_selection_in_a_lesson_that_is_not_legal_is_answered_with_the_reasons(self, card_room):
        def why(tokens, step=1):
            return card_room.http.post(f"{self.PATH}/0/{step}/why", json={"tokens": tokens})

        reason = "These do not go together: nothing can be done with them."
        assert why(["2C"]).json() == {"reasons": [{"clause": "", "reason": reason}]}
        assert why(["2C"], 99).status_code == why(["2C"], 0).status_code == 404
        assert why("2C").status_code == why(["2C"] * 17).status_code == 422

    @pytest.mark.parametrize(
        ("path", "status"),
        [
            ("/api/games/poker/lesson", 404),
            ("/api/games/trick-walls/lesson/9/0", 404),
            ("/api/games/trick-walls/lesson/0/99", 404),
            ("/api/games/trick-walls/lesson/-1/0", 404),
            ("/api/games/trick-walls/lesson/x/0", 422),
            ("/api/games/poker/show", 404),
        ],
    )
    def test_an_unknown_lesson_or_game_is_answered_with_an_error(self, card_room, path, status):
        answer = card_room.http.get(path)
        assert answer.status_code == status
        assert answer.json()["error"]

    def test_a_read_only_scene_has_no_choices(self, card_room):
        assert card_room.http.post(f"{self.PATH}/0/0", json={"do": "4H"}).status_code == 404


class TestShowcase:
    def test_every_game_is_shown_from_an_onlookers_seat(self, card_room):
        for game in card_room.http.get("/api/games").json()["games"]:
            scenes = card_room.http.get(f"/api/games/{game['id']}/show").json()["scenes"]
            assert 1 < len(scenes) <= 16
            assert {scene["seat"] for scene in scenes} == {-1}
            assert not any(scene["legal"] for scene in scenes)
            assert game["minutes"][0] < game["minutes"][1]
            assert game["fits"].endswith((".", "?"))
            assert game["unusual"].endswith(".")

    @pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
    def test_the_stored_showcases_are_current(self, game):
        assert file_of(game.id, FILE_NAME).read_text(encoding="utf-8") == showcase_text(game), (
            "make docs writes it anew"
        )


class TestRules:
    def test_every_clause_can_be_opened(self, card_room):
        html = card_room.http.get("/api/games/trick-walls/rules").json()["html"]
        assert {f"TW-{number}" for number in range(1, 25)} <= set(re.findall(r'data-clause="([^"]+)"', html))
