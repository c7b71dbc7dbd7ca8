"""The score of a seat in a finished game, as daily deals, club nights and the lists of players have it."""

from collections.abc import Sequence

from parlour.engine.events import current_result
from parlour.engine.match import Match
from parlour.render.layouts import find_layout
from parlour.server.store.daily import Score


def score_of(match: Match, seat: int, winners: Sequence[int] | None = None) -> Score:
    """Return the result of a seat with the points that the table shows.

    Args:
        match: the finished game.
        seat: the seat.
        winners: the winners after resignations; by default those by the rules of the game.
    """
    result = current_result(match.state)
    names = [f"Seat {each}" for each in range(match.players)]
    scene = find_layout(match.game.id).lay_out(match.observation(seat), names, None)
    own = [standing.now for standing in scene.standings if standing.own]
    others = [standing.now for standing in scene.standings if not standing.own]
    if not own or not others:
        own = [result.scores[seat]]
        others = [score for other, score in enumerate(result.scores) if other != seat] or own
    first = result.winners if winners is None else winners
    return Score(seat in first and len(first) < match.players, own[0], max(others))
