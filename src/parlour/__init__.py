"""Parlour: a card room for five unusual card games.

``docs/python.md`` documents the public API. Each name is imported on first use, so that ``import parlour`` is fast,
compiles nothing and writes nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from parlour.version import __version__ as __version__

if TYPE_CHECKING:
    from parlour.bots import bot_ids as bots
    from parlour.bots.match_play import play
    from parlour.bots.observation_bot import bot
    from parlour.bots.protocol import Bot, Forfeit
    from parlour.bots.search_threads import search_threads
    from parlour.contests.exploitation import exploit
    from parlour.contests.play import ladder, match
    from parlour.endgames.ends import best_response, endgame, exact
    from parlour.engine.errors import ParlourError
    from parlour.engine.match import Match
    from parlour.engine.matches.records import Record
    from parlour.engine.observation import Observation
    from parlour.engine.rules import SPECTATOR
    from parlour.engine.setup import Setup
    from parlour.engine.simulation.batch import Batch
    from parlour.engine.simulation.compiled_game import CompiledGame
    from parlour.front import load, make, simulate
    from parlour.games import game_ids as games
    from parlour.studies.folder import study

__all__ = [
    "SPECTATOR",
    "Batch",
    "Bot",
    "CompiledGame",
    "Forfeit",
    "Match",
    "Observation",
    "ParlourError",
    "Record",
    "Setup",
    "best_response",
    "bot",
    "bots",
    "endgame",
    "exact",
    "exploit",
    "games",
    "ladder",
    "load",
    "make",
    "match",
    "play",
    "search_threads",
    "simulate",
    "study",
]

_HOMES = {
    "SPECTATOR": "parlour.engine.rules",
    "Batch": "parlour.engine.simulation.batch",
    "Bot": "parlour.bots.protocol",
    "CompiledGame": "parlour.engine.simulation.compiled_game",
    "Forfeit": "parlour.bots.protocol",
    "Match": "parlour.engine.match",
    "Observation": "parlour.engine.observation",
    "ParlourError": "parlour.engine.errors",
    "Record": "parlour.engine.matches.records",
    "Setup": "parlour.engine.setup",
    "best_response": "parlour.endgames.ends",
    "bot": "parlour.bots.observation_bot",
    "endgame": "parlour.endgames.ends",
    "exact": "parlour.endgames.ends",
    "exploit": "parlour.contests.exploitation",
    "ladder": "parlour.contests.play",
    "load": "parlour.front",
    "make": "parlour.front",
    "match": "parlour.contests.play",
    "play": "parlour.bots.match_play",
    "search_threads": "parlour.bots.search_threads",
    "simulate": "parlour.front",
    "study": "parlour.studies.folder",
}
_CALLABLE_PACKAGES = ("bots", "games")


def __getattr__(name: str) -> Any:
    if name in _CALLABLE_PACKAGES:
        return import_module(f"parlour.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'parlour' has no attribute {name!r}")
    if name == "Setup":
        import_module("parlour.games")  # Setup.from_json finds games there
    globals()[name] = found = getattr(import_module(_HOMES[name]), name)
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
