"""Exact solving of endgames: with few cards left, determinizations are solved instead of played out. Game-independent.

Alpha-beta search over a determinization in which all cards lie open, for games of two sides. Where nothing is hidden
from the seat, the only determinization is the true state and the result is perfect play. Otherwise values are means
over determinizations (Levy, "The million pound bridge program", 1989; Ginsberg, "GIB", JAIR 2001): the search then
assumes that players know all cards, so this pays only for the last few cards.
"""

import numpy as np

from parlour.bots.lookahead import final_worth
from parlour.engine.arrays import Floats, Int64s, Records, States, Stream
from parlour.engine.chance import start_stream
from parlour.engine.compiled import compiled, named_type, rule
from parlour.engine.information.belief import believed_determinization
from parlour.engine.information.determinization import prepare_determinization
from parlour.engine.information.sampling_table import SamplingTable
from parlour.engine.rules import CHANCE, MAX_ACTIONS, MAX_SEATS, legal, partners, play
from parlour.engine.simulation.playouts import fresh_deal_next

DEEPEST = 48
"""Number of positions in a line of play at which exact solving gives up."""
UNSOLVED = -1000.0
"""Value of a position that was not solved."""

LEVEL = named_type(
    np.dtype(
        [
            ("actions", np.int64, (MAX_ACTIONS,)),
            ("number", np.int64),
            ("tried", np.int64),
            ("value", np.float64),
            ("lower", np.float64),
            ("upper", np.float64),
        ],
        align=True,
    )
)
"""Search frame of :func:`solve` at one depth: the actions, the number tried, the value, and the alpha-beta window."""


@rule
def solve(states: States, levels: Records, seat: int, scores: Int64s, lead_model: Floats, limit: int) -> float:
    """Return the minimax value of ``states[0]`` for a seat's side.

    It is ``UNSOLVED`` if that takes more than ``limit`` positions, if a line of play has :data:`DEEPEST` positions, or
    if a chance event comes before the end of the round.
    """
    own = partners(states[0], seat)
    depth = 0
    entering = True
    result = 0.0
    levels[0].lower = -1e9
    levels[0].upper = 1e9
    while True:
        at = levels[depth]
        maximizing = states[depth].actor >= 0 and own >> max(states[depth].actor, 0) & 1 != 0
        if entering:
            limit -= 1
            chance_inside = states[depth].actor == CHANCE and not fresh_deal_next(states[depth])
            if limit < 0 or depth + 1 == DEEPEST or chance_inside:
                return UNSOLVED
            at.number = 0
            at.tried = 0
            if states[depth].actor >= 0:
                at.number = legal(states[depth], at.actions)
                at.value = -1e9 if maximizing else 1e9
            else:
                at.value = final_worth(states[depth], seat, scores, lead_model)
        elif maximizing:
            at.value = max(at.value, result)
            at.lower = max(at.lower, result)
        else:
            at.value = min(at.value, result)
            at.upper = min(at.upper, result)
        if at.tried == at.number or at.lower >= at.upper:
            result = at.value
            depth -= 1
            entering = False
            if depth < 0:
                return float(result)
            continue
        states[depth + 1] = states[depth]
        play(states[depth + 1], at.actions[at.tried])
        at.tried += 1
        levels[depth + 1].lower = at.lower
        levels[depth + 1].upper = at.upper
        depth += 1
        entering = True


@compiled
def solve_determinizations(
    observed: States,
    work: States,
    levels: Records,
    seat: int,
    candidates: Int64s,
    values: Floats,
    lead_model: Floats,
    pool: Int64s,
    table: SamplingTable,
    seed: int,
    random: Stream,
    limit: int,
) -> int:
    """Solve every candidate in the same determinizations; return the number of solved determinizations.

    Stops at the first determinization in which a candidate is not solved (:func:`solve`); ``limit`` is the number of
    positions for each candidate. ``values`` has the shape determinizations × candidates; ``work`` holds
    ``DEEPEST + 1`` states, ``levels`` as many frames.
    """
    scores = np.zeros(MAX_SEATS, np.int64)
    prepare_determinization(observed[0], seat, table)
    for index in range(values.shape[0]):
        start_stream(random, seed, index)
        believed_determinization(work[DEEPEST : DEEPEST + 1], observed, seat, pool, seed, table, random)
        for which in range(values.shape[1]):
            work[0] = work[DEEPEST]
            play(work[0], candidates[which])
            values[index, which] = solve(work, levels, seat, scores, lead_model, limit)
            if values[index, which] == UNSOLVED:
                return index
    return int(values.shape[0])
