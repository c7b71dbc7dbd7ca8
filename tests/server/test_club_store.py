"""Club nights in the database: places, rounds, results in every order, and the removal of old ones."""

from itertools import permutations

import pytest

from parlour.server.store.orders import orders_after
from parlour.server.store.people import clubs, players
from parlour.server.store.people.clubs import Club, ClubError, ClubResult
from parlour.server.store.people.ratings import table_ratings
from parlour.server.store.stored_table import StoredClub
from parlour.server.table.clubs.club_nights import open_round

WON, LOST = ClubResult((1.0, 0.0), (5, -5), (5, 0)), ClubResult((0.0, 1.0), (-5, 5), (0, 5))


@pytest.fixture
def opened(store):
    """Return a function that stores a club night with players whose keys have these hashes."""

    def open_club(*names, system="swiss", rounds=2, club_id="club"):
        store.write(clubs.add_club, Club(club_id, "host", "trime-kicker", {}, system, rounds, "casual"))
        for name in names:
            store.write(clubs.join, club_id, name, name)
        return lambda: store.read(clubs.read_club_night, club_id)

    return open_club


def facts(night):
    """Return the rounds begun, those that are over, and the tables without a result."""
    return night.club.begun, night.club.closed, [game.table for game in night.games if game.result is None]


class TestThePlayers:
    def test_have_numbers_of_their_own_also_after_one_was_forgotten(self, store, opened):
        read = opened("a", "b", "c", "d")
        store.write(players.forget_player, "b")
        assert store.write(clubs.join, "club", "e", "E") == 4
        assert store.write(clubs.join, "club", "c", "C") == 2
        assert [(each.number, each.name) for each in read().players] == [(0, "a"), (2, "C"), (3, "d"), (4, "E")]

    @pytest.mark.parametrize(("names", "begun"), [("", 0), ("a", 0), ("ab", 1), ("abc", 1)])
    def test_are_two_at_least(self, store, opened, names, begun):
        read = opened(*names)
        if not begun:
            with pytest.raises(ClubError, match="needs two players"):
                store.write(clubs.begin, "club", open_round)
        else:
            store.write(clubs.begin, "club", open_round)
        assert read().club.begun == begun

    @pytest.mark.parametrize("system", ["swiss", "all"])
    def test_are_as_many_as_the_system_allows(self, store, opened, system, monkeypatch):
        monkeypatch.setattr(clubs, "MOST_PLAYERS", 4)
        monkeypatch.setattr(clubs, "MOST_FOR_ALL", 3)
        most = {"swiss": 4, "all": 3}[system]
        opened(*"abcd"[:most], system=system)
        with pytest.raises(ClubError, match=f"full: it has {most} players"):
            store.write(clubs.join, "club", "e", "E")
        assert store.write(clubs.join, "club", "a", "A") == 0

    @pytest.mark.parametrize("begun", [False, True])
    def test_have_different_names(self, store, opened, begun):
        read = opened("Ann", "Bo")
        if begun:
            store.write(clubs.begin, "club", open_round)
        for key in ["Bo"] if begun else ["Bo", "another"]:
            with pytest.raises(ClubError, match="another player here is called ANN"):
                store.write(clubs.join, "club", key, "ANN")
        assert store.write(clubs.join, "club", "Ann", "ANN") == 0
        assert [each.name for each in read().players] == ["ANN", "Bo"]

    def test_differ_in_more_than_the_form_of_an_emoji(self, store, opened):
        opened("Ann ❤")
        with pytest.raises(ClubError, match="another player here is called"):
            store.write(clubs.join, "club", "another", "ann ❤\ufe0f")

    def test_are_removed_before_the_beginning_only(self, store, opened):
        read = opened("a", "b", "c")
        for number, name in ((1, "b"), (1, "b"), (2, "b"), (7, "c")):
            store.write(clubs.remove_player, "club", number, name)
        assert [each.name for each in read().players] == ["a", "c"]
        assert store.write(clubs.join, "club", "b", "b") == 3
        store.write(clubs.begin, "club", open_round)
        with pytest.raises(ClubError, match="its players stay"):
            store.write(clubs.remove_player, "club", 0, "a")
        assert len(read().players) == 3

    def test_who_join_later_are_not_removed_by_a_repeated_request(self, store, opened):
        read = opened("a", "b")
        store.write(clubs.remove_player, "club", 1, "b")
        assert store.write(clubs.join, "club", "c", "c") == 1
        store.write(clubs.remove_player, "club", 1, "b")
        assert [each.name for each in read().players] == ["a", "c"]

    def test_only_rename_themselves_after_the_beginning(self, store, opened):
        read = opened("a", "b")
        store.write(clubs.begin, "club", open_round)
        with pytest.raises(ClubError, match="has begun"):
            store.write(clubs.join, "club", "c", "C")
        store.write(clubs.join, "club", "b", "B")
        assert [each.name for each in read().players] == ["a", "B"]


class TestTheRounds:
    @pytest.mark.parametrize(("names", "rounds"), [("ab", 1), ("abc", 3), ("abcd", 3), ("abcde", 5)])
    def test_of_everyone_with_everyone_depend_on_the_players(self, store, opened, names, rounds):
        read = opened(*names, system="all", rounds=9)
        store.write(clubs.begin, "club", open_round)
        assert (read().club.rounds, read().club.begun) == (rounds, 1)
        assert len(read().games) == 2 * ((len(names) + 1) // 2)

    @pytest.mark.parametrize("order", [*permutations(range(4))][::8])
    def test_are_over_with_their_last_result_whatever_the_order(self, store, opened, order):
        read = opened("a", "b", "c", "d")
        store.write(clubs.begin, "club", open_round)
        for number in (1, 2):
            left = [game.table for game in read().games if game.round == number]
            for place, at in enumerate(order):
                assert facts(read())[:2] == (number, number - 1)
                table = [game.table for game in read().games if game.round == number][at]
                for result in (WON, LOST):  # the first one stays
                    store.write(clubs.keep_result, table, result, open_round)
                left.remove(table)
                assert store.read(clubs.club_of_table, table) == StoredClub("club", number, at % 2, place < 3, True)
                if place < 3:
                    assert facts(read())[2] == left
        assert facts(read()) == (2, 2, [])
        assert {tuple(game.result.won) for game in read().games} == {(1.0, 0.0)}

    def test_closed_by_the_host_leave_the_unfinished_games_without_winner_and_rating(self, store, opened):
        read = opened("a", "b")
        store.write(clubs.begin, "club", open_round)
        first, second = (game.table for game in read().games)
        store.write(clubs.keep_result, first, LOST, open_round)
        for number in (2, 0, 1, 1):  # only the open round is closed, and once
            store.write(clubs.close_round, "club", number, open_round)
        assert [game.result for game in read().games if game.round == 1] == [
            ClubResult([0.0, 1.0], [-5, 5], [0, 5]), ClubResult([], [], [])
        ]  # fmt: skip
        assert facts(read())[:2] == (2, 1)
        rated = store.read(table_ratings, [first, second])
        assert [None not in rated[table].values() for table in (first, second)] == [True, False]
        store.write(clubs.keep_result, second, WON, open_round)
        assert facts(read())[:2] == (2, 1)
        for deal, (table, counts) in enumerate([(first, True), (second, False)]):
            assert store.read(clubs.club_of_table, table) == StoredClub("club", 1, deal, False, counts)
            assert store.load(table).club == StoredClub("club", 1, deal, False, counts)
        assert [order.table_id for order in store.read(orders_after, 0)] == [first, second]
        assert store.read(clubs.club_of_table, "no-table") is None

    def test_begin_once(self, store, opened):
        read = opened("a", "b")
        for _ in range(2):
            store.write(clubs.begin, "club", open_round)
        assert len(read().games) == 2


class TestOldClubNights:
    @pytest.mark.parametrize("begun", [False, True])
    @pytest.mark.parametrize(("later", "kept"), [(-1, True), (0, True), (1, False), (86400, False)])
    def test_that_never_began_are_removed(self, store, opened, begun, later, kept, monkeypatch):
        monkeypatch.setattr(clubs.time, "time", lambda: 1000.0)
        read = opened("a", "b")
        opened("a", "b", club_id="other")
        store.write(clubs.begin, "other", open_round)
        if begun:
            store.write(clubs.begin, "club", open_round)
        store.write(clubs.remove_unbegun, 1000 + clubs.KEPT_SECONDS + later)
        assert len(store.read(clubs.read_club_night, "other").players) == 2
        if kept or begun:
            assert len(read().players) == 2
        else:
            with pytest.raises(clubs.NoClubError):
                read()
