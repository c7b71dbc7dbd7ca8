"""Built-in bots: registry, lookup by id, and the interface common to all.

A bot, like a person, receives only the observation of its seat.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from parlour.bots.compiled_observation import CompiledObservation, compiled_observation_of
from parlour.bots.game_levels import BotSettings, level_of, settings_of
from parlour.bots.heuristic_chances import heuristic_chances
from parlour.bots.learned import FROM_FILE, LEARNED, chances_from_file, draw, shipped_chances
from parlour.bots.levels import LEVELS, SEARCH, SEARCH_PREFIX
from parlour.bots.policies import (
    AT_RANDOM,
    BY_HEURISTIC,
    NO_POLICY,
    choose_at_random,
    choose_by_heuristic,
    follow,
    uniform_chances,
)
from parlour.engine.arrays import Floats, Stream
from parlour.engine.errors import ParlourError
from parlour.engine.match import Match
from parlour.engine.moves import Move
from parlour.engine.packages import make_callable

__all__ = [
    "BOTS",
    "KINDS_ELSEWHERE",
    "LEVELS",
    "NO_POLICY",
    "USUAL_BOT",
    "BuiltinBot",
    "CompiledObservation",
    "choose_at_random",
    "choose_for",
    "compiled_observation_of",
    "find_bot",
    "follow",
    "is_builtin_bot",
    "level_of",
]

Choose = Callable[[CompiledObservation], Move]
KINDS_ELSEWHERE = "{}: kinds of player play in matches, ladders and studies, not here"
"""Sentence that refuses a kind of player by its id."""


@dataclass(frozen=True)
class BuiltinBot:
    """Strategy for any game: ``choose`` returns one of the legal moves of an observation.

    ``policy`` is the number of the compiled policy that makes the same choices, if there is one (:func:`follow`).
    ``mix`` returns the probabilities from which ``choose`` draws; a bot without it is deterministic. A bot that
    ``searches`` needs the game to be compiled first (:mod:`parlour.bots.compilation`). ``version`` is that of the file
    with the bot's policy; it is empty for a bot without a file, whose version is that of Parlour.
    """

    id: str
    title: str
    description: str
    choose: Choose
    policy: int = NO_POLICY
    searches: bool = False
    mix: Callable[[CompiledObservation], Floats] | None = None
    version: str = ""

    def chances(self, observation: CompiledObservation) -> Floats:
        """Return the probability of each of ``observation.moves``.

        A bot that searches or forgets cards estimates them by one search or sample; they are exact only on average over
        random streams.
        """
        if self.mix:
            return self.mix(observation)
        certain: Floats = np.equal(observation.moves, self.choose(observation)).astype(float)
        return certain


def _bot_with(settings: BotSettings, bot_id: str, title: str, description: str) -> BuiltinBot:
    searches = settings.usual.effort > 0
    return BuiltinBot(bot_id, title, description, settings.choose, searches=searches, mix=settings.chances)


def _level_bot(bot_id: str, title: str, description: str) -> BuiltinBot:
    return _bot_with(BotSettings(LEVELS[bot_id], bot_id), bot_id, title, description)


USUAL_BOT = "casual"
"""Default opponent: plays sensibly and fast."""


BOTS: Mapping[str, BuiltinBot] = {
    bot.id: bot
    for bot in (
        _level_bot("beginner", "Beginner", "follows the obvious, forgets what was played and often slips"),
        _level_bot("casual", "Casual player", "plays by the rule of thumb, seldom thinks ahead and sometimes slips"),
        _level_bot("regular", "Regular", "thinks ahead now and then"),
        _level_bot("expert", "Expert", "thinks ahead often"),
        _level_bot("master", "Master", "thinks hard about every card"),
        BuiltinBot(
            "thumb",
            "Rule of thumb",
            "plays as the game's advice goes",
            choose_by_heuristic,
            BY_HEURISTIC,
            mix=heuristic_chances,
        ),
        BuiltinBot(
            "random",
            "Random",
            "plays any legal card: to learn the rules against",
            choose_at_random,
            AT_RANDOM,
            mix=uniform_chances,
        ),
    )
}


def _learned_bot(bot_id: str, weigh: Callable[[CompiledObservation], Floats], version: str = "") -> BuiltinBot:
    description = "plays by a learned policy, without search"
    return BuiltinBot(bot_id, "Learned", description, draw(weigh), mix=weigh, version=version)


def bot_ids() -> list[str]:
    """Return the ids of the built-in bots."""
    return list(BOTS)


def is_builtin_bot(bot_id: str) -> bool:
    """Return whether an id is that of a built-in bot; :func:`find_bot` may still refuse its settings."""
    prefixed = bot_id.startswith((SEARCH_PREFIX, FROM_FILE)) and "+" not in bot_id
    return bot_id in BOTS or bot_id in (SEARCH, LEARNED) or prefixed


def find_bot(bot_id: str) -> BuiltinBot:
    """Return the bot with this id: one of :data:`BOTS`, a search, or a learned bot.

    ``search`` has the usual settings, ``search:effort=20000`` others; ``learned`` has the policies that games ship,
    ``learned:FILE`` that of a file. Raises :class:`ParlourError`.
    """
    if bot_id in BOTS:
        return BOTS[bot_id]
    if "+" in bot_id:
        raise ParlourError(KINDS_ELSEWHERE.format(bot_id))
    if settings := settings_of(bot_id):
        description = "looks ahead in every decision" if bot_id == SEARCH else "a search for study"
        return _bot_with(settings, bot_id, "Search", description)
    if bot_id == LEARNED:
        return _learned_bot(LEARNED, shipped_chances)
    if bot_id == FROM_FILE:
        raise ParlourError(f"{FROM_FILE} needs the file of a policy, as in {FROM_FILE}policy.json")
    if bot_id.startswith(FROM_FILE):
        return _learned_bot(bot_id, *chances_from_file(bot_id.removeprefix(FROM_FILE)))
    if ":" in bot_id:
        raise ParlourError(f"the bot {bot_id!r} is from outside, and only built-in bots can play here")
    known = ", ".join([*BOTS, LEARNED, SEARCH])
    raise ParlourError(f"there is no bot {bot_id!r}; there are {known}, and {SEARCH_PREFIX}effort=N")


def choose_for(match: Match, bot: BuiltinBot, random: Stream) -> str:
    """Return the text of the action that a bot chooses for the seat to act."""
    return match.notation(bot.choose(compiled_observation_of(match, random)))


make_callable(__name__, bot_ids)
