"""Gymnasium spaces for a setup, and argument checks shared by the environments."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from parlour.engine.arrays import Int8s, Int64s
from parlour.engine.compiled import compiled
from parlour.engine.errors import OptionError, ParlourError
from parlour.engine.game import Value
from parlour.engine.information.planes import Plane
from parlour.engine.rules import MAX_ACTIONS
from parlour.engine.setup import Setup
from parlour.engine.simulation.factored import action_words
from parlour.engine.validation import as_whole, whole
from parlour.envs.rendering import MODES
from parlour.front import make
from parlour.games import find_game

_INT8 = np.dtype(np.int8)
_BYTES = 8
"""Bytes of a machine word of 64 bits; a scan skips a word of zeros."""


def setup_of(game: str, players: int | None, options: Mapping[str, Value], environment: type) -> Setup:
    """Return the setup of an environment whose further keyword arguments are the game's options.

    Raises:
        ParlourError: an argument is invalid; for an unknown name the message has the environment's arguments, too.
    """
    try:
        return make(game, players, **options)
    except OptionError as error:
        if {option.name for option in find_game(game).options}.issuperset(options):
            raise
        own = [name for name in inspect.signature(environment).parameters if name not in ("game", "players", "options")]
        raise OptionError(f"{error}; the environment itself takes {', '.join(own)}") from None


def observation_box(setup: Setup, factored: bool = False) -> "spaces.Box[Any]":
    """Return the space of tensors: ``float32`` of the setup's ``observation_shape``, bounded by its planes' limits.

    With ``factored`` a cell from 0 to 1 follows for each word at each place of the incomplete choice.
    """
    return _box(setup.observation_planes, action_words(setup).cells if factored else 0)


def number_of_actions(setup: Setup, factored: bool) -> int:
    """Return the size of the action space: the number of actions, or with ``factored`` of words."""
    return len(action_words(setup).words) if factored else setup.num_actions


def state_box(setup: Setup) -> "spaces.Box[Any]":
    """Return the space of full states: ``float32`` of the setup's ``state_shape``, bounded by its planes' limits."""
    return _box(setup.state_planes)


def _box(planes: Sequence[Plane], flags: int = 0) -> "spaces.Box[Any]":
    limits = np.array([*(plane.limits for plane in planes for _ in plane.cells), *[(0, 1)] * flags], np.float32)
    return spaces.Box(limits[:, 0], limits[:, 1], dtype=np.float32)


class ActionSpace(spaces.Discrete):
    """The space of the numbers of actions, or of words.

    A sample with a mask equals that of Gymnasium's ``Discrete`` with the same generator, in a fifth of the time, since
    the mask is scanned once, in compiled code.
    """

    def __init__(self, actions: int) -> None:
        super().__init__(actions)
        self._mask_shape, self._words = (actions,), slice(0, actions - actions % _BYTES)
        self._allowed = np.zeros(min(actions, MAX_ACTIONS), np.int64)

    def contains(self, x: Any) -> bool:
        """Return whether a value is the number of an action; ``True`` and ``1.0`` are not."""
        number = as_whole(x)
        return number is not None and 0 <= number < int(self.n)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return a random action that the mask allows; other arguments are passed to ``Discrete``."""
        if probability is None and type(mask) is np.ndarray and mask.dtype is _INT8 and mask.shape == self._mask_shape:
            mask = np.ascontiguousarray(mask)
            number = _list_ones(mask, mask[self._words].view(np.int64), self._allowed)
            if number:
                chosen: np.int64 = self._allowed[self.np_random.integers(number)]
                return chosen
        return super().sample(mask, probability)


@compiled
def _list_ones(mask: Int8s, words: Int64s, found: Int64s) -> int:
    """Write the indices of the ones in a mask into ``found``, and return their number.

    Return 0 if the mask contains a number other than 0 and 1, or if ``found`` is too short. ``words`` is the memory of
    the mask as 64-bit words, without the last bytes that fill no word, for skipping eight zeros at a time.
    """
    number = 0
    for first in range(0, mask.shape[0], _BYTES):
        word = first // _BYTES
        if word < words.shape[0] and words[word] == 0:
            continue
        for index in range(first, min(first + _BYTES, mask.shape[0])):
            if mask[index] == 1 and number < found.shape[0]:
                found[number] = index
                number += 1
            elif mask[index] != 0:
                return 0
    return number


def check_render_mode(mode: str | None) -> None:
    """Raise :class:`ParlourError` if there is no such render mode."""
    if mode is not None and mode not in MODES:
        raise ParlourError(f"render_mode is {mode!r}, but may be {', '.join(map(repr, MODES))}, or None")


def check_seat(setup: Setup, seat: int | None) -> int:
    """Return the seat, by default seat 0. Raises :class:`ParlourError` if there is no such seat."""
    number = 0 if seat is None else whole("a seat", seat)
    if number not in range(setup.players):
        raise ParlourError(f"there is no seat {number}; the seats are 0 to {setup.players - 1}")
    return number


def check_seed(seed: Any) -> int | None:
    """Return a seed or ``None``. Raises :class:`ParlourError` if it is not an integer, or negative."""
    return None if seed is None else whole("a seed", seed, 0)


def check_reset_options(options: Mapping[str, Any] | None, known: tuple[str, ...]) -> Mapping[str, Any]:
    """Return the options of ``reset``, by default none. Raises :class:`ParlourError` for an unknown one."""
    for name in options or {}:
        if name not in known:
            raise ParlourError(f"reset has no option {name!r}; it has {', '.join(map(repr, known))}")
    return options or {}
