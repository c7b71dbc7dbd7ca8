"""Common parts of work on one game: the hash of its code, and the compilation before its first job."""

from dataclasses import dataclass

from parlour.bots.compilation import is_ready, make_ready_once
from parlour.bots.game_levels import bots_hash
from parlour.engine.game import Game
from parlour.engine.setup import Setup


def compile_search(game: Game) -> None:
    """Compile the functions of a search in this process, unless they are in the cache."""
    if not is_ready(game):
        make_ready_once(game)


@dataclass(frozen=True)
class SetupWork:
    """Base of work on one setup by built-in bots. A job is usually a game, by its number.

    Attributes:
        setup: the setup.
        seed: seed of all chance.
    """

    setup: Setup
    seed: int
    suspect = ""

    @property
    def code(self) -> str:
        """Hash of the rules, the bots and the compilers."""
        return bots_hash(self.setup.game)
