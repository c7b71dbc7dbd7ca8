"""Laws on the source of a game: on its options and on the numbers of its rules.

Each value of an option is possible, changes the state unless it is the default, and a rule reads the change. Rules
calculate with whole numbers: a field cuts off the fraction of any other without a message.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

from parlour.contests.setups import possible_setup
from parlour.engine.errors import OptionError
from parlour.engine.game import FAST_RULES, RULES, Game, Option, Value, option_value_name
from parlour.engine.lint import node_of, own_functions
from parlour.engine.rules import HEADER
from parlour.engine.setup import Setup

READERS = (*RULES, "zones", "facts", "lines", "ending", "refusal", "deck_word", "chance_name", "name")
"""Hooks that may read what ``setup`` has written."""


def options_without_effect(game: Game) -> str:
    """Every option value is possible; each but the default changes the first state, and a rule reads the change."""
    return next(filter(None, (_without_effect(game, option) for option in game.options)), "")


def _without_effect(game: Game, option: Option) -> str:
    """Return the fault of an option, or an empty string."""
    changed, refusals = dict[Value, set[str]](), dict[Value, str]()
    for context in _contexts(game, option):
        for value in option.trials(context.players):
            try:
                fields = _changed_fields(context, option, value)
            except OptionError as error:
                refusals[value] = str(error)
            else:
                changed.setdefault(value, set()).update(fields)
    if impossible := [value for value in refusals if value not in changed]:
        shown, reason = _text(option, impossible[0]), refusals[impossible[0]]
        return f"{shown} is not possible in any setup tried; the reason in the last one: {reason}"
    defaults = {Setup(game, players).options[option.name] for players in game.players}
    for value, fields in changed.items():
        if not fields and (value not in defaults or not any(changed.values())):
            return f"{_text(option, value)} has no effect: setup() writes nothing else into the state than by default"
    written = set[str]().union(*changed.values())
    if written and not written & _fields_read(game):
        return f"option {option.name!r} has no effect: setup() writes {', '.join(sorted(written))}, which no rule reads"
    return ""


def _text(option: Option, value: Value) -> str:
    return f"option {option.name}={option_value_name(value)}"


def _contexts(game: Game, option: Option) -> Iterator[Setup]:
    """Yield the setups for an option: for each number of players the defaults, then each value of each other option."""
    for players in game.players:
        yield Setup(game, players)
        for other in game.options:
            for value in other.trials(players) if other is not option else ():
                if setup := possible_setup(game, players, {other.name: value}):
                    yield setup


def _changed_fields(context: Setup, option: Option, value: Value) -> set[str]:
    """Return the fields of the first state that this value of an option changes. Raises :class:`OptionError`."""
    setup = Setup(context.game, context.players, {**context.chosen, option.name: value})
    states = setup.new_state(), context.new_state()
    return {name for name in states[0].dtype.names if states[0][name].tobytes() != states[1][name].tobytes()}


def _fields_read(game: Game) -> set[str]:
    """Return the names that the rules and texts of a game use, fields among them, and the engine's own fields."""
    functions = own_functions([getattr(game, hook) for hook in READERS])
    return {name for function in functions for name in function.__code__.co_names} | {name for name, *_ in HEADER}


def fraction_in_rules(game: Game) -> str:
    """Rules calculate with whole numbers: without the division ``/`` and without numbers with a point."""
    rules = (getattr(game, name) for name in (*RULES, *FAST_RULES))
    functions = own_functions(rule for rule in rules if isinstance(rule, FunctionType))
    return next((fault for function in functions for fault in _fractions(function)), "")


def rule_without_return(game: Game) -> str:
    """A rule that is declared to return a whole number has a ``return`` with a value."""
    rules = (getattr(game, name) for name in (*RULES, *FAST_RULES))
    for function in own_functions(rule for rule in rules if isinstance(rule, FunctionType)):
        file = Path(function.__code__.co_filename)
        node = node_of(file, function.__code__.co_firstlineno)
        if not isinstance(node, ast.FunctionDef) or not isinstance(node.returns, ast.Name) or node.returns.id != "int":
            continue
        if not any(isinstance(part, ast.Return) and part.value for part in ast.walk(node)):
            return f"{file.name}, line {node.lineno}, {function.__name__}(): has no return, but should return a number"
    return ""


def _fractions(function: FunctionType) -> Iterator[str]:
    """Yield a sentence for each expression of a function that makes a fraction."""
    file = Path(function.__code__.co_filename)
    for node in ast.walk(node_of(file, function.__code__.co_firstlineno)):
        place = f"{file.name}, line {getattr(node, 'lineno', 0)}, {function.__name__}()"
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield f"{place}: the division / makes a fraction, which a field cuts off; // makes a whole number"
        elif isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield f"{place}: {node.value} is not a whole number; a field cuts off its fraction"
