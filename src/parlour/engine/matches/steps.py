"""Implementations of a match's rules: interpreted, interpreted on plain states, or compiled."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from parlour.engine import rules
from parlour.engine.arrays import States
from parlour.engine.compiled import compiled
from parlour.engine.rules import PlainState
from parlour.engine.typed_state import IntVector

OneState = States | list[PlainState]
"""An array of one state, or a list of one plain state."""


@compiled
def _legal(states: OneState, actions: IntVector) -> int:
    return rules.legal(states[0], actions)


@compiled
def _play(states: OneState, action: int) -> None:
    rules.play(states[0], action)


@compiled
def _deal(states: OneState, deck: IntVector) -> None:
    rules.deal(states[0], deck)


@dataclass(frozen=True)
class Steps:
    """The rule functions of a match; each takes an array of one state, or a list of one if ``plain``."""

    legal: Callable[[OneState, IntVector], int]
    play: Callable[[OneState, int], None]
    deal: Callable[[OneState, IntVector], None]
    plain: bool = False

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle this module's constants by name, other instances by their functions."""
        names = [name for name in ("INTERPRETED", "PLAIN", "COMPILED") if globals()[name] is self]
        return names[0] if names else (Steps, (self.legal, self.play, self.deal, self.plain))


def _interpreted_legal(states: OneState, actions: IntVector) -> int:
    return rules.legal(states[0], actions)


def _interpreted_play(states: OneState, action: int) -> None:
    rules.play(states[0], action)


def _interpreted_deal(states: OneState, deck: IntVector) -> None:
    rules.deal(states[0], deck)


INTERPRETED = Steps(_interpreted_legal, _interpreted_play, _interpreted_deal)
"""Interpreted: no compile time, about ten thousand actions a second. For single games."""
PLAIN = replace(INTERPRETED, plain=True)
"""Interpreted on a :class:`~parlour.engine.rules.PlainState`, about twice as fast. For replays."""
COMPILED = Steps(_legal, _play, _deal)
"""Compiled: much faster after some seconds of compiling, once. For many games."""
