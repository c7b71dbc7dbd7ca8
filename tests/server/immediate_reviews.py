"""Reviews that are there at once."""

import json

MARKS = ("", "find", "", "slip", "mistake", "", "", "blunder", "", "", "find", "")

SUMS = {"start": 500, "chance": 120, "others": -30, "own": 80}


async def immediate_review(reviews, table, record, people, host):
    """Return a review of a finished game without computing it."""
    course = {"seat": people[0], "sums": SUMS, "decisions": [{"mark": mark} for mark in MARKS]}
    return json.dumps({"courses": [course]})
