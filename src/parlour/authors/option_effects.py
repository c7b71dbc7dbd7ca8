"""Law on options: each value other than the default changes the state, and a rule reads the changed field."""

from collections.abc import Iterator

from parlour.engine.errors import OptionError
from parlour.engine.game import RULES, Game, Option, Options, Value, option_value_name
from parlour.engine.lint import own_functions
from parlour.engine.rules import HEADER
from parlour.engine.setup import Setup

READERS = (*RULES, "zones", "facts", "lines", "ending", "refusal", "deck_word", "chance_name", "name")
"""Hooks that may read what ``setup`` has written."""


def options_without_effect(game: Game) -> str:
    """Every option value but the default changes the state before the first event; a rule reads the changed field."""
    return next(filter(None, (_without_effect(game, option) for option in game.options)), "")


def _without_effect(game: Game, option: Option) -> str:
    """Return the fault of an option, or an empty string."""
    changed: dict[Value, set[str]] = {}
    for context in _contexts(game, option):
        for value in option.trials(context.players):
            changed.setdefault(value, set()).update(_changed_fields(context, option, value))
    defaults = {Setup(game, players).options[option.name] for players in game.players}
    for value, fields in changed.items():
        if not fields and (value not in defaults or not any(changed.values())):
            shown = f"{option.name}={option_value_name(value)}"
            return f"option {shown} has no effect: setup() writes nothing else into the state than by default"
    written = set[str]().union(*changed.values())
    if written and not written & _fields_read(game):
        return f"option {option.name!r} has no effect: setup() writes {', '.join(sorted(written))}, which no rule reads"
    return ""


def _contexts(game: Game, option: Option) -> Iterator[Setup]:
    """Yield the setups for an option: for each number of players the defaults, then each value of each other option."""
    for players in game.players:
        yield Setup(game, players)
        for other in game.options:
            for value in other.trials(players) if other is not option else ():
                if setup := _setup(game, players, {other.name: value}):
                    yield setup


def _setup(game: Game, players: int, options: Options) -> Setup | None:
    try:
        return Setup(game, players, options)
    except OptionError:
        return None


def _changed_fields(context: Setup, option: Option, value: Value) -> set[str]:
    """Return the fields of the first state that differ from the default if an option has this value."""
    usual = {name: chosen for name, chosen in context.chosen.items() if name != option.name}
    setup = _setup(context.game, context.players, {**usual, option.name: value})
    default = _setup(context.game, context.players, usual)
    if setup is None or default is None:
        return set()
    states = setup.new_state(), default.new_state()
    return {name for name in states[0].dtype.names if states[0][name].tobytes() != states[1][name].tobytes()}


def _fields_read(game: Game) -> set[str]:
    """Return the names that the rules and texts of a game use, fields among them, and the engine's own fields."""
    functions = own_functions([getattr(game, hook) for hook in READERS])
    return {name for function in functions for name in function.__code__.co_names} | {name for name, *_ in HEADER}
