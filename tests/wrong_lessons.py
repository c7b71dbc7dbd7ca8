"""Mistakes of authors in lessons, which ``parlour check`` finds in the package Lay Away."""

from tests.mistakes import Mistake, wrong

LESSONS = (
    wrong(
        "a task of the lesson is not legal",
        "lesson.toml",
        'do = "9D"',
        'do = "8C"',
        "lesson",
        r"lesson.toml, hand 1, step 3: .*8C",
    ),
    wrong(
        "an event of the lesson is not legal",
        "lesson.toml",
        '["away 8D 7S"]',
        '["away 8D 7H"]',
        "lesson",
        r"lesson.toml, hand 1, step 2: .*away 8D 7H",
    ),
    wrong(
        "another player is called You",
        "lesson.toml",
        '["Bo", "You"]',
        '["You", "Bo"]',
        "lesson",
        r"lesson.toml, hand 1: the name 'You' belongs to the learner, seat 1, which is 'Bo'",
    ),
    Mistake(
        "the learner has a task in the turn of another",
        (("lesson.toml", "seat = 1", "seat = 0"), ("lesson.toml", '["Bo", "You"]', '["You", "Bo"]')),
        "lesson",
        r"lesson.toml, hand 1, step 1: the task is 'away 8C AS', but the learner, seat 0, does not act now",
    ),
    wrong(
        "the lesson has too few names",
        "lesson.toml",
        '["Bo", "You"]',
        '["You"]',
        "lesson",
        r"lesson.toml, hand 1: seat 1 and 1 names do not fit 2 players",
    ),
    wrong(
        "the lesson has players without a setup",
        "lesson.toml",
        "players = 2",
        "players = 3",
        "lesson",
        r"lesson.toml, hand 1: the game has no setup for 3 players",
    ),
    wrong(
        "the lesson cites a clause that does not exist",
        "lesson.toml",
        "you, too (AW-4)",
        "you, too (AW-44)",
        "lesson",
        r"lesson.toml, hand 1, step 1: it cites AW-44, but rules.md has no such clause",
    ),
    wrong(
        "a key of the lesson is misspelt",
        "lesson.toml",
        "other =",
        "others =",
        "lesson",
        r"away/lesson.toml: hand 1, step 1 has the key 'others', but its keys are say, then, do, other",
    ),
)
