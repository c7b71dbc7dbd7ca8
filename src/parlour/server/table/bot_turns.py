"""What needs no person at a table: chance and the bots, asked beside the loop, one event after another."""

import asyncio
import os
from collections.abc import Coroutine
from typing import Any, Protocol

from parlour.bots import HouseBot, choose_at_random, compiled_observation_of, find_bot
from parlour.engine.chance import new_stream
from parlour.engine.deals import draw_committed
from parlour.engine.match import Match
from parlour.engine.rules import CHANCE
from parlour.server.logs import note_failure
from parlour.server.store.database import ConflictError, StoreError
from parlour.server.table.commands import Bring
from parlour.server.table.services import Services
from parlour.server.table.state import STAND_IN, TableState

RETRY_SECONDS = 5.0
"""Delay before a failed write is retried."""


class BotTable(Protocol):
    """What is done with what bots decide."""

    async def bring(self, decided: Bring) -> None:
        """Let it happen, unless the table has moved on since. Raises :class:`StoreError`."""

    async def until_ready(self) -> None:
        """Wait until one can look ahead at this game."""

    def start(self, coroutine: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Do something that is finished before the table is cleared away."""

    def begin_turn(self) -> None:
        """See whose clock is to run now, and tell everyone what has changed."""

    def not_saved(self, error: StoreError) -> None:
        """Tell everyone that something could not be stored."""

    @property
    def watched(self) -> bool:
        """Whether anyone looks on."""


class BotTurns:
    """Plays on as long as it is the turn of chance or of bots."""

    def __init__(self, state: TableState, threads: Services, played: BotTable) -> None:
        self._state = state
        self._threads = threads
        self._played = played
        self._streams = {seat: new_stream(int.from_bytes(os.urandom(7))) for seat in range(state.match.players)}
        self._task: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._troubled = False

    def wake(self) -> None:
        """Start playing unless already at it or nothing is due."""
        if self._state.goes_on and (self._task is None or self._task.done()):
            self._task = self._played.start(self._play())

    def close(self) -> None:
        """Cancel the retry."""
        if self._retry:
            self._retry.cancel()

    async def _play(self) -> None:
        try:
            while self._state.goes_on:
                await self._played.bring(await self._decide())
                self._troubled = False
            self._played.begin_turn()
        except ConflictError:
            return
        except StoreError as error:
            self._try_later(error)
        except Exception as error:
            note_failure("a table stands still", error)

    async def _decide(self) -> Bring:
        """What chance or a bot does at the table as it is now; it may have moved on when this is known."""
        state, seat, seen = self._state, self._state.match.actor, self._state.seen
        if seat == CHANCE:
            return Bring(CHANCE, draw_committed(state.match, state.opened.secret), seen)
        bot = find_bot(state.bot_for(seat) or STAND_IN)
        return Bring(seat, await self._answer(bot, state.match, seat), seen)

    async def _answer(self, bot: HouseBot, match: Match, seat: int) -> str:
        """What a bot does, at a moment that is settled before it thinks (:mod:`parlour.server.table.answer_timing`)."""
        threads, began = self._threads, self._threads.now()
        due = began + threads.pace.draw()
        if threads.pace.on and bot.searches:  # also where there is nothing to look ahead for: nobody is to see that
            await self._played.until_ready()
        if len(match.moves()) == 1:
            due = max(due, threads.now() + threads.pace.like_others(match.game.id, bot.id))
            (text,) = match.legal()
        else:
            text = await self._choice(bot, match, seat)
        await threads.rest(due - threads.now())
        return text

    async def _choice(self, bot: HouseBot, match: Match, seat: int) -> str:
        """What a bot chooses among several actions."""
        threads, observation = self._threads, compiled_observation_of(match, self._streams[seat])
        texts = {move: text for text, move in match.moves_by_text().items()}
        chosen, began = None, threads.now()
        try:
            if bot.at_once and bot.look_ahead and not threads.readiness.of(match.game):
                chosen = await threads.thought(self._state.host, bot.at_once, observation)
                if chosen is None:
                    await self._played.until_ready()
                    began = threads.now()
                    chosen = await threads.thought(self._state.host, bot.look_ahead, observation)
            else:
                chosen = await threads.thought(self._state.host, bot.choose, observation)
        except Exception as error:
            note_failure(f"the bot {bot.id} failed at {match.game.id}", error)
        threads.pace.note(match.game.id, bot.id, threads.now() - began)
        return texts[choose_at_random(observation) if chosen is None else chosen]

    def _try_later(self, error: StoreError) -> None:
        """Say so once, and try again while somebody looks on."""
        if not self._troubled:
            self._played.not_saved(error)
        self._troubled = True
        self.close()
        self._retry = asyncio.get_running_loop().call_later(RETRY_SECONDS, self._try_again)

    def _try_again(self) -> None:
        if self._played.watched:
            self.wake()
