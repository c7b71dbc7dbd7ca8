"""Gymnasium spaces for a setup, and argument checks shared by the environments."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from parlour.engine.arrays import Int8s, Int64s
from parlour.engine.errors import ParlourError
from parlour.engine.information.planes import Plane
from parlour.engine.setup import Setup
from parlour.engine.validation import as_whole, whole
from parlour.envs.rendering import MODES

_INT8 = np.dtype(np.int8)
_LONG = 2000
"""Length of a mask from which it is searched as bools, a twentieth of the time for 25,000 actions."""


def observation_box(setup: Setup) -> "spaces.Box[Any]":
    """Return the space of tensors: ``float32`` of the setup's ``observation_shape``, bounded by its planes' limits."""
    return _box(setup.observation_planes)


def state_box(setup: Setup) -> "spaces.Box[Any]":
    """Return the space of full states: ``float32`` of the setup's ``state_shape``, bounded by its planes' limits."""
    return _box(setup.state_planes)


def _box(planes: Sequence[Plane]) -> "spaces.Box[Any]":
    limits = np.array([plane.limits for plane in planes for _ in plane.cells], np.float32)
    return spaces.Box(limits[:, 0], limits[:, 1], dtype=np.float32)


class ActionSpace(spaces.Discrete):
    """The space of a setup's action numbers.

    A sample with a mask equals that of Gymnasium's ``Discrete`` with the same generator, in a fifth of the time, since
    the mask is scanned less often.
    """

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup.num_actions)
        self._mask_shape = (setup.num_actions,)

    def contains(self, x: Any) -> bool:
        """Return whether a value is the number of an action; ``True`` and ``1.0`` are not."""
        number = as_whole(x)
        return number is not None and 0 <= number < int(self.n)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return a random action that the mask allows; other arguments are passed to ``Discrete``."""
        if probability is None and type(mask) is np.ndarray and mask.dtype is _INT8 and mask.shape == self._mask_shape:
            allowed = _marked(mask)
            if len(allowed):
                return allowed[self.np_random.integers(len(allowed))]  # type: ignore[no-any-return]
        return super().sample(mask, probability)


def _marked(mask: Int8s) -> Int64s:
    """Return the indices of the ones in a mask; an empty array if another number than 0 and 1 is in it."""
    if len(mask) < _LONG:
        allowed = mask.nonzero()[0]
        return allowed if len(allowed) == mask.tobytes().count(1) else allowed[:0]
    return mask.view(np.bool_).nonzero()[0] if np.bitwise_or.reduce(mask) == 1 else np.zeros(0, np.int64)


def check_render_mode(mode: str | None) -> None:
    """Raise :class:`ParlourError` if there is no such render mode."""
    if mode is not None and mode not in MODES:
        raise ParlourError(f"render_mode is {mode!r}, but may be {', '.join(map(repr, MODES))}, or None")


def checked_seat(setup: Setup, seat: int | None) -> int:
    """Return the seat, by default seat 0. Raises :class:`ParlourError` if there is no such seat."""
    number = 0 if seat is None else whole("a seat", seat)
    if number not in range(setup.players):
        raise ParlourError(f"there is no seat {number}; the seats are 0 to {setup.players - 1}")
    return number


def checked_seed(seed: Any) -> int | None:
    """Return a seed or ``None``. Raises :class:`ParlourError` if it is not an integer, or negative."""
    return None if seed is None else whole("a seed", seed, 0)


def check_reset_options(options: Mapping[str, Any] | None, known: tuple[str, ...] = ()) -> Mapping[str, Any]:
    """Return the options of ``reset``, by default none. Raises :class:`ParlourError` for an unknown one."""
    for name in options or {}:
        if name not in known:
            has = f"it has {', '.join(map(repr, known))}" if known else "it has none; a game's own go to its making"
            raise ParlourError(f"reset has no option {name!r}; {has}")
    return options or {}
