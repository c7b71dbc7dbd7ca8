"""Settings of the levels of a game, from a file in its folder: successive levels differ equally in strength.

The usual settings (:data:`parlour.bots.levels.LEVELS`) make steps of different sizes in different games: where the
heuristic is strong, a level that searches every other decision is hardly weaker than one that searches most of them.
``parlour levels GAME`` measures a scale of settings from the weakest level to the strongest, and writes the file.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from parlour.bots.compiled_observation import CompiledObservation
from parlour.bots.levels import LEVELS, Level, level_from, parse_level
from parlour.engine.arrays import Floats
from parlour.engine.compiled import source_hash
from parlour.engine.errors import ParlourError
from parlour.engine.files import read_json
from parlour.engine.game import Game
from parlour.engine.moves import Move
from parlour.games import file_of, find_game
from parlour.learning.policy_file import shipped_policy

FORMAT = "parlour-levels/1"
FILE = "levels.json"
"""Name of the file in a game's folder."""
LARGEST_FILE = 20_000
"""Maximum size of a file, in bytes."""
TOP = len(LEVELS) - 1
"""The place of the strongest usual level on the scale; the weakest has 0."""


def level_of(name: str, game_id: str) -> Level:
    """Return the settings of a level in a game: those that the game ships, or the usual ones."""
    return shipped_levels(game_id).get(name, LEVELS[name])


@dataclass(frozen=True)
class BotSettings:
    """Settings of a level or a search, with which it chooses.

    Attributes:
        usual: the settings; those of a level may differ in some games.
        level: the level's name; empty for a search.
    """

    usual: Level
    level: str = ""

    def in_game(self, game_id: str) -> Level:
        """Return the settings in a game."""
        return level_of(self.level, game_id) if self.level else self.usual

    def choose(self, observation: CompiledObservation) -> Move:
        """Return one of the legal moves."""
        return self.in_game(observation.game).choose(observation)

    def chances(self, observation: CompiledObservation) -> Floats:
        """Return the probability of each of ``observation.moves``."""
        return self.in_game(observation.game).chances(observation)


def settings_of(bot_id: str) -> BotSettings | None:
    """Return the settings of a level or a search by its id; ``None`` for another bot. Raises :class:`ParlourError`."""
    if bot_id in LEVELS:
        return BotSettings(LEVELS[bot_id], bot_id)
    level = level_from(bot_id)
    return BotSettings(level) if level else None


@lru_cache(maxsize=64)
def shipped_levels(game_id: str) -> Mapping[str, Level]:
    """Return the levels with settings of their own in a game; none without a valid file.

    A variation has the levels of its original, unless it ships others.
    """
    file = file_of(game_id, FILE)
    if file is None:
        original = find_game(game_id).variation_of
        return shipped_levels(original) if original else {}
    try:
        return read_levels(file, FILE, game_id)
    except ParlourError:
        return {}


def bots_hash(game: Game) -> str:
    """Return the hash of a game's rules, the bots and the compilers, and of the levels and policies that it ships."""
    rules = source_hash(game.dtype)
    levels = (f"{name}:{level}" for name, level in sorted(shipped_levels(game.id).items()))
    policies = ((players, shipped_policy(game.id, players)) for players in game.players)
    versions = (f"{players}:{policy.version}:{policy.is_clearly_better}" for players, policy in policies if policy)
    text = ";".join([*levels, *versions])
    return f"{rules}-{hashlib.sha256(text.encode()).hexdigest()[:8]}" if text else rules


def read_levels(file: Path | Traversable, name: str, game_id: str) -> dict[str, Level]:
    """Return the levels of a file; ``name`` is its name in messages. Raises :class:`ParlourError`."""
    values = read_json(file, name, "levels", LARGEST_FILE)
    if not isinstance(values, Mapping) or values.get("format") != FORMAT:
        raise ParlourError(f"{name} is no file of levels, which begins with the format {FORMAT!r}")
    if values.get("game") != game_id:
        raise ParlourError(f"{name} has the levels of {values.get('game')!r}, not of {game_id!r}")
    levels = values.get("levels")
    if not isinstance(levels, Mapping) or not levels:
        raise ParlourError(f"{name} has no levels")
    return {level: _level(level, settings, name) for level, settings in levels.items()}


def _level(level: str, settings: Any, name: str) -> Level:
    """Return a level of a file. Raises :class:`ParlourError`."""
    if level not in LEVELS or not isinstance(settings, str):
        raise ParlourError(f"{name}: a level is one of {', '.join(LEVELS)}, with its settings as a text")
    try:
        found = parse_level(settings)
    except ParlourError as error:
        raise ParlourError(f"{name}, {level}: {error}") from None
    if bool(found.effort) != bool(LEVELS[level].effort):  # the server keeps time and processes for bots that search
        raise ParlourError(f"{name}: {level} {'may not search' if found.effort else 'has to search'}")
    return found


def levels_text(game_id: str, levels: Mapping[str, Level], about: Mapping[str, Any]) -> str:
    """Return the content of a file: a game's levels, and on the last line how they were measured."""
    settings = {name: str(level) for name, level in levels.items()}
    values = json.dumps({"format": FORMAT, "game": game_id, "levels": settings}, indent=2)
    return f'{values[:-2]},\n  "about": {json.dumps(about)}\n}}\n'


def level_at(place: float, points: int = 0) -> Level:
    """Return the settings at a place of the scale from 0, the weakest usual level, to :data:`TOP`, the strongest.

    At whole numbers they are the usual levels. Between two of them each setting lies between theirs: the effort and the
    temperature on a logarithmic scale, the percentages on a linear one. ``points`` is the weight of points in the
    objective of all searches, in percent.
    """
    usual = list(LEVELS.values())
    if place <= 0:
        return usual[0]
    lower = min(int(place), TOP - 1)
    low, high, part = usual[lower], usual[lower + 1], place - lower
    if not low.effort:  # a level without search is one that always follows its habit
        low = replace(high, habit=100, lapses=low.lapses, memory=low.memory)

    def between(name: str) -> int:
        mean: int = round(getattr(low, name) + part * (getattr(high, name) - getattr(low, name)))
        return mean

    return Level(
        effort=int(float(f"{low.effort * (high.effort / low.effort) ** part:.2g}")),
        habit=between("habit"),
        lapses=between("lapses"),
        memory=between("memory"),
        temperature=float(f"{low.temperature * (high.temperature / low.temperature) ** part:.2g}"),
        tree=high.tree,
        learned=between("learned"),
        points=points,
    )
