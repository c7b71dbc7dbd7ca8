"""Arguments and options shared by several commands."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from click.core import ParameterSource

from parlour.languages import LANGUAGES, SOURCE_LANGUAGE, in_language

if TYPE_CHECKING:
    from parlour.engine.game import Game, Value
    from parlour.engine.setup import Setup

Command = TypeVar("Command", bound=Callable[..., Any])
LONGEST_DURATION = "with a number from 1 to 9999"
"""The numbers of :func:`parse_duration`, for its errors."""


class FiniteRange(click.FloatRange):
    """Range of numbers without infinity and NaN, which no comparison with a bound excludes."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the number of an option's text. Raises ``click.BadParameter``."""
        number = super().convert(value, parameter, context)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", parameter, context)
        return number


class GameId(click.types.StringParamType):
    """Text with the id of a game. The refusal of a missing one lists all games."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """Return what follows the refusal of a missing argument."""
        from parlour.games import game_ids

        return f"Choose one of {', '.join(game_ids())}."


MOST_EFFORT = 10**9
"""Maximum effort of a decision: some minutes. The search keeps all play-outs in memory."""

SEED = click.IntRange(0, 2**62)
"""Range of seeds, the same in every command."""
seed_option = click.option(
    "--seed", type=SEED, default=0, show_default=True, help="The same seed gives the same games."
)
game_argument = click.argument("game_id", metavar="GAME", type=GameId())
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")

move_time_option = click.option(
    "--move-time",
    type=FiniteRange(0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit per decision for outside bots, which forfeit the game if they exceed it.",
)

database_option = click.option(
    "--database",
    metavar="FILE|URL",
    default=None,
    envvar="PARLOUR_DATABASE",
    show_envvar=True,
    help="Database: a file or postgresql://… (default: a file in your data folder).",
)


_WITHOUT_LANGUAGE = ("C", "POSIX")
"""Locales without a language of their own, which stand for English."""


def usual_language() -> str:
    """Return the language of the environment, else English.

    It is the first of ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` that names an offered language.
    """
    named = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    codes = (value.partition(".")[0].partition("_")[0] for value in named)
    offered = (SOURCE_LANGUAGE if code in _WITHOUT_LANGUAGE else code for code in codes)
    return next((code for code in offered if code in LANGUAGES), SOURCE_LANGUAGE)


def language_option(command: Command) -> Command:
    """Add the option ``--language``: the command runs in this language."""

    @click.option(
        "--language",
        type=click.Choice(LANGUAGES),
        default=usual_language,
        help="Language of the texts (default: the first of LC_ALL, LC_MESSAGES and LANG that is one of these, else "
        "English).",
    )
    @wraps(command)
    def in_its_language(*arguments: Any, language: str, **named: Any) -> Any:
        with in_language(language):
            return command(*arguments, **named)

    return cast("Command", in_its_language)


def room_command(command: Command) -> Command:
    """Check that the packages of the extra ``server`` are installed before a command of the card room runs."""

    @wraps(command)
    def check_packages_first(*arguments: Any, **named: Any) -> Any:
        room_module("parlour.server.process.run")
        return command(*arguments, **named)

    return cast("Command", check_packages_first)


def room_module(name: str) -> Any:
    """Return a module of the server. Raises :class:`ParlourError` if the extra ``server`` is not installed."""
    from parlour.extras import extra

    return extra(name, "the card room needs", "server")


class StoredText(click.types.StringParamType):
    """A text as the card room stores names and messages: in Unicode's normal form C, without invisible characters."""

    name = "text"

    def convert(self, value: str, parameter: click.Parameter | None, context: click.Context | None) -> str:
        """Return the stored form. A text that cannot be stored, or that becomes empty, is a usage error."""
        room_module("parlour.server.process.run")  # names the same missing package as the command itself
        try:
            found = cast("str", room_module("parlour.server.table.fields").stored_form(value))
        except ValueError as error:
            self.fail(f"{value!r} {error}", parameter, context)
        if value and not found:
            self.fail(f"{value!r} has no visible character", parameter, context)
        return found


def age_option(name: str, help: str) -> Callable[[Command], Command]:
    """Return an option whose value is a number of days, written as days, weeks or years: ``90d``, ``8w``, ``2y``."""
    return click.option(name, metavar="AGE", callback=_days_of, help=help)


def _days_of(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    days = parse_duration(value, {"d": 1, "w": 7, "y": 365})
    if days is None:
        raise click.BadParameter(
            f"an age is written 90d, 8w or 2y (days, weeks, years), {LONGEST_DURATION}, not {value!r}"
        )
    return days


def parse_duration(text: str, units: Mapping[str, int]) -> int | None:
    """Return a number of up to four digits times the unit whose letter follows it; ``None`` for any other text."""
    number, unit = text[:-1], units.get(text[-1:])
    if unit is None or not (number.isascii() and number.isdigit() and 0 < int(number) < 10_000):
        return None
    return int(number) * unit


def where_options(command: Command) -> Command:
    """Add the options ``--cores N --on PLACE``, passed to the command as ``where``."""

    @click.option("--cores", type=click.IntRange(1), default=None, help="Cores to use (default: all).")
    @click.option(
        "--on",
        "place",
        default="",
        metavar="ray|ray://HOST:PORT",
        help="Use a Ray cluster: start one here, or connect to this address.",
    )
    @wraps(command)
    def with_place(*arguments: Any, cores: int | None, place: str, **named: Any) -> Any:
        from parlour.jobs.tasks import Placement

        return command(*arguments, where=Placement(cores, place), **named)

    return cast("Command", with_place)


_WITHOUT_EFFECT = ("out", "resume", "cores", "place", "as_json")
"""Parameters that do not affect a result: where it is computed, and how it is shown and kept."""


def command_of_result() -> str:
    """Return the running command without the parameters that do not affect its result.

    A file names the command that made it, and may be published: it must not name the folders of a machine.
    """
    context = click.get_current_context()
    words = ["parlour", context.info_name or ""]
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in _WITHOUT_EFFECT or not is_typed(name):
            continue
        value = context.params[name]
        option = [_longest(parameter)] if isinstance(parameter, click.Option) else []
        for each in value if isinstance(value, tuple) else (value,):
            words += [*option, _typed_value(each)]
    return shlex.join(words)


def is_typed(name: str) -> bool:
    """Return whether a parameter of the running command is on its command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def typed_options(*names: str) -> list[str]:
    """Return those of these options of the running command that are on its command line, as words of another one."""
    context = click.get_current_context()
    options = {parameter.name: _longest(parameter) for parameter in context.command.params}
    values = {name: context.params[name] for name in names if is_typed(name)}
    return [
        options[name] if value is True else f"{options[name]}={_typed_value(value)}" for name, value in values.items()
    ]


def _longest(parameter: click.Parameter) -> str:
    """Return the longest form of an option's name, or the name of an argument as the help has it."""
    return max(parameter.opts, key=len) if isinstance(parameter, click.Option) else parameter.human_readable_name


def _typed_value(value: Any) -> str:
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def refuse_option_alone(name: str, needed: str) -> None:
    """Raise :class:`click.UsageError` if the running command has a parameter but lacks the one that gives it effect.

    Args:
        name: the parameter without effect on its own.
        needed: the parameter that it needs; no value, 0 and no values count as absent.
    """
    context = click.get_current_context()
    if is_typed(name) and not context.params[needed]:
        option = {parameter.name: _longest(parameter) for parameter in context.command.params}
        raise click.UsageError(f"{option[name]} needs {option[needed]}")


def refuse_options_beside(name: str, *without_effect: str) -> None:
    """Raise :class:`click.UsageError` if the command line has a parameter and others that it leaves without effect."""
    option = {parameter.name: _longest(parameter) for parameter in click.get_current_context().command.params}
    if is_typed(name) and (idle := [option[other] for other in without_effect if is_typed(other)]):
        raise click.UsageError(f"{idle[0]} has no effect with {option[name]}")


def game_options(command: Command, usual_players: str = "the game's usual number") -> Command:
    """Add the argument and options ``GAME --players N --option NAME=VALUE …``.

    ``usual_players`` are the words for the number of players without the option.
    """
    command = click.option(
        "--option",
        "-o",
        "option_texts",
        multiple=True,
        metavar="NAME=VALUE",
        help="Game option; see `parlour rules GAME`.",
    )(command)
    command = click.option(
        "--players", "-p", type=int, default=None, help=f"Number of players (default: {usual_players})."
    )(command)
    return game_argument(command)


def setup_of(game_id: str, players: int | None, option_texts: tuple[str, ...]) -> Setup:
    """Return the setup named by the arguments. Raises :class:`ParlourError`."""
    from parlour.engine.setup import Setup

    game, options = _game_and_options(game_id, option_texts)
    return Setup(game, game.usual_players if players is None else players, options)


def setups_of(game_id: str, players: int | None, option_texts: tuple[str, ...]) -> tuple[list[Setup], dict[str, Any]]:
    """Return every setup that matches the arguments, and the arguments as JSON values.

    Raises:
        ParlourError: no setup matches, or an argument is not valid.
    """
    from parlour.contests.setups import every_setup

    game, options = _game_and_options(game_id, option_texts)
    return every_setup(game, players, options), {"game": game.id, "players": players, "options": options}


def _game_and_options(game_id: str, option_texts: tuple[str, ...]) -> tuple[Game, dict[str, Value]]:
    """Return the game and the parsed options."""
    from parlour.engine.errors import OptionError
    from parlour.engine.game import parse_option_value
    from parlour.games import find_game

    options: dict[str, Value] = {}
    for text in option_texts:
        _, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"an option is written NAME=VALUE, not {text!r}")
        name = option_name(text)
        if name in options:
            raise OptionError(f"option {name!r} is given twice")
        options[name] = parse_option_value(value)
    return find_game(game_id), options


def option_name(text: str) -> str:
    """Return the name of an option of a game in the text ``NAME=VALUE``, in which it may have hyphens."""
    return text.partition("=")[0].replace("-", "_")
