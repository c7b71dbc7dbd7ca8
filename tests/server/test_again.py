"""Another game after one against bots: with the same deal, or with bots one level up or down."""

import pytest

from parlour.engine.errors import ParlourError
from parlour.server.store.stored_table import StoredSeat
from parlour.server.table.again import levels_beside, table_again
from parlour.server.table.table_setup import PlayAgain
from tests.server.card_room import play_out
from tests.server.decided_tables import resigned
from tests.server.two_players import join

GAME = "trime-kicker"
KEY = "a-key-of-the-clients-own-make"


@pytest.fixture
def finished_table(card_room):
    """A finished game against a beginner."""
    table = card_room.open("you", "beginner", game=GAME, options={})
    with card_room.sit(table["table"], table["key"]) as ann:
        play_out(ann)
    return table


def play_again(card_room, table, what, **more):
    body = {"seat_key": table["key"], "what": what, **more}
    return card_room.http.post(f"/api/tables/{table['table']}/again", json=body)


class TestTheSameDealAgain:
    def test_has_the_same_cards_and_bots(self, card_room, finished_table):
        new = play_again(card_room, finished_table, "deal").json()
        assert (new["seat"], new["commitment"]) == (0, finished_table["commitment"])
        assert new["table"] != finished_table["table"]
        with card_room.sit(new["table"], new["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            old, copy = (card_room.store.load(each["table"]) for each in (finished_table, new))
            assert copy.events[0] == old.events[0]
            assert copy.seats[1] == old.seats[1]

    def test_is_one_table_for_a_repeated_request(self, card_room, finished_table):
        answers = [play_again(card_room, finished_table, "deal", key=KEY) for _ in range(2)]
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.text for answer in answers}) == 1
        assert play_again(card_room, finished_table, "level", key=KEY).status_code == 409


class TestOneLevelUp:
    def test_has_stronger_bots_and_another_deal(self, card_room, finished_table):
        new = play_again(card_room, finished_table, "level").json()
        assert card_room.store.load(new["table"]).seats[1].bot == "casual"
        assert new["commitment"] != finished_table["commitment"]


class TestOneLevelDown:
    def test_has_weaker_bots_and_the_level_down_of_stronger_ones_is_the_first(self, card_room, finished_table):
        higher = play_again(card_room, finished_table, "level").json()
        with card_room.sit(higher["table"], higher["key"]) as ann:
            ann.until(lambda scene: scene["legal"])
            ann.say(type="resign")
            ann.until(lambda scene: scene["over"])
        lower = play_again(card_room, higher, "lower").json()
        assert card_room.store.load(lower["table"]).seats[1].bot == "beginner"


class TestTheLevelsBeside:
    @pytest.mark.parametrize(
        ("bots", "levels"),
        [
            (["beginner"], {"level": "casual", "lower": None}),
            (["master", "regular"], {"level": "master", "lower": "expert"}),
            (["master", "thumb"], {"level": None, "lower": "expert"}),
            (["random"], {"level": None, "lower": None}),
        ],
    )
    def test_are_those_of_the_strongest_bot(self, bots, levels):
        assert levels_beside(against(bots), "key of Ann") == levels

    def test_are_sent_to_the_player_whose_game_is_over(self, card_room, finished_table):
        address = f"/api/tables/{finished_table['table']}/again"
        answer = card_room.http.get(address, headers={"Authorization": f"Bearer {finished_table['key']}"})
        assert answer.json() == {"level": "casual", "lower": None}
        assert card_room.http.get(address).status_code == 409


def against(bots):
    """Return the state of a game over by resignation against these bots."""
    state = resigned("person", *["bot"] * len(bots), by=[0], options={"rounds": 1})
    for seat, bot in enumerate(bots, 1):
        state.seats[seat] = StoredSeat("Bot", bot)
    return state


class TestRefusals:
    def test_an_unfinished_game_is_not_repeated(self, card_room):
        answer = play_again(card_room, card_room.open("you", "thumb", game=GAME, options={}), "deal")
        assert (answer.status_code, answer.json()) == (409, {"error": "the game is not over"})

    @pytest.mark.parametrize(
        ("bots", "what", "error"),
        [
            (["master", "random"], "level", "there are no stronger bots"),
            (["beginner"], "lower", "there are no weaker bots"),
            (["thumb"], "level", "these bots have no level: choose the bots of a new table"),
        ],
    )
    def test_no_level_is_beyond_the_last_ones_or_for_bots_without_one(self, bots, what, error):
        with pytest.raises(ParlourError, match=f"^{error}$"):
            table_again(against(bots), PlayAgain(seat_key="key of Ann", what=what), "k" * 32, "5e" * 32)

    def test_a_wrong_key_or_a_table_of_people_is_refused(self, card_room, finished_table):
        forged = {**finished_table, "key": "wrong"}
        friends = card_room.open("you", "open", game=GAME, options={})
        join(card_room, friends)
        for table in (forged, friends):
            answer = play_again(card_room, table, "deal")
            assert (answer.status_code, "alone with bots" in answer.json()["error"]) == (409, True)
