"""Makes the searches of all games ready: they are compiled once, which takes a quarter of a minute each, and kept.

``python -m parlour.bots.ready`` says the id of each game on a line of its own when its search is ready. It ends by
itself when whoever started it does.
"""

import os
from pathlib import Path

import numpy as np

from parlour.bots.levels import search_for
from parlour.bots.sight import sight_of
from parlour.engine.chance import new_stream
from parlour.engine.compiled import cache_folder
from parlour.engine.game import Game
from parlour.engine.match import Match, StreamRandomness
from parlour.games import all_games

_LOWEST_PRIORITY = 19


def unready_games() -> list[Game]:
    """The games whose searches have not been made ready for these sources."""
    return [game for game in all_games() if not is_ready(game)]


def is_ready(game: Game) -> bool:
    """Whether a search at this game begins at once."""
    return _mark(game).exists()


def make_ready(game: Game) -> None:
    """Compile all that a search needs, and keep it."""
    match, chance = Match(game, game.usual_players), StreamRandomness(new_stream(1))
    while match.actor < 0 or len(match.actions()) < 2:
        if match.actor < 0:
            match.take_chance(chance)
        else:
            match.play(match.legal()[0], match.actor)
    search = search_for(sight_of(match, chance.stream))
    search.try_out(np.arange(len(search.actions)), 1)
    search.solve(1, 1)
    search.grow_tree(1)
    _mark(game).touch()


def _mark(game: Game) -> Path:
    return cache_folder() / f"{game.id}.ready"


def main() -> None:
    """Make one game after another ready, at the lowest priority."""
    os.nice(_LOWEST_PRIORITY)
    parent = os.getppid()
    for game in unready_games():
        if os.getppid() != parent:
            return
        make_ready(game)
        print(game.id, flush=True)


if __name__ == "__main__":
    main()
