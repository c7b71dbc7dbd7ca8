"""The tables of a club night when their round is closed: what their players are shown."""

import pytest

from parlour.server.table.audience import CUT_OFF
from tests.server.card_room import play_out, wait_until
from tests.server.club_host import Host


def sealed(player):
    return player.about["club"]["sealed"]


class TestTheTablesOfAClosedRound:
    @pytest.fixture
    def host(self, card_room):
        host = Host(card_room, 2, rounds=2)
        host.begin()
        return host

    def test_say_at_once_that_a_game_no_longer_counts(self, card_room, host):
        one, two = host.visitors
        (table, _) = host.tables(one, 1)
        with card_room.sit(table, one.key) as first, card_room.sit(table, two.key) as second:
            for player in (first, second):
                player.until(lambda scene: True)
                assert player.about["club"] == {"id": host.id, "round": 1, "deal": 0, "counts": True, "sealed": True}
            assert host.post("close", key=host.key, round=1).status_code == 200
            for player in (first, second):
                player.until(lambda scene: CUT_OFF in scene["log"])
                assert player.about["club"] == {"id": host.id, "round": 1, "deal": 0, "counts": False, "sealed": False}
        info = card_room.http.get(f"/api/tables/{table}").json()
        assert info["club"] == {"id": host.id, "round": 1, "deal": 0, "counts": False, "sealed": False}
        listed = {each["table"]: each["club"] for each in one.games()}
        assert listed[table] == info["club"]

    def test_are_unsealed_for_those_who_still_look_at_a_game_that_counted(self, card_room, host):
        one = host.visitors[0]
        table, other = host.tables(one, 1)
        host.resign(one, table)
        with card_room.sit(table, one.key) as player:
            player.until(lambda scene: scene["over"])
            assert sealed(player)
            host.resign(one, other)
            while sealed(player):
                player.hear_type("table")
            player.hear()
            assert player.about["club"]["counts"]
            assert CUT_OFF not in player.log

    def test_of_the_next_round_stay_sealed(self, card_room, host):
        one = host.visitors[0]
        assert host.post("close", key=host.key, round=1).status_code == 200
        before, after = host.tables(one, 1)[0], host.tables(one, 2)[0]
        with card_room.sit(before, one.key) as player:
            player.until(lambda scene: True)
            assert not sealed(player)
        with card_room.sit(after, one.key) as player:
            player.until(lambda scene: True)
            assert sealed(player)


class TestTheResultsOfAClosedRound:
    def test_have_the_points_of_the_games(self, card_room):
        host = Host(card_room, 2, rounds=1)
        host.begin()
        one, two = host.visitors
        table, other = host.tables(one, 1)
        with card_room.sit(table, one.key) as first, card_room.sit(table, two.key) as second:
            play_out(first, second)
        host.resign(one, other)
        wait_until(lambda: host.read()["closed"] == 1)
        scores = [each["score"] for each in (*one.games(), *two.games()) if each["table"] == table]
        points = [each["points"] for each in host.read()["games"] if each["table"] == table]
        assert points == [[score["points"] for score in scores]]
        assert any(points[0])
