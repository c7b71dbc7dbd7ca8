"""Lookup of a game's layout, lesson and rules text, with defaults for a folder without them.

In a game's folder ``layout.py`` defines ``LAYOUT``, ``rules.md`` contains the rules for players, and ``lesson.toml`` a
guided first game.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, wraps
from typing import ParamSpec, TypeVar

from parlour.games import file_of, find_game, module_of
from parlour.languages import SOURCE_LANGUAGE, gettext, in_language
from parlour.render.lesson import Guide, Lesson, LessonError, parse_lesson
from parlour.render.plain import plain_layout
from parlour.render.scene import Layout

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


@cache
def find_layout(game_id: str) -> Layout:
    """Return the layout of a game, or the default layout if its folder has none.

    Raises:
        ParlourError: there is no such game, or it cannot be loaded.
    """
    module = module_of(game_id, "layout")
    if module is None:
        return plain_layout(find_game(game_id))
    layout: Layout = module.LAYOUT
    translated = module.__name__.startswith("parlour.games.") or find_game(game_id).variation_of
    return layout if translated else _in_english(layout)


def _in_english(layout: Layout) -> Layout:
    """Return the layout of a game without translations: names of cards and players are English like its sentences."""

    def english(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
        @wraps(function)
        def call(*arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
            with in_language(SOURCE_LANGUAGE):
                return function(*arguments, **named)

        return call

    phrase = layout.phrase and english(layout.phrase)
    return replace(layout, lay_out=english(layout.lay_out), interpret=english(layout.interpret), phrase=phrase)


@cache
def find_lesson(game_id: str) -> Lesson | None:
    """Return the guided first game of a game, ``None`` if there is none.

    Raises:
        LessonError: the file is damaged, or has other keys than a lesson.
    """
    file = file_of(game_id, "lesson.toml")
    try:
        return parse_lesson(file.read_bytes().decode()) if file else None
    except LessonError as error:
        raise LessonError(f"{game_id}/lesson.toml: {error}") from None
    except (ValueError, TypeError) as error:  # of the encoding, of TOML, or a number instead of a list
        raise LessonError(f"{game_id}/lesson.toml is damaged: {error}") from None


def guide_of(game_id: str) -> Guide:
    """Return the guide of a game's lesson. Raises :class:`parlour.render.lesson.LessonError` if it has none."""
    lesson = find_lesson(game_id)
    if lesson is None:
        raise LessonError(gettext("{game} has no lesson yet", game=find_game(game_id).title))
    return Guide(lesson, find_game(game_id), find_layout(game_id))


def rules_text(game_id: str) -> str:
    """Return a game's rules as Markdown, rephrased by this project; a variation has the rules of the original, too.

    The text of the files is English; :func:`parlour.languages.markdown.translate_markdown` translates it.
    """
    file, game = file_of(game_id, "rules.md"), find_game(game_id)
    own = file.read_text(encoding="utf-8") if file else f"{game.summary}\n"
    if not game.variation_of:
        return own if file else gettext("{game} has no page of rules yet.", game=game.title) + "\n"
    heading = gettext("The rules of {game}", game=find_game(game.variation_of).title)
    return f"{own.rstrip()}\n\n## {heading}\n\n{rules_text(game.variation_of)}"
