"""Compiled searches of bots: which games have one, and compilation on demand."""

import asyncio
import subprocess

from parlour.bots.compilation import command, is_ready
from parlour.engine.game import Game
from parlour.server.logs import note, note_failure


class Readiness:
    """The games whose searches are compiled; a game that a player waits for is compiled first."""

    def __init__(self) -> None:
        self._ready: set[str] = set()
        self._compilations: dict[str, asyncio.Task[None]] = {}

    def is_ready(self, game: Game) -> bool:
        """Return whether the search of a game is compiled."""
        if game.id not in self._ready and is_ready(game):
            self._ready.add(game.id)
        return game.id in self._ready

    def begin(self, game: Game) -> None:
        """Start to compile the search of a game that a player is about to need."""
        if not self.is_ready(game) and game.id not in self._compilations:
            self._compilations[game.id] = asyncio.create_task(self._compile(game))

    async def wait(self, game: Game) -> None:
        """Compile the search of a game, and wait for it."""
        self.begin(game)
        if not self.is_ready(game):
            await asyncio.shield(self._compilations[game.id])

    async def _compile(self, game: Game) -> None:
        try:
            status = await self._run(game)
            note("search ready" if status == 0 else "search not made ready", game=game.id, status=status)
        except OSError as error:
            note_failure("a search could not be made ready", error)
        self._ready.add(game.id)  # after a failure the search compiles missing code

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
        """Cancel all compilations."""
        for task in self._compilations.values():
            task.cancel()
        await asyncio.gather(*self._compilations.values(), return_exceptions=True)
