"""How each game lies on the table, is told and is taught: one file a game, found by being here."""

from functools import cache
from importlib import import_module, resources

from parlour.engine.compiled import implement
from parlour.games import find_game
from parlour.render.lesson import Guide, Lesson, LessonError, parse_lesson
from parlour.render.scene import Table


@cache
def find_table(game_id: str) -> Table:
    """The table of a game. Raises :class:`parlour.engine.errors.UnknownGameError` if there is no such game."""
    game = find_game(game_id)
    table: Table = import_module(f"{__name__}.{game_id.replace('-', '_')}").TABLE
    implement("worth", game.dtype, table.worth)
    implement("belief", game.dtype, table.belief)
    return table


@cache
def find_lesson(game_id: str) -> Lesson | None:
    """The guided first game of a game, ``None`` if there is none."""
    file = resources.files(__name__).joinpath(f"{find_game(game_id).id.replace('-', '_')}_lesson.toml")
    return parse_lesson(file.read_text(encoding="utf-8")) if file.is_file() else None


def guide_of(game_id: str) -> Guide:
    """Who leads through a game's lesson. Raises :class:`parlour.render.lesson.LessonError` if it has none."""
    lesson = find_lesson(game_id)
    if lesson is None:
        raise LessonError(f"{find_game(game_id).title} has no lesson yet")
    return Guide(lesson, find_game(game_id), find_table(game_id).lay_out)


def rules_text(game_id: str) -> str:
    """A game's rules in our own words, as Markdown."""
    game = find_game(game_id)
    return resources.files(__name__).joinpath(f"{game.id.replace('-', '_')}.md").read_text(encoding="utf-8")
