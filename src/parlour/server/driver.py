"""What needs no person at a table: chance and the bots, asked beside the loop, one event after another."""

import asyncio
import os
from typing import TYPE_CHECKING

from parlour.bots import HouseBot, choose_at_random, find_bot, sight_of
from parlour.engine.chance import new_stream
from parlour.engine.match import Event, Match
from parlour.engine.rules import CHANCE
from parlour.server.company import STAND_IN
from parlour.server.database import ConflictError, StoreError
from parlour.server.logs import note_failure
from parlour.server.people import now

if TYPE_CHECKING:
    from parlour.server.room import Room

RETRY_SECONDS = 5.0
"""After so long what could not be stored is tried again."""


class Driver:
    """Drives a room on as long as it is the turn of chance or of bots."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._streams = {seat: new_stream(int.from_bytes(os.urandom(7))) for seat in range(room.match.players)}
        self._task: asyncio.Task[None] | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._troubled = False

    def wake(self) -> None:
        """Go on, if there is something to do and it is not being done."""
        if self._room.goes_on and (self._task is None or self._task.done()):
            self._task = self._room.start(self._drive())

    def close(self) -> None:
        """Nothing is tried again."""
        if self._retry:
            self._retry.cancel()

    async def _drive(self) -> None:
        try:
            while self._room.goes_on:
                seen = self._room.seen
                await self._room.bring(await self._next_event(), seen)
                self._troubled = False
            self._room.people.begin_turn()
        except ConflictError:
            return
        except StoreError as error:
            self._try_later(error)
        except Exception as error:
            note_failure("a table stands still", error)

    async def _next_event(self) -> Event:
        """What chance or a bot does at the table as it is now; it may have moved on when this is known."""
        match, seat = self._room.match, self._room.match.actor
        if seat == CHANCE:
            return Event(CHANCE, self._room.draw_chance())
        bot = find_bot(self._room.people.company.bot_for(seat) or STAND_IN)
        return Event(seat, await self._answer(bot, match, seat))

    async def _answer(self, bot: HouseBot, match: Match, seat: int) -> str:
        """What a bot does, at a moment that is settled before it thinks (:mod:`parlour.server.pace`)."""
        crew, began = self._room.crew, now()
        due = began + crew.pace.draw()
        if crew.pace.on and bot.searches:  # also where there is nothing to look ahead for: nobody is to see that
            await self._room.people.until_ready()
        if len(match.actions()) == 1:
            due = max(due, now() + crew.pace.like_others(match.game.id, bot.id))
            (text,) = match.legal()
        else:
            text = await self._choice(bot, match, seat)
        await crew.rest(due - now())
        return text

    async def _choice(self, bot: HouseBot, match: Match, seat: int) -> str:
        """What a bot chooses among several actions."""
        crew, sight = self._room.crew, sight_of(match, self._streams[seat])
        legal = {action: text for text, action in match.named().items()}
        chosen, began = None, now()
        try:
            if bot.at_once and bot.look_ahead and not crew.readiness.of(match.game):
                chosen = await crew.thought(bot.at_once, sight)
                if chosen is None:
                    await self._room.people.until_ready()
                    began = now()
                    chosen = await crew.thought(bot.look_ahead, sight)
            else:
                chosen = await crew.thought(bot.choose, sight)
        except Exception as error:
            note_failure(f"the bot {bot.id} failed at {match.game.id}", error)
        crew.pace.note(match.game.id, bot.id, now() - began)
        return legal[choose_at_random(sight) if chosen is None else chosen]

    def _try_later(self, error: StoreError) -> None:
        """Say so once, and try again while somebody looks on."""
        if not self._troubled:
            for viewer in self._room.viewers:
                self._room.refuse(viewer, f"the table could not be saved: {error}")
        self._troubled = True
        if self._retry:
            self._retry.cancel()
        self._retry = asyncio.get_running_loop().call_later(RETRY_SECONDS, self._try_again)

    def _try_again(self) -> None:
        if self._room.viewers:
            self.wake()
