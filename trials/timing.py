"""Measure at real sockets whether the timing of a bot's answers reveals its cards to an opponent.

A client plays at random at tables with bots, and records the time from each scene to the bot's action. The game's
record then shows which of these actions were forced. The result is the AUC of a separation of forced and free
decisions by their times: the probability that a free decision took longer than a forced one; 0.5 reveals nothing.
"""

import asyncio
import json
import random
import time
from collections.abc import Sequence
from typing import Any

import click
import numpy as np
from websockets.asyncio.client import connect

from parlour.bots import BOTS
from parlour.engine.events import Event
from parlour.engine.match import Match
from parlour.engine.setup import Setup
from parlour.games import find_game, game_ids
from trials.command import TrialCommand
from trials.load import Server, run_server

SHORT = {"rounds": 1, "turn_limit": 24}
"""Options that shorten games; only finished games are evaluated."""
LATE_SECONDS = 0.8
"""Seconds after which an action of a bot counts as late."""


async def time_game(server: Server, game: str, bot: str) -> list[tuple[float, int]]:
    """Play a game against bots; return the seconds and the number of legal actions for each action of a bot."""
    rules = find_game(game)
    players, short = rules.usual_players, {each.name: SHORT[each.name] for each in rules.options if each.name in SHORT}
    seats = [{"kind": "bot", "bot": bot, "name": f"Bot {seat}"} for seat in range(1, players)]
    plan = {"game": game, "players": players, "options": short}
    opened = await asyncio.to_thread(
        server.ask, "/api/tables", {**plan, "seats": [{"kind": "you", "name": "Ann"}, *seats]}
    )
    came: dict[int, float] = {}
    address = f"ws://127.0.0.1:{server.port}/api/tables/{opened['table']}/play"
    async with connect(address, compression=None, open_timeout=60) as socket:
        await socket.send(json.dumps({"type": "hello", "key": opened["key"]}))
        async for text in socket:
            message = json.loads(text)
            if message["type"] != "scenes":
                continue
            for scene in message["scenes"]:
                came.setdefault(scene["seen"], time.perf_counter())
            if scene["over"]:
                break
            if scene["legal"]:
                action = random.choice(scene["legal"])
                await socket.send(json.dumps({"type": "act", "do": action, "seen": scene["seen"]}))
    record = await asyncio.to_thread(server.ask, f"/api/tables/{opened['table']}/record")
    return _decision_times(plan, record["events"], came)


def _decision_times(
    plan: dict[str, Any], events: Sequence[dict[str, Any]], came: dict[int, float]
) -> list[tuple[float, int]]:
    match, noted = Match(Setup.from_json(plan)), []
    for seen, event in enumerate(events, 1):
        if event["by"] not in ("chance", 0) and seen in came and seen - 1 in came:
            noted.append((came[seen] - came[seen - 1], len(match.moves())))
        match.apply_event(Event.from_json(event))
    return noted


async def time_decisions(server: Server, game: str, bot: str, decisions: int, tables: int) -> list[tuple[float, int]]:
    """Record at least ``decisions`` decisions of bots, at ``tables`` tables at once."""
    noted: list[tuple[float, int]] = []

    async def sit() -> None:
        while len(noted) < decisions:
            noted.extend(await time_game(server, game, bot))

    async with asyncio.TaskGroup() as sitting:
        for _ in range(tables):
            sitting.create_task(sit())
    return noted


def auc(noted: Sequence[tuple[float, int]]) -> float | None:
    """Return the probability that a free decision took longer than a forced one; ``None`` if either kind is missing."""
    free = np.array([seconds for seconds, legal in noted if legal > 1])
    forced = np.array([seconds for seconds, legal in noted if legal == 1])
    if not len(free) or not len(forced):
        return None
    differences = free[:, None] - forced[None, :]
    return float((differences > 0).mean() + (differences == 0).mean() / 2)


def summary(noted: Sequence[tuple[float, int]]) -> dict[str, Any]:
    """Return statistics of the times of these decisions."""
    seconds = np.array([each for each, _ in noted])
    auc_value = auc(noted)
    return {
        "decisions": len(noted),
        "forced": sum(legal == 1 for _, legal in noted),
        "auc": None if auc_value is None else round(auc_value, 3),
        "p50_ms": round(float(np.median(seconds)) * 1000),
        "p99_ms": round(float(np.quantile(seconds, 0.99)) * 1000),
        "late": round(float((seconds > LATE_SECONDS).mean()), 3),
    }


@click.command(cls=TrialCommand)
@click.option("--game", "games", multiple=True, type=click.Choice(game_ids()), help="Default: every game.")
@click.option("--bot", "bots", multiple=True, type=click.Choice(list(BOTS)), help="Default: every bot.")
@click.option(
    "--decisions", type=click.IntRange(1), default=1000, show_default=True, help="Decisions per game and bot."
)
@click.option("--tables", type=click.IntRange(1), default=24, show_default=True, help="Simultaneous tables.")
@click.option("--pace/--no-pace", "paced", default=True, help="Delay bots' answers, as the server does by default.")
def main(games: Sequence[str], bots: Sequence[str], decisions: int, tables: int, paced: bool) -> None:
    """Measure whether a bot's timing separates forced from free decisions; print a JSON object per line."""
    with run_server(1, paced=paced) as server:
        for game in games or game_ids():
            for bot in bots or BOTS:
                noted = asyncio.run(time_decisions(server, game, bot, decisions, tables))
                click.echo(json.dumps({"game": game, "bot": bot, **summary(noted)}))


if __name__ == "__main__":
    main()
