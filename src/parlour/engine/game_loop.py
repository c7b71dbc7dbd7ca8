"""How a match gets on: chance draws, and whoever is asked chooses, an event at a time."""

from collections.abc import Callable, Iterator

from parlour.engine.errors import GameError
from parlour.engine.match import Event, Match
from parlour.engine.playouts import endless
from parlour.engine.randomness import Randomness
from parlour.engine.rules import CHANCE

Choose = Callable[[Match], str | int]
"""Tells what the seat to act does: an action's text, or the rules' number for it, one of ``match.actions()``."""
Draw = Callable[[Match], str]
"""Tells the outcome of the chance event that comes next, as text."""


def drive(
    match: Match, choose: Choose, chance: Randomness | Draw | None = None, max_events: int | None = None
) -> Iterator[Event]:
    """Play a match to its end; gives each event after it has happened, so whoever asks for them may stop between two.

    Args:
        match: what is played on.
        choose: tells what the seat to act does.
        chance: draws the chance events, or tells their outcomes, if the match does not draw them itself.
        max_events: the number of events of the match after which it counts as endless; by default the game's own limit,
            :attr:`Game.max_events`.

    Raises:
        ValueError: chance is to act, and nothing draws.
        IllegalError: what was chosen is not legal.
        GameError: the game has not ended within its limit of events.
    """
    limit = match.game.max_events if max_events is None else max_events
    while not match.over:
        seen = len(match.events)
        if seen >= limit:
            raise GameError(endless(match.setup, limit))
        if match.actor == CHANCE:
            if chance is None:
                raise ValueError("chance is to act, but nothing was given to draw from")
            match.play_chance(chance(match) if callable(chance) else match.draw_chance(chance))
        else:
            action = choose(match)
            match.act(action) if isinstance(action, str) else match.carry_out(action)
        yield from match.events[seen:]


def at_random(randomness: Randomness) -> Choose:
    """Chooses every legal action equally often."""

    def choose(match: Match) -> int:
        actions = match.actions()
        return actions[randomness.below(len(actions))]

    return choose
