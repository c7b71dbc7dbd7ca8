"""Games between bots, those of the house and those from outside, one in each seat."""

from collections.abc import Sequence
from typing import Any

from parlour.bots import HouseBot, sight_of
from parlour.bots.outside import AnyBot, OutsideBot, find_any_bot
from parlour.bots.protocol import Bot
from parlour.engine.chance import new_stream
from parlour.engine.driving import Choose, drive
from parlour.engine.errors import IllegalError, ParlourError
from parlour.engine.match import Match, Result, SystemRandomness
from parlour.engine.setup import Setup

_SEEDS = 2**63


def play(setup: Setup, bots: Sequence[str | Bot], seed: int | None = None) -> Match:
    """Let bots play a game.

    Args:
        setup: what is played.
        bots: one for each seat: an id of :func:`find_any_bot`, or an object that chooses.
        seed: of all chance, that of the house's own bots included; drawn by the operating system if none is given.

    Returns:
        the finished match.

    Raises:
        ParlourError: there are not as many bots as seats, or there is no bot of this name.
        IllegalError: a bot chose what is not legal.
    """
    if isinstance(bots, str) or len(bots) != setup.players:
        named = repr(bots) if isinstance(bots, str) else f"{len(bots)} bots"
        raise ParlourError(f"{named} for {setup.players} seats: name one bot for each")
    drawn = SystemRandomness().below(_SEEDS) if seed is None else seed
    found = [find_any_bot(bot) if isinstance(bot, str) else bot for bot in bots]
    seated = [Seated(bot, setup, seat, new_stream(drawn, seat + 1)) for seat, bot in enumerate(found)]
    match = setup.start(drawn)
    for _ in drive(match, lambda match: seated[match.actor].choose(match)):
        pass
    for each in seated:
        each.end(match.result)
    return match


class Seated:
    """A bot in its seat, for one game: it has begun, and is told when the game is over.

    Attributes:
        choose: what it does in a match when its seat is to act.
    """

    def __init__(self, bot: AnyBot | Bot, setup: Setup, seat: int, stream: Any) -> None:
        """``stream`` is the chance of a bot of the house; one from outside brings its own."""
        self._bot: Any = bot.make() if isinstance(bot, OutsideBot) else bot
        self._name = bot.id if isinstance(bot, OutsideBot) else type(bot).__name__
        self.choose: Choose = self._asked
        if isinstance(bot, HouseBot):
            self.choose = lambda match: bot.choose(sight_of(match, stream))
        elif hasattr(self._bot, "begin"):
            self._bot.begin(setup, seat)

    def _asked(self, match: Match) -> str:
        action = self._bot.choose(match.observation())
        try:
            text = action if isinstance(action, str) else match.setup.action_name(action)
            match.parse_action(text)
        except IllegalError as error:
            raise IllegalError(f"the bot {self._name} in seat {match.actor}: {error}", error.clause) from None
        return text

    def end(self, result: Result | None) -> None:
        """Tell it how the game ended."""
        if not isinstance(self._bot, HouseBot) and hasattr(self._bot, "end"):
            self._bot.end(result)
