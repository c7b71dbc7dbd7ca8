"""The loop that plays a match event by event, with a function for the players and one for chance."""

from collections.abc import Callable, Iterator

from parlour.engine.errors import GameError
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.randomness import Randomness
from parlour.engine.moves import Move
from parlour.engine.rules import CHANCE
from parlour.engine.simulation.playouts import endless, no_action

Choose = Callable[[Match], str | Move]
"""Returns the action of the seat to act: its text, or one of ``match.moves()``."""
Draw = Callable[[Match], str]
"""Returns the outcome of the next chance event, as text."""


def drive(
    match: Match, choose: Choose, chance: Randomness | Draw | None = None, max_events: int | None = None
) -> Iterator[Event]:
    """Play a match to its end and yield each event after it has happened; the caller may stop between two events.

    Args:
        match: the match, which the loop changes.
        choose: returns the action of the seat to act.
        chance: the random generator for chance events, or a function that returns their outcomes. Not needed if the
            match draws chance events itself.
        max_events: the number of events after which the match counts as endless; by default the game's own limit,
            :attr:`Game.max_events`.

    Raises:
        ValueError: a chance event is next, and ``chance`` is ``None``.
        IllegalError: the chosen action or outcome is not legal.
        GameError: the game has not ended within its limit of events.
    """
    limit = match.game.max_events if max_events is None else max_events
    while not match.over:
        seen = len(match.events)
        if seen >= limit:
            raise GameError(endless(match.setup, limit))
        if match.actor == CHANCE:
            if chance is None:
                raise ValueError("chance is to act, but no randomness was given")
            match.apply_chance(chance(match) if callable(chance) else match.sample_chance(chance))
        else:
            action = choose(match)
            match.apply_move(action) if isinstance(action, Move) else match.act(action)
        yield from match.events[seen:]


def at_random(randomness: Randomness) -> Choose:
    """Return a function that chooses a legal action uniformly at random.

    The function raises :class:`GameError` if there is none.
    """

    def choose(match: Match) -> Move:
        moves = match.moves()
        if not moves:
            raise GameError(no_action(match.setup.label, match.actor))
        return moves[randomness.below(len(moves))]

    return choose
