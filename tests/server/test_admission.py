"""Admission by host name, path, origin and rate limits."""

import json
import re
import threading
from contextlib import closing, suppress
from http.client import HTTPConnection
from types import SimpleNamespace

import pytest
from websockets.exceptions import InvalidStatus

from parlour.render.page_folder import PAGE
from parlour.server.http import connection
from parlour.server.http.access import admission, limits
from parlour.server.http.access.limits import Bucket, LimitError, Limits, network_of
from parlour.server.http.access.rate import Rate
from parlour.server.process.settings import Settings
from tests.server.card_room import PATIENCE, CardRoom, connect_to, order

pytestmark = pytest.mark.slow


def refused(answer, status):
    assert answer.status_code == status, answer.text
    assert list(answer.json()) == ["error"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    return answer.json()["error"]


class TestNames:
    @pytest.mark.parametrize("host", ["localhost:{port}", "LOCALHOST", "127.0.0.1", "192.168.1.7:80", "[::1]:{port}"])
    def test_this_machine_and_addresses_are_accepted(self, card_room, host):
        assert card_room.http.get("/api/games", headers={"Host": host.format(port=card_room.port)}).status_code == 200

    @pytest.mark.parametrize(
        "host",
        [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "",
            "[",
            "a b",
            "evil.example@localhost",
            "localhost/evil.example",
            "localhost?evil.example",
            "localhost#evil.example",
            "localhost:80:80",
        ],
    )
    def test_a_foreign_name_is_turned_away(self, card_room, host):
        assert "name" in refused(card_room.http.get("/api/games", headers={"Host": host}), 421)

    def test_a_name_of_the_settings_is_accepted(self, tmp_path):
        room = CardRoom(tmp_path / "tables.sqlite", Settings(names=("cards.example",), limited=False, paced=False))
        try:
            assert room.http.get("/", headers={"Host": "Cards.Example"}).status_code == 200
        finally:
            room.stop()


class TestPaths:
    """A path has one spelling, so that a balancer and the room agree about the table in it."""

    SPELLINGS = (
        "/api/tables/%{code:x}{rest}",
        "/api/tables/%{code:X}{rest}",
        "/%61pi/tables/{table}",
        "/api%2ftables%2f{table}",
        "/api%2Ftables%2F{table}",
        "//api/tables/{table}",
        "/api//tables/{table}",
        "/api/tables//{table}",
        "/api/tables/./{table}",
        "/api/tables/x/../{table}",
        "/api/tables/%2e/{table}",
        "/./api/tables/{table}",
    )

    @pytest.mark.parametrize("spelling", SPELLINGS)
    def test_a_table_is_found_by_its_plain_path_alone(self, card_room, spelling):
        table = card_room.open("you", "open")["table"]
        path = spelling.format(table=table, code=ord(table[0]), rest=table[1:])
        answers = []
        for asked in (path, f"{path}/play", f"/api/tables/{table}"):
            with closing(HTTPConnection("127.0.0.1", card_room.port)) as raw:  # unlike httpx, it leaves a path as it is
                raw.request("GET", asked, headers={"Accept": "application/json"})
                answers.append(raw.getresponse().status)
        assert answers == [404, 404, 200]

    @pytest.mark.parametrize("spelling", SPELLINGS)
    def test_a_websocket_is_found_by_its_plain_path_alone(self, card_room, spelling):
        table = card_room.open("you", "open")["table"]
        path = spelling.format(table=table, code=ord(table[0]), rest=table[1:])
        with pytest.raises(InvalidStatus) as error:
            connect_to(f"ws://127.0.0.1:{card_room.port}{path}/play").__enter__()
        assert error.value.response.status_code == 404

    @pytest.mark.parametrize("path", [b"/", b"/game/k3x9", b"/a/b/", b"/studies/a%20b", b"/%F0%9F%82%A1", b"/a:b@c"])
    def test_a_path_with_one_spelling_is_normal(self, path):
        assert admission.is_normal(path)

    @pytest.mark.parametrize("path", [b"", b"*", b"http://x/a", b"/%", b"/%7", b"/%4x", b"/\xff", b"/a b", b"/a#b"])
    def test_other_texts_are_not_normal(self, path):
        assert not admission.is_normal(path)


class TestOrigins:
    @pytest.mark.parametrize(
        "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost", "file://", "http://", ""]
    )
    def test_a_page_from_elsewhere_may_look_but_change_nothing(self, card_room, origin):
        headers = {"Origin": origin}
        assert card_room.http.get("/api/games", headers=headers).status_code == 200
        refused(card_room.http.post("/api/tables", json=order("you", "thumb"), headers=headers), 403)
        table = card_room.open("you", "open")["table"]
        with pytest.raises(InvalidStatus) as error:
            connect_to(f"ws://127.0.0.1:{card_room.port}/api/tables/{table}/play", origin=origin).__enter__()
        assert error.value.response.status_code == 403

    def test_the_rooms_own_page_may_change_tables(self, card_room):
        origin = f"http://127.0.0.1:{card_room.port}"
        answer = card_room.http.post("/api/tables", json=order("you", "open"), headers={"Origin": origin})
        assert answer.status_code == 201
        with connect_to(
            f"ws://127.0.0.1:{card_room.port}/api/tables/{answer.json()['table']}/play", origin=origin
        ) as socket:
            socket.send(json.dumps({"type": "hello"}))
            assert json.loads(socket.recv(PATIENCE))["type"] == "table"

    def test_its_page_may_also_lie_behind_a_proxy_that_speaks_https(self, card_room):
        headers = {"Host": "localhost", "Origin": "https://localhost"}
        answer = card_room.http.post("/api/tables", json=order("you", "open"), headers=headers)
        assert answer.status_code == 201


class TestLimits:
    @pytest.fixture
    def strict(self, tmp_path, monkeypatch):
        rates = dict.fromkeys(("tables", "seats", "joins", "connections", "links"), Rate(0.01, 2))
        monkeypatch.setattr("parlour.server.process.settings.ADDRESS_RATES", rates)
        room = CardRoom(tmp_path / "tables.sqlite", Settings())
        yield room
        room.stop()

    def test_too_many_tables_are_refused_with_the_time_to_wait(self, strict):
        for _ in range(2):
            strict.open("you", "open")
        answer = strict.http.post("/api/tables", json=order("you", "open"))
        wait = int(answer.headers["retry-after"])
        assert refused(answer, 429) == f"too many tables: try again in {wait} seconds"
        assert 50 < wait <= 100
        assert strict.http.get("/api/games").status_code == 200

    def test_too_many_requests_for_seats_are_refused(self, strict):
        table = strict.open("you", "open")["table"]
        answers = [
            strict.http.post(f"/api/tables/{table}/seats", json={"seat": 0, "name": "Bo"}).status_code for _ in range(3)
        ]
        assert answers == [409, 409, 429]

    def test_qr_codes_have_a_rate_limit_since_drawing_blocks_the_server(self, strict):
        asked = {"address": "https://example.org/table/abc"}
        assert [strict.http.post("/api/link", json=asked).status_code for _ in range(3)] == [200, 200, 429]

    def test_one_thread_counts_all_uses_since_the_counters_lock_out_processes_only(self, card_room, monkeypatch):
        threads = set()

        def note_thread(limits, what, address):
            threads.add(threading.get_ident())

        monkeypatch.setattr(Limits, "take", note_thread)
        assert card_room.http.post("/api/link", json={"address": "https://example.org"}).status_code == 200
        assert card_room.http.post("/api/puzzles/castle-walls/none", json={"do": "7H"}).status_code == 404
        assert len(threads) == 1

    def test_players_who_join_a_club_night_use_up_no_seats(self, strict):
        asked = {"name": "Ann", "key": "k" * 30}
        answers = [strict.http.post("/api/club/none/players", json=asked) for _ in range(3)]
        assert [answer.status_code for answer in answers[:2]] == [404, 404]
        assert refused(answers[2], 429).startswith("too many players are joining at once")
        table = strict.open("you", "open")["table"]
        answer = strict.http.post(f"/api/tables/{table}/seats", json={"seat": 1, "name": "Bo"})
        assert answer.status_code == 201, answer.text

    def test_too_many_connections_are_refused_with_the_time_to_wait(self, strict):
        table = strict.open("you", "open")
        for _ in range(2):
            with strict.sit(table["table"]) as player:
                player.hear()
        with pytest.raises(InvalidStatus) as error:
            strict.sit(table["table"])
        assert error.value.response.status_code == 429
        assert 50 < int(error.value.response.headers["retry-after"]) <= 100

    def test_too_many_messages_on_one_connection_close_it(self, strict, monkeypatch):
        monkeypatch.setattr(connection, "CONNECTION_MESSAGES", Rate(0.01, 5))
        table = strict.open("you", "open")
        with strict.sit(table["table"], table["key"]) as ann:
            for _ in range(5):
                ann.say(type="ping")
            assert ann.close_code() == 4429
            assert sum('"pong"' in text for text in ann.texts) <= 4

    def test_too_many_messages_from_one_address_close_its_connection(self, tmp_path, monkeypatch):
        monkeypatch.setattr("parlour.server.process.settings.ADDRESS_RATES", {"messages": Rate(0.001, 6)})
        room = CardRoom(tmp_path / "tables.sqlite", Settings())
        try:
            table = room.open("you", "open")
            with room.sit(table["table"]) as one, room.sit(table["table"]) as other:
                for player in (one, other) * 2:
                    player.say(type="ping")
                    player.hear_type("pong")
                one.say(type="ping")
                assert one.close_code() == 4429
        finally:
            room.stop()

    @pytest.fixture
    def used_up(self, tmp_path, monkeypatch):
        monkeypatch.setattr(
            "parlour.server.process.settings.ADDRESS_RATES", {"requests": Rate(0.01, 2), "files": Rate(0.01, 3)}
        )
        room = CardRoom(tmp_path / "tables.sqlite", Settings())
        yield room
        room.stop()

    def test_files_of_the_page_use_up_no_requests_and_have_a_limit_of_their_own(self, used_up):
        script = re.search(r"/page/\w+/js/app\.js", used_up.http.get("/").text)[0]
        assert [used_up.http.get(script).status_code for _ in range(4)] == [200, 200, 200, 429]
        assert [used_up.http.get("/healthz").status_code for _ in range(2)] == [200, 429]

    def test_only_paths_with_a_version_are_files_since_others_are_read_from_the_disk(self, used_up):
        assert [used_up.http.get("/page/js/app.js").status_code for _ in range(3)] == [200, 200, 429]

    def test_a_browser_beyond_the_limit_gets_the_page_with_the_sentence(self, used_up):
        for _ in range(2):
            used_up.http.get("/healthz")
        answer = used_up.http.get("/club", headers={"Accept": "text/html"})
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert 'name="parlour-error" content="too many requests' in answer.text
        assert "too many requests" in refused(used_up.http.get("/club", headers={"Accept": "*/*"}), 429)

    def test_refusals_are_logged_once_a_minute_without_the_address(self, monkeypatch, caplog):
        now = [100.0]
        monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
        few = Limits({"tables": Rate(0.001, 1), "seats": Rate(0.001, 1)})
        for seconds, what in ((0, "tables"), (0, "tables"), (1, "tables"), (1, "seats"), (1, "seats"), (60, "tables")):
            now[0] += seconds
            with suppress(LimitError):
                few.take(what, "10.0.0.1")
        assert [record.fields for record in caplog.records] == [
            {"limit": what} for what in ("tables", "seats", "tables")
        ]
        assert "--limits-factor" in caplog.text
        assert "10.0.0.1" not in caplog.text

    def test_each_address_for_itself_and_a_household_together(self):
        few = Limits({"tables": Rate(1, 1)})
        few.take("tables", "1.2.3.4")
        few.take("tables", "1.2.3.5")
        few.take("tables", "2001:db8::1")
        with pytest.raises(LimitError):
            few.take("tables", "2001:db8::2")
        assert network_of("2001:db8::1%eth0") == "2001:db8::/64"

    @pytest.mark.parametrize(("number", "refused_at"), [(1, 30), (4, 7), (15, 2), (16, 2), (500, 2)])
    def test_a_use_counts_for_several_but_for_no_more_than_half_of_those_at_once(self, number, refused_at):
        few = Limits({"tables": Rate(0.001, 30)})
        for _ in range(refused_at):
            few.take("tables", "10.0.0.1", number)
        with pytest.raises(LimitError, match="too many tables"):
            few.take("tables", "10.0.0.1", number)

    def test_other_servers_learn_of_as_many_uses_as_were_counted_here(self):
        few, counted = Limits({"tables": Rate(0.001, 30)}), []
        few.tally = SimpleNamespace(count=lambda *use: counted.append(use))
        for number in (1, 4, 500):
            few.take("tables", "10.0.0.1", number)
        assert counted == [("tables", "10.0.0.1", number) for number in (1, 4, 15)]

    def test_limits_recover_with_time(self, monkeypatch):
        now = [100.0]
        monkeypatch.setattr(limits.time, "monotonic", lambda: now[0])
        bucket = Bucket(Rate(2, 3))
        assert [bucket.take() for _ in range(4)] == [0, 0, 0, 1]
        now[0] += 0.5
        assert [bucket.take() for _ in range(2)] == [0, 1]
        now[0] += 99
        assert [bucket.take() for _ in range(4)] == [0, 0, 0, 1]

    def test_the_defaults_permit_an_evening_of_play(self):
        evening = Limits()
        for _ in range(20):
            evening.take("tables", "10.0.0.1")
        for _ in range(500):
            evening.take("requests", "10.0.0.1")

    def test_the_defaults_permit_a_class_of_thirty_to_load_all_scripts_of_the_page_at_once(self):
        scripts = len(list((PAGE / "js").rglob("*.js")))
        assert scripts > 100
        assert 30 * (scripts + 5) <= limits.ADDRESS_RATES["files"].burst  # and style sheet, messages, manifest, icon


def test_a_page_of_the_room_is_never_shown_in_another(card_room):
    answer = card_room.http.get("/")
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
