"""Built-in bots with the interface of external bots: other code can let them choose from an observation."""

import numpy as np

from parlour.bots import BuiltinBot, CompiledObservation, find_bot
from parlour.engine.arrays import Stream
from parlour.engine.chance import as_seed, new_stream
from parlour.engine.errors import ParlourError
from parlour.engine.observation import Observation
from parlour.engine.rules import ACTION_ROOM, copy_state, legal
from parlour.engine.validation import shown


class ObservingBot:
    """Built-in bot with the interface of :class:`parlour.Bot`.

    Attributes:
        id: its name.
    """

    def __init__(self, bot: BuiltinBot, seed: int) -> None:
        self.id, self._bot, self._random = bot.id, bot, new_stream(seed)

    def __repr__(self) -> str:
        return f"<bot {self.id}>"

    def choose(self, observation: Observation) -> str:
        """Return the text of the chosen action. Raises :class:`ParlourError` if the seat is not to act."""
        compiled = compiled_from(observation, self._random)
        return observation.setup.game.name(compiled.state, int(self._bot.choose(compiled)))

    def chances(self, observation: Observation) -> dict[str, float]:
        """Return the probability of each legal action, by its text.

        A bot that searches or forgets cards estimates them by one search or sample: take the mean of several calls.

        Raises :class:`ParlourError` if the seat is not to act.
        """
        compiled = compiled_from(observation, self._random)
        name = observation.setup.game.name
        chances = self._bot.chances(compiled)
        return {
            name(compiled.state, int(move)): float(each) for move, each in zip(compiled.moves, chances, strict=True)
        }


def compiled_from(observation: Observation, random: Stream) -> CompiledObservation:
    """Return the compiled observation. Raises :class:`ParlourError` if the seat is not to act."""
    if observation.seat < 0 or observation.actor != observation.seat:
        raise ParlourError("a bot chooses from the observation of the seat to act")
    state, moves = copy_state(observation.observed), np.zeros(ACTION_ROOM, np.int64)
    moves = moves[: legal(state, moves)].copy()
    return CompiledObservation(observation.game, state, observation.seat, moves, random)


def bot(name: str, seed: int = 0) -> ObservingBot:
    """Return a built-in bot, such as ``"expert"`` or ``"search:effort=20000"``, that chooses from observations.

    Args:
        name: its id.
        seed: the seed of its own random decisions.

    Raises:
        ParlourError: no built-in bot has this name.
    """
    if not isinstance(name, str):
        raise ParlourError(f"a bot has a name, such as 'expert', not {shown(name)}")
    return ObservingBot(find_bot(name), as_seed(seed))
