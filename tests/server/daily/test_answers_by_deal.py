"""Answers about daily deals on two days, each with results in two games: every deal has its own results only."""

import pytest

from parlour.daily import key_of_day
from parlour.server.store.daily import Score, keep_par, keep_review, room_key
from parlour.server.table.daily import days
from tests.server.daily_clock import MONDAY, TUESDAY, WEDNESDAY, set_clock
from tests.server.daily_visitors import GAME, Visitor

OTHER = "three-tricks"
POINTS = {
    (MONDAY, GAME): {"Ann": 11, "Bo": 22, "Cy": 33},
    (MONDAY, OTHER): {"Ann": 44, "Bo": 13},
    (TUESDAY, GAME): {"Bo": 24, "Ann": 15},
    (TUESDAY, OTHER): {"Bo": 55},
}
"""The points of the players of each deal; no two results are equal."""
PARS = {deal: 100 + number for number, deal in enumerate(POINTS)}


@pytest.fixture
def visitors(room, monkeypatch):
    """The players, when all games have been played, by name; it is noon of Tuesday."""
    key = room.store.write(room_key)
    day_of = {key_of_day(key, day): day for day in (MONDAY, TUESDAY)}
    par_of = lambda plan, key, *_: Score(True, PARS[day_of[key], plan.game], 0)  # noqa: E731
    monkeypatch.setattr(days, "par_of", par_of)
    found = {name: Visitor(room, name) for name in ("Ann", "Bo", "Cy")}
    for visitor in found.values():
        visitor.tables = {}
    for (day, game), points in POINTS.items():
        set_clock(room, day)
        for name, each in points.items():
            table = found[name].tables[day, game] = found[name].finish(day, game, points=each)
            room.store.write(keep_review, table["table"], {"luck": f"{each}"})
        room.store.write(keep_par, day, game, Score(True, PARS[day, game], 0))
    return found


def ranking(deal):
    """Return rank, name and points of each player of a deal, the best first."""
    best = sorted(POINTS[deal].items(), key=lambda each: -each[1])
    return [(rank, name, points) for rank, (name, points) in enumerate(best, 1)]


def shown(standings):
    return [(each["rank"], each["name"], each["score"]["points"]) for each in standings]


def by_game(games):
    """Return the points of a player's games of a day, by game."""
    return {each["game"]: each["score"]["points"] for each in games}


def own_points(name, day):
    return {game: points[name] for (each, game), points in POINTS.items() if each == day and name in points}


class TestTheResultAtATable:
    @pytest.mark.parametrize("deal", POINTS)
    def test_is_ranked_among_the_results_of_its_deal(self, visitors, deal):
        for rank, name, points in ranking(deal):
            answer = visitors[name].asked(visitors[name].tables[deal]).json()
            assert (answer["day"], answer["game"]) == (str(deal[0]), deal[1])
            assert (answer["rank"], answer["played"], answer["score"]["points"]) == (rank, len(POINTS[deal]), points)
            assert shown(answer["standings"]) == ranking(deal)
            assert [each["name"] for each in answer["standings"] if each["own"]] == [name]
            assert (answer["par"]["points"], answer["review"]["luck"]) == (PARS[deal], f"{points}")


class TestThePageOfADay:
    @pytest.mark.parametrize("day", [MONDAY, TUESDAY])
    @pytest.mark.parametrize("name", ["Ann", "Bo", "Cy"])
    def test_has_the_results_of_each_deal_of_the_day(self, room, visitors, day, name):
        set_clock(room, WEDNESDAY)
        answer = visitors[name].get(f"/{day}").json()
        deals = {each["game"]: each for each in answer["deals"]}
        for game in (GAME, OTHER):
            deal = deals.pop(game)
            assert (deal["played"], deal["par"]["points"]) == (len(POINTS[day, game]), PARS[day, game])
            assert shown(deal["standings"]) == ranking((day, game))
            assert [each["name"] for each in deal["standings"] if each["own"]] == [name] * (name in POINTS[day, game])
            mine = deal["mine"] and deal["mine"]["score"]["points"]
            assert mine == POINTS[day, game].get(name)
        assert [(each["played"], each["mine"], each["standings"]) for each in deals.values()] == [
            (0, None, None)
        ] * len(deals)


class TestTheDealsOfToday:
    def test_have_the_numbers_and_the_games_of_today(self, visitors):
        for name, visitor in visitors.items():
            deals = {each["game"]: each for each in visitor.get().json()["deals"]}
            for game, deal in deals.items():
                points = POINTS.get((TUESDAY, game), {})
                assert deal["played"] == len(points)
                assert (deal["mine"] and deal["mine"]["score"]["points"]) == points.get(name)

    def test_have_the_games_of_the_day_before_until_it_is_closed(self, room, visitors):
        set_clock(room, WEDNESDAY, 1)
        for name, visitor in visitors.items():
            closing = visitor.get().json()["closing"]
            assert (closing["day"], by_game(closing["mine"])) == (str(TUESDAY), own_points(name, TUESDAY))


class TestTheArchive:
    def test_has_the_games_of_a_player_by_day(self, room, visitors):
        set_clock(room, WEDNESDAY)
        for name, visitor in visitors.items():
            visitor.get()
            days = visitor.get("/days").json()["days"]
            assert [(each["day"], by_game(each["mine"])) for each in days] == [
                (str(day), own_points(name, day)) for day in (TUESDAY, MONDAY)
            ]
