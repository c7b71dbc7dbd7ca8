"""Club nights: the tables of their rounds, the results of games, and the start of the next round."""

import hmac
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from parlour.bots import LEVELS
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.matches.deals import new_secret
from parlour.engine.setup import Setup
from parlour.games import find_game
from parlour.languages import gettext
from parlour.render.bot_names import BOT_NAMES
from parlour.server.logs import note_failure
from parlour.server.pending_tasks import PendingTasks
from parlour.server.store.database import ConflictError, StoreError
from parlour.server.store.people import clubs
from parlour.server.store.people.clubs import BOT, Club, ClubError, ClubGame, ClubNight, ClubResult, Opened
from parlour.server.store.store import Store
from parlour.server.store.stored_table import StoredClub, StoredSeat, StoredTable
from parlour.server.table.clubs.pairings import pairs_of
from parlour.server.table.clubs.scores import ranking
from parlour.server.table.fields import OptionValue, OwnKey, StrictModel, Word
from parlour.server.table.people.keys import key_hash, new_key
from parlour.server.table.people.resignation import has_ended, resignations_of
from parlour.server.table.people.seat_score import score_of
from parlour.server.table.replays import stored_match
from parlour.server.table.services import Services
from parlour.server.table.state import TableState
from parlour.server.table.table_ids import new_table_id
from parlour.server.table.table_setup import Manners

PLAYERS = 2
"""Number of players at a board."""
DEALS = 2
"""Number of deals of a round; the players exchange seats for the second deal, which has other cards."""
_ID_LENGTH = 16
_BY_RESIGNATION = 1_000_000
"""Lead of a seat that won by resignation, in points: greater than the lead in any game played to its end."""


class NewClub(StrictModel):
    """A new club night; ``key`` is a new secret of the host, so that a repeated request opens no second club night."""

    game: Word
    options: dict[Word, OptionValue] = Field(default_factory=dict, max_length=64)
    system: Literal["all", "swiss"]
    rounds: int = Field(default=3, ge=1, le=12)
    bot: Word
    key: OwnKey


class ClubNights:
    """The club nights of a room."""

    def __init__(self, store: Store, services: Services) -> None:
        self._store = store
        self._services = services
        self._tasks = PendingTasks()

    async def open(self, opening: NewClub) -> str:
        """Store a club night, and return its id; a repeated request returns the same id.

        Raises:
            ParlourError: the game, the options or the bot are not valid, or the key has opened another club night.
        """
        game = find_game(opening.game)
        if PLAYERS not in game.players:
            raise ParlourError(gettext("a club night needs a game for two; {game} is none", game=game.title))
        if opening.bot not in LEVELS:
            raise ParlourError(f"bot: may be {', '.join(LEVELS)}")
        setup = Setup(game, PLAYERS, dict(opening.options))
        Match(setup)
        host = key_hash(opening.key)
        club = Club(
            key_hash(host)[:_ID_LENGTH], host, game.id, setup.chosen, opening.system, opening.rounds, opening.bot
        )
        try:
            await self._store.run(self._store.write, clubs.add_club, club)
        except ConflictError:
            raise ClubError(gettext("another club night was opened with this key: make a new key for each")) from None
        return club.id

    async def read(self, club_id: str) -> ClubNight:
        """Return a club night. Raises :class:`~parlour.server.store.people.clubs.NoClubError`."""
        return await self._store.run(self._store.read, clubs.read_club_night, club_id)

    async def join(self, club_id: str, player_key: str, name: str) -> int:
        """Add a player, or rename the player with this key. Return the player's number. Raises :class:`ClubError`."""
        return await self._store.run(self._store.write, clubs.join, club_id, key_hash(player_key), name)

    async def remove(self, club_id: str, host_key: str, number: int, name: str) -> None:
        """Remove a player. Raises :class:`ClubError` for a key other than the host's, or after the beginning."""
        await self._check_host(club_id, host_key)
        await self._store.run(self._store.write, clubs.remove_player, club_id, number, name)

    async def begin(self, club_id: str, host_key: str) -> None:
        """Begin the first round. Raises :class:`ClubError` for a key other than the host's, or without two players."""
        await self._check_host(club_id, host_key)
        await self._store.run(self._store.write, clubs.begin, club_id, open_round)

    async def close_round(self, club_id: str, host_key: str, number: int) -> None:
        """Close a round; its unfinished games do not count. Raises :class:`ClubError` if the key is not the host's."""
        night = await self._check_host(club_id, host_key)
        for game in night.games:
            if game.round == number and game.result is None:
                await self._settle(game.table)
        await self._store.run(self._store.write, clubs.close_round, club_id, number, open_round)

    async def _check_host(self, club_id: str, host_key: str) -> ClubNight:
        night = await self.read(club_id)
        if not is_host(night, host_key):
            raise ClubError(gettext("only the host of this club night can do that"))
        return night

    async def of_table(self, table_id: str) -> StoredClub | None:
        """Return the club night of a table as it is stored now."""
        return await self._store.run(self._store.read, clubs.club_of_table, table_id)

    def note_over(self, state: TableState) -> None:
        """Store the result of a game that is over, if it belongs to a club night and its round is not closed."""
        if state.opened.club is not None and state.opened.club.open:
            played = state.match, dict(state.seats), list(state.resigned)
            self._tasks.start(self._keep(state.id, *played))

    async def _keep(
        self, table_id: str, match: Match, seats: Mapping[int, StoredSeat], resigned: Sequence[int]
    ) -> None:
        try:
            result = await self._services.compute(table_id, result_of, match, seats, resigned)
            await self._store.run(self._store.write, clubs.keep_result, table_id, result, open_round)
        except StoreError as error:  # it will be stored when the table is next loaded, or the host closes the round
            note_failure("the result of a club night could not be stored yet", error)

    async def _settle(self, table_id: str) -> None:
        """Store the result of a game if it is over: a server that was killed may not have stored it."""
        found = await stored_match(self._store, self._services, table_id)
        if found is None:
            return
        table, match = found
        if has_ended(table, match):
            await self._keep(table_id, match, table.seats, table.resigned)

    async def stop(self) -> None:
        """Finish the pending writes."""
        await self._tasks.finish()


def is_host(night: ClubNight, key: str | None) -> bool:
    """Return whether a key is the host's."""
    return key is not None and hmac.compare_digest(night.club.host, key_hash(key))


def result_of(match: Match, seats: Mapping[int, StoredSeat], resigned: Sequence[int]) -> ClubResult:
    """Return the result of a finished game."""
    found = resignations_of(match, seats, resigned)
    scores = [score_of(match, seat, found.winners) for seat in range(PLAYERS)]
    decided = any(score.won for score in scores)
    won = [-1.0 if seat in resigned else float(score.won) if decided else 0.5 for seat, score in enumerate(scores)]
    ahead = [_BY_RESIGNATION if found.ending and score.won else score.points - score.against for score in scores]
    return ClubResult(won, ahead, [score.points for score in scores])


def open_round(night: ClubNight) -> Opened:
    """Return the games of the next round with their tables: all boards have the same deals."""
    club, pairs = night.club, pairs_of(night, ranking(night))
    names = {each.number: each for each in night.players}
    secrets = [new_secret() for _ in range(DEALS)]
    opened = []
    for board, (one, other) in enumerate(pairs):
        for deal, numbers in enumerate([(one, other), (other, one)]):
            seats = {
                seat: StoredSeat(BOT_NAMES[board % len(BOT_NAMES)], club.bot)
                if number == BOT
                else StoredSeat(names[number].name, None, key_hash(new_key()))  # the player's key opens it
                for seat, number in enumerate(numbers)
            }
            match = Match(Setup(find_game(club.game), PLAYERS, dict(club.options)))
            table = StoredTable(
                new_table_id(),
                club.game,
                PLAYERS,
                dict(match.options),
                seats,
                secrets[deal],
                manners=Manners(patience=60, talk="signs", rated=not match.setup.chosen).to_store(),
            )
            opened.append((ClubGame(club.begun + 1, board, deal, table.id, numbers), table))
    return opened
