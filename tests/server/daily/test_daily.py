"""The deals of the day: the same for everyone, secret before, played once, and open to all afterwards."""

import datetime
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from parlour.bots import choose_for, find_bot
from parlour.daily import daily_commitment, decision_stream, game_of_day, key_of_day, secret_of_deal
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.matches.deals import check_deal
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.server.http.reports.reviews import Reviews
from parlour.server.process.settings import Settings, read_daily
from parlour.server.store.archive import remove, remove_name
from parlour.server.store.daily import Score, find_deals, keep_score, room_key
from parlour.server.table.daily import days as module
from parlour.server.table.daily import deal_table
from tests.server.card_room import CardRoom, play_out, wait_until
from tests.server.daily_clock import MONDAY, TUESDAY, WEDNESDAY, set_clock
from tests.server.daily_visitors import GAME, Visitor
from tests.server.immediate_reviews import failed_review


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
class TestOnBothDatabases:
    def test_all_tabs_that_ask_at_the_same_moment_are_led_to_the_same_seat(self, room):
        ann = Visitor(room)
        with ThreadPoolExecutor(4) as threads:
            tabs = list(threads.map(lambda _: ann.begin(), range(8)))
        assert {tab.status_code for tab in tabs} == {201}
        assert len({tab.text for tab in tabs}) == 1

    def test_results_count_unless_the_day_is_closed(self, room):
        ann, bo = Visitor(room), Visitor(room, "Bo")
        ann.finish()
        late = bo.begin().json()
        set_clock(room, TUESDAY)
        assert ann.get(f"/{MONDAY}").json()["deals"][-1]["played"] == 1
        assert room.store.write(keep_score, late["table"], Score(True, 99, 0)) is False
        assert ann.get(f"/{MONDAY}").json()["deals"][-1]["played"] == 1
        assert ann.get("/days").json()["days"][0]["mine"][0]["score"]["points"] == 10


class TestTheDealOfADay:
    def test_is_the_same_for_everyone_who_plays_it(self, room):
        (one, ann), (other, bo) = Visitor(room).play(), Visitor(room, "Ann").play()
        assert one["table"] != other["table"]
        assert one["seat"] == other["seat"]
        shown = [{scene["seen"]: scene["areas"] for scene in player.scenes} for player in (ann, bo)]
        both = shown[0].keys() & shown[1].keys()  # a later client does not see earlier chance events
        assert len(both) > 20
        assert {seen: shown[0][seen] for seen in both} == {seen: shown[1][seen] for seen in both}
        assert ann.log == bo.log
        assert ann.about["commitment"] == bo.about["commitment"]

    def test_is_another_one_on_another_day_and_in_another_room(self, tmp_path, room):
        commitments = [room.http.get("/api/daily").json()["commitment"]]
        set_clock(room, TUESDAY)
        commitments.append(room.http.get("/api/daily").json()["commitment"])
        other = CardRoom(tmp_path / "other.sqlite")
        set_clock(other, MONDAY)
        commitments.append(other.http.get("/api/daily").json()["commitment"])
        other.stop()
        assert len(set(commitments)) == 3

    def test_is_committed_to_a_week_before(self, room):
        first = room.http.get("/api/daily").json()
        for days in range(1, 8):
            set_clock(room, MONDAY + datetime.timedelta(days))
            assert room.http.get("/api/daily").json()["commitment"] == first["coming"][days - 1]["commitment"]

    def test_each_game_is_the_one_of_the_day_in_turn(self, room):
        games = {game_of_day(MONDAY + datetime.timedelta(days), all_games()).id for days in range(len(all_games()))}
        assert games == {game.id for game in all_games()}
        assert room.http.get("/api/daily").json()["game"] in games

    def test_is_drawn_from_the_key_of_the_room(self, tmp_path):
        key = "5e" * 32
        file = tmp_path / "key"
        file.write_text(key.upper() + "\n")
        room = CardRoom(tmp_path / "tables.sqlite", Settings(limited=False, paced=False, daily_key=str(file)))
        set_clock(room, MONDAY)
        assert room.http.get("/api/daily").json()["commitment"] == daily_commitment(key_of_day(key, MONDAY))
        room.stop()


class TestPlayingOnce:
    def test_the_same_request_leads_to_the_same_seat_in_every_tab(self, room):
        ann = Visitor(room)
        tabs = [ann.begin() for _ in range(3)]
        assert {tab.status_code for tab in tabs} == {201}
        assert len({tab.text for tab in tabs}) == 1

    def test_the_same_request_leads_to_the_same_seat_after_the_end(self, room):
        ann = Visitor(room)
        assert ann.finish() == ann.begin().json()

    def test_the_result_is_compared_with_that_of_the_strongest_bot_and_of_all_others(self, room):
        ann, bo = Visitor(room), Visitor(room, "Bo")
        ann.play()
        bo.finish(won=True, points=99)
        for name in ("Dov", "Cleo"):
            Visitor(room, name).finish(won=False, points=-99)
        result = ann.result()
        assert (result["rank"], result["played"], result["streak"]) == (2, 4, 1)
        placed = [(each["rank"], each["name"], each["own"]) for each in result["standings"]]
        assert placed == [(1, "Bo", False), (2, "Ann", True), (3, "Cleo", False), (3, "Dov", False)]
        assert set(result["par"]) == set(result["score"]) == {"won", "points", "against"}
        assert room.http.get("/api/daily").json()["deals"][-1]["played"] == 4

    def test_the_parts_of_luck_and_play_are_those_of_the_review(self, room):
        ann = Visitor(room)
        ann.play()
        review = ann.result()["review"]
        assert (review["luck"], review["others"], review["own"]) == ("+12", "−3", "+8")
        assert [sign for sign in review["signs"] if sign] == ["find", "slip", "mistake", "blunder", "find"]
        assert len(review["signs"]) == 10

    def test_a_failed_review_is_named(self, room, monkeypatch):
        ann = Visitor(room)
        ann.play()
        assert ann.result()["failed"] == []
        bo = Visitor(room, "Bo")
        bo.play()
        monkeypatch.setattr(Reviews, "find", failed_review)
        result = bo.result()
        assert (result["review"], result["failed"]) == (None, ["review"])

    def test_a_failed_game_of_the_strongest_bot_is_named_and_played_again_only_later(self, room, monkeypatch):
        begun = []

        def fail(plan, *_):
            begun.append(plan)
            raise RuntimeError("the bot failed")

        monkeypatch.setattr(module, "par_of", fail)
        ann = Visitor(room)
        table, _ = ann.play()
        wait_until(lambda: ann.asked(table).json()["failed"] == ["par"])
        assert ann.asked(table).json()["failed"] == ["par"]
        assert len(begun) == 1
        monkeypatch.setattr(module, "PAR_RETRY_SECONDS", 0)
        assert ann.asked(table).json()["failed"] == []
        wait_until(lambda: ann.asked(table) and len(begun) > 1)

    def test_the_strongest_bot_plays_the_same_deal_against_the_same_bots(self, room):
        """A person who acts like the strongest bot gets its result."""
        ann = Visitor(room)
        table = ann.begin().json()
        plan = room.store.read(find_deals, MONDAY)[GAME].plan
        key = key_of_day(room.store.write(room_key), MONDAY)
        match, thumb = Match(Setup(find_game(GAME), plan.players, plan.options)), find_bot("thumb")
        with room.sit(table["table"], table["key"]) as player:
            while not player.until(lambda scene: scene["legal"] or scene["over"])["over"]:
                for event in room.store.load(table["table"]).events[len(match.events) :]:
                    match.apply_event(event)
                secret = room.store.load(table["table"]).secret
                stream = decision_stream(secret, plan.seat, len(match.events))
                player.do(choose_for(match, thumb, stream))
                player.until_seen(len(match.events) + 1)
        result = ann.result()
        assert result["par"] == result["score"] == vars(deal_table.par_of(plan, key, lambda: False))

    def test_a_restart_of_the_server_changes_nothing(self, card_rooms):
        """Chance and bots go on as in a game without it."""
        rooms = [card_rooms()]
        set_clock(rooms[0], MONDAY)
        ann, bo = Visitor(rooms[0]), Visitor(rooms[0], "Ann")
        table = ann.begin().json()
        with rooms[0].sit(table["table"], table["key"]) as player:
            play_out(player, until=lambda scene: scene["seen"] > 20)
        rooms[0].stop()
        rooms.append(card_rooms())
        set_clock(rooms[1], MONDAY)
        ann.room = bo.room = rooms[1]
        (_, half), (_, whole) = ann.play(), bo.play()
        assert half.scene["areas"] == whole.scene["areas"]
        assert half.log == whole.log

    def test_a_result_cannot_be_sent(self, room):
        ann = Visitor(room)
        table = ann.begin().json()
        forged = {"name": "Ann", "key": ann.key, "score": {"won": True, "points": 99, "against": 0}}
        answer = room.http.post(f"/api/daily/{MONDAY}/{GAME}", json=forged)
        assert (answer.status_code, answer.json()) == (422, {"error": "score: unknown key"})
        assert ann.asked(table).json()["score"] is None

    def test_hints_are_refused_until_the_day_is_over(self, room):
        table = Visitor(room).begin().json()
        with room.sit(table["table"], table["key"]) as player:
            player.until(lambda scene: scene["legal"])
            assert player.about["hints"] is False
            player.say(type="hint")
            assert "deal of the day" in player.hear_type("refused")["reason"]


class TestADayThatIsNotOver:
    """Only the player of a table sees anything of its deal."""

    def test_its_tables_are_closed_to_everyone_but_the_player(self, room):
        table, _ = Visitor(room).play()
        path, key = f"/api/tables/{table['table']}", {"Authorization": f"Bearer {table['key']}"}
        for what in ("record", "review", "replay?view=all", "replay?view=spectator", f"replay?view={table['seat']}"):
            answer = room.http.get(f"{path}/{what}")
            assert (answer.status_code, "day is over" in answer.json()["error"]) == (409, True), what
        assert room.http.get(f"{path}/record", headers=key).status_code == 409
        assert room.http.get(f"{path}/replay?view=all", headers=key).status_code == 409
        assert room.http.get(f"{path}/replay?view={table['seat']}", headers=key).status_code == 200
        bots = [{"kind": "bot", "bot": "thumb", "name": "Bot"}] * 2
        assert room.http.post(f"{path}/on", json={"seen": 1, "seats": bots}).status_code == 409
        about = room.http.get(path).json()
        assert (about["seen"], about["actor"]) == (0, None)
        with room.sit(table["table"]) as onlooker:
            assert onlooker.hear()["seen"] == 0
            assert onlooker.close_code() == 4411

    def test_its_key_and_other_results_are_secret(self, room):
        ann, bo = Visitor(room), Visitor(room, "Bo")
        table = ann.finish()
        for visitor in (ann, bo):
            day = visitor.get(f"/{MONDAY}").json()
            assert day["key"] is None
            assert {deal["standings"] for deal in day["deals"]} == {None}
        assert bo.asked(table).status_code == 404
        assert "standings" not in bo.asked(bo.begin().json()).json()

    def test_two_rooms_with_different_keys_say_the_same_but_for_the_commitments(self, tmp_path, capfd):
        """No answer before the end of a day depends on its deal."""
        said = []
        for key in ("5e" * 32, "e5" * 32):
            file = tmp_path / key
            file.write_text(key)
            room = CardRoom(tmp_path / f"{key}.sqlite", Settings(limited=False, paced=False, daily_key=str(file)))
            set_clock(room, MONDAY)
            answers = [room.http.get(path).json() for path in ("/api/daily", f"/api/daily/{MONDAY}", "/api/daily/days")]
            table = Visitor(room).begin().json()
            answers.append(room.http.get(f"/api/daily/{MONDAY}").json())
            answers += [room.http.get(f"/api/tables/{table['table']}{path}").text for path in ("/record", "/replay")]
            room.stop()
            kept = json.dumps(answers)
            for day in (MONDAY + datetime.timedelta(days) for days in range(8)):
                kept = kept.replace(daily_commitment(key_of_day(key, day)), str(day))
            said.append((kept, capfd.readouterr()))
        assert said[0] == said[1]

    def test_the_list_of_its_player_says_that_the_game_is_sealed(self, room):
        ann = Visitor(room)
        table = ann.begin().json()
        assert room.http.get("/api/player", headers=ann.headers).json() == {"name": "Ann", "games": [], "next": None}
        room.http.post(f"/api/tables/{table['table']}/player", json={"key": table["key"], "player": ann.key})
        for day, sealed in ((MONDAY, True), (TUESDAY, False)):
            set_clock(room, day)
            (game,) = room.http.get("/api/player", headers=ann.headers).json()["games"]
            assert game["daily"] == {"day": str(MONDAY), "counts": sealed, "sealed": sealed}

    def test_counts_in_the_list_of_its_player_only_as_the_players_own_try(self, room):
        """The tries of another device with a key of its own are carried over, and no longer count."""
        ann, device = Visitor(room), Visitor(room)
        own, other = ann.play()[0], device.play()[0]
        for table in (own, other):
            link = {"key": table["key"], "player": ann.key}
            assert room.http.post(f"/api/tables/{table['table']}/player", json=link).status_code == 200
        ann.result()
        set_clock(room, TUESDAY)
        listed = room.http.get("/api/player", headers=ann.headers).json()["games"]
        counts = {game["table"]: game["daily"]["counts"] for game in listed}
        assert counts == {own["table"]: True, other["table"]: False}

    def test_in_the_database_a_table_has_no_secret_of_its_own(self, room):
        """So a program of the previous version, which would show the table to all, refuses to open it."""
        table = Visitor(room).begin().json()
        with room.store.engine.connect() as connection:
            assert connection.exec_driver_sql("SELECT secret FROM tables").scalars().all() == [""]
        stored = room.store.load(table["table"])
        assert stored.secret == secret_of_deal(stored.daily.key, GAME, stored.daily.rules)


class TestADayThatIsOver:
    def test_its_key_is_published_and_everything_follows_from_it(self, room):
        ann = Visitor(room)
        before = ann.get().json()
        table, _ = ann.play()
        ann.result()
        set_clock(room, TUESDAY)
        day = ann.get(f"/{MONDAY}").json()
        assert (day["closed"], daily_commitment(day["key"])) == (True, before["commitment"])
        deal = next(deal for deal in day["deals"] if deal["game"] == GAME)
        assert (deal["seat"], deal["played"], deal["standings"][0]["own"]) == (table["seat"], 1, True)
        record = room.http.get(f"/api/tables/{table['table']}/record").json()
        assert check_deal(record).over
        assert record["deal"]["secret"] == secret_of_deal(day["key"], GAME, deal["rules"])
        assert record["deal"]["daily"]["day"] == str(MONDAY)
        assert ann.get("/days").json()["days"][0]["mine"][0]["table"] == table["table"]

    def test_it_may_be_played_again_and_does_not_count(self, room):
        ann = Visitor(room)
        first = ann.finish()
        set_clock(room, TUESDAY)
        again, _ = ann.play()
        assert (first["counts"], again["counts"]) == (True, False)
        assert again["table"] != first["table"]
        late = Visitor(room, "Bo").begin().json()
        assert late["counts"] is False
        standings = ann.asked(first).json()["standings"]
        assert [each["name"] for each in standings] == ["Ann"]

    def test_it_is_not_opened_for_a_request_whose_result_must_count(self, room):
        begun, late = Visitor(room), Visitor(room, "Bo")
        table = begun.begin(counts=True).json()
        assert table["counts"] is True
        set_clock(room, TUESDAY, module.GRACE_SECONDS - 1)
        assert begun.begin(counts=True).json() == table
        for second, reason in (
            (module.GRACE_SECONDS - 1, "only games begun before can be finished"),
            (module.GRACE_SECONDS, "its games no longer count"),
        ):
            set_clock(room, TUESDAY, second)
            refusal = late.begin(counts=True)
            assert refusal.status_code == 409
            assert reason in refusal.json()["error"]
        assert begun.begin(counts=True).status_code == 409
        assert begun.begin().json() == {**table, "counts": False}

    def test_a_game_that_counts_is_found_by_a_request_whose_result_must_count(self, room):
        ann = Visitor(room)
        table = ann.finish()
        set_clock(room, TUESDAY)
        assert ann.begin(counts=True).json() == table
        assert ann.begin().json()["table"] != table["table"]

    def test_days_in_a_row_make_a_streak(self, room):
        ann = Visitor(room)
        for day, streak in ((MONDAY, 1), (TUESDAY, 2)):
            set_clock(room, day)
            assert ann.asked(ann.finish(day)).json()["streak"] == streak
        set_clock(room, WEDNESDAY)
        assert ann.get().json()["streak"] == 2
        set_clock(room, WEDNESDAY + datetime.timedelta(1))
        assert ann.get().json()["streak"] == 0

    def test_its_results_outlive_its_tables(self, room):
        ann = Visitor(room)
        table = ann.finish()
        set_clock(room, TUESDAY)
        again = ann.begin().json()
        room.store.write(remove, [table["table"], again["table"]])
        deal = ann.get(f"/{MONDAY}").json()["deals"][-1]
        assert (deal["played"], deal["mine"]["table"], ann.get().json()["streak"]) == (1, table["table"], 1)
        assert ann.begin().json()["counts"] is False

    def test_a_removed_name_is_removed_from_the_standings(self, room):
        ann = Visitor(room)
        table = ann.finish()
        room.store.write(remove_name, "Ann")
        assert ann.asked(table).json()["standings"][0]["name"] == ""


class TestBadInput:
    @pytest.mark.parametrize(
        ("day", "game", "status", "error"),
        [
            (TUESDAY, GAME, 404, "the deal of 27 November 2096 has not begun"),
            ("2026-11-22", GAME, 404, "this room had no deal on 22 November 2026"),
            ("yesterday", GAME, 422, "a day is written like 2026-11-25"),
            ("2026-02-30", GAME, 422, "a day is written like 2026-11-25"),
            ("20261123", GAME, 422, "a day is written like 2026-11-25"),
            (MONDAY, "poker", 404, "there is no such game"),
        ],
    )
    def test_is_answered_with_a_sentence(self, room, day, game, status, error):
        answer = Visitor(room).begin(day, game)
        assert (answer.status_code, answer.json()) == (status, {"error": error})

    @pytest.mark.parametrize("body", [{"name": "A" * 10_000, "key": "k" * 24}, {"name": "Ann", "key": "short"}, {}])
    def test_bad_input_of_a_player_is_answered_with_a_sentence(self, room, body):
        assert room.http.post(f"/api/daily/{MONDAY}/{GAME}", json=body).status_code == 422

    @pytest.mark.parametrize(
        ("settings", "sentence"),
        [
            ({"daily_key": "nowhere"}, "--daily-key nowhere: No such file or directory"),
            ({"daily_key": __file__}, "a key has 64 hexadecimal digits"),
            ({"daily_at": "cards.example.org"}, "it is the address of a room, such as https://cards.example.org"),
            ({"daily_at": "javascript:alert(1)"}, "it is the address of a room"),
            ({"daily_at": "https://cards.example.org", "daily_key": "key"}, "exclude each other"),
        ],
    )
    def test_bad_input_of_the_operator_is_answered_with_a_sentence(self, settings, sentence):
        with pytest.raises(ParlourError, match=sentence):
            read_daily(Settings(**settings))

    def test_a_room_may_have_its_deals_in_another(self, database):
        settings = Settings(limited=False, paced=False, daily_at="https://cards.example.org/")
        room = CardRoom(database, settings)
        assert room.http.get("/api/daily").json() == {"room": "https://cards.example.org"}
        answer = Visitor(room).begin(room.config.app.state.rooms.days.today())
        assert (answer.status_code, "https://cards.example.org" in answer.json()["error"]) == (409, True)
        room.stop()
