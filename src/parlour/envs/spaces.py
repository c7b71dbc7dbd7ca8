"""Gymnasium's spaces for a setup, and what the two environments that use them have in common."""

from typing import Any

import numpy as np
from gymnasium import spaces

from parlour.engine.errors import ParlourError
from parlour.engine.setup import Setup
from parlour.envs.rendering import MODES


def observation_box(setup: Setup) -> "spaces.Box[Any]":
    """Where a tensor lies: ``float32`` of the setup's ``observation_shape``, within the limits of its planes."""
    low, high = np.zeros((2, *setup.observation_shape), np.float32)
    for plane in setup.observation_planes:
        low[plane.slice], high[plane.slice] = plane.limits
    return spaces.Box(low, high, dtype=np.float32)


def check_render_mode(mode: str | None) -> None:
    """Raises :class:`ParlourError` if nothing can be shown in this mode."""
    if mode is not None and mode not in MODES:
        raise ParlourError(f"render_mode is {mode!r}, but may be {', '.join(map(repr, MODES))}, or None")


def checked_seat(setup: Setup, seat: int | None) -> int:
    """The seat, the first if none is named. Raises :class:`ParlourError` if there is no such seat."""
    if seat is not None and seat not in range(setup.players):
        raise ParlourError(f"there is no seat {seat}; the seats are 0 to {setup.players - 1}")
    return seat or 0
