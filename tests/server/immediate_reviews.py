"""Reviews that are there at once."""

import json

MARKS = ("", "find", "", "slip", "mistake", "", "", "blunder", "", "", "find", "")

SUMS = [["50 %", "at the start"], ["+12", "luck"], ["−3", "their play"], ["+8", "your play"], ["100 %", "in the end"]]


async def immediate_review(reviews, table, record, people, host):
    """Return a review of a finished game without computing it."""
    course = {"seat": people[0], "decisions": [{"mark": mark} for mark in MARKS]}
    return json.dumps({"courses": [course], "texts": {"courses": [{"to_you": {"sums": SUMS}}]}})
