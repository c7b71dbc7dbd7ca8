"""Stored tables of a game of Trick Walls."""

from dataclasses import replace
from functools import cache

from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.server.store.stored_table import StoredSeat, StoredTable
from tests.helpers import random_game

SETUP = Setup(find_game("trick-walls"), 2, {"rounds": 1})


@cache
def course():
    return tuple(random_game(SETUP, 3).events)


def table(table_id, events=None, **more):
    seats = {0: StoredSeat("Ann", None, "hash"), 1: StoredSeat("Bo", None, "other")}
    options = dict(SETUP.options)
    given = StoredTable(table_id, SETUP.game.id, 2, options, seats, "5e" * 32, chat_messages=[])
    return replace(given, events=list(course() if events is None else events), **more)
