"""The faces of games: the colours and the drawing of the table, from ``face.toml`` and ``table.svg`` of each game."""

import logging
import re
import tomllib

from parlour.games import files_named
from parlour.server.logs import note

_COLOUR = re.compile(r"#[0-9a-f]{6}")
_KEYS = ("cloth", "accent")


def face_files() -> dict[str, bytes]:
    """Return the drawings of tables by their path among the page's files, and the style sheet of all faces.

    A game whose ``face.toml`` is damaged has the usual face, and the log has the reason.
    """
    drawings = {f"games/{game_id}/table.svg": drawing for game_id, drawing in files_named("table.svg").items()}
    rules = []
    for game_id, toml in files_named("face.toml").items():
        try:
            rules.append(_face_rule(game_id, toml.decode(), f"games/{game_id}/table.svg" in drawings))
        except ValueError as error:  # also of the encoding and of TOML
            note("the face of a game is left out", logging.ERROR, game=game_id, why=str(error))
    return {**drawings, "css/faces.css": "".join(rules).encode()}


def _face_rule(game_id: str, toml: str, drawn: bool) -> str:
    """Return the CSS rule of a game's face.

    Raises:
        ValueError: the text is no TOML, or a colour is missing or malformed.
    """
    face = tomllib.loads(toml)
    for key in _KEYS:
        if not _COLOUR.fullmatch(str(face.get(key, ""))):
            raise ValueError(f"{key} must be a colour such as #24364a")
    drawing = f' --drawing: url("../games/{game_id}/table.svg");' if drawn else ""
    return f".face-{game_id} {{ --cloth: {face['cloth']}; --cloth-accent: {face['accent']};{drawing} }}\n"
