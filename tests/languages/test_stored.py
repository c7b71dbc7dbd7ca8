"""What is computed once and stored does not depend on the language of the computation."""

from collections.abc import Callable
from typing import Any

import pytest

from parlour.bots.game_levels import bots_hash, level_at, levels_text
from parlour.bots.levels import LEVELS
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game, game_ids
from parlour.insight.position import position_of
from parlour.jobs.pool import do_jobs
from parlour.languages import in_language
from parlour.puzzles.finder import PuzzleSearch
from parlour.puzzles.puzzle import Puzzle
from parlour.puzzles.puzzle_file import header_of
from parlour.puzzles.themes import themes_of
from parlour.render.bot_names import seat_names
from parlour.studies.plan import Study
from tests.helpers import play_at_random, random_game


def setup_of(game: str) -> Setup:
    return Setup(find_game(game), find_game(game).usual_players)


def themes(game: str) -> Any:
    """Return the themes of all actions of a game's first decisions."""
    match, found = Match(setup_of(game)), []
    for _, _ in zip(range(30), play_at_random(match, 1), strict=False):
        position = position_of(match, match.actor, seat_names(match.players, match.actor))
        found += [themes_of(position, move, position.moves[0], False) for move in position.moves]
    return found


def puzzle(game: str) -> Any:
    """Return a puzzle with the events of a game, and the header of its file."""
    setup = setup_of(game)
    events = tuple(event.do for event in random_game(setup, 1).events)
    line = Puzzle(setup, 1, events, (), {}, 1500, (), False, ()).to_json()
    return header_of(PuzzleSearch(setup, 1).facts), line


def record(game: str) -> Any:
    return random_game(setup_of(game), 1).record()


def levels(game: str) -> Any:
    settings = dict(zip(LEVELS, map(level_at, (0, 0.5, 1.5, 2.5, 4)), strict=True))
    return bots_hash(find_game(game)), levels_text(game, settings, {})


def study(game: str) -> Any:
    """Return the header of a study's file, and two games with all results: one counts clauses, the other repeats."""
    plan = Study((setup_of(game),), ("random",), records=True, traced_deals=1, replicated_deals=1)
    jobs = plan.jobs(0)
    played = do_jobs(plan, iter([jobs[0], jobs[-1]]))
    return plan.header(), [{**result.to_json(), "seconds": ()} for _, result in played]


MAKERS: list[Callable[[str], Any]] = [themes, puzzle, record, levels, study]


@pytest.mark.parametrize("game", game_ids())
@pytest.mark.parametrize("make", MAKERS)
def test_it_is_the_same_in_every_language(pseudo: str, make: Callable[[str], Any], game: str) -> None:
    english = make(game)
    with in_language(pseudo):
        assert make(game) == english
