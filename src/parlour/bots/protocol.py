"""What a bot is: anything that chooses an action by what its seat may know."""

from typing import Protocol, runtime_checkable

from parlour.engine.views import Observation


@runtime_checkable
class Bot(Protocol):
    """Chooses what its seat does.

    It may also have ``begin(setup, seat)``, which is called before the first event, and ``end(result)``, called when
    the game is over.
    """

    def choose(self, observation: Observation) -> str | int:
        """One of the legal actions: its text, ``observation.legal[0]`` for instance, or its number."""
