"""A game to look at before it is chosen: some moments of one, as a spectator sees them, the same every time.

They are those between which most lies open on the table.
"""

from functools import cache
from typing import Any

from parlour.bots import choose_for, find_bot
from parlour.engine.chance import new_stream
from parlour.engine.game import Game
from parlour.engine.match import Match, StreamRandomness
from parlour.engine.rules import CHANCE
from parlour.engine.views import SPECTATOR
from parlour.server.replays import Part, scenes_of

SHOWN_SCENES = 16
_MOST_EVENTS = 300
_SEED = 7


@cache
def showcase(game: Game) -> list[dict[str, Any]]:
    """Scenes of a game between bots."""
    match = _bots_game(game)
    names = [f"Player {seat + 1}" for seat in range(match.players)]
    part = Part(SPECTATOR, 0, len(match.events))
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
    match = Match(game, game.usual_players, {})
    bot, stream = find_bot("thumb"), new_stream(_SEED)
    chance = StreamRandomness(new_stream(_SEED, 1))
    while not match.over and len(match.events) < _MOST_EVENTS:
        if match.actor == CHANCE:
            match.take_chance(chance)
        else:
            match.play(choose_for(match, bot, stream), match.actor)
    return match
