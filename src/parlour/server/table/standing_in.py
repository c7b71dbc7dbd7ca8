"""When a bot stands in for somebody: their time is up, or others have waited long enough for them."""

from parlour.server.table.outcomes import StoodIn
from parlour.server.table.state import TableState


def due(state: TableState, now: float) -> float | None:
    """Seconds until a bot stands in for the seat to act, or ``None``."""
    actor, clocks = state.match.actor, state.clocks
    if not state.is_person(actor) or state.bot_for(actor):
        return None
    times = [clocks.seconds_left(actor, now)] if clocks and clocks.running == actor else []
    missed = state.presence.missed_since(actor)
    if state.manners.patience is not None and missed is not None:
        times.append(missed + state.manners.patience - now)
    return max(0.0, min(times)) if times else None


def stands_in(state: TableState, now: float) -> StoodIn | None:
    """A bot plays for the seat to act, if its time or everybody's patience is at an end."""
    if due(state, now) != 0.0:
        return None
    actor, clocks = state.match.actor, state.clocks
    timed = clocks is not None and clocks.running == actor and clocks.seconds_left(actor, now) <= 0
    return StoodIn(actor, timed)


def spent(state: TableState, by: int, now: float) -> int | None:
    """The milliseconds that an event of a seat is charged as if it happens now; ``None`` without a clock."""
    if state.clocks is None:
        return None
    if by in state.presence.out:
        return state.clocks.of_running_out(by)
    return state.clocks.took(by, now) if state.is_person(by) and not state.bot_for(by) else None


def run_clock(state: TableState, now: float) -> None:
    """Let the clock of the seat to act run, if a person plays it."""
    clocks, actor = state.clocks, state.match.actor
    if clocks and state.begun and state.is_person(actor) and not state.bot_for(actor):
        clocks.start(actor, now)
    elif clocks:
        clocks.stop()
