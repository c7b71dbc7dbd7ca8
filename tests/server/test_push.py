"""Notices to players whose page is closed, by the push services of their browsers."""

import json
import logging
import threading

import pytest
import sqlalchemy as sql
from py_vapid import Vapid02

from parlour.server.process.settings import Settings
from parlour.server.store.archive import remove, remove_name
from parlour.server.store.people import subscriptions
from parlour.server.store.people.player_tables import SUBSCRIPTIONS
from parlour.server.table.push.notices import Delivery
from parlour.server.table.push.settings import PUSH_SERVICES, PushSettings
from tests.server.card_room import PATIENCE, play_out, wait_until
from tests.server.push_service import decoded, encoded, push_service
from tests.server.two_players import QUIET, join, two_players

pytestmark = pytest.mark.slow

CONTACT = "cards@example.org"


@pytest.fixture
def service(tmp_path, monkeypatch):
    with push_service(tmp_path, monkeypatch) as running:
        yield running


@pytest.fixture
def push_room(card_rooms, service):
    """Opens rooms that send notices at once, one after another."""

    def open_push_room(grace=0.0):
        settings = Settings(limited=False, paced=False, push_contact=CONTACT, push_hosts=(service.host,))
        room = card_rooms(settings)
        push = room.config.app.state.rooms.push
        push.grace, push.retries = grace, (0.01, 0.01)
        return room

    return open_push_room


def subscribe(card_room, table, browser, key, **headers):
    return card_room.http.post(f"/api/tables/{table}/push", json=browser.body(key), headers=headers)


def stored(card_room, table):
    """Return the endpoints of the subscriptions to notices about a table, by seat."""
    found = card_room.store.read(subscriptions.subscriptions_of, table, range(6))
    return {seat: [each.endpoint for each in browsers] for seat, browsers in found.items()}


def end_turn(player):
    """Play until it is the turn of another seat."""
    while player.scene["legal"]:
        before = player.scene["seen"]
        player.do(player.scene["legal"][0])
        player.until_seen(before + 1)


def begin_turn_of_absent(first, second):
    """Let the second player close the page, and then begin the second player's turn."""
    second.socket.close()
    first.until_company(lambda company: len(company["there"]) == 1)
    end_turn(first)


def until_sent(room):
    """Wait until no notice is pending."""
    push = room.config.app.state.rooms.push
    wait_until(lambda: not push._pending)


class TestTheRoomsKey:
    def test_is_a_point_and_stays_the_same(self, push_room):
        room = push_room()
        key = room.http.get("/api/push").json()["key"]
        room.stop()
        assert (len(decoded(key)), decoded(key)[0]) == (65, 4)
        assert push_room().http.get("/api/push").json() == {"key": key}

    def test_a_room_without_a_contact_has_none_and_takes_no_subscription(self, card_room, service):
        table = card_room.open("you", "open")
        assert card_room.http.get("/api/push").json() == {"key": None}
        answer = subscribe(card_room, table["table"], service.browser(), table["key"])
        assert (answer.status_code, answer.json()) == (404, {"error": "this room sends no notices to closed pages"})


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
class TestSubscriptions:
    def test_belong_to_the_seat_of_the_key(self, push_room, service):
        room = push_room()
        table = room.open("you", "open")
        keys = {0: table["key"], 1: join(room, table)}
        for seat, key in keys.items():
            for _ in range(2):  # a repetition changes nothing
                answer = subscribe(room, table["table"], service.browser(f"seat-{seat}"), key)
                assert answer.json() == {"table": table["table"], "seat": seat}
        expected = {seat: [f"https://{service.host}/seat-{seat}"] for seat in keys}
        assert stored(room, table["table"]) == expected

    def test_a_browser_has_one_seat_of_a_table(self, push_room, service):
        room = push_room()
        table = room.open("you", "open")
        browser, second = service.browser(), join(room, table)
        for key in (table["key"], second):
            subscribe(room, table["table"], browser, key)
        assert stored(room, table["table"]) == {1: [browser.endpoint]}

    def test_a_seat_has_at_most_four_browsers_the_oldest_gives_way(self, push_room, service, monkeypatch):
        room = push_room()
        table = room.open("you", "open")
        for number in range(6):
            monkeypatch.setattr(subscriptions.time, "time", lambda number=number: 1e9 + number)
            subscribe(room, table["table"], service.browser(f"{number}"), table["key"])
        assert stored(room, table["table"]) == {0: [f"https://{service.host}/{number}" for number in (2, 3, 4, 5)]}

    def test_one_request_removes_a_browser_from_one_table_or_from_all(self, push_room, service):
        room = push_room()
        tables = [room.open("you", "open") for _ in range(3)]
        ann, bo = service.browser("ann"), service.browser("bo")
        for table in tables:
            subscribe(room, table["table"], ann, table["key"])
        subscribe(room, tables[0]["table"], bo, tables[0]["key"])
        only = {"endpoint": ann.endpoint, "table": tables[1]["table"]}
        assert room.http.request("DELETE", "/api/push", json=only).json() == {"removed": 1}
        assert stored(room, tables[1]["table"]) == {}
        assert stored(room, tables[2]["table"]) == {0: [ann.endpoint]}
        answer = room.http.request("DELETE", "/api/push", json={"endpoint": ann.endpoint})
        assert answer.json() == {"removed": 2}
        assert [stored(room, table["table"]) for table in tables] == [{0: [bo.endpoint]}, {}, {}]

    def test_are_removed_with_the_table_the_name_and_the_player(self, push_room, service):
        room = push_room()
        tables = [room.open("you", "open") for _ in range(3)]
        for table in tables:
            subscribe(room, table["table"], service.browser(), table["key"])
        player = "p" * 30
        linked = room.http.post(
            f"/api/tables/{tables[2]['table']}/player", json={"key": tables[2]["key"], "player": player}
        )
        assert linked.status_code == 200
        room.store.write(remove, [tables[0]["table"]])
        room.store.write(remove_name, "Ann", tables[1]["table"])
        room.http.delete("/api/player", headers={"Authorization": f"Bearer {player}"})
        assert [stored(room, table["table"]) for table in tables] == [{}, {}, {}]


class TestRefusals:
    @pytest.fixture
    def refuse(self, push_room, service):
        """Send a subscription that differs from a valid one. Return the status and the sentence of the refusal."""
        room = push_room()
        table = room.open("you", "open")
        valid = service.browser().body(table["key"])

        def send(**changes):
            answer = room.http.post(f"/api/tables/{table['table']}/push", json={**valid, **changes})
            assert stored(room, table["table"]) == {}
            return answer.status_code, answer.json()["error"]

        return send

    def test_a_key_of_no_seat(self, refuse):
        assert refuse(key="x" * 30) == (409, "this key opens no seat of this table")

    def test_an_address_of_no_known_push_service(self, refuse):
        sentence = "endpoint: it is not that of a push service that this room knows"
        assert refuse(endpoint="https://evil.example/x") == (422, sentence)
        assert refuse(endpoint="https://fcm.googleapis.com/" + "x" * 1000)[0] == 422

    @pytest.mark.parametrize(
        "endpoint",
        [
            "http://fcm.googleapis.com/x",
            "https://evil.example/x",
            "https://fcm.googleapis.com.evil.example/x",
            "https://fcm.googleapis.com@evil.example/x",
            "https://user@fcm.googleapis.com/x",
            "https://:word@fcm.googleapis.com/x",
            "https://fcm.googleapis.com:8443/x",
            "https://fcm.googleapis.com:99999/x",
            "https://push.services.mozilla.com/x",
            "https://evil.example#.push.apple.com/x",
            "https://evil.example\\.push.apple.com/x",
            "https://evil.example/.push.apple.com",
            "https://evil.example\t.push.apple.com/x",
            "https://evil.example%2f.push.apple.com/x",
            "https://fcm.googleapis.com\n/x",
            "https://evil example.push.apple.com/x",
            "https://.push.apple.com/x",
            "https://a..push.apple.com/x",
            f"https://{'a' * 64}.push.apple.com/x",
            "https://127.0.0.1/x",
            "https://[::1/x",
            "https:///x",
            "file:///etc/passwd",
            "fcm.googleapis.com/x",
            "",
        ],
    )
    def test_no_other_address_is_called(self, endpoint):
        assert PushSettings(CONTACT, PUSH_SERVICES).service_of(endpoint) is None

    @pytest.mark.parametrize(
        "endpoint",
        [
            "https://fcm.googleapis.com/fcm/send/abc:def",
            "https://fcm.googleapis.com:443/fcm/send/abc",
            "https://updates.push.services.mozilla.com/wpush/v2/abc",
            "https://web.push.apple.com/abc",
            "https://wns2-db5p.notify.windows.com/w/?token=abc",
        ],
    )
    def test_the_services_of_the_known_browsers_are_called(self, endpoint):
        assert PushSettings(CONTACT, PUSH_SERVICES).service_of(endpoint) in PUSH_SERVICES

    def test_keys_of_no_browser(self, refuse, service):
        valid = service.browser().body("")["keys"]
        off_the_curve, x = "BA" + "A" * 85, decoded(valid["p256dh"])[1:33]
        compressed = [encoded(bytes([sign]) + x) for sign in (2, 3)]
        points = [{"p256dh": point} for point in ("AAAA", off_the_curve, *compressed)]
        for changes in (*points, {"auth": "AAAA"}, {"auth": "ä"}, {"more": "x"}):
            status, sentence = refuse(keys={**valid, **changes})
            assert (status, sentence.startswith("keys")) == (422, True)


class TestTurns:
    def test_a_player_with_a_closed_page_receives_one_encrypted_message(self, push_room, service):
        room, browser = push_room(), service.browser()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            assert subscribe(room, table, browser, second.key, **{"Accept-Language": "de"}).status_code == 200
            begin_turn_of_absent(first, second)
            name = first.about["seats"][first.scene["seat"]]["name"]
        [message] = wait_until(lambda: browser.messages)
        expected = {"title": "Dein Zug", "body": f"Castle Walls mit {name}", "table": table}
        assert message.message == expected
        assert (message.headers["ttl"], message.headers["urgency"]) == (str(3 * 86400), "high")
        assert (len(message.headers["topic"]), table in message.headers["topic"]) == (32, False)
        assert Vapid02.verify(message.headers["authorization"])
        claims = json.loads(decoded(message.headers["authorization"].partition("t=")[2].split(".")[1]))
        assert (claims["sub"], claims["aud"]) == (f"mailto:{CONTACT}", f"https://{service.host}")

    def test_a_language_that_the_room_has_no_longer_gives_way_to_english(self, push_room, service):
        room, browser = push_room(), service.browser()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            subscribe(room, table, browser, second.key)
            with room.store.engine.begin() as connection:
                connection.execute(sql.update(SUBSCRIPTIONS).values(language="xx"))
            begin_turn_of_absent(first, second)
            wait_until(lambda: browser.messages)
        assert browser.messages[0].message["title"] == "Your turn"

    def test_connected_players_receive_none(self, push_room, service):
        room, browser = push_room(), service.browser()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            for player in (first, second):
                subscribe(room, table, browser, player.key)
            end_turn(first)
            second.until(lambda scene: scene["legal"])
            end_turn(second)
            until_sent(room)
        assert not browser.messages

    def test_a_player_who_returns_within_the_grace_period_receives_none(self, push_room, service):
        room, browser = push_room(grace=3600.0), service.browser()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            subscribe(room, table, browser, second.key)
            begin_turn_of_absent(first, second)
            with room.sit(table, second.key) as again:
                again.until(lambda scene: scene["legal"])
                room.call(room.config.app.state.rooms.push.hurry)  # the grace period ends
                until_sent(room)
        assert not browser.messages

    def test_a_player_who_leaves_in_the_own_turn_receives_none(self, push_room, service):
        room, browser = push_room(), service.browser()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            subscribe(room, table, browser, first.key)
            first.socket.close()
            second.until_company(lambda company: len(company["there"]) == 1)
            until_sent(room)
        assert not browser.messages

    def test_a_connection_that_broke_before_the_turn_counts_as_closed(self, push_room, service):
        room, browser = push_room(), service.browser()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            subscribe(room, table, browser, second.key)
            end_turn(first)
            second.socket.socket.shutdown(2)  # the server sees an end without a close code
            first.until_company(lambda company: len(company["there"]) == 1)
            wait_until(lambda: browser.messages)
        assert browser.messages[0].message["title"] == "Your turn"

    def test_loading_a_table_anew_repeats_none(self, push_room, service):
        room, browser = push_room(), service.browser()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            subscribe(room, table, browser, second.key)
            end_turn(first)
        room.stop()
        room = push_room()
        with room.sit(table) as onlooker:
            onlooker.until_company(lambda company: True)
            assert not room.config.app.state.rooms.push._pending
        assert not browser.messages

    def test_a_room_that_closes_sends_what_is_pending(self, push_room, service):
        room, browser = push_room(grace=3600.0), service.browser()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            subscribe(room, table, browser, second.key)
            begin_turn_of_absent(first, second)
        room.stop()
        assert len(browser.messages) == 1


class TestClosedTables:
    """A turn of the second player has begun, from whom no message has come since."""

    @pytest.fixture
    def table(self, push_room, service):
        room, browser = push_room(), service.browser()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            subscribe(room, table, browser, second.key)
            until_sent(room)  # a turn began before the players came
            room.config.app.state.rooms.push.grace = 1.0
            end_turn(first)
            second.until(lambda scene: scene["legal"])
            yield room, table, second, browser

    @pytest.mark.parametrize("close", ["renew", "_hand_over"])
    def test_send_none_to_players_whose_connections_the_server_ends(self, table, close):
        room, number, _, browser = table
        room.call(getattr(room.config.app.state.rooms, close), number)
        until_sent(room)
        assert not browser.messages

    @pytest.mark.parametrize("close", ["renew", "_hand_over"])
    def test_send_the_pending_notices(self, table, close):
        room, number, second, browser = table
        second.socket.socket.shutdown(2)
        wait_until(lambda: room.config.app.state.rooms.push._pending)
        room.call(getattr(room.config.app.state.rooms, close), number)
        until_sent(room)
        assert len(browser.messages) == 1

    def test_a_server_that_stops_sends_none_to_players_who_have_returned(self, table):
        room, number, second, browser = table
        room.config.app.state.rooms.push.grace = 3600.0
        second.socket.socket.shutdown(2)
        wait_until(lambda: room.config.app.state.rooms.push._pending)
        with room.sit(number, second.key) as again:
            again.until(lambda scene: scene["legal"])
            room.stop()
        assert not browser.messages


class TestTheEnd:
    def test_of_a_game_is_announced_to_absent_players(self, push_room, service):
        room, absent, present = push_room(), service.browser("absent"), service.browser("present")
        with two_players(room, "trick-walls", QUIET, days=3, patience=None) as ((first, second), table):
            play_out(first, second, until=lambda scene: scene["seen"] > 30)
            subscribe(room, table, absent, second.key)
            subscribe(room, table, present, first.key)
            second.socket.close()
            first.until_company(lambda company: len(company["there"]) == 1)
            first.say(type="resign")
            first.until(lambda scene: scene["over"])
            wait_until(lambda: absent.messages)
        assert absent.messages[-1].message["title"] == "The game is over"
        assert not present.messages


class TestPushServices:
    @pytest.fixture
    def turn(self, push_room, service):
        """Let a turn of an absent player begin, whose push service gives these answers."""

        def begin(*statuses):
            room, browser = push_room(), service.browser()
            browser.statuses.extend(statuses)
            with two_players(room, days=3, patience=None) as ((first, second), table):
                subscribe(room, table, browser, second.key)
                begin_turn_of_absent(first, second)
                until_sent(room)
            return len(browser.messages), stored(room, table)

        return begin

    @pytest.mark.parametrize("status", [404, 410])
    def test_a_subscription_that_is_gone_is_removed(self, turn, status):
        assert turn(status) == (1, {})

    @pytest.mark.parametrize("status", [429, 500, 503])
    def test_a_message_is_sent_again_when_the_service_accepts_none(self, turn, status):
        sent, kept = turn(status, status)
        assert (sent, len(kept)) == (3, 1)

    def test_three_attempts_are_made(self, turn):
        sent, kept = turn(*[503] * 9)
        assert (sent, len(kept)) == (3, 1)

    @pytest.mark.parametrize("status", [400, 403, 301, 307])
    def test_a_refusal_is_logged_without_the_endpoint_and_a_redirection_is_not_followed(self, turn, status, caplog):
        with caplog.at_level(logging.WARNING, "parlour.server"):
            sent, kept = turn(status)
        assert (sent, len(kept)) == (1, 1)
        fields = [record.fields for record in caplog.records if record.message == "a notice was not delivered"]
        assert fields == [{"result": "refused", "service": "localhost"}]

    def test_a_service_that_is_not_allowed_any_more_is_not_called(self, push_room, service):
        room, browser = push_room(), service.browser()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            subscribe(room, table, browser, second.key)
            room.config.app.state.rooms.push._settings = PushSettings(CONTACT)
            begin_turn_of_absent(first, second)
            until_sent(room)
        assert not browser.messages

    def test_a_service_that_does_not_answer_delays_no_other_one(self, push_room, service):
        room, browser, hanging, answer = push_room(), service.browser(), [], threading.Event()

        class Sender:
            def send(self, to, *message):
                hanging.append(to)
                return real.send(to, *message) if to.endpoint == browser.endpoint else self.wait()

            def wait(self):
                answer.wait(PATIENCE)
                return Delivery.SENT

        push = room.config.app.state.rooms.push
        real = room.call(push._make_sender)
        push._sender = Sender()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            for number in range(4):
                other = {**browser.body(second.key), "endpoint": f"https://fcm.googleapis.com/{number}"}
                room.http.post(f"/api/tables/{table}/push", json=other)
            begin_turn_of_absent(first, second)
            wait_until(lambda: len(hanging) == 4)
        with two_players(room, days=3, patience=None) as ((first, second), table):
            subscribe(room, table, browser, second.key)
            begin_turn_of_absent(first, second)
            wait_until(lambda: browser.messages)
        answer.set()

    def test_a_failure_at_one_browser_is_logged_and_the_others_receive_the_notice(self, push_room, service, caplog):
        room, browsers = push_room(), [service.browser(name) for name in ("ann", "bo")]
        push = room.config.app.state.rooms.push
        real = room.call(push._make_sender)

        class Sender:
            def send(self, to, *message):
                if to.endpoint == browsers[0].endpoint:
                    raise ValueError(to.endpoint)
                return real.send(to, *message)

        push._sender = Sender()
        with two_players(room, days=3, patience=None) as ((first, second), table):
            for browser in browsers:
                subscribe(room, table, browser, second.key)
            begin_turn_of_absent(first, second)
            until_sent(room)
        assert [len(browser.messages) for browser in browsers] == [0, 1]
        assert [record.fields["error"] for record in caplog.records if "closed page" in record.message] == [
            "ValueError"
        ]
        assert browsers[0].endpoint not in caplog.text
