"""The showcase of a game: consecutive scenes of a game between bots as a spectator sees them, always the same.

They are the scenes with the most face-up cards. Each game's folder stores its showcase, so that the first visitor does
not wait; ``python -m parlour.server.http.showcase`` generates them.
"""

from functools import cache
from pathlib import Path
from typing import Any

from parlour.bots import choose_for, find_bot
from parlour.engine.chance import new_stream
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import drive
from parlour.games import all_games, file_of, folder_of
from parlour.server.table.messages import to_text
from parlour.server.table.replays import ReplaySlice, scenes_of

SCENES = 16
"""Number of scenes in a showcase."""
FILE_NAME = "showcase.json"
_MOST_EVENTS = 300
"""Number of events after which the game is broken off."""
_SEED = 7


_KEYS = ("areas", "legal", "choices", "seat", "rest", "sides")
"""The keys of a scene that a picture needs."""


@cache
def showcase(game: Game) -> str:
    """Return the showcase of a game as JSON: the stored one, or a new one."""
    stored = file_of(game.id, FILE_NAME)
    return stored.read_bytes().decode(errors="replace") if stored else showcase_text(game)


def showcase_text(game: Game) -> str:
    """Return a new showcase: a list of scenes as JSON, one in each line."""
    lines = (to_text({key: scene[key] for key in _KEYS}) for scene in _best_scenes(game))
    return "[" + ",\n".join(lines) + "]\n"


def write_showcases() -> None:
    """Write the showcases of all games into their folders."""
    for game in all_games():
        folder = folder_of(game.id)
        if isinstance(folder, Path):
            (folder / FILE_NAME).write_text(showcase_text(game), encoding="utf-8")


def _best_scenes(game: Game) -> list[dict[str, Any]]:
    """Return the consecutive scenes with the most face-up cards; of equal ones those nearest to the middle."""
    match = _bots_game(game)
    names = [f"Player {seat + 1}" for seat in range(match.players)]
    part = ReplaySlice(SPECTATOR, 0, len(match.events))
    scenes = scenes_of(game, match.players, match.options, match.events, names, part, False)
    shown = [_cards_shown(scene) for scene in scenes]
    middle = len(scenes) // 2

    def quality(first: int) -> tuple[int, int]:
        return sum(shown[first : first + SCENES]), -abs(first - middle)

    first = max(range(max(1, len(scenes) - SCENES)), key=quality)
    return scenes[first : first + SCENES]


def _cards_shown(scene: dict[str, Any]) -> int:
    rows = (row for area in scene["areas"] for row in area["rows"] if row["style"] != "last")
    return sum(card["card"] is not None and card["face_up"] for row in rows for card in row["cards"])


def _bots_game(game: Game) -> Match:
    match = Match(Setup(game, game.usual_players))
    bot, stream = find_bot("thumb"), new_stream(_SEED)
    chance = StreamRandomness(new_stream(_SEED, 1))
    for _ in drive(match, lambda match: choose_for(match, bot, stream), chance):
        if len(match.events) == _MOST_EVENTS:
            break
    return match


if __name__ == "__main__":
    write_showcases()
