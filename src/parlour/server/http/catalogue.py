"""The games, their options, rules and primers as JSON and HTML for clients."""

import logging
import re
from functools import cache
from typing import Any

from parlour.bots import BOTS, LEVELS, USUAL_BOT, BuiltinBot
from parlour.engine.game import NO_LIMIT, Game, Option, option_value_name
from parlour.engine.setup import Setup
from parlour.games import all_games, find_game
from parlour.languages import LANGUAGES, CacheByLanguage, gettext, in_language
from parlour.languages.markdown import translate_markdown
from parlour.render.layouts import find_layout, find_lesson, rules_text
from parlour.server.logs import note


def load_games() -> None:
    """Load the data that the first clients need, in all languages: the games, their layouts and primers."""
    for code in LANGUAGES:
        with in_language(code):
            for game in catalogue()["games"]:
                primer(game["id"])


@cache
def shown_games() -> list[Game]:
    """Return the games whose layout, lesson and rules can be read; the others are left out, and the log has why."""
    return [game for game in all_games() if _is_readable(game)]


def _is_readable(game: Game) -> bool:
    try:
        for read in (find_layout, find_lesson, rules_text):
            read(game.id)
    except Exception as error:  # the files of a foreign package may hold and raise anything
        note("a game is not offered", logging.ERROR, game=game.id, error=type(error).__name__, why=str(error))
        return False
    return True


@CacheByLanguage
def catalogue() -> dict[str, Any]:
    """Return all games with their options, all bots, and the default bot."""
    return {
        "games": [_game_json(game) for game in shown_games()],
        "bots": [_bot_json(bot) for bot in BOTS.values()],
        "usual_bot": USUAL_BOT,
    }


def _bot_json(bot: BuiltinBot) -> dict[str, Any]:
    title, description = gettext(bot.title), gettext(bot.description)
    return {"id": bot.id, "title": title, "description": description, "study": bot.id not in LEVELS}


def _game_json(game: Game) -> dict[str, Any]:
    defaults = {players: dict(Setup(game, players).options) for players in game.players}
    layout, lesson = find_layout(game.id), find_lesson(game.id)
    return {
        "id": game.id,
        "title": game.title,
        "summary": gettext(game.summary),
        "credit": gettext(game.credit),
        "players": list(game.players),
        "usual": game.usual_players,
        "unusual": gettext(layout.unusual),
        "fits": gettext(layout.fits),
        "minutes": layout.minutes,
        "lesson": lesson.minutes if lesson else None,
        "options": [
            option_json(option, {players: values[option.name] for players, values in defaults.items()})
            | {"depends": _dependent_defaults(game, option)}
            for option in game.options
        ],
    }


def option_json(option: Option, defaults: dict[int, Any]) -> dict[str, Any]:
    """Return an option as JSON; ``defaults`` are its default values by number of players."""
    values = option.values
    number = isinstance(values, range)
    limits = {str(players): option.values_for(players) for players in defaults if option.limits}
    refused = {
        str(players): {
            option_value_name(value): reason
            for value in (() if number else values)
            if value != default and (reason := option.refuse(players, value))
        }
        for players, default in defaults.items()
    }
    return {
        "name": option.name,
        "title": gettext(option.title_text()),
        "titles": {option_value_name(value): gettext(text) for value, text in option.titles.items()},
        "clause": option.clause,
        "help": gettext(option.help),
        "kind": _kind_of(option),
        "pattern": option.pattern,
        "pattern_words": gettext(option.pattern_words),
        "values": None if number else list(values),
        "min": values[0] if number else None,
        "max": values[-1] if isinstance(values, range) and values.stop < NO_LIMIT else None,
        "limits": {players: [part[0], part[-1]] for players, part in limits.items() if part != values},
        "defaults": {str(players): default for players, default in defaults.items()},
        "refused": {players: reasons for players, reasons in refused.items() if reasons},
        "consequences": {option_value_name(value): gettext(text) for value, text in option.consequences.items()},
        "advanced": option.advanced,
    }


LONGEST_LISTED = 100
"""Longest range of an option whose values are tried for their effect on the defaults of other options."""


def _dependent_defaults(game: Game, option: Option) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the defaults of an option that follow from another option: by players, the other's name and value."""
    if not callable(option.default):
        return {}
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for players in game.players:
        usual = Setup(game, players).options
        for other in game.options[: game.options.index(option)]:
            values = other.values if len(other.values) <= LONGEST_LISTED else ()
            defaults = {value: _default(option, players, {**usual, other.name: value}) for value in values}
            differing = {
                option_value_name(value): default
                for value, default in defaults.items()
                if default not in (None, usual[option.name])
            }
            if differing:
                found.setdefault(str(players), {})[other.name] = differing
    return found


def _default(option: Option, players: int, before: dict[str, Any]) -> Any:
    """Return the default after these options, or ``None`` where they are impossible."""
    try:
        return option.default_for(players, before)
    except (KeyError, IndexError, ValueError):
        return None


def _kind_of(option: Option) -> str:
    if isinstance(option.values, range):
        return "number"
    if option.pattern:
        return "text"
    return "boolean" if isinstance(option.values[0], bool) else "choice"


@CacheByLanguage
def rules_html(game_id: str) -> str:
    """Return a game's rules as HTML; HTML in the Markdown source is shown as text."""
    return markdown_html(translate_markdown(rules_text(game_id)), find_game(game_id))


def markdown_html(text: str, game: Game) -> str:
    """Return Markdown as HTML, with marked clauses of the game, which a page can open."""
    from markdown_it import MarkdownIt  # only readers of rules need it

    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return re.sub(rf"\b{game.prefix}-(\d+)\b", _cited, html)


def _cited(clause: re.Match[str]) -> str:
    title, words = gettext("Rule {clause}", clause=clause[0]), gettext("rule {number}", number=clause[1])
    words = words.replace(" ", "\u00a0")
    return f'<span class="cited" data-clause="{clause[0]}" title="{title}">{words}</span>'


@CacheByLanguage
def primer(game_id: str) -> dict[str, Any]:
    """Return a game's primer: a summary, the duration of the lesson, and the terms."""
    game, lesson = find_game(game_id), find_lesson(game_id)
    short = translate_markdown(rules_text(game_id).split("\n## ")[0])
    return {
        "title": game.title,
        "short": markdown_html(short, game),
        "lesson": lesson.minutes if lesson else None,
        "terms": [
            {"word": gettext(term.word), "means": gettext(term.means), "clause": term.clause}
            for term in find_layout(game_id).terms
        ],
    }
