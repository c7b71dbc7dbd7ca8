"""The table of a daily deal, and the result of the strongest bot in the seat of the person there."""

import hashlib
from collections.abc import Callable
from datetime import date

from parlour.bots import choose_for, find_bot
from parlour.daily import DailyPlan, decision_stream, secret_of_deal
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.matches.deals import draw_committed
from parlour.engine.setup import Setup
from parlour.engine.simulation.game_loop import drive
from parlour.games import find_game
from parlour.insight.review import STRONGEST
from parlour.render.bot_names import bot_names
from parlour.server.store.daily import Score
from parlour.server.store.stored_table import StoredDaily, StoredSeat, StoredTable
from parlour.server.table.people.keys import key_hash
from parlour.server.table.people.seat_score import score_of
from parlour.server.table.table_ids import new_table_id
from parlour.server.table.table_setup import Manners

_MANNERS = Manners(patience=None, talk="none")


class StoppedError(ParlourError):
    """The server is closing."""


def seat_key_of(player_key: str, day: date, game: str) -> str:
    """Return the key of a player's seat in a daily deal, which is the same for a repeated request."""
    return hashlib.sha256(f"seat {player_key} {day} {game}".encode()).hexdigest()


def table_of(plan: DailyPlan, daily: StoredDaily, name: str, seat_key: str) -> StoredTable:
    """Return a new table of a daily deal, with a person in its seat and bots in all others."""
    names = bot_names([seat for seat in range(plan.players) if seat != plan.seat], [name])
    seats = {
        seat: StoredSeat(name, None, key_hash(seat_key)) if seat == plan.seat else StoredSeat(names[seat], plan.bot)
        for seat in range(plan.players)
    }
    manners = {**_MANNERS.to_store(), "opener": plan.seat}
    secret = secret_of_deal(daily.key, plan.game, daily.rules)
    return StoredTable(
        new_table_id(), plan.game, plan.players, dict(plan.options), seats, secret, manners=manners, daily=daily
    )


def par_of(plan: DailyPlan, key: str, stopped: Callable[[], bool]) -> Score:
    """Return the result of the strongest bot in the person's seat of a daily deal.

    Raises:
        StoppedError: ``stopped`` has returned true.
    """
    secret = secret_of_deal(key, plan.game, plan.rules)
    match = Match(Setup(find_game(plan.game), plan.players, plan.options))

    def choose(match: Match) -> str:
        if stopped():
            raise StoppedError("the server is being closed")
        bot = find_bot(STRONGEST if match.actor == plan.seat else plan.bot)
        return choose_for(match, bot, decision_stream(secret, match.actor, len(match.events)))

    for _ in drive(match, choose, lambda match: draw_committed(match, secret)):
        pass
    return score_of(match, plan.seat)
