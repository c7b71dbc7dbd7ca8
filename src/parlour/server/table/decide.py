"""Decisions on commands: functions of the table's state that change nothing.

:func:`parlour.server.table.state.apply` carries out a change that was decided here.
"""

from typing import assert_never

from parlour.engine.errors import ParlourError
from parlour.engine.events import Event
from parlour.engine.game import Refusal
from parlour.engine.matches.notation import spelling_key
from parlour.engine.rules import CHANCE, SPECTATOR
from parlour.languages import deferred, gettext
from parlour.render.bot_names import bot_names
from parlour.render.selection import refusal_of
from parlour.render.words import capitalized
from parlour.server.store.stored_table import RESIGN, UNDO, ChatMessage, StoredSeat
from parlour.server.table.bots import hints
from parlour.server.table.bots.stand_in import spent
from parlour.server.table.commands import Act, Agree, Allow, GameCommand, Hint, PeopleCommand, Rename, Resign, Say, Undo
from parlour.server.table.outcomes import (
    Acted,
    Agreed,
    Allowed,
    Declined,
    Denied,
    Hinted,
    Outcome,
    Refused,
    Renamed,
    Said,
    SaidBefore,
    SeatRequested,
    SeatTaken,
    Unchanged,
    UndoRequested,
)
from parlour.server.table.people.distinct_names import distinct_name
from parlour.server.table.people.keys import key_hash
from parlour.server.table.people.presence import NEVER
from parlour.server.table.people.seat_requests import (
    ALONE,
    ASKED_SECONDS,
    BOTS_STAY,
    NO_KEY,
    NOBODY_TO_ASK,
    SeatApplication,
    SeatError,
    SeatRequest,
    gives_bots_seats,
)
from parlour.server.table.state import TableState

NOT_BEGUN = deferred("The game has not begun: a seat is still open.")
DAY_IS_PLAYED = deferred("A deal of the day is played to its end or left unfinished: its results are compared.")
RENAME_SECONDS = 5.0
"""Minimum seconds between two changes of a seat's name."""
NO_PLAYER = deferred("This game is rated: link your seat with a player's key before you play.")
RATED = deferred("A rated game has no undo.")
TOO_LATE = deferred("That cannot be taken back: somebody has acted since, or learned something by it.")


def decide(state: TableState, seat: int, command: GameCommand | PeopleCommand, now: float) -> Outcome:
    """Return the outcome of a seat's command at a time, in seconds from any origin."""
    match command:
        case Act():
            return _act(state, seat, command, now)
        case Undo():
            return _undo(state, seat, command)
        case Agree():
            return _agree(state, seat, command)
        case Resign():
            return _resign(state, seat)
        case Allow():
            return _allow(state, seat, command, now)
        case Say():
            return _say(state, seat, command, now)
        case Rename():
            return _rename(state, seat, command, now)
        case Hint():
            reason = hints.refusal(state, seat)
            return Refused(reason) if reason else Hinted(seat)
        case _:
            assert_never(command)


# Actions


def refusal(state: TableState, seat: int, typed: str) -> Refusal | None:
    """Return the reason why a seat may not do this now; ``None`` if it may.

    Only the seat to act receives the reason of the rules, which may name the seat's own cards.
    """
    if reason := _turn_refusal(state, seat):
        return Refusal("", reason)
    return refusal_of(state.match, typed)


def _turn_refusal(state: TableState, seat: int) -> str:
    """Return the reason why a seat may not act at all now; empty if it may."""
    actor = state.match.actor
    if seat == SPECTATOR:
        return gettext("You are only looking on.")
    if not state.begun:
        return gettext(NOT_BEGUN)
    if state.over:
        return gettext("The game is over.")
    if seat in state.resigned:
        return gettext("You have resigned: a bot plays for you to the end of the game.")
    if seat in state.presence.out:
        return gettext("Your time is up: a bot plays for you to the end of the game.")
    if lacks_player(state, seat):
        return gettext(NO_PLAYER)
    if actor == CHANCE:
        return gettext("The cards are being dealt.")
    if actor == seat and seat in state.presence.away:
        return gettext("Your time was up while you were away: a bot takes this turn, then you play again.")
    return "" if actor == seat else gettext("It is the turn of {name}.", name=state.names[actor])


def lacks_player(state: TableState, seat: int) -> bool:
    """Return whether the person in a seat of a rated table is not linked with a player yet."""
    return state.manners.rated and state.is_person(seat) and seat not in state.ratings


def _act(state: TableState, seat: int, act: Act, now: float) -> Outcome:
    if _is_repeated(state, seat, act.do, act.seen):
        return Unchanged("scene")
    if seat != SPECTATOR and state.begun and act.seen != state.seen:
        reason = gettext(
            "That action was sent after {sent} events, but there are {now} now.", sent=act.seen, now=state.seen
        )
        return Refused(reason, action=act.do, scene=True)
    if refused := refusal(state, seat, act.do):
        return Refused(refused.reason, refused.clause, act.do)
    return _action_outcome(state, Event(seat, state.match.complete_action(act.do)), now)


def decide_automatic(state: TableState, event: Event, seen: int, now: float) -> Acted | Unchanged:
    """Return the outcome of a decision by a bot or chance; :class:`Unchanged` if another event came first."""
    if seen != state.seen or not state.is_automatic_turn:
        return Unchanged()
    return _action_outcome(state, event, now)


def _action_outcome(state: TableState, event: Event, now: float) -> Acted:
    kind = state.kind_of(event.by)
    return Acted(event, kind, spent(state, event.by, now), kind != "person" and state.is_person(event.by))


def _is_repeated(state: TableState, seat: int, text: str, seen: int) -> bool:
    """Return whether event number ``seen`` is already this action of this seat: the client has repeated the command."""
    if seat == SPECTATOR or seen not in range(state.seen):
        return False
    event = state.history[seen]
    return event.by == seat and spelling_key(event.do) == spelling_key(text)


# Undo


def _undo(state: TableState, seat: int, undo: Undo) -> Outcome:
    request = state.undo.request
    if _is_repeated(state, seat, UNDO, undo.seen):
        return Unchanged("scene")
    if request is not None and request.seat == seat and undo.seen == state.seen:
        return Unchanged("company")
    if state.manners.rated:
        return Refused(gettext(RATED))
    if state.undo.declined is not None and state.history[-1].by == seat:
        return Refused(gettext("{name} would rather play on.", name=state.names[state.undo.declined]))
    if seat == SPECTATOR or state.undo.undoable != seat or undo.seen != state.seen:
        return Refused(gettext(TOO_LATE))
    others = state.connected_players - {seat}
    return UndoRequested(seat, frozenset(others)) if others else _undo_outcome(state, seat)


def _agree(state: TableState, seat: int, answer: Agree) -> Outcome:
    request = state.undo.request
    if request is None or answer.seen != state.seen or seat not in request.waiting:
        return Unchanged("company")
    if not answer.yes:
        return Declined(seat)
    return Agreed(seat) if request.waiting - {seat} else _undo_outcome(state, request.seat)


def decide_granted(state: TableState) -> Acted | Unchanged:
    """Return the requested undo if every seat that had to agree has left, else no change."""
    request = state.undo.request
    return _undo_outcome(state, request.seat) if request and state.undo.granted else Unchanged()


def _undo_outcome(state: TableState, seat: int) -> Acted:
    return Acted(Event(seat, UNDO), "person", state.clocks.undo_charge() if state.clocks else None)


# Resignation


def _resign(state: TableState, seat: int) -> Outcome:
    if seat in state.resigned:
        return Unchanged("scene")
    reasons = [
        (gettext("You are only looking on."), not state.is_person(seat)),
        (gettext(NOT_BEGUN), not state.begun),
        (gettext("The game is over."), state.over),
        (gettext(DAY_IS_PLAYED), state.opened.daily is not None),
        (gettext(NO_PLAYER), lacks_player(state, seat)),
    ]
    reason = next((reason for reason, holds in reasons if holds), "")
    return Refused(reason) if reason else Acted(Event(seat, RESIGN))


# Talk


def _say(state: TableState, seat: int, say: Say, now: float) -> Outcome:
    if seat == SPECTATOR:
        return Refused(gettext("Only those who play talk at the table."), chat_id=say.id)
    message = ChatMessage(seat, say.id, say.words, say.sign)
    if before := state.talk.find(message):
        return SaidBefore(before)
    reason = state.talk.refusal(message, now)
    return Refused(reason, chat_id=say.id) if reason else Said(message)


# Names


def _rename(state: TableState, seat: int, rename: Rename, now: float) -> Outcome:
    if not state.is_person(seat):
        return Refused(gettext("Only those who play have a name at the table."))
    name = _name_at(state, seat, rename.name)
    if name == state.seats[seat].name != rename.name:  # the seat has the wanted name with a number already
        reason = gettext("another player here is called {name}: choose another name", name=rename.name)
        return Refused(f"{capitalized(reason)}.")
    if name == state.seats[seat].name:
        return Unchanged("scene")
    if state.opened.club is not None:  # there all names are different
        return Refused(gettext("This is a table of a club night: change your name on the page of the club night."))
    if state.over:  # every change would begin the review again
        return Refused(gettext("The game is over: the names stay as they are."))
    if now < state.renamed.get(seat, NEVER) + RENAME_SECONDS:
        return Refused(gettext("Not so fast: wait a few seconds before you change your name again."))
    return Renamed(seat, name)


def _name_at(state: TableState, seat: int, name: str) -> str:
    """Return the name of a person in a seat, which differs from the names of the other seats."""
    return distinct_name(name, [other.name for number, other in state.seats.items() if number != seat])


# Seats


def decide_seat(state: TableState, application: SeatApplication, now: float) -> SeatTaken | SeatRequested | Unchanged:
    """Return the outcome of an application for a seat.

    Raises:
        SeatError: the seat is not available.
        ParlourError: there is no such seat.
    """
    number, own = application.seat, state.seat_of(application.key)
    if own == number:
        return Unchanged("key")
    if number not in range(state.match.players):
        raise ParlourError(f"there is no seat {number}; the seats are 0 to {state.match.players - 1}")
    if own is not None:
        raise SeatError(gettext("this key opens another seat at this table already"))
    before, hashed = state.seats.get(number), key_hash(application.key)
    name = _name_at(state, number, application.name)
    if before and (before.bot is None or state.over):
        raise SeatError(gettext("seat {number} is taken", number=number))
    if before and state.begun and not _is_agreed(state, application, hashed, now):
        if state.requests.current(now):
            return Unchanged()
        request = SeatRequest(application.request, number, name, hashed, now + ASKED_SECONDS)
        return SeatRequested(request)
    return SeatTaken(number, StoredSeat(name, None, hashed), before)


def decide_fill(state: TableState, now: float) -> list[SeatTaken]:
    """Return the bots that take the open seats now, a time in seconds since 1970.

    No bot does so before the time that the settings give, or while no person is connected. A second early counts as
    in time, since the time of opening is rounded.
    """
    fill = state.manners.fill
    if fill is None or not state.connected_players or now < state.opened.created + fill.seconds - 1:
        return []
    open_seats = [seat for seat in range(state.match.players) if seat not in state.seats]
    names = bot_names(open_seats, state.names)
    return [SeatTaken(seat, StoredSeat(name, fill.bot), None) for seat, name in names.items()]


def _is_agreed(state: TableState, application: SeatApplication, hashed: str, now: float) -> bool:
    """Return whether all players agree that the applicant takes a bot's seat. Raises :class:`SeatError`."""
    refused = state.requests.refusal(application.seat, hashed, now)
    reasons = [
        (gettext(BOTS_STAY), not state.manners.take_over),
        (gettext(ALONE), not gives_bots_seats(state.manners, state.seats)),
        (gettext(NO_KEY), not application.own_key),
        (refused, bool(refused)),
        (gettext(NOBODY_TO_ASK), len(state.connected_players) < 2),
    ]
    if reason := next((reason for reason, holds in reasons if holds), ""):
        raise SeatError(reason)
    return state.requests.current(now) is not None and not state.undecided


def _allow(state: TableState, seat: int, answer: Allow, now: float) -> Outcome:
    request = state.requests.current(now)
    if request is None or request.id != answer.id or not state.is_person(seat) or seat in state.resigned:
        return Unchanged("company")
    return Allowed(seat) if answer.yes else Denied()
