"""A game to look at before it is chosen: some moments of one, as a spectator sees them, the same every time.

They are those between which most lies open on the table. Whoever comes first is not to wait for them, so they are kept
in the game's folder; ``python -m parlour.server.http.showcase`` makes them anew.
"""

from functools import cache
from pathlib import Path
from typing import Any

from parlour.bots import choose_for, find_bot
from parlour.engine.chance import new_stream
from parlour.engine.game import Game
from parlour.engine.game_loop import drive
from parlour.engine.match import Match
from parlour.engine.observation import SPECTATOR
from parlour.engine.randomness import StreamRandomness
from parlour.engine.setup import Setup
from parlour.games import all_games, file_of, folder_of
from parlour.server.table.messages import to_text
from parlour.server.table.replays import ReplaySlice, scenes_of

SHOWN_SCENES = 16
KEPT_AS = "showcase.json"
_MOST_EVENTS = 300
_SEED = 7


_DRAWN = ("areas", "legal", "choices", "seat", "rest")
"""What a picture is drawn from."""


@cache
def showcase(game: Game) -> str:
    """Scenes of a game between bots, as JSON: as they are kept, or made now."""
    kept = file_of(game.id, KEPT_AS)
    return kept.read_text(encoding="utf-8") if kept else make_showcase(game)


def make_showcase(game: Game) -> str:
    """Let bots play, and choose what is shown: a list of scenes as JSON, one a line."""
    lines = (to_text({key: scene[key] for key in _DRAWN}) for scene in _moments(game))
    return "[" + ",\n".join(lines) + "]\n"


def keep_showcases() -> None:
    """Make those of all games anew, into the games' folders."""
    for game in all_games():
        folder = folder_of(game.id)
        if isinstance(folder, Path):
            (folder / KEPT_AS).write_text(make_showcase(game), encoding="utf-8")


def _moments(game: Game) -> list[dict[str, Any]]:
    match = _bots_game(game)
    names = [f"Player {seat + 1}" for seat in range(match.players)]
    part = ReplaySlice(SPECTATOR, 0, len(match.events))
    scenes = scenes_of(game, match.players, match.options, match.events, names, part, False)
    shown = [_cards_shown(scene) for scene in scenes]
    middle = len(scenes) // 2

    def worth(first: int) -> tuple[int, int]:
        return sum(shown[first : first + SHOWN_SCENES]), -abs(first - middle)

    first = max(range(max(1, len(scenes) - SHOWN_SCENES)), key=worth)
    return scenes[first : first + SHOWN_SCENES]


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
    keep_showcases()
