"""A game to look at before it is chosen: some moments of one, as a spectator sees them, the same every time."""

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
_BEGINS = 3
"""A third of the game lies behind what is shown, so that something lies on the table."""
_MOST_EVENTS = 300
_SEED = 7


@cache
def showcase(game: Game) -> list[dict[str, Any]]:
    """Scenes of a game between bots."""
    match = _bots_game(game)
    first = max(1, (len(match.events) - SHOWN_SCENES) // _BEGINS)
    names = [f"Player {seat + 1}" for seat in range(match.players)]
    part = Part(SPECTATOR, first, SHOWN_SCENES)
    return scenes_of(game, match.players, match.options, match.events, names, part, False)


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
