"""Lookup of a game's layout, lesson and rules text, with defaults for a folder without them.

In a game's folder ``layout.py`` defines ``LAYOUT``, ``rules.md`` contains the rules for players, and ``lesson.toml`` a
guided first game.
"""

from functools import cache

from parlour.games import file_of, find_game, module_of
from parlour.languages import gettext
from parlour.render.lesson import Guide, Lesson, LessonError, parse_lesson
from parlour.render.plain import plain_layout
from parlour.render.scene import Layout


@cache
def find_layout(game_id: str) -> Layout:
    """Return the layout of a game, or the default layout if its folder has none.

    Raises:
        ParlourError: there is no such game, or it cannot be loaded.
    """
    module = module_of(game_id, "layout")
    layout: Layout = plain_layout(find_game(game_id)) if module is None else module.LAYOUT
    return layout


@cache
def find_lesson(game_id: str) -> Lesson | None:
    """Return the guided first game of a game, ``None`` if there is none.

    Raises:
        LessonError: the file is damaged.
    """
    file = file_of(game_id, "lesson.toml")
    try:
        return parse_lesson(file.read_bytes().decode()) if file else None
    except (ValueError, KeyError, TypeError, AttributeError) as error:  # of the encoding, of TOML, or of its keys
        raise LessonError(f"{game_id}/lesson.toml is damaged: {error}") from None


def guide_of(game_id: str) -> Guide:
    """Return the guide of a game's lesson. Raises :class:`parlour.render.lesson.LessonError` if it has none."""
    lesson = find_lesson(game_id)
    if lesson is None:
        raise LessonError(gettext("{game} has no lesson yet", game=find_game(game_id).title))
    return Guide(lesson, find_game(game_id), find_layout(game_id).lay_out)


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
