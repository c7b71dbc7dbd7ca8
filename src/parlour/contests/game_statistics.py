"""Statistics counted during a game: the number of legal actions at each decision, and the leading side."""

from typing import Any, NamedTuple

import numpy as np

from parlour.contests.game_results import GameStatistics
from parlour.engine.arrays import Int64s
from parlour.engine.compiled import rule
from parlour.engine.rules import MAX_ACTIONS, MAX_SEATS, partners, score
from parlour.engine.setup import Setup
from parlour.engine.typed_state import AnyState

NOTE_COUNT, FIRST, LEADER, SINCE, CHANGES, LAST, LED = range(7)
"""Indices in :attr:`Notes.lead`: the number of notes; the seat at the first note; the side (a set of seats) that leads
alone; the number of the note at which that lead began; the number of lead changes; the last side that led alone; and
from ``LED`` on, by seat, the number of notes at which its side led alone.
"""


class Notes(NamedTuple):
    """Counters of a game, as arrays of ``int64``.

    Attributes:
        choices: the number of decisions by number of legal actions; the item at 0 is the number of ends. Empty if the
            counters are off.
        lead: counters of the lead.
        sides: by seat, the set of seats of its side.
        scores: scratch space, by seat.
    """

    choices: Int64s
    lead: Int64s
    sides: Int64s
    scores: Int64s


def new_notes(setup: Setup, enabled: bool) -> Notes:
    """Return empty counters; they count nothing unless ``enabled``."""
    start, sides = setup.new_state(), np.zeros(MAX_SEATS, np.int64)
    sides[: setup.players] = [int(partners(start, seat)) for seat in range(setup.players)]
    choices = np.zeros(MAX_ACTIONS + 1 if enabled else 0, np.int64)
    return Notes(choices, np.zeros(LED + MAX_SEATS, np.int64), sides, np.zeros(MAX_SEATS, np.int64))


@rule
def note(state: AnyState, number: int, notes: Any) -> None:
    """Count a decision among ``number`` actions, or the end of the game (0), and the side that leads."""
    if notes.choices.shape[0] == 0:
        return
    notes.choices[number] += 1
    lead = notes.lead
    if lead[NOTE_COUNT] == 0:
        lead[FIRST] = state.actor
    leaders, alone = score(state, notes.scores), 0
    for seat in range(state.seats):
        if leaders >> seat & 1:
            alone = notes.sides[seat]
    if leaders & ~alone:
        alone = 0
    if alone != lead[LEADER]:
        lead[LEADER] = alone
        lead[SINCE] = lead[NOTE_COUNT]
        if alone != 0:
            if lead[LAST] != 0 and lead[LAST] != alone:
                lead[CHANGES] += 1
            lead[LAST] = alone
    for seat in range(state.seats):
        lead[LED + seat] += alone >> seat & 1
    lead[NOTE_COUNT] += 1


def statistics_of(notes: Notes, chance_events: int, deals: int, winners: int) -> GameStatistics:
    """Return the statistics of a finished game; ``winners`` is the set of seats that share first place."""
    numbers = np.flatnonzero(notes.choices[1:]) + 1
    often = notes.choices[numbers]
    decisions, lead = int(often.sum()), notes.lead
    first = (winners & -winners).bit_length() - 1
    sole = int(notes.sides[first]) if winners & ~int(notes.sides[first]) == 0 else 0
    others = {int(side): int(led) for side, led in zip(notes.sides, lead[LED:], strict=True) if side}
    settled = int(lead[SINCE]) if sole and int(lead[LEADER]) == sole else decisions
    return GameStatistics(
        first=int(lead[FIRST]),
        events=decisions + chance_events,
        rounds=deals,
        forced=int(notes.choices[1]),
        choices=int(numbers @ often),
        log_choices=float(np.log10(numbers) @ often),
        lead_changes=int(lead[CHANGES]),
        settled=settled / max(1, decisions),
        trailed=min(1.0, sum(led for side, led in others.items() if side & winners == 0) / max(1, decisions)),
    )
