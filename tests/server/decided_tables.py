"""States of tables without a server, and the effects of commands on them."""

from parlour.engine.chance import new_stream
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.randomness import StreamRandomness
from parlour.engine.rules import CHANCE
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.server.store.stored_table import StoredSeat, StoredTable
from parlour.server.table.commands import Act, Resign
from parlour.server.table.decide import decide, decide_automatic
from parlour.server.table.people.keys import key_hash
from parlour.server.table.state import apply, state_of

NAMES = ("Ann", "Bo", "Cy", "Di")

BOT = StoredSeat("Bot", "thumb")


def person(seat):
    return StoredSeat(NAMES[seat], None, key_hash(f"key of {NAMES[seat]}"))


def table_of(*seats, there=(), options=None, **manners):
    """Return the state of a table of Trick Walls; the cards are dealt unless a seat is open.

    Args:
        seats: ``"person"``, ``"bot"`` or ``"open"`` for each seat.
        there: the connected seats.
        options: the game's options, by default one round; at a rated table the default ones.
        manners: the table's manners.
    """
    setup = Setup(find_game("trick-walls"), len(seats), options or ({} if manners.get("rated") else {"rounds": 1}))
    match, chance = Match(setup), StreamRandomness(new_stream(1))
    while "open" not in seats and match.actor == CHANCE:
        match.apply_chance(match.sample_chance(chance))
    stored = {n: BOT if kind == "bot" else person(n) for n, kind in enumerate(seats) if kind != "open"}
    table = StoredTable("t", match.game.id, len(seats), dict(match.options), stored, "5e" * 32, match.events,
                        manners=manners)  # fmt: skip
    state = state_of(table, match)
    for seat in there:
        state.presence.connect(seat, 0.0)
    return state


def happen(state, seat, command, now=0.0):
    """Decide on a seat's command, apply the outcome and return it."""
    outcome = decide(state, seat, command, now)
    apply(state, outcome, now)
    return outcome


def play_automatic(state, event=None, now=0.0):
    """Decide on an event of a bot or chance, by default the first legal action; apply the outcome and return it."""
    outcome = decide_automatic(state, event or first_event(state), state.seen, now)
    apply(state, outcome, now)
    return outcome


def first_event(state):
    """Return the event in which the seat to act takes its first legal action."""
    return Event(state.match.actor, state.match.legal()[0])


def first_action(state, action=None):
    """Return the seat to act, and its command for an action, by default the first legal one."""
    return state.match.actor, Act(do=action or state.match.legal()[0], seen=state.seen)


ALONE = {"rounds": 1, "city_keepers": True}
"""Options of Trick Walls with a side for each player."""


def resigned(*seats, by, options=None):
    """Return the state of a table after the resignations of these seats."""
    state = table_of(*seats, options=options)
    for seat in by:
        happen(state, seat, Resign())
    return state
