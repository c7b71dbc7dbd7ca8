"""Recorded games for tests of studies with people."""

import json
from pathlib import Path
from typing import Any

from parlour.contests.contest import STUDY, Contest
from parlour.contests.game_results import GameResult
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.studies.people.choices import searches_of

GAME_ID = "three-tricks"
TRICKS = find_game(GAME_ID)
SETUP = Setup(TRICKS, 2)
SEARCHES = tuple(searches_of(GAME_ID))


def play_games() -> list[GameResult]:
    """Return six games of the rule of thumb against random play, with statistics, clauses and records."""
    arena = Contest(STUDY, SETUP, ("random", "thumb")).arena(statistics=True, record=True)
    return [arena.play(deal, (1, 0), trace_clauses=deal < 2) for deal in range(6)]


def write_records(folder: Path, *records: dict[str, Any]) -> Path:
    """Write records into a file of a folder; return its name."""
    name = folder / "records.jsonl"
    name.write_text("".join(json.dumps(record) + "\n" for record in records))
    return name
