"""Hints at a table: the best actions of the seat to act, by its own information, computed in another thread."""

from collections.abc import Awaitable, Callable, Mapping

from parlour.insight.explanation import Explanation, explain
from parlour.insight.explanation_text import chance_span, sentences, verdict
from parlour.insight.position import position_of
from parlour.languages import deferred, gettext
from parlour.server.store.stored_table import StoredSeat
from parlour.server.table.messages import CandidateInfo, CandidateTexts, EstimateInfo, HintMessage
from parlour.server.table.services import Services
from parlour.server.table.state import TableState
from parlour.statistics import Estimate

NOT_HERE = deferred("Hints are off at this table: other people play, and hints were not agreed on.")
NOT_RATED = deferred("A rated game is played without hints.")
NOT_TODAY = deferred("No hints are given in a deal of the day: everyone plays it alone, and the results are compared.")
NOT_NOW = deferred("A hint is given when it is your turn.")
BEING_MADE = deferred("A hint is already being computed.")


def hints_given(seats: Mapping[int, StoredSeat], agreed: bool) -> bool:
    """Return whether a table gives hints: they were agreed on, or one person plays with bots only."""
    return agreed or sum(seat.bot is None for seat in seats.values()) <= 1


def refusal(state: TableState, seat: int) -> str:
    """Return the reason why a seat receives no hint now; empty if there is none. A seat has one hint at a time."""
    if state.manners.rated:
        return gettext(NOT_RATED)
    if state.sealed and state.opened.daily is not None:
        return gettext(NOT_TODAY)
    if state.opened.club is not None or not hints_given(state.seats, state.manners.hints):
        return gettext(NOT_HERE)
    if not state.begun or state.over or state.bot_for(seat) or state.match.actor != seat:
        return gettext(NOT_NOW)
    return gettext(BEING_MADE) if seat in state.hinting else ""


async def compute_hint(
    state: TableState, seat: int, services: Services, until_ready: Callable[[], Awaitable[None]]
) -> HintMessage:
    """Return the hint for the seat to act; ``until_ready`` waits for the compiled search of the game."""
    seen = state.seen
    try:
        position = position_of(state.match, seat, state.names)
        await until_ready()
        explanation = await services.think(state.host, explain, position)
    finally:
        state.hinting.discard(seat)
    return hint_message(explanation, seen)


def hint_message(explanation: Explanation, seen: int) -> HintMessage:
    """Return an explanation as a message; ``seen`` is the table's number of events at its position."""
    candidates = [
        CandidateInfo(
            do=each.do,
            phrase=each.phrase,
            win=_estimate_info(each.win),
            behind=_estimate_info(each.behind),
            texts=CandidateTexts(f"{each.percent} %", chance_span(each), verdict(each, number == 0)),
        )
        for number, each in enumerate(explanation.candidates)
    ]
    return HintMessage(seen, candidates, len(explanation.others), sentences(explanation))


def _estimate_info(estimate: Estimate) -> EstimateInfo:
    return EstimateInfo(**estimate.to_json())
