"""The names in the database: where they are stored, what a removal leaves, and which one a player has."""

import json
import zlib
from dataclasses import replace
from datetime import date

import pytest

from parlour.server.store import daily
from parlour.server.store.archive import remove, remove_name
from parlour.server.store.daily import Play, Score
from parlour.server.store.metadata import METADATA
from parlour.server.store.people import clubs, players
from parlour.server.store.people.clubs import Club
from parlour.server.store.people.players import Other, PlayedGame
from parlour.server.store.people.subscriptions import Subscription, subscribe
from parlour.server.store.reviews import store_review
from parlour.server.store.stored_table import ChatMessage, StoredSeat
from tests.server.stored_tables import table

NAME = 'Zoë "%_\\'
OWN_COLUMNS = {"players.name", "club_players.name"}
"""The columns of names that belong to no table."""
COLUMNS = OWN_COLUMNS | {"seats.name", "said.words", "daily_plays.name", "player_games.others", "reviews.review"}


def text_of(value):
    return zlib.decompress(value).decode() if isinstance(value, bytes) else str(value)


def places_of(store, *forms):
    """Return the columns whose values contain one of these texts, by table; those of no table under ``""``."""
    found = {}
    for each in METADATA.sorted_tables:
        for row in rows_of(store, each):
            for column, value in row.items():
                if any(form in text_of(value) for form in forms):
                    found.setdefault(row.get("table_id", ""), set()).add(f"{each.name}.{column}")
    return found


def rows_of(store, stored):
    """Return the rows of a database table as mappings, in order."""
    query = stored.select().order_by(*stored.primary_key.columns)
    return store.read(lambda connection: [dict(row) for row in connection.execute(query).mappings()])


def has_result(row):
    """Return whether this is a row of a game with a result, which outlives its table."""
    return row.get("won") is not None


def places_of_name(store):
    return places_of(store, NAME, json.dumps(NAME)[1:-1], json.dumps(NAME, ensure_ascii=False)[1:-1])


@pytest.fixture
def named(store):
    """A store with the name in every column, at two tables and in a club night; Bo is the other player."""
    for number, table_id in enumerate(("one", "two")):
        seats = {0: StoredSeat(NAME, None, "hash"), 1: StoredSeat("Bo", None, "other")}
        day = date(2026, 11, 23 + number)
        store.write(daily.open_day, day, "key")
        play = Play(day, "trick-walls", "zoe", table_id, NAME, counts=True)
        store.write(daily.add_play, play, table(table_id, seats=seats))
        store.add_chat_message(table_id, ChatMessage(0, "a", f"I am {NAME}"))
        game = PlayedGame(table_id, 0, "trick-walls", 2, {}, 0, ())
        store.write(players.link, "zoe", NAME, game)
        store.write(players.link, "bo", "Bo", replace(game, seat=1))
        occupants = {0: Other(NAME, None), 1: Other("Bo", None)}
        store.write(players.keep_results, table_id, {0: Score(True, 1, 0), 1: Score(False, 0, 1)}, occupants)
        store.write(players.link, "cy", "Cy", replace(game, seat=1))  # an entry without a result
        for seat, player in enumerate(("of-z", "of-b")):
            store.write(subscribe, table_id, seat, Subscription(f"https://{player}.example", "key", "auth", "en"))
        assert store.write(store_review, table_id, "source", [NAME, "Bo"], json.dumps({"names": [NAME, "Bo"]}))
    store.write(daily.keep_score, "two", Score(True, 1, 0))
    store.write(clubs.add_club, Club("club", "host", "trime-kicker", {}, "swiss", 2, "casual"))
    for player, name in (("zoe", NAME), ("bo", "Bo")):
        store.write(clubs.join, "club", player, name)
    return store


class TestARemovedName:
    def test_was_in_every_column_of_names_before(self, named):
        assert set().union(*places_of_name(named).values()) == COLUMNS
        every = {f"{each.name}.name" for each in METADATA.sorted_tables if "name" in each.c}
        assert every <= COLUMNS, "a column of names is neither planted here nor removed"

    def test_is_nowhere_in_the_database_afterwards(self, named):
        assert named.write(remove_name, NAME) == 2
        assert places_of_name(named) == {}

    @pytest.mark.parametrize(("at", "left"), [("one", "two"), ("two", "one")])
    def test_is_removed_at_one_table_only(self, named, at, left):
        assert named.write(remove_name, NAME, at) == 1
        assert places_of_name(named) == {left: COLUMNS - OWN_COLUMNS, "": OWN_COLUMNS}

    @pytest.mark.parametrize("at", ["one", None])
    def test_leaves_the_other_names(self, named, at):
        def others():
            return {place: columns - {"reviews.review"} for place, columns in places_of(named, "Bo").items()}

        before = others()
        named.write(remove_name, NAME, at)
        assert others() == before


class TestAForgottenPlayer:
    def test_has_neither_key_nor_name_in_what_is_stored_about_players(self, named):
        assert set(named.write(players.forget_player, "zoe")) == {"one", "two"}
        assert places_of(named, "zoe") == {}
        of_others = {"seats.name", "said.words", "player_games.others", "reviews.review"}
        assert places_of_name(named) == {"one": of_others, "two": of_others}


ENDPOINT = "subscriptions.endpoint"


class TestSubscriptions:
    @pytest.mark.parametrize(
        ("removal", "left"),
        [
            ((remove_name, NAME), set()),
            ((remove_name, NAME, "one"), {"two"}),
            ((players.forget_player, "zoe"), set()),
            ((players.forget_player, "unknown"), {"one", "two"}),
        ],
    )
    def test_go_with_the_name_or_the_player_and_those_of_others_stay(self, named, removal, left):
        named.write(*removal)
        assert places_of(named, "of-z.example") == {each: {ENDPOINT} for each in left}
        assert places_of(named, "of-b.example") == {"one": {ENDPOINT}, "two": {ENDPOINT}}


class TestARemovedTable:
    @pytest.mark.parametrize(("at", "other"), [("one", "two"), ("two", "one")])
    def test_leaves_nothing_but_results_and_the_order_to_remove_it(self, named, at, other):
        before = {each.name: rows_of(named, each) for each in METADATA.sorted_tables}
        assert named.write(remove, [at]) == 1
        after = {each.name: rows_of(named, each) for each in METADATA.sorted_tables}
        order = after.pop("orders")[-1]
        assert (order["what"], order["table_id"]) == ("remove", at)
        assert any(row.get("table_id", row.get("id")) == other for rows in after.values() for row in rows)
        for name, rows in after.items():
            kept = [row for row in before[name] if at not in (row.get("table_id"), row.get("id")) or has_result(row)]
            assert rows == kept, name


class TestTheNameOfAPlayer:
    """The histories are lists of ``(day, name)``: a daily deal, or a seat at a table if the day is 0."""

    @pytest.mark.parametrize(
        ("history", "name"),
        [
            ([], None),
            ([(0, "Ann")], "Ann"),
            ([(0, "Guest")], ""),
            ([(1, "Ann")], "Ann"),
            ([(1, "Guest")], ""),
            ([(1, "Old"), (2, "New")], "New"),
            ([(2, "New"), (1, "Old")], "New"),
            ([(2, "B"), (3, "New"), (1, "A")], "New"),
            ([(3, "A new"), (1, "Z old"), (2, "M")], "A new"),
            ([(0, "Guest"), (2, "New"), (1, "Old")], "New"),
            ([(1, "Daily"), (0, "Ann")], "Ann"),
            ([(0, "Ann"), (1, "Daily")], "Ann"),
            ([(0, "Ann"), (0, "Guest 2")], "Ann"),
            ([(0, "Ann"), (0, "Anna")], "Anna"),
        ],
    )
    def test_is_the_latest_one_chosen_at_a_table_or_else_in_a_daily_deal(self, store, history, name):
        for number, (day, chosen) in enumerate(history):
            new = table(f"t{number}")
            if day:
                store.write(daily.open_day, date(2026, 11, day), "key")
                store.write(daily.add_play, Play(date(2026, 11, day), "a", "ann", new.id, chosen, True), new)
            else:
                store.add_table(new)
                store.write(players.link, "ann", chosen, PlayedGame(new.id, 0, new.game, 2, {}, 0, ()))
        assert store.read(players.name_of, "ann") == name
        assert store.read(players.name_of, "another") is None
