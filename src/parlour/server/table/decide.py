"""What comes of a command at a table as it is now. What changes it is :func:`parlour.server.table.state.apply`."""

from parlour.engine.errors import ParlourError
from parlour.engine.events import Event
from parlour.engine.game import Refusal
from parlour.engine.notation import loosely
from parlour.engine.observation import SPECTATOR
from parlour.engine.rules import CHANCE
from parlour.server.store.store import TAKEN_BACK, Saying, StoredSeat
from parlour.server.table import hints
from parlour.server.table.commands import Act, Agree, Allow, AskHint, Bring, Say, TakeSeat, Undo
from parlour.server.table.keys import key_hash
from parlour.server.table.outcomes import (
    Agreed,
    Allowed,
    Answered,
    Declined,
    Denied,
    Happened,
    HeardBefore,
    HintTaken,
    Outcome,
    Refused,
    Said,
    SeatAsked,
    SeatTaken,
    Wished,
)
from parlour.server.table.seat_requests import (
    ALONE,
    ASKED_SECONDS,
    BOTS_STAY,
    NO_KEY,
    NOBODY_TO_ASK,
    SeatError,
    SeatRequest,
    gives_bots_seats,
)
from parlour.server.table.stand_in import spent
from parlour.server.table.state import TableState

TOO_LATE = "That cannot be taken back: somebody has acted since, or learned something by it."
Decided = Act | Bring | Undo | Agree | Allow | Say | AskHint | TakeSeat


def decide(state: TableState, command: Decided, now: float) -> Outcome:
    """What comes of a command now (in seconds, from any beginning).

    Raises:
        SeatError: the seat cannot be had; :class:`ParlourError`: there is no such seat. Only of :class:`TakeSeat`.
    """
    match command:
        case Act():
            return _act(state, command, now)
        case Bring():
            return _bring(state, command, now)
        case Undo():
            return _undo(state, command)
        case Agree():
            return _agree(state, command)
        case Allow():
            return _allow(state, command, now)
        case Say():
            return _say(state, command, now)
        case AskHint(seat):
            reason = hints.refusal(state, seat)
            return Refused(reason) if reason else HintTaken(seat)
        case TakeSeat():
            return _take_seat(state, command, now)


# Playing


def refusal(state: TableState, seat: int, typed: str) -> Refusal | None:
    """Why a seat may not do this now. Only the seat to act is given the rule's reason, which may name its own cards."""
    if reason := _not_now(state, seat):
        return Refusal("", reason)
    text = state.match.complete_action(typed)
    return None if text in state.match.moves_by_text() else state.match.refusal(text)


def _not_now(state: TableState, seat: int) -> str:
    """Why a seat may do nothing now, or nothing."""
    actor = state.match.actor
    if seat == SPECTATOR:
        return "You are only looking on."
    if not state.begun:
        return "The game has not begun: a seat is still open."
    if state.match.over:
        return "The game is over."
    if seat in state.presence.out:
        return "Your time is up: a bot plays for you to the end of the game."
    if actor == CHANCE:
        return "The cards are being dealt."
    if actor == seat and seat in state.presence.away:
        return "Your time was up while you were away: a bot takes this turn, then you play again."
    return "" if actor == seat else f"It is the turn of {state.names[actor]}."


def _act(state: TableState, act: Act, now: float) -> Outcome:
    if _done_before(state, act.seat, act.action, act.seen):
        return Answered("scene")
    if act.seat != SPECTATOR and state.begun and act.seen != state.seen:
        reason = f"That was decided after {act.seen} events, but now there are {state.seen}."
        return Refused(reason, action=act.action, scene=True)
    if refused := refusal(state, act.seat, act.action):
        return Refused(refused.reason, refused.clause, act.action)
    return _happened(state, Event(act.seat, state.match.complete_action(act.action)), now)


def _bring(state: TableState, bring: Bring, now: float) -> Outcome:
    """What was decided for a position that is no more does not happen."""
    if bring.seen != state.seen or not state.goes_on:
        return Answered()
    return _happened(state, Event(bring.seat, bring.action), now)


def _happened(state: TableState, event: Event, now: float) -> Happened:
    kind = state.kind_of(event.by)
    return Happened(event, kind, spent(state, event.by, now), kind != "person" and state.is_person(event.by))


def _done_before(state: TableState, seat: int, text: str, seen: int) -> bool:
    """Whether exactly this has been done already: the answer got lost, or somebody clicked twice."""
    if seat == SPECTATOR or seen not in range(state.seen):
        return False
    event = state.history[seen]
    return event.by == seat and loosely(event.do) == loosely(text)


# Taking back


def _undo(state: TableState, undo: Undo) -> Outcome:
    seat, wish = undo.seat, state.taking_back.wish
    if _done_before(state, seat, TAKEN_BACK, undo.seen):
        return Answered("scene")
    if wish is not None and wish.by == seat and undo.seen == state.seen:
        return Answered("company")
    if seat == SPECTATOR or state.taking_back.undoable != seat or undo.seen != state.seen:
        return Refused(TOO_LATE)
    others = state.players_there - {seat}
    return Wished(seat, frozenset(others)) if others else _taken_back(state, seat)


def _agree(state: TableState, answer: Agree) -> Outcome:
    wish = state.taking_back.wish
    if wish is None or answer.seen != state.seen or answer.seat not in wish.waiting:
        return Answered("company")
    if not answer.yes:
        return Declined()
    return Agreed(answer.seat) if wish.waiting - {answer.seat} else _taken_back(state, wish.by)


def granted(state: TableState) -> Outcome:
    """The wish to take something back is granted when nobody is left who would have to agree: the others have gone."""
    wish = state.taking_back.wish
    return _taken_back(state, wish.by) if wish and state.taking_back.granted else Answered()


def _taken_back(state: TableState, seat: int) -> Happened:
    return Happened(Event(seat, TAKEN_BACK), "person", state.clocks.of_taking_back() if state.clocks else None)


# Talking


def _say(state: TableState, say: Say, now: float) -> Outcome:
    if say.seat == SPECTATOR:
        return Refused("Only those who play talk at the table.")
    saying = Saying(say.seat, say.id, say.words, say.sign)
    if heard := state.talk.heard_before(saying):
        return HeardBefore(heard)
    reason = state.talk.refusal(say, now)
    return Refused(reason) if reason else Said(saying)


# Sitting down


def _take_seat(state: TableState, wanted: TakeSeat, now: float) -> Outcome:
    number, own = wanted.seat, state.seat_of(wanted.key)
    if own == number:
        return Answered("key")
    if number not in range(state.match.players):
        raise ParlourError(f"there is no seat {number}; the seats are 0 to {state.match.players - 1}")
    if own is not None:
        raise SeatError("this key opens another seat at this table already")
    before, hashed = state.seats.get(number), key_hash(wanted.key)
    if before and (before.bot is None or state.match.over):
        raise SeatError(f"seat {number} is taken")
    if before and state.begun and not _agreed_on(state, wanted, hashed, now):
        return _ask(state, wanted, hashed, now)
    return SeatTaken(number, StoredSeat(wanted.name, None, hashed), before)


def _agreed_on(state: TableState, wanted: TakeSeat, hashed: str, now: float) -> bool:
    """Whether everyone has agreed that somebody has a bot's seat. Raises :class:`SeatError`."""
    refused = state.requests.refusal(wanted.seat, hashed, now)
    reasons = [
        (BOTS_STAY, not state.manners.take_over),
        (ALONE, not gives_bots_seats(state.manners, state.seats)),
        (NO_KEY, not wanted.own_key),
        (refused, bool(refused)),
        (NOBODY_TO_ASK, len(state.players_there) < 2),
    ]
    if reason := next((reason for reason, holds in reasons if holds), ""):
        raise SeatError(reason)
    return state.requests.current(now) is not None and not state.unasked


def _ask(state: TableState, wanted: TakeSeat, hashed: str, now: float) -> Outcome:
    if state.requests.current(now):
        return Answered()
    return SeatAsked(SeatRequest(wanted.request, wanted.seat, wanted.name, hashed, now + ASKED_SECONDS))


def _allow(state: TableState, answer: Allow, now: float) -> Outcome:
    request = state.requests.current(now)
    if request is None or request.id != answer.request or not state.is_person(answer.seat):
        return Answered("company")
    return Allowed(answer.seat) if answer.yes else Denied()
