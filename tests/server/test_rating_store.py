"""Ratings in the database: the players of rated seats, and histories compared with those made in plain Python."""

from random import Random

import pytest

from parlour.glicko import Rating
from parlour.server.store.people import ratings

BEFORE = Rating()


def rate(connection, table, seats, values, game="whist"):
    """Store the result of a game, after which its seats have these values."""
    for seat, player in enumerate(seats):
        ratings.claim_seat(connection, table, seat, player, game)
    after = {seat: Rating(value, 80, 0.05) for seat, value in enumerate(values)}
    ratings.rate_game(connection, table, range(len(seats)), lambda before: after)


@pytest.fixture
def clock(monkeypatch):
    """Return the seconds since 1970 as a list of one number, which a test may change."""
    now = [1000]
    monkeypatch.setattr(ratings.time, "time", lambda: now[0])
    return now


class TestAHistory:
    @pytest.mark.parametrize("most", [1, 3, 6, 7, 200])
    def test_has_the_latest_games_from_the_oldest_to_the_newest(self, store, clock, monkeypatch, most):
        monkeypatch.setattr(ratings, "MOST_STEPS", most)
        numbers = [*range(7)]
        Random(1).shuffle(numbers)  # the ids of the tables have another order than the games

        def play_all(connection):
            for number, table in enumerate(numbers):
                clock[0] = 1000 + 10 * number
                rate(connection, f"t{table}", ("Ann", "Bo"), (1500 + number, 1400 - number))

        store.write(play_all)
        whole = {
            "Ann": [(1000 + 10 * n, 1500 + n) for n in range(7)],
            "Bo": [(1000 + 10 * n, 1400 - n) for n in range(7)],
        }
        for player, course in whole.items():
            (found,) = store.read(ratings.ratings_of, player)
            assert (found.games, found.rating.value, found.history) == (7, course[-1][1], course[-most:])

    def test_is_that_of_one_game_and_one_player(self, store, clock):
        played = [
            ("whist", "Ann", "Bo"),
            ("skat", "Bo", "Ann"),
            ("whist", "Cy", "Ann"),
            ("skat", "Cy", "Bo"),
            ("whist", "Ann", "Cy"),
        ]
        courses = {}
        for number, (game, *pair) in enumerate(played):
            clock[0] += 5
            values = (1600 + number, 1300 + number)
            store.write(rate, f"t{number}", pair, values, game)
            for player, value in zip(pair, values, strict=True):
                courses.setdefault(player, {}).setdefault(game, []).append((clock[0], value))
        for player, of_player in courses.items():
            found = store.read(ratings.ratings_of, player)
            assert {each.game: each.history for each in found} == of_player
            order = sorted(of_player, key=lambda game: (-len(of_player[game]), game))
            assert [(each.game, each.games) for each in found] == [(game, len(of_player[game])) for game in order]

    def test_outlives_the_tables_but_not_the_player(self, store, clock):
        store.write(rate, "t1", ("Ann", "Bo"), (1510, 1490))
        store.write(ratings.claim_seat, "t2", 0, "Ann", "whist")
        store.write(ratings.forget_ratings, "Bo")
        store.write(ratings.remove_seats, ["t1", "t2"])
        assert [each.history for each in store.read(ratings.ratings_of, "Ann")] == [[(1000, 1510)]]
        assert store.read(ratings.ratings_of, "Bo") == []
        assert store.read(ratings.table_ratings, ["t1", "t2"]) == {"t1": {0: Rating(1510, 80, 0.05)}, "t2": {}}


class TestTheResultOfAGame:
    def test_changes_the_ratings_once(self, store, clock):
        store.write(rate, "t", ("Ann", "Bo"), (1510, 1490))
        store.write(rate, "t", ("Ann", "Bo"), (1900, 1100))
        assert store.read(ratings.ratings_of, "Ann")[0].history == [(1000, 1510)]

    @pytest.mark.parametrize(
        ("people", "linked", "rated"),
        [((0, 1), (0, 1), True), ((0,), (0,), True), ((0, 1), (0,), False), ((0,), (0, 1), False), ((), (), False)],
    )
    def test_changes_them_only_if_each_person_is_linked(self, store, people, linked, rated):
        asked = []

        def after(before):
            asked.append(before)
            return before

        for seat in linked:
            store.write(ratings.claim_seat, "t", seat, f"player {seat}", "whist")
        store.write(ratings.rate_game, "t", people, after)
        assert asked == ([dict.fromkeys(people, BEFORE)] if rated else [])

    @pytest.mark.parametrize("spoil", [
        lambda connection: ratings.leave_unrated(connection, ["t"]),
        lambda connection: ratings.forget_ratings(connection, "Bo"),
    ])  # fmt: skip
    def test_changes_none_if_others_know_the_cards_or_a_player_was_forgotten(self, store, spoil):
        for seat, player in enumerate(("Ann", "Bo")):
            store.write(ratings.claim_seat, "t", seat, player, "whist")
        store.write(spoil)
        store.write(ratings.rate_game, "t", (0, 1), None)
        assert None in store.read(ratings.table_ratings, ["t"])["t"].values()

    def test_stays_if_the_game_is_left_unrated_later(self, store, clock):
        store.write(rate, "t", ("Ann", "Bo"), (1510, 1490))
        store.write(ratings.leave_unrated, ["t"])
        assert store.read(ratings.ratings_of, "Bo")[0].history == [(1000, 1490)]


class TestARatedSeat:
    def test_keeps_its_first_player_who_has_no_other_seat_there(self, store):
        for seat, player in ((0, "Ann"), (1, "Bo"), (0, "Cy"), (0, "Ann")):
            store.write(ratings.claim_seat, "t", seat, player, "whist")
        with pytest.raises(ratings.SecondSeatError):
            store.write(ratings.claim_seat, "t", 1, "Ann", "whist")
        store.write(ratings.claim_seat, "u", 1, "Ann", "whist")
        rated = []
        store.write(ratings.rate_game, "t", (0, 1), lambda before: rated.append(before) or before)
        assert [len(store.read(ratings.ratings_of, player)) for player in ("Ann", "Bo", "Cy")] == [1, 1, 0]

    def test_of_a_late_player_has_none(self, store):
        store.write(ratings.claim_seat, "t", 0, "Ann", "whist", True)
        store.write(ratings.claim_seat, "t", 0, "Bo", "whist")
        assert store.read(ratings.table_ratings, ["t"]) == {"t": {0: None}}

    def test_has_the_same_player_at_the_new_seat_in_a_rematch(self, store, clock):
        store.write(rate, "other", ("Ann", "Bo", "Cy"), (1510, 1520, 1530))
        for seat, player in enumerate(("Ann", "Bo", "Cy")):
            store.write(ratings.claim_seat, "t", seat, player, "whist", player == "Cy")
        assert store.write(ratings.copy_seats, "t", "u", {0: 1, 1: 2, 2: 0})
        assert not store.write(ratings.copy_seats, "casual", "v", {0: 0})
        values = {
            table: {seat: each and each.value for seat, each in seats.items()}
            for table, seats in store.read(ratings.table_ratings, ["t", "u", "v"]).items()
        }
        assert values == {"t": {0: 1510, 1: 1520, 2: None}, "u": {1: 1510, 2: 1520}, "v": {}}
