"""The daily deals in the database: each list of days or games, compared with the same list made in plain Python."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import product

import pytest

from parlour.daily import DailyPlan
from parlour.server.store import daily
from parlour.server.store.daily import DailyDeal, Day, Play, Score
from tests.server.stored_tables import table

DAYS = [date(2026, 11, 23) + timedelta(number) for number in range(6)]
CLOSED = [DAYS[0], DAYS[1], DAYS[3], DAYS[4]]


@pytest.fixture
def opened(store):
    """Return a store with days, of which some are closed."""
    for day in reversed(DAYS):
        store.write(daily.open_day, day, f"key of {day}")
    for day in CLOSED:
        store.write(daily.close_day, day)
    return store


class TestDays:
    @pytest.mark.parametrize("day", [*DAYS, date.max])
    def test_lists_before_a_day_and_from_a_day_on_divide_them(self, opened, day):
        latest_first = [each for each in reversed(CLOSED) if each < day]
        assert opened.read(daily.closed_days, day) == [Day(each, f"key of {each}", True) for each in latest_first]
        assert opened.read(daily.open_days_before, day) == [d for d in DAYS if d < day and d not in CLOSED]
        assert opened.read(daily.keys_from, day) == {each: f"key of {each}" for each in DAYS if each >= day}

    @pytest.mark.parametrize("most", [1, 2, 3, 4, 5])
    def test_parts_of_the_archive_have_each_closed_day_once(self, opened, most, monkeypatch):
        monkeypatch.setattr(daily, "MOST_DAYS", most)
        found, before = [], date.max
        while part := opened.read(daily.closed_days, before):
            assert len(part) <= most
            found += [each.day for each in part]
            before = part[-1].day
        assert found == CLOSED[::-1]

    def test_a_day_keeps_the_key_with_which_it_was_opened_first(self, opened):
        for day in DAYS:
            kept = Day(day, f"key of {day}", day in CLOSED)
            assert opened.write(daily.open_day, day, "another key") == kept
            assert opened.read(daily.find_day, day) == kept


class TestDeals:
    @pytest.mark.parametrize(("day", "game"), [*product(DAYS[:2], ("a", "b"))])
    def test_of_other_days_and_games_have_no_result_of_the_strongest_bot_of_this_one(self, opened, day, game):
        plans = {(each, name): DailyPlan(name, 2, {}, 0, "thumb", "") for each in DAYS[:2] for name in ("a", "b")}
        for (each, _), plan in plans.items():
            opened.write(daily.keep_deal, each, plan)
        for points in (3, 4):  # the first result stays
            opened.write(daily.keep_par, day, game, Score(True, points, 0))
        kept = opened.write(daily.keep_deal, day, DailyPlan(game, 2, {}, 1, "casual", ""))
        assert kept == DailyDeal(plans[day, game], Score(True, 3, 0))
        for each in DAYS[:2]:
            expected = {
                name: DailyDeal(plan, Score(True, 3, 0) if (each, name) == (day, game) else None)
                for (of_day, name), plan in plans.items()
                if of_day == each
            }
            assert opened.read(daily.find_deals, each) == expected


@pytest.fixture
def plays(store):
    """Return stored games of two players and two games on three days: finished or not, counted or not."""
    made = []
    for number, (day, game, name, counts) in enumerate(product(DAYS[:3], ("a", "b"), ("Ann", "Bo"), (True, False))):
        score = Score(number % 3 == 0, number, 7) if number % 5 else None
        player = name if counts else f"t{number}"
        made.append(Play(day, game, player, f"t{number}", name, counts, score))

    def keep(connection):
        for play in made:
            daily.open_day(connection, play.day, "key")
            daily.add_play(connection, play, table(play.table, []))
            if play.score:
                assert daily.keep_score(connection, play.table, play.score)

    store.write(keep)
    return made


class TestGames:
    @pytest.mark.parametrize("day", DAYS[:4])
    def test_those_that_are_finished_and_count_are_in_the_standings(self, store, plays, day):
        counted = [each for each in plays if each.day == day and each.counts and each.score]
        for game in ("a", "b"):
            of_game = [each for each in counted if each.game == game]
            assert sorted(store.read(daily.plays_of, day, game), key=plays.index) == of_game
            assert store.read(daily.count_plays, day).get(game, 0) == len(of_game)
        assert sorted(store.read(daily.plays_of, day), key=plays.index) == counted

    @pytest.mark.parametrize("day", DAYS[:4])
    def test_those_that_count_are_open_until_they_have_a_result(self, store, plays, day):
        unfinished = [each.table for each in plays if each.day == day and each.counts and not each.score]
        assert sorted(store.read(daily.unscored_tables, day)) == sorted(unfinished)

    @pytest.mark.parametrize("name", ["Ann", "Bo", "Cy"])
    def test_those_of_a_player_are_the_ones_that_count(self, store, plays, name):
        own = [each for each in plays if each.player == name]
        wanted = DAYS[1:3]
        found = sorted(store.read(daily.plays_by, name, wanted), key=plays.index)
        assert found == [each for each in own if each.day in wanted]
        assert store.read(daily.days_played, name) == sorted({each.day for each in own if each.score}, reverse=True)

    def test_a_first_result_stays(self, store, plays):
        for play in plays:
            store.write(daily.keep_score, play.table, Score(True, 99, 0))
            kept = play.score or Score(True, 99, 0)
            assert store.read(daily.find_play, play.day, play.game, play.player) == replace(play, score=kept)

    def test_a_result_after_the_end_of_its_day_is_not_stored(self, store, plays):
        for day in DAYS[:3]:
            store.write(daily.close_day, day)
        for play in plays:
            assert not store.write(daily.keep_score, play.table, Score(True, 99, 0))
            assert store.read(daily.find_play, play.day, play.game, play.player) == play

    def test_those_of_removed_tables_stay_if_they_count_and_are_over(self, store, plays):
        store.write(daily.remove_plays, [each.table for each in plays if each.game == "a"])
        for play in plays:
            found = store.read(daily.find_play, play.day, play.game, play.player)
            assert found == (play if (play.counts and play.score) or play.game == "b" else None)

    @pytest.mark.parametrize("at_one_table", [True, False])
    def test_a_removed_name_leaves_all_else(self, store, plays, at_one_table):
        where = plays[0].table if at_one_table else None
        removed = [each for each in plays if each.name == "Ann" and (where is None or each.table == where)]
        assert store.write(daily.remove_player_name, "Ann", where) == len(removed)
        for play in plays:
            found = store.read(daily.find_play, play.day, play.game, play.player)
            assert found == (replace(play, name="") if play in removed else play)
