"""Players: names with a key, the games that are linked with them, and their results.

A player's key opens the seats that are linked with it, like the seats' own keys. Except at a rated table, a link is
optional, and does not change the table for other players and spectators.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import sqlalchemy as sql

from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.matches.records import Record
from parlour.languages import gettext
from parlour.server.logs import note_failure
from parlour.server.pending_tasks import PendingTasks
from parlour.server.store.daily import Score
from parlour.server.store.database import StoreError
from parlour.server.store.locks import TransactionLock, hold
from parlour.server.store.orders import give_order
from parlour.server.store.people import players
from parlour.server.store.people.players import LinkError, Other, PlayedGame, Selection
from parlour.server.store.people.ratings import PlayedRating, rate_game, ratings_of, table_ratings
from parlour.server.store.store import Store
from parlour.server.store.stored_table import StoredSeat
from parlour.server.table.daily.days import Days
from parlour.server.table.people.distinct_names import entered_name
from parlour.server.table.people.keys import key_hash
from parlour.server.table.people.resignation import resignations_of
from parlour.server.table.people.seat_requests import SeatError
from parlour.server.table.people.seat_score import score_of
from parlour.server.table.ratings.result_ratings import RatedResult, rated_result
from parlour.server.table.replays import stored_match
from parlour.server.table.services import Services
from parlour.server.table.state import TableState, state_of


class NoPlayerError(ParlourError):
    """A request lacks the player's key, or is about a game that is not in the player's list."""


@dataclass(frozen=True)
class Results:
    """The results of a finished game.

    Attributes:
        scores: the results of its people. Seats that resigned have not won.
        occupants: all its players.
        rated: the result for ratings; ``None``: the game is not rated.
        conceded: whether the game ended by resignation; then it has no review.
    """

    scores: Mapping[int, Score]
    occupants: Mapping[int, Other]
    rated: RatedResult | None
    conceded: bool


def results_of(match: Match, seats: Mapping[int, StoredSeat], resigned: Sequence[int], rated: bool) -> Results:
    """Return the results of a finished game; it is not rated if its options are not the default ones."""
    found = resignations_of(match, seats, resigned)
    scores = {number: score_of(match, number, found.winners) for number, seat in seats.items() if seat.bot is None}
    occupants = {number: Other(seat.name, seat.bot) for number, seat in seats.items()}
    by_ratings = rated_result(match, seats, resigned) if rated and not match.setup.chosen else None
    return Results(scores, occupants, by_ratings, found.ending is not None)


def keep_results(connection: sql.Connection, table_id: str, results: Results) -> None:
    """Store the results of linked seats, and change the ratings by them, each once."""
    if results.rated is not None:
        hold(connection, TransactionLock.RATINGS)  # before the rows of links, in the order of forget_player
    players.keep_results(connection, table_id, results.scores, results.occupants)
    for seat in results.scores if results.conceded else ():
        players.keep_finding(connection, table_id, seat, {})
    if results.rated is None:
        return
    if others := rate_game(connection, table_id, results.scores.keys(), results.rated.rate):
        give_order(connection, players.LINKS, others)  # which shows the new ratings there


class Players:
    """The players of a room."""

    def __init__(self, store: Store, services: Services, days: Days, show_ratings: Callable[[str], None]) -> None:
        """Serve the players of a store; ``show_ratings`` shows the changed ratings of the table with this id."""
        self._show_ratings = show_ratings
        self._store = store
        self._services = services
        self._days = days
        self._tasks = PendingTasks()

    async def link(self, state: TableState, seat_key: str, player_key: str) -> int:
        """Link the seat that a key opens with a player. Return the seat. A repeated request changes nothing.

        Raises:
            SeatError: the key opens no seat, or the seat cannot be linked.
        """
        seat = state.seat_of(seat_key)
        if seat is None:
            raise SeatError(gettext("this key opens no seat of this table"))
        player, setup = key_hash(player_key), state.match.setup
        game = PlayedGame(state.id, seat, setup.game.id, setup.players, setup.chosen, 0, ())
        rated, late = state.manners.rated, state.over or any(event.by == seat for event in state.history)
        name = entered_name(state.seats[seat].name, [other.name for at, other in state.seats.items() if at != seat])
        try:
            await self._store.write_or_retry(players.link, player, name, game, rated, late)
        except LinkError as error:
            raise SeatError(str(error)) from None
        state.links.add((seat, player))
        state.stored_review = None
        if state.over:
            await self._keep(state)
        await self._read_ratings(state)
        return seat

    async def read_links(self, state: TableState) -> None:
        """Read the players of a table's seats again; those linked meanwhile may be missing in what was read."""
        before = set(state.links)
        links = await self._store.run(self._store.read, players.links_of, state.id)
        state.links -= before
        state.links.update(links)
        state.stored_review = None
        await self._read_ratings(state)

    async def _read_ratings(self, state: TableState) -> None:
        """Read the ratings of the people at a rated table again, and show them if they have changed."""
        if not state.manners.rated:
            return
        found = (await self._store.run(self._store.read, table_ratings, [state.id]))[state.id]
        if found != state.ratings:
            state.ratings = found
            self._show_ratings(state.id)

    # Results

    def note_over(self, state: TableState) -> None:
        """Begin to store the results of a game that is over, and to change the ratings by it, each once."""
        if state.links or state.ratings:
            self._tasks.start(self._keep_noted(state))

    async def _keep_noted(self, state: TableState) -> None:
        try:
            await self._keep(state)
            await self._read_ratings(state)
        except StoreError as error:  # it is stored when the table is next loaded, or becomes a record
            note_failure("the result of a player's game could not be stored yet", error)

    async def _keep(self, state: TableState) -> None:
        results = await self._services.compute(
            state.host, results_of, state.match, dict(state.seats), list(state.resigned), state.manners.rated
        )
        await self._store.run(self._store.write, keep_results, state.id, results)

    async def keep_review(
        self, state: TableState, review: str, finding_of: Callable[[str, int], Mapping[str, Any]]
    ) -> None:
        """Store the findings of a finished game's review about each linked seat, unless they are stored."""
        if state.stored_review == hash(review):
            return
        state.stored_review = hash(review)  # before the loop, since a seat that is linked during it resets this
        try:
            for seat in sorted({seat for seat, _ in state.links}):
                found = await self._services.compute(state.host, finding_of, review, seat)
                await self._store.run(self._store.write, players.keep_finding, state.id, seat, found)
        except BaseException:
            state.stored_review = None
            raise

    # Lists

    async def name(self, key: str) -> str | None:
        """Return the name of a player, ``None`` if there is no such player."""
        return await self._store.run(self._store.read, players.name_of, key_hash(key))

    async def games(self, key: str, part: Selection) -> list[PlayedGame]:
        """Return a part of a player's games; empty if there is no such player."""
        return await self._store.run(self._store.read, players.games_of, key_hash(key), part)

    async def ratings(self, key: str) -> list[PlayedRating]:
        """Return the ratings of a player, that with the most games first."""
        return await self._store.run(self._store.read, ratings_of, key_hash(key))

    async def sealed_days(self, games: Iterable[PlayedGame]) -> set[date]:
        """Return the days of daily deals among these games that are not over, so that the games are sealed."""
        days = {game.daily.day for game in games if game.daily is not None}
        return {day for day in days if not await self._days.is_closed(day)}

    async def record(self, game: PlayedGame, host: str) -> Record | None:
        """Return the record of a game that may be shown to everyone; ``None`` if it cannot be shown (yet).

        ``host`` is the address of the client.
        """
        found = await self._load(game.table, host)
        return found.record() if found is not None and found.disclosed else None

    async def _load(self, table_id: str, host: str) -> TableState | None:
        """Return the state of a stored table; ``None`` if it is removed, closed or damaged."""
        found = await stored_match(self._store, self._services, table_id, host)
        if found is None or found[0].closed:
            return None
        table, match = found
        state = state_of(table, match)
        if state.sealed and table.daily is not None:
            state.sealed = not await self._days.is_closed(table.daily.day)
        return state

    # Removal

    async def forget(self, key: str) -> int:
        """Remove a player with all links, results and ratings. Return the number of games."""
        return len(await self._store.run(self._store.write, players.forget_player, key_hash(key)))

    async def forget_game(self, key: str, table_id: str) -> None:
        """Remove a game from a player's list.

        Raises:
            NoPlayerError: it is not in the list.
            SeatError: it is an unfinished game of a club night.
        """
        try:
            removed = await self._store.run(self._store.write, players.forget_game, key_hash(key), table_id)
        except LinkError as error:
            raise SeatError(str(error)) from None
        if not removed:
            raise NoPlayerError(gettext("this game is not in the list of a player with this key"))

    async def stop(self) -> None:
        """Finish the pending writes."""
        await self._tasks.finish()
