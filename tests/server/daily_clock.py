"""The clock of a card room's daily deals, as tests set it."""

import datetime

MONDAY = datetime.date(2096, 11, 26)
"""A day that has not passed by the clock of the machine, which dates the moves: they are in time for its deals."""
TUESDAY, WEDNESDAY = MONDAY + datetime.timedelta(1), MONDAY + datetime.timedelta(2)
NOON = 12 * 3600


def seconds(day, second=NOON):
    """Return a time of a day of UTC in seconds since 1970."""
    return datetime.datetime(day.year, day.month, day.day, tzinfo=datetime.UTC).timestamp() + second


def set_clock(room, day, second=NOON):
    """Stop the clock of a room's daily deals at a time of a day."""
    room.config.app.state.rooms.days.clock = lambda: seconds(day, second)
