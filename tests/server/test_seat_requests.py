"""Requests for open seats and, in a running game, for bots' seats."""

import pytest

from parlour.server.store.stored_table import StoredSeat
from parlour.server.table.commands import Act
from parlour.server.table.outcomes import SeatTaken
from parlour.server.table.people.keys import key_hash, new_key
from parlour.server.table.room import Room
from parlour.server.table.state import apply
from parlour.server.table.viewers import Viewer
from tests.server.card_room import play_out
from tests.server.two_players import join

pytestmark = pytest.mark.slow

CY, DI = (f"{name}-has-made-this-key-itself" for name in ("cy", "di"))
BOT = 2
"""The seat of the bot that can be requested."""


def sit_down(card_room, table, seat=BOT, name="Cy", key=CY):
    wanted = {"seat": seat, "name": name, **({"key": key} if key else {})}
    return card_room.http.post(f"/api/tables/{table}/seats", json=wanted)


@pytest.fixture
def trio(card_room):
    """Return Ann and Bo, who play with a bot whose seat can be requested, and the table."""
    table = card_room.open("you", "open", "thumb", take_over=True)
    key = join(card_room, table)
    with card_room.sit(table["table"], table["key"]) as ann, card_room.sit(table["table"], key) as bo:
        for player in (ann, bo):
            player.until_company(lambda company: company["there"] == [0, 1])
        ann.key, bo.key = table["key"], key
        yield ann, bo, table["table"]


def seat_request_of(player):
    return player.until_company(lambda company: company["seat_request"])["seat_request"]


def until_waiting(player, seats):
    """Read messages until the consent of exactly these seats is missing."""
    return player.until_company(lambda company: company["seat_request"] and company["seat_request"]["waiting"] == seats)


class TestRepetition:
    def test_a_seat_taken_twice_with_one_key_is_one_seat(self, card_room):
        table = card_room.open("you", "open")["table"]
        answers = [sit_down(card_room, table, 1) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [201, 201]
        assert answers[0].json() == answers[1].json() == {"table": table, "seat": 1, "key": CY}
        assert sit_down(card_room, table, 1, key=DI).status_code == 409

    def test_a_seat_taken_twice_with_one_key_is_one_seat_after_a_restart(self, card_rooms):
        card_room = card_rooms()
        table = card_room.open("you", "open")["table"]
        sit_down(card_room, table, 1)
        card_room.stop()
        card_room = card_rooms()
        assert sit_down(card_room, table, 1).status_code == 201
        assert sit_down(card_room, table, 1, key=DI).status_code == 409

    def test_one_key_opens_one_seat(self, card_room):
        table = card_room.open("you", "open", "open")["table"]
        sit_down(card_room, table, 1)
        assert "opens another seat" in sit_down(card_room, table, 2).json()["error"]

    @pytest.mark.parametrize("key", ["short", "x" * 101, "not/allowed+in-an-address=", 7])
    def test_a_key_that_could_be_guessed_or_is_none_is_refused(self, card_room, key):
        assert sit_down(card_room, card_room.open("you", "open")["table"], 1, key=key).status_code == 422


class TestBotsSeats:
    def test_it_is_taken_over_when_everyone_has_agreed(self, card_room, trio):
        ann, bo, table = trio
        assert ann.about["take_over"]
        for _ in range(2):  # asked again, nothing changes
            answer = sit_down(card_room, table)
            assert (answer.status_code, answer.json()) == (202, {"table": table, "seat": BOT, "waiting": [0, 1]})
        for player, still in ((ann, [1]), (bo, [])):
            request = seat_request_of(player)
            assert (request["name"], request["seat"]) == ("Cy", BOT)
            player.say(type="allow", id=request["id"], yes=True)
            until_waiting(ann, still)
        assert card_room.http.get(f"/api/tables/{table}").json()["seats"][BOT]["kind"] == "bot"
        answer = sit_down(card_room, table)
        assert (answer.status_code, answer.json()["key"]) == (201, CY)
        for player in (ann, bo):
            while player.hear_type("table")["seats"][BOT]["name"] != "Cy":
                pass
            player.until(lambda scene: scene["log"] == ["Cy takes the seat of Bot 2."])
            assert player.log[-1] == "Cy takes the seat of Bot 2."
            player.until_company(lambda company: company["seat_request"] is None)
        with card_room.sit(table, CY) as cy:
            play_out(ann, bo, cy)
            assert cy.scene["seat"] == BOT
        assert sit_down(card_room, table).status_code == 201  # as after a lost answer

    def test_one_refusal_denies_it(self, card_room, trio):
        ann, bo, table = trio
        sit_down(card_room, table)
        ann.say(type="allow", id=seat_request_of(ann)["id"], yes=True)
        bo.say(type="allow", id=seat_request_of(bo)["id"], yes=False)
        ann.until_company(lambda company: company["seat_request"] is None)
        answer = sit_down(card_room, table)
        assert answer.status_code == 409
        assert "rather have the bot" in answer.json()["error"]
        assert "Somebody has just asked" in sit_down(card_room, table, key=DI).json()["error"]
        assert card_room.http.get(f"/api/tables/{table}").json()["seats"][BOT]["kind"] == "bot"

    def test_a_player_gets_no_second_seat_and_other_answers_have_no_effect(self, card_room, trio):
        ann, bo, table = trio
        assert sit_down(card_room, table, key=ann.key).status_code == 409
        sit_down(card_room, table)
        request = seat_request_of(ann)
        with card_room.sit(table) as spectator:
            for player, number in ((spectator, request["id"]), (ann, "another"), (ann, request["id"])):
                player.say(type="allow", id=number, yes=True)
        until_waiting(bo, [1])
        assert sit_down(card_room, table, key=DI).status_code == 409
        assert sit_down(card_room, table).json()["waiting"] == [1]

    def test_disconnected_players_do_not_agree_and_two_connected_ones_are_needed(self, card_room):
        table = card_room.open("you", "open", "open", "thumb", take_over=True)
        keys = [table["key"], join(card_room, table), sit_down(card_room, table["table"], 2, "Eve", DI).json()["key"]]
        players = [card_room.sit(table["table"], key) for key in keys]
        ann = players[0]
        ann.until_company(lambda company: company["there"] == [0, 1, 2])
        assert sit_down(card_room, table["table"], 3).json()["waiting"] == [0, 1, 2]
        players[2].socket.close()
        ann.until_company(lambda company: company["there"] == [0, 1])
        for player, still in ((players[1], [0, 2]), (ann, [2])):
            player.say(type="allow", id=ann.company["seat_request"]["id"], yes=True)
            until_waiting(ann, still)
        assert sit_down(card_room, table["table"], 3).json()["waiting"] == [2]
        players[1].socket.close()
        ann.until_company(lambda company: company["there"] == [0])
        answer = sit_down(card_room, table["table"], 3)
        assert answer.status_code == 409
        assert "present to agree" in answer.json()["error"]
        ann.socket.close()

    def test_an_unanswered_request_lapses(self, card_room, trio):
        ann, _, table = trio
        sit_down(card_room, table)
        request = seat_request_of(ann)
        later = card_room.rooms[table].state.requests.open.until + 1
        card_room.config.app.state.rooms.services.now = lambda: later
        ann.say(type="allow", id=request["id"], yes=True)
        ann.until_company(lambda company: company["seat_request"] is None)
        assert sit_down(card_room, table, key=DI).json()["waiting"] == [0, 1]
        assert seat_request_of(ann)["id"] != request["id"]

    @pytest.mark.parametrize(
        ("seats", "manners", "why"),
        [
            (("you", "open", "thumb"), {}, "Bots keep their seats"),
            (("you", "open", "thumb"), {"take_over": False}, "Bots keep their seats"),
            (("you", "thumb", "thumb"), {"take_over": True}, "fewer than two people"),
        ],
    )
    def test_bots_keep_their_seats_by_agreement_and_against_a_single_player(self, card_room, seats, manners, why):
        table = card_room.open(*seats, **manners)
        if "open" in seats:
            join(card_room, table)
        with card_room.sit(table["table"], table["key"]) as ann:
            ann.until(lambda scene: scene["legal"] or scene["actor"] == 1)
            assert not card_room.http.get(f"/api/tables/{table['table']}").json()["take_over"]
            for key in (CY, None):
                answer = sit_down(card_room, table["table"], key=key)
                assert answer.status_code == 409
                assert why in answer.json()["error"]

    def test_a_request_needs_a_key_of_the_clients_own(self, card_room, trio):
        ann, _, table = trio
        assert "a key of your own" in sit_down(card_room, table, key=None).json()["error"]
        assert ann.company["seat_request"] is None

    def test_before_the_game_anyone_can_take_it(self, card_room):
        table = card_room.open("you", "open", "thumb")["table"]
        assert sit_down(card_room, table).status_code == 201

    def test_after_the_game_the_seat_is_closed(self, card_room, trio):
        ann, bo, table = trio
        assert sit_down(card_room, table).status_code == 202
        play_out(ann, bo)
        for player in (ann, bo):  # and no seat is asked any more
            player.until_company(lambda company: company["seat_request"] is None)
        assert not card_room.http.get(f"/api/tables/{table}").json()["take_over"]
        assert sit_down(card_room, table).status_code == 409


class TestPendingDecisions:
    """A bot's pending decision is dropped when a person has taken the bot's seat."""

    @pytest.fixture
    def taken(self, monkeypatch, acts):
        """Let a person take the seat of bot 1 at its first decision, and act there if ``acts``.

        Return a list, which then has the person's key.
        """
        add_automatic, key, taken = Room.add_automatic, new_key(), []

        async def taken_meanwhile(room, event, seen):
            if event.by == 1 and not taken:
                bo = StoredSeat("Bo", None, key_hash(key))
                apply(room.state, SeatTaken(1, bo, room.state.seats[1]), 0.0)
                room.audience.show_seats(lambda seat: ())
                if acts:
                    await room.handle(Viewer(1), Act(do=event.do, seen=room.state.seen))
                taken.append(key)
            await add_automatic(room, event, seen)

        monkeypatch.setattr(Room, "add_automatic", taken_meanwhile)
        return taken

    @pytest.mark.parametrize("acts", [False, True])
    def test_it_has_no_effect(self, card_room, taken, acts):
        table = card_room.open("you", "thumb", "thumb")
        with card_room.sit(table["table"], table["key"]) as ann:
            while not taken:
                ann.until(lambda scene: scene["legal"] or taken)
                if not taken:
                    ann.do(ann.scene["legal"][0])
                    ann.hear_type("scenes")
            with card_room.sit(table["table"], taken[0]) as bo:
                if not acts:
                    assert bo.until(lambda scene: scene["legal"])["actor"] == 1
                play_out(ann, bo)
