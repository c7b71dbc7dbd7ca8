"""The law on options: each value of each option changes something."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from parlour.engine.errors import OptionError
from parlour.engine.game import RULES, Game, Option, Value, option_value_name
from parlour.engine.match import INTERPRETED, standing_of
from parlour.engine.rules import HEADER
from parlour.engine.setup import Setup
from parlour.engine.vetting import own_functions
from parlour.lab.laws import LONG_RANGE, walk

GAMES = 3
"""Random games in which a value without an effect on the first state is compared with the default."""


def options_without_effect(game: Game, longest: int) -> str:
    """Every value of every option changes the first state or a game, and a rule reads what it changes.

    Args:
        game: whose options are compared.
        longest: the number of events after which a game is not played on.
    """
    for option in game.options:
        told = [_effect(game, players, option, longest) for players in game.players]
        if all(told):
            return told[0]
    return ""


def _effect(game: Game, players: int, option: Option, longest: int) -> str:
    """What is wrong with an option for a number of players, or nothing."""
    usual = Setup(game, players)
    default = usual.options[option.name]
    written = set[str]()
    for value in _values(option, players):
        try:
            setup = Setup(game, players, {option.name: value})
        except OptionError:
            continue
        if value == default:
            continue
        fields = _differing_fields(usual.new_state(), setup.new_state())
        written |= fields
        if not fields and _plays_alike(usual, setup, longest):
            shown = f"{option.name}={option_value_name(value)}"
            return f"option {shown} has no effect: setup() writes nothing of it into the state, and games go on alike"
    unread = written - _fields_read(game)
    if written and unread == written:
        return f"option {option.name!r} has no effect: setup() writes {', '.join(sorted(unread))}, which no rule reads"
    return ""


def _values(option: Option, players: int) -> Sequence[Value]:
    offered = option.values_for(players)
    return offered[:3] if isinstance(offered, range) and len(offered) > LONG_RANGE else offered


def _differing_fields(state: Any, other: Any) -> set[str]:
    return {name for name in state.dtype.names if state[name].tobytes() != other[name].tobytes()}


def _fields_read(game: Game) -> set[str]:
    """The names that the game's functions use, but for those that only ``setup`` uses, and the engine's own fields."""
    hooks = [getattr(game, hook) for hook in (*RULES, "zones", "facts", "lines", "ending", "refusal", "deck_word")]
    names = {name for function in own_functions(hooks) for name in function.__code__.co_names}
    return names | {name for name, *_ in HEADER}


def _plays_alike(setup: Setup, other: Setup, longest: int) -> bool:
    return all(_course(setup, seed, longest) == _course(other, seed, longest) for seed in range(GAMES))


def _course(setup: Setup, seed: int, longest: int) -> list[Any]:
    """What happens in a random game: the events, and the scores at the end."""
    match = next(walk(setup, seed, INTERPRETED, watched=False))
    for match in islice(walk(setup, seed, INTERPRETED, watched=False), longest):
        if match.over:
            break
    return [match.events, standing_of(match.state)]
