"""What pieces of work on one setup share: by which code they are done, and what has to be compiled before."""

from dataclasses import dataclass

from parlour.bots.compilation import is_ready, make_ready
from parlour.engine.compiled import source_hash
from parlour.engine.game import Game
from parlour.engine.setup import Setup


def be_ready(game: Game) -> None:
    """Compile all that a search needs, in this process, unless that is kept."""
    if not is_ready(game):
        make_ready(game)


@dataclass(frozen=True)
class SetupWork:
    """Work on games of one setup, by bots of the house: jobs are games, by their numbers.

    Attributes:
        setup: what is played.
        seed: of all chance.
    """

    setup: Setup
    seed: int
    suspect = ""

    @property
    def code(self) -> str:
        """A hash of the rules, the bots and what compiles them."""
        return source_hash(self.setup.game.dtype)
