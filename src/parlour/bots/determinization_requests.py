"""Requests of a program for determinizations of its observation, and the answers (docs/bot-protocol.md)."""

from collections.abc import Callable, Mapping
from typing import Any

from parlour.bots.protocol import Failure, foreign_text, number_of, printable
from parlour.engine.errors import ParlourError
from parlour.engine.observation import EVERYTHING, UNIFORM, Observation, observe
from parlour.engine.setup import Setup
from parlour.engine.simulation.batch import Batch
from parlour.engine.simulation.play_out_policies import GAME

REQUEST, ANSWER = "determinize", "determinizations"
MOST = 10_000
"""Maximum number of determinizations of a request."""
PLAYOUTS_AT_ONCE = 4000
"""Number of playouts between two looks at the clock: some tenths of a second."""


def get_ready(setup: Setup) -> None:
    """Compile the functions that answers need, before the time limit of a decision begins."""
    match = setup.start(0)
    seen = match.observation()
    seen.determinize(1, 0).try_actions(seen.legal_actions)


def answer_to(
    request: Mapping[str, Any], observation: Observation, check_time: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Return the answer to a request, made from the program's observation alone.

    ``check_time`` is called before each determinization is written, which takes a millisecond or less, and before each
    :data:`PLAYOUTS_AT_ONCE`.

    Raises:
        Failure: the request is invalid, or ``check_time`` raises it.
    """
    try:
        number, seed = (_whole_of(request, key) for key in ("number", "seed"))
        if not 1 <= number <= MOST:
            raise ParlourError(f'"number" is from 1 to {MOST:,}, not {number}')
        worlds = observation.determinize(number, seed, _text_of(request, "by", UNIFORM))
        answer: dict[str, Any] = {"type": ANSWER, "seen": observation.seen}
        if request.get("cards", True) is not False:
            answer["worlds"] = []
            for game in range(number):
                check_time()
                answer["worlds"].append(_world_of(worlds, game))
        return answer | (_results_of(worlds, request, observation, check_time) if "play_out" in request else {})
    except Failure:
        raise
    except ParlourError as error:
        raise Failure(f"asked for determinizations wrongly: {printable(str(error), 200)}") from None


def _whole_of(request: Mapping[str, Any], key: str) -> int:
    number = number_of(request.get(key))
    if number is None:
        raise ParlourError(f'"{key}" must be a whole number, not {foreign_text(request.get(key), repr)}')
    return number


def _text_of(request: Mapping[str, Any], key: str, otherwise: str) -> str:
    text = request.get(key, otherwise)
    if not isinstance(text, str):
        raise ParlourError(f'"{key}" must be a text, not {foreign_text(text, repr)}')
    return text


def _world_of(worlds: Batch, game: int) -> dict[str, Any]:
    """Return the zones and facts of a determinization with all cards open."""
    shown = observe(worlds.setup, worlds.states[game], EVERYTHING, (), ()).to_json()
    return {"zones": shown["zones"], "facts": shown["facts"]}


def _results_of(
    worlds: Batch, request: Mapping[str, Any], observation: Observation, check_time: Callable[[], None]
) -> dict[str, Any]:
    """Return the results of playouts after each legal action: lists by determinization, action and seat."""
    numbers = observation.setup.action_numbers
    actions = [numbers[text] for text in observation.legal]
    by, until = _text_of(request, "play_out", ""), _text_of(request, "until", GAME)
    careless = request.get("careless", 0)
    if isinstance(careless, bool):
        raise ParlourError('"careless" must be a number, not a truth value')
    scores: list[Any] = []
    rewards: list[Any] = []
    at_once = max(1, PLAYOUTS_AT_ONCE // len(actions))
    for first in range(0, len(worlds), at_once):
        check_time()
        piece = worlds.copy(range(first, min(first + at_once, len(worlds))))
        trials = piece.try_actions(actions, by, until, careless)
        scores += trials.scores.tolist()
        rewards += trials.rewards().round(6).tolist()
    return {"scores": scores, "rewards": rewards}
