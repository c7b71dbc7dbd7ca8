"""Hints at a table: what the seat to act should do, by what it may know, worked out beside the loop."""

from collections.abc import Awaitable, Callable, Mapping

from parlour.insight.explanation import Explanation, explain
from parlour.insight.explanation_text import chance_span, sentences, verdict
from parlour.insight.position import position_of
from parlour.server.store.store import StoredSeat
from parlour.server.table.messages import CandidateTold, HintMessage, Measured
from parlour.server.table.services import Services
from parlour.server.table.state import TableState
from parlour.statistics import Estimate

NOT_HERE = "No hints are given at this table: you are not alone with bots, and hints were not agreed on."
NOT_NOW = "A hint is given when it is your turn."
BEING_MADE = "A hint is being worked out already."


def hints_given(seats: Mapping[int, StoredSeat], agreed: bool) -> bool:
    """Whether hints are given at a table: where they were agreed on, or one person plays with bots only."""
    return agreed or sum(seat.bot is None for seat in seats.values()) <= 1


def refusal(state: TableState, seat: int) -> str:
    """Why a seat is given no hint now, or nothing. One at a time is worked out for each seat."""
    if not hints_given(state.seats, state.manners.hints):
        return NOT_HERE
    if not state.begun or state.match.actor != seat:
        return NOT_NOW
    return BEING_MADE if seat in state.hinting else ""


async def work_out(
    state: TableState, seat: int, threads: Services, until_ready: Callable[[], Awaitable[None]]
) -> HintMessage:
    """The hint for the seat to act, by its observed state as it is now.

    ``until_ready`` waits until one can look ahead at this game.
    """
    seen = state.seen
    try:
        position = position_of(state.match, seat, state.names)
        await until_ready()
        found = await threads.thought(state.host, explain, position)
    finally:
        state.hinting.discard(seat)
    return hint_message(found, seen)


def hint_message(found: Explanation, seen: int) -> HintMessage:
    """An explanation as it is sent; ``seen`` events of the table were known to it."""
    candidates = [
        CandidateTold(
            each.do,
            each.phrase,
            _measured(each.win),
            _measured(each.behind),
            [f"{each.percent} %", chance_span(each), verdict(each, not number)],
        )
        for number, each in enumerate(found.candidates)
    ]
    return HintMessage(seen, candidates, len(found.others), sentences(found))


def _measured(estimate: Estimate) -> Measured:
    return Measured(**estimate.to_json())
