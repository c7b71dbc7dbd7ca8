"""The turns of chance and of bots at a table, one event after another; bots decide in other threads."""

import asyncio
import os
from typing import Protocol

from parlour.bots import BuiltinBot, choose_at_random, compiled_observation_of, find_bot
from parlour.daily import decision_stream
from parlour.engine.arrays import Stream
from parlour.engine.chance import new_stream
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.matches.deals import draw_committed
from parlour.engine.rules import CHANCE
from parlour.server.logs import note_failure
from parlour.server.pending_tasks import TaskOwner
from parlour.server.store.database import ConflictError, StoreError
from parlour.server.table.services import Services
from parlour.server.table.state import STAND_IN, TableState

RULE_OF_THUMB = find_bot("thumb")
"""Bot that plays for a searching one while the game's search is compiled."""
RETRY_SECONDS = 5.0
"""Seconds between a failed write and the next attempt."""
UNDO_SECONDS = 15.0
"""Seconds for which chance and bots wait for the answers to a requested undo."""
UNDO_STEP = 0.1
"""Seconds between two looks at these answers."""


class BotTable(TaskOwner, Protocol):
    """The table on which bots play."""

    async def add_automatic(self, event: Event, seen: int) -> None:
        """Carry out an event decided after ``seen`` events, unless others followed. Raises :class:`StoreError`."""

    async def until_ready(self) -> None:
        """Wait for the compiled search of the game, and give all viewers the reason."""

    def begin_turn(self) -> None:
        """Start the clock of the seat to act, and send what has changed."""

    def report_unsaved(self, error: StoreError) -> None:
        """Send all viewers the reason why an event could not be stored."""

    @property
    def watched(self) -> bool:
        """Whether the table has viewers."""


class BotTurns:
    """A task that plays while it is the turn of chance or of bots."""

    def __init__(self, state: TableState, services: Services, table: BotTable) -> None:
        self._state = state
        self._services = services
        self._table = table
        self._streams = {seat: new_stream(int.from_bytes(os.urandom(7))) for seat in range(state.match.players)}
        self._task: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._failing = False

    def wake(self) -> None:
        """Start the task, unless it runs or a person is to act."""
        if self._state.is_automatic_turn and (self._task is None or self._task.done()):
            self._task = self._table.start(self._play())

    def close(self) -> None:
        """Cancel the retry."""
        if self._retry:
            self._retry.cancel()

    async def _play(self) -> None:
        try:
            while self._state.is_automatic_turn:
                seen = self._state.seen
                decision = await self._decide()
                await self._await_undo(seen)
                await self._table.add_automatic(decision, seen)
                self._failing = False
            self._table.begin_turn()
        except ConflictError:
            return
        except StoreError as error:
            self._retry_later(error)
        except Exception as error:
            note_failure("a table stands still", error)

    async def _await_undo(self, seen: int) -> None:
        """Wait while people have to agree to the undo of the last of ``seen`` events: the next one makes it final."""
        state, services = self._state, self._services
        ends = services.now() + UNDO_SECONDS
        while state.undo.request and state.seen == seen and not state.outdated and services.now() < ends:
            await services.sleep(UNDO_STEP)

    async def _decide(self) -> Event:
        """Return the decision of chance or a bot in the current position. Other events may happen meanwhile."""
        state, seat = self._state, self._state.match.actor
        if seat == CHANCE:
            return Event(CHANCE, draw_committed(state.match, state.opened.secret))
        bot = await self._ready_bot(find_bot(state.bot_for(seat) or STAND_IN))
        return Event(seat, await self._timed_answer(bot, state.match, seat))

    async def _ready_bot(self, bot: BuiltinBot) -> BuiltinBot:
        """Return the bot, or the rule of thumb while the bot's search is compiled. Where strength counts, wait for it.

        Also a forced action waits: its time must not differ from others.
        """
        state = self._state
        if not bot.searches or self._services.readiness.is_ready(state.match.game):
            return bot
        if state.strength_counts:
            await self._table.until_ready()
            return bot
        if not state.readying:
            self._table.start(self._table.until_ready())
        return RULE_OF_THUMB

    async def _timed_answer(self, bot: BuiltinBot, match: Match, seat: int) -> str:
        """Return a bot's action at a moment fixed before it thinks (``answer_timing``), later if it thinks longer."""
        services, began = self._services, self._services.now()
        due = began + services.timing.draw()
        if len(match.moves()) == 1:
            due = max(due, services.now() + services.timing.forced_duration(match.game.id, bot.id))
            (text,) = match.legal()
        else:
            text = await self._choose(bot, match, seat)
        await services.sleep(due - services.now())
        return text

    async def _choose(self, bot: BuiltinBot, match: Match, seat: int) -> str:
        """Return a bot's choice among several actions; at random if the bot fails."""
        services, observation = self._services, compiled_observation_of(match, self._stream(match, seat))
        texts = {move: text for text, move in match.moves_by_text().items()}
        chosen, began = None, services.now()
        try:
            chosen = await services.think(self._state.host, bot.choose, observation)
        except Exception as error:
            note_failure(f"the bot {bot.id} failed at {match.game.id}", error)
        services.timing.note(match.game.id, bot.id, services.now() - began)
        return texts[choose_at_random(observation) if chosen is None else chosen]

    def _stream(self, match: Match, seat: int) -> Stream:
        """Return the random stream of a decision: in a daily deal the same for everyone who plays it."""
        opened = self._state.opened
        return self._streams[seat] if opened.daily is None else decision_stream(opened.secret, seat, len(match.events))

    def _retry_later(self, error: StoreError) -> None:
        """Report the first failure of several, and schedule the next attempt."""
        if not self._failing:
            self._table.report_unsaved(error)
        self._failing = True
        self.close()
        self._retry = asyncio.get_running_loop().call_later(RETRY_SECONDS, self._try_again)

    def _try_again(self) -> None:
        if self._table.watched:
            self.wake()
