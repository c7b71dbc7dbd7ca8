"""The name of a player without an account: the one that the player chose last."""

import pytest

from parlour.server.http.document.page_files import PAGE
from parlour.server.store.people.guest_names import GUEST
from tests.server.card_room import play_out
from tests.server.two_players import join
from tests.server.visitors import GAME, Visitor


@pytest.fixture
def room(card_room):
    return card_room


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
class TestAPlayer:
    def test_has_the_name_of_the_seat_that_was_linked_last(self, room):
        ann = Visitor(room)
        tables = [room.open("you", "open", game=GAME, options={}) for _ in range(2)]
        for table, name in zip(tables, ("Annie", "Anna"), strict=True):
            table["key"] = join(room, table, name)
        for table in (*tables, tables[0]):
            ann.link(table)
        assert ann.get().json()["name"] == "Anna", "a repeated link changes nothing"

    def test_keeps_the_name_when_the_games_of_another_device_are_carried_over(self, room):
        rita, other = Visitor(room), Visitor(room)
        tables = [room.open("you", "open", game=GAME, options={}) for _ in range(2)]
        for visitor, table, name in ((rita, tables[0], "Rita"), (other, tables[1], "Bo")):
            table["key"] = join(room, table, name)
            visitor.link(table)
        assert rita.link(tables[1]).status_code == 200
        assert (rita.get().json()["name"], other.get().json()["name"]) == ("Rita", "Bo")

    def test_has_the_entered_name_without_the_number_that_it_has_at_a_table(self, room):
        rita, names = Visitor(room), []
        for name in ("Rita", "ann", "Bo 2"):  # the opener is Ann
            table = room.open("you", "open", game=GAME, options={})
            rita.link(table, join(room, table, name))
            shown = room.http.get(f"/api/tables/{table['table']}").json()["seats"][1]["name"]
            names.append((shown, rita.get().json()["name"]))
        assert names == [("Rita", "Rita"), ("ann 2", "ann"), ("Bo 2", "Bo 2")]

    def test_keeps_the_name_when_an_old_game_is_linked(self, room):
        rita = Visitor(room)
        begun, fresh = (room.open("you", "open", game=GAME, options={}) for _ in range(2))
        keys = [join(room, table, name) for table, name in ((begun, "Bo"), (fresh, "Rita"))]
        with room.sit(begun["table"], begun["key"]) as ann, room.sit(begun["table"], keys[0]) as bo:
            play_out(ann, bo)
        for table, key in ((fresh, keys[1]), (begun, keys[0])):
            rita.link(table, key)
        assert rita.get().json()["name"] == "Rita"

    @pytest.mark.parametrize("guest", ["Guest", "Gast", "Invité", "Visitante", "Vieras", "Guest 2"])
    def test_has_no_name_as_a_guest_and_keeps_one_that_was_chosen(self, room, guest):
        ann = Visitor(room)
        names = []
        for name in (guest, "Rita", guest):
            table = room.open("you", "open", game=GAME, options={})
            ann.link(table, join(room, table, name))
            names.append(ann.get().json()["name"])
        assert names == ["", "Rita", "Rita"]


class TestTheNameOfAGuest:
    def test_is_the_one_that_the_page_gives(self):
        assert f'defaultName: gettext("{GUEST}")' in (PAGE / "js/common/texts.js").read_text("utf-8")
