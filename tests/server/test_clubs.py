"""Club nights: pairings, scores by comparison, the course of a club night, and the secrecy of its deals."""

import json
import secrets
from collections import Counter
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import pytest

from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.server.http.access import shared_counters
from parlour.server.http.access.limits import Limits
from parlour.server.http.access.rate import Rate
from parlour.server.http.clubs import club_night_json
from parlour.server.process.settings import Settings
from parlour.server.store.database import TABLES
from parlour.server.store.people import clubs
from parlour.server.store.people.clubs import BOT, Club, ClubGame, ClubNight, ClubPlayer, ClubResult
from parlour.server.store.people.player_tables import RATED_SEATS
from parlour.server.table.clubs.club_nights import ClubNights, result_of
from parlour.server.table.clubs.pairings import circle_pairs, pairs_of, swiss_pairs
from parlour.server.table.clubs.scores import scores_of, standings
from tests.server.card_room import CardRoom, wait_until
from tests.server.club_host import GAME, Host
from tests.server.decided_tables import resigned


def game(board, won, ahead=(0, 0), seats=(0, 1), number=1, deal=0):
    return ClubGame(number, board, deal, f"{number} {board} {deal}", seats, ClubResult(won, ahead))


def club_night_of(players, games=(), system="swiss", begun=0, closed=0):
    club = Club("c", "", GAME, {}, system, 9, "casual", begun, closed)
    return ClubNight(club, [ClubPlayer(number, f"key {number}", f"P{number}") for number in range(players)], games)


class TestEveryoneWithEveryone:
    @pytest.mark.parametrize("players", [2, 3, 6, 7])
    def test_each_two_meet_once(self, players):
        rounds = players - 1 + players % 2
        pairs = [frozenset(pair) for turn in range(rounds) for pair in circle_pairs(range(players), turn)]
        circle = {*range(players), *([BOT] if players % 2 else [])}
        assert sorted(map(sorted, pairs)) == sorted([one, two] for one in circle for two in circle if one < two)

    def test_a_player_who_was_forgotten_is_replaced_by_a_bot(self):
        night = club_night_of(4, system="all")
        gone = [*night.players[:3], ClubPlayer(3, "", "")]
        assert pairs_of(ClubNight(night.club, gone, ()), ()) == [(0, BOT), (1, 2)]

    def test_two_players_who_were_forgotten_have_no_game(self):
        night = club_night_of(4, system="all")
        gone = [ClubPlayer(each.number, "", "") if each.number in (0, 3) else each for each in night.players]
        assert pairs_of(replace(night, players=gone), ()) == [(1, 2)]


class TestSwiss:
    def test_pairs_neighbours_who_have_not_met(self):
        assert swiss_pairs([0, 1, 2, 3], meetings((0, 1))) == [(0, 2), (1, 3)]

    def test_searches_further_if_the_last_two_have_met(self):
        assert swiss_pairs([0, 1, 2, 3], meetings((2, 3), (0, 2))) == [(0, 3), (1, 2)]

    def test_lets_neighbours_meet_again_if_all_have_met(self):
        assert swiss_pairs([1, 0], meetings((0, 1))) == [(1, 0)]

    def test_repeats_as_few_meetings_as_possible(self):
        met = meetings((0, 1), (0, 2), (0, 3), (4, 5))
        assert swiss_pairs([0, 1, 2, 3, 4, 5], meetings((0, 4), (0, 5)) + met) == [(0, 1), (2, 4), (3, 5)]
        assert swiss_pairs([0, 1, 2, 3], meetings((0, 1), (0, 1), (0, 2), (0, 3))) == [(0, 2), (1, 3)]

    def test_gives_the_bot_to_another_player_if_the_others_would_meet_again(self):
        assert swiss_pairs([0, 1, 2], meetings((0, 1))) == [(0, 2), (1, BOT)]

    def test_gives_the_bot_to_the_last_player_who_has_not_had_it(self):
        assert swiss_pairs([0, 1, 2], meetings((2, BOT))) == [(0, 2), (1, BOT)]


class TestSwissWithForgottenPlayers:
    """Players who were forgotten have no place in a round: those who are left play each other."""

    @staticmethod
    def pairs(players, gone, ranking=None, met=()):
        played = [game(board, (1, 0), seats=seats) for board, seats in enumerate(met)]
        night = club_night_of(players, played)
        left = [ClubPlayer(each.number, "", "") if each.number in gone else each for each in night.players]
        return pairs_of(replace(night, players=left), ranking or range(players))

    @pytest.mark.parametrize("players", [2, 3, 6, 7])
    @pytest.mark.parametrize("number", range(7))
    def test_at_most_one_player_who_is_left_plays_a_bot(self, players, number):
        for gone in combinations(range(players), min(number, players)):
            pairs = self.pairs(players, gone)
            left = [each for each in range(players) if each not in gone]
            assert sorted(each for pair in pairs for each in pair if each != BOT) == left
            assert [each for pair in pairs for each in pair].count(BOT) == len(left) % 2

    def test_those_who_are_left_are_paired_by_their_standings_and_their_meetings(self):
        assert self.pairs(6, {1, 3}) == [(0, 2), (4, 5)]
        assert self.pairs(6, {1, 3}, ranking=[5, 3, 0, 2, 1, 4]) == [(5, 0), (2, 4)]
        assert self.pairs(6, {1, 3}, met=[(0, 2), (4, 5), (1, 3)]) == [(0, 4), (2, 5)]

    def test_a_player_who_has_played_a_bot_plays_none_while_another_has_not(self):
        assert self.pairs(4, {1}) == [(0, 2), (3, BOT)]
        assert self.pairs(4, {1}, met=[(3, BOT), (0, 1)]) == [(0, 3), (2, BOT)]
        assert self.pairs(4, {1}, met=[(0, 1), (2, 3)]) == [(0, 2), (3, BOT)]


def meetings(*pairs):
    return Counter(map(frozenset, pairs))


class TestScores:
    def test_a_seat_is_compared_with_the_same_cards_at_other_boards(self):
        games = [game(0, (1, 0), (9, -9)), game(1, (1, 0), (4, -4)), game(2, (0, 1), (-2, 2))]
        assert list(scores_of(games, 0).values()) == [1.0, 0.5, 0.0]
        assert list(scores_of(games, 1).values()) == [0.0, 0.5, 1.0]

    def test_equal_results_count_half(self):
        games = [game(board, (1, 0), (3, -3)) for board in range(3)]
        assert list(scores_of(games, 1).values()) == [0.5] * 3

    def test_one_board_scores_a_win(self):
        one = game(0, (0.5, 0.5))
        assert scores_of([one], 0) == {one.table: 0.5}
        gone = game(0, (-1, 1))
        assert [scores_of([gone], seat)[gone.table] for seat in (0, 1)] == [0, 1]

    def test_a_resignation_is_below_every_defeat(self):
        games = [game(0, (-1, 1), (5, -5)), game(1, (0, 1), (-40, 40))]
        assert list(scores_of(games, 0).values()) == [0.0, 1.0]

    def test_an_unfinished_game_counts_for_neither(self):
        games = [game(0, ()), game(1, (0, 1))]
        assert scores_of(games, 0) == {games[1].table: 0}

    def test_the_standings_have_closed_rounds_only_and_equal_players_share_a_rank(self):
        games = [game(0, (1, 0)), game(0, (0.5, 0.5), seats=(2, BOT), number=2)]
        assert [(each.number, each.rank, each.score) for each in standings(club_night_of(3, games), 1)] == [
            (0, 1, 1.0),
            (1, 2, 0.0),
            (2, 2, 0.0),
        ]

    def test_a_win_by_resignation_is_above_every_other_win(self):
        state = resigned("person", "person", by=[1])
        result = result_of(state.match, state.seats, state.resigned)
        games = [game(0, result.won, result.ahead), game(1, (1, 0), (500, -500))]
        assert result.won == [1.0, -1.0]
        assert list(scores_of(games, 0).values()) == [1.0, 0.0]


class TestAClubNight:
    @pytest.fixture(params=["sqlite", "postgresql"])
    def kind(self, request):
        return request.param

    def test_goes_from_round_to_round_and_keeps_its_results(self, card_rooms):
        room = card_rooms()
        host = Host(room, 3)
        assert room.http.post("/api/club", json=host.order).json() == {"club": host.id}
        host.begin()
        host.begin()
        one, two, three = host.visitors
        assert len(host.read()["games"]) == 4
        tables = host.tables(one, 1)
        assert len(tables) == 2
        for table in tables:
            host.resign(one, table)
        assert host.read()["closed"] == 0
        for table in host.tables(three, 1):
            host.resign(three, table)
        wait_until(lambda: host.read()["begun"] == 2)
        standing = host.read()["standings"]
        assert [(each["number"], each["won"]) for each in standing] == [(1, 2), (0, 0), (2, 0)]
        assert len(two.games()) == 4
        for visitor in (one, two):
            for table in host.tables(visitor, 2):
                if not room.http.get(f"/api/tables/{table}").json()["over"]:
                    host.resign(visitor, table)
        for table in host.tables(three, 2):
            if not room.http.get(f"/api/tables/{table}").json()["over"]:
                host.resign(three, table)
        wait_until(lambda: host.read()["closed"] == 2)
        kept = host.read()
        room.stop()
        host.room = card_rooms()
        assert host.read() == kept
        later = host.room.http.get(f"/api/club/{host.id}?known=1").json()
        assert later["games"] == [each for each in kept["games"] if each["round"] == 2]
        assert all(each["table"] and each["over"] for each in kept["games"])

    def test_goes_on_without_unfinished_games_if_the_host_says_so(self, card_rooms, monkeypatch):
        room = card_rooms()
        host = Host(room, 2, system="all")
        host.begin()
        first, second = host.tables(host.visitors[0], 1)
        with monkeypatch.context() as patch:
            patch.setattr(ClubNights, "note_over", lambda club_nights, state: None)  # as if the server was killed then
            host.resign(host.visitors[0], first)
        assert not any(each["over"] for each in host.read()["games"])
        assert host.post("close", key="forged", round=1).json() == {
            "error": "only the host of this club night can do that"
        }
        for _ in range(2):
            assert host.post("close", key=host.key, round=1).status_code == 200
        night = host.read()
        assert (night["begun"], night["closed"], night["rounds"]) == (1, 1, 1)
        assert [each["won"] for each in night["games"]] == [[-1.0, 1.0], []]
        assert [each["points"] for each in night["games"]] == [[0, 0], None]
        host.resign(host.visitors[1], second)
        wait_until(lambda: all(each["score"] for each in host.visitors[1].games()))
        assert host.read() == night
        assert [each["games"] for each in host.visitors[1].get("/ratings").json()["ratings"]] == [1]

    def test_has_no_place_for_a_player_who_was_forgotten_before_it_began(self, card_rooms):
        host = Host(card_rooms(), 3, system="all")
        host.visitors[1].forget()
        host.begin()
        night = host.read()
        assert [each["number"] for each in night["players"]] == [0, 2]
        assert [each["seats"] for each in night["games"]] == [[0, 2], [2, 0]]
        assert night["rounds"] == 1

    def test_is_over_when_all_its_players_have_been_forgotten(self, card_rooms):
        host = Host(card_rooms(), 2, rounds=3)
        host.begin()
        for visitor in host.visitors:
            visitor.forget()
        assert host.post("close", key=host.key, round=1).status_code == 200
        night = host.read()
        assert (night["begun"], night["closed"], night["rounds"]) == (1, 1, 1)

    def test_goes_on_without_a_damaged_game_if_the_host_says_so(self, card_rooms):
        room = card_rooms()
        host = Host(room, 2, system="all")
        host.begin()
        damaged, _ = host.tables(host.visitors[0], 1)
        broken = TABLES.update().where(TABLES.c.id == damaged).values(options="{")
        room.store.write(lambda connection: connection.execute(broken))
        assert host.post("close", key=host.key, round=1).status_code == 200
        assert host.read()["closed"] == 1


class TestAClubNightWithOtherOptions:
    def test_is_not_rated_and_has_neither_hints_nor_undo(self, card_room):
        host = Host(card_room, 3, rounds=1, game="three-tricks", options={"stall_turns": 1})
        host.begin()
        one = host.visitors[2]  # whose games are against a bot
        mine = host.tables(one, 1)[0]
        with card_room.sit(mine, one.key) as player:
            info = player.hear_type("table")
            assert (info["hints"], info["manners"]["rated"], info["seats"][0]["rating"]) == (False, False, None)
            player.until(lambda scene: True)
            player.say(type="hint")
            assert player.hear_type("refused")["reason"].startswith("Hints are off at this table")
        assert not card_room.rooms[mine].state.allows_undo
        assert card_room.store.read(lambda connection: connection.execute(RATED_SEATS.select()).all()) == []


class TestTheDeals:
    def test_are_the_same_at_all_boards_and_sealed_until_the_round_is_over(self, card_room):
        host = Host(card_room, 4, rounds=1)
        host.begin()
        one, _, three, _ = host.visitors
        games = {each["board"]: each["table"] for each in host.read(one)["games"] if each["table"] and not each["deal"]}
        (mine,) = games.values()
        info = card_room.http.get(f"/api/tables/{mine}").json()
        (other,) = [each["table"] for each in host.read(three)["games"] if each["table"] and not each["deal"]]
        assert card_room.http.get(f"/api/tables/{other}").json()["commitment"] == info["commitment"]
        assert info["club"] == {"id": host.id, "round": 1, "deal": 0, "counts": True, "sealed": True}
        assert (info["hints"], info["manners"]["rated"]) == (False, True)
        with card_room.sit(mine, one.key) as player:
            player.say(type="rename", name="P1")
            assert "change your name on the page of the club night" in player.hear_type("refused")["reason"]
        host.resign(one, mine)
        for path in ("record", "replay?view=all", "replay?view=spectator", "review"):
            answer = card_room.http.get(f"/api/tables/{mine}/{path}")
            assert answer.status_code == 409, path
            assert answer.json()["error"].startswith(
                ("others still play these cards", "a game that ended by resignation")
            )
        assert one.get("/records").json()["records"] == []
        listed = {each["table"]: each["club"] for each in one.get("").json()["games"]}
        assert listed[mine] == info["club"]
        with card_room.sit(mine) as onlooker:
            assert onlooker.close_code() == 4411
        with card_room.sit(mine, three.key) as onlooker:
            assert onlooker.close_code() == 4403
        for visitor in (one, three):
            for table in host.tables(visitor, 1):
                if table != mine:
                    host.resign(visitor, table)
        wait_until(lambda: host.read()["closed"] == 1)
        assert card_room.http.get(f"/api/tables/{mine}/record").status_code == 200
        assert not any(each["club"]["sealed"] for each in one.get("").json()["games"])

    def test_show_no_results_and_no_tables_of_others_while_the_round_goes_on(self, card_room):
        host = Host(card_room, 4, rounds=1)
        host.begin()
        one = host.visitors[0]
        host.resign(one, host.tables(one, 1)[0])
        wait_until(lambda: any(each["over"] for each in host.read()["games"]))
        night = host.read()
        assert {each["table"] for each in night["games"]} == {None}
        assert {each["won"] for each in night["games"]} == {None}
        assert {score for each in night["games"] for score in each["scores"]} == {None}
        assert {each["score"] for each in night["standings"]} == {0}


class TestAClubNightOfAGameThatWasRemoved:
    def test_is_shown_with_the_id_of_the_game(self):
        night = club_night_of(2)
        removed = ClubNight(replace(night.club, game="no-such-game"), night.players, ())
        assert club_night_json(removed, None, 0)["title"] == "no-such-game"


class TestTheAnswerToAVisitor:
    @pytest.mark.parametrize(("points", "shown"), [((7, 3), [7, 3]), ((), None)])
    def test_visitors_read_the_points_of_closed_rounds_unless_they_were_stored_without(self, points, shown):
        played = replace(game(0, (1, 0)), result=ClubResult((1, 0), (4, -4), points))
        for closed, expected in [(1, shown), (0, None)]:
            night = club_night_of(2, [played], begun=1, closed=closed)
            assert club_night_json(night, None, 0)["games"][0]["points"] == expected

    def test_results_with_a_key_of_a_later_program_are_read(self):
        stored = {"won": [1, 0], "ahead": [4, -4], "points": [7, 3], "seconds": 60}
        row = SimpleNamespace(round=1, board=0, deal=0, table_id="t", first=0, second=1, result=json.dumps(stored))
        assert clubs._game_of(row).result == ClubResult([1, 0], [4, -4], [7, 3])

    def test_visitors_read_the_options_that_differ_from_the_usual_ones(self, card_room):
        options = {**Setup(find_game(GAME), 2).options, "judge": "leader"}
        opening = {"game": GAME, "options": options, "system": "all", "bot": "casual", "key": secrets.token_hex(11)}
        club = card_room.http.post("/api/club", json=opening).json()["club"]
        assert card_room.http.get(f"/api/club/{club}").json()["options"] == {"judge": "leader"}


class TestTheLimitOfRounds:
    BURST = 8

    @pytest.fixture
    def seconds(self, monkeypatch):
        """The time of the limits, in seconds; it stands still."""
        now = [1000.0]
        monkeypatch.setattr(shared_counters, "time", SimpleNamespace(monotonic=lambda: now[0]))
        return now

    @pytest.fixture
    def room(self, tmp_path, monkeypatch, seconds):
        monkeypatch.setattr("parlour.server.process.settings.ADDRESS_RATES", {"tables": Rate(0.2, self.BURST)})
        room = CardRoom(tmp_path / "tables.sqlite", Settings())
        yield room
        room.stop()

    def host_with(self, room, left):
        """Return the host of a club night of three boards, whose address may open a number of further tables."""
        host = Host(room, 5)
        for _ in range(self.BURST - 1 - left):
            room.open("you", "open")
        return host

    @pytest.mark.parametrize(("left", "waits"), [(3, []), (2, [5]), (1, [10]), (0, [5, 10])])
    def test_a_host_who_waits_as_demanded_begins_the_round(self, room, seconds, left, waits):
        host, waited = self.host_with(room, left), []
        while (answer := host.post("begin", key=host.key)).status_code == 429 and len(waited) < 5:
            waited.append(int(answer.headers["retry-after"]))
            seconds[0] += waited[-1]
        assert (answer.status_code, waited) == (200, waits)

    def test_a_host_who_does_not_wait_waits_no_longer(self, room):
        host = self.host_with(room, 2)
        answers = [host.post("begin", key=host.key) for _ in range(5)]
        assert [answer.headers["retry-after"] for answer in answers] == ["5"] * 5

    def test_without_a_table_left_no_club_night_is_read(self, room, monkeypatch):
        def read(*_):
            raise AssertionError("the club night was read")

        host = self.host_with(room, 0)
        monkeypatch.setattr(ClubNights, "read", read)
        assert host.post("begin", key=host.key).status_code == 429
        assert host.post("close", key=host.key, round=1).status_code == 429


class TestRefusals:
    def test_are_sentences(self, card_room):
        host = Host(card_room, 1)
        http, order = card_room.http, host.order
        fresh = secrets.token_hex(11)
        refused = [
            (host.post("begin", key=host.key), 409, "a club night needs two players at least"),
            (host.post("begin", key="x"), 409, "only the host of this club night can do that"),
            (http.get("/api/club/none"), 404, "there is no such club night"),
            (http.post("/api/club", json={**order, "bot": "thumb", "key": fresh}), 422, "bot: may be beginner, casual"),
            (http.post("/api/club", json={**order, "rounds": 99, "key": fresh}), 422, "rounds: must be 12 or less"),
            (
                http.post("/api/club", json={**order, "bot": "expert"}),
                409,
                "another club night was opened with this key",
            ),
            (
                http.post("/api/club", json={**order, "rounds": 3}),
                409,
                "another club night was opened with this key",
            ),
            (host.post("players", name="", key=fresh), 422, "name: may not be empty"),
            (host.post("players", name="p0", key=fresh), 409, "another player here is called p0"),
            (host.post("remove", key="x", number=0, name="P0"), 409, "only the host of this club night can do that"),
        ]
        for answer, status, text in refused:
            assert (answer.status_code, answer.json()["error"][: len(text)]) == (status, text)

    def test_the_host_removes_a_player_before_the_first_round(self, card_room):
        host = Host(card_room, 3)
        for _ in range(2):
            answer = host.post("remove", key=host.key, number=1, name="P1")
            assert (answer.status_code, answer.json()) == (200, {"club": host.id})
        assert [each["number"] for each in host.read()["players"]] == [0, 2]
        assert host.read(host.visitors[1])["you"] is None
        host.begin()
        answer = host.post("remove", key=host.key, number=0, name="P0")
        assert (answer.status_code, answer.json()) == (409, {"error": "this club night has begun: its players stay"})

    def test_a_repeated_request_with_default_options_is_the_same_request(self, card_room):
        host = Host(card_room, 1)
        repeated = {**host.order, "options": dict(Setup(find_game(GAME), 2).options)}
        assert card_room.http.post("/api/club", json=repeated).json() == {"club": host.id}

    @pytest.mark.parametrize("system", ["all", "swiss"])
    def test_a_repeated_request_is_the_same_request_after_the_beginning(self, card_room, system):
        host = Host(card_room, 2, system=system)
        host.begin()
        assert card_room.http.post("/api/club", json=host.order).json() == {"club": host.id}

    def test_rounds_count_as_tables_of_their_hosts_address_by_their_boards(self, card_room, monkeypatch):
        rounds = []
        monkeypatch.setattr(Limits, "take", lambda limits, what, address, number=1: rounds.append((what, number)))
        host = Host(card_room, 5)
        rounds.clear()
        host.begin()
        assert host.post("close", key=host.key, round=1).status_code == 200
        assert [number for what, number in rounds if what == "tables"] == [3, 3]

    def test_an_unfinished_game_stays_in_the_list_since_the_seat_has_no_other_key(self, card_room):
        host = Host(card_room, 2)
        host.begin()
        visitor = host.visitors[0]
        game = host.tables(visitor, 1)[0]
        answer = card_room.http.delete(f"/api/player/games/{game}", headers=visitor.headers)
        text = "this game of a club night is not over: it stays in the list until then"
        assert (answer.status_code, answer.json()["error"]) == (409, text)
        host.resign(visitor, game)
        wait_until(lambda: any(each["table"] == game and each["score"] for each in visitor.games()))
        assert card_room.http.delete(f"/api/player/games/{game}", headers=visitor.headers).status_code == 200
        assert game not in [each["table"] for each in visitor.games()]

    def test_late_players_are_not_taken_and_forgotten_ones_leave(self, card_room):
        host = Host(card_room, 3)
        host.begin()
        answer = host.post("players", name="Late", key=secrets.token_hex(11))
        assert (answer.status_code, answer.json()["error"][:26]) == (409, "this club night has begun:")
        host.visitors[1].forget()
        assert host.read()["players"][1] == {"number": 1, "name": ""}
        assert host.read(host.visitors[1])["you"] is None
        assert host.post("close", key=host.key, round=1).status_code == 200
        second = [each["seats"] for each in host.read()["games"] if each["round"] == 2]
        assert second
        assert 1 not in {number for seats in second for number in seats}
