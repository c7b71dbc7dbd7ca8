"""Undo, clocks, connections and talk at a table."""

import threading
import time
from itertools import islice

import pytest

from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.records import replay
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.server.store.stored_table import UNDO
from parlour.server.table.bots.stand_in import due
from parlour.server.table.messages import ClocksInfo
from parlour.server.table.people.clocks import Clocks
from parlour.server.table.viewers import DisplayReplay
from tests.helpers import play_at_random
from tests.server.card_room import PATIENCE, order, play_out, wait_until
from tests.server.two_players import no_room, two_players

pytestmark = pytest.mark.slow


def take_back(first, second, seen):
    """Undo the first player's action, the last of ``seen`` events, with the second player's consent."""
    first.say(type="undo", seen=seen)
    second.until_company(lambda company: company["undo_request"])
    second.say(type="agree", yes=True, seen=seen)
    first.until_seen(seen + 1)


def face_down(player):
    """Put a card face down, hidden from the other seats; return the scene before."""
    before = player.scene
    player.do(next(action for action in before["legal"] if action.startswith("down")))
    player.until_seen(before["seen"] + 1)
    player.until_company(lambda company: company["undoable"] is not None)
    return before


class TestUndo:
    def test_an_undo_among_bots_is_immediate(self, card_room):
        table = card_room.open("you", "thumb", game="castle-walls", options={})
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: any(action.startswith("down") for action in scene["legal"]))
            before = face_down(ann)
            log = list(ann.log)
            assert log[-1].startswith("You put ")
            ann.say(type="undo", seen=ann.scene["seen"])
            ann.until_seen(before["seen"] + 2)
            assert {**ann.scene, "seen": before["seen"], "log": before["log"]} == before
            assert ann.scene["log"] == ["You take that back."]
            assert ann.log == [*log, "You take that back."]
            events = card_room.store.load(table["table"])
            assert events.events[-1].do == "undo"
            assert len(events.game_events) == before["seen"]

    def test_the_other_person_is_asked(self, card_room):
        with two_players(card_room) as ((first, second), _):
            before = face_down(first)
            first.say(type="undo", seen=first.scene["seen"])
            request = second.until_company(lambda company: company["undo_request"])["undo_request"]
            assert request == {"seat": before["seat"], "waiting": [1 - before["seat"]]}
            assert first.scene["seen"] == before["seen"] + 1
            second.until_seen(before["seen"] + 1)
            second.say(type="agree", yes=True, seen=second.scene["seen"])
            for player in (first, second):
                player.until_seen(before["seen"] + 2)
            assert first.scene["legal"] == before["legal"]

    def test_the_log_names_the_undo_for_all_and_later_viewers(self, card_room):
        with two_players(card_room) as ((first, second), table):
            before = face_down(first)
            take_back(first, second, before["seen"] + 1)
            second.until_seen(before["seen"] + 2)
            name = first.about["seats"][before["seat"]]["name"]
            put, back = second.log[-2:]
            assert put.startswith(f"{name} puts a card face down")
            assert back == f"{name} takes that back."
            with card_room.sit(table) as late:
                late.hear_type("scenes")
                assert late.log == second.log
                assert late.scene["seen"] == before["seen"] + 2

    def test_a_repeated_request_counts_once(self, card_room):
        with two_players(card_room) as ((first, second), _):
            before = face_down(first)
            asked = {"type": "undo", "seen": before["seen"] + 1}
            first.say(**asked)
            first.until_company(lambda company: company["undo_request"])
            first.say(**asked)
            assert first.until_company(lambda company: True)["undo_request"] == {
                "seat": before["seat"],
                "waiting": [1 - before["seat"]],
            }
            for _ in range(2):
                second.say(type="agree", yes=True, seen=before["seen"] + 1)
            first.until_seen(before["seen"] + 2)
            first.say(**asked)
            again = first.hear_type("scenes")["scenes"][-1]
            assert again["seen"] == before["seen"] + 2

    def test_the_other_person_may_refuse(self, card_room):
        with two_players(card_room) as ((first, second), _):
            before = face_down(first)
            first.say(type="undo", seen=first.scene["seen"])
            second.until_company(lambda company: company["undo_request"])
            second.say(type="agree", yes=False, seen=before["seen"] + 1)
            first.until_company(lambda company: company["undo_request"])
            first.until_company(lambda company: not company["undo_request"])
            assert first.scene["seen"] == before["seen"] + 1
            second.say(type="undo", seen=before["seen"] + 1)
            assert "cannot be taken back" in second.hear_type("refused")["reason"]

    def test_an_action_that_disclosed_something_cannot_be_undone(self, card_room):
        with two_players(card_room) as ((first, _), _):
            before = first.scene
            first.do(next(action for action in before["legal"] if action.startswith("up")))
            first.until_seen(before["seen"] + 1)
            first.say(type="undo", seen=before["seen"] + 1)
            assert "cannot be taken back" in first.hear_type("refused")["reason"]

    def test_an_action_followed_by_another_cannot_be_undone(self, card_room):
        with two_players(card_room) as ((first, _), _):
            face_down(first)
            seen = first.scene["seen"]
            first.do("end")
            first.until_seen(seen + 1)
            first.say(type="undo", seen=seen)
            assert "cannot be taken back" in first.hear_type("refused")["reason"]

    def test_the_record_holds_the_game_as_played_and_a_restart_goes_on(self, card_rooms):
        card_room = card_rooms()
        with two_players(card_room, options={"turn_limit": 4}) as ((first, second), table):
            before = face_down(first)
            take_back(first, second, before["seen"] + 1)
            keys = first.key, second.key
        card_room.stop()
        card_room = card_rooms()
        with card_room.sit(table, keys[0]) as first, card_room.sit(table, keys[1]) as second:
            first.hear_type("scenes")
            assert first.scene["seen"] == before["seen"] + 2
            assert first.scene["legal"] == before["legal"]
            play_out(first, second)
        record = card_room.http.get(f"/api/tables/{table}/record").json()
        assert "undo" not in [event["do"] for event in record["events"]]
        assert replay(record).over

    def test_a_command_from_before_the_undo_is_refused(self, card_room):
        with two_players(card_room) as ((first, second), _):
            before = face_down(first)
            take_back(first, second, before["seen"] + 1)
            first.do("end", seen=before["seen"])
            assert "sent after" in first.hear_type("refused")["reason"]

    def test_a_late_viewers_replay_applies_each_event_once(self, monkeypatch):
        game, events = find_game("trime-kicker"), []
        match = Match(Setup(game, 2))
        for _ in islice(play_at_random(match, 1), 30):
            event = match.events[-1]
            taken_back = [event, Event(event.by, UNDO)] if event.by != CHANCE else []
            events += [*taken_back, event]
        played, apply_event = [], Match.apply_event
        monkeypatch.setattr(
            Match, "apply_event", lambda match, event: (played.append(event), apply_event(match, event))
        )
        replay = DisplayReplay(game, 2, match.options, 0, ["Ann", "Bo"])
        replay.advance(events[:-2])
        replay.advance(events)
        assert len(played) == sum(event.do != UNDO for event in events)
        assert replay.display.current_scene(["Ann", "Bo"]).seen == len(events)
        assert replay.display.observation == match.observation(0)


class TestClocks:
    def test_a_bot_plays_for_a_player_without_time(self, card_room):
        with two_players(card_room, clock={"seconds": 600, "increment": 0}, options={"turn_limit": 4}) as (
            (first, second),
            table,
        ):
            company = first.until_company(lambda company: company["clocks"]["running"] is not None)
            seat = company["clocks"]["running"]
            assert seat == first.scene["seat"]
            assert company["clocks"]["left"][1 - seat] == 600_000
            card_room.rooms[table].state.clocks.left[seat] = 0
            with card_room.sit(table):  # every connection checks the clock
                assert first.until_company(lambda company: company["out"])["out"] == [seat]
            play_out(second)

    def test_an_action_in_the_last_moment_is_in_time_even_if_storing_is_slow(self, card_room, monkeypatch):
        going, append_all = threading.Event(), card_room.store.append_all
        with two_players(card_room, clock={"seconds": 600, "increment": 10}) as ((first, _), table):
            seat = first.until_company(lambda company: company["clocks"]["running"] is not None)["clocks"]["running"]
            room = card_room.rooms[table]
            monkeypatch.setattr(card_room.store, "append_all", lambda rows: (going.wait(PATIENCE), append_all(rows)))
            seen = first.scene["seen"]
            first.do(next(action for action in first.scene["legal"] if action.startswith("down")))
            wait_until(lambda: room.storing)
            room.state.clocks.left[seat] = 0
            card_room.soon(room.check_clock)
            going.set()
            first.until_seen(seen + 1)
            assert room.state.presence.out == set()

    def test_an_action_costs_its_time_and_brings_the_increment(self):
        clocks = Clocks(2, 60, 5, {})
        clocks.start(0, 100.0)
        clocks.start(0, 103.0)
        assert clocks.seconds_left(0, 104.0) == 56
        assert clocks.action_charge(0, 104.5) == 4500
        clocks.charge(0, 4500)
        assert clocks.info(200.0) == ClocksInfo([60_500, 60_000], None)

    def test_stored_charges_restore_the_clocks(self):
        clocks = Clocks(2, 60, 5, {})
        spent = []
        for start, took in ((0.0, 7.0), (10.0, 1.0), (20.0, 30.0)):
            clocks.start(1, start)
            spent.append(clocks.action_charge(1, start + took))
            clocks.charge(1, spent[-1])
        spent.append(clocks.undo_charge())
        clocks.charge(1, spent[-1])
        assert Clocks(2, 60, 5, {1: spent}).left == clocks.left

    def test_no_clock_is_negative(self):
        clocks = Clocks(1, 10, 0, {})
        clocks.start(0, 0.0)
        assert clocks.action_charge(0, 99.0) == 10_000
        clocks.charge(0, 10_000)
        assert clocks.left == [0]

    def test_clocks_survive_a_restart(self, card_rooms):
        card_room = card_rooms()
        with two_players(card_room, clock={"seconds": 600, "increment": 60}) as ((first, second), table):
            first.do("end")
            first.until_company(lambda company: company["clocks"]["running"] == second.scene["seat"])
            seat, key = first.scene["seat"], first.key
        card_room.stop()
        card_room = card_rooms()
        with card_room.sit(table, key) as player:
            left = player.until_company(lambda company: True)["clocks"]["left"]
            assert 600_000 < left[seat] <= 660_000
            assert left[1 - seat] == 600_000

    def test_a_player_without_time_plays_no_more_and_has_no_time_after_a_restart(self, card_rooms):
        card_room = card_rooms()
        clock = {"seconds": 600, "increment": 5}
        with two_players(card_room, clock=clock, options={"turn_limit": 9}) as ((first, second), table):
            seat, key = first.scene["seat"], first.key
            other = second.key
            state, services = card_room.rooms[table].state, card_room.config.app.state.rooms.services
            services.now = lambda: time.monotonic() + 600
            with card_room.sit(table):  # every connection checks the clock
                first.until_company(lambda company: company["out"])
            first.do("end")
            assert first.hear_type("refused")["reason"]
            second.until(lambda scene: scene["legal"])
            assert state.clocks.left[seat] == 0
            before = second.scene["seen"]
            second.do("end")
            second.until(lambda scene: scene["seen"] > before + 1 and scene["legal"])
        card_room.stop()
        card_room = card_rooms()
        with card_room.sit(table, key), card_room.sit(table, other) as player:
            assert player.until_company(lambda company: True)["clocks"]["left"][seat] == 0

    def test_an_event_that_was_not_saved_costs_no_time(self, card_room, monkeypatch):
        with two_players(card_room, clock={"seconds": 60, "increment": 10}) as ((first, _), table):
            clocks = card_room.rooms[table].state.clocks
            with monkeypatch.context() as broken:
                broken.setattr(card_room.store, "append_all", no_room)
                first.do("end")
                assert first.hear_type("refused")["reason"] == "the table could not be saved: the disk is full"
            assert clocks.left == [60_000, 60_000]
            assert clocks.running == first.scene["seat"]

    def test_an_undo_that_could_not_be_saved_may_be_requested_again(self, card_room, monkeypatch):
        with two_players(card_room, clock={"seconds": 60, "increment": 10}) as ((first, second), table):
            seen = face_down(first)["seen"] + 1
            state = card_room.rooms[table].state
            left = list(state.clocks.left)
            second.until_seen(seen)
            with monkeypatch.context() as broken:
                broken.setattr(card_room.store, "append_all", no_room)
                first.say(type="undo", seen=seen)
                second.until_company(lambda company: company["undo_request"])
                second.say(type="agree", yes=True, seen=seen)
                assert "the disk is full" in first.hear_type("refused")["reason"]
            assert state.clocks.left == left
            assert state.undo.request is None
            take_back(first, second, seen)


class TestConnections:
    def test_a_bot_stands_in_for_a_disconnected_player_until_the_return(self, card_room):
        with two_players(card_room, options={"turn_limit": 200}, patience=5) as ((first, second), table):
            card_room.rooms[table].state.manners.patience = 0
            seat, key = first.scene["seat"], first.key
            first.socket.close()
            assert second.until_company(lambda company: company["away"])["away"] == [seat]
            second.until(lambda scene: scene["legal"])
            with card_room.sit(table, key) as back:
                assert second.until_company(lambda company: not company["away"])["there"] == [0, 1]
                second.do("end")
                seen = back.until(lambda scene: scene["legal"])["seen"]
                back.until_company(lambda company: company["there"] == [0, 1])
                assert card_room.rooms[table].state.seen == seen

    def test_no_bot_stands_in_while_no_player_waits(self, card_room):
        with two_players(card_room, patience=5) as ((first, second), table):
            room = card_room.rooms[table]
            room.state.manners.patience = 0
            second.socket.close()
            first.until_company(lambda company: len(company["there"]) == 1)
            first.socket.close()
            seen = room.state.seen
            with card_room.sit(table) as spectator:
                spectator.until_company(lambda company: not company["there"])
                spectator.say(type="ping")
                spectator.hear_type("pong")
                assert not room.state.presence.away
                assert room.state.seen == seen

    def test_a_table_with_endless_patience_waits(self, card_room):
        with two_players(card_room, patience=None) as ((first, second), table):
            first.socket.close()
            second.until_company(lambda company: len(company["there"]) == 1)
            assert due(card_room.rooms[table].state, 1e9) is None


class TestTalk:
    def test_words_and_signs_reach_all_and_later_viewers(self, card_room):
        with two_players(card_room) as ((first, second), table), card_room.sit(table) as spectator:
            spectator.hear_type("scenes")
            first.say(type="say", words="  good\nevening ")
            for player in (first, second, spectator):
                (said,) = player.hear_type("said")["said"]
                assert (said["by"], said["words"], said["sign"]) == (first.scene["seat"], "good evening", "")
            second.say(type="say", sign="luck")
            assert first.hear_type("said")["said"][0]["sign"] == "luck"
            with card_room.sit(table) as late:
                assert [each["by"] for each in late.hear_type("said")["said"]] == [
                    first.scene["seat"],
                    second.scene["seat"],
                ]

    @pytest.mark.parametrize(
        ("wanted", "talk"),
        [
            ({}, "words"),
            ({"listed": True}, "none"),
            ({"listed": True, "manners": {"patience": 30}}, "none"),
            ({"listed": True, "manners": {"talk": "signs"}}, "signs"),
        ],
    )
    def test_strangers_talk_only_at_tables_that_allow_it(self, card_room, wanted, talk):
        table = card_room.http.post("/api/tables", json={**order("you", "open"), **wanted}).json()
        with card_room.sit(table["table"], table["key"]) as ann:
            assert ann.until_company(lambda company: True)["talk"] == talk

    def test_silent_tables_spectators_and_the_rate_limit_refuse_talk(self, card_room):
        with two_players(card_room, talk="none") as ((first, _), table), card_room.sit(table) as spectator:
            spectator.hear_type("scenes")
            for player, name in ((first, "one"), (spectator, "two")):
                player.say(type="say", sign="hello", id=name)
                refused = player.hear_type("refused")
                assert (bool(refused["reason"]), refused["id"]) == (True, name)
        with two_players(card_room, talk="signs") as ((first, _), _):
            first.say(type="say", words="hm")
            assert "signs" in first.hear_type("refused")["reason"]
            for _ in range(6):
                first.say(type="say", sign="hello")
            assert "Not so fast" in first.hear_type("refused")["reason"]

    def test_a_repeated_chat_message_is_sent_once(self, card_room):
        with two_players(card_room) as ((first, second), _):
            for words in ("hello", "hello", "bye"):
                first.say(type="say", words=words, id=words)
            assert [first.hear_type("said")["said"][0]["words"] for _ in range(3)] == ["hello", "hello", "bye"]
            assert [second.hear_type("said")["said"][0]["words"] for _ in range(2)] == ["hello", "bye"]
            second.say(type="say", words="hello", id="hello")
            assert first.hear_type("said")["said"][0]["by"] == second.scene["seat"]

    @pytest.mark.parametrize("wrong", [{}, {"words": "a", "sign": "hello"}, {"sign": "rude"}, {"words": "a\u202eb"}])
    def test_invalid_chat_messages_are_refused(self, card_room, wrong):
        with two_players(card_room) as ((first, _), _):
            first.say(type="say", id="wrong", **wrong)
            refused = first.hear_type("refused")
            assert (bool(refused["reason"]), refused["id"]) == (True, "wrong")

    def test_refusals_of_other_messages_have_no_id_of_a_chat_message(self, card_room):
        with two_players(card_room) as ((first, _), _):
            for other in ({"type": "undo", "seen": 0}, {"type": "allow", "id": 7, "yes": True}, {"type": "act"}):
                first.say(**other)
                assert first.hear_type("refused")["id"] == ""

    def test_a_chat_message_that_cannot_be_stored_is_refused_by_its_id(self, card_room, monkeypatch):
        with two_players(card_room) as ((first, _), _):
            monkeypatch.setattr(card_room.store, "add_chat_message", lambda *values: no_room(values))
            first.say(type="say", words="hello", id="hello")
            refused = first.hear_type("refused")
            assert (refused["id"], "could not be saved" in refused["reason"]) == ("hello", True)


class TestPlainText:
    def test_the_text_of_the_table_is_that_of_the_terminal(self, card_room):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            ann.say(type="text")
            text = ann.hear_type("text")["text"]
            assert text.startswith("Trick Walls: ")
            assert all(card in text for card in ann.scene["legal"])
