"""Stand-ins: a bot replaces a player at the end of the player's time, or of the table's patience.

At a table over days each action has its own time, which passes with and without connected people. A person who
connects after it, before a bot has acted, has ``LATE_SECONDS``, once.

A disconnected player who returns gets the seat back, with at least ``RETURN_SECONDS`` on the clock. A connected player
whose time runs out does not: a bot plays the seat to the end.
"""

from parlour.server.store.maintenance import DAY_SECONDS
from parlour.server.table.messages import DeadlineInfo
from parlour.server.table.outcomes import StoodIn
from parlour.server.table.state import TableState

LATE_SECONDS = 600.0
"""Seconds to act for a person who connects after the deadline."""


def due(state: TableState, now: float) -> float | None:
    """Return the seconds until a bot stands in for the seat to act; ``None`` if it does not."""
    actor, clocks = state.match.actor, state.clocks
    if not state.is_person(actor) or state.bot_for(actor):
        return None
    if (end := _end_of_days(state)) is not None:
        return max(0.0, end - now)
    times = [clocks.seconds_left(actor, now)] if clocks and clocks.running == actor else []
    missed = state.presence.missed_since(actor)
    if state.manners.patience is not None and missed is not None:
        times.append(missed + state.manners.patience - now)
    return max(0.0, min(times)) if times else None


def _end_of_days(state: TableState) -> float | None:
    """Return the end of the time of the seat to act at a table over days."""
    if state.manners.days is None:
        return None
    end, actor = state.last_event_at + DAY_SECONDS * state.manners.days, state.match.actor
    returned = state.returned.get(actor, end)
    late = returned > end and actor in state.presence.people
    return returned + LATE_SECONDS if late else end


def deadline_of(state: TableState) -> DeadlineInfo | None:
    """Return the deadline of the person to act at a table over days; ``None`` if there is none."""
    end, actor = _end_of_days(state), state.match.actor
    if end is None or not state.begun or state.over or not state.is_person(actor) or state.bot_for(actor):
        return None
    return DeadlineInfo(actor, round(end + state.epoch))


def stand_in_change(state: TableState, now: float) -> StoodIn | None:
    """Return the change by which a bot stands in for the seat to act, if it is due."""
    if due(state, now) != 0.0:
        return None
    actor, clocks = state.match.actor, state.clocks
    timed = clocks is not None and clocks.running == actor and clocks.seconds_left(actor, now) <= 0
    if clocks is not None and clocks.left[actor] > 0:  # otherwise the seat ran out of time before a restart
        timed = timed and actor in state.presence.people
    return StoodIn(actor, timed)


def spent(state: TableState, by: int, now: float) -> int | None:
    """Return the milliseconds that a seat is charged for an event now; ``None`` if it costs nothing."""
    if state.clocks is None or not state.is_person(by):
        return None
    if by in state.presence.out:
        return state.clocks.timeout_charge(by)
    if by in state.presence.away:
        return state.clocks.stand_in_charge(by, now)
    return state.clocks.action_charge(by, now)


def run_clock(state: TableState, now: float) -> None:
    """Start the clock of the seat to act if a person plays it and any person is connected, else stop the clock."""
    clocks, actor = state.clocks, state.match.actor
    playing = state.begun and not state.over and state.is_person(actor) and not state.bot_for(actor)
    if clocks and playing and state.presence.people:
        clocks.start(actor, now)
    elif clocks:
        clocks.stop(now)
