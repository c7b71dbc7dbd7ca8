"""Laws on a finished game: its sides, the texts about its end and its options, and the length of its histories.

A law takes a finished match and returns a sentence about the fault, or an empty string.
"""

import numpy as np

from parlour.authors.failures import source_of
from parlour.authors.laws import viewer_text
from parlour.authors.text_laws import unknown_clause
from parlour.engine import rules
from parlour.engine.errors import ParlourError
from parlour.engine.game import Game
from parlour.engine.match import Match
from parlour.engine.matches.records import replay
from parlour.engine.matches.steps import COMPILED
from parlour.engine.rules import MAX_SEATS

NO_BOUND = Game.__dataclass_fields__["longest_history"].default
"""Default of ``longest_history``: no bound is known."""


def check_sides(match: Match) -> str:
    """Partners are partners of each other from start to end, and win and lose together; only seats win."""
    where, seats = source_of(match.game.partners), range(match.players)
    start, sides = match.setup.new_state(), [int(rules.partners(match.state, seat)) for seat in seats]
    for seat, side in enumerate(sides):
        if side >> match.players or not side >> seat & 1:
            return f"{where}: gives seat {seat} {_seats_text(side)}, but should give it itself and other seats"
        if one_way := [other for other in seats if side >> other & 1 and sides[other] != side]:
            theirs = _seats_text(sides[one_way[0]])
            return f"{where}: gives seat {seat} {_seats_text(side)}, but seat {one_way[0]} {theirs}"
        if side != (first := int(rules.partners(start, seat))):
            return f"{where}: gives seat {seat} {_seats_text(side)} at the end, but {_seats_text(first)} at the start"
    where, winners = source_of(match.game.score), int(rules.score(match.state, np.zeros(MAX_SEATS, np.int64)))
    if winners >> match.players:
        return f"{where}: returns {_seats_text(winners)} as winners, but there are {match.players} seats"
    if split := [side for side in sides if 0 != side & winners != side]:
        wins = _seats_text(split[0] & winners)
        return f"{where}: of the side of {_seats_text(split[0])} only {wins} wins; partners win and lose together"
    return ""


def _seats_text(seats: int) -> str:
    """Return a set of seats as text: ``"seat 1"``, ``"seats 0 and 2"``."""
    *others, last = [str(seat) for seat in range(seats.bit_length()) if seats >> seat & 1] or ["none"]
    return f"seats {', '.join(others)} and {last}" if others else f"seat {last}"


def check_ending(match: Match) -> str:
    """The reason why a game ended is a text; a clause that it cites is in the page of rules."""
    where, reason = source_of(match.game.ending), match.game.ending(match.state)
    if not isinstance(reason, str):
        return f"{where}: returns {reason!r}, but should return a text"
    return unknown_clause(match.game, reason, f"{where}: the text {reason!r}")


def check_advice(match: Match) -> str:
    """Advice on options is a list of sentences; a clause that they cite is in the page of rules."""
    game, setup = match.game, match.setup
    where, advice = source_of(game.advice), game.advice(setup.players, setup.options)
    if not isinstance(advice, list) or not all(isinstance(sentence, str) for sentence in advice):
        return f"{where}: returns {advice!r}, but should return a list of sentences"
    return unknown_clause(game, " ".join(advice), f"{where}: the advice")


def check_histories(match: Match) -> str:
    """A history has no more rows than ``longest_history`` says."""
    game, setup = match.game, match.setup
    if game.longest_history is NO_BOUND or not (bound := int(game.longest_history(setup.players, setup.options))):
        return ""
    try:
        recalled = replay(match.record(), steps=COMPILED, recall=True)
    except ParlourError:  # the law on replays reports it
        return ""
    for seat in range(match.players):
        if (rows := len(recalled.history(seat))) > bound:
            return (
                f"{source_of(game.longest_history)}: is {bound}, but the history of {viewer_text(seat)} has {rows} rows"
            )
    return ""
