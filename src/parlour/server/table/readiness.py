"""Which bots' searches are compiled, so that they begin at once; has those compiled first that a player waits for."""

import asyncio
import subprocess

from parlour.bots.compilation import command, is_ready
from parlour.engine.game import Game
from parlour.server.logs import note, note_failure


class Readiness:
    """Which games' searches begin at once; has those made ready first that somebody waits for."""

    def __init__(self) -> None:
        self._ready: set[str] = set()
        self._making: dict[str, asyncio.Task[None]] = {}

    def of(self, game: Game) -> bool:
        """Whether a search at this game begins at once."""
        if game.id not in self._ready and is_ready(game):
            self._ready.add(game.id)
        return game.id in self._ready

    def begin(self, game: Game) -> None:
        """Compile this game next; a player is about to need it."""
        if not self.of(game) and game.id not in self._making:
            self._making[game.id] = asyncio.create_task(self._make(game))

    async def wait(self, game: Game) -> None:
        """Have a game made ready, and wait for it."""
        self.begin(game)
        if not self.of(game):
            await asyncio.shield(self._making[game.id])

    async def _make(self, game: Game) -> None:
        try:
            status = await self._run(game)
            note("search ready" if status == 0 else "search not made ready", game=game.id, status=status)
        except OSError as error:
            note_failure("a search could not be made ready", error)
        self._ready.add(game.id)  # if that failed, whoever looks ahead compiles what is missing

    @staticmethod
    async def _run(game: Game) -> int:
        process = await asyncio.create_subprocess_exec(
            *command(game.id), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            return await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def stop(self) -> None:
        """End what is being made ready, and whoever waits for it."""
        for task in self._making.values():
            task.cancel()
        await asyncio.gather(*self._making.values(), return_exceptions=True)
