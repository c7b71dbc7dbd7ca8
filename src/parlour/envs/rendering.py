"""Rendering for environments: text for a terminal, or a picture."""

from io import StringIO
from typing import Any

import numpy as np

from parlour.engine.match import Match
from parlour.engine.observation import EVERYTHING
from parlour.envs import missing_package
from parlour.render.layouts import find_layout
from parlour.render.scene import Scene

MODES = ("human", "ansi", "rgb_array")
"""Render modes: printed after every action; returned as text; returned as a picture."""
_COLUMNS = 110


def scene_for(match: Match, seat: int, ended: bool = False) -> Scene:
    """Return the scene as a seat sees it, or with all cards laid open when the game is over or has ``ended`` early."""
    names = [f"Player {each}" for each in range(match.players)]
    observation = match.observation(EVERYTHING if match.over or ended else seat, ended)
    return find_layout(match.game.id).lay_out(observation, names, None)


def as_text(scene: Scene) -> str:
    """Return a scene as text with ANSI colours."""
    from rich.console import Console

    from parlour.render.text import scene_text

    file = StringIO()
    console = Console(file=file, force_terminal=True, color_system="standard", width=_COLUMNS)
    console.print(scene_text(scene))
    console.print(scene.outcome or scene.prompt)
    return file.getvalue()


def as_picture(scene: Scene) -> "np.ndarray[Any, np.dtype[np.uint8]]":
    """Return a scene as an RGB array, rows × columns × 3. Raises :class:`MissingPackageError`."""
    try:
        from parlour.render.picture import draw_scene
    except ModuleNotFoundError as error:
        raise missing_package("Pillow", "rl") from error
    return np.asarray(draw_scene(scene))


def render(mode: str, match: Match, seat: int, ended: bool = False) -> Any:
    """Return the result of an environment's ``render`` in one of the :data:`MODES`; arguments: :func:`scene_for`."""
    scene = scene_for(match, seat, ended)
    if mode == "rgb_array":
        return as_picture(scene)
    text = as_text(scene)
    if mode == "ansi":
        return text
    print(text)
    return None
