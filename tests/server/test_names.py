"""Names at a table: new names of seats, and the names of onlookers."""

import pytest

from parlour.engine.rules import SPECTATOR
from parlour.server.store.people.numbered_names import NAME_LENGTH
from parlour.server.table.commands import Rename
from parlour.server.table.decide import RENAME_SECONDS, decide
from parlour.server.table.outcomes import Refused, Renamed, Unchanged
from parlour.server.table.people.distinct_names import distinct_name, entered_name
from parlour.server.table.people.onlookers import MOST_NAMES, onlookers_message
from parlour.server.table.viewers import Viewer
from tests.server.decided_tables import ALONE, happen, resigned, table_of
from tests.server.two_players import no_room


class TestDecisions:
    def test_a_person_takes_a_new_name(self):
        state = table_of("person", "bot")
        assert happen(state, 0, Rename(name="Zoe")) == Renamed(0, "Zoe")
        assert state.names == ["Zoe", "Bot"]

    @pytest.mark.parametrize("seat", [1, SPECTATOR])
    def test_others_have_no_name_to_change(self, seat):
        assert isinstance(decide(table_of("person", "bot"), seat, Rename(name="Zoe"), 0.0), Refused)

    def test_a_repetition_changes_nothing(self):
        assert decide(table_of("person", "bot"), 0, Rename(name="Ann"), 0.0) == Unchanged("scene")

    def test_a_name_that_another_seat_has_gets_a_number(self):
        state = table_of("person", "person", "bot")
        assert state.names == ["Ann", "Bo", "Bot"]
        assert happen(state, 1, Rename(name="ann")) == Renamed(1, "ann 2")
        assert decide(state, 1, Rename(name="ANN"), 60.0) == Renamed(1, "ANN 2")

    def test_a_name_that_another_seat_keeps_is_refused(self):
        state = table_of("person", "person", "bot")
        happen(state, 1, Rename(name="ann"))
        refused = decide(state, 1, Rename(name="ann"), 60.0)
        assert refused == Refused("Another player here is called ann: choose another name.")
        assert decide(state, 1, Rename(name="ann 2"), 60.0) == Unchanged("scene")

    def test_a_name_is_not_changed_again_at_once(self):
        state = table_of("person", "bot")
        happen(state, 0, Rename(name="Zoe"), 10.0)
        assert "Not so fast" in decide(state, 0, Rename(name="Eve"), 10.0 + RENAME_SECONDS - 1).reason
        assert decide(state, 0, Rename(name="Eve"), 10.0 + RENAME_SECONDS) == Renamed(0, "Eve")

    def test_the_names_of_a_finished_game_stay(self):
        state = resigned("person", "person", "person", by=[0, 2], options=ALONE)
        assert state.over
        assert "the names stay" in decide(state, 1, Rename(name="Zoe"), 0.0).reason


class TestEqualNames:
    @pytest.mark.parametrize(
        ("others", "name", "shown"),
        [
            ([], "Guest", "Guest"),
            (["Ann"], "Guest", "Guest"),
            (["Guest"], "Guest", "Guest 2"),
            (["Guest", "Guest 2"], "guest", "guest 3"),
            (["Guest 2"], "Guest", "Guest"),
            (["x" * NAME_LENGTH], "x" * NAME_LENGTH, "x" * (NAME_LENGTH - 2) + " 2"),
            (["Ann ❤"], "ann ❤\ufe0f", "ann ❤\ufe0f 2"),
        ],
    )
    def test_the_later_one_has_a_number(self, others, name, shown):
        assert distinct_name(name, others) == shown

    @pytest.mark.parametrize(
        ("others", "shown", "entered"),
        [
            (["Ann"], "ann 2", "ann"),
            (["Ann", "Ann 2"], "Ann 3", "Ann"),
            (["Ann 2"], "Ann 2 2", "Ann 2"),
            (["Bo"], "Ann 2", "Ann 2"),
            (["Anna"], "Ann 2", "Ann 2"),
            (["Ann"], "Ann", "Ann"),
            (["x" * NAME_LENGTH], "x" * (NAME_LENGTH - 2) + " 2", "x" * NAME_LENGTH),
        ],
    )
    def test_are_known_without_the_number(self, others, shown, entered):
        assert entered_name(shown, others) == entered

    def test_the_bots_of_a_new_table_have_different_names_from_the_people(self, card_room):
        names = {"bot": "thumb", "name": "ann"}
        seats = [{"kind": "bot", **names}, {"kind": "you", "name": "Ann"}, {"kind": "bot", **names}]
        body = {"game": "tricky-tribes", "players": 3, "seats": seats}
        table = card_room.http.post("/api/tables", json=body).json()["table"]
        shown = card_room.http.get(f"/api/tables/{table}").json()["seats"]
        assert [seat["name"] for seat in shown] == ["ann 2", "Ann", "ann 3"]

    def test_people_who_sit_down_by_one_name_have_different_names_then(self, card_room):
        table = card_room.open("you", "open", "open", game="tricky-tribes", options={})
        for seat in (1, 2):
            body = {"seat": seat, "name": "Ann"}
            assert card_room.http.post(f"/api/tables/{table['table']}/seats", json=body).status_code == 201
        seats = card_room.http.get(f"/api/tables/{table['table']}").json()["seats"]
        assert [seat["name"] for seat in seats] == ["Ann", "Ann 2", "Ann 3"]


class TestAtTheTable:
    def test_everyone_sees_a_new_name_and_it_outlasts_a_restart(self, card_rooms):
        card_room = card_rooms()
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann, card_room.sit(table["table"]) as onlooker:
            ann.until(lambda scene: scene["legal"])
            onlooker.until_seen(ann.scene["seen"])
            ann.say(type="rename", name="Zoe")
            ann.until(lambda scene: scene["log"] == ["You are Zoe now."])
            onlooker.until(lambda scene: scene["log"] == ["Ann is Zoe now."])
            assert onlooker.about["seats"][0]["name"] == "Zoe"
            assert any(area["title"] == "Zoe" for area in onlooker.scene["areas"])
        card_room.stop()
        card_room = card_rooms()
        assert card_room.http.get(f"/api/tables/{table['table']}").json()["seats"][0]["name"] == "Zoe"
        card_room.stop()

    @pytest.mark.parametrize(("name", "reason"), [("x" * 10_000, "may not have more than 30"), (" \u200b", "a letter")])
    def test_a_name_has_the_limits_of_joining(self, card_room, name, reason):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.say(type="rename", name=name)
            assert reason in ann.hear_type("refused")["reason"]

    def test_a_name_that_cannot_be_stored_is_not_shown(self, card_room, monkeypatch):
        table = card_room.open("you", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.hear_type("scenes")
            monkeypatch.setattr(card_room.store, "rename_seat", lambda *values: no_room(values))
            ann.say(type="rename", name="Zoe")
            assert "could not be saved" in ann.hear_type("refused")["reason"]
            assert card_room.rooms[table["table"]].state.names[0] == "Ann"


class TestOnlookers:
    def test_players_see_the_number_of_onlookers_and_their_names(self, card_room):
        table = card_room.open("you", "open")
        with card_room.sit(table["table"], table["key"]) as ann:
            with card_room.sit(table["table"]) as first, card_room.sit(table["table"], hello=False) as second:
                second.say(type="hello", name="Zoe")
                wait_for(ann, number=2, names=["Zoe"])
                first.say(type="rename", name="Yan")
                wait_for(ann, number=2, names=["Yan", "Zoe"])
                with card_room.sit(table["table"], table["key"]) as again:
                    wait_for(again, number=2, names=["Yan", "Zoe"])
            wait_for(ann, number=0, names=[])
            assert not any('"onlookers"' in text for text in (*first.texts, *second.texts))

    def test_a_crowd_is_one_message_with_a_few_names(self):
        crowd = [Viewer(SPECTATOR, None, f"N{number:03}") for number in range(100)]
        message = onlookers_message([*crowd, Viewer(0)])
        assert (message.number, len(message.names)) == (100, MOST_NAMES)


def wait_for(player, **onlookers):
    """Read a player's messages until one shows these onlookers."""
    while player.hear_any() != {"type": "onlookers", **onlookers}:
        pass
