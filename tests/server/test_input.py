"""Invalid input is answered with a sentence or closes the connection."""

import json
import re
import struct
from contextlib import suppress
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from parlour.server.http import connection, middleware, protocols
from parlour.server.http.document.compact import compact
from parlour.server.http.requests import MessageError, parse_message
from parlour.server.process import web_server
from tests.server.bare_connections import read_all, upgrade
from tests.server.card_room import CardRoom, connect_to, order, wait_until

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def card_room(tmp_path_factory):
    """One room for all tests; it must survive all inputs."""
    room = CardRoom(tmp_path_factory.mktemp("card_room") / "tables.sqlite")
    yield room
    room.stop()


def error_of(answer, status):
    statuses = status if isinstance(status, tuple) else (status,)
    assert answer.status_code in statuses, answer.text
    assert list(answer.json()) == ["error"]
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    assert answer.headers["x-content-type-options"] == "nosniff"
    return answer.json()["error"]


class TestHttp:
    def test_the_page_has_headers_against_frames_referrers_and_stale_copies(self, card_room):
        for address in ("/", f"/table/{card_room.open('you', 'thumb')['table']}"):
            answer = card_room.http.get(address)
            assert answer.status_code == 200
            assert "text/html" in answer.headers["content-type"]
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
            assert answer.headers["referrer-policy"] == "no-referrer"
            assert answer.headers["cache-control"] == "no-cache"
        assert card_room.http.get("/page/index.html").headers["cache-control"] == "no-cache"

    def test_browsers_cache_the_pages_files(self, card_room):
        named = set(re.findall(r'"/page/(\w+)/([^"]+)"', card_room.http.get("/").text))
        [version] = {version for version, _ in named}
        assert {path for _, path in named} == {
            "app.en.webmanifest",
            "css/page.css",
            "img/icon-180.png",
            "img/icon.svg",
            "js/app.js",
            "language/en.js",
        }
        for path in ("css/page.css", "css/base.css", "img/icon.svg", "js/app.js", "js/table/table.js"):
            assert "immutable" in card_room.http.get(f"/page/{version}/{path}").headers["cache-control"]
        for path in ("img/icon.svg", "js/app.js"):
            plain = card_room.http.get(f"/page/{path}").content
            assert card_room.http.get(f"/page/{version}/{path}").content == compact(path, plain)
        error_of(card_room.http.get(f"/page/{version}/js/nothing.js"), 404)

    def test_its_style_sheets_are_one_file_in_their_order(self, card_room):
        plain = card_room.http.get("/page/index.html").text
        sheets = [card_room.http.get(path).text for path in re.findall(r'href="(/page/css/\w+\.css)"', plain)]
        [one] = re.findall(r'href="(/page/\w+/css/\w+\.css)"', card_room.http.get("/").text)
        assert len(sheets) > 10
        faces = card_room.http.get(one.replace("page.css", "faces.css")).text
        whole = compact("page.css", "\n".join([*sheets, faces]).encode())
        assert card_room.http.get(one).content == whole

    @pytest.mark.parametrize(
        "path",
        ["/nothing", "/api", "/api/tables/nosuchtable", "/api/tables/%00", "/api/tables/%F0%9F%82%A1",
         "/api/games/x/rules", "/page/../app.py", "/page/%2e%2e/app.py", "/page/..%2fapp.py", "/page/%00",
         "/page/" + "a" * 5000, "/docs", "/openapi.json", "/api/tables/" + "a" * 3000, "/page//etc/passwd"],
    )  # fmt: skip
    def test_unknown_addresses_are_not_found(self, card_room, path):
        error_of(card_room.http.get(path), 404)

    @pytest.mark.parametrize("path", ["/api/games/", "/api/tables/", "/games/trick-walls/", "/healthz/"])
    def test_a_slash_at_the_end_leads_nowhere_and_to_no_other_scheme(self, card_room, path):
        answer = card_room.http.get(path)
        assert answer.status_code == 404
        assert "location" not in answer.headers

    def test_the_wrong_method_is_refused(self, card_room):
        assert error_of(card_room.http.delete("/api/tables"), 405) == "this address does not allow this method"

    @pytest.mark.parametrize(
        ("path", "methods"),
        [
            ("/api/tables", "GET, HEAD, POST"),
            ("/api/tables/x/again", "GET, HEAD, POST"),
            ("/api/link", "POST"),
            ("/api/player/games/x", "DELETE"),
            ("/page/js/app.js", "GET, HEAD"),
        ],
    )
    def test_the_refusal_of_a_method_names_all_methods_of_the_address(self, card_room, path, methods):
        assert card_room.http.put(path).headers["allow"] == methods

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            ("replay?first=-1", "first: must be 0 or more"),
            ("replay?first=x", "first: must be a whole number"),
            (f"replay?first={'9' * 5000}", "first: is too large"),
            ("replay?number=101", "number: must be 100 or less"),
        ],
    )
    def test_wrong_numbers_in_an_address_get_parlours_own_sentence(self, card_room, asked, message):
        assert error_of(card_room.http.get(f"/api/tables/x/{asked}"), 422) == message

    @pytest.mark.parametrize(
        "body",
        [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"[" * 60000, b'{"game": 1e999}', b"1" * 5000, b"NaN"],
    )
    def test_a_body_that_is_no_json_object_is_refused(self, card_room, body):
        for address in ("/api/tables", "/api/check", "/api/tables/x/seats"):
            error_of(card_room.http.post(address, content=body, headers=JSON), 422)

    @pytest.mark.parametrize(
        ("body", "headers", "message"),
        [
            (b"", JSON, "the body of the request is missing"),
            (b'{"players": 2}', JSON, "game: is missing"),
            (b'{"game": "three-tricks"}', {}, "must be an object (sent as application/json)"),
        ],
    )
    def test_a_missing_body_key_or_type_of_a_body_is_named(self, card_room, body, headers, message):
        assert error_of(card_room.http.post("/api/check", content=body, headers=headers), 422) == message

    @pytest.mark.parametrize(
        ("key", "message"),
        [
            ("", "key: must have at least 22 characters"),
            ("x" * 21, "key: must have at least 22 characters"),
            ("x" * 101, "key: may not have more than 100 characters"),
        ],
    )
    def test_a_key_of_a_wrong_length_is_refused_with_the_limit(self, card_room, key, message):
        body = {**order("you", "thumb"), "key": key}
        assert error_of(card_room.http.post("/api/tables", json=body), 422) == message

    def test_an_empty_name_is_called_empty(self, card_room):
        body = order("you", "thumb")
        body["seats"][0]["name"] = ""
        assert error_of(card_room.http.post("/api/tables", json=body), 422) == "seats.0.name: may not be empty"

    def test_json_that_is_nested_too_deep_is_refused_like_other_bad_json(self, card_room):
        answers = [card_room.http.post("/api/check", content=body, headers=JSON) for body in (b"{", b"[" * 60000)]
        assert [error_of(answer, 422) for answer in answers] == ["that is not JSON"] * 2

    @pytest.mark.parametrize(
        "change",
        [
            {"game": "poker"}, {"game": 7}, {"game": "../x"}, {"players": 9}, {"players": "2"}, {"players": True},
            {"players": 2.0}, {"players": 10**30}, {"options": {"rounds": "many"}}, {"options": {"rounds": 0}},
            {"options": {"nix": 1}}, {"options": {"rounds": None}}, {"options": {"rounds": [1]}}, {"options": []},
            {"options": {"rounds": 10**400}}, {"options": {str(n): 1 for n in range(99)}}, {"more": 1}, {"seats": []},
            {"seats": [{"kind": "you", "name": "A"}] * 2}, {"seats": [{"kind": "king"}] * 2},
            {"seats": [{"kind": "bot", "bot": "nix", "name": "B"}] * 2}, {"seats": [{"kind": "open", "x": 1}] * 2},
            {"seats": [{"kind": "you", "name": ""}, {"kind": "open"}]},
            {"seats": [{"kind": "you", "name": " \t"}, {"kind": "open"}]},
            {"seats": [{"kind": "you", "name": "\u3164\u2800"}, {"kind": "open"}]},
            {"seats": [{"kind": "you", "name": "a\x07b"}, {"kind": "open"}]},
            {"seats": [{"kind": "you", "name": "a\u202eb"}, {"kind": "open"}]},
            {"seats": [{"kind": "you", "name": "x" * 31}, {"kind": "open"}]},
            {"seats": [{"kind": "you", "name": 5}, {"kind": "open"}]}, {"seats": [{"kind": "you"}, {"kind": "open"}]},
        ],
    )  # fmt: skip
    def test_an_impossible_table_is_refused(self, card_room, change):
        assert error_of(card_room.http.post("/api/tables", json={**order("you", "thumb"), **change}), 422)

    def test_a_lone_surrogate_in_a_name_is_refused(self, card_room):
        body = b'{"seat": 1, "name": "\\ud800"}'
        table = card_room.open("you", "open")["table"]
        error_of(card_room.http.post(f"/api/tables/{table}/seats", content=body, headers=JSON), 422)

    def test_names_in_any_script_are_accepted(self, card_room):
        for name in ("Łukasz <b>", "小明", "👩‍🎤"):
            table = card_room.open("you", "open")["table"]
            assert card_room.http.post(f"/api/tables/{table}/seats", json={"seat": 1, "name": name}).status_code == 201
            assert card_room.http.get(f"/api/tables/{table}").json()["seats"][1]["name"] == name

    def test_an_open_seat_has_no_name(self, card_room):
        table = card_room.open("you", "open")["table"]
        assert card_room.http.get(f"/api/tables/{table}").json()["seats"][1] == {
            "name": "",
            "kind": "open",
            "taken": False,
            "rating": None,
        }

    def test_a_body_that_is_too_big_is_refused(self, card_room):
        big = b"x" * (middleware.BODY_BYTES + 1)
        error_of(card_room.http.post("/api/tables", content=big), 413)
        error_of(card_room.http.post("/api/tables", content=iter([b"y" * 1000] * 100)), 413)
        assert card_room.works()

    def test_games_have_options_with_limits_and_a_plan_is_checked(self, card_room):
        answer = card_room.http.get("/api/games").json()
        game = next(game for game in answer["games"] if game["id"] == "trick-walls")
        rounds = next(option for option in game["options"] if option["name"] == "rounds")
        assert (rounds["kind"], rounds["values"], rounds["min"], rounds["max"]) == ("number", None, 1, 99)
        assert rounds["defaults"] == {"2": 4, "3": 4, "4": 4, "5": 6, "6": 6}
        long_run = next(option for option in game["options"] if option["name"] == "long_run")
        assert long_run["kind"] == "boolean"
        assert list(long_run["refused"]["5"]) == ["true"]
        assert {bot["id"] for bot in answer["bots"]} >= {"thumb", "random"}
        plan = {"game": "trick-walls", "players": 4, "options": {"long_run": True, "kill_balance": True}}
        checked = card_room.http.post("/api/check", json=plan).json()
        assert checked["options"]["rounds"] == 4
        assert checked["advice"]
        error_of(card_room.http.post("/api/check", json={**plan, "players": 5}), 422)
        assert "<h2>" in card_room.http.get("/api/games/trick-walls/rules").json()["html"]


class TestSockets:
    @pytest.mark.parametrize("path", ["/", "/api/tables/x", "/api/tables/x/play/", "/nothing", "/page/js/app.js"])
    def test_an_unknown_address_is_not_found(self, card_room, path):
        with pytest.raises(InvalidStatus) as refused:
            connect_to(f"ws://127.0.0.1:{card_room.port}{path}").__enter__()
        answer = refused.value.response
        assert (answer.status_code, json.loads(answer.body)) == (404, {"error": "there is no such page"})

    def test_an_unknown_table_closes_the_connection(self, card_room):
        with card_room.sit("nosuchtable", hello=False) as player:
            assert player.hear() == {"type": "error", "error": "there is no such table"}
            assert player.close_code() == 4404

    def test_a_wrong_key(self, card_room):
        table = card_room.open("you", "open")["table"]
        for key in ("x", "", "ö" * 50):
            with card_room.sit(table, key) as player:
                assert player.hear()["type"] == "refused"
                assert player.close_code() == 4403

    def test_silence_before_hello_closes_the_connection(self, card_room, monkeypatch):
        monkeypatch.setattr(connection, "HELLO_SECONDS", 0.2)
        with card_room.sit(card_room.open("you", "open")["table"], hello=False) as player:
            assert player.close_code() == 4408

    @pytest.mark.parametrize(
        "message",
        ["", "{", "null", "[]", "7", '"do"', b"\x00\xff", "[" * 60000, "{}", '{"type": 5}', '{"type": "deal"}',
         '{"type": []}', '{"type": "act"}', '{"type": "act", "do": 7, "seen": 1}', '{"type": "act", "do": "7H"}',
         '{"type": "act", "do": "7H", "seen": "1"}', '{"type": "act", "do": "7H", "seen": true}',
         '{"type": "act", "do": "7H", "seen": 1e400}', '{"type": "ping", "x": 1}', '{"type": "hello", "key": 7}',
         '{"type": "why", "do": "' + "x" * 201 + '"}', '{"type": "why", "do": "\\ud800"}', '{"type": "hello"}',
         '{"type": "act", "do": "7H", "seen": ' + "9" * 5000 + "}"],
    )  # fmt: skip
    def test_a_malformed_message_is_refused_and_the_connection_stays(self, card_room, message):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as player:
            player.until(lambda scene: scene["legal"])
            player.socket.send(message)
            refused = player.hear()
            assert refused["type"] == "refused"
            assert set(refused) == {"type", "do", "reason", "clause", "seen", "id"}
            assert 0 < len(refused["reason"]) < 200
            player.say(type="ping")
            assert player.hear() == {"type": "pong"}

    @pytest.mark.parametrize("hello", [True, False], ids=["at the table", "before hello"])
    @pytest.mark.parametrize(
        ("message", "action", "chat_id"),
        [
            ({"type": "act", "do": "7H", "seen": "3"}, "7H", ""),
            ({"type": "act", "do": "7H"}, "7H", ""),
            ({"type": "act", "do": "x" * 201, "seen": 3}, "x" * 201, ""),
            ({"type": "act", "do": 7, "seen": 3}, "", ""),
            ({"type": "act", "do": "\ud800", "seen": 3}, "", ""),
            ({"type": "say", "id": "a", "words": 7}, "", "a"),
            ({"type": "say", "id": "\udfff", "words": "Hi"}, "", ""),
            ({"type": "why", "do": "7H", "tokens": 7}, "", ""),
        ],
    )
    def test_the_refusal_of_a_malformed_message_names_its_action_or_id(
        self, card_room, message, action, chat_id, hello
    ):
        table = card_room.open("you", "open")
        with card_room.sit(table["table"], table["key"], hello=hello) as player:
            player.socket.send(json.dumps(message))
            refused = player.hear_type("refused")
            assert (refused["do"], refused["id"]) == (action, chat_id)

    @pytest.mark.parametrize(
        ("message", "sentence"),
        [
            ('{"type": "agree", "yes": 1, "seen": 3}', "yes: must be true or false"),
            ('{"type": "act", "do": "7H", "seen": -1}', "seen: must be 0 or more"),
            (f'{{"type": "act", "do": "7H", "seen": {"9" * 4000}}}', f"seen: must be {2**53} or less"),
            ('{"type": "why", "tokens": [' + '"x",' * 16 + '"x"]}', "tokens: may not have more than 16 entries"),
            ('{"type": "say", "words": 7}', "words: must be a text"),
            (json.dumps({"type": "ping", **dict.fromkeys(map(str, range(100)))}), "may not have more than 100 keys"),
        ],
    )  # fmt: skip
    def test_a_wrong_value_is_refused_with_parlours_own_sentence(self, message, sentence):
        with pytest.raises(MessageError, match=f"^{re.escape(sentence)}$"):
            parse_message(message)

    @pytest.mark.parametrize("typed", ["", " ", "\x00", "7H" * 90, "give", "give 7H", "??", "XB", "top top", "ÿ", "{}"])
    def test_odd_actions_are_refused_with_a_reason(self, card_room, typed):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as player:
            player.until(lambda scene: scene["legal"])
            for kind in ("why", "refused"):
                player.say(type="why", do=typed) if kind == "why" else player.do(typed)
                answer = player.hear()
                assert answer["type"] == kind
                assert answer["do"] == typed
                reason = answer["reason"] if kind == "refused" else answer["reasons"][0]["reason"]
                assert reason
                assert "went wrong" not in reason

    @pytest.mark.parametrize("hello", [True, False], ids=["at the table", "before hello"])
    def test_twenty_bad_messages_are_answered_and_the_next_closes_the_connection(self, card_room, hello):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"] if hello else None, hello=hello) as player:
            if hello:
                player.until(lambda scene: scene["legal"])
            for _ in range(connection.BAD_MESSAGES):
                player.socket.send("nonsense")
                assert player.hear()["type"] == "refused"
            if hello:
                player.say(type="ping")
                assert player.hear() == {"type": "pong"}
            player.socket.send("nonsense")
            assert player.close_code() == 4400
        assert card_room.works()

    def test_a_message_that_is_too_big_closes_the_connection(self, card_room):
        with card_room.sit(card_room.open("you", "thumb")["table"]) as player:
            player.socket.send("x" * (web_server.MESSAGE_BYTES + 1))
            assert player.close_code() == 1009
        assert card_room.works()

    def test_a_client_that_reads_is_never_overloaded(self, card_room, monkeypatch):
        monkeypatch.setattr("parlour.server.table.viewers.WAITING_CHARACTERS", 20_000)
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            before = sum(map(len, ann.texts))
            while sum(map(len, ann.texts)) < before + 60_000:
                ann.say(type="text")
                assert ann.hear()["type"] == "text"
            play_one(ann)

    def test_a_client_that_does_not_read_is_closed_without_delay_for_others(self, card_room, monkeypatch):
        monkeypatch.setattr("parlour.server.table.viewers.WAITING_MESSAGES", 40)
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            room = card_room.rooms[table["table"]]
            viewer = next(iter(room.audience.viewers))
            with card_room.sit(table["table"]) as lazy:
                lazy.hear_type("scenes")
                slow = next(other for other in room.audience.viewers if other is not viewer)

                async def never():
                    await slow.overloaded.wait()

                slow.next_text = never  # as if nothing could be written to it any more
                with suppress(ConnectionClosed):  # the server may close it before the last message
                    for number in range(60):
                        lazy.say(type="why", do=str(number))
                play_one(ann)
                assert lazy.close_code() in (4430, 1006)
            wait_until(lambda: list(room.audience.viewers) == [viewer])
            play_one(ann)


def play_one(player):
    player.until(lambda scene: scene["legal"])
    seen = player.scene["seen"]
    player.do(player.scene["legal"][0])
    player.until(lambda scene: scene["seen"] > seen)


class TestBareConnections:
    @pytest.mark.parametrize(
        "data", [Random(1).randbytes(3000), b"\x00" * 100 + b"\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 2000]
    )
    def test_garbage_does_no_harm(self, card_room, data):
        with card_room.raw(data) as raw, suppress(OSError):  # it may be cut off before it has been read
            raw.shutdown(1)
            read_all(raw)
        assert card_room.works()

    def test_a_huge_header_is_refused(self, card_room):
        with card_room.raw(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * (web_server.HEADER_BYTES + 1000)
        ) as raw:
            assert b" 400 " in read_all(raw)
        assert card_room.works()

    @pytest.mark.parametrize("length", [b"-1", b"x", b"9" * 30, b"65537"])
    def test_a_strange_length_is_refused(self, card_room, length):
        head = b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
        with card_room.raw(head + length + b"\r\n\r\n") as raw:
            assert read_all(raw).split()[1] in (b"400", b"413")
        assert card_room.works()

    def test_a_body_that_never_ends_is_refused(self, card_room):
        head = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        with card_room.raw(head) as raw:
            answer = b""
            raw.settimeout(0.01)
            for _ in range(10000):
                try:
                    raw.sendall(b"400\r\n" + b"z" * 1024 + b"\r\n")
                    answer += raw.recv(65536)
                except TimeoutError:
                    continue
                except OSError:
                    break
                if answer:
                    break
            with suppress(OSError):  # a reset connection may still have the answer
                answer += raw.recv(65536)
            assert b" 413 " in answer
        assert card_room.works()

    def test_a_body_in_thousands_of_pieces_is_refused(self, card_room):
        """Each piece takes time, whatever its size."""
        head = b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        with card_room.raw(head + b"1\r\n \r\n" * 2000 + b"0\r\n\r\n") as raw:
            assert b" 400 " in read_all(raw)
        assert card_room.works()

    def test_a_body_that_never_comes_is_refused(self, card_room, monkeypatch):
        monkeypatch.setattr(middleware, "BODY_SECONDS", 0.2)
        with card_room.raw(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{") as raw:
            assert b" 408 " in read_all(raw)
        assert card_room.works()

    def test_a_second_request_that_never_ends_closes_the_connection(self, card_room, monkeypatch):
        monkeypatch.setattr(protocols, "NEXT_SECONDS", 0.2)
        with card_room.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") as raw:
            assert b" 200 " in raw.recv(4096)
            raw.sendall(b"G")
            read_all(raw)

    @pytest.mark.parametrize("size", [0, 1, 1000])
    def test_a_message_of_fragments_that_never_end_closes_the_connection(self, card_room, size):
        with card_room.raw(upgrade(card_room.open("you", "thumb")["table"])) as raw:
            assert b" 101 " in raw.recv(4096)
            length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack("!H", size)
            rest = length + b"\0\0\0\0" + b"x" * size
            raw.settimeout(0.001)
            sent, answer = b"\x01" + rest, b""
            for _ in range(100000):
                try:
                    raw.sendall(sent)
                    sent = (b"\x00" + rest) * 50
                    answer += raw.recv(100)
                    break
                except TimeoutError:
                    continue
                except OSError:
                    break
            else:
                pytest.fail("the connection stays open")
            assert not answer or struct.pack("!H", 1009) in answer
        assert card_room.works()
