"""The two integers that stand for an action: its index in the action space, and the move of the rules.

An :data:`Action` is the index of a text in :attr:`parlour.engine.setup.Setup.actions`. Matches, observations, batches
and environments exchange actions. A :class:`Move` is an action as the rules of its game encode it; the same move may
mean different actions at different stages. The engine, the games, the built-in bots and the analyses of Parlour
(such as studies, puzzles and reviews) use moves.
"""

from typing import NewType

Action = NewType("Action", int)
"""The index of an action in the action space of a setup."""


class Move(int):
    """An action of the seat to act, as the rules of the game encode it.

    It is a class of its own at run time, so that a move in the place of an action raises an error.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Move({int(self)})"
