"""Replays of games from their events: the match of a stored table, and the scenes of a part of a game."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from parlour.bots import find_bot
from parlour.engine.errors import GameError, ParlourError, UnknownGameError
from parlour.engine.events import Event
from parlour.engine.game import Game, Options
from parlour.engine.match import Match
from parlour.engine.matches.deals import deal_of
from parlour.engine.matches.records import Record
from parlour.engine.matches.steps import PLAIN
from parlour.engine.observation import EVERYTHING, Observation
from parlour.engine.rules import SPECTATOR
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.languages import deferred, gettext
from parlour.render.layouts import find_layout
from parlour.render.scene import Scene
from parlour.server.logs import note_failure
from parlour.server.store.database import DamagedError
from parlour.server.store.store import Store
from parlour.server.store.stored_table import StoredTable
from parlour.server.table.people.resignation import (
    NO_BOT_DECISIONS,
    NO_RESIGNATIONS,
    BotDecisions,
    Resignations,
    resignation_line,
    scene_after,
    stand_in_lines,
)
from parlour.server.table.services import Services
from parlour.server.table.state import TableState, manners_of
from parlour.server.table.viewers import with_open_seats

MOST_SCENES = 100
"""Maximum number of scenes in one answer."""
MOST_REVIEWED = 1000
"""Maximum number of events of a game with a review; the longest games with default options have a third of it."""
_SEALED = deferred(
    "this is a deal of the day, which others still have to play: it is shown to all when the day is over"
)
_SEALED_ROUND = deferred(
    "others still play these cards in this round of the club night: it is shown to all when the round is over"
)


class ClosedError(ParlourError):
    """The request needs a finished game that is not sealed."""


class BrokenTableError(ParlourError):
    """The stored table is damaged."""


class MissingGameError(BrokenTableError):
    """The game of the stored table is not installed, or cannot be loaded."""


@dataclass(frozen=True)
class ReplaySlice:
    """Consecutive scenes of a replay: the viewer, the events that the first one shows, and the number of scenes."""

    viewer: int
    first: int
    number: int


def parse_viewer(text: str, players: int) -> int:
    """Return the viewer named by ``"all"``, ``"spectator"`` or a seat's number. Raises :class:`ParlourError`."""
    if text.isascii() and text.isdigit() and len(text) < 4 and int(text) < players:
        return int(text)
    if text not in ("all", "spectator"):
        raise ParlourError(f'view is "all", "spectator" or a seat from 0 to {players - 1}')
    return EVERYTHING if text == "all" else SPECTATOR


def scenes_of(
    game: Game,
    players: int,
    options: Options,
    events: Sequence[Event],
    names: Sequence[str],
    part: ReplaySlice,
    ended: bool,
    bot_decisions: BotDecisions = NO_BOT_DECISIONS,
    resignations: Resignations = NO_RESIGNATIONS,
) -> list[dict[str, Any]]:
    """Return the scenes of a part, in order; fewer if the game has fewer events.

    Args:
        game: the game.
        players: the number of players.
        options: all options with their values.
        events: all events of the game.
        names: the names of the seats; empty for an open seat.
        part: the viewer and the range of scenes.
        ended: whether the game is over, so that every card may be shown.
        bot_decisions: the decisions of bots for people.
        resignations: the resignations after all events.
    """
    match, layout = Match(Setup(game, players, options), PLAIN), find_layout(game.id)
    scenes, before, rested, names = [], None, False, with_open_seats(names)
    for seen in range(min(part.first + part.number, len(events) + 1)):
        if seen:
            match.apply_event(events[seen - 1])
        if seen >= part.first - 1:
            observation = match.observation(part.viewer, ended)
            found = resignations if seen == len(events) else bot_decisions.resignations_until(seen)
            scene = scene_after(layout.lay_out(observation, names, before), observation, names, found)
            if seen >= part.first:
                log = _log_lines(scene, observation, names, match, bot_decisions, found)
                scenes.append(replace(scene, log=["", *log] if rested and scene.log else log).to_json())
            before, rested = observation, scene.rest
    return scenes


def _log_lines(
    scene: Scene,
    observation: Observation,
    names: Sequence[str],
    match: Match,
    bot_decisions: BotDecisions,
    resignations: Resignations,
) -> list[str]:
    """Return the log lines of the last event as at the table, with the resignations that followed it."""
    seen, lines = len(match.events), list(scene.log)
    if seen - 1 in bot_decisions.stood_in:
        lines = stand_in_lines(observation, names, match.events[-1].by, lines)
    for seat, after in bot_decisions.resigned:
        if after == seen:
            ending = resignations.ending if resignations.ending and resignations.ending.seat == seat else None
            lines.append(resignation_line(observation, names, seat, ending))
    return lines


def replay_match(table: StoredTable) -> Match:
    """Return the match of a stored table. Raises :class:`MissingGameError`, or another :class:`BrokenTableError`."""
    try:
        game = find_game(table.game)
    except (UnknownGameError, GameError):
        raise MissingGameError("this table cannot be opened: its game is missing in this room") from None
    try:
        manners_of(table)
        match = Match(Setup(game, table.players, table.options), PLAIN)
        for number, seat in table.seats.items():
            if number not in range(table.players):
                raise ValueError(gettext("a seat that the game does not have"))
            find_bot(seat.bot or "random")
        deal_of(table.secret)
    except (ParlourError, LookupError, TypeError, ValueError):
        raise _broken("what is played and by whom") from None
    try:
        events = table.game_events
    except DamagedError:
        raise _broken("an undo") from None
    for event in events:
        try:
            match.apply_event(event)
        except Exception as error:
            note_failure("a stored table does not replay", error)
            raise _broken(f"its event {len(match.events) + 1}") from None
    match.settle()
    return match


async def stored_match(
    store: Store, services: Services, table_id: str, host: str = ""
) -> tuple[StoredTable, Match] | None:
    """Return a stored table with its match, for its result; ``None`` if it is removed, or damaged, which is logged.

    ``host`` is the address that waits for it (:meth:`Services.compute`), by default the table.
    """
    try:
        table = await store.run(store.load, table_id)
        return None if table is None else (table, await services.compute(host or table_id, replay_match, table))
    except (DamagedError, BrokenTableError) as error:
        note_failure("a stored game could not be read", error)
        return None


def _broken(what: str) -> BrokenTableError:
    return BrokenTableError(f"this table cannot be opened again: {what} is damaged in the database")


# What a table shows of its game besides the scenes at the table


def sealed_reason(state: TableState) -> str:
    """Return the reason why a sealed game is hidden."""
    return gettext(_SEALED if state.opened.daily else _SEALED_ROUND)


def disclosed_record(state: TableState) -> Record:
    """Return the record of a finished game.

    Raises:
        ClosedError: the game is not over, or sealed.
    """
    record = state.record()
    if record is None:
        raise ClosedError(gettext("the game is not over: its record would show hidden cards"))
    if state.sealed:
        raise ClosedError(sealed_reason(state))
    return record


def reviewed_record(state: TableState) -> Record:
    """Return the record of a finished game for a review.

    Raises:
        ClosedError: the game is not over, or sealed, or ended by resignation, or too long.
    """
    if state.ending is not None:
        raise ClosedError(gettext("a game that ended by resignation has no review: its numbers lead up to a result"))
    record = disclosed_record(state)
    if len(record["events"]) > MOST_REVIEWED:
        raise ClosedError(
            gettext("this game is too long for a review: it has more than {number} events", number=MOST_REVIEWED)
        )
    return record


async def replayed_scenes(
    state: TableState, services: Services, part: ReplaySlice, key: str | None, host: str
) -> list[dict[str, Any]]:
    """Return the scenes of a part of a game for a client at the address ``host``.

    Before the game's end only the spectators' and the key's own view; in a sealed game only the key's own.

    Raises:
        ClosedError: the game is not over or sealed, and the viewer is another one.
    """
    own = key is not None and part.viewer == state.seat_of(key)
    if not own and state.sealed:
        raise ClosedError(sealed_reason(state))
    if not (state.over or own or part.viewer == SPECTATOR):
        raise ClosedError(gettext("the game is not over: that view would show hidden cards"))
    match = state.match
    played = (match.game, match.players, match.options, list(match.events))
    absent = (state.bot_decisions, state.resignations)
    return await services.compute(host, scenes_of, *played, state.names, part, state.over, *absent)
